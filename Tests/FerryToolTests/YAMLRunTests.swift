import Foundation
import TestSupport
import Testing

/// Documents of YAML, which stay documents.
@Suite(.temporaryDirectory) struct `YAML documents in runs` {
  private static let documents = "---\nkind: Pod\nb: 1\na: 2\n---\nkind: Service\n"

  @Test func `Several documents stay documents from YAML to YAML`() async throws {
    try directory.write("m.yaml", Self.documents)
    let sorted = "a: 2\nb: 1\nkind: Pod\n---\nkind: Service\n"
    let run = try await ToolRun.ferry("convert", "m.yaml", "--to", "yaml", "--sort-keys", "--strict")
    #expect(run.status == 0 && run.output == sorted, "\(run.errors)")
    let indented = try await ToolRun.ferry(
      "convert", "m.yaml", "--to", "yaml", "--indent", "4", "--sort-keys")
    #expect(indented.output == sorted, "\(indented.errors)")
    let got = try await ToolRun.ferry("get", "m.yaml", "--to", "yaml")
    #expect(got.output == "kind: Pod\nb: 1\na: 2\n---\nkind: Service\n", "\(got.errors)")
    let part = try await ToolRun.ferry("get", "m.yaml", "[1]", "--to", "yaml")
    #expect(part.output == "kind: Service\n", "\(part.errors)")

    try directory.makeDirectory("all")
    try directory.write("all/m.yaml", Self.documents)
    for arguments in [["-i", "m.yaml"], ["-r", "-i", "all"]] {
      let run = try await ToolRun.ferry(["convert", "--to", "yaml", "--sort-keys", "--strict"] + arguments)
      #expect(run.status == 0, "\(run.errors)")
    }
    #expect(try directory.text("m.yaml") == sorted)
    #expect(try directory.text("all/m.yaml") == sorted)
  }

  @Test func `A selection and a single document are not a list of documents`() async throws {
    try directory.write("m.yaml", Self.documents)
    try directory.write("l.yaml", "- kind: Pod\n- kind: Service\n")
    let list = "- Pod\n- Service\n"
    let selected = try await ToolRun.ferry("convert", "m.yaml", "--select", "[*].kind", "--to", "yaml")
    #expect(selected.output == list, "\(selected.errors)")
    #expect(try await ToolRun.ferry("get", "m.yaml", "[*].kind", "--to", "yaml").output == list)
    for command in [["convert"], ["get"]] {
      let run = try await ToolRun.ferry(command + ["l.yaml", "--to", "yaml"])
      #expect(run.output == "- kind: Pod\n- kind: Service\n", "\(command): \(run.errors)")
    }
  }

  @Test func `A conversion to the typed form and back keeps the documents`() async throws {
    try directory.write("m.yaml", "kind: Pod\n---\nkind: Service\n")
    let run = try await ToolRun.ferry("check", "--roundtrip", "m.yaml")
    #expect(run.output == "m.yaml: OK (yaml, converts back byte for byte)\n", "\(run.errors)")
  }

  @Test func `Several documents differ from a list in one document`() async throws {
    try directory.write("m.yaml", Self.documents)
    try directory.write("n.yaml", "kind: Pod\nb: 1\na: 2\n---\nkind: Service\n")
    try directory.write("l.yaml", "- {kind: Pod, b: 1, a: 2}\n- kind: Service\n")
    try directory.write("l.json", #"[{"kind":"Pod","b":1,"a":2},{"kind":"Service"}]"#)
    let run = try await ToolRun.ferry("diff", "m.yaml", "l.yaml")
    #expect(run.status == 1, "\(run.errors)")
    #expect(
      run.output == "--- m.yaml\n+++ l.yaml\n~ .: several documents → a list in one document\n")
    let back = try await ToolRun.ferry("diff", "l.yaml", "m.yaml")
    #expect(back.output.hasSuffix("~ .: a list in one document → several documents\n"), "\(back.output)")
    for same in ["n.yaml", "l.json"] {
      let run = try await ToolRun.ferry("diff", "m.yaml", same)
      #expect(run.status == 0 && run.output == "", "\(run.output)")
    }
  }

  @Test func `--with-aliases changes a value at its anchor and says how many others follow`() async throws {
    let text = "a: &A {n: 1}  # c\nb: *A\nc:\n  <<: *A\n"
    try directory.write("a.yaml", text)
    let refused = try await ToolRun.ferry("set", "a.yaml", "b.n", "2")
    #expect(
      refused.status == 1 && refused.errors.contains("(--with-aliases changes all of them"), "\(refused)")
    let dryRun = try await ToolRun.ferry("set", "a.yaml", "b.n", "2", "--with-aliases", "--dry-run")
    #expect(
      dryRun.errors == "a.yaml: 2 other values would change, too, through aliases or merge keys\n")
    #expect(try directory.text("a.yaml") == text)
    for (arguments, message, wanted) in [
      (["set", "a.yaml", "b.n", "2"], "2 other values changed", "a: &A {n: 2}  # c\n"),
      (
        ["insert", "a.yaml", "a.m", "3", "--type", "integer"], "2 other values changed",
        "a: &A {n: 2, m: 3}  # c\n"
      ),
      (["remove", "a.yaml", "c.n"], "2 other values changed", "a: &A {m: 3}  # c\n"),
    ] {
      let run = try await ToolRun.ferry(arguments + ["--with-aliases"])
      #expect(run.errors == "a.yaml: \(message), too, through aliases or merge keys\n", "\(arguments)")
      #expect(try directory.text("a.yaml") == wanted + "b: *A\nc:\n  <<: *A\n")
    }
    let patch = #"[{"op": "replace", "path": "/c/m", "value": 4}]"#
    let run = try await ToolRun.ferry("patch", "a.yaml", "-", "--with-aliases", input: patch)
    #expect(run.status == 0, "\(run.errors)")
    #expect(try directory.text("a.yaml") == "a: &A {m: 4}  # c\nb: *A\nc:\n  <<: *A\n")
  }

  @Test func `--with-aliases is refused for a file that is not YAML`() async throws {
    try directory.write("a.json", "[1]")
    let run = try await ToolRun.ferry("set", "a.json", "[0]", "2", "--with-aliases")
    #expect(run.status == 1)
    #expect(
      run.errors
        == "a.json: the options for YAML cannot be used, because the input is json (--from yaml reads it as YAML)\n"
    )
  }

  @Test func `--documents writes the elements of a list as documents`() async throws {
    let run = try await ToolRun.ferry(
      "convert", "--from", "jsonl", "--to", "yaml", "--documents", "--strict",
      input: "{\"a\":[1]}\n[2,3]\n\"x\"\n")
    #expect(run.output == "a:\n  - 1\n---\n- 2\n- 3\n---\nx\n", "\(run.errors)")
    let single = try await ToolRun.ferry(
      "convert", "--from", "json", "--to", "yaml", "--documents", input: #"{"a":[{"b":1},{"b":2}]}"#)
    #expect(single.output == "a:\n  - b: 1\n  - b: 2\n", "\(single.errors)")
    let empty = try await ToolRun.ferry(
      "convert", "--from", "json", "--to", "yaml", "--documents", input: "[]")
    #expect(empty.status == 0 && empty.output == "", "\(empty.errors)")
    try directory.write("a.json", #"{"list":[{"b":1},{"b":2}]}"#)
    let got = try await ToolRun.ferry("get", "a.json", "list", "--to", "yaml", "--documents")
    #expect(got.output == "b: 1\n---\nb: 2\n", "\(got.errors)")
  }

  @Test func `--documents is refused where it has no effect`() async throws {
    try directory.write("a.json", "[1]")
    for arguments in [
      ["convert", "a.json", "--to", "json"], ["convert", "a.json", "--to", "yaml", "--form", "typed"],
      ["get", "a.json", "--to", "jsonl"], ["get", "a.json"],
    ] {
      let run = try await ToolRun.ferry(arguments + ["--documents"])
      #expect(run.status == 64 && run.output == "", "\(arguments)")
      #expect(run.errors.contains("--documents "), "\(run.errors)")
    }
  }
}
