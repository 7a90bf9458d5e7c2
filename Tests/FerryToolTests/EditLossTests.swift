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
}
