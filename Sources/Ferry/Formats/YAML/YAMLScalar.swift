/// The meaning of a plain scalar by the core schema of YAML 1.2.
///
///     null ~          null            true True TRUE     boolean
///     17 -1 0o17 0xF  integer         1.5 .5 1e3 .inf    real
///     no on 017 1:30  string: only YAML 1.1 reads a boolean or a number
///
/// A number with a leading zero stays text, because YAML 1.1 reads it as octal.
enum YAMLScalar {
  case null
  case boolean(Bool)
  /// A number in JSON's notation.
  case number([UInt8])
  case notFinite(Double)
  case string

  init(plain text: Span<UInt8>) {
    guard text.count <= Self.maximumLength else {
      self = .string
      return
    }
    switch text.isEmpty ? UInt8(ascii: "~") : text[0] {
    case UInt8(ascii: "~") where text.count <= 1: self = .null
    case UInt8(ascii: "n"), UInt8(ascii: "N"):
      self = text.equals("null") || text.equals("Null") || text.equals("NULL") ? .null : .string
    case UInt8(ascii: "t"), UInt8(ascii: "T"):
      self = text.equals("true") || text.equals("True") || text.equals("TRUE") ? .boolean(true) : .string
    case UInt8(ascii: "f"), UInt8(ascii: "F"):
      self = text.equals("false") || text.equals("False") || text.equals("FALSE") ? .boolean(false) : .string
    case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "+"), UInt8(ascii: "-"), UInt8(ascii: "."):
      self = Self.number(text) ?? .string
    default: self = .string
    }
  }

  /// Returns true if YAML 1.1 reads a plain text as another value than this one: `no` and `0777` are a boolean and a number there, and `1e5`
  /// and `0o17` are text.
  func isOtherInOlderVersions(_ text: Span<UInt8>) -> Bool {
    switch self {
    case .null, .boolean, .notFinite: return false
    case .string: return !text.equals("<<") && YAMLAmbiguity.isAmbiguous(text)
    case .number:
      if text.starts(with: "0o") { return true }
      if text.starts(with: "0x") { return false }
      // YAML 1.1 needs a point and the sign of the exponent.
      let bytes = [UInt8](copying: text)
      guard let exponent = bytes.firstIndex(where: { $0 | 0x20 == UInt8(ascii: "e") }) else { return false }
      let isSigned = bytes[(exponent + 1)...].first.map { "+-".utf8.contains($0) } ?? false
      return !isSigned || !bytes.contains(UInt8(ascii: "."))
    }
  }

  /// The number of digits of the longest number.
  private static let maximumLength = 4096

  private static func number(_ text: Span<UInt8>) -> YAMLScalar? {
    var rest = text
    let sign = text[0]
    if sign == UInt8(ascii: "-") || sign == UInt8(ascii: "+") { rest = text.extracting(droppingFirst: 1) }
    let isNegative = sign == UInt8(ascii: "-")
    if rest.equals(".inf") || rest.equals(".Inf") || rest.equals(".INF") {
      return .notFinite(isNegative ? -.infinity : .infinity)
    }
    if text.equals(".nan") || text.equals(".NaN") || text.equals(".NAN") { return .notFinite(.nan) }
    if rest.starts(with: "0o") {
      guard rest.count == text.count,
        let value = Int128(rest.extracting(droppingFirst: 2).decodedString, radix: 8),
        rest[2] != UInt8(ascii: "-"), rest[2] != UInt8(ascii: "+")
      else { return nil }
      return .number(Array(value.notation.utf8))
    }
    if rest.starts(with: "0x"), rest.count != text.count { return nil }
    // JSON5 has the same notations, and words and capitals that YAML does not have.
    for index in 0..<rest.count {
      switch rest[index] {
      case UInt8(ascii: "I"), UInt8(ascii: "N"), UInt8(ascii: "X"): return nil
      default: break
      }
    }
    guard case .decimal(let digits)? = JSON5Number(text) else { return nil }
    return .number(digits)
  }

  /// Sends a number in JSON's notation.
  static func send(number text: [UInt8], to sink: any ValueSink) throws(FerryError) {
    switch DecimalText(json: text.span) {
    case .integer(let value): try sink.integer(value)
    case .real(let value): try sink.real(value)
    case .text:
      // YAML 1.1 needs a point: 1.0e+20 is Ferry's notation of the real 1e+20.
      if let real = real(withPoint: text) { return try sink.real(real) }
      try sink.number(BorrowedText(text.span))
    }
  }

  /// Returns true for a number in JSON's notation without a point and an exponent.
  static func isInteger(_ number: [UInt8]) -> Bool {
    number.allSatisfy { $0.isDigit || $0 == UInt8(ascii: "-") }
  }

  /// Returns the real nearest to an integer of any length; nil for one beyond all reals. `isExact` is true if the real has the notation of
  /// the integer's digits, as each real of up to 15 digits has.
  static func real(ofInteger number: [UInt8]) -> (value: Double, isExact: Bool)? {
    let text = number.span.decodedString
    guard let value = Double(text), value.isFinite else { return nil }
    let digits = number.first == UInt8(ascii: "-") ? number.dropFirst() : number[...]
    let lastDigit = digits.lastIndex { $0 != UInt8(ascii: "0") }.map { $0 - digits.startIndex } ?? 0
    return (value, lastDigit < 15 || Int128(text).flatMap(Double.init(exactly:)) != nil)
  }

  private static func real(withPoint text: [UInt8]) -> Double? {
    guard let point = text.firstIndex(of: UInt8(ascii: ".")), text[point...].starts(with: ".0e".utf8) else {
      return nil
    }
    let short = Array(text[..<point] + text[(point + 2)...])
    if case .real(let value) = DecimalText(json: short.span) { return value }
    return nil
  }

  /// Returns the text of a real as both YAML 1.1 and 1.2 read it.
  static func text(of value: Double) -> String {
    guard value.isFinite else { return value.isNaN ? ".nan" : value < 0 ? "-.inf" : ".inf" }
    let notation = value.notation
    guard let exponent = notation.firstIndex(of: "e"), !notation.utf8.contains(UInt8(ascii: ".")) else {
      return notation
    }
    return notation[..<exponent] + ".0" + notation[exponent...]
  }
}

/// The notation of strings in YAML.
enum YAMLString {
  /// Returns the text of a string on one line: without quotation marks if every reader of YAML 1.1 and 1.2 reads it as
  /// this string then.
  ///
  /// - Parameter isKey: True for a key, which a reader must also find the end of.
  static func text(of string: Span<UInt8>, isKey: Bool = false) -> [UInt8] {
    if isPlain(string), !isKey || string.count <= maximumKey { return Array(string.decodedString.utf8) }
    return singleQuoted(string) ?? doubleQuoted(string)
  }

  /// Returns the text of a string on one line at the beginning of a file: in quotation marks if a reader would take its first bytes for
  /// those of another format, such as XML.
  static func firstText(of string: Span<UInt8>, isKey: Bool = false) -> [UInt8] {
    let text = text(of: string, isKey: isKey)
    guard beginsOtherFormat(text, isKey: isKey) else { return text }
    return singleQuoted(string) ?? doubleQuoted(string)
  }

  /// Returns true if a file that begins with a scalar is recognized as a file of another format.
  private static func beginsOtherFormat(_ text: [UInt8], isKey: Bool) -> Bool {
    guard let first = text.first, !"'\"".utf8.contains(first) else { return false }
    if text.span.beginsBinaryFile { return true }
    let head = Array(text.prefix(FormatDetector.headSize))
    guard (try? FormatDetector(head: head, name: "a.yaml").detect()) == .yaml else { return true }
    // A text without a name, as in a pipe. JSON reads its scalars as the same values.
    guard !isKey, let format = try? FormatDetector(head: head, name: nil).detect() else { return false }
    return format.description.shape != .json
  }

  /// Returns a string in single quotation marks, which keep backslashes and are written twice inside. Nil if the string needs escapes.
  static func singleQuoted(_ string: Span<UInt8>) -> [UInt8]? {
    guard needsNoEscapes(string) else { return nil }
    var text = [UInt8(ascii: "'")]
    for index in 0..<string.count {
      if string[index] == UInt8(ascii: "'") { text.append(string[index]) }
      text.append(string[index])
    }
    return text + [UInt8(ascii: "'")]
  }

  /// The length of the longest key that readers accept without a question mark is 1024 characters.
  static let maximumKey = 1000

  /// Returns the lines of a string as a literal block, with the header before them; nil if a block cannot hold it.
  ///
  /// - Parameter allowsOneLine: True for a block also if the string has no line end.
  static func block(
    of string: Span<UInt8>, allowsOneLine: Bool = false
  ) -> (header: String, lines: [Range<Int>])? {
    var lines: [Range<Int>] = []
    var start = 0
    guard string.count > (allowsOneLine ? 0 : 1), ![0x20, 0x09, 0x0a].contains(string[0]) else { return nil }
    for index in 0..<string.count {
      let byte = string[index]
      guard byte == UInt8(ascii: "\n") else {
        guard byte == UInt8(ascii: "\t") || isPrintable(string, at: index) else { return nil }
        continue
      }
      lines.append(start..<index)
      start = index + 1
    }
    guard !lines.isEmpty || allowsOneLine else { return nil }
    var header = "|-"
    if start == string.count {
      header = lines.last?.isEmpty == true ? "|+" : "|"
    } else {
      lines.append(start..<string.count)
    }
    // A line of spaces at the end is easily lost.
    guard let last = lines.last,
      last.allSatisfy({ string[$0] != 0x20 && string[$0] != 0x09 })
        || !last.allSatisfy({ [0x20, 0x09].contains(string[$0]) })
    else { return nil }
    return (header, lines)
  }

  /// Returns true if a string needs no quotation marks.
  static func isPlain(_ string: Span<UInt8>) -> Bool {
    guard !string.isEmpty, string[0] != 0x20, string[string.count - 1] != 0x20 else { return false }
    switch string[0] {
    case UInt8(ascii: ","), UInt8(ascii: "["), UInt8(ascii: "]"), UInt8(ascii: "{"), UInt8(ascii: "}"),
      UInt8(ascii: "#"), UInt8(ascii: "&"), UInt8(ascii: "*"), UInt8(ascii: "!"), UInt8(ascii: "|"),
      UInt8(ascii: ">"), UInt8(ascii: "'"), UInt8(ascii: "\""), UInt8(ascii: "%"), UInt8(ascii: "@"),
      UInt8(ascii: "`"):
      return false
    case UInt8(ascii: "-"), UInt8(ascii: "?"), UInt8(ascii: ":"):
      guard string.count > 1, string[1] != 0x20, string[1] != UInt8(ascii: "-") else { return false }
    default: break
    }
    for index in 0..<string.count {
      let next = index + 1 < string.count ? string[index + 1] : 0x20
      switch string[index] {
      case UInt8(ascii: ":") where next == 0x20: return false
      case 0x20 where next == UInt8(ascii: "#"): return false
      default: guard isPrintable(string, at: index) else { return false }
      }
    }
    return !string.starts(with: "---") && !string.starts(with: "...") && !YAMLAmbiguity.isAmbiguous(string)
  }

  /// Returns true if all characters are printable, so that single quotation marks suffice.
  private static func needsNoEscapes(_ string: Span<UInt8>) -> Bool {
    for index in 0..<string.count where !isPrintable(string, at: index) { return false }
    return true
  }

  /// Returns true if the byte at an index is part of a printable character other than a tab or a line end.
  private static func isPrintable(_ string: Span<UInt8>, at index: Int) -> Bool {
    switch string[index] {
    case 0..<0x20, 0x7f: return false
    case 0xc2: return index + 1 < string.count && string[index + 1] >= 0xa0
    case 0xe2:
      // The line and the paragraph separator.
      guard index + 2 < string.count, string[index + 1] == 0x80 else { return true }
      return string[index + 2] != 0xa8 && string[index + 2] != 0xa9
    case 0xef:
      // The byte order mark and characters that do not exist.
      guard index + 2 < string.count else { return true }
      let (second, third) = (string[index + 1], string[index + 2])
      return !(second == 0xbb && third == 0xbf || second == 0xbf && third >= 0xbe)
    default: return true
    }
  }

  /// Returns a string in double quotation marks, with escapes for characters that are not printable.
  static func doubleQuoted(_ string: Span<UInt8>, isASCII: Bool = false) -> [UInt8] {
    var text = [UInt8(ascii: "\"")]
    for scalar in string.decodedString.unicodeScalars {
      switch scalar {
      case "\"", "\\": text += [UInt8(ascii: "\\"), UInt8(ascii: scalar)]
      case "\n": text += "\\n".utf8
      case "\t": text += "\\t".utf8
      case "\r": text += "\\r".utf8
      case "\0": text += "\\0".utf8
      case "\u{1b}": text += "\\e".utf8
      case "\u{0}"..."\u{1f}", "\u{7f}"..."\u{9f}":
        text += "\\x\(String(scalar.value + 0x100, radix: 16).dropFirst())".utf8
      case "\u{2028}", "\u{2029}", "\u{feff}", "\u{fffe}", "\u{ffff}":
        text += "\\u\(String(scalar.value + 0x1_0000, radix: 16).dropFirst())".utf8
      case _ where isASCII && scalar.value > 0xffff:
        text += "\\U\(String(UInt64(scalar.value) + 0x1_0000_0000, radix: 16).dropFirst())".utf8
      case _ where isASCII && scalar.value > 0xff:
        text += "\\u\(String(scalar.value + 0x1_0000, radix: 16).dropFirst())".utf8
      case _ where isASCII && scalar.value > 0x7f:
        text += "\\x\(String(scalar.value + 0x100, radix: 16).dropFirst())".utf8
      default: text += String(scalar).utf8
      }
    }
    return text + [UInt8(ascii: "\"")]
  }
}
