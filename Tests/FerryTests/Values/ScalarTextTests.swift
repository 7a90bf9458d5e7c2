import TestSupport
import Testing

@testable import Ferry

@Suite struct `Text of numbers` {
  @Test(arguments: [
    "0", "1", "-1", "9223372036854775807", "-9223372036854775808", "18446744073709551615",
  ])
  func `The text of an integer in range is an integer`(_ text: String) throws {
    guard case .integer(let value) = DecimalText(json: text.utf8.span) else {
      Issue.record("\(text) is not an integer")
      return
    }
    #expect(value.description == text)
  }

  @Test(arguments: ["1.5", "-0.25", "0.1", "0.001", "123456.789", "1e+20", "5e-324", "0.0", "-0.0", "100.0"])
  func `The text of a real that prints the same is a real`(_ text: String) throws {
    guard case .real(let value) = DecimalText(json: text.utf8.span) else {
      Issue.record("\(text) is not a real")
      return
    }
    #expect(value.description == text)
  }

  @Test func `NaN and infinities have one notation in texts and one in JavaScript`() {
    let numbers: [Double] = [.nan, -.nan, Double(nan: 1, signaling: false), .infinity, -.infinity, 1.5]
    #expect(numbers.map(\.notation) == ["nan", "nan", "nan", "inf", "-inf", "1.5"])
    #expect(numbers.map(\.javaScriptNotation) == ["NaN", "NaN", "NaN", "Infinity", "-Infinity", "1.5"])
    #expect(Float.nan.notation == "nan" && (-Float.infinity).notation == "-inf")
  }

  @Test(arguments: [
    "2.20", "1e400", "-0", "18446744073709551616", "1e5", "1E5", "0.10", "0.00001",
    "3.14159265358979323846264338327950288419716939937510",
  ])
  func `Any other number keeps its notation`(_ text: String) throws {
    guard case .text = DecimalText(json: text.utf8.span) else {
      Issue.record("\(text) would be rewritten")
      return
    }
  }

  @Test func `A text that is read as a real is always printed the same`() {
    var generator = SystemRandomNumberGenerator()
    for _ in 0..<20_000 {
      let digits = Int.random(in: 1...17, using: &generator)
      var text = String((0..<digits).map { _ in Character("\(Int.random(in: 0...9, using: &generator))") })
      let point = Int.random(in: 0...digits, using: &generator)
      text.insert(".", at: text.index(text.startIndex, offsetBy: point))
      if text.hasPrefix(".") { text = "0" + text }
      if text.hasSuffix(".") { text += "5" }
      guard case .real(let value) = DecimalText(json: text.utf8.span) else { continue }
      #expect(value.description == text)
    }
  }
}

@Suite struct `Text of dates` {
  @Test(arguments: [
    (0, "2001-01-01T00:00:00Z"), (-0.5, "2000-12-31T23:59:59.5Z"), (423_307_800, "2014-06-01T09:30:00Z"),
    (-978_307_200, "1970-01-01T00:00:00Z"), (0.001, "2001-01-01T00:00:00.001Z"),
    (1e-9, "2001-01-01T00:00:00.000000001Z"), (252_423_993_600, "+10000-01-01T00:00:00Z"),
    (-63_113_904_000, "0001-01-01T00:00:00Z"),
  ])
  func `A moment has one text and comes back from it`(_ seconds: Double, _ text: String) {
    #expect(ISODate.text(seconds) == text)
    #expect(ISODate.seconds(text) == seconds)
  }

  @Test func `Every fraction of a second comes back`() {
    for _ in 0..<20_000 {
      let seconds = Double.random(in: -1e10...1e10) / Double.random(in: 1...1e6)
      #expect(ISODate.text(seconds).flatMap { ISODate.seconds($0) } == seconds)
    }
  }

  @Test(arguments: [
    1e-60, 1e-100, -1e-100, 2.2250738585072014e-308, .leastNonzeroMagnitude, -.leastNonzeroMagnitude,
  ])
  func `A moment next to 2001 comes back from its many digits`(_ seconds: Double) throws {
    let text = try #require(ISODate.text(seconds))
    #expect(ISODate.seconds(text) == seconds)
  }

  @Test(arguments: [
    "", "2014", "2014-02-29", "2014-13-01", "2014-01-01T", "2014-01-01T25:00:00Z", "2014-01-01x",
  ])
  func `A text that is not a date is refused`(_ text: String) {
    #expect(ISODate.seconds(text) == nil)
  }

  @Test func `The time zone of a date is applied`() {
    #expect(ISODate.seconds("2014-06-01T11:30:00+02:00") == 423_307_800)
    #expect(ISODate.seconds("2001-01-01") == 0)
  }
}

@Suite struct `Base64 text` {
  @Test func `Bytes come back from Base64`() {
    for count in 0..<140 {
      let bytes = (0..<count).map { UInt8(truncatingIfNeeded: $0 &* 37 &+ count) }
      let text = Base64.encode(bytes.span)
      #expect(Base64.decode(text.span) == bytes)
      #expect(text == Self.encoded(bytes))
    }
  }

  @Test(arguments: [
    "A", "AB=", "AB==C", "A===", "AB=*", "QR==", "=", "====", "AA=A", "AAAA=", "AA== A", "AA\u{b}==",
  ])
  func `Text that is not Base64 is refused`(_ text: String) {
    #expect(Base64.decode(text.utf8.span) == nil)
    // After and within whole blocks.
    for count in 1...9 {
      #expect(Base64.decode((String(repeating: "AbC+", count: count) + text).utf8.span) == nil)
    }
  }

  @Test func `Each byte in each place of a block is read as one by one`() {
    for index in 0..<16 {
      for byte in UInt8.min...UInt8.max {
        var text = Array("QUJDREVGR0hJSkgM".utf8)
        text[index] = byte
        // Without a character, a group is incomplete; the last one may be padding, because those before it leave no bits over.
        let isPadding = index == 15 && byte == UInt8(ascii: "=")
        let bytes = Base64.decode(text.span)
        #expect((bytes != nil) == (Self.alphabet.contains(byte) || isPadding))
        if let bytes { #expect(Base64.encode(bytes.span) == text) }
      }
    }
  }

  @Test func `White space has no meaning in any place, and nothing follows padding`() {
    var generator = SeededGenerator(seed: 31)
    for round in 0..<3_000 {
      let bytes = (0..<Int.random(in: 0...90, using: &generator)).map { _ in
        UInt8.random(in: .min ... .max, using: &generator)
      }
      var text = Base64.encode(bytes.span)
      for _ in 0..<(round % 7) {
        let index = Int.random(in: 0...text.count, using: &generator)
        let spaces = Int.random(in: 1...20, using: &generator)
        text.insert(contentsOf: repeatElement([0x20, 0x09, 0x0a, 0x0d][round % 4], count: spaces), at: index)
      }
      #expect(Base64.decode(text.span) == bytes)
      if bytes.count % 3 != 0 { #expect(Base64.decode((text + Array("AAAA".utf8)).span) == nil) }
      #expect(Base64.decode((text + [UInt8(ascii: "A")]).span) == nil)
    }
  }

  private static let alphabet = Array(
    "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/".utf8)

  /// Returns bytes in Base64, bit by bit.
  private static func encoded(_ bytes: [UInt8]) -> [UInt8] {
    var bits = bytes.flatMap { byte in (0..<8).map { byte >> (7 - $0) & 1 } }
    while bits.count % 6 != 0 { bits.append(0) }
    let digits = stride(from: 0, to: bits.count, by: 6).map { start in
      alphabet[Int(bits[start..<(start + 6)].reduce(0) { $0 << 1 | $1 })]
    }
    return digits + repeatElement(UInt8(ascii: "="), count: (4 - digits.count % 4) % 4)
  }
}
