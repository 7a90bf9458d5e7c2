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
  private final class SlowInput: ByteInput {
    private let bytes: [UInt8]
    private let progress: Progress
    private var offset = 0

    init(_ bytes: [UInt8], _ progress: Progress) { (self.bytes, self.progress) = (bytes, progress) }

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
}
