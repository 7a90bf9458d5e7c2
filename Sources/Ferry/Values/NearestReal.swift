/// The real nearest to a decimal, and the distance between them.
///
///     NearestReal(mantissa: 17_976_931_348_623_157, exponent: 292)?.value     // 1.7976931348623157e+308
///
/// The decimal is multiplied with 128 bits of a power of five, as in Eisel and Lemire's method (Lemire: "Number Parsing
/// at a Gigabyte per Second", 2021). All numbers here are exact but for a few units of the product's last bit.
struct NearestReal {
  /// The real, which is normal and positive.
  let value: Double
  /// The decimal less the real, in units of the product.
  private let distance: Int128
  /// One unit of the mantissa, in units of the product.
  private let step: Int128
  /// Half of the distance to the next larger real, in units of the product.
  private let half: Int128

  /// More units of the product than it, its steps and their sums are off by.
  private static let tolerance: Int128 = 64

  /// Finds the real for a mantissa × 10ⁿ. Fails if the real is not normal or not finite, and if the decimal is about as near to
  /// another real.
  init?(mantissa: UInt64, exponent: Int) {
    guard mantissa > 0, PowersOfFive.exponents.contains(exponent) else { return nil }
    let power = PowersOfFive.leadingBits(exponent)
    let shift = mantissa.leadingZeroBitCount
    let factor = mantissa << UInt64(shift)
    let high = factor.multipliedFullWidth(by: UInt64(truncatingIfNeeded: power >> 64))
    let low = factor.multipliedFullWidth(by: UInt64(truncatingIfNeeded: power))
    // The upper 128 of 192 bits. The exact product is less than two units larger.
    let product = UInt128(high.high) << 64 &+ UInt128(high.low) &+ UInt128(low.high)
    let isLarge = product >> 127 == 1
    let fractionBits: UInt128 = isLarge ? 75 : 74
    let fraction = Int128(truncatingIfNeeded: product & ((1 &<< fractionBits) &- 1))
    half = 1 &<< Int128(truncatingIfNeeded: fractionBits &- 1)
    guard (fraction &- half).magnitude > Self.tolerance.magnitude else { return nil }
    let isRoundedUp = fraction > half
    distance = isRoundedUp ? fraction &- half &- half : fraction
    step = Int128(truncatingIfNeeded: power &>> UInt128(truncatingIfNeeded: 64 - shift))

    var significand = UInt64(truncatingIfNeeded: product &>> fractionBits) + (isRoundedUp ? 1 : 0)
    // 217706 ÷ 2¹⁶ is log₂ 10 for all exponents of the table.
    var bits = (217_706 * exponent) >> 16 + 63 - shift + (isLarge ? 1 : 0) + 1_023
    if significand == 1 << 53 {
      significand = 1 << 52
      bits += 1
    }
    guard 1...2_046 ~= bits else { return nil }
    value = Double(bitPattern: UInt64(bits) << 52 | significand & (1 << 52 - 1))
  }

  /// Returns true if no decimal of fewer digits, and no other one of as many, is as near to the real, and nil if that is not certain.
  ///
  /// - Parameter lastDigit: The last digit of the mantissa, from 1 to 9.
  func isShortest(lastDigit: UInt64) -> Bool? {
    // Below a power of two, reals are nearer to each other.
    guard value.significandBitPattern != 0 else { return nil }
    let next = Int128(distance.magnitude &<< 1) &- step
    let below = distance &- step &* Int128(lastDigit)
    let above = distance &+ step &* Int128(10 &- lastDigit)
    let limit = Self.tolerance.magnitude
    guard next.magnitude > limit, (below &+ half).magnitude > limit, (above &- half).magnitude > limit else {
      return nil
    }
    return next < 0 && below &+ half < 0 && above > half
  }
}

extension Double {
  /// The powers of ten that are exact.
  private static let exactPowers: [Double] = [
    1, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11,
    1e12, 1e13, 1e14, 1e15, 1e16, 1e17, 1e18, 1e19, 1e20, 1e21, 1e22,
  ]

  /// Finds the real nearest to a mantissa × 10ⁿ. Fails if it is not certain, not normal or not finite; the standard library
  /// finds it then.
  @inline(__always)
  init?(nearestTo mantissa: UInt64, exponent: Int) {
    // With two exact numbers, an operation rounds only once (Clinger: "How to Read Floating-Point Numbers Accurately", 1990).
    if mantissa < 1 << 53, -22...22 ~= exponent {
      let power = Self.exactPowers[Int(exponent.magnitude)]
      self = exponent < 0 ? Double(mantissa) / power : Double(mantissa) * power
    } else if let nearest = NearestReal(mantissa: mantissa, exponent: exponent) {
      self = nearest.value
    } else {
      return nil
    }
  }
}
