import Foundation
import TestSupport
import Testing

@testable import Ferry

@Suite(.temporaryDirectory, .enabled(if: Format.sqlite.canWrite)) struct `Files of databases` {
  private var directory: TemporaryDirectory { .current }

  /// A database whose last row is in its write-ahead log only, which stays as long as the connection.
  private func withLog(_ body: (String) throws -> Void) throws {
    let path = directory.path("log.db")
    let connection = try SQLiteConnection(changing: path, budget: Budget())
    // SQLite answers with the mode.
    _ = try connection.statement("PRAGMA journal_mode = WAL").step()
    for statement in [
      "PRAGMA wal_autocheckpoint = 0", "CREATE TABLE t (a)", "INSERT INTO t VALUES ('logged')",
    ] { try connection.execute(statement) }
    try body(path)
  }

  @Test func `A signal undoes a change also while a function has the bytes of a row`() async {
    await #expect(processExitsWith: .success) {
      let folder = FileManager.default.temporaryDirectory.appending(path: "gate-\(UUID().uuidString)")
      try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
      let connection = try SQLiteConnection(changing: folder.appending(path: "t.db").path, budget: Budget())
      for statement in [
        "CREATE TABLE t (a)", "INSERT INTO t VALUES ('x')", "BEGIN", "INSERT INTO t VALUES ('y')",
      ] { try connection.execute(statement) }
      let row = try connection.statement("SELECT a FROM t")
      _ = try row.step()
      try row.withBytes(0) { bytes throws(FerryError) in
        Thread.detachNewThread {
          FileOutput.abandonAll {
            let names = try? FileManager.default.contentsOfDirectory(atPath: folder.path)
            try? FileManager.default.removeItem(at: folder)
            exit(names == ["t.db"] ? EXIT_SUCCESS : EXIT_FAILURE)
          }
        }
        // The other thread ends the process long before.
        Thread.sleep(forTimeInterval: 60)
        print("\(bytes.count) byte")
        exit(EXIT_FAILURE)
      }
    }
  }

  @Test func `A database is read with a log that another program has open`() throws {
    try withLog { path in
      let names = try directory.names()
      #expect(names == ["log.db", "log.db-shm", "log.db-wal"])
      #expect(try read(path) == [["a": "logged"]])
      #expect(try directory.names() == names)
    }
  }

  @Test func `Several conversions of an open database read one state of it`() throws {
    try withLog { path in
      let input = try #require(try DatabaseInput(FileInput(path: path), budget: Budget()))
      let writer = try SQLiteConnection(changing: path, budget: Budget())
      for sql in ["INSERT INTO t VALUES ('later')", "CREATE TABLE u (b)"] { try writer.execute(sql) }
      #expect(try Conversion(to: .csv).tableNames(of: input) == [])
      for _ in 0..<2 {
        let output = MemoryOutput()
        _ = try Conversion(to: .csv).convert(input, to: output)
        #expect(String(decoding: output.bytes, as: UTF8.self) == "a\nlogged\n")
      }
      #expect(try read(path, table: "t") == [["a": "logged"], ["a": "later"]])
    }
  }

  @Test func `An inspection of a database reads one state of it`() throws {
    try withLog { path in
      let file = try SQLiteFile(FileInput(path: path), budget: Budget())
      var warnings = Inspection.Warnings()
      let store = try Inspection.Store(file, budget: Budget(), warnings: &warnings)
      #expect(store.tables.map(\.rows) == [1])
      let writer = try SQLiteConnection(changing: path, budget: Budget())
      try writer.execute("INSERT INTO t VALUES ('later')")
      let rows = try file.connection.statement("SELECT count(*) FROM t")
      #expect(try rows.step())
      #expect(rows.integer(0) == 1)
    }
  }

  @Test func `A database is read with a log that nobody has open`() throws {
    try withLog { path in
      try directory.makeDirectory("copy")
      for suffix in ["", "-wal"] {
        try directory.write("copy/log.db\(suffix)", directory.bytes("log.db\(suffix)"))
      }
    }
    let before = try directory.bytes("copy/log.db-wal")
    #expect(try read(directory.path("copy/log.db")) == [["a": "logged"]])
    #expect(try directory.names(in: "copy") == ["log.db", "log.db-wal"])
    #expect(try directory.bytes("copy/log.db-wal") == before)
  }

  @Test func `A database is read with its log where nothing can be written`() throws {
    try withLog { path in
      try directory.makeDirectory("locked")
      for suffix in ["", "-wal"] {
        try directory.write("locked/log.db\(suffix)", directory.bytes("log.db\(suffix)"))
      }
    }
    let folder = directory.path("locked")
    try FileManager.default.setAttributes([.posixPermissions: 0o555], ofItemAtPath: folder)
    defer { try? FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: folder) }
    #expect(try read(directory.path("locked/log.db")) == [["a": "logged"]])
  }

  @Test func `A database without a log is read in place`() throws {
    try withLog { _ in }
    #expect(try directory.names() == ["log.db"])
    #expect(try read(directory.path("log.db")) == [["a": "logged"]])
    #expect(try directory.names() == ["log.db"])
    // Through a pipe, and with a name that is an address to SQLite.
    #expect(try read(directory.bytes("log.db")) == [["a": "logged"]])
    try directory.makeDirectory("file:x?mode=rwc&a=%41#")
    try directory.write("file:x?mode=rwc&a=%41#/ü%00.db", directory.bytes("log.db"))
    #expect(try read(directory.path("file:x?mode=rwc&a=%41#/ü%00.db")) == [["a": "logged"]])
  }

  @Test func `A database behind links is read with its log`() throws {
    try withLog { path in
      try directory.makeDirectory("copy")
      for suffix in ["", "-wal"] {
        try directory.write("copy/log.db\(suffix)", directory.bytes("log.db\(suffix)"))
      }
      try SystemPath.makeLink(directory.path("open.db"), to: "log.db")
      try SystemPath.makeLink(directory.path("first.db"), to: "copy/log.db")
      try SystemPath.makeLink(directory.path("second.db"), to: directory.path("first.db"))
      for link in ["open.db", "first.db", "second.db"] {
        #expect(try read(directory.path(link)) == [["a": "logged"]], "\(link)")
      }
    }
    #expect(try directory.names(in: "copy") == ["log.db", "log.db-wal"])
    for link in ["first.db", "second.db"] {
      let failure = #expect(throws: FerryError.self) {
        try DatabaseOutput.checkNoLog(beside: directory.path(link))
      }
      #expect(failure?.reason == .database(.logBeside(directory.path("copy/log.db-wal"))))
    }
  }

  @Test func `A database whose change was interrupted is read as it was before`() throws {
    let path = directory.path("hot.db")
    let connection = try SQLiteConnection(changing: path, budget: Budget())
    for statement in [
      "PRAGMA cache_size = 2", "CREATE TABLE t (a)", "INSERT INTO t VALUES ('before')", "BEGIN",
      "DELETE FROM t",
      "WITH RECURSIVE c(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM c WHERE x < 200) "
        + "INSERT INTO t SELECT hex(zeroblob(500)) FROM c",
    ] { try connection.execute(statement) }
    try directory.makeDirectory("copy")
    for suffix in ["", "-journal"] {
      try directory.write("copy/hot.db\(suffix)", directory.bytes("hot.db\(suffix)"))
    }
    try connection.execute("ROLLBACK")
    let before = try directory.bytes("copy/hot.db")
    #expect(before.count > 100_000)
    try SystemPath.makeLink(directory.path("link.db"), to: "copy/hot.db")
    for name in ["copy/hot.db", "link.db"] {
      #expect(try read(directory.path(name)) == [["a": "before"]], "\(name)")
    }
    #expect(try directory.names(in: "copy") == ["hot.db", "hot.db-journal"])
    #expect(try directory.bytes("copy/hot.db") == before)
  }

  @Test
  func
    `The file that a journal names as its super-journal is kept, and decides whether a change is rolled back`()
    throws
  {
    let connection = try SQLiteConnection(changing: directory.path("new.db"), budget: Budget())
    for statement in [
      "CREATE TABLE t (a, b)",
      "WITH RECURSIVE c(x) AS (SELECT 0 UNION ALL SELECT x + 1 FROM c WHERE x < 299) "
        + "INSERT INTO t SELECT x, hex(zeroblob(250)) FROM c",
      "PRAGMA cache_size = 1", "BEGIN", "UPDATE t SET b = 'y' || b", "UPDATE t SET a = a + 1000",
    ] { try connection.execute(statement) }
    let journal = try directory.bytes("new.db-journal")
    let named = journal + Self.end(ofJournalWith: directory.path("super.journal"))
    try directory.write("hot.db", directory.bytes("new.db"))
    try directory.write("hot.db-journal", named)
    try connection.execute("ROLLBACK")
    let path = directory.path("hot.db")
    func first() throws -> Value? { try read(path)[0]?["a"] }
    // Without its super-journal, the transaction is complete.
    #expect(try first() == 1000)
    try directory.write("super.journal", "mine")
    #expect(try first() == 0)
    let failure = #expect(throws: FerryError.self) {
      try Conversion(to: .sqlite).convert(
        MemoryInput([UInt8](#"{"t":[{"a":"x"}]}"#.utf8)), to: DatabaseOutput(path: path))
    }
    #expect(failure?.reason == .database(.interrupted))
    #expect(try directory.bytes("super.journal") == Array("mine".utf8))
    #expect(try directory.bytes("hot.db-journal") == named)
    // A second end is behind the first one.
    try directory.write("hot.db-journal", named + Self.end(ofJournalWith: ""))
    #expect(try first() == 0)
    try directory.write("hot.db-journal", named + named.suffix(8))
    #expect(try first() == 0)
    try directory.write(
      "hot.db-journal", named + Self.end(ofJournalWith: "\0" + directory.path("super.journal")))
    #expect(try first() == 0)
    // The path ends at a zero byte.
    try directory.write(
      "hot.db-journal", journal + Self.end(ofJournalWith: directory.path("super.journal") + "\0x"))
    #expect(try first() == 0)
    #expect(try directory.bytes("super.journal") == Array("mine".utf8))
  }

  @Test func `A journal that is nothing but the path of a super-journal deletes no file`() throws {
    let path = try makeDatabase("test.db", "CREATE TABLE t (a)", "INSERT INTO t VALUES (1)")
    try directory.write("mine", "mine")
    let names = [Array(directory.path("mine").utf8), [0xff] + Array(directory.path("mine").utf8)]
    for (name, skipped) in names.flatMap({ name in (0...4).map { (name, $0) } }) {
      try directory.write("test.db-journal", Array(Self.end(ofJournalWith: name).dropFirst(skipped)))
      _ = try? Conversion(to: .sqlite).convert(
        MemoryInput([UInt8](#"{"t":[{"a":"x"}]}"#.utf8)), to: DatabaseOutput(path: path))
      #expect(try directory.bytes("mine") == Array("mine".utf8), "\(name) \(skipped)")
    }
  }

  private static func end(ofJournalWith path: String) -> [UInt8] { end(ofJournalWith: Array(path.utf8)) }

  /// Returns the end of a journal with a super-journal: the number of the locked page, the path, its length, its sum and a mark.
  private static func end(ofJournalWith path: [UInt8]) -> [UInt8] {
    func bigEndian(_ number: Int) -> [UInt8] {
      (0..<4).reversed().map { UInt8(truncatingIfNeeded: number >> (8 * $0)) }
    }
    // SQLite adds the bytes as signed numbers, as C does on most processors.
    let sum = path.reduce(0) { $0 + Int(Int8(bitPattern: $1)) }
    return bigEndian((1 << 30) / 4096 + 1) + path + bigEndian(path.count) + bigEndian(sum)
      + [0xd9, 0xd5, 0x05, 0xf9, 0x20, 0xa1, 0x63, 0xd7]
  }

  @Test func `A device or a folder in place of the journal or the log of a database is refused`() throws {
    let path = try makeDatabase("test.db", "CREATE TABLE t (a)", "INSERT INTO t VALUES (1)")
    for suffix in ["-journal", "-wal"] {
      try SystemPath.makeLink(path + suffix, to: "/dev/zero")
      let failure = #expect(throws: FerryError.self) { try read(path) }
      #expect(failure?.reason == .database(.noFileBeside(path + suffix)))
      try SystemPath.remove(path + suffix)
    }
    #expect(try read(path) == [["a": 1]])
  }

  @Test func `A database that another program changes is reported as locked`() throws {
    let path = try makeDatabase("test.db", "CREATE TABLE t (a)", "INSERT INTO t VALUES (1)")
    let other = try SQLiteConnection(changing: path, budget: Budget())
    try other.execute("BEGIN EXCLUSIVE")
    let failure = #expect(throws: FerryError.self) {
      try Conversion(to: .json).convert(FileInput(path: path), to: MemoryOutput())
    }
    #expect(failure?.reason == .database(.locked))
    try other.execute("ROLLBACK")
    #expect(try read(path) == [["a": 1]])
  }

  @Test func `A database is read in one state, whoever adds to it meanwhile`() throws {
    let path = try makeDatabase(
      "test.db", "CREATE TABLE t (a)", "CREATE TABLE u (a)", "INSERT INTO t VALUES (1)",
      "INSERT INTO u VALUES (1)")
    let other = try SQLiteConnection(changing: path, budget: Budget())
    _ = try other.statement("PRAGMA journal_mode = WAL").step()
    try other.execute("INSERT INTO t VALUES (2)")
    let adder = Adder { try? other.execute("INSERT INTO u VALUES (2)") }
    try ReadingOptions().read(FileInput(path: path), into: adder)
    #expect(adder.count == 3)
    #expect(try read(path, table: "u") == [["a": 1], ["a": 2], ["a": 2], ["a": 2]])
  }

  @Test func `A database leaves no temporary file`() async throws {
    let path = try makeDatabase("test.db", "CREATE TABLE t (a)", "INSERT INTO t VALUES (1)")
    let bytes = try directory.bytes("test.db")
    func temporaries() throws -> [String] {
      try FileManager.default.contentsOfDirectory(atPath: FileManager.default.temporaryDirectory.path)
        .filter { $0.hasPrefix(".ferry-") }
    }
    let before = try temporaries()
    _ = try read(bytes)
    _ = try write([["a": 1]])
    _ = try? read(Array(bytes.dropLast(5)))
    _ = try? Conversion(to: .sqlite).convert(Array("[{\"a\":1},2]".utf8))
    _ = try read(path)
    // Other tests have temporary files meanwhile, which go.
    var left = Set(try temporaries()).subtracting(before)
    let areGone = try await eventually {
      left.formIntersection(try temporaries())
      return left.isEmpty
    }
    #expect(areGone, "\(left)")
  }
}

/// Does something whenever a row comes.
private final class Adder: ForwardingSink {
  private(set) var count = 0
  private let action: () -> Void
  private var depth = 0

  init(_ action: @escaping () -> Void) {
    self.action = action
    super.init(to: NullSink())
  }

  override func beginDictionary(count: Int?) throws(FerryError) {
    depth += 1
    guard depth == 2 else { return }
    self.count += 1
    action()
  }

  override func endDictionary() throws(FerryError) { depth -= 1 }
}
