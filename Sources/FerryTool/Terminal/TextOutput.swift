import Ferry

/// An output for text only. Bytes that a terminal would take for commands are refused before any of them is written.
final class TextOutput: ByteOutput {
  private let output: any ByteOutput

  init(_ output: any ByteOutput) { self.output = output }

  func write(_ bytes: Span<UInt8>) throws(Failure) {
    for index in 0..<bytes.count where Self.isControl(bytes[index]) {
      throw Failure(.file(.binaryToTerminal))
    }
    try output.write(bytes)
  }

  /// True for the control characters that text files do not have. Escape is one that they may have.
  private static func isControl(_ byte: UInt8) -> Bool {
    switch byte {
    case 0x09, 0x0a, 0x0c, 0x0d, 0x1b: false
    default: byte < 0x20
    }
  }
}
