/// An output that leaves out the first bytes, because they were already written.
final class RestOutput: ByteOutput {
  private let output: any ByteOutput
  /// The number of bytes that are still to be left out.
  private var known: Int

  init(of output: any ByteOutput, after count: Int) { (self.output, known) = (output, count) }

  var database: String? { output.database }

  func write(_ bytes: Span<UInt8>) throws(FerryError) {
    let leftOut = min(known, bytes.count)
    known -= leftOut
    if leftOut < bytes.count { try output.write(bytes.extracting(droppingFirst: leftOut)) }
  }
}
