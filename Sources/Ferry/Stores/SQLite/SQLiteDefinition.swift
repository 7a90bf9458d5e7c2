/// A statement that defines a table, an index, a view or a trigger of a database.
struct SQLiteDefinition {
  enum Kind: String {
    case table, index, view, trigger
  }

  let kind: Kind
  let name: String
  /// The name of the table, or view, to which it belongs.
  let table: String
  let sql: String

  /// The kind of loss if a new database does not have the definition.
  var loss: Loss.Kind {
    switch kind {
    case .table: .tableDefinition
    case .index: .index
    case .view: .view
    case .trigger: .trigger
    }
  }

  /// True if the statement gives a table nothing but the names of its columns: no types, keys or constraints.
  ///
  ///     CREATE TABLE t (a, "b c")
  var hasOnlyNames: Bool {
    let tokens = tokens
    guard let start = tokens.firstIndex(of: .open) else { return false }
    let columns = Array(tokens[(start + 1)...])
    guard columns.last == .close, columns.count.isMultiple(of: 2) else { return false }
    return columns.dropLast().enumerated().allSatisfy { index, token in
      token == (index.isMultiple(of: 2) ? .word : .comma)
    }
  }

  // MARK: Tokens

  private enum Token {
    /// A name, a keyword or a number.
    case word
    case open, close, comma, other
  }

  private var tokens: [Token] {
    var tokens: [Token] = []
    let text = Array(sql.utf8)
    var index = 0
    while index < text.count {
      let (token, end) = Self.token(at: index, of: text)
      if let token { tokens.append(token) }
      index = end
    }
    return tokens
  }

  /// Returns the token at an index, nil for white space and comments, and its end.
  private static func token(at start: Int, of text: [UInt8]) -> (Token?, end: Int) {
    switch text[start] {
    case 0...0x20: return (nil, start + 1)
    case UInt8(ascii: "-") where text[start...].starts(with: "--".utf8):
      return (nil, end(of: "\n", after: start + 2, in: text))
    case UInt8(ascii: "/") where text[start...].starts(with: "/*".utf8):
      return (nil, end(of: "*/", after: start + 2, in: text))
    case UInt8(ascii: "("): return (.open, start + 1)
    case UInt8(ascii: ")"): return (.close, start + 1)
    case UInt8(ascii: ","): return (.comma, start + 1)
    case UInt8(ascii: "["): return (.word, end(of: "]", after: start + 1, in: text))
    case UInt8(ascii: "\""), UInt8(ascii: "'"), UInt8(ascii: "`"):
      return (.word, endOfQuoted(from: start, in: text))
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

/// A number that an application has given a database, such as the version of its tables. SQLite itself does not use it:
/// <https://www.sqlite.org/pragma.html#pragma_user_version>.
struct DatabaseNumber: Equatable {
  /// The name of the PRAGMA statement.
  let name: String
  let value: Int64
}

/// The definitions in a database that records are written to, and the application's numbers for it.
struct DatabaseDefinitions {
  private let statements: Set<ExactString>
  private let numbers: [DatabaseNumber]

  /// Finds the definitions in a database.
  init(in connection: SQLiteConnection) throws(FerryError) {
    statements = Set(try connection.definitions().map { ExactString($0.sql) })
    numbers = try connection.numbersOfApplication()
  }

  /// Returns true if the database has a definition with the same statement.
  func contains(_ definition: SQLiteDefinition) -> Bool {
    statements.contains(ExactString(definition.sql))
  }

  /// Returns true if the database has the same number.
  func contains(_ number: DatabaseNumber) -> Bool { numbers.contains(number) }
}

extension SQLiteConnection {
  /// Returns the numbers that an application has given the database, unless they are 0.
  func numbersOfApplication() throws(FerryError) -> [DatabaseNumber] {
    var numbers: [DatabaseNumber] = []
    for name in ["user_version", "application_id"] {
      let number = try statement("PRAGMA \(name)")
      if try number.step(), number.integer(0) != 0 {
        numbers.append(DatabaseNumber(name: name, value: number.integer(0)))
      }
    }
    return numbers
  }

  /// Returns the definitions in the order of their creation, except those that SQLite and Ferry have made, and
  /// those of virtual tables.
  func definitions() throws(FerryError) -> [SQLiteDefinition] {
    let list = try statement(
      "SELECT type, name, tbl_name, sql FROM sqlite_master WHERE sql IS NOT NULL ORDER BY rowid")
    var definitions: [SQLiteDefinition] = []
    while try list.step() {
      guard let kind = SQLiteDefinition.Kind(rawValue: try list.text(0)) else { continue }
      let definition = SQLiteDefinition(
        kind: kind, name: try list.text(1), table: try list.text(2), sql: try list.text(3))
      let isInternal =
        SQLiteName(definition.name).hasPrefix("sqlite_")
        || definition.sql.equals(CollectionVersion.definition)
      if isInternal || definition.sql.lowercased().hasPrefix("create virtual") { continue }
      definitions.append(definition)
    }
    return definitions
  }
}
