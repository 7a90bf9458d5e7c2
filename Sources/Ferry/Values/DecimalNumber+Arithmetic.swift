extension DecimalNumber {
  /// Returns the sum, or nil if it has too many digits.
  func adding(_ other: DecimalNumber) -> DecimalNumber? {
    let power = min(exponent, other.exponent)
    guard let first = signedMantissa(atExponent: power), let second = other.signedMantissa(atExponent: power)
    else { return nil }
    let (sum, overflows) = first.addingReportingOverflow(second)
    guard !overflows else { return nil }
    return DecimalNumber(mantissa: sum.magnitude, exponent: power, isNegative: sum < 0)
  }

  /// Returns the mantissa that the number has with a smaller exponent, or nil if it has too many digits.
  private func signedMantissa(atExponent power: Int) -> Int128? {
    guard mantissa != 0 else { return 0 }
    var value = mantissa
    for _ in power..<exponent {
      let (ten, isTooLarge) = value.multipliedReportingOverflow(by: 10)
      guard !isTooLarge else { return nil }
      value = ten
    }
    return Int128(exactly: value).map { isNegative ? -$0 : $0 }
  }

  /// Returns the product, or nil if it has too many digits.
  func multiplied(by factor: Int) -> DecimalNumber? {
    let (product, isTooLarge) = mantissa.multipliedReportingOverflow(by: UInt128(factor.magnitude))
    guard !isTooLarge else { return nil }
    return DecimalNumber(mantissa: product, exponent: exponent, isNegative: isNegative && product != 0)
  }

  /// Returns the quotient, or nil if it has no finite decimal expansion.
  func divided(by divisor: Int) -> DecimalNumber? {
    guard divisor > 0 else { return nil }
    // Dividing by a power of ten only moves the decimal point.
    var (power, tens) = (1, 0)
    while power < divisor, power <= Int.max / 10 {
      power *= 10
      tens += 1
    }
    if power == divisor {
      guard exponent - tens >= -128 else { return nil }
      return DecimalNumber(mantissa: mantissa, exponent: exponent - tens, isNegative: isNegative)
    }
    var (value, exponent) = (mantissa, exponent)
    while value % UInt128(divisor) != 0 {
      let (ten, isTooLarge) = value.multipliedReportingOverflow(by: 10)
      guard !isTooLarge, exponent > -128 else { return nil }
      value = ten
      exponent -= 1
    }
    return DecimalNumber(mantissa: value / UInt128(divisor), exponent: exponent, isNegative: isNegative)
  }
}
