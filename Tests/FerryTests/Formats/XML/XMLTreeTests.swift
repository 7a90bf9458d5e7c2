import Ferry
import TestSupport
import Testing

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
    ("//[", "it is not an XPath 1.0 expression"),
    ("//y:person", "a prefix is not declared in the document"),
    ("nothing()", "a function is not known"),
  ])
  func `An invalid XPath is refused with the reason`(_ xpath: String, _ why: String) throws {
    let failure = #expect(throws: FerryError.self) { try tree.select(xpath) }
    #expect(
      failure?.reason.description.contains("is not valid: \(why)") == true, "\(String(describing: failure))")
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
