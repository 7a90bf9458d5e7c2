/// The tokens of an SQL statement, without white space and comments, as SQLite finds them (`sqlite3GetToken` in its `tokenize.c`).
///
///     create/* a */Virtual TABLE "a b"(x)     create, Virtual, TABLE, "a b", (, x, )
struct SQLiteTokens: Sequence, IteratorProtocol {
  struct Token {
    enum Kind {
      /// A keyword, a number, or a name without quotation marks.
      case word
      case quoted
      case open, close, comma, other
    }

    let kind: Kind
    fileprivate let text: ArraySlice<UInt8>

    /// True if the token may be a name.
    var isName: Bool { kind == .word || kind == .quoted }

    /// Returns true if the token is a keyword, which must be given in lowercase.
    func isKeyword(_ word: StaticString) -> Bool {
      guard kind == .word, text.count == word.utf8CodeUnitCount else { return false }
      let folded = text.map { (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains($0) ? $0 | 0x20 : $0 }
      return folded.span.equals(word)
    }
  }

  private let text: [UInt8]
  private var index = 0

  init(of sql: String) { text = Array(sql.utf8) }

  mutating func next() -> Token? {
    while index < text.count {
      let start = index
      let kind: Token.Kind?
      (kind, index) = Self.token(at: start, of: text)
      if let kind { return Token(kind: kind, text: text[start..<index]) }
    }
    return nil
  }

  /// Returns the kind of the token at an index, nil for white space and comments, and its end.
  private static func token(at start: Int, of text: [UInt8]) -> (Token.Kind?, end: Int) {
    switch text[start] {
    case 0...0x20: return (nil, start + 1)
    // SQLite takes a byte order mark between tokens for white space.
    case 0xef where text[start...].starts(with: ByteOrderMark.utf8.bytes): return (nil, start + 3)
    case UInt8(ascii: "-") where text[start...].starts(with: "--".utf8):
      return (nil, end(of: "\n", after: start + 2, in: text))
    case UInt8(ascii: "/") where text[start...].starts(with: "/*".utf8):
      return (nil, end(of: "*/", after: start + 2, in: text))
    case UInt8(ascii: "("): return (.open, start + 1)
    case UInt8(ascii: ")"): return (.close, start + 1)
    case UInt8(ascii: ","): return (.comma, start + 1)
    case UInt8(ascii: "["): return (.quoted, end(of: "]", after: start + 1, in: text))
    case UInt8(ascii: "\""), UInt8(ascii: "'"), UInt8(ascii: "`"):
      return (.quoted, endOfQuoted(from: start, in: text))
    case let byte where isOfWord(byte):
      return (.word, text[start...].firstIndex { !isOfWord($0) } ?? text.count)
    default: return (.other, start + 1)
    }
  }

  private static func isOfWord(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
      UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "_"), UInt8(ascii: "$"), 0x80...0xff:
      true
    default: false
    }
  }

  /// Returns the end of a quoted name, in which two quotation marks stand for one.
  private static func endOfQuoted(from start: Int, in text: [UInt8]) -> Int {
    var index = start + 1
    while index < text.count {
      guard text[index] == text[start] else {
        index += 1
        continue
      }
      guard index + 1 < text.count, text[index + 1] == text[start] else { return index + 1 }
      index += 2
    }
    return index
  }

  private static func end(of mark: StaticString, after start: Int, in text: [UInt8]) -> Int {
    text.span.end(ofFirst: mark, from: start) ?? text.count
  }
}

extension SQLiteTokens {
  /// True if the statement creates a virtual table.
  var createVirtualTable: Bool {
    var tokens = self
    guard let first = tokens.next(), let second = tokens.next() else { return false }
    return first.isKeyword("create") && second.isKeyword("virtual")
  }

  /// True if the statement creates a table that may be `WITHOUT ROWID`.
  var mayCreateTableWithoutRowNumbers: Bool {
    var isFound = false
    for token in self {
      if token.kind == .close { isFound = false }
      if token.isKeyword("without") { isFound = true }
    }
    return isFound
  }
}
