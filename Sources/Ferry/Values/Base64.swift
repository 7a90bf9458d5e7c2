/// Base64 with the standard alphabet and padding of RFC 4648.
package enum Base64 {
  private static let alphabet = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/".utf8)

  /// For each byte its value in the alphabet, or 64 for padding, 65 for white space, and 255 for invalid
  /// bytes.
  private static let values: [UInt8] = {
    var values = [UInt8](repeating: 255, count: 256)
    for (value, character) in alphabet.enumerated() { values[Int(character)] = UInt8(value) }
    values[Int(UInt8(ascii: "="))] = 64
    for space in " \t\r\n".utf8 { values[Int(space)] = 65 }
    return values
  }()

  /// Returns true for a character of the alphabet, and for padding.
  static func isDigit(_ byte: UInt8) -> Bool { values[Int(byte)] <= 64 }

  /// Appends bytes in Base64.
  static func encode(_ bytes: Span<UInt8>, into text: inout [UInt8]) {
    text.append(addingCapacity: (bytes.count + 2) / 3 * 4) { (output: inout OutputSpan<UInt8>) in
      var index = 0
      while bytes.count - index >= 14 {
        output.append(charactersOf: Base64Block(of: bytes, at: index))
        index += 12
      }
      while index < bytes.count {
        append(bytes.extracting(index..<min(index + 3, bytes.count)), to: &output)
        index += 3
      }
    }
  }

  /// Appends one to three bytes in Base64.
  private static func append(_ bytes: Span<UInt8>, to output: inout OutputSpan<UInt8>) {
    let count = bytes.count
    let group =
      UInt32(bytes[0]) << 16 | (count > 1 ? UInt32(bytes[1]) << 8 : 0) | (count > 2 ? UInt32(bytes[2]) : 0)
    output.append(alphabet[Int(group >> 18)])
    output.append(alphabet[Int(group >> 12 & 63)])
    output.append(count > 1 ? alphabet[Int(group >> 6 & 63)] : UInt8(ascii: "="))
    output.append(count > 2 ? alphabet[Int(group & 63)] : UInt8(ascii: "="))
  }

  /// Returns bytes in Base64.
  package static func encode(_ bytes: Span<UInt8>) -> [UInt8] {
    var text: [UInt8] = []
    encode(bytes, into: &text)
    return text
  }

  /// Decodes a text, ignoring white space. Returns nil if it has an invalid character or an incomplete group,
  /// or if unused bits are set. (Therefore different texts never decode to the same bytes, apart from white
  /// space.)
  package static func decode(_ text: Span<UInt8>) -> [UInt8]? {
    var bytes: [UInt8] = []
    var isValid = false
    // A whole block has room for two bytes more than it has.
    bytes.append(addingCapacity: text.count / 4 * 3 + 2) { (output: inout OutputSpan<UInt8>) in
      isValid = decode(text, into: &output)
    }
    return isValid ? bytes : nil
  }

  /// Decodes a text. Returns false if it is not valid.
  private static func decode(_ text: Span<UInt8>, into output: inout OutputSpan<UInt8>) -> Bool {
    var group: UInt32 = 0
    var count = 0
    var padding = 0
    var index = 0
    while index < text.count {
      if count == 0, padding == 0 {
        index = decodeBlocks(text, from: index, into: &output)
        guard index < text.count else { break }
      }
      let value = values[Int(text[index])]
      index += 1
      switch value {
      case 65:
        // A block after each of several characters of white space would be read in vain.
        while index < text.count, values[Int(text[index])] == 65 { index += 1 }
      case 64: padding += 1
      case 255: return false
      default:
        guard padding == 0 else { return false }
        group = group << 6 | UInt32(value)
        count += 1
        guard count == 4 else { continue }
        output.append(UInt8(truncatingIfNeeded: group >> 16))
        output.append(UInt8(truncatingIfNeeded: group >> 8))
        output.append(UInt8(truncatingIfNeeded: group))
        (group, count) = (0, 0)
      }
    }
    switch (count, padding) {
    case (0, 0): return true
    case (2, 2) where group & 0xf == 0: output.append(UInt8(truncatingIfNeeded: group >> 4))
    case (3, 1) where group & 0x3 == 0:
      output.append(UInt8(truncatingIfNeeded: group >> 10))
      output.append(UInt8(truncatingIfNeeded: group >> 2))
    default: return false
    }
    return true
  }

  /// Decodes whole groups from an index on. Returns the index after them: next to white space, padding, an invalid character or
  /// the end.
  @inline(__always)
  private static func decodeBlocks(_ text: Span<UInt8>, from start: Int, into output: inout OutputSpan<UInt8>)
    -> Int
  {
    var index = start
    while text.count - index >= 16 {
      let block = Base64Block(text.block(at: index))
      guard block.isWhole else {
        let count = block.digitCount & ~3
        output.append(bytesOf: block, characters: count)
        return index + count
      }
      output.append(bytesOf: block, characters: 16)
      index += 16
    }
    return index
  }
}
