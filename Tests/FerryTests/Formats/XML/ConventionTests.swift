import TestSupport
import Testing

@testable import Ferry

/// XML in the conventions of other programs.
@Suite struct `Conventions for XML` {
  private func convert(
    _ text: String, to target: Format, _ convention: XMLConvention,
    _ change: (inout Conversion) -> Void = { _ in }
  ) throws -> (text: String, losses: [Loss.Kind]) {
    var conversion = Conversion(to: target)
    conversion.reading.format = target == .xml ? .json : .xml
    (conversion.reading.xml.convention, conversion.writing.xml.convention) = (convention, convention)
    change(&conversion)
    let result = try conversion.convert(Array(text.utf8))
    return (String(decoding: result.bytes.dropLast(), as: UTF8.self), result.report.losses.counts.map(\.kind))
  }

  /// The examples of BadgerFish's description.
  private static let badgerfish: [(xml: String, json: String)] = [
    ("<alice>bob</alice>", #"{"alice":{"$":"bob"}}"#),
    (
      "<alice><bob>charlie</bob><david>edgar</david></alice>",
      #"{"alice":{"bob":{"$":"charlie"},"david":{"$":"edgar"}}}"#
    ),
    (
      "<alice><bob>charlie</bob><bob>david</bob></alice>",
      #"{"alice":{"bob":[{"$":"charlie"},{"$":"david"}]}}"#
    ),
    (#"<alice charlie="david">bob</alice>"#, #"{"alice":{"@charlie":"david","$":"bob"}}"#),
    ("<alice/>", #"{"alice":{}}"#),
    (
      #"<alice xmlns="http://some-namespace">bob</alice>"#,
      #"{"alice":{"@xmlns":{"$":"http://some-namespace"},"$":"bob"}}"#
    ),
    (
      #"<a xmlns="u"><b xmlns="">x</b></a>"#,
      #"{"a":{"@xmlns":{"$":"u"},"b":{"@xmlns":{"$":""},"$":"x"}}}"#
    ),
    (
      #"<alice xmlns="n" xmlns:charlie="m"><bob>david</bob><charlie:edgar>frank</charlie:edgar></alice>"#,
      #"{"alice":{"@xmlns":{"$":"n","charlie":"m"},"bob":{"@xmlns":{"$":"n","charlie":"m"},"$":"david"},"#
        + #""charlie:edgar":{"@xmlns":{"$":"n","charlie":"m"},"$":"frank"}}}"#
    ),
  ]

  @Test(
    arguments: [
      (.badgerfish, nil), (.badgerfish, "//e"), (.badgerfish, "//e[position() > 1]"),
      (.jsonml, "//e[position() > 1]"), (.xmltodict, "//e[position() > 1]"),
    ] as [(XMLConvention, String?)])
  func `Namespaces that each element gets are refused if they are much larger than the document`(
    _ convention: XMLConvention, _ path: String?
  ) throws {
    let namespaces = (0..<100).map { #" xmlns:p\#($0)="urn:\#($0)""# }.joined()
    let text = "<r\(namespaces)>\(String(repeating: "<e/>", count: 200))</r>"
    let error = #expect(throws: FerryError.self) {
      try convert(text, to: .json, convention) {
        $0.reading.select = path
        ($0.reading.budget.amplification, $0.reading.budget.amplificationFloor) = (20, 0)
      }
    }
    #expect(error?.reason == .overBudget(.amplification(20)))
    #expect(throws: Never.self) { try convert(text, to: .json, convention) { $0.reading.select = path } }
  }

  @Test(arguments: badgerfish.indices) func `BadgerFish both ways`(_ index: Int) throws {
    let (xml, json) = Self.badgerfish[index]
    #expect(try convert(xml, to: .json, .badgerfish).text == json)
    let back = try convert(json, to: .xml, .badgerfish)
    #expect(back.losses.isEmpty)
    #expect(try convert(back.text, to: .json, .badgerfish).text == json)
    #expect(back.text.split(separator: "\n").dropFirst().map { $0.drop { $0 == " " } }.joined() == xml)
  }

  @Test(arguments: ["//_:a", "(//_:a)"]) func `A selected element has the namespaces around it`(
    _ path: String
  ) throws {
    let xml = "<r xmlns='u' xmlns:p='v'><q xmlns:p='w'><a>1</a></q></r>"
    let read = try convert(xml, to: .json, .badgerfish) { $0.reading.select = path }
    let value = try Value(json: Array(read.text.utf8), budget: Budget())
    #expect(
      try value == Value(json: Array(#"[{"@xmlns":{"$":"u","p":"w"},"$":"1"}]"#.utf8), budget: Budget())
        || value == Value(json: Array(#"[{"@xmlns":{"p":"w","$":"u"},"$":"1"}]"#.utf8), budget: Budget()))
  }

  @Test func `JsonML keeps the order and all text`() throws {
    let xml = #"<a b="1" xmlns:p="u"> x <c/><p:d>y<![CDATA[<z>]]></p:d><c>&lt;</c> </a>"#
    let json = #"["a",{"b":"1","xmlns:p":"u"}," x ",["c"],["p:d","y<z>"],["c","<"]," "]"#
    let read = try convert(xml, to: .json, .jsonml)
    #expect(read.text == json)
    #expect(read.losses.isEmpty)
    let back = try convert(json, to: .xml, .jsonml)
    #expect(back.losses.isEmpty)
    #expect(back.text.hasSuffix("\n" + xml.replacing("<![CDATA[<z>]]>", with: "&lt;z&gt;")))
    #expect(
      try convert("<a><b>1</b><b/></a>", to: .json, .jsonml) { $0.reading.select = "//b" }.text
        == #"[["b","1"],["b"]]"#)
    #expect(
      try convert("<a><b>1</b><b/></a>", to: .json, .jsonml) { $0.reading.select = "(//b)" }.text
        == #"[["b","1"],["b"]]"#)
    let refused = [
      "{}", "3", #"["a",["b",{"c":{}}]]"#, "[]", "[1]", #"["a",[]]"#, #"["a","b",{"c":"d"}]"#, #"["a b"]"#,
      #"["{urn:a}b"]"#, #"["a",{"{urn:a}b":"1"}]"#, #"["a",{"b c":"1"}]"#, #"[""]"#, #"["p:a"]"#,
      #"["a","\u0001"]"#, #"["a",{"b":"1","b":"2"}]"#, "[\"a\"",
    ]
    for json in refused {
      #expect(throws: FerryError.self, "\(json)") { try convert(json, to: .xml, .jsonml) }
    }
    #expect(
      try convert(#"["a",1,["b"],true,["b"],null]"#, to: .xml, .jsonml).losses == [
        .numberAsText, .booleanAsText, .nullAsText,
      ])
  }

  @Test func `Real documents come back from JsonML`() throws {
    var count = 0
    for file in try Corpus.files(under: "") where file.hasSuffix(".xml") || file.hasSuffix(".xcscheme") {
      let bytes = try Corpus.bytes(file)
      guard bytes.count < 1 << 17 else { continue }
      var conversion = Conversion(to: .json)
      (conversion.reading.format, conversion.reading.xml.convention) = (.xml, .jsonml)
      guard let json = try? conversion.convert(bytes).bytes else { continue }
      count += 1
      var back = Conversion(to: .xml)
      (back.reading.format, back.writing.xml.convention) = (.json, .jsonml)
      let xml = try back.convert(json).bytes
      #expect(try conversion.convert(xml).bytes == json, "\(file)")
    }
    #expect(count > 1000)
  }

  @Test func `The convention of the input is not that of the output`() throws {
    let json = Array(#"{"a":{"$":"x"}}"#.utf8)
    var writing = Conversion(to: .xml)
    writing.reading.xml.convention = .badgerfish
    #expect(try writing.convert(json).bytes == Conversion(to: .xml).convert(json).bytes)
    let xml = Array("<a b='1'>x</a>".utf8)
    var reading = Conversion(to: .json)
    reading.writing.xml.convention = .badgerfish
    #expect(try reading.convert(xml).bytes == Conversion(to: .json).convert(xml).bytes)
  }

  @Test func `Parker has values only`() throws {
    let xml = "<r a='1'><n>1.50</n><z>007</z><t>true</t><e/><i>a</i><i>b</i> text </r>"
    let read = try convert(xml, to: .json, .parker)
    #expect(read.text == #"{"n":1.50,"z":"007","t":true,"e":null,"i":["a","b"]}"#)
    #expect(Set(read.losses) == [.attribute, .otherText])
    #expect(try convert("<r>x</r>", to: .json, .parker).text == #""x""#)
    #expect(throws: FerryError(.xml(.readOnlyConvention("parker")))) { try convert("{}", to: .xml, .parker) }
  }

  @Test(arguments: [
    ("b", ##"{"a":{"b":[{"@i":"1","c":"x"}],"d":["1","2"]}}"##),
    ("b.c", ##"{"a":{"b":{"@i":"1","c":["x"]},"d":["1","2"]}}"##),
    ("a.b.c", ##"{"a":{"b":{"@i":"1","c":["x"]},"d":["1","2"]}}"##),
    ("a.*", ##"{"a":{"b":[{"@i":"1","c":"x"}],"d":["1","2"]}}"##),
    ("*", ##"{"a":{"b":[{"@i":"1","c":["x"]}],"d":["1","2"]}}"##),
  ])
  func `An element is a list in other conventions, too, if the options say so`(
    _ list: String, _ json: String
  ) throws {
    let xml = "<a><b i='1'><c>x</c></b><d>1</d><d>2</d></a>"
    let path = try ValuePath(parsing: list)
    #expect(try convert(xml, to: .json, .xmltodict) { $0.reading.xml.lists = [path] }.text == json)
    #expect(
      try convert(json, to: .xml, .xmltodict).text.split(separator: "\n").dropFirst().map {
        $0.drop { $0 == " " }
      }
      .joined() == xml.replacing("'", with: "\""))
  }

  @Test(arguments: ["//b", "(//b)"]) func `A list that no selected element has is named in a note`(
    _ select: String
  ) throws {
    var conversion = Conversion(to: .json)
    conversion.reading.xml.convention = .xmltodict
    conversion.reading.select = select
    conversion.reading.xml.lists = ["b.c", "d", "typo"]
    let result = try conversion.convert(Array("<a><b><c>x</c><d/><d/></b></a>".utf8))
    #expect(String(decoding: result.bytes, as: UTF8.self) == "[{\"c\":[\"x\"],\"d\":[null,null]}]\n")
    #expect(result.report.notes.map(\.code).filter { $0 != "held-in-memory" } == ["no-list"])
  }

  /// Documents, and what xmltodict 0.13 and 1.0 make of them.
  private static let xmltodict: [(xml: String, json: String)] = [
    ("<a/>", #"{"a":null}"#), ("<a> </a>", #"{"a":null}"#), ("<a> x </a>", #"{"a":"x"}"#),
    (#"<a b="1"/>"#, #"{"a":{"@b":"1"}}"#), (#"<a b="1">x</a>"#, ##"{"a":{"@b":"1","#text":"x"}}"##),
    ("<a><b>1</b><c/><b>2</b></a>", #"{"a":{"b":["1","2"],"c":null}}"#),
    ("<a>x<b>1</b>y</a>", ##"{"a":{"b":"1","#text":"xy"}}"##),
    ("<l><r><b/></r><r><b/><b/></r></l>", #"{"l":{"r":[{"b":null},{"b":[null,null]}]}}"#),
    (#"<p:a xmlns:p="u"/>"#, #"{"p:a":{"@xmlns:p":"u"}}"#),
  ]

  @Test(arguments: xmltodict.indices) func `Values as xmltodict has them`(_ index: Int) throws {
    let (xml, json) = Self.xmltodict[index]
    #expect(try convert(xml, to: .json, .xmltodict).text == json)
    let back = try convert(json, to: .xml, .xmltodict)
    #expect(!back.losses.contains(.nullAsText))
    #expect(try convert(back.text, to: .json, .xmltodict).text == json)
    #expect(
      try convert(##"{"a":{"b":{"#text":"x"},"c":{"#text":null}}}"##, to: .xml, .xmltodict).text.hasSuffix(
        "<a>\n  <b>x</b>\n  <c/>\n</a>"))
    // A document that a built-in schema matches is read by the convention, too.
    let people = "<people><person><firstName>A</firstName><lastName>B</lastName></person></people>"
    #expect(
      try convert(people, to: .json, .xmltodict).text
        == #"{"people":{"person":{"firstName":"A","lastName":"B"}}}"#)
  }

  @Test(arguments: [
    ("<a> x </a>", true), ("<a> </a>", true), ("<a b='1'>\n</a>", true), ("<a><b>x </b></a>", true),
    ("<a>x y</a>", false), ("<a/>", false), ("<a>\n  <b>x</b>\n</a>", false),
  ])
  func `White space that xmltodict leaves out of text is reported`(_ xml: String, _ isReported: Bool) throws {
    #expect(try convert(xml, to: .json, .xmltodict).losses.contains(.space) == isReported)
  }

  // MARK: From JSON to XML and back

  private static let keys = [
    "a", "a b", "1x", "", "a:b", "@", "@a", "@a b", "@@a", "@p:a", "@xmlns", "@xmlns:p", "xmlns", "xml:b",
    "#", "#text",
    "#content", "#comment", "#cdata", "$", "$a", "{urn:a}b", "{a}b", "@{urn:a}b", "a_x0020_b", "_x_", "?p",
    "!--",
    "é", "-x", "a&b", "item", "root",
  ]

  private static let values = [
    #""x""#, "\"\"", #"" ""#, ##""\n""##, #"" x""#, ##""x\t""##, ##""\r""##, ##""a\r\nb""##, "null", "1",
    "true", "{}", "[]",
    #"["x"]"#, #"["x","y"]"#, #"[["x"]]"#, #"[[],["x","y"]]"#, "[null]", "[{},{}]", #"["",""]"#,
    #"{"$":"x"}"#,
    #"{"$":""}"#, #"{"$":" "}"#, #"{"$":null}"#, #"{"$":1}"#, #"{"$":["x","y"]}"#, #"{"$":{"b":{}}}"#,
    #"{"$":" ","b":{}}"#, #"{"$":"x","b":{"$":"y"}}"#, #"{"b":{},"$":"x"}"#, #"{"$":"x","@b":"1"}"#,
    ##"{"#text":"x"}"##, ##"{"#text":""}"##, ##"{"#text":" "}"##, ##"{"#text":null}"##,
    ##"{"#text":["x","y"]}"##,
    ##"{"#text":{"b":"y"}}"##, ##"{"b":"y","#text":" "}"##, ##"{"b":"y","#text":"x"}"##,
    ##"{"#text":"x","b":"y"}"##,
    ##"{"#text":"x","@b":"1"}"##, ##"{"@b":"1","#text":"x"}"##, ##"{"@b":"1","#text":" x "}"##,
    ##"{"@b":"1","#text":""}"##, ##"{"@b":"1","#text":null}"##, #"{"@b":" "}"#, ##"{"@b":"\n"}"##,
    #"{"@b":null}"#,
    #"{"@b":1}"#, #"{"@b":["x"]}"#, #"{"@b":{"c":"d"}}"#, #"{"b":"x","@c":"1"}"#,
    #"{"b":{"$":"x"},"@c":"1"}"#,
    #"{"@xmlns":{"$":"u","p":"v"},"p:b":{"@xmlns":{"$":"u","p":"v"}}}"#,
    #"{"@xmlns":{"$":"u"},"b":{"$":"x"}}"#,
    #"{"@xmlns":{}}"#, #"{"@xmlns":{"p":""}}"#, #"{"@xmlns":{"p q":"u"}}"#, #"{"@xmlns":{"p":1}}"#,
    #"{"@xmlns":"u"}"#, #"{"@xmlns:p":"u","p:b":"x"}"#, #"{"@xmlns:p":"u","p:b":{"$":"x"}}"#,
    ##"{"@xml:space":"preserve","#text":" "}"##, #"{"@xml:space":"preserve","$":" ","b":{}}"#,
    ##"{"#content":["x",{"b":"y"}]}"##, ##"{"#content":[]}"##, ##"{"#comment":"x"}"##, ##"{"#cdata":"x"}"##,
  ]

  /// Converts JSON to XML and back. Returns true if the values are equal, and the losses of the first conversion.
  private func comesBack(_ json: String, _ convention: XMLConvention) throws -> (Bool, [Loss.Kind]) {
    let xml = try convert(json, to: .xml, convention)
    let back = try convert(xml.text, to: .json, convention)
    let read = try Value(json: Array(back.text.utf8), budget: Budget())
    return (try read == Value(json: Array(json.utf8), budget: Budget()), xml.losses)
  }

  @Test(arguments: [XMLConvention.badgerfish, .xmltodict])
  func `Each key and value in a convention comes back, or is reported`(_ convention: XMLConvention) throws {
    let plain = convention == .badgerfish ? #"{"$":"v"}"# : #""v""#
    var documents = Self.keys.flatMap { [#"{"r":{"\#($0)":\#(plain)}}"#, #"{"\#($0)":\#(plain)}"#] }
    documents += Self.keys.map { #"{"r":{"\#($0)":"v"}}"# }
    documents += Self.values.flatMap {
      [$0, #"{"r":\#($0)}"#, #"{"r":{"a":\#($0)}}"#, #"{"r":[{"b":\#($0)},"x"]}"#]
    }
    var (kept, reported) = (0, 0)
    for json in documents {
      let (isEqual, losses) = try comesBack(json, convention)
      #expect(isEqual || !losses.isEmpty, "\(json)")
      if isEqual { kept += 1 } else { reported += 1 }
      // A report of a value that comes back would be false.
      if isEqual { #expect(losses.isEmpty, "\(json): \(losses)") }
    }
    #expect(kept > 15 && reported > 100)
  }

  @Test func `A key that is not a name is written with escapes, and reported`() throws {
    for convention in [XMLConvention.badgerfish, .xmltodict] {
      let plain = convention == .badgerfish ? #"{"$":"v"}"# : #""v""#
      let written = try convert(#"{"r":{"a b":\#(plain)}}"#, to: .xml, convention)
      #expect(written.text.contains("<a_x0020_b>v</a_x0020_b>"))
      #expect(written.losses == [.keyName])
      // A reader of the convention knows no escapes, so that such a name is a key like any other.
      let name = try convert(#"{"r":{"a_x0020_b":\#(plain)}}"#, to: .xml, convention)
      #expect(name.text.contains("<a_x0020_b>v</a_x0020_b>") && name.losses.isEmpty)
    }
  }

  @Test(arguments: [XMLConvention.badgerfish, .xmltodict])
  func `A key that is the name with escapes of another key gets a name of its own`(
    _ convention: XMLConvention
  ) throws {
    let pairs = [
      ("a b", "a_x0020_b"), ("", "_x_"), ("p:a", "p_x003A_a"), ("@", "_x0040_"), ("@a b", "@a_x0020_b"),
      ("@p:a", "@p_x003A_a"), ("xml:a b", "xml:a_x0020_b"),
    ]
    func entry(_ key: String, _ value: String) -> String {
      let isAttribute = key.hasPrefix("@") && key != "@"
      return convention == .badgerfish && !isAttribute
        ? #""\#(key)":{"$":"\#(value)"}"# : #""\#(key)":"\#(value)""#
    }
    for (key, name) in pairs {
      for keys in [[key, name], [name, key]] {
        let json = #"{"r":{\#(entry(keys[0], "v")),\#(entry(keys[1], "w"))}}"#
        let written = try convert(json, to: .xml, convention)
        #expect(written.losses == [.keyName], "\(json)")
        let other = name.replacing("_x", with: "_x005F_x")
        let names = keys.map { $0 == key ? name : other }
        let expected = #"{"r":{\#(entry(names[0], "v")),\#(entry(names[1], "w"))}}"#
        let back = try convert(written.text, to: .json, convention)
        let read = try Value(json: Array(back.text.utf8), budget: Budget())
        #expect(try read == Value(json: Array(expected.utf8), budget: Budget()), "\(written.text)")
      }
    }
    // The other name may be that of a third key.
    let three =
      #"{"r":{\#(entry("a b", "u")),\#(entry("a_x0020_b", "v")),\#(entry("a_x005F_x0020_b", "w"))}}"#
    let written = try convert(three, to: .xml, convention)
    for name in ["a_x0020_b>u<", "a_x005F_x0020_b>v<", "a_x005F_x005F_x005F_x0020_b>w<"] {
      #expect(written.text.contains("<" + name))
    }
  }

  @Test func `White space that a convention leaves out of text is reported when it is written`() throws {
    #expect(try convert(#"{"r":" x"}"#, to: .xml, .xmltodict).losses == [.space])
    #expect(try convert(##"{"r":{"@a":"1","#text":"\n"}}"##, to: .xml, .xmltodict).losses == [.space])
    #expect(try convert(#"{"r":{"$":" x"}}"#, to: .xml, .badgerfish).losses.isEmpty)
    #expect(try convert(#"{"r":{"$":" ","b":{}}}"#, to: .xml, .badgerfish).losses == [.space])
    // White space that the writer would add between elements would be a part of their text.
    #expect(
      try convert(#"{"r":{"$":"x","b":{"$":"y"}}}"#, to: .xml, .badgerfish).text.hasSuffix(
        "\n<r>x<b>y</b></r>"))
  }

  @Test func `JsonML keeps white space, and reports texts and lists that are read as others`() throws {
    let kept = [#"["a"," "]"#, ##"["a","\n",["b"," x "],"\t"]"##, ##"["a",{"b":" \n"}]"##, #"["a_x0020_b"]"#]
    for json in kept {
      let (isEqual, losses) = try comesBack(json, .jsonml)
      #expect(isEqual && losses.isEmpty, "\(json)")
    }
    let reported: [(json: String, loss: Loss.Kind)] = [
      (#"["a",""]"#, .emptyText), (#"["a","x","y"]"#, .contentForm), (#"["a",{}]"#, .emptyCollection),
      (#"["a",null]"#, .nullAsText),
    ]
    for (json, loss) in reported {
      let (isEqual, losses) = try comesBack(json, .jsonml)
      #expect(!isEqual && losses == [loss], "\(json)")
    }
  }

  @Test(arguments: [XMLConvention.badgerfish, .xmltodict, .parker])
  func `White space between elements is reported if the document marks it as content`(
    _ convention: XMLConvention
  ) throws {
    let marked = [
      "<a xml:space='preserve'> <b/> </a>", "<a><![CDATA[ ]]><b/></a>",
      "<a xml:space='preserve'><b> <c/></b></a>",
    ]
    for document in marked {
      #expect(try convert(document, to: .json, convention).losses.contains(.space), "\(document)")
    }
    for document in ["<a> <b/> </a>", "<a xml:space='preserve'><b xml:space='default'> <c/></b></a>"] {
      #expect(try !convert(document, to: .json, convention).losses.contains(.space), "\(document)")
    }
  }

  @Test func `A deep document is refused, and no convention crashes`() throws {
    let depth = 3000
    let xml = String(repeating: "<a>", count: depth) + String(repeating: "</a>", count: depth)
    for convention in XMLConvention.allCases {
      for limit in [100, 2000, 4000] {
        _ = try? convert(xml, to: .json, convention) { $0.reading.budget.depth = limit }
      }
      let json = String(repeating: "[\"a\",", count: depth) + "\"x\"" + String(repeating: "]", count: depth)
      _ = try? convert(json, to: .xml, convention) { $0.reading.budget.depth = 4000 }
    }
    #expect(throws: FerryError.self) {
      try convert(xml, to: .json, .badgerfish) { $0.reading.budget.depth = 4000 }
    }
  }
}
