import Foundation
import TestSupport
import Testing

@Suite(.temporaryDirectory) struct `ferry edit` {
  private func archive() async throws -> Data {
    try directory.write("folks.xml", folks)
    expectQuiet(try await ToolRun.ferry("convert", "folks.xml", "-o", "people.pplgrp"))
    return try Data(contentsOf: URL(filePath: directory.path + "/people.pplgrp"))
  }

  private func current() throws -> Data {
    try Data(contentsOf: URL(filePath: directory.path + "/people.pplgrp"))
  }

  @Test func `An edit writes back what was changed, and the first bytes after a change back`() async throws {
    let original = try await archive()
    let run = try await ToolRun.shell("EDITOR='sed -i s/Neuburg/Newburgh/' ferry edit people.pplgrp")
    expectQuiet(run)
    let shown = try await ToolRun.ferry("convert", "people.pplgrp", "--to", "json")
    #expect(shown.output.contains("Newburgh"))
    expectQuiet(try await ToolRun.shell("VISUAL='sed -i s/Newburgh/Neuburg/' ferry edit people.pplgrp"))
    #expect(try current() == original)
  }

  @Test func `Without a terminal and a named editor, an edit fails at once`() async throws {
    try directory.write("a.json", "[1]")
    let run = try await ToolRun.shell("unset VISUAL EDITOR; timeout 20 ferry edit a.json < /dev/null")
    #expect(run.status == 1)
    #expect(run.errors.hasPrefix("a.json: no editor can be opened without a terminal"), "\(run.errors)")
    #expect(try directory.names() == ["a.json"])
    #expect(try directory.text("a.json") == "[1]")
  }

  /// The shell sees the quotation mark before a combining character, which is another `Character`.
  @Test(arguments: ["a';touch pwned;'.json", "a'\u{301};touch pwned;'\u{301}.json"])
  func `The name of an edited file is not a command`(_ name: String) async throws {
    try directory.write(name, "[1]")
    let run = try await ToolRun.shell("EDITOR='sed -i s/1/2/' ferry edit a*.json")
    expectQuiet(run)
    #expect(try directory.names() == [name])
    #expect(try directory.text(name) == "[2]")
  }

  @Test(arguments: ["deep.json", "deep.plist"])
  func `An edit takes the limit that its message names`(_ name: String) async throws {
    let deep = String(repeating: "[", count: 600) + "7" + String(repeating: "]", count: 600)
    try directory.write("deep.json", deep)
    expectQuiet(
      try await .ferry(
        "convert", "deep.json", "--to", "plist-binary", "-o", "deep.plist", "--max-depth", "700"))
    let edit = "TMPDIR=$PWD EDITOR='sed -i s/7/8/' ferry edit \(name) </dev/null"
    let refused = try await ToolRun.shell(edit)
    #expect(refused.status == 1)
    #expect(refused.errors.contains("nested deeper than 512 levels (--max-depth raises the limit)"))
    expectQuiet(try await .shell("\(edit) --max-depth 700"))
    if name == "deep.plist" {
      // The data in the file is opened with the same limit.
      expectQuiet(
        try await .ferry("convert", name, "--to", "plist-xml", "-o", "deep.xml", "--max-depth", "700"))
      expectQuiet(
        try await .shell(
          "TMPDIR=$PWD EDITOR='sed -i s/8/9/' ferry edit deep.xml --expand --max-depth 700 </dev/null"))
    }
    let edited = try await ToolRun.ferry("convert", name, "--to", "json", "--max-depth", "700")
    #expect(edited.output.trimmingCharacters(in: .newlines) == deep.replacing("7", with: "8"))
  }

  @Test(
    arguments: [
      ("a.json", "<r/>", "a.json:1:1: expected a value"), ("a.json", "(a, b)", "a.json:1:1"),
      ("a.jsonl", "<r/>", "a.jsonl:1:1"), ("a.jsonl", "", "the file is empty"),
      ("a.xml", "{}", "a.xml:1:3: the document has no root element"), ("a.plist", "{}", "a.plist:1:1"),
      ("a.plist", "<r/>", "a.plist:1:1"),
      ("a.archive", "{}", "the typed form needs the key \"$ferry\" here"),
      ("a.archive", "<r/>", "a.archive.json:1:1"),
      ("b.plist", #"{"$value":[1]}"#, "the typed form needs the key \"$ferry\" here"),
      // the same syntax
      ("a.jsonl", " \n\n", "the file is empty"),
      (
        "a.xml", "<plist version=\"1.0\"><array/></plist>",
        "after this edit the file is an XML property list, and was XML"
      ),
      // Almost any text is YAML or CSV.
      ("a.yaml", "<r/>", "after this edit the file is XML, and was YAML"),
      ("a.csv", "<r/>", "after this edit the file is XML, and was CSV"),
      ("a.csv", "[1]", "after this edit the file is JSON, and was CSV"),
      (
        "a.archive", #"{"$ferry":1,"$value":[1]}"#,
        "after this edit the file is a binary property list, and was a keyed archive"
      ),
      (
        "c.plist", #"{"$ferry":1,"$value":[1]}"#,
        "after this edit the file is an XML property list, and was a keyed archive in XML"
      ),
      (
        "b.plist", #"{"$ferry":1,"$archiver":"NSKeyedArchiver","$top":{"root":["x"]}}"#,
        "after this edit the file is a keyed archive, and was a binary property list"
      ),
    ])
  func `An edit refuses a text of another format, and leaves the file alone`(
    _ name: String, _ text: String, _ message: String
  ) async throws {
    try directory.write("folks.xml", folks)
    try directory.write("a.json", #"[{"a":1}]"#)
    try directory.write("text", text)
    for target in ["a.jsonl", "a.xml", "a.yaml", "a.csv", "b.plist"] {
      let form = target == "b.plist" ? ["--to", "plist-binary"] : []
      expectQuiet(try await .ferry(["convert", "a.json", "-o", target, "-q"] + form))
    }
    expectQuiet(try await .ferry("convert", "a.json", "--to", "plist-xml", "-o", "a.plist"))
    expectQuiet(try await .ferry("convert", "folks.xml", "-o", "a.archive"))
    expectQuiet(try await .ferry("convert", "folks.xml", "--to", "archive-xml", "-o", "c.plist"))
    let before = try directory.bytes(name)
    let run = try await ToolRun.shell("TMPDIR=$PWD EDITOR='cp text' ferry edit \(name) </dev/null")
    #expect(run.status == 1)
    #expect(run.errors.contains(message), "\(run.errors)")
    #expect(try directory.bytes(name) == before)
  }

  @Test(arguments: [
    ("a.yaml", "a: 1\n", "[1]\n"), ("a.txt", "a\n", "[1]\n"), ("a.csv", "a,b\n1,2\n", "{a},b\n1,2\n"),
  ])
  func `An edit takes a text that begins as another format, if the file stays one of its format`(
    _ name: String, _ old: String, _ new: String
  ) async throws {
    try directory.write(name, old)
    try directory.write("text", new)
    expectQuiet(try await .shell("TMPDIR=$PWD EDITOR='cp text' ferry edit \(name) </dev/null"))
    #expect(try directory.text(name) == new)
  }

  @Test(arguments: [
    ("mut", "$null", "programs read the string \"$null\" as nil"),
    ("http://a.b/", "bad %%", "NSURL: "),
    ("\"q\"", "\"p\"", "a set has each value once, and [0] and [1] are equal"),
    ("\"NS.count0\": 1", "\"NS.count0\": 0", "NSCountedSet"),
    ("NSKeyedArchiver", "Other", "programs read archives of the archiver NSKeyedArchiver"),
  ])
  func `An edit refuses a text whose objects programs could not read, and leaves the file alone`(
    _ old: String, _ new: String, _ reason: String
  ) async throws {
    try directory.write(
      "a.json",
      #"""
      {"$ferry":1,"$archiver":"NSKeyedArchiver","$top":{"root":["a",
      {"$class":"NSURL","NS.base":null,"NS.relative":"http://a.b/"},{"$class":"NSMutableSet","$items":["p","q"]},
      {"$class":"NSMutableString","NS.string":"mut"},
      {"$class":"NSCountedSet","NS.count":1,"NS.object0":"c","NS.count0":1}]}}
      """#)
    try directory.write("old", old)
    try directory.write("new", new)
    try directory.write(
      "change.py",
      """
      import sys
      text = open(sys.argv[1]).read()
      assert open("old").read() in text
      open(sys.argv[1], "w").write(text.replace(open("old").read(), open("new").read()))
      """)
    for (format, name) in [("archive", "a.archive"), ("archive-xml", "a.plist")] {
      expectQuiet(try await .ferry("convert", "a.json", "--to", format, "-o", name))
      let before = try directory.bytes(name)
      let edit = "TMPDIR=$PWD EDITOR='python3 change.py' ferry edit \(name) </dev/null"
      let run = try await ToolRun.shell(edit)
      #expect(run.status == 1)
      #expect(
        run.errors.contains("programs could not read an object of the result: \(reason)"), "\(run.errors)")
      #expect(try directory.bytes(name) == before)
    }
    // A file may keep the flaws that it has.
    let text = try directory.text("a.json").replacing(old.replacing(": ", with: ":"), with: new)
    try directory.write("b.json", text)
    expectQuiet(try await .ferry("convert", "b.json", "-o", "b.archive"))
    expectQuiet(try await .shell(#"EDITOR='sed -i s/\"a\"/\"b\"/' ferry edit b.archive"#))
  }

  @Test func `An edit refuses such objects in data, too`() async throws {
    try directory.write(
      "a.json",
      #"{"$ferry":1,"$archiver":"NSKeyedArchiver","$top":{"root":{"$class":"NSSet","$items":["p","q"]}}}"#)
    expectQuiet(try await .ferry("convert", "a.json", "-o", "a.archive"))
    let data = Data(try directory.bytes("a.archive")).base64EncodedString()
    try directory.write(
      "a.plist", "<plist version=\"1.0\"><dict><key>m</key><data>\(data)</data></dict></plist>")
    expectQuiet(try await .ferry("convert", "a.plist", "--to", "plist-binary", "-o", "b.plist"))
    let before = try directory.bytes("b.plist")
    let run = try await ToolRun.shell(
      #"TMPDIR=$PWD EDITOR='sed -i s/\"q\"/\"p\"/' ferry edit --expand b.plist </dev/null"#)
    #expect(run.status == 1)
    #expect(run.errors.contains("a set has each value once"), "\(run.errors)")
    #expect(try directory.bytes("b.plist") == before)
  }

  @Test(arguments: ["sed -i '1s/^/\u{feff}/'", "python3 sort.py"])
  func `An archive stays one if the editor adds a byte order mark or sorts the keys`(
    _ editor: String
  ) async throws {
    _ = try await archive()
    try directory.write(
      "sort.py",
      """
      import json, sys
      value = json.load(open(sys.argv[1]))
      json.dump(value, open(sys.argv[1], "w"), sort_keys=True)
      """)
    let shown = try await ToolRun.ferry("show", "people.pplgrp").output
    expectQuiet(try await ToolRun.shell("EDITOR=\"\(editor)\" ferry edit people.pplgrp -o a.archive"))
    #expect(try await ToolRun.ferry("show", "a.archive").output == shown)
    #expect(try await ToolRun.ferry("inspect", "a.archive").output.contains("NSKeyedArchiver"))
  }

  @Test(arguments: [
    (
      "chmod 444 a.json",
      " the file is not writable: permission denied (chmod u+w makes a read-only file writable)"
    ),
    ("chmod 555 .", #" cannot create a file in the folder ".": permission denied"#),
    ("chmod 000 a.json", " permission denied"),
    (#"printf '["caf\351"]' > a.json"#, "1:6: these bytes are not UTF-8"),
  ])
  func `An edit that could not be written or read is refused before the editor is opened`(
    _ protect: String, _ message: String
  ) async throws {
    try directory.write("a.json", "[1]\n")
    let run = try await ToolRun.shell(
      """
      export TMPDIR=$(mktemp -d) EDITOR='echo opened #'
      if [ "$(id -u)" = 0 ]; then
        chown -R 65534 . $TMPDIR; as="setpriv --reuid=65534 --regid=65534 --clear-groups"
        $as ferry --version > /dev/null || exit 77
      fi
      \(protect)
      $as ferry edit a.json; echo $?; ls $TMPDIR; rm -r $TMPDIR; chmod -R u+rwX .
      """)
    guard run.status != 77 else { try Test.cancel("nobody may run the program here") }
    #expect(run.output == "1\n" && run.errors == "a.json:\(message)\n", "\(run)")
  }

  @Test(arguments: [
    ("a.json", "[1]\n", ""), ("a.yaml", "a: 1\n", ""), ("a.xml", "<r/>\n", ""), ("a.csv", "a\n1\n", ""),
    ("a.plist", "<plist version=\"1.0\"><array/></plist>\n", ""), ("a.strings", "\"a\" = \"b\";\n", ""),
    ("a", "a: 1\n", "--from yaml"), ("a.txt", "a\n", ""), ("a.json.gz", "[1]\n", ""),
  ])
  func `An empty file is edited as an empty text of the format that its name or the user names`(
    _ name: String, _ text: String, _ options: String
  ) async throws {
    try directory.write("text", text)
    let read = name.hasSuffix(".gz") ? "gzip -dc" : "cat"
    let run = try await ToolRun.shell(
      """
      export TMPDIR=$PWD; : > a; case \(name) in *.gz) gzip -c < a > \(name);; *) : > \(name);; esac
      EDITOR='cp text' ferry edit \(name) \(options) </dev/null || exit 2; \(read) \(name)
      """)
    expectQuiet(run)
    #expect(run.output == text)
  }

  @Test
  func
    `An empty file stays empty if its format is not text, the text is of another format, or nothing is typed`()
    async throws
  {
    try directory.write("text", "<r/>\n")
    for (name, message) in [
      ("a.pplgrp", "a.pplgrp: the file is empty"), ("a.bin", "a.bin: the file is empty"),
      ("a.json", "a.json:1:1: expected a value"), ("a.yaml", "after this edit the file is XML, and was YAML"),
    ] {
      try directory.write(name, "")
      let run = try await ToolRun.shell("TMPDIR=$PWD EDITOR='cp text' ferry edit \(name) </dev/null")
      #expect(run.status == 1 && run.errors.contains(message), "\(run.errors)")
      #expect(try directory.bytes(name) == [])
    }
    let run = try await ToolRun.shell("EDITOR='sleep 1.1 #' ferry edit a.json")
    #expect(run.status == 0 && run.errors == "a.json: not changed\n", "\(run.errors)")
  }

  @Test func `An edit without a change leaves the file alone`() async throws {
    let original = try await archive()
    let run = try await ToolRun.shell("EDITOR='sleep 1.1 #' ferry edit people.pplgrp")
    #expect(run.status == 0)
    #expect(run.errors == "people.pplgrp: not changed\n")
    // On a machine that is busy, an editor may take a second to begin.
    for attempt in 1...5 {
      let run = try await ToolRun.shell("EDITOR=true ferry edit people.pplgrp")
      #expect(run.status == 0)
      #expect(run.errors.hasPrefix("people.pplgrp: not changed"))
      if run.errors.contains("; the editor has returned at once (") { break }
      #expect(attempt < 5)
    }
    #expect(try current() == original)
  }

  @Test func `An edit keeps a text that cannot be read, and names the place of the problem`() async throws {
    let original = try await archive()
    try directory.write(
      "break.sh",
      """
      sed -i 's/"Matt"/"Matt/' "$1"
      """)
    let run = try await ToolRun.shell("TMPDIR=$PWD EDITOR='sh break.sh' ferry edit people.pplgrp </dev/null")
    #expect(run.status == 1)
    #expect(run.errors.contains("people.pplgrp.json:"))
    #expect(run.errors.contains("people.pplgrp: left as it is; your text is in "))
    #expect(try current() == original)
    #expect(try directory.names(in: ".").contains { $0.hasPrefix("ferry-") && $0.hasSuffix(".json") })
  }

  @Test func `An edit opens archives in the data of an XML property list and puts them back`() async throws {
    let people = Data(try await archive()).base64EncodedString()
    let list = "<plist version=\"1.0\"><dict><key>model</key><data>\(people)</data></dict></plist>"
    expectQuiet(
      try await ToolRun.ferry(["convert", "--to", "plist-xml", "-o", "a.plist"], input: Array(list.utf8)))
    let original = try directory.bytes("a.plist")
    expectQuiet(try await ToolRun.shell("EDITOR='sed -i s/Matt/Matthew/' ferry edit --expand a.plist"))
    #expect(try await ToolRun.ferry("get", "a.plist", "model[0].first").output == "Matthew\n")
    expectQuiet(try await ToolRun.shell("EDITOR='sed -i s/Matthew/Matt/' ferry edit --expand a.plist"))
    #expect(try directory.bytes("a.plist") == original)
    // A comment is not in the typed form.
    try directory.write("b.plist", "<!-- mine -->" + list)
    let run = try await ToolRun.shell("TMPDIR=$PWD EDITOR=touch ferry edit --expand b.plist")
    #expect(run.status == 1)
    #expect(run.errors.hasPrefix("b.plist: the edit would lose its comments or layout"))
    #expect(try directory.names() == ["a.plist", "b.plist", "folks.xml", "people.pplgrp"])
  }

  @Test func `A text that would lose its comments or layout in the typed form is not edited`() async throws {
    _ = try await archive()
    expectQuiet(
      try await ToolRun.ferry("convert", "people.pplgrp", "--to", "archive-xml", "-o", "people.plist"))
    try directory.write(
      "people.plist", directory.text("people.plist").replacing("<dict>", with: "<!-- c --><dict>"))
    try directory.write("a.yaml", "a: 1 # c\nb: [1,  2]\n")
    try directory.write("a.strings", "/* c */ \"a\" = \"1\";\n")
    for (name, option) in [("people.plist", ""), ("a.yaml", "--expand"), ("a.strings", "--expand")] {
      let before = try directory.bytes(name)
      let run = try await ToolRun.shell("TMPDIR=$PWD EDITOR='sed -i s/1/7/' ferry edit \(option) \(name)")
      #expect(run.status == 1)
      #expect(
        run.errors
          == "\(name): the edit would lose its comments or layout (change single values with \"ferry set\")\n"
      )
      #expect(try directory.bytes(name) == before)
    }
  }

  @Test func `An edit takes the format that its message names, and keeps the comments`() async throws {
    try directory.write("tsconfig.json", "// c\n{\"a\": 1,}\n")
    expectFailure(
      try await .shell("EDITOR='sed -i s/1/2/' ferry edit tsconfig.json"),
      "tsconfig.json: this is JSON with comments (use --from jsonc)")
    expectQuiet(try await .shell("EDITOR='sed -i s/1/2/' ferry edit tsconfig.json --from jsonc"))
    #expect(try directory.text("tsconfig.json") == "// c\n{\"a\": 2,}\n")
    let run = try await ToolRun.shell(
      "TMPDIR=$PWD EDITOR='sed -i s/}//' ferry edit tsconfig.json --from jsonc </dev/null")
    #expect(run.status == 1, "\(run)")
    #expect(try directory.text("tsconfig.json") == "// c\n{\"a\": 2,}\n")
  }

  @Test func `An edit refuses an existing output before the editor is opened`() async throws {
    _ = try await archive()
    try directory.write("new.pplgrp", "mine")
    let editor = "TMPDIR=$PWD EDITOR='sed -i s/Matt/Matthew/' "
    expectFailure(
      try await ToolRun.shell(editor + "ferry edit people.pplgrp -o new.pplgrp"),
      "new.pplgrp: the file already exists (use --force to replace it)")
    #expect(try directory.text("new.pplgrp") == "mine")
    #expect(try directory.names() == ["folks.xml", "new.pplgrp", "people.pplgrp"])
    let piped = try await ToolRun.shell(
      editor + "ferry edit people.pplgrp -o - | ferry get - '[0].first'")
    #expect(piped.output == "Matthew\n")
    #expect(try directory.names() == ["folks.xml", "new.pplgrp", "people.pplgrp"])
  }

  @Test func `An edit shows pictures as text, and refuses databases`() async throws {
    try directory.write("a.tinypix", [0, 1, 2, 4, 8, 16, 32, 64])
    try directory.write("paint.sh", #"sed -i 's/#."/##"/' "$1""#)
    expectQuiet(try await ToolRun.shell("EDITOR='sh paint.sh' ferry edit a.tinypix"))
    #expect(try directory.bytes("a.tinypix") == [0, 1, 2, 4, 8, 16, 32, 192])
    try directory.write("a.db", "SQLite format 3\0" + String(repeating: "\0", count: 100))
    expectFailure(
      try await ToolRun.shell("EDITOR=true ferry edit a.db"),
      "a.db: values of sqlite cannot be changed by path (use sqlite3 to edit a database)")
  }

  @Test func `An edit whose editor removes the text names no file for it`() async throws {
    let original = try await archive()
    let run = try await ToolRun.shell("TMPDIR=$PWD EDITOR=rm ferry edit people.pplgrp")
    #expect(run.status == 1)
    #expect(
      run.errors.hasSuffix("people.pplgrp: left as it is; the editor has removed your text\n"),
      "\(run.errors)")
    #expect(try current() == original)
  }

  @Test func `An edit reports the failure of the editor`() async throws {
    let original = try await archive()
    let run = try await ToolRun.shell("TMPDIR=$PWD EDITOR=false ferry edit people.pplgrp")
    #expect(run.status == 1)
    #expect(run.errors == "people.pplgrp: the editor failed; it has changed nothing\n")
    #expect(try current() == original)
    // No copy of the text is left over.
    #expect(try directory.names().filter { $0.hasPrefix("ferry-") } == [])
  }

  @Test func `An edit whose editor fails after a change keeps the text and names its file`() async throws {
    try directory.write("a.json", #"{"a": 1}"#)
    try directory.write("fail.sh", #"printf '{"a": 2}' > "$1"; exit 3"#)
    let run = try await ToolRun.shell("TMPDIR=$PWD EDITOR='sh fail.sh' ferry edit a.json")
    #expect(run.status == 1)
    #expect(run.errors.hasPrefix("a.json: the editor failed; your text is in "), "\(run.errors)")
    let name = try #require(try directory.names().first { $0.hasPrefix("ferry-") })
    #expect(run.errors.hasSuffix("/\(name)\n"), "\(run.errors)")
    #expect(try directory.text(name) == #"{"a": 2}"#)
    #expect(try directory.text("a.json") == #"{"a": 1}"#)
  }
}

@Suite(.temporaryDirectory) struct `ferry rename` {
  @Test func `Columns are renamed in a table whose delimiter, quotation mark and encoding are given`()
    async throws
  {
    try directory.write("a.csv", "'a,b':c\n1:2\n")
    expectQuiet(
      try await .ferry("rename", "a.csv", "--key", #""a,b"=x"#, "--delimiter", ":", "--quote", "'"))
    #expect(try directory.text("a.csv") == "'x':c\n1:2\n")
    try directory.write("b.csv", [0x67, 0xfc, 0x2c, 0x62, 0x0a])
    expectQuiet(try await .ferry("rename", "b.csv", "--key", "b=ö", "--encoding", "windows-1252"))
    #expect(try directory.bytes("b.csv") == [0x67, 0xfc, 0x2c, 0xf6, 0x0a])
    let unused = try await ToolRun.ferry("rename", "a.csv", "--class", "A=B", "--delimiter", ":")
    #expect(unused.status == 64 && unused.errors.contains("need --key OLD=NEW"), "\(unused)")
  }

  @Test func `A renaming says what it would change, changes it, and changes it back`() async throws {
    try directory.write("folks.xml", folks)
    expectQuiet(try await ToolRun.ferry("convert", "folks.xml", "-o", "a.archive"))
    expectQuiet(try await ToolRun.ferry("convert", "folks.xml", "--to", "archive-xml", "-o", "b.plist"))
    let files = ["a.archive", "b.plist"].map { URL(filePath: directory.path + "/" + $0) }
    let originals = try files.map { try Data(contentsOf: $0) }
    let names = ["--class", "Person=MyApp.Person", "--key", "Person.first=given"]
    let dry = try await ToolRun.ferry(["rename", "a.archive", "b.plist", "--dry-run"] + names)
    #expect(dry.status == 0)
    #expect(
      dry.output == """
        a.archive: class Person → MyApp.Person
        a.archive: key Person.first → given ×3
        b.plist: class Person → MyApp.Person
        b.plist: key Person.first → given ×3

        """)
    #expect(dry.errors == "2 of 2 would change\n")
    #expect(try files.map { try Data(contentsOf: $0) } == originals)
    let run = try await ToolRun.ferry(["rename", "a.archive", "b.plist"] + names)
    #expect(run.status == 0)
    for file in ["a.archive", "b.plist"] {
      let shown = try await ToolRun.ferry("show", file, "--width", "200")
      #expect(shown.output.contains("MyApp.Person {"), "\(shown.output)")
      #expect(shown.output.contains("given: \"Matt\""))
    }
    let back = try await ToolRun.ferry(
      "rename", "a.archive", "b.plist", "--class", "MyApp.Person=Person", "--key", "MyApp.Person.given=first")
    #expect(back.status == 0)
    #expect(try files.map { try Data(contentsOf: $0) } == originals)
  }

  @Test func `A renaming names the rules that match nothing, and suggests what they may mean`() async throws {
    try directory.write("folks.xml", folks)
    expectQuiet(try await ToolRun.ferry("convert", "folks.xml", "-o", "a.archive"))
    let before = try directory.bytes("a.archive")
    let rules: [(rule: [String], sentence: String)] = [
      (["--class", "Persn=X"], #"--class Persn=X: no archive has a class "Persn" (did you mean "Person"?)"#),
      (["--class", "Zebra=X"], #"--class Zebra=X: no archive has a class "Zebra""#),
      (
        ["--key", "Person.frst=x"],
        #"--key Person.frst=x: no object of the class "Person" has a key "frst" (did you mean "first"?)"#
      ),
      (
        ["--key", "Persn.first=x"],
        #"--key Persn.first=x: no archive has a class "Persn" (did you mean "Person"?)"#
      ),
    ]
    for (rule, sentence) in rules {
      let run = try await ToolRun.ferry(["rename", "a.archive"] + rule)
      #expect(run.status == 1)
      #expect(run.errors == sentence + "\n")
      #expect(try directory.bytes("a.archive") == before)
    }
    // One file of several is enough.
    expectQuiet(try await ToolRun.ferry("convert", "folks.xml", "-o", "b.archive"))
    expectQuiet(try await ToolRun.ferry("rename", "b.archive", "--class", "Person=Human"))
    let run = try await ToolRun.ferry("rename", "a.archive", "b.archive", "--class", "Person=Human")
    #expect(run.errors == "1 of 2 changed\n")
  }

  @Test func `A renaming writes a package to another folder or name with all its files`() async throws {
    try directory.write(
      "things.xml", "<things><whatsit><name>A</name><location>B</location></whatsit></things>")
    expectQuiet(try await .ferry("convert", "things.xml", "-o", "a.mystuff"))
    expectQuiet(try await .shell("printf image > a.mystuff/a.png; mkdir all; cp -r a.mystuff all/b.mystuff"))
    let run = try await ToolRun.shell(
      """
      ferry set a.mystuff '[0].location' C -o set.mystuff || exit 2
      ferry insert a.mystuff '[0].note' x -o insert.mystuff --force || exit 3
      VISUAL='sed -i s/B/D/' ferry edit a.mystuff -o edit.mystuff || exit 4
      ferry rename a.mystuff all --class MyWhatsit=M.MyWhatsit --out-dir renamed || exit 5
      """)
    #expect(run.status == 0, "\(run.errors)")
    for (name, location) in [
      ("a", "B"), ("set", "C"), ("insert", "B"), ("edit", "D"), ("renamed/a", "B"), ("renamed/b", "B"),
    ] {
      #expect(try directory.text("\(name).mystuff/a.png") == "image")
      #expect(try await ToolRun.ferry("get", "\(name).mystuff", "[0].location").output == "\(location)\n")
    }
    let taken = try await ToolRun.ferry("set", "a.mystuff", "[0].location", "E", "-o", "set.mystuff")
    #expect(taken.status == 1)
    #expect(try await ToolRun.ferry("get", "set.mystuff", "[0].location").output == "C\n")
  }

  @Test func `A renaming of a folder to another folder keeps the subfolders`() async throws {
    try directory.write("folks.xml", folks)
    let run = try await ToolRun.shell(
      """
      mkdir -p a/x/z a/y; ferry convert folks.xml -o a/p.archive || exit 2
      for folder in x/z y; do cp a/p.archive a/$folder/p.archive; done
      mkdir a/y/q.mystuff; cp a/p.archive a/y/q.mystuff/things.data
      for _ in 1 2; do ferry rename a --class Person=Human --out-dir a/o --force || exit 3; done
      find a/o -type f | sort; ferry rename a --class Person=Human --out-dir n --force -n > /dev/null; ls
      """)
    #expect(
      run.output == """
        a/o/p.archive
        a/o/x/z/p.archive
        a/o/y/p.archive
        a/o/y/q.mystuff/things.data
        a
        folks.xml

        """, "\(run.output)")
    #expect(run.errors == "4 of 4 changed\n4 of 4 changed\n4 of 8 would change\n", "\(run.errors)")
  }

  @Test func `A renaming to a folder replaces no other output, and no other input`() async throws {
    try directory.write("folks.xml", folks)
    for folder in ["a", "b"] { try directory.makeDirectory(folder) }
    for folder in ["a", "b"] {
      expectQuiet(try await .ferry("convert", "folks.xml", "-o", "\(folder)/x.archive"))
    }
    let before = try directory.bytes("a/x.archive")
    let rename = ["rename", "a/x.archive", "b/x.archive", "--class", "Person=Human", "--force", "--out-dir"]
    expectFailure(
      try await .ferry(rename + ["out"]),
      """
      b/x.archive: another input, a/x.archive, has the same output, out/x.archive (use another --out-dir for one of them)
      1 of 2 changed, 1 failed
      """)
    expectFailure(
      try await .ferry(rename + ["./b"]),
      """
      a/x.archive: the output ./b/x.archive is another input of this run
      b/x.archive: the output ./b/x.archive would replace a file that it is made from \
      (give another folder; without --out-dir, rename changes the file in place)
      0 of 2 changed, 2 failed
      """)
    for folder in ["a", "b"] { #expect(try directory.bytes("\(folder)/x.archive") == before) }
  }

  @Test func `A renaming refuses two different new names for one class or key`() async throws {
    try directory.write("folks.xml", folks)
    expectQuiet(try await ToolRun.ferry("convert", "folks.xml", "-o", "a.pplgrp"))
    let before = try directory.bytes("a.pplgrp")
    for rules in [
      ["rename", "a.pplgrp", "--class", "Person=X", "--class", "Person=Y"],
      ["rename", "a.pplgrp", "--key", "Person.first=x", "--key", "Person.first=y"],
      // The same letter as one character and as two: a table of strings would drop one rule.
      ["rename", "a.pplgrp", "--class", "\u{C5}=X", "--class", "A\u{30A}=X"],
      ["convert", "a.pplgrp", "-i", "--to", "archive", "--class", "Person=X", "--class", "Person=Y"],
      ["seed", "--from", "folks.xml", "a.pplgrp", "--class", "Person=X", "--class", "Person=Y"],
    ] {
      let run = try await ToolRun.ferry(rules)
      #expect(run.status == 64)
      #expect(run.errors.contains("two rules rename the "))
      #expect(try directory.bytes("a.pplgrp") == before)
    }
    let both = try await ToolRun.ferry(
      "rename", "a.pplgrp", "--key", "Person.first=x", "--key", "Person.last=x")
    #expect(both.status == 1)
    #expect(both.errors.contains(#"the object already has a key "x""#))
    #expect(try directory.bytes("a.pplgrp") == before)
  }

  @Test func `A renaming of keys takes periods and equals signs in them`() async throws {
    try directory.write(
      "a.json",
      #"{"$ferry":1,"$archiver":"NSKeyedArchiver","#
        + #""$top":{"root":{"$class":"Module.Person","home.city":"Ulm","first":"Ada"}}}"#)
    expectQuiet(
      try await ToolRun.ferry("convert", "a.json", "--form", "typed", "--to", "archive", "-o", "a.archive"))
    let before = try directory.bytes("a.archive")
    expectQuiet(try await ToolRun.ferry("rename", "a.archive", "--key", "Module.Person.home.city=town"))
    expectQuiet(try await ToolRun.ferry("rename", "a.archive", "--key", #"Module.Person["town"]=a=b"#))
    #expect(try await ToolRun.ferry("get", "a.archive", #"["a=b"]"#).output == "Ulm\n")
    expectQuiet(try await ToolRun.ferry("rename", "a.archive", "--key", #"Module.Person["a=b"]=home.city"#))
    #expect(try directory.bytes("a.archive") == before)
  }

  @Test func `A renaming changes a class that is only a superclass`() async throws {
    try directory.write(
      "chain.json",
      #"{"$ferry":1,"$archiver":"NSKeyedArchiver","$top":{"root":{"$class":"Child","x":1}},"#
        + #""$classes":{"Child":["Child","Base","NSObject"]}}"#)
    expectQuiet(
      try await ToolRun.ferry(
        "convert", "chain.json", "--form", "typed", "--to", "archive", "-o", "c.archive"))
    let dry = try await ToolRun.ferry("rename", "c.archive", "--class", "Base=B2", "--dry-run")
    #expect(dry.output == "c.archive: class Base → B2\n")
    expectQuiet(try await ToolRun.ferry("rename", "c.archive", "--class", "Base=B2"))
    let typed = try await ToolRun.ferry("convert", "c.archive", "--form", "typed", "--to", "json")
    #expect(typed.output.contains(#"["Child","B2","NSObject"]"#), "\(typed.output)")
    // A conversion renames it too.
    let converted = try await ToolRun.ferry(
      "convert", "c.archive", "--class", "B2=B3", "--to", "archive", "-o", "d.archive")
    expectQuiet(converted)
    let again = try await ToolRun.ferry("convert", "d.archive", "--form", "typed", "--to", "json")
    #expect(again.output.contains(#"["Child","B3","NSObject"]"#), "\(again.output)")
  }

  @Test func `A conversion and a seed name a class that does not occur`() async throws {
    try directory.write("folks.xml", folks)
    let converted = try await ToolRun.ferry(
      "convert", "folks.xml", "--class", "Persn=X", "--to", "archive", "-o", "a.archive")
    #expect(converted.status == 0)
    #expect(
      converted.errors
        == "folks.xml: no class is named \"Persn\", which is to be renamed (did you mean \"Person\"?)\n")
    let seeded = try await ToolRun.ferry("seed", "--from", "folks.xml", "b.pplgrp", "--class", "Persn=X")
    expectFailure(
      seeded,
      "b.pplgrp: the schema has no class \"Persn\", which is to be renamed (did you mean \"Person\"?)")
    #expect(try directory.names() == ["a.archive", "folks.xml"])
  }

  @Test func `A renaming takes packages by their types, those of a file too`() async throws {
    try directory.write("folks.xml", folks)
    try directory.write(
      "types.json",
      #"{"ferry":1,"types":[{"name":"t","identifier":"org.example.t","extensions":["team"],"schema":"person","#
        + #""layout":{"package":{"main":"people","format":"archive"}}}]}"#)
    try directory.write(
      "things.xml", "<things><whatsit><name>A</name><location>B</location></whatsit></things>")
    let run = try await ToolRun.shell(
      """
      ferry convert folks.xml -o a.team --types types.json || exit 2
      ferry convert things.xml -o a.mystuff || exit 3
      printf x > a.team/other; mkdir empty.team
      ferry rename a.team a.mystuff --types types.json --class Person=Human --class MyWhatsit=Thing --force || exit 4
      ferry inspect a.team/people a.mystuff/things.data | grep -o 'Human\\|Thing' | sort -u
      """)
    #expect(run.output == "Human\nThing\n")
    #expect(run.errors == "2 of 2 changed\n")
    #expect(run.status == 0)
    let without = try await ToolRun.ferry("rename", "a.team", "--class", "Human=Person")
    #expect(without.status == 0)
    #expect(without.errors == "1 of 1 changed, 1 other file skipped\n")
    let empty = try await ToolRun.ferry(
      "rename", "empty.team", "--types", "types.json", "--class", "Human=Person")
    expectFailure(empty, "empty.team: the package has no people, the file with its records")
    let types = try await ToolRun.ferry("rename", "a.team", "--types", "none.json", "--class", "A=B")
    #expect(types.status == 1)
    #expect(types.errors.hasPrefix("none.json: "))
  }

  @Test func `A renaming takes the archives of packages in folders, and the standard input`() async throws {
    try directory.write("folks.xml", folks)
    let run = try await ToolRun.shell(
      """
      mkdir all; ferry convert folks.xml -o all/a.archive || exit 2
      mkdir all/b.mystuff; cp all/a.archive all/b.mystuff/things.data; printf x > all/b.mystuff/image.png
      ferry rename all --class Person=Human || exit 3
      ferry rename - --class Human=Person < all/a.archive > person; ferry rename - --class X=Y < person | cmp - person
      """)
    #expect(run.errors == "2 of 2 changed\n--class X=Y: no archive has a class \"X\"\n")
    #expect(run.status == 0)
    #expect(try directory.names() == ["all", "folks.xml", "person"])
    expectQuiet(try await .ferry("convert", "folks.xml", "--to", "archive", "-o", "same"))
    #expect(try directory.bytes("person") == directory.bytes("same"))
  }

  @Test func `A renaming skips the files in a folder that are not property lists, and counts them`()
    async throws
  {
    try directory.write("folks.xml", folks)
    let run = try await ToolRun.shell(
      """
      mkdir all; ferry convert folks.xml -o all/a.archive || exit 2; cp folks.xml all
      printf 'a note' > all/note.txt; : > all/empty; printf '\\211PNG\\r\\n' > all/a.png; printf '[1]' > all/a.json
      ferry rename all --class Person=Human || exit 3
      printf bplist00 > all/b.plist; ferry rename all --class Human=Person; echo $?
      """)
    #expect(
      run.errors == """
        1 of 1 changed, 5 other files skipped
        all/b.plist: byte 8: the file is cut off: it does not end with the trailer of a binary property list
        1 of 2 changed, 1 failed, 5 other files skipped

        """)
    #expect(run.output == "1\n")
    for (file, why) in [
      ("note.txt", "only property lists"), ("empty", "the file is empty"),
      ("a.json", "only property lists"),
    ] {
      let named = try await ToolRun.ferry("rename", "all/\(file)", "--class", "Human=Person")
      #expect(named.status == 1)
      #expect(named.errors.contains(why), "\(named.errors)")
    }
  }

  @Test func `A renaming refuses files that are not property lists, and continues with the others`()
    async throws
  {
    try directory.write("folks.xml", folks)
    expectQuiet(try await ToolRun.ferry("convert", "folks.xml", "-o", "a.archive"))
    let run = try await ToolRun.ferry("rename", "folks.xml", "a.archive", "--class", "Person=P")
    #expect(run.status == 1)
    #expect(
      run.errors == """
        folks.xml: not a keyed archive: only property lists have archives in them
        1 of 2 changed, 1 failed

        """)
  }

  @Test(arguments: ["json", "jsonc", "plist-xml", "plist-binary", "archive", "archive-xml", "yaml"])
  func `A value that would make a file too deep to be read again is refused`(_ format: String) async throws {
    func list(_ depth: Int) -> String {
      String(repeating: "[", count: depth) + "1" + String(repeating: "]", count: depth)
    }
    let made = try await ToolRun.ferry(
      "convert", "--to", format, "-o", "a.\(format)", input: #"{"a":{"b":1}}"#)
    #expect(made.status == 0, "\(made.errors)")
    let old = try directory.bytes("a.\(format)")
    // The value is in two dictionaries.
    for command in [["set", "a.\(format)", "a.b"], ["insert", "a.\(format)", "a.c"]] {
      let refused = try await ToolRun.ferry(command + [list(511), "--type", "json"])
      #expect(refused.status == 1)
      #expect(refused.errors.contains("nested deeper than 512 levels"), "\(refused.errors)")
      #expect(try directory.bytes("a.\(format)") == old)
    }
    let set = try await ToolRun.ferry("set", "a.\(format)", "a.b", list(510), "--type", "json")
    #expect(set.status == 0, "\(set.errors)")
    let read = try await ToolRun.ferry("get", "a.\(format)", "a.b", "--count")
    #expect(read.output == "1\n", "\(read.errors)")
  }
}
