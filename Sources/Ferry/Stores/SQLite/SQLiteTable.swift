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

  /// The columns of the primary key, when the table has no row numbers and is in their order.
  var key: [String] = []

  /// The rows, in the order of the table's own tree: by its INTEGER PRIMARY KEY or row number, and WITHOUT ROWID by its
  /// primary key. Left to itself SQLite may read them from an index, in the order of that.
  var rows: String {
    let order = key.isEmpty ? "" : " ORDER BY " + key.map { "t." + quotedName($0) }.joined(separator: ", ")
    return unordered + order
  }

  /// The rows in whatever order.
  var unordered: String {
    "SELECT * FROM \(quotedName(name)) t" + (kind == .table ? " NOT INDEXED" : "")
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
      let sql = try list.text(2).lowercased()
      let isView = try list.text(1) == "view"
      var table = SQLiteTable(
        name: name, kind: isView ? .view : sql.hasPrefix("create virtual") ? .virtual : .table)
      let options = sql.lastIndex(of: ")").map { sql[$0...] } ?? ""
      if table.kind == .table, options.contains("without") { table.key = try primaryKey(of: name) }
      tables.append(table)
    }
    return tables
  }

  private func primaryKey(of table: String) throws(Failure) -> [String] {
    let columns = try statement("SELECT name FROM pragma_table_info(?) WHERE pk > 0 ORDER BY pk")
    try columns.bind(1, text: table.utf8.span)
    var names: [String] = []
    while try columns.step() { names.append(try columns.text(0)) }
    return names
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
