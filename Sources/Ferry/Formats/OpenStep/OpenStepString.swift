/// The notation of strings in OpenStep property lists.
///
///     Ada        "a \"b\"\n"      "\U00e9"      "\351"
enum OpenStepString {
  /// Appends the text between quotation marks with its escapes decoded. Returns true if a surrogate is unpaired.
  ///
  /// `\ooo` is a byte in the NextStep encoding, `\Uxxxx` a code unit of UTF-16, and a backslash before any other character
  /// represents this character.
  static func decode(_ text: Span<UInt8>, into bytes: inout [UInt8]) -> Bool {
    var hasSurrogates = false
    var high: UInt32?
    var index = 0
    func end(_ high: inout UInt32?, _ bytes: inout [UInt8]) {
      guard let unit = high else { return }
      bytes.append(scalar: unit)
      (high, hasSurrogates) = (nil, true)
    }
    while index < text.count {
      guard text[index] == UInt8(ascii: "\\"), index + 1 < text.count else {
        end(&high, &bytes)
        bytes.append(text[index])
        index += 1
        continue
      }
      let (unit, length) = escape(in: text, at: index + 1)
      index += 1 + length
      switch (high, unit & 0xfc00) {
      case (let first?, 0xdc00):
        bytes.append(scalar: UInt32(highSurrogate: first, low: unit))
        high = nil
      case (_, 0xd800):
        end(&high, &bytes)
        high = unit
      case (_, 0xdc00):
        end(&high, &bytes)
        bytes.append(scalar: unit)
        hasSurrogates = true
      default:
        end(&high, &bytes)
        // A character of several bytes continues after the backslash.
        if unit < 0x80 || length > 1 { bytes.append(scalar: unit) } else { bytes.append(UInt8(unit)) }
      }
    }
    end(&high, &bytes)
    return hasSurrogates
  }

  /// Returns the code unit of an escape, and the length of the escape after the backslash.
  private static func escape(in text: Span<UInt8>, at index: Int) -> (unit: UInt32, length: Int) {
    switch text[index] {
    case UInt8(ascii: "a"): return (0x07, 1)
    case UInt8(ascii: "b"): return (0x08, 1)
    case UInt8(ascii: "f"): return (0x0c, 1)
    case UInt8(ascii: "n"): return (0x0a, 1)
    case UInt8(ascii: "r"): return (0x0d, 1)
    case UInt8(ascii: "t"): return (0x09, 1)
    case UInt8(ascii: "v"): return (0x0b, 1)
    case UInt8(ascii: "U"):
      let (value, digits) = number(in: text, at: index + 1, radix: 16, digits: 4)
      return (value, digits + 1)
    case UInt8(ascii: "0")...UInt8(ascii: "7"):
      let (value, digits) = number(in: text, at: index, radix: 8, digits: 3)
      let unit = nextStep(UInt8(truncatingIfNeeded: value))
      // The length of an escape of one digit must differ from that of a byte.
      return (unit, digits)
    case let byte: return (UInt32(byte), 1)
    }
  }

  private static func number(
    in text: Span<UInt8>, at start: Int, radix: UInt32, digits: Int
  ) -> (value: UInt32, digits: Int) {
    var (value, count): (UInt32, Int) = (0, 0)
    while count < digits, start + count < text.count,
      let digit = Character(Unicode.Scalar(text[start + count])).hexDigitValue, digit < radix
    {
      value = value * radix + UInt32(digit)
      count += 1
    }
    return (value, count)
  }

  /// Returns the character of a byte in the NextStep encoding.
  private static func nextStep(_ byte: UInt8) -> UInt32 {
    byte < 0x80 ? UInt32(byte) : UInt32(upperHalf[Int(byte) - 0x80])
  }

  /// The characters from 0x80 on in the NextStep encoding (Unicode's table NEXTSTEP.TXT).
  private static let upperHalf: [UInt16] = [
    0x00a0, 0x00c0, 0x00c1, 0x00c2, 0x00c3, 0x00c4, 0x00c5, 0x00c7, 0x00c8, 0x00c9, 0x00ca, 0x00cb, 0x00cc,
    0x00cd, 0x00ce, 0x00cf, 0x00d0, 0x00d1, 0x00d2, 0x00d3, 0x00d4, 0x00d5, 0x00d6, 0x00d9, 0x00da, 0x00db,
    0x00dc, 0x00dd, 0x00de, 0x00b5, 0x00d7, 0x00f7, 0x00a9, 0x00a1, 0x00a2, 0x00a3, 0x2044, 0x00a5, 0x0192,
    0x00a7, 0x00a4, 0x2019, 0x201c, 0x00ab, 0x2039, 0x203a, 0xfb01, 0xfb02, 0x00ae, 0x2013, 0x2020, 0x2021,
    0x00b7, 0x00a6, 0x00b6, 0x2022, 0x201a, 0x201e, 0x201d, 0x00bb, 0x2026, 0x2030, 0x00ac, 0x00bf, 0x00b9,
    0x02cb, 0x00b4, 0x02c6, 0x02dc, 0x00af, 0x02d8, 0x02d9, 0x00a8, 0x00b2, 0x02da, 0x00b8, 0x00b3, 0x02dd,
    0x02db, 0x02c7, 0x2014, 0x00b1, 0x00bc, 0x00bd, 0x00be, 0x00e0, 0x00e1, 0x00e2, 0x00e3, 0x00e4, 0x00e5,
    0x00e7, 0x00e8, 0x00e9, 0x00ea, 0x00eb, 0x00ec, 0x00c6, 0x00ed, 0x00aa, 0x00ee, 0x00ef, 0x00f0, 0x00f1,
    0x0141, 0x00d8, 0x0152, 0x00ba, 0x00f2, 0x00f3, 0x00f4, 0x00f5, 0x00f6, 0x00e6, 0x00f9, 0x00fa, 0x00fb,
    0x0131, 0x00fc, 0x00fd, 0x0142, 0x00f8, 0x0153, 0x00df, 0x00fe, 0x00ff, 0xfffd, 0xfffd,
  ]

  // MARK: Writing

  /// Returns a string in quotation marks or, if they are not needed, as a word. The words are those of Xcode, which every
  /// reader accepts.
  ///
  /// - Parameters:
  ///   - quotesAll: True if words are in quotation marks, too.
  ///   - quote: The quotation mark.
  static func text(
    _ string: BorrowedText, quotesAll: Bool, quote: UInt8 = UInt8(ascii: "\"")
  ) -> [UInt8] {
    let bytes = string.utf8
    guard quotesAll || !isPlainWord(bytes) else { return [UInt8](copying: bytes) }
    var text = [quote]
    var index = 0
    while index < bytes.count {
      let (scalar, length) = bytes.scalar(at: index)
      switch scalar {
      case UInt32(quote), 0x5c: text += [UInt8(ascii: "\\"), UInt8(scalar)]
      case 0x0a: text += "\\n".utf8
      case 0x09: text += "\\t".utf8
      case 0x0d: text += "\\r".utf8
      case 0..<0x20, 0x7f, 0xd800..<0xe000:
        let digits = String(scalar, radix: 16)
        text += "\\U\(String(repeating: "0", count: 4 - digits.count))\(digits)".utf8
      default: text.append(copying: bytes.extracting(index..<index + length))
      }
      index += length
    }
    return text + [quote]
  }

  /// Returns true if Xcode writes a string without quotation marks.
  private static func isPlainWord(_ bytes: Span<UInt8>) -> Bool {
    guard !bytes.isEmpty else { return false }
    for index in 0..<bytes.count {
      switch bytes[index] {
      case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
        UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "."), UInt8(ascii: "$"):
        break
      // Two slashes begin a comment, and Xcode uses three underscores as marks.
      case UInt8(ascii: "/"): if index > 0, bytes[index - 1] == UInt8(ascii: "/") { return false }
      case UInt8(ascii: "_"):
        if index > 1, bytes[index - 1] == UInt8(ascii: "_"), bytes[index - 2] == UInt8(ascii: "_") {
          return false
        }
      default: return false
      }
    }
    return true
  }
}
