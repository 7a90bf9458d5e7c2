/// A table or a view of a database.
struct SQLiteTable {
  enum Kind: String {
    case table, view
    /// A virtual table, whose contents an SQLite module computes.
    case virtual
  }

  let name: String
  let kind: Kind

  /// SQLite's table of all tables, with the statements that created them.
  static let list = SQLiteTable(name: "sqlite_master", kind: .view)

  /// The columns of the primary key as `ORDER BY` terms, if the table is WITHOUT ROWID; otherwise empty.
  var key: [String] = []

  /// True if the table was created by Ferry to hold the versions of records in other tables.
  var isOfVersions = false

  /// The query for the rows in storage order: by rowid or INTEGER PRIMARY KEY, or by the primary key in a
  /// WITHOUT ROWID table. Without ORDER BY, SQLite might use the order of an index.
  var rows: String {
    let order = key.isEmpty ? "" : " ORDER BY " + key.joined(separator: ", ")
    return unordered + order
  }

  /// The query for the rows in any order.
  var unordered: String {
    "SELECT * FROM \(quotedName(name)) t" + (kind == .table ? " NOT INDEXED" : "")
  }
}

extension SQLiteConnection {
  /// Returns all tables and views in the order of their creation, including those of SQLite
  /// (`sqlite_sequence`).
  func tables() throws(FerryError) -> [SQLiteTable] {
    let list = try statement(
      "SELECT name, type, sql FROM sqlite_master WHERE type IN ('table', 'view') ORDER BY rowid")
    var tables: [SQLiteTable] = []
    while try list.step() {
      let name = try list.text(0)
      let definition = SQLiteTokens(of: try list.text(2))
      let isView = try list.text(1) == "view"
      var table = SQLiteTable(
        name: name, kind: isView ? .view : definition.createVirtualTable ? .virtual : .table)
      if table.kind == .table {
        table.isOfVersions = try isOfVersions(name)
        if definition.mayCreateTableWithoutRowNumbers { table.key = try primaryKey(of: name) }
      }
      tables.append(table)
    }
    return tables
  }

  /// Limits the functions that triggers may call, and keeps them from virtual tables. Without triggers, a statement that adds rows may need
  /// more functions for the table's columns, indexes and constraints.
  func limitTriggers() throws(FerryError) {
    try readDefinitions()
    let hasTriggers = try statement("SELECT 1 FROM sqlite_master WHERE type = 'trigger' LIMIT 1").step()
    try limitDefinitions(to: hasTriggers ? .innocuous : .needed)
  }

  /// Prepares the query for the rows of a table or a view. Limits the functions that a view may call. Throws for a virtual table, and for a
  /// view that uses one.
  ///
  /// - Parameter isOrdered: True for the rows in storage order.
  func rows(of table: SQLiteTable, isOrdered: Bool = true) throws(FerryError) -> SQLiteStatement {
    if table.kind == .virtual { throw FerryError(.database(.virtualTable(table.name))) }
    try limitDefinitions(to: table.kind == .table ? .needed : .innocuous)
    do throws(FerryError) { return try statement(isOrdered ? table.rows : table.unordered) } catch {
      guard table.kind == .view, isAboutModule(error) else { throw error }
      throw FerryError(.database(.viewOfVirtualTable(table.name)))
    }
  }

  /// Returns the primary key of a table as `ORDER BY` terms. It is empty if its order depends on a collation
  /// that only the app defines.
  private func primaryKey(of table: String) throws(FerryError) -> [String] {
    // A table or view of the database may have the name of the function for a PRAGMA statement.
    let indexes = try statement("PRAGMA index_list(\(quotedName(table)))")
    while try indexes.step() {
      if try indexes.text(3) == "pk" { return try terms(ofIndex: indexes.text(1)) }
    }
    return []
  }

  private func terms(ofIndex index: String) throws(FerryError) -> [String] {
    let columns = try statement("PRAGMA index_xinfo(\(quotedName(index)))")
    var terms: [String] = []
    while try columns.step() {
      guard columns.integer(5) != 0 else { continue }
      let collation = try columns.text(4)
      guard Self.collations.contains(SQLiteName(collation)) else { return [] }
      let direction = columns.integer(3) == 0 ? "" : " DESC"
      terms.append("t.\(quotedName(try columns.text(2))) COLLATE \(collation)\(direction)")
    }
    return terms
  }

  /// The collations that SQLite itself defines.
  private static let collations = Set(["binary", "nocase", "rtrim"].map(SQLiteName.init))
}

extension SQLiteConnection {
  /// Returns true for the error of a statement that uses a virtual table: a connection for reading has no modules. SQLite makes the tables of
  /// some modules without a statement, such as `dbstat`.
  private func isAboutModule(_ error: FerryError) -> Bool {
    guard case .database(.refused(_, let words)) = error.reason else { return false }
    let beginning = "no such table: "
    guard words.hasPrefix(beginning) else { return words.hasPrefix("no such module: ") }
    let table = words.dropFirst(beginning.count)
    return modules.contains(SQLiteName(String(table)))
      || table.hasPrefix("main.") && modules.contains(SQLiteName(String(table.dropFirst("main.".count))))
  }
}

extension SQLiteTable {
  /// True if the table belongs to SQLite or was created by Ferry.
  var isInternal: Bool { SQLiteName(name).hasPrefix("sqlite_") || isOfVersions }

  /// The table or view in an error: `view v`. SQLite's table of all tables has the kind of a view.
  var inWords: String { "\(kind == .view && !isInternal ? "view" : "table") \(name)" }
}

extension SQLiteStatement {
  /// The names of all columns.
  var columnNames: [String] {
    var names: [String] = []
    for column in 0..<columnCount { names.append(name(column)) }
    return names
  }

  /// Returns a copy of the text in a column, or an empty string for NULL.
  func text(_ column: Int) throws(FerryError) -> String {
    try withBytes(column) { bytes throws(FerryError) in bytes.decodedString }
  }
}
