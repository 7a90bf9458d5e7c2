import Foundation
import TestSupport
import Testing

@testable import Ferry

@Suite(.temporaryDirectory, .enabled(if: Format.sqlite.canWrite)) struct `Writing of databases` {
  private func tables(_ bytes: [UInt8]) throws -> [String] {
    guard case .array(let rows) = try read(bytes, table: "sqlite_master") else { return [] }
    return rows.compactMap { row in if case .string(let sql)? = row["sql"] { sql } else { nil } }
  }

  @Test func `Records become a table whose columns are their keys, without a type`() throws {
    let records: Value = [["name": "Ada", "age": 36], ["name": .null, "age": .real(-0.0)]]
    let written = try write(records)
    #expect(written.losses == [])
    #expect(try tables(written.bytes) == [#"CREATE TABLE "records" ("name", "age")"#])
    #expect(try read(written.bytes) == records)
  }

  private func database(of lines: String) throws -> (bytes: [UInt8], report: Conversion.Report) {
    var conversion = Conversion(to: .sqlite)
    conversion.reading.format = .jsonLines
    return try conversion.convert(Array(lines.utf8))
  }

  @Test func `Columns that appear one after the other take a time that grows with the cells`() throws {
    let report = try expectProcessorTime(atMost: .seconds(10)) {
      try database(of: (0..<1900).map { "{\"id\":\($0),\"k\($0)\":\($0)}\n" }.joined()).report
    }
    #expect(report.losses.counts.map(\.kind) == [.missingAsNull])
    let lines = (0..<200).map { "{\"id\":\($0),\"k\($0)\":\($0)}\n" }.joined()
    guard case .array(let rows) = try read(database(of: lines).bytes) else {
      Issue.record("no list of rows")
      return
    }
    #expect(rows.count == 200)
    for (index, row) in rows.enumerated() {
      #expect(row["id"] == .integer(Int128(index)) && row["k\(index)"] == .integer(Int128(index)))
      #expect(row["k\(index ^ 1)"] ?? .null == .null)
    }
  }

  @Test func `A column may appear after any number of records, also of empty ones`() throws {
    let lines = "{}\n{}\n" + String(repeating: "{\"a\":1}\n", count: 140_000) + "{}\n{\"b\":\"x\",\"a\":2}\n"
    guard case .array(let rows) = try read(database(of: lines).bytes) else {
      Issue.record("no list of rows")
      return
    }
    #expect(rows.count == 140_004)
    #expect(rows[1]["a"] ?? .null == .null && rows[2]["a"] == 1 && rows[140_001]["a"] == 1)
    #expect(rows[140_002]["a"] ?? .null == .null)
    #expect(rows[140_003]["a"] == 2 && rows[140_003]["b"] == "x")
  }

  @Test func `More columns than SQLite allows are refused with the limit`() {
    let lines = (0..<2001).map { "{\"k\($0)\":1}\n" }.joined()
    let error = #expect(throws: FerryError.self) { try database(of: lines) }
    #expect(error?.reason == .database(.tooManyColumns(table: "records", limit: 2000)))
    #expect(error?.location.line == 2001)
  }

  @Test func `Records become a table of the requested name`() throws {
    #expect(try tables(write([["a": 1]], table: "my \"t\"").bytes) == [#"CREATE TABLE "my ""t""" ("a")"#])
    #expect(try tables(write(["a": [1]], table: "t").bytes) == [#"CREATE TABLE "t" ("a")"#])
  }

  @Test func `A name ends at no quotation mark in it, whatever follows the mark`() throws {
    // SQLite sees the quotation mark before a combining character, which is another `Character`.
    let (first, second) = ("a\"\u{301} b", "c\"\u{301} DEFAULT 7, \"d")
    let database = try write([.dictionary([.string(first): 1, .string(second): 2])], table: "t").bytes
    #expect(
      try tables(database)
        == ["CREATE TABLE \"t\" (\"a\"\"\u{301} b\", \"c\"\"\u{301} DEFAULT 7, \"\"d\")"])
    #expect(
      try rows(of: "t", in: database).map { Array($0.utf8) } == [Array("\(first)=1;\(second)=2;".utf8)])
  }

  @Test func `Names of tables and columns are compared as in SQLite, which folds the case of ASCII only`()
    throws
  {
    let names = ["\u{e9}", "e\u{301}", "\u{c9}", "\u{212b}", "\u{c5}"]
    let path = try makeDatabase(
      "names.db",
      names.enumerated().flatMap { index, name in
        let table = quotedName(name)
        return [
          "CREATE TABLE \(table) (\(table), \"o\u{308}\", \"\u{f6}\")",
          "INSERT INTO \(table) VALUES (\(index), 7, 8)",
        ]
      })
    let output = MemoryOutput()
    let report = try Conversion(to: .sqlite).convert(FileInput(path: path), to: output)
    #expect(report.losses.isEmpty)
    for (index, name) in names.enumerated() {
      let rows = try rows(of: name, in: output.bytes)
      #expect(rows.map { Array($0.utf8) } == [Array("\(name)=\(index);o\u{308}=7;\u{f6}=8;".utf8)])
    }
    for keys in [("a", "A"), ("e\u{301}", "E\u{301}")] {
      var record = KeyedValues()
      record[keys.0] = 1
      record[keys.1] = 2
      let failure = #expect(throws: FerryError.self) { try write([.dictionary(record)]) }
      #expect(failure?.reason == .database(.sameColumn(keys.0, keys.1)))
    }
  }

  /// The rows of a table in words, the names of whose columns are not compared as `String`.
  private func rows(of table: String, in database: [UInt8]) throws -> [String] {
    let path = TemporaryDirectory.current.path("copy.db")
    try Data(database).write(to: URL(filePath: path))
    let connection = try SQLiteConnection(reading: path, fileSize: database.count, budget: Budget())
    let statement = try connection.statement("SELECT * FROM \(quotedName(table))")
    var rows: [String] = []
    while try statement.step() {
      var row = ""
      for column in 0..<statement.columnCount {
        row += "\(statement.name(column))=\(statement.integer(column));"
      }
      rows.append(row)
    }
    return rows
  }

  @Test func `Records of XML are found under the root, in one table and in several`() throws {
    let people: Value = [["name": "Ada", "age": "36"], ["name": "Alan", "age": "41"]]
    let places: Value = [["x": "1"]]
    for (value, table) in [(people, "people"), (places, "places")] {
      let xml = try Conversion(to: .xml).convert(write(value).bytes).bytes
      var conversion = Conversion(to: .sqlite)
      conversion.writing.table = table
      let back = try conversion.convert(xml)
      #expect(try tables(back.bytes).first?.hasPrefix("CREATE TABLE \"\(table)\"") == true)
      #expect(try read(back.bytes) == value)
      #expect(back.report.losses.isEmpty)
    }
    let all: Value = ["people": people, "places": places]
    let xml = try Conversion(to: .xml).convert(write(all).bytes).bytes
    let back = try Conversion(to: .sqlite).convert(xml)
    #expect(try read(back.bytes) == all)
    #expect(back.report.losses.isEmpty)
  }

  private static let documents: [(String, Value, [Loss.Kind])] = [
    (#"<p id="1"><name>Ada</name></p>"#, [["@id": "1", "name": "Ada"]], []),
    (#"<p><q name="Ada"/></p>"#, [["@name": "Ada"]], []),
    (
      #"<p v="2">x<q><n>1</n></q><q><n>2</n></q></p>"#, [["n": "1"], ["n": "2"]],
      [.besideRecords, .mixedContent]
    ),
    (#"<p><tag>a</tag><tag>b</tag></p>"#, [["tag": #"["a","b"]"#]], [.nestedAsText]),
  ]

  @Test(arguments: documents)
  func `Records of one requested table are the elements under the root, or the root`(
    _ xml: String, _ records: Value, _ losses: [Loss.Kind]
  ) throws {
    var conversion = Conversion(to: .sqlite)
    conversion.writing.table = "t"
    let result = try conversion.convert(Array(xml.utf8))
    #expect(try read(result.bytes) == records)
    #expect(Set(result.report.losses.counts.map(\.kind)) == Set(losses))
  }

  private static let mixed: [(String, String?, Value, [Loss.Kind])] = [
    (
      "<r><a><x>1</x></a><b><x>2</x></b><a><x>3</x></a></r>", "b", [["x": "2"]],
      [.besideRecords, .siblingOrder]
    ),
    (
      "<r><a><x>1</x></a><b><x>2</x></b><a><x>3</x></a></r>", "A", [["x": "1"], ["x": "3"]],
      [.besideRecords, .siblingOrder]
    ),
    ("<r><a><x>1</x></a><a><x>3</x></a><b><x>2</x></b></r>", "b", [["x": "2"]], [.besideRecords]),
    ("<r><a><x>1</x></a><b><x>2</x></b></r>", "b", [["x": "2"]], [.besideRecords]),
    ("<r><b>of t</b><a><x>1</x></a><a><x>3</x></a></r>", "b", [["x": "1"], ["x": "3"]], [.besideRecords]),
    (
      "<r><a><x>1</x></a><b><x>2</x></b><a><x>3</x></a></r>", nil,
      ["a": [["x": "1"], ["x": "3"]], "b": [["x": "2"]]], [.siblingOrder]
    ),
  ]

  @Test(arguments: mixed)
  func `Elements of several names in any order are the records of the tables with these names`(
    _ xml: String, _ table: String?, _ records: Value, _ losses: [Loss.Kind]
  ) throws {
    for order in [XMLOrder.never, .needed] {
      var conversion = Conversion(to: .sqlite)
      (conversion.writing.table, conversion.reading.xml.order) = (table, order)
      let result = try conversion.convert(Array(xml.utf8))
      #expect(try read(result.bytes) == records)
      #expect(Set(result.report.losses.counts.map(\.kind)) == Set(losses))
    }
  }

  @Test func `Keys that a schema does not describe are reported for records that lack them`() throws {
    let schema = Schema(
      name: "t", collectionElement: "ts",
      record: RecordType(
        element: "t", className: "T",
        fields: [RecordField("k", .string), RecordField("o", .string, isOptional: true)]))
    let records: Value = [["k": "1"], ["k": "2", "extra": "e", "o": "p"], ["k": "3", "other": 1]]
    let losses = try write(records, schema: schema).losses
    #expect(
      losses == [
        "[0].extra: missingAsNull", "[0].other: missingAsNull", "[2].extra: missingAsNull",
      ])
    #expect(try write([["k": "1"], ["k": "2", "o": "p"]], schema: schema).losses == [])
  }

  @Test func `A table without records keeps the columns of the database that it comes from`() throws {
    let empty = try makeDatabase(
      "empty.db", "CREATE TABLE people (name TEXT, age INT)", "CREATE TABLE \"a \"\"b\" (x)",
      "INSERT INTO \"a \"\"b\" VALUES (1)")
    for table in ["PEOPLE", nil] {
      var conversion = Conversion(to: .sqlite)
      (conversion.reading.table, conversion.writing.table) = (table, table)
      let output = MemoryOutput()
      let report = try conversion.convert(FileInput(path: empty), to: output)
      #expect(report.losses.listed == [Loss(.tableDefinition, path: ValuePath([.key("people")]))])
      #expect(try tables(output.bytes)[0] == "CREATE TABLE \"\(table ?? "people")\" (\"name\", \"age\")")
    }
    let output = MemoryOutput()
    _ = try Conversion(to: .sqlite).convert(FileInput(path: exampleStore), to: output)
    #expect(try tables(output.bytes).count == 2)
  }

  @Test func `Records become a table with the types of their schema, and all values come back`() throws {
    let json = Array(RecordSample.all.last.map { $0.json }!.utf8)
    var conversion = Conversion(to: .sqlite)
    conversion.reading.schema = .everything
    let text = String(decoding: json, as: UTF8.self).replacing(
      "18446744073709551615", with: "9223372036854775807")
    let database = try conversion.convert(Array(text.utf8))
    #expect(database.report.losses.isEmpty)
    #expect(
      try tables(database.bytes) == [
        """
        CREATE TABLE "all" ("id" TEXT, "title" TEXT, "when" DATETIME, "count" INTEGER, "ratio" REAL, "price" TEXT, \
        "flag" BOOLEAN, "blob" BLOB, "link" TEXT, "uuid" TEXT, "tags" TEXT, "numbers" TEXT, "owner" TEXT, \
        "friends" TEXT)
        """
      ])
    let stored = try read(database.bytes)
    #expect(stored[0]?["owner"] == #"{"name":"Ada","age":36}"#)
    #expect(stored[0]?["blob"] == .data([0, 1, 2, 255]))
    #expect(stored[0]?["flag"] == 1)
    conversion.writing.format = .json
    let back = try conversion.convert(database.bytes)
    #expect(back.report.losses.isEmpty)
    #expect(String(decoding: back.bytes, as: UTF8.self) == text + "\n")
  }

  @Test func `An integer that the schema's column cannot hold is refused`() throws {
    var conversion = Conversion(to: .sqlite)
    conversion.reading.schema = .item
    let json =
      #"[{"name":"a","dateCreated":"2014-06-01T09:30:00Z","itemKey":"k","valueInDollars":9223372036854775808}]"#
    let failure = #expect(throws: FerryError.self) { try conversion.convert(Array(json.utf8)) }
    #expect(
      failure?.message == """
        9223372036854775808 does not fit into the column "valueInDollars", which holds integers of 64 bits \
        (a column of text holds it, which a new table has for the type decimal of a schema) (at [0].valueInDollars)
        """)
  }

  @Test(arguments: [
    #"[{"n":9223372036854775808},{"n":5}]"#, #"[{"n":18446744073709551615},{"n":5}]"#,
    "<r><i><n>9223372036854775808</n></i><i><n>5</n></i></r>",
  ])
  func `An inferred column for integers greater than those of a database holds text`(_ text: String) throws {
    var conversion = Conversion(to: .sqlite)
    conversion.infersSchema = true
    let written = try conversion.convert(Array(text.utf8)).bytes
    let back = String(decoding: try Conversion(to: .json).convert(written).bytes, as: UTF8.self)
    #expect(back.contains(#""5""#), "\(back)")
    #expect(back.contains(#""9223372036854775808""#) || back.contains(#""18446744073709551615""#), "\(back)")
  }

  @Test func `A table gets columns for the keys of later records, and missing values are reported`() throws {
    let written = try write([["a": 1], [:], ["b": 2, "a": 3], ["a": 4]])
    #expect(
      written.losses == [
        "[1].a: missingAsNull", "[0].b: missingAsNull", "[2]: columnOrder", "[3].b: missingAsNull",
      ])
    #expect(
      try read(written.bytes) == [
        ["a": 1, "b": .null], ["a": .null, "b": .null], ["a": 3, "b": 2], ["a": 4, "b": .null],
      ])
  }

  @Test func `Values without an equal in SQLite are written as near as possible and reported`() throws {
    let written = try write([
      [
        "yes": true, "nan": .real(.nan), "large": .integer(1 << 63), "date": .date(secondsSince2001: 0),
        "list": [1, .data([0])], "set": .set([1]),
      ]
    ])
    #expect(
      Set(written.losses) == [
        "[0].yes: booleanAsInteger", "[0].nan: notANumber", "[0].large: numberAsText", "[0].date: dateAsText",
        "[0].list: nestedAsText", "[0].list[1]: dataAsText", "[0].set: nestedAsText", "[0].set: setAsArray",
      ])
    #expect(
      try read(written.bytes) == [
        [
          "yes": 1, "nan": .null, "large": "9223372036854775808", "date": "2001-01-01T00:00:00Z",
          "list": #"[1,"AA=="]"#, "set": "[1]",
        ]
      ])
  }

  @Test func `The JSON text of a list keeps the notation of numbers, and a column does not`() throws {
    let written = try database(of: "{\"list\":[1.50,1e400],\"real\":2.50,\"text\":1e400}\n")
    #expect(
      Set(written.report.losses.listed.map { "\($0.path): \($0.kind)" }) == [
        "[0].list: nestedAsText", "[0].real: numberNotation", "[0].text: numberAsText",
      ])
    #expect(try read(written.bytes) == [["list": "[1.50,1e400]", "real": 2.5, "text": "1e400"]])
  }

  @Test func `Integers of any size keep their digits as text, and other numbers are reported`() throws {
    let integers = [
      "9223372036854775808", "18446744073709551615", "18446744073709551616", "-9223372036854775809",
      "10000000000000000000000001",
    ]
    for number in integers {
      let written = try database(of: "{\"a\":\(number),\"b\":[\(number)]}\n")
      let loss = Loss(.numberAsText, path: ValuePath([.index(0), .key("a")]))
      #expect(written.report.losses.listed.filter { $0.path == loss.path } == [loss])
      #expect(try read(written.bytes) == [["a": .string(number), "b": .string("[\(number)]")]])
    }
    let real = try database(of: "{\"a\":10000000000000000000000001.0}\n")
    #expect(real.report.losses.counts.map(\.kind) == [.numberAsReal])
    #expect(try read(real.bytes) == [["a": 1e25]])
  }

  @Test func `A dictionary of tables becomes a database`() throws {
    let value: Value = ["people": [["name": "Ada"]], "b c": [["x": .data([1])], ["x": 2]]]
    let written = try write(value)
    #expect(written.losses == [])
    #expect(try read(written.bytes) == value)
    let empty = try write(["people": [["name": "Ada"]], "none": []])
    #expect(empty.losses == ["none: emptyTable"])
    #expect(try read(write([]).bytes) == [:])
  }

  @Test func `A table has the columns of its schema even without records`() throws {
    let written = try write([], schema: .person)
    #expect(written.losses == [])
    #expect(try tables(written.bytes) == [#"CREATE TABLE "people" ("firstName" TEXT, "lastName" TEXT)"#])
    #expect(try read(written.bytes) == [])
  }

  @Test(
    arguments: [
      ("[1]", nil, "expected a dictionary as the row of a table, found an integer (at [0])"),
      ("[[1]]", nil, "expected a dictionary as the row of a table, found an array (at [0])"),
      ("[{\"a\":1},\"x\"]", nil, "expected a dictionary as the row of a table, found a string (at [1])"),
      ("\"x\"", nil, "expected a dictionary of tables, each an array of records, found a string"),
      ("{\"a\":1}", nil, "found an integer (at a)"),
      ("{\"a\":{}}", nil, "found a dictionary (at a)"),
      ("[{\"a\":1},{\"b\":2,\"A\":3}]", nil, #"the keys "a" and "A" would be one column"#),
      ("[{\"a\\u0000\":1}]", nil, #""a\u{0}" cannot be the name of a table or a column (at [0]["a\u{0}"])"#),
      ("[{\"a\":1}]", "", "cannot be the name of a table"),
      ("[{\"a\":1}]", "sqlite_x", "\"sqlite_x\" cannot be the name of a table or a column"),
      (
        "{\"SQLite_x\":[{\"a\":1}]}", nil,
        "\"SQLite_x\" cannot be the name of a table or a column (at SQLite_x)"
      ),
      ("{\"t\":[{\"a\":1}],\"T\":[{\"a\":1}]}", nil, #"the keys "t" and "T" would be one table"#),
    ] as [(String, String?, String)])
  func `Records that cannot become a table are refused`(_ json: String, _ table: String?, _ words: String) {
    var conversion = Conversion(to: .sqlite)
    conversion.writing.table = table
    let failure = #expect(throws: FerryError.self) { try conversion.convert(Array(json.utf8)) }
    #expect(failure?.message.contains(words) == true, "\(failure?.message ?? "")")
  }

  @Test func `Records become a table only in the plain representation`() {
    var conversion = Conversion(to: .sqlite)
    conversion.writing.representation = .typed
    let failure = #expect(throws: FerryError.self) { try conversion.convert(Array("[]".utf8)) }
    #expect(failure?.reason == .database(.onlyPlain))
  }

  @Test func `A strict conversion refuses values that a table cannot hold exactly`() {
    var conversion = Conversion(to: .sqlite)
    conversion.isStrict = true
    #expect(throws: Never.self) { try conversion.convert(Array(#"[{"a":1}]"#.utf8)) }
    let failure = #expect(throws: FerryError.self) { try conversion.convert(Array(#"[{"a":true}]"#.utf8)) }
    #expect(failure?.reason == .loss(.booleanAsInteger))
  }

  @Test func `All values of a table come back`() throws {
    let seed = UInt64.random(in: .min ... .max)
    var generator = SeededGenerator(seed: seed)
    for _ in 0..<50 {
      let keys = (0..<Int.random(in: 1...6, using: &generator)).map { "key \($0)" }
      let records = (0..<Int.random(in: 1...5, using: &generator)).map { _ in
        var record = KeyedValues()
        for key in keys { record[.string(key)] = Self.scalar(&generator) }
        return Value.dictionary(record)
      }
      let written = try write(.array(records))
      #expect(written.losses == [], "seed \(seed)")
      #expect(try read(written.bytes) == .array(records), "seed \(seed)")
    }
  }

  private static func scalar(_ generator: inout SeededGenerator) -> Value {
    switch Int.random(in: 0..<5, using: &generator) {
    case 0: return .null
    case 1: return .integer(Int128(Int64(bitPattern: generator.next())))
    case 2:
      let real = Double(bitPattern: generator.next())
      return .real(real.isNaN ? 0.5 : real)
    case 3:
      let scalars = (0..<Int.random(in: 0...9, using: &generator)).compactMap { _ in
        UnicodeScalar(UInt32.random(in: 0...0x10_ffff, using: &generator))
      }
      return .string(String(String.UnicodeScalarView(scalars)))
    default:
      return .data(
        (0..<Int.random(in: 0...9, using: &generator)).map { _ in UInt8.random(in: 0...255, using: &generator)
        })
    }
  }
}

@Suite(.temporaryDirectory, .enabled(if: Format.sqlite.canWrite)) struct `Additions to databases` {
  private func add(_ json: String, to path: String, table: String) throws -> [String] {
    var conversion = Conversion(to: .sqlite)
    conversion.writing.table = table
    let report = try conversion.convert(MemoryInput(Array(json.utf8)), to: DatabaseOutput(path: path))
    return report.losses.listed.map { "\($0.path): \($0.kind)" }
  }

  @Test func `Records that are added get the defaults of the table for missing keys`() throws {
    let path = try makeDatabase(
      "test.db", "CREATE TABLE t (id INTEGER PRIMARY KEY, a DEFAULT 'd', b)", "INSERT INTO t VALUES (5, 1, 2)"
    )
    #expect(try add(#"[{"b":3},{},{"id":9,"A":null}]"#, to: path, table: "t") == [])
    #expect(
      try read(path) == [
        ["id": 5, "a": 1, "b": 2], ["id": 6, "a": "d", "b": 3], ["id": 7, "a": "d", "b": .null],
        ["id": 9, "a": .null, "b": .null],
      ])
  }

  @Test func `Records are added to a database all together or not at all`() throws {
    let path = try makeDatabase(
      "test.db", "CREATE TABLE t (a UNIQUE, b, twice AS (a * 2))", "INSERT INTO t VALUES (1, 2)")
    let before = try TemporaryDirectory.current.bytes("test.db")
    for (json, words) in [
      (#"[{"a":5},{"c":1}]"#, #"the table "t" has no column "c" (at [1].c)"#),
      (#"[{"a":5},{"a":1}]"#, "table t, row 2: UNIQUE constraint failed: t.a (at [1])"),
      (#"[{"a":5},{"a":6}"#, "expected"), (#"[{"a":5},7]"#, "as the row of a table"),
      (#"[{"a":5},{"a":6,"twice":12,"b":1}]"#, #"cannot INSERT into generated column "twice" (at [1])"#),
    ] {
      let failure = #expect(throws: FerryError.self) { try add(json, to: path, table: "t") }
      #expect(failure?.message.contains(words) == true, "\(failure?.message ?? "")")
      #expect(try TemporaryDirectory.current.bytes("test.db") == before)
      #expect(try TemporaryDirectory.current.names() == ["test.db"])
    }
  }

  @Test func `Records are not added to a view or a virtual table`() throws {
    let path = try makeDatabase(
      "test.db", "CREATE TABLE t (a)", "CREATE VIEW w AS SELECT a FROM t",
      "CREATE TRIGGER i INSTEAD OF INSERT ON w BEGIN INSERT INTO t VALUES (new.a); END",
      "CREATE VIRTUAL TABLE f USING fts5(a)")
    let before = try TemporaryDirectory.current.bytes("test.db")
    for (table, words) in [
      ("W", #""W" is a view, but rows are added only to tables"#), ("f", #"the table "f" is virtual"#),
    ] {
      let failure = #expect(throws: FerryError.self) { try add(#"[{"a":5}]"#, to: path, table: table) }
      #expect(failure?.message.contains(words) == true, "\(failure?.message ?? "")")
      #expect(try TemporaryDirectory.current.bytes("test.db") == before)
    }
  }

  private static let rules: [(definitions: [String], words: String)] = [
    (["CREATE TABLE t (k PRIMARY KEY ON CONFLICT REPLACE, v)"], "UNIQUE constraint failed: t.k (at [1])"),
    (["CREATE TABLE t (k, v, UNIQUE (k) ON CONFLICT IGNORE)"], "UNIQUE constraint failed: t.k (at [1])"),
    (["CREATE TABLE T (k NOT NULL ON CONFLICT IGNORE, v)"], "NOT NULL constraint failed: T.k (at [2])"),
    (
      [
        "CREATE TABLE t (k, v)",
        "CREATE TRIGGER r BEFORE INSERT ON T WHEN NEW.k = 1 BEGIN SELECT raise(IGNORE); END",
      ], #"a trigger of the table "t" leaves out this record, removes it or renumbers its row (at [1])"#
    ),
    (
      [
        "CREATE TABLE t (k PRIMARY KEY, v) WITHOUT ROWID",
        "CREATE TRIGGER r BEFORE INSERT ON t WHEN NEW.k = 1 BEGIN SELECT raise(IGNORE); END",
        "INSERT INTO t VALUES (0, 0)",
      ], #"a trigger of the table "t" leaves out this record, removes it or renumbers its row (at [1])"#
    ),
    (
      [
        "CREATE TABLE t (_rowid_, k, v)",
        "CREATE TRIGGER r AFTER INSERT ON t WHEN NEW.k = 1 BEGIN DELETE FROM t WHERE k = 1; END",
      ], #"a trigger of the table "t" leaves out this record, removes it or renumbers its row (at [1])"#
    ),
  ]

  @Test(arguments: rules)
  func `Records that a table would drop, or put in place of others, are refused`(
    _ definitions: [String], _ words: String
  ) throws {
    let path = try makeDatabase(
      "test.db", definitions + (words.contains("UNIQUE") ? ["INSERT INTO t (k, v) VALUES (1, 0)"] : []))
    let before = try TemporaryDirectory.current.bytes("test.db")
    let failure = #expect(throws: FerryError.self) {
      try add(#"[{"k":2,"v":1},{"k":1,"v":2},{"k":null}]"#, to: path, table: "t")
    }
    #expect(failure?.message.contains(words) == true, "\(failure?.message ?? "")")
    #expect(try TemporaryDirectory.current.bytes("test.db") == before)
  }

  @Test(arguments: [
    // A log keeps its last two rows.
    (
      "CREATE TABLE t (k)", "DELETE FROM t WHERE rowid <= NEW.rowid - 2",
      [": removedByTrigger", ": removedByTrigger"]
    ),
    // A table without row numbers does not tell which row a trigger removes.
    (
      "CREATE TABLE t (k PRIMARY KEY) WITHOUT ROWID", "DELETE FROM t WHERE k = 2", [": removedByTrigger"]
    ),
    ("CREATE TABLE t (k)", "UPDATE t SET k = 7 WHERE k = 2", []),
  ])
  func `Rows that a trigger removes are counted`(
    _ table: String, _ action: String, _ losses: [String]
  ) throws {
    let path = try makeDatabase(
      "test.db", table, "INSERT INTO t VALUES (0)",
      "CREATE TRIGGER r AFTER INSERT ON t BEGIN \(action); END")
    #expect(try add(#"[{"k":1},{"k":2},{"k":3}]"#, to: path, table: "t") == losses)
    var strict = Conversion(to: .sqlite)
    strict.writing.table = "t"
    strict.isStrict = true
    let before = try TemporaryDirectory.current.bytes("test.db")
    let more = MemoryInput(Array(#"[{"k":11},{"k":2},{"k":13}]"#.utf8))
    if losses.isEmpty {
      _ = try strict.convert(more, to: DatabaseOutput(path: path))
    } else {
      #expect(throws: FerryError.self) { try strict.convert(more, to: DatabaseOutput(path: path)) }
      #expect(try TemporaryDirectory.current.bytes("test.db") == before)
    }
  }

  @Test func `Records whose table has triggers for other tables are added`() throws {
    let path = try makeDatabase(
      "test.db", "CREATE TABLE t (k)", "CREATE TABLE tags (k UNIQUE)", "INSERT INTO tags VALUES (1)",
      "CREATE TRIGGER r AFTER INSERT ON t BEGIN INSERT OR IGNORE INTO tags VALUES (NEW.k); END")
    #expect(try add(#"[{"k":1},{"k":2},{"k":2}]"#, to: path, table: "t") == [])
    #expect(try read(path) == ["t": [["k": 1], ["k": 2], ["k": 2]], "tags": [["k": 1], ["k": 2]]])
  }

  @Test(arguments: [
    #"[{"name":"a"},{"name":"b"},{"name":"a"},{"name":"c"}]"#,
    #"[{"name":"a"},{},{"name":"x"},{"name":"c"}]"#,
    #"[{"name":"a"},{"name":"b"},{"name":"c","nick":1},{"name":"d"}]"#,
  ])
  func `Records are not added if the table refuses one, also if the conversion keeps going`(_ json: String)
    throws
  {
    let path = try makeDatabase(
      "test.db", "CREATE TABLE t (name UNIQUE)",
      "CREATE TRIGGER r BEFORE INSERT ON t WHEN NEW.name = 'x' BEGIN SELECT raise(ROLLBACK, 'no x'); END")
    let before = try TemporaryDirectory.current.bytes("test.db")
    var conversion = Conversion(to: .sqlite)
    conversion.writing.table = "t"
    conversion.reading.schema = Schema(
      name: "t", collectionElement: "ts",
      record: RecordType(element: "t", className: "T", fields: [RecordField("name", .string)]))
    conversion.keepsGoing = true
    let failure = #expect(throws: FerryError.self) {
      try conversion.convert(MemoryInput(Array(json.utf8)), to: DatabaseOutput(path: path))
    }
    #expect(failure?.path.steps.first == .index(2))
    #expect(try TemporaryDirectory.current.bytes("test.db") == before)
  }

  @Test func `Records are added in a table of their own if the database has none of the name`() throws {
    let path = try makeDatabase("test.db", "CREATE TABLE t (a)")
    #expect(try add(#"[{"x":1}]"#, to: path, table: "u") == [])
    #expect(try read(path) == ["t": [], "u": [["x": 1]]])
  }

  @Test(arguments: ["REAL", "NUMERIC", "INT"])
  func `An integer that a column would change is refused in words that fit the column`(_ type: String) throws
  {
    let path = try makeDatabase("test.db", "CREATE TABLE t (n \(type))")
    let failure = #expect(throws: FerryError.self) {
      try add(#"[{"n":12345678901234567890}]"#, to: path, table: "t")
    }
    #expect(
      failure?.message == """
        12345678901234567890 does not fit into the column "n", which holds integers of 64 bits \
        (a column of text holds it, which a new table has for the type decimal of a schema) (at [0].n)
        """)
  }

  @Test func `A column for integers does not round a large integer of an inferred schema`() throws {
    let number = "9223372036854775808"
    let path = try makeDatabase("test.db", "CREATE TABLE t (n INTEGER)")
    var conversion = Conversion(to: .sqlite)
    conversion.writing.table = "t"
    conversion.infersSchema = true
    let failure = #expect(throws: FerryError.self) {
      try conversion.convert(MemoryInput(Array(#"[{"n":\#(number)}]"#.utf8)), to: DatabaseOutput(path: path))
    }
    #expect(failure?.message.hasPrefix(#"\#(number) does not fit into the column "n""#) == true)
    #expect(try read(path) == [])
  }

  @Test func `The changes that a column makes to added values are reported`() throws {
    let path = try makeDatabase(
      "test.db", "CREATE TABLE t (text TEXT, whole INT, number NUM, real REAL, any)")
    let losses = try add(
      #"[{"text":1,"whole":"12","number":" 1e2","real":5,"any":"1"},{"text":"1","whole":"0x10","number":1.5,"real":1.5}]"#,
      to: path, table: "t")
    #expect(
      losses == [
        "[0].text: columnType", "[0].whole: columnType", "[0].number: columnType", "[0].real: columnType",
      ])
    #expect(
      try read(path) == [
        ["text": "1", "whole": 12, "number": 100, "real": 5.0, "any": "1"],
        ["text": "1", "whole": "0x10", "number": 1.5, "real": 1.5, "any": .null],
      ])
  }
}
