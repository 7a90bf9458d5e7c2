/// An input of some pieces of bytes.
final class PartInput: ByteInput {
  private let pieces: [[UInt8]]
  /// The largest size of a chunk.
  private let chunkSize: Int
  private var isRead = false

  init(_ pieces: [[UInt8]], chunkSize: Int = .max) { (self.pieces, self.chunkSize) = (pieces, chunkSize) }

  func peek(upTo count: Int) throws(FerryError) -> [UInt8] {
    isRead ? [] : Array(pieces.joined().prefix(count))
  }

  func forEachChunk(_ body: (Span<UInt8>) throws(FerryError) -> Void) throws(FerryError) {
    guard !isRead else { return }
    isRead = true
    for piece in pieces { try piece.forEachChunk(ofAtMost: chunkSize, body) }
  }

  func makeRewindable() throws(FerryError) {}

  func rewind() throws(FerryError) { isRead = false }
}
