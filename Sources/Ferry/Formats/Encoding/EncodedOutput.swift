/// An output that encodes the text written to it for another output.
final class EncodedOutput: ByteOutput {
  private let output: any ByteOutput
  /// The output if it encodes the escaped text, and must be finished.
  private let inner: EncodedOutput?
  private var encoder: TextEncoder

  /// Creates an output of a text in a format.
  init(_ output: any ByteOutput, to encoding: OutputEncoding, _ format: Format) throws(FerryError) {
    self.output = output
    inner = nil
    encoder = try TextEncoder(
      to: encoding, escape: format.characterEscape, declaresEncoding: format.description.declaresEncoding)
  }

  /// Creates an output that writes an escape for each character beyond ASCII. The text stays in its encoding, which an XML
  /// document declares.
  ///
  /// - Parameter inner: An output that encodes the text for `output`, or nil if the encoding is UTF-8.
  init(
    escapingFor output: any ByteOutput, encodedBy inner: EncodedOutput?, _ format: Format
  ) throws(FerryError) {
    self.output = inner ?? output
    self.inner = inner
    encoder = try TextEncoder(escaping: format.characterEscape)
  }

  func write(_ bytes: Span<UInt8>) throws(FerryError) {
    var encoded: [UInt8] = []
    try encoder.append(bytes, to: &encoded)
    if !encoded.isEmpty { try output.write(encoded.span) }
  }

  /// Writes the end of the text.
  func finish() throws(FerryError) {
    var encoded: [UInt8] = []
    try encoder.finish(to: &encoded)
    if !encoded.isEmpty { try output.write(encoded.span) }
    try inner?.finish()
  }
}
