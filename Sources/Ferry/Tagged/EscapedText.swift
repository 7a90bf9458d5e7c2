/// Text in which characters that a format cannot represent are escaped as in JSON (`\u001b`, `\ud800`, `\\`).
enum EscapedText {
  /// Returns true if XML cannot represent the text: it contains a control character, an unpaired surrogate,
  /// U+FFFE or U+FFFF.
  static func isNeeded(for text: BorrowedText) -> Bool {
    if text.hasSurrogates { return true }
    var isNeeded = false
    text.forEachScalar { if !isXMLCharacter($0) || $0 == 0x0d { isNeeded = true } }
    return isNeeded
  }

  /// Appends the text with escapes.
  static func append(_ text: BorrowedText, to bytes: inout [UInt8]) {
    text.forEachScalar { scalar in
      if scalar == UInt32(UInt8(ascii: "\\")) {
        bytes.append(copying: "\\\\")
      } else if isXMLCharacter(scalar), scalar != 0x0d {
        bytes.append(scalar: scalar)
      } else {
        let digits = String(scalar, radix: 16)
        bytes.append(
          contentsOf: "\\u\(String(repeating: "0", count: max(0, 4 - digits.count)))\(digits)".utf8)
      }
    }
  }

  /// Decodes escaped text to UTF-16. Returns nil if a backslash does not begin a valid escape sequence.
  static func units(of escaped: BorrowedText) -> [UInt16]? {
    var units: [UInt16] = []
    let all = escaped.utf16
    var index = 0
    while index < all.count {
      guard all[index] == 0x5c else {
        units.append(all[index])
        index += 1
        continue
      }
      guard index + 1 < all.count else { return nil }
      if all[index + 1] == 0x5c {
        units.append(0x5c)
        index += 2
        continue
      }
      guard all[index + 1] == 0x75, index + 5 < all.count else { return nil }
      var unit: UInt16 = 0
      for digit in all[(index + 2)...(index + 5)] {
        guard let value = UInt8(exactly: digit)?.hexDigit else { return nil }
        unit = unit << 4 | UInt16(value)
      }
      units.append(unit)
      index += 6
    }
    return units
  }
}
