/// The characters of references.
///
///     &#65;      65
///     &#x41;     65
///     &amp;      38
enum XMLCharacterReference {
  /// Returns the character of an entity that every document has (XML 1.0, section 4.6), or nil for another name.
  static func predefined(_ name: Span<UInt8>) -> UInt32? {
    if name.equals("amp") { return 0x26 }
    if name.equals("lt") { return 0x3c }
    if name.equals("gt") { return 0x3e }
    if name.equals("quot") { return 0x22 }
    return name.equals("apos") ? 0x27 : nil
  }

  /// Returns the character of a whole reference, or nil for other entities and mistakes.
  static func character(of reference: Span<UInt8>) -> UInt32? {
    guard reference.starts(with: "&#") else {
      return predefined(reference.extracting(1..<reference.count - 1))
    }
    return number(in: reference).flatMap { isXMLCharacter($0) ? $0 : nil }
  }

  /// Returns the number in a reference, at most one more than the last character's, or nil if the text after
  /// `&#` or `&#x` is not a number.
  ///
  /// - Parameter text: The reference from its ampersand on. The semicolon may be missing.
  static func number(in text: Span<UInt8>) -> UInt32? {
    let isHexadecimal = text.starts(with: "&#x")
    let start = isHexadecimal ? 3 : 2
    let end = isOpen(text) ? text.count : text.count - 1
    guard start < end else { return nil }
    let radix: UInt8 = isHexadecimal ? 16 : 10
    var number: UInt32 = 0
    for index in start..<end {
      guard let digit = text[index].hexDigit, digit < radix else { return nil }
      number = min(number * UInt32(radix) + UInt32(digit), 0x11_0000)
    }
    return number
  }

  /// Returns true if the semicolon at the end of a reference is missing.
  static func isOpen(_ text: Span<UInt8>) -> Bool {
    text.isEmpty || text[text.count - 1] != UInt8(ascii: ";")
  }
}
