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

  private enum Growing: CaseIterable {
    case copies, insertions
  }

  /// Each of many copies kept a state of its own, which the next one had to copy.
  @Test(arguments: Growing.allCases)
  private func `Changes of many selected elements take time in proportion to their number`(_ change: Growing)
    throws
  {
    try expectGrowth(from: 1_500, to: 6_000, lessThan: 9) { count in
      let file = try file("<r>" + (0..<count).map { "<e><n>\($0)</n></e>" }.joined() + "</r>")
      return try processorTime {
        try file.edit { file in
          for index in 0..<count {
            let element = ValuePath([.key("r"), .key("e"), .index(index)])
            let new = element.appending(.key("m"))
            switch change {
            case .copies: try file.copy(element.appending(.key("n")), to: new)
            case .insertions:
              try file.insert(text: "5", at: new)
              #expect(try !file.isText(at: new, insteadOf: .integer))
            }
          }
        }
      }
    }
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

  // MARK: New values

  private static let books = "<r><b id='1'><l>x</l></b><b id='2'/></r>"

  @Test(arguments: [
    ("//b/@k", ["r.b[0].@k", "r.b[1].@k"]), ("//b[2]/l", ["r.b[1].l"]), ("//b/l", ["r.b[0].l", "r.b[1].l"]),
    ("/r/b[@id='2']/child::l", ["r.b[1].l"]), ("//b[1]/attribute::k", ["r.b[0].@k"]),
    ("r/b[1]/l", ["r.b[0].l"]), ("(//b/l)", ["r.b[0].l", "r.b[1].l"]), ("((//b)[2]/l)", ["r.b[1].l"]),
    ("(//b/l)[1]", ["r.b[0].l[0]"]),
    ("(//b | //l)/@k", ["r.b[0].@k", "r.b[0].l.@k", "r.b[1].@k"]), ("/r", ["r"]), ("/s", []),
    ("//b[2]", ["r.b[1]"]), ("//b[@id]", ["r.b[1]", "r.b[0]"]), ("//l[1]", ["r.b[0].l[0]"]),
    ("//b/*", ["r.b[0].l[0]"]), ("//nothing/l", []), ("//b[9]", []), ("//b[9]/@k", []),
  ])
  func `An insertion is in the elements before a name, or before the selected elements`(
    _ xpath: String, _ expected: [String]
  ) throws {
    let found = try paths(xpath, in: Self.books, for: .insertion)
    #expect(found == expected, "\(xpath)")
  }

  @Test(arguments: [
    ("//l", "its last // means all elements"), ("//b/l | //b/m", "a union has several places"),
    ("//b/@id/l", "only an element can contain it"), ("//l/text()", "only before an element"),
    ("//b[1]/@id[.=1]", "only before an element"), ("/r[1]", "it selects the root element"),
    ("//b/@xmlns", "the declaration of a namespace"), ("//b/_x0020_", "an escape"), ("//b[", "is not valid"),
    ("//b/l | ", "is not valid"), ("count(//b)", "selects no nodes"), ("//z:b/l", "is not declared"),
    ("//b/z:l", "is not declared"), ("/@k", "one root element"), ("///b", "its last step is not a name"),
  ])
  func `An XPath that does not say where a new value goes is refused`(_ xpath: String, _ problem: String)
    throws
  {
    let failure = #expect(throws: FerryError.self) { try paths(xpath, in: Self.books, for: .insertion) }
    #expect(failure?.description.contains(problem) == true, "\(xpath) \(String(describing: failure))")
  }

  @Test(arguments: [
    ("//b/l", ["r.b[0].l", "r.b[1].l"]), ("//b/@k", ["r.b[0].@k", "r.b[1].@k"]), ("//l", ["r.b[0].l"]),
    ("//b[2]/m", ["r.b[1].m"]), ("//b[9]/l", []), ("//b[9]", []), ("/r/b[l]/l", ["r.b[0].l"]),
  ])
  func `A value that is set or inserted is in each element before a name`(
    _ xpath: String, _ expected: [String]
  ) throws {
    let values = try file(Self.books).values(selectedBy: xpath, for: .text, insertsMissing: true)
    #expect(values.map { $0.path.description } == expected, "\(xpath)")
  }

  /// Its key is that of the missing element, which has no namespace.
  @Test(arguments: [
    ("<r><a><l xmlns='urn:l'>1</l></a></r>", "//a/l"), ("<r><a><_x0040_k>1</_x0040_k></a></r>", "//a/@k"),
  ])
  func `An element with the key of a missing value is not set in its place`(_ text: String, _ xpath: String)
    throws
  {
    let failure = #expect(throws: FerryError.self) {
      try file(text).values(selectedBy: xpath, for: .text, insertsMissing: true)
    }
    #expect(failure?.description.contains("another value has the key") == true)
  }

  @Test func `A missing element inside one that is set is refused`() throws {
    let file = try file("<r><a>1</a></r>")
    let failure = #expect(throws: FerryError.self) {
      try file.values(selectedBy: "//*/a", for: .text, insertsMissing: true)
    }
    let advice = "(leave these out: //*[not(ancestor-or-self::a)]/a)"
    #expect(failure?.description.contains("a value inside another one that it sets \(advice)") == true)
    let others = try file.values(
      selectedBy: "//*[not(ancestor-or-self::a)]/a", for: .text, insertsMissing: true)
    #expect(others.map(\.path) == ["r.a"])
    #expect(throws: FerryError.self) {
      try file.values(selectedBy: "//a/b | //b[1]", for: .text, insertsMissing: true)
    }
  }

  @Test(arguments: [
    ("//f:a/f:b", "<f:b>v</f:b>"), ("//f:a/g:b", "<f:b>v</f:b>"), ("//_:a/_:b", "<a><b>v</b></a>"),
    ("//f:a/k:b", "<ns1:b>v</ns1:b>"), ("//f:a/@b", #"<f:a b="v">"#), ("//f:a/@f:b", #"<f:a f:b="v">"#),
    ("//f:a/@xml:lang", #"<f:a xml:lang="v">"#),
  ])
  func `A new name has the namespace that its prefix has in the XPath`(_ xpath: String, _ part: String) throws
  {
    let text = #"<f:r xmlns:f="urn:f" xmlns="urn:d"><a/><f:a>x</f:a></f:r>"#
    var options = EditableFile.Options()
    options.format = .xml
    options.xml.prefixes = ["g": "urn:f", "k": "urn:k"]
    let file = try EditableFile(Array(text.utf8), options: options)
    let values = try file.values(selectedBy: xpath, for: .insertion)
    for value in values { try file.insert(text: "v", at: value.path) }
    let edited = try String(decoding: file.bytes(), as: UTF8.self)
    #expect(values.count == 1 && edited.contains(part), "\(xpath) \(edited)")
    let failure = #expect(throws: FerryError.self) { try file.values(selectedBy: "//f:a/c", for: .insertion) }
    #expect(failure?.description.contains("in the namespace \"urn:d\"") == true)
    let move = #expect(throws: FerryError.self) {
      try file.values(selectedBy: "//_:a/k:c", for: .destination)
    }
    #expect(move?.description.contains("no prefix has the namespace") == true)
  }

  // MARK: Moves and copies

  private static let lists =
    #"<r><b id="1"><l>x</l></b><b id="2"><l>y</l><l>z</l></b><b/></r>"#

  /// Returns the text after a move or a copy between two XPaths, and the number of values.
  private func transferred(
    _ source: String, _ target: String, in text: String, isMove: Bool = true
  ) throws -> (text: String, count: Int) {
    let file = try file(text)
    let sources = try file.values(selectedBy: source, for: .transfer)
    let targets = try file.values(selectedBy: target, for: .destination)
    let transfer = EditableFile.Transfer(of: sources, source, to: targets, target, isMove: isMove)
    do {
      let count = try file.transfer(transfer) { path, newPath throws(FerryError) in
        isMove ? try file.move(path, to: newPath) : try file.copy(path, to: newPath)
      }
      return (try String(decoding: file.bytes(), as: UTF8.self), count)
    } catch {
      let unchanged = try String(decoding: file.bytes(), as: UTF8.self)
      #expect(unchanged == text)
      throw error
    }
  }

  @Test(arguments: [
    (
      "//b/l", "//b/m", 3,
      #"<r><b id="1"><m>x</m></b><b id="2"><m>y</m><m>z</m></b><b/></r>"#
    ),
    (
      "//b/@id", "//b/id", 2,
      #"<r><b><l>x</l><id>1</id></b><b><l>y</l><l>z</l><id>2</id></b><b/></r>"#
    ),
    ("//b[1]/l", "//b[3]/l", 1, #"<r><b id="1"/><b id="2"><l>y</l><l>z</l></b><b><l>x</l></b></r>"#),
    ("//b[1]/l", "//b/@l", 1, #"<r><b id="1" l="x"/><b id="2"><l>y</l><l>z</l></b><b/></r>"#),
    ("//b[1]", "//b[3]/c", 1, #"<r><b id="2"><l>y</l><l>z</l></b><b><c id="1"><l>x</l></c></b></r>"#),
  ])
  func `Values that XPaths select move in the elements around them, or one to another element`(
    _ source: String, _ target: String, _ count: Int, _ expected: String
  ) throws {
    let moved = try transferred(source, target, in: Self.lists)
    #expect(moved.text == expected && moved.count == count, "\(source) \(moved)")
  }

  @Test func `Elements inside each other are renamed together, and their contents keep their order`() throws {
    for text in [
      "<r><b>one <i/> two <b>3</b> four <i/> five</b></r>", "<r><b><!-- c --><b>3</b></b></r>",
      "<r><b><i/><b>3</b><i/></b></r>", "<r><b><x>one <i>two</i></x><b/></b></r>",
      "<r><b><b>3</b><x><i/><j/><i/></x></b></r>",
    ] {
      let moved = try transferred("//*/b", "//*/c", in: text)
      #expect(
        moved.text == text.replacing("b>", with: "c>").replacing("b/>", with: "c/>") && moved.count == 2)
    }
  }

  @Test func `Elements inside each other are renamed and copied as they were`() throws {
    let text = "<r><p><a><a>x</a></a></p></r>"
    let moved = try transferred("//*/a", "//*/b", in: text)
    #expect(moved.text == "<r><p><b><b>x</b></b></p></r>" && moved.count == 2)
    let copied = try transferred("//*/a", "//*/b", in: text, isMove: false)
    #expect(copied.text == "<r><p><a><a>x</a><b>x</b></a><b><a>x</a></b></p></r>", "\(copied.text)")
  }

  @Test(arguments: [
    ("//b", "//x", "its last // means all elements"), ("//b/l", "/r/m", "3 values are selected"),
    ("/r/b[1]/@id", "//l/@x", "3 elements would get the value"),
    ("//b[2]/l | //b[2]/@id", "//b/m", "several of the selected values are in one element"),
    ("//l[.='x']/text()", "//b/m", "the text of an element is copied"),
    ("//b[1]/l", "//b[2]", "is not a name"),
    ("//b[2]/l", "//b/@l", "an attribute is a text"), ("//b[1]", "//b[1]/c", "inside itself"),
    ("//b[1]", "//b[2]/c", "the next one of its list"), ("/r", "/s", "one root element"),
    ("//b/@id", "//b[1]/x", "2 values are selected"),
  ])
  func `A move without one place for each value is refused, and changes nothing`(
    _ source: String, _ target: String, _ problem: String
  ) throws {
    let failure = #expect(throws: FerryError.self) { try transferred(source, target, in: Self.lists) }
    #expect(failure?.description.contains(problem) == true, "\(source) \(String(describing: failure))")
  }

  // MARK: Lists in documents with types

  @Test(arguments: [
    (#"<n ferry:list="true">x</n>"#, "//n", 1), ("<n>x</n><n>y</n>", "//n[.='y'] | //n", 2),
    ("<n>x</n><n>y</n>", "//n[1] | //n[last()]", 2),
  ])
  func `No empty list is left of elements that an XPath removes`(
    _ elements: String, _ xpath: String, _ count: Int
  ) throws {
    func document(_ elements: String) -> String {
      #"<root xmlns:ferry="urn:ferry:types" ferry:wrapper="true">"# + elements + "<o>1</o></root>"
    }
    let file = try file(document(elements))
    let removed = try file.remove(file.values(selectedBy: xpath, for: .removal))
    let edited = try String(decoding: file.bytes(), as: UTF8.self)
    #expect(removed == count && edited == document(""), "\(edited)")
    let list = try self.file(document(elements))
    try list.remove(at: ValuePath(parsing: "n"))
    let byPath = try list.bytes()
    #expect(Array(edited.utf8) == byPath)
    let moved = try transferred(
      "//n", "/root/k", in: document(#"<n ferry:list="true">x</n>"#))
    #expect(
      !moved.text.contains("<n") && moved.text.contains(#"<k ferry:list="true">x</k>"#), "\(moved.text)")
  }

  /// Changes of texts are made in the document that was read for the XPath before, and others not.
  @Test(arguments: [
    "<r><n>1</n><n k='3'>5</n><n/><m a='1'>x<!-- c -->y</m></r>",
    "<!DOCTYPE r [<!ATTLIST n k ID #IMPLIED>]><r><n k='b'>1</n><n k='a'>2</n></r>",
    "<r><n xml:id='i'>1</n><n k='3'><![CDATA[5]]></n><o><n>7</n></o></r>",
    "<r xml:space='preserve'> <n> 1 </n> <n k=' '> </n></r>",
  ])
  func `Each XPath selects from the document after the changes before it`(_ text: String) throws {
    let xpaths = [
      "//n[1]", "//n[.='v1']", "//n[.!='v1']", "//@k", "//*[@k='v3']", "//n[contains(., 'v')]", "//@*", "//n",
      "//n[string-length(.) > 2]", "//text()", "id('b')", "/r/n[last()]",
    ]
    let values = ["v1", "v2", "v3", " v ", "a&b <", "", "_x0041_", "é", "v1"]
    for offset in 0..<values.count {
      let (known, fresh) = (try file(text), try file(text))
      for (index, xpath) in xpaths.enumerated() {
        let value = values[(index + offset) % values.count]
        fresh.xpathDocument = nil
        let selected = try? known.values(selectedBy: xpath, for: .text)
        let expected = try? fresh.values(selectedBy: xpath, for: .text)
        #expect(selected == expected, "\(xpath) in \(text)")
        for (file, selection) in [(known, selected), (fresh, expected)] {
          try? file.edit { file throws(FerryError) in
            for target in selection ?? [] {
              _ = try file.change(target) { () throws(FerryError) in
                try file.set(text: value, at: target.path, insertsMissing: target.isMissingText)
              }
            }
          }
        }
        #expect(
          (try? known.contents(losses: LossReport())) == (try? fresh.contents(losses: LossReport())),
          "\(xpath) \(value)")
      }
    }
  }
}
