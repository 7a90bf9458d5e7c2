import Foundation
import TestSupport
import Testing

@Suite(.temporaryDirectory) struct `Values by path` {
  private func makePeople() async throws {
    try directory.write("folks.xml", folks)
    expectQuiet(try await ToolRun.ferry("convert", "folks.xml", "-o", "people.pplgrp"))
  }

  @Test func `A value by its path is printed as it is`() async throws {
    try await makePeople()
    for (path, output) in [
      ("[0].first", "Matt\n"), ("root[0].first", "Matt\n"), ("[-1].last", "Doright\n"),
      ("[*].first", "Matt\nSnidely\nDudley\n"), ("[1:].first", "Snidely\nDudley\n"),
      ("$archiver", "NSKeyedArchiver\n"),
    ] {
      let run = try await ToolRun.ferry("get", "people.pplgrp", path)
      expectQuiet(run)
      #expect(run.output == output)
    }
    let json = try await ToolRun.ferry("get", "people.pplgrp", "[0]", "--quiet")
    #expect(json.output == #"{"first":"Matt","last":"Neuburg"}"# + "\n")
    let quoted = try await ToolRun.ferry("get", "people.pplgrp", "[*].first", "--to", "json")
    #expect(quoted.output == #"["Matt","Snidely","Dudley"]"# + "\n")
    let xml = try await ToolRun.ferry("get", "folks.xml", "[2].firstName")
    #expect(xml.output == "Dudley\n")
    let piped = try await ToolRun.shell("cat people.pplgrp | ferry get - '[1].last'")
    #expect(piped.output == "Whiplash\n")
  }

  @Test func `A value that is data is written as bytes on request`() async throws {
    let data = Data([0, 1, 255])
    let list = try PropertyListSerialization.data(
      fromPropertyList: ["icon": data], format: .binary, options: 0)
    try directory.write("a.plist", Array(list))
    #expect(try await ToolRun.ferry("get", "a.plist", "icon").output == "AAH/\n")
    #expect(try await ToolRun.ferry("get", "a.plist", "icon", "--bytes").bytes == [0, 1, 255])
    try directory.write("new.bin", [9, 8])
    expectQuiet(try await ToolRun.ferry("set", "a.plist", "icon", "--from-file", "new.bin"))
    #expect(try await ToolRun.ferry("get", "a.plist", "icon", "--bytes").bytes == [9, 8])
    expectQuiet(try await ToolRun.shell("printf '\\7' | ferry set a.plist icon --from-file -"))
    #expect(try await ToolRun.ferry("get", "a.plist", "icon", "--bytes").bytes == [7])
  }

  @Test func `A missing value is an error that names the existing ones`() async throws {
    try await makePeople()
    expectFailure(
      try await ToolRun.ferry("get", "people.pplgrp", "[0].name"),
      "people.pplgrp: no key \"name\" here; the keys are \"first\", \"last\" (at [0])")
    expectFailure(
      try await ToolRun.ferry("get", "people.pplgrp", "[3]"),
      "people.pplgrp: no element [3] here: the list has 3 elements, the last is [2]")
    expectFailure(
      try await ToolRun.ferry("get", "nothing.plist", "a"), "nothing.plist: no such file or directory")
    let run = try await ToolRun.ferry("get", "people.pplgrp", "a..b")
    #expect(run.status == 64)
    #expect(
      run.errors.hasPrefix("Error: the path \"a..b\" is not valid at character 3: a path names each key"))
  }

  @Test func `A value in a long list of lists is set in the time that it takes to read it`()
    async throws
  {
    let lists = repeatElement("[1,2]", count: 20_000).joined(separator: ",")
    try directory.write("a.json", "[[0,2],\(lists)]")
    // In processor time, many times what it takes.
    expectQuiet(try await ToolRun.shell("ulimit -t 30; ferry set a.json '[0][0]' 1"))
    #expect(try directory.text("a.json") == "[[1,2],\(lists)]")
  }

  @Test func `A value of several elements is that of the elements that have it`() async throws {
    try directory.write("a.json", #"[1, "x", {"n": 2}, [3], {"m": {"n": 4}}, {"n": null}]"#)
    let run = try await ToolRun.ferry("get", "a.json", "[*].n")
    expectQuiet(run)
    #expect(run.output == "2\nnull\n")
    expectFailure(
      try await ToolRun.ferry("get", "a.json", "[0:2].n"),
      #"a.json: none of the 2 elements matches: no key "n" here: this is an integer (at [0])"#)
  }

  @Test func `The values of elements that fit a filter are printed, and a list with --to`() async throws {
    try directory.write("a.json", #"[{"n":"Ada","b":1},{"n":"Bob","b":2},{"n":"Ada","b":3}]"#)
    #expect(try await ToolRun.ferry("get", "a.json", "[n=Ada].b").output == "1\n3\n")
    #expect(try await ToolRun.ferry("get", "a.json", "[n=Ada].b", "--to", "json").output == "[1,3]\n")
    #expect(try await ToolRun.ferry("get", "a.json", "[n=Bob].b", "--to", "json").output == "[2]\n")
    #expect(try await ToolRun.ferry("get", "a.json", "[n=Bob].b").output == "2\n")
    expectFailure(
      try await .ferry("get", "a.json", "[n=Eve].b"),
      #"a.json: no element has the value "Eve" for the key "n""#)
    expectFailure(
      try await .ferry("get", "a.json", "[name=Ada].b"),
      #"a.json: none of the 3 elements matches: no key "name" here; the keys are "n", "b""#)
    expectFailure(
      try await .ferry("set", "a.json", "[bb=1]", "5"),
      #"a.json: none of the 3 elements matches: no key "bb" here (did you mean "b"?)"#)
    #expect(try await ToolRun.ferry("set", "a.json", "[n=Ada].b", "5").errors == "a.json: 2 values set\n")
    #expect(try await ToolRun.ferry("get", "a.json", "[*].b").output == "5\n2\n5\n")
    try directory.write("b.json", #"{"l":[{"n":1},{"n":1}]}"#)
    expectFailure(
      try await .ferry("insert", "b.json", "l[n=1]", "5"),
      #"b.json: 2 elements have the value "1" for the key "n" (name one by its number, such as [0]) (at l)"#)
  }

  @Test func `A filter that no element matches is an error, and so is data without a file`() async throws {
    try directory.write("a.json", #"{"list": [1]}"#)
    let run = try await ToolRun.ferry("get", "a.json", "list[5:]", "--to", "json")
    #expect(run.output == "[]\n" && run.status == 0)
    #expect(run.errors == "a.json: no value matches the path list[5:]\n")
    expectFailure(
      try await .shell("printf '[{\"x\":1}]' > o.json; ferry insert o.json '[]' hello"),
      "o.json: cannot put a text here: the neighboring element is a dictionary (use --type to set the type of the new element)"
    )
    expectFailure(
      try await .shell(
        "printf '<plist><array><real>1</real></array></plist>' > r.plist; ferry insert r.plist '[]' x"),
      #"r.plist: cannot put "x" here: the neighboring element is a real number (use --type to set the type of the new element)"#
    )
    try directory.write("b.plist", "<plist><dict><key>blob</key><data>//4=</data></dict></plist>")
    expectFailure(
      try await .ferry("get", "b.plist", "blob[0]"),
      "b.plist: no element [0] here: this is data that Ferry cannot read "
        + "(get --bytes writes its bytes) (at blob)")
    try directory.write("c.xml", "<a><b/></a>")
    let none = try await ToolRun.ferry("convert", "c.xml", "--select", "//c", "--to", "json")
    #expect(
      none.output == "[]\n" && none.status == 0 && none.errors == "c.xml: nothing matches --select\n")
    let strict = try await ToolRun.ferry("convert", "c.xml", "--select", "//c", "--to", "json", "--strict")
    #expect(strict.status == 1)
  }

  /// The class that a value has stays if it can hold the JSON, also of elements.
  @Test func `JSON of another kind replaces an object, and a set keeps its class`() async throws {
    try directory.write(
      "a.json",
      ##"""
      {"$ferry":1,"$archiver":"NSKeyedArchiver","$top":{"root":{
        "a":{"$class":"NSMutableArray","$items":[1,2,{"$class":"NSMutableString","NS.string":"s"}]},
        "m":{"$class":"NSMutableString","NS.string":"m"},"d":{"$class":"NSMutableData","NS.data":{"$data":"AQI="}},
        "s":{"$class":"NSMutableSet","$items":["a"]}}}}
      """##)
    let run = try await ToolRun.shell(
      """
      ferry convert a.json --to archive -o a.archive || exit 2
      ferry set a.archive a '[1,2,3,"n"]' --type json && ferry set a.archive m 5 --type json || exit 3
      ferry set a.archive d '{"$data":"AwQ="}' --type json && ferry set a.archive s '{"$set":["b"]}' --type json || exit 4
      ferry show a.archive
      """)
    expectQuiet(run)
    #expect(
      run.output == """
        {
          a: NSMutableArray [1, 2, 3, "n"]
          m: 5
          d: NSMutableData <2 bytes: 03 04>
          s: NSMutableSet set ["b"]
        }

        """)
  }

  @Test func `A path that is almost right is suggested, and other notations are accepted or explained`()
    async throws
  {
    let many = ["title", "1", "2", "3", "4", "5", "6", "7", "titleX", "last"].map { "\"\($0)\": 0" }
    try directory.write(
      "a.json",
      #"{"title": "x", "people": [{"name": "Ada"}, {"name": "Bob"}], "a:b": 1, "many": {"#
        + many.joined(separator: ",") + "}}")
    let misses = [
      ("Title", #"no key "Title" here (did you mean "title"?)"#),
      ("people[1].nmae", #"no key "nmae" here (did you mean "name"?) (at people[1])"#),
      (
        "people/0/name",
        #"no key "people/0/name" here "#
          + "(a path joins keys by dots, and has the index of an element in brackets: a.b[0])"
      ),
      (
        "x/y",
        #"no key "x/y" here; the keys are "title", "people", "a:b", "many" (a path joins keys by dots: a.b)"#
      ),
      ("many.titel", #"no key "titel" here (did you mean "title"?) (at many)"#),
      ("many.lasst", #"no key "lasst" here (did you mean "last"?) (at many)"#),
      (
        "people.name",
        #"no key "name" here: this is an array of 2 (use [0] to [1]); write [*].name for every element (at people)"#
      ),
    ]
    for (path, error) in misses {
      expectFailure(try await .ferry("get", "a.json", path), "a.json: " + error)
    }
    for path in [
      "/people/1/name", "#/people/1/name", ":people:1:name", ".people[1].name", "$.people[1].name",
    ] {
      #expect(try await ToolRun.ferry("get", "a.json", path).output == "Bob\n", "\(path)")
    }
    #expect(try await ToolRun.ferry("get", "a.json", ".people[].name").output == "Ada\nBob\n")
    #expect(try await ToolRun.ferry("get", "a.json", "a:b").output == "1\n")
  }

  @Test(arguments: [
    ("new", #"no key "new" here; the keys are "a" (use insert to add it; set --insert adds or changes it)"#),
    (
      "a[2]",
      "no element [2] here: the list has 2 elements, the last is [1] (use insert to add it; set --insert adds or changes it) (at a)"
    ),
    ("a[3]", "no element [3] here: the list has 2 elements, the last is [1] (at a)"),
    ("b.new", #"no key "b" here; the keys are "a""#),
    (
      "a[]",
      "[] names no element yet (use insert to add one at the end, [*] for every element) (at a)"
    ),
  ])
  func `A missing value that is to be set may be one to insert`(path: String, error: String) async throws {
    try directory.write("a.json", #"{"a": [1, 2]}"#)
    expectQuiet(try await .ferry("convert", "a.json", "-o", "a.archive"))
    for name in ["a.json", "a.archive"] {
      expectFailure(try await ToolRun.ferry("set", name, path, "1"), "\(name): " + error)
    }
  }

  @Test func `set --insert changes a value or adds it, and adds nothing on the way to it`() async throws {
    try directory.write("a.jsonc", "{\n  \"a\" : 1, // one\n  \"l\": [1],\n  \"d\": {}\n}\n")
    for (path, value) in [("a", "2"), ("b", "x"), ("l[1]", "2"), ("l[]", "3"), ("l[0]", "0")] {
      expectQuiet(try await .ferry("set", "a.jsonc", path, value, "--insert"))
    }
    for value in ["[1]", "[2]"] {
      expectQuiet(try await .ferry("set", "a.jsonc", "d.k", value, "--insert", "--type", "json"))
    }
    #expect(try await ToolRun.ferry("get", "a.jsonc", "b").output == "x\n")
    #expect(try await ToolRun.ferry("get", "a.jsonc", "l").output == "[0,2,3]\n")
    #expect(try await ToolRun.ferry("get", "a.jsonc", "d").output == "{\"k\":[2]}\n")
    let text = try directory.text("a.jsonc")
    #expect(text.hasPrefix("{\n  \"a\" : 2, // one\n"), "\(text)")
    for (path, error) in [
      ("c.d", #"a.jsonc: no key "c" here"#),
      ("l[4]", "a.jsonc: no element [4] here: the list has 3 elements, the last is [2] (at l)"),
      ("a.b", #"a.jsonc: no key "b" here: this is an integer (at a)"#),
    ] {
      let run = try await ToolRun.ferry("set", "a.jsonc", path, "1", "--insert")
      #expect(run.status == 1 && run.errors.hasPrefix(error), "\(run.errors)")
    }
    #expect(try directory.text("a.jsonc") == text)
  }

  @Test func `set --insert adds a key to a dictionary of an archive, and none to an object of a class`()
    async throws
  {
    try directory.write("a.json", #"[{"a": 1}, {"b": 2}]"#)
    expectQuiet(try await .ferry("convert", "a.json", "-o", "a.archive"))
    let run = try await ToolRun.ferry("set", "a.archive", "[*].a", "5", "--insert", "--type", "integer")
    #expect(run.errors == "a.archive: 2 values set\n")
    #expect(try await ToolRun.ferry("get", "a.archive", "[*].a").output == "5\n5\n")
    try await makePeople()
    expectFailure(
      try await ToolRun.ferry("set", "people.pplgrp", "[0].name", "Bo", "--insert"),
      "people.pplgrp: no key \"name\" here; the keys are \"first\", \"last\"; set --insert adds no key to an object of "
        + "the class Person (ferry insert does) (at [0])")
  }

  @Test func `An insertion for the key of a list names the path of its end`() async throws {
    try directory.write("a.json", #"{"l": [1], "d": {"l": ["x"]}, "n": 1}"#)
    expectFailure(
      try await ToolRun.ferry("insert", "a.json", "d.l", "5"),
      #"a.json: the key "l" already holds a list (write d.l[] to add to its end) (at d)"#)
    expectFailure(
      try await ToolRun.ferry("insert", "a.json", "n", "5"),
      #"a.json: the key "n" already exists (use set to change its value; set --insert also adds it)"#)
  }

  @Test func `set --insert reaches the files of a ZIP archive and those inside data`() async throws {
    try directory.write("a.json", #"{"a":1}"#)
    try directory.write("b.txt", "b")
    expectQuiet(try await ToolRun.shell("python3 -m zipfile -c z.zip a.json b.txt"))
    expectQuiet(try await .ferry("set", "z.zip", #"["a.json"].c"#, "x", "--insert"))
    expectQuiet(try await .ferry("set", "z.zip", #"["n.txt"]"#, "new", "--insert"))
    #expect(try await ToolRun.ferry("get", "z.zip", #"["a.json"].c"#).output == "x\n")
    #expect(try await ToolRun.ferry("get", "z.zip", #"["n.txt"]"#).output == "new\n")
    expectQuiet(try await .ferry("convert", "a.json", "-o", "in.plist", "--to", "plist-binary"))
    try directory.write("out.json", "{}")
    expectQuiet(try await .ferry("convert", "out.json", "-o", "out.plist"))
    expectQuiet(try await .ferry("insert", "out.plist", "d", "--from-file", "in.plist", "--type", "data"))
    for value in ["x", "y"] {
      expectQuiet(try await .ferry("set", "out.plist", "d.k", value, "--insert"))
      #expect(try await ToolRun.ferry("get", "out.plist", "d.k").output == "\(value)\n")
    }
  }

  @Test func `A missing key of an object is not one to insert, unlike that of a dictionary in an archive`()
    async throws
  {
    try await makePeople()
    expectFailure(
      try await ToolRun.ferry("set", "people.pplgrp", "[0].name", "Bo"),
      "people.pplgrp: no key \"name\" here; the keys are \"first\", \"last\" (at [0])")
    try directory.write("a.json", #"[{"a": 1}, {"a": 2}]"#)
    expectQuiet(try await .ferry("convert", "a.json", "-o", "a.archive"))
    expectFailure(
      try await ToolRun.ferry("set", "a.archive", "[*].zip", "1"),
      "a.archive: none of the 2 elements matches: no key \"zip\" here; the keys are \"a\" (use insert to add it; set --insert adds or changes it) (at [0])"
    )
  }

  @Test func `A value is set in place, and a set back gives the bytes of the file`() async throws {
    try await makePeople()
    let bytes = try directory.bytes("people.pplgrp")
    try FileManager.default.setAttributes(
      [.posixPermissions: 0o640], ofItemAtPath: directory.path("people.pplgrp"))
    try FileManager.default.createSymbolicLink(
      atPath: directory.path("link.pplgrp"), withDestinationPath: "people.pplgrp")
    expectQuiet(try await ToolRun.ferry("set", "link.pplgrp", "[0].first", "Matthew"))
    #expect(try await ToolRun.ferry("get", "people.pplgrp", "[0].first").output == "Matthew\n")
    #expect(try await ToolRun.ferry("get", "link.pplgrp", "[0].last").output == "Neuburg\n")
    let attributes = try FileManager.default.attributesOfItem(atPath: directory.path("people.pplgrp"))
    #expect(attributes[.posixPermissions] as? Int == 0o640)
    expectQuiet(try await ToolRun.ferry("set", "people.pplgrp", "[0].first", "Matt"))
    #expect(try directory.bytes("people.pplgrp") == bytes)
    #expect(try directory.names() == ["folks.xml", "link.pplgrp", "people.pplgrp"])
  }

  @Test func `A changed file goes elsewhere on request`() async throws {
    try await makePeople()
    let bytes = try directory.bytes("people.pplgrp")
    expectQuiet(try await ToolRun.ferry("set", "people.pplgrp", "[0].first", "Ada", "-o", "new.pplgrp"))
    expectQuiet(try await ToolRun.ferry("set", "people.pplgrp", "[0].first", "Ada", "--dry-run"))
    expectFailure(
      try await ToolRun.ferry("set", "people.pplgrp", "[0].first", "Eve", "-o", "new.pplgrp"),
      "new.pplgrp: the file already exists (use --force to replace it)")
    let piped = try await ToolRun.shell(
      "ferry set people.pplgrp '[0].first' Ada -o - | ferry get - '[0].first'")
    #expect(piped.output == "Ada\n")
    let both = try await ToolRun.shell("cat people.pplgrp | ferry remove - '[0]' | ferry get - '[0].first'")
    #expect(both.output == "Snidely\n")
    #expect(try directory.bytes("people.pplgrp") == bytes)
    #expect(try await ToolRun.ferry("get", "new.pplgrp", "[0].first").output == "Ada\n")
  }

  @Test func `A path leads into the decoded form of an object`() async throws {
    try directory.write(
      "classes.json",
      #"{"ferry": 1, "classes": [{"class": "Tag", "value": {"archiveKey": "label", "type": "string"}}]}"#)
    try directory.write("start.json", #"{"a": 1}"#)
    expectQuiet(try await .ferry("convert", "start.json", "--to", "archive", "-o", "s.archive"))
    for (key, value) in [
      ("ink", ##"{"$class": "NSColor", "color": "#FF8000FF", "colorSpace": "deviceRGB"}"##),
      ("frame", #"{"$class": "NSValue", "x": 1, "y": 2, "width": 30, "height": 40}"#),
      ("tag", #"{"$class": "Tag", "label": "new"}"#),
    ] {
      expectQuiet(try await .ferry("insert", "s.archive", key, value, "--type", "json"))
    }
    let bytes = try directory.bytes("s.archive")
    #expect(try await ToolRun.ferry("get", "s.archive", "ink.color").output == "#FF8000FF\n")
    #expect(
      try await ToolRun.ferry("get", "s.archive", "ink", "-q").output
        == ##"{"color":"#FF8000FF","colorSpace":"deviceRGB"}"## + "\n")
    #expect(try await ToolRun.ferry("get", "s.archive", "frame.width").output == "30\n")
    #expect(try await ToolRun.ferry("get", "s.archive", "ink.NSColorSpace").output == "2\n")
    expectQuiet(try await .ferry("set", "s.archive", "ink", "#102030FF"))
    #expect(try await ToolRun.ferry("get", "s.archive", "ink.colorSpace").output == "deviceRGB\n")
    expectQuiet(try await .ferry("set", "s.archive", "frame.width", "20"))
    #expect(
      try await ToolRun.ferry("get", "s.archive", #"frame["NS.rectval"]"#).output == "{{1, 2}, {20, 40}}\n")
    expectQuiet(
      try await .ferry(
        "set", "s.archive", "frame", #"{"x": 1, "y": 2, "width": 30, "height": 40}"#, "--type", "json"))
    expectQuiet(try await .ferry("set", "s.archive", "ink.color", "#FF8000FF"))
    #expect(try directory.bytes("s.archive") == bytes)
    expectQuiet(try await .ferry("set", "s.archive", "tag", "old", "--classes", "classes.json"))
    #expect(try await ToolRun.ferry("get", "s.archive", "tag.label").output == "old\n")
    expectFailure(
      try await .ferry("set", "s.archive", "ink", "red"),
      #"s.archive: "red" does not fit here: the value is a color (#RRGGBB, #RRGGBBAA, or numbers from 0 to 1 "#
        + ##"as in "#1 0.5 0 1") (--type sets one of another type) (at ink)"##
    )
    expectFailure(
      try await .ferry("get", "s.archive", "frame.depth"),
      "s.archive: no key \"depth\" here; the keys are \"x\", \"y\", \"width\", \"height\" (at frame)")
  }

  @Test func `A color in a theme is set, and plistlib reads it`() async throws {
    let theme = try #require(try Corpus.files(under: "plist/terminal").first { $0.hasSuffix(".terminal") })
    try directory.write("a.terminal", try Corpus.bytes(theme))
    let bytes = try directory.bytes("a.terminal")
    let old = try await ToolRun.ferry("get", "a.terminal", "BackgroundColor")
    expectQuiet(try await .ferry("set", "a.terminal", "BackgroundColor", "#102030FF"))
    #expect(try await ToolRun.ferry("get", "a.terminal", "BackgroundColor.color").output == "#102030FF\n")
    let read = try await ToolRun.shell(
      """
      python3 -c "import plistlib
      inner = plistlib.loads(plistlib.load(open('a.terminal', 'rb'))['BackgroundColor'])
      print([o['NSRGB'] for o in inner['\\$objects'] if isinstance(o, dict) and 'NSRGB' in o])"
      """)
    #expect(read.output.hasPrefix("[b'0.0627450980"), "\(read.errors)")
    expectQuiet(
      try await .ferry(
        "set", "a.terminal", "BackgroundColor", String(old.output.dropLast()), "--type", "data"))
    #expect(try directory.bytes("a.terminal") == bytes)
  }

  @Test func `A file stays as it was when an edit fails`() async throws {
    try await makePeople()
    let bytes = try directory.bytes("people.pplgrp")
    for arguments in [
      ["set", "people.pplgrp", "[0].frist", "x"], ["set", "people.pplgrp", "", "x"],
      ["remove", "people.pplgrp", "[7]"], ["insert", "people.pplgrp", "[0].first", "x"],
      ["set", "people.pplgrp", "[0].first", "{", "--type", "json"],
    ] {
      let run = try await ToolRun.ferry(arguments)
      #expect(run.status == 1, "\(arguments)")
      #expect(run.errors.hasPrefix("people.pplgrp: "), "\(run.errors)")
      #expect(try directory.bytes("people.pplgrp") == bytes)
    }
    #expect(try directory.names() == ["folks.xml", "people.pplgrp"])
    try directory.write("a.txt", "a\n")
    expectFailure(
      try await ToolRun.ferry("set", "a.txt", "", "b"),
      "a.txt: values of text cannot be changed by path (use ferry edit to open the file)")
    try directory.write("a.xml", "<a>1</a>")
    expectFailure(
      try await ToolRun.ferry("set", "a.xml", "a", #"["1","2"]"#, "--type", "json"),
      "a.xml: cannot put the value here: an XML document has one root element, which keeps its name"
    )
    #expect(try directory.text("a.xml") == "<a>1</a>")
  }

  @Test func `A file stays as it was when a run is interrupted`() async throws {
    try await makePeople()
    let bytes = try directory.bytes("people.pplgrp")
    // The value never comes, and the pipe is open until the run has ended. The signal comes when the run handles it, as the
    // system says if it can. (A shell's background commands do not hear of control-C.)
    let run = try await ToolRun.shell(
      """
      mkfifo value; ferry set people.pplgrp '[0].first' - < value & exec 3> value
      looks=0
      until [ ! -d /proc/self ] || grep -Eqs '^SigCgt:.*[4-7c-f]...$' /proc/$!/status; do
        looks=$((looks+1)); [ $looks -lt 20000 ] || { echo "no signal is handled"; break; }
      done
      kill -TERM $!; wait $! 2> /dev/null; echo $?
      """)
    #expect(run.output == "143\n")
    #expect(try directory.bytes("people.pplgrp") == bytes)
    #expect(try directory.names() == ["folks.xml", "people.pplgrp", "value"])
  }

  @Test(arguments: [
    ("k.json", "ferry set k.json a 1"), ("k.json", "ferry convert -i --to json k.json"),
    ("k.json", "ferry patch k.json p.json"), ("k.json", "ferry set k.json 'b[*]' 2 2> /dev/null"),
    ("k.json.gz", "ferry set k.json.gz a 1"), ("z.json.gz", "ferry convert -i --to json z.json.gz"),
    ("k.plist", "ferry set k.plist a 1"), ("k.plist", "ferry convert -i --to plist k.plist"),
    ("b.plist", "EDITOR='sed -i s/:/:\\ /' ferry edit b.plist"), ("x.plist", "ferry patch x.plist p.json"),
    ("k.zip", "ferry set k.zip a 1"), ("k.csv", "ferry set k.csv '[0].a' 1"),
    ("k.plist", "ferry plutil -replace a -integer 1 k.plist"),
  ])
  func `A change that leaves the bytes as they are does not replace the file`(
    file: String, line: String
  ) async throws {
    let run = try await ToolRun.shell(
      #"""
      printf '{"a":1,"b":[2,2]}\n' > k.json; gzip -k k.json; ferry convert k.json -o k.plist
      ferry convert k.json --to json -o z.json.gz; ferry convert k.json --to plist-xml -o x.plist
      ferry convert k.json --to plist-binary -o b.plist; printf 'n,a\nx,1\n' > k.csv
      python3 -c 'import zipfile; zipfile.ZipFile("k.zip", "w").write("k.json")'
      echo '[{"op":"test","path":"/a","value":1}]' > p.json
      touch -d 2020-01-01 \#(file); ln \#(file) link; cp \#(file) copy
      \#(line)
      echo $?; test \#(file) -ef link && echo linked; cmp \#(file) copy; find \#(file) -newermt 2020-01-02; ls -A | grep temporary
      """#)
    #expect(run.output == "0\nlinked\n", "\(run.output)\(run.errors)")
    #expect(run.errors == "", "\(run.errors)")
  }

  @Test func `A command that waits for a lock says so`() async throws {
    try directory.write("k.json", "{\"a\":1}\n")
    let answer = try await Peer.python(
      """
      import fcntl, os, subprocess
      os.chdir("\(directory.path)")
      folder = os.open(".", os.O_RDONLY)
      fcntl.flock(folder, fcntl.LOCK_EX)
      line = ["\(try ToolRun.path)", "set", "k.json", "a", "2"]
      run = subprocess.Popen(line, stderr=subprocess.PIPE, text=True)
      print(run.stderr.readline(), end="")
      fcntl.flock(folder, fcntl.LOCK_UN)
      print(run.stderr.read(), run.wait(), open("k.json").read())
      """)
    #expect(answer.succeeded, "\(answer.errors)")
    #expect(
      answer.text
        == "waiting for another program, which has locked the folder \".\"\n 0 {\"a\":2}\n\n",
      "\(answer.text)")
  }

  @Test func `A value is inserted and removed`() async throws {
    try await makePeople()
    let bytes = try directory.bytes("people.pplgrp")
    let ada = #"{"$class": "Person", "first": "Ada", "last": "Lovelace"}"#
    expectQuiet(try await ToolRun.ferry("insert", "people.pplgrp", "[]", ada, "--type", "json"))
    #expect(
      try await ToolRun.ferry("convert", "people.pplgrp", "--to", "json").output.contains(
        #""firstName":"Ada""#))
    expectQuiet(try await ToolRun.ferry("remove", "people.pplgrp", "[-1]"))
    #expect(try directory.bytes("people.pplgrp") == bytes)
  }

  @Test func `A copy that is not a document of its type is written with --force, and a note`() async throws {
    try await makePeople()
    let eve = ["insert", "people.pplgrp", "[]", #"{"first": "Eve"}"#, "--type", "json"]
    let refused = try await ToolRun.ferry(eve + ["-o", "copy.pplgrp"])
    #expect(refused.status == 1)
    #expect(refused.errors.contains("is not a people-group document"), "\(refused.errors)")
    let copy = try await ToolRun.ferry(eve + ["-o", "copy.pplgrp", "--force"])
    #expect(copy.status == 0)
    #expect(
      copy.errors.contains(
        "which holds objects of the class Person: found NSDictionary (written because of --force)\n"),
      "\(copy.errors)")
    let inPlace = try await ToolRun.ferry(eve + ["--force"])
    #expect(inPlace.status == 0)
    #expect(!inPlace.errors.contains("people-group"), "\(inPlace.errors)")
  }

  @Test func `A value may be a negative number`() async throws {
    try directory.write("a.json", "{\"x\": 5}\n")
    expectQuiet(try await ToolRun.ferry("set", "a.json", "x", "-5"))
    #expect(try directory.text("a.json") == "{\"x\": -5}\n")
    expectQuiet(try await ToolRun.ferry("set", "a.json", "x", "-1.5", "--type", "real"))
    #expect(try directory.text("a.json") == "{\"x\": -1.5}\n")
    expectQuiet(try await ToolRun.ferry("set", "a.json", "x", "--type", "string", "--", "-x"))
    #expect(try directory.text("a.json") == "{\"x\": \"-x\"}\n")
    try directory.write("b.json", #"{"x":1,"y":"z"}"#)
    for (arguments, text) in [
      (["x", "-5", "--", "y", "-z"], #"{"x":-5,"y":"-z"}"#),
      (["y", "b", "x", "-6", "--"], #"{"x":-6,"y":"b"}"#),
      (["--type", "json", "x", "-7", "y", "8", "--", "x", "-8"], #"{"x":-8,"y":8}"#),
    ] {
      expectQuiet(try await ToolRun.ferry(["set", "b.json"] + arguments))
      #expect(try directory.text("b.json") == text)
    }
    for value in ["-.5", "-inf", "-Infinity", "-.inf"] {
      expectQuiet(try await ToolRun.ferry("set", "a.json", "x", value))
      #expect(try directory.text("a.json") == "{\"x\": \"\(value)\"}\n")
    }
  }

  @Test(arguments: ["-find", "--no.such", "--nothing=x", "-hello"])
  func `A value that begins with a dash is answered by how to write it`(value: String) async throws {
    try directory.write("a.json", "{\"x\": \"5\"}\n")
    for command in ["set", "insert"] {
      let run = try await ToolRun.ferry(command, "a.json", "x", value)
      #expect(run.status == 64)
      #expect(run.errors.contains("(write -- before a value that begins with a dash)"), "\(run.errors)")
    }
  }

  @Test(arguments: [
    ("-1.x", #"["-1"].x"#), ("-1[0]", #"["-1"][0]"#), ("--count.x", #"["--count"].x"#),
    ("-z.y", #"["-z"].y"#), ("-z", #"["-z"]"#), ("-abc", #"["-abc"]"#),
  ])
  func `A path whose first key begins with a dash is answered by how to write it`(
    path: String, written: String
  ) async throws {
    try directory.write("f.json", #"{"-1":{"x":1},"--count":{"x":1},"-z":{"y":1}}"#)
    for arguments in [["get", path], ["set", path, "1"], ["insert", path, "1"], ["remove", path]] {
      let run = try await ToolRun.ferry([arguments[0], "f.json"] + arguments.dropFirst())
      #expect(run.status == 64)
      #expect(
        run.errors.contains("(write the path of a key that begins with a dash as '\(written)')"),
        "\(arguments) \(run.errors)")
    }
  }

  @Test func `A negative number in the place of the path does not change another value`() async throws {
    let text = "{\"-1\":\"w\",\"5\":\"v\",\"a\":\"old\"}\n"
    try directory.write("f.json", text)
    for arguments in [
      ["set", "f.json", "-1", "a"], ["set", "f.json", "-1", "5"], ["insert", "f.json", "-1", "a"],
      ["set", "--type", "string", "f.json", "-1", "a"], ["remove", "f.json", "-1"], ["get", "f.json", "-1"],
    ] {
      let run = try await ToolRun.ferry(arguments)
      #expect(run.status == 64, "\(arguments)")
      #expect(run.errors.contains(#"as '["-1"]'"#), "\(arguments) \(run.errors)")
      #expect(try directory.text("f.json") == text)
    }
    expectQuiet(try await ToolRun.ferry("set", "--type", "integer", "f.json", #"["-1"]"#, "-5"))
    #expect(try directory.text("f.json") == "{\"-1\":-5,\"5\":\"v\",\"a\":\"old\"}\n")
    let file = try await ToolRun.ferry("get", "-5", "a")
    #expect(file.status == 64 && !file.errors.contains("path of a key"), "\(file.errors)")
  }

  @Test func `The path that find prints for a key with a dash first is one that get takes`() async throws {
    try directory.write("f.json", #"{"-1":"w","--count":"v","a":{"-h":"x"}}"#)
    for (text, path) in [("w", #"["-1"]"#), ("v", #"["--count"]"#), ("x", "a.-h")] {
      #expect(try await ToolRun.ferry("find", text, "f.json").output == "\(path): \(text)\n")
      #expect(try await ToolRun.ferry("get", "f.json", path).output == text + "\n")
    }
    #expect(try await ToolRun.ferry("show", "f.json").output.contains(#""-1": "#))
  }

  @Test func `A set without exactly one value is refused`() async throws {
    try directory.write("a.json", "{\"x\": 5}\n")
    for arguments in [
      ["set", "a.json", "x"], ["set", "-", "x", "-"], ["set", "a.json", "x", "1", "--from-file", "b"],
    ] {
      #expect(try await ToolRun.ferry(arguments).status == 64)
    }
    #expect(try await ToolRun.ferry("set", "a.json", "x", "--type", "null").status == 0)
    #expect(try directory.text("a.json") == "{\"x\": null}\n")
  }
}
