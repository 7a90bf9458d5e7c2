/// A classification of numbers by their notation. It chooses the event that preserves the notation when the
/// number is written again:
///
///     1          integer      1.5     real
///     2.20       number       1e400   number      -0   number
///
/// A number is sent as an integer or a real only if that would be written with the same text.
enum DecimalText {
  case integer(Int128)
  case real(Double)
  /// Any other number, which is sent as its text.
  case text

  /// Classifies a number in JSON's notation.
  init(json text: Span<UInt8>) {
    var index = 0
    let isNegative = !text.isEmpty && text[0] == UInt8(ascii: "-")
    if isNegative { index = 1 }
    let digitsStart = index
    var mantissa: UInt64 = 0
    var point: Int?
    var digits = 0
    while index < text.count, digits <= 19 {
      let byte = text[index]
      if byte == UInt8(ascii: "."), point == nil {
        point = index
      } else {
        let digit = byte &- UInt8(ascii: "0")
        guard digit < 10 else { break }
        mantissa = mantissa &* 10 &+ UInt64(digit)
        digits += 1
      }
      index += 1
    }
    guard index == text.count, digits <= 18 else {
      self = Self.other(text)
      return
    }
    let hasLeadingZero =
      index - digitsStart > 1 && text[digitsStart] == UInt8(ascii: "0") && point != digitsStart + 1
    guard digits > 0, !hasLeadingZero else {
      self = .text
      return
    }
    guard let point else {
      self = isNegative && mantissa == 0 ? .text : .integer(isNegative ? -Int128(mantissa) : Int128(mantissa))
      return
    }
    let fractionDigits = text.count - point - 1
    let endsInZero = text[text.count - 1] == UInt8(ascii: "0")
    // A decimal of up to 15 digits is the shortest notation of its nearest real, and one division rounds only
    // once. Numbers less than 0.001 are tested in full, because their shortest notation may have an exponent.
    let isCanonical = !endsInZero || fractionDigits == 1
    guard digits <= 15, isCanonical, point > digitsStart, fractionDigits > 0,
      mantissa == 0 || fractionDigits <= 3 || mantissa >= Self.powers[fractionDigits - 3]
    else {
      self = Self.other(text)
      return
    }
    let magnitude = Double(mantissa) / Double(Self.powers[fractionDigits])
    self = .real(isNegative ? -magnitude : magnitude)
  }

  private static let powers: [UInt64] = {
    var powers: [UInt64] = [1]
    for _ in 1...18 { powers.append(powers[powers.count - 1] * 10) }
    return powers
  }()

  /// Classifies a number that may have an exponent or more digits, or be next to zero.
  @inline(never)
  private static func other(_ text: Span<UInt8>) -> DecimalText {
    if let integer = integer(text) { return .integer(integer) }
    guard let notation = RealNotation(text) else { return .text }
    switch notation.denotation() {
    case .notation(let real): return .real(real)
    case .other: return .text
    case .unknown:
      let string = text.decodedString
      guard let real = Double(string), real.isFinite, real.notation == string else { return .text }
      return .real(real)
    }
  }

  /// Returns an integer of more than 18 digits and up to 64 bits; nil for any other text.
  private static func integer(_ text: Span<UInt8>) -> Int128? {
    guard 19...21 ~= text.count else { return nil }
    let isNegative = text[0] == UInt8(ascii: "-")
    let start = isNegative ? 1 : 0
    guard text[start] != UInt8(ascii: "0") else { return nil }
    var magnitude: Int128 = 0
    for index in start..<text.count {
      let digit = text[index] &- UInt8(ascii: "0")
      guard digit < 10 else { return nil }
      magnitude = magnitude * 10 + Int128(digit)
    }
    let integer = isNegative ? -magnitude : magnitude
    return integer.has64Bits ? integer : nil
  }
}
