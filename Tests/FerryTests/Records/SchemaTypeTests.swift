import TestSupport
import Testing

@testable import Ferry

@Suite struct `Types of fields` {
  private static let folder = """
    {"ferry": 1, "name": "folder", "fields": [
      {"name": "name", "xml": "@name"},
      {"name": "tags", "type": "list", "xml": "#items", "items": {"element": "tag"}},
      {"name": "sizes", "type": "dictionary", "values": {"type": "integer"}, "optional": true},
      {"name": "extra", "type": "any", "optional": true},
      {"name": "folders", "type": "list", "items": {"type": "record", "record": "folder"}, "optional": true}]}
    """

  private static let json = """
    [{"name":"a","tags":["x","y"],"sizes":{"1st":1,"b c":2},"extra":{"p":"1","q":["r","s"]},"folders":[\
    {"name":"b","folders":[{"name":"c","tags":["z"]}],"tags":[]}]}]

    """

  private static let xml = """
    <?xml version="1.0" encoding="UTF-8"?>
    <folders>
      <folder name="a">
        <tag>x</tag>
        <tag>y</tag>
        <sizes>
          <_x0031_st>1</_x0031_st>
          <b_x0020_c>2</b_x0020_c>
        </sizes>
        <extra>
          <p>1</p>
          <q>r</q>
          <q>s</q>
        </extra>
        <folders>
          <folder name="b">
            <folders>
              <folder name="c">
                <tag>z</tag>
              </folder>
            </folders>
          </folder>
        </folders>
      </folder>
    </folders>

    """

  private func schema(_ text: String = Self.folder) throws -> Schema {
    try Schema(Value(reading: MemoryInput(Array(text.utf8))))
  }

  private func convert(
    _ text: String, to format: Format, _ schema: Schema, _ change: (inout Conversion) -> Void = { _ in }
  ) throws -> String {
    var conversion = Conversion(to: format)
    conversion.reading.schema = schema
    change(&conversion)
    let result = try conversion.convert(Array(text.utf8))
    #expect(result.report.losses.isEmpty, "\(result.report.losses.counts)")
    return String(decoding: result.bytes, as: UTF8.self)
  }

  @Test func `An empty list in a required field of any type is read with the schema that wrote it`() throws {
    let json = Array(#"[{"id":1,"x":[]},{"id":2,"x":1.5},{"id":3,"x":[[]]}]"#.utf8)
    var inference = SchemaInference()
    try inference.add(MemoryInput(json), named: "xs.json")
    var conversion = Conversion(to: .xml)
    conversion.reading.schema = try inference.schema().schema
    let (xml, report) = try conversion.convert(json)
    #expect(String(decoding: xml, as: UTF8.self).contains("<id>1</id>\n    <x/>\n"))
    #expect(report.losses.listed.contains { $0.kind == .emptyCollection && $0.path.description == "[0].x" })
    conversion.writing.format = .json
    let back = String(decoding: try conversion.convert(xml).bytes, as: UTF8.self)
    #expect(back.hasPrefix(#"[{"id":1,"x":""},{"id":2,"x":"1.5"}"#))
  }

  @Test func `A list in an attribute of any type becomes elements with the name of its field`() throws {
    let schema = try schema(
      """
      {"ferry": 1, "name": "note", "fields": [
        {"name": "title"}, {"name": "extra", "xml": "@extra", "type": "any", "optional": true},
        {"name": "id", "xml": "@id"}]}
      """)
    let json = """
      [{"id":"1","title":"a"},{"id":"2","title":"b","extra":["p","q"]},{"extra":"r","id":"3","title":"c"}]

      """
    let xml = """
      <?xml version="1.0" encoding="UTF-8"?>
      <notes>
        <note id="1">
          <title>a</title>
        </note>
        <note id="2">
          <title>b</title>
          <extra>p</extra>
          <extra>q</extra>
        </note>
        <note extra="r" id="3">
          <title>c</title>
        </note>
      </notes>

      """
    #expect(try convert(json, to: .xml, schema) == xml)
    #expect(try convert(xml, to: .json, schema) == json)
  }

  @Test func `A collection in an attribute of any type is an element, also as a default and as an object`()
    throws
  {
    let fields = #"{"name": "extra", "xml": "@extra", "type": "any", "default": ["p", "q"]}"#
    let schema = try schema(
      #"{"ferry": 1, "name": "note", "fields": [\#(fields), {"name": "id", "xml": "@id"}]}"#)
    let xml = try convert(#"[{"id":"1"},{"extra":"r","id":"2"}]"#, to: .xml, schema)
    #expect(xml.contains("  <note id=\"1\">\n    <extra>p</extra>\n    <extra>q</extra>\n  </note>\n"))
    #expect(xml.contains("  <note extra=\"r\" id=\"2\"/>\n"))
    let notes = """
      [{"$class": "note", "extra": {"$class": "NSArray", "$items": ["a", "b"], "$id": 7}, "id": "1"},
       {"$class": "note", "extra": {"$ref": 7}, "id": "2"},
       {"$class": "note", "extra": {"$class": "NSMutableString", "NS.string": "c"}, "id": "3"}]
      """
    let typed = Array(#"{"$ferry": 1, "$archiver": "NSKeyedArchiver", "$top": {"root": \#(notes)}}"#.utf8)
    var conversion = Conversion(to: .archive)
    let archive = try conversion.convert(typed).bytes
    (conversion.writing.format, conversion.reading.schema) = (.xml, schema)
    let made = String(decoding: try conversion.convert(archive).bytes, as: UTF8.self)
    #expect(made.contains("  <note id=\"1\">\n    <extra>a</extra>\n    <extra>b</extra>\n  </note>\n"))
    #expect(made.contains("  <note id=\"2\">\n    <extra>\n"))
    #expect(made.contains("  <note extra=\"c\" id=\"3\"/>\n"))
  }

  @Test(arguments: [
    ("<m>a <i>b</i> c</m>", ##"{"#content":["a ",{"i":"b"}," c"]}"##),
    ("<m k=\"1\"><i>b</i> <i>c</i>d</m>", ##"{"@k":"1","#content":[{"i":"b"}," ",{"i":"c"},"d"]}"##),
    ("<m>\n<i>1</i>\n<j/>\n<i>2</i>\n</m>", ##"{"#content":[{"i":"1"},{"j":""},{"i":"2"}]}"##),
    ("<m><i/><![CDATA[ ]]><j/><i/></m>", ##"{"#content":[{"i":""}," ",{"j":""},{"i":""}]}"##),
    ("<m><p>x<b k=\"2\">y</b></p></m>", ##"{"p":{"#content":["x",{"b":{"@k":"2","#text":"y"}}]}}"##),
    ("<m><i>1</i><i>2</i></m>", #"{"i":["1","2"]}"#),
    ("<m k=\"1\">x</m>", ##"{"@k":"1","#text":"x"}"##),
  ])
  func `Contents in order in a field of any type are read and written as without a schema`(
    _ element: String, _ value: String
  ) throws {
    let any = try schema(
      #"{"ferry": 1, "name": "r", "fields": [{"name": "m", "type": "any"}]}"#)
    var conversion = Conversion(to: .json)
    conversion.reading.schema = any
    let document = Array("<rs><r>\(element)</r></rs>".utf8)
    let result = try conversion.convert(document)
    #expect(result.report.losses.isEmpty)
    let json = String(decoding: result.bytes.dropLast(), as: UTF8.self)
    #expect(json == "[{\"m\":\(value)}]")
    // Without a schema, the value is the same.
    conversion.reading.schema = nil
    conversion.reading.matchesSchemas = false
    let plain = try conversion.convert(document)
    #expect(String(decoding: plain.bytes.dropLast(), as: UTF8.self) == "{\"rs\":{\"r\":{\"m\":\(value)}}}")
    for source in [Array(json.utf8), document] {
      var back = Conversion(to: .xml)
      back.reading.schema = any
      let xml = try back.convert(source)
      #expect(xml.report.losses.isEmpty)
      conversion.reading.schema = any
      #expect(try conversion.convert(xml.bytes).bytes == result.bytes)
    }
  }

  @Test(arguments: [
    ##"{"#content":[]}"##, ##"{"#content":["x"]}"##, ##"{"@k":"1","#content":["x"]}"##,
    ##"{"#content":[{"b":"1"},{"c":"2"}]}"##, ##"{"#content":[{"b":"1"},{"b":"2"}]}"##,
    ##"{"#content":[" ",{"b":"1"}]}"##,
  ])
  func `Contents in a field of any type that are read as other values are reported`(_ value: String) throws {
    var conversion = Conversion(to: .xml)
    conversion.reading.schema = try schema(
      #"{"ferry": 1, "name": "r", "fields": [{"name": "m", "type": "any"}]}"#)
    let losses = try conversion.convert(Array("[{\"m\":\(value)}]".utf8)).report.losses
    #expect(losses.listed == [Loss(.contentForm, path: ValuePath([.index(0), .key("m"), .key("#content")]))])
  }

  @Test(arguments: [
    (##"{"b":"1","#text":"x"}"##, false), (##"{"c":{"b":["1","2"],"#text":"x"}}"##, false),
    (##"{"@b":{"#content":["x"]}}"##, false), (##"{"#content":[{"#comment":{"#content":["x"]}}]}"##, false),
    (##"{"#content":[{"b":"1"},{"@c":"2"}]}"##, false),
    (##"{"#content":["t",{"@b":{"#content":["x"]}}]}"##, false),
    (##"{"b":"1","#text":" "}"##, true), (##"{"#content":[{"@b":"1"},{"c":"2"}]}"##, true),
    (##"{"#content":[{"b":"1"},{"#text":"x"}]}"##, true), (##"{"@k":"1","#content":[{"@b":"1"}]}"##, true),
    (##"{"#content":["t",{"#comment":{"#content":["x"]}}]}"##, true),
  ])
  func `A value in a field of any type that is read back as another one is reported`(
    _ value: String, _ isSame: Bool
  ) throws {
    let any = try schema(
      #"{"ferry": 1, "name": "r", "fields": [{"name": "m", "type": "any"}]}"#)
    var conversion = Conversion(to: .xml)
    conversion.reading.schema = any
    let xml = try conversion.convert(Array("[{\"m\":\(value)}]".utf8))
    #expect(xml.report.losses.counts.map(\.kind) == (isSame ? [] : [.contentForm]))
    conversion.writing.format = .json
    let back = try conversion.convert(xml.bytes)
    #expect((String(decoding: back.bytes.dropLast(), as: UTF8.self) == "[{\"m\":\(value)}]") == isSame)
  }

  @Test
  func
    `Attributes after the contents of an element in a field of any type stay attributes, and are reported`()
    throws
  {
    let any = try schema(
      #"{"ferry": 1, "name": "r", "fields": [{"name": "m", "type": "any"}]}"#)
    func xml(_ value: String) throws -> (text: String, losses: [Loss.Kind]) {
      var conversion = Conversion(to: .xml)
      conversion.reading.schema = any
      let result = try conversion.convert(Array("[{\"m\":\(value)}]".utf8))
      return (
        String(decoding: result.bytes, as: UTF8.self), result.report.losses.counts.map(\.kind)
      )
    }
    let late = try xml(##"{"#content":["a",{"b":"c"}],"@k":"1"}"##)
    #expect(late.text.contains(#"<m k="1">a<b>c</b></m>"#))
    #expect(late.losses == [.attributeOrder])
    let list = try xml(##"{"#content":["a",{"b":"c"}],"@k":["1","2"]}"##)
    #expect(list.text.contains("<m>a<b>c</b><_x0040_k>1</_x0040_k><_x0040_k>2</_x0040_k></m>"))
    #expect(list.losses == [.contentForm])
    // White space beside the section would be text.
    let section = try xml(##"{"#content":[{"b":"1"},{"#cdata":"<"}]}"##)
    #expect(section.text.contains("<m><b>1</b><![CDATA[<]]></m>"))
    let others = try xml(
      ##"{"#content":[{"b":"1","c":{"d":"2"}},{"#comment":" x "},{"#cdata":"<"},["y"]],"e":"3"}"##)
    #expect(others.losses.contains(.contentForm))
    #expect(others.text.contains("<c>"))
    #expect(others.text.contains("<!-- x -->"))
    #expect(others.text.contains("<![CDATA[<]]>"))
    #expect(others.text.contains("<item>y</item>"))
    #expect(others.text.contains("<e>3</e>"))
  }

  @Test func `An array in a field of any type converts to XML and back as without a schema`() throws {
    let any = try schema(
      #"{"ferry": 1, "name": "r", "fields": [{"name": "v", "type": "any"}, {"name": "b"}]}"#)
    let json = #"[{"v":["1","2"],"b":"x"},{"b":"y","v":{"k":["1","2"]}},{"v":"z","b":""}]"# + "\n"
    let xml = try convert(json, to: .xml, any)
    #expect(xml.contains("    <v>1</v>\n    <v>2</v>\n"))
    #expect(try convert(xml, to: .json, any) == json)
    #expect(try convert(xml, to: .xml, any) == xml)
    let map = try schema(
      #"{"ferry": 1, "name": "r", "fields": [{"name": "v", "type": "dictionary", "values": {"type": "any"}}]}"#
    )
    let maps = #"[{"v":{"k":["1","2"],"l m":"x","n":{"a":"1"}}},{"v":{}},{"v":{"k":"1"}}]"# + "\n"
    #expect(try convert(convert(maps, to: .xml, map), to: .json, map) == maps)
    #expect(throws: FerryError.self) { try convert(#"[{"v":"1","v":"2","b":"x"}]"#, to: .json, any) }
  }

  @Test
  func `The array in a field of any type is the one under the newest of its names, and others are reported`()
    throws
  {
    var conversion = Conversion(to: .json)
    conversion.reading.schema = try schema(
      #"{"ferry": 1, "name": "r", "fields": [{"name": "v", "type": "any", "aliases": ["w"]}]}"#)
    for (xml, json, isExact) in [
      ("<w>1</w><w>2</w><v>3</v>", #"[{"v":"3"}]"#, false),
      ("<w>1</w><w>2</w><v>1</v>", #"[{"v":"1"}]"#, false),
      ("<w>1</w><v>2</v><v>3</v>", #"[{"v":["2","3"]}]"#, false),
      ("<v>1</v><v>2</v><w>3</w>", #"[{"v":["1","2"]}]"#, false),
      ("<v>1</v><v>2</v><w>1</w>", #"[{"v":["1","2"]}]"#, false),
      ("<v>1</v><w>1</w><w>1</w>", #"[{"v":"1"}]"#, false),
      ("<w>1</w><v>1</v><w>1</w>", #"[{"v":"1"}]"#, false),
      ("<v>1</v><w>1</w>", #"[{"v":"1"}]"#, true),
      ("<w>1</w><w>2</w><v>1</v><v>2</v>", #"[{"v":["1","2"]}]"#, true),
      ("<w>1</w><w>2</w>", #"[{"v":["1","2"]}]"#, true),
    ] {
      let result = try conversion.convert(Array("<rs><r>\(xml)</r></rs>".utf8))
      #expect(String(decoding: result.bytes, as: UTF8.self) == json + "\n")
      let loss = Loss(.olderKey, path: ValuePath([.index(0), .key("v")]))
      #expect(result.report.losses.listed == (isExact ? [] : [loss]), "\(xml)")
    }
  }

  @Test func `Elements of a field of any type that others separate are one array, and reported`() throws {
    var conversion = Conversion(to: .json)
    conversion.reading.schema = try schema(
      #"{"ferry": 1, "name": "r", "fields": [{"name": "v", "type": "any"}, {"name": "b"}]}"#)
    let result = try conversion.convert(Array("<rs><r><v>1</v><b>x</b><v>2</v></r></rs>".utf8))
    #expect(String(decoding: result.bytes, as: UTF8.self) == #"[{"v":["1","2"],"b":"x"}]"# + "\n")
    #expect(result.report.losses.listed == [Loss(.siblingOrder, path: ValuePath([.index(0)]))])
  }

  @Test
  func
    `Lists without an element, dictionaries, any values and records in themselves convert to XML and back`()
    throws
  {
    let schema = try schema()
    #expect(try convert(Self.json, to: .xml, schema) == Self.xml)
    #expect(try convert(Self.xml, to: .json, schema) == Self.json)
    #expect(try convert(Self.xml, to: .xml, schema) == Self.xml)
  }

  @Test(arguments: [
    Format.archive, .binaryPropertyList, .xmlPropertyList, .jsonLines, .csv, .sqlite, .openStepPropertyList,
  ])
  func `The types convert to every format and back`(_ format: Format) throws {
    let schema = try schema()
    var conversion = Conversion(to: format)
    conversion.reading.schema = schema
    let made = try conversion.convert(Array(Self.json.utf8)).bytes
    (conversion.writing.format, conversion.reading.format, conversion.writing.sortsKeys) = (
      .json, format, true
    )
    let sorted = try convert(Self.json, to: .json, schema) { $0.writing.sortsKeys = true }
    let back = try conversion.convert(made).bytes
    #expect(String(decoding: back, as: UTF8.self) == sorted)
  }

  @Test func `A list whose items have other elements between them keeps the items, and reports the order`()
    throws
  {
    let schema = try schema(
      ##"{"ferry": 1, "name": "r", "fields": [{"name": "a", "type": "list", "xml": "#items", "items": {"element": "a"}}, {"name": "b"}]}"##
    )
    var conversion = Conversion(to: .json)
    conversion.reading.schema = schema
    let result = try conversion.convert(Array("<rs><r><a>1</a><b>x</b><a>2</a></r></rs>".utf8))
    #expect(String(decoding: result.bytes, as: UTF8.self) == #"[{"a":["1","2"],"b":"x"}]"# + "\n")
    #expect(result.report.losses.listed == [Loss(.siblingOrder, path: ValuePath([.index(0)]))])
  }

  @Test(arguments: [
    (
      #"[{"name":"a","tags":[],"sizes":{"x":"1"}}]"#, "[0].sizes.x",
      "expected an integer in the field sizes, found \"1\""
    ),
    (
      #"[{"name":"a","tags":[],"sizes":[1]}]"#, "[0].sizes",
      "expected a dictionary in the field sizes, found an array"
    ),
    (
      #"[{"name":"a","tags":[],"folders":[{"name":"b","tags":[],"folders":[{"tags":[]}]}]}]"#,
      "[0].folders[0].folders[0]", "the folder has no name"
    ),
  ])
  func `A value of another type is refused with its path`(_ json: String, _ path: String, _ message: String)
    throws
  {
    let schema = try schema()
    let error = #expect(throws: FerryError.self) { try convert(json, to: .xml, schema) }
    #expect(error?.path.description == path)
    #expect(error?.reason.description.hasPrefix(message) == true, "\(error?.reason.description ?? "")")
  }

  @Test(arguments: [
    (#""type": "dictionary""#, "a dictionary needs its values"),
    (
      #""type": "record", "record": "other""#,
      "no record with the element \"other\" contains this field (known: r)"
    ),
    (##""xml": "#items""##, "#items needs a list"),
    (#""type": "dictionary", "values": {}, "xml": "@a""#, "a dictionary needs its own element"),
    (
      #""type": "map""#,
      "\"map\" is not a type (those are string, integer, real, decimal, boolean, date, data, url, uuid, record, list, dictionary, any)"
    ),
  ])
  func `A field with an invalid type is refused`(_ keys: String, _ message: String) throws {
    let text = #"{"ferry": 1, "name": "r", "fields": [{"name": "f", \#(keys)}]}"#
    let error = #expect(throws: FerryError.self) { try schema(text) }
    #expect(error?.reason.description == "invalid schema: \(message)")
  }

  @Test func `A schema is written in its notation as it was read`() throws {
    let contact = try Schema(named: "\(ExampleFiles.path)/Migration/contact.schema.json")
    let book = try Schema(named: "\(ExampleFiles.path)/book.schema.json")
    for schema in try Schema.builtIn + [contact, book, schema()] {
      #expect(try Schema(schema.value) == schema)
    }
  }

  @Test func `A JSON Schema describes the records`() throws {
    let value = JSONSchemaExport(try schema()).value
    let folder = try #require(value["$defs"]?["folder"])
    #expect(value["items"] == ["$ref": "#/$defs/folder"])
    #expect(folder["required"] == ["name", "tags"])
    #expect(folder["properties"]?["folders"]?["items"] == ["$ref": "#/$defs/folder"])
    #expect(folder["properties"]?["sizes"]?["type"] == ["object", "null"])
    #expect(folder["properties"]?["extra"] == .dictionary(KeyedValues()))
  }

  @Test func `A JSON Schema accepts null for the fields for which a check accepts it`() throws {
    let schema = try schema(
      #"""
      {"ferry": 1, "name": "r", "fields": [{"name": "a", "type": "any"}, {"name": "b", "type": "any", "optional": true},
      {"name": "c", "type": "any", "default": 5}, {"name": "d", "default": "x"}, {"name": "e"}]}
      """#)
    let record = try #require(JSONSchemaExport(schema).value["$defs"]?["r"])
    #expect(record["required"] == ["a", "e"])
    let fields = try #require(record["properties"])
    #expect(fields["a"] == ["not": ["type": "null"]])
    #expect(fields["b"] == .dictionary(KeyedValues()))
    #expect(fields["c"] == ["default": 5])
    #expect(fields["d"] == ["type": ["string", "null"], "default": "x"])
    #expect(fields["e"] == ["type": "string"])
  }

  @Test(.temporaryDirectory)
  func `xmllint accepts the XML of records by the XML Schema, and refuses other XML`() async throws {
    let directory = TemporaryDirectory.current
    let book = try Schema(named: "\(ExampleFiles.path)/book.schema.json")
    let books = try FileInput(path: "\(ExampleFiles.path)/books.xml").readAll()
    for (schema, xml) in [(try schema(), Array(Self.xml.utf8)), (book, books)] {
      try directory.write("a.xsd", XMLSchemaExport(schema).text)
      let answer = try await Peer.run(
        "xmllint", ["--noout", "--nonet", "--schema", directory.path("a.xsd"), "-"], input: xml)
      #expect(answer.succeeded, "\(answer.errors)")
      let other = String(decoding: xml, as: UTF8.self).replacing("name=\"c\"", with: "title=\"c\"")
        .replacing("<pages>", with: "<sides>").replacing("</pages>", with: "</sides>")
      let refused = try await Peer.run(
        "xmllint", ["--noout", "--nonet", "--schema", directory.path("a.xsd"), "-"], input: Array(other.utf8))
      #expect(!refused.succeeded)
    }
  }

  /// Texts that Ferry reads as values of a type, and texts that neither Ferry nor XML Schema reads.
  private static let notations: [(type: String, texts: [String], others: [String])] = [
    (
      "real",
      [
        "1", "1e5", "1E-05", "+1", ".5", "5.", "-0", "007", " 1.50 ", "NaN", "nan", "INF", "-INF", "Infinity",
        "+inf",
      ],
      ["0x1p3", "1,5", "", "one", "nan(1)"]
    ),
    (
      "decimal",
      [
        "1", "1e5", "1E5", "1e+5", "-1.5E-05", "1e400", " 1.50 ", "18446744073709551616", "007.50",
        "+5", ".5", "-.5", "5.", "+07.e-1",
      ],
      ["NaN", "INF", "1,5", "", "0x1", "e5", ".", "+", "+-5", ".e5", "1e", "1 5"]
    ),
    (
      "integer", ["1", "-1", "007", "+1", "18446744073709551615"],
      ["1.5", "1e5", "18446744073709551616", "NaN", ""]
    ),
    ("boolean", ["true", "No", "YES", "0", " 1 "], ["2", "on", ""]),
    (
      "date",
      [
        "2014-06-01", " 2014-06-01 ", "2014-06-01T09:30:00Z", "2014-06-01T09:30:00", "2014-06-01T09:30Z",
        "2014-06-01 09:30:00", "2014-06-01T09:30:00,5z", "2014-06-01T09:30:00.25+0200",
        "2014-06-01T09:30:00 +02",
        "+12014-06-01T09:30:00Z", "-0044-01-01T00:00:00Z",
      ], ["2014-06-01T09", "1234567890", "today", "2014-06-01Z", ""]
    ),
    (
      "uuid", ["F47AC10B-58CC-4372-A567-0E02B2C3D479", "f47ac10b-58cc-4372-a567-0e02b2c3d479"],
      ["F47AC10B", ""]
    ),
  ]

  @Test(.temporaryDirectory, arguments: notations.indices)
  func `XML Schema accepts each notation of a value that Ferry reads`(_ index: Int) async throws {
    let (type, texts, others) = Self.notations[index]
    let schema = try schema(#"{"ferry": 1, "name": "r", "fields": [{"name": "v", "type": "\#(type)"}]}"#)
    let directory = TemporaryDirectory.current
    try directory.write("a.xsd", XMLSchemaExport(schema).text)
    for (texts, isRead) in [(texts, true), (others, false)] {
      for text in texts {
        let xml = Array("<rs><r><v>\(text)</v></r></rs>".utf8)
        let report = try SchemaCheck(schema).report(on: MemoryInput(xml))
        #expect(report.errors.isEmpty == isRead, "\(type) \(text): \(report.errors)")
      }
    }
    let records = texts.map { "<r><v>\($0)</v></r>" }.joined()
    let answer = try await Peer.run(
      "xmllint", ["--noout", "--nonet", "--schema", directory.path("a.xsd"), "-"],
      input: Array("<rs>\(records)</rs>".utf8))
    #expect(answer.succeeded, "\(answer.errors)")
    for text in others {
      let refused = try await Peer.run(
        "xmllint", ["--noout", "--nonet", "--schema", directory.path("a.xsd"), "-"],
        input: Array("<rs><r><v>\(text)</v></r></rs>".utf8))
      #expect(!refused.succeeded, "\(type) \(text)")
    }
  }

  @Test(.temporaryDirectory, arguments: notations.map { $0.type } + ["url"])
  func `XML Schema accepts the empty element or attribute that is null in an optional field`(
    _ type: String
  ) async throws {
    let schema = try schema(
      #"""
      {"ferry": 1, "name": "r", "fields": [{"name": "v", "type": "\#(type)", "optional": true},
        {"name": "a", "xml": "@a", "type": "\#(type)", "optional": true}]}
      """#)
    let directory = TemporaryDirectory.current
    try directory.write("a.xsd", XMLSchemaExport(schema).text)
    let xml = Array("<rs><r a=\"\"><v/></r><r><v> </v></r><r/></rs>".utf8)
    #expect(try SchemaCheck(schema).report(on: MemoryInput(xml)).errors.isEmpty)
    let answer = try await Peer.run(
      "xmllint", ["--noout", "--nonet", "--schema", directory.path("a.xsd"), "-"], input: xml)
    #expect(answer.succeeded, "\(answer.errors)")
  }

  private func schema(ofValues type: String) throws -> Schema {
    try schema(#"{"ferry": 1, "name": "r", "fields": [{"name": "v", "type": "\#(type)"}]}"#)
  }

  @Test(arguments: ["nan", "inf", "-inf"])
  func `A decimal is neither NaN nor infinite in any format`(_ word: String) throws {
    let list =
      "<plist version=\"1.0\"><array><dict><key>v</key><real>\(word)</real></dict></array></plist>"
    for format in [Format.json, .jsonLines, .xml, .csv, .archive, .xmlPropertyList] {
      var conversion = Conversion(to: format)
      conversion.reading.schema = try schema(ofValues: "decimal")
      let error = #expect(throws: FerryError.self) { try conversion.convert(Array(list.utf8)) }
      #expect(error?.path.description == "[0].v", "\(format)")
    }
  }

  @Test(arguments: [
    ("007.50", "7.50"), ("+5", "5"), (".5", "0.5"), ("-.5", "-0.5"), ("5.", "5"), ("+07e2", "7e2"),
  ])
  func `A decimal of XML is written in the notation of JSON`(_ text: String, _ number: String) throws {
    var conversion = Conversion(to: .json)
    conversion.reading.schema = try schema(ofValues: "decimal")
    let result = try conversion.convert(Array("<rs><r><v>\(text)</v></r></rs>".utf8))
    #expect(String(decoding: result.bytes, as: UTF8.self) == "[{\"v\":\(number)}]\n")
    #expect(result.report.losses.listed == [Loss(.numberNotation, path: "[0].v")])
  }

  @Test func `A negative zero of a decimal becomes a zero in an archive, and is reported`() throws {
    var conversion = Conversion(to: .archive)
    conversion.reading.schema = try schema(ofValues: "decimal")
    let result = try conversion.convert(Array(#"[{"v":-0.0},{"v":0.0}]"#.utf8), named: "a.json")
    #expect(result.report.losses.listed == [Loss(.negativeZero, path: "[0].v")])
    conversion.reading.schema = nil
    conversion.writing.format = .json
    let json = String(decoding: try conversion.convert(result.bytes).bytes, as: UTF8.self)
    #expect(!json.contains("-0"), "\(json)")
  }

  @Test func `Base64 loses its white space in other formats than XML`() throws {
    let xml = "<rs><r><v>\n  AQI=\n</v></r></rs>"
    for (format, text) in [
      (Format.json, "[{\"v\":\"AQI=\"}]\n"), (.jsonLines, "{\"v\":\"AQI=\"}\n"), (.csv, "v\nAQI=\n"),
    ] {
      var conversion = Conversion(to: format)
      conversion.reading.schema = try schema(ofValues: "data")
      let bytes = try conversion.convert(Array(xml.utf8)).bytes
      #expect(String(decoding: bytes, as: UTF8.self) == text)
    }
  }

  @Test func `Values of any type in lists of a table are those of a conversion without a schema`() throws {
    let list = """
      <plist version="1.0"><array><dict>
      <key>l</key><array><date>2020-01-01T00:00:00Z</date><integer>1</integer><data>AQI=</data><real>nan</real></array>
      <key>k</key><integer>3</integer></dict></array></plist>
      """
    var conversion = Conversion(to: .csv)
    let plain = try conversion.convert(Array(list.utf8)).bytes
    conversion.infersSchema = true
    let result = try conversion.convert(Array(list.utf8))
    #expect(result.bytes == plain)
    let paths = result.report.losses.listed.map(\.path.description)
    #expect(["[0].l[0]", "[0].l[2]", "[0].l[3]"].allSatisfy(paths.contains), "\(paths)")
  }

  @Test func `A number of a nested dictionary that is not finite becomes text in a table`() throws {
    var conversion = Conversion(to: .csv)
    conversion.reading.schema = try schema(
      #"{"ferry": 1, "name": "r", "fields": [{"name": "m", "type": "dictionary", "values": {"type": "real"}}]}"#
    )
    let result = try conversion.convert(Array("<rs><r><m><key>INF</key></m></r></rs>".utf8))
    #expect(String(decoding: result.bytes, as: UTF8.self) == "m\n\"{\"\"key\"\":\"\"Infinity\"\"}\"\n")
    #expect(result.report.losses.listed.contains(Loss(.notFinite, path: "[0].m.key")))
  }

  @Test func `NaN and infinities in fields become text in JSON, are reported, and come back`() throws {
    let schema = try schema(
      #"{"ferry": 1, "name": "r", "fields": [{"name": "v", "type": "real"}, {"name": "a", "type": "any"}]}"#)
    let list = """
      <plist version="1.0"><array>
      <dict><key>v</key><real>1.5</real><key>a</key><integer>1</integer></dict>
      <dict><key>v</key><real>nan</real><key>a</key><array><real>-inf</real></array><key>b</key><real>inf</real></dict>
      </array></plist>
      """
    let json = #"[{"v":1.5,"a":1},{"v":"NaN","a":["-Infinity"],"b":"Infinity"}]"#
    for format in [Format.json, .jsonLines] {
      var conversion = Conversion(to: format)
      conversion.reading.schema = schema
      let result = try conversion.convert(Array(list.utf8))
      let text = String(decoding: result.bytes, as: UTF8.self)
      #expect(
        text.replacing("\n", with: ",") == (format == .json ? json : String(json.dropFirst().dropLast()))
          + ",")
      #expect(
        result.report.losses.listed == [
          Loss(.notFinite, path: "[1].v"), Loss(.notFinite, path: "[1].a[0]"),
          Loss(.notFinite, path: "[1].b"),
        ])
      conversion.isStrict = true
      #expect(throws: FerryError.self) { try conversion.convert(Array(list.utf8)) }
    }
    #expect(try SchemaCheck(schema).report(on: MemoryInput(Array(list.utf8))).errors.isEmpty)
    var back = Conversion(to: .xmlPropertyList)
    back.reading.schema = schema
    let text = String(decoding: try back.convert(Array(json.utf8)).bytes, as: UTF8.self)
    #expect(text.contains("<key>v</key>\n\t\t<real>nan</real>"))
    // XML has the words of XML Schema.
    (back.writing.format, back.reading.schema) = (
      .xml, try self.schema(#"{"ferry": 1, "name": "r", "fields": [{"name": "v", "type": "real"}]}"#)
    )
    let xml = try back.convert(Array(#"[{"v":"NaN"},{"v":"-Infinity"},{"v":"Infinity"}]"#.utf8)).bytes
    let words = String(decoding: xml, as: UTF8.self)
    #expect(["NaN", "-INF", "INF"].allSatisfy { words.contains("<v>\($0)</v>") }, "\(words)")
  }
}
