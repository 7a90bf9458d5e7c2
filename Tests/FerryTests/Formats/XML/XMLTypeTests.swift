import TestSupport
import Testing

@testable import Ferry

/// Types as attributes.
@Suite struct `Types in XML` {
  private static func convert(
    _ bytes: [UInt8], _ source: Format? = nil, to target: Format, types: XMLTypeNotation = .none
  ) throws -> (bytes: [UInt8], losses: [Loss.Kind]) {
    var conversion = Conversion(to: target)
    conversion.reading.matchesSchemas = false
    conversion.reading.format = source
    (conversion.reading.xml.types, conversion.writing.xml.types) = (types, types)
    let result = try conversion.convert(bytes)
    return (result.bytes, result.report.losses.counts.map(\.kind))
  }

  private static func convert(
    _ text: String, to target: Format, types: XMLTypeNotation = .none
  ) throws -> (text: String, losses: [Loss.Kind]) {
    let result = try convert(Array(text.utf8), target == .xml ? .json : .xml, to: target, types: types)
    return (String(decoding: result.bytes.dropLast(), as: UTF8.self), result.losses)
  }

  static let declarations =
    #" xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance" xmlns:xs="http://www.w3.org/2001/XMLSchema" xmlns:ferry="urn:ferry:types""#

  /// JSON, and its XML without the declarations of the prefixes.
  static let table: [(json: String, xml: String)] = [
    (#"{"a":5}"#, #"<a xsi:type="xs:integer">5</a>"#),
    (
      #"{"a":{"b":2.20,"c":1e5,"d":true,"e":null,"f":""}}"#,
      #"<a><b xsi:type="xs:decimal">2.20</b><c xsi:type="xs:double">1e5</c><d xsi:type="xs:boolean">true</d><e xsi:nil="true"/><f/></a>"#
    ),
    (
      #"{"a":{"b":["x"],"c":[],"d":{},"e":[1,"y"]}}"#,
      #"<a><b ferry:list="true">x</b><c ferry:type="list"/><d ferry:type="dictionary"/><e ferry:list="true" xsi:type="xs:integer">1</e><e>y</e></a>"#
    ),
    (
      #"{"a":{"b":[[1,[]],[{}]]}}"#,
      #"<a><b ferry:list="true" ferry:type="list"><item xsi:type="xs:integer">1</item><item ferry:type="list"/></b><b ferry:type="list"><item ferry:type="dictionary"/></b></a>"#
    ),
    (#"[]"#, #"<root ferry:wrapper="true" ferry:type="list"/>"#),
    (#"{"a":"1","b":"2"}"#, #"<root ferry:wrapper="true"><a>1</a><b>2</b></root>"#),
    (
      #"{"a":{"@":{"@x":true},"@y":"1"}}"#,
      #"<a><_x0040_><_x0040_x xsi:type="xs:boolean">true</_x0040_x></_x0040_><_x0040_y>1</_x0040_y></a>"#
    ),
    (#"null"#, #"<root ferry:wrapper="true" xsi:nil="true"/>"#),
    // Keys with the prefixes of types.
    (
      #"{"xs:schema":{"xs:element":"1","xs_x003A_element":"2","a:b":"3"}}"#,
      #"<xs:schema><xs:element>1</xs:element><xs_x003A_element>2</xs_x003A_element><a_x003A_b>3</a_x003A_b></xs:schema>"#
    ),
    (
      ##"{"a":{"@id":"1","@n":2,"@xsi:nil":"true","#text":"x"}}"##,
      #"<a id="1"><_x0040_n xsi:type="xs:integer">2</_x0040_n><_x0040_xsi_x003A_nil>true</_x0040_xsi_x003A_nil><_x0023_text>x</_x0023_text></a>"#
    ),
    (
      ##"{"a":{"#content":["x",{"b":1}]}}"##,
      ##"<a><_x0023_content ferry:list="true">x</_x0023_content><_x0023_content><b xsi:type="xs:integer">1</b></_x0023_content></a>"##
    ),
  ]

  @Test(arguments: Self.table.indices) func `JSON comes back from attributes of types`(_ index: Int) throws {
    let (json, xml) = Self.table[index]
    let written = try Self.convert(json, to: .xml, types: .attributes)
    #expect(written.losses.isEmpty)
    let text = written.text.split(separator: "\n").dropFirst().map { $0.drop { $0 == " " } }.joined()
    #expect(text.replacing(Self.declarations, with: "") == xml)
    // A document with types is recognized.
    for types in XMLTypeNotation.allCases {
      let back = try Self.convert(written.text, to: .json, types: types)
      #expect(back.text == json)
      #expect(back.losses.isEmpty)
    }
  }

  @Test(arguments: [
    (
      #"<r><a xsi:nil="true"/><b xsi:type="xs:int">5</b><c xsi:type="xsd:boolean">true</c></r>"#,
      #"{"r":{"a":null,"b":5,"c":true}}"#
    ),
    // Types whose text would not survive, other types, and other attributes stay.
    (
      #"<r><a xsi:type="xs:int">007</a><b xsi:type="t:x">5</b><c xsi:nil="true" k="1"/></r>"#,
      ##"{"r":{"a":{"@xsi:type":"xs:int","#text":"007"},"b":{"@xsi:type":"t:x","#text":"5"},"c":{"@xsi:nil":"true","@k":"1"}}}"##
    ),
    // Lists are found by shape.
    (#"<r><a xsi:type="xs:int">1</a><a xsi:type="xs:int">2</a></r>"#, #"{"r":{"a":[1,2]}}"#),
    (
      #"<r><a xsi:nil="true">x</a><b xsi:nil="false"/></r>"#,
      ##"{"r":{"a":{"@xsi:nil":"true","#text":"x"},"b":{"@xsi:nil":"false"}}}"##
    ),
  ])
  func `Types of other programs are read on request`(_ body: String, _ json: String) throws {
    let names =
      #" xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance" xmlns:xs="http://www.w3.org/2001/XMLSchema""#
      + #" xmlns:xsd="http://www.w3.org/2001/XMLSchema""#
    let xml = "<r\(names)>" + body.dropFirst(3)
    #expect(try Self.convert(xml, to: .json, types: .attributes).text == json)
    #expect(try Self.convert(xml, to: .json).text.contains("@xmlns:xsi"))
  }

  @Test(arguments: [
    (#"<a>x</a><a>y</a>"#, #"{"r":{"a":["x","y"]}}"#),
    (#"<p><a>x</a><a>y</a></p><q><a>z</a></q>"#, #"{"r":{"p":{"a":["x","y"]},"q":{"a":"z"}}}"#),
    // Other elements with the path keep their types.
    (
      #"<l f:type="list"><i><a>x</a></i><i><a>y</a><a>z</a></i><i><a f:list="true">u</a></i></l>"#,
      #"{"r":{"l":[{"a":"x"},{"a":["y","z"]},{"a":["u"]}]}}"#
    ),
    (#"<a f:list="true">x</a><a>y</a>"#, #"{"r":{"a":["x","y"]}}"#),
    (#"<a>x</a><a f:list="true">y</a>"#, #"{"r":{"a":["x","y"]}}"#),
    (#"<a f:list="true">x</a><a f:list="true">y</a>"#, #"{"r":{"a":["x","y"]}}"#),
    (#"<a f:type="list"><i>x</i><i>y</i></a><a>z</a>"#, #"{"r":{"a":[["x","y"],"z"]}}"#),
    (
      #"<a>x</a><b>1</b><a>y</a>"#,
      ##"{"r":{"#content":[{"a":"x"},{"b":"1"},{"a":"y"}]}}"##
    ),
    (#"<l f:type="list"><i>x</i><b>y</b><i>z</i></l>"#, #"{"r":{"l":["x","y","z"]}}"#),
    // An element whose name means the key of an attribute beside it.
    (
      #"<a x="1"><b/><_x0040_x>7</_x0040_x></a>"#,
      ##"{"r":{"a":{"@x":"1","#content":[{"b":""},{"@x":"7"}]}}}"##
    ),
    (
      #"<a f:list="true"><_x0040_f_x003A_list>7</_x0040_f_x003A_list></a>"#,
      #"{"r":{"a":[{"@f:list":"7"}]}}"#
    ),
  ])
  func `Repeated elements are a list also in a document with types`(_ body: String, _ json: String) throws {
    let xml = #"<r xmlns:f="urn:ferry:types">\#(body)</r>"#
    for types in XMLTypeNotation.allCases {
      #expect(try Self.convert(xml, to: .json, types: types).text == json)
    }
    let bytes: [UInt8] = [0xff, 0xfe] + xml.utf16.flatMap { [UInt8($0 & 0xff), UInt8($0 >> 8)] }
    #expect(try Self.convert(bytes, .xml, to: .json).bytes.dropLast().elementsEqual(json.utf8))
  }

  @Test func `Separated elements of a document with types are one list without their order`() throws {
    let xml = #"<r xmlns:f="urn:ferry:types"><p><a>x</a><b>1</b><a>y</a></p><p><a>z</a></p></r>"#
    var conversion = Conversion(to: .json)
    conversion.reading.xml.order = .never
    let result = try conversion.convert(Array(xml.utf8))
    #expect(
      String(decoding: result.bytes, as: UTF8.self)
        == #"{"r":{"p":[{"a":["x","y"],"b":"1"},{"a":"z"}]}}"# + "\n")
    #expect(result.report.losses.counts.map(\.kind) == [.siblingOrder])
  }

  @Test(arguments: XMLNamespaceStyle.allCases)
  func `Types are read in each style of names`(_ style: XMLNamespaceStyle) throws {
    let json = #"{"a":[1,2],"b":{"c":null,"d":[],"@e":"x"}}"#
    var conversion = Conversion(to: .json)
    conversion.reading.xml.namespaces = style
    let result = try conversion.convert(
      Array(Self.convert(json, to: .xml, types: .attributes).text.utf8))
    #expect(String(decoding: result.bytes, as: UTF8.self) == json + "\n")
    #expect(result.report.losses.isEmpty)
  }

  @Test(arguments: [
    (
      XMLNamespaceStyle.stripped, #"{"l":{"b":null,"c":{"@nil":"false","@k":"1"},"d":5}}"#,
      [Loss.Kind.namespace]
    ),
    (
      XMLNamespaceStyle.expanded,
      #"{"l":{"b":null,"c":{"@{http://www.w3.org/2001/XMLSchema-instance}nil":"false","@{urn:p}k":"1"},"d":5}}"#,
      [Loss.Kind]()
    ),
  ])
  func `Types of other programs are read in each style of names`(
    _ style: XMLNamespaceStyle, _ json: String, _ losses: [Loss.Kind]
  ) throws {
    let xml =
      #"<l xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance" xmlns:s="http://www.w3.org/2001/XMLSchema">"#
      + #"<b xsi:nil="true"/><c xsi:nil="false" xmlns:p="urn:p" p:k="1"/><d xsi:type="s:int">5</d></l>"#
    var conversion = Conversion(to: .json)
    (conversion.reading.xml.types, conversion.reading.xml.namespaces) = (.attributes, style)
    let result = try conversion.convert(Array(xml.utf8))
    #expect(String(decoding: result.bytes, as: UTF8.self) == json + "\n")
    #expect(result.report.losses.counts.map(\.kind) == losses)
  }

  @Test func `A prefix of types has the namespace that the document gives it`() throws {
    let xml =
      #"<r xmlns:i="http://www.w3.org/2001/XMLSchema-instance" xmlns:xsi="urn:other"><a i:nil="true"/><b xsi:nil="true"/></r>"#
    #expect(
      try Self.convert(xml, to: .json, types: .attributes).text
        == #"{"r":{"@xmlns:xsi":"urn:other","a":null,"b":{"@xsi:nil":"true"}}}"#)
  }

  /// A document with types and unusual prefixes, the elements that paths select from it, and their values.
  static let selections: [(path: String, json: String)] = [
    (
      "//p",
      #"[{"n":1,"e":null,"t":["x"],"l":[true],"d":{}},{"n":"1","e":"","t":["x","y"],"l":[]}]"#
    ),
    ("//n", #"[1,"1"]"#), ("//e", #"[null,""]"#), ("//t", #"["x","x","y"]"#), ("//l", "[[true],[]]"),
    ("//item", "[true]"), ("/r/p/d", "[{}]"), ("//p[2]/l", "[[]]"),
    (
      "/r",
      #"[{"p":[{"n":1,"e":null,"t":["x"],"l":[true],"d":{}},{"n":"1","e":"","t":["x","y"],"l":[]}]}]"#
    ),
  ]

  private static func selected(
    _ path: String, from xml: String, types: XMLTypeNotation = .none, _ style: XMLNamespaceStyle = .kept
  ) throws -> String {
    var conversion = Conversion(to: .json)
    (conversion.reading.matchesSchemas, conversion.reading.select) = (false, path)
    (conversion.reading.xml.types, conversion.reading.xml.namespaces) = (types, style)
    return String(decoding: try conversion.convert(Array(xml.utf8)).bytes.dropLast(), as: UTF8.self)
  }

  @Test(arguments: Self.selections.indices)
  func `A selected element of a document with types has the value that it has in the document`(_ index: Int)
    throws
  {
    let xml =
      #"<r xmlns:i="http://www.w3.org/2001/XMLSchema-instance" xmlns:s="http://www.w3.org/2001/XMLSchema" xmlns:f="urn:ferry:types" f:wrapper="true">"#
      + #"<p f:list="true"><n i:type="s:integer">1</n><e i:nil="true"/><t f:list="true">x</t>"#
      + #"<l f:type="list"><item i:type="s:boolean">true</item></l><d f:type="dictionary"/></p>"#
      + #"<p><n>1</n><e/><t>x</t><t>y</t><l f:type="list"/></p></r>"#
    let (path, json) = Self.selections[index]
    // A path in parentheses is matched in a tree.
    for path in [path, "(\(path))"] {
      for types in XMLTypeNotation.allCases {
        for style in XMLNamespaceStyle.allCases {
          #expect(
            try Self.selected(path, from: xml, types: types, style) == json, "\(path) \(types) \(style)")
        }
      }
    }
  }

  @Test(arguments: ["//n", "(//n)"])
  func `The types of a selected element have the prefixes that are declared around it`(_ path: String) throws
  {
    let xml =
      #"<r xmlns:i="http://www.w3.org/2001/XMLSchema-instance" xmlns:s="http://www.w3.org/2001/XMLSchema" xmlns:xs="urn:o" xmlns:f="urn:ferry:types">"#
      + #"<n i:type="xs:integer">1</n><n i:type="s:integer">2</n><m xmlns:s="urn:o"><n i:type="s:integer">3</n></m></r>"#
    #expect(
      try Self.selected(path, from: xml)
        == ##"[{"@i:type":"xs:integer","#text":"1"},2,{"@i:type":"s:integer","#text":"3"}]"##)
    // Only the root element shows that a document was written with types.
    let other =
      #"<r xmlns:i="http://www.w3.org/2001/XMLSchema-instance"><n xmlns:f="urn:ferry:types" i:nil="true"/></r>"#
    #expect(try Self.selected(path, from: other) == #"[{"@i:nil":"true","@xmlns:f":"urn:ferry:types"}]"#)
    #expect(try Self.selected(path, from: other, types: .attributes) == "[null]")
  }

  @Test func `A property list comes back with its dates, data and reals`() throws {
    let list = Array(
      """
      <plist version="1.0"><dict><key>d</key><date>2014-06-01T09:30:00Z</date><key>b</key><data>AAEC</data>\
      <key>r</key><real>2.0</real><key>i</key><integer>2</integer><key>n</key><real>nan</real></dict></plist>
      """.utf8)
    let xml = try Self.convert(list, to: .xml, types: .attributes)
    #expect(xml.losses.isEmpty)
    let back = try Self.convert(xml.bytes, .xml, to: .binaryPropertyList)
    #expect(back.losses.isEmpty)
    #expect(
      try Self.convert(back.bytes, to: .xmlPropertyList).bytes
        == Self.convert(list, to: .xmlPropertyList).bytes)
  }

  // MARK: Schemas

  private static let people =
    #"{"person":[{"name":"Ada","age":36,"born":null,"ok":true,"w":1.5,"tags":["x"]},{"name":"Al","age":41,"born":2,"ok":false,"w":2,"tags":[]}]}"#

  private static func inferred(
    _ text: String, named name: String, select: String? = nil
  ) throws -> InferredSchema {
    var options = ReadingOptions()
    options.select = select
    var inference = SchemaInference(options)
    try inference.add(MemoryInput(Array(text.utf8)), named: name)
    return try inference.schema()
  }

  @Test func `The schema of a document with types is that of its values in JSON`() throws {
    let xml = try Self.convert(Self.people, to: .xml, types: .attributes).text
    let found = try Self.inferred(xml, named: "people.xml")
    let ofJSON = try Self.inferred(Self.people, named: "people.json")
    #expect(found.schema.value == ofJSON.schema.value)
    #expect(found.recordCount == 2)
    // The schema of other XML describes elements.
    var inference = SchemaInference()
    try inference.add(MemoryInput(Array("<r><a k='1'/></r>".utf8)), named: "r.xml")
    let failure = #expect(throws: FerryError.self) {
      try inference.add(MemoryInput(Array(xml.utf8)), named: "people.xml")
    }
    #expect(failure?.reason == .record(.severalRecords(["xml", "xml with types"])))
  }

  @Test(arguments: ["//person", "(//person)"])
  func `The schema of selected elements with types has no attributes of types`(_ path: String) throws {
    let xml = try Self.convert(Self.people, to: .xml, types: .attributes).text
    let found = try Self.inferred(xml, named: "people.xml", select: path)
    #expect(found.recordCount == 2)
    #expect(found.schema.record.fields.map(\.name) == ["name", "age", "born", "ok", "w", "tags"])
  }

  @Test(arguments: [Format.json, .jsonLines, .xml, .csv, .xmlPropertyList], [true, false])
  func `A schema describes the values of a document with types as it describes those of JSON`(
    _ target: Format, infersSchema: Bool
  ) throws {
    var conversion = Conversion(to: target)
    conversion.reading.schema = infersSchema ? nil : try Self.inferred(Self.people, named: "a.json").schema
    conversion.infersSchema = infersSchema
    let ofJSON = try conversion.convert(Array(Self.people.utf8), named: "a.json")
    // From XML to XML, elements stay as they are.
    guard !infersSchema || target != .xml else { return }
    let xml = try Self.convert(Self.people, to: .xml, types: .attributes).text
    let result = try conversion.convert(Array(xml.utf8), named: "a.xml")
    #expect(String(decoding: result.bytes, as: UTF8.self) == String(decoding: ofJSON.bytes, as: UTF8.self))
    #expect(result.report.losses.counts == ofJSON.report.losses.counts)
    #expect(result.report.recordCount == 2)
  }

  @Test(arguments: ["//person", "(//person)"])
  func `A schema describes selected elements with types`(_ path: String) throws {
    let xml = try Self.convert(Self.people, to: .xml, types: .attributes).text
    var conversion = Conversion(to: .json)
    (conversion.reading.schema, conversion.reading.select) = (
      try Self.inferred(Self.people, named: "a.json").schema, path
    )
    let result = try conversion.convert(Array(xml.utf8), named: "a.xml")
    #expect(String(decoding: result.bytes, as: UTF8.self) == Self.people + "\n")
  }

  /// A document with a text in place of a number, a record without a name, and a key that the schema does not describe.
  private static let flawed = """
    <root\(declarations) ferry:wrapper="true">
      <person ferry:list="true">
        <name>Ada</name>
        <age>x</age>
      </person>
      <person><age xsi:type="xs:integer">3</age></person>
      <person><name>Al</name><age xsi:type="xs:integer">4</age><born xsi:nil="true"/></person>
    </root>
    """

  @Test(arguments: [nil, "//person", "(//person)"])
  func `A check of a document with types has the places of its values`(_ path: String?) throws {
    let schema = try Self.inferred(
      #"{"person":[{"name":"Ada","age":36},{"name":"Al","age":41}]}"#, named: "a.json"
    ).schema
    var options = ReadingOptions()
    options.select = path
    let report = try SchemaCheck(schema, options).report(
      on: MemoryInput(Array(Self.flawed.utf8)), named: "a.xml")
    #expect(report.recordCount == 3)
    #expect(report.errors.map(\.location.line) == [4, 6])
    #expect(report.errors.map(\.location.column) == [5, 3])
    #expect(report.undeclaredCount == 1)
    guard path == nil else { return }
    #expect(report.errors.map(\.path.description) == ["person[0].age", "person[1]"])
    #expect(report.undeclaredKeys.map(\.description) == ["person[2].born"])
  }

  private static func json(_ random: inout SeededGenerator, depth: Int) -> String {
    let keys = [
      "a", "b", "@id", "@", "#text", "#content", "@xsi:nil", "ferry:list", "first name", "", "item", "@xmlns",
    ]
    let scalars = [
      "\"x\"", "\"\"", "\" \"", "\"007\"", "true", "null", "0", "-0", "2.20", "1E+5", "\"<&\"",
      "12345678901234567890",
    ]
    switch depth > 0 ? Int.random(in: 0...4, using: &random) : 0 {
    case 1, 2:
      let values = (0..<Int.random(in: 0...3, using: &random)).map { _ in json(&random, depth: depth - 1) }
      return "[" + values.joined(separator: ",") + "]"
    case 3, 4:
      let chosen = keys.shuffled(using: &random).prefix(Int.random(in: 0...3, using: &random))
      return "{" + chosen.map { "\"\($0)\":" + json(&random, depth: depth - 1) }.joined(separator: ",") + "}"
    default: return scalars[Int.random(in: scalars.indices, using: &random)]
    }
  }

  @Test func `Any JSON comes back from attributes of types`() throws {
    var random = SeededGenerator(seed: 15)
    for _ in 0..<2000 {
      let json = Self.json(&random, depth: 5)
      let written = try Self.convert(json, to: .xml, types: .attributes)
      #expect(written.losses.isEmpty, "\(json)")
      #expect(try Self.convert(written.text, to: .json).text == json, "\(written.text)")
    }
  }
}
