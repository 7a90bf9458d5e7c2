import Ferry
import Foundation
import Testing

/// The examples in `ComingFromOtherCoders.md`.
@Suite struct `The guide for users of other decoders` {
  struct Person: Codable, Equatable {
    var firstName: String
  }

  struct Book: Codable {
    var id: Int
    var title: String
    var author: [String]
  }

  struct Chapter: Codable {
    var title: String
    @XMLAttribute var number: Int
    @XMLAttribute var lang: String?
  }

  enum Step: Decodable, ElementChoice {
    case mix(text: String)
    case bake(minutes: Int)

    enum MixCodingKeys: String, CodingKey { case text = "" }
    enum BakeCodingKeys: String, CodingKey { case minutes = "" }
  }

  struct Event: Codable {
    var startsOn: Date
    var icon: Data
  }

  private var printed = Printed()
  private let json = Array(#"[{"firstName":"Ada"}]"#.utf8)

  @Test func `One decoder reads several formats`() throws {
    let propertyList = try FerryEncoder(to: .binaryPropertyList).encode([Person(firstName: "Ada")])
    let people = try FerryDecoder().decode([Person].self, from: json)
    let same = try FerryDecoder().decode([Person].self, from: propertyList)
    let name = try FerryDecoder().decode(String.self, from: json, at: "[0].firstName")
    #expect(people == same && name == "Ada")
  }

  @Test func `Strategies are those of other encoders`() throws {
    var events = FerryEncoder(to: .json)
    events.keys = .snakeCase
    events.dates = .custom { (date: Date, encoder) in
      var container = encoder.singleValueContainer()
      try container.encode(Int(date.timeIntervalSince1970 / 86_400))
    }
    events.data = .numbers
    let event = try events.encode(Event(startsOn: Date(timeIntervalSince1970: 86_400), icon: Data([1, 2])))
    print(String(decoding: event, as: UTF8.self))  // {"starts_on":1,"icon":[1,2]}
    #expect(printed.text == #"{"starts_on":1,"icon":[1,2]}"#)
  }

  @Test func `What a format does not hold is returned`() throws {
    let (numbers, losses) = try FerryEncoder(to: .json).encodeWithLosses([1.5, Double.nan])
    print(losses.listed[0].path)  // [1]
    #expect(String(decoding: numbers, as: UTF8.self) == "[1.5,\"NaN\"]\n")
    #expect(losses.listed == [Loss(.notFinite, path: ValuePath([.index(1)]))])
  }

  @Test func `Elements of several names are decoded in their order`() throws {
    var decoder = FerryDecoder()
    decoder.reading.xml.order = .needed  // reads the order of elements where it is not clear from their names
    let recipe = "<recipe><mix>flour</mix><bake>20</bake><mix>sugar</mix></recipe>"
    let steps = try decoder.decode([Step].self, from: recipe.utf8)
    #expect("\(steps)".matches(of: /flour|20|sugar/).map { String($0.output) } == ["flour", "20", "sugar"])
  }

  @Test func `Attributes and lists of one are decoded without types of their own`() throws {
    let xml = "<shelf><book id=\"1\"><title>Notes</title><author>Ada</author></book></shelf>"
    let books = try FerryDecoder().decode([Book].self, from: xml.utf8)
    var encoder = FerryEncoder(to: .xml)
    encoder.writing.rootElement = "shelf"
    let shelf = try encoder.encode(["book": books])
    #expect(books[0].id == 1 && books[0].author == ["Ada"])
    #expect(
      String(decoding: shelf, as: UTF8.self).hasSuffix(
        """
        <shelf>
          <book>
            <id>1</id>
            <title>Notes</title>
            <author>Ada</author>
          </book>
        </shelf>

        """))
  }

  @Test func `Attributes are marked in types that are encoded`() throws {
    let chapter = Chapter(title: "Notes", number: 1)
    let element = try FerryEncoder(to: .xml).encode(chapter)  // <root number="1"><title>Notes</title></root>
    let object = try FerryEncoder(to: .json).encode(chapter)  // {"title":"Notes","number":1,"lang":null}
    #expect(
      String(decoding: element, as: UTF8.self).hasSuffix(
        "<root number=\"1\">\n  <title>Notes</title>\n</root>\n"))
    #expect(
      String(decoding: object, as: UTF8.self) == #"{"title":"Notes","number":1,"lang":null}"# + "\n")
  }

  private func print(_ items: Any...) { printed.add(items) }
}
