import Foundation
import TestSupport
import Testing

@Suite(.temporaryDirectory) struct `A built-in schema` {
  /// XML that has the names of a built-in schema and is not of its kind, and why.
  static let others = [
    ("<items><item><name>Pen</name></item></items>", "item", "the item has no dateCreated"),
    (
      "<items><item><name>Pen</name><dateCreated>today</dateCreated><itemKey>k</itemKey><valueInDollars>1"
        + "</valueInDollars></item></items>", "item",
      "expected a date such as 2014-06-01T09:30:00Z in the field dateCreated, found \"today\""
    ),
    (
      "<people version=\"3\"><person><firstName>A</firstName><lastName>B</lastName></person></people>",
      "person",
      "<people> has the attribute version"
    ),
    (
      "<people><person id=\"7\"><firstName>A</firstName><lastName>B</lastName></person></people>", "person",
      "<person> has the attribute id"
    ),
    (
      "<people><person><firstName>A</firstName><lastName>B</lastName><age>7</age></person></people>",
      "person",
      "<person> has an element <age>"
    ),
    (
      "<people><person><firstName><b>A</b></firstName><lastName>B</lastName></person></people>", "person",
      "expected only text in this element, found <b>"
    ),
    ("<item><name>Pen</name></item>", "item", "the item has no dateCreated"),
    (
      "<people xmlns=\"urn:x\"><person><firstName>A</firstName><lastName>B</lastName></person></people>",
      "person", "<people> declares the namespace \"urn:x\""
    ),
    (
      "<people><person><firstName>A</firstName><x:lastName xmlns:x=\"urn:x\">B</x:lastName></person></people>",
      "person", "<lastName> declares the namespace \"urn:x\""
    ),
    (
      "<people><person><firstName lang=\"en\">A</firstName><lastName>B</lastName></person></people>",
      "person",
      "<firstName> has the attribute lang"
    ),
  ]

  @Test func `A note that many files have is written for the first of them, with the number of the others`()
    async throws
  {
    try directory.makeDirectory("in")
    for name in ["a", "b", "c", "d", "e"] {
      try directory.write("in/\(name).xml", "<people><person><firstName>Ada</firstName></person></people>")
    }
    let note = "read by convention and not by the built-in schema person: the person has no lastName"
    let convert = ["convert", "-r", "in", "--to", "json", "--out-dir", "out", "--report", "r.json"]
    let first = ["a", "b", "c"].map { "in/\($0).xml: \(note)\n" }.joined()
    let run = try await ToolRun.ferry(convert)
    #expect(run.errors == "\(first)2 more files: \(note)\n5 converted, 0 failed\n", "\(run)")
    #expect(try await ToolRun.ferry("get", "r.json", "notes", "--count").output == "5\n")
    expectQuiet(try await .ferry(convert + ["-q", "--force"]))
  }

  @Test func `Losses of many files are written for the first of them, and at the end for the others`()
    async throws
  {
    try directory.makeDirectory("in")
    for (index, name) in ["a", "b", "c", "d", "e", "f"].enumerated() {
      let data = String(repeating: "<data>QQ==</data>", count: index + 1)
      try directory.write("in/\(name).plist", "<plist version=\"1.0\"><array>\(data)</array></plist>")
      try directory.write("in/\(name).json", "[{}]")
    }
    let convert = ["convert", "-r", "in", "--include", "*.plist", "--to", "json", "--out-dir", "out"]
    let run = try await ToolRun.ferry(convert + ["--report", "r.json"])
    let loss = "not exact: data becomes Base64 text"
    #expect(
      run.errors == """
        in/a.plist: \(loss) (1); --form typed keeps dates, data and classes
        in/b.plist: \(loss) (2)
        in/c.plist: \(loss) (3)
        3 more files: \(loss) (15)
        6 converted, 0 failed

        """, "\(run)")
    #expect(try await ToolRun.ferry("get", "r.json", "counts", "--count").output == "6\n")
    #expect(try await ToolRun.ferry("get", "r.json", "losses", "--count").output == "21\n")
    let empty = try await ToolRun.ferry(
      "convert", "-r", "in", "--include", "*.json", "--to", "json", "--out-dir", "empty", "--select", "x")
    let first = ["a", "b", "c"].map { "in/\($0).json: nothing matches --select\n" }.joined()
    #expect(
      empty.errors == first + "3 more files: nothing matches --select\n6 converted, 0 failed\n", "\(empty)"
    )
  }

  @Test(arguments: others)
  func `A built-in schema does not take XML of another kind, and says so`(
    _ text: String, _ schema: String, _ why: String
  )
    async throws
  {
    try directory.write("a.xml", text)
    // The schema is advised only if it reads the file.
    let requested = try await ToolRun.ferry("convert", "a.xml", "--to", "json", "--schema", schema)
    let advice = requested.status == 0 ? " (--schema \(schema) reads it so)" : ""
    #expect(advice.isEmpty == (why.contains(" has no ") || why.contains("expected")), "\(requested.errors)")
    let words = "a.xml: read by convention and not by the built-in schema \(schema): \(why)\(advice)\n"
    let json = try await ToolRun.ferry("convert", "a.xml", "-o", "a.json", "--strict")
    #expect(json.status == 0)
    #expect(json.errors == words)
    let convention = try await ToolRun.ferry("convert", "a.xml", "--to", "json", "--schema", "none")
    #expect(try directory.text("a.json") == convention.output)
    let back = try await ToolRun.shell("ferry convert a.xml --to xml -q; ferry convert a.json --to xml")
    expectQuiet(back)
    for attribute in ["version=\"3\"", "id=\"7\""] where text.contains(attribute) {
      #expect(back.output.components(separatedBy: attribute).count == 3)
    }
    let show = try await ToolRun.ferry("show", "a.xml")
    #expect(show.status == 0)
    #expect(show.errors == words)
    expectQuiet(try await .ferry("convert", "a.xml", "--to", "json", "-q"))
  }

  @Test(arguments: [
    "<firstName>A</firstName>", "<firstName>A</firstName><firstName>B</firstName><lastName>C</lastName>",
    "<firstName>A<b/></firstName><lastName>C</lastName>",
  ])
  func `A built-in schema is not advised if it would refuse the first record for another reason`(
    _ contents: String
  ) async throws {
    let record = "<person id=\"7\">\(contents)</person>"
    for text in [record, "<people>\(record)</people>"] {
      try directory.write("a.xml", text)
      let run = try await ToolRun.ferry("convert", "a.xml", "--to", "json")
      #expect(
        run.errors
          == "a.xml: read by convention and not by the built-in schema person: <person> has the attribute id\n"
      )
    }
  }

  @Test(arguments: [
    "<people><person id=\"7\"><firstName/><lastName>C</lastName><x><y/></x></person><person/></people>",
    "<people><person id=\"7\"><lastName><![CDATA[C]]></lastName><x/><x/><firstName/></person></people>",
    "<person id=\"7\"><firstName>A</firstName><lastName>C</lastName><a_x005F_b/></person>",
  ])
  func `A built-in schema is advised if the first record has all of its fields once`(_ text: String)
    async throws
  {
    try directory.write("a.xml", text)
    let run = try await ToolRun.ferry("convert", "a.xml", "--to", "json")
    #expect(run.errors.hasSuffix("<person> has the attribute id (--schema person reads it so)\n"), "\(run)")
  }

  @Test(arguments: [
    ("<people>hello<person><firstName>A</firstName><lastName>B</lastName></person></people>", "people"),
    ("<people><person><firstName>A</firstName><lastName>B</lastName>text</person></people>", "person"),
    ("<person><firstName>A</firstName>text<lastName>B</lastName></person>", "person"),
  ])
  func `A built-in schema does not read XML with text beside elements, which keeps its text`(
    _ text: String, _ element: String
  )
    async throws
  {
    try directory.write("a.xml", text)
    let run = try await ToolRun.ferry("convert", "a.xml", "--to", "json")
    #expect(run.status == 0)
    #expect(run.errors.contains("<\(element)> has text beside its elements (--schema person reads it so)\n"))
    #expect(
      run.output.contains("\"#content\":[")
        && run.output.contains(element == "people" ? #""hello""# : #""text""#))
  }

  @Test func `The first record decides on a built-in schema, and a later one that breaks it is an error`()
    async throws
  {
    try directory.write(
      "a.xml",
      "<people><person><firstName>A</firstName><lastName>B</lastName></person><person><firstName>C</firstName></person></people>"
    )
    let run = try await ToolRun.ferry("convert", "a.xml", "-o", "a.json")
    #expect(run.status == 1)
    #expect(
      run.errors
        == "a.xml:1:72: the person has no lastName (the built-in schema person asks for it; --schema none reads the file by convention) (at [1])\n"
    )
    #expect(try await ToolRun.ferry("convert", "a.xml", "--to", "json", "--schema", "none").status == 0)
  }

  @Test func `A built-in schema takes unknown fields along with the record`() async throws {
    let text = """
      <people><person id="7"><firstName>A</firstName><lastName>B</lastName><phone kind="home">1</phone>\
      <phone>2</phone><home><city>X</city></home></person></people>
      """
    try directory.write("a.xml", text)
    let run = try await ToolRun.shell(
      """
      ferry convert a.xml --schema person --to jsonl --strict -o a.jsonl && cat a.jsonl || exit 2
      ferry convert a.xml --schema person -o b.xml --strict && ferry convert b.xml --schema person --to jsonl | cmp - a.jsonl || exit 3
      ferry convert a.jsonl --schema person --to xml --strict | cmp - b.xml
      """)
    expectQuiet(run)
    #expect(
      run.output == """
        {"firstName":"A","lastName":"B","@id":"7","phone":[{"@kind":"home","#text":"1"},"2"],"home":{"city":"X"}}

        """)
  }

  @Test func `A built-in schema is found in the first records of a stream`() async throws {
    let head = "<people>" + String(repeating: " ", count: 70_000)
    let run = try await ToolRun.ferry(
      "convert", "--to", "json",
      input: head + "<person><firstName>A</firstName><lastName>B</lastName></person></people>")
    #expect(run.status == 0)
    // Nothing of a record is in the bytes that are looked at.
    #expect(run.output == "{\"people\":{\"person\":{\"firstName\":\"A\",\"lastName\":\"B\"}}}\n")
    let long = String(repeating: "x", count: 70_000)
    let cut = try await ToolRun.ferry(
      "convert", "--to", "jsonl",
      input: "<people><person><firstName>\(long)</firstName><lastName>B</lastName></person></people>")
    #expect(cut.status == 0)
    #expect(cut.output == "{\"firstName\":\"\(long)\",\"lastName\":\"B\"}\n")
  }

  /// The typed form of an archive with this root.
  private func archive(_ name: String, _ root: String) async throws {
    try directory.write(
      "\(name).json", #"{"$ferry":1,"$archiver":"NSKeyedArchiver","$top":{"root":\#(root)}}"#)
    expectQuiet(try await .shell("ferry convert \(name).json --to archive -o \(name).archive --force"))
  }

  @Test(arguments: [
    #"{"ada":{"$class":"Person","first":"A","last":"L"},"bob":{"$class":"Person","first":"B","last":"M"}}"#,
    #"{"bob":1,"ada":{"$class":"Person","first":"A","last":"L"}}"#,
    #"{"a":{"$class":"Item","title":"x"}}"#,
    #"{"$class":"NSMutableDictionary","$entries":{"ada":{"$class":"MyWhatsit","name":"A"}}}"#,
    #"{"$class":"Group","NS.objects":[{"$class":"Person","first":"A","last":"L"}]}"#,
  ])
  func `A built-in schema does not take an archive whose root is neither a record nor a list of records`(
    _ root: String
  ) async throws {
    try await archive("a", root)
    let convention = try await ToolRun.ferry("convert", "a.archive", "--to", "json", "--schema", "none")
    for options in [[], ["--keep-going"]] {
      let run = try await ToolRun.ferry(["convert", "a.archive", "--to", "json"] + options)
      #expect(run.output == convention.output)
      #expect(run.errors == convention.errors)
      #expect(run.status == 0)
    }
  }

  @Test(arguments: [
    (#"[{"$class":"Item","title":"x"}]"#, "item", "the item has no name"),
    (#"{"$class":"My.Item","name":"x"}"#, "item", "the item has no dateCreated"),
    (
      #"{"$class":"NSMutableArray","$items":[{"$class":"Person","first":null,"last":"L"}]}"#, "person",
      "the person has no firstName"
    ),
    (
      #"{"$class":"NSSet","$items":[{"$class":"MyWhatsit","location":"L"}]}"#, "whatsit",
      "the whatsit has no name"
    ),
  ])
  func `A built-in schema does not take an archive of another app's records, and says so`(
    _ root: String, _ schema: String, _ why: String
  ) async throws {
    try await archive("a", root)
    let run = try await ToolRun.ferry("convert", "a.archive", "--to", "json", "-o", "a.out")
    #expect(run.status == 0)
    #expect(
      run.errors.hasPrefix(
        "a.archive: read by convention and not by the built-in schema \(schema): \(why)\n"))
    let convention = try await ToolRun.ferry("convert", "a.archive", "--to", "json", "--schema", "none")
    #expect(try directory.text("a.out") == convention.output)
    #expect(try await ToolRun.ferry("convert", "a.archive", "--to", "json", "--schema", schema).status == 1)
  }

  @Test func `A built-in schema is named if a later record of an archive breaks it`() async throws {
    try await archive("a", #"[{"$class":"Person","first":"A","last":"L"},{"$class":"Person","first":"B"}]"#)
    expectFailure(
      try await .ferry("convert", "a.archive", "--to", "json"),
      "a.archive: byte 203, object 33: the person has no lastName (the built-in schema person asks for it; "
        + "--schema none reads the file by convention) (at [1])")
  }

  @Test func `A single record that breaks a built-in schema is an error of its own, also with --keep-going`()
    async throws
  {
    for (name, text, problem) in [
      ("a.json", #"{"a":1}"#, "a.json:1:1: the person has no firstName"),
      ("a.xml", "<person><firstName>A</firstName></person>", "a.xml:1:1: the person has no lastName"),
    ] {
      try directory.write(name, text)
      expectFailure(
        try await .ferry("convert", name, "--schema", "person", "--keep-going", "--to", "json"), problem)
    }
  }
}
