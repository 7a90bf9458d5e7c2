extension FormatDescription {
  /// The description of databases. `Stores` implements the reader and the writer, because it is a layer above
  /// `Formats`.
  static let sqlite = FormatDescription(
    summary: "SQLite database: tables of records; Core Data stores entity by entity",
    noun: "an SQLite database", aliases: ["sqlite3"], extensions: ["db", "sqlite", "sqlite3", "storedata"],
    content: .tables, shape: .rows, typeIdentifiers: ["public.database"],
    signature: FormatSignature(.sqlite), reader: .database,
    writer: PackageTraits.hasSQLite ? .tables : nil, streams: true,
    editingAlternative: .other("use sqlite3 to edit a database"),
    capabilities: .sqlite, dialect: .sqlite)
}

extension FormatCapabilities {
  /// The kinds of values that a database can represent. The writer itself reports values of other kinds, such
  /// as booleans, unless a schema can restore them.
  static let sqlite: FormatCapabilities = [
    .nulls, .data, .notFinite, .nanPayloads, .numbers, .largeIntegers,
  ]
}
