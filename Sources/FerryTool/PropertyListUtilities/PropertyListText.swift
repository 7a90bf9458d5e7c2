import Ferry

/// The notation of values in the outputs of the property list utilities that are not property lists.
enum PropertyListText {
  /// Returns a real in the notation of `printf("%f")`, which scripts expect, or in the shortest exact notation if that has
  /// other digits: `3.140000`, but `0.3333333333333333`.
  static func real(_ number: Double) -> String {
    let text = number.fixedNotation
    guard number.isFinite, Double(text)?.bitPattern != number.bitPattern else { return text }
    return number.notation
  }

  /// Parses a real. Returns nil for another text, and for a number that is too large or too small for a real.
  static func realNumber(_ text: String) -> Double? {
    guard let number = Double(text) else { return nil }
    let hasDigits = text.utf8.contains { UInt8(ascii: "0")...UInt8(ascii: "9") ~= $0 }
    let isTooLarge = number.isInfinite && hasDigits
    let mantissa = text.utf8.prefix { $0 | 0x20 != UInt8(ascii: "e") && $0 | 0x20 != UInt8(ascii: "p") }
    let isTooSmall = number == 0 && mantissa.contains { UInt8(ascii: "1")...UInt8(ascii: "9") ~= $0 }
    return isTooLarge || isTooSmall ? nil : number
  }

  /// Returns true if a property list can represent an integer.
  static func isInteger(_ number: Int128) -> Bool {
    number >= Int128(Int64.min) && number <= Int128(UInt64.max)
  }

  /// Returns the moment in ISO 8601, without the fraction of the second.
  static func date(_ seconds: Double) -> String {
    ISODate.text(seconds.rounded(.down)) ?? seconds.notation
  }

  /// Returns a reference of an archive in the notation in which macOS describes it, without the addresses in memory.
  static func reference(_ number: UInt64) -> String { "<CFKeyedArchiverUID>{value = \(number)}" }

  /// Returns bytes in hexadecimal digits.
  static func hexadecimal(_ bytes: some Sequence<UInt8>) -> String {
    bytes.reduce(into: "") { text, byte in text += String(UInt16(byte) + 0x100, radix: 16).dropFirst() }
  }

  /// Returns the text of a string with unpaired surrogates, each of which becomes U+FFFD.
  static func repaired(_ units: [UInt16]) -> String { String(decoding: units, as: UTF16.self) }

  /// Returns the text of a string with unpaired surrogates to show. Each of them has the escape of JSON: `\ud800`.
  static func escaped(_ units: [UInt16]) -> String { String(escapingSurrogatesOf: units) }

  /// Returns the words for a key: its text if it is a string, with escapes for unpaired surrogates.
  static func shown(_ key: Value) -> String {
    if case .unpairedString(let units) = key { escaped(units) } else { self.key(key) ?? key.words }
  }

  /// Returns the text of a key; nil if it is not a string.
  static func key(_ key: Value) -> String? {
    switch key {
    case .string(let text): text
    case .unpairedString(let units): repaired(units)
    default: nil
    }
  }
}
