import TestSupport
import Testing

/// A file with an error, and the location that the error must have.
struct MisplacedValue: Sendable, CustomTestStringConvertible {
  let name: String
  let text: String
  let location: String
  /// The location if the conversion ends at the error, and the input is a pipe, which cannot be read again.
  let end: String
  var testDescription: String { name }

  init(_ name: String, _ text: String, at location: String, end: String? = nil) {
    (self.name, self.text, self.location, self.end) = (name, text, location, end ?? location)
  }
}

/// Errors in values that a conversion keeps before it checks them, or that do not end it.
@Suite(.temporaryDirectory) struct `Source locations of errors` {
  private func schema(isVersioned: Bool) -> String {
    let collection =
      isVersioned ? #""version":2,"collection":{"element":"things","key":"things","version":"version"}"# : ""
    return """
      {"ferry":1,"name":"thing",\(isVersioned ? collection : #""collection":{"element":"things"}"#),
      "record":{"element":"thing","class":"Thing"},"fields":[{"name":"n","type":"integer"}]}
      """
  }

  static let versioned = [
    MisplacedValue("a.json", "{\"version\": 2, \"things\": [\n  {\"n\": 1},\n  {\"n\": \"x\"}]}", at: "3:9"),
    MisplacedValue(
      "a.xml",
      "<things version='2'>\n  <thing><n>1</n></thing>\n  <thing><n>x</n>\n  </thing>\n</things>", at: "3:10"),
    MisplacedValue(
      "a.plist",
      """
      <plist version="1.0"><dict><key>version</key><integer>2</integer><key>things</key><array>
      <dict><key>n</key><integer>1</integer></dict>
       <dict><key>n</key><string>é</string></dict></array></dict></plist>
      """, at: "3:20"),
  ]

  static let records = [
    MisplacedValue("a.json", "[{\"n\": 1},\n  {\"n\": \"é\"}\n]", at: "2:9", end: "2:12"),
    MisplacedValue("a.jsonl", "{\"n\": 1}\n\n{\"n\": \"é\"}\n", at: "3:7", end: "3:10"),
    MisplacedValue("a.xml", "<things><thing><n>1</n></thing>\n <thing><n>é</n></thing></things>", at: "2:9"),
    MisplacedValue(
      "a.plist",
      """
      <plist version="1.0"><array><dict><key>n</key><integer>1</integer></dict>
      <dict><key>n</key>
      <string>é</string></dict></array></plist>
      """, at: "3:1", end: "3:19"),
  ]

  /// Schemas that are wrong: the location is that of the value, and of a missing key that of the object.
  static let wrongSchemas = [
    MisplacedValue("a.json", "\n  {\"name\": \"x\", \"fields\": []}", at: "2:3"),
    MisplacedValue(
      "b.json", "{\"ferry\": 1, \"name\": \"x\",\n \"fields\": [{\"name\": \"a\"},\n  {\"typ\": 1}]}",
      at: "3:11"),
    MisplacedValue(
      "c.json", "{\"ferry\": 1, \"name\": \"x\", \"fields\": [\n  {\"name\": \"a\", \"type\": \"txt\"}]}",
      at: "2:25"),
    MisplacedValue(
      "d.json", "{\"ferry\": 1, \"name\": \"x\", \"fields\": [\n  {\"type\": \"real\"}]}", at: "2:3"),
    MisplacedValue("a.yaml", "ferry: 1\nname: x\nfields:\n  - name: a\n    optional: maybe\n", at: "5:15"),
    MisplacedValue(
      "a.plist",
      """
      <plist version="1.0"><dict><key>ferry</key><integer>1</integer><key>name</key>
      <string></string><key>fields</key><array/></dict></plist>
      """, at: "2:1"),
  ]

  @Test(arguments: wrongSchemas)
  func `An error in a schema is at its value, or at the object that lacks a key`(_ file: MisplacedValue)
    async throws
  {
    try directory.write(file.name, file.text)
    let run = try await ToolRun.ferry("schema", "show", file.name)
    #expect(run.errors.hasPrefix("\(file.name):\(file.location): invalid schema: "), "\(run.errors)")
    try directory.write("records.json", "[]")
    let check = try await ToolRun.ferry("check", "records.json", "--schema", file.name, "--explain")
    let lines = check.errors.split(separator: "\n")
    #expect(check.errors.hasPrefix("\(file.name):\(file.location): ") && lines.count == 3, "\(check.errors)")
  }

  @Test func `An error in an XML schema, a class file and a file of document types has a line`() async throws
  {
    try directory.write(
      "a.xml",
      "<schema><ferry>1</ferry><name>x</name>\n<fields><name>a</name><type>txt</type></fields></schema>")
    try directory.write("classes.json", "{\"ferry\": 1,\n\"classes\": [{\"class\": 7}]}")
    try directory.write("types.json", "{\"ferry\": 1,\n\"types\": []}")
    try directory.write("records.json", "[]")
    for (option, name) in [("schema", "a.xml"), ("classes", "classes.json"), ("types", "types.json")] {
      let run = try await ToolRun.ferry("convert", "records.json", "--to", "json", "--\(option)", name)
      #expect(run.status == 1 && run.errors.hasPrefix("\(name):2:"), "\(run.errors)")
    }
  }

  @Test(arguments: versioned, [[], ["--keep-going"]])
  func `The source location of an error names a record of a versioned collection`(
    _ file: MisplacedValue, _ options: [String]
  ) async throws {
    try directory.write("schema.json", schema(isVersioned: true))
    try directory.write(file.name, file.text)
    let run = try await ToolRun.ferry(
      ["convert", file.name, "--to", "json", "--schema", "schema.json", "-q"] + options)
    #expect(run.status == 1)
    #expect(run.errors.hasPrefix("\(file.name):\(file.location): "))
    #expect(run.errors.hasSuffix("(at things[1].n)\n"))
    #expect(run.output == (options.isEmpty ? "" : #"{"version":2,"things":[{"n":1}]}"# + "\n"))
  }

  @Test(arguments: [false, true])
  func `A seed and a merge locate an error in a record as a conversion does`(_ isVersioned: Bool) async throws
  {
    try directory.write("schema.json", schema(isVersioned: isVersioned))
    for file in isVersioned ? Self.versioned : Self.records {
      try directory.write(file.name, file.text)
      for arguments in [
        ["seed", "new.json", "--from", file.name], ["seed", "new.xml", "--from", file.name],
        ["merge", file.name, file.name, file.name],
      ] {
        let run = try await ToolRun.ferry(arguments + ["--schema", "schema.json"])
        #expect(run.status == 1)
        #expect(run.errors.hasPrefix("\(file.name):\(file.location): "), "\(arguments): \(run.errors)")
      }
    }
  }

  @Test(arguments: [
    ("a.json", "[\n  {\"n\": 1},\n  {\n  \"n\": 1}]", "3:3"),
    ("a.jsonl", "{\"n\": 1}\n\n{\"n\": 1}\n", "3:1"),
    ("a.xml", "<things>\n<thing>\n<n>1</n></thing>\n <thing>\n<n>1</n></thing></things>", "4:2"),
  ])
  func `The second of two records with the same key is located at its beginning`(
    _ name: String, _ text: String, _ location: String
  ) async throws {
    try directory.write("schema.json", schema(isVersioned: false))
    try directory.write(name, text)
    let run = try await ToolRun.ferry(
      "seed", "new.plist", "--from", name, "--schema", "schema.json", "--key", "n")
    #expect(run.status == 1)
    #expect(
      run.errors == "\(name):\(location): this record and [0] have the same n, 1 (at [1].n)\n",
      "\(run.errors)")
  }

  @Test(arguments: records)
  func `The source location of an error names a record that is left out when classes are renamed`(
    _ file: MisplacedValue
  ) async throws {
    try directory.write("schema.json", schema(isVersioned: false))
    try directory.write(file.name, file.text)
    let run = try await ToolRun.ferry([
      "convert", file.name, "--to", "archive-xml", "--schema", "schema.json", "-q", "--keep-going", "--class",
      "Thing=Renamed",
    ])
    #expect(run.status == 1)
    #expect(run.errors.hasPrefix("\(file.name):\(file.location): "))
    #expect(run.output.contains("<string>Renamed</string>"))
  }

  @Test(arguments: records, [[], ["--keep-going"]])
  func `The source location of an error names a record that is left out`(
    _ file: MisplacedValue, _ options: [String]
  ) async throws {
    try directory.write("schema.json", schema(isVersioned: false))
    try directory.write(file.name, file.text)
    let run = try await ToolRun.ferry(
      ["convert", file.name, "--to", "json", "--schema", "schema.json", "-q"] + options)
    #expect(run.status == 1)
    #expect(run.errors.hasPrefix("\(file.name):\(file.location): "), "\(run.errors)")
    #expect(run.output == (options.isEmpty ? "" : #"[{"n":1}]"# + "\n"))
  }

  @Test(arguments: records)
  func `The location of an error in standard input names the record`(_ file: MisplacedValue) async throws {
    try directory.write("schema.json", schema(isVersioned: false))
    let format = file.name.hasSuffix("plist") ? "plist-xml" : String(file.name.dropFirst(2))
    let run = try await ToolRun.ferry(
      "convert", "-", "--from", format, "--to", "json", "--schema", "schema.json", "-q",
      input: file.text)
    #expect(run.status == 1)
    #expect(run.errors.hasPrefix("standard input:\(file.end): "), "\(run.errors)")
  }

  @Test(arguments: ["convert --to json", "convert --to json --keep-going", "schema check"])
  func `The location of an error in a binary property list is the object with the wrong value`(
    _ command: String
  ) async throws {
    try directory.write("schema.json", schema(isVersioned: false))
    try directory.write("a.json", #"[{"n": 1}, {"n": "wrong"}]"#)
    _ = try await ToolRun.ferry("convert", "a.json", "--to", "plist-binary", "-o", "a.plist", "-q")
    let words = command.split(separator: " ").map(String.init)
    let verbs = words[0] == "schema" ? 2 : 1
    let run = try await ToolRun.ferry(
      Array(words[..<verbs]) + ["a.plist", "--schema", "schema.json", "-q"] + words[verbs...])
    #expect(run.status == 1)
    let location = try #require(
      run.errors.firstMatch(of: /^a\.plist: byte (\d+), object \d+: expected an integer/))
    let byte = try #require(Int(location.1))
    #expect(try directory.bytes("a.plist")[byte...].starts(with: [0x55] + Array("wrong".utf8)))
  }

  @Test func `The location of an error in an archive is the object of the record`() async throws {
    try directory.write("schema.json", schema(isVersioned: false))
    try directory.write("wrong.schema.json", schema(isVersioned: false).replacing("integer", with: "date"))
    try directory.write("a.json", #"[{"n": 1}, {"n": 2}]"#)
    let archive = try await ToolRun.ferry(
      "convert", "a.json", "--to", "archive", "-o", "a.archive", "-q", "--schema", "schema.json")
    #expect(archive.status == 0)
    for command in [
      ["convert", "--to", "json"], ["convert", "--to", "json", "--keep-going"], ["schema", "check"],
    ] {
      let run = try await ToolRun.ferry(command + ["a.archive", "--schema", "wrong.schema.json", "-q"])
      #expect(run.status == 1)
      #expect(run.errors.contains(/^a\.archive: byte \d+, object \d+: .* \(at \[0\]\.n\)/), "\(run.errors)")
    }
  }

  static let inside = [
    MisplacedValue(
      "nested.json",
      """
      [{"n": 1, "tags": ["a", "b"], "home": {"zip": 1}},
       {"n": 1,
        "tags": ["a", ["b"]], "home": {"zip": 1}}]
      """, at: "3:17"),
    MisplacedValue(
      "record.json",
      """
      [{"n": 1, "tags": [], "home": {"zip": 1}}, {"n": 2,
       "tags": [],
       "home": {"zip": "x"}, "more": 1}]
      """, at: "3:18"),
    MisplacedValue(
      "missing.json",
      """
      [{"n": 1, "tags": [], "home": {"zip": 1}}, {"n": 2,
       "tags": [],
       "home": {}}]
      """, at: "3:10"),
    MisplacedValue(
      "record.xml",
      """
      <things><thing><n>1</n><tags/><home>
        <zip>x</zip></home></thing></things>
      """, at: "2:3"),
    MisplacedValue(
      "attribute.xml", "<things>\n<thing>\n<n>1</n><tags/><home kind='1'>\n</home></thing></things>",
      at: "3:16"),
    MisplacedValue("record.yaml", "- n: 1\n  tags: []\n  home:\n    zip: x\n", at: "4:10"),
  ]

  @Test(arguments: inside) func `A check of a schema names the location of a value inside a record`(
    _ file: MisplacedValue
  ) async throws {
    try directory.write(
      "schema.json",
      """
      {"ferry":1,"name":"thing","collection":{"element":"things"},"fields":[{"name":"n","type":"integer"},
      {"name":"tags","type":"list","items":{"element":"tag"}},
      {"name":"home","type":"record","fields":[{"name":"zip","type":"integer"}]}]}
      """)
    try directory.write(file.name, file.text)
    let run = try await ToolRun.ferry("schema", "check", file.name, "--schema", "schema.json", "-q")
    #expect(run.status == 1)
    #expect(run.errors.hasPrefix("\(file.name):\(file.location): "), "\(run.errors)")
    let conversion = try await ToolRun.ferry(
      "convert", file.name, "--schema", "schema.json", "--to", "jsonl", "-q")
    #expect(conversion.status == 1)
    #expect(conversion.errors.hasPrefix("\(file.name):\(file.location): "), "\(conversion.errors)")
  }

  static let typed = [
    MisplacedValue("reference.json", "{\"$ferry\":1,\n\"$value\":[1,\n {\"$ref\":9}]}", at: "3:3"),
    MisplacedValue("set.json", "{\"$ferry\":1,\n\"$value\":[\"é\",{\"$set\":9}]}", at: "2:16"),
    MisplacedValue(
      "archive.json",
      "{\"$ferry\":1,\"$archiver\":\"NSKeyedArchiver\",\"$top\":{\"root\":[\n  {\"$ref\":7}]}}", at: "2:4"),
    MisplacedValue(
      "tag.json",
      "{\"$ferry\":1,\"$archiver\":\"NSKeyedArchiver\",\"$top\":{\"root\":[\n  {\"$bad\":7}]}}", at: "2:4"),
    MisplacedValue("date.json", "{\"$ferry\":1,\n\"$value\":{\"$date\":\"x\"}}", at: "2:19"),
    MisplacedValue(
      "reference.xml",
      """
      <map xmlns="http://www.w3.org/2005/xpath-functions"><number key="$ferry">1</number>
        <array key="$value">
         <map><number key="$ref">9</number></map></array></map>
      """, at: "3:9"),
    MisplacedValue(
      "reference.plist",
      """
      <plist version="1.0"><dict><key>$ferry</key><integer>1</integer>
      <key>$value</key><array>
       <dict><key>$ref</key><integer>9</integer></dict></array></dict></plist>
      """, at: "3:8"),
  ]

  @Test(arguments: typed) func `The source location of an error names a value in the typed representation`(
    _ file: MisplacedValue
  )
    async throws
  {
    try directory.write(file.name, file.text)
    let run = try await ToolRun.ferry("convert", file.name, "--to", "plist-binary", "-o", "x.plist")
    #expect(run.status == 1)
    #expect(run.errors.hasPrefix("\(file.name):\(file.location): "))
  }

  @Test(arguments: [
    "get FILE", "get FILE a", "set FILE c 1", "insert FILE c 1", "remove FILE a", "diff FILE good.json",
    "diff good.json FILE",
  ]) func `An error in a text has the path of the value`(_ command: String) async throws {
    try directory.write("good.json", #"{"a":{"b":1}}"#)
    try directory.write("bad.json", #"{"a":{"b":tru}}"#)
    try directory.write("bad.jsonl", "{\"a\":1}\n{\"a\":tru}\n")
    try directory.write(
      "bad.plist", "<plist><dict><key>a</key><array><integer>x</integer></array></dict></plist>")
    for (name, path) in [("bad.json", "a.b"), ("bad.jsonl", "[1].a"), ("bad.plist", "a[0]")] {
      let run = try await ToolRun.shell("ferry \(command.replacing("FILE", with: name))")
      #expect(run.errors.hasPrefix("\(name):"), "\(run.errors)")
      #expect(run.errors.hasSuffix(" (at \(path))\n"), "\(run.errors)")
    }
  }

  @Test func `An error in a row that is compared has its path`() async throws {
    try directory.write("a.csv", "a,b\n1,2\n3\n")
    try directory.write("b.csv", "a,b\n1,2\n")
    let run = try await ToolRun.ferry("diff", "b.csv", "a.csv")
    #expect(run.errors.hasPrefix("a.csv:3:1: ") && run.errors.hasSuffix(" (at [1])\n"), "\(run.errors)")
  }
}
