import Foundation
import Synchronization
import Testing

@testable import Ferry

/// A list that is not decoded by the type `Array`, so that its file is read as a whole.
private struct WholeList<Element: Decodable>: Decodable {
  let elements: [Element]

  init(from decoder: any Decoder) throws { elements = try Array(from: decoder) }
}

private struct Item: Codable, Equatable {
  var name: String
  var count: Int?
}

private struct Named: Decodable, Equatable {
  var name: String

  enum CodingKeys: String, CodingKey { case name = "{urn:a}name" }
}

@Suite struct `Lists decoded while their file is read` {
  /// Checks that a list, or the error, is the same if the file is read as a whole.
  private func compare<Element: Decodable & Equatable>(
    _ type: Element.Type, _ text: String, named name: String,
    _ decoder: FerryDecoder = FerryDecoder()
  ) throws {
    let bytes = Array(text.utf8)
    let streamed = Result {
      try FerryError.ofCoding { try decoder.decode([Element].self, from: bytes, named: name) }
    }
    let whole = Result {
      try FerryError.ofCoding {
        try decoder.decode(WholeList<Element>.self, from: bytes, named: name).elements
      }
    }
    switch (streamed, whole) {
    case (.success(let a), .success(let b)): #expect(a == b, "\(text)")
    case (.failure(let a), .failure(let b)): #expect("\(a)" == "\(b)", "\(text)")
    default: Issue.record("\(text): \(streamed), \(whole)")
    }
  }

  @Test func `A list has the same elements and errors as in a file that is read as a whole`() throws {
    let texts = [
      "[]", "[{\"name\": \"a\"}]", "[{\"name\": \"a\", \"count\": 2}, {\"name\": \"b\"}]",
      "{\"name\": \"a\"}", "null",
      "{\"items\": [{\"name\": \"a\"}]}", "[{\"name\": \"a\"}, {\"name\": 3}]",
      "[{\"name\": \"a\"}, {\"nam\": \"b\"}]",
      "[{\"name\": \"a\"}, null]", "[{\"name\": \"a\"}, {\"name\": \"b\", \"name\": \"c\"}]",
      "[[{\"name\": \"a\"}]]",
      "[{\"name\": \"a\"}] 1", "[{\"name\": \"a\"}, {\"name\": \"b\"", "[{\"name\": \"a\", \"count\": 1.5}]",
    ]
    for text in texts {
      try compare(Item.self, text, named: "a.json")
      try compare(Item?.self, text, named: "a.json")
      try compare(Value.self, text, named: "a.json")
      try compare([Item].self, text, named: "a.json")
    }
    for text in [
      "name,count\na,1\nb,\n", "name,count\na,1\n", "name\na\nb\n", "name,count\na,x\n", "name,count\n",
    ] {
      try compare(Item.self, text, named: "a.csv")
      try compare(String.self, text, named: "a.csv")
    }
    for text in [
      "{\"name\":\"a\"}\n{\"name\":\"b\"}\n", "{\"name\":\"a\"}\n", "{\"name\":\"a\"}\n{\"name\":1}\n",
      "1\n2\n",
    ] {
      try compare(Item.self, text, named: "a.jsonl")
      try compare(Int.self, text, named: "a.jsonl")
    }
  }

  @Test func `The children of a root element are the same list as in a document that is read as a whole`()
    throws
  {
    let texts = [
      "<r/>", "<r>a</r>", "<r a='1'/>", "<r><i><name>a</name></i></r>",
      "<r><i><name>a</name></i><i><name>b</name></i></r>",
      "<r v='1' w='2'><i><name>a</name></i><i><name>b</name><count>7</count></i></r>",
      "<r><i><name>a</name></i><i><name>b</name></i><j/></r>",
      "<r><j/><i><name>a</name></i><i><name>b</name></i></r>",
      "<r><i><name>a</name></i><j/><i><name>b</name></i></r>",
      "<r>x<i><name>a</name></i><i><name>b</name></i></r>",
      "<r><i><name>a</name></i><i><name>b</name></i>x</r>",
      "<r>x<i><name>a</name></i>y<i><name>b</name></i></r>",
      "<r>x<i/>y</r>", "<r><i><j><name>a</name></j><j><name>b</name></j></i></r>", "<r><i/><i/></r>",
      "<r><i> </i><i>b</i></r>",
      "<r><i><name>a</name></i><i><nam>b</nam></i></r>", "<r><i><name>a</name></i><i><name>b</name></i>",
      "<r><i name='a' count='3'/><i name='b'/></r>",
      "<r><i><name>a</name><count>x</count></i><i><name>b</name></i></r>",
      "<!-- c --><r><!-- c --><i><name>a</name></i><!-- d --><i><name>b</name></i><!-- e --></r>",
    ]
    var ordered = FerryDecoder()
    ordered.reading.xml.order = .needed
    for text in texts {
      for decoder in [FerryDecoder(), ordered] {
        try compare(Item.self, text, named: "a.xml", decoder)
        try compare(Item?.self, text, named: "a.xml", decoder)
        try compare(String.self, text, named: "a.xml", decoder)
        try compare(Value.self, text, named: "a.xml", decoder)
      }
    }
    var selecting = FerryDecoder()
    selecting.reading.select = "/r/i"
    for text in texts.dropFirst(3) { try compare(Item.self, text, named: "a.xml", selecting) }
  }

  @Test func `Elements of a list have the namespaces that their root element declares`() throws {
    for text in [
      "<r xmlns:p='urn:a'><i><p:name>a</p:name></i><i><p:name>b</p:name></i></r>",
      "<r xmlns:p='urn:b'><i><p:name>a</p:name></i><i><p:name>b</p:name></i></r>",
      "<r xmlns='urn:a'><i><name>a</name></i><i><name>b</name></i></r>",
      "<r xmlns:p='urn:b'><i xmlns:p='urn:a'><p:name>a</p:name></i><i><p:name>b</p:name></i></r>",
    ] {
      try compare(Named.self, text, named: "a.xml")
    }
    let text = "<r xmlns:p='urn:a'><i><p:name>a</p:name></i><i><p:name>b</p:name></i></r>"
    #expect(try FerryDecoder().decode([Named].self, from: text) == [Named(name: "a"), Named(name: "b")])
  }

  /// The number of bytes that an input has given.
  private final class Progress: Sendable {
    let bytes = Mutex(0)
    static let key = CodingUserInfoKey(rawValue: "progress")
  }

  /// An input that gives its bytes in small chunks.
  private final class SlowInput: RepeatableInput {
    private let bytes: [UInt8]
    private let progress: Progress
    private var offset = 0

    init(_ bytes: [UInt8], _ progress: Progress) { (self.bytes, self.progress) = (bytes, progress) }

    var canBeReadTwice: Bool { offset == 0 }

    func peek(upTo count: Int) -> [UInt8] { Array(bytes[offset...].prefix(count)) }
    func forEachChunk(_ body: (Span<UInt8>) throws(FerryError) -> Void) throws(FerryError) {
      while offset < bytes.count {
        let chunk = Array(bytes[offset...].prefix(256))
        offset += chunk.count
        progress.bytes.withLock { $0 = offset }
        try body(chunk.span)
      }
    }
    func makeRewindable() {}
    func rewind() { offset = 0 }
  }

  /// An element that notes how much of its file had been read when it was decoded.
  private struct Noting: Decodable {
    let bytes: Int

    init(from decoder: any Decoder) throws {
      let progress = try #require(Progress.key.flatMap { decoder.userInfo[$0] as? Progress })
      bytes = progress.bytes.withLock { $0 }
    }
  }

  @Test(arguments: [Format.json, .jsonLines, .csv, .xml]) func `An element is decoded as soon as it was read`(
    _ format: Format
  ) throws {
    var encoder = FerryEncoder(to: format)
    encoder.writing.rootElement = "items"
    let items = (0..<2000).map { (number: Int) in Item(name: "item \(number)", count: number) }
    let bytes = try encoder.encode(items)
    let progress = Progress()
    var decoder = FerryDecoder()
    decoder.reading.format = format
    decoder.userInfo[try #require(Progress.key)] = progress
    let input = SlowInput(bytes, progress)
    let noted = try decoder.decode([Noting].self, from: input)
    #expect(noted.count == items.count)
    #expect(try #require(noted.first).bytes < bytes.count / 2)
    #expect(try #require(noted.last).bytes == bytes.count)
  }

  /// An input of a program, which keeps its bytes only after `makeRewindable()`, and does nothing in `rewind()` before.
  private final class SocketInput: ByteInput {
    private let bytes: [UInt8]
    private var offset = 0
    private var keepsBytes = false

    init(_ text: String) { bytes = Array(text.utf8) }

    func peek(upTo count: Int) -> [UInt8] { Array(bytes[offset...].prefix(count)) }
    func forEachChunk(_ body: (Span<UInt8>) throws(FerryError) -> Void) throws(FerryError) {
      let rest = Array(bytes[offset...])
      offset = bytes.count
      if !rest.isEmpty { try body(rest.span) }
    }
    func makeRewindable() { keepsBytes = true }
    func rewind() { if keepsBytes { offset = 0 } }
  }

  @Test(arguments: [
    ("[{\"name\":\"a\"},{\"name\":\"b\",\"count\":2}]", Format.json),
    ("<r><i><name>a</name></i><i><name>b</name><count>2</count></i></r>", .xml),
  ])
  func `A list from an input that can be read only once is read once`(_ text: String, _ format: Format) throws
  {
    var decoder = FerryDecoder()
    decoder.reading.format = format
    #expect(
      try decoder.decode([Item].self, from: SocketInput(text)) == [
        Item(name: "a"), Item(name: "b", count: 2),
      ])
    let single = SocketInput("<r><i><name>a</name></i></r>")
    #expect(try FerryDecoder().decode([Item].self, from: single).map(\.name) == ["a"])
    #expect(throws: DecodingError.self) { try decoder.decode([Int].self, from: SocketInput(text)) }
  }

  /// A count of decoded elements.
  private final class Tally: Sendable {
    let count = Mutex(0)
    static let key = CodingUserInfoKey(rawValue: "tally")
  }

  /// An element that counts itself.
  private struct Counted: Decodable {
    init(from decoder: any Decoder) throws {
      let tally = try #require(Tally.key.flatMap { decoder.userInfo[$0] as? Tally })
      tally.count.withLock { $0 += 1 }
    }
  }

  @Test(arguments: [
    ("[{\"a\":1,\"a\":2},{\"a\":3}]", Format.json), ("{\"a\":1,\"a\":2}\n{\"a\":3}\n", .jsonLines),
    ("<r><i><a>1</a></i><i><a>3</a></i></r>", .xml),
  ])
  func `Each element is decoded once, also one that repeats a key`(_ text: String, _ format: Format) throws {
    let tally = Tally()
    var decoder = FerryDecoder()
    decoder.reading.format = format
    decoder.userInfo[try #require(Tally.key)] = tally
    #expect(try decoder.decode([Counted].self, from: text).count == 2)
    #expect(tally.count.withLock { $0 } == 2)
    #expect(try decoder.decode([Value].self, from: text).count == 2)
  }

  @Test func `Elements have the last value of a repeated key`() throws {
    let text = "[{\"name\":\"a\",\"name\":\"b\"}]"
    #expect(try FerryDecoder().decode([Item].self, from: text) == [Item(name: "b")])
    for value in ["[1,2]", "[1,[]]", "{\"a\":[{\"name\":\"a\"}],\"a\":[]}"] {
      try compare(Item.self, value, named: "a.json")
      try compare(Value.self, value, named: "a.json")
    }
  }

  /// A record with a key in another notation, and a date.
  private struct Guest: Decodable, Equatable {
    var firstName: String
    var bornOn: Date
  }

  @Test func `Elements have keys and dates by the strategies of the decoder`() throws {
    var decoder = FerryDecoder()
    (decoder.keys, decoder.dates) = (.snakeCase, .secondsSince1970)
    let guests = [
      Guest(firstName: "a", bornOn: Date(timeIntervalSince1970: 1_000_000_000)),
      Guest(firstName: "b", bornOn: Date(timeIntervalSince1970: 1)),
    ]
    for (text, name) in [
      (
        "[{\"first_name\":\"a\",\"born_on\":1000000000},{\"first_name\":\"b\",\"born_on\":1}]", "a.json"
      ),
      ("first_name,born_on\na,1000000000\nb,1\n", "a.csv"),
      (
        "<r><i><first_name>a</first_name><born_on>1000000000</born_on></i>"
          + "<i><first_name>b</first_name><born_on>1</born_on></i></r>", "a.xml"
      ),
    ] {
      try compare(Guest.self, text, named: name, decoder)
      #expect(try decoder.decode([Guest].self, from: Array(text.utf8), named: name) == guests)
      try compare(Guest.self, text.replacing("first_name", with: "firstname"), named: name, decoder)
    }
  }

  @Test
  func
    `Lists in YAML, property lists and files of a schema are the same as in files that are read as a whole`()
    throws
  {
    for text in [
      "- name: a\n- name: b\n  count: 2\n", "- name: a\n- nam: b\n", "- &x {name: a}\n- *x\n", "name: a\n",
      "- name: a\n- 1\n", "[]\n", "- name: a\n  name: b\n",
    ] {
      try compare(Item.self, text, named: "a.yaml")
      try compare(Value.self, text, named: "a.yaml")
    }
    for list in [
      "<array><dict><key>name</key><string>a</string></dict></array>", "<array/>",
      "<array><dict><key>name</key><string>a</string></dict><integer>1</integer></array>",
      "<dict><key>name</key><string>a</string></dict>",
    ] {
      try compare(Item.self, "<plist version=\"1.0\">\(list)</plist>", named: "a.plist")
      try compare(Value.self, "<plist version=\"1.0\">\(list)</plist>", named: "a.plist")
    }
    let binary = try Conversion(to: .binaryPropertyList).convert(
      Array("[{\"name\":\"a\"},{\"name\":\"b\",\"count\":2}]".utf8)
    ).bytes
    #expect(
      try FerryDecoder().decode([Item].self, from: binary) == [Item(name: "a"), Item(name: "b", count: 2)])
    let schema =
      #"{"ferry":1,"name":"item","fields":[{"name":"name"},{"name":"count","type":"integer","optional":true}]}"#
    var decoder = FerryDecoder()
    decoder.reading.schema = try Schema(Value(reading: MemoryInput(Array(schema.utf8))))
    for (text, name) in [
      ("[{\"name\":\"a\"},{\"name\":\"b\",\"count\":2}]", "a.json"), ("[{\"count\":1}]", "a.json"),
      ("name,count\na,1\nb,\n", "a.csv"), ("name,count\na,x\n", "a.csv"),
      ("<items><item><name>a</name></item><item><name>b</name><count>2</count></item></items>", "a.xml"),
    ] {
      try compare(Item.self, text, named: name, decoder)
    }
  }

  // MARK: Limits

  /// A type that decodes itself as another one, which is a level of its own.
  private struct Leaf: Decodable, Equatable {
    struct Content: Decodable {}

    init() {}
    init(from decoder: any Decoder) throws { _ = try decoder.singleValueContainer().decode(Content.self) }
  }

  private struct Branch: Decodable, Equatable {
    var leaf: Leaf?
    var count: Int?
  }

  @Test func `An empty element beyond the depth of the budget is an error, and not nil`() throws {
    var decoder = FerryDecoder()
    decoder.reading.budget.depth = 4
    let text = "<r><i><leaf/></i><i/></r>"
    #expect(
      try decoder.decode([Branch].self, from: text, named: "a.xml") == [Branch(leaf: Leaf()), Branch()])
    decoder.reading.budget.depth = 3
    let error = #expect(throws: DecodingError.self) {
      try decoder.decode([Branch].self, from: text, named: "a.xml")
    }
    #expect((error?.context?.underlyingError as? FerryError)?.reason == .overBudget(.depth(3)))
  }

  @Test func `A list in a cell beyond the depth of the budget is an error, and not a text`() throws {
    struct Row: Decodable { var list: [String] }
    var decoder = FerryDecoder()
    decoder.reading.budget.depth = 6
    #expect(try decoder.decode([Row].self, from: "list\n[[x]\n", named: "a.csv").map(\.list) == [["[[x]"]])
    let error = #expect(throws: DecodingError.self) {
      try decoder.decode([Row].self, from: "list\n[[[[[[[[1]]]]]]]]\n", named: "a.csv")
    }
    #expect((error?.context?.underlyingError as? FerryError)?.reason == .overBudget(.depth(6)))
  }

  @Test func `A list has a level of its own in the budget, in every format`() {
    var decoder = FerryDecoder()
    decoder.reading.budget.depth = 0
    for (text, name) in [("1\n2\n", "a.jsonl"), ("a\n1\n2\n", "a.csv"), ("[1, 2]", "a.json")] {
      #expect(throws: DecodingError.self) { try decoder.decode([Int].self, from: text, named: name) }
    }
  }
}
