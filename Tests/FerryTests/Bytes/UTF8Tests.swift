import Testing

@testable import Ferry

@Suite struct `UTF-8` {
  /// The bytes on both sides of each boundary in the table of well-formed sequences.
  private static let boundaries: [UInt8] = [
    0x41, 0x7f, 0x80, 0x8f, 0x90, 0x9f, 0xa0, 0xbf, 0xc1, 0xc2, 0xdf, 0xe0, 0xe1, 0xed, 0xef, 0xf0, 0xf1,
    0xf4, 0xf5,
  ]

  /// All sequences of up to `length` bytes from `boundaries`.
  private static func sequences(_ length: Int) -> [[UInt8]] {
    guard length > 0 else { return [[]] }
    let shorter = sequences(length - 1)
    return shorter + shorter.flatMap { start in boundaries.map { start + [$0] } }
  }

  @Test func `UTF-8 is checked as by the standard library, at once and in chunks of a byte`() {
    var wrong: [[UInt8]] = []
    // A fourth byte has the same range after all lead bytes.
    for sequence in Self.sequences(3) {
      for bytes in [sequence, sequence + [0xbf], sequence + [0xc0]] {
        let isValid = String(validating: bytes, as: UTF8.self) != nil
        let isRefused = if case .invalid = bytes.span.checkUTF8() { true } else { false }
        var checker = UTF8Checker()
        var count = 0
        for byte in bytes { count += checker.validCount(of: [byte].span) }
        let isAccepted = count == bytes.count && checker.isWhole
        if isRefused == isValid || isAccepted != isValid { wrong.append(bytes) }
      }
    }
    #expect(wrong == [])
  }

  @Test func `Bytes and scalars are counted in texts of all lengths`() {
    for length in Array(0...300) + [4079, 4080, 4081, 4095, 8160, 8223, 70_000] {
      let all = [UInt8](repeating: 0x0a, count: length)
      #expect(all.span.count(of: 0x0a) == length)
      #expect(all.span.count(of: 0x0b) == 0)
      let mixed = (0..<length).map { UInt8(truncatingIfNeeded: $0 &* $0 &+ $0 / 3) }
      #expect(mixed.span.count(of: 0x1c) == mixed.count { $0 == 0x1c })
      #expect(mixed.span.scalarCount == mixed.count { $0 & 0xc0 != 0x80 })
    }
  }

  @Test func `UTF-16 becomes UTF-8 with its unpaired surrogates`() {
    let units: [UInt16] = [0x41, 0xd7ff, 0xd800, 0xdbff, 0xdc00, 0xdfff, 0xe000]
    for first in units {
      for second in units {
        for third in units {
          let all = [first, second, third]
          let bytes = generalizedUTF8(all)
          let text = BorrowedText(generalized: bytes.span)
          let (back, hasSurrogates) = (text.utf16, text.hasSurrogates)
          #expect(back == all)
          let whole = String(validating: all, as: UTF16.self)
          #expect(hasSurrogates == (whole == nil), "\(all)")
          if let whole { #expect(bytes == Array(whole.utf8)) }
        }
      }
    }
  }
}
