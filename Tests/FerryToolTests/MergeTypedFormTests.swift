import TestSupport
import Testing

@Suite(.temporaryDirectory) struct `Files of merges and seeds in the typed form` {
  private static let base =
    #"{"$ferry":1,"$archiver":"NSKeyedArchiver","$top":{"root":[{"$class":"Person","first":"M","last":"N"}]}}"#
    + "\n"
  private static let merged = base.replacing(#""M""#, with: #""O""#).replacing(#""N""#, with: #""T""#)

  private func writeVersions() throws {
    try directory.write("b.json", Self.base)
    try directory.write("o.json", Self.base.replacing(#""M""#, with: #""O""#))
    try directory.write("t.json", Self.base.replacing(#""N""#, with: #""T""#))
  }

  @Test func `A merge writes the text, also as git's driver`() async throws {
    try writeVersions()
    expectQuiet(try await .ferry("merge", "b.json", "o.json", "t.json", "-o", "m.json"))
    #expect(try directory.text("m.json") == Self.merged)
    expectQuiet(try await .ferry("merge", "--git=o.json", "b.json", "o.json", "t.json"))
    #expect(try directory.text("o.json") == Self.merged)
  }

  @Test func `A path of the described file is refused with the path in the text`() async throws {
    let archive =
      #"{"$ferry":1,"$archiver":"NSKeyedArchiver","$top":{"root":[{"$class":"Person","first":"Ada"}]}}"#
    try directory.write("a.json", archive)
    let words = "this is a document in the typed form (write $top.root"
    for (command, path) in [
      (["set", "a.json", "[0].first", "X"], "[0].first"), (["get", "a.json", "[0]"], "[0]"),
    ] {
      expectFailure(try await .ferry(command), "a.json: no element [0] here: \(words)\(path))")
    }
    expectFailure(
      try await .ferry("set", "a.json", "[0]", "X"), "a.json: no element [0] here: \(words)[0])")
    try directory.write("b.json", #"{"$ferry":1,"$value":{"a":{"b":1}}}"#)
    expectFailure(
      try await .ferry("set", "b.json", "a.b", "2"),
      #"b.json: no key "a" here: this is a document in the typed form (write $value.a.b)"#)
    try directory.write(
      "c.yaml", "$ferry: 1\n$archiver: NSKeyedArchiver\n$top:\n  root:\n    - $class: Person\n")
    expectFailure(
      try await .ferry("insert", "c.yaml", "$top.root[]", #"{"$class":"Person"}"#, "--type", "json"),
      "c.yaml: cannot put an object of the class Person here: only archives have objects "
        + "(in a text, write the key $class as $$class) (at $top.root)")
  }

  @Test func `A merge with another format has the typed form if the format may have it`() async throws {
    try writeVersions()
    expectQuiet(try await .ferry("merge", "b.json", "o.json", "t.json", "-o", "m.yaml"))
    expectQuiet(try await .ferry("merge", "b.json", "o.json", "t.json", "-o", "m.archive"))
    let typed = try await ToolRun.ferry("convert", "m.yaml", "--to", "json", "--form", "typed")
    #expect(typed.output == Self.merged)
    // The numbers of the objects, and so the order of the fields, may differ.
    try directory.write("m.json", Self.merged)
    expectQuiet(try await .ferry("diff", "m.json", "m.archive"))
  }

  @Test func `Records that a seed adds are in the text`() async throws {
    try directory.write("d.json", Self.base)
    try directory.write("s.json", #"[{"firstName":"Zed","lastName":"Q"}]"#)
    let run = try await ToolRun.ferry("seed", "d.json", "--from", "s.json", "--merge", "--key", "firstName")
    #expect(run.status == 0, "\(run.errors)")
    let added = #""N"},{"$class":"Person","firstName":"Zed","lastName":"Q"}"#
    #expect(try directory.text("d.json") == Self.base.replacing(#""N"}"#, with: added))
  }
}
