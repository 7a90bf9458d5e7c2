/// The versions of the records in tables, for schemas that have one version for all records. They are stored in
/// a separate table, because a database has no dictionary around its records:
///
///     {"version": 2, "people": [{"name": "Ada"}]}     CREATE TABLE "people" ("name" TEXT)
///                                                     ferry_versions: ("people", 2)
///
/// Without the stored version, the records would be read as records of the oldest version.
final class CollectionVersions {
  /// The name of the table of versions, and its columns. Another program that has copied the database may have changed the rest of its
  /// definition.
  static let tableName = SQLiteName("ferry_versions")
  static let columns: Set = [SQLiteName("name"), SQLiteName("version")]

  private let connection: SQLiteConnection
  /// True if the database has the table of versions.
  private(set) var hasTable: Bool

  /// Creates the versions in a database with these tables.
  init(on connection: SQLiteConnection, tables: [SQLiteTable]) {
    self.connection = connection
    hasTable = tables.contains(where: \.isOfVersions)
  }

  /// Returns the stored version of a table's records, or nil if there is none.
  func version(ofTable table: String) throws(FerryError) -> Int64? {
    guard hasTable else { return nil }
    let rows = try connection.statement("SELECT version FROM ferry_versions WHERE name = ? COLLATE NOCASE")
    try rows.bind(1, text: table.utf8.span)
    guard try rows.step() else { return nil }
    return switch rows.kind(0) {
    case .integer: rows.integer(0)
    // A copy of the table may have lost the types of its columns.
    case .text: Int64(try rows.text(0))
    case .null, .real, .blob: nil
    }
  }

  /// Stores the version of new records in a table.
  func store(_ version: Int, ofTable table: String) throws(FerryError) {
    if !hasTable {
      try connection.execute(
        "CREATE TABLE ferry_versions (name TEXT PRIMARY KEY COLLATE NOCASE, version INTEGER)")
      hasTable = true
    }
    // A copy of the table may have lost its primary key.
    let removal = try connection.statement("DELETE FROM ferry_versions WHERE name = ? COLLATE NOCASE")
    try removal.bind(1, text: table.utf8.span)
    _ = try removal.step()
    let insertion = try connection.statement("INSERT INTO ferry_versions (name, version) VALUES (?, ?)")
    try insertion.bind(1, text: table.utf8.span)
    try insertion.bind(2, Int64(version))
    _ = try insertion.step()
  }

  /// Throws if a table contains records of another version than those to be added. Returns false if the
  /// version of its records is unknown.
  func accept(_ version: Int, inTable table: String) throws(FerryError) -> Bool {
    if let stored = try self.version(ofTable: table) {
      guard stored == version else {
        throw FerryError(.database(.otherVersion(table: table, stored: Int(stored), added: version)))
      }
      return true
    }
    return try !connection.statement("SELECT 1 FROM \(quotedName(table)) LIMIT 1").step()
  }
}

extension SQLiteConnection {
  /// Returns true if a table, which must not be virtual, is that of the versions of records.
  func isOfVersions(_ table: String) throws(FerryError) -> Bool {
    guard SQLiteName(table) == CollectionVersions.tableName else { return false }
    let columns = try statement("SELECT * FROM \(quotedName(table))").columnNames
    return columns.count == 2 && Set(columns.map(SQLiteName.init)) == CollectionVersions.columns
  }
}

extension Schema {
  /// The version in which all records are written, or nil if the collection has no version.
  var versionOfCollection: Int? { collectionVersion == nil ? nil : record.versions?.current }
}
