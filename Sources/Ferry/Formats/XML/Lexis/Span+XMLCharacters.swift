// The character classes of XML 1.0 (fifth edition).

/// Returns true if a document may contain a character (production 2).
func isXMLCharacter(_ scalar: UInt32) -> Bool {
  switch scalar {
  case 0x09, 0x0a, 0x0d, 0x20...0xd7ff, 0xe000...0xfffd, 0x1_0000...0x10_ffff: true
  default: false
  }
}

/// Returns true if a name may begin with a character (production 4). The colon is excluded, because it
/// separates the prefix.
func isXMLNameStart(_ scalar: UInt32) -> Bool {
  switch scalar {
  case 0..<0x80: UInt8(truncatingIfNeeded: scalar).isXMLNameStart
  case 0xc0...0xd6, 0xd8...0xf6, 0xf8...0x2ff, 0x370...0x37d, 0x37f...0x1fff, 0x200c...0x200d,
    0x2070...0x218f,
    0x2c00...0x2fef, 0x3001...0xd7ff, 0xf900...0xfdcf, 0xfdf0...0xfffd, 0x1_0000...0xe_ffff:
    true
  default: false
  }
}

/// Returns true if a name may contain a character (production 4a). The colon is excluded.
func isXMLNameCharacter(_ scalar: UInt32) -> Bool {
  switch scalar {
  case 0..<0x80: UInt8(truncatingIfNeeded: scalar).isInXMLName
  case 0xb7, 0x300...0x36f, 0x203f...0x2040: true
  default: isXMLNameStart(scalar)
  }
}

extension UInt8 {
  /// True for the ASCII characters with which a name may begin. The colon is excluded.
  @inline(__always)
  var isXMLNameStart: Bool { isLetter || self == UInt8(ascii: "_") }

  /// True for the ASCII characters that a name may contain. The colon is excluded.
  @inline(__always)
  var isInXMLName: Bool {
    isXMLNameStart || isDigit || self == UInt8(ascii: "-") || self == UInt8(ascii: ".")
  }
}

extension Span<UInt8> {
  /// True if the bytes are a valid name, with an optional prefix and a colon.
  var isXMLName: Bool {
    var index = 0
    var isStart = true
    var colons = 0
    while index < count {
      let (scalar, length) = self.scalar(at: index)
      index += length
      if scalar == 0x3a {
        colons += 1
        if isStart || colons > 1 { return false }
        isStart = true
      } else {
        guard isStart ? isXMLNameStart(scalar) : isXMLNameCharacter(scalar) else { return false }
        isStart = false
      }
    }
    return !isStart
  }

  /// True if the bytes are a name without a prefix that is its own key, because it has only ASCII letters, digits, `-`, `.` and `_`, and
  /// no escape of `XMLKeyName`. False for other names that are their own keys, too.
  var isBareXMLName: Bool {
    var previous: UInt8 = 0
    for index in 0..<count {
      let byte = self[index]
      guard index == 0 ? byte.isXMLNameStart : byte.isInXMLName,
        byte != UInt8(ascii: "x") || previous != UInt8(ascii: "_")
      else { return false }
      previous = byte
    }
    return count > 0
  }

  /// Returns the index of the first byte, from `start` on, that needs an escape or a check in XML text, or in an
  /// attribute: markup characters, control characters, and lead bytes of characters that may be forbidden
  /// (U+FFFE, U+FFFF, a surrogate).
  func firstXMLSpecial(from start: Int, isASCII: Bool, isAttribute: Bool = false) -> Int? {
    var index = start
    while index + 8 <= count {
      let word = littleEndianWord(at: index)
      var marks = word.bytes(below: 0x20) | word.markupBytes
      if isAttribute { marks |= word.bytes(equal: 0x22) }
      // ED and EF differ in one bit.
      if !isASCII { marks |= (word | UInt64(bytes: 0x02)).bytes(equal: 0xef) }
      if marks != 0 { return index + marks.trailingZeroBitCount / 8 }
      // The last word may overlap the one before it, in which no byte is marked.
      guard index + 8 < count else { return nil }
      index = Swift.min(index + 8, count - 8)
    }
    while index < count {
      switch self[index] {
      case 0..<0x20, 0x26, 0x3c, 0x3e, 0xed, 0xef: return index
      case 0x22 where isAttribute: return index
      default: index += 1
      }
    }
    return nil
  }
}

extension BorrowedText {
  /// Throws if XML cannot represent a character of the text.
  func checkXMLCharacters() throws(FerryError) {
    var index = 0
    while let special = utf8.firstXMLSpecial(from: index, isASCII: isASCII) {
      let (scalar, length) = utf8.scalar(at: special)
      guard isXMLCharacter(scalar) else { throw FerryError(.xml(.forbiddenCharacter(scalar))) }
      index = special + length
    }
  }

  /// True if the text contains only white space.
  var isBlank: Bool {
    for index in utf8.indices where !utf8[index].isSpace { return false }
    return true
  }
}
