/// A key of JSON5 without quotation marks: an identifier of ECMAScript, which may contain escapes.
///
///     naïve    $id    _1    \u0061b (which is ab)
enum JSONName {
  /// Returns true if a byte can begin an identifier.
  static func canBegin(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "0")...UInt8(ascii: "9"): false
    default: contains(byte)
    }
  }

  /// Returns true if a byte can be part of an identifier. Bytes beyond ASCII are checked as characters later.
  static func contains(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
      UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "_"), UInt8(ascii: "$"), UInt8(ascii: "\\"),
      0x80...:
      true
    default: false
    }
  }

  /// Returns the end of the identifier that begins at an index, before white space of Unicode.
  static func end(in text: Span<UInt8>, from start: Int) -> Int {
    var index = start
    while index < text.count, contains(text[index]), JSONBytes.spaceLength(text, at: index) == nil {
      index += 1
    }
    return index
  }

  /// Returns the text of an identifier with its escapes decoded, or nil if it is not an identifier.
  static func decoded(_ bytes: Span<UInt8>) -> String? {
    if case .invalid = bytes.checkUTF8() { return nil }
    var name = String.UnicodeScalarView()
    var rest = bytes.decodedString.unicodeScalars[...]
    // White space whose bytes are in two chunks.
    while let last = rest.last, last.value > 0x7f, last.properties.isWhitespace || last == "\u{feff}" {
      rest.removeLast()
    }
    while var scalar = rest.popFirst() {
      if scalar == "\\" {
        guard rest.popFirst() == "u", rest.count >= 4,
          let value = UInt32(String(rest.prefix(4)), radix: 16), rest.first != "+", rest.first != "-",
          let escaped = Unicode.Scalar(value)
        else { return nil }
        rest.removeFirst(4)
        scalar = escaped
      }
      guard isPart(scalar, first: name.isEmpty) else { return nil }
      name.append(scalar)
    }
    return name.isEmpty ? nil : String(name)
  }

  private static func isPart(_ scalar: Unicode.Scalar, first isFirst: Bool) -> Bool {
    switch scalar {
    case "$", "_": true
    case "\u{200c}", "\u{200d}": !isFirst
    default: isFirst ? scalar.properties.isIDStart : scalar.properties.isIDContinue
    }
  }

  /// Returns true if a key can be written without quotation marks. Only ASCII is written so.
  static func isPlain(_ key: Span<UInt8>) -> Bool {
    guard !key.isEmpty, canBegin(key[0]) else { return false }
    for index in 0..<key.count
    where !contains(key[index]) || key[index] >= 0x80 || key[index] == UInt8(ascii: "\\") {
      return false
    }
    return true
  }
}
