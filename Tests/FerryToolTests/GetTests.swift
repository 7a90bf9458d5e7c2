import TestSupport
import Testing

@Suite(.temporaryDirectory) struct `ferry get` {
  private func makePeople() async throws {
    try directory.write("folks.xml", folks)
    expectQuiet(try await ToolRun.ferry("convert", "folks.xml", "-o", "people.pplgrp"))
    try directory.write("a.json", #"{"n":[1,2.5,true,null,"x"],"d":{"b":1,"a":{}},"e":[]}"#)
  }

  @Test func `A path with a pipe gives the advice that paths have none`() async throws {
    try directory.write("pipe.json", #"{"a":{"b":1}}"#)
    let run = try await ToolRun.ferry("get", "pipe.json", ".a | keys")
    #expect(run.status == 1)
    #expect(
      run.errors == #"pipe.json: no key "a | keys" here (a path selects values, and has no pipes)"# + "\n")
  }

  @Test func `Several paths give several values, in their order`() async throws {
    try await makePeople()
    for (arguments, output) in [
      (["a.json", "d.b", "n[4]", "n[0:2]"], "1\nx\n1\n2.5\n"),
      (["people.pplgrp", "[2].last", "[0]", "-q"], "Doright\n{\"first\":\"Matt\",\"last\":\"Neuburg\"}\n"),
      (["a.json", "d.b", "n", "--to", "json"], "[1,[1,2.5,true,null,\"x\"]]\n"),
      (["folks.xml", "[0].firstName", "[1].firstName"], "Matt\nSnidely\n"),
    ] {
      let run = try await ToolRun.ferry(["get"] + arguments, input: [])
      expectQuiet(run)
      #expect(run.output == output)
    }
    let missing = try await ToolRun.ferry("get", "a.json", "d.b", "d.z")
    #expect(missing.status == 1 && missing.output == "" && missing.errors.contains("no key \"z\" here"))
  }

  @Test func `Keys, counts and types are printed in place of the values`() async throws {
    try await makePeople()
    for (arguments, output) in [
      (["a.json", "--keys"], "n\nd\ne\n"), (["a.json", "d", "--keys"], "b\na\n"),
      (["a.json", "d.a", "--keys"], ""), (["a.json", "n", "d", "e", "--count"], "5\n2\n0\n"),
      (["a.json", "n[*]", "d", "--type"], "integer\nreal\nboolean\nnull\nstring\ndictionary\n"),
      (["people.pplgrp", "[0]", "--keys"], "first\nlast\n"), (["people.pplgrp", "--count"], "3\n"),
      (["people.pplgrp", "", "[*]", "[0].first", "--type"], "array\nPerson\nPerson\nPerson\nstring\n"),
    ] {
      let run = try await ToolRun.ferry(["get"] + arguments, input: [])
      expectQuiet(run)
      #expect(run.output == output, "\(arguments)")
    }
    expectFailure(
      try await ToolRun.ferry("get", "a.json", "d", "n", "--keys"),
      "a.json: no keys here: this is a value of the type array (at n)")
    expectFailure(
      try await ToolRun.ferry("get", "a.json", "n[4]", "--count"),
      "a.json: no elements or keys here: this is a value of the type string (at n[4])")
    let both = try await ToolRun.ferry("get", "a.json", "--keys", "--count")
    #expect(both.errors.contains("--keys and --count cannot be used together"), "\(both.errors)")
    for options in [
      ["--keys", "--count"], ["--keys", "--to", "json"], ["--type", "--bytes"], ["d", "n", "--bytes"],
      ["--type", "--ascii"], ["--count", "--pretty"], ["d", "--bytes", "--indent", "2"],
      ["d", "--bytes", "--raw"],
      ["d", "--keys", "--compact"],
    ] {
      #expect(try await ToolRun.ferry(["get", "a.json"] + options, input: []).status == 64)
    }
  }

  @Test func `The paths that other commands print of mixed content are read, and not changed`() async throws {
    try directory.write("m.xml", "<p>one <b>two</b> three</p>")
    try directory.write("n.xml", "<p>one <b>2</b> three</p>")
    let path = ##"p["#content"][1].b"##
    #expect(try await ToolRun.ferry("find", "two", "m.xml").output == "\(path): two\n")
    for order in [[], ["--order"]] {
      let found = try await ToolRun.ferry(["diff", "m.xml", "n.xml"] + order, input: [])
      #expect(found.output.contains("~ \(path): "), "\(found.output)")
      #expect(try await ToolRun.ferry(["get", "m.xml", path] + order, input: []).output == "two\n")
    }
    #expect(try await ToolRun.ferry("get", "m.xml", "p.b").output == "two\n")
    expectFailure(
      try await ToolRun.ferry("set", "m.xml", path, "2"),
      ##"m.xml: values of "#content" cannot be changed by path (name elements by their keys, as ferry get prints them) (at p)"##
    )
  }
}
