import Foundation
import Testing

@testable import Ferry

private struct StrategyEvent: Codable, Hashable {
  var eventName: String
  var starts: Date
  var ends: Date?
  var photo: Data
  var icon: [UInt8]?
  var places: [Place]
  var counts: [String: Int]

  struct Place: Codable, Hashable {
    var placeName: String
    var openedOn: Date?
    var map: Data
  }

  static let all = [
    StrategyEvent(
      eventName: "one", starts: Date(timeIntervalSinceReferenceDate: 12), ends: nil,
      photo: Data([1, 2, 255]),
      icon: [7, 8],
      places: [
        Place(placeName: "x", openedOn: Date(timeIntervalSinceReferenceDate: -1), map: Data([0, 3])),
        Place(placeName: "y", openedOn: nil, map: Data([9, 4])),
      ],
      counts: ["aB": 1, "c_d": 2]),
    StrategyEvent(
      eventName: "two", starts: Date(timeIntervalSinceReferenceDate: 700_000_000),
      ends: Date(timeIntervalSinceReferenceDate: 0), photo: Data([0, 0]), icon: nil,
      places: [
        Place(
          placeName: "z", openedOn: Date(timeIntervalSinceReferenceDate: 86_400), map: Data([5, 6]))
      ], counts: ["e": 3]),
  ]
}

private struct TestKey: CodingKey {
  var stringValue: String
  var intValue: Int? { nil }
  init(_ name: String) { stringValue = name }
  init?(stringValue: String) { self.init(stringValue) }
  init?(intValue: Int) { nil }
}

private struct StrategyError: Error, Equatable {
  var text: String
}

private enum Suit: String, Codable, CodingKeyRepresentable { case hearts, spades }

@Suite struct `Strategies of keys, dates and data` {
  private static let formats: [Format] =
    [
      .xml, .json, .jsonLines, .jsonc, .json5, .csv, .xmlPropertyList, .binaryPropertyList,
      .openStepPropertyList, .gnustepPropertyList, .archive, .xmlArchive, .typedstream,
    ] + (PackageTraits.hasYAML ? [.yaml] : [])

  /// Equal strategies of the encoder and the decoder.
  private struct Pair: Sendable, CustomTestStringConvertible {
    let testDescription: String
    let encoder: @Sendable (inout FerryEncoder) -> Void
    let decoder: @Sendable (inout FerryDecoder) -> Void
  }

  private static let days = FerryEncoder.DateStrategy.custom { (date: Date, encoder) in
    var container = encoder.singleValueContainer()
    try container.encode("T\(date.timeIntervalSinceReferenceDate)")
  }

  private static let fromDays = FerryDecoder.DateStrategy.custom { decoder in
    let text = try decoder.singleValueContainer().decode(String.self)
    guard text.hasPrefix("T"), let seconds = Double(text.dropFirst()) else { throw StrategyError(text: text) }
    return Date(timeIntervalSinceReferenceDate: seconds)
  }

  private static let hex = FerryEncoder.DataStrategy.custom { bytes, encoder in
    var container = encoder.singleValueContainer()
    try container.encode("x" + bytes.map { String(UInt16($0) + 256, radix: 16) }.joined())
  }

  private static let pairs: [Pair] = [
    Pair(testDescription: "none", encoder: { _ in }, decoder: { _ in }),
    Pair(testDescription: "since 2001", encoder: { $0.dates = .secondsSince2001 }, decoder: { _ in }),
    Pair(
      testDescription: "since 1970", encoder: { $0.dates = .secondsSince1970 },
      decoder: { $0.dates = .secondsSince1970 }),
    Pair(
      testDescription: "milliseconds", encoder: { $0.dates = .millisecondsSince1970 },
      decoder: { $0.dates = .millisecondsSince1970 }),
    Pair(testDescription: "ISO 8601", encoder: { $0.dates = .iso8601 }, decoder: { _ in }),
    Pair(testDescription: "own dates", encoder: { $0.dates = days }, decoder: { $0.dates = fromDays }),
    Pair(testDescription: "Base64", encoder: { $0.data = .base64 }, decoder: { _ in }),
    Pair(testDescription: "numbers", encoder: { $0.data = .numbers }, decoder: { $0.data = .numbers }),
    Pair(testDescription: "snake case", encoder: { $0.keys = .snakeCase }, decoder: { $0.keys = .snakeCase }),
    Pair(testDescription: "kebab case", encoder: { $0.keys = .kebabCase }, decoder: { $0.keys = .kebabCase }),
    Pair(
      testDescription: "capitalized", encoder: { $0.keys = .capitalized },
      decoder: { $0.keys = .capitalized }),
    Pair(testDescription: "uppercase", encoder: { $0.keys = .uppercase }, decoder: { $0.keys = .uppercase }),
    Pair(
      testDescription: "own keys",
      encoder: { $0.keys = .custom { path in TestKey("x-" + (path.last?.stringValue ?? "")) } },
      decoder: {
        $0.keys = .custom { path in TestKey(String((path.last?.stringValue ?? "").dropFirst(2))) }
      }),
    Pair(
      testDescription: "several",
      encoder: { ($0.keys, $0.dates, $0.data) = (.snakeCase, .secondsSince1970, .numbers) },
      decoder: { ($0.keys, $0.dates, $0.data) = (.snakeCase, .secondsSince1970, .numbers) }),
  ]

  @Test
  func `A date without a text is refused by the strategy of ISO 8601, and can be printed with its error`()
    throws
  {
    var encoder = FerryEncoder(to: .json)
    encoder.dates = .iso8601
    for seconds in [Double.nan, .infinity, 1e17] {
      let error = #expect(throws: EncodingError.self) {
        try encoder.encode([Date(timeIntervalSinceReferenceDate: seconds)])
      }
      guard case .invalidValue(let value, let context)? = error else { return }
      #expect(context.debugDescription.contains("the strategy has no form of a date"))
      #expect(context.codingPath.map(\.intValue) == [0])
      #expect((value as? Double)?.bitPattern == seconds.bitPattern)
    }
  }

  @Test(arguments: pairs.indices)
  func `What is encoded with a strategy is decoded with it, in every format`(_ index: Int) throws {
    let pair = Self.pairs[index]
    for format in Self.formats {
      var (encoder, decoder) = (FerryEncoder(to: format), FerryDecoder())
      pair.encoder(&encoder)
      pair.decoder(&decoder)
      decoder.reading.format = format
      let bytes = try encoder.encode(StrategyEvent.all)
      let decoded = try? decoder.decode([StrategyEvent].self, from: bytes)
      let text = String(decoding: bytes, as: UTF8.self)
      #expect(decoded == StrategyEvent.all, "\(format), \(pair.testDescription): \(text)")
    }
  }

  private func json(_ value: some Encodable, _ change: (inout FerryEncoder) -> Void) throws -> String {
    var encoder = FerryEncoder(to: .json)
    change(&encoder)
    return String(decoding: try encoder.encode(value), as: UTF8.self).trimmingCharacters(in: .newlines)
  }

  @Test func `Dates have the form of the strategy`() throws {
    let dates = [Date(timeIntervalSinceReferenceDate: 12), Date(timeIntervalSinceReferenceDate: 0.5)]
    #expect(try json(dates) { _ in } == #"["2001-01-01T00:00:12Z","2001-01-01T00:00:00.5Z"]"#)
    #expect(try json(dates) { $0.dates = .secondsSince2001 } == "[12,0.5]")
    #expect(try json(dates) { $0.dates = .secondsSince1970 } == "[978307212,978307200.5]")
    #expect(try json(dates) { $0.dates = .millisecondsSince1970 } == "[978307212000,978307200500]")
    #expect(
      try json(dates) { $0.dates = .iso8601 } == #"["2001-01-01T00:00:12Z","2001-01-01T00:00:00.5Z"]"#)
    #expect(try json(dates) { $0.dates = Self.days } == #"["T12.0","T0.5"]"#)
    #expect(try json(["d": dates[0]]) { $0.dates = .custom { (_: Date, _) in } } == #"{"d":{}}"#)
    let seconds = try json(dates) { encoder in
      encoder.dates = .custom { (seconds: Double, encoder) in
        var container = encoder.unkeyedContainer()
        try container.encode(Int(seconds))
      }
    }
    #expect(seconds == "[[12],[0]]")
    var encoder = FerryEncoder(to: .xmlPropertyList)
    encoder.dates = .iso8601
    let text = String(decoding: try encoder.encode(dates), as: UTF8.self)
    #expect(text.contains("<string>2001-01-01T00:00:12Z</string>"))
    encoder.dates = .secondsSince1970
    let numbers = String(decoding: try encoder.encode(dates), as: UTF8.self)
    #expect(numbers.contains("<integer>978307212</integer>"))
    #expect(try encoder.value(of: dates) == [978_307_212, 978_307_200.5])
  }

  @Test func `Data has the form of the strategy`() throws {
    let data = ["a": Data([1, 2, 3])]
    #expect(try json(data) { _ in } == #"{"a":"AQID"}"#)
    #expect(try json(data) { $0.data = .numbers } == #"{"a":[1,2,3]}"#)
    #expect(try json(["a": [1, 2, 3] as [UInt8]]) { $0.data = .numbers } == #"{"a":[1,2,3]}"#)
    #expect(try json(data) { $0.data = Self.hex } == #"{"a":"x101102103"}"#)
    var encoder = FerryEncoder(to: .xmlPropertyList)
    encoder.data = .base64
    #expect(String(decoding: try encoder.encode(data), as: UTF8.self).contains("<string>AQID</string>"))
    var decoder = FerryDecoder()
    decoder.data = .custom { decoder in try decoder.singleValueContainer().decode(String.self).utf8 }
    #expect(try decoder.decode([String: Data].self, from: #"{"a":"Ada"}"#.utf8) == ["a": Data("Ada".utf8)])
    #expect(
      try decoder.decode([String: [UInt8]].self, from: #"{"a":"Ada"}"#.utf8) == ["a": Array("Ada".utf8)])
  }

  @Test func `Keys are those of a function, and keys of dictionaries stay`() throws {
    struct Row: Codable, Equatable {
      var firstName: String
      var counts: [String: Int]
      var suits: [Suit: Int]
      var inner: [Inner]
    }
    struct Inner: Codable, Equatable { var lastName: String }
    let row = Row(
      firstName: "Ada", counts: ["aB": 1], suits: [.hearts: 2], inner: [Inner(lastName: "Lovelace")])
    let text = try json(row) {
      $0.keys = .custom { path in TestKey(path.last?.stringValue.uppercased() ?? "") }
    }
    #expect(
      text
        == #"{"FIRSTNAME":"Ada","COUNTS":{"aB":1},"SUITS":{"hearts":2},"INNER":[{"LASTNAME":"Lovelace"}]}"#)
    var decoder = FerryDecoder()
    let names = ["FIRSTNAME": "firstName", "LASTNAME": "lastName"]
    decoder.keys = .custom { path in
      let name = path.last?.stringValue ?? ""
      return TestKey(names[name] ?? name.lowercased())
    }
    #expect(try decoder.decode(Row.self, from: text.utf8) == row)
    // Of several keys with the same result, the first counts.
    let twice = #"{"LASTNAME":"a","lastname":"b","LastName":"c"}"#
    decoder.keys = .custom { _ in TestKey("lastName") }
    #expect(try decoder.decode(Inner.self, from: twice.utf8) == Inner(lastName: "a"))
  }

  @Test func `A function for keys gets the coding path`() throws {
    struct Outer: Codable { var inner: [Inner] }
    struct Inner: Codable { var name: String }
    let named = FerryDecoder.KeyStrategy.custom { path in
      TestKey(path.map { $0.intValue.map(String.init) ?? $0.stringValue }.joined(separator: "/"))
    }
    let text = try json(Outer(inner: [Inner(name: "a")])) { $0.keys = named }
    #expect(text == #"{"inner":[{"inner/0/name":"a"}]}"#)
  }

  @Test func `The signs of attributes and text stay in XML`() throws {
    struct Link: Codable, Equatable {
      var id: Int
      var text: String
      enum CodingKeys: String, CodingKey { case id = "@id", text = "#text" }
    }
    struct Page: Codable, Equatable { var link: [Link] }
    let page = Page(link: [Link(id: 1, text: "a")])
    let own = FerryDecoder.KeyStrategy.custom { path in TestKey(path.last?.stringValue.uppercased() ?? "") }
    let back = FerryDecoder.KeyStrategy.custom { path in TestKey(path.last?.stringValue.lowercased() ?? "") }
    for (keys, decoderKeys) in [(own, back), (.uppercase, .uppercase)] {
      var encoder = FerryEncoder(to: .xml)
      encoder.keys = keys
      let bytes = try encoder.encode(page)
      #expect(String(decoding: bytes, as: UTF8.self).contains("<LINK ID=\"1\">a</LINK>"))
      var decoder = FerryDecoder()
      decoder.keys = decoderKeys
      #expect(try decoder.decode(Page.self, from: bytes) == page)
    }
  }

  @Test func `The empty key of a text stays in XML`() throws {
    struct Link: Codable, Equatable {
      var linkID: Int
      var text: String
      enum CodingKeys: String, CodingKey { case linkID = "@linkID", text = "" }
    }
    let links = [Link(linkID: 1, text: "a")]
    let marked = FerryDecoder.KeyStrategy.custom { path in TestKey("x-" + (path.last?.stringValue ?? "")) }
    let unmarked = FerryDecoder.KeyStrategy.custom { path in
      TestKey(String((path.last?.stringValue ?? "").dropFirst(2)))
    }
    let strategies: [(FerryDecoder.KeyStrategy, FerryDecoder.KeyStrategy, String)] = [
      (marked, unmarked, "x-linkID"), (.snakeCase, .snakeCase, "link_id"),
      (.kebabCase, .kebabCase, "link-id"), (.capitalized, .capitalized, "LinkID"),
      (.uppercase, .uppercase, "LINKID"),
    ]
    for (keys, decoderKeys, name) in strategies {
      var encoder = FerryEncoder(to: .xml)
      encoder.keys = keys
      let bytes = try encoder.encode(links)
      let text = String(decoding: bytes, as: UTF8.self)
      #expect(text.contains(" \(name)=\"1\">a</"), "\(text)")
      var decoder = FerryDecoder()
      decoder.keys = decoderKeys
      #expect(try decoder.decode([Link].self, from: bytes) == links)
    }
  }

  private enum Shape: Codable, Equatable {
    case roundedBox(cornerRadius: Int)
    case dot
  }

  @Test func `Cases of an enum and keys of nested containers are converted, too`() throws {
    let shapes = [Shape.roundedBox(cornerRadius: 2), .dot]
    let marked = FerryDecoder.KeyStrategy.custom { path in TestKey("x-" + (path.last?.stringValue ?? "")) }
    let unmarked = FerryDecoder.KeyStrategy.custom { path in
      TestKey(String((path.last?.stringValue ?? "").dropFirst(2)))
    }
    let strategies: [(FerryDecoder.KeyStrategy, FerryDecoder.KeyStrategy, String)] = [
      (marked, unmarked, #"[{"x-roundedBox":{"x-cornerRadius":2}},{"x-dot":{}}]"#),
      (.snakeCase, .snakeCase, #"[{"rounded_box":{"corner_radius":2}},{"dot":{}}]"#),
      (.kebabCase, .kebabCase, #"[{"rounded-box":{"corner-radius":2}},{"dot":{}}]"#),
      (.capitalized, .capitalized, #"[{"RoundedBox":{"CornerRadius":2}},{"Dot":{}}]"#),
    ]
    for (keys, decoderKeys, expected) in strategies {
      #expect(try json(shapes) { $0.keys = keys } == expected)
      var decoder = FerryDecoder()
      decoder.keys = decoderKeys
      #expect(try decoder.decode([Shape].self, from: expected.utf8) == shapes)
    }
  }

  private enum Sized: Decodable, Equatable, ElementChoice {
    case bigBox(width: Int)
    case dot(width: Int)

    enum BigBoxCodingKeys: String, CodingKey { case width }
    enum DotCodingKeys: String, CodingKey { case width = "" }
  }

  @Test func `Elements of several names have the strategy`() throws {
    let xml = "<p><BigBox Width=\"3\"/><Dot>1</Dot><BigBox><Width>4</Width></BigBox></p>"
    let sizes = [Sized.bigBox(width: 3), .dot(width: 1), .bigBox(width: 4)]
    let lowercased = FerryDecoder.KeyStrategy.custom { path in
      let name = path.last?.stringValue ?? ""
      return TestKey(name.prefix(1).lowercased() + name.dropFirst())
    }
    for keys in [FerryDecoder.KeyStrategy.capitalized, lowercased] {
      var decoder = FerryDecoder()
      decoder.keys = keys
      decoder.reading.xml.order = .needed
      #expect(try decoder.decode([Sized].self, from: xml.utf8) == sizes)
    }
  }

  @Test func `An error of a function reaches the caller, and a mistake has the place in the file`() throws {
    struct Row: Codable { var when: Date }
    var decoder = FerryDecoder()
    decoder.dates = Self.fromDays
    #expect(throws: StrategyError(text: "x")) {
      try decoder.decode([Row].self, from: #"[{"when":"x"}]"#.utf8)
    }
    let number = #expect(throws: DecodingError.self) {
      try decoder.decode([Row].self, from: "[{\"when\":\"T1\"},\n{\"when\":2}]".utf8)
    }
    #expect(number?.context.map { ValuePath($0.codingPath).description } == "[1].when")
    #expect((number?.context?.underlyingError as? FerryError)?.location.line == 2)
    decoder.dates = .custom { (decoder: any Decoder) throws -> Date in
      let container = try decoder.singleValueContainer()
      throw DecodingError.dataCorruptedError(in: container, debugDescription: "no")
    }
    let root = #expect(throws: DecodingError.self) { try decoder.decode(Date.self, from: "\n[1]".utf8) }
    #expect((root?.context?.underlyingError as? FerryError)?.location.line == 2)
    decoder.dates = .custom { _ in "no date" }
    #expect(throws: DecodingError.self) { try decoder.decode([Date].self, from: "[1]".utf8) }
    decoder.dates = .custom { _ in 12.0 }
    #expect(
      try decoder.decode([Date].self, from: "[1]".utf8) == [Date(timeIntervalSinceReferenceDate: 12)])
    #expect(throws: StrategyError(text: "no")) {
      try json([Date()]) { $0.dates = .custom { (_: Date, _) in throw StrategyError(text: "no") } }
    }
    #expect(throws: EncodingError.self) { try json([Date()]) { $0.dates = .custom { (_: String, _) in } } }
    #expect(throws: EncodingError.self) { try json([Date.distantFuture + 1e20]) { $0.dates = .iso8601 } }
  }

  @Test func `A function that decodes or encodes a date itself does not call itself`() throws {
    let date = Date(timeIntervalSinceReferenceDate: 12)
    let text = try json([date]) { encoder in
      encoder.dates = .custom { (date: Date, encoder) in
        var container = encoder.singleValueContainer()
        try container.encode(["at": date])
      }
    }
    #expect(text == #"[{"at":"2001-01-01T00:00:12Z"}]"#)
    var decoder = FerryDecoder()
    decoder.dates = .custom { decoder in
      try decoder.singleValueContainer().decode([String: Date].self)["at"] ?? .distantPast
    }
    #expect(try decoder.decode([Date].self, from: text.utf8) == [date])
    decoder.data = .custom { decoder in try decoder.singleValueContainer().decode([UInt8].self) }
    #expect(try decoder.decode([Data].self, from: #"["AQID"]"#.utf8) == [Data([1, 2, 3])])
  }

  @Test func `Dates and data in a Value, and in an archive, have no strategy`() throws {
    let value: Value = [.date(secondsSince2001: 12), .data([1, 2, 3])]
    let text = try json(value) { ($0.dates, $0.data) = (.secondsSince1970, .numbers) }
    #expect(text == #"["2001-01-01T00:00:12Z","AQID"]"#)
    var encoder = FerryEncoder(to: .archive)
    let plain = try encoder.encode(StrategyEvent.all)
    (encoder.keys, encoder.dates, encoder.data) = (.snakeCase, .secondsSince1970, .numbers)
    #expect(try encoder.encode(StrategyEvent.all) == plain)
  }

  @Test func `Records that are written and read one at a time have the strategies`() throws {
    var encoder = FerryEncoder(to: .jsonLines)
    (encoder.keys, encoder.dates, encoder.data) = (.snakeCase, .millisecondsSince1970, .numbers)
    let output = MemoryOutput()
    var writer = try RecordWriter(encoder, to: output)
    for event in StrategyEvent.all { try writer.write(event) }
    try writer.finish()
    #expect(try output.bytes == encoder.encode(StrategyEvent.all))
    var settings = RecordSettings()
    (settings.decoder.keys, settings.decoder.dates) = (.snakeCase, .millisecondsSince1970)
    settings.decoder.data = .numbers
    let cursor = Records(
      of: StrategyEvent.self, from: .bytes(output.bytes, named: "a.jsonl"), settings
    ).makeCursor()
    var events: [StrategyEvent] = []
    while let event = try cursor.next() { events.append(event) }
    #expect(events == StrategyEvent.all)
  }
}

/// A type whose JSON is the same with Foundation's encoder.
private struct PeerRow: Codable, Equatable {
  var born: Date
  var firstName: String
  var inner: [PeerInner]
  var photo: Data

  static let all = [
    PeerRow(
      born: Date(timeIntervalSinceReferenceDate: 12), firstName: "Ada",
      inner: [PeerInner(diedOn: Date(timeIntervalSinceReferenceDate: 86_400))], photo: Data([1, 2, 255])),
    PeerRow(
      born: Date(timeIntervalSinceReferenceDate: -1), firstName: "Grace", inner: [], photo: Data([0])),
  ]
}

private struct PeerInner: Codable, Equatable {
  var diedOn: Date
}

@Suite struct `Strategies beside those of Foundation` {
  /// Equal strategies of four coders.
  private struct Peer: Sendable {
    let change: @Sendable (inout FerryEncoder, inout FerryDecoder, JSONEncoder, JSONDecoder) -> Void

    init(
      _ change: @escaping @Sendable (inout FerryEncoder, inout FerryDecoder, JSONEncoder, JSONDecoder) -> Void
    ) {
      self.change = change
    }
  }

  private static let peers: [Peer] = [
    Peer { encoder, _, _, _ in encoder.dates = .secondsSince2001 },
    Peer { encoder, decoder, jsonEncoder, jsonDecoder in
      (encoder.dates, decoder.dates) = (.secondsSince1970, .secondsSince1970)
      jsonEncoder.dateEncodingStrategy = .secondsSince1970
      jsonDecoder.dateDecodingStrategy = .secondsSince1970
    },
    Peer { encoder, decoder, jsonEncoder, jsonDecoder in
      (encoder.dates, decoder.dates) = (.millisecondsSince1970, .millisecondsSince1970)
      jsonEncoder.dateEncodingStrategy = .millisecondsSince1970
      jsonDecoder.dateDecodingStrategy = .millisecondsSince1970
    },
    Peer { encoder, _, jsonEncoder, jsonDecoder in
      encoder.dates = .iso8601
      jsonEncoder.dateEncodingStrategy = .iso8601
      jsonDecoder.dateDecodingStrategy = .iso8601
    },
    Peer { encoder, _, jsonEncoder, jsonDecoder in
      encoder.data = .base64
      jsonEncoder.dateEncodingStrategy = .iso8601
      jsonDecoder.dateDecodingStrategy = .iso8601
    },
    Peer { encoder, decoder, jsonEncoder, jsonDecoder in
      (encoder.dates, encoder.data, decoder.data) = (.secondsSince2001, .numbers, .numbers)
      jsonEncoder.dataEncodingStrategy = .deferredToData
      jsonDecoder.dataDecodingStrategy = .deferredToData
    },
    Peer { encoder, decoder, jsonEncoder, jsonDecoder in
      (encoder.dates, encoder.keys, decoder.keys) = (.secondsSince2001, .snakeCase, .snakeCase)
      jsonEncoder.keyEncodingStrategy = .convertToSnakeCase
      jsonDecoder.keyDecodingStrategy = .convertFromSnakeCase
    },
    Peer { encoder, decoder, jsonEncoder, jsonDecoder in
      let marked: @Sendable ([any CodingKey]) -> any CodingKey = { path in
        TestKey("k" + (path.last?.stringValue ?? ""))
      }
      let unmarked: @Sendable ([any CodingKey]) -> any CodingKey = { path in
        TestKey(String((path.last?.stringValue ?? "").dropFirst()))
      }
      (encoder.dates, encoder.keys, decoder.keys) = (.secondsSince2001, .custom(marked), .custom(unmarked))
      jsonEncoder.keyEncodingStrategy = .custom(marked)
      jsonDecoder.keyDecodingStrategy = .custom(unmarked)
    },
    Peer { encoder, decoder, jsonEncoder, jsonDecoder in
      let encode: @Sendable (Date, any Encoder) throws -> Void = { date, encoder in
        var container = encoder.unkeyedContainer()
        try container.encode(Int(date.timeIntervalSinceReferenceDate))
        try container.encode("s")
      }
      let decode: @Sendable (any Decoder) throws -> Date = { decoder in
        var container = try decoder.unkeyedContainer()
        return Date(timeIntervalSinceReferenceDate: Double(try container.decode(Int.self)))
      }
      (encoder.dates, decoder.dates) = (.custom(encode), .custom(decode))
      jsonEncoder.dateEncodingStrategy = .custom(encode)
      jsonDecoder.dateDecodingStrategy = .custom(decode)
    },
  ]

  @Test(arguments: peers.indices) func `The JSON is that of Foundation, and each decodes it`(_ index: Int)
    throws
  {
    var (encoder, decoder) = (FerryEncoder(to: .json), FerryDecoder())
    encoder.writing.sortsKeys = true
    let (jsonEncoder, jsonDecoder) = (JSONEncoder(), JSONDecoder())
    jsonEncoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    Self.peers[index].change(&encoder, &decoder, jsonEncoder, jsonDecoder)
    let bytes = try encoder.encode(PeerRow.all)
    let data = try jsonEncoder.encode(PeerRow.all)
    #expect(
      String(decoding: bytes, as: UTF8.self).trimmingCharacters(in: .newlines)
        == String(decoding: data, as: UTF8.self))
    #expect(try decoder.decode([PeerRow].self, from: data) == PeerRow.all)
    #expect(try jsonDecoder.decode([PeerRow].self, from: Data(bytes)) == PeerRow.all)
  }

  @Test func `Errors name the keys of the file`() throws {
    struct Person: Decodable {
      var firstName: String
      var homeAddress: Address?
      struct Address: Decodable { var zipCode: Int }
    }
    func error(_ keys: FerryDecoder.KeyStrategy, _ text: String) throws -> FerryError? {
      var decoder = FerryDecoder()
      decoder.keys = keys
      let error = #expect(throws: DecodingError.self) { try decoder.decode([Person].self, from: text) }
      return error?.context?.underlyingError as? FerryError
    }
    let missing = try error(.snakeCase, #"[{"home_address":{"zip_code":1}}]"#)
    #expect(
      missing?.reason == .coding(.missingKey("first_name", in: "a dictionary", keys: ["home_address"])))
    let deep = try error(.kebabCase, #"[{"first-name":"Ada","home-address":{"zip-code":"x"}}]"#)
    #expect(deep?.path.description == "[0].home-address.zip-code")
    let same = try error(.same, #"[{"firstName":"Ada","homeAddress":{"zipCode":"x"}}]"#)
    #expect(same?.path.description == "[0].homeAddress.zipCode")
  }
}
