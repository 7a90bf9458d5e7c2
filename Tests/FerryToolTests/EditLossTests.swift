import Foundation
import TestSupport
import Testing

@Suite(.temporaryDirectory) struct `Losses of edits` {
  @Test(arguments: [
    (["set", "a.plist", "k", "v"], "comments are left out (1), processing instructions are left out (1)"),
    (
      ["set", "a.plist", "l", "[1]", "--type", "json"],
      "comments are left out (1), attributes are left out (1)"
    ),
    (
      ["set", "a.plist", "k", "v", "--dry-run"],
      "comments are left out (1), processing instructions are left out (1)"
    ),
  ])
  func `A set reports the comments, instructions and attributes inside the old value`(
    _ arguments: [String], _ losses: String
  ) async throws {
    try directory.write(
      "a.plist",
      """
      <plist><dict><!-- c --><key>k</key><string a="1">a<!-- b --><?p?></string>\
      <key>l</key><array><string a="1">x<!-- d --></string></array></dict></plist>
      """)
    let run = try await ToolRun.ferry(arguments)
    #expect(run.status == 0)
    #expect(run.errors == "a.plist: not exact: \(losses)\n")
  }

  @Test func `Edits of collections without entries keep comments, and say nothing`() async throws {
    try directory.write("a.plist", "<plist><dict><!-- c --></dict></plist>")
    expectQuiet(try await .ferry("insert", "a.plist", "k", "v"))
    #expect(
      try directory.text("a.plist")
        == "<plist><dict><!-- c --><key>k</key><string>v</string></dict></plist>")
    expectQuiet(try await .ferry("remove", "a.plist", "k"))
    #expect(try directory.text("a.plist") == "<plist><dict><!-- c --></dict></plist>")
  }

  @Test func `A seed that adds the first record keeps the comments of the document`() async throws {
    try directory.write("a.plist", "<plist><array><!-- c --></array></plist>")
    try directory.write("data.json", #"[{"name":"Pen"}]"#)
    let run = try await ToolRun.ferry(
      "seed", "a.plist", "--from", "data.json", "--merge", "--key", "name", "--schema", "none")
    #expect(run.status == 0)
    #expect(run.errors == "")
    let text = try directory.text("a.plist")
    #expect(text.hasPrefix("<plist><array><!-- c --><dict>"), "\(text)")
    #expect(try await ToolRun.ferry("get", "a.plist", "[0].name").output == "Pen\n")
  }

  @Test func `A renaming reports comments inside a name, and changes the rest`() async throws {
    try directory.write(
      "a.json", #"{"$ferry":1,"$archiver":"NSKeyedArchiver","$top":{"root":{"$class":"Person","x":1}}}"#)
    let run = try await ToolRun.shell(
      """
      ferry convert a.json --form typed --to archive-xml -o b.xml || exit 2
      sed 's/>Person</>Per<!-- c -->son</' b.xml > a.xml
      ferry rename a.xml --class Person=Human && ferry get a.xml x
      """)
    #expect(run.status == 0)
    #expect(run.output == "1\n")
    #expect(run.errors == "a.xml: not exact: comments are left out (2)\n")
  }

  @Test func `A conversion of a property list reports the attributes of its values`() async throws {
    try directory.write("a.plist", #"<plist version="1.0"><array a="1"><string a="1" b=""/></array></plist>"#)
    let run = try await ToolRun.ferry("convert", "a.plist", "--to", "json")
    #expect(run.output == "[\"\"]\n")
    #expect(run.errors == "a.plist: not exact: attributes are left out (3)\n")
  }

  /// The formats that have no unpaired surrogates, and the names of files in them.
  private static let wholeTexts = ["yaml", "typedstream", "plist-xml", "xml", "archive-xml"]

  @Test(arguments: wholeTexts)
  func `An edit refuses an unpaired surrogate in a format that would replace it`(_ format: String)
    async throws
  {
    try directory.write("a.json", #"{"a":"x","b":"y"}"#)
    expectQuiet(try await .ferry("convert", "-q", "a.json", "--to", format, "-o", "a.out"))
    let before = try directory.bytes("a.out")
    let path = format == "xml" ? "root.a" : "a"
    try directory.write(
      "p.json", #"[{"op":"add","path":"/\#(path.replacing(".", with: "/"))","value":{"x\ud800":1}}]"#)
    for arguments in [
      ["set", "a.out", path, "--type", "json", #""x\ud800y""#],
      ["set", "a.out", path, "--type", "typed", #"["x\ud800y"]"#],
      ["insert", "a.out", path.replacing("a", with: "c"), "--type", "json", #"{"k":"\udfff"}"#],
      ["patch", "a.out", "p.json"],
    ] {
      let run = try await ToolRun.ferry(arguments + ["--from", format])
      #expect(run.status == 1, "\(arguments)")
      #expect(run.errors.contains("U+D800") || run.errors.contains("U+DFFF"), "\(run.errors)")
      #expect(try directory.bytes("a.out") == before, "\(arguments)")
    }
  }

  @Test(arguments: ["yaml", "plist-xml", "plist-gnustep", "archive-xml"])
  func `An edit reports a 32-bit real that becomes one of 64 bits`(_ format: String) async throws {
    try directory.write("a.json", #"{"a":1.5,"b":"y"}"#)
    expectQuiet(try await .ferry("convert", "-q", "a.json", "--to", format, "-o", "a.out"))
    let options = ["--from", format]
    let set = try await ToolRun.ferry(
      ["set", "a.out", "a", "--type", "typed", #"{"$single":1.1}"#] + options)
    #expect(set.status == 0)
    #expect(set.errors == "a.out: not exact: 32-bit reals become 64-bit (1)\n")
    let insert = try await ToolRun.ferry(
      ["insert", "a.out", "c", "--type", "typed", #"[{"$single":1.5},{"$single":2.5}]"#] + options)
    #expect(insert.errors == "a.out: not exact: 32-bit reals become 64-bit (2)\n")
  }

  @Test func `YAML has no date of -0 seconds, which conversions report and edits refuse`() async throws {
    try directory.write("a.json", #"{"$ferry":1,"$value":{"d":{"$date":-0.0}}}"#)
    let run = try await ToolRun.shell(
      """
      ferry convert a.json --to plist-binary -o a.bplist || exit 2
      ferry convert a.bplist --to yaml
      echo 'd: !!timestamp 2014-06-01T09:30:00Z' > a.yaml
      ferry set a.yaml d --type typed '{"$date":-0.0}' || cat a.yaml
      """)
    #expect(run.output == "d: !!timestamp 2001-01-01T00:00:00Z\nd: !!timestamp 2014-06-01T09:30:00Z\n")
    #expect(
      run.errors == """
        a.bplist: not exact: negative zeros become zeros (1)
        a.yaml: cannot put a date of -0 seconds from 2001 here: a date in this format has no negative zero (at d)

        """)
  }

  @Test func `A new XML value with text beside elements is reported, and gets no white space`() async throws {
    try directory.write("a.xml", "<r>\n  <a/>\n</r>\n")
    let words =
      "a.xml: not exact: lists of contents, or text beside elements, become other lists when they are read back (1)\n"
    let insert = try await ToolRun.ferry(
      "insert", "a.xml", "r.b", "--type", "json", ##"{"c":["x","y"],"#text":"t"}"##)
    #expect(insert.status == 0)
    #expect(insert.errors == words)
    #expect(try directory.text("a.xml") == "<r>\n  <a/>\n  <b><c>x</c><c>y</c>t</b>\n</r>\n")
    #expect(try await ToolRun.ferry("get", "a.xml", ##"r.b["#text"]"##).output == "t\n")
    try directory.write(
      "p.json", ##"[{"op":"add","path":"/r/d","value":{"e":{"f":{"g":"1"},"#text":"u"},"h":"2"}}]"##)
    #expect(try await ToolRun.ferry("patch", "a.xml", "p.json").errors == words)
    #expect(try directory.text("a.xml").contains("<e><f><g>1</g></f>u</e>"))
    expectQuiet(try await .ferry("insert", "a.xml", "r.i", "--type", "json", ##"{"@c":"x","#text":"t"}"##))
  }

  @Test func `YAML has years of four digits, so other dates are texts with a report, and edits refuse them`()
    async throws
  {
    try directory.write(
      "a.json",
      ##"{"$ferry":1,"$value":{"a":{"$date":"+10000-01-01T00:00:00Z"},"b":{"$date":"9999-12-31T23:59:59Z"}}}"##
    )
    let run = try await ToolRun.shell(
      """
      ferry convert a.json --to plist-binary -o a.bplist || exit 2
      ferry convert a.bplist --to yaml -o a.yaml; cat a.yaml
      ferry set a.yaml b --type date -- -0001-01-01T00:00:00Z
      """)
    #expect(run.output == "a: +10000-01-01T00:00:00Z\nb: !!timestamp 9999-12-31T23:59:59Z\n")
    #expect(
      run.errors == """
        a.bplist: not exact: dates become text (1); --form typed keeps dates, data and classes
        a.yaml: cannot put the date -0001-01-01T00:00:00Z here: a date in this format has a year of four digits (at b)

        """)
  }

  @Test(
    arguments: [
      "{k: 1}", "{\"k\": 1 /* c */}", "{\"k\": .5}", "{\"k\": \"\\x41\"}", "// c\n{\"k\": 1}",
      "{\"k\": 1} {}",
    ])
  func `The error of another JSON in data names no option for the file`(_ json: String) async throws {
    let data = Data(json.utf8).base64EncodedString()
    try directory.write("a.plist", "<plist><dict><key>d</key><data>\(data)</data></dict></plist>")
    let run = try await ToolRun.ferry("set", "a.plist", "d.k", "x")
    #expect(run.status == 1)
    #expect(!run.errors.contains("--from"), "\(run.errors)")
  }
}
