import TestSupport
import Testing

@testable import Ferry

/// Numbers that are read without strings, compared with the standard library.
@Suite struct `Numbers like those of the standard library` {
  /// Classifies a number by its notation in the standard library.
  private static func expected(_ text: String) -> DecimalText {
    if let integer = Int128(text), integer.has64Bits, integer.description == text { return .integer(integer) }
    guard let real = Double(text), real.isFinite, real.description == text else { return .text }
    return .real(real)
  }

  private static func expectSame(_ text: String, sourceLocation: SourceLocation = #_sourceLocation) {
    let (found, expected) = (DecimalText(json: text.utf8.span), expected(text))
    let isSame =
      switch (found, expected) {
      case (.integer(let a), .integer(let b)): a == b
      case (.real(let a), .real(let b)): a.bitPattern == b.bitPattern
      case (.text, .text): true
      default: false
      }
    guard !isSame else { return }
    Issue.record("\(text) is \(found), not \(expected)", sourceLocation: sourceLocation)
  }

  @Test(arguments: [
    "9007199254740991.0", "9007199254740992.0", "9007199254740993.0", "9007199254740994.0",
    "9.007199254740994e+15", "1e+16", "10000000000000000.0", "1e16", "1E+16", "1.0e+16", "1e+05", "1e-05",
    "1e-5",
    "0.0001", "9.999999999999999e-05", "0.00009999999999999999", "0.00012345678901234567", "5e-324", "4e-324",
    "2.2250738585072014e-308", "2.225073858507201e-308", "2.2250738585072011e-308", "1.7976931348623157e+308",
    "1.7976931348623158e+308", "1.7976931348623159e+308", "1e+309", "-1e+22", "1e+22", "1e+23",
    "9.999999999999999e+22", "1.0000000000000001e+23", "0.1", "0.10000000000000001", "0.30000000000000004",
    "0.3000000000000000", "179769313486231570.0", "1e-400", "1e+99999999999999999999", "-0.0", "0e+10",
    "0.0e+10", "00.5", "-00.5", "+1.5", "1.", ".5", "-.5", "1.5.", "1e", "1e+", "1.5e+1", "10e+15",
    "1.50e+16",
    "1.5e+016", "15e+16", "-", "", "nan", "inf", "-inf", "0x1p3", "1.8014398509481984e+16",
    "4503599627370497.5",
    "4503599627370496.5", "9223372036854775807", "9223372036854775808", "-9223372036854775808",
    "-9223372036854775809", "18446744073709551615", "18446744073709551616", "09223372036854775807",
    "99999999999999999999", "-99999999999999999999", "999999999999999999999", "2e+00", "1_000.5", "1.5e+1x",
  ])
  func `The notation of an edge case is recognized`(_ text: String) { Self.expectSame(text) }

  @Test func `Printed reals, and reals with a changed digit, are recognized`() {
    var generator = SeededGenerator(seed: 21)
    for round in 0..<100_000 {
      let bits = UInt64.random(in: .min ... .max, using: &generator)
      let real =
        round % 2 == 0
        ? Double(bitPattern: bits)
        : Double(bits >> 11) / 0x1p53 * [1, 360, 1e6, 1e-3, 1e15, 1e16, 1e17][round / 2 % 7]
      var text = Array(real.description.utf8)
      Self.expectSame(String(decoding: text, as: UTF8.self))
      let index = Int.random(in: 0..<text.count, using: &generator)
      guard text[index] &- UInt8(ascii: "0") < 10 else { continue }
      text[index] = UInt8.random(in: UInt8(ascii: "0")...UInt8(ascii: "9"), using: &generator)
      Self.expectSame(String(decoding: text, as: UTF8.self))
    }
  }

  @Test func `Reals next to powers of two and below all normal ones are recognized`() {
    for exponent in -1_074...1_023 {
      let real = Double(sign: .plus, exponent: exponent, significand: 1)
      for near in [real, real.nextUp, real.nextDown] where near.isFinite { Self.expectSame(near.description) }
    }
    var generator = SeededGenerator(seed: 22)
    for _ in 0..<10_000 {
      let bits =
        UInt64.random(in: 0..<1 << 52, using: &generator) >> UInt64.random(in: 0..<52, using: &generator)
      Self.expectSame(Double(bitPattern: bits).description)
    }
  }

  @Test func `Numbers of all lengths, with zeros and exponents, are recognized`() {
    var generator = SeededGenerator(seed: 23)
    func digits(_ range: ClosedRange<Int>) -> String {
      (0..<Int.random(in: range, using: &generator)).map { _ in
        String(Int.random(in: 0...9, using: &generator))
      }.joined()
    }
    func zeros() -> String {
      String(repeating: "0", count: max(0, Int.random(in: -6...6, using: &generator)))
    }
    for round in 0..<40_000 {
      let sign = ["", "", "-"][round % 3]
      let exponent = ["e+", "e-", "E+", "e"][round % 4] + digits(1...4)
      Self.expectSame("\(sign)\(digits(1...21))")
      Self.expectSame("\(sign)\(digits(1...1)).\(digits(1...19))\(exponent)")
      Self.expectSame("\(sign)\(zeros())\(digits(0...12)).\(zeros())\(digits(0...17))\(zeros())")
    }
  }

  @Test func `The nearest real is that of the standard library, also halfway between two`() throws {
    var generator = SeededGenerator(seed: 24)
    var (found, left) = (0, 0)
    func expectNearest(_ mantissa: UInt64, _ exponent: Int) throws {
      guard let real = Double(nearestTo: mantissa, exponent: exponent) else {
        left += 1
        return
      }
      found += 1
      let expected = try #require(Double("\(mantissa)e\(exponent)"))
      guard real.bitPattern != expected.bitPattern else { return }
      Issue.record("\(mantissa)e\(exponent) is \(expected), not \(real)")
    }
    for _ in 0..<50_000 {
      let bits = UInt64.random(in: .min ... .max, using: &generator)
      let mantissa = bits >> UInt64.random(in: 0..<64, using: &generator)
      try expectNearest(mantissa, Int.random(in: -360...340, using: &generator))
      try expectNearest(mantissa, Int.random(in: -30...30, using: &generator))
      let halfway = 2 * (bits >> 11 | 1 << 52) + 1
      for near in (halfway - 1)...(halfway + 1) {
        try expectNearest(near, Int.random(in: -25...5, using: &generator))
      }
    }
    // The standard library is needed for few, most of them no normal reals.
    #expect(found > 200_000 && left < 25_000, "\(found) and \(left)")
  }

  @Test(
    arguments: [
      ("1.5e3", 1_500), ("15E-1", 1.5), ("1e400", nil), ("1e-400", 0), ("1e99999999999999999999", nil),
      ("0e99999999999999999999", 0), ("1e", nil), ("1e+", nil), ("1.e2", 100), (".5e1", 5), (" -2.50 ", -2.5),
      ("9007199254740993", 9_007_199_254_740_992), ("0.1000000000000000055511151231257827", 0.1), ("1x", nil),
      ("1e5x", nil), ("123456789012345678901234567890", 1.2345678901234568e29),
    ] as [(String, Double?)])
  func `A real of a property list is the nearest one`(_ text: String, _ real: Double?) {
    #expect(XMLPropertyListScalar.real(text.utf8.span) == real)
  }
}
