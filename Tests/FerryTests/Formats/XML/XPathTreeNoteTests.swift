import TestSupport
import Testing

@testable import Ferry

/// The note on an XPath for which a document is held in memory.
@Suite struct `XPaths that need a tree` {
  @Test(arguments: [
    ("//person[last()]", "[last()]"), ("count(//person)", "count()"), ("//person[age>88]", "[age>88]"),
    ("//a[@x='1'][b]/c", "[b]"), ("//a/parent::b", "parent::"), ("//a/..", ".."), ("(//a)[1]", "(//a)"),
    ("//a | //b/comment()", "comment()"), ("//a/text()/x", "text()/x"), ("//p:a", "p:a"), ("//a/@é", "é"),
    ("//a[@p:x]", "[@p:x]"), ("//a[@x=1]", "[@x=1]"), ("1 + 2", "1"), ("//a or //b", "or"),
    ("//a[b[2]]", "[b[2]]"), ("//q:*", "q:*"), ("//a[1.5]", "[1.5]"),
    ("/é/b", "é"), ("//a/@x/..", "@x/.."), ("//a/@x[1]", "[1]"), ("//a/@node()", "node()"),
    ("/ | //a[b]", "/"),
    ("//a | /text()", "/text()"), ("-//a", "-"), ("p:f(//a)[1]", "p:f()"), ("'a'", "'a'"), ("$a/b", "$a"),
    ("//a[", "//a["), ("a b", "a b"),
  ])
  func `The first part that needs the tree is named`(_ xpath: String, _ part: String) throws {
    let obstacle = #expect(throws: XPathObstacle.self) {
      try StreamedXPath(xpath, namespaces: ["q": "urn:q"])
    }
    #expect(obstacle?.part == part)
  }

  @Test(arguments: ["//person[last()]", "count(//person)", "(//person/@id)", "//person"])
  func `A report has the note, and the standard error only for a large document`(_ xpath: String) throws {
    var conversion = Conversion(to: .json)
    conversion.reading.select = xpath
    let document = "<r><person id='1'/></r>"
    let notes = try conversion.convert(Array(document.utf8), named: "a.xml").report.notes
    guard xpath != "//person" else { return #expect(notes.isEmpty) }
    #expect(notes.map(\.code) == ["held-in-memory"])
    #expect(notes.first?.isForReportsAlone == true)
    #expect(!Note.heldInMemory(part: "[last()]", byteCount: 16 << 20).isForReportsAlone)
  }
}
