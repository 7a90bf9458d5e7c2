import TestSupport
import Testing

@testable import Ferry

@Suite(.temporaryDirectory, .enabled(if: Format.sqlite.canWrite)) struct `Reading of databases` {
  @Test func `Each value of a database is read as it is stored`() throws {
    let path = try makeDatabase(
      "test.db", "CREATE TABLE t (a, b)",
      "INSERT INTO t VALUES (9223372036854775807, -9223372036854775807 - 1)",
      "INSERT INTO t VALUES (-0.0, 9e999), (-9e999, 5.0), (1, 1.5)",
      "INSERT INTO t VALUES ('', x''), ('a' || char(0) || 'b', x'00ff'), (NULL, 'ü🎈')")
    let value = try read(path)
    #expect(value[0] == ["a": .integer(Int128(Int64.max)), "b": .integer(Int128(Int64.min))])
    guard case .real(let zero)? = value[1]?["a"] else { return #expect(Bool(false), "\(value)") }
    #expect(zero.sign == .minus && zero == 0)
    #expect(value[1]?["b"] == .real(.infinity))
    #expect(value[2] == ["a": .real(-.infinity), "b": 5.0])
    #expect(value[3] == ["a": 1, "b": 1.5])
    #expect(value[4] == ["a": "", "b": .data([])])
    #expect(value[5] == ["a": "a\0b", "b": .data([0, 0xff])])
    #expect(value[6] == ["a": .null, "b": "ü🎈"])
  }

  @Test func `Values are read as they are stored, whatever types their columns declare`() throws {
    let path = try makeDatabase(
      "test.db", "CREATE TABLE t (day DATE, flag BOOLEAN, moment TIMESTAMP, price DECIMAL)",
      "INSERT INTO t VALUES ('2014-06-01', 1, 423307800, 2.20)")
    #expect(
      try read(path) == [["day": "2014-06-01", "flag": 1, "moment": 423_307_800, "price": 2.2]])
  }

  @Test func `A database is read again after its schema is inferred`() throws {
    let path = try makeDatabase(
      "test.db", "CREATE TABLE people (name TEXT, age INTEGER)",
      "INSERT INTO people VALUES ('Ada', 36), ('Bo', NULL)")
    var conversion = Conversion(to: .jsonLines)
    conversion.infersSchema = true
    let output = MemoryOutput()
    _ = try conversion.convert(FileInput(path: path), named: path, to: output)
    #expect(
      String(decoding: output.bytes, as: UTF8.self) == """
        {"name":"Ada","age":36}
        {"name":"Bo"}

        """)
  }

  @Test func `A value that the output cannot hold is located in its row, also with a schema`() throws {
    let path = try makeDatabase(
      "test.db", "CREATE TABLE t (n, x)", "INSERT INTO t VALUES (1, 'a'), (2, 'b' || char(1))")
    var conversion = Conversion(to: .xmlPropertyList)
    conversion.reading.schema = Schema(
      name: "t", collectionElement: "ts",
      record: RecordType(
        element: "t", className: "T", fields: [RecordField("n", .integer), RecordField("x", .string)]))
    for goesOn in [false, true] {
      conversion.keepsGoing = goesOn
      let failure = #expect(throws: FerryError.self) {
        try conversion.convert(FileInput(path: path), to: MemoryOutput())
      }
      #expect(failure?.path == ValuePath([.index(1), .key("x")]))
    }
  }

  @Test func `The selected part of one table of several is one table`() throws {
    let path = try makeDatabase(
      "test.db", "CREATE TABLE p (a, b)", "INSERT INTO p VALUES (1, 'x'), (2, 'y')", "CREATE TABLE q (c)",
      "INSERT INTO q VALUES (3)")
    let selections = [
      ("p[*]", "a,b\n1,x\n2,y\n"), ("p", "a,b\n1,x\n2,y\n"), ("p[b=y]", "a,b\n2,y\n"), ("p[*].b", "x\ny\n"),
      ("p[a>1]", "a,b\n2,y\n"), ("p[a!=1][b>x]", "a,b\n2,y\n"),
    ]
    for (select, text) in selections {
      for infersSchema in [false, true] where !infersSchema || !select.hasSuffix(".b") {
        var conversion = Conversion(to: .csv)
        (conversion.reading.select, conversion.infersSchema) = (select, infersSchema)
        #expect(try conversion.tableNames(of: FileInput(path: path), named: path).isEmpty)
        let output = MemoryOutput()
        _ = try conversion.convert(FileInput(path: path), named: path, to: output)
        #expect(String(decoding: output.bytes, as: UTF8.self) == text, "\(select)")
      }
    }
    var conversion = Conversion(to: .csv)
    conversion.reading.select = "[0]"
    let error = #expect(throws: FerryError.self) {
      try conversion.convert(FileInput(path: path), to: MemoryOutput())
    }
    #expect(error?.reason == .database(.severalTables(["p", "q"])))
  }

  @Test func `Rows are read in the order of their keys, and not in that of an index`() throws {
    let path = try makeDatabase(
      "test.db", "CREATE TABLE numbered (a)", "CREATE INDEX i ON numbered (a)",
      "INSERT INTO numbered (rowid, a) VALUES (3, 'x'), (1, 'z'), (2, 'y')",
      "CREATE TABLE keyed (a PRIMARY KEY, b) WITHOUT ROWID", "CREATE INDEX j ON keyed (b, a)",
      "INSERT INTO keyed VALUES ('b', 1), ('a', 2)")
    let value = try read(path)
    #expect(value["numbered"] == [["a": "z"], ["a": "y"], ["a": "x"]])
    #expect(value["keyed"] == [["a": "a", "b": 2], ["a": "b", "b": 1]])
  }

  @Test func `A database is read as its one table, or as a dictionary of all tables`() throws {
    #expect(try read(makeDatabase("one.db", "CREATE TABLE t (a)", "INSERT INTO t VALUES (1)")) == [["a": 1]])
    let several = try makeDatabase(
      "several.db", "CREATE TABLE z (a)", "CREATE TABLE a (id INTEGER PRIMARY KEY AUTOINCREMENT)",
      "INSERT INTO a VALUES (7)")
    let value = try read(several)
    // In the order in which they were made, without those that SQLite makes for itself.
    #expect(value == ["z": [], "a": [["id": 7]]])
    guard case .dictionary(let tables) = value else { return }
    #expect(tables.keys.map { $0 } == ["z", "a"])
    #expect(try read(several, table: "A") == [["id": 7]])
    #expect(try read(several, table: "sqlite_sequence") == [["name": "a", "seq": 7]])
    #expect(try read(makeDatabase("none.db", "PRAGMA user_version = 1")) == [:])
  }

  @Test func `A view is read only on request`() throws {
    let path = try makeDatabase(
      "test.db", "CREATE TABLE t (a)", "INSERT INTO t VALUES (1), (2)",
      "CREATE VIEW twice AS SELECT a * 2 AS b FROM t ORDER BY a DESC")
    #expect(try read(path) == [["a": 1], ["a": 2]])
    #expect(try read(path, table: "twice") == [["b": 4], ["b": 2]])
  }

  @Test func `Tables and columns have names of any kind`() throws {
    let path = try makeDatabase(
      "test.db", #"CREATE TABLE "a ""b"" [c]" ("x y", "", "select", "rowid", "ä")"#,
      #"INSERT INTO "a ""b"" [c]" VALUES (1, 2, 3, 4, 5)"#)
    #expect(try read(path, table: #"a "b" [c]"#) == [["x y": 1, "": 2, "select": 3, "rowid": 4, "ä": 5]])
  }

  @Test func `A database in UTF-16 is read`() throws {
    let path = try makeDatabase(
      "test.db", "PRAGMA encoding = 'UTF-16le'", "CREATE TABLE t (a)", "INSERT INTO t VALUES ('ü🎈')")
    #expect(try read(path) == [["a": "ü🎈"]])
  }

  @Test func `Text of a database that is not UTF-8 is repaired and reported`() throws {
    let path = try makeDatabase(
      "test.db", "CREATE TABLE t (a)", "INSERT INTO t VALUES (CAST(x'41ff42' AS TEXT))")
    let result = try Conversion(to: .json).convert(FileInput(path: path).readAll())
    #expect(String(decoding: result.bytes, as: UTF8.self) == "[{\"a\":\"A\u{fffd}B\"}]\n")
    #expect(result.report.losses.listed == [Loss(.invalidText, path: ValuePath([.index(0), .key("a")]))])
  }

  @Test func `A Core Data store is read as it is stored on request`() throws {
    let value = try read(exampleStore, representation: .raw)
    #expect(value["ZPERSON"]?[0]?["ZFIRSTNAME"] == "Manny")
    #expect(value["Z_PRIMARYKEY"]?[1]?["Z_NAME"] == "Person")
  }

  @Test func `A schema determines the table and the types of a database`() throws {
    let path = try makeDatabase(
      "test.db", "CREATE TABLE other (a)", "CREATE TABLE Items (name, dateCreated, itemKey, valueInDollars)",
      "INSERT INTO Items VALUES ('a', '2014-06-01 09:30:00', 'k', 1), ('b', 1401615000, 'k', 2)",
      "INSERT INTO Items VALUES ('c', '2014-06-01T09:30:00Z', 'k', 3), ('d', '2014-06-01', 'k', 4)")
    var conversion = Conversion(to: .json)
    conversion.reading.schema = .item
    let result = try conversion.convert(FileInput(path: path).readAll())
    let dates = try Value(reading: MemoryInput(result.bytes))
    for index in 0..<3 { #expect(dates[index]?["dateCreated"] == "2014-06-01T09:30:00Z", "\(index)") }
    #expect(dates[3]?["dateCreated"] == "2014-06-01T00:00:00Z")
    #expect(result.report.losses.isEmpty)
  }

  @Test func `A number of a database that is neither 0 nor 1 is not a boolean`() throws {
    let schema = Schema(
      name: "s", collectionElement: "t",
      record: RecordType(element: "r", className: "R", fields: [RecordField("flag", .boolean)]))
    var conversion = Conversion(to: .json)
    conversion.reading.schema = schema
    let bytes = try FileInput(
      path: makeDatabase("test.db", "CREATE TABLE t (flag)", "INSERT INTO t VALUES (0), (1)")
    ).readAll()
    #expect(
      try String(decoding: conversion.convert(bytes).bytes, as: UTF8.self)
        == "[{\"flag\":false},{\"flag\":true}]\n")
    let other = try FileInput(
      path: makeDatabase("two.db", "CREATE TABLE t (flag)", "INSERT INTO t VALUES (2)")
    ).readAll()
    let failure = #expect(throws: FerryError.self) { try conversion.convert(other) }
    #expect(failure?.message == "expected true or false in the field flag, found 2 (at [0].flag)")
  }

  @Test func `A table without row numbers is read in the order of its primary key, whatever that is`() throws
  {
    let path = try makeDatabase(
      "key.db",
      "CREATE TABLE t (a, b, c, PRIMARY KEY (b DESC, a COLLATE NOCASE)) WITHOUT ROWID",
      "INSERT INTO t VALUES ('x', 1, 1), ('B', 2, 0), ('a', 2, 3), ('q', 3, 2)", "CREATE INDEX i ON t (c)")
    #expect(
      try read(path) == [
        ["a": "q", "b": 3, "c": 2], ["a": "a", "b": 2, "c": 3], ["a": "B", "b": 2, "c": 0],
        ["a": "x", "b": 1, "c": 1],
      ])
  }
}
