/// A check that the rows inserted into an existing table are stored.
///
/// A trigger of the table can leave out a row (`SELECT raise(IGNORE)`), or remove it, without an error of the
/// statement that inserts it. It can also remove other rows, which are counted unless it adds as many.
final class SQLiteRowCheck {
  let table: String
  /// The number of rows that the table must have if no trigger removes any.
  private var expectedCount: Int64
  /// Returns the number of inserted rows, and whether the last one is in the table.
  private let query: SQLiteStatement

  /// Creates the check for a table. Fails if the table has no triggers.
  init?(ofTable table: String, columns: [String], on connection: SQLiteConnection) throws(FerryError) {
    guard try connection.hasTriggers(table) else { return nil }
    self.table = table
    query = try Self.query(table, columns, connection)
    expectedCount = try connection.count(ofRowsIn: table)
  }

  private static func query(
    _ table: String, _ columns: [String], _ connection: SQLiteConnection
  ) throws(FerryError) -> SQLiteStatement {
    let names = Set(columns.map(SQLiteName.init))
    if let number = ["_rowid_", "rowid", "oid"].first(where: { !names.contains(SQLiteName($0)) }) {
      let isStored = "SELECT 1 FROM \(quotedName(table)) WHERE \(number) = last_insert_rowid()"
      if let query = try? connection.statement("SELECT changes(), EXISTS (\(isStored))") { return query }
    }
    // A table without row numbers does not tell which row was inserted last.
    return try connection.statement("SELECT changes(), 1")
  }

  /// Throws if the row of the last INSERT statement is not in the table.
  func check() throws(FerryError) {
    defer { query.reset() }
    guard try query.step(), query.integer(0) > 0, query.integer(1) == 1 else {
      throw FerryError(.database(.droppedByTrigger(table: table)))
    }
    expectedCount += 1
  }

  /// Returns the number of rows that the table lacks because triggers have removed them since this check was created.
  func removedRows(on connection: SQLiteConnection) throws(FerryError) -> Int {
    max(Int(expectedCount - (try connection.count(ofRowsIn: table))), 0)
  }
}

extension SQLiteConnection {
  /// Returns true if a table has triggers.
  fileprivate func hasTriggers(_ table: String) throws(FerryError) -> Bool {
    try has("type = 'trigger' AND tbl_name = ?1 COLLATE NOCASE", table)
  }

  /// Returns the beginning of a statement that inserts rows into a table: an error ends the statement, and no
  /// row replaces another or is left out, whatever the table's constraints demand (`ON CONFLICT REPLACE`).
  ///
  /// `OR ABORT` also overrides the conflict clauses of statements in triggers, and so it is used only for tables
  /// that need it.
  func insertion(into table: String) throws(FerryError) -> String {
    let demands = try has("type = 'table' AND name = ?1 COLLATE NOCASE AND sql LIKE '%conflict%'", table)
    return "INSERT \(demands ? "OR ABORT " : "")INTO \(quotedName(table))"
  }

  /// Returns the number of rows of a table.
  fileprivate func count(ofRowsIn table: String) throws(FerryError) -> Int64 {
    let rows = try statement("SELECT count(*) FROM \(quotedName(table))")
    return try rows.step() ? rows.integer(0) : 0
  }

  /// Returns true if an entry of the database's list of definitions meets a condition on a table.
  private func has(_ condition: String, _ table: String) throws(FerryError) -> Bool {
    let found = try statement("SELECT 1 FROM sqlite_master WHERE \(condition) LIMIT 1")
    try found.bind(1, text: table.utf8.span)
    return try found.step()
  }
}
