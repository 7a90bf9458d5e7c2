/// Where a reader's bytes come from.
public protocol Input: AnyObject {
  /// Where the file is that this is the whole of, for a reader that has to open it by itself; nil for a pipe and for
  /// bytes in memory.
  var path: String? { get }
  /// The first bytes of what has not been read, fewer only at the end. They will be read again.
  func peek(upTo count: Int) throws(Failure) -> [UInt8]
  /// Hands out the input, one chunk after the other, each valid only while it is handed out.
  func forEachChunk(_ body: (Span<UInt8>) throws(Failure) -> Void) throws(Failure)
  /// Everything that has not been read; refused when it is more than `limit` bytes.
  func readAll(limit: Int) throws(Failure) -> [UInt8]
  /// Makes a second pass possible, before the first has begun: a pipe is copied to a temporary file.
  func makeRewindable() throws(Failure)
  /// Goes back to the beginning, for another pass over the same bytes.
  func rewind() throws(Failure)
}

extension Input {
  /// No file.
  public var path: String? { nil }
  /// Everything that has not been read.
  public func readAll() throws(Failure) -> [UInt8] { try readAll(limit: .max) }
}

/// Bytes in memory, as an input.
public final class MemoryInput: Input {
  private let bytes: [UInt8]
  private var isRead = false

  /// An input of these bytes.
  public init(_ bytes: [UInt8]) { self.bytes = bytes }

  public func peek(upTo count: Int) throws(Failure) -> [UInt8] { isRead ? [] : Array(bytes.prefix(count)) }

  public func forEachChunk(_ body: (Span<UInt8>) throws(Failure) -> Void) throws(Failure) {
    guard !isRead, !bytes.isEmpty else { return }
    isRead = true
    let bytes = bytes
    try body(bytes.span)
  }

  public func readAll(limit: Int) throws(Failure) -> [UInt8] {
    guard bytes.count <= limit else { throw Failure(.file(.tooLarge(limit: limit))) }
    defer { isRead = true }
    return isRead ? [] : bytes
  }

  public func makeRewindable() throws(Failure) {}

  public func rewind() throws(Failure) { isRead = false }
}
