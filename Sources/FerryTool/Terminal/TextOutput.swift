import Ferry

/// A terminal as output, for text only. It refuses bytes that a terminal would interpret as commands, before writing any
/// of them.
final class TextOutput: ByteOutput {
  private let output: any ByteOutput

  init(_ output: any ByteOutput) { self.output = output }

  func write(_ bytes: Span<UInt8>) throws(FerryError) {
    for index in 0..<bytes.count where Self.isControl(bytes[index]) {
      throw FerryError(.file(.binaryToTerminal))
    }
    StandardError.makeRoom(forOutput: bytes)
    try output.write(bytes)
  }

  /// Returns true for control characters that text files do not contain. They may contain escape characters.
  private static func isControl(_ byte: UInt8) -> Bool {
    switch byte {
    case 0x09, 0x0a, 0x0c, 0x0d, 0x1b: false
    default: byte < 0x20
    }
  }
}
