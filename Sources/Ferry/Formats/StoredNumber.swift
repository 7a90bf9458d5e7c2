/// The form in which a format stores a number that neither an integer nor a real has in its own notation, such as `2.20`.
enum StoredNumber {
  /// The number, with all digits and its notation.
  case exact
  /// A real, with what it does not keep of the number.
  case real(Double, Loss.Kind)
  /// The text of the number.
  case text
}

extension FormatCapabilities {
  /// Returns the form in which the format stores a number in JSON's notation. Conversions and edits store it alike.
  ///
  ///     2.20    JSON: 2.20    a keyed archive: the NSDecimalNumber 2.20    a property list: the real 2.2    XML: text
  func stored(number text: BorrowedText) -> StoredNumber {
    guard !contains(.decimals) else { return .exact }
    let string = String(text)
    if contains(.shortDecimals), DecimalNumber.keepsNotation(of: string) { return .exact }
    if contains(.largeIntegers), Self.isLargeInteger(text) { return .exact }
    guard contains(.numbers), let value = Double(string), value.isFinite else { return .text }
    return .real(value, value.isNotation(of: string) ? .numberNotation : .numberAsReal)
  }

  /// True if the format keeps all digits of a number with its notation, if only as text.
  var keepsNumberText: Bool { contains(.decimals) || !contains(.numbers) }

  /// Returns true if a number is an integer without an exponent, of more than 64 bits.
  private static func isLargeInteger(_ number: BorrowedText) -> Bool {
    for index in 0..<number.utf8.count {
      let isSign = index == 0 && (number.utf8[0] == UInt8(ascii: "-") || number.utf8[0] == UInt8(ascii: "+"))
      guard isSign || (0x30...0x39).contains(number.utf8[index]) else { return false }
    }
    return Int64(String(number)) == nil
  }
}
