import TestSupport
import Testing

@testable import Ferry

@Suite struct `Questions to a tree` {
  let tree: XMLTree

  init() throws {
    let text = """
      <?xml version="1.0"?>
      <people xmlns="urn:people" xmlns:x="urn:x">
        <person id="1"><name>Ada</name></person>
        <x:person id="2"><name>Alan <b>M.</b> Turing</name></x:person>
      </people>
      """
    tree = try XMLTree(parsing: text.utf8.span)
  }

  @Test func `An XPath that takes too many steps is stopped`() throws {
    let document = "<r>" + String(repeating: "<p><q><s/></q></p>", count: 2000) + "</r>"
    let tree = try XMLTree(parsing: Array(document.utf8))
    let failure = expectProcessorTime(atMost: .seconds(20)) {
      #expect(throws: FerryError.self) { try tree.select("//*[//*[//*[//*[name() = 'x']]]]") }
    }
    guard case .overBudget(.steps)? = failure?.reason else {
      return #expect(Bool(false), "\(failure?.message ?? "")")
    }
    #expect(try tree.select("//p[not(q/s)]").isEmpty)
  }

  @Test func `Texts between comments, and unions, are put in order in time that grows with their number`()
    throws
  {
    let document = "<r>" + (0..<60_000).map { "\($0)<!--c-->" }.joined() + "<a b='1'>2</a></r>"
    let tree = try XMLTree(parsing: Array(document.utf8))
    let result = try expectProcessorTime(atMost: .seconds(10)) {
      try tree.evaluate("(//@b | //text() | //text())")
    }
    guard case .nodes(let nodes) = result else { return #expect(Bool(false)) }
    let texts = nodes.map {
      if case .text(let text, _) = $0 { String(decoding: text, as: UTF8.self) } else { "" }
    }
    #expect(texts == (0..<60_000).map { "\($0)" } + ["1", "2"])
  }

  @Test func `The elements of a tree are found by walking`() {
    #expect(tree.root.name.qualified == "people")
    #expect(tree.root.name.namespace == "urn:people")
    #expect(tree.root.children.map(\.name.qualified) == ["person", "x:person"])
    #expect(tree.root.children[1].attribute("id") == "2")
    #expect(tree.root.children[1].attributes.map(\.name.local) == ["id"])
    #expect(tree.root.children[1].text == "Alan M. Turing")
    #expect(tree.root.children[1].location == InputLocation(line: 4, column: 3))
    #expect(tree.root.children[0].children[0].name === tree.root.children[1].children[0].name)
  }

  @Test func `The elements of a tree are found by XPath with the document's prefixes`() throws {
    #expect(try tree.select("//x:person").map(\.text) == ["Alan M. Turing"])
    #expect(try tree.select("/_:people/_:person[@id='1']/_:name").map(\.text) == ["Ada"])
    #expect(try tree.select("//nobody").isEmpty)
    #expect(try tree.select("//*[@id > 1]").count == 1)
  }

  @Test(arguments: [
    ("//[", "it is not an XPath 1.0 expression (column 3)"),
    ("/é/[", "it is not an XPath 1.0 expression (column 5)"),
    ("//y:person", #"the prefix "y" is not declared in the document"#),
    ("nothing()", #"XPath 1.0 has no function "nothing""#),
    ("//none[matches(@x, '1')]", #"XPath 1.0 has no function "matches""#),
    ("//none[x:f()]", #"XPath 1.0 has no function "x:f""#),
    ("//none[y:f()]", #"the prefix "y" is not declared in the document"#),
    ("//none[y:a = 1]", #"the prefix "y" is not declared in the document"#),
    ("//none/@y:*", #"the prefix "y" is not declared in the document"#),
    ("//none[contains(@x)]", "contains() takes 2 arguments, not 1"),
    ("//none[concat(last())]", "concat() takes 2 or more arguments, not 1"),
    ("//none[substring(f(1, (2, 3)))]", "it is not an XPath 1.0 expression"),
    ("//none[true(name())]", "true() takes no arguments, not 1"),
    ("//none[string(1, 2)]", "string() takes 0 or 1 argument, not 2"),
    ("//none[. = $x]", "variables are not supported"),
  ])
  func `An invalid XPath is refused with the reason`(_ xpath: String, _ why: String) throws {
    let failure = #expect(throws: FerryError.self) { try tree.select(xpath) }
    #expect(
      failure?.reason.description.contains("is not valid: \(why)") == true, "\(String(describing: failure))")
  }

  @Test(arguments: ["contains(') y:f(', \"$x\")", "//*[count(x:*) > last()]", "//div[div and mod]/*[2 * 3]"])
  func `Texts and operators of an XPath are not taken for names`(_ xpath: String) throws {
    _ = try tree.evaluate(xpath)
  }

  @Test(arguments: [
    "/été", "/été/@a/..", "//b | /été", "/*[/été]", "id(/été) | /été", "/  été", "(/été[not(/é)])",
  ])
  func `A name may begin with any letter after the first slash`(_ xpath: String) throws {
    let tree = try XMLTree(parsing: Array("<été a='1'><é/></été>".utf8))
    #expect(try tree.select(xpath).map(\.name.local) == ["été"])
  }

  /// The nodes and their order are those of `xmllint --xpath`.
  @Test(arguments: [
    ("(//text())", "1 2 3 4 5"), ("//text() | //@*", "a b 1 2 c 3 4 5"),
    ("(//@y | (//@x)) | //b/text()", "a b c 3"), ("//b/following::text() | //b/preceding::text()", "1 2 4 5"),
    ("(//text())[2] | (//@*)[last()]", "2 c"), ("//c/ancestor::*/@x | //c/../@y", "a b"),
    ("//@x/../text() | //text()", "1 2 3 4 5"), ("//text()[position() = 2]", "2"),
    ("//@*[. = 'c'] | //@*[. = 'a']", "a c"), (" //@y ", "b"), ("id('q')/@x | //b/@x", "c"),
  ])
  func `The nodes of an XPath are in the order of the document`(_ xpath: String, _ expected: String) throws {
    let tree = try XMLTree(
      parsing: Array("<!--n--><a x='a' y='b'>1<!--n-->2<b x='c'>3</b>4<c/><?p i?>5</a><?p?>".utf8))
    guard case .nodes(let nodes) = try tree.evaluate(xpath) else {
      throw FerryError(.xml(.notElements(xpath)))
    }
    let texts = nodes.map { node in
      if case .text(let text, _) = node { String(decoding: text, as: UTF8.self) } else { "?" }
    }
    #expect(texts.joined(separator: " ") == expected)
  }

  @Test(arguments: ["//@id", "count(//*)", "'text'", "//text()", "/"])
  func `An XPath that selects no elements is refused`(_ xpath: String) throws {
    let failure = #expect(throws: FerryError.self) { try tree.select(xpath) }
    #expect(failure?.reason == .xml(.notElements(xpath)))
  }

  @Test func `One element of a tree can be given to delegates as a document`() throws {
    let recording = RecordingDelegate()
    try tree.select("//x:person/_:name")[0].replay(to: recording)
    #expect(
      recording.calls == [
        "<name {urn:people}> 4:20", "Alan ", "<b {urn:people}> 4:31", "M.", "end", "back", " Turing", "end",
        "back",
        "end",
      ])
  }
}
