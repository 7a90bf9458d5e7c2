/// An output that keeps the first bytes that it forwards, by which the format of the whole is detected.
package final class HeadOutput: ByteOutput {
  private let output: any ByteOutput
  private let limit: Int
  /// The first bytes so far.
  package private(set) var head: [UInt8] = []

  /// Creates an output.
  ///
  /// - Parameters:
  ///   - output: The output that receives all bytes.
  ///   - limit: The number of first bytes to keep.
  package init(to output: any ByteOutput, upTo limit: Int) { (self.output, self.limit) = (output, limit) }

  package var database: String? { output.database }

  package func write(_ bytes: Span<UInt8>) throws(FerryError) {
    let count = min(limit - head.count, bytes.count)
    if count > 0 { head.append(copying: bytes.extracting(0..<count)) }
    try output.write(bytes)
  }
}
