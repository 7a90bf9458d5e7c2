import Foundation
import Testing

@testable import Ferry

private struct Paragraph: Codable, Equatable {
  var content: [Value]
  enum CodingKeys: String, CodingKey { case content = "#content" }
}

private enum Step: Decodable, Equatable, ElementChoice {
  case mix(text: String)
  case bake(minutes: Int)

  enum MixCodingKeys: String, CodingKey { case text = "" }
  enum BakeCodingKeys: String, CodingKey { case minutes = "" }
}

private struct Recipe: Decodable, Equatable {
  var name: String
  var steps: [Step]
  enum CodingKeys: String, CodingKey {
    case name
    case steps = "#content"
  }
}

/// A recipe whose steps have the empty key, as those of XMLCoder.
private struct UnnamedRecipe: Decodable, Equatable {
  var name: String
  var steps: [Step]?
  enum CodingKeys: String, CodingKey {
    case name
    case steps = ""
  }
}

@Suite struct `Contents of elements under one key` {
  private func decode<T: Decodable>(_ type: T.Type, _ xml: String, _ order: XMLOrder) throws -> T {
    var decoder = FerryDecoder()
    decoder.reading.xml.order = order
    return try decoder.decode(type, from: xml)
  }

  private static let orders = [XMLOrder.never, .needed, .always]

  @Test(arguments: orders) func `Contents whose order is known by their names are decoded`(_ order: XMLOrder)
    throws
  {
    var cases: [(String, [Value])] = [
      ("<p><b>c</b><i>d</i></p>", [["b": "c"], ["i": "d"]]),
      ("<p id='1'><b>c</b></p>", [["b": "c"]]), ("<p>text</p>", ["text"]), ("<p id='1'>text</p>", ["text"]),
      ("<p/>", []), ("<p id='1'/>", []),
    ]
    // Without their order, these could also be b, i and b.
    if order != .never {
      cases.append(("<p><b>c</b><b>d</b><i/></p>", [["b": "c"], ["b": "d"], ["i": ""]]))
    }
    for (xml, contents) in cases {
      #expect(try decode(Paragraph.self, xml, order) == Paragraph(content: contents), "\(xml)")
      let page = try decode([String: Paragraph].self, "<page>\(xml)</page>", order)
      #expect(page == ["p": Paragraph(content: contents)], "\(xml)")
    }
  }

  @Test(arguments: ["<p>a <b>c</b> d</p>", "<p><b>c</b><i>d</i><b>e</b></p>"])
  func `Contents whose order is not known are an error, and are decoded in their order if it was read`(
    _ xml: String
  ) throws {
    let error = #expect(throws: DecodingError.self) { try decode(Paragraph.self, xml, .never) }
    let cause = try #require(error?.context?.underlyingError as? FerryError)
    #expect(cause.reason == .coding(.unknownOrder))
    #expect(cause.location.line == 1)
    #expect(error?.context.map { ValuePath($0.codingPath) } == ValuePath([.key("#content")]))
    let mixed: [Value] = ["a ", ["b": "c"], " d"]
    let contents = xml.contains("a ") ? mixed : [["b": "c"], ["i": "d"], ["b": "e"]]
    for order in [XMLOrder.needed, .always] {
      #expect(try decode(Paragraph.self, xml, order) == Paragraph(content: contents))
    }
  }

  @Test func `Each paragraph has its contents, whether or not another one has text beside elements`() throws {
    let plain = "<page><p><b>c</b><i>d</i></p><p><b>e</b></p></page>"
    let mixed = plain.replacing("<p><b>e</b>", with: "<p>a <b>e</b>")
    struct Page: Decodable { var p: [Paragraph] }
    for order in [XMLOrder.needed, .always] {
      let found = try decode(Page.self, plain, order).p.map(\.content)
      #expect(found == [[["b": "c"], ["i": "d"]], [["b": "e"]]])
      let foundInMixed = try decode(Page.self, mixed, order).p.map(\.content)
      #expect(foundInMixed == [[["b": "c"], ["i": "d"]], ["a ", ["b": "e"]]])
    }
  }

  @Test(arguments: orders)
  func `A list of elements of several names stands beside attributes`(_ order: XMLOrder) throws {
    let once = "<r name='n'><mix>f</mix><bake>2</bake></r>"
    let steps = [Step.mix(text: "f"), .bake(minutes: 2)]
    #expect(try decode(Recipe.self, once, order) == Recipe(name: "n", steps: steps))
    #expect(try decode(UnnamedRecipe.self, once, order) == UnnamedRecipe(name: "n", steps: steps))
    #expect(try decode(Recipe.self, "<r name='n'/>", order) == Recipe(name: "n", steps: []))
    let again = once.replacing("</r>", with: "<mix>s</mix></r>")
    guard order != .never else {
      let error = #expect(throws: DecodingError.self) { try decode(Recipe.self, again, order) }
      #expect((error?.context?.underlyingError as? FerryError)?.reason == .coding(.unknownOrder))
      #expect(throws: DecodingError.self) { try decode(UnnamedRecipe.self, again, order) }
      return
    }
    #expect(try decode(Recipe.self, again, order) == Recipe(name: "n", steps: steps + [.mix(text: "s")]))
    #expect(
      try decode(UnnamedRecipe.self, again, order)
        == UnnamedRecipe(name: "n", steps: steps + [.mix(text: "s")]))
  }

  @Test(arguments: orders) func `A list as the whole is that of the child elements`(_ order: XMLOrder) throws
  {
    #expect(try decode([String].self, "<r><a>x</a><a>y</a></r>", order) == ["x", "y"])
    #expect(try decode([String].self, "<r>text <a>x</a> and <a>y</a></r>", order) == ["x", "y"])
    #expect(throws: DecodingError.self) { try decode([String].self, "<r><a/><b/><a/></r>", order) }
  }

  @Test func `Contents in an optional are not nil if their order is not known`() throws {
    struct Note: Codable {
      var content: [Value]?
      enum CodingKeys: String, CodingKey { case content = "#content" }
    }
    #expect(throws: DecodingError.self) { try decode(Note.self, "<p>a <b>c</b></p>", .never) }
    #expect(try decode(Note.self, "<p><b>c</b></p>", .never).content == [["b": "c"]])
    let bytes = try FerryEncoder(to: .xml).encode(Note(content: nil))
    #expect(try FerryDecoder().decode(Note.self, from: bytes).content == nil)
    #expect(throws: EncodingError.self) { try FerryEncoder(to: .xml).encode(Note(content: [])) }
  }

  @Test func `Encoded contents are decoded as the same contents, or are an error`() throws {
    let contents: [[Value]] = [
      [["b": "x"]], [["b": "x"], ["i": "y"]], [["b": "x"], ["b": "y"]], ["text"], [], [["b": ["@id": "1"]]],
    ]
    for content in contents {
      let bytes = try FerryEncoder(to: .xml).encode(Paragraph(content: content))
      #expect(try FerryDecoder().decode(Paragraph.self, from: bytes).content == content)
    }
    let bytes = try FerryEncoder(to: .xml).encode(Paragraph(content: ["a ", ["b": "x"]]))
    #expect(throws: DecodingError.self) { try FerryDecoder().decode(Paragraph.self, from: bytes) }
    var decoder = FerryDecoder()
    decoder.reading.xml.order = .needed
    #expect(try decoder.decode(Paragraph.self, from: bytes).content == ["a ", ["b": "x"]])
  }
}
