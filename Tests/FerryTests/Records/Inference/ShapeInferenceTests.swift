import Foundation
import TestSupport
import Testing

@testable import Ferry

@Suite struct `Records that are inferred` {
  private func fields(_ found: InferredSchema) -> [String] {
    found.decisions.map { decision in
      let path = decision.path.reduce("") { $1 == "[]" ? "\($0)[]" : $0.isEmpty ? $1 : "\($0).\($1)" }
      return
        "\(path) \(decision.type)\(decision.isOptional ? "?" : "")\(decision.xml == "element" ? "" : " \(decision.xml)")"
    }
  }

  @Test func `Elements, attributes, text, lists and optional fields of XML are found`() throws {
    let found = try inferred(
      """
      <library><book isbn="1"><title>A</title><author>X</author><price currency="EUR">3</price></book>
      <book isbn="2"><title>B</title><author>X</author><author>Y</author><pages>7</pages>
      <keywords><keyword>k</keyword><keyword>l</keyword></keywords></book></library>
      """, named: "a.xml")
    #expect(found.schema.collectionElement == "library")
    #expect(found.schema.record.element == "book")
    #expect(found.recordCount == 2)
    #expect(
      fields(found) == [
        "isbn integer @isbn", "title string title", "author list of string #items",
        "price record price? price", "price.currency string @currency", "price.value integer #text",
        "pages integer? pages", "keywords list of string? keywords",
      ])
  }

  /// xmltodict#14, the most frequent complaint of the field.
  @Test func `What repeats in one record is a list in all, and in every file`() throws {
    let found = try inferred(
      "<rs><r><a>1</a></r><r><a>2</a></r></rs>", named: "a.xml", "<rs><r><a>1</a><a>2</a></r></rs>")
    #expect(fields(found) == ["a list of integer #items"])
    var conversion = Conversion(to: .json)
    conversion.reading.schema = found.schema
    let json = try conversion.convert(Array("<rs><r><a>1</a></r><r/></rs>".utf8)).bytes
    #expect(String(decoding: json, as: UTF8.self) == #"[{"a":[1]},{"a":[]}]"# + "\n")
  }

  @Test(arguments: [
    (#"<l><k a="1"> </k><k a="2"/></l>"#, #"[{"a":1,"value":" "},{"a":2}]"#),
    (#"<l><k> </k><k a="2"/></l>"#, #"[{"value":" "},{"a":2}]"#),
    (#"<l><k a="1">5</k><k>\#n</k></l>"#, #"[{"a":1,"value":"5"},{"value":"\n"}]"#),
    (
      #"<l><r><k a="x"> </k></r><r><k a="y">\#t</k></r></l>"#,
      #"[{"k":{"a":"x","value":" "}},{"k":{"a":"y","value":"\t"}}]"#
    ),
    // Around child elements, white space is layout.
    (#"<l><k a="1"> </k><k a="2"> <b/> </k></l>"#, #"[{"a":1},{"a":2,"b":""}]"#),
  ])
  func `White space alone is text in elements without child elements`(_ xml: String, _ json: String) throws {
    var conversion = Conversion(to: .json)
    conversion.infersSchema = true
    let result = try conversion.convert(Array(xml.utf8), named: "a.xml")
    #expect(String(decoding: result.bytes, as: UTF8.self) == json + "\n")
    #expect(result.report.losses.isEmpty)
  }

  @Test func `A root element with more than records is one record, and the records are named`() throws {
    let found = try inferred(
      "<rss version=\"2.0\"><item><t>1</t></item><item><t>2</t></item></rss>", named: "a.xml")
    #expect(found.schema.record.element == "rss")
    #expect(
      found.notes.map(\.description) == ["<rss> is one record, because it has more than its <item>"])
    var options = ReadingOptions()
    options.select = "/rss/item"
    var inference = SchemaInference(options)
    try inference.add(MemoryInput(Array("<rss><x/><item><t>1</t></item></rss>".utf8)))
    #expect(try inference.schema().schema.record.element == "item")
  }

  private func sample(
    _ count: Int, of text: String, named name: String, select: String? = nil
  ) throws -> InferredSchema {
    var options = ReadingOptions()
    options.select = select
    var inference = SchemaInference(options)
    inference.mostRecords = count
    try inference.add(MemoryInput(Array(text.utf8)), named: name)
    return try inference.schema()
  }

  /// Beginnings of documents, records that are repeated, and ends with errors that are not read.
  private static let samples = [
    (start: "", record: "{\"n\":1}\n", end: "{\"n\":", name: "a.jsonl"),
    (start: "[", record: "{\"n\":1},", end: "{]", name: "a.json"),
    (start: "{\"as\":[", record: "{\"n\":1},", end: "{]", name: "a.json"),
    (start: "n\n", record: "1\n", end: "\"x", name: "a.csv"),
    (start: "<r>", record: "<a><n>1</n></a>\n", end: "</a>", name: "a.xml"),
    (start: "<!DOCTYPE r><r>", record: "<a n='1'/>", end: "</a>", name: "a.xml"),
  ]

  @Test(arguments: samples.indices) func `A sample reads the first records only`(_ index: Int) throws {
    let (start, record, end, name) = Self.samples[index]
    let text = start + String(repeating: record, count: 3_000_000 / record.utf8.count) + end
    for count in [1, 2, 100] {
      let found = try sample(count, of: text, named: name)
      #expect(found.recordCount == count)
      #expect(fields(found).map { $0.prefix(9) } == ["n integer"])
      #expect(found.notes == [.sample(records: count, files: 1)])
    }
    #expect(throws: FerryError.self) { try sample(100_000_000, of: text, named: name) }
  }

  @Test func `A document that has no more records than a sample is read to its end`() throws {
    let documents = [
      (text: "[{\"n\":1},{\"n\":2}]", name: "a.json"),
      (text: "<r><a><n>1</n></a><a><n>2</n></a></r>", name: "a.xml"),
      (text: "n\n1\n2\n", name: "a.csv"),
    ]
    for (text, name) in documents {
      let found = try sample(2, of: text, named: name)
      #expect(found.recordCount == 2 && found.notes.isEmpty, "\(text)")
    }
    // Lists inside a record are not records.
    let feed = try sample(1, of: "{\"v\":1,\"list\":[1,2,3],\"end\":true}", named: "a.json")
    #expect(feed.decisions.map(\.type) == ["integer", "list of integer", "boolean"] && feed.notes.isEmpty)
    let page = try sample(1, of: "<r><t>x</t><a>1</a><a>2</a><z>3</z></r>", named: "a.xml")
    #expect(page.schema.record.element == "r" && page.decisions.count == 3)
    let selected = try sample(
      2, of: "<r><x/><a><n>1</n></a><a><n>2</n></a><a><n>x</n></a></r>", named: "a.xml", select: "/r/a")
    #expect(selected.recordCount == 2 && selected.decisions.map(\.type) == ["integer"])
  }

  @Test func `Elements of one name in two namespaces are two fields`() throws {
    let document = """
      <rss xmlns:i="urn:i"><item><i:title>Short</i:title><title>Real</title><i:time>5</i:time></item>
      <item><title>R2</title><i:title>S2</i:title></item><item><i:title/><title>R3</title></item></rss>
      """
    let found = try inferred(document, named: "a.xml")
    #expect(
      fields(found) == [
        "i:title string i:title", "title string title", "time integer? i:time",
      ])
    #expect(found.schema.namespaces == [SchemaNamespace(prefix: "i", uri: "urn:i")])
    #expect(try Schema(found.schema.value) == found.schema)
    let json = """
      [{"i:title":"Short","title":"Real","time":5},{"title":"R2","i:title":"S2"},{"i:title":"","title":"R3"}]

      """
    var conversion = Conversion(to: .json)
    conversion.reading.schema = found.schema
    #expect(try conversion.convert(Array(document.utf8)).bytes == Array(json.utf8))
    conversion.writing.format = .xml
    let xml = try conversion.convert(Array(json.utf8)).bytes
    conversion.writing.format = .json
    #expect(try conversion.convert(xml).bytes == Array(json.utf8))
    // The prefix of a namespace may differ from file to file.
    let both = try inferred(
      "<rs xmlns='urn:r'><r><a>1</a></r><r><a>2</a></r></rs>", named: "a.xml",
      "<x:rs xmlns:x='urn:r'><x:r><x:a>1</x:a></x:r></x:rs>")
    #expect(fields(both) == ["a integer a"] && both.schema.record.element == "r")
    #expect(both.schema.namespaces == [SchemaNamespace(prefix: "", uri: "urn:r")])
  }

  @Test func `Attributes of one name in two namespaces are two fields, also in different elements`() throws {
    let document = "<rs xmlns:x='urn:x' xmlns:y='urn:y'><r x:id='1' x:k='2'/><r y:id='3'/></rs>"
    let found = try inferred(document, named: "a.xml")
    #expect(fields(found) == ["x:id integer? @x:id", "k integer? @x:k", "y:id integer? @y:id"])
    #expect(try Schema(found.schema.value) == found.schema)
    var conversion = Conversion(to: .json)
    conversion.reading.schema = found.schema
    let json = try conversion.convert(Array(document.utf8)).bytes
    #expect(String(decoding: json, as: UTF8.self) == #"[{"x:id":1,"k":2},{"y:id":3}]"# + "\n")
  }

  @Test
  func `Namespaces that documents declare without a prefix, or with one prefix, get different prefixes`()
    throws
  {
    let two = try inferred(
      "<a xmlns='urn:a'><b xmlns='http://e.org/2000/other'><c>1</c></b><b><c>x</c></b></a>", named: "a.xml")
    #expect(
      two.schema.namespaces == [
        SchemaNamespace(prefix: "", uri: "urn:a"),
        SchemaNamespace(prefix: "other", uri: "http://e.org/2000/other"),
      ])
    #expect(two.decisions.map(\.xml) == ["other:b", "other:c", "b", "c"])
    #expect(two.decisions.map { $0.path[0] } == ["other:b", "other:b", "b", "b"])
    // Elements without a namespace have no prefix in a schema, so that those of the default namespace need one.
    let bare = try inferred(
      "<a><f xmlns='urn:x:feed'><t>1</t></f><f><t>2</t></f></a>", named: "a.xml")
    #expect(bare.schema.namespaces == [SchemaNamespace(prefix: "feed", uri: "urn:x:feed")])
    #expect(bare.decisions.map(\.xml) == ["feed:f", "feed:t", "f", "t"])
    // Prefixes that root elements declare without a use may be in values.
    let unused = try inferred(
      "<w:a xmlns:w='urn:w' xmlns:v='urn:v' w:skips='v'><w:b>1</w:b><w:c>2</w:c></w:a>", named: "a.xml")
    #expect(unused.schema.namespaces.map(\.prefix) == ["w", "v"])
    #expect(unused.schema.name == "a" && unused.schema.record.element == "w:a")
    #expect(unused.schema.record.className == "a" && unused.schema.collectionElement == "w:as")
  }

  @Test func `Lists and records of one name in two namespaces are two fields`() throws {
    let document =
      "<f xmlns:m='urn:m'><e><t>1</t><t>2</t><m:t>x</m:t><m:t>y</m:t><p a='1'/><m:p b='2'/></e><e><m:p b='3'/></e></f>"
    var conversion = Conversion(to: .json)
    conversion.reading.schema = try inferred(document, named: "a.xml").schema
    let json = String(decoding: try conversion.convert(Array(document.utf8)).bytes, as: UTF8.self)
    #expect(
      json == #"[{"t":[1,2],"m:t":["x","y"],"p":{"a":1},"m:p":{"b":2}},{"m:p":{"b":3},"t":[],"m:t":[]}]"#
        + "\n")
  }

  @Test func `Text beside elements is any value`() throws {
    let found = try inferred("<rs><r><p>a<b>c</b></p></r><r><p>d</p></r></rs>", named: "a.xml")
    #expect(fields(found) == ["p any p"])
    #expect(found.decisions[0].reason == "any, because text is beside elements")
  }

  @Test func `Lists in each other whose elements have one name are not of one kind`() throws {
    let found = try inferred(
      """
      <r><features><_><rects><_>1 2</_><_>3 4</_></rects></_><_><rects><_>5 6</_></rects></_></features>
      <stages><_><n>1</n><weak><_><leaf>x</leaf></_><_><leaf>y</leaf></_></weak></_><_><n>2</n><weak><_><leaf>z</leaf></_></weak></_>
      </stages></r>
      """, named: "a.xml")
    let types = found.decisions.map { "\($0.path.joined(separator: ".")) \($0.type)" }
    #expect(
      types == [
        "features list of record _", "features.[].rects list of string", "stages list of record _",
        "stages.[].n integer", "stages.[].weak list of record _", "stages.[].weak.[].leaf string",
      ])
  }

  @Test func `Records that contain their own kind are found in XML and JSON`() throws {
    let xml = try inferred(
      "<folder name=\"a\"><folder name=\"b\"><folder name=\"c\"/></folder></folder>", named: "a.xml")
    #expect(fields(xml) == ["name string @name", "folder record folder, again? folder"])
    let json = try inferred(
      #"{"name":"a","kids":[{"name":"b","kids":[{"name":"c","kids":[]}]}]}"#, named: "tree.json")
    #expect(fields(json) == ["name string name", "kids list of record tree, again kids"])
    #expect(json.schema.record.fields[1].type == .list(.enclosing("tree"), element: "kid"))
  }

  @Test func `Elements inside their own kind end, also with an element of only white space`() throws {
    let text = "<root><b><t/><b><t><b><a e=\"1\"> </a></b></t></b></b></root>"
    #expect(try inferred(text, named: "a.xml").schema.record.element == "root")
  }

  @Test func `The text of records that others have elements in place of is noted`() throws {
    let text = "<root><item>007</item><item><x>1</x></item></root>"
    let found = try inferred(text, named: "a.xml")
    #expect(fields(found) == ["x integer? x"])
    #expect(found.notes == [.textBesideElements(of: "item")])
    #expect(try inferred("<root><item><x>1</x></item><item/></root>", named: "a.xml").notes.isEmpty)
  }

  @Test func `A list of lists of its own kind has values of any type`() throws {
    let xml = try inferred("<root x=\"1\"><l><l><l/><l/></l><l/></l></root>", named: "a.xml")
    #expect(fields(xml) == ["x integer @x", "l list of any l"])
  }

  @Test func `Records that contain each other on too many paths are refused`() throws {
    var table = ShapeTable(limit: 1000)
    var ids = [try table.add(ValueShape(name: "", parent: nil))]
    for depth in 1...40 {
      let (outer, inner) = (ids[depth - 1], try table.add(ValueShape(name: "a", parent: ids[depth - 1])))
      table[outer].dictionaries = 1
      for key in ["a\(depth)", "b\(depth)"] { table[outer].add(ValueShape.Entry(key: key, shape: inner)) }
      ids.append(inner)
    }
    let (shapes, document) = (table, ids[0])
    let error = #expect(throws: FerryError.self) {
      var maker = SchemaMaker(shapes, of: document, dialect: .json)
      _ = try maker.schema(SchemaMaker.Names(record: nil, document: nil))
    }
    #expect(error?.reason == .overBudget(.names(1000)))
  }

  @Test func `Keys that are values make a dictionary`() throws {
    let found = try inferred(
      #"[{"sales": {"2019": 1, "2020": 2, "2021": 3, "2022": 4}}]"#, named: "a.json")
    #expect(fields(found) == ["sales dictionary of integer sales"])
    let many = (0..<1500).map { #""k\#($0)": {"n": \#($0)}"# }.joined(separator: ",")
    let large = try inferred(#"[{"all": {\#(many)}}]"#, named: "a.json")
    #expect(large.schema.record.fields[0].type.name == "dictionary")
    #expect(large.decisions.count == 2)
  }

  @Test func `Records may have thousands of keys, and more are refused with the limit`() throws {
    let wide = "{" + (0..<3000).map { "\"k\($0)\": \($0)" }.joined(separator: ",") + "}"
    #expect(try inferred("[\(wide), \(wide)]", named: "a.json").schema.record.fields.count == 3000)
    let attributes = (0..<1500).map { "k\($0)='1'" }.joined(separator: " ")
    let xml = try inferred("<rs><r \(attributes)/><r/></rs>", named: "a.xml")
    #expect(xml.schema.record.fields.count == 1500)
    let lines = (0..<9000).map { "{\"k\($0)\": 1}\n" }.joined()
    let lists = (0..<1100).map { "{\"k\($0)\": [1]}\n" }.joined()
    for text in [lines, lists] {
      let error = #expect(throws: FerryError.self) { try inferred(text, named: "a.jsonl") }
      #expect(error?.reason.description.contains("more than 8192 different keys") == true)
    }
  }

  @Test func `JSON, JSON Lines, CSV and a dictionary around records give one schema`() throws {
    let json = try inferred(#"[{"n": 1, "t": "x"}, {"n": 2, "t": "y", "o": true}]"#, named: "people.json")
    let lines = try inferred(
      "{\"n\": 1, \"t\": \"x\"}\n{\"n\": 2, \"t\": \"y\", \"o\": true}\n", named: "people.jsonl")
    let csv = try inferred("n,t,o\n1,x,\n2,y,true\n", named: "people.csv")
    let around = try inferred(
      #"{"people": [{"n": 1, "t": "x"}, {"n": 2, "t": "y", "o": true}]}"#, named: "b.json")
    #expect(json.schema == lines.schema && json.schema == csv.schema)
    #expect(json.schema.record == around.schema.record)
    #expect(around.schema.collectionKey == "people" && json.schema.record.element == "person")
  }

  @Test func `Property lists and archives keep the types that they state`() throws {
    let list: [[String: Any]] = [
      [
        "born": Date(timeIntervalSince1970: 0), "icon": Data([1]), "n": 1, "ok": true, "r": 1.5,
        "s": "2014-06-01T09:30:00Z",
      ]
    ]
    let binary = try PropertyListSerialization.data(fromPropertyList: list, format: .binary, options: 0)
    var inference = SchemaInference()
    try inference.add(MemoryInput(Array(binary)), named: "a.plist")
    let found = try inference.schema()
    let types = Dictionary(uniqueKeysWithValues: found.decisions.map { ($0.path[0], $0.type) })
    #expect(
      types == ["born": "date", "icon": "data", "n": "integer", "ok": "boolean", "r": "real", "s": "string"])
  }

  @Test func `The schema of an archive has its classes`() throws {
    var conversion = Conversion(to: .archive)
    conversion.reading.schema = try Schema(named: "\(ExampleFiles.path)/book.schema.json")
    let archive = try conversion.convert(FileInput(path: "\(ExampleFiles.path)/books.xml").readAll()).bytes
    var inference = SchemaInference()
    try inference.add(MemoryInput(archive), named: "books.archive")
    let found = try inference.schema()
    #expect(found.schema.record.className == "Book")
    let types = Dictionary(
      uniqueKeysWithValues: found.schema.record.fields.map { ($0.archiveKey, $0.type.name) })
    #expect(types["website"] == "url" && types["price"] == "decimal" && types["published"] == "date")
    #expect(types["publisher"] == "record" && types["authors"] == "list" && types["inPrint"] == "boolean")
  }

  @Test(arguments: [
    ("[]", "a.json", "an empty list"), ("[1]", "a.json", "a list of single values"),
    ("1", "a.json", "a single value"),
    ("[[1]]", "a.json", "a list of lists"), (#"[{}, null]"#, "a.json", "a list of nulls"),
    ("<a>x</a>", "a.xml", "only text"),
  ])
  func `A document without records is refused`(_ text: String, _ name: String, _ found: String) throws {
    let error = #expect(throws: FerryError.self) { try inferred(text, named: name) }
    #expect(error?.reason == .record(.noRecords(found: found)))
  }

  @Test func `Files of different records are refused`() throws {
    let error = #expect(throws: FerryError.self) {
      try inferred("<a><b/></a>", named: "a.xml", "<c><d/></c>")
    }
    #expect(error?.reason == .record(.severalRecords(["<a>", "<c>"])))
    #expect(throws: FerryError.self) { try inferred("<a><b/></a>", named: "a", "[{\"b\": 1}]") }
  }

  @Test func `A key with an unpaired surrogate is not a field, and stays`() throws {
    let json = #"[{"a":"x\ud800","k\udc00":{"b":1}},{"a":"y","k\udc00":2}]"#
    let found = try inferred(json, named: "a.json")
    #expect(fields(found) == ["a string a"])
    var conversion = Conversion(to: .json)
    conversion.infersSchema = true
    let result = try conversion.convert(Array(json.utf8), named: "a.json")
    #expect(String(decoding: result.bytes, as: UTF8.self) == json + "\n")
    #expect(result.report.losses.isEmpty)
  }

  /// Returns an archive of objects, each with its class and the JSON of its fields.
  private func archive(_ root: String) throws -> [UInt8] {
    let typed = #"{"$ferry":1,"$archiver":"NSKeyedArchiver","$top":{"root":\#(root)}}"#
    return try Conversion(to: .archive).convert(Array(typed.utf8)).bytes
  }

  @Test func `Objects of several classes in one list are different records`() throws {
    let list = try archive(#"[{"$class":"Point","x":1},{"$class":"Tag","name":"a"}]"#)
    var inference = SchemaInference()
    try inference.add(MemoryInput(list), named: "a.archive")
    let error = #expect(throws: FerryError.self) { try inference.schema() }
    #expect(error?.reason == .record(.severalRecords(["Point", "Tag"])))
    var conversion = Conversion(to: .json)
    conversion.infersSchema = true
    let json = try conversion.convert(list, named: "a.archive").bytes
    #expect(String(decoding: json, as: UTF8.self) == #"[{"x":1},{"name":"a"}]"# + "\n")
  }

  @Test(arguments: [
    // One list is the only entry of a dictionary, the others are in an object of a class.
    #"{"all":[{"$class":"Point","x":1},{"$class":"Tag","name":"a"}]}"#,
    #"{"$class":"Doc","all":[{"$class":"Point","x":1},{"$class":"Tag","name":"a"}]}"#,
    // The second list has an object that has been sent before, and one that lacks a field of the others.
    ##"""
    {"$class":"Doc","a":{"$class":"Tag","$id":1,"name":"a"},"b":[{"$class":"Point","x":1},{"$ref":1}]}
    """##,
    ##"""
    {"$class":"Doc","a":{"$class":"Point","$id":1},"b":[{"$class":"Point","x":1},{"$ref":1}]}
    """##,
  ])
  func `A schema that is inferred fits the objects of its own file`(_ root: String) throws {
    let bytes = try archive(root)
    var inference = SchemaInference()
    try inference.add(MemoryInput(bytes), named: "a.archive")
    let report = try SchemaCheck(inference.schema().schema).report(on: MemoryInput(bytes), named: "a.archive")
    #expect(report.errors.isEmpty, "\(report.errors)")
  }

  @Test func `Records as JSON in cells are read in a time that does not depend on the number of paths`()
    throws
  {
    // One record has 5000 paths; the others have few.
    let lists = (0..<10).map { list in
      let fields = (0..<500).map { "\"\"f\($0)\"\":\($0)" }.joined(separator: ",")
      return "\"\"l\(list)\"\":{\(fields)}"
    }
    let cells =
      ["{\(lists.joined(separator: ","))}"] + Array(repeating: #"{""l0"":{""f0"":1}}"#, count: 40_000)
    let table = "j\n" + cells.map { "\"\($0)\"\n" }.joined()
    let found = try expectProcessorTime(atMost: .seconds(10)) { try inferred(table, named: "a.csv") }
    #expect(found.recordCount == 40_001)
  }

  @Test(arguments: [
    (#"{"a":"#, "[", "]", "}", "a.json"), ("[", #"{"k":"#, "}", "]", "a.json"),
    ("<r>", "<a>", "</a>", "</r>", "a.xml"),
  ])
  func `Values that are nested too deeply for a schema are refused with the limit`(
    _ start: String, _ open: String, _ close: String, _ end: String, _ name: String
  ) throws {
    func nested(_ depth: Int) -> String {
      // Each name is a new one, because records inside records of their kind are no deeper.
      let opened = (0..<depth).map { open.replacing("a>", with: "a\($0)>").replacing("k", with: "k\($0)") }
      let closed = (0..<depth).reversed().map { close.replacing("a>", with: "a\($0)>") }
      return start + opened.joined() + "1" + closed.joined() + end
    }
    var options = ReadingOptions()
    options.budget.depth = 1_000_000
    var inference = SchemaInference(options)
    let failure = #expect(throws: FerryError.self) {
      try inference.add(MemoryInput(Array(nested(20_000).utf8)), named: name)
    }
    #expect(failure?.reason == .overBudget(.fixedDepth(1024)))
    #expect(failure?.location.line == 1)
    #expect(try inferred(nested(200), named: name).recordCount == 1)
  }

  @Test func `A text that an archive stores as an object without a class is not a URL`() throws {
    var shapes = ShapeTable(limit: 10)
    let document = try shapes.add(ValueShape(name: "", parent: nil))
    let survey = ShapeSurvey(shapes, of: document, dialect: Format.archive.recordDialect, budget: Budget())
    try survey.beginArray(count: nil)
    for (type, text) in [(ObjectClass("NSURL"), "https://example.org"), (.none, "a long text")] {
      try survey.beginObject(type, identity: nil)
      try survey.string(BorrowedText(text.utf8.span))
      survey.endObject()
    }
    survey.endArray()
    shapes = survey.table
    let items = try shapes.items(of: document)
    #expect(shapes[items].scalars.kinds == [.url, .text])
    #expect(shapes[items].count == 2)
  }

  @Test func `Paths are limited by the budget, and not by the size of the document`() throws {
    var options = ReadingOptions()
    options.budget.names = 100
    let names = (0..<200).map { "<n\($0)/>" }.joined()
    var inference = SchemaInference(options)
    #expect(throws: FerryError.self) { try inference.add(MemoryInput(Array("<r><a>\(names)</a></r>".utf8))) }
    var flat = SchemaInference(options)
    let records = String(repeating: "<r><a>1</a><b><c/></b></r>", count: 10_000)
    try flat.add(MemoryInput(Array("<rs>\(records)</rs>".utf8)))
    #expect(try flat.schema().recordCount == 10_000)
    // Elements inside each other by turns have a number of paths that grows exponentially with the depth.
    var nested = SchemaInference()
    let deep = String(repeating: "<a><b><c>", count: 60) + String(repeating: "</c></b></a>", count: 60)
    try nested.add(MemoryInput(Array("<r>\(deep)</r>".utf8)))
    #expect(try nested.schema().decisions.count < 20)
  }
}

enum ExampleFiles {
  static let path = URL(filePath: #filePath).deletingLastPathComponent()
    .appending(path: "../../../../Examples").standardizedFileURL.path
}
