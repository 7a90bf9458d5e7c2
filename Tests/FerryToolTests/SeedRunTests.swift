import Ferry
import Foundation
import TestSupport
import Testing

@Suite(.temporaryDirectory) struct `ferry seed` {
  private let items = """
    [{"name":"Spork","dateCreated":"2014-06-01T09:30:00Z","itemKey":"k1","valueInDollars":1},
     {"name":"Bear","dateCreated":"2014-06-02T09:30:00Z","itemKey":"k2","valueInDollars":2}]
    """

  @Test func `A seed makes the document that convert makes, and only if it does not exist`() async throws {
    try directory.write("folks.xml", folks)
    let run = try await ToolRun.ferry("seed", "people.pplgrp", "--from", "folks.xml")
    expectQuiet(run)
    #expect(run.output == "people.pplgrp: created with 3 records\n")
    expectQuiet(try await .ferry("convert", "folks.xml", "-o", "convert.pplgrp"))
    #expect(try directory.bytes("people.pplgrp") == directory.bytes("convert.pplgrp"))
    try directory.write("people.pplgrp", "mine")
    let again = try await ToolRun.ferry("seed", "people.pplgrp", "--from", "folks.xml")
    expectQuiet(again)
    #expect(again.output == "people.pplgrp: already exists, not changed\n")
    #expect(try directory.text("people.pplgrp") == "mine")
  }

  @Test func `A seed adds records to XML with types`() async throws {
    try directory.write("a.json", #"[{"name":"Ada","age":36}]"#)
    try directory.write("more.json", #"[{"name":"Ada","age":1},{"name":"Bo","age":2}]"#)
    expectQuiet(
      try await .ferry("convert", "a.json", "--to", "xml", "--types", "attributes", "-o", "a.xml"))
    let run = try await ToolRun.ferry("seed", "a.xml", "--from", "more.json", "--merge", "--key", "name")
    #expect(run.output == "a.xml: added 1 record\n  \"Bo\"\n", "\(run.errors)")
    let json = try await ToolRun.ferry("convert", "a.xml", "--to", "json")
    #expect(json.output == #"[{"name":"Ada","age":36},{"name":"Bo","age":2}]"# + "\n")
  }

  @Test(arguments: [
    // Another delimiter and other line ends.
    ("id;n\r\n1;\"a,b\"\r\n", #"[{"id":"2","n":"x"}]"#, "2;x\r\n"),
    ("id\tn\n1\tx\n", #"[{"id":2,"n":"y;z"}]"#, "2\ty;z\n"),
    ("sep=;\nid;n\n1;x\n", #"[{"n":"y","id":"2"}]"#, "2;y\n"),
    ("id,n\r1,x\r", #"[{"id":"2","n":"y"}]"#, "2,y\r"),
    ("id,n\r\n1,\"x\r\ny\"\r\n", #"[{"id":"2","n":"y\nz"}]"#, "2,\"y\nz\"\r\n"),
    // Empty cells with and without quotation marks, and one that is missing.
    ("id,n,z\n1,x,\n2,,\"\"\n", #"[{"id":"3","n":"y"}]"#, "3,y,\n"),
    ("id,n\n1,\n", #"[{"id":"2","n":""}]"#, "2,\n"),
    ("id\n1\n", #"[{"id":""}]"#, "\"\"\n"),
    // Quotation marks around texts, and around those that look like numbers.
    (#""id","n"\#n"1","x"\#n"#, #"[{"id":2,"n":"y"}]"#, #""2","y"\#n"#),
    ("\u{feff}id,n\n\"1\",x\n", #"[{"id":"2","n":"y"}]"#, "\"2\",y\n"),
    ("id|n\n1|x\n", #"[{"id":"2","n":"y|\"z"}]"#, "2|\"y|\"\"z\"\n"),
    // No rows yet.
    ("id;n\n", #"[{"id":2}]"#, "2;\n"),
  ])
  func `Rows are added to a table as it writes them, and its text stays`(
    _ table: String, _ data: String, _ added: String
  ) async throws {
    try directory.write("t.csv", table)
    try directory.write("new.json", data)
    let run = try await ToolRun.ferry("seed", "t.csv", "--from", "new.json", "--merge", "--key", "id")
    #expect(run.status == 0, "\(run.errors)")
    #expect(try directory.text("t.csv") == table + added)
  }

  @Test func `A new column of a table has empty cells in the rows that it had`() async throws {
    try directory.write("t.csv", "id;n\n1;\"x\"\n\n2;y")
    try directory.write("new.json", #"[{"id":"3","n":"z","a;b":"7"}]"#)
    let run = try await ToolRun.ferry("seed", "t.csv", "--from", "new.json", "--merge", "--key", "id")
    #expect(run.status == 0)
    #expect(run.errors == "new.json: not exact: missing keys become empty cells (1)\n")
    #expect(try directory.text("t.csv") == "id;n;\"a;b\"\n1;\"x\";\n\n2;y;\n3;z;7\n")
  }

  @Test func `A seed reports only the values of a table whose types the schema does not restore`()
    async throws
  {
    try directory.write(
      "t.schema.json",
      """
      {"ferry":1,"name":"t","key":"id","fields":[{"name":"id","type":"integer"},
       {"name":"b","type":"boolean","optional":true},{"name":"d","type":"date","optional":true}]}
      """)
    try directory.write("a.json", #"[{"b":true,"id":1}]"#)
    let seed = ["seed", "t.csv", "--schema", "t.schema.json", "--from"]
    let made = try await ToolRun.ferry(seed + ["a.json"])
    expectQuiet(made)
    #expect(try directory.text("t.csv") == "id,b,d\n1,true,\n")
    // A table keeps the columns that it has.
    try directory.write("t.csv", "b,id\ntrue,1\n")
    try directory.write("b.json", #"[{"id":2,"b":false}]"#)
    expectQuiet(try await .ferry(seed + ["b.json", "--merge"]))
    #expect(try directory.text("t.csv") == "b,id\ntrue,1\nfalse,2\n")
    try directory.write("c.json", #"[{"id":3,"b":true,"u":5}]"#)
    let added = try await ToolRun.ferry(seed + ["c.json", "--merge"])
    #expect(added.errors.contains("numbers become text (1)"), "\(added.errors)")
    #expect(!added.errors.contains("booleans"))
  }

  @Test func `Records are added in the encoding of a table and of JSON Lines`() async throws {
    func utf16(_ text: String) -> [UInt8] {
      text.utf16.flatMap { [UInt8(truncatingIfNeeded: $0), UInt8($0 >> 8)] }
    }
    try directory.write("new.json", #"[{"id":"b","n":"é"}]"#)
    for (name, text, added) in [
      ("t.csv", "\u{feff}id;n\r\na;ü\r\n", "b;é\r\n"),
      ("t.jsonl", "\u{feff}{\"id\":\"a\"}\r\n", "{\"id\":\"b\",\"n\":\"é\"}\r\n"),
    ] {
      try directory.write(name, utf16(text))
      let run = try await ToolRun.ferry("seed", name, "--from", "new.json", "--merge", "--key", "id")
      #expect(run.status == 0, "\(run.errors)")
      #expect(try directory.bytes(name) == utf16(text + added))
    }
  }

  /// Returns the typed form of an archive.
  private func typed(_ file: String) async throws -> String {
    let run = try await ToolRun.ferry("convert", file, "--form", "typed", "--to", "json")
    #expect(run.status == 0, "\(run.errors)")
    return run.output
  }

  @Test(arguments: [
    ("data.json", #"[{"id":3,"n":9}]"#), ("data.xml", "<notes><note><id>3</id></note></notes>"),
    ("data.csv", "id,n\n3,9\n"), ("data.yaml", "- {id: 3}\n"),
  ])
  func `A seed with --to archive makes an archive of any records, also with the extension of a type`(
    _ name: String, _ data: String
  ) async throws {
    try directory.write(name, data)
    let run = try await ToolRun.ferry("seed", "new.archive", "--from", name, "--to", "archive")
    #expect(run.status == 0 && run.output.hasPrefix("new.archive: created"), "\(run.errors)")
    #expect(try await typed("new.archive").contains(#""id":"#))
    // Without the option, the extension asks for items.
    let items = try await ToolRun.ferry("seed", "items.archive", "--from", name)
    #expect(items.status == 1)
    #expect(
      items.errors.contains(
        "(the built-in schema item asks for it; --schema none reads the file by convention)"),
      "\(items.errors)")
    #expect(try !directory.names().contains("items.archive"))
  }

  @Test func `A seed with --to archive makes an archive of the objects of another one`() async throws {
    try directory.write(
      "data.json",
      #"{"$ferry":1,"$archiver":"NSKeyedArchiver","$top":{"root":[{"$class":"Rec","id":1}]}}"#)
    expectQuiet(try await .ferry("convert", "data.json", "--to", "archive", "-o", "data.archive"))
    let run = try await ToolRun.ferry("seed", "new.archive", "--from", "data.archive", "--to", "archive")
    #expect(run.output == "new.archive: created with 1 record\n", "\(run.errors)")
    #expect(try await typed("new.archive").contains(#"[{"$class":"Rec","id":1}]"#))
    // An existing archive shows that its records are not items.
    try directory.write("more.json", #"[{"id":2}]"#)
    let merged = try await ToolRun.ferry(
      "seed", "new.archive", "--from", "more.json", "--merge", "--key", "id")
    #expect(merged.output == "new.archive: added 1 record\n  2\n", "\(merged.errors)")
    #expect(try await typed("new.archive").contains(#"{"$class":"Rec","id":2}"#))
  }

  @Test func `A seed with --to archive still makes items of items, and refuses those that are incomplete`()
    async throws
  {
    try directory.write("items.json", items)
    expectQuiet(try await .ferry("seed", "a.archive", "--from", "items.json", "--to", "archive"))
    #expect(try await typed("a.archive").contains(#""$class":"Item""#))
    for data in [#"[{"name":"x","id":1}]"#, "<items><item><name>x</name></item></items>"] {
      try directory.write("bad", data)
      let run = try await ToolRun.ferry("seed", "b.archive", "--from", "bad", "--to", "archive")
      #expect(run.status == 1 && run.errors.contains("the item has no dateCreated"), "\(run.errors)")
    }
    // The extension of another type does not stand for other records.
    try directory.write("c.json", #"[{"id":1}]"#)
    let person = try await ToolRun.ferry("seed", "c.pplgrp", "--from", "c.json", "--to", "archive")
    #expect(person.status == 1 && person.errors.contains("the person has no firstName"), "\(person.errors)")
    #expect(!person.errors.contains("--schema none"), "\(person.errors)")
  }

  @Test(arguments: [
    (#"{"$class":"Rec","id":3,"n":9}"#, #"{"$class":"My.Rec","id":3,"n":9}"#),
    (#"{"$class":"My.Rec","id":3}"#, #"{"$class":"My.Rec","id":3}"#),
    (#"{"id":3}"#, #"{"$class":"My.Rec","id":3}"#),
    (#"{"$class":"Other","id":3}"#, #"{"$class":"Other","id":3}"#),
    (
      #"{"id":3,"part":{"$class":"Rec","id":4}}"#,
      #"{"$class":"My.Rec","id":3,"part":{"$class":"My.Rec","id":4}}"#
    ),
  ])
  func `A record that names its class is an object, as an inserted one`(_ record: String, _ object: String)
    async throws
  {
    try directory.write(
      "doc.json",
      #"{"$ferry":1,"$archiver":"NSKeyedArchiver","$top":{"root":[{"$class":"My.Rec","id":1}]}}"#)
    try directory.write("more.json", "[\(record)]")
    expectQuiet(try await .ferry("convert", "doc.json", "--to", "archive", "-o", "doc.dat"))
    let run = try await ToolRun.ferry(
      "seed", "doc.dat", "--from", "more.json", "--merge", "--key", "id", "--to", "archive")
    #expect(run.output == "doc.dat: added 1 record\n  3\n", "\(run.errors)")
    let text = try await typed("doc.dat")
    #expect(text.contains(object) && !text.contains("$$"), "\(text)")
    let again = try await ToolRun.ferry(
      "seed", "doc.dat", "--from", "more.json", "--merge", "--key", "id", "--to", "archive")
    #expect(again.output == "doc.dat: already has all records\n", "\(again.errors)")
  }

  @Test func `The class that a record of a schema names is that of the document`() async throws {
    try directory.write("items.json", items)
    expectQuiet(try await .ferry("seed", "items.archive", "--from", "items.json"))
    try directory.write(
      "more.json",
      #"[{"$class":"Item","name":"Mug","dateCreated":"2014-06-01T09:30:00Z","itemKey":"k9","valueInDollars":5}]"#
    )
    let run = try await ToolRun.ferry("seed", "items.archive", "--from", "more.json", "--merge")
    #expect(run.output == "items.archive: added 1 record\n  \"k9\"\n", "\(run.errors)")
    #expect(try await !typed("items.archive").contains("$$class"))
  }

  @Test func `Beside dictionaries, $class is a key`() async throws {
    try directory.write("doc.json", #"[{"id":1}]"#)
    try directory.write("more.json", #"[{"$class":"Rec","id":3}]"#)
    expectQuiet(try await .ferry("convert", "doc.json", "--to", "archive", "-o", "doc.dat"))
    let run = try await ToolRun.ferry(
      "seed", "doc.dat", "--from", "more.json", "--merge", "--key", "id", "--to", "archive")
    #expect(run.status == 0, "\(run.errors)")
    #expect(
      try await ToolRun.ferry("convert", "doc.dat", "--to", "json").output
        == #"[{"id":1},{"$class":"Rec","id":3}]"# + "\n")
  }

  @Test func `A seed with --schema none reads its data by convention, as convert does`() async throws {
    try directory.write("folks.xml", folks)
    expectQuiet(try await .ferry("seed", "people.json", "--from", "folks.xml", "--schema", "none"))
    expectQuiet(
      try await .ferry(
        "convert", "folks.xml", "--schema", "none", "--to", "json", "--pretty", "-o", "convert.json"))
    #expect(try directory.bytes("people.json") == directory.bytes("convert.json"))
    guard Format.sqlite.canWrite else { return }
    expectQuiet(try await .ferry("seed", "people.db", "--from", "folks.xml", "--schema", "none"))
    expectQuiet(try await .ferry("convert", "folks.xml", "--schema", "none", "-o", "convert.db"))
    #expect(try directory.bytes("people.db") == directory.bytes("convert.db"))
  }

  @Test(.enabled(if: Format.sqlite.canWrite))
  func `A seed makes a database with the schema's table, and adds nothing to an existing one`()
    async throws
  {
    try directory.write("folks.xml", folks)
    expectQuiet(try await .ferry("convert", "folks.xml", "-o", "convert.db"))
    let run = try await ToolRun.ferry("seed", "people.db", "--from", "folks.xml")
    #expect(run.output == "people.db: created with 3 records\n")
    let bytes = try directory.bytes("people.db")
    #expect(try bytes == directory.bytes("convert.db"))
    let words = "people.db: a database is not rewritten from its records, "
    for arguments in [
      ["seed", "people.db", "--from", "folks.xml", "--merge", "--key", "firstName"],
      ["merge", "convert.db", "people.db", "convert.db", "-o", "people.db", "--force"],
    ] {
      let refused = try await ToolRun.ferry(arguments)
      #expect(refused.status == 1)
      #expect(refused.errors.hasPrefix(words), "\(refused.errors)")
      #expect(try directory.bytes("people.db") == bytes)
    }
  }

  @Test(arguments: ["sqlite", "json", "csv", "archive"])
  func `A seed makes the document of a type that convert makes`(_ format: String) async throws {
    guard format != "sqlite" || Format.sqlite.canWrite else { return }
    try directory.write(
      "types.json",
      """
      {"ferry":1,"types":[{"name":"store","identifier":"com.example.store","extensions":["stor"],
       "schema":"stop.schema.json","layout":{"file":"\(format)"}}]}
      """)
    try directory.write(
      "stop.schema.json",
      """
      {"ferry":1,"name":"stop","key":"id","fields":[{"name":"id","type":"integer"},
       {"name":"when","type":"date","optional":true},{"name":"price","type":"decimal","optional":true}]}
      """)
    try directory.write("s.json", #"[{"id":1,"price":2.20}]"#)
    let run = try await ToolRun.ferry("seed", "seed.stor", "--from", "s.json", "--types", "types.json")
    #expect(run.output == "seed.stor: created with 1 record\n", "\(run.errors)")
    expectQuiet(run)
    expectQuiet(
      try await .ferry(
        ["convert", "s.json", "-o", "convert.stor", "--types", "types.json"]
          + (format == "json" ? ["--pretty"] : [])))
    #expect(try directory.bytes("seed.stor") == directory.bytes("convert.stor"))
  }

  @Test(arguments: ["xml", "json", "jsonl", "plist-xml", "plist-binary", "archive", "archive-xml"])
  func `A seed takes data of every format`(_ format: String) async throws {
    try directory.write("folks.xml", folks)
    expectQuiet(try await .ferry("convert", "folks.xml", "--to", format, "-o", "data"))
    let run = try await ToolRun.ferry("seed", "people.pplgrp", "--from", "data")
    expectQuiet(run)
    expectQuiet(try await .ferry("convert", "folks.xml", "-o", "convert.pplgrp"))
    #expect(try directory.bytes("people.pplgrp") == directory.bytes("convert.pplgrp"))
  }

  @Test func `A seed reports the data that the document does not hold`() async throws {
    try directory.write(
      "data.plist",
      "<plist version=\"1.0\"><array><dict><key>d</key><date>2014-06-01T09:30:00Z</date></dict></array></plist>"
    )
    let run = try await ToolRun.ferry("seed", "x.json", "--from", "data.plist")
    #expect(run.output == "x.json: created with 1 record\n")
    #expect(run.errors == "data.plist: not exact: dates become text (1)\n")
    expectQuiet(try await .ferry("seed", "y.json", "--from", "data.plist", "--quiet"))
    #expect(try directory.bytes("y.json") == directory.bytes("x.json"))
  }

  @Test func `Only one of many seeds at once makes the document`() async throws {
    try directory.write("folks.xml", folks)
    let run = try await ToolRun.shell(
      """
      for n in 1 2 3 4 5 6 7 8; do ferry seed people.pplgrp --from folks.xml > out.$n & done; wait
      cat out.*
      ls -A | grep -v '^out\\.'
      """)
    #expect(run.output.components(separatedBy: "created with").count == 2)
    #expect(run.output.components(separatedBy: "already exists").count == 8)
    #expect(run.output.hasSuffix("folks.xml\npeople.pplgrp\n"))
  }

  @Test(arguments: ["items.archive", "things.mystuff"]) func `A seed loses nothing that others add at once`(
    _ document: String
  ) async throws {
    let isPackage = document.hasSuffix("mystuff")
    let run = try await ToolRun.shell(
      """
      for n in 1 2 3 4 5 6 7 8; do
        mkdir $n; printf '\\211PNG\\r\\n\\032\\n%s' $n > $n/image.png
        if \(isPackage); then
          printf '[{"name":"A%s","location":"x","imageKey":"image.png"},{"name":"B%s","location":"y"}]' $n $n
        else
          printf '[{"name":"A%s","itemKey":"A%s","valueInDollars":1,"dateCreated":"2015-01-01T00:00:00Z"},' $n $n
          printf '{"name":"B%s","itemKey":"B%s","valueInDollars":1,"dateCreated":"2015-01-01T00:00:00Z"}]' $n $n
        fi > $n/data.json
      done
      for n in 1 2 3 4 5 6 7 8; do
        ferry seed \(document) --from $n/data.json --merge --key name > $n/out 2>&1 || echo failed &
      done
      wait
      cat ?/out | grep -c ': created with 2 records\\|: added 2 records'
      ferry get \(document) '[*].name' | sort | tr '\\n' ' '
      ls -A | grep -c '^\\.'
      """)
    let names = ["A", "B"].flatMap { letter in (1...8).map { "\(letter)\($0) " } }.joined()
    #expect(run.output == "8\n\(names)0\n")
    #expect(run.errors == "")
    guard isPackage else { return }
    // Each has its own image.
    let images = try await ToolRun.shell(
      """
      for n in 1 2 3 4 5 6 7 8; do
        key=$(ferry get things.mystuff "[name=\\"A$n\\"][\\"image.key\\"]")
        cmp "things.mystuff/$key" $n/image.png
      done
      """)
    expectQuiet(images)
    #expect(images.output == "")
  }

  @Test func `A seed adds missing records, reports them, and leaves the others as they are`() async throws {
    try directory.write("items.json", items)
    let run = try await ToolRun.shell(
      """
      ferry seed items.archive --from items.json || exit 2
      ferry set items.archive '[0].name' Mine || exit 3
      ferry insert items.archive '[0].secret' kept || exit 4
      ferry convert items.archive --to jsonl > before
      """)
    #expect(run.status == 0)
    try directory.write(
      "more.json",
      items.dropLast()
        + #",{"name":"New","dateCreated":"2015-01-01T00:00:00Z","itemKey":"k3","valueInDollars":3}]"#)
    let added = try await ToolRun.ferry("seed", "items.archive", "--from", "more.json", "--merge")
    expectQuiet(added)
    #expect(added.output == "items.archive: added 1 record\n  \"k3\"\n")
    let after = try await ToolRun.ferry("convert", "items.archive", "--to", "jsonl")
    let before = try directory.text("before")
    #expect(before.contains(#""name":"Mine""#) && before.contains(#""secret":"kept""#))
    #expect(after.output.hasPrefix(before) && after.output.contains(#""name":"New""#))
    // What was there has kept its numbers, order and bytes.
    let shown = try await ToolRun.shell("ferry show items.archive --width 60")
    #expect(shown.output.contains("itemKey: \"k1\"\n    secret: \"kept\"\n"))
    let bytes = try directory.bytes("items.archive")
    let again = try await ToolRun.ferry("seed", "items.archive", "--from", "more.json", "--merge")
    #expect(again.output == "items.archive: already has all records\n")
    #expect(try directory.bytes("items.archive") == bytes)
  }

  @Test(arguments: ["json", "jsonl", "plist-xml", "plist-binary", "archive-xml", "xml"])
  func `A seed adds to documents of every format`(_ format: String) async throws {
    try directory.write("items.json", items)
    try directory.write(
      "more.xml",
      """
      <items><item><name>New</name><dateCreated>2015-01-01T00:00:00Z</dateCreated><itemKey>k3</itemKey>
      <valueInDollars>3</valueInDollars></item></items>
      """)
    let run = try await ToolRun.shell(
      """
      ferry seed doc --from items.json --to \(format) --schema item || exit 2
      ferry seed doc --from more.xml --merge --schema item || exit 3
      ferry convert doc --schema item --to jsonl
      """)
    expectQuiet(run)
    #expect(
      run.output == """
        doc: created with 2 records
        doc: added 1 record
          "k3"
        {"name":"Spork","dateCreated":"2014-06-01T09:30:00Z","itemKey":"k1","valueInDollars":1}
        {"name":"Bear","dateCreated":"2014-06-02T09:30:00Z","itemKey":"k2","valueInDollars":2}
        {"name":"New","dateCreated":"2015-01-01T00:00:00Z","itemKey":"k3","valueInDollars":3}

        """)
  }

  @Test func `A seed keeps the text of JSON to which it adds`() async throws {
    try directory.write("doc.json", "[ {\"k\" : 1e2},\n\n  {\"k\":2} ]\n")
    try directory.write("more.json", #"[{"k":3}]"#)
    let run = try await ToolRun.ferry("seed", "doc.json", "--from", "more.json", "--merge", "--key", "k")
    expectQuiet(run)
    #expect(try directory.text("doc.json").hasPrefix("[ {\"k\" : 1e2},\n\n  {\"k\":2}"))
    #expect(try directory.text("doc.json").contains("3"))
  }

  @Test func `A seed keeps the text of XML to which it adds`() async throws {
    try directory.write("doc.xml", folks.replacingOccurrences(of: "<people>", with: "<people><!-- ours -->"))
    try directory.write("more.json", #"[{"firstName":"A","lastName":"B"}]"#)
    let before = try directory.text("doc.xml")
    let run = try await ToolRun.ferry(
      "seed", "doc.xml", "--from", "more.json", "--merge", "--key", "firstName")
    expectQuiet(run)
    let after = try directory.text("doc.xml")
    #expect(after.contains("<!-- ours -->") && after.contains("<firstName>A</firstName>"))
    #expect(
      after.hasPrefix(
        before.components(separatedBy: "</people>")[0].trimmingCharacters(in: .whitespacesAndNewlines)))
  }

  @Test(arguments: [
    (
      "<people><person><firstName>A</firstName></person></people>",
      "data.xml:1:9: the person has no lastName (at [0])"
    ),
    (
      "<people><person><firstName>A</firstName><lastName>B</lastName></person>\n<person><firstName>A</firstName><lastName>C</lastName></person></people>",
      "data.xml:2:1: this record and [0] have the same first, \"A\" (at [1].first)"
    ),
    ("<people><person>", "data.xml:1:17: "),
  ])
  func `A seed makes nothing of invalid data`(_ text: String, _ words: String) async throws {
    try directory.write("data.xml", text)
    let run = try await ToolRun.ferry("seed", "people.pplgrp", "--from", "data.xml", "--key", "firstName")
    #expect(run.status == 1)
    #expect(run.errors.hasPrefix(words), "\(run.errors)")
    #expect(try directory.names() == ["data.xml"])
  }

  @Test(
    arguments: [
      (["people.pplgrp", "--from", "none.xml"], "none.xml: "),
      (["folder", "--from", "folks.xml"], "folder: this is a directory, not a file\n"),
      (["folder.pplgrp", "--from", "folks.xml"], "folder.pplgrp: this is a directory, not a file\n"),
      (["file.mystuff", "--from", "folks.xml"], "file.mystuff: this is a file, not a directory\n"),
      (["pipe.pplgrp", "--from", "folks.xml"], "pipe.pplgrp: this is neither a file nor a folder\n"),
      (["a.unknown", "--from", "folks.xml"], "a.unknown: the name of the document does not show its format"),
      (["Circle.mystuff", "--from", "folks.xml"], "Circle.mystuff: too many levels of symbolic links\n"),
      (
        ["Empty.mystuff", "--from", "folks.xml", "--merge", "--key", "name"],
        "Empty.mystuff: the package has no things.data, the file with its records\n"
      ),
      (
        ["Empty.mystuff", "--from", "folks.xml"],
        "Empty.mystuff: the package has no things.data, the file with its records\n"
      ),
      (["people", "--from", "folks.xml"], "people: the name of the document does not show its format"),
      (["Mine.mystuff", "--from", "folks.xml"], "folks.xml:2:1: "),
      (["a/b.pplgrp", "--from", "folks.xml"], "a/b.pplgrp: "),
      (
        ["there.pplgrp", "--from", "folks.xml", "--merge"],
        "folks.xml: no field identifies the records (use --key FIELD, or a schema with a key)"
      ),
      (
        ["scalar.json", "--from", "folks.xml", "--merge", "--key", "firstName"],
        "scalar.json: expected a list of records"
      ),
    ])
  func `A seed reports an invalid document`(_ arguments: [String], _ words: String) async throws {
    try directory.write("folks.xml", folks)
    try directory.write("scalar.json", "1")
    for name in ["folder", "folder.pplgrp", "Empty.mystuff"] { try directory.makeDirectory(name) }
    try directory.write("file.mystuff", "x")
    expectQuiet(try await .shell("mkfifo pipe.pplgrp; ln -s Circle.mystuff Circle.mystuff"))
    expectQuiet(try await .ferry("convert", "folks.xml", "-o", "there.pplgrp"))
    let names = try directory.names()
    let run = try await ToolRun.ferry(["seed"] + arguments)
    #expect(run.status == 1)
    #expect(run.errors.hasPrefix(words), "\(run.errors)")
    #expect(try directory.names() == names)
  }

  @Test(arguments: [("csv", ","), ("tsv", "\t")])
  func `A seed with --to adds to a document whose name and content do not show its format`(
    _ format: String, _ delimiter: String
  ) async throws {
    try directory.write("data.json", #"[{"id":1,"n":"a"}]"#)
    try directory.write("more.json", #"[{"id":1,"n":"b"},{"id":2,"n":"c"}]"#)
    let seed = ["seed", "s.out", "--key", "id", "--from"]
    let made = try await ToolRun.ferry(seed + ["data.json", "--to", format])
    #expect(made.output == "s.out: created with 1 record\n", "\(made.errors)")
    let added = try await ToolRun.ferry(seed + ["more.json", "--to", format, "--merge"])
    #expect(added.output == "s.out: added 1 record\n  2\n", "\(added.errors)")
    let table = "id,n\n1,a\n2,c\n".replacing(",", with: delimiter)
    #expect(try directory.text("s.out") == table)
    // Without the option, the advice names it, and not that for the format of the data.
    let problem = "s.out: no format that Ferry reads begins with these bytes, which may be CSV"
    expectFailure(
      try await .ferry(seed + ["more.json", "--merge"]),
      "\(problem) (use --to csv; ferry formats lists the formats)")
    expectFailure(
      try await .ferry("seed", "new.json", "--from", "s.out"),
      "\(problem) (use --from-format csv; ferry formats lists the formats)")
    #expect(try directory.text("s.out") == table)
  }

  @Test func `A seed with --to adds to JSON with comments, which its content does not tell from JSON`()
    async throws
  {
    let text = "// people\n[{\"id\":\"1\"}]\n"
    try directory.write("t.json", text)
    try directory.write("more.json", #"[{"id":"1"},{"id":"2"}]"#)
    let seed = ["seed", "t.json", "--key", "id", "--from", "more.json", "--merge"]
    expectFailure(try await .ferry(seed), "t.json: this is JSON with comments (use --to jsonc)")
    let run = try await ToolRun.ferry(seed + ["--to", "jsonc"])
    #expect(run.output == "t.json: added 1 record\n  \"2\"\n", "\(run.errors)")
    #expect(try directory.text("t.json") == text.replacing("\"1\"}", with: "\"1\"},{\"id\":\"2\"}"))
    // A format of another kind does not hide the format that the content shows.
    let other = try await ToolRun.ferry(
      "seed", "more.json", "--key", "id", "--from", "t.json", "--from-format", "jsonc", "--merge", "--to",
      "csv")
    #expect(other.output == "more.json: already has all records\n", "\(other.errors)")
  }

  /// Documents with a record, whose prefixes are not those of their schema, and the elements of the record that a seed adds.
  private static let otherPrefixes = [
    (
      """
      <b:list xmlns:b="urn:x" xmlns:c="urn:y"
        xmlns:other='urn:z'>
        <!-- the first -->
        <b:item><b:id>1</b:id><c:t>x</c:t></b:item>
      """, "</b:list>", "b:item b:id c:t"
    ),
    (
      """
      <list xmlns="urn:x" xmlns:c="urn:y">
        <!-- the first -->
        <item><id>1</id><c:t>x</c:t></item>
      """, "</list>", "item id c:t"
    ),
    (
      """
      <p:list xmlns:p="urn:x" xmlns:q="urn:y">
        <p:item><p:id>1</p:id><q:t>x</q:t></p:item>
      """, "</p:list>", "p:item p:id q:t"
    ),
  ]

  @Test(arguments: Self.otherPrefixes.indices)
  func `A document that gets a record keeps its prefixes, which are not those of its schema`(_ index: Int)
    async throws
  {
    let (start, end, names) = Self.otherPrefixes[index]
    let (item, id, t) = (
      names.split(separator: " ")[0], names.split(separator: " ")[1], names.split(separator: " ")[2]
    )
    try directory.write(
      "s.json",
      """
      {"ferry": 1, "name": "n", "key": "id", "namespaces": {"p": "urn:x", "q": "urn:y"},
        "collection": {"element": "p:list"}, "record": {"element": "p:item"},
        "fields": [{"name": "id", "xml": "p:id"}, {"name": "t", "xml": "q:t"}]}
      """)
    try directory.write("t.xml", "\(start)\n\(end)\n")
    try directory.write("more.json", #"[{"id":"2","t":"y"}]"#)
    let run = try await ToolRun.ferry(
      "seed", "t.xml", "--from", "more.json", "--schema", "s.json", "--merge", "--key", "id")
    #expect(
      run.output == "t.xml: added 1 record\n  \"2\"\n" && run.errors == "", "\(run.output)\(run.errors)")
    let text = try directory.text("t.xml")
    #expect(
      text == """
        \(start)
          <\(item)>
            <\(id)>2</\(id)>
            <\(t)>y</\(t)>
          </\(item)>
        \(end)

        """, "\(text)")
  }

  @Test func `A seed names the option for XML in which no list shows the records`() async throws {
    try directory.write("data.json", #"[{"id":"1"}]"#)
    try directory.write("more.json", #"[{"id":"2"}]"#)
    let seed = ["seed", "t.xml", "--key", "id", "--from"]
    #expect(try await ToolRun.ferry(seed + ["data.json", "-q"]).status == 0)
    expectFailure(
      try await .ferry(seed + ["more.json", "--merge"]),
      "t.xml: expected a list of records, found {root: …} (use --schema FILE if a schema names the list in it)"
    )
  }

  /// Documents with one person, whose name `first` and `last` enclose, and its line ends as `⏎`.
  private static let people:
    [(name: String, start: String, first: String, middle: String, last: String, end: String)] = [
      ("a.jsonl", "", #"{"firstName":""#, #"","lastName":""#, #""}⏎"#, ""),
      ("a.json", "[", #"⏎  {"firstName":""#, #"","lastName":""#, #""}"#, "⏎]⏎"),
      (
        "a.xml", "<people>⏎", "  <person>⏎    <firstName>", "</firstName>⏎    <lastName>",
        "</lastName>⏎  </person>⏎", "</people>⏎"
      ),
      (
        "a.plist", "<plist version=\"1.0\">⏎<array>⏎",
        "\t<dict>⏎\t\t<key>firstName</key>⏎\t\t<string>",
        "</string>⏎\t\t<key>lastName</key>⏎\t\t<string>", "</string>⏎\t</dict>⏎", "</array>⏎</plist>⏎"
      ),
    ]

  @Test func `A seed adds records with the line ends of the document`() async throws {
    try directory.write("more.json", #"[{"firstName":"Ada","lastName":"King"}]"#)
    for (name, start, first, middle, last, end) in Self.people {
      let comma = name == "a.json" ? "," : ""
      let old = first + "Al" + middle + "Jazari" + last
      let new = first + "Ada" + middle + "King" + last
      for lineEnd in ["\r\n", "\n"] {
        try directory.write(name, (start + old + end).replacing("⏎", with: lineEnd))
        let run = try await ToolRun.ferry(
          "seed", name, "--from", "more.json", "--merge", "--key", "firstName")
        #expect(run.status == 0, "\(run.errors)")
        let wanted = (start + old + comma + new + end).replacing("⏎", with: lineEnd)
        #expect(try directory.bytes(name) == Array(wanted.utf8), "\(name)")
      }
    }
    // A last line without an end gets that of the others.
    let lines = [#"{"firstName":"A"}"#, #"{"firstName":"B"}"#]
    try directory.write("a.jsonl", lines.joined(separator: "\r\n"))
    let run = try await ToolRun.ferry(
      "seed", "a.jsonl", "--from", "more.json", "--merge", "--key", "firstName")
    #expect(run.status == 0)
    let wanted = lines + [#"{"firstName":"Ada","lastName":"King"}"#, ""]
    #expect(try directory.bytes("a.jsonl") == Array(wanted.joined(separator: "\r\n").utf8))
  }

  @Test func `A seed gives classes the names that an app's module needs`() async throws {
    try directory.write("folks.xml", folks)
    let run = try await ToolRun.shell(
      "ferry seed p.pplgrp --from folks.xml --class Person=MyApp.Person -q && ferry show p.pplgrp")
    expectQuiet(run)
    #expect(run.output.contains("MyApp.Person {"))
  }

  @Test(arguments: [
    "<people><!-- only --></people>", "<people><?pi x?></people>", "<people version=\"2\"></people>",
    "<people>text</people>", "<people> <!-- c --> </people>", "<people><![CDATA[x]]></people>",
  ])
  func `Records are not added to XML without records if it would lose something`(_ document: String)
    async throws
  {
    try directory.write("s.xml", document)
    try directory.write("n.json", #"[{"lastName":"B","firstName":"x"}]"#)
    let line = "ferry seed s.xml --from n.json --merge --key lastName --schema person"
    let run = try await ToolRun.shell(line)
    #expect(run.status == 1, "\(run.errors)")
    #expect(try directory.text("s.xml") == document)
    for empty in ["<people/>", "<people></people>", "<people a=\"1\"/>", "<!-- c --><people>\n</people>"] {
      try directory.write("s.xml", empty)
      let run = try await ToolRun.shell(line)
      #expect(run.status == 0, "\(empty): \(run.errors)")
      #expect(try directory.text("s.xml").contains("<firstName>x</firstName>"))
    }
  }
}
