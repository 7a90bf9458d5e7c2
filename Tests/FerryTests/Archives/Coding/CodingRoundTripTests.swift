import Foundation
import Testing

@testable import Ferry

@Suite struct `Codable values in archives` {
  typealias Person = CodingSamples.Person
  typealias Everything = CodingSamples.Everything

  private func encoder(_ format: KeyedArchiveEncoder.OutputFormat) -> KeyedArchiveEncoder {
    var encoder = KeyedArchiveEncoder()
    encoder.outputFormat = format
    return encoder
  }

  private func cycle<T: Codable>(
    _ value: T, _ format: KeyedArchiveEncoder.OutputFormat = .binary
  ) throws -> T {
    try KeyedArchiveDecoder().decode(T.self, from: encoder(format).encode(value))
  }

  @Test(arguments: [KeyedArchiveEncoder.OutputFormat.binary, .xml])
  func `A value of every type comes back from a binary and an XML archive`(
    _ format: KeyedArchiveEncoder.OutputFormat
  ) throws {
    let value = Everything()
    #expect(try cycle(value, format) == value)
    var other = value
    (other.missing, other.point, other.shape) = ("here", nil, .none)
    #expect(try cycle(other, format) == other)
  }

  @Test func `A single value is encoded as the root`() throws {
    #expect(try cycle("text") == "text")
    #expect(try cycle(5) == 5)
    #expect(try cycle(true) == true)
    #expect(try cycle(2.5 as Double) == 2.5)
    #expect(try cycle(Float(2.5)) == 2.5)
    #expect(try cycle(Date(timeIntervalSinceReferenceDate: 0.25)).timeIntervalSinceReferenceDate == 0.25)
    #expect(try cycle(Data([1])) == Data([1]))
    #expect(try cycle([UInt8]()) == [])
    #expect(try cycle([Int]()) == [])
    #expect(try cycle([String: Int]()) == [:])
    #expect(try cycle(Int?.none) == nil)
    #expect(try cycle(Int?.some(3)) == 3)
    #expect(try cycle(CodingSamples.Color.red) == .red)
    #expect(try cycle(Int128(UInt64.max)) == Int128(UInt64.max))
  }

  @Test func `The least and the greatest integer of every type come back`() throws {
    func both<T: FixedWidthInteger & Codable>(_ type: T.Type) throws {
      #expect(try cycle([T.min, T.max]) == [T.min, T.max])
    }
    try both(Int.self)
    try both(Int8.self)
    try both(Int16.self)
    try both(Int32.self)
    try both(Int64.self)
    try both(UInt.self)
    try both(UInt8.self)
    try both(UInt16.self)
    try both(UInt32.self)
    try both(UInt64.self)
  }

  @Test func `Reals of every kind come back`() throws {
    let reals = [0, -0.0, .pi, .infinity, -.infinity, .leastNonzeroMagnitude, .greatestFiniteMagnitude]
    #expect(try cycle(reals).map(\.bitPattern) == reals.map(\.bitPattern))
    #expect(try cycle([Double.nan])[0].isNaN)
    #expect(try cycle([Float.nan, .infinity])[1] == .infinity)
  }

  @Test(arguments: [
    "0", "1", "-1", "0.1", "-12.50", "1e127", "1e-127", "340282366920938463463374607431768211455",
    "99999999999999999999999999999999999999", "3.14159265358979323846264338327950288419",
  ])
  func `Decimals of every size come back`(_ text: String) throws {
    let decimal = try #require(Decimal(string: text))
    #expect(try cycle(decimal) == decimal)
    #expect(try cycle(["d": decimal])["d"] == decimal)
  }

  @Test func `A decimal that is not a number comes back`() throws { #expect(try cycle(Decimal.nan).isNaN) }

  @Test func `A URL comes back with its base`() throws {
    let url = try #require(URL(string: "a/b?c=d", relativeTo: URL(string: "https://www.example.org/x/")))
    let back = try cycle(url)
    #expect(back == url)
    #expect(back.relativeString == "a/b?c=d")
    #expect(back.baseURL?.absoluteString == "https://www.example.org/x/")
  }

  @Test func `The keys of a subclass and of its superclass stand side by side`() throws {
    let bytes = try KeyedArchiveEncoder().encode(CodingSamples.Dog(name: "Rex", tricks: ["sit"]))
    #expect(try Archived.value(bytes)["name"] == "Rex")
    #expect(try Archived.value(bytes)["tricks"] == ["sit"])
    let dog = try KeyedArchiveDecoder().decode(CodingSamples.Dog.self, from: bytes)
    #expect(dog.name == "Rex")
    #expect(dog.tricks == ["sit"])
  }

  @Test func `An instance that is encoded twice is one object and comes back as one instance`() throws {
    let shared = CodingSamples.Node("shared")
    let back = try cycle([shared, CodingSamples.Node("other", next: shared), shared])
    #expect(back.map(\.name) == ["shared", "other", "shared"])
    #expect(back[0] === back[2])
    #expect(back[0] === back[1].next)
  }

  @Test func `Instances that refer to each other are encoded, and refused when they are decoded`() throws {
    let first = CodingSamples.Node("first")
    first.next = CodingSamples.Node("second", next: first)
    let bytes = try KeyedArchiveEncoder().encode(first)
    first.next = nil
    #expect(try Archived.value(bytes)["next"]?["next"] == .reference(1))
    let error = #expect(throws: DecodingError.self) {
      try KeyedArchiveDecoder().decode(CodingSamples.Node.self, from: bytes)
    }
    #expect("\(try #require(error))".contains("contains itself"))
  }

  @Test func `Coding keys may have other names in the archive`() throws {
    struct Contact: Codable, Equatable {
      var firstName: String
      var lastName: String
    }
    var classes = ClassMap()
    classes.add(Contact.self, as: "MyApp.Person", keys: ["firstName": "first", "lastName": "last"])
    let contact = Contact(firstName: "Ada", lastName: "L")
    let bytes = try KeyedArchiveEncoder(classes: classes).encode([contact])
    #expect(
      try Archived.value(bytes).sorted == [
        .object(ObjectValue(ObjectClass("MyApp.Person"), content: ["first": "Ada", "last": "L"]))
      ])
    #expect(try KeyedArchiveDecoder(classes: classes).decode([Contact].self, from: bytes) == [contact])
  }

  @Test func `Every key can have the name that the type gives it`() throws {
    struct Keys: Decodable {
      enum CodingKeys: CodingKey { case firstName, last, other }
      var all: Set<String>
      init(from decoder: any Decoder) throws {
        all = Set(try decoder.container(keyedBy: CodingKeys.self).allKeys.map(\.stringValue))
      }
    }
    let bytes = try KeyedArchiveEncoder().encode(Person(last: "L", first: "F"))
    var classes = ClassMap()
    classes.add(Keys.self, as: "Person", keys: ["firstName": "first"])
    #expect(
      try KeyedArchiveDecoder(classes: classes).decode(Keys.self, from: bytes).all == ["firstName", "last"])
  }

  @Test func `Names that begin with a dollar sign are escaped and come back`() throws {
    struct Dollars: Codable, Equatable {
      enum CodingKeys: String, CodingKey { case type = "$class", other = "$x" }
      var type: String
      var other: Int
    }
    let value = Dollars(type: "t", other: 1)
    #expect(try cycle(value) == value)
    #expect(try cycle(["$class": 1, "$null": 2]) == ["$class": 1, "$null": 2])
  }

  @Test
  func `Nil is encoded if an app would look for an object, and omitted if it would look for a number`()
    throws
  {
    struct Optionals: Codable {
      var text: String?
      var date: Date?
      var list: [Int]?
      var number: Int?
      var real: Double?
      var yes: Bool?
    }
    let bytes = try KeyedArchiveEncoder().encode(Optionals())
    let fields = try #require(try Archived.raw(bytes)["$objects"]?[1])
    #expect(fields["text"] == .uid(0))
    #expect(fields["date"] == .uid(0))
    #expect(fields["list"] == .uid(0))
    #expect(fields["number"] == nil)
    #expect(fields["real"] == nil)
    #expect(fields["yes"] == nil)
    let back = try KeyedArchiveDecoder().decode(Optionals.self, from: bytes)
    #expect(back.text == nil && back.date == nil && back.number == nil)
  }

  @Test func `Equal values are encoded to equal bytes`() throws {
    let words = (0..<100).map { "word\($0)" }
    let bytes = try KeyedArchiveEncoder().encode(Dictionary(uniqueKeysWithValues: zip(words, 0...)))
    let again = try KeyedArchiveEncoder().encode(
      Dictionary(uniqueKeysWithValues: zip(words, 0...).reversed()))
    #expect(bytes == again)
    #expect(
      try KeyedArchiveEncoder().encode(Set(words)) == KeyedArchiveEncoder().encode(Set(words.shuffled())))
  }

  @Test func `Types see the user information of the caller`() throws {
    struct Told: Codable {
      static let key = CodingUserInfoKey(rawValue: "word")
      var word: String?
      init() {}
      init(from decoder: any Decoder) throws { word = Self.key.flatMap { decoder.userInfo[$0] as? String } }
      func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(Self.key.flatMap { encoder.userInfo[$0] as? String })
      }
    }
    let key = try #require(Told.key)
    var encoder = KeyedArchiveEncoder()
    encoder.userInfo[key] = "outward"
    let bytes = try encoder.encode(Told())
    #expect(try KeyedArchiveDecoder().decode(String.self, from: bytes) == "outward")
    var decoder = KeyedArchiveDecoder()
    decoder.userInfo[key] = "inward"
    #expect(try decoder.decode(Told.self, from: bytes).word == "inward")
  }

  @Test func `Nested containers come back in any order`() throws {
    struct Nested: Codable, Equatable {
      enum Outer: CodingKey { case list, inner, above }
      enum Inner: CodingKey { case a, b }
      var values: [Int]
      init(_ values: [Int]) { self.values = values }
      init(from decoder: any Decoder) throws {
        let outer = try decoder.container(keyedBy: Outer.self)
        var list = try outer.nestedUnkeyedContainer(forKey: .list)
        let first = try list.nestedContainer(keyedBy: Inner.self)
        var second = try list.nestedUnkeyedContainer()
        let third = try list.superDecoder().singleValueContainer().decode(Int.self)
        #expect(list.isAtEnd)
        let inner = try outer.nestedContainer(keyedBy: Inner.self, forKey: .inner)
        let above = try outer.superDecoder(forKey: .above).singleValueContainer().decode(Int.self)
        values = [
          try first.decode(Int.self, forKey: .a), try second.decode(Int.self), third,
          try inner.decode(Int.self, forKey: .b), above,
        ]
      }
      func encode(to encoder: any Encoder) throws {
        var outer = encoder.container(keyedBy: Outer.self)
        var list = outer.nestedUnkeyedContainer(forKey: .list)
        var inner = outer.nestedContainer(keyedBy: Inner.self, forKey: .inner)
        var above = outer.superEncoder(forKey: .above).singleValueContainer()
        var first = list.nestedContainer(keyedBy: Inner.self)
        var second = list.nestedUnkeyedContainer()
        var third = list.superEncoder().singleValueContainer()
        try above.encode(values[4])
        try third.encode(values[2])
        try inner.encode(values[3], forKey: .b)
        try second.encode(values[1])
        try first.encode(values[0], forKey: .a)
      }
    }
    #expect(try cycle(Nested([1, 2, 3, 4, 5])) == Nested([1, 2, 3, 4, 5]))
  }
}

@Suite struct `Objects of several classes` {
  private protocol Shape {
    var area: Double { get }
  }
  private struct Circle: Codable, Shape, ArchivedClass, Equatable {
    static let archivedClassName = "Circle"
    static let formerClassNames = ["OldCircle"]
    var radius: Double
    var area: Double { radius * radius * 3 }
  }
  private struct Square: Codable, Shape, Equatable {
    var side: Double
    var area: Double { side * side }
  }
  private enum AnyShape: Codable {
    case circle(Circle)
    case square(Square)
    init(from decoder: any Decoder) throws {
      switch decoder.archivedClass?.name {
      case "Circle": self = .circle(try Circle(from: decoder))
      default: self = .square(try Square(from: decoder))
      }
    }
    func encode(to encoder: any Encoder) throws {
      var container = encoder.singleValueContainer()
      switch self {
      case .circle(let circle): try container.encode(circle)
      case .square(let square): try container.encode(square)
      }
    }
  }

  private var classes: ClassMap {
    var classes = ClassMap()
    classes.add(Circle.self)
    classes.add(Square.self, as: "MyApp.Square")
    return classes
  }

  @Test func `Objects of several classes are decoded by a map from classes to types`() throws {
    let shapes: [any Shape] = [Circle(radius: 1), Square(side: 2)]
    let bytes = try KeyedArchiveEncoder(classes: classes).encode(shapes.map { Polymorphic($0) })
    #expect(try Archived.value(bytes)[1]?["side"] == 2.0)
    let back = try KeyedArchiveDecoder(classes: classes).decode([Polymorphic<any Shape>].self, from: bytes)
    #expect(back.map(\.value.area) == [3, 4])
    #expect(back[1].value as? Square == Square(side: 2))
  }

  @Test func `An object of one of several classes is refused by a format without classes`() throws {
    let shapes: [Polymorphic<any Shape>] = [Polymorphic(Circle(radius: 1))]
    let words = "the class of a Polymorphic value is known only in a keyed archive"
    for format in [Format.json, .xml, .csv, .binaryPropertyList, .yaml] {
      let error = #expect(throws: EncodingError.self) {
        try FerryEncoder(to: format, classes: classes).encode(shapes)
      }
      let text = "\(try #require(error))"
      #expect(text.contains(words), "\(format): \(text)")
    }
    #expect(throws: EncodingError.self) { try FerryEncoder(to: .json, classes: classes).value(of: shapes) }
    let decoded = #expect(throws: DecodingError.self) {
      try FerryDecoder(classes: classes)
        .decode([Polymorphic<any Shape>].self, from: Array(#"[{"radius":1}]"#.utf8))
    }
    let cause = decoded?.context?.underlyingError as? FerryError
    #expect(cause?.code == "coding.not-decodable", "\(decoded as Any)")
    let bytes = try FerryEncoder(to: .archive, classes: classes).encode(shapes)
    let back = try FerryDecoder(classes: classes).decode([Polymorphic<any Shape>].self, from: bytes)
    #expect(back.map(\.value.area) == [3])
  }

  @Test func `Objects of several classes are decoded by an enum that asks for the class`() throws {
    let bytes = try KeyedArchiveEncoder(classes: classes)
      .encode([AnyShape.square(Square(side: 2)), .circle(Circle(radius: 1))])
    let back = try KeyedArchiveDecoder().decode([AnyShape].self, from: bytes)
    guard case .square(let square) = back[0], case .circle(let circle) = back[1] else {
      Issue.record("other cases: \(back)")
      return
    }
    #expect(square.side == 2)
    #expect(circle.radius == 1)
  }

  @Test func `An object whose class has no type is refused with the name of the class`() throws {
    let bytes = try KeyedArchiveEncoder(classes: classes).encode([Square(side: 2)])
    var fewer = ClassMap()
    fewer.add(Circle.self)
    let error = #expect(throws: DecodingError.self) {
      try KeyedArchiveDecoder(classes: fewer).decode([Polymorphic<any Shape>].self, from: bytes)
    }
    let text = "\(try #require(error))"
    #expect(text.contains("no type is known for the class MyApp.Square; known are Circle, OldCircle"))
  }

  @Test func `A class with several types is decoded as the type that is asked for, but not chosen`() throws {
    struct Ring: Codable, Equatable { var radius: Double }
    var both = ClassMap()
    both.add(Circle.self, as: "Circle")
    both.add(Circle.self, as: "Circle")
    both.add(Ring.self, as: "Circle")
    let bytes = try KeyedArchiveEncoder(classes: both).encode([Circle(radius: 2)])
    let decoder = KeyedArchiveDecoder(classes: both)
    #expect(try decoder.decode([Ring].self, from: bytes) == [Ring(radius: 2)])
    let error = #expect(throws: DecodingError.self) {
      try decoder.decode([Polymorphic<any Decodable>].self, from: bytes)
    }
    let cause = error?.context?.underlyingError as? FerryError
    #expect(cause?.code == "coding.several-types")
    #expect(
      cause?.description.hasSuffix(
        "the class Circle has several types in the ClassMap: Circle, Ring (at [0])") == true,
      "\(error as Any)")
  }

  @Test func `A key of the map that is not a coding key of its type is refused`() throws {
    class Named: Codable {
      var name = "n"
      init() {}
    }
    final class Titled: Named {
      enum CodingKeys: CodingKey { case title }
      var title = "t"
      override init() { super.init() }
      required init(from decoder: any Decoder) throws {
        title = try decoder.container(keyedBy: CodingKeys.self).decode(String.self, forKey: .title)
        try super.init(from: decoder)
      }
      override func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode(title, forKey: .title)
        try super.encode(to: encoder)
      }
    }
    var right = ClassMap()
    right.add(Titled.self, as: "Titled", keys: ["name": "label", "title": "caption"])
    let bytes = try KeyedArchiveEncoder(classes: right).encode(Titled())
    #expect(try KeyedArchiveDecoder(classes: right).decode(Titled.self, from: bytes).name == "n")
    var wrong = ClassMap()
    wrong.add(Titled.self, as: "Titled", keys: ["nmae": "label", "title": "caption"])
    let message = "the ClassMap has the key \"nmae\", which is not a coding key of Titled"
    let encoding = #expect(throws: EncodingError.self) {
      try KeyedArchiveEncoder(classes: wrong).encode(Titled())
    }
    #expect("\(encoding as Any)".contains(message), "\(encoding as Any)")
    var fewer = ClassMap()
    fewer.add(Titled.self, as: "Titled", keys: ["title": "caption"])
    let named = try KeyedArchiveEncoder(classes: fewer).encode(Titled())
    let decoding = #expect(throws: DecodingError.self) {
      try KeyedArchiveDecoder(classes: wrong).decode(Titled.self, from: named)
    }
    #expect("\(decoding as Any)".contains(message), "\(decoding as Any)")
  }

  @Test func `Former names of a class are read`() throws {
    var old = ClassMap()
    old.add(Circle.self, as: "OldCircle")
    let bytes = try KeyedArchiveEncoder(classes: old).encode(Circle(radius: 2))
    #expect(try KeyedArchiveDecoder().decode(Circle.self, from: bytes) == Circle(radius: 2))
    #expect(
      try KeyedArchiveDecoder(classes: classes).decode(Polymorphic<Circle>.self, from: bytes).value.radius
        == 2)
  }

  @Test func `An object of a subclass is decoded as its superclass`() throws {
    var sub = ClassMap()
    sub.add(Circle.self, as: "Ring", superclasses: ["Circle"])
    let bytes = try KeyedArchiveEncoder(classes: sub).encode(Circle(radius: 2))
    #expect(try KeyedArchiveDecoder().decode(Circle.self, from: bytes).radius == 2)
  }
}
