/// A reader that accepts its input in chunks of any size. It sends each event to its sink as soon as the
/// event is complete.
///
///     let reader = JSONReader(into: sink)
///     while let chunk = source.next() { try reader.read(chunk) }
///     try reader.finish()
///     try sink.finish()
public protocol ChunkReader: AnyObject {
  /// Reads one chunk. A reader must not be used after an error.
  func read(_ chunk: Span<UInt8>) throws(FerryError)
  /// Ends the input. Throws if a value is incomplete. Does not call `finish` on the sink.
  func finish() throws(FerryError)
  /// The notes on the input, once it has ended. Most readers have none.
  var notes: [Note] { get }
}

extension ChunkReader {
  public var notes: [Note] { [] }

  /// Reads one chunk. A reader must not be used after an error.
  ///
  /// - Throws: A `FerryError` with the source location if the chunk is invalid, or an error of the sink.
  public func read(_ chunk: [UInt8]) throws(FerryError) { try read(chunk.span) }

  /// Reads a whole input.
  ///
  /// - Throws: A `FerryError` with the source location if the input is invalid, or an error of the sink.
  public func readAll(_ bytes: Span<UInt8>) throws(FerryError) {
    try read(bytes)
    try finish()
  }

  /// Reads a whole input.
  ///
  ///     let builder = ValueBuilder()
  ///     try JSONReader(into: builder).readAll(Array(#"{"name": "Ada"}"#.utf8))
  ///     try builder.result()["name"]      // "Ada"
  ///
  /// - Throws: A `FerryError` with the source location if the input is invalid, or an error of the sink.
  public func readAll(_ bytes: [UInt8]) throws(FerryError) { try readAll(bytes.span) }
}
