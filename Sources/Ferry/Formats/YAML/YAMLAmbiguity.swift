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

  /// The booleans of YAML 1.1 alone, in lower case.
  private static let olderBooleans: Set<ExactString> = ["yes", "no", "on", "off", "y", "n"]

  /// Returns true if a text that YAML 1.2 does not read as a value of a tag is one in YAML 1.1: a boolean, an integer or a real.
  static func isOlderValue(_ text: Span<UInt8>, of tag: String) -> Bool {
    if tag.equals(YAMLTag.boolean) {
      return text.count <= longestWord && olderBooleans.contains(ExactString(text.decodedString.lowercased()))
    }
    guard tag.equals(YAMLTag.integer) || tag.equals(YAMLTag.float) else { return false }
    var scan = Scan(text: text)
    scan.skip { $0 == UInt8(ascii: "+") || $0 == UInt8(ascii: "-") }
    guard let first = scan.next, isDigit(first) || first == UInt8(ascii: ".") else { return false }
    let start = scan.index
    var point = scan
    while point.skip({ $0 != UInt8(ascii: ".") }) {}
    guard !point.isAtEnd else { return isInteger(&scan) || isBase60(text, from: start) }
    return tag.equals(YAMLTag.float) && (isFloat(text, from: start) || isBase60(text, from: start))
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

  private static func isDigit(_ byte: UInt8) -> Bool { byte &- UInt8(ascii: "0") < 10 }
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
