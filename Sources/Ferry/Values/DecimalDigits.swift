/// The digits and the exponent of a decimal number, for comparing notations by their value.
///
///     DecimalDigits("2.20") == DecimalDigits("22e-1")     // true
struct DecimalDigits: Hashable {
  private let digits: [UInt8]
  /// The exponent of ten for the last digit.
  private let exponent: Int128
  private var isNegative: Bool

  /// The maximum magnitude of an exponent. Its sums with numbers of digits do not overflow an `Int128`.
  private static let greatestPower: Int128 = 1 << 120

  /// Parses a decimal number with an optional exponent. Fails for other texts, and for an exponent of more than 36 digits.
  init?(_ text: String) {
    var rest = text.utf8[...]
    isNegative = rest.first == UInt8(ascii: "-")
    if isNegative || rest.first == UInt8(ascii: "+") { rest.removeFirst() }
    let parts = rest.split(maxSplits: 1, omittingEmptySubsequences: false) { $0 | 0x20 == UInt8(ascii: "e") }
    guard let power = parts.count == 1 ? 0 : Int128(String(Substring(parts[1]))),
      power.magnitude <= Self.greatestPower.magnitude
    else { return nil }
    let decimal = parts[0].split(
      separator: UInt8(ascii: "."), maxSplits: 1, omittingEmptySubsequences: false)
    let fraction = decimal.count > 1 ? Array(decimal[1]) : []
    var digits = Array(decimal[0]) + fraction
    guard !digits.isEmpty, digits.allSatisfy(\.isDigit) else {
      return nil
    }
    let count = digits.count
    while digits.last == UInt8(ascii: "0") { digits.removeLast() }
    exponent = digits.isEmpty ? 0 : power + Int128(count - digits.count - fraction.count)
    self.digits = Array(digits.drop { $0 == UInt8(ascii: "0") })
  }

  /// The number itself, or 0 for −0.
  var withoutSignOfZero: DecimalDigits {
    var number = self
    if digits.isEmpty { number.isNegative = false }
    return number
  }
}

extension DecimalDigits {
  /// Returns the number as an integer; nil if it has a fraction, or is out of the range of the type. The time does not depend on the exponent.
  func integer<I: FixedWidthInteger>(as type: I.Type) -> I? {
    guard !digits.isEmpty else { return 0 }
    // The last digit is not 0, so that a negative exponent means a fraction. An integer has fewer digits than bits.
    let count = exponent + Int128(digits.count)
    guard exponent >= 0, count <= Int128(I.bitWidth) else { return nil }
    var value: I = 0
    for index in 0..<Int(count) {
      let digit = index < digits.count ? I(digits[index] &- UInt8(ascii: "0")) : 0
      let (tens, isTooLarge) = value.multipliedReportingOverflow(by: 10)
      let (sum, overflows) =
        isNegative ? tens.subtractingReportingOverflow(digit) : tens.addingReportingOverflow(digit)
      guard !isTooLarge, !overflows else { return nil }
      value = sum
    }
    return value
  }
}

extension FixedWidthInteger {
  /// Creates the integer that a decimal number equals: 1230 for `1230`, `1.23e3` and `1230.0`. Every digit counts, also those that no
  /// `Double` has. Fails for a fraction, a number out of range, and other texts.
  init?(decimal text: String) {
    if let value = Self(text) {
      self = value
    } else {
      guard let value = DecimalDigits(text)?.integer(as: Self.self) else { return nil }
      self = value
    }
  }
}

extension DecimalDigits: Comparable {
  /// Returns true if the number is less than another one. −0 is not less than 0.
  static func < (a: DecimalDigits, b: DecimalDigits) -> Bool {
    let (sign, otherSign) = (a.sign, b.sign)
    guard sign == otherSign else { return sign < otherSign }
    return sign < 0 ? b.hasSmallerMagnitude(than: a) : a.hasSmallerMagnitude(than: b)
  }

  /// −1, 0 or 1.
  private var sign: Int { digits.isEmpty ? 0 : isNegative ? -1 : 1 }

  private func hasSmallerMagnitude(than other: DecimalDigits) -> Bool {
    let (size, otherSize) = (exponent + Int128(digits.count), other.exponent + Int128(other.digits.count))
    guard size == otherSize else { return size < otherSize }
    // The first digits have the same power of ten, and none of the last digits is 0.
    return digits.lexicographicallyPrecedes(other.digits)
  }
}

extension BinaryFloatingPoint where Self: CustomStringConvertible {
  /// Returns true if the number, in its shortest notation, has exactly the value of a decimal.
  func isNotation(of text: String) -> Bool {
    guard let given = DecimalDigits(text) else { return true }
    return given == DecimalDigits(description)
  }
}
