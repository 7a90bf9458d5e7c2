/// An output that holds back as many of the last bytes as a writer's buffer may. If a part fails, one thread can therefore write the
/// same bytes again, and continue with a `RestOutput`. After an error of the output, it writes nothing more.
final class HeldOutput: ByteOutput {
  /// The size of the memory that is held with some bytes, in proportion to their number. Many parts may have few bytes, or none, in memory
  /// for many.
  private static let mostUnused = 8

  private let output: any ByteOutput
  /// The held bytes, and those of which they are a part.
  private var held: [(bytes: ArraySlice<UInt8>, whole: [UInt8])] = []
  /// Receives bytes of which a part was written, and whose memory may be used again.
  private let didWrite: ([UInt8]) -> Void
  private var heldCount = 0
  /// The number of bytes that the output has received.
  private(set) var writtenCount = 0
  /// The error of the output.
  private(set) var error: FerryError?

  init(_ output: any ByteOutput, didWrite: @escaping ([UInt8]) -> Void = { _ in }) {
    (self.output, self.didWrite) = (output, didWrite)
  }

  /// Adds bytes, and writes those that no buffer would hold back.
  ///
  /// - Parameter whole: The bytes of which they are a part.
  func add(_ bytes: ArraySlice<UInt8>, of whole: [UInt8] = []) throws(FerryError) {
    guard !bytes.isEmpty else { return didWrite(whole) }
    if whole.capacity > Self.mostUnused * bytes.count {
      held.append((Array(bytes)[...], []))
      didWrite(whole)
    } else {
      held.append((bytes, whole))
    }
    heldCount += bytes.count
    while let first = held.first, heldCount - first.bytes.count >= OutputBuffer.size { try writeFirst() }
  }

  /// Adds a copy of bytes, and writes those that no buffer would hold back.
  func write(_ bytes: Span<UInt8>) throws(FerryError) { try add(Array(copying: bytes)[...]) }

  /// Writes all bytes.
  func finish() throws(FerryError) {
    while !held.isEmpty { try writeFirst() }
  }

  private func writeFirst() throws(FerryError) {
    if let error { throw error }
    var (bytes, whole) = held.removeFirst()
    heldCount -= bytes.count
    do throws(FerryError) { try output.write(bytes.span) } catch {
      self.error = error
      throw error
    }
    writtenCount += bytes.count
    // Memory with a second owner could not be used again.
    bytes = []
    didWrite(whole)
  }
}
