/// A reader of a small file that contains a single value. It collects the chunks, and sends the value at the
/// end.
final class WholeReader: ChunkReader {
  private var bytes: [UInt8] = []
  private let limit: Int
  private let send: ([UInt8]) throws(FerryError) -> Void

  /// Creates a reader.
  ///
  /// - Parameters:
  ///   - limit: The maximum size of the file in bytes.
  ///   - send: Sends the value of the whole file.
  init(limit: Int, _ send: @escaping ([UInt8]) throws(FerryError) -> Void) {
    (self.limit, self.send) = (limit, send)
  }

  func read(_ chunk: Span<UInt8>) throws(FerryError) {
    guard chunk.count <= limit - bytes.count else {
      throw FerryError(.overBudget(.tokenBytes(limit)), at: Position(byte: 0))
    }
    bytes.append(copying: chunk)
  }

  func finish() throws(FerryError) { try send(bytes) }
}
