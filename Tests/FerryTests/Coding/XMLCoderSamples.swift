// swift-format-ignore-file: NoLeadingUnderscores
import Ferry
import Foundation

// Documents and types from the README and the tests of XMLCoder 0.18.2 (https://github.com/CoreOffice/XMLCoder, MIT License), some of them
// shortened. The property wrappers and `DynamicNodeDecoding` are left out, because Ferry needs neither. The expected values are those that
// XMLCoder decodes, and that its own tests expect.

/// A document of XMLCoder's, and the value that XMLCoder decodes from it.
struct XMLCoderSample: Sendable {
  let name: String
  /// Decodes the document. Returns nil if the value is equal to XMLCoder's, and otherwise the value.
  let difference: @Sendable () throws -> String?

  init<T: Decodable & Equatable & Sendable>(
    _ name: String, _ xml: String, _ expected: T,
    _ set: @escaping @Sendable (inout FerryDecoder) -> Void = { _ in }
  ) {
    self.name = name
    difference = {
      var decoder = FerryDecoder()
      set(&decoder)
      let found = try decoder.decode(T.self, from: xml.utf8)
      return found == expected ? nil : "\(found)"
    }
  }

  static let all = readme + attributes + lists + text + names + endToEnd + choices
}

// MARK: - README

private struct Note: Codable, Equatable {
  var to: String
  var from: String
  var heading: String
  var body: String
}

private struct Table: Codable, Equatable {
  struct TR: Codable, Equatable { let td: [String] }
  let tr: [TR]
}

private struct CategorizedBook: Codable, Equatable {
  let id: UInt
  let title: String
  let categories: [String]
  enum CodingKeys: String, CodingKey {
    case id, title
    case categories = "category"
  }
}

private struct Foo: Codable, Equatable {
  let id: String
  let value: String
  enum CodingKeys: String, CodingKey {
    case id
    case value = ""
  }
}

private struct WrappedBook: Codable, Equatable {
  var id: Int
  var name: String
  var authorID: Int
}

extension XMLCoderSample {
  fileprivate static let readme: [XMLCoderSample] = [
    XMLCoderSample(
      "the first example of the README",
      """
      <note>
          <to>Bob</to>
          <from>Jane</from>
          <heading>Reminder</heading>
          <body>Don't forget to use XMLCoder!</body>
      </note>
      """,
      Note(to: "Bob", from: "Jane", heading: "Reminder", body: "Don't forget to use XMLCoder!")),
    XMLCoderSample(
      "names without prefixes", tableXML, Table(tr: [Table.TR(td: ["Apples", "Bananas"])])
    ) { $0.reading.xml.namespaces = .stripped },
    XMLCoderSample(
      "an attribute and an element of one name",
      """
      <book id="123">
          <id>123</id>
          <title>Cat in the Hat</title>
          <category>Kids</category>
          <category>Wildlife</category>
      </book>
      """, CategorizedBook(id: 123, title: "Cat in the Hat", categories: ["Kids", "Wildlife"])),
    XMLCoderSample(
      "text beside an attribute", "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<foo id=\"123\">456</foo>",
      Foo(id: "123", value: "456")),
    XMLCoderSample(
      "an element and an attribute",
      wrappedBook("<name>The Book</name><authorID>24</authorID>", " authorID=\"24\""),
      WrappedBook(id: 42, name: "The Book", authorID: 24)),
    XMLCoderSample(
      "an attribute in place of an element", wrappedBook("<name>The Book</name>", " authorID=\"24\""),
      WrappedBook(id: 42, name: "The Book", authorID: 24)),
    XMLCoderSample(
      "an element in place of an attribute", wrappedBook("<authorID>24</authorID><name>The Book</name>", ""),
      WrappedBook(id: 42, name: "The Book", authorID: 24)),
  ]

  private static func wrappedBook(_ content: String, _ attributes: String) -> String {
    "<Book id=\"42\"\(attributes)>\n    \(content)\n</Book>"
  }

  fileprivate static let tableXML = """
    <h:table xmlns:h="http://www.w3.org/TR/html4/">
      <h:tr>
        <h:td>Apples</h:td>
        <h:td>Bananas</h:td>
      </h:tr>
    </h:table>
    """
}

// MARK: - Attributes and text beside them

private struct FooOptional: Codable, Equatable {
  var id: String?
  let value: Int
  enum CodingKeys: String, CodingKey {
    case id
    case value = ""
  }
}

private struct FooValueElement: Codable, Equatable {
  let valueElement: String
  let value: Int?
  enum CodingKeys: String, CodingKey {
    case valueElement = "value"
    case value = ""
  }
}

private struct Container<T: Codable & Equatable & Sendable>: Codable, Equatable { let foo: [T] }

private struct AppPreview: Codable, Equatable {
  var displayTarget: String
  var position: Int
  var previewImageTime: Time
  struct Time: Codable, Equatable {
    var format: String
    var value: String
    enum CodingKeys: String, CodingKey {
      case format
      case value = ""
    }
  }
  enum CodingKeys: String, CodingKey {
    case displayTarget = "display_target"
    case position
    case previewImageTime = "preview_image_time"
  }
}

private struct Overlapping: Codable, Equatable {
  var attribute: Int
  let element: String
  enum CodingKeys: String, CodingKey {
    case attribute = "@key"
    case element = "key"
  }
}

private struct Thing: Codable, Equatable {
  let attribute: String?
  let value: String
  enum CodingKeys: String, CodingKey {
    case attribute
    case value = ""
  }
}

private struct Things: Codable, Equatable {
  let things: Contained
  struct Contained: Codable, Equatable { let thing: [Thing] }
}

extension XMLCoderSample {
  private static let foos = "<container>\n<foo id=\"123\">456</foo>\n<foo id=\"789\">123</foo>\n</container>"

  fileprivate static let attributes: [XMLCoderSample] = [
    XMLCoderSample(
      "a list of elements with attributes", foos,
      Container(foo: [Foo(id: "123", value: "456"), Foo(id: "789", value: "123")])),
    XMLCoderSample("numbers in elements with attributes", foos, Container(foo: [456, 123])),
    XMLCoderSample(
      "numbers in elements with and without attributes",
      "<container>\n<foo id=\"123\">456</foo>\n<foo id=\"789\">123</foo>\n<foo>789</foo>\n</container>",
      Container(foo: [456, 123, 789])),
    XMLCoderSample(
      "missing attributes", "<container>\n<foo>456</foo>\n<foo>123</foo>\n</container>",
      Container(foo: [FooOptional(id: nil, value: 456), FooOptional(id: nil, value: 123)])),
    XMLCoderSample(
      "missing text", "<foo><value>blah</value></foo>", FooValueElement(valueElement: "blah", value: nil)),
    XMLCoderSample(
      "names with underscores",
      """
      <?xml version="1.0" encoding="UTF-8"?>
      <app_preview display_target="iOS-6.5-in" position="1">
      <preview_image_time format="24/999 1000/nonDrop">00:00:17:01</preview_image_time>
      </app_preview>
      """,
      AppPreview(
        displayTarget: "iOS-6.5-in", position: 1,
        previewImageTime: AppPreview.Time(format: "24/999 1000/nonDrop", value: "00:00:17:01"))),
    XMLCoderSample(
      "an attribute and an element with different values", "<test key=\"123\"><key>StringValue</key></test>",
      Overlapping(attribute: 123, element: "StringValue")),
    XMLCoderSample("an empty element", "<thing></thing>", Thing(attribute: nil, value: "")),
    XMLCoderSample(
      "an empty element with an attribute", "<thing attribute=\"x\"></thing>",
      Thing(attribute: "x", value: "")),
    XMLCoderSample(
      "a list of empty elements as the root",
      """
      <container>
          <thing></thing>
          <thing attribute="x">Non-Empty!</thing>
          <thing>Non-Empty!</thing>
      </container>
      """,
      [
        Thing(attribute: nil, value: ""), Thing(attribute: "x", value: "Non-Empty!"),
        Thing(attribute: nil, value: "Non-Empty!"),
      ]),
    XMLCoderSample(
      "a list in an element",
      "<container><things><thing></thing><thing attribute=\"x\">y</thing></things></container>",
      Things(things: .init(thing: [Thing(attribute: nil, value: ""), Thing(attribute: "x", value: "y")]))),
  ]
}

// MARK: - Lists, optional values and classes

private struct Borders: Codable, Equatable {
  let items: [Border?]
  let count: Int
  enum CodingKeys: String, CodingKey {
    case items = "border"
    case count
  }
}

private struct Border: Codable, Equatable {
  struct Value: Codable, Equatable { let style: String? }
  var left: Value?
  var right: Value?
}

private struct LeftBorders: Codable, Equatable {
  let items: [LeftBorder?]
  let count: Int
  enum CodingKeys: String, CodingKey {
    case items = "border"
    case count
  }
}

private struct LeftBorder: Codable, Equatable {
  var left: Border.Value
  var right: Border.Value?
}

private struct Empty: Codable, Equatable {}
private struct EmptyArray: Codable, Equatable {
  let empties: [Empty]
  enum CodingKeys: String, CodingKey { case empties = "empty" }
}
private struct OptionalEmptyWrapper: Codable, Equatable { let empty: Empty? }

private struct ProudParent: Codable, Equatable { var myChildAge: [Int] }

/// A class whose superclass is in an element `super`.
private final class B: A {
  let y: Double
  private enum CodingKeys: CodingKey { case y }

  required init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: CodingKeys.self)
    y = try container.decode(Double.self, forKey: .y)
    try super.init(from: container.superDecoder())
  }
}

private class A: Decodable { let x: String }

private struct ClassValues: Decodable, Equatable {
  let x: String
  let y: Double
  init(x: String, y: Double) { (self.x, self.y) = (x, y) }
  init(from decoder: any Decoder) throws {
    enum Keys: CodingKey { case b }
    let b = try decoder.container(keyedBy: Keys.self).decode(B.self, forKey: .b)
    (x, y) = (b.x, b.y)
  }
}

extension XMLCoderSample {
  private static let border = "<borders count=\"1\">\n<border/>\n</borders>"
  private static let empties = "<container>\n    <empty/>\n    <empty/>\n    <empty/>\n</container>"

  fileprivate static let lists: [XMLCoderSample] = [
    XMLCoderSample("an empty element in a list of optionals", border, Borders(items: [Border()], count: 1)),
    XMLCoderSample(
      "an empty element that is no value of its type", border, LeftBorders(items: [nil], count: 1)),
    XMLCoderSample("empty elements as the root", empties, [Empty(), Empty(), Empty()]),
    XMLCoderSample("empty elements", empties, EmptyArray(empties: [Empty(), Empty(), Empty()])),
    XMLCoderSample(
      "an optional empty element", "<container>\n    <empty/>\n</container>",
      OptionalEmptyWrapper(empty: Empty())),
    XMLCoderSample(
      "a list of one", "<ProudParent><myChildAge>2</myChildAge></ProudParent>", ProudParent(myChildAge: [2])),
    XMLCoderSample(
      "lists in a dictionary",
      """
      <element>
          <first>1</first>
          <first>2</first>
          <first>3</first>
          <second>1</second>
          <second>2</second>
          <second>3</second>
      </element>
      """, ["first": [1, 2, 3], "second": [1, 2, 3]]),
    XMLCoderSample(
      "a superclass",
      """
      <s>
          <b>
              <y>4.2</y>
              <super>
                  <x>test_string</x>
              </super>
          </b>
      </s>
      """, ClassValues(x: "test_string", y: 4.2)),
  ]
}

// MARK: - Text

private struct DataEntry: Codable, Equatable {
  let value: String
  enum CodingKeys: String, CodingKey { case value = "" }
}
private struct DataEntries: Codable, Equatable { let data: [DataEntry] }
private struct CDataContainer: Codable, Equatable {
  let value: Int
  let data: String
}
private struct Item: Codable, Equatable {
  let text: String?
  enum CodingKeys: String, CodingKey { case text = "t" }
}
private struct Response: Codable, Equatable { let aResponse: String }
private struct Identified: Codable, Equatable { let id: String }

extension XMLCoderSample {
  fileprivate static let text: [XMLCoderSample] = [
    XMLCoderSample(
      "text with and without CDATA",
      "<container>\n   <data><![CDATA[lorem ipsum]]></data>\n   <data>bla bla</data>\n</container>",
      DataEntries(data: [DataEntry(value: "lorem ipsum"), DataEntry(value: "bla bla")])),
    XMLCoderSample(
      "CDATA", "<container>\n   <value>42</value>\n   <data><![CDATA[lorem ipsum]]></data>\n</container>",
      CDataContainer(value: 42, data: "lorem ipsum")),
    XMLCoderSample(
      "a document type with a system identifier",
      "<!DOCTYPE si SYSTEM \"http://example.com/myService_v1.dtd\">\n<si><t>blah</t></si>", Item(text: "blah")
    ),
    XMLCoderSample(
      "a document type with a public identifier",
      """
      <!DOCTYPE si PUBLIC "-//Domain//DTD MyService v1//EN" "http://example.com/myService_v1.dtd">
      <si><t>blah</t></si>
      """, Item(text: "blah")),
    XMLCoderSample("text beyond ASCII", "<t>Music 音楽</t>", "Music 音楽"),
    // With `trimValueWhitespaces = false`, because Ferry keeps the white space of text.
    XMLCoderSample("white space around text", "<t>     Stilles Örtchen    </t>", "     Stilles Örtchen    "),
    XMLCoderSample("an entity", "<t>one &amp; two</t>", "one & two"),
    XMLCoderSample(
      "escaped markup",
      "<root>\n<aResponse>&lt;b:response\nxmlns:b=&quot;http://b&quot;&gt;&#xd;\n</aResponse>\n</root>",
      Response(aResponse: "<b:response\nxmlns:b=\"http://b\">\r\n")),
    XMLCoderSample(
      "a line end in an attribute", "<Attribute id=\"Got an attributed String.&#10;Will create a image.\" />",
      Identified(id: "Got an attributed String.\nWill create a image.")),
  ]
}

// MARK: - Names

private struct Relationships: Codable, Equatable {
  let items: [Relationship]
  enum CodingKeys: String, CodingKey { case items = "relationship" }
}

private struct Relationship: Codable, Equatable {
  enum SchemaType: String, Codable {
    case officeDocument =
      "http://schemas.openxmlformats.org/officeDocument/2006/relationships/officeDocument"
    case extendedProperties =
      "http://schemas.openxmlformats.org/officeDocument/2006/relationships/extended-properties"
  }
  let id: String
  let type: SchemaType
  let target: String
}

private struct TagItem: Codable, Equatable {
  let text: String
  enum CodingKeys: String, CodingKey { case text = "tagName" }
}

private struct NamespacedTable: Codable, Equatable {
  struct TR: Codable, Equatable {
    let td: [String]
    enum CodingKeys: String, CodingKey { case td = "h:td" }
  }
  let tr: [TR]
  enum CodingKeys: String, CodingKey { case tr = "h:tr" }
}

extension XMLCoderSample {
  fileprivate static let names: [XMLCoderSample] = [
    XMLCoderSample(
      "names that begin with capitals",
      """
      <Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships">
          <Relationship
              Id="rId1"
              Type="http://schemas.openxmlformats.org/officeDocument/2006/relationships/officeDocument"
              Target="xl/workbook.xml"/>
          <Relationship
              Id="rId2"
              Type="http://schemas.openxmlformats.org/officeDocument/2006/relationships/extended-properties"
              Target="docProps/app.xml"/>
      </Relationships>
      """,
      Relationships(items: [
        Relationship(id: "rId1", type: .officeDocument, target: "xl/workbook.xml"),
        Relationship(id: "rId2", type: .extendedProperties, target: "docProps/app.xml"),
      ])
    ) { $0.keys = .capitalized },
    XMLCoderSample("a name that is a capital", "<si><T>blah</T></si>", Item(text: "blah")) {
      $0.keys = .capitalized
    },
    XMLCoderSample("names with hyphens", "<si><tag-name>blah</tag-name></si>", TagItem(text: "blah")) {
      $0.keys = .kebabCase
    },
    XMLCoderSample(
      "names with prefixes", tableXML,
      NamespacedTable(tr: [NamespacedTable.TR(td: ["Apples", "Bananas"])])),
  ]
}

// MARK: - End to end

private struct Menu: Codable, Equatable {
  var food: [Food]
  struct Food: Codable, Equatable {
    var name: String
    var price: String
    var description: String
    var calories: Int?
  }
}

private struct Catalog: Codable, Equatable {
  var books: [Book]
  enum CodingKeys: String, CodingKey { case books = "book" }
}

private struct Book: Codable, Equatable {
  var id: String
  var author: String
  var genre: Genre
  var price: Double
  var publishDate: Date
  var description: String
  enum CodingKeys: String, CodingKey {
    case id, author, genre, price, description
    case publishDate = "publish_date"
  }
  enum Genre: String, Codable {
    case computer = "Computer"
    case fantasy = "Fantasy"
  }
}

private struct CDCatalog: Codable, Equatable {
  var cds: [CD]
  enum CodingKeys: String, CodingKey { case cds = "CD" }
}

private struct CD: Codable, Equatable {
  var title: String
  var price: Decimal
  var year: Int
  enum CodingKeys: String, CodingKey {
    case title = "TITLE"
    case price = "PRICE"
    case year = "YEAR"
  }
}

private struct PlantCatalog: Codable, Equatable {
  var plants: [Plant]
  enum CodingKeys: String, CodingKey { case plants = "PLANT" }
}

private struct Plant: Codable, Equatable {
  var common: String
  var price: Currency
  var amountAvailable: Int
  enum CodingKeys: String, CodingKey {
    case common = "COMMON"
    case price = "PRICE"
    case amountAvailable = "AVAILABILITY"
  }
}

/// A price that is decoded from text with a dollar sign.
private struct Currency: Codable, Equatable {
  let value: Double
  init(_ value: Double) { self.value = value }
  init(from decoder: any Decoder) throws {
    let container = try decoder.singleValueContainer()
    guard let value = Double(try container.decode(String.self).dropFirst()) else {
      throw DecodingError.dataCorruptedError(in: container, debugDescription: "no price")
    }
    self.value = value
  }
}

private struct RSS: Codable, Equatable {
  let dc: URL
  let channel: Channel
  enum CodingKeys: String, CodingKey {
    case channel
    case dc = "xmlns:dc"
  }

  struct Channel: Codable, Equatable {
    let link: URL
    let description: String?
    let language: String
    let generatorAgent: Agent
    let items: [Item]
    enum CodingKeys: String, CodingKey {
      case link, description
      case language = "dc:language"
      case generatorAgent = "admin:generatorAgent"
      case items = "item"
    }
  }

  struct Agent: Codable, Equatable {
    let resource: URL
    enum CodingKeys: String, CodingKey { case resource = "rdf:resource" }
  }

  struct Item: Codable, Equatable {
    let enclosure: Enclosure?
    let date: Date
    let author: String?
    enum CodingKeys: String, CodingKey {
      case enclosure, author
      case date = "dc:date"
    }
  }

  struct Enclosure: Codable, Equatable {
    let url: URL
    let length: String
  }
}

extension XMLCoderSample {
  fileprivate static let endToEnd: [XMLCoderSample] = [
    XMLCoderSample(
      "a menu",
      """
      <?xml version="1.0" encoding="UTF-8"?>
      <breakfast_menu>
        <food>
          <name>Belgian Waffles</name>
          <price>$5.95</price>
          <description>Two of our famous Belgian Waffles with plenty of real maple syrup</description>
        </food>
        <food>
          <name>Strawberry Belgian Waffles</name>
          <price>$7.95</price>
          <description>Light Belgian waffles covered with strawberries and whipped cream</description>
          <calories>900</calories>
        </food>
      </breakfast_menu>
      """,
      Menu(food: [
        Menu.Food(
          name: "Belgian Waffles", price: "$5.95",
          description: "Two of our famous Belgian Waffles with plenty of real maple syrup"),
        Menu.Food(
          name: "Strawberry Belgian Waffles", price: "$7.95",
          description: "Light Belgian waffles covered with strawberries and whipped cream", calories: 900),
      ])),
    XMLCoderSample(
      "books with dates",
      """
      <?xml version="1.0"?>
      <catalog>
          <book id="bk101">
              <author>Gambardella, Matthew</author>
              <genre>Computer</genre>
              <price>44.95</price>
              <publish_date>2000-10-01</publish_date>
              <description>An in-depth look at creating applications
                  with XML.</description>
          </book>
          <book id="bk102">
              <author>Ralls, Kim</author>
              <genre>Fantasy</genre>
              <price>5.95</price>
              <publish_date>2000-12-16</publish_date>
              <description>A former architect battles corporate zombies.</description>
          </book>
      </catalog>
      """,
      Catalog(books: [
        Book(
          id: "bk101", author: "Gambardella, Matthew", genre: .computer, price: 44.95,
          publishDate: Date(timeIntervalSince1970: 970_358_400),
          description: "An in-depth look at creating applications\n            with XML."),
        Book(
          id: "bk102", author: "Ralls, Kim", genre: .fantasy, price: 5.95,
          publishDate: Date(timeIntervalSince1970: 976_924_800),
          description: "A former architect battles corporate zombies."),
      ])),
    XMLCoderSample(
      "records in capitals",
      """
      <?xml version="1.0" encoding="UTF-8"?>
      <CATALOG>
        <CD><TITLE>Empire Burlesque</TITLE><PRICE>10.90</PRICE><YEAR>1985</YEAR></CD>
        <CD><TITLE>Unchain my heart</TITLE><PRICE>8.20</PRICE><YEAR>1987</YEAR></CD>
      </CATALOG>
      """,
      CDCatalog(cds: [
        CD(
          title: "Empire Burlesque", price: Decimal(sign: .plus, exponent: -1, significand: 109), year: 1985),
        CD(title: "Unchain my heart", price: Decimal(sign: .plus, exponent: -1, significand: 82), year: 1987),
      ])),
    XMLCoderSample(
      "numbers with leading zeros, and a type that decodes itself",
      """
      <?xml version="1.0" encoding="UTF-8"?>
      <CATALOG>
        <PLANT>
          <COMMON>Bloodroot</COMMON>
          <PRICE>$2.44</PRICE>
          <AVAILABILITY>031599</AVAILABILITY>
        </PLANT>
      </CATALOG>
      """,
      PlantCatalog(plants: [Plant(common: "Bloodroot", price: Currency(2.44), amountAvailable: 31599)])),
    XMLCoderSample(
      "a feed with namespaces",
      """
      <?xml version="1.0" encoding="utf-8"?>
      <rss version="2.0" xmlns:dc="http://purl.org/dc/elements/1.1/" xmlns:admin="http://webns.net/mvcb/"
        xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#">
        <channel>
          <link>https://www.rjionline.org/stories</link>
          <description></description>
          <dc:language>en</dc:language>
          <admin:generatorAgent rdf:resource="http://expressionengine.com/" />
          <item>
            <enclosure url="https://www.rjionline.org/images/posts/RecordlyT2016.jpg" length="6748" type="image/jpg" />
            <dc:date>2017-11-08T22:25:00+00:00</dc:date>
          </item>
          <item>
            <dc:date>2017-11-14T22:01:00+00:00</dc:date>
            <author>Blake Nelson</author>
          </item>
        </channel>
      </rss>
      """, feed),
  ]

  private static var feed: RSS {
    func url(_ text: String) -> URL { URL(string: text) ?? URL(filePath: "/") }
    return RSS(
      dc: url("http://purl.org/dc/elements/1.1/"),
      channel: RSS.Channel(
        link: url("https://www.rjionline.org/stories"), description: "", language: "en",
        generatorAgent: RSS.Agent(resource: url("http://expressionengine.com/")),
        items: [
          RSS.Item(
            enclosure: RSS.Enclosure(
              url: url("https://www.rjionline.org/images/posts/RecordlyT2016.jpg"), length: "6748"),
            date: Date(timeIntervalSince1970: 1_510_179_900), author: nil),
          RSS.Item(
            enclosure: nil, date: Date(timeIntervalSince1970: 1_510_696_860), author: "Blake Nelson"),
        ]))
  }
}

// MARK: - Elements of several names

private enum IntOrString: Codable, Equatable, ElementChoice {
  case int(Int)
  case string(String)

  enum CodingKeys: String, CodingKey { case int, string }
  enum IntCodingKeys: String, CodingKey { case _0 = "" }
  enum StringCodingKeys: String, CodingKey { case _0 = "" }
}

private enum InlineChoice: Codable, Equatable, ElementChoice {
  case simple(Nested1)
  case nested(Nested1, labeled: Nested2)
  case attributesOnly(AttributesOnly)

  enum CodingKeys: String, CodingKey { case simple, nested, attributesOnly }
  enum SimpleCodingKeys: String, CodingKey { case _0 = "" }
  enum NestedCodingKeys: String, CodingKey {
    case _0 = ""
    case labeled
  }
  enum AttributesOnlyCodingKeys: String, CodingKey { case _0 = "" }

  struct Nested1: Codable, Equatable {
    var attr = "n1_a1"
    var val = "n1_v1"
  }
  struct Nested2: Codable, Equatable { var val = "n2_val" }
  struct AttributesOnly: Codable, Equatable {
    var name = "attr"
    enum CodingKeys: String, CodingKey { case name = "Name" }
  }
}

private enum TextItem: Decodable, Equatable, ElementChoice {
  case bold(String)
  case text(String)

  enum CodingKeys: String, CodingKey {
    case bold = "b"
    case text = ""
  }

  init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: CodingKeys.self)
    switch container.allKeys.first {
    case .bold: self = .bold(try container.decode(String.self, forKey: .bold))
    default: self = .text(try container.decode(String.self, forKey: .text))
    }
  }
}

private struct Paragraphs: Decodable, Equatable {
  let paragraphs: [Paragraph]
  enum CodingKeys: String, CodingKey { case paragraphs = "p" }
}

private struct Paragraph: Decodable, Equatable {
  let entries: [Entry]
  init(_ entries: [Entry]) { self.entries = entries }
  init(from decoder: any Decoder) throws {
    entries = try decoder.singleValueContainer().decode([Entry].self)
  }
}

private enum Entry: Decodable, Equatable, ElementChoice {
  case run(Run)
  case properties(Properties)
  case br(Empty)

  struct Run: Decodable, Equatable {
    let id: Int
    let text: String
  }
  struct Properties: Decodable, Equatable {
    let id: Int
    let title: String
  }

  enum CodingKeys: String, CodingKey { case run, properties, br }
  enum RunCodingKeys: String, CodingKey { case _0 = "" }
  enum PropertiesCodingKeys: String, CodingKey { case _0 = "" }
  enum BrCodingKeys: String, CodingKey { case _0 = "" }
}

private struct ChapteredBook: Decodable, Equatable {
  let title: String
  let chapters: [Chapter]
}

private enum Chapter: Decodable, Equatable, ElementChoice {
  struct Content: Decodable, Equatable {
    let title: String
    let content: String
    enum CodingKeys: String, CodingKey {
      case title
      case content = ""
    }
  }

  case intro(Content)
  case body(Content)
  case outro(Content)

  enum CodingKeys: String, CodingKey {
    case intro, outro
    case body = "chapter"
  }

  init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: CodingKeys.self)
    do {
      self = .body(try container.decode(Content.self, forKey: .body))
    } catch {
      do {
        self = .intro(try container.decode(Content.self, forKey: .intro))
      } catch {
        self = .outro(try container.decode(Content.self, forKey: .outro))
      }
    }
  }
}

private struct MixedOtherFirst: Decodable, Equatable {
  let intOrString: IntOrString
  let otherValue: String
  enum CodingKeys: String, CodingKey { case otherValue = "other-value" }

  init(_ intOrString: IntOrString, _ otherValue: String) {
    (self.intOrString, self.otherValue) = (intOrString, otherValue)
  }
  init(from decoder: any Decoder) throws {
    otherValue = try decoder.container(keyedBy: CodingKeys.self).decode(String.self, forKey: .otherValue)
    intOrString = try IntOrString(from: decoder)
  }
}

extension XMLCoderSample {
  private static let inOrder: @Sendable (inout FerryDecoder) -> Void = { $0.reading.xml.order = .needed }

  fileprivate static let choices: [XMLCoderSample] = [
    XMLCoderSample(
      "one of several elements", "<container>\n<int>42</int>\n</container>", IntOrString.int(42)),
    XMLCoderSample(
      "elements of several names in their order",
      """
      <container>
          <int>1</int>
          <string>two</string>
          <string>three</string>
          <int>4</int>
          <int>5</int>
      </container>
      """, [IntOrString.int(1), .string("two"), .string("three"), .int(4), .int(5)], inOrder),
    XMLCoderSample(
      "elements of several names with children",
      """
      <container>
          <nested attr="n1_a1">
              <val>n1_v1</val>
              <labeled>
                  <val>n2_val</val>
              </labeled>
          </nested>
          <simple attr="n1_a1">
              <val>n1_v1</val>
          </simple>
          <attributesOnly Name="attr" />
      </container>
      """,
      [
        InlineChoice.nested(.init(), labeled: .init()), .simple(.init()), .attributesOnly(.init()),
      ], inOrder),
    XMLCoderSample(
      "text between elements", "<container>first<b>bold text</b>second</container>",
      [TextItem.text("first"), .bold("bold text"), .text("second")], inOrder),
    XMLCoderSample(
      "elements of several names in paragraphs",
      """
      <container>
          <p>
              <br></br>
              <run>
                  <id>1518</id>
                  <text>I am answering it again.</text>
              </run>
              <properties>
                  <id>431</id>
                  <title>A Word About Wake Times</title>
              </properties>
          </p>
          <p>
              <run id="1519">
                  <text>I am answering it again.</text>
              </run>
              <br />
              <run id="1520" text="x"/>
          </p>
      </container>
      """,
      Paragraphs(paragraphs: [
        Paragraph([
          .br(Empty()), .run(Entry.Run(id: 1518, text: "I am answering it again.")),
          .properties(Entry.Properties(id: 431, title: "A Word About Wake Times")),
        ]),
        Paragraph([
          .run(Entry.Run(id: 1519, text: "I am answering it again.")), .br(Empty()),
          .run(Entry.Run(id: 1520, text: "x")),
        ]),
      ]), inOrder),
    XMLCoderSample(
      "chapters of several kinds",
      """
      <?xml version="1.0" encoding="UTF-8"?>
      <book title="Example">
          <chapters>
              <intro title="Intro">Content of first chapter</intro>
              <chapter title="Chapter 1">Content of chapter 1</chapter>
              <chapter title="Chapter 2">Content of chapter 2</chapter>
              <outro title="Epilogue">Content of last chapter</outro>
          </chapters>
      </book>
      """,
      ChapteredBook(
        title: "Example",
        chapters: [
          .intro(Chapter.Content(title: "Intro", content: "Content of first chapter")),
          .body(Chapter.Content(title: "Chapter 1", content: "Content of chapter 1")),
          .body(Chapter.Content(title: "Chapter 2", content: "Content of chapter 2")),
          .outro(Chapter.Content(title: "Epilogue", content: "Content of last chapter")),
        ]), inOrder),
    XMLCoderSample(
      "one of several elements beside another",
      "<container><int>4</int><other-value>other</other-value></container>",
      MixedOtherFirst(.int(4), "other")),
  ]
}
