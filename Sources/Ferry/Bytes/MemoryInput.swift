/// An input of bytes in memory.
public final class MemoryInput: RepeatableInput {
  private let bytes: [UInt8]
  private var isRead = false

  /// The number of bytes, also of those that were read.
  var count: Int { bytes.count }

  var canBeReadTwice: Bool { !isRead }

  /// Creates an input of the given bytes.
  public init(_ bytes: [UInt8]) { self.bytes = bytes }

  public func peek(upTo count: Int) throws(FerryError) -> [UInt8] { isRead ? [] : Array(bytes.prefix(count)) }

  public func forEachChunk(_ body: (Span<UInt8>) throws(FerryError) -> Void) throws(FerryError) {
    guard !isRead, !bytes.isEmpty else { return }
    isRead = true
    let bytes = bytes
    try body(bytes.span)
  }

  public func readAll(limit: Int) throws(FerryError) -> [UInt8] {
    guard bytes.count <= limit else { throw FerryError(.file(.tooLarge(limit: limit))) }
    defer { isRead = true }
    return isRead ? [] : bytes
  }

  public func makeRewindable() throws(FerryError) {}

  public func rewind() throws(FerryError) { isRead = false }
}
