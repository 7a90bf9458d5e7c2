import TestSupport
import Testing

/// JSON's relatives and YAML, with the built tool.
@Suite(.temporaryDirectory) struct `The tool and JSON's relatives` {
  private func expectQuiet(_ run: ToolRun, _ output: String) {
    FerryToolTests.expectQuiet(run)
    #expect(run.output == output)
  }

  @Test func `JSON Lines whose first record has the key of the typed form are records`() async throws {
    try directory.write("f.jsonl", "{\"$ferry\":2}\n{\"a\":1}\n")
    let run = try await ToolRun.ferry("convert", "--from", "jsonl", "f.jsonl", "--to", "json")
    #expect(run.status == 0 && run.output == "[{\"$ferry\":2},{\"a\":1}]\n", "\(run)")
    let check = try await ToolRun.ferry("check", "f.jsonl")
    #expect(check.status == 0, "\(check)")
  }

  @Test func `JSON with escapes that YAML does not have is an error that names JSON`() async throws {
    try directory.write("e.yaml", #"{"a":"\ud83d\ude00"}"#)
    let run = try await ToolRun.ferry("check", "e.yaml")
    #expect(run.status == 1 && run.errors.contains("--from json"), "\(run)")
    let read = try await ToolRun.ferry("get", "--from", "json", "e.yaml", "a")
    #expect(read.output == "😀\n", "\(read)")
  }

  @Test func `The error of files without records names the file`() async throws {
    for (name, text) in [("1", #"[{"a":1}]"#), ("2", "[1]"), ("3", #"[{"a":2}]"#)] {
      try directory.write("\(name).json", text)
    }
    let run = try await ToolRun.ferry("schema", "infer", "1.json", "2.json", "3.json")
    #expect(run.status == 1 && run.errors.hasPrefix("2.json: no records: "), "\(run)")
  }

  @Test func `A command that gets a folder for a file names the way that it has`() async throws {
    try directory.write("a.json", #"[{"a":1}]"#)
    let infer = try await ToolRun.shell("mkdir d; ferry schema infer d")
    #expect(infer.status == 1 && infer.errors.contains("--files-from"), "\(infer)")
    let output = try await ToolRun.ferry("convert", "a.json", "-o", "d")
    #expect(output.status == 64 && output.errors.contains("d is a folder: use --out-dir d"), "\(output)")
    let rename = try await ToolRun.ferry("rename", "-r", "d", "--key", "a=b")
    #expect(
      rename.status == 64 && rename.errors.contains("ferry rename reads folders without it"), "\(rename)")
  }

  @Test func `The losses of values that are not selected are not reported`() async throws {
    try directory.write("a.json", #"{"a":[1],"b":{"c":1,"c":2}}"#)
    let other = try await ToolRun.ferry("convert", "a.json", "--select", "a", "--to", "json", "--strict")
    #expect(other.status == 0 && other.output == "[1]\n", "\(other.errors)")
    for path in ["b", "b.c"] {
      let run = try await ToolRun.ferry("convert", "a.json", "--select", path, "--to", "json", "--strict")
      #expect(run.status == 1 && run.output == "", "\(path): \(run.errors)")
    }
    try directory.write("l.json", #"[{"a":1,"x":{"c":1,"c":2}},{"a":2}]"#)
    for (path, status) in [("[*].a", 0), ("[1]", 0), ("[1:]", 0), ("[*]", 1), ("[0].x", 1), ("[a=1]", 1)] {
      let run = try await ToolRun.ferry("convert", "l.json", "--select", path, "--to", "json", "--strict")
      #expect(run.status == status, "\(path): \(run.errors)")
    }
  }

  /// Texts with comments, the path that is selected, and the number of comments in the selected value.
  private static let comments: [(name: String, text: String, path: String, count: Int)] = {
    let yaml = "# 1\na:\n  # 2\n  b: 1 # 3\n  c: [1, # 4\n    2]\n# 5\nd: 1 # 6\n"
    let json = "// 1\n{\"a\": { // 2\n \"b\": 1 /* 3 */}, // 4\n \"d\": 1}\n"
    let documents = "# 1\nkind: A # 2\n---\nkind: B # 3\n# 4\n"
    let list = """
      <plist version="1.0"><!-- 1 --><dict><key>a</key><dict><!-- 2 --><key>b</key><string>x</string><!-- 3 --></dict>\
      <!-- 4 --><key>d</key><true/></dict></plist>
      """
    let empty = "<plist><dict><key>a</key><dict><!-- 1 --></dict><key>b</key><dict/></dict></plist>\n"
    return [
      ("a.yaml", yaml, "a", 3), ("a.yaml", yaml, "a.c", 1), ("a.yaml", yaml, "d", 0),
      ("a.yaml", yaml, ".", 6),
      ("b.yaml", documents, "[kind=B]", 1), ("b.yaml", documents, "[0]", 1),
      ("b.yaml", documents, "[*].kind", 0),
      ("a.jsonc", json, "a", 2), ("a.jsonc", json, "d", 0), ("a.json5", json, "a", 2),
      ("a.plist", list, "a", 2), ("a.plist", list, "d", 0), ("a.plist", list, ".", 4),
      ("c.plist", empty, "a", 1), ("c.plist", empty, "b", 0),
      ("b.plist", "/* 1 */ { a = { /* 2 */ b = 1; /* 3 */ }; /* 4 */ d = 1; }\n", "a", 2),
    ]
  }()

  @Test(arguments: comments.indices)
  func `Only comments in the selected values are reported, as in XML`(_ index: Int) async throws {
    let (name, text, path, count) = Self.comments[index]
    try directory.write(name, text)
    let run = try await ToolRun.ferry("convert", name, "--select", path, "--to", "json")
    let report = count == 0 ? "" : "\(name): not exact: comments are left out (\(count))\n"
    #expect(run.status == 0 && run.errors == report, "\(run.errors)\(run.output)")
  }

  @Test func `Options lay out every JSON`() async throws {
    try directory.write("a.json", #"{"é":[1]}"#)
    for (options, output) in [
      (["--indent", "3"], "{\n   \"é\": [\n      1\n   ]\n}\n"),
      (["--tab"], "{\n\t\"é\": [\n\t\t1\n\t]\n}\n"),
      (["--indent", "0"], "{\n\"é\": [\n1\n]\n}\n"), (["--compact"], "{\"é\":[1]}\n"),
      (["--ascii"], "{\"\\u00e9\":[1]}\n"),
      (["--pretty", "--ascii"], "{\n  \"\\u00e9\": [\n    1\n  ]\n}\n"),
    ] {
      expectQuiet(try await ToolRun.ferry(["convert", "a.json", "--to", "json"] + options), output)
      expectQuiet(try await ToolRun.ferry(["get", "a.json", "--to", "json"] + options), output)
      expectQuiet(try await ToolRun.ferry(["get", "a.json"] + options), output)
    }
    let inspected = try await ToolRun.ferry("inspect", "a.json", "--json", "--compact")
    #expect(inspected.output.split(separator: "\n").count == 1)
    let indented = try await ToolRun.ferry("inspect", "a.json", "--json", "--tab")
    #expect(indented.output.hasPrefix("{\n\t\""))
    expectQuiet(
      try await ToolRun.ferry(
        "convert", "--from", "xml", "--to", "xml", "--indent", "4", input: "<a><b/></a>"),
      "<a>\n    <b/>\n</a>\n")
    expectQuiet(
      try await ToolRun.ferry("convert", "--to", "xml", "--tab", input: #"{"a":{"b":"1"}}"#),
      "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<a>\n\t<b>1</b>\n</a>\n")
    for options in [
      ["--indent", "17"], ["--indent", "-1"], ["--tab", "--indent", "2"], ["--compact", "--pretty"],
    ] {
      #expect(try await ToolRun.ferry(["convert", "a.json", "--to", "json"] + options).status == 64)
    }
    #expect(try await ToolRun.ferry("inspect", "a.json", "--tab").status == 64)
  }

  @Test(arguments: ["json", "jsonl", "json-seq", "jsonc", "json5", "yaml", "plist-xml", "openstep"])
  func `Every key and value of every record is written in ASCII`(_ format: String) async throws {
    let record = #"{"é":"ü","a":["€",{"日本":"😀"}]}"#
    for input in [
      "[\(record),\(record),\(record)]", "\(record)\n\(record)\n\(record)\n",
    ] {
      let run = try await ToolRun.ferry(
        "convert", "--from", input.hasPrefix("[") ? "json" : "jsonl", "--to", format, "--ascii", input: input)
      #expect(run.status == 0, "\(run.errors)")
      #expect(run.output.utf8.allSatisfy { $0 < 0x80 }, "\(run.output)")
      let back = try await ToolRun.ferry("convert", "--from", format, "--to", "jsonl", input: run.output)
      #expect(back.output == "\(record)\n\(record)\n\(record)\n", "\(back.errors)")
    }
  }

  @Test func `Options that have no effect on the output are refused`() async throws {
    try directory.write("a.json", #"[{"a":"x"}]"#)
    for (format, options) in [
      ("json", ["--root", "x"]), ("plist-xml", ["--root", "x"]), ("yaml", ["--root", "x"]),
      ("xml", ["--root", "x", "--form", "typed"]), ("xml", ["--root", "x", "--schema", "person"]),
      ("csv", ["--ascii"]), ("plist-binary", ["--ascii"]), ("text", ["--ascii"]), ("sqlite", ["--ascii"]),
      ("plist-xml", ["--indent", "8"]), ("csv", ["--indent", "2"]), ("archive", ["--indent", "2"]),
      ("csv", ["--pretty"]), ("table", ["--pretty"]), ("plist-binary", ["--pretty"]),
      ("yaml", ["--tab"]), ("csv", ["--tab"]), ("yaml", ["--compact"]), ("plist-xml", ["--compact"]),
      ("json", ["--attachments", "."]), ("xml", ["--root", "x", "--convention", "jsonml"]),
      ("json", ["--item", "x"]), ("xml", ["--item", "x", "--schema", "person"]),
      ("xml", ["--indent", "2", "--convention", "jsonml"]), ("jsonl", ["--pretty"]),
      ("jsonl", ["--indent", "2"]), ("jsonl", ["--tab"]), ("yaml", ["--indent", "0"]),
    ] {
      let run = try await ToolRun.ferry(["convert", "a.json", "--to", format] + options)
      #expect(run.status == 64 && run.output == "", "\(format) \(options): \(run.errors)")
      #expect(run.errors.hasPrefix("Error: \(options[0]) "), "\(run.errors)")
    }
    #expect(try await ToolRun.ferry("get", "a.json", "--to", "csv", "--pretty").status == 64)
    for (options, way) in [(["--dotted"], "(use --to csv)"), (["--types", "attributes"], "(use --to xml)")] {
      let run = try await ToolRun.ferry(["convert", "a.json", "--to", "json"] + options)
      #expect(run.status != 0 && run.output == "", "\(options)")
      #expect(run.errors.contains("but the input is json") && run.errors.contains(way), "\(run.errors)")
    }
    #expect(try await ToolRun.ferry("convert", "a.json", "--to", "csv", "--dotted").status == 0)
    #expect(try await ToolRun.ferry("convert", "a.json", "--to", "xml", "--types", "attributes").status == 0)
    for (format, option) in [
      ("plist-xml", "--pretty"), ("plist-xml", "--tab"), ("yaml", "--pretty"), ("strings", "--ascii"),
      ("yaml", "--ascii"), ("xml", "--ascii"), ("jsonl", "--ascii"),
    ] {
      let run = try await ToolRun.ferry(
        "convert", "--from", "json", "--to", format, option, "-q", input: #"{"a":"x"}"#)
      #expect(run.status == 0, "\(format) \(option): \(run.errors)")
    }
  }

  @Test func `Options for records by a schema, or without one, are refused if they have no effect`()
    async throws
  {
    try directory.write("a.json", #"[{"a":"x"}]"#)
    try directory.write("a.jsonl", "{\"a\":\"x\"}\n")
    try directory.write("a.xml", "<rs><r><a>x</a></r></rs>")
    try directory.write("s.json", #"{"ferry":1,"name":"r","fields":[{"name":"a"}]}"#)
    try directory.write(
      "v.json",
      #"{"ferry":1,"name":"r","version":2,"versionField":{"key":"v"},"fields":[{"name":"a","alsoWrite":["b"]}]}"#
    )
    try directory.write(
      "a.plist", "<plist version='1.0'><array><dict><key>a</key><string>x</string></dict></array></plist>")
    for (words, options) in [
      ("--allow-newer)", ["a.json", "--allow-newer"]), ("--older-keys)", ["a.json", "--older-keys"]),
      ("--allow-newer)", ["a.json", "--allow-newer", "--schema", "s.json"]),
      ("--older-keys)", ["a.json", "--older-keys", "--schema", "s.json"]),
      ("--keep-going)", ["a.json", "--keep-going"]), ("--keep-going)", ["a.plist", "--keep-going"]),
      ("--keep-going)", ["a.xml", "--keep-going", "--schema", "none"]),
      ("without a schema", ["a.xml", "--comments", "--schema", "s.json"]),
      ("without a schema", ["a.xml", "--convention", "parker", "--schema", "s.json"]),
    ] {
      let run = try await ToolRun.ferry(["convert", "--to", "json"] + options)
      #expect(run.status == 1 && run.output == "" && run.errors.contains(words), "\(options): \(run.errors)")
    }
    for (words, options) in [
      ("--infer are for other formats", ["--infer"]), ("--table needs a database", ["--table", "r"]),
      ("--from csv", ["--delimiter", ";"]), ("--from csv", ["--ragged"]),
      ("--keep-going)", ["--keep-going", "--schema", "none"]),
    ] {
      let run = try await ToolRun.ferry(["convert", "a.xml", "--to", "xml"] + options)
      #expect(run.status == 1 && run.output == "" && run.errors.contains(words), "\(options): \(run.errors)")
    }
    for options in [
      ["a.jsonl", "--keep-going"], ["a.json", "--keep-going", "--schema", "s.json"],
      ["a.json", "--allow-newer", "--schema", "v.json"], ["a.json", "--older-keys", "--schema", "v.json"],
      ["a.xml", "--keep-going"],
    ] {
      let run = try await ToolRun.ferry(["convert", "--to", "json", "-q"] + options)
      #expect(run.status == 0, "\(options): \(run.errors)")
    }
    // A folder may have files of several kinds.
    let folder = try await ToolRun.ferry(
      "convert", "-r", ".", "--include", "a.json", "--keep-going", "--to", "yaml", "--out-dir", "out")
    #expect(folder.status == 0, "\(folder.errors)")
  }

  @Test func `The typed form in XML has the indentation that is asked for`() async throws {
    try directory.write("a.json", #"[{"a":"x"}]"#)
    for (options, indentation) in [([], "  "), (["--indent", "3"], "   "), (["--tab"], "\t")] {
      let run = try await ToolRun.ferry(["convert", "a.json", "--to", "xml", "--form", "typed"] + options)
      #expect(run.output.contains("\n\(indentation)<array key="), "\(run.output)")
      let back = try await ToolRun.ferry("convert", "--to", "json", "--from", "xml", input: run.output)
      #expect(back.output == #"[{"a":"x"}]"# + "\n", "\(back.errors)")
    }
  }

  @Test func `Edits keep comments, and a refusal leaves the file as it was`() async throws {
    let text = "{\n  // c\n  \"a\": 1, // d\n}\n"
    try directory.write("a.json", text)
    let strict = try await ToolRun.ferry("set", "a.json", "a", "2")
    #expect(strict.status == 1 && strict.errors.contains("use --from jsonc"), "\(strict.errors)")
    #expect(try directory.text("a.json") == text)
    FerryToolTests.expectQuiet(try await ToolRun.ferry("set", "a.json", "a", "2", "--from", "jsonc"))
    #expect(try directory.text("a.json") == text.replacing("1", with: "2"))
    try directory.write("a.jsonc", text)
    FerryToolTests.expectQuiet(try await ToolRun.ferry("insert", "a.jsonc", "b", "x"))
    #expect(try directory.text("a.jsonc") == "{\n  // c\n  \"a\": 1, // d\n  \"b\": \"x\",\n}\n")
    FerryToolTests.expectQuiet(try await ToolRun.ferry("remove", "a.jsonc", "a"))
    #expect(try directory.text("a.jsonc") == "{\n  // c\n  // d\n  \"b\": \"x\",\n}\n")
    let wrong = try await ToolRun.ferry("remove", "a.jsonc", "z")
    #expect(wrong.status == 1)
    #expect(try directory.text("a.jsonc") == "{\n  // c\n  // d\n  \"b\": \"x\",\n}\n")
  }

  @Test func `Merging keeps the comments of the file`() async throws {
    try directory.write("base.jsonc", "{\n  // c\n  \"a\": 1,\n  \"b\": 1\n}\n")
    try directory.write("ours.jsonc", "{\n  // c\n  \"a\": 2,\n  \"b\": 1\n}\n")
    try directory.write("theirs.jsonc", "{\n  // c\n  \"a\": 1,\n  \"b\": 3\n}\n")
    let run = try await ToolRun.ferry("merge", "base.jsonc", "ours.jsonc", "theirs.jsonc")
    #expect(run.status == 0, "\(run.errors)")
    let merged = run.output.isEmpty ? try directory.text("ours.jsonc") : run.output
    #expect(merged == "{\n  // c\n  \"a\": 2,\n  \"b\": 3\n}\n")
  }

  @Test func `The typed form of YAML is that of JSON, in both directions`() async throws {
    let plist = try await ToolRun.ferry(
      "convert", "--from", "json", "--to", "plist-binary", input: #"{"a":[1,"x",true],"b":{"c":2.5}}"#)
    let typed = try await ToolRun.ferry(
      ["convert", "--to", "yaml", "--form", "typed"], input: plist.bytes)
    #expect(typed.status == 0, "\(typed.errors)")
    #expect(typed.output.contains("$ferry: 1"), "\(typed.output)")
    let back = try await ToolRun.ferry(
      ["convert", "--from", "yaml", "--to", "plist-binary", "--form", "typed"], input: typed.bytes)
    #expect(back.status == 0, "\(back.errors)")
    #expect(back.bytes == plist.bytes)
  }

  @Test func `Hostile YAML is refused, and nothing is written`() async throws {
    var bomb = "a0: &a0 [x, x, x, x, x, x, x, x, x]\n"
    for level in 1..<12 {
      bomb +=
        "a\(level): &a\(level) [" + (0..<9).map { _ in "*a\(level - 1)" }.joined(separator: ", ") + "]\n"
    }
    try directory.write("bomb.yaml", bomb)
    let run = try await ToolRun.ferry("convert", "bomb.yaml", "--to", "json", "-o", "out.json")
    #expect(run.status == 1 && run.errors.contains("--max-amplification"), "\(run.errors)")
    let list = try await ToolRun.shell("ls")
    #expect(list.output == "bomb.yaml\n")
    try directory.write("deep.yaml", String(repeating: "- ", count: 20_000))
    #expect(try await ToolRun.ferry("convert", "deep.yaml", "--to", "json").status == 1)
    try directory.write("bad.yaml", "a: 1\nb: [1\n")
    let bad = try await ToolRun.ferry("convert", "bad.yaml", "--to", "json")
    #expect(bad.status == 1 && bad.errors.hasPrefix("bad.yaml:"), "\(bad.errors)")
  }
}
