import Ferry
import Foundation
import TestSupport
import Testing

/// Outputs and reports that would replace a file which the run reads because an option names it, or which would change a package.
@Suite(.temporaryDirectory) struct `Files of options` {
  private static let schema =
    #"{"ferry": 1, "name": "thing", "record": {"element": "thing"}, "fields": [{"name": "a"}]}"#
  private static let types =
    #"{"ferry": 1, "types": [{"name": "t", "identifier": "org.example.t", "extensions": ["t"], "schema": "person", "layout": {"file": "archive"}}]}"#
  private static let classes =
    #"{"ferry": 1, "classes": [{"class": "Folk", "fields": [{"name": "given", "archiveKey": "first", "type": "string"}]}]}"#

  /// Expects that a command line fails with an error that contains a text, and that a file keeps its bytes.
  private func expectRefusal(
    _ line: String, status: Int, _ error: String, keeping file: String,
    sourceLocation: SourceLocation = #_sourceLocation
  ) async throws {
    let before = try directory.bytes(file)
    let run = try await ToolRun.shell(line)
    #expect(run.status == status && run.errors.contains(error), "\(run)", sourceLocation: sourceLocation)
    #expect(try directory.bytes(file) == before, sourceLocation: sourceLocation)
  }

  /// Returns the exit status of a command that has failed. The status 1 of diff means a difference.
  private static func failure(of command: String) -> Int { command.hasPrefix("diff") ? 2 : 1 }

  /// Commands, each with a text that its option can read.
  @Test(arguments: [
    ("convert a.json --schema file --to json", schema),
    ("convert a.json --types file --to json", types), ("convert a.json --classes file --to json", classes),
    ("convert a.xml --dtd file --to json", #"<!ENTITY e "e">"#),
    ("convert --files-from file --to json --out-dir out", "a.json\n"),
    ("merge a.json a.json a.json --schema file", "{}"), ("merge a.json a.json a.json --types file", types),
  ])
  func `A report never replaces the file of an option`(command: String, text: String) async throws {
    try directory.write("a.json", "[]")
    try directory.write("a.xml", "<a/>")
    try directory.write("file", text)
    try await expectRefusal(
      "ln -s file link; ferry \(command) --report link", status: 64,
      "--report would replace file, the file of --", keeping: "file")
  }

  @Test(.enabled(if: Format.sqlite.canWrite)) func `A report never replaces the template of a store`()
    async throws
  {
    try directory.write("a.json", "[]")
    let store = URL(filePath: #filePath).deletingLastPathComponent().appending(
      path: "../../Examples/People.storedata")
    try directory.write("store", Array(Data(contentsOf: store)))
    try await expectRefusal(
      "ferry convert a.json -o new.storedata --template store --report store", status: 64,
      "--report would replace store, the file of --template", keeping: "store")
  }

  @Test(arguments: [
    ("get a.json fields -o ", "a file that it is made from"),
    ("schema infer a.json -o ", "a file that it is made from"),
    ("schema infer a.json -q -o ./", "a file that it is made from"),
    ("schema infer --files-from list -o ", "a file that it is made from"),
    ("show a.json --html -o ", "a file that it is made from"),
    ("diff a.json b.json --html -o ", "a file that it is made from"),
    ("diff b.json b.json --schema a.json -o ", "the file of --schema"),
    ("show b.json --html --schema a.json -o ", "the file of --schema"),
    ("get b.json --classes a.json -o ", "the file of --classes"),
    ("convert b.json --to json --schema a.json -o ", "the file of --schema"),
    ("schema infer b.json --files-from a.json -o ", "the file of --files-from"),
    ("merge b.json b.json b.json --schema a.json -o ", "the file of --schema"),
    ("patch b.json a.json -o ", "the patch"),
    ("set b.json [0].a --from-file a.json -o ", "the file of --from-file"),
    ("insert b.json [] --from-file ./a.json -o ", "the file of --from-file"),
    ("remove b.json [0].a --classes a.json -o ", "the file of --classes"),
    ("set b.json [0].a 2 --dtd a.json -o ", "the file of --dtd"),
  ])
  func `An output never replaces a file that it is made of`(
    command: String, description: String
  ) async throws {
    try directory.write("a.json", command.hasPrefix("patch") ? "[]" : Self.schema)
    try directory.write("b.json", #"[{"a": "1"}]"#)
    try directory.write("list", "a.json\n")
    try await expectRefusal(
      "ferry \(command)a.json --force", status: Self.failure(of: command),
      "a.json would replace \(description) (give another file)", keeping: "a.json")
  }

  /// Writes the file t/types.json, and the file t/s.json with the schema that it names.
  private func writeTypesWithSchema() throws {
    try directory.write("b.json", #"[{"a": "1"}]"#)
    try directory.write("p.json", "[]")
    try directory.makeDirectory("t")
    let types = Self.types.replacing(#""schema": "person""#, with: #""schema": "s.json""#)
    try directory.write("t/types.json", types.replacing(#""archive""#, with: #""json""#))
    try directory.write("t/s.json", Self.schema)
  }

  @Test(arguments: [
    "convert b.json --to t", "get b.json [0]", "set b.json [0].a 2", "patch b.json p.json",
    "diff b.json p.json", "show b.json --html", "schema infer b.json", "merge b.json b.json b.json",
  ])
  func `An output never replaces a schema that a file of --types names`(command: String) async throws {
    try writeTypesWithSchema()
    try await expectRefusal(
      "ferry \(command) --types t/types.json -o t/s.json --force", status: Self.failure(of: command),
      "t/s.json would replace a schema of --types (give another file)", keeping: "t/s.json")
  }

  @Test func `Neither the standard output nor a report replaces a schema that a file of --types names`()
    async throws
  {
    try writeTypesWithSchema()
    try await expectRefusal(
      "ferry get b.json [0] --types t/types.json >> t/s.json", status: 1,
      "t/s.json: the standard output is redirected to this file", keeping: "t/s.json")
    for command in ["convert b.json --to t", "merge b.json b.json b.json"] {
      try await expectRefusal(
        "ferry \(command) --types t/types.json -o o.json --report t/s.json", status: 64,
        "--report would replace t/s.json, a schema of --types; give another file", keeping: "t/s.json")
    }
  }

  @Test func `Document types are read once, also from a pipe`() async throws {
    try writeTypesWithSchema()
    let run = try await ToolRun.shell(
      "cat t/types.json | (cd t; ferry merge ../b.json ../b.json ../b.json --types -)")
    #expect(run.status == 0 && run.output.contains("\"1\""), "\(run)")
  }

  @Test(arguments: [
    "diff /dev/stdin -", "diff - /dev/fd/0", "diff /dev/stdin /dev/fd/0", "set - a --from-file /dev/stdin",
  ])
  func `The pipe of the standard input is read once, also by another name`(_ command: String) async throws {
    let run = try await ToolRun.shell(#"echo '{"a":1}' | ferry \#(command)"#)
    #expect(run.status != 0 && run.output == "", "\(run)")
    #expect(run.errors.contains("already read, by an option or as another input"), "\(run)")
  }

  @Test(arguments: [
    "set b.json [0].a -", "insert b.json [0].b --from-file -", "get - [0]", "set - [0].a 2",
    "diff - b.json", "diff b.json -", "merge - b.json b.json", "merge b.json b.json -",
    "patch b.json -", "seed n.json --from -",
    "rename - --class A=B", "find 1 -", "inspect -", "check -", "show -", "show", "convert --to json",
    "convert --files-from - --to json", "schema infer",
  ])
  func `The standard input is not an input beside document types`(_ command: String) async throws {
    try directory.write("b.json", #"[{"a":"1"}]"#)
    try directory.write("types.json", Self.types)
    // A patch is read before the types.
    let inputs = command.hasPrefix("patch") ? ["echo '[]' |"] : ["cat types.json |", "< types.json"]
    for input in inputs {
      let run = try await ToolRun.shell("\(input) ferry \(command) --types -")
      #expect(run.status != 0 && run.output == "", "\(run)")
      let problem = "standard input: already read, by an option or as another input"
      #expect(run.errors.contains(problem), "\(run)")
    }
    #expect(try directory.text("b.json") == #"[{"a":"1"}]"#)
  }

  @Test func `No output of rename replaces a file of an option`() async throws {
    try directory.write("a.csv", "a,c\n1,2\n")
    try directory.makeDirectory("out")
    try directory.write("out/a.csv", "a.csv\n")
    try await expectRefusal(
      "ferry rename --files-from out/a.csv --key a=b --out-dir out --force", status: 1,
      "would replace the file of --files-from", keeping: "out/a.csv")
  }

  @Test(arguments: [
    ("patch b.json - -o p.json", "p.json", "the patch"),
    ("set b.json [0].a - -o p.json", "p.json", "the new value"),
    ("set b.json [0].a --from-file - -o p.json", "p.json", "the file of --from-file"),
    ("insert b.json [0].b - -o p.json", "p.json", "the new value"),
    ("insert b.json [] --from-file - -o p.json", "p.json", "the file of --from-file"),
    ("remove b.json [0].a --classes - -o classes.json", "classes.json", "the file of --classes"),
    ("set b.json [0].a 2 --types - -o types.json", "types.json", "the file of --types"),
    ("set b.xml a 2 --dtd - -o a.dtd", "a.dtd", "the file of --dtd"),
    ("get b.xml a --dtd - -o a.dtd", "a.dtd", "the file of --dtd"),
    ("get - [0] -o b.json", "b.json", "a file that it is made from"),
    ("show - --html -o b.json", "b.json", "a file that it is made from"),
    ("show b.json --html --classes - -o classes.json", "classes.json", "the file of --classes"),
    ("diff p.json - -o b.json", "b.json", "a file that it is made from"),
    ("diff b.json p.json --types - -o types.json", "types.json", "the file of --types"),
    ("schema infer - -o b.json", "b.json", "a file that it is made from"),
    ("schema infer --files-from - -o list", "list", "the file of --files-from"),
    ("convert - --to json -o b.json", "b.json", "a file that it is made from"),
    ("convert --files-from - --to json -o list", "list", "the file of --files-from"),
    ("convert b.json --to json --classes - -o classes.json", "classes.json", "the file of --classes"),
    ("convert b.xml --to json --dtd - -o a.dtd", "a.dtd", "the file of --dtd"),
    ("merge b.json b.json b.json --types - -o types.json", "types.json", "the file of --types"),
  ])
  func `An output never replaces the file of the standard input`(
    command: String, file: String, description: String
  ) async throws {
    try directory.write("b.json", #"[{"a": "1"}]"#)
    try directory.write("p.json", "[]")
    try directory.write("b.xml", "<a>&e;</a>")
    try directory.write("a.dtd", #"<!ENTITY e "e">"#)
    try directory.write("list", "b.json\n")
    try directory.write("classes.json", Self.classes)
    try directory.write("types.json", Self.types)
    try await expectRefusal(
      "ferry \(command) --force < \(file)", status: Self.failure(of: command),
      "\(file) would replace \(description) (give another file", keeping: file)
  }

  @Test(arguments: [
    ("convert - -o out.json --report a.json < a.json", "file of the standard input"),
    ("convert --files-from - --to json -o out.json --report list < list", "file of --files-from"),
    ("merge a.json - a.json -o out.json --report b.json < b.json", "file of the standard input"),
    ("convert a.json --to jsonl --report b.json > b.json", "file of the standard output"),
  ])
  func `A report never replaces the file of a redirected stream`(command: String, file: String) async throws {
    try directory.write("a.json", "[]")
    try directory.write("b.json", "[1]")
    try directory.write("list", "a.json\n")
    let failed = try await ToolRun.shell("ferry \(command)")
    #expect(failed.status == 64, "\(failed)")
    #expect(failed.errors.contains("--report would replace the \(file); give another file"), "\(failed)")
    #expect(try directory.text("a.json") == "[]" && directory.text("list") == "a.json\n")
  }

  @Test(arguments: [
    "set T.mystuff [0].name --from-file U.mystuff/value -o U.mystuff",
    "set T.mystuff [0].name - -o U.mystuff < U.mystuff/value",
    "set T.mystuff [0].name --from-file - -o U.mystuff < U.mystuff/value",
    "convert a.json --classes U.mystuff/classes.json -o U.mystuff",
    "convert a.json --classes - -o U.mystuff < U.mystuff/classes.json",
  ])
  func `A package with a file that the run reads is not replaced`(command: String) async throws {
    try directory.write("a.json", #"[{"name": "Robot", "location": "Shelf"}]"#)
    try directory.write("classes.json", Self.classes)
    let made = try await ToolRun.shell(
      """
      ferry convert a.json --to things --schema whatsit -o T.mystuff; cp -R T.mystuff U.mystuff
      echo Bo > U.mystuff/value; mv classes.json U.mystuff; cp -R U.mystuff V.mystuff
      """)
    #expect(made.status == 0, "\(made.errors)")
    let run = try await ToolRun.shell("ferry \(command) --force; echo $?; diff -r U.mystuff V.mystuff")
    #expect(run.output == "1\n", "\(run)")
    #expect(run.errors.contains("the output U.mystuff would replace the "), "\(run.errors)")
  }

  @Test func `A report is not written into a package that is an input`() async throws {
    try directory.makeDirectory("Things.mystuff")
    let failed = try await ToolRun.ferry(
      "convert", "Things.mystuff", "--to", "json", "--report", "Things.mystuff/report.json")
    #expect(failed.status == 64, "\(failed)")
    #expect(
      failed.errors.contains("--report would write into the input Things.mystuff; give another file"),
      "\(failed)")
  }
}
