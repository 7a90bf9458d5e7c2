/// An output that keeps the last bytes in memory, so that bytes at the end can be moved before some of them.
final class TailOutput: ByteOutput {
  private let output: any ByteOutput
  private var bytes: [UInt8] = []
  /// The number of bytes that were written to the output.
  private var writtenCount = 0
  /// The number of the last bytes that are kept unless `flush` writes them. Without it, up to twice as many are kept, so that each byte is
  /// moved once.
  static let size = 1 << 20
  /// The capacity that suffices if `flush` is called for each filled output buffer.
  private static let usualCapacity = 2 * OutputBuffer.size

  init(to output: any ByteOutput) { self.output = output }

  /// The number of bytes so far.
  var count: Int { writtenCount + bytes.count }

  func write(_ piece: Span<UInt8>) throws(FerryError) {
    guard piece.count < Self.size else {
      try flush(upTo: count)
      try output.write(piece)
      writtenCount += piece.count
      return
    }
    if bytes.count + piece.count > bytes.capacity {
      // The memory is reserved in one step: each growth would copy the bytes, and reserved pages cost nothing until they are filled.
      bytes.reserveCapacity(bytes.isEmpty ? Self.usualCapacity : 2 * Self.size)
    }
    bytes.append(copying: piece)
    if bytes.count >= 2 * Self.size { try flush(upTo: count - Self.size) }
  }

  /// Writes the bytes before an offset to the output.
  func flush(upTo end: Int) throws(FerryError) {
    let length = min(end - writtenCount, bytes.count)
    guard length > 0 else { return }
    // The array stays the only reference to its memory, so that the rest is moved in place.
    var held: [UInt8] = []
    swap(&held, &bytes)
    try output.write(held.span.extracting(0..<length))
    writtenCount += length
    // A large array that is empty now is released.
    if length == held.count, held.capacity > 2 * Self.usualCapacity { return }
    held.removeSubrange(0..<length)
    swap(&held, &bytes)
  }

  /// Moves the bytes from an offset on to another offset. Does nothing if the bytes there are not kept.
  func moveEnd(from start: Int, to target: Int) {
    let (first, index) = (start - writtenCount, target - writtenCount)
    guard 0 <= index, index <= first, first <= bytes.count else { return }
    let piece = Array(bytes[first...])
    bytes.removeSubrange(first...)
    bytes.insert(contentsOf: piece, at: index)
  }

  /// Returns true if bytes occur in a range of offsets.
  func contains(_ piece: [UInt8], in range: Range<Int>) -> Bool {
    guard let first = piece.first else { return true }
    var index = max(range.lowerBound - writtenCount, 0)
    let end = min(range.upperBound - writtenCount, bytes.count)
    while index + piece.count <= end {
      if bytes[index] == first, bytes[index..<index + piece.count].elementsEqual(piece) { return true }
      index += 1
    }
    return false
  }
}
