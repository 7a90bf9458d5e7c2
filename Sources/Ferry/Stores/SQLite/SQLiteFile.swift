/// A database file that is open for reading, with nothing written beside it.
///
/// How it is opened depends on what is there:
///
///     people.db                                   read where it is, under SQLite's own locks
///     people.db, -wal and -shm                    the same: some process has it open, or had
///     people.db, whose journal is a WAL, alone    read where it is, as a file that does not change
///     people.db and -wal                          read as a copy, with the changes that the WAL holds
///     people.db and a -journal to be rolled back  read as a copy, in which it is
///     a pipe, or bytes in memory                  read as a copy
///
/// A copy is a temporary file, whose name goes as soon as it is open.
final class SQLiteFile {
  /// The open database.
  let connection: SQLiteConnection
  /// How many bytes the file has.
  let byteCount: Int
  /// Where the file is; nil for what is no file.
  let path: String?

  /// Opens the database that an input is.
  init(_ input: any Input, budget: Budget) throws(Failure) {
    guard PackageTraits.hasSQLite else { throw Failure(.database(.notBuiltIn)) }
    guard let path = input.path, let size = try SystemPath.status(of: path)?.size else {
      let copy = try SQLiteCopy()
      defer { copy.remove() }
      let head = try input.peek(upTo: 20)
      path = nil
      byteCount = try copy.add(input)
      try Self.checkPages(head, size: byteCount)
      connection = try copy.open(fileSize: byteCount, budget)
      return
    }
    self.path = path
    byteCount = size
    let head = try input.peek(upTo: 20)
    let isWAL = head.suffix(2) == [2, 2]
    try Self.checkPages(head, size: size)
    connection = try Self.open(path, size: size, isWAL: isWAL, budget)
  }

  /// Refuses a file that ends inside a page, the rest of which SQLite would take for zeros.
  private static func checkPages(_ head: [UInt8], size: Int) throws(Failure) {
    guard head.count == 20, head.starts(with: "SQLite format 3\0".utf8) else { return }
    let written = Int(head[16]) << 8 | Int(head[17])
    let pageSize = written == 1 ? 1 << 16 : written
    guard pageSize == 0 || size % pageSize == 0 else {
      throw Failure(.database(.damaged(place: "", words: "the file ends in the middle of a page")))
    }
  }

  private static func open(
    _ path: String, size: Int, isWAL: Bool, _ budget: Budget
  ) throws(Failure) -> SQLiteConnection {
    do throws(Failure) {
      guard let place = try placeToRead(path, isWAL: isWAL) else { throw Failure(.database(.interrupted)) }
      return try SQLiteConnection(reading: place, fileSize: size, budget: budget)
    } catch {
      guard error.reason == .database(.interrupted) else { throw error }
      let copy = try SQLiteCopy()
      defer { copy.remove() }
      try copy.add(FileInput(path: path))
      try copy.add(beside: path, isWAL ? "-wal" : "-journal")
      return try copy.open(fileSize: size, budget)
    }
  }

  /// What SQLite is to open so that it makes no file; nil when there is no such thing.
  private static func placeToRead(_ path: String, isWAL: Bool) throws(Failure) -> String? {
    // SQLite takes some names for something else.
    let path = path.hasPrefix("/") ? path : "./" + path
    guard isWAL else { return path }
    let log = try SystemPath.status(of: path + "-wal")
    if log != nil, try SystemPath.status(of: path + "-shm") != nil { return path }
    return (log?.size ?? 0) == 0 && SQLiteConnection.takesURIs ? "file:\(escaped(path))?immutable=1" : nil
  }

  /// A path as a part of a URI.
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

/// A database as a temporary file of our own.
private final class SQLiteCopy {
  private let folder = SystemPath.temporary
  private var files: [String] = []
  private var path: String { folder + "/database" }

  init() throws(Failure) { try SystemPath.makeFolder(folder) }

  /// Adds the database; gives its size.
  @discardableResult
  func add(_ input: any Input) throws(Failure) -> Int { try add(input, as: path) }

  /// Adds the file that SQLite keeps beside a database, when there is one.
  func add(beside original: String, _ suffix: String) throws(Failure) {
    guard try SystemPath.status(of: original + suffix) != nil else { return }
    _ = try add(FileInput(path: original + suffix), as: path + suffix)
  }

  private func add(_ input: any Input, as name: String) throws(Failure) -> Int {
    files.append(name)
    let file = try SystemFile(creating: name, mode: 0o600)
    var size = 0
    try input.forEachChunk { chunk throws(Failure) in
      size += chunk.count
      try file.write(chunk)
    }
    return size
  }

  /// Opens the database, and applies what is beside it.
  func open(fileSize: Int, _ budget: Budget) throws(Failure) -> SQLiteConnection {
    try SQLiteConnection(reading: path, recovering: true, fileSize: fileSize, budget: budget)
  }

  /// Removes the names; what is open stays readable.
  func remove() {
    for name in files + ["\(path)-wal", "\(path)-shm", "\(path)-journal"] { try? SystemPath.remove(name) }
    try? SystemPath.removeFolder(folder)
  }
}
