import TestSupport
import Testing

/// Conversions with a schema in which names or values could change without a word.
@Suite(.temporaryDirectory) struct `Records that a schema describes only in part` {
  private static let name = "<firstName>A</firstName><lastName>B</lastName>"

  @Test(arguments: [
    "<a_x0020_b>1</a_x0020_b>", "<a_x005F_x0020_b>1</a_x005F_x0020_b>", "<_x0041_>1</_x0041_>",
    "<d><_x_>1</_x_><_x0023_text>2</_x0023_text></d>", #"<d _x0041_="1" c_x0020_d="2"/>"#,
    "<d><_x0023_content>1</_x0023_content><_x0023_content>2</_x0023_content></d>",
    "<d>a<_x0023_comment>b</_x0023_comment></d>",
    "<_x0040_id>1</_x0040_id>", "<a_x003A_b>1</a_x003A_b>", "<_x0041_x0020_b>1</_x0041_x0020_b>",
  ])
  func `Names that contain escapes stay the same between XML documents`(_ contents: String) async throws {
    let declaration = "<?xml version=\"1.0\"?>\n"
    try directory.write("a.xml", declaration + "<people><person>\(Self.name)\(contents)</person></people>")
    for schema in ["person", "none"] {
      let run = try await ToolRun.ferry("convert", "a.xml", "--schema", schema, "--to", "xml", "--strict")
      expectQuiet(run)
      let lines = run.output.split(separator: "\n").dropFirst().map { $0.drop { $0 == " " } }
      #expect(lines.joined() == "<people><person>\(Self.name)\(contents)</person></people>")
    }
  }

  @Test func `An element with the key of an attribute beside it is told from it`() async throws {
    try directory.write(
      "p.json",
      #"{"ferry":1,"name":"p","collection":{"element":"l"},"record":{"element":"p"},"fields":[{"name":"n","type":"string"},{"name":"m","type":"any","optional":true}]}"#
    )
    let element = #"<m x="1"><_x0040_x>3</_x0040_x></m><k x="1"><b/><_x0040_x>3</_x0040_x></k>"#
    try directory.write("a.xml", "<l><p><n>a</n>\(element)</p></l>")
    let run = try await ToolRun.ferry("convert", "a.xml", "--to", "json", "--schema", "p.json")
    #expect(run.errors == "")
    #expect(
      run.output
        == ##"[{"n":"a","m":{"@x":"1","#content":[{"@x":"3"}]},"k":{"@x":"1","#content":[{"b":""},{"@x":"3"}]}}]"##
        + "\n")
    try directory.write("a.json", run.output)
    let back = try await ToolRun.ferry("convert", "a.json", "--to", "xml", "--schema", "p.json")
    #expect(back.errors == "")
    #expect(back.output.split(separator: "\n").map { $0.drop { $0 == " " } }.joined().contains(element))
    // The fields of a record have no order.
    try directory.write("b.xml", #"<l><p y="1"><n>a</n><_x0040_y>2</_x0040_y></p></l>"#)
    let record = try await ToolRun.ferry("convert", "b.xml", "--to", "json", "--schema", "p.json")
    #expect(record.output == #"[{"n":"a","@y":"1","_x0040_y":"2"}]"# + "\n")
    #expect(record.errors.contains("keys occur twice in one dictionary"), "\(record.errors)")
  }

  @Test(arguments: [
    ("<_x0023_text>2</_x0023_text>", ##""#text":{"#content":["2"]}"##),
    ("<_x0040_id>2</_x0040_id>", ##""@id":{"#content":["2"]}"##),
    (
      #"<k x="1"><_x0023_text>2</_x0023_text></k>"#, ##""k":{"@x":"1","#content":[{"#text":"2"}]}"##
    ),
    ("<k><_x0040_x>2</_x0040_x><b/></k>", ##""k":{"#content":[{"@x":"2"},{"b":""}]}"##),
    (
      "<k><_x0023_content>1</_x0023_content><_x0023_content>2</_x0023_content></k>",
      ##""k":{"#content":[{"#content":"1"},{"#content":"2"}]}"##
    ),
    (
      "<k>t<_x0023_comment>c</_x0023_comment></k>",
      ##""k":{"#content":["t",{"#comment":{"#content":["c"]}}]}"##
    ),
  ])
  func `Elements whose keys would mean other parts of a record come back`(_ element: String, _ entry: String)
    async throws
  {
    try directory.write("a.xml", "<people><person>\(Self.name)\(element)</person></people>")
    let json = try await ToolRun.ferry("convert", "a.xml", "--to", "json", "--schema", "person", "--strict")
    #expect(json.output == #"[{"firstName":"A","lastName":"B",\#(entry)}]"# + "\n")
    try directory.write("a.json", json.output)
    let back = try await ToolRun.ferry("convert", "a.json", "--to", "xml", "--schema", "person", "--strict")
    expectQuiet(back)
    let lines = back.output.split(separator: "\n").dropFirst().map { $0.drop { $0 == " " } }
    #expect(lines.joined() == "<people><person>\(Self.name)\(element)</person></people>")
  }

  @Test func `Names of attributes stay the same between XML documents`() async throws {
    try directory.write("a.xml", #"<r _x0041_="1" b_x0020_c="2" _x005F_x0041_="3"/>"#)
    let run = try await ToolRun.ferry("convert", "a.xml", "--to", "xml", "--strict")
    expectQuiet(run)
    #expect(run.output.contains(#"<r _x0041_="1" b_x0020_c="2" _x005F_x0041_="3"/>"#))
  }

  @Test(arguments: [
    #""a b":"x""#, #""d":{"":"e"}"#, #""_x0020_":"x""#, #""xml:a":"x""#, ##""d":{"@k":"1","#text":"x"}"##,
    #""@a b":"x""#, ##""d":{"#text":"x"}"##, ##""d":{"#text":"","a":"x"}"##,
    ##""d":{"a":"x","#text":" "}"##, #""@xmlns":"u""#, #""d":{"a":"x","@k/l":"1"}"#,
    #""@k":{"a":"x"}"#, ##""#text":" ""##, ##""#text":"""##, #""_x0041 b":"x""#,
  ])
  func `Keys that no field has come back from XML`(_ entry: String) async throws {
    let record = #"{"firstName":"A","lastName":"B",\#(entry)}"#
    try directory.write("a.json", "[\(record)]")
    expectQuiet(
      try await .ferry("convert", "a.json", "--schema", "person", "--to", "xml", "--strict", "-o", "a.xml"))
    let back = try await ToolRun.ferry(
      "convert", "a.xml", "--schema", "person", "--to", "json", "--sort-keys")
    let sorted = try await ToolRun.ferry(
      "convert", "a.json", "--schema", "none", "--to", "json", "--sort-keys")
    #expect(back.output == sorted.output)
  }

  @Test(arguments: [
    (#""d":{"a":"x","@k":"1"}"#, #"<d k="1"><a>x</a></d>"#, "attributes after the contents of an element"),
    (##""d":{"#text":"x","@k":"1"}"##, #"<d k="1">x</d>"#, "attributes after the contents of an element"),
    (##""d":{"#text":"x","a":"y"}"##, "<d>x<a>y</a></d>", "text beside elements"),
    (
      #""d":{"a":"x","@xml:space":"preserve"}"#,
      "<d><a>x</a><_x0040_xml_x003A_space>preserve</_x0040_xml_x003A_space></d>",
      "keys that are not names in XML become escaped names"
    ),
  ])
  func `Attributes and text that no field has keep their kind after or before elements, and are reported`(
    _ entry: String, _ xml: String, _ words: String
  ) async throws {
    try directory.write("a.json", #"[{"firstName":"A","lastName":"B",\#(entry)}]"#)
    let run = try await ToolRun.ferry("convert", "a.json", "--schema", "person", "--to", "xml")
    let lines = run.output.split(separator: "\n").map { $0.drop { $0 == " " } }
    #expect(lines.joined().contains(xml), "\(run.output)")
    #expect(run.errors.contains(words), "\(run.errors)")
  }

  @Test(arguments: [
    (#""n":1"#, "numbers become text"), (#""n":{"m":1.5}"#, "numbers become text"),
    (#""t":true"#, "booleans become text"), (#""d":[[1,2],["a"]]"#, "arrays inside arrays become elements"),
    (#""d":[[["a","b"],["c","d"]]]"#, "arrays inside arrays become elements"),
    (#""e":{}"#, "empty arrays and dictionaries"), (#""e":[{},"x"]"#, "empty arrays and dictionaries"),
    (#""@k":1"#, "numbers become text"),
  ])
  func `Values that no field has are reported if XML makes others of them`(_ entry: String, _ words: String)
    async throws
  {
    try directory.write("a.json", #"[{"firstName":"A","lastName":"B",\#(entry)}]"#)
    for schema in ["person", "none"] {
      let run = try await ToolRun.ferry("convert", "a.json", "--schema", schema, "--to", "xml")
      #expect(run.status == 0)
      #expect(run.errors.contains(words), "\(schema): \(run.errors)")
    }
    let strict = try await ToolRun.ferry(
      "convert", "a.json", "--schema", "person", "--to", "xml", "--strict", "-o", "a.xml")
    #expect(strict.status == 1)
  }

  @Test func `Dates, data and NaN that no field has are reported`() async throws {
    try directory.write(
      "a.plist",
      """
      <plist><array><dict><key>firstName</key><string>A</string><key>lastName</key><string>B</string>
      <key>d</key><date>2014-06-01T09:30:00Z</date><key>b</key><data>AQID</data><key>n</key><real>nan</real>
      </dict></array></plist>
      """)
    let run = try await ToolRun.ferry("convert", "a.plist", "--schema", "person", "--to", "xml")
    for words in ["dates become text (1)", "data becomes Base64 text (1)", "numbers become text (1)"] {
      #expect(run.errors.contains(words), "\(run.errors)")
    }
  }

  @Test(arguments: [
    "<e>1</e><f>2</f><e>3</e>", "<e>1</e><firstName>A</firstName><lastName>B</lastName><e>3</e>",
  ])
  func `The order of elements that no field has is reported if it is lost`(_ elements: String) async throws {
    let names = elements.contains("firstName") ? "" : Self.name
    try directory.write("a.xml", "<people><person>\(elements)\(names)</person></people>")
    for target in ["xml", "json"] {
      let run = try await ToolRun.ferry("convert", "a.xml", "--schema", "person", "--to", target)
      #expect(
        run.errors == "a.xml: not exact: the order of elements with different names is lost (1)\n")
    }
  }

  @Test func `Attributes that differ only in their namespace keep their prefixes`() async throws {
    try directory.write(
      "a.xml", "<person xmlns:x='u' x:id='1' id='2'>\(Self.name)<d x:id='3' id='4' x:k='5'/></person>")
    let run = try await ToolRun.ferry("convert", "a.xml", "--schema", "person", "--to", "json")
    #expect(
      run.output == #"{"firstName":"A","lastName":"B","@x:id":"1","@id":"2","d":"#
        + #"{"@x:id":"3","@id":"4","@k":"5"}}"# + "\n")
    #expect(run.errors == "a.xml: not exact: namespace declarations are left out (1)\n")
    let xml = try await ToolRun.ferry("convert", "a.xml", "--schema", "person", "--to", "xml")
    #expect(xml.status == 0)
    #expect(xml.output.contains(#"<person x_x003A_id="1" id="2">"#), "\(xml.output)")
  }

  @Test func `A key that is the element of another field is left out with a report`() async throws {
    try directory.write(
      "s.schema.json",
      """
      {"ferry":1,"name":"note","collection":{"element":"notes"},
       "fields":[{"name":"made","xml":"created","optional":true},{"name":"id","xml":"@id"}]}
      """)
    try directory.write("a.json", #"[{"id":"1","created":"x","@id":"2"}]"#)
    let run = try await ToolRun.ferry("convert", "a.json", "--schema", "s.schema.json", "--to", "xml")
    #expect(run.status == 0)
    #expect(
      run.errors.contains("keys that mean another field in the output are left out (1)"), "\(run.errors)")
    #expect(run.output.contains(#"<note id="1">"#))
    #expect(run.output.contains("<_x0040_id>2</_x0040_id>"))
    #expect(!run.output.contains("created"))
  }

  @Test(arguments: [(#"{"x":1}"#, #"[{"x":1}]"#), ("{}", "[{}]"), (#"[{"x":1},{}]"#, #"[{"x":1},{}]"#)])
  func `A record whose element has the name of the collection comes back from XML as a list of one`(
    _ json: String, _ wanted: String
  ) async throws {
    try directory.write(
      "a.schema.json",
      """
      {"ferry":1,"name":"a","collection":{"element":"a"},
       "fields":[{"name":"x","type":"integer","optional":true}]}
      """)
    try directory.write("a.json", json)
    let run = try await ToolRun.shell(
      """
      ferry convert a.json --schema a.schema.json -o a.xml || exit 2
      ferry convert a.xml --schema a.schema.json --to json
      """)
    expectQuiet(run)
    #expect(run.output == wanted + "\n")
  }
}
