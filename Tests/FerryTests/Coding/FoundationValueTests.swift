import Foundation
import Testing

@testable import Ferry

/// A record with types of Foundation. Their own `Codable` forms are scalars, lists and dictionaries.
private struct Settings: Codable, Equatable {
  var site: URL
  var price: Decimal
  var prices: [Decimal]
  var id: UUID
  var locale: Locale
  var zone: TimeZone
  var day: DateComponents
  var span: DateInterval
  var rows: IndexSet
  var path: IndexPath
  var letters: CharacterSet
  var name: PersonNameComponents
  var length: Measurement<UnitLength>
  var data: Data
  var byID: [UUID: Decimal]

  static func sample() throws -> Settings {
    var name = PersonNameComponents()
    (name.givenName, name.familyName) = ("Ada", "Lovelace")
    return Settings(
      site: try #require(URL(string: "https://example.org/a?b=c")),
      price: try #require(Decimal(string: "0.12345678901234567890123456789")),
      prices: [0, -12, try #require(Decimal(string: "12.5"))],
      id: try #require(UUID(uuidString: "E621E1F8-C36C-495A-93FC-0C247A3E6E5F")),
      locale: Locale(identifier: "de_DE"), zone: try #require(TimeZone(identifier: "Europe/Berlin")),
      day: DateComponents(year: 2001, month: 2, day: 3),
      span: DateInterval(start: Date(timeIntervalSinceReferenceDate: 60), duration: 30),
      rows: [1, 2, 5], path: [1, 2], letters: CharacterSet(charactersIn: "a"..."c"), name: name,
      length: Measurement(value: 1.5, unit: .meters), data: Data([0, 1, 255]),
      byID: [try #require(UUID(uuidString: "00000000-0000-0000-0000-000000000001")): 1])
  }
}

private struct Link: Codable, Equatable {
  var site: URL
  var others: [URL]
  var price: Decimal?
}

@Suite struct `Values of types of Foundation` {
  private static let formats: [Format] = [
    .xml, .json, .jsonLines, .jsonSequence, .jsonc, .json5, .yaml, .csv, .xmlPropertyList,
    .binaryPropertyList, .openStepPropertyList, .gnustepPropertyList, .archive, .xmlArchive, .typedstream,
  ]

  private func link() throws -> Link {
    let base = try #require(URL(string: "https://example.org/a/b"))
    return Link(
      site: try #require(URL(string: "c?d#e", relativeTo: base)),
      others: [base, try #require(URL(string: "../f", relativeTo: base)), try #require(URL(string: "g"))])
  }

  /// The link with its URLs as their texts.
  private func resolved(_ link: Link) throws -> Link {
    func absolute(_ url: URL) throws -> URL { try #require(URL(string: url.absoluteString)) }
    return Link(site: try absolute(link.site), others: try link.others.map(absolute), price: link.price)
  }

  private func back<T: Codable>(_ value: T, _ format: Format) throws -> T {
    var decoder = FerryDecoder()
    decoder.reading.format = format
    return try decoder.decode(T.self, from: FerryEncoder(to: format).encode(value))
  }

  @Test(arguments: formats) func `They come back from every format`(_ format: Format) throws {
    var settings = try Settings.sample()
    if [.typedstream, .gnustepPropertyList].contains(format) || format.isArchive { settings.price = 1.5 }
    #expect(try back([settings], format) == [settings])
  }

  @Test func `They come back from a value in memory`() throws {
    let settings = try Settings.sample()
    #expect(try Value(encoding: settings).decoded(as: Settings.self) == settings)
    let link = try link()
    #expect(try Value(encoding: link)["site"] == "https://example.org/a/c?d#e")
    #expect(try Value(encoding: link).decoded(as: Link.self) == resolved(link))
  }

  @Test(arguments: formats) func `A URL with a base comes back, at least as the absolute URL`(
    _ format: Format
  )
    throws
  {
    let link = try link()
    let keepsBase = format.isArchive || format.description.isPropertyList
    #expect(try back([link], format) == [keepsBase ? link : resolved(link)])
    #expect(try resolved(back(link, format)) == resolved(link))
  }

  @Test func `JSON is what the coders of Foundation write and read`() throws {
    let (settings, link) = (try Settings.sample(), try link())
    let (decoder, encoder) = (JSONDecoder(), JSONEncoder())
    decoder.dateDecodingStrategy = .iso8601
    var plain = settings
    // JSONDecoder reads the keys and the values of this dictionary as a list.
    plain.byID = [:]
    #expect(
      try decoder.decode([Link].self, from: Data(FerryEncoder(to: .json).encode([link]))) == [resolved(link)])
    let text = try FerryEncoder(to: .json).encode(plain)
    let theirs = String(decoding: text, as: UTF8.self).replacing(#""byID":{}"#, with: #""byID":[]"#)
    #expect(try decoder.decode(Settings.self, from: Data(theirs.utf8)) == plain)
    #expect(try FerryDecoder().decode(Settings.self, from: encoder.encode(settings)) == settings)
    #expect(try FerryDecoder().decode(Link.self, from: encoder.encode(link)) == resolved(link))
  }

  @Test(arguments: [PropertyListSerialization.PropertyListFormat.xml, .binary])
  func `Property lists are what the coders of Foundation write and read`(
    _ theirs: PropertyListSerialization.PropertyListFormat
  ) throws {
    let format: Format = theirs == .xml ? .xmlPropertyList : .binaryPropertyList
    let (decoder, encoder) = (PropertyListDecoder(), PropertyListEncoder())
    encoder.outputFormat = theirs
    var (settings, link) = (try Settings.sample(), try link())
    link.price = settings.price
    #expect(try FerryDecoder().decode(Settings.self, from: encoder.encode(settings)) == settings)
    #expect(try FerryDecoder().decode(Link.self, from: encoder.encode(link)) == link)
    #expect(try decoder.decode(Link.self, from: Data(FerryEncoder(to: format).encode(link))) == link)
    settings.byID = [:]
    // PropertyListDecoder reads the keys and the values of this dictionary as a list.
    var value = try Value(reading: MemoryInput(FerryEncoder(to: format).encode(settings)))
    value["byID"] = []
    let output = MemoryOutput()
    try Conversion(to: format).write(value, to: output)
    #expect(try decoder.decode(Settings.self, from: Data(output.bytes)) == settings)
  }

  @Test func `Texts and numbers in property lists are URLs and decimals, too`() throws {
    let value: Value = ["site": "a:b", "others": ["c"], "price": 1.5]
    let output = MemoryOutput()
    try Conversion(to: .xmlPropertyList).write(value, to: output)
    let link = Link(
      site: try #require(URL(string: "a:b")), others: [try #require(URL(string: "c"))], price: 1.5)
    #expect(try FerryDecoder().decode(Link.self, from: output.bytes) == link)
  }

  @Test func `Invalid parts of a URL and a decimal are errors`() throws {
    for json in [#"[{"relative":1}]"#, #"[{"relative":"http://[::1"}]"#, #"[{"relative":"a","base":3}]"#] {
      #expect(throws: DecodingError.self) { try FerryDecoder().decode([URL].self, from: json.utf8) }
    }
    for json in [#"[{"mantissa":1}]"#, #"[{"mantissa":[1],"exponent":0}]"#] {
      #expect(throws: DecodingError.self) { try FerryDecoder().decode([Decimal].self, from: json.utf8) }
    }
  }

  @Test func `The parts of a URL are limited in depth`() throws {
    var parts: Value = ["relative": "a"]
    for _ in 0..<1000 { parts = ["relative": "a", "base": parts] }
    #expect(throws: DecodingError.self) { try parts.decoded(as: URL.self) }
  }

  // MARK: Large integers

  @Test func `Integers of 128 bits come back from formats with numbers of any size`() throws {
    struct Wide: Codable, Equatable {
      var a: Int128
      var b: UInt128?
      var list: [Int128]
      var none: Int128?
    }
    let wide = Wide(a: .min, b: UInt128(Int128.max), list: [.max, 1])
    for format in [Format.json, .yaml, .xml, .csv] { #expect(try back(wide, format) == wide, "\(format)") }
    #expect(try Value(encoding: wide).decoded(as: Wide.self) == wide)
    let small = Wide(a: -1, b: nil, list: [1])
    for format in Self.formats { #expect(try back([small], format) == [small], "\(format)") }
    for format in [Format.json, .yaml, .xml, .csv] {
      #expect(try back([UInt128.max], format) == [.max], "\(format)")
    }
    for format in [Format.archive, .binaryPropertyList, .xmlPropertyList] {
      #expect(throws: EncodingError.self) { try FerryEncoder(to: format).encode([UInt128.max]) }
      #expect(throws: EncodingError.self) { try FerryEncoder(to: format).encode([Int128.max]) }
    }
  }

  // MARK: References

  /// The examples of section 5.4 of RFC 3986, relative to `http://a/b/c/d;p?q`.
  private static let examples = [
    ("g:h", "g:h"), ("g", "http://a/b/c/g"), ("./g", "http://a/b/c/g"), ("g/", "http://a/b/c/g/"),
    ("/g", "http://a/g"), ("//g", "http://g"), ("?y", "http://a/b/c/d;p?y"), ("g?y", "http://a/b/c/g?y"),
    ("#s", "http://a/b/c/d;p?q#s"), ("g#s", "http://a/b/c/g#s"), ("g?y#s", "http://a/b/c/g?y#s"),
    (";x", "http://a/b/c/;x"), ("g;x", "http://a/b/c/g;x"), ("g;x?y#s", "http://a/b/c/g;x?y#s"),
    ("", "http://a/b/c/d;p?q"), (".", "http://a/b/c/"), ("./", "http://a/b/c/"), ("..", "http://a/b/"),
    ("../", "http://a/b/"), ("../g", "http://a/b/g"), ("../..", "http://a/"), ("../../", "http://a/"),
    ("../../g", "http://a/g"), ("../../../g", "http://a/g"), ("../../../../g", "http://a/g"),
    ("/./g", "http://a/g"), ("/../g", "http://a/g"), ("g.", "http://a/b/c/g."), (".g", "http://a/b/c/.g"),
    ("g..", "http://a/b/c/g.."), ("..g", "http://a/b/c/..g"), ("./../g", "http://a/b/g"),
    ("./g/.", "http://a/b/c/g/"), ("g/./h", "http://a/b/c/g/h"), ("g/../h", "http://a/b/c/h"),
    ("g;x=1/./y", "http://a/b/c/g;x=1/y"), ("g;x=1/../y", "http://a/b/c/y"),
    ("g?y/./x", "http://a/b/c/g?y/./x"),
    ("g?y/../x", "http://a/b/c/g?y/../x"), ("g#s/./x", "http://a/b/c/g#s/./x"),
    ("g#s/../x", "http://a/b/c/g#s/../x"),
  ]

  @Test(arguments: examples)
  func `A relative reference is resolved as RFC 3986 says`(_ relative: String, _ absolute: String) {
    let base = URLReference("http://a/b/c/d;p?q")
    #expect(URLReference(relative).resolved(against: base).text == absolute)
  }

  @Test func `References are resolved as Foundation resolves them`() throws {
    for base in [
      "https://example.org", "https://u@example.org:80/a/b?c#d", "file:///a/b/", "https://example.org/a/",
    ] {
      for relative in ["x", "x/y", "/x", "?q", "x?q#f", "../x", "./x", "é", "//other/x"] {
        let url = try #require(URL(string: relative, relativeTo: URL(string: base)))
        let resolved = URLReference(url.relativeString).resolved(against: URLReference(base))
        #expect(resolved.text == url.absoluteString, "\(relative) in \(base)")
      }
    }
  }
}
