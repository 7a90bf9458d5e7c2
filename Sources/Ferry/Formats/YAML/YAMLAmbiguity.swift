/// The plain scalars that a reader of YAML 1.1 or 1.2 does not read as strings.
enum YAMLAmbiguity {
  /// The words of YAML 1.1 and 1.2, in lower case. Readers accept several spellings.
  private static let words: Set<ExactString> = [
    "~", "null", "true", "false", "yes", "no", "on", "off", "y", "n", "<<", "=", ".inf", "-.inf", "+.inf",
    ".nan",
  ]
  private static let longestWord = 5

  /// Returns true if a reader of YAML 1.1 or 1.2 reads a text as something else than a string.
  static func isAmbiguous(_ text: Span<UInt8>) -> Bool {
    if text.isEmpty { return true }
    if text.count <= longestWord, words.contains(ExactString(text.decodedString.lowercased())) { return true }
    var scan = Scan(text: text)
    scan.skip { $0 == UInt8(ascii: "+") || $0 == UInt8(ascii: "-") }
    guard let first = scan.next, isDigit(first) || first == UInt8(ascii: ".") else { return false }
    let start = scan.index
    return isInteger(&scan) || isFloat(text, from: start) || isBase60(text, from: start) || isTimestamp(text)
  }

  /// The booleans of YAML 1.1 alone.
  private static let olderBooleans: Set<ExactString> = [
    "yes", "Yes", "YES", "no", "No", "NO", "on", "On", "ON", "off", "Off", "OFF", "y", "Y", "n", "N",
  ]

  /// Returns true if a text that YAML 1.2 does not read as a value of a tag is one in YAML 1.1: a boolean, an integer or a real. Unlike an
  /// ambiguity, this is never assumed: a message states it.
  static func isOlderValue(_ text: Span<UInt8>, of tag: String) -> Bool {
    if tag.equals(YAMLTag.boolean) {
      return text.count <= longestWord && olderBooleans.contains(ExactString(text.decodedString))
    }
    guard tag.equals(YAMLTag.integer) || tag.equals(YAMLTag.float) else { return false }
    var scan = Scan(text: text)
    scan.skip { $0 == UInt8(ascii: "+") || $0 == UInt8(ascii: "-") }
    guard let first = scan.next, isDigit(first) || first == UInt8(ascii: ".") else { return false }
    let start = scan.index
    if isOlderInteger(text, from: start) || isOlderBase60(text, from: start, hasPoint: false) { return true }
    return tag.equals(YAMLTag.float)
      && (isOlderFloat(text, from: start) || isOlderBase60(text, from: start, hasPoint: true))
  }

  /// Returns true for an integer of YAML 1.1 without its sign, in binary, octal, decimal or hexadecimal notation.
  private static func isOlderInteger(_ text: Span<UInt8>, from start: Int) -> Bool {
    func isLine(_ byte: UInt8) -> Bool { byte == UInt8(ascii: "_") }
    var scan = Scan(text: text)
    scan.index = start
    guard scan.skip("0") else {
      while scan.skip(isDigitOrLine) {}
      return scan.isAtEnd
    }
    if scan.skip("x") { return scan.skip(1...Int.max) { $0.hexDigit != nil || isLine($0) } && scan.isAtEnd }
    if scan.skip("b") {
      return scan.skip(1...Int.max) { $0 | 1 == UInt8(ascii: "1") || isLine($0) } && scan.isAtEnd
    }
    while scan.skip({ $0 & 0xf8 == UInt8(ascii: "0") || isLine($0) }) {}
    return scan.isAtEnd
  }

  /// Returns true for a real of YAML 1.1 with a point, without its sign. An exponent has a sign.
  private static func isOlderFloat(_ text: Span<UInt8>, from start: Int) -> Bool {
    var scan = Scan(text: text)
    scan.index = start
    // A line stands after a digit.
    let hasDigit = scan.skip(isDigit)
    if hasDigit { while scan.skip(isDigitOrLine) {} }
    guard scan.skip("."), hasDigit || scan.skip(isDigit) else { return false }
    while scan.skip(isDigitOrLine) {}
    if scan.skip({ $0 | 0x20 == UInt8(ascii: "e") }) {
      guard scan.skip({ $0 == UInt8(ascii: "+") || $0 == UInt8(ascii: "-") }), scan.skip(1...Int.max, isDigit)
      else { return false }
    }
    return scan.isAtEnd
  }

  /// Returns true for a number of YAML 1.1 to the base of 60 without its sign. An integer does not begin with a zero.
  private static func isOlderBase60(_ text: Span<UInt8>, from start: Int, hasPoint: Bool) -> Bool {
    var scan = Scan(text: text)
    scan.index = start
    guard let first = scan.next, isDigit(first), hasPoint || first != UInt8(ascii: "0") else { return false }
    while scan.skip(isDigitOrLine) {}
    var groups = 0
    while scan.skip(":") {
      groups += 1
      // A group of two digits is less than 60.
      let isShort = !scan.skip { $0 >= UInt8(ascii: "0") && $0 <= UInt8(ascii: "5") }
      guard scan.skip(isDigit) || !isShort else { return false }
    }
    guard groups > 0, hasPoint else { return groups > 0 && scan.isAtEnd }
    guard scan.skip(".") else { return false }
    while scan.skip(isDigitOrLine) {}
    return scan.isAtEnd
  }

  private struct Scan: ~Escapable {
    let text: Span<UInt8>
    var index = 0

    @_lifetime(copy text)
    init(text: Span<UInt8>) { self.text = text }

    var next: UInt8? { index < text.count ? text[index] : nil }
    var isAtEnd: Bool { index == text.count }

    /// Skips one byte if it is wanted. Returns true if it is.
    @discardableResult
    mutating func skip(_ isWanted: (UInt8) -> Bool) -> Bool {
      guard let next, isWanted(next) else { return false }
      index += 1
      return true
    }

    mutating func skip(_ character: Unicode.Scalar) -> Bool { skip { $0 == UInt8(ascii: character) } }

    /// Skips a number of bytes of a kind. Returns false if there are fewer or more of them.
    mutating func skip(_ counts: ClosedRange<Int>, _ isWanted: (UInt8) -> Bool) -> Bool {
      var count = 0
      while skip(isWanted) { count += 1 }
      return counts.contains(count)
    }
  }

  private static func isDigit(_ byte: UInt8) -> Bool { byte.isDigit }
  private static func isDigitOrLine(_ byte: UInt8) -> Bool { isDigit(byte) || byte == UInt8(ascii: "_") }

  /// Returns true for a decimal, binary, octal or hexadecimal integer, which may have underscores.
  private static func isInteger(_ scan: inout Scan) -> Bool {
    guard scan.skip("0") else {
      while scan.skip(isDigitOrLine) {}
      return scan.isAtEnd
    }
    if scan.skip("x") {
      return scan.skip(1...Int.max, { $0.hexDigit != nil || $0 == UInt8(ascii: "_") }) && scan.isAtEnd
    }
    if scan.skip({ $0 == UInt8(ascii: "b") || $0 == UInt8(ascii: "o") }) {
      return scan.skip(1...Int.max, isDigitOrLine) && scan.isAtEnd
    }
    while scan.skip(isDigitOrLine) {}
    return scan.isAtEnd
  }

  private static func isFloat(_ text: Span<UInt8>, from start: Int) -> Bool {
    var scan = Scan(text: text)
    scan.index = start
    var hasDigit = false
    while scan.skip(isDigitOrLine) { hasDigit = true }
    if scan.skip(".") { while scan.skip(isDigitOrLine) { hasDigit = true } }
    guard hasDigit else { return false }
    if scan.skip({ $0 | 0x20 == UInt8(ascii: "e") }) {
      scan.skip { $0 == UInt8(ascii: "+") || $0 == UInt8(ascii: "-") }
      guard scan.skip(1...Int.max, isDigit) else { return false }
    }
    return scan.isAtEnd
  }

  /// Returns true for a number to the base of 60, such as 12:30 or 1:30:00.5.
  private static func isBase60(_ text: Span<UInt8>, from start: Int) -> Bool {
    var scan = Scan(text: text)
    scan.index = start
    guard scan.skip(1...Int.max, isDigitOrLine) else { return false }
    var groups = 0
    while scan.skip(":") {
      guard scan.skip(1...2, isDigit) else { return false }
      groups += 1
    }
    if scan.skip(".") { while scan.skip(isDigitOrLine) {} }
    return groups > 0 && scan.isAtEnd
  }

  /// Returns true for a date, with or without a time.
  private static func isTimestamp(_ text: Span<UInt8>) -> Bool {
    var scan = Scan(text: text)
    guard scan.skip(4...4, isDigit), scan.skip("-"), scan.skip(1...2, isDigit), scan.skip("-"),
      scan.skip(1...2, isDigit)
    else { return false }
    if scan.isAtEnd { return true }
    guard scan.skip({ $0 | 0x20 == UInt8(ascii: "t") || $0 == 0x20 || $0 == 0x09 }) else { return false }
    while scan.skip({ $0 == 0x20 || $0 == 0x09 }) {}
    return scan.next.map(isDigit) ?? false
  }
}
