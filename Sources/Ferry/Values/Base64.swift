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
    text.reserveCapacity(text.count + (bytes.count + 2) / 3 * 4)
    var index = 0
    while index < bytes.count {
      let left = bytes.count - index
      let group =
        UInt32(bytes[index]) << 16 | (left > 1 ? UInt32(bytes[index + 1]) << 8 : 0)
        | (left > 2 ? UInt32(bytes[index + 2]) : 0)
      text.append(alphabet[Int(group >> 18)])
      text.append(alphabet[Int(group >> 12 & 63)])
      text.append(left > 1 ? alphabet[Int(group >> 6 & 63)] : UInt8(ascii: "="))
      text.append(left > 2 ? alphabet[Int(group & 63)] : UInt8(ascii: "="))
      index += 3
    }
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
    bytes.reserveCapacity(text.count / 4 * 3)
    var group: UInt32 = 0
    var count = 0
    var padding = 0
    for index in text.indices {
      let value = values[Int(text[index])]
      switch value {
      case 65: continue
      case 64: padding += 1
      case 255: return nil
      default:
        guard padding == 0 else { return nil }
        group = group << 6 | UInt32(value)
        count += 1
        guard count == 4 else { continue }
        bytes.append(UInt8(truncatingIfNeeded: group >> 16))
        bytes.append(UInt8(truncatingIfNeeded: group >> 8))
        bytes.append(UInt8(truncatingIfNeeded: group))
        (group, count) = (0, 0)
      }
    }
    switch (count, padding) {
    case (0, 0): return bytes
    case (2, 2) where group & 0xf == 0:
      return bytes + [UInt8(truncatingIfNeeded: group >> 4)]
    case (3, 1) where group & 0x3 == 0:
      return bytes + [UInt8(truncatingIfNeeded: group >> 10), UInt8(truncatingIfNeeded: group >> 2)]
    default: return nil
    }
  }
}
