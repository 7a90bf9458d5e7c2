extension PlainForm {
  /// Returns the JSON of the value that `body` sends: one line, without a line feed at its end.
  static func json(_ body: (any ValueSink) throws(FerryError) -> Void) throws(FerryError) -> [UInt8] {
    let output = MemoryOutput()
    let plain = PlainForm(to: JSONWriter(to: output), capabilities: .json, losses: LossReport())
    let sink = ObjectKeys(to: plain)
    do throws(FerryError) {
      try body(sink)
      try sink.finish()
    } catch {
      throw error.placed(path: plain.path)
    }
    return output.bytes.dropLast()
  }
}
