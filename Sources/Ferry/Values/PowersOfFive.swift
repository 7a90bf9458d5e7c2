/// The powers of five from which the power of ten of each real can be made, with 128 bits each.
///
///     PowersOfFive.leadingBits(0)     // 1000…0 in binary: 1 = 2¹²⁷ × 2⁻¹²⁷
///     PowersOfFive.leadingBits(1)     // 1010…0: 5 = 5 · 2¹²⁵ × 2⁻¹²⁵
enum PowersOfFive {
  /// The exponents in the table. Normal reals do not need others for decimals of up to 19 digits.
  static let exponents = -326...308

  /// Returns the 128 leading bits of a power of five. The bits after them are cut off: the power is at least this number
  /// and less than the next one.
  @inline(__always)
  static func leadingBits(_ exponent: Int) -> UInt128 { table[exponent - exponents.lowerBound] }

  /// The powers, computed from each other without rounding.
  private static let table: [UInt128] = {
    var table: [UInt128] = []
    table.reserveCapacity(exponents.count)
    // 2⁸⁹⁵, which is more than 2¹²⁸ times the last divisor. Cut-off quotients of quotients are those of the products.
    var words = [UInt64](repeating: 0, count: 13) + [1 << 63]
    for _ in 0 ..< -exponents.lowerBound {
      words.divideByFive()
      table.append(words.leadingBits)
    }
    table.reverse()
    words = [1]
    for _ in 0...exponents.upperBound {
      table.append(words.leadingBits)
      words.multiplyByFive()
    }
    return table
  }()
}

/// A number in words, of which the first is the lowest and the last is not 0.
extension [UInt64] {
  fileprivate mutating func multiplyByFive() {
    var carry: UInt64 = 0
    for index in indices {
      let product = UInt128(self[index]) * 5 + UInt128(carry)
      self[index] = UInt64(truncatingIfNeeded: product)
      carry = UInt64(truncatingIfNeeded: product >> 64)
    }
    if carry > 0 { append(carry) }
  }

  fileprivate mutating func divideByFive() {
    var remainder: UInt64 = 0
    for index in indices.reversed() {
      (self[index], remainder) = UInt64(5).dividingFullWidth((remainder, self[index]))
    }
    if last == 0 { removeLast() }
  }

  fileprivate var leadingBits: UInt128 {
    func word(_ number: Int) -> UInt64 { count >= number ? self[count - number] : 0 }
    let zeros = UInt64(word(1).leadingZeroBitCount)
    let two = UInt128(word(1)) << 64 | UInt128(word(2))
    return zeros == 0 ? two : two << UInt128(zeros) | UInt128(word(3) >> (64 - zeros))
  }
}
