/// An output that holds back as many of the last bytes as a writer's buffer may. If a part fails, one thread can therefore write the
/// same bytes again, and go on with a `RestOutput`.
final class HeldOutput {
  private let output: any ByteOutput
  private var held: [ArraySlice<UInt8>] = []
  private var heldCount = 0
  /// The number of bytes that the output has received.
  private(set) var writtenCount = 0
  /// The error of the output.
  private(set) var error: FerryError?

  init(_ output: any ByteOutput) { self.output = output }

  /// Adds bytes, and writes those that no buffer would hold back.
  func add(_ bytes: ArraySlice<UInt8>) throws(FerryError) {
    held.append(bytes)
    heldCount += bytes.count
    while let first = held.first, heldCount - first.count >= OutputBuffer.size { try writeFirst(first) }
  }

  /// Writes all bytes.
  func finish() throws(FerryError) {
    while let first = held.first { try writeFirst(first) }
  }

  private func writeFirst(_ bytes: ArraySlice<UInt8>) throws(FerryError) {
    held.removeFirst()
    heldCount -= bytes.count
    guard !bytes.isEmpty else { return }
    do throws(FerryError) { try output.write(bytes.span) } catch {
      self.error = error
      throw error
    }
    writtenCount += bytes.count
  }
}
