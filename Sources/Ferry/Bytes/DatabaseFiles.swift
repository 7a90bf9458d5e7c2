/// The paths of a database and of the files that SQLite keeps beside it.
///
///     people.db  people.db-wal  people.db-shm  people.db-journal
///
/// SQLite names them after the file to which symbolic links lead, and not after a link.
struct DatabaseFiles {
  /// The path of the database, which is not a symbolic link. The file need not exist.
  let database: String

  /// Finds the files of the database to which a path leads.
  init(at path: String) throws(FerryError) { database = try SystemPath.destination(of: path) }

  /// The path of the write-ahead log: changes that are not in the database yet.
  var log: String { database + "-wal" }
  /// The path of the index of the log, which exists while a process has the database open.
  var logIndex: String { database + "-shm" }
  /// The path of the journal, from which an interrupted change is rolled back.
  var journal: String { database + "-journal" }
}
