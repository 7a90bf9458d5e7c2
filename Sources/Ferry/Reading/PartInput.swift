/// An input of some pieces of bytes.
final class PartInput: ByteInput {
  private let pieces: [[UInt8]]
  private var isRead = false

  init(_ pieces: [[UInt8]]) { self.pieces = pieces }

  func peek(upTo count: Int) throws(FerryError) -> [UInt8] {
    isRead ? [] : Array(pieces.joined().prefix(count))
  }

  func forEachChunk(_ body: (Span<UInt8>) throws(FerryError) -> Void) throws(FerryError) {
    guard !isRead else { return }
    isRead = true
    for piece in pieces where !piece.isEmpty { try body(piece.span) }
  }

  func makeRewindable() throws(FerryError) {}

  func rewind() throws(FerryError) { isRead = false }
}
