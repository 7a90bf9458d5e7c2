/// A number of JSON5 that JSON writes differently.
///
///     0x1F  31      +1  1      .5  0.5      5.  5.0      -Infinity  a real
enum JSON5Number {
  /// A number in JSON's notation.
  case decimal([UInt8])
  case notFinite(Double)

  /// Reads a number. Fails if the token is not a number of JSON5.
  init?(_ token: Span<UInt8>) {
    var digits = token
    let isNegative = !token.isEmpty && token[0] == UInt8(ascii: "-")
    if isNegative || !token.isEmpty && token[0] == UInt8(ascii: "+") {
      digits = token.extracting(droppingFirst: 1)
    }
    if digits.equals("Infinity") {
      self = .notFinite(isNegative ? -.infinity : .infinity)
      return
    }
    if digits.equals("NaN") {
      // ECMAScript has one NaN.
      self = .notFinite(.nan)
      return
    }
    // A second sign would be taken for that of a number of JSON.
    guard let first = digits.isEmpty ? nil : digits[0], first.isDigit || first == UInt8(ascii: ".") else {
      return nil
    }
    var text: [UInt8] = isNegative ? [UInt8(ascii: "-")] : []
    if digits.starts(with: "0x") || digits.starts(with: "0X") {
      guard let decimal = Self.decimal(hexadecimal: digits.extracting(droppingFirst: 2)) else { return nil }
      self = .decimal(text + decimal)
      return
    }
    if digits.starts(with: ".") { text.append(UInt8(ascii: "0")) }
    for index in 0..<digits.count {
      text.append(digits[index])
      guard digits[index] == UInt8(ascii: ".") else { continue }
      let next = index + 1 < digits.count ? digits[index + 1] : UInt8(ascii: "e")
      // Without a digit before the point, there must be one after it.
      if index > 0, next | 0x20 == UInt8(ascii: "e") { text.append(UInt8(ascii: "0")) }
    }
    guard text.span.flawInJSONNumber == nil else { return nil }
    self = .decimal(text)
  }

  /// Returns the decimal digits of a hexadecimal number of any length.
  private static func decimal(hexadecimal digits: Span<UInt8>) -> [UInt8]? {
    guard !digits.isEmpty, digits.count <= maximumDigits else { return nil }
    /// Groups of nine decimal digits, the lowest first.
    var groups: [UInt64] = [0]
    for index in 0..<digits.count {
      guard let digit = digits[index].hexDigit else { return nil }
      var carry = UInt64(digit)
      for group in groups.indices {
        let value = groups[group] * 16 + carry
        groups[group] = value % 1_000_000_000
        carry = value / 1_000_000_000
      }
      if carry > 0 { groups.append(carry) }
    }
    var text = String(groups[groups.count - 1])
    for group in groups.dropLast().reversed() { text += String(group + 1_000_000_000).dropFirst() }
    return Array(text.utf8)
  }

  /// The number of digits of the longest hexadecimal number, because the conversion takes quadratic time.
  private static let maximumDigits = 4096
}
