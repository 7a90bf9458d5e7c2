/// A writer of an array or a dictionary inside a record as JSON text, for formats whose records have only scalars.
final class NestedJSONWriter {
  let losses = LossReport()
  let sink: any ValueSink
  private let output = MemoryOutput()
  /// For each open collection, true if it is an array.
  private var open: [Bool] = []

  init() {
    sink = PlainForm(to: JSONWriter(to: output), capabilities: Format.json.capabilities, losses: losses)
  }

  /// The JSON without its final line feed.
  var text: [UInt8] { Array(output.bytes.dropLast()) }

  /// Begins a collection.
  func begin(isArray: Bool) throws(FerryError) {
    open.append(isArray)
    if isArray { try sink.beginArray(count: nil) } else { try sink.beginDictionary(count: nil) }
  }

  /// Ends a collection. Returns true if it was the outermost one.
  func end() throws(FerryError) -> Bool {
    if open.popLast() == true { try sink.endArray() } else { try sink.endDictionary() }
    guard open.isEmpty else { return false }
    try sink.finish()
    return true
  }
}
