import Testing

@testable import Ferry

private struct Feed: Codable, Equatable {
  var title: String
  var note: String?
  var entries: [Entry]

  enum CodingKeys: String, CodingKey {
    case title = "{urn:a}title"
    case note = "{urn:b}note"
    case entries = "{urn:a}entry"
  }

  struct Entry: Codable, Equatable {
    var id: Int
    var label: String?

    enum CodingKeys: String, CodingKey {
      case id
      case label = "{urn:a}label"
    }
  }
}

@Suite struct `Coding keys with namespaces` {
  private static let feeds = [
    Feed(
      title: "t", note: "n",
      entries: [Feed.Entry(id: 1, label: "x"), Feed.Entry(id: 2, label: nil)]),
    Feed(title: "", note: nil, entries: [Feed.Entry(id: 1, label: "x")]),
    Feed(title: "t", note: "n", entries: []),
  ]

  @Test(arguments: feeds.indices, [nil, "feed", "{urn:a}feed"])
  func `Elements in namespaces are decoded as they were encoded`(_ index: Int, _ root: String?) throws {
    let feed = Self.feeds[index]
    var encoder = FerryEncoder(to: .xml)
    encoder.writing.rootElement = root
    let bytes = try encoder.encode(feed)
    #expect(try FerryDecoder().decode(Feed.self, from: bytes) == feed)
    var decoder = FerryDecoder()
    decoder.reading.xml.order = .always
    #expect(try decoder.decode(Feed.self, from: bytes) == feed)
    decoder.reading.xml.namespaces = .expanded
    #expect(try decoder.decode(Feed.self, from: bytes) == feed)
  }

  @Test func `Elements are found by their namespace with any prefix`() throws {
    let xml = """
      <x:feed xmlns:x="urn:a" xmlns="urn:b"><note>n</note><x:title>t</x:title>\
      <x:entry id="1"><label xmlns="urn:a">l</label></x:entry><x:entry id="2"/></x:feed>
      """
    let entries = [Feed.Entry(id: 1, label: "l"), Feed.Entry(id: 2, label: nil)]
    #expect(
      try FerryDecoder().decode(Feed.self, from: xml)
        == Feed(title: "t", note: "n", entries: entries))
    #expect(
      try FerryDecoder().decode(Feed.Entry.self, from: xml, at: "[\"x:entry\"][0]") == entries[0])
    #expect(throws: DecodingError.self) {
      try FerryDecoder().decode(Feed.self, from: "<feed xmlns=\"urn:c\"><title>t</title></feed>")
    }
  }

  @Test func `Expanded names are the keys of dictionaries`() throws {
    let value = ["k": ["{urn:a}b": "x", "{urn:b}b": "", "c": "y"]]
    let bytes = try FerryEncoder(to: .xml).encode(value)
    var decoder = FerryDecoder()
    decoder.reading.xml.namespaces = .expanded
    #expect(try decoder.decode([String: [String: String]].self, from: bytes) == value)
  }
}
