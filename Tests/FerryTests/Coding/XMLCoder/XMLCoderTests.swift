import Foundation
import Testing

@testable import Ferry

@Suite struct `Documents of XMLCoder's users` {
  @Test(arguments: XMLCoderSample.all)
  func `A document of XMLCoder's README and tests is decoded as the same value`(_ sample: XMLCoderSample)
    throws
  {
    #expect(try sample.difference() == nil)
  }

  private func decode<T: Decodable>(
    _ type: T.Type, _ xml: String, _ order: XMLOrder = .never
  ) throws -> T {
    var decoder = FerryDecoder()
    decoder.reading.xml.order = order
    return try decoder.decode(type, from: xml.utf8)
  }

  @Test func `A document that is not well-formed is refused`() {
    let error = #expect(throws: DecodingError.self) {
      try decode([String: String].self, "<note>\n  <to>Tove</to>\n  <from>Jani</Ffrom>\n</note>")
    }
    #expect((error?.context?.underlyingError as? FerryError)?.location.line == 3)
  }

  private struct Pair: Decodable, Equatable {
    var field1: String
    var field2: String
  }

  @Test(arguments: ["<nested><field1>value_1</field1></nested>", "<nested field1=\"value_1\"/>"])
  func `A missing attribute or element is an error`(_ nested: String) {
    let error = #expect(throws: DecodingError.self) {
      try decode([String: Pair].self, "<Root>\(nested)</Root>")
    }
    guard case .keyNotFound(let key, _)? = error else {
      Issue.record("\(error as Any)")
      return
    }
    #expect(key.stringValue == "field2")
  }

  private enum Part: Codable, Equatable, ElementChoice {
    case number(value: Int)
    case word(value: String)

    enum NumberCodingKeys: String, CodingKey { case value = "" }
    enum WordCodingKeys: String, CodingKey { case value = "" }
  }

  private enum Shape: Decodable, ElementChoice {
    case box(content: Box)

    enum BoxCodingKeys: String, CodingKey { case content = "" }
    struct Box: Decodable { var width: Int }
  }

  private struct Holder: Decodable, Equatable {
    var name: String?
    var parts: [Part]
  }

  private struct Contents: Codable, Equatable {
    var contents: [Part]
    var number: [Int]
    enum CodingKeys: String, CodingKey {
      case contents = "#content"
      case number
    }
  }

  private let mixed = "<p><number>1</number><word>two</word><number>3</number></p>"

  @Test func `Elements of several names are refused if their order was not read`() throws {
    let error = #expect(throws: DecodingError.self) { try decode([Part].self, mixed) }
    #expect((error?.context?.underlyingError as? FerryError)?.reason == .coding(.unknownOrder))
    // The order of elements that occur once, and of those of one name, is always known.
    #expect(
      try decode([Part].self, "<p><word>a</word><number>1</number></p>")
        == [.word(value: "a"), .number(value: 1)])
    #expect(
      try decode([Part].self, "<p><number>1</number><number>2</number></p>")
        == [.number(value: 1), .number(value: 2)])
    #expect(try decode([Part].self, "<p/>") == [])
  }

  @Test func `A mistake in the content of a case is the error, and not the missing text`() {
    let error = #expect(throws: DecodingError.self) {
      try decode([Shape].self, "<p><box><width>1</width></box><box><width>x</width></box></p>")
    }
    #expect(error?.context.map { ValuePath($0.codingPath).description } == "[1].box.width")
    guard case .coding(.unreadable)? = (error?.context?.underlyingError as? FerryError)?.reason else {
      Issue.record("\(error as Any)")
      return
    }
  }

  @Test
  func
    `A property is decoded from the children of its element, and an element that is missing is an empty list`()
    throws
  {
    #expect(
      try decode(Holder.self, "<h><name>n</name><parts><word>a</word></parts></h>")
        == Holder(name: "n", parts: [.word(value: "a")]))
    #expect(try decode(Holder.self, "<h><name>n</name></h>") == Holder(name: "n", parts: []))
    #expect(
      try decode(Holder.self, "<h><parts><word>a</word></parts><parts><number>1</number></parts></h>")
        == Holder(name: nil, parts: [.word(value: "a"), .number(value: 1)]))
  }

  @Test func `Elements in their order are also decoded by their names`() throws {
    let lists = ["number": ["1", "3"], "word": ["two"]]
    for order in [XMLOrder.never, .needed, .always] {
      #expect(try decode([String: [String]].self, mixed, order) == lists, "\(order)")
    }
    #expect(
      try decode(Contents.self, mixed, .needed)
        == Contents(contents: [.number(value: 1), .word(value: "two"), .number(value: 3)], number: [1, 3]))
  }

  @Test(arguments: [XMLOrder.never, .needed, .always])
  func `Text beside child elements is not a scalar of its own, and has the key #text`(_ order: XMLOrder)
    throws
  {
    let text = "<p>one <b>two</b> three</p>"
    #expect(throws: DecodingError.self) { try decode(String.self, text, order) }
    #expect(throws: DecodingError.self) { try decode(Int.self, "<p>1<b/></p>", order) }
    #expect(throws: DecodingError.self) { try decode([String: String].self, "<d>\(text)</d>", order) }
    #expect(try decode([String: String].self, text, order) == ["#text": "one  three", "b": "two"])
    #expect(try decode([String: String].self, "<d><p id='1'>a</p></d>", order) == ["p": "a"])
  }

  @Test(arguments: [XMLOrder.never, .needed, .always])
  func `An element with attributes and without text is an empty text, and no number`(_ order: XMLOrder) throws
  {
    for start in ["a id='1'", "a xml:lang='en'", "a xmlns='urn:u'"] {
      for xml in ["<r><\(start)/></r>", "<r><\(start)></a></r>"] {
        #expect(try decode([String: String].self, xml, order) == ["a": ""], "\(xml)")
        #expect(try decode([String: String?].self, xml, order) == ["a": ""], "\(xml)")
        #expect(try decode([String: Data].self, xml, order) == ["a": Data()], "\(xml)")
        #expect(throws: DecodingError.self, "\(xml)") { try decode([String: Int].self, xml, order) }
      }
    }
    let xml = "<r><a id='1'>x</a><a id='2'/><a/></r>"
    #expect(try decode([String: [String]].self, xml, order) == ["a": ["x", "", ""]])
    #expect(throws: DecodingError.self) {
      try decode([String: String].self, "<r><a id='1'><b/></a></r>", order)
    }
    #expect(try decode([String].self, "<r><a>x</a><a id='1'/><a/></r>", order) == ["x", "", ""])
  }

  @Test func `A dictionary is not text in JSON, also if its keys look like those of attributes`() {
    for json in [#"{"a":{"@id":"1"}}"#, #"{"a":{}}"#, #"{"a":{"@id":"1","@x":"2"}}"#] {
      #expect(throws: DecodingError.self) { try FerryDecoder().decode([String: String].self, from: json) }
    }
  }

  private struct Labeled: Codable, Equatable {
    var id: Int?
    var value: String
    enum CodingKeys: String, CodingKey {
      case id = "@id"
      case value = ""
    }
  }

  private struct Foo: Codable, Equatable {
    var id: Int
    var value: String
    enum CodingKeys: String, CodingKey {
      case id
      case value = ""
    }
  }

  private func encode(_ value: some Encodable) throws -> String {
    var encoder = FerryEncoder(to: .xml)
    encoder.writing.rootElement = "p"
    let text = String(decoding: try encoder.encode(value), as: UTF8.self)
    return text.split(separator: "\n").dropFirst().map { $0.trimmingCharacters(in: .whitespaces) }.joined()
  }

  @Test func `The empty key is encoded as the text of an element`() throws {
    struct Parts: Codable, Equatable {
      var parts: [Part]
      enum CodingKeys: String, CodingKey { case parts = "#content" }
    }
    let parts = Parts(parts: [.number(value: 1), .word(value: "two"), .word(value: ""), .number(value: 3)])
    let xml = try encode(parts)
    #expect(xml.hasPrefix("<p><number>1</number><word>two</word><word"), "\(xml)")
    #expect(try decode(Parts.self, xml, .needed) == parts)
    #expect(try encode(Labeled(id: 1, value: "a")) == "<p id=\"1\">a</p>")
    #expect(try !encode(Labeled(id: 1, value: "")).contains("text"))
    #expect(try encode(Labeled(id: nil, value: "a")) == "<p>a</p>")
    for label in [Labeled(id: 1, value: "a"), Labeled(id: 2, value: ""), Labeled(id: nil, value: "a")] {
      #expect(try decode(Labeled.self, encode(label)) == label)
    }
    // Beside elements, a text would not keep its place.
    let beside = Foo(id: 1, value: "a")
    #expect(try encode(beside) == "<p><id>1</id><_x_>a</_x_></p>")
    #expect(try decode(Foo.self, encode(beside)) == beside)
  }

  @Test func `Elements of several names in JSON are a list of dictionaries`() throws {
    let json = #"[{"number":{"":1}},{"word":{"":"two"}}]"#
    #expect(
      try FerryDecoder().decode([Part].self, from: json.utf8) == [.number(value: 1), .word(value: "two")])
  }

  @Test func `Keys are converted by each strategy, and back`() throws {
    struct Row: Codable, Equatable {
      var firstName: String
      var homeURL: String
    }
    let row = Row(firstName: "a", homeURL: "b")
    let strategies: [(FerryDecoder.KeyStrategy, String)] = [
      (.same, #"{"firstName":"a","homeURL":"b"}"#), (.snakeCase, #"{"first_name":"a","home_url":"b"}"#),
      (.kebabCase, #"{"first-name":"a","home-url":"b"}"#),
      (.capitalized, #"{"FirstName":"a","HomeURL":"b"}"#),
      (.uppercase, #"{"FIRSTNAME":"a","HOMEURL":"b"}"#),
    ]
    for (keys, json) in strategies {
      var encoder = FerryEncoder(to: .json)
      encoder.keys = keys
      #expect(String(decoding: try encoder.encode(row), as: UTF8.self) == json + "\n")
      var decoder = FerryDecoder()
      decoder.keys = keys
      #expect(try decoder.decode(Row.self, from: json.utf8) == row)
    }
  }
}

extension XMLCoderSample: CustomTestStringConvertible {
  var testDescription: String { name }
}
