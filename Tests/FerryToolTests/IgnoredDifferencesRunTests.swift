import TestSupport
import Testing

/// The differences that `ferry diff` leaves out, at the shell.
@Suite(.temporaryDirectory) struct `Differences that ferry diff leaves out` {
  private func writeRecords() throws {
    try directory.write(
      "a.json", #"[{"id":1,"n":"Lamp","at":"monday"},{"id":2,"n":"Bed","at":"monday"}]"#)
    try directory.write(
      "b.json", #"[{"id":1,"n":"Lamp","at":"friday"},{"id":2,"n":"Cot","at":"friday"}]"#)
  }

  @Test(arguments: [["at"], ["[*].at"], ["/0/at", "[1].at"]])
  func `Ignored values are neither in the lines nor in the page`(_ paths: [String]) async throws {
    try writeRecords()
    let options = paths.flatMap { ["--ignore", $0] }
    let run = try await ToolRun.ferry(["diff", "a.json", "b.json"] + options)
    #expect(run.status == 1 && run.errors == "", "\(run.errors)")
    #expect(run.output == "--- a.json\n+++ b.json\n~ [1].n: \"Bed\" → \"Cot\"\n", "\(run.output)")
    let page = try await ToolRun.ferry(["diff", "a.json", "b.json", "--html"] + options)
    #expect(page.status == 1 && page.output.contains("Cot") && !page.output.contains("friday"))
    expectQuiet(try await ToolRun.ferry(["diff", "a.json", "b.json", "--ignore", "n"] + options))
  }

  @Test(arguments: ["ports.443", "443", "ports.true", "ports.null"])
  func `A key of YAML that is not a text is ignored by its text`(_ path: String) async throws {
    let key = path.replacing("ports.", with: "")
    try directory.write("a.yaml", "ports: {\(key): a, other: 1}\n")
    try directory.write("b.yaml", "ports: {\(key): b, other: 1}\n")
    expectQuiet(try await ToolRun.ferry("diff", "a.yaml", "b.yaml", "--ignore", path))
  }

  @Test func `A patch without ignored values leaves those of the first file as they are`() async throws {
    try writeRecords()
    let run = try await ToolRun.shell(
      """
      ferry diff a.json b.json --ignore at --json -o p.json; cat p.json
      ferry patch a.json p.json && ferry diff a.json b.json --ignore at && cat a.json
      """)
    #expect(run.status == 0 && run.errors == "", "\(run.errors)")
    #expect(!run.output.contains("friday"), "\(run.output)")
    #expect(
      run.output.hasSuffix(#"[{"id":1,"n":"Lamp","at":"monday"},{"id":2,"n":"Cot","at":"monday"}]"#),
      "\(run.output)")
  }

  @Test func `A document in the typed form has no patch without ignored values`() async throws {
    let text = #"{"$ferry":1,"$value":{"at":1,"n":1}}"#
    try directory.write("c.json", text)
    try directory.write("d.json", text.replacing("\"n\":1", with: "\"n\":2"))
    let typed = try await ToolRun.ferry("diff", "c.json", "d.json", "--ignore", "at", "--json")
    #expect(typed.status == 2 && typed.output == "", "\(typed.output)")
    #expect(typed.errors.contains("a patch of the typed form has all values"), "\(typed.errors)")
  }

  @Test func `A key that no file has is named, and a path that is not of a key is refused`() async throws {
    try writeRecords()
    let unused = try await ToolRun.ferry("diff", "a.json", "a.json", "--ignore", "att", "--ignore", ".at")
    #expect(unused.status == 0 && unused.output == "")
    #expect(
      unused.errors
        == "--ignore \"att\" has no effect: neither file has this key\n"
        + "--ignore \".at\" has no effect: neither file has this key at its root"
        + " (without the dot, it is a key at any depth)\n",
      "\(unused.errors)")
    for options in [
      ["--ignore", "list[0]"], ["--ignore", ""], ["--order", "--ignore-order"],
      ["--key", "at", "--ignore", "at"],
    ] {
      let run = try await ToolRun.ferry(["diff", "a.json", "b.json"] + options)
      #expect(run.status == 64 && run.output == "", "\(options): \(run.errors)")
    }
  }

  @Test func `Ignored values inside others have an effect, and a star in a path is answered`() async throws {
    try directory.write("a.json", #"{"l":[{"u":1},{"u":2}],"meta":{"a":{"u":1},"b":2}}"#)
    try directory.write("b.json", #"{"l":[{"u":3},{"u":4}],"meta":{"a":{"u":2},"b":2}}"#)
    let all = ["l[*].u u", "u l[*].u", "l u l[*].u meta.a.u", "l meta meta.a"]
    for paths in all {
      let ignored = paths.split(separator: " ").flatMap { ["--ignore", String($0)] }
      expectQuiet(try await ToolRun.ferry(["diff", "a.json", "b.json"] + ignored))
    }
    for (path, advice) in [
      ("meta.*", "meta leaves out all of its entries"),
      ("*.u", "write [*] for every element of a list or value of a dictionary"),
    ] {
      let run = try await ToolRun.ferry("diff", "a.json", "b.json", "--ignore", path)
      #expect(run.status == 1)
      #expect(
        run.errors == "--ignore \"\(path)\" has no effect: neither file has a value there (\(advice))\n",
        "\(run.errors)")
    }
  }

  @Test func `Folders are compared without ignored values and the order of lists`() async throws {
    let made = try await ToolRun.shell(
      """
      mkdir x y; printf '{"at":1,"l":[1,2,[3,4]]}' > x/a.json; printf '{"at":2,"l":[[4,3],2,1]}' > y/a.json
      """)
    #expect(made.status == 0)
    let run = try await ToolRun.ferry("diff", "x", "y", "--ignore", "at", "--ignore-order")
    #expect(run.status == 0 && run.output == "" && run.errors == "", "\(run.output)\(run.errors)")
    let other = try await ToolRun.ferry("diff", "x", "y", "--ignore", "at")
    #expect(other.status == 1 && !other.output.contains("at:"), "\(other.output)")
  }
}
