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
    let tokens = Array(SQLiteTokens(of: sql))
    guard let start = tokens.firstIndex(where: { $0.kind == .open }) else { return false }
    let columns = tokens[(start + 1)...]
    guard columns.last?.kind == .close, columns.count.isMultiple(of: 2) else { return false }
    return columns.dropLast().enumerated().allSatisfy { index, token in
      index.isMultiple(of: 2) ? token.isName : token.kind == .comma
    }
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
      if SQLiteName(definition.name).hasPrefix("sqlite_") { continue }
      if kind == .table {
        guard !SQLiteTokens(of: definition.sql).createVirtualTable else { continue }
        guard try !isOfVersions(definition.name) else { continue }
      }
      definitions.append(definition)
    }
    return definitions
  }
}
