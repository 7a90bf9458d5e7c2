import Foundation
import Testing

@testable import Ferry

private struct Page: Codable, Hashable {
  var title: String
  @XMLAttribute var id: Int
  @XMLAttribute var lang: String?
}

/// A page whose properties are not attributes.
private struct PlainPage: Codable {
  var title: String
  var id: Int
  var lang: String?
}

private struct Marked: Codable, Equatable {
  @XMLAttribute var pageNumber: Int
  var text: String

  enum CodingKeys: String, CodingKey {
    case pageNumber
    case text = ""
  }
}

private struct Tagged: Codable, Equatable {
  @XMLAttribute var tags: [Int]
}

private struct Named: Codable, Equatable {
  @XMLAttribute var id: Int?

  enum CodingKeys: String, CodingKey { case id = "{urn:a}id" }
}

private struct Key: CodingKey {
  let stringValue: String
  let intValue: Int? = nil

  init(_ name: String) { stringValue = name }
  init(stringValue: String) { self.init(stringValue) }
  init?(intValue: Int) { nil }
}

/// The keys that a page has, by the answers of its container.
private struct PageKeys: Decodable, Equatable {
  let contained: Set<String>
  let listed: Set<String>

  enum CodingKeys: String, CodingKey, CaseIterable { case id, lang, title }

  init(_ keys: Set<String>) { (contained, listed) = (keys, keys) }

  init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: CodingKeys.self)
    contained = Set(CodingKeys.allCases.filter { container.contains($0) }.map(\.rawValue))
    listed = Set(container.allKeys.map(\.rawValue))
  }
}

/// All keys of a page in order, and the value for one that an attribute and a child have.
private struct ListedKeys: Decodable {
  let names: [String]
  let id: String

  enum CodingKeys: String, CodingKey { case id, title }

  init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: CodingKeys.self)
    names = container.allKeys.map(\.rawValue)
    id = try container.decode(String.self, forKey: .id)
  }
}

@Suite struct `Properties that are attributes in XML` {
  private static let pages = [
    Page(title: "a", id: 1, lang: "en"), Page(title: "b", id: 2), Page(title: "", id: 3, lang: ""),
  ]
  private static let plain = pages.map { PlainPage(title: $0.title, id: $0.id, lang: $0.lang) }

  private func text(_ bytes: [UInt8]) -> String { String(decoding: bytes, as: UTF8.self) }

  @Test func `An attribute in a namespace is found with any prefix`() throws {
    let xml = #"<list xmlns:p="urn:a" xmlns:q="urn:b"><e p:id="1" q:id="2"/></list>"#
    #expect(try FerryDecoder().decode([Named].self, from: Array(xml.utf8)) == [Named(id: 1)])
  }

  @Test func `The key of an attribute and a child of one name is listed once, and means the child`() throws {
    let xml = #"<page id="1"><id>2</id><title>x</title></page>"#
    let keys = try FerryDecoder().decode(ListedKeys.self, from: Array(xml.utf8))
    #expect(keys.names == ["id", "title"])
    #expect(keys.id == "2")
  }

  @Test func `They are written before elements, in the order of the properties`() throws {
    let bytes = try FerryEncoder(to: .xml).encode(["page": Self.pages])
    let expected = """
      <root>
        <page id="1" lang="en">
          <title>a</title>
        </page>
        <page id="2">
          <title>b</title>
        </page>
        <page id="3" lang="">
          <title></title>
        </page>
      </root>

      """
    #expect(text(bytes).replacing("<title/>", with: "<title></title>").hasSuffix(expected), "\(text(bytes))")
    #expect(try FerryDecoder().decode([Page].self, from: bytes) == Self.pages)
    let records = Records(of: Page.self, from: .bytes(bytes))
    #expect(try records.results.map { try $0.get() } == Self.pages)
    var decoder = FerryDecoder()
    decoder.reading.xml.order = .always
    #expect(try decoder.decode([Page].self, from: bytes) == Self.pages)
  }

  @Test(arguments: [Format.json, .jsonLines, .yaml, .csv, .xmlPropertyList, .binaryPropertyList])
  func `They are values for their keys in other formats`(_ format: Format) throws {
    let encoder = FerryEncoder(to: format)
    let pages = format == .csv ? Array(Self.pages.prefix(2)) : Self.pages
    let bytes = try encoder.encode(pages)
    #expect(try bytes == encoder.encode(Array(Self.plain.prefix(pages.count))))
    var decoder = FerryDecoder()
    decoder.reading.format = format
    #expect(try decoder.decode([Page].self, from: bytes) == pages)
  }

  @Test func `They are values for their keys in archives, in memory and with Foundation's coders`() throws {
    let archive = try FerryEncoder(to: .archive).encode(Self.pages)
    #expect(try FerryDecoder().decode([Page].self, from: archive) == Self.pages)
    #expect(try FerryDecoder().decode([PlainPage].self, from: archive).map(\.id) == [1, 2, 3])
    let value = try FerryEncoder(to: .xml).value(of: Self.pages[0])
    #expect(value == ["title": "a", "id": 1, "lang": "en"])
    #expect(try FerryDecoder().decode(Page.self, from: value) == Self.pages[0])
    let json = try JSONEncoder().encode(Self.pages)
    #expect(try JSONDecoder().decode([Page].self, from: json) == Self.pages)
  }

  @Test func `They are decoded from XML with types`() throws {
    var encoder = FerryEncoder(to: .xml)
    encoder.writing.xml.types = .attributes
    let bytes = try encoder.encode(Self.pages)
    #expect(try FerryDecoder().decode([Page].self, from: bytes) == Self.pages)
  }

  @Test func `A type that asks for its keys finds attributes`() throws {
    let xml = "<pages><page id='1'><title>a</title></page><page lang='en'/><page><id>2</id></page></pages>"
    let expected = [PageKeys(["id", "title"]), PageKeys(["lang"]), PageKeys(["id"])]
    #expect(try FerryDecoder().decode([PageKeys].self, from: xml) == expected)
    var decoder = FerryDecoder()
    decoder.reading.xml.order = .always
    #expect(try decoder.decode([PageKeys].self, from: xml) == expected)
  }

  @Test(arguments: [
    Format.xml, .json, .jsonLines, .yaml, .csv, .xmlPropertyList, .binaryPropertyList, .archive,
  ])
  func `A type that asks for its keys finds the same in all formats`(_ format: Format) throws {
    let bytes = try FerryEncoder(to: format).encode(Array(Self.pages.prefix(2)))
    var decoder = FerryDecoder()
    decoder.reading.format = format == .archive ? nil : format
    let keys = try decoder.decode([PageKeys].self, from: bytes)
    #expect(keys.count == 2)
    #expect(keys.allSatisfy { $0.contained.isSuperset(of: ["id", "title"]) && $0.listed == $0.contained })
  }

  @Test func `A container does not have a key for an empty cell`() throws {
    var decoder = FerryDecoder()
    decoder.reading.format = .csv
    let keys = try decoder.decode([PageKeys].self, from: "id,lang,title\n1,,a\n,en,\"\"\n")
    #expect(keys == [PageKeys(["id", "title"]), PageKeys(["lang", "title"])])
  }

  @Test func `An element with the name of an attribute is not read`() throws {
    let page = "<page id='1'><id>2</id><lang>en</lang><title>a</title></page>"
    #expect(try FerryDecoder().decode(Page.self, from: page) == Page(title: "a", id: 1))
    let pages = "<pages><page id='1'><title>a</title></page>\n<page><id>2</id><title>b</title></page></pages>"
    let error = #expect(throws: DecodingError.self) { try FerryDecoder().decode([Page].self, from: pages) }
    let context = try #require(error?.context)
    #expect(ValuePath(context.codingPath).description == "[1]")
    #expect(context.debugDescription.contains("has no key \"@id\""), "\(context.debugDescription)")
    #expect((context.underlyingError as? FerryError)?.location.line == 2)
  }

  @Test func `A wrong value has the path and the line of its attribute`() throws {
    let pages = "<pages><page id='1'><title>a</title></page>\n<page id='x'><title>b</title></page></pages>"
    let error = #expect(throws: DecodingError.self) { try FerryDecoder().decode([Page].self, from: pages) }
    let context = try #require(error?.context)
    #expect(ValuePath(context.codingPath).description == "[1].id")
    #expect((context.underlyingError as? FerryError)?.location.line == 2)
  }

  @Test func `An attribute stands beside the text of an element`() throws {
    let marked = Marked(pageNumber: 7, text: "a")
    let bytes = try FerryEncoder(to: .xml).encode(marked)
    #expect(text(bytes).hasSuffix("<root pageNumber=\"7\">a</root>\n"), "\(text(bytes))")
    #expect(try FerryDecoder().decode(Marked.self, from: bytes) == marked)
  }

  @Test func `Strategies convert the names of attributes`() throws {
    let marked = Marked(pageNumber: 7, text: "a")
    let upper = FerryDecoder.KeyStrategy.custom { Key($0.last?.stringValue.uppercased() ?? "") }
    let back = FerryDecoder.KeyStrategy.custom { path in
      Key(path.last?.stringValue == "PAGENUMBER" ? "pageNumber" : "")
    }
    for (name, keys, read) in [
      ("page_number", .snakeCase, .snakeCase), ("page-number", .kebabCase, .kebabCase),
      ("PAGENUMBER", upper, back),
    ] as [(String, FerryDecoder.KeyStrategy, FerryDecoder.KeyStrategy)] {
      var (encoder, decoder) = (FerryEncoder(to: .xml), FerryDecoder())
      (encoder.keys, decoder.keys) = (keys, read)
      let bytes = try encoder.encode(marked)
      #expect(text(bytes).hasSuffix("<root \(name)=\"7\">a</root>\n"), "\(text(bytes))")
      #expect(try decoder.decode(Marked.self, from: bytes) == marked)
    }
  }

  @Test func `A list is not an attribute`() throws {
    let tagged = Tagged(tags: [1, 2])
    let error = #expect(throws: EncodingError.self) { try FerryEncoder(to: .xml).encode(tagged) }
    #expect("\(error as Any)".contains("an attribute has no list and no dictionary"))
    let json = try FerryEncoder(to: .json).encode(tagged)
    #expect(text(json) == "{\"tags\":[1,2]}\n")
    #expect(try FerryDecoder().decode(Tagged.self, from: json) == tagged)
  }

  @Test func `They are described and hashed as their values`() {
    let same = Page(title: "b", id: 2, lang: nil)
    #expect("\(XMLAttribute(wrappedValue: 7))" == "7")
    #expect(Set(Self.pages + [same]).count == 3)
  }
}
