/// An output that encodes the text written to it for another output.
final class EncodedOutput: ByteOutput {
  private let output: any ByteOutput
  private var encoder: TextEncoder

  /// Creates an output of a text in a format.
  init(_ output: any ByteOutput, to encoding: OutputEncoding, _ format: Format) throws(FerryError) {
    self.output = output
    encoder = try TextEncoder(
      to: encoding, escape: format.characterEscape, declaresEncoding: format.description.declaresEncoding)
  }

  /// Creates an output that writes an escape for each character beyond ASCII. The text stays in its encoding, which an XML
  /// document declares.
  init(escapingFor output: any ByteOutput, _ format: Format) throws(FerryError) {
    self.output = output
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
    if let output = output as? EncodedOutput { try output.finish() }
  }
}
