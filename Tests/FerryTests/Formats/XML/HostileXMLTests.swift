import Ferry
import SystemPackage
import TestSupport
import Testing

/// Returns the reason why a text is refused, or nil if it is read: as a stream, with and without delegates, and as a tree.
private func refusal(_ text: String, budget: Budget = Budget()) throws -> FerryError.Reason? {
  try expectProcessorTime(atMost: .seconds(60), String(text.prefix(40))) {
    try reading(text, budget: budget)
  }
}

private func reading(_ text: String, budget: Budget) throws -> FerryError.Reason? {
  let bytes = Array(text.utf8)
  func reason(_ body: () throws(FerryError) -> Void) -> FerryError.Reason? {
    do throws(FerryError) { try body() } catch { return error.reason }
    return nil
  }
  final class All: ElementDelegate {
    override func delegate(for child: borrowing XMLStartTag) -> ElementDelegate? { self }
  }
  let stream = reason { () throws(FerryError) in
    try XMLStream(document: All(), budget: budget).readAll(bytes.span)
  }
  let skipped = reason { () throws(FerryError) in
    try XMLStream(document: ElementDelegate(), budget: budget).readAll(bytes.span)
  }
  let tree = reason { () throws(FerryError) in _ = try XMLTree(parsing: bytes.span, budget: budget) }
  #expect(stream == tree)
  if case .overBudget(.names) = stream {} else { #expect(stream == skipped) }
  return stream
}

@Suite struct `Hostile XML` {
  @Test func `XML elements are as deep as the budget allows`() throws {
    #expect(try refusal(String(repeating: "<a>", count: 100_000)) == .overBudget(.depth(512)))
    func nested(_ depth: Int) -> String {
      String(repeating: "<a>", count: depth) + String(repeating: "</a>", count: depth)
    }
    #expect(try refusal(nested(512)) == nil)
    #expect(try refusal(nested(513)) == .overBudget(.depth(512)))
    var budget = Budget()
    budget.depth = 200_000
    #expect(try refusal(nested(100_000), budget: budget) == nil)
    let deep = Array(nested(100_000).utf8)
    #expect(try XMLTree(parsing: deep.span, budget: budget).root.text == "")
    #expect(try treeCalls(deep, budget: budget).count == 300_001)
  }

  @Test(arguments: [false, true])
  func `A billion laughs stay within the budget`(inAttribute: Bool) throws {
    var text = "<!DOCTYPE a [<!ENTITY l0 'haha'>"
    for level in 1..<12 { text += "<!ENTITY l\(level) '\(String(repeating: "&l\(level - 1);", count: 10))'>" }
    text += inAttribute ? "]><a b='&l11;'/>" : "]><a>&l11;</a>"
    #expect(try refusal(text) == .overBudget(.amplification(100)))
    // The same without any text.
    let empty = text.replacing("haha", with: "")
    #expect(try refusal(empty) == .overBudget(.amplification(100)))
    let elements = text.replacing("haha", with: "<x/>")
    if !inAttribute { #expect(try refusal(elements) == .overBudget(.amplification(100))) }
  }

  @Test(arguments: [false, true])
  func `One large entity that is used often stays within the budget`(inAttribute: Bool) throws {
    let long = String(repeating: "x", count: 50_000)
    let uses = String(repeating: "&e;", count: 50_000)
    let head = "<!DOCTYPE a [<!ENTITY e '\(long)'>]>"
    #expect(
      try refusal(head + (inAttribute ? "<a b='\(uses)'/>" : "<a>\(uses)</a>"))
        == .overBudget(.amplification(100)))
    #expect(try refusal(head + "<a>" + uses.prefix(300) + "</a>") == nil)
  }

  @Test(arguments: ["b", "xmlns", "xmlns:b"])
  func `A long attribute that many elements have by default stays within the budget`(name: String) throws {
    let long = String(repeating: "x", count: 20_000)
    func elements(_ count: Int) -> String {
      "<!DOCTYPE r [<!ATTLIST a \(name) CDATA '\(long)'>]><r>\(String(repeating: "<a/>", count: count))</r>"
    }
    #expect(try refusal(elements(20_000)) == .overBudget(.amplification(100)))
    #expect(try refusal(elements(300)) == nil)
    var budget = Budget()
    budget.amplification = 1
    #expect(try refusal(elements(500), budget: budget) == .overBudget(.amplification(1)))
    let inEntity = elements(0).replacing(
      "]>", with: "<!ENTITY e '\(elements(1000).suffix(4004).dropLast(4))'>]>")
    #expect(
      try refusal(inEntity.replacing("<r></r>", with: "<r>&e;</r>"), budget: budget)
        == .overBudget(.amplification(1)))
  }

  @Test func `Many short attributes that elements have by default stay within the budget`() throws {
    let defaults = (0..<4000).map { " a\($0) CDATA ''" }.joined()
    let text = "<!DOCTYPE r [<!ATTLIST a\(defaults)>]><r>\(String(repeating: "<a/>", count: 5000))</r>"
    #expect(try refusal(text) == .overBudget(.amplification(100)))
  }

  @Test(arguments: ["<a>&e0;</a>", "<a b='&e0;'/>"])
  func `Entities may be nested 40 levels deep`(use: String) throws {
    func nested(_ levels: Int, last: String = "x") -> String {
      let outer = (0..<levels - 1).map { "<!ENTITY e\($0) '&e\($0 + 1);'>" }.joined()
      return "<!DOCTYPE a [\(outer)<!ENTITY e\(levels - 1) '\(last)'>]>\(use)"
    }
    #expect(try refusal(nested(40)) == nil)
    #expect(try refusal(nested(41)) == .overBudget(.entityDepth(40)))
    let isEndless = FerryError.Reason.xml(.notWellFormed("entities contain each other without end"))
    #expect(try refusal(nested(1, last: "&e0;")) == isEndless)
    #expect(try refusal(nested(40, last: "&e0;")) == isEndless)
  }

  @Test func `Parameter entities in parameter entities stay within the budget`() throws {
    var text = "<!DOCTYPE a [<!ENTITY % p0 ''>"
    for level in 1..<12 {
      text += "<!ENTITY % p\(level) '\(String(repeating: "&#37;p\(level - 1);", count: 20))'>"
    }
    #expect(try refusal(text + "%p11;]><a/>") == .overBudget(.amplification(100)))
  }

  @Test func `An XML element has as many attributes as the budget allows`() throws {
    func attributes(_ count: Int, _ name: String = "a") -> String {
      (0..<count).map { " \(name)\($0)=''" }.joined()
    }
    #expect(try refusal("<a\(attributes(4096))/>") == nil)
    #expect(try refusal("<a\(attributes(4097))/>") == .overBudget(.attributes(4096)))
    #expect(try refusal("<a\(attributes(400_000))/>") == .overBudget(.attributes(4096)))
    #expect(
      try refusal("<a" + (0..<5000).map { " xmlns:a\($0)='u'" }.joined() + "/>")
        == .overBudget(.attributes(4096)))
    let entity = attributes(100_000).replacing("''", with: "\"\"")
    #expect(
      try refusal("<!DOCTYPE a [<!ENTITY e '<b\(entity)/>'>]><a>&e;</a>") == .overBudget(.attributes(4096)))
    let defaults = (0..<50_000).map { " a\($0) CDATA ''" }.joined()
    #expect(try refusal("<!DOCTYPE a [<!ATTLIST a\(defaults)>]><a/>") == .overBudget(.attributes(4096)))
  }

  @Test func `As many namespace declarations are in scope in an XML document as the budget allows`() throws {
    func nested(_ levels: Int, declarations: Int, inside content: String) -> String {
      let tag = "<a" + (0..<declarations).map { " xmlns:n\($0)='u'" }.joined() + ">"
      let ends = String(repeating: "</a>", count: levels)
      return String(repeating: tag, count: levels) + content + ends
    }
    let children = String(repeating: "<b xmlns='u'/>", count: 1000)
    let isTooMany = FerryError.Reason.overBudget(.declarations(4096))
    for declarations in [64, 65, 2048] {
      let levels = 4096 / declarations
      let rest = 4096 - levels * declarations
      let last = nested(1, declarations: rest, inside: "")
      #expect(try refusal(nested(levels, declarations: declarations, inside: last + last)) == nil)
      let tooMany = nested(1, declarations: rest + 1, inside: "")
      #expect(try refusal(nested(levels, declarations: declarations, inside: tooMany)) == isTooMany)
      #expect(try refusal(nested(levels - 1, declarations: declarations, inside: children)) == nil)
    }
    // Without the limit, each of the elements would be compared with 100,000 declarations.
    let elements = String(repeating: "<e/>", count: 400_000)
    #expect(try refusal(nested(25, declarations: 4000, inside: elements)) == isTooMany)
    var budget = Budget()
    budget.attributes = 5
    #expect(
      try refusal(nested(2, declarations: 3, inside: ""), budget: budget) == .overBudget(.declarations(5)))
    #expect(try refusal("<a>\(children)</a>", budget: budget) == nil)
    let defaults = ["a", "b"].map { "<!ATTLIST \($0) xmlns:p CDATA '\($0)' xmlns:q CDATA '\($0)'>" }.joined()
    let doctype = "<!DOCTYPE a [\(defaults)]>"
    #expect(try refusal(doctype + "<a><b/><b/></a>", budget: budget) == nil)
    #expect(try refusal(doctype + "<a><b><a/></b></a>", budget: budget) == .overBudget(.declarations(5)))
  }

  @Test(arguments: ["", "<!DOCTYPE rs>", "<?x?>", "<!--c-->"])
  func `The names of elements that an XPath skips count, whichever parser reads them`(_ prolog: String) {
    let skipped = (0..<60).map { "<n\($0) a\($0)='1'/>" }.joined()
    let text = "\(prolog)<rs><?y?><r>1</r><x>\(skipped)</x><r>2</r></rs>"
    var conversion = Conversion(to: .jsonLines)
    (conversion.reading.select, conversion.reading.budget.names) = ("/rs/r", 40)
    let error = #expect(throws: FerryError.self) { try conversion.convert(Array(text.utf8), named: "a.xml") }
    #expect(error?.reason == .overBudget(.names(40)))
    conversion.reading.budget.names = 200
    #expect(throws: Never.self) { try conversion.convert(Array(text.utf8), named: "a.xml") }
  }

  @Test func `An XML document has as many names as the budget allows`() throws {
    var budget = Budget()
    budget.names = 1000
    let names = (0..<1001).map { "<n\($0)/>" }.joined()
    #expect(try refusal("<a>\(names)</a>", budget: budget) == .overBudget(.names(1000)))
    let attributes = (0..<1001).map { "<a n\($0)=''/>" }.joined()
    #expect(try refusal("<a>\(attributes)</a>", budget: budget) == .overBudget(.names(1000)))
    let long = String(repeating: "n", count: 300_000)
    #expect(try refusal("<\(long)/>", budget: budget) == .overBudget(.names(1000)))
  }

  @Test func `Long tokens of XML take a time in proportion`() throws {
    let long = String(repeating: "x", count: 11 << 20)
    #expect(try refusal("<a b='\(long)'/>") == nil)
    let rather = long.prefix(1 << 20)
    #expect(try refusal("<a><![CDATA[\(rather)]]></a>") == nil)
    #expect(try refusal("<a><!--\(rather)--></a>") == nil)
    #expect(try refusal("<a><?p \(rather)?></a>") == nil)
    #expect(try refusal("<a>\(rather)</a>") == nil)
    #expect(try refusal("<!--\(rather)--><a/><!--\(rather)-->") == nil)
    var budget = Budget()
    budget.tokenBytes = 1 << 20
    for text in ["<a b='\(long)'/>", "<a><!--\(long)--></a>", "<!--\(long)--><a/>"] {
      #expect(try refusal(text, budget: budget) == .overBudget(.tokenBytes(1 << 20)))
    }
    let failure = #expect(throws: FerryError.self) {
      try streamCalls(Array("<a>\(long)</a>".utf8), budget: budget)
    }
    #expect(failure?.reason == .overBudget(.tokenBytes(1 << 20)))
  }

  @Test func `No file is read for an XML document`() throws {
    let folder = FilePath(#filePath).removingLastComponent().removingLastComponent()
      .removingLastComponent().appending(
        "Fixtures/xml/canary.xml")
    let file = try FileDescriptor.open(folder, .readOnly)
    try file.close()
    let path = "file://\(folder)"
    for text in [
      "<!DOCTYPE a [<!ENTITY e SYSTEM '\(path)'>]><a>&e;</a>",
      "<!DOCTYPE a [<!ENTITY e SYSTEM '\(path)'>]><a b='&e;'/>",
      "<!DOCTYPE a [<!ENTITY e SYSTEM '\(folder)'>]><a>&e;</a>",
      "<!DOCTYPE a [<!ENTITY % p SYSTEM '\(path)'><!ENTITY e '%p;'>]><a>&e;</a>",
    ] {
      #expect(try refusal(text) != nil)
    }
    for text in [
      "<!DOCTYPE a SYSTEM '\(path)'><a/>",
      "<!DOCTYPE a [<!ENTITY % p SYSTEM '\(path)'>%p;]><a/>",
      "<a xmlns:x='http://www.w3.org/2001/XInclude'><x:include href='\(path)'/></a>",
      "<?xml-stylesheet href='\(path)'?><a xmlns:s='http://www.w3.org/2001/XMLSchema-instance' s:noNamespaceSchemaLocation='\(path)'/>",
    ] {
      let calls = try streamCalls(Array(text.utf8)) + treeCalls(Array(text.utf8))
      #expect(!calls.contains { $0.contains("sings") })
    }
  }

  @Test func `Several XML streams are read on several threads`() async throws {
    let bytes = Array(("<a>" + String(repeating: "<b c='d'>é</b>", count: 2000) + "</a>").utf8)
    let bad = Array("<a>\u{d8}<b></a>".utf16.flatMap { [UInt8($0 & 0xff), UInt8($0 >> 8)] })
    let expected = try streamCalls(bytes)
    try await withThrowingTaskGroup(of: Bool.self) { group in
      for index in 0..<16 {
        group.addTask { @concurrent in
          if index % 2 == 0 { return try streamCalls(bytes, chunk: 100 + index) == expected }
          return (try? streamCalls(bad, chunk: 3)) == nil
        }
      }
      for try await isEqual in group { #expect(isEqual) }
    }
  }
}
