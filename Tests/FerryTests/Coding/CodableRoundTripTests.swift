import Foundation
import Testing
import TestSupport

@testable import Ferry

/// A number that equals itself, also if it is NaN.
private struct Real: Codable, Equatable {
  var value: Double

  init(_ value: Double) { self.value = value }
  init(from decoder: any Decoder) throws { value = try decoder.singleValueContainer().decode(Double.self) }
  func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    try container.encode(value)
  }
  static func == (a: Real, b: Real) -> Bool { a.value == b.value || a.value.isNaN && b.value.isNaN }
}

private enum Shape: Codable, Hashable {
  case empty
  case named(String)
  case box(width: Int, label: String?)
}

private enum Level: Int, Codable, Hashable, CodingKeyRepresentable { case low = 1, high }

private enum Color: String, Codable, Hashable, CodingKeyRepresentable { case red, green }

/// A key whose name is not its encoded form.
private struct Label: Codable, Hashable, CodingKeyRepresentable {
  var name: String

  init(_ name: String) { self.name = name }
  init?<T: CodingKey>(codingKey: T) { name = String(codingKey.stringValue.dropFirst()) }
  var codingKey: any CodingKey { ValueKey(stringValue: "-\(name)") }
}

private struct Point: Codable, Hashable {
  var x: Int
  var y: Int?
}

private struct Inner: Codable, Hashable {
  var name: String?
  var tags: [String]?
  var point: Point?
}

private struct Everything: Codable, Equatable {
  var text = "a"
  var optionalText: String?
  var number: Int?
  var big: UInt64 = 1
  var real = Real(0.5)
  var single: Float?
  var flag: Bool?
  var list: [String] = []
  var optionalList: [String]?
  var numbers: [Int] = []
  var optionals: [Int?] = []
  var texts: [String?] = []
  var lists: [[Int]] = []
  var inner: Inner?
  var inners: [Inner] = []
  var optionalInners: [Inner?] = []
  var counts: [String: Int] = [:]
  var optionalCounts: [String: Int?]?
  var textsByName: [String: String?] = [:]
  var listsByName: [String: [String]] = [:]
  var byNumber: [Int: String] = [:]
  var byLevel: [Level: String] = [:]
  var byColor: [Color: Int] = [:]
  var byLabel: [Label: Int] = [:]
  var byID: [UUID: Int] = [:]
  var byPoint: [Point: String] = [:]
  var byReal: [Double: Bool] = [:]
  var shape: Shape?
  var shapes: [Shape] = []
  var level: Level?
  var color: Color?
  var date: Date?
  var data: Data?
  var bytes: [UInt8]?
  var url: URL?
  var id: UUID?
  var decimal: Decimal?
  var set: Set<Int> = []
}

/// Random values from a seed. The same few kinds of values occur often: empty ones, nil, and those that look like others.
private struct RandomValues {
  var numbers: SeededGenerator

  mutating func int(_ count: Int) -> Int { Int.random(in: 0..<count, using: &numbers) }
  mutating func maybe<T>(_ make: (inout RandomValues) -> T) -> T? { int(3) == 0 ? nil : make(&self) }
  mutating func list<T>(_ make: (inout RandomValues) -> T) -> [T] {
    let count = int(3)
    return (0..<count).map { _ in make(&self) }
  }
  mutating func entries<K: Hashable, V>(
    _ key: (inout RandomValues) -> K, _ value: (inout RandomValues) -> V
  ) -> [K: V] {
    var entries: [K: V] = [:]
    for _ in 0..<int(3) { entries[key(&self)] = value(&self) }
    return entries
  }

  private static let texts = [
    "", "a", " ", " b ", "null", "1", "true", "é 😀", "a\nb", "\r\n", "<&>", "\"q\"", "a,b;c", "[1]", "{}",
    "@x", "#t", "~",
    "NaN", "-", "value", "$null",
  ]
  mutating func text() -> String { Self.texts[int(Self.texts.count)] }
  mutating func number() -> Int { [0, 1, -1, 42, .max, .min][int(6)] }
  mutating func big() -> UInt64 { [0, 1, .max, 1 << 63][int(4)] }
  mutating func real() -> Real {
    Real(
      [
        0, -0.0, 0.1, 1e22, -1.5, .nan, .infinity, -.infinity, .leastNonzeroMagnitude,
        .greatestFiniteMagnitude,
      ][int(10)])
  }
  mutating func single() -> Float { [0, 0.1, -2.5, .greatestFiniteMagnitude, .infinity][int(5)] }
  mutating func point() -> Point { Point(x: int(3), y: maybe { $0.int(3) }) }
  mutating func inner() -> Inner {
    Inner(name: maybe { $0.text() }, tags: maybe { $0.list { $0.text() } }, point: maybe { $0.point() })
  }
  mutating func shape() -> Shape {
    switch int(3) {
    case 0: .empty
    case 1: .named(text())
    default: .box(width: number(), label: maybe { $0.text() })
    }
  }
  mutating func id() -> UUID {
    let byte = UInt8(int(3))
    return UUID(uuid: (byte, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15))
  }
  mutating func date() -> Date { Date(timeIntervalSinceReferenceDate: [0, -1, 1e9, -6e10][int(4)]) }
  mutating func data() -> Data { [Data(), Data([0]), Data([1, 2, 255])][int(3)] }
  mutating func decimal() -> Decimal {
    [Decimal(0), Decimal(12), Decimal(sign: .minus, exponent: -2, significand: 125)][int(3)]
  }

  /// Returns a value in which a few properties differ from the usual ones, which every format holds.
  mutating func everything() -> Everything {
    var value = Everything()
    for _ in 0...int(4) { change(&value) }
    return value
  }

  private mutating func change(_ value: inout Everything) {
    switch int(38) {
    case 0: value.text = text()
    case 1: value.optionalText = text()
    case 2: value.number = number()
    case 3: value.big = big()
    case 4: value.real = real()
    case 5: value.single = single()
    case 6: value.flag = int(2) == 0
    case 7: value.list = list { $0.text() }
    case 8: value.optionalList = list { $0.text() }
    case 9: value.numbers = list { $0.number() }
    case 10: value.optionals = list { $0.maybe { $0.number() } }
    case 11: value.texts = list { $0.maybe { $0.text() } }
    case 12: value.lists = list { $0.list { $0.number() } }
    case 13: value.inner = inner()
    case 14: value.inners = list { $0.inner() }
    case 15: value.optionalInners = list { $0.maybe { $0.inner() } }
    case 16: value.counts = entries({ $0.text() }, { $0.number() })
    case 17: value.optionalCounts = entries({ $0.text() }, { $0.maybe { $0.number() } })
    case 18: value.textsByName = entries({ $0.text() }, { $0.maybe { $0.text() } })
    case 19: value.listsByName = entries({ $0.text() }, { $0.list { $0.text() } })
    case 20: value.byNumber = entries({ $0.number() }, { $0.text() })
    case 21: value.byLevel = entries({ $0.int(2) == 0 ? .low : .high }, { $0.text() })
    case 22: value.byColor = entries({ $0.int(2) == 0 ? .red : .green }, { $0.number() })
    case 23: value.byLabel = entries({ Label($0.text()) }, { $0.number() })
    case 24: value.byID = entries({ $0.id() }, { $0.number() })
    case 25: value.byPoint = entries({ $0.point() }, { $0.text() })
    case 26: value.byReal = entries({ Double($0.int(3)) / 2 }, { $0.int(2) == 0 })
    case 27: value.shape = shape()
    case 28: value.shapes = list { $0.shape() }
    case 29: value.level = .high
    case 30: value.color = .green
    case 31: value.date = date()
    case 32: value.data = data()
    case 33: value.bytes = Array(data())
    case 34: value.url = URL(string: "https://example.org/a?b=c")
    case 35: value.id = id()
    case 36: value.decimal = decimal()
    default: value.set = Set(list { $0.number() })
    }
  }
}

/// The number of values of a test that a format takes, and that it refuses.
private struct Outcome {
  let format: Format
  private(set) var (taken, refused) = (0, 0)

  init(_ format: Format) { self.format = format }

  /// Expects that the encoder refuses a value, or that it comes back.
  mutating func check<T: Codable & Equatable>(_ value: T) {
    let bytes: [UInt8]
    do { bytes = try FerryEncoder(to: format).encode(value) } catch {
      guard case EncodingError.invalidValue = error else {
        Issue.record("\(format): \(value)\n\(error)")
        return
      }
      refused += 1
      return
    }
    taken += 1
    var decoder = FerryDecoder()
    decoder.reading.format = format
    do {
      let back = try decoder.decode(T.self, from: bytes)
      guard back != value else { return }
      Issue.record(
        "\(format): \(value)\nbecame \(back)\nin \(String(decoding: bytes.prefix(2000), as: UTF8.self))")
    } catch {
      Issue.record("\(format): \(value)\n\(error)\nin \(String(decoding: bytes.prefix(2000), as: UTF8.self))")
    }
  }
}

@Suite struct `Values of types that come back from every format` {
  /// The formats of files that the decoder reads from memory.
  private static let formats = Format.written.filter { $0.canRead && $0 != .sqlite }
  /// The formats that take a value with the usual properties.
  private static let general = Format.general.filter { $0.canRead }

  @Test(arguments: formats)
  func `A random value of a type is refused, or comes back from a format`(_ format: Format) {
    var outcome = Outcome(format)
    for seed in 0..<150 {
      var values = RandomValues(numbers: SeededGenerator(seed: UInt64(seed)))
      outcome.check(values.everything())
      outcome.check(values.list { $0.everything() })
      outcome.check(values.maybe { $0.everything() })
      outcome.check(values.entries({ $0.text() }, { $0.everything() }))
    }
    if Self.general.contains(format) { #expect(outcome.taken > 50, "\(format): \(outcome)") }
  }

  @Test(arguments: formats)
  func `A random list, dictionary, enumeration or scalar is refused, or comes back from a format`(
    _ format: Format
  ) {
    var outcome = Outcome(format)
    for seed in 0..<100 {
      var values = RandomValues(numbers: SeededGenerator(seed: UInt64(seed)))
      outcome.check(values.text())
      outcome.check(values.number())
      outcome.check(values.big())
      outcome.check(values.real())
      outcome.check(values.int(2) == 0)
      outcome.check(values.list { $0.text() })
      outcome.check(values.list { $0.number() })
      outcome.check(values.list { $0.real() })
      outcome.check(values.list { $0.maybe { $0.text() } })
      outcome.check(values.list { $0.maybe { $0.number() } })
      outcome.check(values.list { $0.list { $0.number() } })
      outcome.check(values.list { $0.inner() })
      outcome.check(values.list { $0.point() })
      outcome.check(values.list { $0.maybe { $0.point() } })
      outcome.check(values.list { $0.entries({ $0.text() }, { $0.number() }) })
      outcome.check(values.list { $0.entries({ $0.text() }, { $0.maybe { $0.text() } }) })
      outcome.check(values.entries({ $0.text() }, { $0.text() }))
      outcome.check(values.entries({ $0.number() }, { $0.list { $0.text() } }))
      outcome.check(values.entries({ $0.id() }, { $0.maybe { $0.number() } }))
      outcome.check(values.entries({ $0.point() }, { $0.inner() }))
      outcome.check(values.shape())
      outcome.check(values.list { $0.shape() })
      outcome.check(values.maybe { $0.text() })
      outcome.check(values.maybe { $0.inner() })
      outcome.check(values.data())
      outcome.check(values.date())
      outcome.check(values.id())
      outcome.check(values.decimal())
      outcome.check(Set(values.list { $0.number() }))
    }
    if Self.general.contains(format) { #expect(outcome.taken > 500, "\(format): \(outcome)") }
  }

  private func back<T: Codable>(_ value: T, _ format: Format) throws -> T {
    var decoder = FerryDecoder()
    decoder.reading.format = format
    return try decoder.decode(T.self, from: FerryEncoder(to: format).encode(value))
  }

  private func encoded(_ value: some Encodable, _ format: Format) throws -> String {
    String(decoding: try FerryEncoder(to: format).encode(value), as: UTF8.self)
  }

  // MARK: Keys

  @Test(arguments: general)
  func `Dictionaries with keys of any type come back from every format`(_ format: Format) throws {
    let id = try #require(UUID(uuidString: "E621E1F8-C36C-495A-93FC-0C247A3E6E5F"))
    #expect(try back([1: "a", -2: "b"], format) == [1: "a", -2: "b"])
    #expect(try back([Level.high: "a"], format) == [.high: "a"])
    #expect(try back([Color.red: "a"], format) == [.red: "a"])
    #expect(try back([Label("x"): "a"], format) == [Label("x"): "a"])
    #expect(try back([id: "a"], format) == [id: "a"])
    #expect(try back([0.5: "a"], format) == [0.5: "a"])
    #expect(try back([true: "a"], format) == [true: "a"])
    #expect(try back([Point(x: 1, y: 2): "a"], format) == [Point(x: 1, y: 2): "a"])
  }

  @Test func `A key that does not equal itself has its value in the file`() throws {
    let counts = [Double.nan: "first", 1: "second"]
    let value = Value.dictionary([.real(1): "second", .real(.nan): "first"])
    #expect(try Value(encoding: counts) == value)
    let (bytes, _) = try FerryEncoder(to: .json).encodeWithLosses(counts)
    let text = String(decoding: bytes, as: UTF8.self)
    #expect(text.contains("first") && text.contains("second"))
    #expect(try back(counts, .archive).count == 2)
    let dates = [Date(timeIntervalSinceReferenceDate: .nan): 1, Date(timeIntervalSinceReferenceDate: 0): 2]
    #expect(try Value(encoding: dates).dictionaryValue?.count == 2)
  }

  @Test func `Two keys that a file could not tell apart are refused`() throws {
    var reals: [Double: Int] = [:]
    for number in 1...2 { reals[.nan] = number }
    #expect(reals.count == 2)
    let failure = #expect(throws: EncodingError.self) { try FerryEncoder(to: .json).encode(["a": reals]) }
    guard case .invalidValue(_, let context)? = failure else { return }
    #expect(context.codingPath.first?.stringValue == "a")
    #expect(context.debugDescription.contains("two keys of the dictionary are encoded as"))
    struct Point: Hashable, Encodable { var x: Double }
    #expect(throws: EncodingError.self) {
      try FerryEncoder(to: .json).encode([Point(x: .nan): 1, Point(x: .nan): 2])
    }
  }

  @Test func `Keys that are numbers in the file are those of a type`() throws {
    let yaml = Array("1: a\n2: b\n".utf8)
    #expect(try FerryDecoder().decode([Int: String].self, from: yaml, named: "a.yaml") == [1: "a", 2: "b"])
    #expect(
      try FerryDecoder().decode([String: String].self, from: yaml, named: "a.yaml") == ["1": "a", "2": "b"])
    #expect(
      try FerryDecoder().decode([Level: String].self, from: yaml, named: "a.yaml") == [.low: "a", .high: "b"])
    #expect(
      try FerryDecoder().decode([Double: String].self, from: yaml, named: "a.yaml") == [1: "a", 2: "b"])
    struct Named: Decodable {
      var first: String
      enum CodingKeys: String, CodingKey { case first = "1" }
    }
    #expect(try FerryDecoder().decode(Named.self, from: yaml, named: "a.yaml").first == "a")
    let path = ValuePath([.key("2")])
    #expect(try FerryDecoder().decode(String.self, from: yaml, named: "a.yaml", at: path) == "b")
    let error = #expect(throws: DecodingError.self) {
      try FerryDecoder().decode([Int: Int].self, from: Array("1: 1\n2: b\n".utf8), named: "a.yaml")
    }
    #expect(error?.context?.debugDescription.hasPrefix("2:") == true, "\(error as Any)")
  }

  @Test func `A list of keys and values, as JSONEncoder writes it, is a dictionary`() throws {
    let id = try #require(UUID(uuidString: "E621E1F8-C36C-495A-93FC-0C247A3E6E5F"))
    let json = try JSONEncoder().encode([Point(x: 1): 2])
    #expect(try FerryDecoder().decode([Point: Int].self, from: json) == [Point(x: 1): 2])
    let text = #"{"E621E1F8-C36C-495A-93FC-0C247A3E6E5F":2}"#
    #expect(try FerryDecoder().decode([UUID: Int].self, from: text.utf8) == [id: 2])
    #expect(throws: DecodingError.self) {
      try FerryDecoder().decode([UUID: Int].self, from: #"{"x":2}"#.utf8)
    }
  }

  // MARK: Nil and empty values

  private struct Row: Codable, Equatable {
    var name: String?
    var tags: [String]?
    var age: Int?
  }

  @Test func `Nil becomes no element in XML, and an empty text is an empty one`() throws {
    #expect(
      try encoded(Row(name: "", age: 1), .xml)
        == "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<root>\n  <name/>\n  <age>1</age>\n</root>\n")
    #expect(try back(Row(name: "", age: nil), .xml) == Row(name: "", age: nil))
    #expect(try back(Row(), .xml) == Row())
    #expect(try back([Row(), Row(name: "")], .xml) == [Row(), Row(name: "")])
    let (bytes, losses) = try FerryEncoder(to: .xml).encodeWithLosses(Row(age: 1))
    #expect(String(decoding: bytes, as: UTF8.self).contains("<age>1</age>"))
    #expect(losses.listed.filter { $0.kind == .nullLeftOut }.map(\.path.description) == ["name", "tags"])
  }

  @Test func `Nil is an empty cell of CSV, and an empty text has quotation marks`() throws {
    let rows = [Row(name: "", age: 1), Row(tags: [], age: 2), Row(name: "a", tags: ["", "b"])]
    #expect(
      try encoded(rows, .csv) == "name,tags,age\n\"\",,1\n,[],2\na,\"[\"\"\"\",\"\"b\"\"]\",\n")
    #expect(try back(rows, .csv) == rows)
    struct Required: Decodable, Equatable {
      var name: String
      var age: Int?
      var tags: [String]
    }
    #expect(
      try FerryDecoder().decode([Required].self, from: "name,age,tags\n,,\n".utf8, named: "a.csv")
        == [Required(name: "", age: nil, tags: [])])
  }

  private struct Unit: Codable, Equatable {
    var id: Int?
    var name: String?
    var text: String

    enum CodingKeys: String, CodingKey { case id = "@id", name, text = "#text" }
  }

  @Test func `An empty text beside attributes needs no element`() throws {
    let head = "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"
    let units = [Unit(id: 2, text: ""), Unit(text: ""), Unit(id: 2, name: "a", text: "")]
    #expect(try encoded(units[0], .xml) == head + "<root id=\"2\"/>\n")
    #expect(try encoded(units[1], .xml) == head + "<root/>\n")
    #expect(try encoded(units[2], .xml) == head + "<root id=\"2\">\n  <name>a</name>\n</root>\n")
    for unit in units { #expect(try back(unit, .xml) == unit) }
    #expect(try back(units, .xml) == units)
  }

  @Test func `An empty list in an optional is refused in XML, and one in a property comes back`() throws {
    let failure = #expect(throws: EncodingError.self) {
      try FerryEncoder(to: .xml).encode(Row(name: "a", tags: []))
    }
    guard case .invalidValue(_, let context)? = failure else { return }
    #expect((context.underlyingError as? FerryError)?.reason == .loss(.emptyCollection))
    #expect(context.codingPath.map(\.stringValue) == ["tags"])
    #expect(try back(Row(name: "a", tags: [""]), .xml) == Row(name: "a", tags: [""]))
    #expect(try back(["a": [Int]()], .json) == ["a": []])
    #expect(throws: EncodingError.self) { try FerryEncoder(to: .xml).encode(["a": [Int]()]) }
    struct Required: Codable, Equatable { var tags: [String] }
    #expect(try back(Required(tags: []), .xml) == Required(tags: []))
  }

  @Test(arguments: [Format.xml, .csv, .xmlPropertyList, .openStepPropertyList, .gnustepPropertyList])
  func `Nil in a dictionary is refused by a format without nulls`(_ format: Format) throws {
    let value: [String: Int?] = ["a": 1, "b": nil]
    let failure = #expect(throws: EncodingError.self) { try FerryEncoder(to: format).encode(value) }
    guard case .invalidValue(_, let context)? = failure else { return }
    #expect(context.codingPath.last?.stringValue == "b")
    #expect(try !FerryEncoder(to: format).encodeWithLosses(value).losses.isEmpty)
  }

  @Test func `Nil in a list is refused after many properties that are nil`() throws {
    struct Listed: Encodable {
      var name: String?
      var list: [Int?]
    }
    let rows = (0..<10_001).map { Listed(name: nil, list: $0 == 10_000 ? [nil] : []) }
    for format in [Format.xml, .xmlPropertyList] {
      let failure = #expect(throws: EncodingError.self) { try FerryEncoder(to: format).encode(rows) }
      guard case .invalidValue(_, let context)? = failure else { return }
      #expect(ValuePath(context.codingPath).description == "[10000].list[0]", "\(format)")
    }
  }

  @Test func `An empty element is an optional value of a type that has one, and else nil`() throws {
    struct Person: Decodable, Equatable {
      var name: String?
      var age: Int?
      var born: Date?
      var color: Color?
      var inner: Inner?
      var point: Point?
      var counts: [String: Int]?
    }
    let text = "<p><name/><age/><born/><color/><inner/><point/><counts/></p>"
    #expect(
      try FerryDecoder().decode(Person.self, from: text.utf8, named: "a.xml")
        == Person(name: "", inner: Inner(), counts: [:]))
    #expect(try FerryDecoder().decode(Person.self, from: "<p/>".utf8, named: "a.xml") == Person())
  }

  @Test func `An empty text that a table of one column has for nil is refused in an optional`() throws {
    struct One: Codable, Equatable { var name: String? }
    struct Required: Codable, Equatable { var name: String }
    #expect(try back([One(name: nil), One(name: "a")], .csv) == [One(name: nil), One(name: "a")])
    #expect(try back([Required(name: ""), Required(name: "a")], .csv).map(\.name) == ["", "a"])
    let failure = #expect(throws: EncodingError.self) { try FerryEncoder(to: .csv).encode([One(name: "")]) }
    guard case .invalidValue(_, let context)? = failure else { return }
    #expect((context.underlyingError as? FerryError)?.reason == .loss(.emptyText))
    #expect(ValuePath(context.codingPath).description == "[0].name")
  }

  @Test func `A type with one property, and an enumeration, come back from XML`() throws {
    struct One: Codable, Equatable { var name: String }
    #expect(try encoded(One(name: "a"), .xml).hasSuffix("<root>\n  <name>a</name>\n</root>\n"))
    #expect(try back(One(name: "a"), .xml) == One(name: "a"))
    #expect(try back(Shape.named("x"), .xml) == .named("x"))
    #expect(try back(Shape.empty, .xml) == .empty)
    #expect(try back(["a": 1], .xml) == ["a": 1])
  }

  // MARK: Tables and records

  @Test(arguments: [Format.csv, .tsv])
  func `A list of values that are not records is a column of a table`(_ format: Format) throws {
    #expect(try encoded(["a", "", "b"], format) == "value\na\n\"\"\nb\n")
    #expect(try back(["a", "", "b"], format) == ["a", "", "b"])
    #expect(try back([1, -2], format) == [1, -2])
    #expect(try back([1, nil, 2] as [Int?], format) == [1, nil, 2])
    #expect(try back([[1, 2], [], [3]], format) == [[1, 2], [], [3]])
    #expect(try back([Color.red, .green], format) == [.red, .green])
    #expect(try back(5, format) == 5)
    #expect(try back([Shape.empty, .named("")], format) == [.empty, .named("")])
    #expect(
      try FerryDecoder().decode([Int].self, from: "age\n1\n2\n".utf8, named: "a.\(format.rawValue)") == [
        1, 2,
      ])
    var decoder = FerryDecoder()
    decoder.reading.csv.hasHeader = false
    decoder.reading.format = format
    #expect(try decoder.decode([Int].self, from: "1\n2\n".utf8) == [1, 2])
    let second = ValuePath([.index(1)])
    #expect(
      try FerryDecoder().decode(Int.self, from: "n\n1\n2\n".utf8, named: "a.\(format.rawValue)", at: second)
        == 2)
    #expect(throws: DecodingError.self) {
      try FerryDecoder().decode([Int].self, from: "a\tb\n1\t2\n".utf8, named: "a.tsv")
    }
  }

  @Test func `A list of records and other values is not a table`() {
    let mixed: [Value] = [["a": 1], 2]
    #expect(throws: EncodingError.self) { try FerryEncoder(to: .csv).encode(mixed) }
    #expect(throws: EncodingError.self) { try FerryEncoder(to: .csv).encode([Row?.some(Row(age: 1)), nil]) }
  }

  @Test(arguments: [Format.csv, .tsv, .jsonLines, .jsonSequence, .nulSeparatedJSON, .concatenatedJSON])
  func `A single record comes back from a list of records`(_ format: Format) throws {
    let row = Row(name: "a", tags: ["x"], age: 1)
    #expect(try back(row, format) == row)
    #expect(try back([row], format) == [row])
    #expect(try back(["a": 1], format) == ["a": 1])
    #expect(try back("a", format) == "a")
    let text = format.description.shape == .rows ? "name,age\na,x\n" : "{\"name\":\"a\",\"age\":\"x\"}\n"
    guard format == .csv || format == .jsonLines else { return }
    let error = #expect(throws: DecodingError.self) {
      try FerryDecoder().decode(Row.self, from: text.utf8, named: "a.\(format.rawValue)")
    }
    let line = format == .csv ? "2:" : "1:"
    #expect(error?.context?.debugDescription.hasPrefix(line) == true, "\(error as Any)")
  }

  private struct Library: Codable, Equatable {
    var people: [Row]?
    var places: [Row]?
  }

  @Test(.enabled(if: PackageTraits.hasSQLite))
  func `A single list of records under a key is refused by a database, which reads a single table as a list`()
    throws
  {
    struct Only: Codable, Equatable { var people: [Row]? }
    let rows = [Row(name: "Ada", age: 36)]
    for rows in [rows, rows + rows] {
      let failure = #expect(throws: EncodingError.self) {
        try FerryEncoder(to: .sqlite).encode(Only(people: rows))
      }
      guard case .invalidValue(_, let context)? = failure else { return }
      #expect((context.underlyingError as? FerryError)?.reason == .loss(.unwrapped))
      #expect(throws: EncodingError.self) { try FerryEncoder(to: .sqlite).encode(["people": rows]) }
      #expect(throws: EncodingError.self) {
        try FerryEncoder(to: .sqlite).encode(Value(encoding: ["people": rows]))
      }
      let (bytes, losses) = try FerryEncoder(to: .sqlite).encodeWithLosses(["people": rows])
      #expect(losses.listed.map(\.kind).contains(.unwrapped))
      #expect(try FerryDecoder().decode([Row].self, from: bytes) == rows)
      #expect(try back(rows, .sqlite) == rows)
      let library = Library(people: rows, places: [Row(name: "Turin")])
      #expect(try back(library, .sqlite) == library)
    }
  }

  /// Expects that every format refuses a value, or that it comes back.
  private func checkAll<T: Codable & Equatable>(_ value: T) {
    for format in Self.formats + (PackageTraits.hasSQLite ? [.sqlite] : []) {
      var outcome = Outcome(format)
      outcome.check(value)
    }
  }

  @Test func `Lists of one element, empty lists and single values are refused, or come back from a format`() {
    for rows in [[], [Row(name: "a")], [Row(name: "a", age: 1), Row()]] {
      checkAll(rows)
      checkAll(["people": rows])
      checkAll(Library(people: rows))
      checkAll(Library(people: rows, places: rows))
      checkAll([Library(people: rows)])
      checkAll([rows])
      checkAll([rows, []])
    }
    checkAll([[Int]]())
    checkAll([[1], [], [2, 3]])
    checkAll([String: Int]())
    checkAll([[String: Int]]())
    checkAll([[:], ["a": 1]] as [[String: Int]])
    checkAll(["a": [String: Int]()])
    checkAll(Library())
    checkAll(Row())
    checkAll(Row?.none)
    checkAll("a")
    checkAll(1.5)
    checkAll(true)
  }

  @Test func `Records of a table of one column are values, one at a time`() throws {
    let records = Records(of: Int.self, from: .bytes(Array("age\n1\n2\n".utf8), named: "a.csv"))
    #expect(try records.results.map { try $0.get() } == [1, 2])
    let output = MemoryOutput()
    var writer = try RecordWriter(to: .csv, output: output)
    for number in [1, 2] { try writer.write(number) }
    try writer.finish()
    #expect(String(decoding: output.bytes, as: UTF8.self) == "value\n1\n2\n")
  }

  // MARK: Instances

  private final class Node: Codable, Equatable {
    var name: String
    var next: Node?

    init(_ name: String, _ next: Node? = nil) { (self.name, self.next) = (name, next) }
    static func == (a: Node, b: Node) -> Bool { a.name == b.name && a.next == b.next }
  }

  @Test(arguments: general)
  func `An instance that occurs twice comes back as equal ones, and from an archive as one`(
    _ format: Format
  ) throws {
    let shared = Node("b")
    let nodes = try back(["x": Node("a", shared), "y": shared, "z": shared], format)
    #expect(nodes == ["x": Node("a", Node("b")), "y": Node("b"), "z": Node("b")])
    if format.isArchive {
      #expect(nodes["y"] === nodes["z"] && nodes["x"]?.next === nodes["y"])
    }
  }

  @Test func `Copies of an instance are a loss in a report, and an instance in itself is refused`() throws {
    let shared = Node("b")
    let (bytes, losses) = try FerryEncoder(to: .json).encodeWithLosses([shared, shared])
    #expect(
      String(decoding: bytes, as: UTF8.self) == #"[{"name":"b","next":null},{"name":"b","next":null}]"# + "\n"
    )
    #expect(losses.counts.map(\.kind).contains(.sharedInFull))
    shared.next = shared
    defer { shared.next = nil }
    #expect(throws: EncodingError.self) { try FerryEncoder(to: .typedstream).encode([shared]) }
    for format in [Format.json, .xml, .csv] {
      let failure = #expect(throws: EncodingError.self) { try FerryEncoder(to: format).encode([shared]) }
      guard case .invalidValue(_, let context)? = failure else { return }
      #expect((context.underlyingError as? FerryError)?.reason == .coding(.containsItself), "\(format)")
    }
  }

  @Test func `A value in memory of an instance that contains itself is refused`() throws {
    let node = Node("a")
    #expect(
      try Value(encoding: [node, node]) == [["name": "a", "next": .null], ["name": "a", "next": .null]])
    node.next = node
    defer { node.next = nil }
    let failure = #expect(throws: EncodingError.self) { try Value(encoding: node) }
    guard case .invalidValue(_, let context)? = failure else { return }
    #expect((context.underlyingError as? FerryError)?.reason == .coding(.containsItself))
  }

  @Test func `A decimal is rounded to a Float once`() throws {
    // As a Double, it is half-way between two of type Float, and would be rounded to the other one.
    let text = "1.00000017881393432617187499"
    let decoded = try FerryDecoder().decode([Float].self, from: Array("[\(text)]".utf8))
    #expect(decoded == [Float(text)])
    #expect(decoded != [Float(Double(text) ?? 0)])
  }

  @Test func `Copies of instances have the limits of the encoder`() throws {
    var nodes = [Node("0")]
    // The list begins with the innermost node, so that no node is deep where it is encoded first.
    for number in 1...300 { nodes.append(Node("\(number)", nodes[number - 1])) }
    let failure = #expect(throws: EncodingError.self) { try FerryEncoder(to: .json).encode(nodes) }
    guard case .invalidValue(_, let context)? = failure else { return }
    #expect((context.underlyingError as? FerryError)?.reason == .overBudget(.depth(256)))
  }

  private struct Chain: Codable, Equatable {
    var next: [Chain]?

    init(_ count: Int) { next = count == 1 ? nil : [Chain(count - 1)] }
  }

  @Test(arguments: [Format.json, .jsonLines, .xml, .csv, .tsv, .binaryPropertyList, .archive])
  func `A value as deep as the encoder allows comes back`(_ format: Format) throws {
    let chains = [Chain(6)]
    var encoder = FerryEncoder(to: format)
    // A level for each list, and for each element.
    encoder.budget.depth = 12
    var decoder = FerryDecoder()
    (decoder.reading.format, decoder.reading.budget.depth) = (format, 12)
    #expect(try decoder.decode([Chain].self, from: encoder.encode(chains)) == chains)
  }

  @Test func `A Value has the limits of the encoder`() throws {
    func nested(_ depth: Int, _ wrap: (Value) -> Value) -> Value {
      (0..<depth).reduce(1) { value, _ in wrap(value) }
    }
    let wraps: [(Value) -> Value] = [{ [$0] }, { .set([$0]) }, { ["a": $0] }]
    for wrap in wraps {
      _ = try FerryEncoder(to: .json).encodeWithLosses(nested(256, wrap))
      let deep: [Value] = [nested(257, wrap), ["a": nested(256, wrap)]]
      for deep in deep {
        let failure = #expect(throws: EncodingError.self) {
          try FerryEncoder(to: .json).encodeWithLosses(deep)
        }
        guard case .invalidValue(_, let context)? = failure else { continue }
        #expect((context.underlyingError as? FerryError)?.reason == .overBudget(.depth(256)))
      }
    }
    let list = [nested(256) { [$0] }]
    #expect(throws: EncodingError.self) { try FerryEncoder(to: .json).encode(list) }
    var encoder = FerryEncoder(to: .json)
    encoder.budget.depth = 257
    #expect(throws: Never.self) { try encoder.encode(list) }
  }
}
