import Foundation
import TestSupport
import Testing

/// Property lists that have a key of archives and are not archives, as JSON.
private let lookalikes = [
  #"{"$top":1}"#, #"{"$objects":[1],"a":2}"#, #"{"$archiver":"x","$objects":[],"$top":3}"#,
  #"{"$archiver":1,"$objects":[],"$top":{}}"#, #"{"$archiver":"x","$top":{}}"#, #"[1,{"$objects":2}]"#,
  #"{"a":{"$archiver":"x","$objects":[],"$top":{}}}"#, #"{"$version":100000}"#,
]

@Suite(.temporaryDirectory) struct `Property lists with a key of an archive` {
  @Test(arguments: lookalikes)
  func `A property list with a key of an archive is a property list to every command`(_ json: String)
    async throws
  {
    try directory.write("a.json", json)
    for format in ["plist-xml", "plist-binary"] {
      let run = try await ToolRun.shell(
        """
        ferry convert a.json --strict --to \(format) -o \(format).plist || exit 2
        ferry convert \(format).plist --to json || exit 3
        ferry convert --to json < \(format).plist || exit 4
        cat \(format).plist | ferry convert --to json || exit 5
        ferry show \(format).plist > \(format).shown || exit 6
        ferry inspect \(format).plist | sed -n 2p || exit 7
        """)
      #expect(run.status == 0, "\(run.errors)")
      let name = format == "plist-xml" ? "XML property list" : "binary property list"
      let lines = run.output.split(separator: "\n")
      #expect(lines.prefix(3) == [json[...], json[...], json[...]])
      #expect(lines.last?.contains("archive") == false && lines.last?.contains(name) == true, "\(lines)")
    }
    #expect(try directory.text("plist-xml.shown") == directory.text("plist-binary.shown"))
  }

  @Test func `A property list with a key of an archive can be changed and read`() async throws {
    let run = try await ToolRun.shell(
      """
      printf '{"$top":"a"}' | ferry convert --to plist-xml -o a.plist
      ferry set a.plist '$top' b && ferry get a.plist '$top' && ferry rename a.plist --class A=B -n
      """)
    #expect(run.output == "b\n")
    #expect(run.errors.hasSuffix("--class A=B: no archive has a class \"A\"\n"), "\(run.errors)")
    #expect(run.status == 1)
  }
}

@Suite(.temporaryDirectory) struct `Dictionaries that look like typed documents` {
  private static let words =
    "a dictionary with the key $ferry becomes a document in the typed form when read back (1)"

  /// Writes a binary property list.
  private func write(_ name: String, _ value: Any) throws {
    let data = try PropertyListSerialization.data(fromPropertyList: value, format: .binary, options: 0)
    try directory.write(name, Array(data))
  }

  @Test func `The text of a typed document stays one without a report, and becomes one with a report`()
    async throws
  {
    let text = #"{"$ferry":1,"$value":[{"$data":"AQI="}]}"#
    try directory.write("a.json", text)
    for options in [[], ["--to", "json"], ["--to", "yaml"], ["--to", "plist-xml"]] as [[String]] {
      let run = try await ToolRun.ferry(["get", "a.json"] + options)
      #expect(run.status == 0 && run.errors == "", "\(run.errors)")
    }
    #expect(try await ToolRun.ferry("get", "a.json").output == text + "\n")
    try directory.write("list.json", "[\(text)]")
    try directory.write("a.xml", #"<m><_x0024_ferry>1</_x0024_ferry><_x0024_value/></m>"#)
    for (name, path) in [("list.json", "[0]"), ("a.xml", "m")] {
      let run = try await ToolRun.ferry("get", name, path, "--to", "json")
      #expect(run.status == 0 && run.errors.contains(Self.words), "\(run.errors)")
    }
  }

  @Test(arguments: ["json", "plist-xml", "jsonl"])
  func `Plain output that would be read as typed is reported`(_ format: String) async throws {
    let value: [String: Any] = ["$ferry": 1, "$value": [["$data": "AQI="]]]
    if format == "jsonl" { try write("a.plist", [value]) } else { try write("a.plist", value) }
    let run = try await ToolRun.ferry("convert", "a.plist", "--to", format, "-o", "out")
    #expect(run.status == 0)
    #expect(run.errors == "a.plist: not exact: \(Self.words)\n")
    let back = try await ToolRun.ferry("convert", "out", "--to", "plist-xml")
    #expect(!back.output.contains("$ferry"), "\(back.output)")
    let strict = try await ToolRun.ferry("convert", "a.plist", "--to", format, "-o", "strict", "--strict")
    #expect(strict.status == 1)
    #expect(try directory.names() == ["a.plist", "out"])
    // The typed form keeps the dictionary.
    expectQuiet(try await .ferry("convert", "a.plist", "--form", "typed", "--to", format, "-o", "typed"))
    expectQuiet(try await .ferry("convert", "typed", "--to", "plist-binary", "-o", "back"))
    #expect(try directory.bytes("back") == directory.bytes("a.plist"))
  }

  @Test func `XML that would be read as typed is reported`() async throws {
    try directory.write(
      "a.json",
      ##"{"map":{"number":{"@key":"$ferry","#text":"1"},"array":{"@key":"$value","string":"x"}}}"##)
    let run = try await ToolRun.ferry("convert", "a.json", "--to", "xml", "-o", "out.xml")
    #expect(run.errors.contains(Self.words), "\(run.errors)")
    let back = try await ToolRun.ferry("convert", "out.xml", "--to", "json")
    #expect(back.output == "[\"x\"]\n")
  }

  @Test(arguments: [
    #"{"a":{"$ferry":1,"$value":2}}"#, #"[{"$ferry":1,"$value":2}]"#, #"{"a":1,"$ferry":1}"#,
    #"{"$ferry1":1}"#,
    #"{"$value":{"$ferry":1}}"#, #"{"$value":[],"a":1,"$ferry":1}"#, #""$ferry""#,
  ])
  func `Other dictionaries are not reported`(_ json: String) async throws {
    try directory.write("a.json", json)
    let run = try await ToolRun.ferry("convert", "a.json", "--to", "json", "--strict")
    expectQuiet(run)
    #expect(run.output == json + "\n")
    let list = try await ToolRun.ferry("convert", "a.json", "--to", "plist-xml", "--strict")
    expectQuiet(list)
  }

  @Test(arguments: ["archive", "archive-xml"])
  func `A dictionary with a class stays one in an archive, which is noted`(_ format: String) async throws {
    let json = ##"{"$class":"NSColor","color":"#FF0000FF"}"##
    try directory.write("a.json", json)
    let run = try await ToolRun.ferry("convert", "a.json", "--to", format, "-o", "a.archive", "--strict")
    #expect(run.status == 0)
    #expect(run.errors.contains("1 dictionary with the key $class stays a dictionary; "), "\(run.errors)")
    #expect(try await ToolRun.ferry("convert", "a.archive", "--to", "json").output == json + "\n")
    let typed = #"{"$ferry":1,"$archiver":"NSKeyedArchiver","$top":{"root":\#(json)}}"#
    try directory.write("typed.json", typed)
    expectQuiet(try await .ferry("convert", "typed.json", "--to", format, "-o", "typed.archive"))
    #expect(try await ToolRun.ferry("get", "typed.archive", "color").output == "#FF0000FF\n")
    for other in [#"{"$class":{"$class":1}}"#, #"{"$class":["a"]}"#, #"["$class"]"#, #"[{"$class":1},"a"]"#] {
      try directory.write("b.json", other)
      expectQuiet(try await .ferry("convert", "b.json", "--to", format, "-o", "b.archive", "--force"))
    }
  }

  @Test func `Sorted keys that would be read as typed are reported`() async throws {
    try directory.write("a.json", #"{"a":1,"$ferry":1}"#)
    let run = try await ToolRun.ferry("convert", "a.json", "--to", "json", "--sort-keys")
    #expect(run.errors == "a.json: not exact: \(Self.words)\n")
  }
}

@Suite(.temporaryDirectory) struct `Texts that begin like a file of another format` {
  private static let texts = [
    "<b>x</b>", "<b>", "<<b>>", "bplist00", "bplist", "NIBArchive", "GIF8", "BZh", "GNUstep archive", "(a)",
    "/", "[1]", "{}", "{",
    "a = b;", "0 = 1;", "%PDF", "<?xml version='1.0'?>", "SQLite format 3",
  ]

  @Test(arguments: texts)
  func `YAML that begins with such a text is read as YAML`(_ text: String) async throws {
    for json in [#""\#(text)""#, #"{"\#(text)":1}"#, #"["\#(text)"]"#, #"[{"\#(text)":"\#(text)"}]"#] {
      try directory.write("a.json", json)
      expectQuiet(try await .ferry("convert", "a.json", "-o", "a.yaml", "--force"))
      let yaml = try directory.text("a.yaml")
      #expect(try await ToolRun.ferry("convert", "a.yaml", "--to", "json").output == json + "\n", "\(yaml)")
      // Without a name, the text may be of an unknown format, but never gives another value.
      let piped = try await ToolRun.ferry("convert", "--to", "json", input: yaml)
      #expect(piped.status == 1 || piped.output == json + "\n", "\(yaml)")
    }
  }

  @Test(arguments: texts)
  func `YAML in which such a text is put at the beginning is read as YAML`(_ text: String) async throws {
    try directory.write("a.yaml", "a\n")
    expectQuiet(try await .ferry("set", "a.yaml", "", text))
    #expect(try await ToolRun.ferry("get", "a.yaml").output == text + "\n")
    try directory.write("b.yaml", "{}\n")
    expectQuiet(try await .ferry("insert", "b.yaml", #"["\#(text)"]"#, "1", "--type", "integer"))
    #expect(try await ToolRun.ferry("convert", "b.yaml", "--to", "json").output == #"{"\#(text)":1}"# + "\n")
  }

  @Test(arguments: texts)
  func `A table that begins with such a text is read as a table`(_ text: String) async throws {
    for json in [
      #"[{"\#(text)":"1"}]"#, #"[{"\#(text)":"1","b":"2"}]"#, #"[{" \#(text)":"1"}]"#,
      #"[{"":"1","\#(text)":"2"}]"#,
    ] {
      try directory.write("a.json", json)
      for format in ["csv", "tsv"] {
        expectQuiet(try await .ferry("convert", "a.json", "-o", "a.\(format)", "--force"))
        let table = try directory.text("a.\(format)")
        #expect(
          try await ToolRun.ferry("convert", "a.\(format)", "--to", "json").output == json + "\n", "\(table)")
      }
    }
  }

  @Test func `A table whose first header begins with the first letters of bzip2 is read`() async throws {
    try directory.write("a.csv", "BZh,b\n1,2\n")
    let run = try await ToolRun.ferry("convert", "a.csv", "--to", "json")
    #expect(run.output == #"[{"BZh":"1","b":"2"}]"# + "\n" && run.errors == "", "\(run)")
  }

  /// The signatures of files that are not text, as strings in JSON. Those beyond ASCII are signatures in Latin-1.
  private static let signatures = [
    #"PK\u0003\u0004"#, #"PK\u0005\u0006"#, #"\u001f\u008b\b\u0000"#, #"\u00fd7zXZ\u0000"#,
    #"(\u00b5/\u00fd"#,
    #"P*M\u0018"#, #"_*M\u0018"#, #"x\u0001"#, #"x^"#, #"x\u009c"#, #"x\u00da"#, #"bplist00"#, #"bplist15"#,
    #"SQLite format 3\u0000"#, #"\u0004\u000bstreamtyped"#, #"\u0004\u000btypedstream"#, #"NIBArchive"#,
    #"\u0089PNG"#, #"\u00ff\u00d8\u00ff"#, #"GIF8"#, #"%PDF"#, #"BZh"#, #"\u0004\"M\u0018"#, #"\u007fELF"#,
    #"GNUstep archive"#,
  ]

  @Test(arguments: signatures, ["utf-8", "iso-8859-1"])
  func `A text with the first bytes of a file that is not text is read as text`(
    _ text: String, _ encoding: String
  ) async throws {
    let tables = ["csv", "tsv"]
    let samples: [(json: String, formats: [String], options: [String])] = [
      (#"[{"\#(text)":"1","b":"2"}]"#, tables, []), (#"[{"\#(text)abcdefgh":"1"}]"#, tables, []),
      (#"[["\#(text)","b"]]"#, tables, ["--no-header"]), (#"{"\#(text)":"1"}"#, ["yaml"], []),
      (#""\#(text)abcdefgh""#, ["yaml"], []),
    ]
    for (json, formats, options) in samples {
      try directory.write("a.json", json)
      let wanted = try await ToolRun.ferry("convert", "a.json", "--to", "json").output
      for format in formats {
        let name = "a.\(format)"
        expectQuiet(
          try await .ferry("convert", "a.json", "-o", name, "--force", "--to-encoding", encoding))
        let reading = ["convert", name, "--to", "json", "--encoding", encoding]
        let run = try await ToolRun.ferry(reading + options)
        #expect(run.output == wanted, "\(format): \(run.errors)")
      }
    }
  }
}

@Suite(.temporaryDirectory) struct `Texts whose format is not known` {
  /// Texts, and the format that they may have, or nil. Their first letters and digits are those of JSON and those of no format.
  private static let texts: [(text: String, format: String?)] = [
    ("name,price\nA,1\n", "csv"), ("id,price\nA,1\n", "csv"), ("title;price\nA;1\n", "csv"),
    ("name;price\nA;1,5\n", "csv"), ("first name;last name\n", "csv"), ("1,2\n3,4\n", "csv"),
    ("2020-01-01,5\n2020-01-02,6\n", "csv"), ("\"a\",\"b\"\n\"1\",\"2\"\n", "csv"),
    ("name, age, town\nAda, 36, London\nGrace, 85, Arlington\n", "csv"), ("a|b\r\n1|2\r\n", "csv"),
    ("null\tb\n1\t2\n", "csv"), ("a;b;\n1;2;\n", "csv"), ("\"a, b\",c\n1,2\n", "csv"),
    ("title: x\n", "yaml"), ("a: 1\nb: 2\n", "yaml"), ("type: x\ny:\n  z: 1\n", "yaml"),
    ("- a\n- b\n", "yaml"), ("# c\n\ntrue: a, b\nfalse: c, d\n", "yaml"), ("n:\n- 1\n", "yaml"),
    ("the answer = 42\n", nil), ("an answer = 42\n", nil), ("name\n", nil), ("not json\n", nil),
    ("ts=1 level=info msg=\"x\"\nts=2 level=info msg=\"y\"\n", nil), ("- [ ] task\n- [x] b\n", nil),
    ("2020-01-01 00:00:00 INFO a\n", nil), ("-----BEGIN CERTIFICATE-----\nMII=\n", nil),
    ("10.0.0.1 localhost\n", nil), ("true story\n", nil), ("7z\n", nil), ("1 apple\n", nil),
    ("const a = 1;\n", nil), ("p = { x = 1, y = 2 }\n", nil), ("| a | b |\n|---|---|\n", nil),
    ("Hello, world, and you\n", nil), ("nothing, here\n", nil), ("SELECT a, b\nFROM t;\n", nil),
    ("a { color: red; }\n", nil), ("int a, b;\nint c, d;\n", nil), ("f(a,b);\ng(a,b);\n", nil),
    ("Dear all,\n\nplease come, soon.\n", nil), ("note = \"a\";\nb = \"c\"\n", nil),
    ("a = \"b\";\nc = \"d\"\n", nil), ("all: x\n\tgcc -o x\n", nil),
  ]

  @Test(arguments: texts)
  func `The advice about a text does not depend on its first letter`(_ text: String, _ format: String?)
    async throws
  {
    for name in ["a", "a.dat"] {
      try directory.write(name, text)
      let likely = format.map { ", which may be \($0.uppercased())" } ?? ""
      let advice = "\(likely) (use --from \(format ?? "FORMAT")"
      let problem = "no format that Ferry reads begins with these bytes"
      expectFailure(
        try await .ferry("convert", name, "--to", "json"),
        "\(name): \(problem)\(advice); ferry formats lists the formats)")
    }
  }

  @Test(arguments: [
    ("tru\n", #"expected a value, found "tru""#), ("name,price\n", #"expected a value, found "name""#),
    ("01\n", #""01" is not a JSON number"#), ("1,2\n", #"the value has ended, but "," follows"#),
  ])
  func `The error of a text with the extension of JSON is one of JSON`(_ text: String, _ problem: String)
    async throws
  {
    try directory.write("a.json", text)
    let run = try await ToolRun.ferry("check", "a.json")
    #expect(run.status == 1 && run.errors.contains(problem), "\(run)")
  }

  @Test(arguments: [
    ("1 2\n", #"but "2" follows (use --from json-concat for several values)"#),
    ("0x50\n", #""0x50" is not a JSON number (use --from json5)"#),
    ("\"use strict\";\n", #"the value has ended, but ";" follows"#),
  ])
  func `A text that begins with a value of JSON has an error of JSON`(_ text: String, _ problem: String)
    async throws
  {
    let run = try await ToolRun.ferry("convert", "--to", "json", input: text)
    #expect(run.status == 1 && run.errors.contains(problem), "\(run)")
  }

  @Test(arguments: [
    ("a", "CFBundleName = \"App\";\nNSX = \"Y\";\n"), ("a", "key = value;\n"), ("a", "name = value;\n"),
    ("a.plist", "CFBundleName = \"App\";\n"), ("a", "/* c */\nkey = { a = (1, 2); };\n"),
  ])
  func `Entries that semicolons end are a strings file`(_ name: String, _ text: String) async throws {
    try directory.write(name, text)
    #expect(try await ToolRun.ferry("check", name).output == "\(name): OK (strings)\n")
  }

  @Test func `The error of a property list of entries names the semicolon that is missing`() async throws {
    try directory.write("a.plist", "CFBundleName = \"A\";\nCFBundleIdentifier = \"B\"\nNSX = \"C\";\n")
    let run = try await ToolRun.ferry("check", "a.plist")
    #expect(run.status == 1 && run.errors.hasPrefix("a.plist:3:1: expected \";\" after the value"), "\(run)")
    #expect(!run.errors.contains("TOML"), "\(run)")
  }
}

@Suite(.temporaryDirectory) struct `Files with the extension of text` {
  @Test(arguments: [
    ("{ a = b; }", #"{"a":"b"}"#, "plist-openstep"),
    ("// a comment\n{\n    \"a b\" = (1, 2);\n    c = { d = <00ff>; };\n}\n", nil, "plist-openstep"),
    ("{ a = <*I5>; }", #"{"a":5}"#, "plist-gnustep"),
    ("\"k\" = \"v\";\n", #"{"k":"v"}"#, "strings"),
    ("/* a comment */\n\"k\" = \"v\";\n", #"{"k":"v"}"#, "strings"),
  ])
  func `A whole OpenStep dictionary or table of strings is read as from the standard input`(
    _ text: String, json: String?, format: String
  ) async throws {
    try directory.write("t.txt", text)
    let named = try await ToolRun.ferry("convert", "t.txt", "--to", "json")
    #expect(named.status == 0, "\(named.errors)")
    #expect(named.output == (try await ToolRun.ferry("convert", "--to", "json", input: text)).output)
    let given = try await ToolRun.ferry("convert", "t.txt", "--from", format, "--to", "json")
    #expect(named.output == given.output)
    if let json { #expect(named.output == json + "\n") }
  }

  @Test func `A long OpenStep dictionary is read as one`() async throws {
    let entries = (0..<5_000).map { "    \"key é \($0)\" = \"a value\";\n" }.joined()
    try directory.write("t.txt", "{\n\(entries)}\n")
    #expect(try await ToolRun.ferry("get", "t.txt", #"["key é 4999"]"#).output == "a value\n")
    // The first 64 kB of a text that is cut off are in the format, so that the error is one of the format.
    try directory.write("t.txt", "{\n\(entries)")
    let run = try await ToolRun.ferry("get", "t.txt", #"["key é 4999"]"#)
    #expect(run.errors.contains("(use --from text to read it as text)"), "\(run.errors)")
    try directory.write("t.txt", "{ a = b; } and so on \n\(entries)")
    #expect(try await ToolRun.ferry("check", "t.txt").output.contains("text"))
  }

  @Test(arguments: [
    "{ a = b; } and more", "{ a = b }", "{ a; }", "{ see below }", "{}; a = 1;", "(a)", "(see below)",
    "(a, b)", "a = b;", "// note\nx = 1;", "// note\n\"a\"", "/* note */ {}",
    "\"Yes\" = agreed, \"No\" = not", "\"a\";", "{ int x = 1; return x; }", "[1,2", "{\"a\":",
    "Dear reader,\n\"k\" = \"v\";\n", "\"k\" = \"v\";\nYours", "<a", "<5>", "---\na: 1\n",
  ])
  func `A text that is not wholly in another format stays a text`(_ text: String) async throws {
    try directory.write("t.txt", text)
    let run = try await ToolRun.ferry("get", "t.txt", "")
    #expect(run.output == text + "\n", "\(run.errors)")
  }
}

@Suite(.temporaryDirectory) struct `Files with sections and entries` {
  @Test(arguments: [
    ("a.toml", "[tool]\na = 1\n"), ("a.toml", "# a comment\ntitle = \"x\"\n\n[a.b]\nc = [1, 2]\n"),
    ("a.ini", "; a comment\n[core]\n\ta = 1\n"), ("a.ini", "a=1\n"), ("config", "[core]\n\tbare = false\n"),
    ("a.service", "[Unit]\nDescription=x\n"), ("a.toml", "[[list]]\na = 1\n"),
    ("my.ini", "[mysqld]\nskip-networking\nport=3306\n"),
    ("desktop.ini", "[.ShellClassInfo]\r\nIconIndex=0\r\n"),
    (".editorconfig", "root = true\n\n[*.py]\nindent = 4\n"), ("a.editorconfig", "[*]\nindent = 4\n"),
    ("a.ini", "[a]\nb: c\n"), ("a.ini", "[1]\na=b\n"), ("a.toml", "\"q k\" = 1\n"), ("a.cfg", "[a]\n"),
    ("a", "[*.py]\nindent = 4\n"),
    ("config", "title = \"x\"\n\n[owner]\nname = \"T\"\n"), ("a.dat", "# c\nowner = \"x\"\n[a]\nb = 1\n"),
  ])
  func `A TOML or INI file is named as such`(_ name: String, _ text: String) async throws {
    try directory.write(name, text)
    for command in [["convert", "--to", "json"], ["show"], ["get"], ["check"]] {
      let run = try await ToolRun.ferry(command + [name])
      #expect(run.status != 0)
      #expect(run.errors.contains("this is a TOML or INI file, which is not supported"), "\(run.errors)")
    }
  }

  @Test(arguments: [
    ("[tool]\na = \"x\"\n", ["json", "jsonl", "json5", "yaml", "strings", "pbxproj"]),
    (
      "# a comment\n\n[[tool]]\n\ta = \"x\"\nb = 2\n",
      ["json", "jsonl", "json5", "yaml", "strings", "pbxproj"]
    ),
    ("title = \"x\"\n\n[owner]\nname = \"T\"\n", ["strings", "json", "jsonl"]),
    ("a = \"x\"\nb = \"y\"\n", ["json", "jsonl", "pbxproj"]),
    ("[a]\nb: c\n", ["json", "jsonl"]), ("[mysqld]\nskip-networking\n", ["json", "jsonl"]),
  ])
  func `The error of a text with the extension of a format says that it looks like a TOML or INI file`(
    _ text: String, _ extensions: [String]
  ) async throws {
    for name in extensions {
      try directory.write("a.\(name)", text)
      for command in [["convert", "--to", "xml"], ["show"], ["get"], ["check"]] {
        let run = try await ToolRun.ferry(command + ["a.\(name)"])
        #expect(run.status == 1 && run.errors.hasPrefix("a.\(name):"), "\(run)")
        #expect(run.errors.contains("; this looks like a TOML or INI file, which is not supported"), "\(run)")
      }
    }
  }

  @Test func `A text with a section and the extension of property lists is named as a TOML or INI file`()
    async throws
  {
    try directory.write("a.plist", "# a comment\n[tool]\na = 1\n")
    expectFailure(
      try await .ferry("show", "a.plist"), "a.plist: this is a TOML or INI file, which is not supported")
  }

  @Test(arguments: [
    ("env", "# a comment\nkey=value\n"), (".env", "A=1\nB=\"two words\"\n"),
    ("a.properties", "# a comment\na.b = c\n\nd = e\n"),
    ("env", "A=\nB=x\nURL=http://a.b/?c=d\nTOKEN=abc==\n"),
    ("x.env", "name=x\n"), ("x.env", "true=yes\n"), (".env", "export A=b\n"),
    ("a.properties", "a: b\n"),
    ("a", "year = 1990\ntitle = 'A' # c\n"), ("a.plist", "a = \"x\"\nb = \"y\"\n"),
    ("a", "name = \"x\"\nage = 3\n"), ("a", "title = \"x\"\n"), ("a", "edition = \"2021\"\n"),
    ("a", "true=yes\nname=x\n"),
  ])
  func `A text of entries in no format is named as such`(_ name: String, _ text: String) async throws {
    try directory.write(name, text)
    for command in ["show", "get", "check"] {
      let run = try await ToolRun.ferry(command, name)
      let kind = "\(name): this is a text of entries, as in TOML, INI and .env files, which is not supported"
      #expect(run.status == 1 && run.errors.hasPrefix("\(kind)\n"), "\(run)")
    }
    try directory.write("a.json", "[1]")
    let folder = try await ToolRun.ferry("check", "-r", ".")
    // By its extension, it would be of a format.
    let count = name == "a.plist" ? "2 checked, 1 wrong" : "1 other file skipped"
    #expect(folder.status == (name == "a.plist" ? 1 : 0) && folder.errors.contains(count), "\(folder)")
  }

  @Test(arguments: [
    "#!/bin/sh\nA=1\nB=2\n", "# A title\n\nLet x = 5.\n", "x = 5\nand so on\n", "# c\nFROM x=y\n",
    "SGVsbG8=\nV29ybGQ=\n", "U0dWc2JH==\nSGVsbG8=\n", "http://a.b/?x=1\nhttp://a.b/?x=2\n",
    "a == b\nc == d\n",
    "a=1&b=2\na=3&b=4\n", "a=1 b=2\na=3 b=4\n", "a=\"x\" b=2\na=\"y\" b=4\n", "CC = gcc\nLD = ld\n\nall: x\n",
    "CC = gcc\nLD = $(CC)\n", "NAME = \"x\"\nVERSION = \"1\"\n\ndef f():\n  pass\n", "a = 1\nb = a + 2\n",
    "Price = 5 Euro\nSize = 7 m\n\nPlease call me.\n",
  ])
  func `Another text in no format is not taken for one of entries`(_ text: String) async throws {
    try directory.write("a", text)
    let run = try await ToolRun.ferry("show", "a")
    #expect(run.status == 1 && run.errors.contains("(use --from "), "\(run)")
    #expect(run.errors.hasPrefix("a: no format that Ferry reads begins with"), "\(run)")
  }

  @Test func `Markdown with front matter is named as such, and its front matter can be read`() async throws {
    let kind =
      "this is Markdown, which is not supported (only its front matter, between the lines ---, is YAML)"
    for name in ["post.md", "post.markdown"] {
      try directory.write(name, "---\ntitle: Post\n---\n\n# Hello\n\nSome prose.\n")
      for command in ["check", "show", "get"] {
        let run = try await ToolRun.ferry(command, name)
        #expect(run.status == 1 && run.errors.contains("\(name): \(kind)"), "\(run)")
      }
      let given = try await ToolRun.ferry("convert", name, "--from", "yaml", "--to", "json")
      #expect(given.output.hasPrefix(#"[{"title":"Post"}"#), "\(given)")
    }
  }

  @Test(arguments: ["a.strings", "a"])
  func `A strings file without the first sign is not taken for JSON`(_ name: String) async throws {
    try directory.write(name, "\"a\" \"b\";\n")
    expectFailure(
      try await .ferry("show", name),
      "\(name):1:5: expected the end of the property list, found a double quote")
  }

  @Test(arguments: ["\"a\" \"b\"\n", "\"a\"; \"b\"\n"])
  func `Texts in quotation marks without an extension are taken for JSON`(_ text: String) async throws {
    try directory.write("a", text)
    let run = try await ToolRun.ferry("show", "a")
    #expect(run.status == 1 && run.errors.hasPrefix("a:1:"), "\(run)")
    #expect(run.errors.contains("the value has ended, but "), "\(run)")
    #expect(
      run.errors.contains("(use --from json-concat for several values)") != text.contains(";"), "\(run)")
  }

  @Test(arguments: ["{\"a\":1},", "{\"a\":1}}", "{\"a\":1} x", "\"use strict\";"])
  func `The error of JSON before another sign names no option that does not read it`(
    _ text: String
  ) async throws {
    try directory.write("a.json", text)
    let run = try await ToolRun.ferry("check", "a.json")
    #expect(run.status == 1 && run.errors.contains("the value has ended, but "), "\(run)")
    #expect(!run.errors.contains("json-concat"), "\(run)")
  }

  @Test(arguments: [
    ("c", "a = b;\nc = \"d\"\n"), ("a.strings", "\"a\" = \"b\"\n\"c\" = \"d\"\n"),
    ("a.strings", "a = b\nc = d\n"),
    ("a.json", "[\n]\nb = 1\n"), ("a.txt", "[a]\nb = 1\n"), ("a.conf", "[true]\n"), ("a.conf", "{\"a\": 1}"),
    ("a.ini", "[null]\n[1]\n"), ("a.conf", "user www;\nhttp {\n}\n"), ("a.conf", "[1,\n2,]\n"),
    ("a.ini", "\"a\" = \"b\";\n"), ("a.conf", "{\"a\": 1,}\n"), ("a.toml", "<a/>\n"),
    ("a.csv", "[a]\nb = 1\n"), ("a.conf", "{ a = b; }"),
  ])
  func `A file in another format is not taken for one`(_ name: String, _ text: String) async throws {
    try directory.write(name, text)
    let run = try await ToolRun.ferry("show", name)
    #expect(!run.errors.contains("TOML"), "\(run.errors)")
  }
}
