import Ferry
import TestSupport
import Testing

/// Documents whose records have one version for all of them.
@Suite(.temporaryDirectory) struct `Documents with one version for all records` {
  private func writeSchema() throws {
    try directory.write(
      "v.schema.json",
      """
      {"ferry":1,"name":"contact","version":3,
       "collection":{"element":"contacts","key":"contacts","version":"schemaVersion"},"key":"email",
       "fields":[{"name":"email"},{"name":"n","type":"integer","optional":true}],
       "versions":{"1":{"fields":[{"name":"email","from":"mail"}]}}}
      """)
  }

  private func convert(_ arguments: String...) async throws -> ToolRun {
    try await .ferry(["convert"] + arguments + ["--schema", "v.schema.json"])
  }

  @Test func `JSON Lines have one record a line, and are read again`() async throws {
    try writeSchema()
    let lines = "{\"mail\":\"a\"}\n{\"mail\":\"b\"}\n"
    try directory.write("c.jsonl", lines)
    let strict = try await convert("-i", "c.jsonl", "--to", "jsonl", "--strict")
    #expect(strict.status == 1)
    #expect(strict.errors.contains("the version of the records is left out"), "\(strict.errors)")
    #expect(try directory.text("c.jsonl") == lines)
    let run = try await convert("-i", "c.jsonl", "--to", "jsonl")
    #expect(run.errors == "c.jsonl: not exact: the version of the records is left out (1)\n")
    #expect(try directory.text("c.jsonl") == "{\"email\":\"a\"}\n{\"email\":\"b\"}\n")
    let json = try await convert("c.jsonl", "--to", "json")
    expectQuiet(json)
    #expect(json.output == #"{"schemaVersion":3,"contacts":[{"email":"a"},{"email":"b"}]}"# + "\n")
    try directory.write("d.json", #"{"theme":"x","schemaVersion":3,"contacts":[{"email":"a"}]}"#)
    let written = try await convert("d.json", "--to", "jsonl")
    #expect(written.output == "{\"email\":\"a\"}\n")
    #expect(written.errors.contains("values beside the records are left out (1)"), "\(written.errors)")
  }

  @Test(arguments: ["json", "plist", "xml", "jsonl"])
  func `A seed makes a document, and adds the records that are missing`(_ format: String) async throws {
    try writeSchema()
    try directory.write("base.json", #"{"schemaVersion":1,"contacts":[{"mail":"base"}]}"#)
    try directory.write("more.json", #"{"schemaVersion":3,"contacts":[{"email":"new"},{"email":"base"}]}"#)
    let made = try await ToolRun.ferry(
      "seed", "v.\(format)", "--from", "base.json", "--schema", "v.schema.json")
    #expect(made.output == "v.\(format): created with 1 record\n", "\(made.errors)")
    let added = try await ToolRun.ferry(
      "seed", "v.\(format)", "--from", "more.json", "--schema", "v.schema.json", "--merge")
    #expect(added.status == 0, "\(added.errors)")
    let json = try await convert("v.\(format)", "--to", "json")
    #expect(json.output == #"{"schemaVersion":3,"contacts":[{"email":"base"},{"email":"new"}]}"# + "\n")
    let again = try await ToolRun.ferry(
      "seed", "v.\(format)", "--from", "more.json", "--schema", "v.schema.json", "--merge")
    expectQuiet(again)
  }

  @Test(arguments: ["json", "plist", "xml"])
  func `A record on its own is added to a document with a version, and nothing is lost`(
    _ format: String
  ) async throws {
    try writeSchema()
    try directory.write("base.json", #"{"schemaVersion":3,"contacts":[{"email":"base"}]}"#)
    try directory.write("one.json", #"{"mail":"new"}"#)
    let made = try await ToolRun.ferry(
      "seed", "v.\(format)", "--from", "base.json", "--schema", "v.schema.json")
    #expect(made.output == "v.\(format): created with 1 record\n", "\(made.errors)")
    let added = try await ToolRun.ferry(
      "seed", "v.\(format)", "--from", "one.json", "--schema", "v.schema.json", "--merge")
    #expect(added.status == 0)
    #expect(added.errors == "")
    let json = try await convert("v.\(format)", "--to", "json")
    #expect(json.output == #"{"schemaVersion":3,"contacts":[{"email":"base"},{"email":"new"}]}"# + "\n")
  }

  @Test func `Records are not added to a document of another version`() async throws {
    try writeSchema()
    try directory.write("more.json", #"{"schemaVersion":3,"contacts":[{"email":"new"}]}"#)
    for old in [#"{"schemaVersion":1,"contacts":[{"mail":"a"}]}"#, #"{"contacts":[{"mail":"a"}]}"#] {
      try directory.write("v.json", old)
      try await expectNothingAdded(to: "v.json", ofVersion: 3, "v.schema.json")
    }
  }

  /// Expects that the records in `more.json`, which have a version, are not added to a document whose records have version 1.
  private func expectNothingAdded(
    to document: String, ofVersion version: Int, _ schema: String,
    sourceLocation: SourceLocation = #_sourceLocation
  ) async throws {
    let old = try directory.text(document)
    let run = try await ToolRun.ferry(
      "seed", document, "--from", "more.json", "--schema", schema, "--merge")
    expectFailure(
      run,
      "\(document): the records have version 1, and those to be added have version \(version) "
        + "(use \"ferry convert -i --schema FILE\" on the document first)", sourceLocation: sourceLocation)
    #expect(try directory.text(document) == old, sourceLocation: sourceLocation)
  }

  /// A rule for a field that has its name in all versions changes the value each time that it is applied.
  private func writeLengths() throws {
    try directory.write(
      "len.schema.json",
      """
      {"ferry":1,"name":"p","version":2,"key":"id",
       "collection":{"element":"ps","key":"ps","version":"sv"},
       "fields":[{"name":"id","type":"integer"},{"name":"len","type":"integer"}],
       "versions":{"1":{"fields":[{"name":"len","from":"len","multiply":60}]}}}
      """)
    try directory.write("1.json", #"{"sv":1,"ps":[{"id":1,"len":2}]}"#)
    try directory.write("2.json", #"{"sv":2,"ps":[{"id":1,"len":2}]}"#)
    try directory.write("more.json", #"{"sv":2,"ps":[{"id":1,"len":2},{"id":7,"len":60}]}"#)
  }

  @Test(arguments: ["xml", "json", "plist-xml", "openstep", "archive"], [(1, 120), (2, 2)])
  func `A seed updates the records of its data once, and no others`(
    _ format: String, _ data: (version: Int, length: Int)
  ) async throws {
    try writeLengths()
    let run = try await ToolRun.shell(
      """
      ferry seed doc --from \(data.version).json --to \(format) --schema len.schema.json -q || exit 2
      ferry convert doc --schema len.schema.json --to json
      ferry seed doc --from more.json --schema len.schema.json --merge -q || exit 3
      ferry convert doc --schema len.schema.json --to json
      """)
    #expect(run.status == 0, "\(run.errors)")
    let first = #"{"id":1,"len":\#(data.length)}"#
    #expect(
      run.output == """
        {"sv":2,"ps":[\(first)]}
        {"sv":2,"ps":[\(first),{"id":7,"len":60}]}

        """)
  }

  @Test func `A merge into XML does not update the records a second time`() async throws {
    try writeLengths()
    let run = try await ToolRun.shell(
      """
      ferry convert 2.json --schema len.schema.json -o doc.xml || exit 2
      ferry merge doc.xml doc.xml more.json --schema len.schema.json -o out.xml || exit 3
      ferry convert out.xml --schema len.schema.json --to json
      """)
    #expect(run.status == 0, "\(run.errors)")
    #expect(run.output == #"{"sv":2,"ps":[{"id":1,"len":2},{"id":7,"len":60}]}"# + "\n")
  }

  @Test(arguments: [
    (#"{"sv":2,"ps":{"id":1,"len":2}}"#, "xml", true), (#"{"id":1,"len":2}"#, "xml", true),
    (#"{"id":1,"len":2}"#, "json", true), (#"{"sv":2,"ps":{"id":1,"len":2}}"#, "json", false),
    (#"{"sv":2,"ps":[{"id":1,"len":2}]}"#, "xml", false), (#"[{"id":1,"len":2}]"#, "json", false),
  ])
  func `A record without a list loses the version where the document has no place for it, with a report`(
    _ json: String, _ format: String, _ loses: Bool
  ) async throws {
    try writeLengths()
    try directory.write("a.json", json)
    let options = ["a.json", "--schema", "len.schema.json", "--to", format]
    let run = try await ToolRun.ferry(["convert"] + options)
    #expect(run.status == 0)
    let report = "a.json: not exact: the version of the records is left out (1)\n"
    #expect(run.errors == (loses ? report : ""))
    #expect(try await ToolRun.ferry(["convert", "--strict"] + options).status == (loses ? 1 : 0))
    let seed = try await ToolRun.ferry(
      "seed", "seeded", "--from", "a.json", "--schema", "len.schema.json", "--to", format)
    #expect(seed.status == 0)
    #expect(seed.errors == (loses ? report : ""))
  }

  @Test(.enabled(if: Format.sqlite.canWrite))
  func `A copy of a database without the schema keeps the version of its records`() async throws {
    try writeLengths()
    try directory.write("none.json", #"[{"id":7,"len":60}]"#)
    let run = try await ToolRun.shell(
      """
      ferry convert 2.json --schema len.schema.json -o a.db || exit 2
      ferry convert a.db -o b.db -q && ferry convert a.db --table ps -o other.db -q || exit 3
      ferry convert a.db --append -o new.db -q || exit 4
      for copy in b.db other.db new.db; do ferry convert $copy --schema len.schema.json --to json; done
      """)
    #expect(run.status == 0, "\(run.errors)")
    let document = #"{"sv":2,"ps":[{"id":1,"len":2}]}"# + "\n"
    #expect(run.output == document + document + document)
    expectQuiet(try await .ferry("convert", "none.json", "-o", "none.db", "--table", "ps"))
    let added = try await ToolRun.ferry("convert", "a.db", "--append", "-o", "none.db")
    #expect(added.status == 0)
    #expect(added.errors.contains("the version of the records is left out (1)"), "\(added.errors)")
    for options in [["--to", "json"], ["--table", "ps", "--to", "csv"], ["--select", "[*]", "-o", "s.db"]] {
      let copy = try await ToolRun.ferry(["convert", "a.db"] + options)
      #expect(copy.status == 0)
      #expect(copy.errors.contains("the version of the records is left out (1)"), "\(copy.errors)")
    }
    #expect(try await ToolRun.ferry("convert", "a.db", "--strict", "--to", "json").status == 1)
  }

  @Test(arguments: [" sv=\"1\"", ""]) func `Records are not added to XML of another version`(
    _ version: String
  ) async throws {
    try writeLengths()
    try directory.write("doc.xml", "<ps\(version)>\n <p><id>1</id><len>2</len></p>\n</ps>\n")
    try await expectNothingAdded(to: "doc.xml", ofVersion: 2, "len.schema.json")
  }

  @Test(arguments: ["json", "plist-xml", "plist-binary", "xml", "archive", "archive-xml", "sqlite"])
  func `A document of a newer version is refused also if it has no records`(_ format: String) async throws {
    guard format != "sqlite" || Format.sqlite.canWrite else { return }
    try writeSchema()
    try directory.write(
      "newer.schema.json",
      try directory.text("v.schema.json").replacing("\"version\":3", with: "\"version\":9"))
    try directory.write("new.json", #"{"schemaVersion":9,"contacts":[]}"#)
    let made = try await ToolRun.ferry(
      "convert", "new.json", "--schema", "newer.schema.json", "--to", format, "-o", "document")
    #expect(made.status == 0, "\(made.errors)")
    let words = "the contact has version 9, but the schema describes versions up to 3"
    let run = try await convert("document", "--to", "json", "-o", "out.json")
    #expect(run.status == 1)
    #expect(run.errors.contains(words), "\(run.errors)")
    #expect(run.errors.contains("(at schemaVersion)"), "\(run.errors)")
    let names = try directory.names()
    #expect(!names.contains("out.json"))
    let allowed = try await convert("document", "--to", "json", "--allow-newer")
    #expect(allowed.output == #"{"schemaVersion":3,"contacts":[]}"# + "\n")
    #expect(allowed.errors.contains("records of a newer version become the schema's (1)"))
  }

  @Test func `A newer version is refused before and behind the records`() async throws {
    try writeSchema()
    for text in [
      #"{"schemaVersion":9,"theme":"dark","contacts":[]}"#,
      #"{"contacts":[],"theme":"dark","schemaVersion":9}"#,
    ] {
      try directory.write("new.json", text)
      let run = try await convert("new.json", "--to", "json")
      #expect(run.status == 1)
      #expect(run.errors.contains("the contact has version 9, but the schema describes versions up to 3"))
      let strict = try await convert("new.json", "--to", "json", "--allow-newer", "--strict")
      #expect(strict.status == 1)
      // With records, each is reported, and the document is not reported again.
      try directory.write("new.json", text.replacing("[]", with: #"[{"email":"a"}]"#))
      let allowed = try await convert("new.json", "--to", "json", "--allow-newer")
      #expect(
        allowed.errors == "new.json: not exact: records of a newer version become the schema's (1)\n")
    }
  }

  @Test func `Two records of a seed with the same key are named with a path and a line`() async throws {
    try writeSchema()
    try directory.write("v.json", #"{"schemaVersion":3,"contacts":[{"email":"a"}]}"#)
    try directory.write(
      "n.json",
      """
      {"schemaVersion":3,"contacts":[{"email":"b"},
      {"email":"b"}]}
      """)
    let run = try await ToolRun.ferry(
      "seed", "v.json", "--from", "n.json", "--schema", "v.schema.json", "--merge")
    #expect(run.status == 1)
    #expect(run.errors.hasPrefix("n.json:2:"), "\(run.errors)")
    #expect(run.errors.contains(#"have the same email, "b" (at contacts[1].email)"#), "\(run.errors)")
  }

  @Test(arguments: [
    (#"{"schemaVersion":1,"contacts":[{"mail":"a"}],"contacts":[{"mail":"b"}]}"#, "contacts"),
    (#"{"schemaVersion":1,"schemaVersion":3,"contacts":[{"mail":"a"}]}"#, "schemaVersion"),
  ])
  func `A document with its records or its version twice is refused`(_ text: String, _ key: String)
    async throws
  {
    try writeSchema()
    try directory.write("d.json", text)
    for target in ["json", "jsonl", "xml", "plist-binary", "archive"] {
      let run = try await convert("d.json", "--to", target, "-o", "out")
      #expect(run.status == 1)
      #expect(run.errors.contains("the field \(key) occurs twice (at \(key))"), "\(run.errors)")
      #expect(run.errors.hasPrefix("d.json:1:"), "\(run.errors)")
    }
  }

  @Test func `Text after a value on a line is named as what it is, also if lines are left out`() async throws
  {
    try directory.write("k.jsonl", "{\"a\":2} x\n{\"a\":3}\n")
    let run = try await ToolRun.ferry("convert", "k.jsonl", "--to", "json", "--keep-going")
    #expect(run.output == "[{\"a\":3}]\n")
    #expect(run.errors.contains(#"k.jsonl:1:9: expected the end of the line, found "x""#), "\(run.errors)")
  }
}
