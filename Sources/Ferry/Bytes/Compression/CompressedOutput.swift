/// An output that compresses its bytes for another output.
///
///     let output = try CompressedOutput(StandardOutput(), .gzip)
///     _ = try conversion.convert(input, to: output)
///     try output.finish()
public final class CompressedOutput: ByteOutput {
  private let output: any ByteOutput
  private let compressor: any Compressor

  /// Creates an output.
  ///
  /// - Throws: `CompressionProblem.notInBuild`.
  public init(_ output: any ByteOutput, _ compression: Compression) throws(FerryError) {
    self.output = output
    compressor = try compression.compressor()
  }

  public func write(_ bytes: Span<UInt8>) throws(FerryError) {
    try compressor.compress(bytes, isLast: false) { piece throws(FerryError) in try output.write(piece) }
  }

  /// Writes the end of the compressed data. Nothing can be written afterward.
  public func finish() throws(FerryError) {
    try compressor.compress(Span(), isLast: true) { piece throws(FerryError) in try output.write(piece) }
  }
}

extension Compression {
  /// Returns compressed bytes.
  public func compressed(_ bytes: [UInt8]) throws(FerryError) -> [UInt8] {
    let (output, compressor) = (MemoryOutput(), try compressor())
    try compressor.compress(bytes.span, isLast: true) { piece throws(FerryError) in try output.write(piece) }
    return output.bytes
  }
}
