extension FormatDescription {
  /// The stores are a layer of their own above the formats.
  static let sqlite = FormatDescription(
    summary: "SQLite database: tables of records; Core Data stores entity by entity",
    noun: "an SQLite database", aliases: ["sqlite3"], extensions: ["db", "sqlite", "sqlite3", "storedata"],
    content: .tables, shape: .rows, typeIdentifiers: ["public.database"],
    signature: FormatSignature(bytes: "SQLite format 3\0"), reader: .database,
    writer: PackageTraits.hasSQLite ? .tables : nil, streams: true,
    editingHint: "use sqlite3 to edit a database",
    capabilities: .sqlite, dialect: .sqlite)
}

extension FormatCapabilities {
  /// The kinds of values for which a database has a syntax. The writer reports missing kinds, booleans and NaN
  /// among them, because it knows those that a schema restores.
  static let sqlite: FormatCapabilities = [.nulls, .data, .notFinite, .numbers]
}
