extension ReadingOptions {
  /// Reads an input, as `read(_:named:into:)` does. An error has the path of the value that is being read.
  ///
  /// - Parameter path: Returns the path of the next value of the sink.
  @discardableResult
  func read(
    _ input: any ByteInput, named name: String?, into sink: any ValueSink, at path: () -> ValuePath
  ) throws(FerryError) -> [Note] {
    do throws(FerryError) {
      return try read(input, named: name, into: sink).notes
    } catch {
      throw error.placed(inOutput: path())
    }
  }
}
