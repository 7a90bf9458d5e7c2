import Ferry
import TestSupport
import Testing

/// The value of a document, read by convention in chunks of a size, with children put together by name.
func value(_ text: String, chunk size: Int = 1 << 20, losses: LossReport? = nil) throws(FerryError) -> Value {
  let bytes = Array(text.utf8)
  let shape = XMLShape(options: .grouped)
  try XMLStream(document: shape).readAll(bytes.span)
  let builder = ValueBuilder()
  let reader = try XMLValueReader(into: builder, shape: shape, losses: losses)
  try reader.readAll(bytes, chunk: size)
  return try builder.result()
}

/// A value written by convention.
func xml(_ value: Value, root: String? = nil, indent: Int = 0, losses: LossReport? = nil) throws(FerryError)
  -> String
{
  let output = MemoryOutput()
  let writer = try XMLValueWriter(to: output, root: root, indent: indent, losses: losses)
  try value.replay(into: writer)
  try writer.finish()
  let text = String(decoding: output.bytes, as: UTF8.self)
  return String(text.drop { $0 != "\n" }.dropFirst().dropLast())
}

extension XMLReadingOptions {
  /// The options with which children are put together by name.
  static var grouped: XMLReadingOptions {
    var options = XMLReadingOptions()
    options.order = .never
    return options
  }
}

@Suite struct `XML by convention` {
  @Test func `Many children of different names in turn are put in order by name`() throws {
    let long = String(repeating: "é\"", count: 150)
    var (text, first, second) = ("<r id=\"1\">", [Value](), [Value]())
    for number in 0..<5000 {
      text += "<a>\(number)\(long)</a>"
      first.append(.string("\(number)\(long)"))
      if number % 100 == 0 {
        text += "<b><x/><y n=\"\(number)\"/><x/></b>"
        second.append(["x": ["", ""], "y": ["@n": .string("\(number)")]])
      } else {
        text += "<b><x>\(number)</x></b>"
        second.append(["x": [.string("\(number)")]])
      }
    }
    text += "end<c/></r>"
    let losses = LossReport()
    let expected: Value = [
      "r": ["@id": "1", "a": .array(first), "b": .array(second), "c": "", "#text": "end"]
    ]
    for chunk in [1 << 20, 1000] {
      #expect(try value(text, chunk: chunk, losses: losses) == expected)
    }
    #expect(losses.all.counts.contains { $0.kind == .siblingOrder && $0.count == 102 })
    var conversion = Conversion(to: .json)
    conversion.reading.xml.order = .never
    let json = try conversion.convert(Array(text.utf8)).bytes
    #expect(try Value(reading: MemoryInput(json)) == expected)
  }

  @Test(arguments: ["\r", "\r\n", " \r ", "\r\r", " ", "\t", "\n", "x\r", " x "])
  func `Text beside an element comes back, also if it is only white space`(_ text: String) throws {
    for value: Value in [
      ["r": ["a": "x", "#text": .string(text)]], ["r": ["@a": "x", "#text": .string(text)]],
    ] {
      let document = try xml(value)
      var conversion = Conversion(to: .json)
      conversion.reading.xml = .grouped
      let read = try conversion.convert(Array(document.utf8)).bytes
      #expect(try Value(reading: MemoryInput(read)) == value, "\(document)")
    }
  }

  /// A document, its value, and whether writing the value gives the document again.
  static let table: [(String, Value, Bool)] = [
    ("<a/>", ["a": ""], true),
    ("<a></a>", ["a": ""], false),
    ("<a> </a>", ["a": " "], true),
    ("<a>x</a>", ["a": "x"], true),
    ("<a b=\"1\"/>", ["a": ["@b": "1"]], true),
    ("<a b=\"1\">x</a>", ["a": ["@b": "1", "#text": "x"]], true),
    ("<a b=\"1\"> </a>", ["a": ["@b": "1", "#text": " "]], true),
    ("<a><b>1</b><c>2</c></a>", ["a": ["b": "1", "c": "2"]], true),
    ("<a><b>1</b><b>2</b></a>", ["a": ["b": ["1", "2"]]], true),
    (
      "<a><b><c>1</c></b><b><c>1</c><c>2</c></b></a>",
      ["a": ["b": [["c": ["1"]], ["c": ["1", "2"]]]]], true
    ),
    ("<a><b/><c/><b/><d/></a>", ["a": ["b": ["", ""], "c": "", "d": ""]], false),
    ("<a>x<b>y</b>z</a>", ["a": ["b": "y", "#text": "xz"]], false),
    ("<a>\n  <b>y</b>\n</a>", ["a": ["b": "y"]], false),
    (
      "<a xmlns=\"urn:a\" xmlns:p=\"urn:p\"><p:b p:c=\"1\"/></a>",
      ["a": ["@xmlns": "urn:a", "@xmlns:p": "urn:p", "p:b": ["@p:c": "1"]]], true
    ),
    ("<a><first_x0020_name>x</first_x0020_name></a>", ["a": ["first name": "x"]], true),
    ("<a><b_x005F_x0020_>x</b_x005F_x0020_><_x0020_x/></a>", ["a": ["b_x0020_": "x", " x": ""]], true),
    (
      "<a><b_x0062_/><c_x00_/><_x/><_x_/></a>", ["a": ["b_x0062_": "", "c_x00_": "", "_x": "", "": ""]], false
    ),
    (
      "<a><s><b>1</b><c><d/><e>2</e><d/></c><b>3</b></s><s k=\"v\">t<c/></s></a>",
      [
        "a": [
          "s": [
            ["b": ["1", "3"], "c": ["d": ["", ""], "e": "2"]],
            ["@k": "v", "c": "", "#text": "t"],
          ]
        ]
      ], false
    ),
    (
      // An element that is not held, between two that are.
      "<r><a><m><n><x>1</x><y/><x>2</x></n></m></a><b/><a><m/></a></r>",
      ["r": ["a": [["m": ["n": ["x": ["1", "2"], "y": ""]]], ["m": ""]], "b": ""]], false
    ),
  ]

  @Test(arguments: Self.table.indices)
  func `A document is its value by convention, in chunks of any size, and comes back`(_ index: Int) throws {
    let (text, expected, comesBack) = Self.table[index]
    for size in [1, 2, 3, 7, 1 << 16] { #expect(try value(text, chunk: size) == expected) }
    let again = try xml(expected)
    if comesBack { #expect(again == text) }
    #expect(try value(again) == expected || !comesBack)

    let tree = try XMLTree(parsing: text.utf8.span)
    let shape = XMLShape(options: .grouped)
    try tree.replay(to: shape)
    let builder = ValueBuilder()
    try tree.replay(to: XMLValueDelegate(into: builder, shape: shape))
    #expect(try builder.result() == expected)
  }

  @Test func `Data of XML that is lost is reported with its place`() throws {
    let losses = LossReport()
    _ = try value("<!DOCTYPE a><a><!--c--><?p?><b/>x<c><d/><e/><d/></c></a>", losses: losses)
    #expect(
      Set(losses.counts.map(\.kind)) == [
        .doctype, .comment, .processingInstruction, .mixedContent, .siblingOrder,
      ])
    #expect(losses.losses.first { $0.kind == .siblingOrder }?.path == ValuePath([.key("a"), .key("c")]))
    #expect(losses.losses.first { $0.kind == .mixedContent }?.path == ValuePath([.key("a")]))
  }

  /// A value and what it is written as.
  static let writing: [(Value, String)] = [
    ("x", "<root>x</root>"),
    (["a": "x"], "<a>x</a>"),
    ([:], "<root/>"),
    (["a": [:]], "<a/>"),
    (["a": "x", "b": "y"], "<root><a>x</a><b>y</b></root>"),
    (["a": ["b": "x"], "c": "y"], "<root><a><b>x</b></a><c>y</c></root>"),
    (["a": [1, 2]], "<root><a>1</a><a>2</a></root>"),
    (
      [1, [2, [3]], ["x": true]],
      "<root><item>1</item><item><item>2</item><item><item>3</item></item></item><item><x>true</x></item></root>"
    ),
    (["a": ["b": [[1, 2], [3]]]], "<a><b><item>1</item><item>2</item></b><b><item>3</item></b></a>"),
    (["a": ["@b": 1, "c": .null, "d": 1.5]], "<a b=\"1\"><c/><d>1.5</d></a>"),
    (["@a": "1"], "<_x0040_a>1</_x0040_a>"),
    (["#text": "1"], "<_x0023_text>1</_x0023_text>"),
    (["a": ["b": 1, "@c": 2]], "<a c=\"2\"><b>1</b></a>"),
    (["a": ["b": 1, "@c/d": 2]], "<a><b>1</b><_x0040_c_x002F_d>2</_x0040_c_x002F_d></a>"),
    (["a": ["@c": [1]]], "<a><_x0040_c>1</_x0040_c></a>"),
    (["a": ["@c": [:]]], "<a><_x0040_c/></a>"),
    (["a": ["b": "x", "#text": "y"]], "<a><b>x</b>y</a>"),
    (["a": ["p:b": "x"]], "<a><p_x003A_b>x</p_x003A_b></a>"),
    (["p:a": ["@xmlns:p": "urn:p", "p:b": "x"]], "<p:a xmlns:p=\"urn:p\"><p:b>x</p:b></p:a>"),
    (["xmlns:q": "1"], "<xmlns_x003A_q>1</xmlns_x003A_q>"),
    (["a": ["@xmlns:q": "u", "xmlns:q": "1"]], "<a xmlns:q=\"u\"><xmlns_x003A_q>1</xmlns_x003A_q></a>"),
    (["a": ["xmlns:q": [1, 2]]], "<a><xmlns_x003A_q>1</xmlns_x003A_q><xmlns_x003A_q>2</xmlns_x003A_q></a>"),
    (
      ["a": ["@xmlns:q": ["b": "1"]]],
      "<a><_x0040_xmlns_x003A_q><b>1</b></_x0040_xmlns_x003A_q></a>"
    ),
    (
      ["a": ["@xmlns:q": "http://www.w3.org/2000/xmlns/"]],
      "<a><_x0040_xmlns_x003A_q>http://www.w3.org/2000/xmlns/</_x0040_xmlns_x003A_q></a>"
    ),
    (
      ["a": ["@xmlns": "http://www.w3.org/XML/1998/namespace"]],
      "<a><_x0040_xmlns>http://www.w3.org/XML/1998/namespace</_x0040_xmlns></a>"
    ),
    (
      ["12:30": ["": "x", "@": "y", "😀": "z"]],
      "<_x0031_2_x003A_30><_x_>x</_x_><_x0040_>y</_x0040_><😀>z</😀></_x0031_2_x003A_30>"
    ),
    (["a": ["b": []]], "<a/>"),
    (["a": [["@x": "1"], "y"]], "<root><a x=\"1\"/><a>y</a></root>"),
    (.number("2.20"), "<root>2.20</root>"),
  ]

  @Test(arguments: Self.writing.indices)
  func `A value is written as XML by convention`(_ index: Int) throws {
    let (value, expected) = Self.writing[index]
    #expect(try xml(value) == expected)
    _ = try streamCalls(Array(expected.utf8))
  }

  @Test func `The root of XML gets the requested name`() throws {
    #expect(try xml(["a": "x"], root: "my doc") == "<my_x0020_doc><a>x</a></my_x0020_doc>")
    #expect(try xml([1], root: "r") == "<r><item>1</item></r>")
  }

  @Test func `The root of XML may have a namespace, which the value or the name declares`() throws {
    let declared: Value = ["@xmlns:p": "urn:a", "p:a": "1"]
    #expect(try xml(declared, root: "p:r") == "<p:r xmlns:p=\"urn:a\"><p:a>1</p:a></p:r>")
    #expect(try xml(declared, root: "{urn:a}r") == "<p:r xmlns:p=\"urn:a\"><p:a>1</p:a></p:r>")
    #expect(try xml(["a": "1"], root: "{urn:a}r") == "<ns1:r xmlns:ns1=\"urn:a\"><a>1</a></ns1:r>")
    #expect(try xml(["1"], root: "{urn:a}r") == "<ns1:r xmlns:ns1=\"urn:a\"><item>1</item></ns1:r>")
    #expect(try xml("1", root: "{urn:a}r") == "<ns1:r xmlns:ns1=\"urn:a\">1</ns1:r>")
  }

  @Test(arguments: ["p:r", "{a}r"])
  func `A root of XML with a namespace that nothing declares is refused`(_ root: String) throws {
    let refusal = FerryError(.xml(.undeclaredRoot(root))).reason
    let values: [Value] = [["a": "1"], ["1"], "1"]
    for value in values {
      let failure = #expect(throws: FerryError.self) { try xml(value, root: root) }
      #expect(failure?.reason == refusal)
    }
    for convention in [XMLConvention.badgerfish, .xmltodict] {
      var conversion = Conversion(to: .xml)
      (conversion.writing.rootElement, conversion.writing.xml.convention) = (root, convention)
      let failure = #expect(throws: FerryError.self) {
        try conversion.write(["a": "1"], to: MemoryOutput())
      }
      #expect(failure?.reason == refusal)
    }
    for select in [nil, "//a"] {
      var conversion = Conversion(to: .xml)
      (conversion.writing.rootElement, conversion.reading.select) = (root, select)
      let failure = #expect(throws: FerryError.self) { try conversion.convert(Array("<b><a/></b>".utf8)) }
      #expect(failure?.reason == refusal)
    }
  }

  @Test func `A first value too large to hold is the root element, and a second is refused`() throws {
    let long = Value.string(String(repeating: "x", count: 1 << 20))
    #expect(try xml(["a": ["b": long]]).hasPrefix("<a><b>xxx"))
    let failure = #expect(throws: FerryError.self) { try xml(["a": ["b": long, "c": 1], "d": 1]) }
    #expect(failure?.reason == .xml(.severalRoots))
    #expect(try xml(["a": ["b": "x", "c": 1], "d": 1]) == "<root><a><b>x</b><c>1</c></a><d>1</d></root>")
  }

  @Test func `A value without a place in XML is refused or reported`() throws {
    func reason(_ value: Value) -> FerryError.Reason? {
      do throws(FerryError) { _ = try xml(value) } catch { return error.reason }
      return nil
    }
    #expect(reason(["a": "\u{1}"]) == .xml(.forbiddenCharacter(1)))
    #expect(reason(["a": .unpairedString([0xd800])]) == .xml(.forbiddenCharacter(0xd800)))
    #expect(reason(["a": .data([])]) == .cannotHold(.kind("data", format: "XML")))
    let losses = LossReport()
    _ = try xml(["a": ["b": .null, "c": true, "d": 1, "e": []]], losses: losses)
    #expect(losses.counts.map(\.kind) == [.nullAsText, .booleanAsText, .numberAsText, .emptyCollection])
  }

  @Test(arguments: [
    (
      #"[{"x":[1],"y":null},{"y":null,"x":[]}]"#,
      [
        ": wrapped", "[0].x: arrayOfOne", "[0].x[0]: numberAsText", "[0].y: nullAsText",
        "[1].x: emptyCollection", "[1].y: nullAsText",
      ]
    ),
    (#"{"a":{"c":{"d":null}}}"#, ["a.c.d: nullAsText"]),
    (
      #"{"a":{"c":[{"d":null,"e":{}},[null]]},"b":[["x"]]}"#,
      [
        ": wrapped", "a.c[0].d: nullAsText", "a.c[0].e: emptyCollection", "a.c[1]: arrayOfOne",
        "a.c[1]: nestedArray", "a.c[1][0]: nullAsText", "b: arrayOfOne", "b[0]: arrayOfOne",
        "b[0]: nestedArray",
      ]
    ),
    (#"null"#, [": nullAsText", ": wrapped"]), ("[]", [": emptyCollection", ": wrapped"]),
    (#"{"@a":null,"b":[]}"#, [": wrapped", "@a: nullAsText", "b: emptyCollection"]),
  ])
  func `A value that is written as XML has losses with their paths`(json: String, losses: [String]) throws {
    let report = try Conversion(to: .xml).convert(Array(json.utf8), named: "a.json").report
    #expect(report.losses.listed.map { "\($0.path): \($0.kind)" }.sorted() == losses)
  }

  @Test func `Records of a schema have losses with their paths`() throws {
    let json =
      #"[{"firstName":"A","lastName":"B"},{"firstName":"C","lastName":"D","k":{"none":[],"one":[null]}}]"#
    var conversion = Conversion(to: .xml)
    conversion.reading.schema = Schema.builtIn.first { $0.name == "person" }
    let report = try conversion.convert(Array(json.utf8)).report
    #expect(
      report.losses.listed.map { "\($0.path): \($0.kind)" } == [
        "[1].k.none: emptyCollection", "[1].k.one[0]: nullAsText", "[1].k.one: arrayOfOne",
      ])
  }

  @Test func `The paths of losses in lists inside each other take space in proportion to the lists`() throws {
    let depth = 15_000
    var conversion = Conversion(to: .xml)
    conversion.reading.budget.depth = depth + 2
    let json = Array((#"{"a":"# + String(repeating: "[", count: depth) + "1,2").utf8)
    let end = Array((String(repeating: "]", count: depth) + "}").utf8)
    let report = try expectProcessorTime(atMost: .seconds(5)) { try conversion.convert(json + end).report }
    let counts = report.losses.counts.filter { $0.kind == .arrayOfOne || $0.kind == .nestedArray }
    #expect(counts.map(\.count) == [depth - 1, depth - 1])
  }

  @Test func `Every escaped key comes back from XML`() throws {
    for key in [
      "a", "a b", "1", "_x_", "_x0020_", "a:b", ":", "a:b:c", "é", "😀", "\u{e000}", "x_x", "_", "-", "",
      "_x0041_x_", "_x0041 b", "_x0041@", "_x0001F600 ", "_x005F ", "_x005F_x0020_", "_x_ ",
    ] {
      let document: Value = [
        "r": .dictionary(
          {
            var d = KeyedValues(); d[.string(key)] = "v"; return d
          }())
      ]
      #expect(try value(xml(document)) == document, "\(key)")
    }
  }
}
