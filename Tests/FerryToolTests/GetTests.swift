import TestSupport
import Testing

@Suite(.temporaryDirectory) struct `ferry get` {
  private func makePeople() async throws {
    try directory.write("folks.xml", folks)
    expectQuiet(try await ToolRun.ferry("convert", "folks.xml", "-o", "people.pplgrp"))
    try directory.write("a.json", #"{"n":[1,2.5,true,null,"x"],"d":{"b":1,"a":{}},"e":[]}"#)
  }

  @Test func `A path in the notation of another program is answered with Ferry's`() async throws {
    try directory.write("a.json", #"{"a":{"x":{"b":1},"y":{"b":2}},"l":[{"b":1}]}"#)
    for (file, path, message) in [
      (
        "a.json", "//b",
        #"the path "//b" is not valid at character 1: an XPath selects from XML; other formats take a path such as "#
          + "people[*].name (ferry find --key KEY prints the paths of the values for a key)"
      ),
      (
        "a.json", "a.*.b",
        #"no key "*" here (write [*] for every element of a list or value of a dictionary)"#
      ),
      ("a.json", "l.*.b", #"no key "*" here: this is an array of 1 (use [0]); write [*] for every element"#),
    ] {
      let run = try await ToolRun.ferry("get", file, path)
      #expect(run.status == 1)
      #expect(run.errors.hasPrefix("\(file): \(message)"), "\(run.errors)")
    }
    #expect(try await ToolRun.ferry("get", "a.json", "a[*].b").output == "1\n2\n")
    let insert = try await ToolRun.ferry("insert", "a.json", "a.new.deep", "1")
    #expect(insert.errors.contains("(insert it first, with its contents, such as '{}' --type json)"))
    expectQuiet(try await .ferry("insert", "a.json", "a.new", #"{"deep":1}"#, "--type", "json"))
    #expect(try await ToolRun.ferry("get", "a.json", "a.new.deep").output == "1\n")
  }

  @Test func `Slices and filters are for lists, and an error says what selects values of a dictionary`()
    async throws
  {
    try directory.write(
      "a.json",
      #"""
      {"l":[1,2,3],"k":[{"n":1},{"m":[1,2]}],"d":{"x":{"isa":"A"},"y":{"isa":"B"},"z":{"isa":"A"}}}
      """#)
    for (path, output) in [("l[:]", "1\n2\n3\n"), ("l[1:]", "2\n3\n"), ("d[*].isa", "A\nB\nA\n")] {
      let run = try await ToolRun.ferry("get", "a.json", path)
      expectQuiet(run)
      #expect(run.output == output)
    }
    let advice =
      "(a filter selects elements of a list; ferry find --key KEY prints the paths of the values for a key)"
    for (path, message) in [
      ("d[:]", "no element [0:] here: this is a dictionary; write [*] for every value (at d)"),
      ("d[0:1]", "no element [0:1] here: this is a dictionary; write [*] for every value (at d)"),
      ("d[isa=A]", #"no element [isa="A"] here: this is a dictionary \#(advice) (at d)"#),
      (
        "d[*][isa=A]",
        #"none of the 3 entries matches: no element [isa="A"] here: this is a dictionary \#(advice) (at d.x)"#
      ),
      ("d[*].b", #"none of the 3 entries matches: no key "b" here; the keys are "isa" (at d.x)"#),
      (
        "k[*].m[7]",
        "none of the 2 elements matches: no element [7] here: the list has 2 elements, the last is [1] (at k[1].m)"
      ),
      (
        "d[*].isa[*].b",
        "none of the 3 entries matches: no element [*] here: this is a string (at d.x.isa)"
      ),
    ] {
      expectFailure(try await .ferry("get", "a.json", path), "a.json: \(message)")
    }
    expectFailure(
      try await .ferry("set", "a.json", "d[isa=A].isa", "C"),
      #"a.json: no element [isa="A"] here: this is a dictionary \#(advice) (at d)"#)
  }

  @Test func `A path with a pipe gives the advice that paths have none`() async throws {
    try directory.write("pipe.json", #"{"a":{"b":1}}"#)
    let run = try await ToolRun.ferry("get", "pipe.json", ".a | keys")
    #expect(run.status == 1)
    #expect(
      run.errors == #"pipe.json: no key "a | keys" here (a path selects values; pipes are not supported)"#
        + "\n")
  }

  @Test(arguments: ["big.json --count", "big.jsonl --count", "big.xml r.p --count"])
  func `The number of elements of a large file takes no memory`(_ arguments: String) async throws {
    let made = try await ToolRun.shell(
      #"""
      yes '{"id":1,"name":"a name","tags":["a","b"]}' | head -n 500000 > big.jsonl
      (echo '['; sed '$!s/$/,/' big.jsonl; echo ']') > big.json
      (echo '<r>'; yes '<p id="1"><n>a name</n><t>a</t></p>' | head -n 500000; echo '</r>') > big.xml
      """#)
    #expect(made.status == 0, "\(made.errors)")
    let answer = try await Peer.python(
      """
      import os
      os.chdir('\(directory.path)')
      out = os.open('out', os.O_WRONLY | os.O_CREAT | os.O_TRUNC)
      pid = os.posix_spawn('\(try ToolRun.path)', 'ferry get \(arguments)'.split(), os.environ, file_actions=[
        (os.POSIX_SPAWN_DUP2, out, 1)])
      _, status, usage = os.wait4(pid, 0)
      print(status, open('out').read().strip(), usage.ru_maxrss < 64 * 1024, usage.ru_maxrss)
      """)
    #expect(answer.text.hasPrefix("0 500000 True"), "\(answer.text) \(answer.errors)")
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

  @Test func `A filter compares numbers by their value, and texts by their characters`() async throws {
    let numbers = #"[{"x":1.0},{"x":1},{"x":1.50},{"x":"1"},{"x":"1.0"},{"x":-0.0},{"x":true}]"#
    try directory.write("n.json", numbers)
    try directory.write(
      "r.plist",
      "<plist version=\"1.0\"><array><dict><key>r</key><real>1</real></dict><dict><key>r</key><real>2.5</real></dict></array></plist>"
    )
    try directory.write("a.json", #"{"records":[{"$class":"P","n":1.0},{"$class":"P","n":2}]}"#)
    expectQuiet(try await ToolRun.ferry("convert", "a.json", "--to", "archive", "-o", "a.archive", "-q"))
    try directory.write("x.xml", "<l><e><x>1</x></e><e><x>1.0</x></e></l>")
    try directory.write("x.csv", "a,x\n1,1.0\n2,1\n")
    for (line, output) in [
      ("get n.json '[x=1].x'", "1.0\n1\n1\n"), ("get n.json '[x=1.5].x'", "1.50\n"),
      ("get n.json '[x=1e0].x'", "1.0\n1\n"), ("get n.json '[x=0].x'", "-0.0\n"),
      ("get n.json '[x=true].x'", "true\n"), ("get r.plist '[r=1].r' '[r=2.50].r'", "1.0\n2.5\n"),
      ("get a.archive 'records[n=1].n' 'records[n=2.0].n'", "1.0\n2\n"),
      ("get x.xml 'l.e[x=1].x'", "1\n"), ("get x.csv '[x=1].a'", "2\n"),
      ("convert n.json --select '[x=1].x' --to json --compact", "[1.0,1,\"1\"]\n"),
      ("convert x.csv --select '[x=1].a' --to json --compact", "[\"2\"]\n"),
    ] {
      try await expect("ferry \(line)", output)
    }
    expectQuiet(try await ToolRun.ferry("set", "r.plist", "[r=1].r", "4"))
    try await expect("ferry get r.plist '[*].r'", "4.0\n2.5\n")
  }

  @Test func `Filters with comparisons select values for all commands`() async throws {
    try directory.write(
      "p.json", #"[{"city":"London","age":36,"old!":1},{"city":"Paris","age":7},{"age":90}]"#)
    for (line, output) in [
      ("get p.json '[city!=Paris].age'", "36\n90\n"), ("get p.json '[age>=36][city!=London].age'", "90\n"),
      (#"get p.json '["old!"=1].age' '[age<10].city'"#, "36\nParis\n"),
      ("get p.json '[age>99].city' --default none", "none\n"), ("get p.json '[age<50]' --count", "3\n2\n"),
      ("convert p.json --select '[age>=36].age' --to json --compact", "[36,90]\n"),
      ("convert p.json --select '[age>=36][city!=London].age' --to json --compact", "[90]\n"),
    ] {
      try await expect("ferry \(line)", output)
    }
    try directory.write("q.json", #"[{"city":"London","age":37},{"city":"Paris","age":8},{"age":90}]"#)
    let ignored = try await ToolRun.ferry(
      "diff", "p.json", "q.json", "--ignore", "[city>=A].age", "--ignore", "old!")
    #expect(ignored.status == 0 && ignored.output.isEmpty, "\(ignored)")
    for (arguments, expected) in [
      (["set", "p.json", "[age>10].age", "1"], "2 values set"),
      (["insert", "p.json", "[city!=Paris].seen", "yes"], "2 values inserted"),
      (["move", "p.json", "[age=1].seen", "[age=1].found"], "2 values moved"),
      (["copy", "p.json", "[found=yes].age", "[found=yes].years"], "2 values copied"),
      (["remove", "p.json", "[age>1]"], nil),
    ] as [([String], String?)] {
      let run = try await ToolRun.ferry(arguments, input: [])
      #expect(run.status == 0, "\(arguments): \(run.errors)")
      if let expected { #expect(run.errors.contains(expected), "\(arguments): \(run.errors)") }
    }
    try await expect(
      "ferry get p.json '[*].age' '[*].years' '[*].found' --to json --compact",
      #"[1,1,1,1,"yes","yes"]"# + "\n")
  }

  @Test func `A change refuses a key of a filter that no element has, and get does not`() async throws {
    let text = #"[{"city":"London","a.b":1},{"city":"Paris","a.b":2}]"#
    for (filter, problem) in [("[town!=Paris]", "no key \"town\""), ("[a.b!=1]", #"["a.b"]"#)] {
      for line in ["remove p.json '\(filter)'", "set p.json '\(filter).city' Graz"] {
        try directory.write("p.json", text)
        let run = try await ToolRun.shell("ferry \(line)")
        #expect(run.status == 1 && run.errors.contains(problem), "\(line): \(run.errors)")
        #expect(try directory.bytes("p.json") == Array(text.utf8), "\(line)")
      }
      #expect(try await ToolRun.shell("ferry get p.json '\(filter).city'").output == "London\nParis\n")
    }
  }

  @Test func `A filter on one element of XML names the option that makes a list of it`() async throws {
    try directory.write("a.xml", "<people><p><age>5</age></p><q>5</q></people>")
    for (path, element) in [("people.p[age>3]", "p"), ("people.q[.>3]", "q")] {
      let get = try await ToolRun.ferry("get", "a.xml", path)
      #expect(get.status == 1 && get.errors.contains("; --list \(element) makes a list"), "\(get)")
      let remove = try await ToolRun.ferry("remove", "a.xml", path)
      #expect(remove.status == 1 && !remove.errors.contains("--list"), "\(remove)")
      let list = try await ToolRun.ferry("get", "a.xml", path, "--list", element)
      #expect(list.status == 0 && list.output.contains("5"), "\(list)")
    }
    let root = try await ToolRun.ferry("get", "a.xml", "people[age>3]")
    #expect(root.status == 1 && !root.errors.contains("--list"), "\(root)")
  }

  @Test func `A mistake in a filter is named with its column`() async throws {
    try directory.write("p.json", #"[{"city":"London","age":36}]"#)
    for (filter, column, problem) in [
      ("[city==London]", 7, "with one =: [key=value]"), ("[age < 10]", 5, "no spaces"),
      ("[city ~= P]", 7, "a filter is written [key=value]"), ("[age>>3]", 6, "a filter is written"),
      ("[age>]", 6, "expected a value after \">\""), ("[>3]", 2, "expected a key before"),
      ("[age>\"3]", 6, "the quote is not closed"),
    ] {
      for line in [
        "get p.json '\(filter)'", "set p.json '\(filter).age' 1",
        "convert p.json --select '\(filter)' --to json",
      ] {
        let run = try await ToolRun.shell("ferry \(line)")
        #expect(run.status != 0 && run.output.isEmpty, "\(line)")
        #expect(run.errors.contains("not valid at character \(column): "), "\(line): \(run.errors)")
        #expect(run.errors.contains(problem), "\(line): \(run.errors)")
      }
    }
    try await expect("ferry get p.json '[city=\"=London\"]' || true", "", errors: "\"=London\"")
  }

  @Test func `A filter gives a list with --to, also if it matches one element`() async throws {
    try directory.write("o.json", #"[{"id":1,"tags":["a","b"]},{"id":2,"tags":["c"]},{"id":2,"tags":["d"]}]"#)
    for (line, output) in [
      ("'[id=1].tags' --to jsonl", "[\"a\",\"b\"]\n"), ("'[id=2].tags' --to jsonl", "[\"c\"]\n[\"d\"]\n"),
      ("'[id=1].tags' --to json", "[[\"a\",\"b\"]]\n"), ("'[id=1].tags'", "[\"a\",\"b\"]\n"),
      ("'[id=1].tags[0]' --to json", "[\"a\"]\n"), ("'[0].tags' --to json", "[\"a\",\"b\"]\n"),
      ("'[id=1].tags[0]' --bytes", "a"), ("'[id=1].tags' --count", "2\n"),
    ] {
      try await expect("ferry get o.json \(line)", output)
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
    #expect(try await ToolRun.ferry("find", "--no-order", "two", "m.xml").output == "p.b: two\n")
    expectFailure(
      try await ToolRun.ferry("set", "m.xml", path, "2"),
      ##"m.xml: values of "#content" cannot be changed by path (name elements by their keys, as ferry find --no-order prints them) (at p)"##
    )
  }
}

@Suite(.temporaryDirectory) struct `Texts for missing values` {
  @Test func `A path without a value prints the default, and an error stays one`() async throws {
    try directory.write("a.json", #"{"a":1,"n":null,"l":[]}"#)
    try directory.write("b.json", #"{"a":1"#)
    for (line, output) in [
      ("get a.json x --default 5", "5\n"), ("get a.json a x n --default ''", "1\n\nnull\n"),
      ("get a.json 'a.b[0]' 'l[3]' --default no", "no\nno\n"), ("get a.json 'l[*]' --default no", "no\n"),
      ("get a.json a --default 5", "1\n"), ("get a.json 'l[k=1].x' --default no", "no\n"),
    ] {
      let run = try await ToolRun.shell("ferry \(line)")
      #expect(run.status == 0 && run.output == output && run.errors == "", "\(line): \(run)")
    }
    // The loss of reading the file counts once.
    try directory.write("c.xml", #"<!DOCTYPE r SYSTEM "x.dtd"><r><a>x&foo;</a><b>2</b></r>"#)
    let lossy = try await ToolRun.ferry("get", "c.xml", "r.a", "r.b", "r.c", "--default", "z")
    #expect(lossy.status == 0 && lossy.output == "x\n2\nz\n", "\(lossy)")
    #expect(lossy.errors.hasSuffix(" (1)\n"), "\(lossy)")
    let damaged = try await ToolRun.ferry("get", "b.json", "x", "--default", "5")
    #expect(damaged.status == 1 && damaged.output == "", "\(damaged)")
    for option in ["--to json", "--bytes", "--count", "-o b.yaml"] {
      let run = try await ToolRun.shell("ferry get a.json x --default 5 \(option)")
      #expect(run.status == 64 && run.errors.contains("--default prints a text"), "\(option): \(run)")
    }
  }
}

@Suite(.temporaryDirectory) struct `Values of a large file` {
  @Test func `Values are printed only if all of the file is valid`() async throws {
    let records = (0..<40_000).map { #"{"id":\#($0),"name":"Person number \#($0)"}"# }
    let list = "[" + records.joined(separator: ",\n")
    try directory.write("big.json", list + "]")
    try directory.write("broken.json", list + ",]")
    let numbers = (0..<40_000).map { "\($0)\n" }.joined()
    for arguments in [["[*].id"], ["[0:].id"], ["[id>=0].id"], ["[*].id", "--default", "none"]] {
      let run = try await ToolRun.ferry(["get", "big.json"] + arguments)
      expectQuiet(run)
      #expect(run.output == numbers)
    }
    let all = try await ToolRun.ferry("get", "big.json", "[*]", "-o", "all.jsonl")
    expectQuiet(all)
    #expect(try directory.text("all.jsonl") == records.joined(separator: "\n") + "\n")
    let missing = try await ToolRun.ferry("get", "big.json", "[*].ib")
    #expect(missing.status == 1)
    #expect(missing.output.isEmpty)
    let broken = try await ToolRun.ferry("get", "broken.json", "[*].id")
    #expect(broken.status == 1)
    #expect(broken.output.isEmpty)
  }
}
