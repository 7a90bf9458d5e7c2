extension Value: CustomStringConvertible {
  /// The value as `ferry show` prints it, in lines of 80 columns. Long texts and data are cut: a description is for people.
  ///
  ///     { first: "Ada", age: 36, born: 1815-12-10T00:00:00Z, photo: <a PNG image, 1204 bytes: 89 50 4e 47 …> }
  public var description: String {
    let output = MemoryOutput()
    let writer = TreeWriter(to: output, width: 80, color: Colors(areShown: false))
    do throws(FerryError) {
      try replay(into: writer)
      try writer.finish()
    } catch {
      return words
    }
    return String(decoding: output.bytes.dropLast(), as: UTF8.self)  // without the last line end
  }
}
