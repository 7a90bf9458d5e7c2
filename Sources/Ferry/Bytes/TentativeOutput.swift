/// An output whose bytes can be taken back. They go to the final output at once if that is a file which is not complete yet, or memory. Otherwise
/// they wait to be written to it.
final class TentativeOutput: ByteOutput {
  /// The final output and the offset of the first byte, if bytes can be removed from it.
  private let direct: (output: any ReplacingOutput, start: Int)?
  private let spool: SpooledOutput

  /// Creates an output without bytes.
  ///
  /// - Parameters:
  ///   - output: The final output.
  ///   - limit: The maximum number of bytes that wait. Writing more throws a `FerryError` with the reason `FileProblem.tooLarge`.
  init(_ output: any ByteOutput, limit: Int = .max) throws(FerryError) {
    if let other = output as? any ReplacingOutput, let start = try other.replaceableOffset() {
      direct = (other, start)
    } else {
      direct = nil
    }
    spool = SpooledOutput(limit: limit)
  }

  func write(_ bytes: Span<UInt8>) throws(FerryError) {
    if let direct { try direct.output.write(bytes) } else { try spool.write(bytes) }
  }

  /// Calls a function with the bytes that wait, chunk by chunk.
  func forEachWaitingChunk(_ body: (Span<UInt8>) throws(FerryError) -> Void) throws(FerryError) {
    if direct == nil { try spool.forEachChunk(body) }
  }

  /// Removes the bytes, also those that are in the final output. Nothing can be written afterward.
  func takeBack() throws(FerryError) {
    if let direct { try direct.output.removeBytes(from: direct.start) }
  }
}
