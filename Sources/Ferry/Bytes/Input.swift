/// A source of a reader's bytes.
public protocol Input: AnyObject {
  /// The path of the file that is the whole input, for a reader that opens files by itself; nil for a pipe
  /// and for bytes in memory.
  var path: String? { get }
  /// Returns the first unread bytes, fewer than requested only at the end. They will be read again.
  func peek(upTo count: Int) throws(FerryError) -> [UInt8]
  /// Calls a function with each chunk of the input. A chunk is valid only during the call.
  func forEachChunk(_ body: (Span<UInt8>) throws(FerryError) -> Void) throws(FerryError)
  /// Reads all unread bytes. Throws if there are more than `limit`.
  func readAll(limit: Int) throws(FerryError) -> [UInt8]
  /// Makes a second pass possible before the first has begun: a pipe is copied to a temporary file.
  func makeRewindable() throws(FerryError)
  /// Returns to the beginning, for another pass over the same bytes.
  func rewind() throws(FerryError)
}

extension Input {
  /// Returns no path.
  public var path: String? { nil }
  /// Reads all unread bytes.
  public func readAll() throws(FerryError) -> [UInt8] { try readAll(limit: .max) }
}

/// An input from bytes in memory.
public final class MemoryInput: Input {
  private let bytes: [UInt8]
  private var isRead = false

  /// Creates an input from bytes.
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
