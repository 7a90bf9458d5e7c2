import TestSupport
import Testing

@testable import Ferry

@Suite(.temporaryDirectory, .enabled(if: Format.sqlite.canWrite)) struct `Hostile databases` {
  private func failure(_ path: String, table: String? = nil, budget: Budget = Budget()) -> FerryError? {
    var conversion = Conversion(to: .json)
    conversion.reading.table = table
    conversion.reading.budget = budget
    return #expect(throws: FerryError.self) {
      try conversion.convert(FileInput(path: path), named: path, to: MemoryOutput())
    }
  }

  @Test(arguments: [
    "WITH RECURSIVE c(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM c) SELECT count(*) FROM c",
    "WITH RECURSIVE c(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM c) SELECT x FROM c",
    "WITH RECURSIVE c(x) AS (SELECT 1 UNION SELECT x + 1 FROM c) SELECT max(x) FROM c",
    "SELECT count(*) FROM t a, t b, t c, t d, t e, t f, t g, t h",
  ])
  func `A view without an end is stopped`(_ view: String) throws {
    let path = try makeDatabase(
      "test.db", "CREATE TABLE t (a)",
      "INSERT INTO t VALUES (1),(2),(3),(4),(5),(6),(7),(8),(9),(10),(11),(12)",
      "CREATE VIEW v AS \(view)")
    var budget = Budget()
    budget.amplificationFloor = 1 << 20
    #expect(failure(path, table: "v", budget: budget)?.reason == .overBudget(.amplification(100)))
    // And what is not asked for costs nothing.
    #expect(try read(path)[0] == ["a": 1])
  }

  @Test(arguments: [
    "zeroblob(900000000)", "replace(hex(zeroblob(4000000)), '0', 'xxxxxxxx')", "hex(zeroblob(400000000))",
  ])
  func `A value much larger than the database is refused`(_ expression: String) throws {
    let path = try makeDatabase("test.db", "CREATE TABLE t (a)", "CREATE VIEW v AS SELECT \(expression)")
    #expect(failure(path, table: "v")?.reason == .overBudget(.amplification(100)))
  }

  @Test(arguments: ["z AS (zeroblob(8000000 + a * 0))", "z DEFAULT 'long'", "long DEFAULT 1"])
  func `Rows that are much larger together than the database are refused`(_ column: String) throws {
    let long = String(repeating: "x", count: 100_000)
    let path = try makeDatabase(
      "test.db", "CREATE TABLE t (a)",
      "WITH RECURSIVE c(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM c WHERE x < 2000) "
        + "INSERT INTO t SELECT x FROM c",
      "ALTER TABLE t ADD COLUMN \(column.replacing("long", with: long))")
    expectProcessorTime(atMost: .seconds(20)) {
      #expect(failure(path)?.reason == .overBudget(.amplification(100)))
    }
  }

  @Test func `Each conversion of an open database has a budget of its own`() throws {
    let long = String(repeating: "x", count: 1000)
    let path = try makeDatabase(
      "test.db", "CREATE TABLE t (a, \(long))",
      "WITH RECURSIVE c(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM c WHERE x < 100) "
        + "INSERT INTO t (a) SELECT x FROM c")
    var conversion = Conversion(to: .json)
    // The file has 8192 bytes, and the names of the columns of all rows have about 100,000.
    conversion.reading.budget.amplification = 15
    conversion.reading.budget.amplificationFloor = 1 << 16
    let input = try #require(try DatabaseInput(FileInput(path: path), budget: conversion.reading.budget))
    for _ in 0..<3 { _ = try conversion.convert(input, to: NullOutput()) }
    conversion.reading.budget.amplification = 10
    let other = try #require(try DatabaseInput(FileInput(path: path), budget: conversion.reading.budget))
    #expect(throws: FerryError.self) { try conversion.convert(other, to: NullOutput()) }
  }

  private static let endless =
    "WITH RECURSIVE c(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM c) SELECT x FROM c"

  @Test(arguments: [
    "SELECT count(*) FROM (\(endless))", endless, "SELECT hex(zeroblob(400000000))",
  ])
  func `A trigger without an end is stopped, and adds nothing`(_ query: String) throws {
    let path = try makeDatabase(
      "test.db", "CREATE TABLE t (a)", "CREATE TABLE log (b)",
      "CREATE TRIGGER r AFTER INSERT ON t BEGIN INSERT INTO log \(query); END")
    let before = try TemporaryDirectory.current.bytes("test.db")
    var conversion = Conversion(to: .sqlite)
    conversion.writing.table = "t"
    let failure = #expect(throws: FerryError.self) {
      try conversion.convert(
        MemoryInput(Array(#"[{"a":1},{"a":2}]"#.utf8)), named: "a.json", to: DatabaseOutput(path: path))
    }
    #expect(failure?.reason == .overBudget(.amplification(100)))
    #expect(try TemporaryDirectory.current.bytes("test.db") == before)
  }

  @Test func `Many and large rows are added to a small database with a trigger`() throws {
    let path = try makeDatabase(
      "test.db", "CREATE TABLE t (a)", "CREATE TABLE log (b)",
      "CREATE TRIGGER r AFTER INSERT ON t BEGIN "
        + "INSERT INTO log SELECT count(*) FROM log WHERE b >= 0; END")
    let long = String(repeating: "x", count: 12 << 20)
    let rows = (0..<3000).map { #"{"a":\#($0)}"# } + [#"{"a":"\#(long)"}"#]
    var conversion = Conversion(to: .sqlite)
    conversion.writing.table = "t"
    _ = try conversion.convert(
      MemoryInput(Array("[\(rows.joined(separator: ","))]".utf8)), named: "a.json",
      to: DatabaseOutput(path: path))
    #expect(try read(path, table: "log")[3000]?["b"] == 3000)
  }

  @Test(arguments: ["x - 1", "x % 700 + 1", "min(x - 1, 1)"])
  func `A store of many entities that inherit from each other is written table by table`(
    _ parent: String
  ) throws {
    let path = try makeDatabase(
      "test.db",
      "CREATE TABLE Z_PRIMARYKEY (Z_ENT INTEGER PRIMARY KEY, Z_NAME, Z_SUPER INTEGER, Z_MAX INTEGER)",
      "CREATE TABLE Z_METADATA (Z_VERSION, Z_UUID, Z_PLIST)",
      """
      INSERT INTO Z_PRIMARYKEY WITH RECURSIVE numbers(x) AS
        (SELECT 1 UNION ALL SELECT x + 1 FROM numbers WHERE x < 700)
        SELECT x, 'E' || x, \(parent), 0 FROM numbers
      """,
      "CREATE TABLE ZE1 (Z_PK INTEGER PRIMARY KEY, Z_ENT INTEGER, Z_OPT INTEGER, ZNAME VARCHAR)",
      "INSERT INTO ZE1 VALUES (1, 1, 1, 'Ada'), (2, 3, 1, 'Eve')")
    let written = try expectProcessorTime(atMost: .seconds(4)) {
      let output = MemoryOutput()
      _ = try Conversion(to: .sqlite).convert(FileInput(path: path), named: path, to: output)
      return output.bytes
    }
    let copy = TemporaryDirectory.current.path("copy.db")
    try TemporaryDirectory.current.write("copy.db", written)
    guard !parent.contains("%") else { return }
    #expect(try read(copy)["E1"] == [["objectID": "E1/p1", "name": "Ada"]])
    #expect(try read(copy)["E3"] == [["objectID": "E3/p2", "name": "Eve"]])
  }

  @Test func `Many tables of a database are converted in time in proportion to their number`() throws {
    let numbers = 0..<2000
    let path = try makeDatabase(
      "test.db", ["BEGIN"] + numbers.map { "CREATE TABLE t\($0) (a)" } + ["COMMIT"])
    try expectProcessorTime(atMost: .seconds(10)) {
      let input = try #require(try DatabaseInput(FileInput(path: path), budget: Budget()))
      for number in numbers {
        var conversion = Conversion(to: .csv)
        conversion.reading.table = "t\(number)"
        let output = MemoryOutput()
        _ = try conversion.convert(input, to: output)
        #expect(output.bytes == Array("a\n".utf8))
      }
    }
  }

  @Test func `Values are as large as the budget allows`() throws {
    let path = try makeDatabase(
      "test.db", "CREATE TABLE t (a, b)", "INSERT INTO t VALUES (zeroblob(1000), 'x')")
    var budget = Budget()
    budget.tokenBytes = 999
    #expect(failure(path, budget: budget)?.reason == .overBudget(.tokenBytes(999)))
    #expect(try read(path)[0]?["b"] == "x")
  }

  @Test func `A view that SQLite cannot compile is named, and the rest is inspected`() throws {
    let path = try makeDatabase("test.db", "CREATE TABLE t (a)", "CREATE VIEW bad AS SELECT nope FROM t")
    let found = try Inspection(reading: FileInput(path: path), named: path)
    #expect(found.store?.tables.map(\.name) == ["t", "bad"])
    #expect(found.warnings.first.map(\.detail) == ["the view bad: no such column: nope"])
  }

  @Test func `An error in a row of a view names the view`() throws {
    let path = try makeDatabase(
      "test.db", "CREATE TABLE t (a)", "INSERT INTO t VALUES (1)",
      "CREATE VIEW v AS SELECT abs(-9223372036854775808) AS x FROM t")
    let reason = failure(path, table: "v")?.reason
    #expect(reason == .database(.refused(location: "view v, row 1", words: "integer overflow")))
  }

  @Test(arguments: ["load_extension('x')", "writefile('x', 'y')", "readfile('/etc/passwd')", "edit('a')"])
  func `A function that could do something is not called`(_ call: String) throws {
    let path = try makeDatabase("test.db", "CREATE TABLE t (a)", "CREATE VIEW v AS SELECT \(call) FROM t")
    switch failure(path, table: "v")?.reason {
    // The last three are functions of SQLite's shell.
    case .database(.untrusted("view v", "load_extension()")): break
    case .database(.refused(_, let words)) where words.hasPrefix("no such function: "): break
    case let reason: Issue.record("\(String(describing: reason))")
    }
    #expect(try TemporaryDirectory.current.names() == ["test.db"])
  }

  @Test func `JSON functions in generated columns, indexes and constraints are called`() throws {
    let path = try makeDatabase(
      "test.db", "CREATE TABLE t (d CHECK (json_valid(d)), x AS (json_extract(d, '$.x')))",
      "CREATE INDEX i ON t (d ->> '$.x')", "INSERT INTO t (d) VALUES ('{\"x\":1}')",
      "CREATE TABLE o (a)", "INSERT INTO o VALUES (1)", "CREATE VIEW v AS SELECT a FROM o")
    #expect(try read(path, table: "t") == [["d": #"{"x":1}"#, "x": 1]])
    #expect(try read(path, table: "v") == [["a": 1]])
    #expect(try read(path)["o"] == [["a": 1]])
    #expect(try Inspection(reading: FileInput(path: path), named: path).warnings.isEmpty)
    var conversion = Conversion(to: .sqlite)
    conversion.writing.table = "t"
    _ = try conversion.convert(
      MemoryInput(Array(#"[{"d":"{\"x\":2}"}]"#.utf8)), named: "a.json", to: DatabaseOutput(path: path))
    #expect(try read(path, table: "t")[1]?["x"] == 2)
    let failure = #expect(throws: FerryError.self) {
      try conversion.convert(
        MemoryInput(Array(#"[{"d":"{"}]"#.utf8)), named: "a.json", to: DatabaseOutput(path: path))
    }
    // SQLite computes the index before it checks the constraint.
    #expect(failure?.message.contains("malformed JSON") == true, "\(failure?.message ?? "")")
  }

  @Test func `A view calls JSON functions`() throws {
    let path = try makeDatabase(
      "test.db", "CREATE TABLE t (d)", "INSERT INTO t VALUES ('{\"x\":1}'), ('{\"x\":2}')",
      "CREATE VIEW v AS SELECT json_extract(d, '$.x') AS x, d ->> '$.x' AS y FROM t",
      "CREATE VIEW w AS SELECT json_group_array(x) AS z FROM v WHERE CURRENT_DATE LIKE '2%'")
    #expect(try read(path, table: "v") == [["x": 1, "y": 1], ["x": 2, "y": 2]])
    #expect(try read(path, table: "w") == [["z": "[1,2]"]])
    let found = try Inspection(reading: FileInput(path: path), named: path)
    #expect(found.warnings.isEmpty)
    #expect(found.store?.tables.map(\.columns.count) == [1, 2, 1])
  }

  @Test(arguments: [
    ("SELECT json(d), rtreecheck('t') FROM t", "rtreecheck()"),
    ("SELECT * FROM u", "rtreecheck()"),
    ("SELECT json(d), name FROM t, pragma_table_info('t')", #"virtual table "pragma_table_info""#),
  ])
  func `A view that calls JSON functions calls no others that may have side effects`(
    _ view: String, _ name: String
  ) throws {
    let path = try makeDatabase(
      "test.db", "CREATE TABLE t (d)", "INSERT INTO t VALUES ('[]')",
      "CREATE VIEW u AS SELECT json(d), rtreecheck('t') FROM t", "CREATE VIEW v AS \(view)",
      "CREATE VIEW w AS SELECT d FROM t")
    let connection = try SQLiteConnection(reading: path, fileSize: 1 << 14, budget: Budget())
    for table in try connection.tables() where table.name == "v" {
      let failure = #expect(throws: FerryError.self) { _ = try connection.rows(of: table).step() }
      #expect(failure?.reason == .database(.untrusted(location: "", name: name)))
    }
    #expect(try read(path, table: "w") == [["d": "[]"]])
  }

  @Test(arguments: ["unsafe use of json", "x) - unsafe use of json", "unsafe use of load_extension()"])
  func `A name in the file is not taken for a function that may have side effects`(_ name: String) throws {
    let path = try makeDatabase("test.db", "CREATE TABLE t (a)", "CREATE VIEW v AS SELECT * FROM \"\(name)\"")
    let message = failure(path, table: "v")?.message ?? ""
    #expect(message.contains("no such table: ") && message.contains(name), "\(message)")
    #expect(!message.contains("does not run"), "\(message)")
  }

  @Test func `A view with JSON functions reads a table with a name as of a PRAGMA statement`() throws {
    let path = try makeDatabase(
      "test.db", "CREATE TABLE pragma_notes (d)", "INSERT INTO pragma_notes VALUES ('{\"x\":1}')",
      "CREATE VIEW v AS SELECT json_extract(d, '$.x') AS x FROM Pragma_Notes")
    #expect(try read(path, table: "v") == [["x": 1]])
  }

  @Test(arguments: ["dbstat", "main.dbstat", "\"DBSTAT\""])
  func `A view of a virtual table that no statement creates is refused as one of a virtual table`(
    _ table: String
  ) throws {
    let path = try makeDatabase("test.db", "CREATE TABLE t (a)", "CREATE VIEW v AS SELECT * FROM \(table)")
    let connection = try SQLiteConnection(reading: path, fileSize: 1 << 14, budget: Budget())
    // SQLite can be built without this module.
    guard connection.modules.contains(SQLiteName("dbstat")) else { return }
    #expect(failure(path, table: "v")?.reason == .database(.viewOfVirtualTable("v")))
  }

  @Test func `A trigger does not change virtual tables`() throws {
    let path = try makeDatabase(
      "test.db", "CREATE TABLE t (a)", "CREATE VIRTUAL TABLE v USING fts5(words)",
      "CREATE TRIGGER r AFTER INSERT ON t BEGIN INSERT INTO v VALUES (new.a); END")
    var conversion = Conversion(to: .sqlite)
    conversion.writing.table = "t"
    let failure = #expect(throws: FerryError.self) {
      try conversion.convert(
        MemoryInput(Array(#"[{"a":"x"}]"#.utf8)), named: "a.json", to: DatabaseOutput(path: path))
    }
    #expect(
      failure?.message.contains("uses virtual table \"v\", which Ferry does not run") == true,
      "\(failure?.message ?? "")")
  }

  @Test func `A module is not run`() throws {
    let path = try makeDatabase(
      "test.db", "CREATE TABLE t (a)", "CREATE VIRTUAL TABLE v USING fts5(words)",
      "INSERT INTO v VALUES ('x')")
    let result = try Conversion(to: .json).convert(FileInput(path: path), to: MemoryOutput())
    #expect(result.losses.listed.first == Loss(.virtualTable, path: ValuePath([.key("v")])))
    #expect(failure(path, table: "v")?.reason == .database(.virtualTable("v")))
  }

  @Test(arguments: ["CREATE/**/VIRTUAL TABLE", "create -- a\nVirtual TABLE", "CREATE \u{feff}VIRTUAL\tTABLE"])
  func `A module is not run, whatever is between the words of the statement for its table`(
    _ words: String
  ) throws {
    let path = try makeDatabase(
      "test.db", "CREATE TABLE t (a)", "CREATE VIRTUAL TABLE v USING fts5(words)",
      "INSERT INTO v VALUES ('x')", "PRAGMA writable_schema = ON",
      "UPDATE sqlite_master SET sql = '\(words) v USING fts5(words)' WHERE name = 'v'")
    let result = try Conversion(to: .json).convert(FileInput(path: path), to: MemoryOutput())
    #expect(result.losses.listed.first == Loss(.virtualTable, path: ValuePath([.key("v")])))
    #expect(failure(path, table: "v")?.reason == .database(.virtualTable("v")))
    let tables = try Inspection(reading: FileInput(path: path), named: path).store?.tables
    #expect(tables?.first { $0.name == "v" }?.kind == .virtual)
  }

  @Test func `An inspection does not run a module for the columns of a view`() throws {
    let path = try makeDatabase(
      "test.db", "CREATE TABLE t (a)", "CREATE VIRTUAL TABLE \"f \"\"s\" USING fts5(words)",
      "CREATE VIEW v AS SELECT words FROM \"F \"\"S\"", "CREATE VIEW w AS SELECT * FROM [v]",
      "CREATE VIEW x AS SELECT a FROM t")
    let tables = try Inspection(reading: FileInput(path: path), named: path).store?.tables ?? []
    let views = tables.filter { $0.kind == .view }
    #expect(views.map(\.name) == ["v", "w", "x"])
    #expect(views.map(\.columns.count) == [0, 0, 1])
  }

  @Test(arguments: ["v", "w"])
  func `A view of a virtual table is refused before SQLite runs the module for its columns`(
    _ view: String
  ) throws {
    let path = try makeDatabase(
      "test.db", "CREATE TABLE t (a)", "CREATE VIRTUAL TABLE f USING fts5(words)",
      "CREATE VIEW v AS SELECT words FROM f", "CREATE VIEW w AS SELECT * FROM v")
    #expect(failure(path, table: view)?.reason == .database(.viewOfVirtualTable(view)))
  }

  @Test(arguments: [
    "SELECT a FROM t WHERE a IN f", "SELECT a FROM t, f", "SELECT (SELECT count(*) FROM F) FROM t",
    "WITH c AS (SELECT a FROM t UNION SELECT words FROM main.[f]) SELECT a FROM c",
  ])
  func `A view that uses a virtual table at any place is refused`(_ view: String) throws {
    let path = try makeDatabase(
      "test.db", "CREATE TABLE t (a)", "CREATE VIRTUAL TABLE f USING fts5(words)",
      "CREATE VIEW v AS \(view)")
    #expect(failure(path, table: "v")?.reason == .database(.viewOfVirtualTable("v")))
  }

  @Test(arguments: [
    "SELECT f AS x FROM t", "SELECT a AS x FROM t WHERE 'f' = 'f'", "SELECT f.f AS x FROM t AS f",
    "WITH f AS (SELECT f AS y FROM t) SELECT y AS x FROM f",
  ])
  func `A view that only has a name of a virtual table is read`(_ view: String) throws {
    let path = try makeDatabase(
      "test.db", "CREATE TABLE t (a, f)", "INSERT INTO t VALUES (1, 1)",
      "CREATE VIRTUAL TABLE f USING fts5(words)", "CREATE VIEW v AS \(view)")
    #expect(try read(path, table: "v") == [["x": 1]])
    let tables = try Inspection(reading: FileInput(path: path), named: path).store?.tables
    #expect(tables?.first { $0.name == "v" }?.columns.map(\.name) == ["x"])
  }

  @Test func `A connection for reading has no modules, except those of JSON functions`() throws {
    let path = try makeDatabase(
      "test.db", "CREATE TABLE t (a)", "INSERT INTO t VALUES ('[1,2]')",
      "CREATE VIRTUAL TABLE f USING fts5(words)",
      "CREATE VIEW v AS SELECT value FROM t, json_each(t.a)")
    let connection = try SQLiteConnection(reading: path, fileSize: 1 << 16, budget: Budget())
    let failure = #expect(throws: FerryError.self) {
      _ = try connection.statement("SELECT * FROM f").step()
    }
    #expect(failure?.reason == .database(.refused(location: "", words: "no such module: fts5")))
    #expect(try read(path, table: "v") == [["value": 1], ["value": 2]])
  }

  @Test func `An inspection lets a view call no more functions than a conversion does`() throws {
    let path = try makeDatabase(
      "test.db", "CREATE TABLE t (a)", "CREATE VIEW v AS SELECT name FROM pragma_table_info('t')",
      "CREATE VIEW w AS SELECT a FROM t")
    let found = try Inspection(reading: FileInput(path: path), named: path)
    #expect(found.warnings.first.map(\.kind) == [.brokenView])
    #expect(found.store?.tables.map(\.columns.count) == [1, 0, 1])
    let reason = failure(path, table: "v")?.reason
    let name = #"virtual table "pragma_table_info""#
    #expect(reason == .database(.untrusted(location: "view v", name: name)))
  }

  @Test func `Functions that are not innocuous are trusted only for the tables that need them`() throws {
    let path = try makeDatabase(
      "test.db", "CREATE TABLE t (d, x AS (json_extract(d, '$.x')))",
      "INSERT INTO t (d) VALUES ('{\"x\":1}')", "CREATE TABLE o (a)", "CREATE VIEW v AS SELECT a FROM o")
    let connection = try SQLiteConnection(reading: path, fileSize: 1 << 14, budget: Budget())
    func isTrusted() throws -> Bool {
      let setting = try connection.statement("PRAGMA trusted_schema")
      return try setting.step() && setting.integer(0) != 0
    }
    #expect(try !isTrusted())
    try connection.beginReading()
    #expect(try !isTrusted())
    for table in try connection.tables() {
      let hasRow = try connection.rows(of: table).step()
      #expect(hasRow == (table.name == "t"))
      if table.name != "t" { #expect(try !isTrusted(), "\(table.name)") }
    }
  }

  @Test func `Functions are not trusted after definitions that SQLite cannot read`() throws {
    let path = try makeDatabase("test.db", "CREATE TABLE t (a)")
    let connection = try SQLiteConnection(reading: path, fileSize: 1 << 13, budget: Budget())
    let writer = try SQLiteConnection(changing: path, budget: Budget())
    for sql in [
      "PRAGMA writable_schema = ON", "UPDATE sqlite_master SET sql = 'CREATE TABLE t ('",
      "PRAGMA schema_version = 99",
    ] { try writer.execute(sql) }
    #expect(throws: FerryError.self) { try connection.beginReading() }
    let setting = try connection.statement("PRAGMA trusted_schema")
    #expect(try setting.step())
    #expect(setting.integer(0) == 0)
  }

  @Test func `Tables with the names of functions for PRAGMA statements are only read`() throws {
    let path = try makeDatabase(
      "test.db", "CREATE TABLE t (a PRIMARY KEY, b) WITHOUT ROWID",
      "INSERT INTO t VALUES (2, 'x'), (1, 'y')",
      "CREATE VIEW pragma_page_size AS SELECT x AS page_size FROM (\(Self.endless))",
      "CREATE VIEW pragma_index_list AS SELECT x AS name FROM (\(Self.endless))")
    #expect(try read(path, table: "t") == [["a": 1, "b": "y"], ["a": 2, "b": "x"]])
  }

  @Test func `A trigger is not run unless that is asked for`() throws {
    let path = try makeDatabase(
      "test.db", "CREATE TABLE t (a)", "INSERT INTO t VALUES (1)",
      "CREATE TRIGGER r AFTER INSERT ON t BEGIN DELETE FROM t; END")
    let before = try TemporaryDirectory.current.bytes("test.db")
    #expect(try read(path) == [["a": 1]])
    #expect(try TemporaryDirectory.current.bytes("test.db") == before)
  }

  @Test func `A damaged database is refused with the table and the row`() throws {
    let path = try makeDatabase(
      "test.db", "PRAGMA page_size = 512", "CREATE TABLE people (a)", "CREATE TABLE other (a)",
      "WITH RECURSIVE c(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM c WHERE x < 100) "
        + "INSERT INTO people SELECT printf('person %d', x) || hex(zeroblob(20)) FROM c")
    var bytes = try TemporaryDirectory.current.bytes("test.db")
    for index in bytes.count - 1024..<bytes.count { bytes[index] = 0xff }
    try TemporaryDirectory.current.write("test.db", bytes)
    let message = failure(path)?.message ?? ""
    #expect(message.hasPrefix("table people, row "), "\(message)")
    #expect(message.contains("the database is damaged (database disk image is malformed)"), "\(message)")
  }

  @Test(arguments: ["", "CREATE VIRTUAL TABLE v USING fts5(words)"])
  func `A check finds an index whose page is damaged, and names its table`(_ other: String) throws {
    let path = try makeDatabase(
      "test.db",
      ["PRAGMA page_size = 512", "CREATE TABLE t (a)", "CREATE INDEX i ON t (a)"]
        + (other.isEmpty ? [] : [other]) + ["INSERT INTO t VALUES ('x')"])
    func check() throws -> FileCheck.Result {
      try FileCheck().result(of: FileInput(path: path), named: path)
    }
    #expect(try check().isOK)
    var bytes = try TemporaryDirectory.current.bytes("test.db")
    // The third page is the root of the index.
    for index in 1024..<1536 { bytes[index] = 0 }
    try TemporaryDirectory.current.write("test.db", bytes)
    #expect(try read(path, table: "t") == [["a": "x"]])
    let failure = #expect(throws: FerryError.self) { try check() }
    guard case .database(.damaged("table t", _))? = failure?.reason else {
      return #expect(Bool(false), "\(failure?.message ?? "")")
    }
  }

  @Test func `A check names a table that only the app can check, and checks the others`() throws {
    let path = try makeDatabase(
      "test.db", "PRAGMA page_size = 512", "CREATE TABLE t (a)", "CREATE INDEX i ON t (a)",
      "CREATE TABLE u (a)",
      "CREATE INDEX j ON u (a)", "INSERT INTO t VALUES ('x')", "INSERT INTO u VALUES ('x')",
      "PRAGMA writable_schema = ON",
      "UPDATE sqlite_master SET sql = 'CREATE TABLE t (a COLLATE of_the_app)' WHERE name = 't'")
    let result = try FileCheck().result(of: FileInput(path: path), named: path)
    #expect(result.isOK)
    #expect(result.notes == [.uncheckedTables(["t"])])
    var bytes = try TemporaryDirectory.current.bytes("test.db")
    // The last page is the root of the other index.
    for index in bytes.count - 512..<bytes.count { bytes[index] = 0 }
    try TemporaryDirectory.current.write("test.db", bytes)
    let failure = #expect(throws: FerryError.self) {
      try FileCheck().result(of: FileInput(path: path), named: path)
    }
    guard case .database(.damaged("table u", _))? = failure?.reason else {
      return #expect(Bool(false), "\(failure?.message ?? "")")
    }
  }

  @Test func `A check beside a virtual table is one of all other tables`() throws {
    let path = try makeDatabase(
      "test.db", "CREATE TABLE \"2024\" (a)", "CREATE VIRTUAL TABLE v USING fts5(words)")
    let result = try FileCheck().result(of: FileInput(path: path), named: path)
    #expect(result.isOK)
    #expect(result.notes.isEmpty)
  }

  /// The statements for a table `t` that only the app can check, so that SQLite checks tables one by one.
  private static let tableOfApp = [
    "CREATE TABLE t (a)", "CREATE INDEX i ON t (a)", "INSERT INTO t VALUES ('x')",
    "PRAGMA writable_schema = ON",
    "UPDATE sqlite_master SET sql = 'CREATE TABLE t (a COLLATE of_the_app)' WHERE name = 't'",
  ]

  @Test func `A check one by one names a table whose name SQLite takes for a number`() throws {
    let path = try makeDatabase("test.db", ["CREATE TABLE \"2024\" (a)"] + Self.tableOfApp)
    let result = try FileCheck().result(of: FileInput(path: path), named: path)
    #expect(result.isOK)
    #expect(result.notes == [.uncheckedTables(["2024", "t"])])
  }

  @Test func `A check of a file and of its bytes gives one verdict on rows that break a constraint`() throws {
    let path = try makeDatabase(
      "test.db", "CREATE TABLE t (x CHECK (x > 0))", "PRAGMA ignore_check_constraints = ON",
      "INSERT INTO t VALUES (-5)")
    let bytes = try TemporaryDirectory.current.bytes("test.db")
    for input in [try FileInput(path: path), MemoryInput(bytes)] as [any ByteInput] {
      let result = try FileCheck().result(of: input, named: path)
      #expect(result.isOK)
      #expect(result.notes.isEmpty)
    }
  }

  @Test func `A check visits a limited number of tables, and names those that it leaves out`() throws {
    let path = try makeDatabase(
      "test.db", ["CREATE TABLE r (a)", "CREATE TABLE s (a)"] + Self.tableOfApp)
    let connection = try SQLiteConnection(reading: path, fileSize: 1 << 16, budget: Budget())
    let tables = try connection.tables()
    func unchecked(afterChecks count: Int) throws -> [String] {
      try connection.checkIntegrity(of: tables, byteCount: 1 << 16, mostVisits: count * tables.count)
    }
    #expect(try unchecked(afterChecks: 0) == ["r", "s", "t"])
    #expect(try unchecked(afterChecks: 1) == ["s", "t"])
    #expect(try unchecked(afterChecks: 3) == ["t"])
  }

  /// A small database with a table, an index, a view and long values.
  private func sample() throws -> [UInt8] {
    try makeDatabase(
      "sample.db", "PRAGMA page_size = 512",
      "CREATE TABLE t (id INTEGER PRIMARY KEY, a TEXT, b REAL, c BLOB)", "CREATE INDEX i ON t (a)",
      "CREATE TABLE u (k PRIMARY KEY, v) WITHOUT ROWID", "CREATE VIEW v AS SELECT a FROM t",
      "INSERT INTO t VALUES (1, 'Ada', 1.5, zeroblob(700)), (2, 'Alan', NULL, x'00')",
      "INSERT INTO u VALUES ('x', 1), ('y', 'z')")
    return try TemporaryDirectory.current.bytes("sample.db")
  }

  @Test func `A database that ends early is refused`() throws {
    let bytes = try sample()
    let lengths = Array(stride(from: 0, to: bytes.count, by: 7))
    try Damage(to: bytes, lengths: lengths, offsets: []).check { _ = try Conversion(to: .json).convert($0) }
  }

  @Test(arguments: [0xff, 0x01, 0x80] as [UInt8])
  func `A database with any byte changed is read or refused`(_ change: UInt8) throws {
    let bytes = try sample()
    // Everything of the header and the pages' headers, some of the rest.
    let offsets = Array(0..<160) + Array(stride(from: 160, to: bytes.count, by: 5))
    for table in [nil, "v"] {
      var conversion = Conversion(to: .json)
      conversion.reading.format = .sqlite
      conversion.reading.table = table
      try Damage(to: bytes, lengths: [], offsets: offsets, change: .flipping([change])).check { bytes in
        do throws(FerryError) {
          _ = try conversion.convert(bytes)
        } catch {
          switch error.reason {
          case .database, .overBudget, .file, .cannotHold: throw error
          default: Issue.record("\(error)")
          }
        }
      }
    }
  }

  @Test func `A store with any byte changed is read or refused`() throws {
    let bytes = try FileInput(path: exampleStore).readAll()
    let offsets = Array(stride(from: 0, to: bytes.count, by: 3))
    let damage = Damage(to: bytes, lengths: [], offsets: offsets, change: .flipping([0xff]))
    try damage.check { _ = try Conversion(to: .json).convert($0) }
    try damage.check { _ = try Inspection(reading: MemoryInput($0)) }
  }
}
