/// The version of the records in a table, for a schema that has one version for all records. It is stored in
/// a separate table, because a database has no dictionary around its records:
///
///     {"version": 2, "people": [{"name": "Ada"}]}     CREATE TABLE "people" ("name" TEXT)
///                                                     ferry_versions: ("people", 2)
///
/// Without the stored version, the records would be read as records of the oldest version.
struct CollectionVersion {
  /// The statement that creates the table of versions. A table with another definition was not created by
  /// Ferry.
  static let definition =
    "CREATE TABLE ferry_versions (name TEXT PRIMARY KEY COLLATE NOCASE, version INTEGER)"

  let table: String
  let connection: SQLiteConnection

  init(ofTable table: String, on connection: SQLiteConnection) {
    (self.table, self.connection) = (table, connection)
  }

  /// Returns the stored version, or nil if there is none.
  func stored() throws(FerryError) -> Int64? {
    guard try hasVersions() else { return nil }
    let rows = try connection.statement("SELECT version FROM ferry_versions WHERE name = ?")
    try rows.bind(1, text: table.utf8.span)
    return try rows.step() && rows.kind(0) == .integer ? rows.integer(0) : nil
  }

  /// Stores the version of new records.
  func store(_ version: Int) throws(FerryError) {
    if try !hasVersions() { try connection.execute(Self.definition) }
    let insertion = try connection.statement("INSERT OR REPLACE INTO ferry_versions VALUES (?, ?)")
    try insertion.bind(1, text: table.utf8.span)
    try insertion.bind(2, Int64(version))
    _ = try insertion.step()
  }

  /// Throws if the table contains records of another version than those to be added. Returns false if the
  /// version of its records is unknown.
  func accepts(_ version: Int) throws(FerryError) -> Bool {
    if let stored = try stored() {
      guard stored == version else {
        throw FerryError(.database(.otherVersion(table: table, stored: Int(stored), added: version)))
      }
      return true
    }
    return try !connection.statement("SELECT 1 FROM \(quotedName(table)) LIMIT 1").step()
  }

  private func hasVersions() throws(FerryError) -> Bool {
    try connection.tables().contains { $0.isOfVersions }
  }
}

extension Schema {
  /// The version in which all records are written, or nil if the collection has no version.
  var versionOfCollection: Int? { collectionVersion == nil ? nil : record.versions?.current }
}
