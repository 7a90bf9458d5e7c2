import TestSupport
import Testing

@testable import Ferry

/// The values that XPaths select from a document of XML, to change them by their paths.
@Suite struct `Changes of what XPaths select` {
  private static let text = """
    <?xml version="1.0"?>
    <!DOCTYPE r [<!ENTITY w "word"><!ATTLIST x k CDATA "default">]>
    <r xmlns:p="urn:p" a="1" p:b="2">
      <n>1</n><m/><!-- c --><n k="3">5</n><?go on?>
      <n k="4"/><p:q>x</p:q><t><![CDATA[a<]]>b</t>
      <mixed>one <b>two</b> three</mixed><lead>one <b>two</b>
      </lead><x>&w;</x>
    </r>

    """

  private func file(_ text: String = Self.text) throws -> EditableFile {
    var options = EditableFile.Options()
    options.format = .xml
    return try EditableFile(Array(text.utf8), options: options)
  }

  private func paths(
    _ xpath: String, in text: String = Self.text, for change: EditableFile.SelectedChange = .removal
  ) throws -> [String] {
    try file(text).values(selectedBy: xpath, for: change).map { $0.path.description }
  }

  @Test(arguments: [
    ("//n", ["r.n[0]", "r.n[1]", "r.n[2]"]), ("//n[@k]/@k", ["r.n[1].@k", "r.n[2].@k"]), ("/r/@a", ["r.@a"]),
    ("//p:q", ["r.p:q"]), ("/r/@p:b", ["r.@p:b"]), ("//b", ["r.mixed.b", "r.lead.b"]),
    ("//n | //m", ["r.n[0]", "r.m", "r.n[1]", "r.n[2]"]), ("//x/@k", ["r.x.@k"]), ("//nothing", []),
    ("//t/text()", ["r.t"]), ("//n[1]/text()", ["r.n[0]"]), ("//n[2]/text()", [##"r.n[1].#text"##]),
    ("/r", ["r"]), ("(//b)[last()]", ["r.lead.b"]),
  ])
  func `The paths of selected elements, attributes and texts are in document order`(
    _ xpath: String, _ expected: [String]
  ) throws {
    let found = try paths(xpath)
    let plain = found.map { $0.replacing(##"["#text"]"##, with: ".#text") }
    #expect(plain == expected, "\(xpath) \(found)")
  }

  @Test func `The text of an element with attributes has a path of its own, also if it is missing`() throws {
    let values = try file().values(selectedBy: "//n", for: .text)
    #expect(values.map(\.isMissingText) == [false, false, true])
    #expect(values.map { $0.path.steps.last } == [.index(0), .key("#text"), .key("#text")])
    let whole = try file().values(selectedBy: "//n", for: .replacement)
    #expect(whole.map { $0.path.steps.last } == [.index(0), .index(1), .index(2)])
  }

  /// White space beside an element is a text of its own, so that an XPath for one text does not mean the other.
  @Test(arguments: [
    #"<r><a xml:space="preserve"> <b/> </a></r>"#, "<r><a>x<b/>&#10;</a></r>",
    "<r><a>x<b/><![CDATA[ ]]></a></r>",
    "<r><a>&#10;<b/>x</a></r>", "<r><a>a<!-- k --> </a></r>", "<r><a>Hello <b>a</b> <b>b</b></a></r>",
  ])
  func `One of several texts of an element is refused even if the other is white space`(_ text: String) throws
  {
    for change in [EditableFile.SelectedChange.text, .removal] {
      let failure = #expect(throws: FerryError.self) { try paths("//a/text()[1]", in: text, for: change) }
      #expect(failure?.description.contains("one of several texts in an element") == true, "\(text)")
    }
    #expect(try paths("//a/text()", in: "<r><a>x<!-- c --><b/></a></r>", for: .text).count == 1)
  }

  @Test(arguments: [
    ("//comment()", "a comment"), ("//processing-instruction()", "a processing instruction"),
    ("/", "the document itself"), ("//mixed/text()", "one of several texts in an element"),
    ("/r/text()[1]", "one of several texts"), ("//lead/text()[1]", "one of several texts"),
    ("//namespace::p", "the declaration of a namespace"),
    ("count(//n)", "selects no nodes"), ("string(//n)", "selects no nodes"), ("//n[", "is not valid"),
    ("//z:n", "the prefix \"z\" is not declared"),
  ])
  func `An XPath of nodes without a path is refused`(_ xpath: String, _ problem: String) throws {
    let failure = #expect(throws: FerryError.self) { try paths(xpath) }
    #expect(failure?.description.contains(problem) == true, "\(xpath) \(String(describing: failure))")
  }

  @Test func `An element whose key is that of an attribute does not take the place of the attribute`() throws
  {
    let text = "<r a='1'><_x0040_a>e</_x0040_a></r>"
    for xpath in ["/r/@a", "/r/*"] {
      #expect(throws: FerryError.self) { try paths(xpath, in: text) }
    }
  }

  @Test func `Removals count in the document as it is, and leave everything else in the text`() throws {
    let text = "<r>\n  <n k=\"1\">a</n> <!-- c -->\n  <n>b</n>\n  <n>c</n>\n</r>\n"
    let file = try file(text)
    let count = try file.remove(file.values(selectedBy: "//n[.!='b'] | //n[2]/text()", for: .removal))
    let edited = try String(decoding: file.bytes(), as: UTF8.self)
    #expect(count == 3)
    let again = try paths("/r/n", in: edited)
    #expect(again == ["r.n"] && edited.contains("<!-- c -->"), "\(edited)")
  }

  @Test func `An XPath is evaluated in the document with its changes`() throws {
    let file = try file("<r><n>1</n><n>2</n></r>")
    try file.set("3", at: ValuePath(parsing: "r.n[0]"))
    let values = try file.values(selectedBy: "//n[.=3]", for: .text)
    #expect(values.map { $0.path.description } == ["r.n[0]"])
  }

  @Test func `The elements of a document with types are those of its values`() throws {
    let text = """
      <root xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance" xmlns:xs="http://www.w3.org/2001/XMLSchema" \
      xmlns:ferry="urn:ferry:types" ferry:wrapper="true"><a xsi:type="xs:integer">1</a><l ferry:list="true">x</l>\
      <m ferry:type="list"><item>y</item></m></root>
      """
    #expect(try paths("//a", in: text) == ["a"])
    #expect(try paths("//l", in: text) == ["l[0]"])
    #expect(try paths("//m", in: text) == ["m"])
    #expect(try paths("//item", in: text) == ["m[0]"])
    #expect(throws: FerryError.self) { try paths("//a/@xsi:type", in: text) }
  }

  @Test func `The records of a built-in schema are elements of a list`() throws {
    let text = """
      <people><person><firstName>Ada</firstName><lastName>L</lastName></person><person><firstName>Bob</firstName>\
      <lastName>M</lastName></person></people>
      """
    #expect(try paths("//firstName", in: text) == ["[0].firstName", "[1].firstName"])
    #expect(try paths("//person[lastName='M']", in: text) == ["[1]"])
  }

  @Test func `Many selected elements take time in proportion to their number`() throws {
    let text = "<r>" + (0..<50_000).map { "<e><n k='\($0)'>\($0)</n></e>" }.joined() + "</r>"
    let values = try expectProcessorTime(atMost: .seconds(10)) {
      try file(text).values(selectedBy: "//n/@k", for: .text)
    }
    #expect(values.count == 50_000)
  }

  /// Looking up each value around each removed one by its own path takes some twenty seconds.
  @Test func `Elements that are inside each other are removed in little time`() throws {
    let depth = 500
    let text = String(repeating: "<a>", count: depth) + "x" + String(repeating: "</a>", count: depth)
    let file = try file(text)
    let count = try expectProcessorTime(atMost: .seconds(8)) {
      try file.remove(file.values(selectedBy: "/a//a", for: .removal))
    }
    let edited = try file.bytes()
    #expect(count == 1 && edited == Array("<a></a>".utf8))
  }

  @Test func `An element inside another one that is replaced as a whole is refused`() throws {
    let text = "<r><a><b>1</b></a></r>"
    let failure = #expect(throws: FerryError.self) { try paths("//a | //b", in: text, for: .replacement) }
    #expect(failure?.description.contains("selects a value inside another one") == true)
    #expect(try paths("//a | //b", in: text, for: .removal) == ["r.a", "r.a.b"])
  }
}
