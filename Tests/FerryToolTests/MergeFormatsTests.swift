import TestSupport
import Testing

@Suite(.temporaryDirectory) struct `Merges of versions that hold other kinds of values` {
  fileprivate static let theirRecords =
    #"[{"id":1,"n":"a"},{"id":2,"n":"by"},{"id":3,"n":"c"}]"#
  fileprivate static let theirPropertyList =
    "<plist><array>"
    + [
      "1</integer><key>n</key><string>a", "2</integer><key>n</key><string>by",
      "3</integer><key>n</key><string>c",
    ]
    .map { "<dict><key>id</key><integer>\($0)</string></dict>" }.joined() + "</array></plist>"

  @Test(arguments: [
    (
      "id: 1 # a\n---\nid: 2\n---\nid: 3 # c\n", "id: 1 # a\n---\nid: 3 # c\n", "id: 2\n---\nid: 3 # c\n",
      "id: 3 # c\n"
    ),
    (
      "id: 1\n---\nid: 2\n---\nid: 3\n---\nid: 4\n", "id: 1\n---\nid: 3\n---\nid: 4\n",
      "id: 2\n---\nid: 3\n---\nid: 4\n", "id: 3\n---\nid: 4\n"
    ),
  ])
  func `The documents that both sides leave in a file of several are written as they were`(
    _ base: String, _ ours: String, _ theirs: String, _ merged: String
  ) async throws {
    for (name, text) in [("b.yaml", base), ("o.yaml", ours), ("t.yaml", theirs)] {
      try directory.write(name, text)
    }
    let run = try await ToolRun.ferry("merge", "b.yaml", "o.yaml", "t.yaml")
    #expect(run.status == 0, "\(run.errors)")
    #expect(run.errors.isEmpty)
    #expect(run.output == merged)
  }

  @Test(arguments: [
    ("a: 1\n", "a: 1\n---\nb: 2\n", "a: 1\n---\nc: 3\n", "a: 1\n---\nb: 2\n---\nc: 3\n"),
    ("a: 1\n---\nb: 2\n", "a: 1\n", "a: 1\n---\nb: 2\n---\nc: 3\n", "a: 1\n---\nc: 3\n"),
    ("a: 1\n---\nb: 2\n", "a: 1\n---\nb: 2\n---\nc: 3\n", "a: 1\n", "a: 1\n---\nc: 3\n"),
    ("a: 1\n", "a: 9\n", "a: 1\n---\nc: 3\n", "a: 9\n---\nc: 3\n"),
  ])
  func `A file of one document is merged as a list of documents if another version has several`(
    _ base: String, _ ours: String, _ theirs: String, _ merged: String
  ) async throws {
    for (name, text) in [("b.yaml", base), ("o.yaml", ours), ("t.yaml", theirs)] {
      try directory.write(name, text)
    }
    let run = try await ToolRun.ferry("merge", "b.yaml", "o.yaml", "t.yaml")
    expectQuiet(run)
    #expect(run.output == merged)
  }

  @Test
  func `A list of records by a schema keeps its comments in a merge with versions of several documents`()
    async throws
  {
    try directory.write(
      "s.json", #"{"ferry": 1, "name": "b", "fields": [{"name": "n"}, {"name": "v", "type": "integer"}]}"#)
    try directory.write("b.yaml", "n: a\nv: 1\n---\nn: b\nv: 2\n")
    try directory.write("o.yaml", "# note\n- n: a # one\n  v: 1\n")
    try directory.write("t.yaml", "n: a\nv: 9\n---\nn: b\nv: 2\n")
    let run = try await ToolRun.ferry("merge", "--schema", "s.json", "b.yaml", "o.yaml", "t.yaml")
    expectQuiet(run)
    #expect(run.output == "# note\n- n: a # one\n  v: 9\n")
  }

  @Test func `A file of several documents is empty if the two sides together remove all`() async throws {
    try directory.write("b.yaml", "id: 1\n---\nid: 2\n---\nid: 3\n---\nid: 4\n")
    try directory.write("o.yaml", "id: 1\n---\nid: 2\n")
    try directory.write("t.yaml", "id: 3\n---\nid: 4\n")
    let run = try await ToolRun.ferry("merge", "b.yaml", "o.yaml", "t.yaml")
    #expect(run.status == 0, "\(run.errors)")
    #expect(!run.output.contains("["))
    #expect(!run.output.contains("id"))
  }

  /// Ours has changed the first record. Theirs has changed the second one and added another, in a format in which the keys are numbers.
  @Test(arguments: [
    ("csv", "id,n\n1,a\n2,b\n", "json", theirRecords),
    ("tsv", "id\tn\n1\ta\n2\tb\n", "json", theirRecords),
    ("csv", "id,n\n1,a\n2,b\n", "plist", theirPropertyList),
    ("plist", "({id=1;n=a;},{id=2;n=b;})\n", "json", theirRecords),
    ("plist", "({id=1;n=a;},{id=2;n=b;})\n", "plist", theirPropertyList),
    (
      "xml", "<r><p><id>1</id><n>a</n></p><p><id>2</id><n>b</n></p></r>\n", "json",
      #"{"r":{"p":\#(theirRecords)}}"#
    ),
  ])
  func `Numbers of theirs are the texts that the format of ours has for them`(
    _ ours: String, _ base: String, _ theirs: String, _ their: String
  ) async throws {
    try directory.write("b.\(ours)", base)
    let old = ["<n>a", "n=a", "1,a", "1\ta"].first { base.contains($0) } ?? ""
    try directory.write("o.\(ours)", base.replacing(old, with: "\(old)x"))
    try directory.write("t.\(theirs)", their)
    let merge = ["merge", "b.\(ours)", "o.\(ours)", "t.\(theirs)", "-o", "m.\(ours)", "--force"]
    let key: [String] = ours == "xml" ? [] : ["--key", "id"]
    let favors: [[String]] = [[], ["--favor", "ours"], ["--favor", "theirs"]]
    for favor in favors {
      let run = try await ToolRun.ferry(merge + key + favor)
      #expect(run.status == 0)
      #expect(run.errors == "o.\(ours): not exact: numbers become text (3)\n")
      let merged = try await ToolRun.ferry("convert", "m.\(ours)", "--to", "json")
      let records = #"[{"id":"1","n":"ax"},{"id":"2","n":"by"},{"id":"3","n":"c"}]"#
      let json = ours == "xml" ? #"{"r":{"p":\#(records)}}"# : records
      #expect(merged.output == json + "\n")
    }
  }

  /// Ours has changed the first line of a text and a value beside it, theirs the last line and a comment or another value.
  @Test(arguments: [
    (
      "yaml", "n: 1\nrun: |\n  a\n  b\n  c\n", "n: 2\nrun: |\n  x\n  b\n  c\n",
      "n: 1\n# last\nrun: |\n  a\n  b\n  y\n", "n: 2\n# last\nrun: |\n  x\n  b\n  y\n"
    ),
    (
      "json", #"{"n":1,"t":"a\nb\nc"}"#, #"{"n":1, "t":"x\nb\nc"}"#, #"{"n":2,"t":"a\nb\ny"}"#,
      #"{"n":2, "t":"x\nb\ny"}"#
    ),
    ("csv", "n,t\n1,\"a\nb\nc\"\n", "n,t\n1,\"x\nb\nc\"\n", "n,t\n1,\"a\nb\ny\"\n", "n,t\n1,\"x\nb\ny\"\n"),
    (
      "xml", "<r><t>a\nb\nc</t></r>", "<r><t>x\nb\nc</t></r>", "<r><t>a\nb\ny</t></r>",
      "<r><t>x\nb\ny</t></r>"
    ),
    (
      "strings", "\"t\" = \"a\\nb\\nc\";\n", "/* x */\n\"t\" = \"x\\nb\\nc\";\n", "\"t\" = \"a\\nb\\ny\";\n",
      "/* x */\n\"t\" = \"x\\nb\\ny\";\n"
    ),
  ])
  func `Texts of several lines are merged by line`(
    _ format: String, _ base: String, _ ours: String, _ theirs: String, _ wanted: String
  ) async throws {
    for (name, text) in [("b", base), ("o", ours), ("t", theirs)] {
      try directory.write("\(name).\(format)", text)
    }
    let run = try await ToolRun.ferry("merge", "b.\(format)", "o.\(format)", "t.\(format)")
    #expect(run.status == 0 && run.errors == "", "\(run.errors)")
    #expect(run.output == wanted)
  }

  @Test func `Nulls and missing values of theirs are the empty cells of ours`() async throws {
    try directory.write("b.csv", "id,n,m\n1,,\n2,b,\n")
    try directory.write("o.csv", "id,n,m\n1,q,\n2,b,\n")
    try directory.write("t.json", #"[{"id":"1","n":null},{"id":"2","n":"c","m":null}]"#)
    let run = try await ToolRun.ferry("merge", "b.csv", "o.csv", "t.json", "--key", "id")
    #expect(run.status == 0, "\(run.errors)")
    #expect(run.output == "id,n,m\n1,q,\n2,c,\n")
  }

  @Test func `Dates of theirs are the texts that JSON has for them`() async throws {
    try directory.write("b.json", #"[{"id":"2014-06-01T09:30:00Z","n":"a"}]"# + "\n")
    try directory.write("o.json", #"[{"id":"2014-06-01T09:30:00Z","n":"b"}]"# + "\n")
    try directory.write(
      "t.plist",
      "<plist><array><dict><key>id</key><date>2014-06-01T09:30:00Z</date><key>n</key><string>a</string>"
        + "<key>d</key><data>AQI=</data></dict></array></plist>")
    let run = try await ToolRun.ferry("merge", "b.json", "o.json", "t.plist", "--key", "id")
    #expect(run.status == 0)
    #expect(run.output == #"[{"id":"2014-06-01T09:30:00Z","n":"b","d":"AQI="}]"# + "\n")
    #expect(run.errors == "o.json: not exact: dates become text (1), data becomes Base64 text (1)\n")
  }

  @Test
  func
    `A merge refuses texts of the base and of theirs for the numbers of ours, unless a schema tells the types`()
    async throws
  {
    try directory.write("b.csv", "id,n\n1,a\n2,b\n")
    try directory.write("o.json", #"[{"id":1,"n":"ax"},{"id":2,"n":"b"}]"# + "\n")
    try directory.write("t.csv", "id,n\n1,a\n2,by\n")
    let problem =
      "this version is CSV, which changes values of our version: numbers become text (give the types with --schema) "
      + "(at [0].id)"
    let run = try await ToolRun.ferry("merge", "b.csv", "o.json", "t.csv", "--favor", "theirs")
    expectFailure(run, "b.csv: \(problem)")
    try directory.write("empty", "")
    let added = try await ToolRun.ferry("merge", "empty", "o.json", "t.csv", "--favor", "theirs")
    expectFailure(added, "t.csv: \(problem)")
    try directory.write(
      "s.json", #"{"ferry":1,"name":"r","key":"id","fields":[{"name":"id","type":"integer"},{"name":"n"}]}"#)
    let typed = try await ToolRun.ferry("merge", "b.csv", "o.json", "t.csv", "--schema", "s.json")
    #expect(typed.status == 0, "\(typed.errors)")
    #expect(typed.output == #"[{"id":1,"n":"ax"},{"id":2,"n":"by"}]"# + "\n")
  }

  @Test func `A result with the extension of another format than that of --to gets a note`() async throws {
    try directory.write("a.json", #"{"a":1}"#)
    let note =
      "m.csv: the output is YAML, but its name has the extension of CSV, by which programs read it"
    for line in ["merge a.json a.json a.json --to yaml", "get a.json --to yaml"] {
      let run = try await ToolRun.shell("ferry \(line) -o m.csv; rm m.csv")
      #expect(run.status == 0 && run.errors.hasPrefix(note), "\(line): \(run)")
      let quiet = try await ToolRun.shell("ferry \(line) -o m.csv -q; ferry \(line) -o m.yml; rm m.*")
      #expect(quiet.errors == "", "\(line): \(quiet)")
    }
  }
}
