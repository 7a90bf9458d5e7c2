/// A compression of chunks of any size to one file.
struct CompressedChunks {
  private let compressor: any Compressor
  /// True after the end of the data, and after an error while it was written.
  private var isFinished = false
  private var buffer = [UInt8](repeating: 0, count: Compression.bufferSize)

  init(_ compression: Compression) throws(FerryError) { compressor = try compression.compressor() }

  /// Compresses a chunk, and calls a function with each piece of the result that is ready.
  ///
  /// - Throws: A `FerryError` with the reason `FileProblem.notOpen` after the end of the data.
  mutating func append(
    _ chunk: Span<UInt8>, _ body: (Span<UInt8>) throws(FerryError) -> Void
  ) throws(FerryError) {
    try compress(chunk, isLast: false, body)
  }

  /// Ends the data after a last chunk, and calls a function with each piece of the result.
  ///
  /// - Throws: A `FerryError` with the reason `FileProblem.notOpen` after the end of the data.
  mutating func finish(
    _ chunk: Span<UInt8> = Span(), _ body: (Span<UInt8>) throws(FerryError) -> Void
  ) throws(FerryError) {
    try compress(chunk, isLast: true, body)
  }

  private mutating func compress(
    _ chunk: Span<UInt8>, isLast: Bool, _ body: (Span<UInt8>) throws(FerryError) -> Void
  ) throws(FerryError) {
    guard !isFinished else { throw FerryError(.file(.notOpen)) }
    isFinished = isLast
    var start = 0
    while true {
      let step = try compressor.compress(
        chunk.extracting(droppingFirst: start), isLast: isLast, into: &buffer)
      start += step.consumed
      if step.produced > 0 { try body(buffer.span.extracting(first: step.produced)) }
      let isDone = isLast ? step.isAtEnd : start == chunk.count && step.produced < buffer.count
      guard !isDone else { return }
    }
  }
}
