/// What can be wrong with a JSON text.
public enum JSONProblem: Hashable, Sendable {
  /// Something else stands where the grammar wants this.
  case expected(String, found: String)
  /// The text ends inside a value.
  case unexpectedEnd(expected: String)
  /// A number that RFC 8259 does not allow, such as `01`, `1.` or `+1`.
  case badNumber(String)
  /// A backslash followed by something that is no escape.
  case badEscape(String)
  /// A control character that stands raw in a string.
  case controlCharacter(UInt8)
  /// Bytes that are not UTF-8.
  case notUTF8
  /// A second value behind the first.
  case trailingContent(found: String)
  /// A text in UTF-16 or UTF-32, by its byte order mark or its zeros.
  case otherEncoding(String)
}

extension JSONProblem: CustomStringConvertible {
  /// One sentence without a full stop.
  public var description: String {
    switch self {
    case .expected(let wanted, let found): "expected \(wanted), found \(found)"
    case .unexpectedEnd(let wanted): "the text ends where \(wanted) is expected"
    case .badNumber(let text): "\(quotedForMessage(text)) is not a JSON number"
    case .badEscape(let text): "\(quotedForMessage(text)) is not an escape of JSON"
    case .controlCharacter(let byte):
      "a control character (0x\(String(byte, radix: 16))) stands raw in a string; JSON wants it escaped"
    case .notUTF8: "these bytes are not UTF-8"
    case .trailingContent(let found):
      "the value has ended, but \(found) follows (several values: --from jsonl)"
    case .otherEncoding(let name): "the text is \(name); JSON is read as UTF-8"
    }
  }
}
