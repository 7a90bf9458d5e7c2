extension FormatDescription {
  /// The stores are a layer of their own above the formats.
  static let sqlite = FormatDescription(
    summary: "SQLite database: tables of records; Core Data stores entity by entity",
    noun: "an SQLite database", aliases: ["sqlite3"], extensions: ["db", "sqlite", "sqlite3", "storedata"],
    content: .tables, reader: .database,
    isWritten: PackageTraits.hasSQLite, streams: true, editingHint: "use sqlite3 to edit a database",
    // The writer reports missing kinds, booleans and NaN among them, because it knows those that a schema
    // restores.
    capabilities: [.nulls, .data, .notFinite, .numbers])
}
