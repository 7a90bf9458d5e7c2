/// A database that is being written.
protocol SQLiteStore: AnyObject {
  var connection: SQLiteConnection { get }
  /// Makes what has been written lasting.
  func finish() throws(Failure)
}

/// A new database, in a temporary file that has no name, until its bytes go to an output.
final class NewSQLiteStore: SQLiteStore {
  private let output: any ByteOutput
  private let file: SystemFile
  private let isCopy: Bool
  let connection: SQLiteConnection

  /// A database for an output; with a template it begins as a copy of that.
  init(to output: any ByteOutput, copyOf template: SQLiteFile? = nil) throws(Failure) {
    self.output = output
    isCopy = template != nil
    let path = SystemPath.temporary
    file = try SystemFile(creating: path, mode: 0o600)
    defer { for suffix in ["", "-wal"] { try? SystemPath.remove(path + suffix) } }
    connection = try SQLiteConnection(creating: path)
    if let template { try connection.becomeCopy(of: template.connection) }
  }

  func finish() throws(Failure) {
    // Without a table nothing would be written, not even that this is a database.
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

/// A database that records are added to, where it is: all of them, or after a failure none.
final class ChangedSQLiteStore: SQLiteStore {
  let connection: SQLiteConnection
  private var isFinished = false

  init(path: String) throws(Failure) {
    connection = try SQLiteConnection(changing: path.hasPrefix("/") ? path : "./" + path)
  }

  deinit { if !isFinished { try? connection.execute("ROLLBACK") } }

  func finish() throws(Failure) {
    try connection.execute("COMMIT")
    isFinished = true
  }
}
