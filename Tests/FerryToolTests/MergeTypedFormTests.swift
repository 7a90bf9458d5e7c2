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
