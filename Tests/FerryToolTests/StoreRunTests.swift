import Ferry
import Foundation
import TestSupport
import Testing

/// The example of the People Groups model.
private let store = URL(filePath: #filePath).deletingLastPathComponent()
  .appending(path: "../../Examples/People.storedata").standardizedFileURL.path

@Suite(.temporaryDirectory, .enabled(if: Format.sqlite.canWrite)) struct `Databases` {
  @Test func `A database is made of XML, gives JSON, and the XML again`() async throws {
    try directory.write("folks.xml", folks)
    expectQuiet(try await .ferry("convert", "folks.xml", "-o", "people.db"))
    let json = try await ToolRun.ferry("convert", "people.db", "--to", "json")
    expectQuiet(json)
    #expect(json.output == folksJSON)
    let xml = try await ToolRun.ferry("convert", "people.db", "--schema", "person", "--to", "xml")
    expectQuiet(xml)
    #expect(xml.output == folks)
    expectQuiet(try await .ferry("convert", "people.db", "-o", "people.pplgrp"))
    let archive = try await ToolRun.ferry("show", "people.pplgrp")
    #expect(archive.output.contains(#"Person { first: "Matt", last: "Neuburg" }"#), "\(archive.output)")
    #expect(try directory.names() == ["folks.xml", "people.db", "people.pplgrp"])
  }

  @Test func `A path selects the columns of the only table, with its name or without`() async throws {
    try directory.write("a.json", #"{"t":[{"a":1,"b":"x"},{"a":2,"b":"y"}]}"#)
    expectQuiet(try await .ferry("convert", "a.json", "-o", "one.db"))
    for path in ["[*].a", "t[*].a"] {
      let run = try await ToolRun.ferry("convert", "one.db", "--select", path, "--to", "json")
      expectQuiet(run)
      #expect(run.output == "[1,2]\n")
    }
    let table = try await ToolRun.ferry("convert", "one.db", "--select", "t[b=y]", "--to", "csv", "-q")
    expectQuiet(table)
    #expect(table.output == "a,b\n2,y\n")
    try directory.write("b.json", #"{"t":[{"a":1}],"u":[{"b":2}]}"#)
    expectQuiet(try await .ferry("convert", "b.json", "-o", "two.db"))
    for (file, path, example) in [
      ("one.db", "[*].a.string", "[*].COLUMN"), ("one.db", "t[*].a.string", "t[*].COLUMN"),
      ("one.db", "nope[*].a", "[*].COLUMN"), ("two.db", "[*].a", "t[*].COLUMN"),
      ("two.db", "u[*].a", "u[*].COLUMN"), ("two.db", "U[*].b", "u[*].COLUMN"),
    ] {
      let run = try await ToolRun.ferry("convert", file, "--select", path, "--to", "json")
      #expect(run.output == "[]\n")
      #expect(run.errors.contains("nothing matches --select"))
      #expect(run.errors.contains("leads to rows and columns, such as \(example), not into"), "\(run.errors)")
    }
    for arguments in [["get", "one.db", "[0].a"], ["set", "one.db", "[0].a", "5"]] {
      let run = try await ToolRun.ferry(arguments)
      #expect(run.status == 1)
      #expect(run.errors.contains("--select 'TABLE[*].COLUMN'"), "\(run.errors)")
    }
  }

  @Test func `A database goes through pipes both ways`() async throws {
    try directory.write("folks.xml", folks)
    let run = try await ToolRun.shell(
      "ferry convert folks.xml --to sqlite --table p | ferry convert --from sqlite --table p --to json")
    expectQuiet(run)
    #expect(run.output == folksJSON)
  }

  @Test func `An existing database is replaced only on request, and added to on request`() async throws {
    try directory.write("a.jsonl", "{\"a\":1}\n{\"a\":2}\n")
    expectQuiet(try await .ferry("convert", "a.jsonl", "-o", "a.db", "--table", "t"))
    expectFailure(
      try await .ferry("convert", "a.jsonl", "-o", "a.db", "--table", "t"),
      "a.db: the file already exists (use --force to replace it)")
    expectQuiet(try await .ferry("convert", "a.jsonl", "-o", "a.db", "--table", "t", "--append"))
    #expect(
      try await ToolRun.ferry("convert", "a.db", "--to", "jsonl").output
        == "{\"a\":1}\n{\"a\":2}\n{\"a\":1}\n{\"a\":2}\n")
    let before = try directory.bytes("a.db")
    try directory.write("b.jsonl", "{\"a\":1}\n{\"b\":2}\n")
    expectFailure(
      try await .ferry("convert", "b.jsonl", "-o", "a.db", "--table", "t", "--append"),
      "b.jsonl:2:2: the table \"t\" has no column \"b\" (at [1].b)")
    expectFailure(
      try await .ferry("convert", "b.jsonl", "--strict", "-o", "new.db", "--table", "t", "--append"),
      "b.jsonl: not exact: missing keys become NULL (--strict refuses what is not exact) (at [0].b)")
    for (record, keys) in [
      (#"{"a":1,"A":2}"#, #""a" and "A""#), (#"{"A":1,"a":2}"#, #""A" and "a""#),
      (#"{"A":1,"A":2,"a":3}"#, #""A" and "a""#),
    ] {
      try directory.write("c.jsonl", record + "\n")
      let run = try await ToolRun.ferry("convert", "c.jsonl", "-o", "a.db", "--table", "t", "--append")
      #expect(run.status == 1)
      #expect(run.errors.contains("the keys \(keys) would be one column"), "\(run.errors)")
    }
    #expect(try directory.bytes("a.db") == before)
    try directory.write("c.jsonl", "{\"A\":1}\n{\"a\":2}\n")
    expectQuiet(try await .ferry("convert", "c.jsonl", "-o", "a.db", "--table", "t", "--append"))
    expectQuiet(try await .shell("rm c.jsonl"))
    expectQuiet(try await .ferry("convert", "a.jsonl", "-o", "a.db", "--table", "u", "--force"))
    #expect(try await ToolRun.ferry("convert", "a.db", "--to", "jsonl").output == "{\"a\":1}\n{\"a\":2}\n")
    #expect(try directory.names() == ["a.db", "a.jsonl", "b.jsonl"])
  }

  @Test(arguments: ["a.db", "./a.db", "soft.db", "hard.db"])
  func `A database is not added to itself`(_ input: String) async throws {
    try directory.write("v.json", #"[{"id":1}]"#)
    expectQuiet(try await .ferry("convert", "v.json", "-o", "a.db", "--table", "t"))
    expectQuiet(try await .shell("ln -s a.db soft.db; ln a.db hard.db"))
    expectFailure(
      try await .ferry("convert", input, "--append", "-o", "a.db"),
      "\(input): the records of a database cannot be added to the same database "
        + "(write them to another file first, such as -o records.jsonl)")
    expectQuiet(try await .shell("ferry convert - --append -o a.db < a.db"))
    #expect(try await ToolRun.ferry("convert", "a.db", "--to", "jsonl").output == "{\"id\":1}\n{\"id\":1}\n")
  }

  @Test func `A table that appended records make beside others is noted`() async throws {
    try directory.write("v.json", #"[{"id":1}]"#)
    expectQuiet(try await .ferry("convert", "v.json", "--append", "-o", "a.db", "--table", "people"))
    expectQuiet(try await .ferry("convert", "v.json", "--append", "-o", "a.db", "--table", "People"))
    let run = try await ToolRun.ferry("convert", "v.json", "--append", "-o", "a.db", "--table", "peple")
    #expect(run.status == 0)
    #expect(
      run.errors.contains(#"the database had no table "peple", which is new; there is "people""#),
      "\(run.errors)")
    expectQuiet(try await .ferry("convert", "v.json", "--append", "-o", "a.db", "--table", "peple"))
  }

  @Test func `No rows are added to tables that SQLite or Ferry keeps for others`() async throws {
    try directory.write("seq.json", #"[{"name": "t", "seq": 0}]"#)
    try directory.write("versions.json", #"[{"name": "t", "version": 2}]"#)
    let made = try await Peer.python(
      """
      import sqlite3
      c = sqlite3.connect('\(directory.path("a.db"))')
      c.execute('CREATE TABLE t (id INTEGER PRIMARY KEY AUTOINCREMENT)')
      c.execute('CREATE TABLE ferry_versions (name TEXT PRIMARY KEY COLLATE NOCASE, version INTEGER)')
      """)
    #expect(made.succeeded, "\(made.errors)")
    for (file, table) in [
      ("seq.json", "sqlite_sequence"), ("versions.json", "ferry_versions"),
      ("versions.json", "Ferry_Versions"),
    ] {
      let run = try await ToolRun.ferry("convert", file, "--append", "--table", table, "-o", "a.db")
      #expect(run.status == 1)
      let words = "so no rows can be added to it (--table names another table)"
      #expect(run.errors.contains(words), "\(run.errors)")
    }
  }

  @Test func `A database keeps its table's name in a copy, and is not replaced by a conversion of itself`()
    async throws
  {
    try directory.write("v.json", #"[{"id":1}]"#)
    expectQuiet(try await .ferry("convert", "v.json", "-o", "v.db", "--table", "accounts"))
    let before = try directory.bytes("v.db")
    let run = try await ToolRun.shell(
      "ln -s v.db link.db; ferry convert v.db -o copy.db && ferry convert copy.db --table accounts --to json")
    expectQuiet(run)
    #expect(run.output == "[{\"id\":1}]\n")
    for arguments in [
      ["-i", "--to", "sqlite"], ["-i", "--to", "json"], ["-i", "--to", "csv", "--dry-run"],
    ] {
      let refused = try await ToolRun.ferry(["convert", "v.db", "--report", "r.json"] + arguments)
      #expect(refused.status == 1)
      #expect(refused.errors.hasPrefix("v.db: a database is not rewritten from its records"))
      #expect(try directory.text("r.json").contains(#""code": "database.not-rewritten""#))
      #expect(try directory.bytes("v.db") == before)
    }
    for arguments in [["-o", "v.db"], ["-o", "link.db"], ["-o", "link.db", "--to", "yaml"]] {
      expectFailure(
        try await .ferry(["convert", "v.db", "--force"] + arguments),
        "v.db: the output \(arguments[1]) would replace a file that it is made from (give another file)")
      #expect(try directory.bytes("v.db") == before)
    }
  }

  @Test(arguments: ["e.csv", "e.tsv"], ["", " --infer", " --table e"])
  func `A table of columns without rows is kept between text and a database`(
    _ name: String, _ options: String
  ) async throws {
    let header = name.hasSuffix("tsv") ? "a\tb\n" : "a,b\n"
    try directory.write(name, header)
    let type = name.suffix(3)
    let run = try await ToolRun.shell(
      """
      ferry convert \(name)\(options) -o new.db && ferry convert \(name)\(options) --append -o added.db || exit 2
      ferry convert new.db --to \(type) && ferry convert added.db --to \(type)
      """)
    expectQuiet(run)
    #expect(run.output == header + header)
  }

  @Test func `No file of a table is replaced if another table cannot be read`() async throws {
    let made = try await Peer.python(
      """
      import sqlite3
      path = '\(directory.path("t.db"))'
      c = sqlite3.connect(path)
      c.execute('PRAGMA page_size = 512')
      for table in ['a', 'b']:
        c.execute('CREATE TABLE ' + table + ' (x)')
        c.execute('INSERT INTO ' + table + ' VALUES (1)')
      c.commit()
      c.close()
      # The third page has the rows of the second table.
      data = bytearray(open(path, 'rb').read())
      data[1024:1536] = bytes(512)
      open(path, 'wb').write(data)
      """)
    #expect(made.succeeded, "\(made.errors)")
    try directory.makeDirectory("out")
    try directory.write("out/t.a.csv", "old\n")
    let run = try await ToolRun.ferry("convert", "t.db", "--to", "csv", "--out-dir", "out", "--force")
    #expect(run.status == 1 && run.errors.contains("table b"), "\(run.errors)")
    #expect(try directory.text("out/t.a.csv") == "old\n")
    #expect(try directory.names(in: "out") == ["t.a.csv"])
  }

  @Test func `An error in a row of one of several tables names the table`() async throws {
    let made = try await Peer.python(
      """
      import sqlite3
      c = sqlite3.connect('\(directory.path("t.db"))')
      c.execute('CREATE TABLE a (x)')
      c.execute('CREATE TABLE b (x, y AS (hex(zeroblob(200000))))')
      c.executemany('INSERT INTO b (x) VALUES (?)', [[1]] * 1000)
      c.commit()
      """)
    #expect(made.succeeded, "\(made.errors)")
    let run = try await ToolRun.ferry("convert", "t.db", "--to", "csv", "--out-dir", "out")
    #expect(run.status == 1 && run.errors.contains("(at b["), "\(run.errors)")
  }

  @Test func `A compressed database is not replaced by its records either`() async throws {
    try directory.write("v.json", #"[{"id":1}]"#)
    expectQuiet(try await .shell("ferry convert v.json -o v.db --table accounts; gzip v.db"))
    let before = try directory.bytes("v.db.gz")
    let refused = try await ToolRun.ferry("convert", "v.db.gz", "-i", "--to", "json")
    #expect(refused.status == 1)
    #expect(refused.errors.contains("a database is not rewritten from its records"), "\(refused.errors)")
    #expect(try directory.bytes("v.db.gz") == before)
  }

  @Test func `Processes that add to a database which none of them finds make it together`() async throws {
    let run = try await ToolRun.shell(
      """
      for n in 1 2 3 4 5 6; do echo "[{\\"n\\":$n}]" > $n.json; done
      for round in 1 2 3 4 5; do
        for n in 1 2 3 4 5; do ferry convert $n.json --append --table t -o $round.db || echo failed & done
        cat 6.json | ferry convert - --append --table t -o $round.db || echo failed
        wait
        ferry convert $round.db --to csv --quiet | sort | tr '\\n' ' '
      done
      """)
    #expect(run.errors == "")
    #expect(run.output == String(repeating: "1 2 3 4 5 6 n ", count: 5))
  }

  @Test func `The records of a package are added to a database`() async throws {
    let examples = URL(filePath: store).deletingLastPathComponent().path
    let run = try await ToolRun.shell(
      """
      ferry convert '\(examples)/things.xml' -o T.mystuff --attachments '\(examples)'
      ferry convert T.mystuff --append --table things -o t.db
      ferry convert t.db --to jsonl --quiet > once
      ferry convert T.mystuff --append --table things -o t.db
      ferry convert t.db --to jsonl --quiet > twice
      cat once once | cmp - twice; test -s once && echo same
      """)
    #expect(run.errors == "")
    #expect(run.output == "same\n")
  }

  @Test func `A database has changed if its log has`() async throws {
    try directory.write("v.json", #"[{"id":1}]"#)
    let run = try await ToolRun.shell(
      """
      mkdir in; ferry convert v.json -o in/v.db --table t; touch -d 2020-01-01 in/v.db
      line="ferry convert in/v.db --to json --out-dir out --changed-only"
      $line; $line; printf x > in/v.db-wal; touch -d 2040-01-01 in/v.db-wal; $line
      """)
    #expect(run.errors == "0 converted, 0 failed, 1 unchanged\n", "\(run.errors)")
  }

  @Test func `A database that cannot be written is named, whichever record was to be added`() async throws {
    expectQuiet(
      try await .ferry("convert", "--from", "jsonl", "-o", "a.db", "--table", "t", input: "{\"a\":1}"))
    let before = try directory.bytes("a.db")
    try directory.write(
      "b.jsonl", String(repeating: "{\"a\":\"\(String(repeating: "x", count: 100))\"}\n", count: 2000))
    let run = try await ToolRun.shell(
      "trap '' XFSZ; ulimit -f 40; ferry convert b.jsonl -o a.db --table t --append")
    #expect(run.status == 1)
    #expect(
      run.errors.hasPrefix("a.db: disk I/O error") || run.errors.hasPrefix("a.db: database or disk is full"))
    #expect(try directory.bytes("a.db") == before)
  }

  @Test(arguments: ["--table t", "--schema t.json", "--schema t.json --keep-going"])
  func `A database for which there is no temporary space names the folder, and no record`(options: String)
    async throws
  {
    try directory.write("t.json", #"{"ferry":1,"name":"t","fields":[{"name":"a"}]}"#)
    try directory.write(
      "b.jsonl", String(repeating: "{\"a\":\"\(String(repeating: "x", count: 100))\"}\n", count: 40_000))
    let run = try await ToolRun.shell(
      """
      export TMPDIR=$PWD; trap '' XFSZ; ulimit -f 40
      ferry convert b.jsonl --to sqlite \(options) > /dev/null
      """)
    #expect(run.status == 1)
    #expect(
      run.errors.hasPrefix("b.jsonl: no temporary file can be written in \"\(directory.path)\": "),
      "\(run.errors)")
    #expect(run.errors.hasSuffix(" (TMPDIR names another folder)\n"), "\(run.errors)")
    #expect(run.errors.filter { $0 == "\n" }.count == 1)
    #expect(try directory.names() == ["b.jsonl", "t.json"])
  }

  @Test func `A database reports the values that it cannot hold, with paths`() async throws {
    let run = try await ToolRun.ferry(
      "convert", "--from", "jsonl", "--to", "sqlite", "-o", "a.db", "--report", "-",
      input: "{\"a\":true}\n{\"b\":[1]}\n")
    #expect(run.status == 0)
    #expect(
      run.errors == """
        standard input: not exact: booleans become 0 and 1 (1), missing keys become NULL (2), \
        arrays and dictionaries inside a record become JSON text (1)

        """)
    for path in ["[0].a", "[1].a", "[0].b", "[1].b"] { #expect(run.output.contains(#""path": "\#(path)""#)) }
    let strict = try await ToolRun.ferry("convert", "--strict", "--to", "sqlite", input: "[{\"a\":true}]")
    expectFailure(
      strict,
      "standard input: not exact: booleans become 0 and 1 (--strict refuses what is not exact) (at [0].a)")
  }

  @Test func `A database is read by a schema, and its other tables are reported`() async throws {
    try directory.write(
      "all.json", #"{"people":[{"firstName":"Ada","lastName":"King"}],"pets":[{"name":"Rex"}]}"#)
    expectQuiet(try await .ferry("convert", "all.json", "-o", "all.db"))
    let words = "all.db: not exact: values beside the records are left out (1)\n"
    for output in [["--schema", "person", "--to", "json"], ["-o", "ada.pplgrp", "--report", "report.json"]] {
      let run = try await ToolRun.ferry(["convert", "all.db"] + output)
      #expect(run.status == 0 && run.errors == words, "\(output): \(run.errors)")
    }
    #expect(try directory.text("report.json").contains(#""path": "pets""#))
    let strict = try await ToolRun.ferry(
      "convert", "all.db", "--schema", "person", "--to", "json", "--strict")
    #expect(strict.status == 1)
    // A table that is asked for by its name is all that is asked for.
    expectQuiet(try await .ferry("convert", "all.db", "--table", "people", "--to", "json", "--strict"))
  }

  @Test func `A database shows its tables, and a store its entities`() async throws {
    let inspection = try await ToolRun.ferry("inspect", store)
    expectQuiet(inspection)
    #expect(
      inspection.output.contains(
        """
          store       Core Data, 6A1C2F60-6E0B-4E43-9E0F-6F2C8A3C7D11
          entities
            2  Group
                   timestamp  TIMESTAMP
                   name       VARCHAR
                   uuid       VARCHAR
                   people     [Person]
            3  Person
                   group      Group
        """))
    let json = try await ToolRun.ferry("inspect", "--json", store)
    #expect(json.output.contains(#""kind": "entity""#))
    let shown = try await ToolRun.ferry("show", store, "--table", "Group", "--width", "200")
    expectQuiet(shown)
    #expect(shown.output.contains(#"people: ["Person/p1", "Person/p2"]"#), "\(shown.output)")
  }

  @Test func `A database of Core Data becomes the document of an app`() async throws {
    let run = try await ToolRun.ferry("convert", "-q", store, "-o", "people.pplgrp")
    expectQuiet(run)
    let names = try await ToolRun.ferry("get", "people.pplgrp", "[*].first")
    #expect(names.output == "Manny\nMoe\nJack\n")
  }

  @Test func `A database that cannot be read is refused, and nothing is written`() async throws {
    try directory.write("folks.xml", folks)
    expectQuiet(try await .ferry("convert", "folks.xml", "-o", "people.db"))
    let bytes = try directory.bytes("people.db")
    try directory.write("cut.db", Array(bytes.dropLast(100)))
    try directory.write("half.db", Array(bytes.prefix(4096)))
    try directory.write("empty.db", "")
    try directory.write("random.db", (0..<4096).map { UInt8(truncatingIfNeeded: $0 &* 37 ^ $0 >> 3) })
    try directory.makeDirectory("folder.db")
    for (name, words) in [
      ("cut.db", "the database is damaged (the file ends in the middle of a page)"),
      ("half.db", "the database is damaged (database disk image is malformed)"),
      ("empty.db", "the file is empty"),
      (
        "folder.db",
        "this folder is not a known package (known: things (.mystuff); --types FILE adds others)"
      ),
      ("none.db", "no such file or directory"),
    ] {
      expectFailure(try await .ferry("convert", name, "-o", "out.json"), "\(name): \(words)")
    }
    expectFailure(
      try await .ferry("convert", "random.db", "--from", "sqlite", "--to", "json"),
      "random.db: this is not an SQLite database, or it is encrypted")
    expectFailure(
      try await .ferry("convert", "people.db", "--table", "persons", "--to", "json"),
      #"people.db: no table "persons"; there is "people""#)
    expectFailure(
      try await .ferry("convert", "folks.xml", "--table", "people", "--to", "json"),
      "folks.xml: --table needs a database, and this is xml")
    for verb in [
      ["get", "people.db", "[0]"], ["set", "people.db", "[0].firstName", "x"],
      ["remove", "people.db", "[0]"],
    ] {
      expectFailure(
        try await .ferry(verb),
        "people.db: values of a database are not read or changed by path (use ferry convert --to json, "
          + "with --select 'TABLE[*].COLUMN' for a column and --expand for its data)")
    }
    expectFailure(
      try await .ferry("convert", "folks.xml", "--to", "sqlite", "--form", "typed"),
      "folks.xml: SQLite is written in the plain form only (use --form plain)")
    #expect(!(try directory.names().contains("out.json")))
    #expect(try directory.bytes("people.db") == bytes)
  }

  @Test func `A database that another program locks is reported as locked`() async throws {
    try directory.write("folks.xml", folks)
    expectQuiet(try await .ferry("convert", "folks.xml", "-o", "people.db"))
    let answer = try await Peer.python(
      """
      import os, sqlite3, subprocess, sys
      os.chdir('\(directory.path)')
      c = sqlite3.connect('people.db', isolation_level=None)
      c.execute('BEGIN EXCLUSIVE')
      for arguments in (['people.db', '--to', 'json'], ['folks.xml', '--append', '-o', 'people.db']):
        run = subprocess.run(['\(try ToolRun.path)', 'convert'] + arguments, capture_output=True, text=True)
        print(run.returncode, run.stdout + run.stderr, end='')
      """)
    #expect(
      answer.text == """
        1 people.db: the database is locked: another program is using it
        1 people.db: the database is locked: another program is using it

        """, "\(answer.errors)")
  }

  @Test(arguments: ["DELETE", "WAL"], [(2, 130), (15, 143), (1, 129)] as [(Int32, Int)])
  func `A run that adds records leaves the database as it was when it is interrupted`(
    _ mode: String, _ signal: (number: Int32, status: Int)
  ) async throws {
    try directory.write("a.jsonl", "{\"a\":1}\n")
    expectQuiet(try await .ferry("convert", "a.jsonl", "-o", "a.db", "--table", "t"))
    _ = try await Peer.python(
      "import sqlite3; sqlite3.connect('\(directory.path)/a.db').execute('PRAGMA journal_mode=\(mode)')")
    let directory = directory
    let before = try directory.bytes("a.db")
    let run = try await ToolRun.ferry(
      "convert", "--from", "jsonl", "-", "-o", "a.db", "--append", "--table", "t", input: "{\"a\":2}\n",
      interruptedBy: signal.number
    ) {
      // The record has been added when there is a journal, or a log. Its index is made when the database is opened.
      try directory.names().contains { $0.hasSuffix("-journal") || $0.hasSuffix("-wal") }
    }
    #expect(run.status == signal.status)
    #expect(try directory.names() == ["a.db", "a.jsonl"])
    #expect(try directory.bytes("a.db") == before)
    #expect(try await ToolRun.ferry("convert", "a.db", "--to", "jsonl").output == "{\"a\":1}\n")
  }

  @Test func `A run uses what a killed run that added records has left`() async throws {
    try directory.write("a.jsonl", "{\"a\":1}\n")
    expectQuiet(try await .ferry("convert", "a.jsonl", "-o", "a.db", "--table", "t"))
    let killed = try await ToolRun.shell(
      """
      mkfifo in
      ferry convert --from jsonl - -o a.db --append --table t < in & pid=$!
      exec 3> in; echo '{"a":2}' >&3
      looks=0
      until [ -e a.db-journal ]; do
        sleep 0.01; looks=$((looks+1)); [ $looks -lt 6000 ] || { echo "no journal"; break; }
      done
      kill -9 $pid; wait $pid 2> /dev/null; echo $?
      exec 3>&-; rm in; ls a.db*
      """)
    #expect(killed.output == "137\na.db\na.db-journal\n")
    expectQuiet(try await .ferry("convert", "a.jsonl", "-o", "a.db", "--append", "--table", "t"))
    #expect(try directory.names() == ["a.db", "a.jsonl"])
    #expect(try await ToolRun.ferry("convert", "a.db", "--to", "jsonl").output == "{\"a\":1}\n{\"a\":1}\n")
  }

  @Test func `A database whose write-ahead log is not read has a note`() async throws {
    _ = try await Peer.python(
      """
      import gzip, shutil, sqlite3
      c = sqlite3.connect('\(directory.path)/a.db')
      c.execute('PRAGMA journal_mode = WAL')
      c.execute('CREATE TABLE t(a)')
      c.execute('INSERT INTO t VALUES (1)')
      c.commit()
      for end in ['', '-wal']: shutil.copy('\(directory.path)/a.db' + end, '\(directory.path)/b.db' + end)
      shutil.copy('\(directory.path)/a.db', '\(directory.path)/alone.db')
      gzip.open('\(directory.path)/b.db.gz', 'w').write(open('\(directory.path)/b.db', 'rb').read())
      c.close()
      """)
    let note =
      "changes that are only in the write-ahead log (-wal) of the database are missing: the log was not read"
    for line in [
      "cat b.db | ferry convert --to json", "ferry convert b.db.gz --to json",
      "ferry convert alone.db --to json",
    ] {
      let run = try await ToolRun.shell(line)
      #expect(run.status == 0 && run.output == "{}\n", "\(run)")
      #expect(run.errors.contains(note), "\(run.errors)")
    }
    // A log that is there, and one that SQLite has removed after its changes were copied.
    for name in ["b.db", "a.db"] {
      let run = try await ToolRun.ferry("convert", name, "--to", "json")
      expectQuiet(run)
      #expect(run.output == "[{\"a\":1}]\n")
    }
    // Commands that hold a whole file read the log, too, and leave it.
    try directory.write("a.json", "[{\"a\":1}]\n")
    expectQuiet(try await .ferry("diff", "b.db", "a.json"))
    #expect(try await ToolRun.ferry("diff", "alone.db", "b.db").status == 1)
    let folders = try await ToolRun.shell(
      "mkdir old new; cp alone.db old/x.db; cp alone.db new/x.db; cp b.db-wal new/x.db-wal; ferry diff old new -q"
    )
    #expect(folders.status == 1, "\(folders)")
    let seeded = try await ToolRun.shell(
      "ferry seed s.json --from b.db -q; ferry convert s.json --to jsonl -q")
    #expect(seeded.output == "{\"a\":1}\n", "\(seeded)")
    let page = try await ToolRun.ferry("show", "b.db", "--html")
    #expect(page.status == 0 && page.errors == "", "\(page.errors)")
    #expect(try directory.names().contains("b.db-wal"))
  }

  @Test func `A database is streamed`() async throws {
    let answer = try await Peer.python(
      """
      import os, resource, sqlite3, subprocess
      os.chdir('\(directory.path)')
      c = sqlite3.connect('big.db')
      c.execute('CREATE TABLE big (id INTEGER PRIMARY KEY, name TEXT, score REAL)')
      c.executemany('INSERT INTO big VALUES (?, ?, ?)', ((i, '%d' % i * 99, i / 7) for i in range(50000)))
      c.commit()
      for arguments in (['big.db', '-o', 'big.jsonl'], ['big.jsonl', '-o', 'back.db', '--table', 'big']):
        pid = os.posix_spawn('\(try ToolRun.path)', ['ferry', 'convert'] + arguments, os.environ)
        _, status, usage = os.wait4(pid, 0)
        print(status, usage.ru_maxrss < 64 * 1024, usage.ru_maxrss)
      print(sqlite3.connect('back.db').execute('SELECT count(*), sum(id), max(score) FROM big').fetchone())
      """)
    let lines = answer.text.split(separator: "\n")
    #expect(lines.count == 3, "\(answer.text) \(answer.errors)")
    for line in lines.prefix(2) { #expect(line.hasPrefix("0 True"), "\(line)") }
    #expect(lines.last == "(50000, 1249975000, \(49999.0 / 7))")
  }

  @Test func `A database is among the formats, and its options are explained`() async throws {
    let formats = try await ToolRun.ferry("formats")
    #expect(
      formats.output.contains(
        """
        sqlite, sqlite3
          SQLite database: tables of records; Core Data stores entity by entity
          files: .db .sqlite .sqlite3 .storedata
          streams: memory stays flat
        """))
    let help = try await ToolRun.ferry("convert", "--help")
    #expect(help.output.contains("--table <name>"))
    #expect(help.output.contains("--append"))
    let misuse = try await ToolRun.ferry("convert", "a.json", "--append", "--to", "json")
    #expect(misuse.status == 64)
    #expect(misuse.errors.contains("--append needs -o DATABASE, the database to add to"))
  }
}
