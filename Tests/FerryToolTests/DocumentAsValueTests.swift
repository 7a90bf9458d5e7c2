import TestSupport
import Testing

@Suite(.temporaryDirectory) struct `Whole documents as new values` {
  private static let source = """
    <plist version="1.0"><dict><key>item</key><dict><key>born</key><date>2024-01-02T03:04:05Z</date><key>$key</key><data>AAEC</data>\
    <key>n</key><array><integer>3</integer><real>3</real></array></dict></dict></plist>
    """

  @Test func `A value moves to another property list in the typed form, with its dates and data`()
    async throws
  {
    try directory.write("a.plist", Self.source)
    let typed =
      #"{"$ferry":1,"$value":{"born":{"$date":"2024-01-02T03:04:05Z"},"$$key":{"$data":"AAEC"},"n":[3,3.0]}}"#
    try await expect("ferry get a.plist item --form typed", typed + "\n")
    for format in ["plist-xml", "plist-binary"] {
      let run = try await ToolRun.shell(
        """
        printf '{"old": 1}' | ferry convert - --to \(format) -o b.plist --force
        ferry get a.plist item --form typed > item.json; ferry insert b.plist item --from-file item.json --type typed
        ferry get a.plist item --form typed | ferry set b.plist old - --type typed
        ferry get b.plist item --form typed | cmp - item.json; ferry get b.plist old --form typed | cmp - item.json
        """)
      expectQuiet(run)
      #expect(run.output == "", "\(run)")
    }
  }

  @Test(arguments: ["json", "json5"])
  func `A file of JSON takes the values in the typed form that JSON has`(_ format: String) async throws {
    let old = #"{"a":{"x":1,"y":[true,null,1.5]},"q":[]}"# + "\n"
    try directory.write("a.\(format)", old)
    try directory.write("v.json", #"{"$$date":{"k":2}}"#)
    let run = try await ToolRun.shell(
      """
      ferry get a.\(format) a --form typed | ferry insert a.\(format) 'q[]' - --type typed
      ferry insert a.\(format) b --from-file v.json --type typed; cat a.\(format)
      """)
    let new = #"{"a":{"x":1,"y":[true,null,1.5]},"q":[{"x":1,"y":[true,null,1.5]}],"b":{"$date":{"k":2}}}"#
    #expect(run.output == new + "\n" && run.errors == "", "\(run)")
  }

  @Test(arguments: [
    (#"{"$date":"2024-01-02T03:04:05Z"}"#, "JSON cannot hold a date"),
    (#"{"$data":"AAEC"}"#, "JSON cannot hold data"),
    (#"[{"$set":[1]}]"#, "set"), (#"{"$class":"Person","name":"x"}"#, "Person"),
    (#"{"$ferry":1,"$value":[{"$date":"2024-01-02T03:04:05Z"}]}"#, "JSON cannot hold a date"),
  ])
  func `A file of JSON refuses a value in the typed form that JSON lacks`(_ value: String, _ words: String)
    async throws
  {
    try directory.write("a.json", "{}\n")
    let run = try await ToolRun.ferry("insert", "a.json", "k", value, "--type", "typed")
    #expect(run.status == 1 && run.errors.contains(words), "\(run)")
    #expect(try directory.text("a.json") == "{}\n")
  }

  @Test func `A whole file in the typed form is the new value, without its layout`() async throws {
    try directory.write("a.plist", Self.source)
    let run = try await ToolRun.shell(
      """
      printf '{"old": 1}' | ferry convert - --to plist-xml -o b.plist
      ferry convert a.plist --to plist-binary -o a.bplist; ferry convert a.bplist --form typed --to json > a.json
      ferry insert b.plist a --from-file a.json --type typed; ferry get b.plist a.item.born --type
      printf '{"$ferry":1,"$value":{"$id":1,"$value":[{"$real":"inf"}]},"$layout":{"offsetWidth":2}}' \\
        | ferry insert b.plist c - --type typed; ferry get b.plist c
      """)
    #expect(run.output == "date\n[\"Infinity\"]\n", "\(run)")
  }

  @Test(arguments: [
    (#"{"$ferry":2,"$value":1}"#, "version 2 of the typed form is not supported"),
    (#"{"$ferry":1}"#, "the typed form needs \"$value\" here"),
    (#"{"$ferry":1,"$value":1,"$other":2}"#, "\"$other\" is not a tag of the typed form"),
    (#"{"$ferry":1,"$value":[{"$ref":1}]}"#, #"{"$ref": 1} has no matching "$id""#),
    (
      #"{"$ferry":1,"$value":{"$dictionary":[["a",1],["a",2]]}}"#,
      "it has a dictionary with the same key twice"
    ),
    (
      #"{"$ferry":1,"$archiver":"NSKeyedArchiver","$top":{"root":[1]}}"#,
      "cannot put this document here: it is an archive or a typedstream"
    ),
  ])
  func `A document in the typed form without a value is refused, and the file stays as it was`(
    _ document: String, _ words: String
  ) async throws {
    try directory.write("a.plist", Self.source)
    try directory.write("v.json", document)
    let run = try await ToolRun.ferry("insert", "a.plist", "k", "--from-file", "v.json", "--type", "typed")
    #expect(run.status == 1 && run.errors.contains(words), "\(run)")
    #expect(try directory.text("a.plist") == Self.source)
  }

  @Test func `The value of a property list of any kind is a new value`() async throws {
    try directory.write("v.plist", Self.source)
    try directory.write("old.plist", "{ a = <00 01>; b = (x, y); }")
    let run = try await ToolRun.shell(
      """
      printf '{}' | ferry convert - --to plist-xml -o b.plist
      ferry convert v.plist --to plist-binary -o v.bplist
      ferry insert b.plist xml --from-file v.plist --type plist; ferry insert b.plist binary --from-file v.bplist --type plist
      ferry insert b.plist old --from-file old.plist --type plist
      ferry insert b.plist date '<date>2024-01-02T03:04:05Z</date>' yes '<true/>' --type plist
      ferry set b.plist yes ' <array><data>AAEC</data></array> ' --type plist
      ferry get b.plist xml.item.born binary.item.born old.a old.b date yes --type
      """)
    expectQuiet(run)
    #expect(run.output == "date\ndate\ndata\narray\ndate\narray\n", "\(run)")
    for text in ["<dict><key>a</key></dict>", "<date>now</date>", "{ a = ; }", "<plist>"] {
      let before = try directory.text("b.plist")
      let refused = try await ToolRun.ferry("insert", "b.plist", "k", text, "--type", "plist")
      #expect(
        refused.status == 1 && refused.errors.contains("b.plist: cannot put this property list here: "),
        "\(refused)")
      #expect(try directory.text("b.plist") == before)
    }
    try directory.write("a.json", "{}")
    let json = try await ToolRun.ferry("insert", "a.json", "k", "--from-file", "v.plist", "--type", "plist")
    #expect(json.status == 1, "\(json)")
    #expect(try directory.text("a.json") == "{}")
  }

  @Test func `A property list, a date or a document that is inserted as text has a note`() async throws {
    let note = "is inserted as text (--type"
    for (text, type) in [
      ("<dict/>", "plist inserts the value of the property list"),
      ("<true/>", "plist inserts the value of the property list"),
      ("{ a = b; }", "plist inserts the value of the property list"), ("2024-01-02", "date inserts a date"),
      ("5", "integer inserts an integer"), ("[1]", "json inserts JSON"),
    ] {
      for command in ["'\(text)'", "--from-file v", "- < v"] {
        try directory.write("a.plist", Self.source)
        try directory.write("v", text + "\n")
        let run = try await ToolRun.shell("ferry insert a.plist k \(command); ferry get a.plist k")
        #expect(run.errors == "a.plist: \"\(text)\" \(note) \(type))\n", "\(run)")
        #expect(run.output == text + "\n")
      }
    }
    try directory.write("a.plist", Self.source)
    try directory.write("v.plist", Self.source)
    try directory.write("v.json", #"{"$ferry":1,"$value":1}"#)
    let whole = try await ToolRun.shell("ferry insert a.plist k --from-file v.plist")
    #expect(whole.status == 0 && whole.errors.contains("\(note) plist inserts"), "\(whole)")
    let typed = try await ToolRun.shell("ferry insert a.plist l --from-file v.json")
    #expect(
      typed.errors.contains("\(note) typed inserts the value of the document in the typed form)"), "\(typed)")
    for text in ["<b>bold</b>", "<p/>", "(a, b)", "12:30", "word"] {
      expectQuiet(try await .ferry("insert", "a.plist", "q", text, "-o", "b.plist", "--force"))
    }
    try directory.write("a.json", "{}")
    expectQuiet(try await .ferry("insert", "a.json", "k", "2024-01-02"))
    try await expect("ferry convert a.plist --to plist-binary -o v.bplist", "")
    let binary = try await ToolRun.shell("ferry insert a.json b --from-file v.bplist")
    #expect(
      binary.status == 1 && binary.errors.contains("with --type plist a binary property list"), "\(binary)")
  }

  @Test func `The typed form of values of an archive is refused with a way that works`() async throws {
    let refused = try await ToolRun.shell(
      """
      printf '[{"first": "Ada"}]' | ferry convert - --to archive -o a.archive
      ferry get a.archive '[0]' --form typed
      """)
    #expect(
      refused.errors
        == "a.archive: the typed form of an archive or a typedstream is that of the whole file "
        + "(ferry convert FILE --to json --form typed writes the whole file; --form plain writes its value) (at [0])\n",
      "\(refused)")
    try directory.write("a.plist", Self.source)
    let selected = try await ToolRun.ferry(
      "convert", "a.plist", "--select", "item", "--form", "typed", "--to", "json")
    #expect(selected.errors.contains("(use ferry get FILE PATH --form typed)"), "\(selected)")
    for option in ["--bytes", "--default x", "--count", "--raw", "--shared in-full"] {
      let run = try await ToolRun.shell("ferry get a.plist item --form typed \(option)")
      #expect(run.status == 64 && run.output == "", "\(run)")
    }
    try await expect(
      "ferry get a.plist item.born --form typed --to yaml",
      "$ferry: 1\n$value:\n  $date: '2024-01-02T03:04:05Z'\n")
  }

  @Test func `An XML element gets the name of one beside it by the path in the error`() async throws {
    let text = "<a>\n  <b>1</b>\n  <c>2</c>\n</a>\n"
    let advice =
      #"the key "b" already exists (--replace replaces its value; a.b[] is another element of this name) (at a)"#
    for arguments in ["/a/c /a/b", "a.c a.b", "/a/c a.b"] {
      for command in ["move", "copy"] {
        try directory.write("m.xml", text)
        let run = try await ToolRun.shell("ferry \(command) m.xml \(arguments)")
        expectFailure(run, "m.xml: " + advice)
        #expect(try directory.text("m.xml") == text)
      }
    }
    expectQuiet(try await .ferry("move", "m.xml", "/a/c", "a.b[]"))
    #expect(try directory.text("m.xml") == "<a>\n  <b>1</b>\n  <b>2</b>\n</a>\n")
    try directory.write("m.xml", "<a><b x=\"1\"/><c>2</c></a>")
    let inserted = try await ToolRun.ferry("insert", "m.xml", "a.b", "5")
    expectFailure(
      inserted,
      #"m.xml: the key "b" already exists (use set to change its value; write a.b[] to add another) (at a)"#)
    // Several values, and attributes.
    try directory.write("s.xml", "<r><h><a>1</a><b>1</b></h><h><a>1</a></h></r>")
    expectFailure(
      try await .ferry("move", "s.xml", "//h/a", "//h/b"),
      #"s.xml: the key "b" already exists (--replace replaces its value) (at r.h[0])"#)
    try directory.write("t.xml", "<a x=\"1\"><c>2</c></a>")
    expectFailure(
      try await .ferry("move", "t.xml", "a.c", "a.@x"),
      #"t.xml: the key "@x" already exists (--replace replaces its value) (at a)"#)
    try directory.write("l.json", #"{"b":[1],"c":2}"#)
    expectFailure(
      try await .ferry("move", "l.json", "c", "b"),
      #"l.json: the key "b" already exists (--replace replaces its value; b[] is the end of its list)"#)
  }

  @Test func `A path through an object of an archive that is only a reference says so`() async throws {
    let keys =
      "<key>$archiver</key><string>NSKeyedArchiver</string><key>$version</key><integer>100000</integer>"
    func reference(_ number: Int) -> String { "<dict><key>CF$UID</key><integer>\(number)</integer></dict>" }
    try directory.write(
      "a.archive",
      "<plist version=\"1.0\"><dict>\(keys)<key>$top</key><dict><key>root</key>\(reference(1))</dict>"
        + "<key>$objects</key><array><string>$null</string>\(reference(2))<string>x</string></array></dict></plist>"
    )
    for arguments in [
      ["get", "a.archive"], ["get", "a.archive", "[0]"], ["insert", "a.archive", "a", "x"],
    ] {
      let run = try await ToolRun.ferry(arguments)
      #expect(
        run.status == 1 && run.errors.contains("not a keyed archive: object 1 is a reference"), "\(run)")
    }
  }
}
