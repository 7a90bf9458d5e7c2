import Foundation
import TestSupport
import Testing

/// A command with a path that selects several values of a file, and its result.
struct SelectedEdit: Sendable, CustomTestStringConvertible {
  let file: String
  let before: String
  let arguments: [String]
  let message: String
  let after: String

  var testDescription: String { "\(file): \(arguments.joined(separator: " "))" }

  init(_ file: String, _ before: String, _ arguments: [String], _ message: String, _ after: String) {
    (self.file, self.before, self.arguments) = (file, before, arguments)
    (self.message, self.after) = (message, after)
  }

  private static let json = """
    [ { "b" : 1, "c": ["x", "y"] },
      { "c": [] },
      { "b": 3.0, "c" : ["z"] } ]

    """
  private static let jsonLines = "{\"b\":1}\n{\"c\":2}\n\n{\"b\": \"3\"}\n"
  private static let yaml = "x: {b: 1}\ny:\n  b: 2 # two\n  c: [p, q]\nz:\n  - b\n"
  private static let xml = """
    <r>
      <p n="1"><b>1</b></p> <!-- x -->
      <p><c>1</c></p>
      <p n="3"><b> 3 </b></p>
    </r>

    """
  private static let propertyList = """
    <?xml version="1.0" encoding="UTF-8"?>
    <plist version="1.0">
    <dict>
    \t<key>a</key>
    \t<dict><key>v</key><integer>1</integer></dict>
    \t<key>b</key>
    \t<dict>
    \t\t<key>v</key> <integer>2</integer> <!-- two -->
    \t\t<key>w</key> <true/>
    \t</dict>
    \t<key>c</key>
    \t<string>v</string>
    </dict>
    </plist>

    """
  private static let project = """
    // !$*UTF8*$!
    {
    \tobjects = {
    \t\tA1 /* Debug */ = {
    \t\t\tisa = XCBuildConfiguration;
    \t\t\tbuildSettings = {
    \t\t\t\tSWIFT_VERSION = 5.0;
    \t\t\t};
    \t\t};
    \t\tA2 /* Release */ = {
    \t\t\tisa = XCBuildConfiguration;
    \t\t\tbuildSettings = {
    \t\t\t\tPRODUCT_NAME = "$(TARGET_NAME)";
    \t\t\t\tSWIFT_VERSION = 5.0;
    \t\t\t};
    \t\t};
    \t\tA3 /* main.swift */ = {isa = PBXFileReference; path = main.swift; };
    \t};
    }

    """

  static let all: [SelectedEdit] = [
    SelectedEdit(
      "a.json", json, ["set", "[*].b", "9"], "2 values set",
      "[ { \"b\" : 9, \"c\": [\"x\", \"y\"] },\n  { \"c\": [] },\n  { \"b\": 9, \"c\" : [\"z\"] } ]\n"),
    SelectedEdit(
      "a.json", json, ["set", "[1:].c", "[true]", "--type", "json"], "2 values set",
      "[ { \"b\" : 1, \"c\": [\"x\", \"y\"] },\n  { \"c\": [ true ] },\n  { \"b\": 3.0, \"c\" : [true] } ]\n"),
    SelectedEdit(
      "a.json", json, ["remove", "[*].b"], "2 values removed",
      "[ { \"c\": [\"x\", \"y\"] },\n  { \"c\": [] },\n  { \"c\" : [\"z\"] } ]\n"),
    SelectedEdit(
      "a.json", json, ["remove", "[*].c[*]"], "3 values removed",
      "[ { \"b\" : 1, \"c\": [] },\n  { \"c\": [] },\n  { \"b\": 3.0, \"c\" : [] } ]\n"),
    SelectedEdit(
      "a.json", json, ["insert", "[*].c[]", "n"], "3 values inserted",
      json.replacing("\"y\"]", with: "\"y\", \"n\"]").replacing("[] }", with: "[ \"n\" ] }")
        .replacing("[\"z\"]", with: "[\"z\", \"n\"]")
    ),
    SelectedEdit("a.json", json, ["remove", "[*]"], "3 values removed", "[]\n"),
    SelectedEdit(
      "a.jsonl", jsonLines, ["set", "[*].b", "9"], "2 values set",
      "{\"b\":9}\n{\"c\":2}\n\n{\"b\": \"9\"}\n"),
    SelectedEdit(
      "a.yaml", yaml, ["set", "[*].b", "9"], "2 values set",
      "x: {b: 9}\ny:\n  b: 9 # two\n  c: [p, q]\nz:\n  - b\n"),
    SelectedEdit(
      "a.yaml", "- {k: 1, b: x}\n- {k: 2, b: y}\n- {k: 1, b: z}\n", ["set", "[k=1].b", "w"], "2 values set",
      "- {k: 1, b: w}\n- {k: 2, b: y}\n- {k: 1, b: w}\n"),
    SelectedEdit(
      "a.xml", xml, ["set", "r.p[*].@n", "9"], "2 values set",
      "<r>\n  <p n=\"9\"><b>1</b></p> <!-- x -->\n  <p><c>1</c></p>\n  <p n=\"9\"><b> 3 </b></p>\n</r>\n"),
    SelectedEdit(
      "a.xml", xml, ["remove", ".r.p[].b"], "2 values removed",
      "<r>\n  <p n=\"1\"></p> <!-- x -->\n  <p><c>1</c></p>\n  <p n=\"3\"></p>\n</r>\n"),
    SelectedEdit(
      "a.xml", xml, ["insert", "r.p[*].@k", "v"], "3 values inserted",
      xml.replacing("><b>", with: " k=\"v\"><b>").replacing("<p><c>", with: "<p k=\"v\"><c>")
    ),
    SelectedEdit("a.xml", xml, ["remove", "r.p[*]"], "3 values removed", "<r><!-- x --></r>\n"),
    SelectedEdit(
      "a.plist", propertyList, ["set", "[*].v", "9"], "2 values set",
      propertyList.replacing("<integer>1<", with: "<integer>9<").replacing("<integer>2<", with: "<integer>9<")
    ),
    SelectedEdit(
      "a.plist", propertyList, ["remove", "[*].v"], "2 values removed",
      propertyList.replacing("<dict><key>v</key><integer>1</integer></dict>", with: "<dict/>")
        .replacing("<key>v</key> <integer>2</integer> <!-- two -->", with: "<!-- two -->")),
    SelectedEdit(
      "a.pbxproj", project, ["set", "objects[*].buildSettings.SWIFT_VERSION", "6.0"], "2 values set",
      project.replacing("= 5.0", with: "= 6.0")),
    SelectedEdit(
      "a.strings", "\"a\" = \"1\"; /* one */\n\"b\" = \"2\";\n", ["set", "[*]", "x"], "2 values set",
      "\"a\" = \"x\"; /* one */\n\"b\" = \"x\";\n"),
    SelectedEdit(
      "a.csv", "n,c\nAda,1\nBo,2\nAda,3\n", ["set", "[n=Ada].c", "x"], "2 values set",
      "n,c\nAda,x\nBo,2\nAda,x\n"),
    SelectedEdit(
      "a.csv", "n,c\nAda,1\nBo,2\nAda,3\n", ["remove", "[n=Ada]"], "2 values removed", "n,c\nBo,2\n"),
    SelectedEdit(
      "a.csv", "n,c\nAda,1\n", ["set", "[*].c", "x"], "1 value set", "n,c\nAda,x\n"),
  ]

  /// Edits with `move` and `copy`.
  static let moved: [SelectedEdit] = [
    SelectedEdit(
      "a.json", json, ["move", "[*].b", "[*].d"], "2 values moved", json.replacing("\"b\"", with: "\"d\"")),
    SelectedEdit(
      "a.json", json, ["copy", "[*].c", "[*].d", "--replace"], "3 values copied",
      "[ { \"b\" : 1, \"c\": [\"x\", \"y\"], \"d\": [\"x\", \"y\"] },\n  { \"c\": [], \"d\": [] },\n"
        + "  { \"b\": 3.0, \"c\" : [\"z\"], \"d\" : [\"z\"] } ]\n"),
    SelectedEdit(
      "a.xml", xml, ["move", "r.p[*].b", "r.p[*].bold"], "2 values moved",
      xml.replacing("<b>", with: "<bold>").replacing("</b>", with: "</bold>")),
    SelectedEdit(
      "a.csv", "n,c\nAda,1\nBo,2\n", ["move", "[*].c", "[*].d"], "2 values moved", "n,d\nAda,1\nBo,2\n"),
  ]

  /// Edits with `set --insert`.
  static let added: [SelectedEdit] = [
    SelectedEdit(
      "a.json", json, ["set", "[*].b", "9", "--insert"], "3 values set",
      "[ { \"b\" : 9, \"c\": [\"x\", \"y\"] },\n  { \"c\": [], \"b\": \"9\" },\n  { \"b\": 9, \"c\" : [\"z\"] } ]\n"
    ),
    SelectedEdit(
      "a.json", json, ["set", "[*].c[]", "n", "--insert"], "3 values set",
      json.replacing("\"y\"]", with: "\"y\", \"n\"]").replacing("[] }", with: "[ \"n\" ] }")
        .replacing("[\"z\"]", with: "[\"z\", \"n\"]")
    ),
    SelectedEdit(
      "a.xml", "<r>\n  <p n=\"1\"><b>1</b></p> <!-- x -->\n  <p>t</p>\n</r>\n",
      ["set", "r.p[*].@n", "9", "--insert"], "2 values set",
      "<r>\n  <p n=\"9\"><b>1</b></p> <!-- x -->\n  <p n=\"9\">t</p>\n</r>\n"),
    SelectedEdit(
      "a.csv", "n,c\nAda,1\nBo,2\n", ["set", "[*].d", "x", "--insert"], "2 values set",
      "n,c,d\nAda,1,x\nBo,2,x\n"),
  ]
}

@Suite(.temporaryDirectory) struct `Edits of all values that a path selects` {
  @Test(arguments: SelectedEdit.all + SelectedEdit.moved + SelectedEdit.added)
  func `All values that a path selects change in one edit, and the text around them stays`(
    _ edit: SelectedEdit
  )
    async throws
  {
    try directory.write(edit.file, edit.before)
    let arguments = [edit.arguments[0], edit.file] + edit.arguments.dropFirst()
    let tried = try await ToolRun.ferry(arguments + ["--dry-run"])
    #expect(tried.status == 0)
    let planned = edit.message.replacing("value ", with: "value would be ")
      .replacing("values ", with: "values would be ")
    #expect(tried.errors == "\(edit.file): \(planned)\n")
    #expect(try directory.text(edit.file) == edit.before)
    let run = try await ToolRun.ferry(arguments)
    #expect(run.status == 0)
    #expect(run.errors == "\(edit.file): \(edit.message)\n")
    #expect(try directory.text(edit.file) == edit.after)
  }

  @Test func `An edit of several values changes none if one cannot change or none is selected`() async throws
  {
    let text = "[{\"a\":{\"b\":1}},{\"a\":{\"b\":true}},{\"a\":2}]"
    try directory.write("a.json", text)
    for (line, error) in [
      ("set a.json '[*].a.b' 5", #""5" does not fit here: the value is a boolean (true or false)"#),
      (
        "set a.json '[*].a.x' 5",
        #"none of the 3 elements matches: no key "x" here; the keys are "b" (use insert to add it; set --insert adds or changes it) (at [0].a)"#
      ),
      ("set a.json '[5:].a' 5", "no value matches the path"),
      ("remove a.json '[a=1]'", #"no element has the value "1" for the key "a""#),
      ("remove a.json '[aa=1]'", #"none of the 3 elements matches: no key "aa" here (did you mean "a"?)"#),
      ("remove a.json 'x[*]'", #"no key "x" here"#),
      (
        "insert a.json '[*].a' 5",
        #"the key "a" already exists (use set to change its value; set --insert also adds it) (at [0])"#
      ),
      ("set a.json '[*].a.b' 5 --insert", #""5" does not fit here: the value is a boolean (true or false)"#),
      ("set a.json '[2].a.x' 5 --insert", #"no key "x" here: this is an integer (at [2].a)"#),
      ("insert a.json '[*]' 5", "the path leads to several values, but one is needed"),
      (
        "copy a.json '[*].a' '[*].a'", #"the key "a" already exists (--replace replaces its value) (at [0])"#
      ),
      (
        "move a.json '[*].a' x", "several values can only move to another key beside each: [*].old to [*].new"
      ),
      ("move a.json '[0]' '[0].x'", "cannot put a value here: it would be inside itself (at [0])"),
      ("set a.json '[*].a[]' 5", "the path leads to several values, but one is needed"),
    ] {
      let run = try await ToolRun.shell("ferry \(line)")
      #expect(run.status == 1, "\(line)")
      #expect(run.errors.contains(error), "\(line): \(run.errors)")
      #expect(try directory.text("a.json") == text, "\(line)")
    }
  }

  @Test func `Equal keys of a dictionary are one value of an edit`() async throws {
    try directory.write("a.json", #"{"a":{"b":1},"a":{"b":2}}"#)
    let run = try await ToolRun.ferry("set", "a.json", "[*].b", "3")
    #expect(run.errors == "a.json: 1 value set\n")
    #expect(try directory.text("a.json") == #"{"a":{"b":1},"a":{"b":3}}"#)
  }

  @Test func `An object of an archive that a path selects twice changes once`() async throws {
    try directory.write(
      "typed.json",
      """
      {"$ferry":1,"$archiver":"NSKeyedArchiver","$top":{"root":{"people":[
      {"$class":"Friend","$id":1,"name":"Ada","tags":["a","b"]},{"$ref":1},
      {"$class":"Friend","name":"Ada","tags":["a"]},{"$class":"Node","next":{"$ref":1}}]}}}
      """)
    expectQuiet(try await .ferry("convert", "typed.json", "-o", "a.archive", "--to", "archive"))
    func people(_ name: String, _ tags: String, _ others: String) -> String {
      ##"[{"name":"\##(name)","tags":\##(tags)},{"$ref":"#/0"},"##
        + ##"{"name":"\##(name)","tags":\##(others)},{"next":{"$ref":"#/0"}}]"##
    }
    for (line, message, left) in [
      (
        "set a.archive 'people[*].name' Bo", "2 values set",
        people("Bo", #"["a","b"]"#, #"["a"]"#)
      ),
      (
        "remove a.archive 'people[*].tags[0]'", "2 values removed",
        people("Ada", #"["b"]"#, "[]")
      ),
      (
        "insert a.archive 'people[*].tags[]' n", "2 values inserted",
        people("Ada", #"["a","b","n"]"#, #"["a","n"]"#)
      ),
      (
        "remove a.archive 'people[0:2]'", "2 values removed",
        ##"[{"name":"Ada","tags":["a"]},{"next":{"name":"Ada","tags":["a","b"]}}]"##
      ),
    ] {
      let run = try await ToolRun.shell(
        "ferry \(line) -o b.archive --force && ferry get b.archive people --to json -q")
      #expect(run.status == 0, "\(line)")
      #expect(run.errors == "a.archive: \(message)\n", "\(line)")
      #expect(run.output == "\(left)\n", "\(line)")
    }
  }

  @Test func `Values in data, in binary property lists and in files of ZIP archives change together`()
    async throws
  {
    try directory.write("list.json", #"[{"b":1},{"c":2},{"b":3}]"#)
    try directory.write("text.txt", "b\n")
    try directory.write(
      "typed.json",
      """
      {"$ferry":1,"$value":{"x":{"$data":"W3siYiI6MX0seyJiIjoyfV0="},"y":{"$data":"W3siYiI6M31d"},
      "z":{"$data":"AAE="},"s":"b"}}
      """)
    expectQuiet(
      try await .shell(
        """
        ferry convert list.json -o list.plist --to plist-binary && ferry convert typed.json -o data.plist
        python3 -m zipfile -c a.zip list.json text.txt
        """))
    try await expect(
      "ferry set list.plist '[*].b' 9 && ferry get list.plist '[*]' --to json",
      #"[{"b":9},{"c":2},{"b":9}]"# + "\n",
      errors: "list.plist: 2 values set\n")
    try await expect(
      "ferry set data.plist '[*][*].b' 9 && ferry get data.plist '[*][*].b'", "9\n9\n9\n",
      errors: "data.plist: 3 values set\n")
    try await expect(
      "ferry remove data.plist 'x[*]' && ferry get data.plist x", "W10=\n",
      errors: "data.plist: 2 values removed\n")
    try await expect(
      "ferry set a.zip '[*][*].b' 9 && ferry get a.zip '[\"list.json\"]'",
      #"[{"b":9},{"c":2},{"b":9}]"# + "\n",
      errors: "a.zip: 2 values set\n")
    try await expect(
      "ferry insert a.zip '[\"list.json\"][*].n' 1 --type integer && ferry get a.zip '[\"list.json\"]'",
      #"[{"b":9,"n":1},{"c":2,"n":1},{"b":9,"n":1}]"# + "\n", errors: "a.zip: 3 values inserted\n")
    try await expect(
      "ferry remove a.zip '[*]' && ferry get a.zip --count", "0\n", errors: "a.zip: 2 values removed\n")
  }

  @Test func `Values of a package change together`() async throws {
    try directory.write(
      "things.json", #"[{"name":"Robot","location":"Attic"},{"name":"Boots","location":"Hall"}]"#)
    expectQuiet(try await .ferry("convert", "things.json", "-o", "T.mystuff"))
    try await expect(
      "ferry set T.mystuff '[*].location' Cellar && ferry get T.mystuff '[*].location'", "Cellar\nCellar\n",
      errors: "T.mystuff: 2 values set\n")
  }
}
