import TestSupport
import Testing

@testable import Ferry

/// Paths that are matched while a document is read. In parentheses, libxml2 evaluates the same path on a tree.
@Suite struct `Selection of elements while a document is read` {
  private static let documents = [
    #"<a><b x="1">t</b><c/><b x="2"><b>u</b><!--n--><c y=""/></b><a><b/><b x="1"><c/></b></a></a>"#,
    #"<a xmlns="urn:a" xmlns:p="urn:p" x="1"><b p:x="1"/><p:b/><b x="1"><c xmlns=""><b/></c></b></a>"#,
    #"<!DOCTYPE a [<!ATTLIST b x CDATA "1"><!ENTITY e "<b><c/></b>">]><a>&e;<b/><b x="2">&e;&amp;</b></a>"#,
    "<b><?p i?><b><![CDATA[ <b> ]]></b>\n mixed <c>1</c> text <b xml:space=\"preserve\"> </b></b>",
    #"<a xml:space="preserve"> <b> <c> </c></b><b xml:space="default"> <c/> <b x="1"> <c/></b></b> <c> <b/></c></a>"#,
    #"<a><b><c/></b><b xml:space="preserve"> <c> </c></b><b> <c/></b><c><b><c/></b><b/></c><b/><b/></a>"#,
    #"<a xmlns:p="urn:p"><p:b/><p:b xmlns:p="urn:q"/><p:b/><c><p:b/></c><b/><b x="1"/><b/></a>"#,
    "<c/>",
  ]

  private static let paths = [
    "/a", "//b", "/a/b", "/a//b", "//a/b", "//b//c", "//*/b", "/*/b/c", "//b[@x]", "//b[@x='1']",
    #"//b[@x="2"]/c"#, "//b[2]", "/a/b[1]/c", "//b[@x][1]", "//b[1][@x]", "//b[@x='1'][@y]", "//b | //c",
    "/a/b|//b|/a//c[1]", "//_:b", "/_:a/_:b[@x]", "//_:b//b", " //b [ @x = '1' ] [ 1 ] ", "/b/b", "//b[0]",
    "//c[@y='']", "//b/b", "//a/a/b[2]/c", "//d", "//q:b", "/_:a/q:b | //b",
    "//*", "/a/*", "/*", "//b/*", "//*[@x='1']", "//*[2]", "//b/*[1] | //c", "a/*", "b", "*//c", "//_:b/*",
    "child::a", "/child::a/child :: b", "//b[attribute::x]", "//b[attribute::x='1'][1]",
  ]

  private func outcome(
    _ document: String, _ path: String, _ schema: Schema? = nil, to target: Format = .jsonLines,
    isPretty: Bool = false
  ) -> String {
    var conversion = Conversion(to: target)
    conversion.writing.isPretty = isPretty
    (conversion.reading.select, conversion.reading.xml.prefixes) = (path, ["q": "urn:p"])
    conversion.reading.schema = schema
    do throws(FerryError) {
      let result = try conversion.convert(Array(document.utf8), named: "a.xml")
      // Only the evaluation on a tree has this note.
      let notes = result.report.notes.filter { $0.code != "held-in-memory" }
      return "\(String(decoding: result.bytes, as: UTF8.self)) \(result.report.losses.counts) \(notes)"
    } catch {
      return "\(error.code) \(error.location.line ?? 0):\(error.location.column ?? 0) \(error.path)"
    }
  }

  @Test(arguments: [
    ("//_:a", "the prefix _ means the root's default namespace, but the root has none"),
    ("/_:r[_:a]", "the prefix _ means the root's default namespace, but the root has none"),
    ("//q:a", #"the prefix "q" is not declared in the document"#),
    ("//_:a | //q:a", #"the prefix "q" is not declared in the document"#),
  ])
  func `The prefix of a default namespace that the root does not have is named`(
    _ path: String, _ why: String
  ) throws {
    var conversion = Conversion(to: .json)
    conversion.reading.select = path
    let error = #expect(throws: FerryError.self) {
      try conversion.convert(Array("<r><a xmlns='urn:a'/></r>".utf8), named: "a.xml")
    }
    #expect(error?.message.contains("is not valid: \(why)") == true, "\(String(describing: error))")
  }

  @Test(arguments: documents, paths)
  func `A path selects the elements that it selects in a tree`(_ document: String, _ path: String) throws {
    let streamed = try StreamedXPath(path, namespaces: ["q": ""])
    #expect(streamed.elements != nil && streamed.texts == nil)
    #expect(throws: XPathObstacle.self) { try StreamedXPath("(\(path))", namespaces: ["q": ""]) }
    #expect(outcome(document, path) == outcome(document, "(\(path))"))
    for isPretty in [false, true] {
      let found = outcome(document, path, to: .xml, isPretty: isPretty)
      #expect(found == outcome(document, "(\(path))", to: .xml, isPretty: isPretty))
    }
  }

  /// Records of many shapes, the first three of the same one.
  static let records = [
    "<r><a>1</a><b>2</b></r>", "<r><a>3</a><b>é</b></r>", "<r><a>1</a> <b>&amp;</b></r>",
    "<r><b>1</b><a>2</a></r>", "<r><a>1</a><a>2</a></r>", "<r><a>1</a><b>2</b><a>3</a></r>",
    "<r><a>1</a></r>", "<r>t</r>", "<r/>", "<r> </r>",
    #"<r x="1"><a>1</a><b>2</b></r>"#, #"<r x="1">t</r>"#, #"<r x="1"> </r>"#, #"<r y="&lt;"> </r>"#,
    "<r>t<a>1</a><b>2</b></r>", "<r>&#32;<a>1</a><b>2</b></r>", "<r>&#65;<a>1</a><b>2</b></r>",
    "<r><![CDATA[t]]><a>1</a></r>", "<r><![CDATA[ ]]><a>1</a></r>", "<r><!--c--><a>1</a></r>",
    "<r><?p i?><a>1</a></r>", #"<r xml:space="preserve"> <a>1</a></r>"#, #"<r xmlns="urn:q"><a>1</a></r>"#,
    #"<r xmlns:q="urn:q"><q:a>q:1</q:a><a>1</a></r>"#, #"<r x="1"><_x0040_x>1</_x0040_x></r>"#,
    #"<r y="1"><_x0040_x>1</_x0040_x></r>"#, "<r><_x0023_text>1</_x0023_text></r>",
    "<r><a/><_x0023_text>1</_x0023_text></r>", "<r><_x0023_content>1</_x0023_content></r>",
    "<r><c><a>1</a></c><c><a>2</a></c></r>", "<r><c><a>1</a></c><c><b>2</b></c></r>",
  ]

  @Test(arguments: [XMLOrder.never, .needed, .always], [XMLMarkupKinds(), .all])
  func `A selected element has the value that it has alone, after elements of the same and other shapes`(
    _ order: XMLOrder, _ markup: XMLMarkupKinds
  ) throws {
    var conversion = Conversion(to: .jsonLines)
    conversion.reading.select = "/l/*"
    (conversion.reading.xml.order, conversion.reading.xml.markup) = (order, markup)
    func values(_ records: [String]) throws -> (bytes: [UInt8], losses: Int) {
      let result = try conversion.convert(Array("<l>\(records.joined())</l>".utf8), named: "a.xml")
      return (result.bytes, result.report.losses.counts.reduce(0) { $0 + $1.count })
    }
    let alone = try Self.records.map { try values([$0]) }
    for first in Self.records.indices {
      for second in Self.records.indices {
        let indices = [first, first, second, second, first, second, second]
        let together = try values(indices.map { Self.records[$0] })
        #expect(together.bytes == indices.flatMap { alone[$0].bytes })
        #expect(together.losses == indices.reduce(0) { $0 + alone[$1].losses })
      }
    }
  }

  @Test(arguments: [
    "//b[last()]", "//b[c]", "//p:b", "//b[@x=1]", "//b[", "last()", "b[c]", "5",
    "//b]", "/", "//", "", "//b[position()=1]", "//b/..", "self::a", "//é", "//b[@p:x]", "//b[1.0]",
    "//b or //c",
    "//b | ", "a:b", "/_:*",
  ])
  func `Other expressions are evaluated on a tree`(_ path: String) {
    #expect(throws: XPathObstacle.self) { try StreamedXPath(path) }
  }

  /// The equal paths are those that `xmllint --xpath` gives the same elements for.
  @Test(arguments: [
    ("r/a", "/r/a"), (".//a", "//a"), ("//b | r/a", "//b | /r/a"), ("r/a | //b", "//b | /r/a"),
    ("descendant::b", "//b"), ("./r/b", "/r/b"), ("*/a", "/*/a"), ("r", "/r"), ("child::r/b[2]", "/r/b[2]"),
    ("a", "/a"), ("self::node()/r/a", "/r/a"), ("_:r", "/_:r"), ("r[a]/b", "(/r[a]/b)"),
  ])
  func `A relative path begins at the document`(_ path: String, _ absolute: String) {
    for document in ["<r><a>1</a><b>2</b><b><a>3</a></b></r>", "<r xmlns='urn:r'><a>1</a></r>"] {
      for target in [Format.jsonLines, .xml] {
        #expect(outcome(document, path, to: target) == outcome(document, absolute, to: target), "\(path)")
      }
    }
  }

  @Test(arguments: [".", "/", "self::node()"])
  func `The document itself has no value`(_ path: String) {
    #expect(outcome("<r><a>1</a></r>", path).hasPrefix("xml.not-elements "))
  }

  @Test func `Random paths select the elements of random documents that they select in a tree`() {
    var generator = SeededGenerator(seed: 7)
    var selected = 0
    for _ in 0..<600 {
      let document = Self.element(depth: 0, &generator)
      let path = Self.path(&generator)
      let found = outcome(document, path)
      #expect(found == outcome(document, "(\(path))"), "\(path) in \(document)")
      let copy = outcome(document, path, to: .xml)
      #expect(copy == outcome(document, "(\(path))", to: .xml), "\(path) in \(document)")
      if !found.contains("nothing-selected") { selected += 1 }
    }
    #expect(selected > 100)
  }

  private static func element(depth: Int, _ generator: inout SeededGenerator) -> String {
    let name = ["a", "b", "c"].randomElement(using: &generator) ?? "a"
    let attributes = ["", "", " x='1'", " x='2' y=''", " xml:space='preserve'", " xml:space='default'"]
    let attribute = attributes.randomElement(using: &generator) ?? ""
    let count = depth > 4 ? 0 : Int.random(in: 0...4, using: &generator)
    var content = ""
    for _ in 0..<count {
      content +=
        Bool.random(using: &generator) ? element(depth: depth + 1, &generator) : ["t", " "][depth % 2]
    }
    return "<\(name)\(attribute)>\(content)</\(name)>"
  }

  private static func path(_ generator: inout SeededGenerator) -> String {
    var path = ""
    for step in 0...Int.random(in: 0...3, using: &generator) {
      path += Int.random(in: 0...2, using: &generator) == 0 ? "/" : "//"
      if step > 0, Int.random(in: 0...4, using: &generator) == 0 { path += "*/" }
      path += ["a", "b", "c", "*"].randomElement(using: &generator) ?? "a"
      path += ["", "", "[1]", "[2]", "[@x]", "[@x='1'][2]", "[2][@x]"].randomElement(using: &generator) ?? ""
    }
    return Bool.random(using: &generator) ? path : "\(path) | //b[@y='']"
  }

  private static let preserved = """
    <r xml:space="preserve"><x><person><memo> <a/></memo></person></x>\
    <y xml:space="default"><person><memo> <a/></memo></person></y></r>
    """
  private static let people = Schema(
    name: "people", collectionElement: "people",
    record: RecordType(
      element: "person", className: "Person", fields: [RecordField("name", .string, isOptional: true)]))

  @Test(arguments: ["//person", "/r/x/person | /r/y/person"], [nil, people])
  func `White space that an element around the selected one preserves is content`(
    _ path: String, _ schema: Schema?
  ) {
    let lines = ##"{"memo":{"a":"","#text":" "}}"## + "\n" + #"{"memo":{"a":""}}"# + "\n"
    for path in [path, "(\(path))"] {
      #expect(outcome(Self.preserved, path, schema).hasPrefix(lines), "\(path)")
    }
  }

  @Test(arguments: ["//memo", "(//memo)"])
  func `A document of selected elements keeps the white space that an element around them preserves`(
    _ path: String
  ) throws {
    var conversion = Conversion(to: .xml)
    conversion.reading.select = path
    let result = try conversion.convert(Array(Self.preserved.utf8), named: "a.xml")
    #expect(
      String(decoding: result.bytes, as: UTF8.self) == """
        <?xml version="1.0" encoding="UTF-8"?>
        <root>
        <memo xml:space="preserve"> <a/></memo>
        <memo> <a/></memo>
        </root>

        """)
  }

  @Test func `Records by a schema are selected with their locations`() throws {
    let document =
      "<all>\n <person><firstName>A</firstName><lastName>B</lastName></person>\n <x><person/></x>\n</all>"
    let schema = try #require(Schema.builtIn.first { $0.record.element == "person" })
    for path in ["//person", "/all/person", "/all/x/person"] {
      let found = outcome(document, path, schema)
      #expect(found == outcome(document, "(\(path))", schema))
      #expect(found.contains(path == "/all/person" ? #"{"firstName":"A","lastName":"B"}"# : "3:5"))
    }
  }
}
