/// A reader that takes its input in chunks of any size and sends events to its sink as soon as they are whole.
///
///     let reader = JSONReader(into: sink)
///     while let chunk = source.next() { try reader.read(chunk) }
///     try reader.finish()
///     try sink.finish()
public protocol ChunkReader: AnyObject {
  /// Reads one chunk. After a failure the reader is not used again.
  func read(_ chunk: Span<UInt8>) throws(Failure)
  /// Ends the input: what is unfinished is now an error. Does not finish the sink.
  func finish() throws(Failure)
}

extension ChunkReader {
  /// Reads a whole input.
  public func readAll(_ bytes: Span<UInt8>) throws(Failure) {
    try read(bytes)
    try finish()
  }
}
