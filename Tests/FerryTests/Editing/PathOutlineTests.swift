import TestSupport
import Testing

@testable import Ferry

/// Values that are read by path from a file of which only an outline is kept, and from the whole file.
@Suite struct `Outlines of paths` {
  static let documents: [(name: String, text: String)] = [
    (
      "a.json",
      #"{"version":2,"people":[{"name":"Ada","age":36,"tags":["x","y"]},{"name":"Grace","age":41.50},7,[1,[2]],"#
        + #"{"name":"Ada","age":null,"name":"Alan"},{"tags":{"name":"t"}}],"version":3,"people2":{},"1":{"a":"b"}}"#
    ),
    ("b.json", #"[[{"a":[{"b":1},{"b":2,"c":{"d":[true,"\ud800"]}}]}],{"a":{"b":"1"}},"text",-0,1e400]"#),
    ("c.jsonl", "{\"a\":1,\"b\":[1,2]}\n{\"a\":2}\n[3]\n\"x\"\n"),
    ("d.json", #""scalar""#), ("e.json", "[]"),
    (
      "f.xml",
      "<all v='2'><person id='1'><name>Ada</name><tag>x</tag><tag>y</tag></person><other/>"
        + "<person id='2'><name>Grace</name>text</person>x</all>"
    ),
    ("g.csv", "name,age\nAda,36\nGrace,\n"),
    ("h.xml", "<people><person><firstName>Ada</firstName><lastName>L</lastName></person></people>"),
  ]

  static let paths = [
    "version", "people", "people[0]", "people[1].age", "people[-1]", "people[-1].tags.name", "people[*].name",
    "people[1:3]", "people[-2:].name", "people[5:2]", "people[9]", "people[-9]", "people[*].missing",
    "missing",
    "people.missing", "people.0.name", "people.9", "people[0].name.first", "people[0][0]", "people[3][1][0]",
    "people[name=Ada]", "people[name=Ada].age", "people[name=Alan].age", "people[name=x]", "people[age=null]",
    "people[age=36].tags[]", "people[].name", "people[0].tags[*]", "version[0]", "version.a", "people2",
    "people2.a",
    "people2[*]", "1.a", "1[*]", "[0]", "[1].a.b", "[0][0].a[*].b", "[0][0].a[b=2].c.d[1]", "[*]", "[0:2]",
    "[3]", "[4]",
    "[*].a", "[0].b[1]", "[2][0]", "[-1]", "[*].b[0]", "[a=2]", "all.person[*].name", "all.person[1].#text",
    "all.person[@id=2].name", "all.@v", "all.person[0].tag[1]", "all.person.name", "all.other",
    "all['#text']",
    "people[age>=36].name", "people[age!=36].name", "people[name!=Ada]", "people[name!=Ada].agee",
    "people[tags.name=t]", "people[tags.name=t].tags.name", "people[tags.nam=t]", "people[tags[1]=y].age",
    "people[tags[1]=y].tags", "people[tags[*]=x].name", "people[.>=7]", "people[[0]=1]",
    "people[[1][0]=2][0]",
    "people[name=Ada][age>=36].tags", "people[name=Ada][age>99]", "people[agee>=1]",
    "people[name!=Ada].[.>=1]",
    "people[tags!=1].tags", "people[nam.e=Ada]", "people[0!=1]", "[.>=0]", "[a!=1]", "[a>1].a", "[a.b=1].a.b",
    "[b[0]=1].a", "[age>=36].name", "[name!=Ada].age", "all.person[@id>=2].name", "all.person[name!=Ada].@id",
    "all.person[tag[*]=y].name", "all.person[tag=x]", "[firstName!=x].lastName",
    "[name=Grace].age", "[0].firstName", "[*].lastName", "name", "[*][*]", "people[*][*]", "[0][*].a[*]",
  ]

  private static func outcome(_ file: EditableFile, _ path: ValuePath) -> String {
    let output = MemoryOutput()
    do throws(FerryError) {
      let losses = try file.writeText([path], to: output)
      let count = try file.count(at: path)
      let value = (try? file.value(at: path)).map { "\($0)" } ?? "none"
      return "\(String(decoding: output.bytes, as: UTF8.self)) \(count) \(value) \(losses.listed.map(\.kind))"
    } catch {
      return "\(error) \(error.path) \(error.location)"
    }
  }

  @Test(.temporaryDirectory, arguments: documents.map(\.name))
  func `A path has the same values, or the same error, in an outline`(_ name: String) throws {
    let document = try #require(Self.documents.first { $0.name == name })
    let file = TemporaryDirectory.current.path(name)
    try TemporaryDirectory.current.write(name, document.text)
    for text in Self.paths {
      let path = try ValuePath(parsing: text)
      let outlined = try EditableFile.reading(
        path, from: FileInput(path: file), named: file, options: EditableFile.Options(), outliningFrom: 0)
      let whole = try EditableFile(path: file)
      #expect(outlined.originalBytes.isEmpty)
      #expect(Self.outcome(outlined, path) == Self.outcome(whole, path), "\(text) in \(name)")
    }
  }

  @Test(.temporaryDirectory, arguments: documents.map(\.name))
  func `The summaries at a path are the same in an outline`(_ name: String) throws {
    func outcome(_ file: EditableFile, _ path: ValuePath) -> String {
      do throws(FerryError) { return "\(try file.summaries(at: [path]))" } catch {
        return "\(error) \(error.path) \(error.location)"
      }
    }
    let document = try #require(Self.documents.first { $0.name == name })
    let file = TemporaryDirectory.current.path(name)
    try TemporaryDirectory.current.write(name, document.text)
    for text in Self.paths + [""] {
      let path = try text.isEmpty ? ValuePath() : ValuePath(parsing: text)
      let outlined = try EditableFile.reading(
        path, from: FileInput(path: file), named: file, options: EditableFile.Options(), outliningFrom: 0,
        matches: OutlinedSummaries())
      #expect(outlined.originalBytes.isEmpty)
      #expect(outcome(outlined, path) == outcome(try EditableFile(path: file), path), "\(text) in \(name)")
    }
  }

  @Test func `An outline has only what a path names`() throws {
    let tree = TapeSink()
    let outline = PathOutline(of: try ValuePath(parsing: "people[1].name"), .matches, to: tree)
    let text = #"{"v":[1,{"a":2}],"people":[{"name":"Ada"},{"age":3,"name":"Grace","x":{}},[7]],"z":0}"#
    try JSONReader(into: outline, budget: Budget()).readAll(Array(text.utf8).span)
    let builder = ValueBuilder()
    try tree.tape.replay(into: builder)
    let expected: Value = ["people": [[:], ["name": "Grace"], []]]
    #expect(try builder.result() == expected)
  }

  @Test(arguments: ["people[5].n", "people[3:5].n", "people.7.n", "people[999].n"])
  func `Skipped elements of a list take no memory, and count`(_ path: String) throws {
    let path = try ValuePath(parsing: path)
    let records = (0..<1000).map { #"{"n":\#($0),"l":[1,2]}"# }.joined(separator: ",")
    let tree = PropertyListTree(for: "JSON", budget: Budget())
    let outline = PathOutline(of: path, .matches, to: tree)
    try JSONReader(into: outline, budget: Budget()).readAll(Array("{\"people\":[\(records)]}".utf8).span)
    #expect(tree.nodeCount < 20)
    let list = try tree.value(0, of: tree.root)
    #expect(try tree.kind(of: list) == .array(count: 1000))
    var shown: [Int] = []
    for index in 0..<1000 {
      if case .dictionary = try tree.kind(of: tree.element(index, of: list)) { shown.append(index) }
    }
    let expected = ["people[5].n": [5], "people[3:5].n": [3, 4], "people.7.n": [7], "people[999].n": [999]]
    #expect(shown == expected[path.description] ?? [7])
    #expect(throws: FerryError.self) { try tree.element(1000, of: list) }
  }

  @Test(.temporaryDirectory)
  func `An invalid file is refused, although the path leads to a value before the mistake`() throws {
    let folder = TemporaryDirectory.current
    try folder.write("a.json", #"{"a":1,"b":[}"#)
    #expect(throws: FerryError.self) {
      try EditableFile.reading(
        ValuePath([.key("a")]), from: FileInput(path: folder.path("a.json")), named: "a.json",
        options: EditableFile.Options(), outliningFrom: 0)
    }
  }

  @Test(.temporaryDirectory) func `One value of a large file is read with its path`() throws {
    let folder = TemporaryDirectory.current
    let records = (0..<40_000).map { #"{"name":"person number \#($0)"}"# }
    try folder.write("large.json", #"{"people":[\#(records.joined(separator: ","))]}"#)
    let file = folder.path("large.json")
    #expect(try FileBytes(reading: file).count > EditableFile.outlinedSize)
    #expect(try EditableFile.value(at: "people[39999].name", ofFile: file) == "person number 39999")
    let error = #expect(throws: FerryError.self) { try EditableFile.value(at: "people[40000]", ofFile: file) }
    #expect(error?.file == file)
  }
}
