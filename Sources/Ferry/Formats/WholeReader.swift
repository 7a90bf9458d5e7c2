/// A reader of a small file that is one value: it gathers the chunks, and sends the value at the end.
final class WholeReader: ChunkReader {
  private var bytes: [UInt8] = []
  private let limit: Int
  private let send: ([UInt8]) throws(FerryError) -> Void

  /// Creates a reader of at most `limit` bytes, whose value `send` sends.
  init(limit: Int, _ send: @escaping ([UInt8]) throws(FerryError) -> Void) {
    (self.limit, self.send) = (limit, send)
  }

  func read(_ chunk: Span<UInt8>) throws(FerryError) {
    guard chunk.count <= limit - bytes.count else { throw FerryError(.file(.tooLarge(limit: limit))) }
    bytes.append(copying: chunk)
  }

  func finish() throws(FerryError) { try send(bytes) }
}
