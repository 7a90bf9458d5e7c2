/// The parts of a decimal in one of the two forms in which Swift prints reals: without needless zeros, and with an exponent of
/// at least two digits.
///
///     1234.5     12345 × 10⁻¹
///     -1.5e-07     −15 × 10⁻⁸
struct RealNotation {
  /// The digits of the number. It ends in a zero only for 0 and in a large whole number.
  private var mantissa: UInt64 = 0
  private var exponent = 0
  private let isNegative: Bool
  private var hasExponent = false

  /// The length of `-2.2250738585072014e-308`.
  private static let longest = 24

  /// Finds the parts of a text. Fails if Swift prints no real in its form.
  init?(_ text: Span<UInt8>) {
    guard 3...Self.longest ~= text.count else { return nil }
    isNegative = text[0] == UInt8(ascii: "-")
    let start = isNegative ? 1 : 0
    guard var index = readDigits(text, from: start), index < text.count,
      index == start + 1 || text[start] != UInt8(ascii: "0")
    else { return nil }
    let hasOneDigit = index == start + 1 && mantissa > 0
    let hasPoint = text[index] == UInt8(ascii: ".")
    if hasPoint {
      let point = index
      guard let end = readFraction(text, from: point + 1) else { return nil }
      index = end
    }
    guard index < text.count else { return }
    guard hasOneDigit, text[index] == UInt8(ascii: "e"), !hasPoint || exponent < 0 else { return nil }
    guard let power = Self.exponent(text, from: index + 1) else { return nil }
    exponent += power
    hasExponent = true
  }

  /// Reads digits, of which there must be one. Returns the index after them, or nil if they are too many.
  private mutating func readDigits(_ text: Span<UInt8>, from start: Int) -> Int? {
    var index = start
    while index < text.count {
      let digit = text[index] &- UInt8(ascii: "0")
      guard digit < 10 else { break }
      guard mantissa < 1_000_000_000_000_000_000 else { return nil }
      mantissa = mantissa * 10 + UInt64(digit)
      index += 1
    }
    return index > start ? index : nil
  }

  /// Reads the digits after the point: one zero, or digits that do not end in a zero.
  private mutating func readFraction(_ text: Span<UInt8>, from start: Int) -> Int? {
    let whole = mantissa
    guard let end = readDigits(text, from: start) else { return nil }
    guard text[end - 1] == UInt8(ascii: "0") else {
      exponent = start - end
      return end
    }
    guard end == start + 1 else { return nil }
    mantissa = whole
    return end
  }

  /// Returns the exponent with its sign, of two or three digits, which ends a text.
  private static func exponent(_ text: Span<UInt8>, from start: Int) -> Int? {
    let digits = start + 1
    guard 2...3 ~= text.count - digits, text[start] == UInt8(ascii: "-") || text[start] == UInt8(ascii: "+"),
      text.count - digits == 2 || text[digits] != UInt8(ascii: "0")
    else { return nil }
    var power = 0
    for index in digits..<text.count {
      let digit = text[index] &- UInt8(ascii: "0")
      guard digit < 10 else { return nil }
      power = power * 10 + Int(digit)
    }
    return text[start] == UInt8(ascii: "-") ? -power : power
  }

  /// The real that a decimal denotes.
  enum Denotation {
    /// The decimal is the notation of this real.
    case notation(Double)
    /// The decimal is the notation of no real.
    case other
    /// Only the standard library can tell.
    case unknown
  }

  /// Returns the real whose notation the decimal is.
  func denotation() -> Denotation {
    guard mantissa > 0 else { return hasExponent ? .other : .notation(isNegative ? -0.0 : 0) }
    let (digits, power) = withoutTrailingZeros
    // All decimals of 15 digits denote different normal reals, so none of them has a shorter notation.
    guard digits >= 1_000_000_000_000_000 else {
      guard let real = Double(nearestTo: digits, exponent: power) else { return .unknown }
      return denotation(ofDigitsOf: real)
    }
    guard digits < 100_000_000_000_000_000 else { return .other }
    guard let nearest = NearestReal(mantissa: digits, exponent: power),
      let isShortest = nearest.isShortest(lastDigit: digits % 10)
    else { return .unknown }
    return isShortest ? denotation(ofDigitsOf: nearest.value) : .other
  }

  private var withoutTrailingZeros: (mantissa: UInt64, exponent: Int) {
    var (digits, power) = (mantissa, exponent)
    while power >= 0, digits % 10 == 0 {
      digits /= 10
      power += 1
    }
    return (digits, power)
  }

  /// Returns the real if Swift prints it in the form of the decimal.
  private func denotation(ofDigitsOf real: Double) -> Denotation {
    let printsExponent = real < 0.0001 || real > 0x1p53
    guard printsExponent == hasExponent else { return .other }
    return .notation(isNegative ? -real : real)
  }
}
