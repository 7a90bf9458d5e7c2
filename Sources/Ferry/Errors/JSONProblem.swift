/// A problem in a JSON text.
public enum JSONProblem: Hashable, Sendable {
  /// The grammar expects something else.
  case expected(String, found: String)
  /// The grammar expects something else than syntax that only another dialect of JSON has.
  ///
  /// - Parameter isReadable: True if that dialect can be read instead: if the text is one document.
  case extended(JSONExtension, expected: String, found: String, isReadable: Bool)
  /// The text ends inside a value.
  case unexpectedEnd(expected: String)
  /// A number that RFC 8259 does not allow, such as `01`, `1.` or `+1`.
  ///
  /// - Parameter isReadable: True if JSON5 has the number, and the text can be read as JSON5, because it is one document.
  case badNumber(String, isReadable: Bool = false)
  /// A backslash followed by an invalid escape.
  ///
  /// - Parameter isReadable: True if JSON5 has the escape, and the text can be read as JSON5, because it is one document.
  case badEscape(String, isReadable: Bool = false)
  /// An unescaped control character in a string.
  case controlCharacter(UInt8)
  /// Bytes that are not UTF-8.
  case notUTF8
  /// A second value after the first.
  case trailingContent(found: String)
  /// Comments, recognized before the text is read.
  case comments
  /// A text in UTF-16 or UTF-32, recognized by its byte order mark or zero bytes.
  case otherEncoding(String)
}

/// Syntax that JSON does not have, and other dialects of it have.
public enum JSONExtension: Hashable, Sendable {
  /// A comment, as in `jsonc`.
  case comments
  /// A comma after the last value, as in `jsonc`.
  case trailingCommas
  /// A string in single quotes, as in `json5`.
  case singleQuotes
  /// A key without quotes, as in `json5`.
  case names
  /// `NaN` or `Infinity`, as in `json5`.
  case notFinite

  fileprivate var words: String {
    switch self {
    case .comments: "comments"
    case .trailingCommas: "comma after the last value"
    case .singleQuotes: "single quotes"
    case .names: "keys without quotes"
    case .notFinite: "NaN and no infinities"
    }
  }
}

extension JSONProblem: CustomStringConvertible {
  /// The problem in one sentence, without a period.
  public var description: String {
    switch self {
    case .expected(let wanted, let found): "expected \(wanted), found \(found)"
    case .extended(let syntax, let wanted, let found, _):
      "expected \(wanted), found \(found) (JSON has no \(syntax.words))"
    case .unexpectedEnd(let wanted): "the text ends where \(wanted) is expected"
    case .badNumber(let text, _): "\(MessageText.quoted(text)) is not a JSON number"
    case .badEscape(let text, _):
      "\(MessageText.quoted(text, keepsBackslashes: true)) is not a valid escape in JSON"
    case .controlCharacter(let byte):
      "the control character 0x\(String(byte, radix: 16)) is not allowed in a string (write an escape, such as \\n)"
    case .notUTF8: "these bytes are not UTF-8"
    case .trailingContent(let found):
      "the value has ended, but \(found) follows"
    case .comments: "this is JSON with comments"
    case .otherEncoding(let name):
      "this looks like JSON in \(name), whose encoding must be given (or convert it to UTF-8)"
    }
  }
}

extension JSONProblem {
  /// The problem of a text inside data, which cannot be read as another dialect.
  var inData: JSONProblem {
    switch self {
    case .extended(let syntax, let wanted, let found, _):
      .extended(syntax, expected: wanted, found: found, isReadable: false)
    case .badNumber(let text, _): .badNumber(text)
    case .badEscape(let text, _): .badEscape(text)
    case .comments: .extended(.comments, expected: "a value", found: "a comment", isReadable: false)
    case .trailingContent(let found): .expected("the end of the text", found: found)
    default: self
    }
  }

  /// The stable identifier of the problem for programs. It never changes.
  var code: String {
    switch self {
    case .expected, .extended: "expected"
    case .unexpectedEnd: "unexpected-end"
    case .badNumber: "bad-number"
    case .badEscape: "bad-escape"
    case .controlCharacter: "control-character"
    case .notUTF8: "not-utf8"
    case .trailingContent: "trailing-content"
    case .comments: "comments"
    case .otherEncoding: "other-encoding"
    }
  }
}
