import TestSupport
import Testing

@testable import Ferry

/// The options for XML without a schema.
@Suite(.temporaryDirectory) struct `Options for reading XML` {
  private func json(
    _ text: String, _ change: (inout Conversion) -> Void = { _ in }
  ) throws -> (text: String, losses: [Loss.Kind]) {
    var conversion = Conversion(to: .json)
    conversion.reading.format = .xml
    change(&conversion)
    let result = try conversion.convert(Array(text.utf8))
    return (String(decoding: result.bytes.dropLast(), as: UTF8.self), result.report.losses.counts.map(\.kind))
  }

  // MARK: Entities

  private static let entities = [
    "<r a=\"&uuml;\">&copy;<b>&eacute;&euro;</b></r>",
    "<!DOCTYPE r [<!ENTITY uuml \"ue\"><!ENTITY two '&eacute;&#38;amp;'>]><r a='&uuml;'>&two;&hearts;</r>",
    "<!DOCTYPE r SYSTEM 'r.dtd'><r>&nbsp;&Uuml;</r>",
  ]
  private static let expected = [
    ##"{"r":{"@a":"ü","#content":["©",{"b":"é€"}]}}"##, ##"{"r":{"@a":"ue","#text":"é&♥"}}"##,
    "{\"r\":\"\u{a0}Ü\"}",
  ]

  @Test(arguments: entities.indices) func `HTML's named characters are read on request`(_ index: Int) throws {
    let document = Self.entities[index]
    let read = try json(document) { $0.reading.xml.entities.includesHTML = true }
    #expect(read.text == Self.expected[index])
    #expect(!read.losses.contains(.undeclaredEntity))
    let selected = try json(document) {
      ($0.reading.xml.entities.includesHTML, $0.reading.select) = (true, "(//r)")
    }
    #expect("{\"r\":\(selected.text.dropFirst().dropLast())}" == Self.expected[index])
    var conversion = Conversion(to: .xml)
    conversion.reading.xml.entities.includesHTML = true
    let copy = try conversion.convert(Array(document.utf8))
    // The copy needs no entities that its document type does not declare.
    let again = try json(String(decoding: copy.bytes, as: UTF8.self))
    #expect(again.text == Self.expected[index])
    if index < 2 { #expect(throws: FerryError.self) { try json(document) } }
    for count in 1..<document.utf8.count {
      #expect(throws: FerryError.self) {
        try json(String(document.prefix(count))) { $0.reading.xml.entities.includesHTML = true }
      }
    }
  }

  @Test(arguments: [nil, "//b", "(//b)"])
  func `A path of lists that no element has is named in a note`(_ select: String?) throws {
    var conversion = Conversion(to: .json)
    conversion.reading.select = select
    conversion.reading.xml.lists = [try ValuePath(parsing: "b.c"), try ValuePath(parsing: "b.typo")]
    let report = try conversion.convert(Array("<r><b><c>1</c></b><b/></r>".utf8)).report
    #expect(
      report.notes.filter { $0.code != "held-in-memory" }.map(\.description) == [
        #"no element inside the root element has the path "b.typo", which is to be a list"#
      ])
  }

  @Test func `The entities of a document type definition are read on request`() throws {
    try TemporaryDirectory.current.write(
      "a.dtd",
      """
      <!ENTITY % more SYSTEM "more.ent"> %more;
      <![INCLUDE[<!ENTITY name "Ada &amp; <b>co</b>">]]>
      <!ENTITY % kind "(#PCDATA|b)*"> <!ELEMENT r %kind;>
      <!ENTITY file SYSTEM "/etc/passwd"> <!ENTITY loop "&loop;">
      """)
    try TemporaryDirectory.current.write("more.ent", "<!ENTITY deep \"\u{fc}\">")
    let entities = try XMLEntities(dtd: TemporaryDirectory.current.path("a.dtd"))
    #expect(
      try json("<r>&name;&deep;</r>") { $0.reading.xml.entities = entities }.text
        == ##"{"r":{"#content":["Ada & ",{"b":"co"},"ü"]}}"##)
    for document in ["<r>&file;</r>", "<r>&loop;</r>", "<r>&other;</r>", "<r a='&name;'/>"] {
      #expect(throws: FerryError.self, "\(document)") {
        try json(document) { $0.reading.xml.entities = entities }
      }
    }
    try TemporaryDirectory.current.write("bad.dtd", "<!ENTITY a \"b\">\n<!ENTITY >")
    let bad = #expect(throws: FerryError.self) {
      try XMLEntities(dtd: TemporaryDirectory.current.path("bad.dtd"))
    }
    #expect(bad?.location.line == 2)
    #expect(throws: FerryError.self) { try XMLEntities(dtd: TemporaryDirectory.current.path("none.dtd")) }
    // A file with a zero was taken for an empty one.
    try TemporaryDirectory.current.write("zero.dtd", "<!ENTITY a \"b\">\n\0")
    let zero = #expect(throws: FerryError.self) {
      try XMLEntities(dtd: TemporaryDirectory.current.path("zero.dtd"))
    }
    #expect(zero?.code == "xml.bad-dtd")
    #expect(zero?.location.line == 2)
    // A small definition must not make much of a small document.
    try TemporaryDirectory.current.write(
      "big.dtd", "<!ENTITY a \"\(String(repeating: "x", count: 100_000))\">")
    let big = try XMLEntities(dtd: TemporaryDirectory.current.path("big.dtd"))
    let bomb = "<r>" + String(repeating: "&a;", count: 50_000) + "</r>"
    #expect(throws: FerryError.self) { try json(bomb) { $0.reading.xml.entities = big } }
  }

  // MARK: Names

  private static let names = """
    <p:r xmlns:p="urn:p" xmlns="urn:d" a="1" p:a="2" p:b="3"><x/><p:x xml:lang="en">t</p:x><y xmlns="">u</y></p:r>
    """

  @Test func `Names are kept, stripped or expanded`() throws {
    #expect(
      try json(Self.names).text
        == #"{"p:r":{"@a":"1","@p:a":"2","@p:b":"3","@xmlns:p":"urn:p","@xmlns":"urn:d","x":"","#
        + ##""p:x":{"@xml:lang":"en","#text":"t"},"y":{"@xmlns":"","#text":"u"}}}"##)
    let stripped = try json(Self.names) { $0.reading.xml.namespaces = .stripped }
    #expect(
      stripped.text
        == ##"{"r":{"@a":"1","@p:a":"2","@b":"3","x":["",{"@lang":"en","#text":"t"}],"y":"u"}}"##)
    #expect(stripped.losses == [.namespace])
    let expanded = try json(Self.names) { $0.reading.xml.namespaces = .expanded }
    #expect(
      expanded.text
        == #"{"{urn:p}r":{"@a":"1","@{urn:p}a":"2","@{urn:p}b":"3","{urn:d}x":"","{urn:p}x":{"#
        + ##""@{http://www.w3.org/XML/1998/namespace}lang":"en","#text":"t"},"y":"u"}}"##)
    #expect(expanded.losses.isEmpty)
    let both = "<a xmlns:p='u' xmlns:q='v'><b p:z='1' z='2' q:z='3' p:y='4' q:y='5'/></a>"
    for declaration in ["", "<!DOCTYPE a>"] {
      #expect(
        try json(declaration + both) { $0.reading.xml.namespaces = .stripped }.text
          == #"{"a":{"b":{"@p:z":"1","@z":"2","@q:z":"3","@y":"4","@q:y":"5"}}}"#)
    }
    // Two prefixes of one namespace are one name.
    let twice = "<r xmlns:a='u' xmlns:b='u'><a:c/><b:c/></r>"
    #expect(try json(twice) { $0.reading.xml.namespaces = .expanded }.text == #"{"r":{"{u}c":["",""]}}"#)
    // libxml2 reads the document with the declaration, and Ferry's scanner the other.
    for style in XMLNamespaceStyle.allCases {
      let read = try json(Self.names) { $0.reading.xml.namespaces = style }
      #expect(try json("<!DOCTYPE p:r>" + Self.names) { $0.reading.xml.namespaces = style }.text == read.text)
    }
  }

  @Test func `A declared prefix in a text or an attribute is reported if names are expanded`() throws {
    let reported: [(document: String, paths: [String])] = [
      ("<r xmlns:p='u'><a t='p:b'/></r>", ["r.a"]),
      ("<r xmlns:p='u'><a>p:b</a><c>p:d</c></r>", ["r.a", "r.c"]),
      ("<r a='x/p:b' xmlns:p='u'>text</r>", ["r"]), ("<r xmlns:p='u'><x>child::p:*</x></r>", ["r.x"]),
      ("<r xmlns:p='u'>one p:a <b>two</b></r>", ["r"]), ("<r><a xmlns:p='u'>p:b</a><a>p:b</a></r>", ["r.a"]),
      ("<r xmlns:p='u' exclude-result-prefixes='q p'/>", ["r"]),
      ("<p:r xmlns:p='u'><p:a>p:b</p:a></p:r>", ["{u}r.{u}a"]),
    ]
    for (document, paths) in reported {
      // libxml2 reads the document with the declaration, and Ferry's scanner the other.
      for start in ["", "<!DOCTYPE r>"] {
        var conversion = Conversion(to: .json)
        conversion.reading.xml.namespaces = .expanded
        let report = try conversion.convert(Array((start + document).utf8), named: "a.xml").report
        let losses = report.losses.listed.filter { $0.kind == .contentPrefix }
        let expected = paths.map { path in ValuePath(path.split(separator: ".").map { .key(String($0)) }) }
        #expect(
          losses.map(\.path) == expected, "\(start)\(document)")
        #expect(try json(document).losses.isEmpty)
      }
    }
    let others = [
      "<r xmlns:p='u'><p:a p:b='1'>p: b, p:1, http://p, xp:b, p::b</p:a></r>",
      "<r xmlns:p='u' a='q:b'>xml:lang</r>",
      "<r xmlns='u' a='x:b'/>", "<r name='p' xmlns:p='u'/>",
    ]
    for document in others {
      #expect(try json(document) { $0.reading.xml.namespaces = .expanded }.losses.isEmpty, "\(document)")
    }
  }

  @Test
  func `Thousands of namespaces in one element get their prefixes without a search of all numbers for each`()
    throws
  {
    let count = 4000
    let attributes = (0..<count).map { "\"@{urn:\($0)}x\":\"1\"" }.joined(separator: ",")
    let source = Array("{\"r\":{\(attributes)}}".utf8)
    let bytes = try expectProcessorTime(atMost: .seconds(10)) {
      try Conversion(to: .xml).convert(source, named: "a.json").bytes
    }
    let text = String(decoding: bytes, as: UTF8.self)
    #expect(text.hasSuffix(" xmlns:ns\(count)=\"urn:\(count - 1)\" ns\(count):x=\"1\"/>\n"))
  }

  @Test func `Names with their namespaces in braces are written with prefixes, and read back`() throws {
    let expanded = try json(Self.names) { $0.reading.xml.namespaces = .expanded }.text
    func xml(_ json: String, _ change: (inout Conversion) -> Void = { _ in }) throws -> String {
      var conversion = Conversion(to: .xml)
      change(&conversion)
      let text = try conversion.convert(Array(json.utf8), named: "a.json").bytes
      return String(decoding: text.dropFirst(39), as: UTF8.self)
    }
    let written = """
      <ns1:r xmlns:ns1="urn:p" a="1" ns1:a="2" ns1:b="3">
        <ns2:x xmlns:ns2="urn:d"/>
        <ns1:x xml:lang="en">t</ns1:x>
        <y>u</y>
      </ns1:r>

      """
    #expect(try xml(expanded) == written)
    #expect(try json(written) { $0.reading.xml.namespaces = .expanded }.text == expanded)
    // A prefix that the document declares is used, unless another declaration hides it.
    let mixed = ##"{"r":{"@xmlns:p":"urn:p","{urn:p}a":"1","b":{"@xmlns:p":"urn:q","{urn:p}c":"2"}}}"##
    #expect(
      try xml(mixed) == """
        <r xmlns:p="urn:p">
          <p:a>1</p:a>
          <b xmlns:p="urn:q">
            <ns1:c xmlns:ns1="urn:p">2</ns1:c>
          </b>
        </r>

        """)
    // Other text in braces has an escaped name, and so has each key that types give back.
    #expect(try xml(#"{"{id}name":"1"}"#) == "<_x007B_id_x007D_name>1</_x007B_id_x007D_name>\n")
    #expect(
      try xml(#"{"{urn:a}b":"1"}"#) { $0.writing.xml.types = .attributes }.contains(
        "_x007B_urn_x003A_a_x007D_b"))
  }

  private func xml(
    ofExpandedNames json: String, _ change: (inout Conversion) -> Void = { _ in }
  ) throws -> String {
    var conversion = Conversion(to: .xml)
    (conversion.reading.format, conversion.writing.xml.hasExpandedNames) = (.json, true)
    change(&conversion)
    return String(decoding: try conversion.convert(Array(json.utf8)).bytes, as: UTF8.self)
  }

  /// The tags and texts of a document, with the namespaces of the names instead of the prefixes, and without white space between tags.
  private func expandedParts(_ document: String) throws -> [String] {
    let parts = ExpandedParts()
    let bytes = Array(document.utf8)
    try XMLStream(document: parts).readAll(bytes.span)
    return parts.parts
  }

  @Test(arguments: [
    names,
    // Namespaces with and without a colon, and names without a namespace.
    """
    <r xmlns="id" xmlns:p="urn:p" xmlns:q="q" q:z="0"><p:a p:k="1" q:k="2" k="3" xml:lang="en"><b xmlns="">x<c/>y</b></p:a>\
    <q:a/><d xmlns="urn:d"><e xmlns="" p:e="1">z</e><f xmlns:p="q">1</f><f p:g="2"/></d></r>
    """,
    // Other text as a namespace, and names that encode keys with braces or spaces.
    """
    <r xmlns:p="a b}{c"><p:x p:y="1"/><_x007B_id_x007D_name _x007B_id_x007D_a="1"/><_x007B__x007D_b/><p:first_x0020_name/>\
    <first_x0020_name/></r>
    """,
    #"<r xmlns="id"><a xmlns=""><r xmlns="id"/></a><!-- c --><r>1</r><a xmlns=""/></r>"#,
  ])
  func `Expanded names come back from JSON, whatever their namespaces are`(_ document: String) throws {
    for (order, markup) in [(XMLOrder.needed, XMLMarkupKinds.comments), (XMLOrder.always, XMLMarkupKinds())] {
      func read(_ text: String) throws -> String {
        try json(text) {
          ($0.reading.xml.namespaces, $0.reading.xml.order) = (.expanded, order)
          $0.reading.xml.markup = markup
        }.text
      }
      let expanded = try read(document)
      let written = try xml(ofExpandedNames: expanded)
      #expect(try read(written) == expanded, "\(written)")
      #expect(try expandedParts(written) == expandedParts(document), "\(written)")
    }
  }

  @Test func `A key in JSON is an expanded name only by the option if its namespace has no colon`() throws {
    let source = #"{"{id}r":{"@{id}a":"1","{}b":{"{id}c":"2","{ }d":"3"},"{id}e f":"4","{id":"5"}}"#
    #expect(
      try xml(ofExpandedNames: source).hasSuffix(
        """
        <ns1:r xmlns:ns1="id" ns1:a="1">
          <b>
            <ns1:c>2</ns1:c>
            <ns2:d xmlns:ns2=" ">3</ns2:d>
          </b>
          <_x007B_id_x007D_e_x0020_f>4</_x007B_id_x007D_e_x0020_f>
          <_x007B_id>5</_x007B_id>
        </ns1:r>

        """))
    let usual = try xml(ofExpandedNames: source) { $0.writing.xml.hasExpandedNames = false }
    #expect(usual.contains("\n<_x007B_id_x007D_r _x007B_id_x007D_a=\"1\">\n"))
    // An element's own declarations do not change the namespaces.
    #expect(
      try xml(
        ofExpandedNames:
          ##"{"{id}r":{"@{urn:p}a":"1","@xmlns:p":"urn:p","{urn:p}b":{"@xmlns:p":"id","@xmlns:ns2":"n","c":"2"}}}"##
      ).hasSuffix(
        """
        <ns1:r xmlns:ns1="id" xmlns:p="urn:p" p:a="1">
          <ns3:b xmlns:ns3="urn:p" xmlns:p="id" xmlns:ns2="n">
            <c>2</c>
          </ns3:b>
        </ns1:r>

        """))
    #expect(throws: FerryError.self) { try xml(ofExpandedNames: #"{"r":{"{}a":{"@xmlns":"u","b":"1"}}}"#) }
  }

  @Test func `Expanded names and types come back together`() throws {
    let source = ##"""
      {"{id}r":{"@{id}k":"1","@{urn:p}m":"x","@{urn:ferry:types}list":"true","n":5,"{urn:p}c":[null],"{id}d":{"@{id}e":true}}}
      """##
    let written = try xml(ofExpandedNames: source) { $0.writing.xml.types = .attributes }
    #expect(written.contains(#" ns1:k="1" xmlns:ns2="urn:p" ns2:m="x""#), "\(written)")
    #expect(try json(written) { $0.reading.xml.namespaces = .expanded }.text == source)
  }

  // MARK: Lists

  @Test func `An element that occurs once is a list if the options say so`() throws {
    let document = "<books><book><author>A</author></book><magazine><author>B</author></magazine></books>"
    #expect(
      try json(document) { $0.reading.xml.lists = [ValuePath([.key("author")])] }.text
        == #"{"books":{"book":{"author":["A"]},"magazine":{"author":["B"]}}}"#)
    #expect(
      try json(document) {
        $0.reading.xml.lists = [ValuePath([.key("book"), .key("author")]), ValuePath([.key("book")])]
      }
      .text == #"{"books":{"book":[{"author":["A"]}],"magazine":{"author":"B"}}}"#)
    #expect(
      try json(document) { $0.reading.xml.lists = [ValuePath([.key("books"), .key("author")])] }.text
        == json(document).text)
    #expect(try json("<a/>") { $0.reading.xml.lists = [ValuePath([.key("a")])] }.text == #"{"a":""}"#)
    var copy = Conversion(to: .xml)
    copy.reading.xml.lists = [ValuePath([.key("book")])]
    #expect(throws: FerryError(.xml(.onlyForValues))) {
      try copy.convert(Array(document.utf8), named: "a.xml")
    }
    var lines = Conversion(to: .jsonLines)
    lines.reading.xml.lists = [ValuePath([.key("book")])]
    let result = try lines.convert(Array("<books><book><a>1</a></book></books>".utf8), named: "a.xml")
    #expect(String(decoding: result.bytes, as: UTF8.self) == "{\"a\":\"1\"}\n")
  }

  @Test func `All elements but the root element are lists if the options say so`() throws {
    let document = #"<r><a/><b k="1">t</b><c>x<d/></c><e><f><g>1</g></f></e></r>"#
    let all = try json(document) { $0.reading.xml.lists = [ValuePath([.key("*")])] }.text
    #expect(
      all
        == ##"{"r":{"a":[""],"b":[{"@k":"1","#text":"t"}],"c":[{"#content":["x",{"d":""}]}],"e":[{"f":[{"g":["1"]}]}]}}"##
    )
    let back = Conversion(to: .xml)
    let written = try back.convert(Array(all.utf8), named: "a.json").bytes
    #expect(try json(String(decoding: written, as: UTF8.self)).text == json(document).text)
    // A name may stand for any other one at each step.
    #expect(
      try json(document) { $0.reading.xml.lists = ["e.*"] }.text
        == ##"{"r":{"a":"","b":{"@k":"1","#text":"t"},"c":{"#content":["x",{"d":""}]},"e":{"f":[{"g":"1"}]}}}"##
    )
    #expect(
      try json(document) { $0.reading.xml.lists = ["e.*.g", "q.*"] }.text
        == ##"{"r":{"a":"","b":{"@k":"1","#text":"t"},"c":{"#content":["x",{"d":""}]},"e":{"f":{"g":["1"]}}}}"##
    )
  }

  @Test func `Records are the elements that occur several times, even if all elements are lists`() throws {
    let document = #"<r><n>1</n><x a="1"/><p><a>1</a></p><p><a>2</a></p></r>"#
    var lines = Conversion(to: .jsonLines)
    lines.reading.xml.lists = ["*"]
    let result = try lines.convert(Array(document.utf8), named: "a.xml")
    #expect(String(decoding: result.bytes, as: UTF8.self) == "{\"a\":[\"1\"]}\n{\"a\":[\"2\"]}\n")
  }
}

/// The tags and texts of a document, with the namespaces of the names instead of the prefixes.
private final class ExpandedParts: ElementDelegate {
  private(set) var parts: [String] = []
  private var text = ""

  private func add(_ part: String) {
    if text.contains(where: { !$0.isWhitespace }) { parts.append(text) }
    text = ""
    parts.append(part)
  }

  private static func text(of name: XMLName) -> String { "{\(name.namespace ?? "")}\(name.local)" }

  override func delegate(for child: borrowing XMLStartTag) -> ElementDelegate? { self }

  override func didStart(_ element: borrowing XMLStartTag) {
    var attributes: [String] = []
    for index in 0..<element.attributeCount {
      let name = Self.text(of: element.attributeName(index))
      attributes.append(" \(name)=\(String(element.attributeValue(index)))")
    }
    add("<\(Self.text(of: element.name))\(attributes.sorted().joined())>")
  }

  override func text(_ text: BorrowedText) { self.text += String(text) }

  override func didEnd() { add("</>") }
}
