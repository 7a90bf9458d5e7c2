import Ferry
import TestSupport
import Testing

@Suite(.temporaryDirectory) struct `Keys of seeds` {
  private func schema(_ type: String) -> String {
    """
    {"ferry":1,"name":"r","record":{"element":"r","class":"R"},"key":"k",
     "fields":[{"name":"k","type":"\(type)"},{"name":"v"}]}
    """
  }

  /// Objects of both files have the same numbers. The second new record refers to an object in a record that the
  /// document has already.
  @Test func `New records bring their own shared objects`() async throws {
    func file(_ group: String, _ ids: [String]) -> String {
      let records = ids.enumerated().map { index, id in
        let value =
          index == 0 ? ##"{"$class":"Group","$id":6,"name":"\##(group)"}"## : ##"{"$ref":6}"##
        return ##"{"$class":"Person","id":"\##(id)","group":\##(value)}"##
      }
      return
        ##"{"$ferry":1,"$archiver":"NSKeyedArchiver","$top":{"root":[\##(records.joined(separator: ","))]}}"##
    }
    try directory.write("doc.json", file("mine", ["a", "b"]))
    try directory.write("from.json", file("other", ["a", "c", "d"]))
    let run = try await ToolRun.shell(
      """
      ferry convert doc.json --to archive -o doc.archive || exit 2
      ferry convert from.json --to archive -o from.archive || exit 3
      ferry seed doc.archive --from from.archive --merge --key id --schema none >/dev/null || exit 4
      ferry get doc.archive '[].group.name'
      """)
    expectQuiet(run)
    #expect(run.output == "mine\nmine\nother\nother\n")
    let typed = try await ToolRun.ferry("convert", "doc.archive", "--to", "json", "--form", "typed")
    #expect(typed.output.split(separator: ##""name":"other""##, omittingEmptySubsequences: false).count == 2)
  }

  /// The second record of the list is in the first one, and the list refers to it.
  @Test func `A record that another one contains is known, and new records get the class of the others`()
    async throws
  {
    try directory.write(
      "doc.json",
      ##"""
      {"$ferry":1,"$archiver":"NSKeyedArchiver","$top":{"root":[
        {"$class":"Widget","id":1,"part":{"$class":"Widget","$id":2,"id":2}},{"$ref":2}]}}
      """##)
    try directory.write("from.json", #"[{"id":2,"n":"again"},{"id":3}]"#)
    let run = try await ToolRun.shell(
      """
      ferry convert doc.json --to archive -o doc.archive || exit 2
      ferry seed doc.archive --from from.json --merge --key id --schema none || exit 3
      ferry show doc.archive
      """)
    expectQuiet(run)
    #expect(
      run.output == """
        doc.archive: added 1 record
          3
        [Widget { id: 1, part: Widget #3 { id: 2 } }, → #3, Widget { id: 3 }]

        """)
  }

  @Test(
    arguments: ["json", "xml", "plist-xml", "plist-binary", "archive", "archive-xml"],
    [
      ("uuid", #""e621e1f8-c36c-495a-93fc-0c247a3e6e5f""#), ("date", #""2014-06-01T09:30:00.25Z""#),
      ("date", #""2014-06-01T11:30:00+02:00""#), ("decimal", "2.20"), ("decimal", "1e2"), ("decimal", "-0"),
      ("data", #""A Q I =""#), ("real", "1e2"), ("integer", "7"), ("url", #""http://a/?b""#),
      ("string", #"" a ""#),
    ])
  func `A second seed adds nothing, whatever notation the document has for the key`(
    _ format: String, _ key: (type: String, value: String)
  ) async throws {
    try directory.write("schema.json", schema(key.type))
    try directory.write("none.json", "[]")
    try directory.write("data.json", #"[{"k":\#(key.value),"v":"1"}]"#)
    let seed = ["seed", "doc", "--schema", "schema.json", "--to", format, "--from"]
    #expect(try await ToolRun.ferry(seed + ["none.json"]).status == 0)
    let first = try await ToolRun.ferry(seed + ["data.json", "--merge"])
    #expect(first.output.hasPrefix("doc: added 1 record\n"), "\(first.output)\(first.errors)")
    let bytes = try directory.bytes("doc")
    let second = try await ToolRun.ferry(seed + ["data.json", "--merge"])
    #expect(second.output == "doc: already has all records\n", "\(second.errors)")
    #expect(try directory.bytes("doc") == bytes)
  }

  @Test(
    arguments: ["plist-xml", "plist-binary", "archive", "csv", "tsv"],
    ["7", "2.20", "1e2", "0.1000", "-0", "18446744073709551616", "1E400", #""\ud800""#, "true"])
  func `A second seed without a schema adds nothing if the format changes the key`(
    _ format: String, _ key: String
  ) async throws {
    try directory.write("none.json", #"[{"k":"other"}]"#)
    try directory.write("data.json", #"[{"k":\#(key)}]"#)
    let seed = ["seed", "doc", "--to", format, "--schema", "none", "--key", "k", "--from"]
    #expect(try await ToolRun.ferry(seed + ["none.json"]).status == 0)
    let first = try await ToolRun.ferry(seed + ["data.json", "--merge"])
    #expect(first.output.hasPrefix("doc: added 1 record\n"), "\(first.output)\(first.errors)")
    let second = try await ToolRun.ferry(seed + ["data.json", "--merge"])
    #expect(second.output == "doc: already has all records\n", "\(second.errors)")
  }

  @Test func `Messages about long keys and fields are short`() async throws {
    let number = String(repeating: "1", count: 60_000) + ".5"
    let field = String(repeating: "k", count: 60_000)
    try directory.write("none.json", #"[{"id":1}]"#)
    try directory.write("doc.json", #"[{"id":1}]"#)
    try directory.write("number.json", #"[{"id":\#(number)}]"#)
    try directory.write("twice.json", #"[{"id":\#(number),"\#(field)":2},{"id":\#(number),"\#(field)":2}]"#)
    for arguments in [
      ["doc.json", "--merge", "--key", "id", "--from", "number.json"],
      ["a.json", "--key", field, "--from", "none.json"],
      ["a.json", "--key", "id", "--from", "twice.json"], ["a.json", "--key", field, "--from", "twice.json"],
    ] {
      let run = try await ToolRun.ferry(["seed"] + arguments)
      let length = (run.output + run.errors).count
      #expect(length > 10 && length < 500, "\(run.output.prefix(500))\(run.errors.prefix(500))")
    }
  }

  @Test(
    arguments: ["csv", "tsv"],
    [
      "<integer>1</integer>", "<real>2.50</real>", "<true/>", "<date>2014-06-01T09:30:00Z</date>",
      "<data>AQI=</data>", "<array><integer>1</integer></array>",
      "<dict><key>a</key><integer>1</integer></dict>", "<string></string>", "<string>a,b;\tc</string>",
    ])
  func `A second seed of a table without a schema adds nothing, whatever type the key has`(
    _ format: String, _ key: String
  ) async throws {
    try directory.write(
      "data.plist",
      "<plist><array><dict><key>k</key>\(key)<key>n</key><string>a</string></dict></array></plist>")
    let seed = ["seed", "doc.\(format)", "--key", "k", "--from", "data.plist"]
    let made = try await ToolRun.ferry(seed)
    #expect(made.output == "doc.\(format): created with 1 record\n", "\(made.errors)")
    let bytes = try directory.bytes("doc.\(format)")
    let second = try await ToolRun.ferry(seed + ["--merge"])
    #expect(second.output == "doc.\(format): already has all records\n", "\(second.errors)")
    #expect(try directory.bytes("doc.\(format)") == bytes)
  }

  @Test func `A seed finds numbers in a table whatever its columns and quotation marks are`() async throws {
    let table = "n;id\r\na;\"1\"\r\nb;2\r\n"
    try directory.write("t.csv", table)
    try directory.write("data.json", #"[{"id":1},{"id":2,"n":"c"},{"id":3}]"#)
    let run = try await ToolRun.ferry("seed", "t.csv", "--from", "data.json", "--key", "id", "--merge")
    #expect(run.output == "t.csv: added 1 record\n  3\n", "\(run.errors)")
    #expect(try directory.text("t.csv") == table + ";3\r\n")
  }

  @Test(
    arguments: ["json", "xml", "plist-xml", "archive"],
    [
      ("uuid", #""E621E1F8-C36C-495A-93FC-0C247A3E6E5F""#, #""e621e1f8-c36c-495a-93fc-0c247a3e6e5f""#),
      ("data", #""AQI=""#, #""A Q I =""#), ("decimal", "1.0", "1.00"), ("decimal", "0.1", "1e-1"),
      ("date", #""2014-06-01T09:30:00Z""#, #""2014-06-01T11:30:00+02:00""#),
    ])
  func `A seed compares keys by the value of their type`(
    _ format: String, _ key: (type: String, old: String, new: String)
  ) async throws {
    try directory.write("schema.json", schema(key.type))
    try directory.write("old.json", #"[{"k":\#(key.old),"v":"1"}]"#)
    try directory.write("new.json", #"[{"k":\#(key.new),"v":"2"}]"#)
    let seed = ["seed", "doc", "--schema", "schema.json", "--to", format, "--from"]
    #expect(try await ToolRun.ferry(seed + ["old.json"]).status == 0)
    let run = try await ToolRun.ferry(seed + ["new.json", "--merge"])
    #expect(run.output == "doc: already has all records\n", "\(run.errors)")
    // Two such keys in one seed are a repeated key.
    try directory.write("both.json", #"[{"k":\#(key.old),"v":"1"},{"k":\#(key.new),"v":"2"}]"#)
    let both = try await ToolRun.ferry(seed + ["both.json", "--merge"])
    #expect(both.status == 1)
    #expect(both.errors.contains("this record and [0] have the same k, "), "\(both.errors)")
  }

  @Test func `A merge compares keys by the value of their type`() async throws {
    try directory.write("schema.json", schema("uuid"))
    try directory.write("base.json", #"[{"k":"E621E1F8-C36C-495A-93FC-0C247A3E6E5F","v":"1"}]"#)
    try directory.write("ours.json", #"[{"k":"e621e1f8-c36c-495a-93fc-0c247a3e6e5f","v":"1"}]"#)
    try directory.write("theirs.json", #"[{"k":"E621E1F8-C36C-495A-93FC-0C247A3E6E5F","v":"2"}]"#)
    let run = try await ToolRun.ferry(
      "merge", "base.json", "ours.json", "theirs.json", "--schema", "schema.json", "-o", "out.json")
    expectQuiet(run)
    let text = try directory.text("out.json")
    #expect(text.contains(#"[{"k":"e621e1f8-c36c-495a-93fc-0c247a3e6e5f","v":"2"}]"#), "\(text)")
  }

  @Test func `XML without a schema is merged as its list of records`() async throws {
    try directory.write("two.xml", #"<plants><plant id="1"/><plant id="2"/></plants>"#)
    try directory.write("three.xml", #"<plants><plant id="2"/><plant id="3"/></plants>"#)
    let merge = ["--merge", "--key", "@id"]
    let made = try await ToolRun.ferry(["seed", "a.json", "--from", "two.xml"] + merge)
    #expect(made.output == "a.json: created with 2 records\n", "\(made.errors)")
    let same = try await ToolRun.ferry(["seed", "a.json", "--from", "two.xml"] + merge)
    #expect(same.output == "a.json: already has all records\n", "\(same.errors)")
    let added = try await ToolRun.ferry(["seed", "a.json", "--from", "three.xml"] + merge)
    #expect(added.output.hasPrefix("a.json: added 1 record\n"), "\(added.errors)")
    let lines = try await ToolRun.ferry("convert", "a.json", "--to", "jsonl")
    #expect(lines.output == #"{"@id":"1"}"# + "\n" + #"{"@id":"2"}"# + "\n" + #"{"@id":"3"}"# + "\n")
    // XML without a schema has no list to which records can be added.
    let xml = try await ToolRun.ferry(["seed", "two.xml", "--from", "three.xml"] + merge)
    #expect(xml.status == 1)
    #expect(xml.errors.hasPrefix("two.xml: expected a list of records"), "\(xml.errors)")
    #expect(xml.errors.contains("use --schema FILE"), "\(xml.errors)")
  }
}
