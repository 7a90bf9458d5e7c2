/// A decimal number with the range of `NSDecimalNumber`: a mantissa of up to 128 bits, and an exponent of ten
/// from −128 to 127.
///
///     DecimalNumber("2.20")      // 220 × 10⁻², with the notation 2.20
///     DecimalNumber("1e400")     // nil
package struct DecimalNumber: Equatable {
  let mantissa: UInt128
  let exponent: Int
  let isNegative: Bool

  init(mantissa: UInt128, exponent: Int, isNegative: Bool) {
    (self.mantissa, self.exponent, self.isNegative) = (mantissa, exponent, isNegative)
  }

  /// Parses a number in JSON's notation. Fails if it is invalid or has too many digits. There is no negative
  /// zero.
  init?(_ text: String) {
    guard text.utf8.span.flawInJSONNumber == nil else { return nil }
    let parts = text.lowercased().split(separator: "e", maxSplits: 1)
    guard let digits = parts.first, let exponent = parts.count == 1 ? 0 : Int(parts[1]) else { return nil }
    var mantissa: UInt128 = 0
    var fractionDigits: Int?
    for byte in digits.utf8 {
      if byte == UInt8(ascii: ".") { fractionDigits = 0 }
      guard case UInt8(ascii: "0")...UInt8(ascii: "9") = byte else { continue }
      let (ten, isTooLarge) = mantissa.multipliedReportingOverflow(by: 10)
      let (sum, hasOverflown) = ten.addingReportingOverflow(UInt128(byte - UInt8(ascii: "0")))
      guard !isTooLarge, !hasOverflown else { return nil }
      mantissa = sum
      fractionDigits = fractionDigits.map { $0 + 1 }
    }
    let (power, hasOverflown) = exponent.subtractingReportingOverflow(fractionDigits ?? 0)
    isNegative = text.utf8.first == UInt8(ascii: "-")
    guard !hasOverflown, -128...127 ~= power, !(isNegative && mantissa == 0) else { return nil }
    self.mantissa = mantissa
    self.exponent = power
  }

  /// Parses a number in JSON's notation, and moves trailing zeros of the mantissa to the exponent.
  ///
  ///     DecimalNumber(compacting: "1200")      // 12 × 10²
  package init?(compacting text: String) {
    guard !text.lowercased().utf8.contains(UInt8(ascii: "e")) else {
      self.init(text)
      return
    }
    var digits = Substring(text)
    var zeros = 0
    while digits.utf8.last == UInt8(ascii: "0"), digits.utf8.count > 1 {
      digits.removeLast()
      zeros += 1
    }
    if digits.utf8.contains(UInt8(ascii: ".")) {
      self.init(digits.utf8.last == UInt8(ascii: ".") ? String(digits.dropLast()) : String(digits))
    } else {
      self.init(zeros == 0 ? text : "\(digits)e\(zeros)")
    }
  }

  /// Parses a number in JSON's notation as a `Decimal`, which has a single zero: that of `-0` and of `0e999`, too.
  package init?(decimal text: String) {
    guard text.utf8.span.flawInJSONNumber == nil else { return nil }
    let digits = text.utf8.prefix { $0 != UInt8(ascii: "e") && $0 != UInt8(ascii: "E") }
    guard digits.contains(where: { UInt8(ascii: "1")...UInt8(ascii: "9") ~= $0 }) else {
      self.init(mantissa: 0, exponent: 0, isNegative: false)
      return
    }
    self.init(compacting: text)
  }

  /// The number as an integer, or nil if it is not an integer or needs more than 128 bits.
  var wholeNumber: Int128? {
    var value = mantissa
    for _ in 0..<abs(exponent) where value != 0 {
      if exponent > 0 {
        let (product, overflow) = value.multipliedReportingOverflow(by: 10)
        guard !overflow else { return nil }
        value = product
      } else {
        guard value.isMultiple(of: 10) else { return nil }
        value /= 10
      }
    }
    return Int128(exactly: value).map { isNegative ? -$0 : $0 }
  }

  /// The number in JSON's notation.
  var notation: String {
    let digits = mantissa.description
    let sign = isNegative ? "-" : ""
    guard exponent != 0 else { return sign + digits }
    // With more decimal places, a notation with a point would consist mostly of zeros.
    guard exponent < 0, -exponent <= 40 else { return "\(sign)\(digits)e\(exponent)" }
    let padded = String(repeating: "0", count: max(0, 1 - exponent - digits.utf8.count)) + digits
    return "\(sign)\(padded.dropLast(-exponent)).\(padded.suffix(-exponent))"
  }

  package var isZero: Bool { mantissa == 0 }

  /// The number as a `Value`, without loss.
  var value: Value { Value(number: notation) }

  /// True if the mantissa has no trailing zeros.
  var isCompact: Bool { mantissa == 0 ? exponent == 0 : mantissa % 10 != 0 }

  /// Returns true if `NSDecimalNumber` can represent the number in a text and prints the same text.
  static func keepsNotation(of text: String) -> Bool { DecimalNumber(text)?.notation == text }
}

extension Value {
  /// Creates the value for a number in JSON's notation. It is an integer or a real if this has the same
  /// notation, otherwise a decimal.
  package init(number text: String) {
    switch DecimalText(json: text.utf8.span) {
    case .integer(let value): self = .integer(value)
    case .real(let value): self = .real(value)
    case .text: self = .number(text)
    }
  }
}
