import Ferry
import Foundation

private struct Note: Codable, Equatable {
  var to: String
  var from: String
  var heading: String
  var body: String
}

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
  /// Whole documents of several kinds.
  static let documents: [XMLCoderSample] = [
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
