extension String {
  /// The text with its control characters escaped, so that file names and contents neither break a line nor
  /// control the terminal, nor change the order of the text around them: `a\u{1b}[31m.xml`.
  package var withoutControls: String {
    guard hasControls else { return self }
    var text = ""
    for scalar in unicodeScalars {
      if scalar.isControl { text += scalar.escaped } else { text.unicodeScalars.append(scalar) }
    }
    return text
  }

  /// True if the text has a control character. Only the bytes that begin one, or another character, are looked at closer.
  private var hasControls: Bool {
    let bytes = utf8.span
    var mayHaveControls = false
    for index in bytes.indices {
      switch bytes[index] {
      case 0x00..<0x20, 0x7f: return true
      case 0xc2 where bytes[index + 1] < 0xa0: return true
      // The first bytes of U+061C, of U+2000 to U+2FFF, and of U+F000 to U+FFFF.
      case 0xd8, 0xe2, 0xef: mayHaveControls = true
      default: break
      }
    }
    return mayHaveControls && unicodeScalars.contains(where: \.isControl)
  }
}

extension Unicode.Scalar {
  /// True if a terminal may interpret the scalar instead of showing it: a control character, or one that changes the direction of text,
  /// separates lines or is one of some invisible ones. The joiners of Persian, Hindi and emoji are not among them, nor are soft hyphens, the
  /// tags of flags and other invisible characters that texts need.
  package var isControl: Bool {
    switch value {
    case 0x00..<0x20, 0x7f..<0xa0: true
    // The marks, embeddings, overrides and isolates of bidirectional text.
    case 0x061c, 0x200e...0x200f, 0x202a...0x202e, 0x2066...0x2069: true
    // The separators of lines and paragraphs, spaces without width, invisible operators, old format characters and annotations.
    case 0x2028...0x2029, 0x200b, 0x2060...0x2065, 0x206a...0x206f, 0xfeff, 0xfff9...0xfffb: true
    default: false
    }
  }

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
