internal import Synchronization

/// A database file that is open for reading. Reading never creates files next to it.
///
/// The files next to the database determine how it is opened:
///
///     people.db                                   read in place, under SQLite's own locks
///     people.db, -wal and -shm                    read in place; a process has it open, or had
///     people.db in WAL mode, without -wal         read in place, as an immutable file
///     people.db and -wal                          read as a copy, with the changes in the WAL
///     people.db and a -journal to be rolled back  read as a copy, in which the change is rolled back
///     a pipe, or bytes in memory                  read as a copy
///
/// A copy is a temporary file, which is unlinked as soon as it is open. For a symbolic link, the files are those beside the file to
/// which it leads. SQLite also uses a log beside a database that is not in WAL mode.
final class SQLiteFile {
  /// The open database.
  let connection: SQLiteConnection
  /// The number of bytes in the file.
  let byteCount: Int
  /// The path of the file, after resolving symbolic links, or nil for other inputs.
  let path: String?
  /// True if changes may be missing that are only in a write-ahead log: the database is in WAL mode, and is read from a stream, or has no
  /// tables and no log beside it.
  let mayLackLog: Bool
  /// The tables and views, once they are known, and their indices by name.
  private var known: (tables: [SQLiteTable], indices: [ExactString: Int])?
  /// The Core Data store in the database, once it is known whether there is one.
  private var knownStore: CoreDataStore??

  /// Opens the database in an input.
  init(_ input: any ByteInput, budget: Budget) throws(FerryError) {
    guard PackageTraits.hasSQLite else { throw FerryError(.database(.notBuiltIn)) }
    guard let files = try Self.files(of: input), let size = try SystemPath.status(of: files.database)?.size
    else {
      let copy = try SQLiteCopy()
      defer { copy.remove() }
      let head = try input.peek(upTo: 20)
      path = nil
      byteCount = try copy.add(input)
      mayLackLog = Self.isWAL(head)
      try Self.checkPages(head, size: byteCount)
      connection = try copy.open(fileSize: byteCount, budget)
      return
    }
    path = files.database
    byteCount = size
    let head = try input.peek(upTo: 20)
    let isWAL = Self.isWAL(head)
    // The first page has the list of tables, and each table needs one more.
    let isEmpty = size <= Self.pageSize(head)
    mayLackLog = try isWAL && isEmpty ? SystemPath.status(of: files.log) == nil : false
    try Self.checkPages(head, size: size)
    connection = try Self.open(files, size: size, isWAL: isWAL, budget)
  }

  /// Returns all tables and views in the order of their creation. Begins a transaction, so that the rows are of the same state.
  func tables() throws(FerryError) -> [SQLiteTable] { try knownTables().tables }

  /// Returns the table or view with exactly this name.
  func table(named name: String) throws(FerryError) -> SQLiteTable? {
    let known = try knownTables()
    return known.indices[ExactString(name)].map { known.tables[$0] }
  }

  private func knownTables() throws(FerryError) -> (tables: [SQLiteTable], indices: [ExactString: Int]) {
    if let known { return known }
    try connection.beginReading()
    let tables = try connection.tables()
    let indices = Dictionary(
      tables.enumerated().map { (ExactString($1.name), $0) }, uniquingKeysWith: { first, _ in first })
    known = (tables, indices)
    return (tables, indices)
  }

  /// Returns the Core Data store in the database; nil if there is none.
  func store(budget: Budget) throws(FerryError) -> CoreDataStore? {
    if let knownStore { return knownStore }
    let store = try CoreDataStore(connection, tables: tables(), budget: budget)
    knownStore = .some(store)
    return store
  }

  /// Returns the paths of a database that SQLite can open. Returns nil for other inputs, such as an open file that has no name any
  /// more (`/dev/fd/3`).
  static func files(of input: any ByteInput) throws(FerryError) -> DatabaseFiles? {
    guard let path = input.path else { return nil }
    let files = try DatabaseFiles(at: path)
    return Folder.isSame(path, files.database) ? files : nil
  }

  /// Returns true if the first 20 bytes are those of a database in WAL mode.
  static func isWAL(_ head: [UInt8]) -> Bool {
    head.count == 20 && FileSignature.sqlite.begins(head) && head.suffix(2) == [2, 2]
  }

  /// Returns the size of the pages of a database with these first 20 bytes; 0 if they are not those of a database.
  private static func pageSize(_ head: [UInt8]) -> Int {
    guard head.count == 20, FileSignature.sqlite.begins(head) else { return 0 }
    let written = Int(head[16]) << 8 | Int(head[17])
    return written == 1 ? 1 << 16 : written
  }

  /// Throws if a file ends in the middle of a page. SQLite would read the missing part as zeros.
  private static func checkPages(_ head: [UInt8], size: Int) throws(FerryError) {
    let pageSize = pageSize(head)
    guard pageSize == 0 || size % pageSize == 0 else {
      throw FerryError(.database(.damaged(location: "", words: "the file ends in the middle of a page")))
    }
  }

  private static func open(
    _ files: DatabaseFiles, size: Int, isWAL: Bool, _ budget: Budget
  ) throws(FerryError) -> SQLiteConnection {
    let journal = try journal(of: files)
    do throws(FerryError) {
      guard let (name, access) = try wayToRead(files, isWAL: isWAL) else {
        throw FerryError(.database(.interrupted))
      }
      return try SQLiteConnection(reading: name, access, fileSize: size, budget: budget)
    } catch {
      guard error.reason == .database(.interrupted) else { throw error }
      let copy = try SQLiteCopy()
      defer { copy.remove() }
      try copy.add(FileInput(path: files.database))
      try copy.add(log: files.log)
      if let journal, try journal.isToBeRolledBack { try copy.add(journal) }
      return try copy.open(fileSize: size, budget)
    }
  }

  /// Returns the journal of a database, or nil if it has none. Throws if the files beside the database are not files: SQLite would wait for
  /// a pipe, or read from a device without an end.
  private static func journal(of files: DatabaseFiles) throws(FerryError) -> RollbackJournal? {
    if let log = try SystemPath.status(of: files.log), log.kind != .regular {
      throw FerryError(.database(.noFileBeside(files.log)))
    }
    return try RollbackJournal(at: files.journal)
  }

  /// Throws if SQLite would delete a file that the journal of a database names, or wait for a file beside it, before the database is changed.
  static func checkChangeable(_ path: String) throws(FerryError) {
    guard let journal = try journal(of: DatabaseFiles(at: path)), journal.superJournal != nil else { return }
    guard try !journal.isToBeRolledBack else { throw FerryError(.database(.interrupted)) }
  }

  /// Returns the name and the mode with which SQLite opens the database without creating files. Returns nil
  /// if that is not possible.
  private static func wayToRead(
    _ files: DatabaseFiles, isWAL: Bool
  ) throws(FerryError) -> (name: String, SQLiteConnection.Access)? {
    // SQLite interprets some names, such as `:memory:`, unless they contain a folder.
    let path = files.database.hasPrefix("/") ? files.database : "./" + files.database
    let log = try SystemPath.status(of: files.log)
    guard isWAL || (log?.size ?? 0) > 0 else { return (path, .reading) }
    if log != nil, try SystemPath.status(of: files.logIndex) != nil { return (path, .reading) }
    return (log?.size ?? 0) == 0 ? ("file:\(escaped(path))?immutable=1", .readingUnchanging) : nil
  }

  /// Returns a path escaped for a URI.
  private static func escaped(_ path: String) -> String {
    path.utf8.reduce(into: "") { text, byte in
      switch byte {
      case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
        UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "/"), UInt8(ascii: "."), UInt8(ascii: "-"),
        UInt8(ascii: "_"):
        text.unicodeScalars.append(Unicode.Scalar(byte))
      default: text += (byte < 0x10 ? "%0" : "%") + String(byte, radix: 16)
      }
    }
  }
}

/// A temporary copy of a database.
private final class SQLiteCopy {
  private let folder = SystemPath.temporary
  private var files: [String] = []
  private var path: String { folder + "/database" }

  init() throws(FerryError) {
    let folder = folder
    // A signal that ends the process removes the folder.
    try FileOutput.temporaries.withLock { names throws(FerryError) in
      do throws(FerryError) { try SystemPath.makeFolder(folder) } catch { throw error.ofTemporaryFolder }
      names.insert(folder)
    }
  }

  /// Adds the database to the copy, and returns its size.
  @discardableResult
  func add(_ input: any ByteInput) throws(FerryError) -> Int { try add(input, as: path) }

  /// Adds the write-ahead log of a database to the copy, if it exists.
  func add(log original: String) throws(FerryError) {
    guard try SystemPath.status(of: original) != nil else { return }
    _ = try add(FileInput(path: original), as: path + "-wal")
  }

  /// Adds the journal of a database to the copy, without a super-journal.
  func add(_ journal: RollbackJournal) throws(FerryError) {
    let input = try FileInput(path: journal.path)
    guard let size = journal.sizeBeforeMark else {
      _ = try add(input, as: path + "-journal")
      return
    }
    _ = try add(input, as: path + "-journal", upTo: size, end: RollbackJournal.noMark)
  }

  /// Copies the first bytes of an input to a file, and then others. Returns the size of the file.
  private func add(
    _ input: any ByteInput, as name: String, upTo limit: Int = .max, end: [UInt8] = []
  ) throws(FerryError) -> Int {
    files.append(name)
    let file = try SystemFile.inTemporaryFolder(name)
    var size = 0
    func write(_ bytes: borrowing Span<UInt8>) throws(FerryError) {
      size += bytes.count
      do throws(FerryError) { try file.write(bytes) } catch { throw error.ofTemporaryFolder }
    }
    try input.forEachChunk { chunk throws(FerryError) in
      try write(chunk.extracting(first: min(chunk.count, limit - size)))
    }
    try write(end.span)
    return size
  }

  /// Opens the copy, applying its log or journal.
  func open(fileSize: Int, _ budget: Budget) throws(FerryError) -> SQLiteConnection {
    try SQLiteConnection(reading: path, .recovering, fileSize: fileSize, budget: budget)
  }

  /// Unlinks the temporary files. Open files stay readable.
  func remove() {
    let (files, folder) = (files + ["\(path)-wal", "\(path)-shm", "\(path)-journal"], folder)
    FileOutput.temporaries.withLock { names in
      for name in files { try? SystemPath.remove(name) }
      try? SystemPath.removeFolder(folder)
      names.remove(folder)
    }
  }
}
