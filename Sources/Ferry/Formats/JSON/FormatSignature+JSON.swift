extension FormatSignature {
  static let json: Self = FormatSignature(.language, isOptional: true) { $0.beginsLikeJSON }

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

  /// The signature of NUL-separated JSON: a NUL after the first value.
  static let nulSeparatedJSON: Self = FormatSignature(.entries, isOptional: true) { head in
    guard let end = head.firstJSONValueEnd, let next = head.content(from: end) else { return false }
    return head.bytes[next] == 0
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

extension UInt8 {
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
  /// True if the first byte can begin a JSON value.
  var beginsLikeJSON: Bool { first?.beginsJSONValue ?? false }

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
