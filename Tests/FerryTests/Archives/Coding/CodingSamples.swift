import Foundation

@testable import Ferry

/// Types as users write them.
enum CodingSamples {
  struct Person: Codable, Hashable, ArchivedClass {
    static let archivedClassName = "Person"
    var last: String
    var first: String
  }

  struct Everything: Codable, Hashable {
    var text = "Zoë 🎈"
    var yes = true
    var int = -7
    var small: Int8 = -128
    var large = UInt64.max
    var double = 0.1
    var float: Float = 1.5
    var date = Date(timeIntervalSinceReferenceDate: 12.5)
    var data = Data([0, 1, 255])
    var bytes: [UInt8] = [1, 2, 3]
    var url = URL(string: "https://www.example.org/?q=1")
    var uuid = UUID(uuidString: "E621E1F8-C36C-495A-93FC-0C247A3E6E5F")
    var decimal = Decimal(string: "-12345678901234567890.12345")
    var missing: String?
    var optionals: [Int?] = [1, nil, 3]
    var list = ["a", "b", "a"]
    var nested: [[Int]] = [[1], [], [2, 3]]
    var set: Set<String> = ["x", "y"]
    var names = ["k": 1, "l": 2]
    var numbers = [1: "one", -2: "minus two"]
    var people = [Person(last: "Neuburg", first: "Matt")]
    var color = Color.green
    var shape = Shape.circle(radius: 1.5)
    var point: Point? = Point(x: 1, y: 2)
    var byPerson = [Person(last: "L", first: "F"): [Color.red]]
  }

  enum Color: String, Codable { case red, green }

  enum Shape: Codable, Hashable {
    case circle(radius: Double)
    case square(Double)
    case none
  }

  /// Two numbers, as a list.
  struct Point: Codable, Hashable {
    var x: Int
    var y: Int

    init(x: Int, y: Int) { (self.x, self.y) = (x, y) }

    init(from decoder: any Decoder) throws {
      var container = try decoder.unkeyedContainer()
      (x, y) = (try container.decode(Int.self), try container.decode(Int.self))
    }

    func encode(to encoder: any Encoder) throws {
      var container = encoder.unkeyedContainer()
      try container.encode(x)
      try container.encode(y)
    }
  }

  /// A class and a subclass.
  class Animal: Codable {
    var name: String
    init(name: String) { self.name = name }
  }

  final class Dog: Animal {
    var tricks: [String]
    private enum CodingKeys: CodingKey { case tricks }

    init(name: String, tricks: [String]) {
      self.tricks = tricks
      super.init(name: name)
    }

    required init(from decoder: any Decoder) throws {
      let container = try decoder.container(keyedBy: CodingKeys.self)
      tricks = try container.decode([String].self, forKey: .tricks)
      try super.init(from: container.superDecoder())
    }

    override func encode(to encoder: any Encoder) throws {
      var container = encoder.container(keyedBy: CodingKeys.self)
      try container.encode(tricks, forKey: .tricks)
      try super.encode(to: container.superEncoder())
    }
  }

  /// A class whose instances refer to each other.
  final class Node: Codable {
    var name: String
    var next: Node?
    init(_ name: String, next: Node? = nil) { (self.name, self.next) = (name, next) }
  }
}
