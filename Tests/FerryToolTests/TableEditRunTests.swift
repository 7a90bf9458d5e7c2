import TestSupport
import Testing

@Suite(.temporaryDirectory) struct `Changes of tables at the shell` {
  private func run(_ line: String) async throws -> ToolRun { try await ToolRun.shell(line) }

  @Test func `A column is renamed in the header, and every other byte stays`() async throws {
    let text = "\u{feff}id;\"full; name\";town\r\n1;\"a \"\"b\"\"\";Rome\r\n\r\n2;\"c\";"
    try directory.write("a.csv", text)
    try directory.write("b.tsv", "id\tname\n1\tx\n")
    let run = try await ToolRun.shell(
      #"""
      ferry rename a.csv --key '"full; name"=name' --key 'id=a;b' -n
      ferry rename a.csv --key '"full; name"=name' --key 'id=a;b' && cat a.csv
      ferry rename b.tsv a.csv --key name=title --out-dir o; cat o/b.tsv; ferry get o/a.csv '[0]' --keys
      """#)
    #expect(
      run.output
        == "a.csv: column id → a;b\na.csv: column full; name → name\n"
        + text.replacing("\"full; name\"", with: "\"name\"").replacing("id;", with: "\"a;b\";")
        + "id\ttitle\n1\tx\na;b\ntitle\ntown\n", "\(run)")
    #expect(run.errors == "1 of 1 would change\n2 of 2 changed\n", "\(run.errors)")
    for (rule, status, words) in [
      ("nam=x", 1, #"--key nam=x: no table has a column "nam" (did you mean "name"?)"#),
      ("name=id", 1, "b.tsv"), ("name=x --key name=y", 64, "two rules rename the column \"name\""),
    ] {
      let refused = try await ToolRun.shell("ferry rename b.tsv --key \(rule)")
      #expect(Int(refused.status) == status && refused.errors.contains(words), "\(rule): \(refused)")
    }
    #expect(try directory.text("b.tsv") == "id\tname\n1\tx\n")
  }

  @Test func `A renaming reads files and the standard input in the given format`() async throws {
    try directory.write("a.txt", "id,name\n1,x\n")
    _ = try await ToolRun.shell("mkdir d")
    try directory.write("d/b", "id;name\n2;y\n")
    try directory.write("c.csv", "id\tname\n3\tz\n")
    let piped = try await run("ferry rename - --from csv --key name=title < a.txt")
    #expect(piped.output == "id,title\n1,x\n" && piped.errors == "", "\(piped)")
    expectQuiet(try await run("ferry rename a.txt --from csv --key name=title"))
    #expect(try directory.text("a.txt") == "id,title\n1,x\n")
    expectQuiet(try await run("ferry rename d --from csv --key name=title"))
    #expect(try directory.text("d/b") == "id;title\n2;y\n")
    expectQuiet(try await run("ferry rename c.csv -f tsv --key name=title"))
    #expect(try directory.text("c.csv") == "id\ttitle\n3\tz\n")
    try directory.write("a.json", "[{\"a\":1}]")
    try directory.write(
      "t.json", #"{"$ferry":1,"$archiver":"NSKeyedArchiver","$top":{"root":{"$class":"Person","name":"A"}}}"#)
    expectQuiet(try await run("ferry convert a.json --to plist-binary -o b.plist"))
    expectQuiet(
      try await run("ferry convert t.json --form typed --to archive -o t.archive && mv t.archive t.csv"))
    expectQuiet(try await run("ferry rename t.csv --from archive --key Person.name=title"))
    #expect(try await run("ferry get t.csv name --from archive").status != 0)
    #expect(try await run("ferry get t.csv title --from archive").output == "A\n")
    let columns =
      "--delimiter, --quote, --skip-initial-space, --skip-rows, --ragged and --encoding need --key OLD=NEW"
    for (line, status, words) in [
      ("a.json --from json --key a=b", 64, "--from json cannot be used with rename, which changes property"),
      ("d.nib --from nib --class A=B", 64, "--from nib cannot be used with rename"),
      ("c.csv --from csv --class A=B", 64, "--from csv needs --key OLD=NEW, which renames a column"),
      ("b.plist --from plist --key A.b=c --delimiter comma", 64, columns),
      ("b.plist --from plist-binary --key A.b=c", 1, "no archive has a class \"A\""),
      ("b.plist --from archive --key A.b=c", 1, "b.plist: not a keyed archive: its root is not a dictionary"),
      ("a.json --from plist-binary --key A.b=c", 1, "this is not a binary property list"),
      ("d --from plist-binary --key A.b=c", 1, "this is not a binary property list"),
    ] {
      let run = try await ToolRun.shell("ferry rename \(line)")
      #expect(Int(run.status) == status && run.errors.contains(words), "\(line): \(run)")
    }
    #expect(try directory.text("a.json") == "[{\"a\":1}]")
    #expect(try directory.text("c.csv") == "id\ttitle\n3\tz\n")
  }

  @Test func `A renaming that finds nothing says what is missing in the kinds of files that it has read`()
    async throws
  {
    try directory.write("a.csv", "id,name\n1,x\n")
    try directory.write("a.json", "{}")
    expectQuiet(try await run("ferry convert a.json --to plist-xml -o a.plist"))
    for (line, status, words) in [
      ("a.csv a.json --key id=i -n", 1, "a.json: not a table: only CSV and TSV have columns to rename\n"),
      ("a.csv a.plist --key P.x=y", 1, #"no archive has a class "P", and no table has a column "P.x""#),
      ("a.csv --key P.x=y", 1, #"--key P.x=y: no table has a column "P.x""#),
      ("a.plist --key P.x=y", 1, #"--key P.x=y: no archive has a class "P""#),
      // The rule for the other column is carried out.
      ("a.csv --key nope=x --key name=title", 1, #"--key nope=x: no table has a column "nope""#),
      (
        "- --key id=i < a.csv", 64,
        "(only columns of CSV and TSV have no class; --from csv reads any input as a table, "
          + "and \"ferry move\" renames a key of other files)"
      ),
      (
        "a.json --key id=i", 64,
        "(only columns of CSV and TSV have no class; --from csv reads any input as a table, "
          + "and \"ferry move\" renames a key of other files)"
      ),
      ("a.csv --key id=i --from plist", 64, "(only columns of CSV and TSV have no class)"),
    ] {
      let run = try await ToolRun.shell("ferry rename \(line)")
      #expect(Int(run.status) == status && run.errors.contains(words), "\(line): \(run)")
    }
    #expect(try directory.text("a.csv") == "id,title\n1,x\n")
  }

  @Test func `The commands change a table in place, and get prints what set takes`() async throws {
    let text = "name;city\r\n\"Ada\";\"a; b\"\r\n\r\nBo;Rome\r\n"
    try directory.write("a.csv", text)
    expectQuiet(try await run("ferry set a.csv '[name=\"Ada\"].city' Oslo"))
    #expect(try directory.text("a.csv") == text.replacing("\"a; b\"", with: "Oslo"))
    expectQuiet(try await run("ferry set a.csv '[0].city' 'a; b'"))
    #expect(try directory.text("a.csv") == text)
    for path in ["[0].name", "[0].city", "[1].name", "[1].city", "[0]"] {
      let type = path == "[0]" ? " --type json" : ""
      expectQuiet(try await run("ferry set a.csv '\(path)' \"$(ferry get a.csv '\(path)')\"\(type)"))
      #expect(try directory.text("a.csv") == text, "\(path)")
    }
    expectQuiet(
      try await run(
        "ferry insert a.csv '[1]' '{\"city\":\"Kyiv\",\"name\":\"Cy\"}' --type json; ferry remove a.csv '[0]'"
      )
    )
    #expect(try directory.text("a.csv") == "name;city\r\nCy;Kyiv\r\n\r\nBo;Rome\r\n")
    let column = try await run("ferry set a.csv '[*].city' x; ferry insert a.csv '[*].new' y")
    #expect(column.errors == "a.csv: 2 values set\na.csv: 2 values inserted\n")
    #expect(try directory.text("a.csv") == "name;city;new\r\nCy;x;y\r\n\r\nBo;x;y\r\n")
    try directory.write("h.csv", "a,b\n")
    let moved = try await run("ferry move h.csv '[*].a' '[*].c'")
    #expect(
      moved.status == 1
        && moved.errors.contains(
          "no value matches the path, because the table has no rows (ferry rename FILE --key OLD=NEW renames a column in the header)"
        ), "\(moved)")
    let removal = try await run("ferry remove a.csv '[*].city' -o b.csv")
    #expect(removal.errors == "a.csv: 2 values removed\n")
    #expect(try directory.text("b.csv") == "name;new\r\nCy;y\r\n\r\nBo;y\r\n")
    #expect(
      try await run("ferry set - '[0].new' z --from csv < b.csv").output == "name;new\r\nCy;z\r\n\r\nBo;y\r\n"
    )
    let before = try directory.text("a.csv")
    for line in [
      "ferry set a.csv '[0].nme' x", "ferry set a.csv '[0].name' '[1]' --type json",
      "ferry remove a.csv '[7]'",
      "ferry set a.csv '[*].nme' x", "ferry set a.csv '[0]' x", "ferry set a.csv '[0].name' x --dry-run",
    ] {
      let run = try await run(line)
      #expect(run.status == (line.hasSuffix("--dry-run") ? 0 : 1), "\(line)")
      #expect(try directory.text("a.csv") == before, "\(line)")
    }
  }

  @Test func `The options of reading are those of the changed table`() async throws {
    try directory.write("a.txt", "Ada|'x|y'\nBo\n")
    let options = "--from csv --delimiter pipe --quote \"'\" --no-header --column-names name,text --ragged"
    expectQuiet(try await run("ferry set a.txt '[1].name' \"it's\" \(options)"))
    #expect(try directory.text("a.txt") == "Ada|'x|y'\n'it''s'\n")
    #expect(try await run("ferry get a.txt '[1].name' \(options)").output == "it's\n")
    try directory.write("b.tsv", "a\tb,c\n1\t2\n")
    expectQuiet(try await run("ferry set b.tsv '[0].a' '3,4'; gzip -k b.tsv; ferry set b.tsv.gz '[0].a' 5"))
    #expect(try directory.text("b.tsv") == "a\tb,c\n3,4\t2\n")
    #expect(try await run("gunzip < b.tsv.gz").output == "a\tb,c\n5\t2\n")
    try directory.write("c.csv", [0x61, 0x0a, 0xe9, 0x0a])
    expectQuiet(try await run("ferry set c.csv '[0].a' ü --encoding windows-1252"))
    #expect(try directory.bytes("c.csv") == [0x61, 0x0a, 0xfc, 0x0a])
    let lacking = try await run("ferry set c.csv '[0].a' 日 --encoding windows-1252")
    #expect(lacking.status == 1)
    #expect(try directory.bytes("c.csv") == [0x61, 0x0a, 0xfc, 0x0a])
  }

  @Test func `A null is written as the text that means null, and this text in quotation marks`() async throws
  {
    let text = "name,age\nAda,NA\n\"NA\",7\n"
    try directory.write("a.csv", text)
    #expect(
      try await run("ferry get a.csv --null-value NA").output
        == #"[{"name":"Ada","age":null},{"name":"NA","age":"7"}]"# + "\n")
    expectQuiet(try await run("ferry set a.csv '[1].age' null --type json --null-value NA"))
    #expect(try directory.text("a.csv") == "name,age\nAda,NA\n\"NA\",NA\n")
    expectQuiet(try await run("ferry set a.csv '[0].age' NA --type string --null-value NA"))
    expectQuiet(try await run("ferry set a.csv '[0].name' NA --null-value NA"))
    #expect(try directory.text("a.csv") == "name,age\n\"NA\",\"NA\"\n\"NA\",NA\n")
    let removal = try await run("ferry remove a.csv '[*].name' --null-value NA")
    #expect(removal.errors == "a.csv: 2 values removed\n")
    #expect(try directory.text("a.csv") == "age\n\"NA\"\nNA\n")
  }

  @Test func `A patch of two tables gives the second one`() async throws {
    try directory.write("a.csv", "id,name,old\n1,\"a, b\",x\n2,\"c\",y\n3,d,z\n")
    for second in [
      "id,name,old\n1,\"a, b\",x\n3,d,z\n", "id,name\n1,\"a, b\"\n2,\"c\"\n3,d\n",
      "id,name,new\n1,\"a, b\",x\n2,\"c\",y\n3,d,z\n",
      "id,name,old,more\n1,\"a, b\",x,\n2,\"c\",y,m\n3,d,z,\n",
    ] {
      try directory.write("b.csv", second)
      let run = try await run(
        "cp a.csv c.csv; ferry diff a.csv b.csv --json > p.json; ferry patch c.csv p.json && ferry diff c.csv b.csv"
      )
      #expect(
        run.status == 0 && run.output == "" && run.errors == "", "\(second): \(run.output)\(run.errors)")
      #expect(try directory.text("c.csv") == second)
    }
  }

  /// Writes tables with Python's module `csv`, and compares those in which Ferry sets a cell with those that it writes with the other value.
  private static let script = """
    import csv, io, itertools, random, subprocess
    random.seed(1)
    texts = ["a", "b c", "x,y", "p;q", 'say "x"', "two\\nlines", "", "1", "2.5", "t\\tt", "u|v", "é", "'"]
    def table(rows, **dialect):
        text = io.StringIO(newline="")
        csv.writer(text, **dialect).writerows(rows)
        return text.getvalue().encode()
    for delimiter, quoting, end in itertools.product(",;\\t|", [csv.QUOTE_MINIMAL, csv.QUOTE_ALL], ["\\n", "\\r\\n"]):
        dialect = dict(delimiter=delimiter, quoting=quoting, lineterminator=end)
        rows = [["one", "two", "three"]] + [random.choices(texts, k=3) for _ in range(6)]
        row, column = random.randrange(1, 7), random.randrange(3)
        with open("t.csv", "wb") as file: file.write(table(rows, **dialect))
        rows[row][column] = random.choice(texts)
        path = "[%d].%s" % (row - 1, rows[0][column])
        run = subprocess.run(["ferry", "set", "t.csv", path, rows[row][column]], capture_output=True)
        with open("t.csv", "rb") as file: found = file.read()
        if run.returncode or found != table(rows, **dialect): print(repr(dialect), path, rows, run.stderr, found)
        if list(csv.reader(io.StringIO(found.decode(), newline=""), delimiter=delimiter)) != rows: print("read", rows)
    print("done")
    """

  @Test func `A cell is set as Python's module csv writes it`() async throws {
    try directory.write("run.py", Self.script)
    let run = try await run("python3 run.py")
    #expect(run.output == "done\n", "\(run.output)\(run.errors)")
  }
}
