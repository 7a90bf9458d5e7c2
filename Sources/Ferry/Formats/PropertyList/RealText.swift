/// The text of reals in XML property lists, as CoreFoundation writes it: 17 significant digits, like C's `%.17g`, but zero as `0.0`
/// (`CFNumber.c`). Negative zero, whose sign CoreFoundation drops, keeps it.
///
///     0.1     0.10000000000000001          1e-05     1.0000000000000001e-05
///     2       2                            1e+17     1e+17
///
/// Seventeen digits always restore the same real. They are taken from the exact value: m × 2ᵉ is an integer
/// for e ≥ 0; for e < 0 it is m × 5⁻ᵉ, shifted by −e decimal places. The integer is stored in limbs of nine
/// decimal digits.
enum RealText {
  /// Appends the text of a finite real.
  static func append(_ real: Double, to text: inout [UInt8]) {
    if real.sign == .minus { text.append(UInt8(ascii: "-")) }
    guard real != 0 else {
      text.append(contentsOf: "0.0".utf8)
      return
    }
    let expansion = Expansion(of: real.magnitude)
    var (digits, point) = expansion.rounded()
    var count = significantDigits
    while digits.isMultiple(of: 10) {
      digits /= 10
      count -= 1
    }
    append(digits, count: count, point: point, to: &text)
  }

  private static let significantDigits = 17

  /// Appends the number 0.d × 10ᵖ, where d has `count` digits and p is `point`.
  private static func append(_ digits: UInt64, count: Int, point: Int, to text: inout [UInt8]) {
    let zero = UInt8(ascii: "0")
    let isScientific = point < -3 || point > significantDigits
    if !isScientific, point <= 0 {
      text.append(zero)
      text.append(UInt8(ascii: "."))
      text.append(contentsOf: repeatElement(zero, count: -point))
    }
    let start = text.count
    var rest = digits
    for _ in 0..<count {
      text.append(zero + UInt8(rest % 10))
      rest /= 10
    }
    text[start...].reverse()
    let digitsBeforePoint = isScientific ? 1 : point
    if digitsBeforePoint > count {
      text.append(contentsOf: repeatElement(zero, count: digitsBeforePoint - count))
    } else if digitsBeforePoint > 0, digitsBeforePoint < count {
      text.insert(UInt8(ascii: "."), at: start + digitsBeforePoint)
    }
    if isScientific {
      let exponent = point - 1
      text.append(UInt8(ascii: "e"))
      text.append(exponent < 0 ? UInt8(ascii: "-") : UInt8(ascii: "+"))
      if exponent.magnitude < 10 { text.append(zero) }
      text.append(contentsOf: String(exponent.magnitude).utf8)
    }
  }

  /// The exact decimal digits of a positive real.
  private struct Expansion {
    private static var base: UInt64 { 1_000_000_000 }
    /// The limbs, least significant first. The smallest real has 767 digits.
    private var limbs = [88 of UInt32](repeating: 0)
    private var count = 1
    /// The number of digits after the decimal point.
    private var scale = 0

    init(of real: Double) {
      let isSubnormal = real.exponentBitPattern == 0
      let mantissa = real.significandBitPattern | (isSubnormal ? 0 : 1 << 52)
      var exponent = Int(isSubnormal ? 1 : real.exponentBitPattern) - 1075
      var rest = mantissa
      // Factors of two in the mantissa cancel factors of two in the denominator.
      let twos = exponent < 0 ? min(rest.trailingZeroBitCount, -exponent) : 0
      rest >>= UInt64(twos)
      exponent += twos
      limbs[0] = UInt32(rest % Self.base)
      rest /= Self.base
      while rest > 0 {
        limbs[count] = UInt32(rest % Self.base)
        rest /= Self.base
        count += 1
      }
      scale = max(0, -exponent)
      if exponent < 0 {
        multiply(by: 5, times: -exponent, most: 13)
      } else {
        multiply(by: 2, times: exponent, most: 30)
      }
    }

    /// Multiplies by a power of a factor, with as many factors at a time as fit in a limb.
    private mutating func multiply(by factor: UInt64, times: Int, most: Int) {
      var left = times
      while left > 0 {
        var power: UInt64 = 1
        for _ in 0..<min(left, most) { power *= factor }
        left -= most
        var carry: UInt64 = 0
        for index in 0..<count {
          let product = UInt64(limbs[index]) * power + carry
          limbs[index] = UInt32(product % Self.base)
          carry = product / Self.base
        }
        while carry > 0 {
          limbs[count] = UInt32(carry % Self.base)
          carry /= Self.base
          count += 1
        }
      }
    }

    /// Returns the number rounded to seventeen digits: d and p so that 0.d × 10ᵖ is nearest, with an even d
    /// if two are equally near.
    func rounded() -> (digits: UInt64, point: Int) {
      let topDigits = String(limbs[count - 1]).utf8.count
      let totalDigits = (count - 1) * 9 + topDigits
      // Three limbs have at least 19 digits: the seventeen, and those that determine the rounding.
      var top: UInt128 = 0
      for offset in 1...3 {
        top = top * UInt128(Self.base) + (offset <= count ? UInt128(limbs[count - offset]) : 0)
      }
      var hasMore = false
      for index in 0..<max(count - 3, 0) where limbs[index] != 0 { hasMore = true }
      var divisor: UInt128 = 1
      for _ in 0..<(topDigits + 18 - significantDigits) { divisor *= 10 }
      let (quotient, remainder) = top.quotientAndRemainder(dividingBy: divisor)
      var digits = UInt64(quotient)
      var point = totalDigits - scale
      let twice = remainder * 2
      if twice > divisor || (twice == divisor && (hasMore || !digits.isMultiple(of: 2))) {
        digits += 1
        if digits == 100_000_000_000_000_000 {
          digits /= 10
          point += 1
        }
      }
      return (digits, point)
    }
  }
}
