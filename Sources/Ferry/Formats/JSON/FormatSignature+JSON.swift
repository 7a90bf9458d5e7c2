extension FormatSignature {
  static let json: Self = FormatSignature(.language, isOptional: true) {
    $0.beginsLikeJSON && !$0.isTableInQuotes
  }

  /// The signature of JSON Lines: a second value follows on another line, or the file name has the extension.
  static let jsonLines: Self = FormatSignature(.dialect, isOptional: true) { head in
    guard head.beginsLikeJSON, !head.isOpenStepPropertyList, !head.isStringsFile else { return false }
    if let fileExtension = head.fileExtension, Format.jsonLines.extensions.contains(fileExtension) {
      return true
    }
    guard let end = head.firstJSONValueEnd, let next = head.content(from: end) else { return false }
    guard head.bytes[end..<next].contains(UInt8(ascii: "\n")) else { return false }
    // After a value of several lines, another value must begin: a line that marks a conflict of a merge does not.
    let isLine = !head.bytes[head.start..<end].contains(UInt8(ascii: "\n"))
    return (isLine || head.bytes[next].beginsJSONValue) && !concatenatedJSON.matches(head)
  }

  /// The signature of concatenated JSON: another object or array follows the first, on the same line or after a value of
  /// several lines.
  static let concatenatedJSON: Self = FormatSignature(.dialect, isOptional: true) { head in
    guard let first = head.first, first.isJSONBracket, !head.isOpenStepPropertyList,
      !isNamed(head, Format.jsonLines), let end = head.firstJSONValueEnd, let next = head.content(from: end),
      head.bytes[next].isJSONBracket
    else { return false }
    return !head.bytes[end..<next].contains(UInt8(ascii: "\n"))
      || head.bytes[head.start..<end].contains(UInt8(ascii: "\n"))
  }

  /// The signature of NUL-separated JSON: a NUL and a second value after the first one, or a NUL if the file name has the extension. Zero
  /// bytes after a single value, and several of them, are in the place of text that was not written.
  static let nulSeparatedJSON: Self = FormatSignature(.entries, isOptional: true) { head in
    guard let end = head.firstJSONValueEnd, let next = head.content(from: end), head.bytes[next] == 0 else {
      return false
    }
    if isNamed(head, .nulSeparatedJSON) { return true }
    guard let second = head.content(from: next + 1) else { return !head.isWhole }
    return head.bytes[second].beginsJSONValue
  }

  static let jsonSequence = FormatSignature(.bytes, proof: .wholeText) { $0.bytes.first == 0x1e }

  /// The signature of JSON with comments: the extension, because property lists have the same comments.
  static let jsonc: Self = named(.jsonc)
  static let json5: Self = named(.json5)

  /// The signature of a dialect of JSON: the extension, for a text that may be JSON.
  private static func named(_ format: Format) -> FormatSignature {
    FormatSignature(.entries, isOptional: true) { head in
      guard isNamed(head, format), let first = head.first else { return false }
      return head.beginsLikeJSON || "/'+.IN".utf8.contains(first)
    }
  }

  private static func isNamed(_ head: FormatHead, _ format: Format) -> Bool {
    head.fileExtension.map(format.extensions.contains) ?? false
  }
}

extension ArraySlice<UInt8> {
  /// True for a word that is a value of JSON.
  var isJSONLiteral: Bool { ["true", "false", "null"].contains { elementsEqual($0.utf8) } }

  /// True for a number of JSON or JSON5, and for a similar word that the reader refuses: `01`, `1.`, `1e`.
  fileprivate var isLikeNumber: Bool {
    let digits = first == UInt8(ascii: "-") ? dropFirst() : self
    guard digits.first?.isDigit == true else { return false }
    if digits.starts(with: "0x".utf8) || digits.starts(with: "0X".utf8) {
      let letters = UInt8(ascii: "a")...UInt8(ascii: "f")
      return digits.dropFirst(2).allSatisfy { $0.isDigit || letters.contains($0 | 0x20) }
    }
    let mantissa = digits.prefix { $0.isDigit || $0 == UInt8(ascii: ".") }
    guard mantissa.count(where: { $0 == UInt8(ascii: ".") }) < 2 else { return false }
    let exponent = digits[mantissa.endIndex...]
    guard let sign = exponent.first else { return true }
    return sign | 0x20 == UInt8(ascii: "e")
      && exponent.dropFirst().drop { "+-".utf8.contains($0) }.allSatisfy(\.isDigit)
  }
}

extension UInt8 {
  fileprivate var isLetterOrDigit: Bool {
    isDigit || (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(self | 0x20)
  }

  fileprivate var isJSONBracket: Bool { self == UInt8(ascii: "{") || self == UInt8(ascii: "[") }

  fileprivate var beginsJSONValue: Bool {
    switch self {
    case UInt8(ascii: "{"), UInt8(ascii: "["), UInt8(ascii: "\""), UInt8(ascii: "-"),
      UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "t"), UInt8(ascii: "f"), UInt8(ascii: "n"):
      true
    default: false
    }
  }
}

extension FormatHead {
  /// True if the text begins with a bracket, a string, or a number or word of JSON that no other text follows on its line. Texts of other
  /// formats begin with the same letters and digits.
  var beginsLikeJSON: Bool {
    guard let first, first.beginsJSONValue else { return false }
    if first.isJSONBracket || first == UInt8(ascii: "\"") { return true }
    let word = bytes[start...].prefix { $0.isLetterOrDigit || "+-._".utf8.contains($0) }
    guard word.isJSONLiteral || word.isLikeNumber else { return false }
    let rest = bytes[word.endIndex...].prefix { !Self.isLineEnd($0) }
    // Another value, a comment or a NUL may follow. The error of the reader then has the option that helps.
    return rest.first { !Self.isSpace($0) }.map { "{[\"-0123456789/\0".utf8.contains($0) } ?? true
  }

  /// True if other text follows the first value.
  var hasSecondJSONValue: Bool { firstJSONValueEnd.flatMap(content(from:)) != nil }

  /// True for a table whose first cell is in quotation marks.
  fileprivate var isTableInQuotes: Bool {
    guard first == UInt8(ascii: "\""), let end = firstJSONValueEnd, let next = content(from: end) else {
      return false
    }
    return ",;|".utf8.contains(bytes[next]) && looksLikeTable
  }

  static func isLineEnd(_ byte: UInt8) -> Bool { byte == UInt8(ascii: "\n") || byte == UInt8(ascii: "\r") }

  /// Returns the index after the value that begins at an index. Returns nil if the value extends beyond the
  /// first bytes. Only brackets and strings are examined; errors are left to the reader.
  func jsonValueEnd(from start: Int) -> Int? {
    var depth = 0
    var index = start
    while index < bytes.count {
      switch bytes[index] {
      case UInt8(ascii: "\""):
        index = bytes.span.plainJSONRun(from: index + 1).end
        while index < bytes.count, bytes[index] != UInt8(ascii: "\"") {
          index += bytes[index] == UInt8(ascii: "\\") ? 2 : 1
          index = bytes.span.plainJSONRun(from: index).end
        }
        guard index < bytes.count else { return nil }
      case UInt8(ascii: "{"), UInt8(ascii: "["): depth += 1
      case UInt8(ascii: "}"), UInt8(ascii: "]"): depth -= 1
      default:
        if depth == 0 {
          let end = bytes[index...].firstIndex { Self.isSpace($0) || "{}[]\",".utf8.contains($0) }
          return end
        }
      }
      index += 1
      if depth <= 0 { return min(index, bytes.count) }
    }
    return nil
  }
}
