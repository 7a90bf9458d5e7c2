/// A database that is being written.
protocol SQLiteStore: AnyObject {
  var connection: SQLiteConnection { get }
  /// Commits the data.
  func finish() throws(FerryError)
}

/// A new database in an unlinked temporary file. Its bytes are written to an output at the end.
final class NewSQLiteStore: SQLiteStore {
  private let output: any ByteOutput
  private let file: SystemFile
  private let isCopy: Bool
  let connection: SQLiteConnection

  /// Creates a database for an output: an empty one, or a copy of a template.
  init(to output: any ByteOutput, copyOf template: SQLiteFile? = nil) throws(FerryError) {
    self.output = output
    isCopy = template != nil
    var path = ""
    file = try SystemFile.temporary(at: &path)
    defer { for suffix in ["", "-wal"] { try? SystemPath.remove(path + suffix) } }
    connection = try SQLiteConnection(creating: path)
    if let template { try connection.becomeCopy(of: template.connection) }
  }

  func finish() throws(FerryError) {
    // Without any table, SQLite would not even write the file header.
    if !isCopy { try connection.execute("PRAGMA user_version = 0") }
    try connection.execute("COMMIT")
    try file.seek(to: 0)
    var chunk = [UInt8](repeating: 0, count: 1 << 18)
    while true {
      let count = try file.read(into: &chunk, from: 0)
      guard count > 0 else { return }
      try output.write(chunk.span.extracting(first: count))
    }
  }
}

/// An existing database to which records are added in place: all of them, or none if there is an error.
final class ChangedSQLiteStore: SQLiteStore {
  let connection: SQLiteConnection
  private var isFinished = false

  init(path: String, budget: Budget) throws(FerryError) {
    try SQLiteFile.checkChangeable(path)
    connection = try SQLiteConnection(changing: path.hasPrefix("/") ? path : "./" + path, budget: budget)
  }

  deinit { if !isFinished { try? connection.execute("ROLLBACK") } }

  func finish() throws(FerryError) {
    try connection.execute("COMMIT")
    isFinished = true
  }
}
