/// A reader of a small file that contains a single value. It collects the chunks, and sends the value at the
/// end.
final class WholeReader: ChunkReader {
  private var bytes: [UInt8] = []
  private let budget: Budget
  private let send: ([UInt8]) throws(FerryError) -> Void

  /// Creates a reader.
  ///
  /// - Parameters:
  ///   - budget: The limits, of which that of a value is the maximum size of the file.
  ///   - send: Sends the value of the whole file.
  init(budget: Budget, _ send: @escaping ([UInt8]) throws(FerryError) -> Void) {
    (self.budget, self.send) = (budget, send)
  }

  func read(_ chunk: Span<UInt8>) throws(FerryError) {
    try budget.checkToken(bytes.count + chunk.count, at: InputLocation(byte: 0))
    bytes.append(copying: chunk)
  }

  func finish() throws(FerryError) { try send(bytes) }
}
