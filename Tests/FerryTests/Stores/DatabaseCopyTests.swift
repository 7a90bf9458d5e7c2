import TestSupport
import Testing

@testable import Ferry

@Suite(.temporaryDirectory, .enabled(if: Format.sqlite.canWrite)) struct `The copy of a database` {
  private static let accounts = [
    "CREATE TABLE accounts (id INTEGER PRIMARY KEY, v TEXT NOT NULL)", "CREATE INDEX i ON accounts (v)",
    "CREATE VIEW w AS SELECT v FROM accounts",
    "CREATE TRIGGER g AFTER INSERT ON accounts BEGIN SELECT 1; END",
    "INSERT INTO accounts VALUES (1, 'x')", "PRAGMA user_version = 7", "PRAGMA application_id = 0",
  ]

  /// Converts a database to a new one. Returns the statements that define it, and the losses.
  private func copy(
    _ path: String, _ change: (inout Conversion) -> Void = { _ in }
  ) throws -> (definitions: [String], losses: [String]) {
    var conversion = Conversion(to: .sqlite)
    change(&conversion)
    let output = MemoryOutput()
    let report = try conversion.convert(FileInput(path: path), to: output)
    guard case .array(let rows) = try read(output.bytes, table: "sqlite_master") else { return ([], []) }
    return (
      rows.compactMap { row in if case .string(let sql)? = row["sql"] { sql } else { nil } },
      report.losses.listed.map { "\($0.kind.rawValue) \($0.path)" }
    )
  }

  @Test func `The copy of a database keeps the name of the only table, and what it lacks is reported`() throws
  {
    let path = try makeDatabase("v.db", Self.accounts)
    let copy = try copy(path)
    #expect(copy.definitions == [#"CREATE TABLE "accounts" ("id", "v")"#])
    #expect(
      copy.losses == [
        "table-definition accounts", "index i", "view w", "trigger g", "database-number user_version",
      ])
    var conversion = Conversion(to: .sqlite)
    conversion.isStrict = true
    let failure = #expect(throws: FerryError.self) {
      try conversion.convert(FileInput(path: path), to: MemoryOutput())
    }
    #expect(failure?.code == "loss.table-definition")
  }

  @Test func `Only the parts of the table that is read are reported`() throws {
    let path = try makeDatabase(
      "two.db", Self.accounts + ["CREATE TABLE b (x INT)", "CREATE INDEX j ON b (x)"])
    #expect(
      try copy(path) { $0.reading.table = "b" }.losses == [
        "table-definition b", "index j", "database-number user_version",
      ])
    #expect(try copy(path) { $0.reading.table = "w" }.losses == ["view w", "database-number user_version"])
    let all = try copy(path)
    #expect(all.definitions == [#"CREATE TABLE "accounts" ("id", "v")"#, #"CREATE TABLE "b" ("x")"#])
    #expect(all.losses.count == 7)
  }

  @Test
  func `The copy of a database by a schema keeps the table's name, and the types that Ferry has written`()
    throws
  {
    let path = try makeDatabase(
      "p.db", #"CREATE TABLE "Person" ("firstName" TEXT, "lastName" TEXT)"#, "CREATE TABLE other (a)",
      "INSERT INTO Person VALUES ('A', 'B')", "INSERT INTO other VALUES (1)")
    let copy = try copy(path) { $0.reading.schema = .person }
    #expect(copy.definitions == [#"CREATE TABLE "Person" ("firstName" TEXT, "lastName" TEXT)"#])
    #expect(copy.losses == ["beside-records other"])
    #expect(try self.copy(path) { $0.reading.table = "person" }.losses == ["table-definition Person"])
  }

  @Test func `A table is copied under another name`() throws {
    let path = try makeDatabase(
      "two.db", "CREATE TABLE a (x)", "CREATE TABLE b (y)", "INSERT INTO b VALUES (1)")
    let copy = try copy(path) { ($0.reading.table, $0.writing.table) = ("b", "c") }
    #expect(copy.definitions == [#"CREATE TABLE "c" ("y")"#])
  }

  @Test func `A table is not read from JSON, and only one name for both sides is that of the new table`()
    throws
  {
    let json = Array(#"[{"a":1}]"#.utf8)
    var conversion = Conversion(to: .sqlite)
    conversion.reading.table = "t"
    let failure = #expect(throws: FerryError.self) { try conversion.convert(json) }
    #expect(failure?.reason == .database(.noTables(format: "json")))
    conversion.writing.table = "t"
    #expect(try read(conversion.convert(json).bytes, table: "t") == [["a": 1]])
  }

  @Test func `A database is not replaced by its copy`() throws {
    let path = try makeDatabase("v.db", Self.accounts)
    let failure = #expect(throws: FerryError.self) {
      try Conversion(to: .sqlite).convert(FileInput(path: path), named: path, to: MemoryOutput(), named: path)
    }
    #expect(failure?.reason == .database(.notRewritten))
  }

  @Test(arguments: [Format.json, .csv, .xml, .archive])
  func `A database is not replaced by its records in another format`(_ format: Format) throws {
    let path = try makeDatabase("v.db", Self.accounts)
    let failure = #expect(throws: FerryError.self) {
      try Conversion(to: format).convert(FileInput(path: path), named: path, to: MemoryOutput(), named: path)
    }
    #expect(failure?.reason == .database(.notRewritten))
  }

  @Test func `What a database loses is reported also if it is added to another, unless that has the same`()
    throws
  {
    let path = try makeDatabase("v.db", Self.accounts)
    let other = try makeDatabase("m.db", "CREATE TABLE z (a)", "PRAGMA user_version = 8")
    func add(to output: String) throws -> [String] {
      let report = try Conversion(to: .sqlite).convert(
        FileInput(path: path), to: DatabaseOutput(path: output))
      return report.losses.listed.map { "\($0.kind.rawValue) \($0.path)" }
    }
    let all = [
      "table-definition accounts", "index i", "view w", "trigger g", "database-number user_version",
    ]
    #expect(try add(to: other) == all)
    var conversion = Conversion(to: .sqlite)
    conversion.isStrict = true
    let failure = #expect(throws: FerryError.self) {
      try conversion.convert(FileInput(path: path), to: DatabaseOutput(path: other))
    }
    #expect(failure?.code == "loss.table-definition")
    let same = try makeDatabase("same.db", Self.accounts + ["DELETE FROM accounts"])
    #expect(try add(to: same) == [])
    let similar = try makeDatabase("similar.db", "CREATE TABLE accounts (id INTEGER PRIMARY KEY, v TEXT)")
    #expect(try add(to: similar) == all)
  }

  @Test func `The columns of a table without rows are kept in tables, and reported elsewhere`() throws {
    let path = try makeDatabase(
      "e.db", "CREATE TABLE t (a, \"b,c\")", "CREATE TABLE u (x)", "INSERT INTO u VALUES (1)",
      "CREATE VIEW v AS SELECT a + 1 AS q FROM t")
    /// Returns the text, and the losses after it.
    func convert(_ format: Format, table: String?) throws -> String {
      var conversion = Conversion(to: format)
      conversion.reading.table = table
      let output = MemoryOutput()
      let losses = try conversion.convert(FileInput(path: path), to: output).losses.listed
      return String(decoding: output.bytes, as: UTF8.self)
        + losses.map { "\($0.path): \($0.kind.rawValue)" }.joined(separator: ", ")
    }
    #expect(try convert(.csv, table: "t") == "a,\"b,c\"\n")
    #expect(try convert(.tsv, table: "t") == "a\t\"b,c\"\n")
    #expect(try convert(.csv, table: "v") == "q\n")
    #expect(try convert(.json, table: "t") == "[]\n: column-names")
    #expect(try convert(.json, table: nil) == #"{"t":[],"u":[{"x":1}]}"# + "\nt: column-names")
  }

  @Test(arguments: [
    ("CREATE TABLE t (a)", true), ("create table t(a,b)", true),
    ("CREATE TABLE \"t (\" (\"a\"\"b\", [c d], 'e')", true),
    ("CREATE TABLE t (a, -- the first\n b /* TEXT, */)", true), ("CREATE TABLE t (a TEXT)", false),
    ("CREATE TABLE t (a, UNIQUE (a))", false), ("CREATE TABLE t (a COLLATE NOCASE)", false),
    ("CREATE TABLE t (a DEFAULT 1, b)", false), ("CREATE TABLE t (a PRIMARY KEY) WITHOUT ROWID", false),
    ("CREATE TABLE t (a, b CHECK (b > 1))", false), ("CREATE TABLE t (a, \"b\" \"my type\")", false),
    ("CREATE TABLE t", false), ("", false), ("(", false), ("CREATE TABLE t (\"", false), ("-", false),
  ])
  func `A definition that has only names is not lost`(_ sql: String, _ expected: Bool) {
    let definition = SQLiteDefinition(kind: .table, name: "t", table: "t", sql: sql)
    #expect(definition.hasOnlyNames == expected)
  }
}
