import TestSupport
import Testing

@testable import Ferry

@Suite struct `Reals with 17 digits` {
  private func text(_ real: Double) -> String {
    var text: [UInt8] = []
    RealText.append(real, to: &text)
    return String(decoding: text, as: UTF8.self)
  }

  @Test(arguments: [
    (0.1, "0.10000000000000001"), (2.0, "2"), (0.0, "0.0"), (-0.0, "-0.0"), (100.0, "100"), (1e17, "1e+17"),
    (1e16, "10000000000000000"), (0.0001, "0.0001"), (0.00001, "1.0000000000000001e-05"),
    (.leastNonzeroMagnitude, "4.9406564584124654e-324"), (1.7976931348623157e308, "1.7976931348623157e+308"),
    (0.5, "0.5"), (-123.456, "-123.456"), (9_007_199_254_740_992, "9007199254740992"),
    (123_456_789_012_345_680, "1.2345678901234568e+17"), (1e22, "1e+22"), (1e23, "9.9999999999999992e+22"),
    // Exactly between two of 17 digits: the even one.
    (1_000_000_000_000_000.25, "1000000000000000.2"), (1_000_000_000_000_000.75, "1000000000000000.8"),
  ])
  func `Reals have 17 digits as in CoreFoundation, and negative zero keeps its sign`(
    _ real: Double, _ expected: String
  ) {
    #expect(text(real) == expected)
  }

  @Test func `Reals with 17 digits agree with Python and come back`() async throws {
    var generator = SeededGenerator(seed: 17)
    var reals = (0..<100_000).map { index -> Double in
      switch index % 4 {
      case 0: Double(bitPattern: generator.next() & ~(1 << 63))
      case 1: Double(generator.next() % 1_000_000_000) / Double(1 << (generator.next() % 40))
      case 2: Double(generator.next() >> 11) * 0x1p-53
      default: Double(sign: .plus, exponent: Int(generator.next() % 80) - 20, significand: 1)
      }
    }
    reals.removeAll { !$0.isFinite }
    let code = """
      import sys, struct
      data = sys.stdin.buffer.read()
      for (x,) in struct.iter_unpack('<d', data): print('%.17g' % x)
      """
    let input = reals.flatMap { real in (0..<8).map { UInt8(truncatingIfNeeded: real.bitPattern >> (8 * $0)) }
    }
    let lines = try await Peer.python(code, input: input).text.split(separator: "\n")
    try #require(lines.count == reals.count)
    var wrong = 0
    for (real, line) in zip(reals, lines) {
      let back = XMLPropertyListScalar.real(String(line).utf8.span)
      guard text(real) != line || back != real else { continue }
      wrong += 1
      if wrong < 10 { Issue.record("\(real): \(text(real)), not \(line); read as \(back ?? .nan)") }
    }
    #expect(wrong == 0)
  }
}
