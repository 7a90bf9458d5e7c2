/// An output that combines small pieces into large ones for another output.
final class BufferedOutput: ByteOutput {
  private var buffer: OutputBuffer

  init(to output: any ByteOutput) { buffer = OutputBuffer(to: output) }

  func write(_ bytes: Span<UInt8>) throws(FerryError) { try buffer.append(bytes) }

  /// Writes the bytes that are held back to the other output.
  func flush() throws(FerryError) { try buffer.flush() }
}
