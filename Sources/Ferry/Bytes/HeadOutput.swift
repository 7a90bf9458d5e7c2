/// An output that keeps the first bytes that it forwards, by which the format of the whole is detected.
package final class HeadOutput: ForwardingOutput {
  package let next: any ByteOutput
  private let limit: Int
  /// The first bytes so far.
  package private(set) var head: [UInt8] = []

  /// Creates an output.
  ///
  /// - Parameters:
  ///   - output: The output that receives all bytes.
  ///   - limit: The number of first bytes to keep.
  package init(to output: any ByteOutput, upTo limit: Int) { (next, self.limit) = (output, limit) }

  package var database: String? { next.database }

  package func write(_ bytes: Span<UInt8>) throws(FerryError) {
    let count = min(limit - head.count, bytes.count)
    if count > 0 { head.append(copying: bytes.extracting(0..<count)) }
    try next.write(bytes)
  }

  package func replaceableOffset() throws(FerryError) -> Int? {
    // The bytes of the head are those of a file that begins with the first one.
    guard let next = next as? any ReplacingOutput, try next.replaceableOffset() == 0, head.isEmpty else {
      return nil
    }
    return 0
  }

  package func replace(_ bytes: Span<UInt8>, at offset: Int) throws(FerryError) {
    for index in bytes.indices where offset + index < head.count { head[offset + index] = bytes[index] }
    try (next as? any ReplacingOutput)?.replace(bytes, at: offset)
  }

  package func removeBytes(from offset: Int) throws(FerryError) {
    head.removeLast(max(head.count - offset, 0))
    try (next as? any ReplacingOutput)?.removeBytes(from: offset)
  }
}
