/// The number in a reference to a character.
///
///     &#65;      65
///     &#x41;     65
enum XMLCharacterReference {
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
