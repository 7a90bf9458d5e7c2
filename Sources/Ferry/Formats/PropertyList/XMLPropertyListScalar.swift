/// The parsers for numbers and dates in XML property lists.
enum XMLPropertyListScalar {
  /// Parses an integer like CoreFoundation: an optional sign, and decimal digits or `0x` and hexadecimal
  /// digits, with white space around each part. Returns nil if the text is not an integer from −2⁶³ to 2⁶⁴−1.
  static func integer(_ text: Span<UInt8>) -> Int128? {
    if let number = shortDecimal(text) { return Int128(number) }
    var digits = trimmed(text)
    let isNegative = !digits.isEmpty && digits[0] == UInt8(ascii: "-")
    if isNegative || (!digits.isEmpty && digits[0] == UInt8(ascii: "+")) {
      digits = trimmed(digits.extracting(droppingFirst: 1))
    }
    let isHexadecimal = digits.starts(with: "0x") || digits.starts(with: "0X")
    if isHexadecimal { digits = digits.extracting(droppingFirst: 2) }
    guard !digits.isEmpty else { return nil }
    let radix: UInt64 = isHexadecimal ? 16 : 10
    var magnitude: UInt64 = 0
    for index in digits.indices {
      guard let digit = digits[index].hexDigit, digit < radix else { return nil }
      let (product, isTooLarge) = magnitude.multipliedReportingOverflow(by: radix)
      let (sum, isStillTooLarge) = product.addingReportingOverflow(UInt64(digit))
      guard !isTooLarge, !isStillTooLarge else { return nil }
      magnitude = sum
    }
    guard !isNegative || magnitude <= 1 << 63 else { return nil }
    return isNegative ? -Int128(magnitude) : Int128(magnitude)
  }

  /// Parses a number of at most 18 decimal digits without white space, as most integers are. Returns nil for other texts.
  @inline(__always)
  private static func shortDecimal(_ text: Span<UInt8>) -> Int64? {
    guard 1...18 ~= text.count else { return nil }
    var number: Int64 = 0
    for index in text.indices {
      let digit = text[index] &- UInt8(ascii: "0")
      guard digit < 10 else { return nil }
      number = number &* 10 &+ Int64(digit)
    }
    return number
  }

  /// Parses a real: an optional sign, and decimal digits with an optional point and exponent, or `nan`, `inf`
  /// or `infinity` in any case. Returns nil if the text is not a real, or if the number is too large.
  static func real(_ text: Span<UInt8>) -> Double? {
    let text = trimmed(text)
    var index = 0
    let isNegative = !text.isEmpty && text[0] == UInt8(ascii: "-")
    if isNegative || (!text.isEmpty && text[0] == UInt8(ascii: "+")) { index = 1 }
    let start = index
    var mantissa: UInt64 = 0
    var digits = 0
    var point: Int?
    while index < text.count {
      if text[index] == UInt8(ascii: "."), point == nil {
        point = index
      } else {
        let digit = text[index] &- UInt8(ascii: "0")
        guard digit < 10 else { break }
        mantissa = mantissa &* 10 &+ UInt64(digit)
        digits += 1
      }
      index += 1
    }
    guard digits > 0 else { return notFinite(text.extracting(start...), isNegative) }
    let decimals = point.map { index - $0 - 1 } ?? 0
    guard let exponent = exponent(text, from: index) else { return nil }
    guard digits <= 19, let magnitude = Double(nearestTo: mantissa, exponent: exponent - decimals) else {
      guard let real = Double(text.decodedString), real.isFinite else { return nil }
      return real
    }
    return isNegative ? -magnitude : magnitude
  }

  /// Parses the exponent that ends a text; 0 without one. Returns nil if it is not valid, and ±10,000 if it is too large for reals.
  private static func exponent(_ text: Span<UInt8>, from start: Int) -> Int? {
    guard start < text.count else { return 0 }
    guard text[start] | 0x20 == UInt8(ascii: "e") else { return nil }
    var index = start + 1
    let isNegative = index < text.count && text[index] == UInt8(ascii: "-")
    if isNegative || (index < text.count && text[index] == UInt8(ascii: "+")) { index += 1 }
    guard index < text.count else { return nil }
    var exponent = 0
    while index < text.count {
      let digit = text[index] &- UInt8(ascii: "0")
      guard digit < 10 else { return nil }
      exponent = min(exponent * 10 + Int(digit), 10_000)
      index += 1
    }
    return isNegative ? -exponent : exponent
  }

  private static func notFinite(_ text: Span<UInt8>, _ isNegative: Bool) -> Double? {
    guard text.count <= 8 else { return nil }
    switch text.decodedString.lowercased() {
    case "nan": return .nan
    case "inf", "infinity": return isNegative ? -.infinity : .infinity
    default: return nil
    }
  }

  /// Parses a date in the notation `[-]Y…-MM-DDThh:mm:ssZ`, the only one that property lists allow.
  static func date(_ text: Span<UInt8>) -> Double? {
    let text = trimmed(text)
    guard text.count >= 20, text[0] != UInt8(ascii: "+"), text[text.count - 10] == UInt8(ascii: "T"),
      text[text.count - 1] == UInt8(ascii: "Z")
    else { return nil }
    return ISODate.seconds(text)
  }

  @_lifetime(copy text)
  private static func trimmed(_ text: Span<UInt8>) -> Span<UInt8> {
    var (start, end) = (0, text.count)
    while start < end, text[start].isSpace { start += 1 }
    while end > start, text[end - 1].isSpace { end -= 1 }
    return text.extracting(start..<end)
  }
}
