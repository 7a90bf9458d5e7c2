import TestSupport
import Testing

@testable import Ferry

/// Attributes, texts and single values that an XPath selects. In parentheses, libxml2 evaluates the same path on a tree.
@Suite struct `Selection of attributes, texts and single values` {
  private static let documents = [
    #"<a x="0"><b x="1">t</b><c/>u<b x="2" y=" &lt;&#10;z "><b>v</b><!--n-->w<c y=""/></b> </a>"#,
    #"<a xmlns="urn:a" xmlns:p="urn:p" x="1">t<b p:x="2"/><p:b x="3">u</p:b><b x="4" p:y="5"><c xmlns="" x="6"/></b></a>"#,
    #"<!DOCTYPE a [<!ATTLIST b x CDATA "d"><!ENTITY e "<b><c/>e</b>"><!ENTITY f "f">]><a>&e;<b/>1&f;2<b x="2">&e;&amp;</b></a>"#,
    "<b x=\"é\">1<?p i?>2<b><![CDATA[ <b> ]]>3&amp;<![CDATA[]]><![CDATA[4]]></b>\n <c><![CDATA[]]></c> <b xml:lang=\"en\"> </b></b>",
  ]

  private static let paths = [
    "//@x", "//@*", "/a/@x", "/b/b/text()", "//b/@x", "//b//@x", "//b/@y", "/a//@x", "//*/@x", "/*/*/@*",
    "//b[@x='1']/@x", "//b[2]/@x", "//b[@x][1]/@*", "//b/@x | //@x", "//b/@q:x", "//@q:y | //a/@x",
    "//b/@_:x",
    "//_:b/@x", "//b/text()", "//b//text()", "/a/text()", "/a//text()", "//c/text()", "//*[2]/text()",
    "//b/text() | //b/@*", "//@x|/a/text()", " //b / @x ", "//b/text ( )", "//@xml:lang", "//b/c//@y",
    "//b/@zz", "a/@x", "b/b/text() | //@y", "//b/attribute::x", "//child::b/child :: text()",
  ]
  /// Attributes and texts beside elements.
  private static let unions = [
    "//b/@x | //c", "//c | //@x", "//text() | //b", "//b/text() | //b/@x | //c", "/a/@x|/a/b|//c/text()",
    "//b | //b/@x", "//*/@* | //*", "//b[2]/@x | //b/b", "//_:b | //@q:y", "//c[@y]/@y | /a", "//d | //@x",
    "//b | //@zz", "//d | //@zz", "//b//c | //b//text()",
  ]

  private func outcome(_ document: String, _ path: String, to target: Format = .jsonLines) -> String {
    var conversion = Conversion(to: target)
    (conversion.reading.select, conversion.reading.xml.prefixes) = (path, ["q": "urn:p"])
    do throws(FerryError) {
      let result = try conversion.convert(Array(document.utf8), named: "a.xml")
      return "\(String(decoding: result.bytes, as: UTF8.self)) \(result.report.losses.counts)"
    } catch {
      return "\(error.code) \(error.location.line ?? 0):\(error.location.column ?? 0) \(error.path)"
    }
  }

  private func json(_ document: String, _ path: String) throws -> String {
    var conversion = Conversion(to: .json)
    conversion.reading.select = path
    return String(decoding: try conversion.convert(Array(document.utf8), named: "a.xml").bytes, as: UTF8.self)
  }

  @Test(arguments: documents, paths)
  func `A path selects the attributes and texts that it selects in a tree`(_ document: String, _ path: String)
    throws
  {
    let streamed = try StreamedXPath(path, namespaces: ["q": ""])
    #expect(streamed.texts != nil && streamed.elements == nil, "\(path)")
    #expect(throws: XPathObstacle.self) { try StreamedXPath("(\(path))", namespaces: ["q": ""]) }
    for target in [Format.jsonLines, .yaml, .csv] {
      #expect(outcome(document, path, to: target) == outcome(document, "(\(path))", to: target))
    }
  }

  @Test(arguments: documents, unions)
  func `A union selects elements, attributes and texts in the order of a tree`(
    _ document: String, _ union: String
  ) throws {
    let streamed = try StreamedXPath(union, namespaces: ["q": ""])
    #expect(streamed.elements != nil && streamed.texts != nil, "\(union)")
    for target in [Format.jsonLines, .yaml] {
      #expect(outcome(document, union, to: target) == outcome(document, "(\(union))", to: target))
    }
  }

  @Test(arguments: [
    "@x", "/@x", "/text()", "text()", "//b/@x[1]", "//text()[1]", "//b/@q:*", "//b/@y:x",
    "//b/attribute::node()", "//b/text(", "//b/text()/x", "//b/@x/text()", "//b/@é", "count(//b)", "//@",
    "//b/@x |",
  ])
  func `Other paths are not matched while the document is read`(_ path: String) {
    #expect(throws: XPathObstacle.self) { try StreamedXPath(path, namespaces: ["q": ""]) }
  }

  /// The values are those of `xmllint --xpath`, except that a CDATA section is one text with the texts beside it.
  @Test(arguments: [
    ("//book/@id", #"["1","2"]"#), ("//@*", #"["1","a&b","2"]"#), ("/list/book[2]/@id", #"["2"]"#),
    ("//book | //book/@id", #"[{"@id":"1","@x":"a&b","title":"On <N> <"},"1",{"@id":"2","title":"BC"},"2"]"#),
    ("//title/text()", #"["On <N> <","B","C"]"#), ("(//title/text())[2]", #"["B"]"#),
    ("//title[text()='On <N> <']/../@id", #"["1"]"#), ("//book[@id='2']/title/text()", #"["B","C"]"#),
    ("count(//book)", "2"), ("count(//title/text())", "3"), ("sum(//@id)", "3"), ("sum(//@id) div 2", "1.5"),
    ("string(//title)", #""On <N> <""#), ("string(//nothing)", #""""#), ("boolean(//book)", "true"),
    ("count(//book) > 2", "false"), ("-0", "0"), ("//book/@none", "[]"),
  ])
  func `A list of nodes has their values in the order of the document, and an expression a single one`(
    _ path: String, _ expected: String
  ) throws {
    let document = """
      <list><book id="1" x="a&amp;b"><title>On <![CDATA[<N>]]> &lt;</title></book>
      <book id="2"><title>B<!--c-->C</title></book></list>
      """
    #expect(try json(document, path) == expected + "\n")
  }

  @Test(arguments: ["//c/text()", "//c[text()='1<2']"])
  func `The texts of elements beside a CDATA section stay as they are`(_ path: String) throws {
    let document = "<r><c>1<![CDATA[<]]>2</c><c><![CDATA[]]></c></r>"
    let tree = try XMLTree(parsing: Array(document.utf8))
    _ = try tree.evaluate(path)
    let recording = RecordingDelegate()
    try tree.root.replay(to: recording)
    let again = RecordingDelegate()
    try XMLTree(parsing: Array(document.utf8)).root.replay(to: again)
    #expect(recording.calls == again.calls)
  }

  @Test func `Numbers that are not finite are those of the format`() throws {
    #expect(try json("<r/>", "number(//a)") == #""NaN""# + "\n")
    #expect(try json("<r/>", "1 div 0") == #""Infinity""# + "\n")
  }

  @Test(arguments: [
    ("//comment()", "a comment"), ("//processing-instruction()", "a processing instruction"),
    ("/", "the document itself"), ("//namespace::p", "the declaration of a namespace"),
    ("//node()", "a comment"),
  ])
  func `A node without a value is refused`(_ path: String, _ node: String) {
    let error = #expect(throws: FerryError.self) {
      try json("<a xmlns:p='urn:p'><!--c--><?p i?></a>", path)
    }
    #expect(error?.reason == .xml(.noValues(path, node: node)), "\(String(describing: error))")
  }

  @Test(arguments: [
    "//@id", "(//@id)", "//firstName/text()", "count(//a)", "//person | //@id",
  ])
  func `XML and schemas need elements`(_ path: String) throws {
    let document = #"<people><person id="1"><firstName>A</firstName></person></people>"#
    let schema = try #require(Schema.builtIn.first { $0.record.element == "person" })
    let targets: [(Format, Schema?, String)] = [
      (.xml, nil, "only elements can be written as XML here"), (.json, schema, "a schema describes elements"),
    ]
    for (target, schema, why) in targets {
      var conversion = Conversion(to: target)
      (conversion.reading.select, conversion.reading.schema) = (path, schema)
      let error = #expect(throws: FerryError.self) {
        try conversion.convert(Array(document.utf8), named: "a.xml")
      }
      #expect(error?.reason == .xml(.onlyElements(path, why: why)), "\(String(describing: error))")
    }
  }

  @Test(arguments: [
    "//nope/@x", "(//nope/@x)", "//nope/attribute::x[1]", "//nope/@node()",
    "(//b | //nope/text()[. = 'a'])[2]",
  ])
  func `An XPath of attributes or texts is one of no elements, also if it selects nothing`(_ path: String) {
    var conversion = Conversion(to: .xml)
    conversion.reading.select = path
    let error = #expect(throws: FerryError.self) {
      try conversion.convert(Array("<r><a/></r>".utf8), named: "a.xml")
    }
    let why = "only elements can be written as XML here"
    #expect(error?.reason == .xml(.onlyElements(path, why: why)), "\(String(describing: error))")
  }

  @Test(arguments: [
    ("count(//b)", true), ("string(//b)", true), ("//b", true), ("(//b/@id)", true), ("//b[c]", true),
    ("not(//b)", true), ("count(//a:b)", false), ("//a:b/@id", false), ("//a:b[b]/@id", false),
    ("count(//c)", false), ("count(//nope)", false), ("count(//@b)", false), ("string(//*)", false),
    ("contains('//b', ':')", false), ("child::b", true), ("//@id:x", false),
  ])
  func `Names without a prefix are told that the elements are in a namespace`(_ path: String, _ isNoted: Bool)
    throws
  {
    var conversion = Conversion(to: .json)
    (conversion.reading.select, conversion.reading.xml.prefixes) = (path, ["a": "urn:a", "id": "urn:i"])
    let document = "<a xmlns='urn:a'><b/><c xmlns=''/></a>"
    let report = try conversion.convert(Array(document.utf8), named: "a.xml").report
    #expect(report.notes.contains(.inNamespace("urn:a")) == isNoted, "\(report.notes)")
  }

  @Test func `Random paths select the values of random documents that they select in a tree`() {
    var generator = SeededGenerator(seed: 11)
    var selected = 0
    for _ in 0..<600 {
      let document = Self.element(depth: 0, &generator)
      let path = Self.path(&generator)
      let found = outcome(document, path)
      #expect(found == outcome(document, "(\(path))"), "\(path) in \(document)")
      if !found.contains("nothing-selected") { selected += 1 }
    }
    #expect(selected > 100)
  }

  private static func element(depth: Int, _ generator: inout SeededGenerator) -> String {
    let name = ["a", "b", "c"].randomElement(using: &generator) ?? "a"
    let attributes = ["", " x='1'", " x='2' y=''", " y='&lt;' x=' '"]
    let contents = ["t", " ", "&amp;", "<![CDATA[<]]>", "<!--n-->", "<?p?>", "<![CDATA[]]>"]
    var text = "<\(name)\(attributes.randomElement(using: &generator) ?? "")>"
    for _ in 0..<(depth > 4 ? 0 : Int.random(in: 0...5, using: &generator)) {
      text +=
        Bool.random(using: &generator)
        ? element(depth: depth + 1, &generator) : contents.randomElement(using: &generator) ?? ""
    }
    return "\(text)</\(name)>"
  }

  private static func path(_ generator: inout SeededGenerator) -> String {
    var path = ""
    for _ in 0...Int.random(in: 0...3, using: &generator) {
      path += Int.random(in: 0...2, using: &generator) == 0 ? "/" : "//"
      path += ["a", "b", "c", "*"].randomElement(using: &generator) ?? "a"
      path += ["", "", "[1]", "[2]", "[@x]", "[@x='1'][2]"].randomElement(using: &generator) ?? ""
    }
    path += Bool.random(using: &generator) ? "/" : "//"
    path += ["@x", "@y", "@*", "text()"].randomElement(using: &generator) ?? "@x"
    return Bool.random(using: &generator) ? path : "\(path) | //b/text()"
  }
}
