extension String {
  /// The text with its control characters escaped, so that file names and contents neither break a line nor
  /// control the terminal: `a\u{1b}[31m.xml`.
  package var withoutControls: String {
    guard hasControls else { return self }
    var text = ""
    for scalar in unicodeScalars {
      if scalar.isControl { text += scalar.escaped } else { text.unicodeScalars.append(scalar) }
    }
    return text
  }

  /// True if the text has a control character, found in its bytes: below U+0020, or from U+007F to U+009F.
  private var hasControls: Bool {
    let bytes = utf8.span
    for index in bytes.indices {
      switch bytes[index] {
      case 0x00..<0x20, 0x7f: return true
      case 0xc2 where bytes[index + 1] < 0xa0: return true
      default: break
      }
    }
    return false
  }
}

extension Unicode.Scalar {
  /// True if a terminal may interpret the scalar instead of showing it.
  package var isControl: Bool { value < 0x20 || (0x7f..<0xa0).contains(value) }

  /// `\n`, `\r`, `\t`, or the number of the scalar.
  package var escaped: String {
    switch self {
    case "\n": "\\n"
    case "\r": "\\r"
    case "\t": "\\t"
    default: "\\u{" + String(value, radix: 16) + "}"
    }
  }
}
