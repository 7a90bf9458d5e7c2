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

  @Test func `Records are not added to a document of another version`() async throws {
    try writeSchema()
    try directory.write("more.json", #"{"schemaVersion":3,"contacts":[{"email":"new"}]}"#)
    for old in [#"{"schemaVersion":1,"contacts":[{"mail":"a"}]}"#, #"{"contacts":[{"mail":"a"}]}"#] {
      try directory.write("v.json", old)
      let run = try await ToolRun.ferry(
        "seed", "v.json", "--from", "more.json", "--schema", "v.schema.json", "--merge")
      expectFailure(
        run,
        "v.json: the records have version 1, and those to be added have version 3 "
          + "(use \"ferry convert -i --schema FILE\" on the document first)")
      #expect(try directory.text("v.json") == old)
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
