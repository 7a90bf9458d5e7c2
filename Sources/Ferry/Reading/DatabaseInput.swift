/// A database file that is opened once, as the input of several conversions. They read one state of it, even if other processes change it
/// meanwhile.
package final class DatabaseInput: ByteInput {
  /// The file, of which only the first bytes are read. It stays open as long as `file`: closing any descriptor of a file ends all locks that
  /// the process has on it, also those of SQLite.
  private let input: FileInput
  private let file: SQLiteFile

  /// Opens the database in a file, which must have been opened and not read. Fails if its bytes are not those of a database.
  package init?(_ input: FileInput, budget: Budget) throws(FerryError) {
    guard PackageTraits.hasSQLite, input.path != nil, FileSignature.sqlite.begins(try input.peek(upTo: 20))
    else { return nil }
    self.input = input
    file = try SQLiteFile(input, budget: budget)
    _ = try file.tables()
  }

  package var path: String? { input.path }
  package func peek(upTo count: Int) throws(FerryError) -> [UInt8] { try input.peek(upTo: count) }
  package func forEachChunk(_ body: (Span<UInt8>) throws(FerryError) -> Void) throws(FerryError) {
    try input.forEachChunk(body)
  }
  package func makeRewindable() throws(FerryError) { try input.makeRewindable() }
  package func rewind() throws(FerryError) { try input.rewind() }

  /// Returns the database in an input, for a conversion: the one that is open, or a newly opened one. The budget limits each conversion, as
  /// if each had opened the database.
  static func database(in input: any ByteInput, budget: Budget) throws(FerryError) -> SQLiteFile {
    guard let open = input as? DatabaseInput else { return try SQLiteFile(input, budget: budget) }
    open.file.connection.beginCounting()
    return open.file
  }
}
