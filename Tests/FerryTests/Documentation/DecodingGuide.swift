import Ferry
import Testing

/// The examples in `DecodingArchives.md`.
@Suite struct `The guide to decoding archives` {
  struct Person: Codable, Equatable {
    var last: String
    var first: String
  }

  struct Contact: Codable, Equatable {
    var firstName: String
    var lastName: String

    enum CodingKeys: String, CodingKey {
      case firstName = "first"
      case lastName = "last"
    }
  }

  struct Track: Codable, Equatable, ArchivedClass {
    static let archivedClassName = "Player.Track"
    static let formerClassNames = ["Track"]
    var title: String
    var seconds: Double
  }

  protocol Shape {
    var area: Double { get }
  }

  struct Circle: Codable, Shape {
    var radius: Double
    var area: Double { 3 * radius * radius }
  }

  struct Square: Codable, Shape {
    var side: Double
    var area: Double { side * side }
  }

  enum AnyShape: Decodable {
    case circle(Circle)
    case square(Square)

    init(from decoder: any Decoder) throws {
      switch decoder.archivedClass?.name {
      case "Circle": self = .circle(try Circle(from: decoder))
      default: self = .square(try Square(from: decoder))
      }
    }
  }

  private let bytes: [UInt8]
  private var printed = Printed()

  init() throws { bytes = try GuideExample.people() }

  @Test func `An array of people is decoded`() throws {
    let people = try KeyedArchiveDecoder().decode([Person].self, from: bytes)
    print(people[0].first, people[0].last)  // Matt Neuburg
    #expect(printed.text == "Matt Neuburg")
    let contacts = try KeyedArchiveDecoder().decode([Contact].self, from: bytes)
    #expect(contacts == [Contact(firstName: "Matt", lastName: "Neuburg")])
  }

  @Test func `A class of another name is decoded`() throws {
    var classes = ClassMap()
    classes.add(Track.self, as: "Jukebox.Song", keys: ["seconds": "duration"])
    let songs = try KeyedArchiveEncoder(classes: classes).encode([Track(title: "Lazy", seconds: 61)])
    let tracks = try KeyedArchiveDecoder(classes: classes).decode([Track].self, from: songs)
    #expect(tracks == [Track(title: "Lazy", seconds: 61)])
    #expect(try Value(reading: MemoryInput(songs))[0]?["duration"] == 61.0)
  }

  @Test func `Several classes are decoded`() throws {
    let all: [any Shape] = [Circle(radius: 2), Square(side: 2)]
    let archive = try KeyedArchiveEncoder().encode(all.map { Polymorphic($0) })
    var shapes = ClassMap()
    shapes.add(Circle.self, as: "Circle")
    shapes.add(Square.self, as: "Square")
    let decoder = KeyedArchiveDecoder(classes: shapes)
    let drawing = try decoder.decode([Polymorphic<any Shape>].self, from: archive)
    print(drawing.map(\.value.area))  // [12.0, 4.0]
    #expect(printed.text == "[12.0, 4.0]")
    let either = try KeyedArchiveDecoder().decode([AnyShape].self, from: archive)
    guard case .circle(let circle) = either[0], case .square = either[1] else {
      Issue.record("\(either)")
      return
    }
    #expect(circle.radius == 2)
  }

  @Test func `Single values are decoded`() throws {
    let archive = try KeyedArchive(bytes)
    let matt = try archive.decode(Person.self, at: "[0]")
    let last = try archive.decode(String.self, at: "[0].last")
    print(matt.first, last)  // Matt Neuburg
    #expect(printed.text == "Matt Neuburg")
  }

  @Test func `A decoding error names the key and its path`() throws {
    do {
      _ = try KeyedArchiveDecoder().decode([Track].self, from: bytes)
    } catch DecodingError.typeMismatch(_, let context) {
      print(context.debugDescription)
      // byte 126, object 18: the object is of class Person, not Player.Track, Track (at [0])
    }
    #expect(
      printed.text == "byte 126, object 18: the object is of class Person, not Player.Track, Track (at [0])")
  }

  @Test func `A decoded value is encoded again`() throws {
    let document = try KeyedArchiveEncoder().encode([Person(last: "Neuburg", first: "Matt")])
    #expect(document == bytes)
  }

  private func print(_ items: Any...) { printed.add(items) }
}
