import Testing

@testable import Ferry

private struct Feed: Codable, Equatable {
  var title: String
  var note: String?
  var entries: [Entry]

  enum CodingKeys: String, CodingKey {
    case title = "{urn:a}title"
    case note = "{urn:b}note"
    case entries = "{urn:a}entry"
  }

  struct Entry: Codable, Equatable {
    var id: Int
    var label: String?

    enum CodingKeys: String, CodingKey {
      case id
      case label = "{urn:a}label"
    }
  }
}

@Suite struct `Coding keys with namespaces` {
  private static let feeds = [
    Feed(
      title: "t", note: "n",
      entries: [Feed.Entry(id: 1, label: "x"), Feed.Entry(id: 2, label: nil)]),
    Feed(title: "", note: nil, entries: [Feed.Entry(id: 1, label: "x")]),
    Feed(title: "t", note: "n", entries: []),
  ]

  @Test(arguments: feeds.indices, [nil, "feed", "{urn:a}feed"])
  func `Elements in namespaces are decoded as they were encoded`(_ index: Int, _ root: String?) throws {
    let feed = Self.feeds[index]
    var encoder = FerryEncoder(to: .xml)
    encoder.writing.rootElement = root
    let bytes = try encoder.encode(feed)
    #expect(try FerryDecoder().decode(Feed.self, from: bytes) == feed)
    var decoder = FerryDecoder()
    decoder.reading.xml.order = .always
    #expect(try decoder.decode(Feed.self, from: bytes) == feed)
    decoder.reading.xml.namespaces = .expanded
    #expect(try decoder.decode(Feed.self, from: bytes) == feed)
  }

  @Test func `Elements are found by their namespace with any prefix`() throws {
    let xml = """
      <x:feed xmlns:x="urn:a" xmlns="urn:b"><note>n</note><x:title>t</x:title>\
      <x:entry id="1"><label xmlns="urn:a">l</label></x:entry><x:entry id="2"/></x:feed>
      """
    let entries = [Feed.Entry(id: 1, label: "l"), Feed.Entry(id: 2, label: nil)]
    #expect(
      try FerryDecoder().decode(Feed.self, from: xml)
        == Feed(title: "t", note: "n", entries: entries))
    #expect(
      try FerryDecoder().decode(Feed.Entry.self, from: xml, at: "[\"x:entry\"][0]") == entries[0])
    #expect(throws: DecodingError.self) {
      try FerryDecoder().decode(Feed.self, from: "<feed xmlns=\"urn:c\"><title>t</title></feed>")
    }
  }

  @Test func `Expanded names are the keys of dictionaries`() throws {
    let value = ["k": ["{urn:a}b": "x", "{urn:b}b": "", "c": "y"]]
    let bytes = try FerryEncoder(to: .xml).encode(value)
    var decoder = FerryDecoder()
    decoder.reading.xml.namespaces = .expanded
    #expect(try decoder.decode([String: [String: String]].self, from: bytes) == value)
  }

  private static let mixed = """
    <f xmlns:a="urn:u" xmlns:b="urn:u"><a:e>1</a:e><b:e>2</b:e><e xmlns="urn:u">3</e><a:e>4</a:e>\
    <a:e xmlns:a="urn:v">5</a:e></f>
    """

  private struct Numbers: Codable, Equatable {
    var e: [Int]
    enum CodingKeys: String, CodingKey { case e = "{urn:u}e" }
  }

  @Test func `Elements of one namespace are found in their order if they have different prefixes`() throws {
    var decoder = FerryDecoder()
    for order in [XMLOrder.needed, .always] {
      decoder.reading.xml.order = order
      #expect(try decoder.decode(Numbers.self, from: Self.mixed) == Numbers(e: [1, 2, 3, 4]))
    }
    decoder.reading.xml.namespaces = .expanded
    #expect(try decoder.decode(Numbers.self, from: Self.mixed) == Numbers(e: [1, 2, 3, 4]))
    let single = "<f xmlns:a='urn:u' xmlns:b='urn:u'><a:e>1</a:e><b:e>2</b:e></f>"
    #expect(try FerryDecoder().decode(Numbers.self, from: single) == Numbers(e: [1, 2]))
    let other = "<f xmlns:a='urn:u'><a:e>1</a:e><a:e xmlns:a='urn:v'>2</a:e><a:e>3</a:e></f>"
    #expect(try FerryDecoder().decode(Numbers.self, from: other) == Numbers(e: [1, 3]))
  }

  private func reason(_ body: () throws -> Void) -> FerryError.Reason? {
    let error = #expect(throws: DecodingError.self) { try body() }
    return (error?.context?.underlyingError as? FerryError)?.reason
  }

  @Test func `Elements of one namespace whose order was not read are refused`() {
    #expect(
      reason { _ = try FerryDecoder().decode(Numbers.self, from: Self.mixed) } == .coding(.unknownOrder))
  }

  @Test func `Attributes are found by their namespace with any prefix`() throws {
    struct Element: Codable, Equatable {
      var id: Int
      var lang: String?
      enum CodingKeys: String, CodingKey {
        case id = "@{urn:u}id"
        case lang = "@{http://www.w3.org/XML/1998/namespace}lang"
      }
    }
    let xml = "<e id='1' b:id='2' a:id='3' xml:lang='en' xmlns:a='urn:u' xmlns:b='urn:b'/>"
    #expect(try FerryDecoder().decode(Element.self, from: xml) == Element(id: 3, lang: "en"))
    let written = try FerryEncoder(to: .xml).encode(Element(id: 3, lang: nil))
    #expect(try FerryDecoder().decode(Element.self, from: written) == Element(id: 3, lang: nil))
  }

  @Test func `A namespace that is declared outside of the decoded value is looked up, or refused`() throws {
    let xml = "<x:feed xmlns:x='urn:a' xmlns='urn:b'><x:entry id='1'><x:label>l</x:label></x:entry></x:feed>"
    let file = try EditableFile(Array(xml.utf8), named: "a.xml")
    let entry = Feed.Entry(id: 1, label: "l")
    #expect(try file.decode(Feed.Entry.self, at: ValuePath([.key("x:feed"), .key("x:entry")])) == entry)
    var decoder = FerryDecoder()
    decoder.reading.select = "/*/*"
    #expect(
      reason { _ = try decoder.decode([Feed.Entry].self, from: xml) }
        == .coding(.unknownNamespace("x:label")))
    decoder.reading.xml.namespaces = .expanded
    #expect(try decoder.decode([Feed.Entry].self, from: xml) == [entry])
    decoder = FerryDecoder()
    decoder.reading.xml.namespaces = .stripped
    let numbers = "<f xmlns='urn:u'><e>1</e></f>"
    #expect(reason { _ = try decoder.decode(Numbers.self, from: numbers) } == .coding(.unknownNamespace("e")))
  }

  @Test func `Records whose namespaces are declared around them are refused`() throws {
    let xml = "<f xmlns='urn:a'><entry id='1'><label>l</label></entry><entry id='2'/></f>"
    var settings = RecordSettings()
    settings.reading.select = "/*/*"
    let refused = Records(of: Feed.Entry.self, from: .bytes(xml.utf8), settings)
    #expect(reason { _ = try refused.makeCursor().next() } == .coding(.unknownNamespace("label")))
    settings.reading.xml.namespaces = .expanded
    let records = Records(of: Feed.Entry.self, from: .bytes(xml.utf8), settings)
    #expect(try records.makeCursor().next() == Feed.Entry(id: 1, label: "l"))
  }

  @Test func `Cases of an enum are names in namespaces`() throws {
    enum Shape: Decodable, Equatable {
      case size(value: Int)
      enum CodingKeys: String, CodingKey { case size = "{urn:u}size" }
      enum SizeCodingKeys: String, CodingKey { case value = "" }
    }
    let xml = "<s xmlns:p='urn:u'><p:size>3</p:size></s>"
    #expect(try FerryDecoder().decode(Shape.self, from: xml) == .size(value: 3))
  }

  @Test func `A strategy for keys leaves namespaces as they are`() throws {
    struct Person: Codable, Equatable {
      var firstName: String
      enum CodingKeys: String, CodingKey { case firstName = "{urn:myNames}firstName" }
    }
    var encoder = FerryEncoder(to: .xml)
    encoder.keys = .snakeCase
    let bytes = try encoder.encode(Person(firstName: "Ada"))
    #expect(String(decoding: bytes, as: UTF8.self).contains("urn:myNames"))
    #expect(String(decoding: bytes, as: UTF8.self).contains("first_name"))
    var decoder = FerryDecoder()
    decoder.keys = .snakeCase
    #expect(try decoder.decode(Person.self, from: bytes) == Person(firstName: "Ada"))
  }

  @Test func `A key in a namespace comes back from XML with types, also with expanded names`() throws {
    struct Person: Codable, Equatable {
      var name: String
      enum CodingKeys: String, CodingKey { case name = "{urn:a}name" }
    }
    var encoder = FerryEncoder(to: .xml)
    encoder.writing.xml.types = .attributes
    let bytes = try encoder.encode(Person(name: "Ada"))
    var decoder = FerryDecoder()
    decoder.reading.xml.types = .attributes
    for style in [XMLNamespaceStyle.kept, .expanded] {
      decoder.reading.xml.namespaces = style
      #expect(try decoder.decode(Person.self, from: bytes) == Person(name: "Ada"))
    }
  }
}
