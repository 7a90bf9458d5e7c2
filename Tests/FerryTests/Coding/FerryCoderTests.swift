import Foundation
import TestSupport
import Testing

@testable import Ferry

private struct Guest: Codable, Hashable {
  var first: String
  var last: String
  var age: Int?
  var isMember: Bool
  var height: Double
  var tags: [String]
  var born: Date
  var site: URL
  var id: UUID
  var photo: Data
  var balance: Decimal
  var address: Address?
  var kind: Kind

  enum Kind: String, Codable { case guest, host }

  struct Address: Codable, Hashable {
    var city: String
    var lines: [String]
  }

  static func all() throws -> [Guest] {
    [
      Guest(
        first: "Ada", last: "Lovelace", age: 36, isMember: true, height: 1.5, tags: ["a", "b"],
        born: Date(timeIntervalSinceReferenceDate: 12),
        site: try #require(URL(string: "https://example.org/a?b=c")),
        id: try #require(UUID(uuidString: "E621E1F8-C36C-495A-93FC-0C247A3E6E5F")), photo: Data([0, 1, 2]),
        balance: try #require(Decimal(string: "12.30")),
        address: Address(city: "London", lines: ["1 <Road> & \"x\""]),
        kind: .host),
      Guest(
        first: "", last: "é 😀", age: nil, isMember: false, height: -0.25, tags: ["one"],
        born: Date(timeIntervalSinceReferenceDate: 0), site: try #require(URL(string: "x:y")),
        id: try #require(UUID(uuidString: "00000000-0000-0000-0000-000000000000")), photo: Data(),
        balance: 0, address: nil, kind: .guest),
    ]
  }
}

/// An element with attributes and text.
private struct Link: Codable, Hashable {
  var href: String
  var count: Int
  var text: String

  enum CodingKeys: String, CodingKey {
    case href = "@href"
    case count
    case text = "#text"
  }
}

/// A list whose elements are decoded as one type after the other, until one fits.
private struct MixedList: Decodable, Equatable {
  var found: [String] = []

  private enum Keys: String, CodingKey { case name }

  init(from decoder: any Decoder) throws {
    var list = try decoder.unkeyedContainer()
    while !list.isAtEnd {
      let index = list.currentIndex
      if let number = try? list.decode(Int.self) {
        found.append("integer \(number)")
      } else if let text = try? list.decode(String.self) {
        found.append("text \(text)")
      } else if let entries = try? list.nestedContainer(keyedBy: Keys.self) {
        found.append("name \(try entries.decode(String.self, forKey: .name))")
      } else if var elements = try? list.nestedUnkeyedContainer() {
        found.append("list \(try elements.decode(String.self))")
      } else {
        found.append("boolean \(try Bool(from: list.superDecoder()))")
      }
      found.append("\(index) to \(list.currentIndex)")
    }
    if let more = try? list.decode(Int.self) { found.append("more \(more)") }
  }
}

@Suite struct `Codable values in any format` {
  private static let formats: [Format] = [
    .xml, .json, .jsonLines, .jsonSequence, .jsonc, .json5, .yaml, .csv, .xmlPropertyList,
    .binaryPropertyList,
    .openStepPropertyList, .gnustepPropertyList, .archive, .xmlArchive, .typedstream,
  ]

  @Test(arguments: formats) func `What is encoded is decoded`(_ format: Format) throws {
    var encoder = FerryEncoder(to: format)
    encoder.writing.rootElement = "people"
    let bytes = try encoder.encode(Guest.all())
    var decoder = FerryDecoder()
    decoder.reading.format = format
    #expect(
      try decoder.decode([Guest].self, from: bytes) == Guest.all(),
      "\(String(decoding: bytes, as: UTF8.self))")
  }

  private func decode<T: Decodable>(_ type: T.Type, _ text: String, _ name: String = "a.xml") throws -> T {
    try FerryDecoder().decode(type, from: text.utf8, named: name)
  }

  @Test func `A text is decoded as the file that it is, and a value as it is`() throws {
    #expect(try FerryDecoder().decode([Int].self, from: "[1, 2]") == [1, 2])
    #expect(try FerryDecoder().decode(Int.self, from: "<a><n>7</n></a>", at: "a.n") == 7)
    let latin = "<?xml version=\"1.0\" encoding=\"UTF-16\"?><l><a>é</a></l>"
    #expect(try FerryDecoder().decode([String: String].self, from: latin) == ["a": "é"])
    #expect(try FerryDecoder().decode(String.self, from: Value.string("[1]")) == "[1]")
    let value: Value = [1, 2]
    #expect(try FerryDecoder().decode([Int].self, from: value) == [1, 2])
  }

  @Test func `The schema of an encoder maps records of a type with any name`() throws {
    struct Guest: Codable, Equatable {
      var firstName: String
      var lastName: String
    }
    let guests = [Guest(firstName: "Ada", lastName: "King"), Guest(firstName: "Al", lastName: "Jazari")]
    for format in [Format.xml, .json, .csv, .binaryPropertyList] {
      var encoder = FerryEncoder(to: format)
      encoder.schema = .person
      let bytes = try encoder.encode(guests)
      if format == .xml {
        let text = String(decoding: bytes, as: UTF8.self)
        #expect(text.contains("<people>") && text.contains("<firstName>Ada</firstName>"), "\(text)")
      }
      #expect(try FerryDecoder().decode([Guest].self, from: bytes, named: "a.csv") == guests, "\(format)")
      let output = MemoryOutput()
      var writer = try RecordWriter(encoder, to: output)
      for guest in guests { try writer.write(guest) }
      try writer.finish()
      #expect(output.bytes == bytes, "\(format)")
    }
  }

  @Test func `Elements are decoded by the types that are asked for`() throws {
    let text = """
      <list version="2"><link href="a" count="3">one</link><link href="b" count=" 4 "/><note/></list>
      """
    struct List: Decodable, Equatable {
      var version: Int
      var link: [Link]
      var note: String
      var date: Date?
      var others: [String]
    }
    #expect(
      try decode(List.self, text)
        == List(
          version: 2, link: [Link(href: "a", count: 3, text: "one"), Link(href: "b", count: 4, text: "")],
          note: "",
          date: nil, others: []))
    struct One: Decodable, Equatable { var item: [Double?] }
    #expect(try decode(One.self, "<a><item>1.5</item></a>") == One(item: [1.5]))
    #expect(try decode([Int].self, "<l><n>1</n><n>2</n></l>") == [1, 2])
    #expect(try decode([Int].self, "<l><n>1</n></l>") == [1])
    #expect(try decode([Int].self, "<l/>") == [])
    #expect(try decode([String: Bool].self, "<l><a>true</a><b>0</b></l>") == ["a": true, "b": false])
    #expect(try decode(Int.self, "<n> 42\n</n>") == 42)
    struct Note: Decodable, Equatable {
      var id: Int
      var text: String?
      enum CodingKeys: String, CodingKey { case id, text = "#text" }
    }
    #expect(
      try decode([Note].self, "<l><n id='1'/><n id='2'>t</n></l>") == [Note(id: 1), Note(id: 2, text: "t")])
    #expect(
      try decode([Link].self, "<l><x href='1' count='2'>t</x></l>") == [Link(href: "1", count: 2, text: "t")])
  }

  @Test func `Strict formats keep their types`() throws {
    struct Row: Decodable { var n: Int }
    #expect(throws: DecodingError.self) { try decode(Row.self, #"{"n":"1"}"#, "a.json") }
    #expect(throws: DecodingError.self) { try decode(Row.self, #"{"n":1.5}"#, "a.json") }
    #expect(throws: DecodingError.self) { try decode(UInt8.self, "256", "a.json") }
    #expect(try decode(Row.self, #"{"n":2.0}"#, "a.json").n == 2)
    #expect(try decode([Row].self, "n\n7\n", "a.csv").map(\.n) == [7])
    #expect(try decode(Float.self, "0.1", "a.json") == 0.1)
    // No number is rounded to an integer, and none becomes infinite.
    #expect(try decode(Int.self, "9007199254740993.0", "a.json") == 9_007_199_254_740_993)
    #expect(throws: DecodingError.self) { try decode(Int.self, "9007199254740993.5", "a.json") }
    #expect(throws: DecodingError.self) { try decode(Double.self, "1e400", "a.json") }
    #expect(try decode(Double.self, "2.20", "a.json") == 2.2)
  }

  @Test func `An error names the child elements, in which a list may be`() throws {
    func message<T: Decodable>(_ type: T.Type, _ text: String) -> String? {
      let error = #expect(throws: DecodingError.self) { _ = try decode(type, text) }
      guard case .typeMismatch(_, let context)? = error else { return error.map { "\($0)" } }
      return (context.underlyingError as? FerryError)?.message
    }
    struct Wrapped: Decodable { var tags: [String] }
    #expect(
      message(Wrapped.self, "<w><tags><tag>a</tag><tag>b</tag></tags></w>")
        == "expected a string, found an element with child elements: tag (at tags[0])")
    #expect(
      message([Int].self, "<l id='1'><name>a</name><n>1</n></l>")
        == "expected an array, found an element with child elements: name, n")
  }

  @Test func `An error has the coding path, the keys that are there, and the place of a mistake`() throws {
    struct Named: Decodable { var first: String }
    do {
      _ = try decode([Named].self, #"[{"first":"Ada"},{"First":"Bob"}]"#, "a.json")
      Issue.record("decoded")
    } catch DecodingError.keyNotFound(let key, let context) {
      #expect(key.stringValue == "first")
      #expect(context.codingPath.map(\.stringValue) == ["1"])
      #expect(context.debugDescription.contains("First"))
    }
    do {
      _ = try decode([Named].self, #"[{"first":1}]"#, "a.json")
      Issue.record("decoded")
    } catch DecodingError.typeMismatch(_, let context) {
      #expect(context.codingPath.map(\.stringValue) == ["0", "first"])
      #expect(context.debugDescription.contains("expected a string, found a number"))
    }
    do {
      _ = try decode([Named].self, "[{\n]", "a.json")
      Issue.record("decoded")
    } catch DecodingError.dataCorrupted(let context) {
      #expect((context.underlyingError as? FerryError)?.location.line == 2)
    }
  }

  struct Aged: Decodable {
    var name: String
    var age: Int
  }

  /// Files with a mistake in `age` of the second record, and its line.
  static let mistakes: [(text: String, name: String, line: Int)] = [
    ("[{\"name\":\"a\",\"age\":1},\n {\"name\":\"b\",\n  \"age\":\"x\"}]", "a.json", 3),
    ("{\"name\":\"a\",\"age\":1}\n{\"name\":\"b\",\"age\":1.5}\n", "a.jsonl", 2),
    ("[ // c\n{name: 'a', age: 1},\n{name: 'b', age: true}]", "a.json5", 3),
    ("name,age\na,1\nb,x\n", "a.csv", 3),
    ("- name: a\n  age: 1\n- name: b\n  age: x\n", "a.yaml", 4),
    ("<p><r age='1'><name>a</name></r>\n<r\n age='x'><name>b</name></r></p>", "a.xml", 2),
    ("<p>\n<r><name>a</name><age>1</age></r>\n<r><name>b</name>\n<age>x</age></r></p>", "a.xml", 4),
    (
      "<plist><array><dict><key>name</key><string>a</string><key>age</key><integer>1</integer></dict>\n"
        + "<dict><key>name</key><string>b</string>\n<key>age</key><string>x</string></dict></array></plist>",
      "a.plist", 3
    ),
    ("(\n{ name = a; age = 1; },\n{ name = b;\n age = (1); } )", "a.plist", 4),
  ]

  @Test(arguments: mistakes)
  func `A mistake in a value has its source location`(_ text: String, _ name: String, _ line: Int) throws {
    let error = #expect(throws: DecodingError.self) { try decode([Aged].self, text, name) }
    let context = try #require(error?.context)
    #expect(context.codingPath.map(\.stringValue) == ["1", "age"])
    let placed = try #require(context.underlyingError as? FerryError)
    #expect(placed.location.line == line, "\(context.debugDescription)")
    #expect(context.debugDescription.hasPrefix("\(line):"), "\(context.debugDescription)")
  }

  @Test func `A missing key, a part at a path and a value in a binary file have their source locations`()
    throws
  {
    let missing = #expect(throws: DecodingError.self) {
      try decode([Aged].self, "[{\"name\":\"a\",\"age\":1},\n{\"name\":\"b\"}]", "a.json")
    }
    #expect(missing?.context?.debugDescription.hasPrefix("2:1: ") == true, "\(missing as Any)")
    let atPath = #expect(throws: DecodingError.self) {
      try FerryDecoder().decode(
        Aged.self, from: Array("{\"people\":[\n{\"name\":1}]}".utf8), named: "a.json", at: "people[0]")
    }
    #expect(atPath?.context?.debugDescription.hasPrefix("2:9: ") == true, "\(atPath as Any)")
    let bytes = try FerryEncoder(to: .binaryPropertyList).encode([["name": "a", "age": "x"]])
    let binary = #expect(throws: DecodingError.self) { try FerryDecoder().decode([Aged].self, from: bytes) }
    let placed = binary?.context?.underlyingError as? FerryError
    #expect(placed?.location.byte != nil, "\(binary as Any)")
  }

  private struct Sized: Decodable {
    var name: String
    var count: UInt8
  }

  /// A text whose second record has a count, which is `@`, or a record without it on the same line, and the lines of both.
  private struct Misplaced: Sendable {
    let format: Format
    let text: String
    let without: String
    let line: Int
    let lineWithout: Int

    init(_ format: Format, _ text: String, _ line: Int, without: String, _ lineWithout: Int) {
      (self.format, self.text, self.line) = (format, text, line)
      (self.without, self.lineWithout) = (without, lineWithout)
    }
  }

  private static let misplaced: [Misplaced] = {
    let json = "[{\"name\":\"a\",\"count\":1},\n{\"name\":\"b\",\n\"count\":@}]"
    let noJSON = "[{\"name\":\"a\",\"count\":1},\n{\"name\":\"b\"}]"
    let (first, second) = ("{\"name\":\"a\",\"count\":1}\n", "{\"name\":\"b\",\"count\":@}\n")
    let alone = "{\"name\":\"b\"}\n"
    let (head, tail) = (
      "<plist><array><dict><key>name</key><string>a</string><key>count</key>", "</dict></array></plist>"
    )
    let firstEntry = "\(head)<integer>1</integer></dict>\n<dict><key>name</key><string>b</string>"
    return [
      Misplaced(.json, json, 3, without: noJSON, 2), Misplaced(.jsonc, json, 3, without: noJSON, 2),
      Misplaced(.json5, json, 3, without: noJSON, 2),
      Misplaced(.jsonLines, first + second, 2, without: first + alone, 2),
      Misplaced(.concatenatedJSON, first + second, 2, without: first + alone, 2),
      Misplaced(
        .jsonSequence, "\u{1e}\(first)\u{1e}\(second)", 2, without: "\u{1e}\(first)\u{1e}\(alone)", 2),
      Misplaced(
        .yaml, "- name: a\n  count: 1\n- name: b\n  count: @\n", 4,
        without: "- name: a\n  count: 1\n- name: b\n", 3),
      Misplaced(.csv, "name,count\na,1\nb,@\n", 3, without: "name\na\nb\n", 2),
      Misplaced(.tsv, "name\tcount\na\t1\nb\t@\n", 3, without: "name\na\nb\n", 2),
      Misplaced(
        .xml, "<p>\n<r><name>a</name><count>1</count></r>\n<r><name>b</name>\n<count>@</count></r></p>", 4,
        without: "<p>\n<r><name>a</name><count>1</count></r>\n<r><name>b</name></r></p>", 3),
      Misplaced(
        .xmlPropertyList, "\(firstEntry)\n<key>count</key>@\(tail)", 3, without: firstEntry + tail, 2),
      Misplaced(
        .openStepPropertyList, "(\n{ name = a; count = 1; },\n{ name = b;\n count = @; } )", 4,
        without: "(\n{ name = a; count = 1; },\n{ name = b; } )", 3),
      Misplaced(
        .gnustepPropertyList, "(\n{ name = a; count = <*I1>; },\n{ name = b;\n count = @; } )", 4,
        without: "(\n{ name = a; count = <*I1>; },\n{ name = b; } )", 3),
    ]
  }()

  /// Expects that a file cannot be decoded, and returns the context of the error.
  private func context(_ bytes: [UInt8], _ format: Format) throws -> DecodingError.Context {
    var decoder = FerryDecoder()
    decoder.reading.format = format
    let error = #expect(throws: DecodingError.self, "\(format)") {
      try decoder.decode([Sized].self, from: bytes)
    }
    return try #require(error?.context)
  }

  @Test(arguments: misplaced.indices)
  func `A wrong type, a missing key and a number out of range have their paths and source locations in text`(
    _ index: Int
  ) throws {
    let test = Self.misplaced[index]
    let (wrong, large) =
      switch test.format {
      case .xmlPropertyList: ("<string>x</string>", "<integer>300</integer>")
      case .gnustepPropertyList: ("x", "<*I300>")
      case .json, .jsonc, .json5, .jsonLines, .concatenatedJSON, .jsonSequence: ("\"x\"", "300")
      default: ("x", "300")
      }
    for value in [wrong, large] {
      let context = try context(Array(test.text.replacing("@", with: value).utf8), test.format)
      #expect(ValuePath(context.codingPath).description == "[1].count", "\(test.format): \(context)")
      #expect(
        (context.underlyingError as? FerryError)?.location.line == test.line, "\(test.format): \(context)")
    }
    let context = try context(Array(test.without.utf8), test.format)
    let path = test.format.description.shape == .rows ? "[0]" : "[1]"
    #expect(ValuePath(context.codingPath).description == path, "\(test.format): \(context)")
    #expect(
      (context.underlyingError as? FerryError)?.location.line == test.lineWithout,
      "\(test.format): \(context)")
    #expect(context.debugDescription.contains("\"count\""), "\(test.format): \(context)")
  }

  @Test(arguments: [Format.binaryPropertyList, .archive, .xmlArchive, .typedstream])
  func
    `A wrong type, a missing key and a number out of range have their paths and source locations in objects`(
      _ format: Format
    ) throws
  {
    let first: Value = ["name": "a", "count": 1]
    let seconds: [(Value, String)] = [
      (["name": "b", "count": "x"], "[1].count"), (["name": "b", "count": 300], "[1].count"),
      (["name": "b"], "[1]"),
    ]
    for (second, path) in seconds {
      let context = try context(FerryEncoder(to: format).encode([first, second]), format)
      #expect(ValuePath(context.codingPath).description == path, "\(context)")
      #expect((context.underlyingError as? FerryError)?.location.isEmpty == false, "\(context)")
    }
  }

  private final class Nested: Decodable { var inner: Nested? }

  /// A type that decodes itself as itself.
  private struct Endless: Decodable {
    init(from decoder: any Decoder) throws { self = try decoder.singleValueContainer().decode(Endless.self) }
  }

  @Test func `Values inside values, and types that decode themselves, end in an error`() throws {
    var value: Value = 1
    for _ in 0..<1000 { value = ["inner": value] }
    #expect(throws: DecodingError.self) { try FerryDecoder().decode(Nested.self, from: value) }
    #expect(throws: DecodingError.self) { try Nested(from: ValueDecoder(value)) }
    #expect(throws: DecodingError.self) {
      try FerryDecoder().decode(Endless.self, from: "1".utf8, named: "a.json")
    }
    #expect(throws: DecodingError.self) { try Endless(from: ValueDecoder(["a": 1])) }
    #expect(throws: DecodingError.self) { try FerryDecoder().decode(Endless.self, from: Archived.bytes([1])) }
    let text = String(repeating: "{\"inner\":", count: 100_000)
    #expect(throws: DecodingError.self) {
      try FerryDecoder().decode(Nested.self, from: text.utf8, named: "a.json")
    }
  }

  @Test func `A scalar is not decoded from a collection in memory`() throws {
    for value in [["a": 1], [1], [:], []] as [Value] {
      #expect(throws: DecodingError.self) { try Int(from: ValueDecoder(value)) }
      #expect(throws: DecodingError.self) { try String(from: ValueDecoder(value)) }
      #expect(throws: DecodingError.self) { try Bool(from: ValueDecoder(value)) }
      #expect(throws: DecodingError.self) { try Double(from: ValueDecoder(value)) }
      #expect(throws: DecodingError.self) { try FerryDecoder().decode(Int.self, from: value) }
      var list = try ValueDecoder([value]).unkeyedContainer()
      #expect(throws: DecodingError.self) { try list.decode(UInt8.self) }
    }
    #expect(try Int(from: ValueDecoder(1)) == 1)
    #expect(try [Int?](from: ValueDecoder([1, .null])) == [1, nil])
  }

  @Test func `Numbers in text are dates by the strategy`() throws {
    var decoder = FerryDecoder()
    decoder.dates = .secondsSince1970
    let date = Date(timeIntervalSince1970: 1_000_000_000)
    #expect(try decoder.decode([Date].self, from: "<l><d>1000000000</d></l>".utf8, named: "a.xml") == [date])
    #expect(try decoder.decode([Date].self, from: "d\n1000000000\n".utf8, named: "a.csv") == [date])
    #expect(throws: DecodingError.self) {
      try decoder.decode([Date].self, from: "[\"1000000000\"]".utf8, named: "a.json")
    }
  }

  @Test func `A value at a path is decoded, in an archive too`() throws {
    struct Name: Codable, Equatable { var first: String }
    struct Team: Codable { var people: [Name] }
    let team = Team(people: [Name(first: "Ada"), Name(first: "Bob")])
    let path = try ValuePath(parsing: "people[1]")
    for format in [Format.json, .xml, .archive, .binaryPropertyList, .yaml] {
      let bytes = try FerryEncoder(to: format).encode(team)
      #expect(
        try FerryDecoder().decode(Name.self, from: bytes, named: "a.\(format.extensions[0])", at: path)
          == team.people[1])
      #expect(throws: DecodingError.self) {
        try FerryDecoder().decode(
          Name.self, from: bytes, named: "a.\(format.extensions[0])", at: ValuePath(parsing: "people[2]"))
      }
    }
  }

  @Test func `A part of a decoded form is not a value to decode`() throws {
    struct Holder: Codable { var site: URL }
    let bytes = try FerryEncoder(to: .archive).encode(Holder(site: try #require(URL(string: "x:y"))))
    let path = try ValuePath(parsing: "site")
    #expect(try FerryDecoder().decode(URL.self, from: bytes, at: path) == URL(string: "x:y"))
    #expect(throws: DecodingError.self) {
      try FerryDecoder().decode(String.self, from: bytes, at: ValuePath(parsing: "site.none"))
    }
  }

  @Test func `Keys of dictionaries stay as they are beside an object without keys`() throws {
    struct Row: Codable {
      var theID: UUID
      var counts: [String: Int]
      var more: [[String: Int]]
    }
    var encoder = FerryEncoder(to: .json)
    encoder.keys = .snakeCase
    let bytes = try encoder.encode(
      Row(
        theID: #require(UUID(uuidString: "00000000-0000-0000-0000-000000000000")), counts: ["aB": 1],
        more: [["cD": 2]]))
    #expect(
      String(decoding: bytes, as: UTF8.self)
        == #"{"the_id":"00000000-0000-0000-0000-000000000000","counts":{"aB":1},"more":[{"cD":2}]}"# + "\n")
  }

  @Test func `A root element is decoded as an optional or by a type with a single value`() throws {
    struct Name: Decodable, Equatable { var first: String }
    struct Wrapper<Content: Decodable>: Decodable {
      let content: Content
      init(from decoder: any Decoder) throws {
        content = try decoder.singleValueContainer().decode(Content.self)
      }
    }
    let text = "<person><first>Ada</first></person>"
    #expect(try decode(Name?.self, text, "a.xml") == Name(first: "Ada"))
    #expect(try decode(Wrapper<Name>.self, text, "a.xml").content.first == "Ada")
    #expect(try decode(Wrapper<Int>.self, "<n>5</n>", "a.xml").content == 5)
  }

  @Test func `A number of any type is missing where its text is empty, and has to fit the type`() throws {
    struct Numbers: Codable, Equatable {
      var a: Int?
      var b: Int8?
      var c: Int16?
      var d: Int32?
      var e: Int64?
      var f: UInt?
      var g: UInt8?
      var h: UInt16?
      var i: UInt32?
      var j: UInt64?
      var k: Double?
      var l: Float?
      var m: Bool?
    }
    let names = "a,b,c,d,e,f,g,h,i,j,k,l,m"
    let empty = String(repeating: ",", count: 12)
    #expect(try decode([Numbers].self, "\(names)\n\(empty)\n", "a.csv") == [Numbers()])
    let full = Numbers(
      a: .min, b: .min, c: .min, d: .min, e: .min, f: .max, g: .max, h: .max, i: .max, j: .max, k: 0.5, l: 1,
      m: true)
    for format in [Format.json, .xml, .csv, .binaryPropertyList] {
      let bytes = try FerryEncoder(to: format).encode([full])
      #expect(
        try FerryDecoder().decode([Numbers].self, from: bytes, named: "a.\(format.rawValue)") == [full],
        "\(format)")
    }
    for key in ["a", "b", "c", "d", "e", "f", "g", "h", "i", "j"] {
      let text = "{\"\(key)\":18446744073709551616}"
      #expect(throws: DecodingError.self, "\(key)") { try decode(Numbers.self, text, "a.json") }
    }
    #expect(throws: DecodingError.self) { try decode(Numbers.self, "{\"b\":128}", "a.json") }
    #expect(throws: DecodingError.self) { try decode(Numbers.self, "{\"g\":-1}", "a.json") }
  }

  @Test func `Text that an archive shares does not exceed the budget as values`() throws {
    let text = Value.object(
      ObjectValue(
        ObjectClass(name: "NSMutableString", chain: ["NSString", "NSObject"]), identity: 1,
        content: .string(String(repeating: "x", count: 100_000))))
    let bytes = try Archived.bytes(.array([text] + [Value](repeating: .reference(1), count: 50_000)))
    #expect(bytes.count < 1_000_000)
    for type in [[Value].self, [String].self] as [any Decodable.Type] {
      let error = #expect(throws: DecodingError.self) { _ = try FerryDecoder().decode(type, from: bytes) }
      guard case .overBudget? = (error?.context?.underlyingError as? FerryError)?.reason else {
        Issue.record("\(type): \(String(describing: error))")
        continue
      }
    }
  }

  @Test func `A string is decoded from an object whose archive lists the mutable class alone`() throws {
    let text = Value.object(ObjectValue(ObjectClass(name: "NSMutableString", chain: []), content: "Ada"))
    #expect(try FerryDecoder().decode([String].self, from: Archived.bytes([text])) == ["Ada"])
  }

  @Test func `The last value of a repeated key, and a cell with JSON, have their source locations`() throws {
    let repeated = #expect(throws: DecodingError.self) {
      try decode(Aged.self, "{\"name\":\"a\",\"age\":1,\n\"age\":\"x\"}", "a.json")
    }
    #expect(repeated?.context?.debugDescription.hasPrefix("2:7: ") == true, "\(repeated as Any)")
    struct Row: Decodable {
      struct Extra: Decodable { var n: Int }
      var extra: Extra
    }
    let cell = #expect(throws: DecodingError.self) {
      try decode([Row].self, "extra\n\"{\"\"n\"\":\"\"x\"\"}\"\n", "a.csv")
    }
    #expect(cell?.context?.debugDescription.hasPrefix("2:") == true, "\(cell as Any)")
    struct Text: Decodable {
      var value: Int
      enum CodingKeys: String, CodingKey { case value = "#text" }
    }
    let text = #expect(throws: DecodingError.self) { try decode([Text].self, "<p>\n<n>x</n></p>", "a.xml") }
    #expect(text?.context?.debugDescription.hasPrefix("2:") == true, "\(text as Any)")
  }

  @Test(arguments: [false, true])
  func `A value inside the JSON of a cell has the source location of its row`(_ hasSchema: Bool) throws {
    struct Row: Decodable { var ns: [Int] }
    var decoder = FerryDecoder()
    decoder.reading.csv.infersTypes = !hasSchema
    if hasSchema {
      let schema = #"{"ferry": 1, "name": "row", "fields": [{"name": "ns", "type": "any"}]}"#
      decoder.reading.schema = try Schema(Value(reading: MemoryInput(Array(schema.utf8))))
    }
    let csv = "ns\n[1]\n\"[2,\"\"x\"\"]\"\n[3]\n"
    let error = #expect(throws: DecodingError.self) {
      try decoder.decode([Row].self, from: Array(csv.utf8), named: "rows.csv")
    }
    let context = try #require(error?.context)
    #expect(context.codingPath.map(\.stringValue).first == "1")
    #expect((context.underlyingError as? FerryError)?.location.line == 3, "\(context.debugDescription)")
  }

  @Test func `Keys may be in snake case, and dates numbers`() throws {
    struct Row: Codable, Equatable {
      var firstName: String
      var homeURL: [String: Int]
      var when: Date
    }
    let row = Row(firstName: "Ada", homeURL: ["aB": 1], when: Date(timeIntervalSince1970: 1_000_000_000))
    var encoder = FerryEncoder(to: .json)
    encoder.keys = .snakeCase
    let bytes = try encoder.encode(row)
    #expect(
      String(decoding: bytes, as: UTF8.self)
        == #"{"first_name":"Ada","home_url":{"aB":1},"when":"2001-09-09T01:46:40Z"}"# + "\n")
    var decoder = FerryDecoder()
    decoder.keys = .snakeCase
    #expect(try decoder.decode(Row.self, from: bytes) == row)
    decoder.dates = .millisecondsSince1970
    let number = #"{"first_name":"Ada","home_url":{"aB":1},"when":1000000000000}"#
    #expect(try decoder.decode(Row.self, from: number.utf8) == row)
  }

  /// Values that a format cannot hold, the kind of loss, and the coding path.
  private static let changes: [(Format, any Encodable & Sendable, Loss.Kind, String)] = [
    (.json, ["a": [1, Double.nan]], .notFinite, "a[1]"),
    (.jsonLines, [Float.infinity], .notFinite, "[0]"),
    (.xmlPropertyList, ["a": [Int?.none, 1]], .nullAsText, "a[0]"),
    (.openStepPropertyList, ["a", String?.none], .nullAsText, "[1]"),
    (.xml, ["a": ["x", String?.none]], .nullAsText, "a[1]"),
    (.xml, ["a": [["x", "y"], ["z"]]], .nestedArray, "a[0]"),
    (.xmlPropertyList, ["a": ["CF$UID": 1]], .referenceLookalike, "a.CF$UID"),
    (.json, ["$ferry": 1], .typedLookalike, ""),
    (.binaryPropertyList, [Value(number: "0.1234567890123456789")], .numberAsReal, "[0]"),
  ]

  @Test(arguments: changes.indices)
  func `A value that would be decoded as another one is refused, and written with a report`(
    index: Int
  ) throws {
    let (format, value, kind, path) = Self.changes[index]
    let encoder = FerryEncoder(to: format)
    let failure = #expect(throws: EncodingError.self) { try encoder.encode(value) }
    guard case .invalidValue(_, let context)? = failure else { return }
    let error = context.underlyingError as? FerryError
    #expect(error?.reason == .loss(kind) && error?.path.description == path, "\(error as Any)")
    #expect(ValuePath(context.codingPath).description == path)
    let (bytes, losses) = try encoder.encodeWithLosses(value)
    #expect(!bytes.isEmpty && losses.listed.contains { $0.kind == kind && $0.path.description == path })
  }

  @Test(arguments: [
    Format.json, .yaml, .csv, .xml, .xmlPropertyList, .gnustepPropertyList, .openStepPropertyList,
  ])
  func `A date without a text in ISO 8601 is refused by formats with dates as text`(_ format: Format) throws {
    for seconds in [Double.nan, .infinity, -.infinity, 1e300, -1e300] {
      let error = #expect(throws: EncodingError.self, "\(seconds)") {
        try FerryEncoder(to: format).encode([["at": Date(timeIntervalSinceReferenceDate: seconds)]])
      }
      // The error has the seconds, because the description of a date that is NaN ends the process in Foundation for Linux.
      guard case .invalidValue(let value, _)? = error else { return }
      #expect((value as? Double)?.bitPattern == seconds.bitPattern, "\(value)")
    }
  }

  @Test(arguments: [
    Format.archive, .xmlArchive, .binaryPropertyList, .xmlPropertyList, .gnustepPropertyList, .typedstream,
  ])
  func `An integer of more than 64 bits is refused by property lists and archives`(_ format: Format) throws {
    for integer in [Int128.max, .min, 1 << 64, -(1 << 63) - 1] {
      let failure = #expect(throws: EncodingError.self) {
        try FerryEncoder(to: format).encode(Value(integer))
      }
      guard case .invalidValue(_, let context)? = failure else { return }
      #expect(context.debugDescription.contains(integer.description))
      #expect(throws: FerryError.self) {
        try Conversion(to: format).write([Value(integer)], to: MemoryOutput())
      }
    }
    var decoder = FerryDecoder()
    decoder.reading.format = format
    for integer in [Int128(UInt64.max), Int128(Int64.min)] {
      let bytes = try FerryEncoder(to: format).encode([integer])
      #expect(try decoder.decode([Int128].self, from: bytes) == [integer])
    }
  }

  @Test(arguments: Format.allCases.filter { !$0.canWrite })
  func `A format that is not written is refused`(_ format: Format) {
    let failure = #expect(throws: EncodingError.self) { try FerryEncoder(to: format).encode(["a": 1]) }
    guard case .invalidValue(_, let context)? = failure else { return }
    #expect((context.underlyingError as? FerryError)?.reason == .file(.notWritten(format.rawValue)))
  }

  @Test func `A change of a value is found after many other losses`() throws {
    struct Number: Encodable { var value: Double }
    let numbers = (0..<10_001).map { Number(value: $0 == 10_000 ? .infinity : 1) }
    let failure = #expect(throws: EncodingError.self) { try FerryEncoder(to: .json).encode(numbers) }
    guard case .invalidValue(_, let context)? = failure else { return }
    #expect(ValuePath(context.codingPath).description == "[10000].value")
  }

  @Test func `A change of a value is found after many nils, which may be losses of the same kind`() throws {
    struct Row: Codable {
      var count: Int?
      var lists: [[Int]]
    }
    var rows = Array(repeating: Row(count: nil, lists: []), count: 10_001)
    #expect(try !FerryEncoder(to: .xml).encode(rows).isEmpty)
    rows.append(Row(count: 1, lists: [[1, 2], [3]]))
    let failure = #expect(throws: EncodingError.self) { try FerryEncoder(to: .xml).encode(rows) }
    guard case .invalidValue(_, let context)? = failure else { return }
    #expect((context.underlyingError as? FerryError)?.reason == .loss(.nestedArray))
  }

  @Test func `A number is the nearest Double and Float in every format`() throws {
    let files: [(String, String?)] = [
      ("[9007199254740993]", "a.json"), ("[9007199254740993.0]", "a.json"),
      ("- 9007199254740993\n", "a.yaml"),
      ("n\n9007199254740993\n", "a.csv"), ("<l><n>9007199254740993</n></l>", "a.xml"),
      ("<plist><array><integer>9007199254740993</integer></array></plist>", "a.plist"),
    ]
    let archive = try FerryEncoder(to: .archive).encode([9_007_199_254_740_993])
    for (text, name) in files {
      #expect(try FerryDecoder().decode([Double].self, from: text, named: name) == [9_007_199_254_740_992])
      #expect(throws: DecodingError.self) { try FerryDecoder().decode([Int32].self, from: text, named: name) }
    }
    #expect(try FerryDecoder().decode([Double].self, from: archive) == [9_007_199_254_740_992])
    #expect(try FerryDecoder().decode([Float].self, from: "[16777217]") == [16_777_216])
    #expect(throws: DecodingError.self) { try FerryDecoder().decode([Double].self, from: "[1e400]") }
  }

  @Test(arguments: [Format.json, .jsonLines, .yaml, .xml, .csv])
  func `The largest integers of 128 bits come back from text`(_ format: Format) throws {
    let bytes = try FerryEncoder(to: format).encode([["a": UInt128.max]])
    var decoder = FerryDecoder()
    decoder.reading.format = format
    #expect(try decoder.decode([[String: UInt128]].self, from: bytes) == [["a": .max]])
    #expect(throws: DecodingError.self) { try decoder.decode([[String: Int128]].self, from: bytes) }
  }

  private struct Word: Codable {
    var text = "a"
  }

  @Test(arguments: [Format.json, .jsonLines, .yaml, .csv, .xml, .xmlPropertyList, .binaryPropertyList])
  func `The name of a type and a root element are not losses`(_ format: Format) throws {
    var encoder = FerryEncoder(to: format)
    encoder.isStrict = true
    #expect(try !encoder.encode([Word(), Word(text: "b")]).isEmpty)
    #expect(try encoder.encodeWithLosses([Word(), Word(text: "b")]).losses.isEmpty)
    let output = MemoryOutput()
    var writer = try RecordWriter(encoder, to: output)
    try writer.write(Word())
    try writer.write(Word(text: "b"))
    let losses = try writer.finish()
    #expect(losses.isEmpty)
  }

  @Test func `An encoder with a strict conversion refuses losses of all kinds`() throws {
    var encoder = FerryEncoder(to: .json)
    #expect(try !encoder.encode([Date(timeIntervalSince1970: 0)]).isEmpty)
    encoder.isStrict = true
    let failure = #expect(throws: EncodingError.self) {
      try encoder.encode([Date(timeIntervalSince1970: 0)])
    }
    guard case .invalidValue(_, let context)? = failure else { return }
    #expect((context.underlyingError as? FerryError)?.reason == .loss(.dateAsText))
  }

  @Test func `An element that is not a value of a type can be decoded as another type`() throws {
    let json = Data(#"[1, "two", {"name": "three"}, ["four"], true, 6]"#.utf8)
    let list = try FerryDecoder().decode(MixedList.self, from: json)
    #expect(list == (try JSONDecoder().decode(MixedList.self, from: json)))
    #expect(
      list.found.filter { !$0.contains(" to ") }.map { $0.split(separator: " ").last } == [
        "1", "two", "three", "four", "true", "6",
      ])
    let scalars: Value = .array([.integer(1), .string("two"), .integer(3)])
    let decoded = try MixedList(from: ValueDecoder(scalars))
    #expect(decoded == (try FerryDecoder().decode(MixedList.self, from: scalars)))
  }

  private struct Noted: Codable, Equatable {
    var note: String?
    var born: Date?
    var count: Int?

    func encode(to encoder: any Encoder) throws {
      var container = encoder.container(keyedBy: CodingKeys.self)
      try container.encode(note, forKey: .note)
      try container.encode(born, forKey: .born)
      try container.encode(count, forKey: .count)
    }
  }

  @Test(arguments: [PropertyListSerialization.PropertyListFormat.xml, .binary])
  func `The nil of PropertyListEncoder is nil`(_ format: PropertyListSerialization.PropertyListFormat) throws
  {
    let encoder = PropertyListEncoder()
    encoder.outputFormat = format
    func back<T: Codable & Equatable>(_ value: T) throws -> Bool {
      try FerryDecoder().decode(T.self, from: encoder.encode(value)) == value
    }
    #expect(try back(["a", nil]))
    #expect(try back([1, nil]))
    #expect(try back(["a": nil, "b": "c"]))
    #expect(try back(["a": Date?.none]))
    #expect(try back([Noted(), Noted(note: "a", born: Date(timeIntervalSinceReferenceDate: 1), count: 2)]))
    let records = try Records(of: Noted.self, from: .bytes([UInt8](encoder.encode([Noted()])))).results
    #expect(try records.map { try $0.get() } == [Noted()])
  }

  @Test func `The text of nil in property lists is a text elsewhere, and refused in an optional`() throws {
    #expect(try FerryDecoder().decode([String?].self, from: #"["$null"]"#) == ["$null"])
    for format in [Format.xmlPropertyList, .binaryPropertyList] {
      let bytes = try FerryEncoder(to: format).encode(["$null"])
      #expect(try FerryDecoder().decode([String].self, from: bytes) == ["$null"])
      #expect(try FerryDecoder().decode(Value.self, from: bytes) == ["$null"])
      let failure = #expect(throws: EncodingError.self) {
        try FerryEncoder(to: format).encode(["a": "$null" as String?])
      }
      guard case .invalidValue(_, let context)? = failure else { return }
      #expect(context.codingPath.map(\.stringValue) == ["a"])
    }
    for format in [Format.json, .xml] {
      let bytes = try FerryEncoder(to: format).encode(["a": "$null" as String?])
      #expect(try FerryDecoder().decode([String: String?].self, from: bytes) == ["a": "$null"])
    }
  }

  @Test func `Two keys of a file that are one key of a dictionary are an error`() throws {
    let error = #expect(throws: DecodingError.self) {
      try FerryDecoder().decode([Double: String].self, from: #"{"1":"a","1.0":"b"}"#)
    }
    guard case .dataCorrupted(let context)? = error else {
      Issue.record("\(String(describing: error))")
      return
    }
    #expect(context.codingPath.map(\.stringValue) == ["1.0"])
    #expect(context.debugDescription.contains("the key \"1.0\" is equal to one before as Double"))
    #expect(
      try FerryDecoder().decode([Double: String].self, from: #"{"1":"a","2":"b"}"#) == [1: "a", 2: "b"])
  }

  @Test func `Two keys of a file that are equal in Swift are an error also for keys that are names`() throws {
    func problem<T: Decodable>(
      _ type: T.Type, _ text: String, named name: String
    ) throws -> (String, [String])? {
      let error = #expect(throws: DecodingError.self) {
        try FerryDecoder().decode(type, from: text, named: name)
      }
      guard case .dataCorrupted(let context)? = error else { return nil }
      return (context.debugDescription, context.codingPath.map(\.stringValue))
    }
    let numbers = try problem([String: [Int: String]].self, #"{"a":{"1":"x","01":"y"}}"#, named: "a.json")
    #expect(numbers?.0.contains("the key \"01\" is equal to one before as Int") == true, "\(numbers as Any)")
    #expect(numbers?.1 == ["a", "01"])
    // The letter é as one character, and as e with an accent.
    let letters = try problem([String: Int].self, "{\"\u{E9}\":1,\"e\u{301}\":2}", named: "a.json")
    #expect(letters?.0.contains("is equal to one before as String") == true, "\(letters as Any)")
    let mixed = try problem([String: Int].self, "1: 1\n\"1\": 2\n", named: "a.yaml")
    #expect(mixed?.0.contains("the key \"1\" is equal to one before as String") == true, "\(mixed as Any)")
    #expect(try FerryDecoder().decode([Int: Int].self, from: #"{"1":1,"02":2}"#) == [1: 1, 2: 2])
  }

  @Test func `A key that is not a text is an error for a dictionary with keys that are texts`() throws {
    #expect(throws: DecodingError.self) {
      try FerryDecoder().decode([String: Int].self, from: #"{"\ud800":1}"#)
    }
    #expect(throws: DecodingError.self) {
      try FerryDecoder().decode([String: Int].self, from: "? [a, b]\n: 1\n", named: "a.yaml")
    }
    // A record does not ask for the key.
    struct Named: Decodable { var first: String }
    #expect(try FerryDecoder().decode(Named.self, from: #"{"\ud800":1,"first":"a"}"#).first == "a")
  }

  @Test func `A row of a table is a dictionary without the keys of its empty cells`() throws {
    let rows = try FerryDecoder().decode([[String: String]].self, from: "a,b\n1,\n,2\n", named: "a.csv")
    #expect(rows == [["a": "1"], ["b": "2"]])
  }

  @Test func `A nested record that is nil in one row of a table with dotted columns is refused`()
    throws
  {
    struct Home: Codable, Equatable { var city: String }
    struct Resident: Codable, Equatable {
      var name: String
      var home: Home?
    }
    var encoder = FerryEncoder(to: .csv)
    encoder.writing.csv.nestsDottedColumns = true
    let ada = Resident(name: "Ada", home: Home(city: "London"))
    #expect(throws: EncodingError.self) { try encoder.encode([ada, Resident(name: "Bo", home: nil)]) }
    var decoder = FerryDecoder()
    decoder.reading.csv.nestsDottedColumns = true
    #expect(try decoder.decode([Resident].self, from: encoder.encode([ada]), named: "a.csv") == [ada])
  }

  @Test func `The results are those of Foundation's decoders`() throws {
    let encoder = JSONEncoder()
    encoder.dateEncodingStrategy = .deferredToDate
    let json = try encoder.encode(Guest.all())
    #expect(
      try FerryDecoder().decode([Guest].self, from: json) == JSONDecoder().decode([Guest].self, from: json))
    let list = try PropertyListEncoder().encode(Guest.all().compactMap(\.address))
    #expect(
      try FerryDecoder().decode([Guest.Address].self, from: list)
        == PropertyListDecoder().decode([Guest.Address].self, from: list))
  }

  @Test(.temporaryDirectory) func `The extension of a file tells the format of a text without a signature`()
    throws
  {
    let directory = TemporaryDirectory.current
    try directory.write("a.csv", "id\n1\n")
    let table = try FileInput(path: directory.path("a.csv"))
    #expect(try FerryDecoder().decode([[String: Int]].self, from: table) == [["id": 1]])
    try directory.write("a.jsonl", "1\n2\n")
    let lines = try FileInput(path: directory.path("a.jsonl"))
    #expect(try FerryDecoder().decode([Int].self, from: lines) == [1, 2])
    // A given name counts instead.
    let named = try FileInput(path: directory.path("a.jsonl"))
    #expect(try FerryDecoder().decode([[String: Int]].self, from: named, named: "a.csv") == [["1": 2]])
  }
}
