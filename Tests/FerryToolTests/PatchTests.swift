import TestSupport
import Testing

@Suite(.temporaryDirectory) struct `ferry patch` {
  private func makePeople() async throws {
    try directory.write("folks.xml", folks)
    let made = try await ToolRun.shell(
      """
      ferry convert folks.xml -o old.pplgrp && cp old.pplgrp new.pplgrp && cp old.pplgrp base.pplgrp
      ferry set new.pplgrp '[1].first' Sidney
      ferry insert new.pplgrp '[]' '{"$class": "Person", "first": "Ada", "last": "Lovelace"}' --type json
      """)
    expectQuiet(made)
  }

  @Test func `The patch of a difference makes one file the other`() async throws {
    try await makePeople()
    expectQuiet(
      try await ToolRun.shell(
        "ferry diff old.pplgrp new.pplgrp --json > p.json; ferry patch base.pplgrp p.json"))
    #expect(try directory.bytes("base.pplgrp") == directory.bytes("new.pplgrp"))
    expectQuiet(
      try await ToolRun.shell(
        "ferry diff new.pplgrp old.pplgrp --json | ferry patch base.pplgrp - -o back.pplgrp"))
    #expect(try await ToolRun.ferry("diff", "back.pplgrp", "old.pplgrp").status == 0)
    #expect(try directory.bytes("base.pplgrp") == directory.bytes("new.pplgrp"))
    let piped = try await ToolRun.shell("ferry patch - p.json < old.pplgrp | ferry get - '[1].first'")
    #expect(piped.output == "Sidney\n")
  }

  /// OpenAPI and JSON Schema refer to parts of a document in this way.
  @Test(arguments: ["yaml", "plist-xml", "plist-binary", "json"])
  func `The key $ref is an ordinary one in a file without objects`(_ format: String) async throws {
    try directory.write("a.json", ##"{"a":{"b":{"$ref":"#/a"}}}"##)
    try directory.write(
      "p.json",
      ##"[{"op":"replace","path":"/a/b","value":{"x":[{"$ref":"y"}]}},{"op":"add","path":"/a/s","value":{"$ref":"#/c"}}]"##
    )
    expectQuiet(try await .ferry("convert", "a.json", "--to", format, "-o", "out", "--strict"))
    let options = format == "yaml" ? ["--from", "yaml"] : []
    expectQuiet(try await .ferry(["patch", "out", "p.json"] + options))
    expectQuiet(try await .ferry(["set", "out", "a.s", "--type", "json", ##"{"$ref":"#/d"}"##] + options))
    expectQuiet(try await .ferry(["insert", "out", "a.t", "--type", "json", #"{"$ref":1}"#] + options))
    let json = try await ToolRun.ferry(["convert", "out", "--to", "json"] + options)
    expectQuiet(json)
    #expect(
      json.output == ##"{"a":{"b":{"x":[{"$ref":"y"}]},"s":{"$ref":"#/d"},"t":{"$ref":1}}}"## + "\n")
  }

  @Test func `A $ref in an archive is a reference`() async throws {
    try directory.write("a.json", #"{"a":{"b":"x"}}"#)
    expectQuiet(try await .ferry("convert", "a.json", "-o", "a.archive"))
    let run = try await ToolRun.ferry("insert", "a.archive", "a.s", "--type", "json", ##"{"$ref":"#/c"}"##)
    #expect(run.status == 1)
    #expect(run.errors.contains("write $$ref for the key $ref"), "\(run.errors)")
  }

  @Test func `A file with comments keeps them, and all else that no operation changes`() async throws {
    let text =
      "<plist>\n<dict>\n  <key>a</key> <!-- one -->\n  <string>x</string>\n  <key>n</key><real>1.50</real>\n</dict>\n</plist>\n"
    try directory.write("a.plist", text)
    try directory.write("p.json", #"[{"op":"replace","path":"/a","value":"y"}]"#)
    expectQuiet(try await ToolRun.ferry("patch", "a.plist", "p.json"))
    #expect(try directory.text("a.plist") == text.replacing("<string>x", with: "<string>y"))
  }

  @Test func `A patch that fails leaves the file as it was, and names the operation`() async throws {
    let text = #"{"a": 1, "b": [1, 2]}"#
    try directory.write("a.json", text)
    for (patch, message) in [
      (
        #"[{"op":"remove","path":"/b/0"},{"op":"test","path":"/a","value":2}]"#,
        #"a.json: operation 1 of the patch (test "/a"): the value is not the one that the patch tests (at a)"#
      ),
      (
        #"[{"op":"replace","path":"/c","value":2}]"#,
        #"a.json: operation 0 of the patch (replace "/c"): no key "c" here; the keys are "a", "b" "#
          + #"(the operation "add" adds it)"#
      ),
      (#"{"op":"remove","path":"/a"}"#, "p.json: not a JSON patch: a patch is a list of operations"),
      (#"[{"op":"remove"}]"#, #"p.json: not a JSON patch: the operation has no "path" (at [0])"#),
      ("[", "p.json:1:2: the text ends where a value or \"]\" is expected"),
    ] {
      try directory.write("p.json", patch)
      expectFailure(try await ToolRun.ferry("patch", "a.json", "p.json"), message)
      #expect(try directory.text("a.json") == text)
    }
    expectFailure(
      try await ToolRun.ferry("patch", "a.json", "none.json"), "none.json: no such file or directory")
    #expect(try await ToolRun.ferry("patch", "-", "-").status == 64)
    try directory.write("p.json", #"[{"op":"remove","path":"/a"}]"#)
    expectQuiet(try await ToolRun.ferry("patch", "a.json", "p.json", "--dry-run"))
    #expect(try directory.text("a.json") == text)
  }

  @Test func `A value that the format cannot hold is an error with its operation`() async throws {
    let list = "<plist><dict><key>a</key><integer>1</integer><key>d</key><dict/></dict></plist>\n"
    try directory.write("a.plist", list)
    try directory.write("a.xml", "<r><a>1</a></r>")
    let (test, good) = (
      #"{"op":"test","path":"/a","value":1}"#, #"{"op":"add","path":"/a","value":2}"#
    )
    for (file, operations, message) in [
      (
        "a.plist", [test, #"{"op":"add","path":"/d/y","value":{"k":[1,null]}}"#, good],
        #"a.plist: operation 1 of the patch (add "/d/y"): an XML property list cannot hold null"#
      ),
      (
        "a.plist", [good, good, good, #"{"op":"replace","path":"/a","value":null}"#],
        #"a.plist: operation 3 of the patch (replace "/a"): an XML property list cannot hold null"#
      ),
      (
        "a.plist",
        [#"{"op":"add","path":"/d/y","value":"\u0000"}"#, #"{"op":"copy","from":"/d","path":"/e"}"#],
        #"a.plist: operation 0 of the patch (add "/d/y"): XML cannot hold the character U+0000"#
      ),
      (
        "a.plist", [#"{"op":"add","path":"/d/y","value":{"$date":"soon"}}"#],
        #"a.plist: operation 0 of the patch (add "/d/y"): "soon" is not a value for $date (a date is 2024-02-29T12:00:00Z)"#
      ),
      (
        "a.xml",
        [#"{"op":"add","path":"/r/b","value":"x"}"#, #"{"op":"add","path":"/r/a~1b","value":"\u0000"}"#],
        #"a.xml: operation 1 of the patch (add "/r/a~1b"): "#
      ),
      (
        "a.xml", [#"{"op":"move","from":"/r/a","path":"/r/a/b"}"#],
        #"a.xml: operation 0 of the patch (move "/r/a" to "/r/a/b"): "#
          + "cannot put a value here: it would be inside itself (at r.a)"
      ),
    ] {
      let text = try directory.text(file)
      try directory.write("p.json", "[\(operations.joined(separator: ","))]")
      let run = try await ToolRun.ferry("patch", file, "p.json")
      #expect(run.status == 1 && run.errors.hasPrefix(message), "\(run.errors)")
      #expect(try directory.text(file) == text)
    }
  }

  /// Typed documents of archives and property lists, of which a patch of parts would give something else.
  private static let pairs = [
    (
      "archive", ##"{"a":{"$class":"P","$id":1,"n":"A"},"b":{"$ref":1}}"##,
      ##"{"a":{"$class":"P","n":"X"},"b":{"$class":"P","n":"A"}}"##
    ),
    (
      "archive", "{}",
      ##"{"m":{"$class":"NSMutableString","NS.string":"x"},"u":{"$class":"NSMutableArray","$items":[1]}}"##
    ),
    ("archive", ##"{"x":null,"y":"s"}"##, ##"{"x":{"$class":"P","$id":1,"self":{"$ref":1}},"y":"s"}"##),
    (
      "plist-binary", ##"{"a":{"$id":1,"$value":[1,2]},"b":{"$ref":1}}"##, ##"{"a":[1],"b":[1,2]}"##
    ),
    (
      "plist-xml", "{}",
      ##"{"r":{"$real":"inf"},"u":{"$uid":5},"d":{"$date":"2001-01-01T00:00:00Z"},"$$x":{"$$date":1}}"##
    ),
    ("plist-gnustep", ##"{"r":1.5}"##, ##"{"r":{"$real":"-inf"}}"##),
    (
      "archive", ##"{"p":{"$class":"NSValue","NS.special":1,"NS.pointval":"{0, 1}"},"n":0.0}"##,
      ##"{"p":{"$class":"NSValue","NS.special":1,"NS.pointval":"{-0, 1}"},"n":-0.0}"##
    ),
  ]

  @Test(arguments: pairs.indices)
  func `A patch gives the other file, also with shared objects and odd values`(
    _ index: Int
  ) async throws {
    let (format, old, new) = Self.pairs[index]
    for (name, text) in [("a", old), ("b", new)] {
      let document =
        format == "archive"
        ? ##"{"$ferry":1,"$archiver":"NSKeyedArchiver","$top":{"root":\##(text)}}"##
        : ##"{"$ferry":1,"$value":\##(text)}"##
      let made = try await ToolRun.ferry(
        "convert", "--from", "json", "--to", format, "-o", "\(name).\(format)", "-q", input: document)
      #expect(made.status == 0, "\(made.errors)")
    }
    for (old, new) in [("a", "b"), ("b", "a")] {
      let run = try await ToolRun.shell(
        """
        cp \(old).\(format) c.\(format); ferry diff \(old).\(format) \(new).\(format) --json > p.json
        ferry patch c.\(format) p.json && ferry diff c.\(format) \(new).\(format)
        """)
      #expect(run.status == 0 && run.output == "" && run.errors == "", "\(run.output)\(run.errors)")
    }
  }

  /// Texts of JSON5 with the number of operations that make each one the next.
  private static let notFinite = [
    "{a: Infinity, b: [1, -Infinity], c: 'NaN', d: 1} // c\n",
    "{a: -Infinity, b: [NaN, 1], c: NaN, e: {f: Infinity, $real: 'inf'}} // c\n",
    "{a: 'Infinity', b: ['-Infinity'], c: {$real: 'inf'}, d: -NaN} // c\n",
  ]

  @Test(arguments: notFinite.indices)
  func `A patch of JSON5 has infinities and NaN`(_ index: Int) async throws {
    try directory.write("a.json5", Self.notFinite[index])
    try directory.write("b.json5", Self.notFinite[(index + 1) % Self.notFinite.count])
    let run = try await ToolRun.shell(
      """
      ferry diff --json a.json5 b.json5 | ferry patch a.json5 -
      ferry diff a.json5 b.json5 && ferry diff --json a.json5 b.json5; cat a.json5 | grep -c '// c'
      """)
    #expect(run.output == "[]\n1\n" && run.errors == "", "\(run.output)\(run.errors)")
  }

  /// Each operation copies the whole file into itself, so that each doubles it.
  @Test(arguments: ["json", "archive"]) func `Copies of a patch that grow beyond all limits are refused`(
    _ format: String
  ) async throws {
    let operations = (0..<40).map { #"{"op":"copy","from":"","path":"/a\#($0)"}"# }
    try directory.write("p.json", "[\(operations.joined(separator: ","))]")
    try directory.write("a.json", #"{"a":[1,"x"]}"# + "\n")
    let run = try await ToolRun.shell(
      "ferry convert a.json -o f.\(format); ulimit -v 4000000; ferry patch f.\(format) p.json")
    #expect(
      run.status == 1 && run.errors.contains("of the patch (copy")
        && run.errors.contains("--max-amplification raises the limit"),
      "\(run)")
    expectQuiet(try await .shell("ferry convert f.\(format) --to json | cmp - a.json"))
  }

  @Test func `The infinities of a patch are those of the file, and JSON has none`() async throws {
    try directory.write("p.json", #"[{"op":"add","path":"/a","value":[Infinity,-Infinity]}]"#)
    try directory.write("a.json5", "{}")
    try directory.write("a.json", "{}")
    let run = try await ToolRun.shell(
      """
      ferry convert a.json --to plist-xml -o a.plist; ferry patch a.json5 p.json; ferry patch a.plist p.json
      ferry get a.json5 --to json5; ferry get a.plist a --to json5; ferry patch a.json p.json
      """)
    #expect(
      run.output == "{\"a\":[Infinity,-Infinity]}\n[Infinity,-Infinity]\n" && run.status == 1, "\(run)")
    #expect(run.errors.contains(#"a.json: operation 0 of the patch (add "/a"): "#), "\(run.errors)")
    try directory.write("c.json", #"[{"op":"add","path":"/a","value":1}, /* c */]"#)
    let comment = try await ToolRun.ferry("patch", "a.json5", "c.json")
    #expect(comment.status == 1, "\(comment)")
  }

  @Test func `The order of keys is not part of a patch`() async throws {
    try directory.write("a.json", #"{"b":1}"#)
    try directory.write("b.json", #"{"z":3,"b":2}"#)
    let run = try await ToolRun.shell(
      "ferry diff a.json b.json --order --json > p.json; ferry patch a.json p.json; ferry diff a.json b.json")
    #expect(run.status == 0 && run.output == "" && run.errors == "", "\(run.errors)")
    try directory.write("c.xml", "<r><a>1</a><b>2</b><a>3</a></r>")
    try directory.write("d.xml", "<r><a>1</a><a>3</a><b>2</b></r>")
    let refused = try await ToolRun.ferry("diff", "c.xml", "d.xml", "--json")
    #expect(refused.status == 2 && refused.errors.contains("no patch of its values gives the other file"))
  }

  @Test func `A patch that Ferry cannot apply does not look tested`() async throws {
    try directory.write("a.txt", "a\n")
    try directory.write("b.txt", "b\n")
    let run = try await ToolRun.ferry("diff", "--json", "a.txt", "b.txt")
    #expect(run.status == 1 && run.output.contains("\"replace\""))
    #expect(
      run.errors == """
        a.txt: the patch is for other programs, and is not tested: values of text cannot be changed by path (use ferry \
        edit to open the file)

        """)
    try directory.write("a.yaml", "a: 1\n---\nb: 2\n")
    try directory.write("b.yaml", "a: 1\n---\nb: 3\n")
    let documents = try await ToolRun.ferry("diff", "--json", "a.yaml", "b.yaml")
    #expect(documents.status == 1 && documents.output.contains("\"/1/b\""), "\(documents.output)")
    #expect(documents.errors == "", "\(documents.errors)")
    expectQuiet(try await .shell("ferry diff --json a.yaml b.yaml | ferry patch a.yaml -"))
    #expect(try directory.text("a.yaml") == "a: 1\n---\nb: 3\n")
    try await makePeople()
    try directory.write("c.json", #"[{"first":"Eve","last":"Moneypenny"}]"#)
    let refused = try await ToolRun.ferry("diff", "--json", "old.pplgrp", "c.json")
    #expect(refused.status == 2 && refused.output == "", "\(refused.errors)")
    #expect(refused.errors.hasPrefix("old.pplgrp: no patch of its values gives the other file: "))
  }

  @Test func `The path in a document that an edit would break is one that get takes`() async throws {
    try await makePeople()
    let run = try await ToolRun.ferry("set", "old.pplgrp", "[0].first", "3", "--type", "integer")
    #expect(run.status == 1 && run.errors.contains("(at [0].first)"), "\(run.errors)")
    #expect(try await ToolRun.ferry("get", "old.pplgrp", "[0].first").output == "Matt\n")
  }

  @Test func `A pair of files without a patch says what differs`() async throws {
    try directory.write("a.xml", "<p>one <b>two</b></p>")
    try directory.write("b.xml", "<p><b>two</b>one </p>")
    for option in [[], ["--order"]] {
      let run = try await ToolRun.ferry(["diff", "--json", "a.xml", "b.xml"] + option, input: [])
      #expect(run.status == 2)
      #expect(
        run.errors.contains("mixed content differs at p[\"#content\"]"), "\(run.errors)")
    }
    try directory.write("c.json", #"{"a":{}}"#)
    try directory.write("p.json", #"[{"op":"replace","path":"/a/b","value":1}]"#)
    let run = try await ToolRun.ferry("patch", "c.json", "p.json")
    #expect(run.errors.contains(#"(the operation "add" adds it)"#), "\(run.errors)")
  }

  @Test func `A patch of a chain of objects that is deeper than the limit names the option that raises it`()
    async throws
  {
    // The patch adds the 600 objects after the first one, each inside the one before.
    var chain = #"{"$class":"Node","v":600}"#
    for number in (1..<600).reversed() { chain = #"{"$class":"Node","v":\#(number),"next":\#(chain)}"# }
    for (name, root) in [("a", #"{"$class":"Node","v":1}"#), ("b", chain)] {
      try directory.write(
        "\(name).json", #"{"$ferry":1,"$archiver":"NSKeyedArchiver","$top":{"root":\#(root)}}"#)
      let made = try await ToolRun.ferry(
        "convert", "\(name).json", "--to", "archive", "-o", "\(name).archive", "--max-depth", "2000")
      #expect(made.status == 0, "\(made.errors)")
    }
    #expect(try await ToolRun.ferry("diff", "a.archive", "b.archive").status == 1)
    let refused = try await ToolRun.ferry("diff", "a.archive", "b.archive", "--json")
    #expect(refused.status == 2 && refused.output == "")
    #expect(
      refused.errors
        == "a.archive: the patch exceeds a limit: nested deeper than 512 levels (--max-depth raises the limit)\n"
    )
    let run = try await ToolRun.shell(
      """
      ferry diff a.archive b.archive --json --max-depth 2000 > p.json; ferry patch a.archive p.json
      ferry patch a.archive p.json --max-depth 2000; ferry diff a.archive b.archive --max-depth 2000; echo $?
      """)
    #expect(run.output == "0\n", "\(run.output)")
    #expect(run.errors.hasPrefix("p.json:"), "\(run.errors)")
    #expect(
      run.errors.hasSuffix(": nested deeper than 512 levels (--max-depth raises the limit)\n"),
      "\(run.errors)")
  }

  @Test func `Unknown tags are refused`() async throws {
    try directory.write("a.plist", "<plist><dict/></plist>")
    try directory.write("p.json", ##"[{"op":"add","path":"/r","value":{"$bogus":"x"}}]"##)
    let run = try await ToolRun.ferry("patch", "a.plist", "p.json")
    #expect(run.status == 1 && run.errors.contains("$bogus"), "\(run.errors)")
  }

  @Test func `A patch may be compressed, or in UTF-16`() async throws {
    try directory.write("p.json", ##"[{"op":"remove","path":"/a"},{"op":"add","path":"/é","value":"ü"}]"##)
    for command in [
      "gzip -c", "iconv -f UTF-8 -t UTF-16", "iconv -f UTF-8 -t UTF-16BE",
    ] {
      try directory.write("a.json", #"{"a":1}"#)
      expectQuiet(try await .shell("\(command) < p.json > q; ferry patch a.json q"))
      #expect(try directory.text("a.json") == #"{"é":"ü"}"#, "\(command)")
      try directory.write("a.json", #"{"a":1}"#)
      expectQuiet(try await .shell("\(command) < p.json | ferry patch a.json -"))
      #expect(try directory.text("a.json") == #"{"é":"ü"}"#, "\(command)")
    }
    let run = try await ToolRun.shell("gzip -c < p.json | head -c 40 > q; ferry patch a.json q; echo $?")
    #expect(run.output == "1\n" && run.errors.contains("the gzip data is truncated"), "\(run.errors)")
  }

  @Test func `Python's jsonpatch agrees`() async throws {
    guard try await Peer.python("import jsonpatch").succeeded else {
      try Test.cancel("there is no jsonpatch")
    }
    try directory.write("a.json", #"{"l":[{"id":1},{"id":2,"x":[1,2,3]},{"id":3}],"k":{"~/":1}}"#)
    try directory.write("b.json", #"{"l":[{"id":3},{"id":2,"x":[3,1,2.5]},{"id":4}],"k":{"~/":2,"":null}}"#)
    let run = try await ToolRun.ferry("diff", "a.json", "b.json", "--json")
    let answer = try await Peer.python(
      """
      import json, jsonpatch
      a, b = (json.load(open("\(directory.path("a.json"))")), json.load(open("\(directory.path("b.json"))")))
      import sys
      print(jsonpatch.apply_patch(a, json.load(sys.stdin)) == b)
      """, input: run.bytes)
    #expect(answer.text == "True\n", "\(answer.errors)")
  }

  @Test func `A patch adds and removes keys of YAML that are numbers, and an edit keeps them`() async throws {
    try directory.write("a.yaml", "1: a   # one\n2: b\n")
    try directory.write("b.yaml", "{1: a, 3: c}\n")
    expectQuiet(
      try await ToolRun.shell("ferry diff a.yaml b.yaml --json > p.json; ferry patch a.yaml p.json"))
    #expect(try directory.text("a.yaml") == "1: a   # one\n3: c\n")
    let edited = try await ToolRun.shell("EDITOR='sed -i s/^3/4/' ferry edit a.yaml </dev/null")
    #expect(edited.status == 0, "\(edited.errors)")
    #expect(try directory.text("a.yaml") == "1: a   # one\n4: c\n")
  }
}
