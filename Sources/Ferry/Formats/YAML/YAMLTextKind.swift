/// The kind of a value as a text in YAML shows it without a tag.
///
///     'a'  "a"  a  |        string
///     [1]  - 1              sequence
///     {a: 1}  a: 1          mapping
///     !!binary "aGk="       tagged
enum YAMLTextKind {
  case string, boolean, null, integer, real, sequence, mapping
  /// A value with a tag of its own.
  case tagged

  /// Finds the kind of a text that Ferry has written.
  init(_ text: [UInt8]) {
    switch text.first {
    case UInt8(ascii: "\"")?, UInt8(ascii: "'")?: self = Self.isEntry(text) ? .mapping : .string
    case UInt8(ascii: "|")?, UInt8(ascii: ">")?: self = .string
    case UInt8(ascii: "[")?: self = .sequence
    case UInt8(ascii: "{")?: self = .mapping
    case UInt8(ascii: "!")?, UInt8(ascii: "&")?, UInt8(ascii: "*")?: self = .tagged
    case UInt8(ascii: "-")? where text.count == 1 || text[1].isSpace: self = .sequence
    default: self = Self.isEntry(text) ? .mapping : Self(plain: text)
    }
  }

  private init(plain text: [UInt8]) {
    switch YAMLScalar(plain: text.span) {
    case .null: self = .null
    case .boolean: self = .boolean
    case .notFinite: self = .real
    case .string: self = .string
    case .number(let number): self = number.contains { ".eE".utf8.contains($0) } ? .real : .integer
    }
  }

  /// Returns true if a text begins with the key of an entry in a block. A key with a colon is in quotation marks.
  private static func isEntry(_ text: [UInt8]) -> Bool {
    var index = 0
    if let quote = text.first, quote == UInt8(ascii: "\"") || quote == UInt8(ascii: "'") {
      index = 1
      while index < text.count {
        if text[index] != quote {
          index += quote == UInt8(ascii: "\"") && text[index] == UInt8(ascii: "\\") ? 2 : 1
        } else if quote == UInt8(ascii: "'"), index + 1 < text.count, text[index + 1] == quote {
          // In single quotation marks, a quotation mark is written twice.
          index += 2
        } else {
          break
        }
      }
      index += 1
    }
    // A colon inside a word is a part of it.
    while index < text.count, text[index] != UInt8(ascii: "\n") {
      if text[index] == UInt8(ascii: ":"), index + 1 == text.count || text[index + 1].isSpace { return true }
      index += 1
    }
    return false
  }

  /// Returns true if a value of the kind is of the type of a tag, so that it is the same value with the tag.
  func has(tag: String) -> Bool {
    switch self {
    case .string: tag == "!" || tag.equals(YAMLTag.string)
    case .boolean: tag.equals(YAMLTag.boolean)
    case .null: tag.equals(YAMLTag.null)
    case .integer: tag.equals(YAMLTag.integer)
    case .real: tag.equals(YAMLTag.float)
    case .sequence: tag == "!" || tag.equals(YAMLTag.sequence)
    case .mapping: tag == "!" || tag.equals(YAMLTag.mapping)
    case .tagged: false
    }
  }
}
