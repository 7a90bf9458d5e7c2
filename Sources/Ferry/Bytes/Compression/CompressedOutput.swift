/// An output that compresses its bytes for another output.
///
///     let output = try CompressedOutput(StandardOutput(), .gzip)
///     _ = try conversion.convert(input, to: output)
///     try output.finish()
public final class CompressedOutput: ByteOutput {
  private let output: any ByteOutput
  private var chunks: CompressedChunks

  /// Creates an output.
  ///
  /// - Throws: A `FerryError` with the reason `CompressionProblem.notInBuild`.
  public init(_ output: any ByteOutput, _ compression: Compression) throws(FerryError) {
    self.output = output
    chunks = try CompressedChunks(compression)
  }

  public func write(_ bytes: Span<UInt8>) throws(FerryError) {
    try chunks.append(bytes) { piece throws(FerryError) in try output.write(piece) }
  }

  /// Writes the end of the compressed data. Afterward, or after an error, nothing can be written to the output.
  ///
  /// - Throws: A `FerryError` with the reason `FileProblem.notOpen` if it was called before, or an error of the other output.
  public func finish() throws(FerryError) {
    try chunks.finish { piece throws(FerryError) in try output.write(piece) }
  }
}

extension Compression {
  /// Returns compressed bytes.
  public func compressed(_ bytes: [UInt8]) throws(FerryError) -> [UInt8] {
    let output = MemoryOutput()
    var chunks = try CompressedChunks(self)
    try chunks.finish(bytes.span) { piece throws(FerryError) in try output.write(piece) }
    return output.bytes
  }
}
