/// A table or view of a database, as the database lists it.
struct SQLiteTable {
  enum Kind: String {
    case table, view
    /// A table whose content a module computes.
    case virtual
  }

  let name: String
  let kind: Kind

  /// The database's own list of its tables, with the statements that made them.
  static let list = SQLiteTable(name: "sqlite_master", kind: .view)

  /// The rows, in the order of the table's own tree: by its INTEGER PRIMARY KEY or row number, and WITHOUT ROWID by its
  /// primary key. Without `NOT INDEXED` SQLite may read them from an index, in the order of that.
  var rows: String {
    "SELECT * FROM \(quotedName(name))" + (kind == .table ? " NOT INDEXED" : "")
  }
}

extension SQLiteConnection {
  /// All tables and views, in the order in which they were made; SQLite's own (`sqlite_sequence`) among them.
  func tables() throws(Failure) -> [SQLiteTable] {
    let list = try statement(
      "SELECT name, type, sql FROM sqlite_master WHERE type IN ('table', 'view') ORDER BY rowid")
    var tables: [SQLiteTable] = []
    while try list.step() {
      let name = try list.text(0)
      let isVirtual = try list.text(2).lowercased().hasPrefix("create virtual")
      let isView = try list.text(1) == "view"
      tables.append(SQLiteTable(name: name, kind: isView ? .view : isVirtual ? .virtual : .table))
    }
    return tables
  }
}

extension SQLiteTable {
  /// Whether the table is SQLite's own.
  var isInternal: Bool { name.lowercased().hasPrefix("sqlite_") }
}

extension SQLiteStatement {
  /// A copy of the text in a column; empty when there is none.
  func text(_ column: Int) throws(Failure) -> String {
    try withBytes(column) { bytes throws(Failure) in bytes.decodedString }
  }
}
