import Ferry
import TestSupport
import Testing

/// Files of types of `--types`, whose texts look like those of other formats.
@Suite(.temporaryDirectory) struct `Declared formats` {
  private static let formats = ["yaml", "csv", "tsv", "jsonl", "json"]

  private func writeTypes(_ format: String) throws {
    try directory.write(
      "types.json",
      """
      {"ferry":1,"types":[
       {"name":"memo","identifier":"com.example.memo","extensions":["tab"],"schema":"s.json",
        "layout":{"file":"\(format)"}},
       {"name":"trip","identifier":"com.example.trip","extensions":["trip"],"schema":"s.json",
        "layout":{"package":{"main":"x.jsonl","format":"\(format)","files":"photo"}}}]}
      """)
    try directory.write(
      "s.json",
      """
      {"ferry":1,"name":"s","key":"id","fields":[{"name":"id","type":"integer"},{"name":"t"},
       {"name":"photo","optional":true}]}
      """)
    try directory.write("one.json", #"[{"id":1,"t":"a"}]"#)
    try directory.write("two.json", #"[{"id":1,"t":"a"},{"id":2,"t":"b"}]"#)
  }

  @Test(arguments: formats, ["f.tab", "P.trip"])
  func `Every command reads a document in the format that its type declares`(
    _ format: String, _ name: String
  ) async throws {
    guard format != "yaml" || Format.yaml.canRead else { return }
    try writeTypes(format)
    func run(_ arguments: String...) async throws -> ToolRun {
      try await .ferry(arguments + ["--types", "types.json"])
    }
    let seeded = try await run("seed", name, "--from", "one.json")
    #expect(seeded.output == "\(name): created with 1 record\n", "\(seeded.errors)")
    let added = try await run("seed", name, "--from", "two.json", "--merge")
    #expect(added.output.hasPrefix("\(name): added 1 record\n"), "\(added.errors)")
    for arguments in [
      ["check", name], ["show", name], ["get", name, "[1].t"], ["inspect", name], ["find", "b", name],
      ["diff", name, name], ["schema", "check", name, "--schema", "s.json"], ["schema", "infer", name],
      ["convert", name, "--to", "json"],
    ] {
      let run = try await ToolRun.ferry(arguments + ["--types", "types.json"])
      #expect(run.status == 0, "\(arguments): \(run.errors)")
    }
    #expect(try await run("get", name, "[1].t").output == "b\n")
    let inspected = try await run("inspect", name)
    #expect(inspected.output.contains(format), "\(inspected.output)")
    let converted = try await run("convert", name, "--to", "json")
    #expect(converted.output.contains(#"{"id":2,"t":"b""#), "\(converted.output)")
    // Values of tables are not changed by path.
    guard format != "csv", format != "tsv" else { return }
    let changed = try await run("set", name, "[1].t", "z")
    #expect(changed.status == 0, "\(changed.errors)")
    #expect(try await run("get", name, "[1].t").output == "z\n")
  }

  @Test(arguments: ["json", "jsonl", "yaml"])
  func `A patch of packages in ZIP archives is tested in the declared format`(_ format: String) async throws {
    guard format != "yaml" || Format.yaml.canRead else { return }
    try writeTypes(format)
    let files = try await ToolRun.shell(
      """
      for n in one two; do
        ferry seed $n.trip --from $n.json --types types.json -q
        (cd $n.trip; python3 -m zipfile -c ../$n.trip.zip *)
      done
      """)
    #expect(files.status == 0, "\(files.errors)")
    let run = try await ToolRun.ferry(
      "diff", "one.trip.zip", "two.trip.zip", "--json", "--types", "types.json")
    #expect(run.status == 1, "\(run.errors)")
    #expect(run.output.contains(#""path": "/1""#), "\(run.output)")
  }

  @Test(arguments: ["csv", "tsv"])
  func `The table of a package has no column for the bytes of files`(_ format: String) async throws {
    try writeTypes(format)
    let run = try await ToolRun.ferry("convert", "two.json", "--types", "types.json", "-o", "P.trip")
    #expect(run.status == 0, "\(run.errors)")
    #expect(try !directory.text("P.trip/x.jsonl").contains("photoData"))
  }

  @Test func `A text is a text although it begins like another format`() async throws {
    try directory.write(
      "types.json",
      """
      {"ferry":1,"types":[{"name":"note","identifier":"com.example.note","extensions":["note"],
       "layout":{"file":"text"}}]}
      """)
    try directory.write("a.note", "[core] x = 1")
    let run = try await ToolRun.ferry("convert", "a.note", "--to", "json", "--types", "types.json")
    #expect(run.output == "\"[core] x = 1\"\n", "\(run.errors)")
    for arguments in [["check"], ["show"], ["inspect"], ["diff", "a.note"]] {
      let run = try await ToolRun.ferry(arguments + ["a.note", "--types", "types.json"])
      #expect(run.status == 0, "\(arguments): \(run.errors)")
    }
    #expect(try await ToolRun.ferry("get", "a.note", "", "--types", "types.json").status == 0)
    try directory.write("a.note", "[1]")
    let given = try await ToolRun.ferry(
      "convert", "a.note", "--from", "json", "--to", "json", "--types", "types.json")
    #expect(given.output == "[1]\n", "\(given.errors)")
  }

  @Test func `A binary property list is read as one although its type declares another format`() async throws
  {
    try writeTypes("json")
    expectQuiet(try await .shell("ferry convert one.json --to plist-binary -o b.plist && mv b.plist f.tab"))
    let run = try await ToolRun.ferry("get", "f.tab", "[0].t", "--types", "types.json")
    #expect(run.output == "a\n", "\(run.errors)")
  }
}
