import TestSupport
import Testing

@testable import FerryTool

/// The answers to command lines as other tools have them.
@Suite(.temporaryDirectory) struct `Habits of other tools` {
  private static let lines: [(line: String, words: String)] = [
    ("schema validate a.json b.json", #"unknown command "schema validate" (did you mean "schema check"?)"#),
    ("schema carry", #"unknown command "schema carry" (try: "#),
    ("unset a.json a", #"unknown command "unset" (did you mean "remove"?)"#),
    ("replace a.json a 1", #"unknown command "replace" (did you mean "set"?)"#),
    ("help path", #"unknown command "path" (did you mean "paths"?)"#),
    ("help json", #"unknown command "json" (ferry formats lists the formats"#),
    ("help format a.json", #"unknown command "format" (did you mean "formats"?)"#),
    ("paths", #"unknown command "paths" (see "ferry help paths")"#),
    ("sort a.json", #"unknown command "sort" ("ferry convert FILE --to FORMAT --sort-keys" sorts the keys)"#),
    ("minify a.json", #"unknown command "minify" ("ferry convert FILE --to json --compact""#),
    ("mv a.json a b", #"unknown command "mv" (did you mean "move"?)"#),
    ("cp a.json a b", #"unknown command "cp" (did you mean "copy"?)"#),
    (
      "rename a.json .a .b",
      "nothing to rename: add --class Old=New or --key Class.old=new (to rename a key at a path: ferry move a.json .a .b)"
    ),
    ("yaml a.json", #"unknown command "yaml" ("ferry convert FILE --to yaml" writes the format)"#),
    ("xml2json a.json", #"unknown command "xml2json" ("ferry convert FILE --to json" writes the format)"#),
    (
      "convert a.json --format yaml", "Unknown option '--format' (--to names the format of the output, --from"
    ),
    ("get a.json a --format yaml", "Unknown option '--format' (--to names the format of the output, --from"),
    ("check a.json --format yaml", "Unknown option '--format' (--from names the format of the file)"),
    ("convert a.json --out b.yaml", "Unknown option '--out'. Did you mean '--output'?"),
    ("convert a.json --to json --sort", "Unknown option '--sort' (--sort-keys sorts the keys)"),
    ("convert a.json --to json --limit 3", "Unknown option '--limit' (--select '[:10]' reads the first ten"),
    ("convert a.json --to csv --header", "Unknown option '--header' (--no-header is for the input, "),
    ("convert a.json --to json --xpath //a", "Unknown option '--xpath' (--select takes an XPath for XML"),
    ("convert a.json --to json --force-list a", "Unknown option '--force-list' (--list PATH makes a list"),
    ("convert a.json -o b.yaml --overwrite", "Unknown option '--overwrite' (--force overwrites"),
    ("convert a.json --to json --minify", "Unknown option '--minify' (--compact writes JSON on one line)"),
    ("convert a.json --to json --lossless", "Unknown option '--lossless' (--form typed keeps everything"),
    ("set a.json a 1 -i", "Unknown option '-i' (the file is changed in place without it; -o FILE"),
    ("set a.json a 1 --integer", "Unknown option '--integer' (--type integer gives the value this type)"),
    ("set a.json a --null", "(--type null sets a null; --null is for the names of --files-from)"),
    (
      "set a.json a 1 --type number",
      "The value 'number' is invalid for '--type <type>' (write integer or real)."
    ),
    ("merge a.json b.json", "merge takes three files: the common base, our version and their version"),
    ("convert a.json out.yaml", #"no output format: "out.yaml" is taken for an input (write -o out.yaml)"#),
    ("convert a.json --to html", #"unknown format "html" for --to (ferry show --html writes a page) (xml,"#),
    (
      "convert a.json --to NSKeyedArchiver",
      #"unknown format "NSKeyedArchiver" for --to (write archive) (xml"#
    ),
    ("convert json a.json", #"no output format: "json" is taken for a file (write --to json)"#),
    ("convert a.json to yaml", #"no output format: "yaml" is taken for a file (write --to yaml)"#),
    (
      "convert a.json --pretty",
      "no output format: --pretty needs --to FORMAT (--to json keeps the format of a.json)"
    ),
    ("get a.json '.[] | .n'", "a path has no pipes (write [*].key for a key of every element"),
    ("get a.json '.[0] | keys'", "a path has no pipes (write [*].key for a key of every element"),
  ]

  @Test(arguments: lines.indices)
  func `A command line of another tool is answered`(_ index: Int) async throws {
    try directory.write("a.json", #"{"a":1}"#)
    try directory.write("b.json", #"{"a":2}"#)
    let (line, words) = Self.lines[index]
    let run = try await ToolRun.shell("ferry " + line)
    #expect(run.status == 64 && run.output == "", "\(line): \(run)")
    #expect(run.errors.contains(words), "\(line): \(run.errors)")
    #expect(!run.errors.contains("u{0}"), "\(run.errors)")
    #expect(try directory.text("a.json") == #"{"a":1}"#)
  }

  @Test func `A message names an argument, not the mark for several of them`() async throws {
    try directory.write("a.json", #"{"a":1}"#)
    let run = try await ToolRun.ferry("schema", "show", "a", "b", "c")
    #expect(run.status != 0 && run.errors.contains("'b', 'c'"), "\(run.errors)")
    let marked = MarkedArguments(["convert", "--to", "json", "a.xml", "b.xml"])
    #expect(marked.arguments == ["convert", "--to", "json", "\0" + "0"])
    #expect(marked.naming(in: "unexpected '\0" + "0'") == "unexpected 'a.xml'")
    #expect(MarkedArguments(["schema", "validate", "a", "b"]).arguments == ["schema", "validate", "a", "b"])
    #expect(MarkedArguments(["schema", "check", "a", "b"]).arguments.count == 3)
  }

  @Test func `Many paths and values go through the argument parser as one, and few as they are`() async throws
  {
    let pairs = (0..<200).flatMap { ["k\($0)", "\($0 + 1)"] }
    let line = ["set", "--type", "integer", "a.json"] + pairs
    let marked = MarkedArguments(line)
    #expect(marked.arguments == ["set", "--type", "integer", "a.json", "k0", "1", "\0" + "0"])
    #expect(marked.texts(for: "\0" + "0") == Array(pairs[2...]))
    #expect(marked.named == line)
    #expect(MarkedArguments(["get", "a.json", "x", "y"]).arguments == ["get", "a.json", "x", "y"])
    #expect(MarkedArguments(["set", "a.json", "x", "-5"]).arguments == ["set", "a.json", "x", "--", "-5"])
    let entries = [0, 1].map { added in (0..<200).map { "\"k\($0)\":\($0 + added)" } }
    try directory.write("a.json", "{\(entries[0].joined(separator: ","))}")
    let pairsInShell = pairs.joined(separator: " ")
    let run = try await ToolRun.shell("ferry set a.json \(pairsInShell)")
    #expect(run.status == 0, "\(run.errors)")
    #expect(try directory.text("a.json") == "{\(entries[1].joined(separator: ","))}")
    let paths = (0..<200).map { "k\($0)" }.joined(separator: " ")
    let values = try await ToolRun.shell("ferry get a.json \(paths)")
    #expect(values.output == (1...200).map { "\($0)\n" }.joined(), "\(values.errors)")
    let removal = try await ToolRun.shell("ferry remove a.json \(paths)")
    #expect(removal.status == 0, "\(removal.errors)")
    #expect(try directory.text("a.json") == "{}")
  }

  @Test func `A path in the place of the file is answered with the order of both`() async throws {
    try directory.write("a.json", #"{"name":"Ada"}"#)
    let missing = "no such file or directory (the file comes before the path"
    for (line, words) in [
      ("get .name a.json", ".name: \(missing): ferry get a.json .name)"),
      ("set .name Bo a.json", ".name: \(missing): ferry set a.json .name Bo)"),
      ("get name a.json", "name: \(missing): ferry get a.json name)"),
      ("get .name < a.json", ".name: \(missing), - is the standard input: ferry get - .name)"),
      ("get b.json", "b.json: no such file or directory"),
    ] {
      let run = try await ToolRun.shell("ferry " + line)
      #expect(run.status == 1 && run.errors == words + "\n", "\(line): \(run.errors)")
    }
  }

  @Test func `Other names of types are accepted`() async throws {
    try directory.write("a.json", #"{"a":"x"}"#)
    expectQuiet(try await .ferry("set", "a.json", "a", "5", "--type", "int"))
    #expect(try directory.text("a.json") == #"{"a":5}"#)
    expectQuiet(try await .ferry("set", "a.json", "a", "true", "--type", "bool"))
    #expect(try directory.text("a.json") == #"{"a":true}"#)
    #expect(try await ToolRun.ferry("find", "--type", "bool", "a.json").output == "a: true\n")
  }

  @Test func `A text that looks like another value is inserted with a note`() async throws {
    for (text, type) in [
      ("8080", "integer inserts an integer"), ("-2.5", "real inserts a real number"),
      ("true", "boolean inserts a boolean (true or false)"), ("null", "null inserts null"),
      (#"["a"]"#, "json inserts JSON"), ("{}", "json inserts JSON"),
    ] {
      try directory.write("a.json", #"{"l":[]}"#)
      for path in ["port", "l[]"] {
        let run = try await ToolRun.ferry("insert", "a.json", path, "--", text)
        let quoted = text.replacing("\"", with: "\\\"")
        #expect(run.status == 0)
        #expect(
          run.errors == "a.json: \"\(quoted)\" is inserted as text (--type \(type))\n", "\(run.errors)")
      }
    }
    try directory.write("a.json", "{}")
    let added = try await ToolRun.ferry("set", "a.json", "port", "8080", "--insert")
    #expect(
      added.errors == "a.json: \"8080\" is inserted as text (--type integer inserts an integer)\n",
      "\(added.errors)")
    expectQuiet(try await .ferry("set", "a.json", "port", "8081", "--insert"))
    for text in ["dark", "007", "+49", "1.2.3", "[x", "2024-05-06"] {
      try directory.write("a.json", #"{"l":["1"]}"#)
      expectQuiet(try await .ferry("insert", "a.json", "port", text))
    }
    try directory.write("a.json", #"{"l":["1"]}"#)
    expectQuiet(try await .ferry("insert", "a.json", "l[]", "2"))
    expectQuiet(try await .ferry("insert", "a.json", "port", "1", "--type", "string"))
    #expect(try directory.text("a.json") == #"{"l":["1","2"],"port":"1"}"#)
    // Formats whose values are all text.
    try directory.write("a.strings", "\"a\" = \"x\";\n")
    expectQuiet(try await .ferry("insert", "a.strings", "b", "5"))
    try directory.write("a.csv", "a\n1\n")
    #expect(try await !ToolRun.ferry("insert", "a.csv", "[*].b", "5").errors.contains("--type"))
    try directory.write("a.yaml", "a: x\n")
    let yaml = try await ToolRun.ferry("insert", "a.yaml", "port", "8080")
    #expect(yaml.errors.contains("(--type integer inserts an integer)"), "\(yaml.errors)")
  }

  @Test func `A text that looks like another value is set in place of null with a note`() async throws {
    let note = "\"5\" is set as text in place of null (--type integer sets an integer)"
    for path in ["a", "l[1]", "[*].b"] {
      try directory.write(
        "a.json", path.hasPrefix("[") ? #"[{"b":1},{"b":null}]"# : #"{"a":null,"l":[1,null]}"#)
      let run = try await ToolRun.ferry("set", "a.json", path, "5")
      #expect(run.status == 0 && run.errors.contains("a.json: \(note)\n"), "\(run.errors)")
    }
    #expect(try directory.text("a.json") == #"[{"b":5},{"b":"5"}]"#)
    try directory.write("a.json", #"{"a":null,"b":1,"c":"x"}"#)
    for arguments in [["a", "x"], ["b", "5"], ["c", "5"]] {
      expectQuiet(try await .ferry(["set", "a.json"] + arguments))
    }
    try directory.write("a.json", #"{"a":null}"#)
    expectQuiet(try await .ferry("set", "a.json", "a", "5", "--type", "integer"))
    #expect(try directory.text("a.json") == #"{"a":5}"#)
    // A new element gets no type from null beside it either.
    try directory.write("a.json", #"{"l":[1,null]}"#)
    let inserted = try await ToolRun.ferry("insert", "a.json", "l[]", "5")
    #expect(inserted.errors.contains("\"5\" is inserted as text"), "\(inserted.errors)")
    expectQuiet(try await .ferry("insert", "a.json", "l[0]", "5"))
    #expect(try directory.text("a.json") == #"{"l":[5,1,null,"5"]}"#)
  }

  @Test func `XML that was written with types has the notes on texts, too`() async throws {
    try directory.write("a.json", #"{"p":{"a":null}}"#)
    try await expect("ferry convert a.json --to xml --types attributes -o a.xml", "")
    for (arguments, note) in [
      ("set a.xml p.a 5", "\"5\" is set as text in place of null (--type integer sets an integer)"),
      ("insert a.xml p.b 7", "\"7\" is inserted as text (--type integer inserts an integer)"),
    ] {
      let run = try await ToolRun.shell("ferry \(arguments)")
      #expect(run.errors == "a.xml: \(note)\n", "\(run)")
    }
    try await expect("ferry convert a.xml --to json", #"{"p":{"a":"5","b":"7"}}"# + "\n")
    try directory.write("b.xml", "<p><a>x</a></p>")
    expectQuiet(try await .ferry("insert", "b.xml", "p.b", "5"))
  }

  @Test func `A key at the list of rows of a table is an error with the path for every row`() async throws {
    try directory.write("a.csv", "host,port\na,1\n")
    for command in ["insert", "set"] {
      let run = try await ToolRun.ferry(command, "a.csv", "port", "5")
      #expect(run.status == 1)
      #expect(
        run.errors
          == "a.csv: no key \"port\" here: this is an array of 1 (use [0]); write [*].port for every element\n",
        "\(run)")
    }
  }

  @Test func `The files of a folder have one note on a text, with their number`() async throws {
    try directory.makeDirectory("d")
    for file in ["1", "2", "3"] { try directory.write("d/\(file).json", #"{"a":null}"#) }
    for (command, note) in [
      ("insert d b 5 -r", "\"5\" is inserted as text (--type integer inserts an integer)"),
      ("set d a 5 -r", "\"5\" is set as text in place of null (--type integer sets an integer)"),
    ] {
      let run = try await ToolRun.shell("ferry \(command)")
      #expect(
        run.errors == "d/1.json: \(note)\n2 more files: \(note)\n3 of 3 files changed\n", "\(run.errors)")
    }
  }

  @Test func `A new key with the separators of other tools is inserted with a note`() async throws {
    for key in ["b/c", "b:f", "b | f"] {
      try directory.write("a.json", #"{"b":{"c":1}}"#)
      let run = try await ToolRun.ferry("insert", "a.json", key, "x")
      let meant = key == "b/c" ? "b.c" : "b.f"
      #expect(
        run.errors == "a.json: \"\(key)\" is a new key (a path joins keys by dots: \(meant))\n",
        "\(run.errors)")
      #expect(try directory.text("a.json").contains("\"\(key)\":\"x\""))
    }
    try directory.write("a.json", #"{"b":{"c":1},"s":"t"}"#)
    for key in [#"["b/c"]"#, "x/y", "s:t", "http://a"] {
      expectQuiet(try await .ferry("insert", "a.json", key, "x"))
    }
  }

  @Test func `An encoding for a text in UTF-8 is reported with the option for the output`() async throws {
    try directory.write("u.xml", "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<r>Zo\u{eb}</r>\n")
    try directory.write("a.xml", "<r>Zoe</r>\n")
    let encoding = ["--encoding", "iso-8859-1"]
    let run = try await ToolRun.ferry(["convert", "u.xml", "--to", "json"] + encoding)
    #expect(
      run.errors == "u.xml: the text is read as iso-8859-1, but it is also valid UTF-8 "
        + "(--to-encoding is for the output; without --encoding, it is read as UTF-8)\n", "\(run.errors)")
    expectQuiet(try await .ferry(["convert", "a.xml", "--to", "json"] + encoding))
    expectQuiet(try await .ferry("convert", "u.xml", "--to", "json", "--encoding", "utf-8"))
    try directory.write("l.xml", Array("<r>Zo".utf8) + [0xeb] + Array("</r>\n".utf8))
    expectQuiet(try await .ferry(["convert", "l.xml", "--to", "json"] + encoding))
  }

  @Test func `A delimiter that the first row lacks is reported with the option for the output`() async throws
  {
    try directory.write("p.csv", "name,age,city\nAda,36,Ulm\n")
    let run = try await ToolRun.ferry("convert", "p.csv", "--delimiter", ";", "--to", "json")
    #expect(
      run.errors == "p.csv: the first row has no \";\", but \",\": it is read as one cell "
        + "(--to-delimiter is for the output)\n", "\(run.errors)")
    #expect(run.output == #"[{"name,age,city":"Ada,36,Ulm"}]"# + "\n")
    try directory.write("one.csv", "name\nAda\n")
    expectQuiet(try await .ferry("convert", "one.csv", "--delimiter", ";", "--to", "json"))
    expectQuiet(try await .ferry("convert", "p.csv", "--delimiter", ",", "--to", "json"))
  }

  @Test func `The typed form is advised once for losses that it keeps`() async throws {
    let date = "<plist version=\"1.0\"><array><date>2014-06-01T09:30:00Z</date></array></plist>"
    for name in ["a.plist", "b.plist"] { try directory.write(name, date) }
    let loss = "not exact: dates become text (1)"
    let advice = "; --form typed keeps dates, data and classes"
    let run = try await ToolRun.ferry("convert", "a.plist", "b.plist", "--to", "json", "--out-dir", "out")
    #expect(
      run.errors == "a.plist: \(loss)\(advice)\nb.plist: \(loss)\n2 converted, 0 failed\n", "\(run.errors)")
    let table = try await ToolRun.ferry("convert", "a.plist", "--to", "csv")
    #expect(!table.errors.contains("--form typed"), "\(table.errors)")
    let selected = try await ToolRun.ferry("convert", "a.plist", "--to", "json", "--select", "[0]")
    #expect(selected.errors.contains(loss) && !selected.errors.contains("typed"), "\(selected.errors)")
  }

  @Test func `A text of differences is refused as a patch with the option that writes one`() async throws {
    try directory.write("a.json", #"{"a":1}"#)
    try directory.write("b.json", #"{"a":2}"#)
    let run = try await ToolRun.shell("ferry diff a.json b.json > d.txt; ferry patch a.json d.txt")
    #expect(run.status == 1)
    #expect(
      run.errors
        == "d.txt: not a JSON patch: this is a text of differences (ferry diff --json writes a patch)\n",
      "\(run.errors)")
  }

  @Test func `The differences of folders are refused as a patch with the way to that of one file`()
    async throws
  {
    for (folder, value) in [("old", 1), ("new", 2)] {
      try directory.makeDirectory(folder)
      for name in ["x", "y"] { try directory.write("\(folder)/\(name).json", #"{"a":\#(value)}"#) }
    }
    let problem =
      "not a JSON patch: these are the differences of two folders "
      + #"(jq 'select(.file == "x.json").patch' gives the patch of one file)"#
    for lines in [1, 2] {
      let run = try await ToolRun.shell(
        "ferry diff old new --json | head -\(lines) > d.json; ferry patch old/x.json d.json")
      #expect(run.status == 1 && run.errors == "d.json: \(problem)\n", "\(run)")
    }
  }

  @Test func `An XPath for a format other than XML is answered with the command that prints paths`()
    async throws
  {
    try directory.write("a.json", #"{"r":{},"n":1}"#)
    let advice = "(ferry find --key KEY prints the paths of the values for a key)"
    for arguments in [["insert", "a.json", "//p/@id", "2"], ["set", "a.json", "//p/@id", "2"]] {
      let run = try await ToolRun.ferry(arguments)
      #expect(
        run.status == 1 && run.errors.contains("an XPath selects from XML") && run.errors.contains(advice),
        "\(run)")
    }
    let step = try await ToolRun.ferry("insert", "a.json", "/r/p[1]/@id", "2")
    #expect(
      step.errors.contains("a path joins keys by dots, and counts from 0: hosts.host[0].@id"), "\(step)")
    try directory.write("l.json", "[{\"n\":1}]")
    let list = try await ToolRun.ferry("get", "l.json", "n")
    #expect(
      list.errors
        == "l.json: no key \"n\" here: this is an array of 1 (use [0]); write [*].n for every element\n",
      "\(list.errors)")
  }
}
