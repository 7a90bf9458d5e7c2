import Ferry
import Foundation
import TestSupport
import Testing

private let examples = URL(filePath: #filePath).deletingLastPathComponent()
  .appending(path: "../../Examples").standardizedFileURL.path
/// The example of the People Groups model, and its objects as XML.
private let store = examples + "/People.storedata"
private let groups = examples + "/groups.xml"

@Suite(.temporaryDirectory, .enabled(if: Format.sqlite.canWrite)) struct `Stores of apps` {
  @Test func `A store is made of XML, gives JSON, and the XML again`() async throws {
    expectQuiet(try await .ferry("convert", groups, "--template", store, "-o", "New.storedata"))
    expectQuiet(try await .ferry("convert", "-q", "New.storedata", "-o", "groups.json"))
    #expect(try directory.text("groups.json").contains(#""people":["Person/p1","Person/p2"]"#))
    expectQuiet(try await .ferry("convert", "groups.json", "--template", store, "-o", "Again.storedata"))
    let xml = try await ToolRun.ferry("convert", "-q", "Again.storedata", "--to", "xml", "--root", "store")
    expectQuiet(xml)
    #expect(xml.output == (try String(contentsOfFile: groups, encoding: .utf8)))
    // The archives inside are those that the app has made.
    let card = try await Peer.python(
      """
      import plistlib, sqlite3
      c = sqlite3.connect('\(directory.path("Again.storedata"))')
      card, = c.execute('SELECT ZCARD FROM ZPERSON WHERE ZCARD NOTNULL').fetchone()
      print('Philadelphia' in plistlib.loads(card)['$objects'], c.execute('SELECT Z_UUID FROM Z_METADATA').fetchall())
      """)
    #expect(card.text == "True [('6A1C2F60-6E0B-4E43-9E0F-6F2C8A3C7D11',)]\n", "\(card.errors)")
  }

  @Test func `A table in each file does without what is in no table, with a report`() async throws {
    let made = try await Peer.python(
      """
      import sqlite3
      c = sqlite3.connect('\(directory.path("v.db"))')
      c.executescript("CREATE TABLE t (a); INSERT INTO t VALUES ('x'); CREATE VIRTUAL TABLE f USING fts5(words)")
      """)
    #expect(made.succeeded, "\(made.errors)")
    let words = "virtual tables are left out"
    let run = try await ToolRun.ferry("convert", "v.db", "--to", "csv", "--out-dir", "out")
    #expect(run.status == 0)
    #expect(run.errors.contains(words + " (1)"), "\(run.errors)")
    #expect(try directory.text("out/v.t.csv") == "a\nx\n")
    let strict = try await ToolRun.ferry("convert", "v.db", "--to", "csv", "--out-dir", "strict", "--strict")
    #expect(strict.status == 1 && strict.errors.contains(words), "\(strict.errors)")
    let one = try await ToolRun.ferry("convert", "v.db", "--to", "csv", "--table", "t")
    expectQuiet(one)
    let objects = try await ToolRun.ferry("convert", store, "--to", "csv", "--out-dir", "objects")
    #expect(
      objects.errors.contains("the metadata and the model of the Core Data store are left out (1)"),
      "\(objects.errors)")
  }

  @Test func `A template with a log leaves no temporary file`() async throws {
    let mode = try await Peer.python(
      """
      import shutil, sqlite3
      shutil.copy('\(store)', '\(directory.path("t.storedata"))')
      print(sqlite3.connect('\(directory.path("t.storedata"))').execute('PRAGMA journal_mode = WAL').fetchone()[0])
      """)
    #expect(mode.text == "wal\n", "\(mode.errors)")
    let run = try await ToolRun.shell(
      """
      mkdir tmp; export TMPDIR=$PWD/tmp
      ferry convert \(groups) --template t.storedata -o new.storedata && ferry convert \(groups) --template t.storedata \
        --to sqlite > again.storedata || exit 2
      ls -A tmp; ferry convert -q new.storedata -o new.json; ferry convert -q again.storedata -o again.json
      cmp new.json again.json
      """)
    expectQuiet(run)
    #expect(run.output.isEmpty)
  }

  @Test(arguments: [
    ("o.csv", "objectID,firstName\n,Ada\nPerson/p9,Bo\n"),
    (
      "o.json",
      #"{"Person":[{"objectID":null,"firstName":"Ada"},{"objectID":"Person/p9","firstName":"Bo"}]}"#
    ),
    (
      "o.xml",
      "<root><Person><objectID/><firstName>Ada</firstName></Person>"
        + "<Person><objectID>Person/p9</objectID><firstName>Bo</firstName></Person></root>"
    ),
  ])
  func `An object without a name may have nothing in its place`(_ name: String, _ text: String) async throws {
    try directory.write(name, text)
    let table = name == "o.csv" ? ["--table", "Person"] : []
    let run = try await ToolRun.ferry(
      ["convert", name, "--template", store, "-o", "New.storedata", "-q"] + table)
    expectQuiet(run)
    let people = try await ToolRun.ferry(
      "convert", "-q", "New.storedata", "--table", "Person", "--to", "jsonl")
    #expect(people.output.split(separator: "\n").count == 2)
    #expect(people.output.contains(#""firstName":"Ada""#) && people.output.contains(#""firstName":"Bo""#))
  }

  @Test func `A store is seeded once`() async throws {
    let made = try await ToolRun.ferry("seed", "New.storedata", "--from", groups, "--template", store)
    expectQuiet(made)
    #expect(made.output == "New.storedata: created\n")
    let bytes = try directory.bytes("New.storedata")
    let again = try await ToolRun.ferry("seed", "New.storedata", "--from", groups, "--template", store)
    #expect(again.output == "New.storedata: already exists, not changed\n")
    #expect(try directory.bytes("New.storedata") == bytes)
    let names = try await ToolRun.ferry(
      "convert", "-q", "New.storedata", "--table", "Person", "--to", "jsonl")
    #expect(names.output.split(separator: "\n").count == 3)
    expectFailure(
      try await .ferry("seed", "Other.storedata", "--from", groups),
      "Other.storedata: a new Core Data store needs the model of an app (--template STORE copies a store with these objects)"
    )
    for document in [["q.json"], ["q.pplgrp"], ["q.mystuff"], ["q.storedata", "--to", "json"]] {
      let run = try await ToolRun.ferry(["seed"] + document + ["--from", groups, "--template", store])
      #expect(run.status == 64)
      #expect(run.errors.contains("--template needs the name of a Core Data store"), "\(run.errors)")
      #expect(try !directory.names().contains(document[0]))
    }
    let misuse = try await ToolRun.ferry("seed", "N", "--from", groups, "--template", store, "--merge")
    #expect(misuse.status == 64)
  }

  private static let needsTemplate =
    "a new Core Data store needs the model of an app (--template STORE copies a store with these objects; "
    + "--append adds them to an existing store)"

  @Test func `A store gets objects, or the error says why not`() async throws {
    try directory.write("folks.xml", folks)
    try directory.write("store.storedata", [UInt8](Data(contentsOf: URL(filePath: store))))
    expectQuiet(try await .ferry("convert", "folks.xml", "--append", "-o", "store.storedata"))
    let before = try directory.bytes("store.storedata")
    for (arguments, words) in [
      (["folks.xml", "-o", "New.storedata"], "New.storedata: \(Self.needsTemplate)"),
      (["folks.xml", "--append", "-o", "New.storedata"], "New.storedata: \(Self.needsTemplate)"),
      (
        ["folks.xml", "--template", "none.storedata", "-o", "New.storedata"],
        "none.storedata: no such file or directory"
      ),
      (
        ["folks.xml", "--template", "folks.xml", "-o", "New.storedata"],
        "folks.xml: this is not an SQLite database, or it is encrypted"
      ),
      (
        ["folks.xml", "--append", "--table", "Dog", "-o", "store.storedata"],
        #"store.storedata: no entity "Dog"; there are "Group", "Person""#
      ),
      (
        ["folks.xml", "--append", "--table", "ZPERSON", "-o", "store.storedata"],
        #"store.storedata: no entity "ZPERSON"; there are "Group", "Person""#
      ),
      (
        ["folks.xml", "--append", "--table", "z_metadata", "-o", "store.storedata"],
        #"store.storedata: no entity "z_metadata"; there are "Group", "Person""#
      ),
      (
        ["folks.xml", "--append", "--table", "Group", "-o", "store.storedata"],
        #"folks.xml:4:5: the entity "Group" has no attribute or relationship "firstName" (at [0].firstName)"#
      ),
      // The template is the output, and stays after an error.
      (
        [
          "folks.xml", "--template", "store.storedata", "--table", "Group", "-o", "store.storedata",
          "--force",
        ],
        #"folks.xml:4:5: the entity "Group" has no attribute or relationship "firstName" (at [0].firstName)"#
      ),
      (
        ["folks.xml", "--template", store, "-o", "store.storedata"],
        "store.storedata: the file already exists (use --force to replace it)"
      ),
    ] { expectFailure(try await .ferry(["convert"] + arguments), words) }
    for arguments in [
      ["--template", store, "--append", "-o", "store.storedata"], ["--template", store, "--to", "json"],
    ] {
      #expect(try await ToolRun.ferry(["convert", "folks.xml"] + arguments).status == 64)
    }
    #expect(try directory.bytes("store.storedata") == before)
    #expect(try directory.names() == ["folks.xml", "store.storedata"])
  }

  @Test func `Rows are added to a table of no entity, and with the raw form to the tables of a store`()
    async throws
  {
    try directory.write("store.storedata", [UInt8](Data(contentsOf: URL(filePath: store))))
    try directory.write("z.json", #"[{"ZFIRSTNAME": "raw"}]"#)
    try directory.write("n.json", #"[{"n": 1}]"#)
    let made = try await Peer.python(
      """
      import sqlite3
      sqlite3.connect('\(directory.path("store.storedata"))').execute('CREATE TABLE notes (n)')
      """)
    #expect(made.succeeded, "\(made.errors)")
    expectQuiet(
      try await .ferry("convert", "n.json", "--append", "--table", "notes", "-o", "store.storedata"))
    expectQuiet(
      try await .ferry(
        "convert", "z.json", "--append", "--table", "ZPERSON", "--form", "raw", "-o", "store.storedata"))
    let notes = try await ToolRun.ferry(
      "convert", "-q", "store.storedata", "--table", "notes", "--to", "jsonl")
    #expect(notes.output == "{\"n\":1}\n")
    let people = try await ToolRun.ferry(
      "convert", "-q", "store.storedata", "--table", "ZPERSON", "--to", "jsonl")
    #expect(people.output.contains(#""ZFIRSTNAME":"raw""#))
  }

  @Test func `A store is not written while another program has it, or beside the log of another`()
    async throws
  {
    try directory.write("store.storedata", [UInt8](Data(contentsOf: URL(filePath: store))))
    try directory.write("folks.xml", folks)
    let answer = try await Peer.python(
      """
      import os, shutil, sqlite3, subprocess
      os.chdir('\(directory.path)')
      def convert(*arguments):
        run = subprocess.run(['\(try ToolRun.path)', 'convert', 'folks.xml', *arguments], capture_output=True, text=True)
        print(run.returncode, run.stdout + run.stderr, end='')
      c = sqlite3.connect('store.storedata', isolation_level=None)
      c.execute('BEGIN EXCLUSIVE')
      convert('--append', '-o', 'store.storedata')
      convert('--template', 'store.storedata', '-o', 'New.storedata')
      c.execute('ROLLBACK')
      c.execute('PRAGMA journal_mode = WAL')
      c.execute('DELETE FROM ZPERSON')
      convert('--template', 'store.storedata', '-o', 'store.storedata', '--force')
      convert('--template', 'store.storedata', '-o', 'New.storedata')
      convert('--append', '-o', 'store.storedata')
      print(c.execute('SELECT count(*) FROM ZPERSON').fetchone(), os.listdir('.').count('New.storedata-wal'))
      """)
    let lock = "1 store.storedata: the database is locked: another program is using it\n"
    #expect(
      answer.text == lock + lock + """
        1 store.storedata: "store.storedata-wal" has changes of the earlier database, which SQLite would \
        apply to the new one (remove it with that database, or open and close the database in a program)
        0 0 (3,) 0

        """, "\(answer.errors)")
  }

  @Test func `A store is whole after the run that writes it was killed`() async throws {
    try directory.write("store.storedata", [UInt8](Data(contentsOf: URL(filePath: store))))
    let people = (0..<20000).map { #"{"firstName": "Person \#($0)", "group": "Group/p1"}"# }
    let json = #"{"Person": [\#(people.joined(separator: ","))], "Group": [{"objectID": "Group/p1"}]}"#
    try directory.write("many.json", json)
    for (target, delays) in [
      ("--append -o store.storedata", [0, 20_000, 60_000]),
      ("--force --template store.storedata -o New.storedata", [0, 20_000, 60_000]),
    ] {
      for delay in delays { try await killWriting(target, delay) }
    }
  }

  /// Kills a run that writes a store, some steps after it began to write: there is a journal, or a temporary file. Checks
  /// that the stores have all of its objects or none.
  private func killWriting(_ target: String, _ delay: Int) async throws {
    // A run that has ended before, where the shell gets little time, is begun again.
    let run = try await ToolRun.shell(
      """
      export TMPDIR=$PWD/temporary
      for round in 1 2 3 4 5 6 7 8 9 10; do
        rm -rf temporary .ferry-*; mkdir temporary
        ferry convert many.json \(target) & pid=$!
        looks=0
        until [ -e store.storedata-journal ] || [ -n "$(ls -A temporary)" ]; do
          looks=$((looks+1)); [ $looks -lt 20000 ] || break
        done
        delay=\(delay); while [ $delay -gt 0 ]; do delay=$((delay-1)); done
        kill -9 $pid; wait $pid 2> /dev/null; status=$?
        [ $status = 0 ] || break
      done
      echo $status; rm -rf temporary
      """)
    #expect(run.output == "137\n", "\(target), after \(delay) steps: \(run.errors)")
    let answer = try await Peer.python(
      """
      import os, sqlite3
      os.chdir('\(directory.path)')
      for name in ('store.storedata', 'New.storedata'):
        if not os.path.exists(name): continue
        c = sqlite3.connect(name)
        count, = c.execute('SELECT count(*) FROM ZPERSON').fetchone()
        if count % 20000 not in (0, 3): print(name, count)
        if c.execute('PRAGMA integrity_check').fetchone() != ('ok',): print(name)
      """)
    #expect(answer.text == "" && answer.succeeded, "\(delay): \(answer.text) \(answer.errors)")
  }

  @Test func `A store is written in flat memory`() async throws {
    let answer = try await Peer.python(
      """
      import json, os, sqlite3
      os.chdir('\(directory.path)')
      count = 20000
      with open('many.json', 'w') as file:
        file.write('{"Person":[')
        for i in range(count):
          file.write(json.dumps({'objectID': f'Person/p{i + 1}', 'group': f'Group/p{i % 9 + 1}', 'lastName': 'x' * 900}))
          file.write(',' if i + 1 < count else '],"Group":[')
        file.write(','.join(json.dumps({'objectID': f'Group/p{i + 1}'}) for i in range(9)) + ']}')
      for arguments in (['--template', '\(store)', '-o', 'New.storedata'], ['--append', '-o', 'New.storedata']):
        pid = os.posix_spawn('\(try ToolRun.path)', ['ferry', 'convert', 'many.json'] + arguments, os.environ)
        _, status, usage = os.wait4(pid, 0)
        print(status, usage.ru_maxrss < 64 * 1024, usage.ru_maxrss)
      c = sqlite3.connect('New.storedata')
      print(c.execute('SELECT count(*), min(n), max(n) FROM (SELECT count(*) n FROM ZPERSON GROUP BY ZGROUP)').fetchone())
      """)
    let lines = answer.text.split(separator: "\n")
    #expect(lines.count == 3, "\(answer.text) \(answer.errors)")
    for line in lines.prefix(2) { #expect(line.hasPrefix("0 True"), "\(line)") }
    #expect(lines.last == "(18, 2222, 2223)")
  }
}
