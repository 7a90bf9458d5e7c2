/// An output in memory.
public final class MemoryOutput: ByteOutput, ReplacingOutput {
  /// The bytes written so far.
  public private(set) var bytes: [UInt8] = []

  /// Creates an empty output.
  public init() {}

  /// The largest number of bytes.
  private var limit = Int.max

  /// Creates an empty output that uses the memory of an empty array, and stops the writer after a number of bytes.
  init(reusing spare: consuming [UInt8], limit: Int = .max) { (bytes, self.limit) = (spare, limit) }

  public func write(_ bytes: Span<UInt8>) throws(FerryError) {
    guard bytes.count <= limit - self.bytes.count else { throw .stopped }
    self.bytes.append(copying: bytes)
  }

  package func replaceableOffset() -> Int? { bytes.count }

  package func replace(_ bytes: Span<UInt8>, at offset: Int) {
    self.bytes.replaceSubrange(offset..<offset + bytes.count, with: [UInt8](copying: bytes))
  }

  package func removeBytes(from offset: Int) { bytes.removeLast(bytes.count - offset) }

  /// Removes and returns the bytes written so far.
  func takeBytes() -> [UInt8] {
    defer { bytes = [] }
    return bytes
  }
}
