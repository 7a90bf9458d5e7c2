import Testing

@testable import Ferry

@Suite struct `Recognition of the typed form` {
  /// A change of the order of keys in the outermost dictionary.
  enum Order: CaseIterable {
    case sorted, reversed, markSecond

    func apply(_ value: Value) throws -> Value {
      guard case .dictionary(let entries) = value else { throw FerryError(.typed(.missing("a dictionary"))) }
      var keys = entries.keys
      switch self {
      case .sorted: keys.sort { String(describing: $0) < String(describing: $1) }
      case .reversed: keys.reverse()
      case .markSecond: keys.swapAt(0, 1)
      }
      var ordered = KeyedValues()
      for key in keys { ordered[key] = entries[key] }
      return .dictionary(ordered)
    }
  }

  private func archive() throws -> [UInt8] {
    let xml = "<people><person><firstName>Ada</firstName><lastName>Lovelace</lastName></person></people>"
    return try Conversion(to: .archive).convert(Array(xml.utf8), named: "people.xml").bytes
  }

  private func typed(_ file: [UInt8]) throws -> Value {
    var conversion = Conversion(to: .json)
    conversion.writing.representation = .typed
    return try Value(json: conversion.convert(file).bytes, budget: Budget())
  }

  private func text(_ value: Value, _ format: Format) throws -> [UInt8] {
    let output = MemoryOutput()
    let sink: any ValueSink =
      switch format {
      case .xml: try JSONElementsWriter(to: output)
      case .xmlPropertyList: XMLPropertyListWriter(to: output)
      default: JSONWriter(to: output)
      }
    try value.replay(into: sink)
    try sink.finish()
    return output.bytes
  }

  private static let syntaxes: [Format] = [.json, .xml, .xmlPropertyList]

  @Test(arguments: Order.allCases, syntaxes)
  func `A typed document is recognized in every order of its keys`(_ order: Order, _ format: Format) throws {
    let archive = try archive()
    let list = try PropertyLists.binary(["b": [1, 2], "a": "x"])
    for (file, target) in [(archive, Format.archive), (list, .binaryPropertyList)] {
      let document = try text(order.apply(typed(file)), format)
      let bytes = try Conversion(to: target).convert(document).bytes
      // In an archive, the order of `$archiver` and `$top` is that of the file's keys.
      if order != .reversed || target == .binaryPropertyList { #expect(bytes == file) }
      #expect(try Conversion(to: .json).convert(bytes).bytes == Conversion(to: .json).convert(file).bytes)
    }
  }

  @Test func `A typed document is recognized after a byte order mark, in UTF-16 and with escapes`() throws {
    let archive = try archive()
    let json = try text(typed(archive), .json)
    let xml = String(decoding: try text(typed(archive), .xml), as: UTF8.self)
    let wide = "\u{feff}" + xml.replacing("UTF-8", with: "UTF-16")
    let escaped = String(decoding: json, as: UTF8.self).replacing("\"$ferry\"", with: #""\u0024ferry""#)
    let documents = [
      [0xef, 0xbb, 0xbf] + json, wide.utf16.flatMap { [UInt8($0 >> 8), UInt8($0 & 0xff)] },
      wide.utf16.flatMap { [UInt8($0 & 0xff), UInt8($0 >> 8)] }, Array(escaped.utf8),
      Array(xml.replacing("\"$ferry\"", with: "\"&#36;ferry\"").utf8),
    ]
    for document in documents { #expect(try Conversion(to: .archive).convert(document).bytes == archive) }
  }

  @Test(arguments: syntaxes)
  func `A typed document is recognized behind more white space or comments than detection reads`(
    _ format: Format
  ) throws {
    let archive = try archive()
    let text = String(decoding: try text(typed(archive), format), as: UTF8.self)
    let mark = format == .json ? "{" : "<"
    let index = try #require(text.firstIndex(of: Character(mark)))
    let filler = String(repeating: " ", count: 70_000)
    // Nothing may precede an XML declaration.
    let end = format == .json ? text.index(after: index) : try #require(text.firstRange(of: "?>")).upperBound
    let padding = format == .json ? filler : "<!--\(filler)-->"
    let document = text[..<end] + padding + text[end...]
    var conversion = Conversion(to: .archive)
    conversion.reading.format = format
    #expect(try conversion.convert(Array(document.utf8)).bytes == archive)
  }

  @Test(arguments: [
    #"{"$archiver":"NSKeyedArchiver","$objects":["$null"]}"#, #"{"a":{"$ferry":1},"b":2}"#, "[]", "{}", "1",
    #"{"$value":[{"$ferry":1}]}"#, #"{"a":1,"$ferry":1}"#, #"[{"$ferry":1}]"#, #"{"$version":1,"$ferry":1}"#,
  ])
  func `Other documents are not taken for typed ones`(_ text: String) throws {
    #expect(try Conversion(to: .json).convert(Array(text.utf8)).bytes == Array((text + "\n").utf8))
  }

  // MARK: The raw form

  private func raw(_ file: [UInt8], _ format: Format, from source: Format? = nil) throws -> [UInt8] {
    var conversion = Conversion(to: format)
    (conversion.writing.representation, conversion.reading.format) = (.raw, source)
    return try conversion.convert(file).bytes
  }

  @Test(arguments: [Format.json, .jsonc, .json5, .jsonLines, .yaml])
  func `The raw form of an archive comes back as the archive`(_ format: Format) throws {
    let archive = try archive()
    var back = Conversion(to: .archive)
    back.reading.format = format
    #expect(try back.convert(raw(archive, format)).bytes == archive)
    back.writing.representation = .raw
    #expect(try back.convert(raw(archive, format)).bytes == archive)
    let plain = try Conversion(to: .json).convert(archive).bytes
    var reading = Conversion(to: .json)
    reading.reading.format = format
    #expect(try reading.convert(raw(archive, format)).bytes == plain)
    let list = try raw(archive, .xmlPropertyList)
    #expect(try raw(raw(archive, format), .xmlPropertyList, from: format) == list)
  }

  @Test(arguments: [Order.sorted, .reversed])
  func `The raw form of an archive is recognized in every order of its keys`(_ order: Order) throws {
    let archive = try archive()
    let ordered = try text(order.apply(Value(json: raw(archive, .json), budget: Budget())), .json)
    let written = try Conversion(to: .archive).convert(ordered).bytes
    #expect(try Conversion(to: .json).convert(written).bytes == Conversion(to: .json).convert(archive).bytes)
  }

  @Test(arguments: [
    #"{"$version":100000,"$archiver":"NSKeyedArchiver","$top":{},"$objects":{}}"#,
    #"{"$version":100000,"$archiver":"NSKeyedArchiver","$top":[],"$objects":[]}"#,
    #"{"$version":100000,"$archiver":1,"$top":{},"$objects":[]}"#, #"{"$version":100000,"$objects":[]}"#,
    #"{"a":1,"$archiver":"NSKeyedArchiver","$top":{},"$objects":[]}"#,
    #"{"$archiver":"NSKeyedArchiver","$top":{},"a":1,"$objects":["$null"]}"#,
    #"{"$version":100000,"$archiver":"NSKeyedArchiver","$top":{"root":{"CF$UID":0}},"$objects":["$null"],"a":1}"#,
    #"[{"$version":100000,"$archiver":"NSKeyedArchiver","$top":{},"$objects":[]}]"#,
  ])
  func `Documents without the values of an archive are not taken for one`(_ text: String) throws {
    #expect(try Conversion(to: .json).convert(Array(text.utf8)).bytes == Array((text + "\n").utf8))
  }

  @Test func `An invalid document with the keys of an archive has the error of its format`() throws {
    let text = #"{"$version":100000,"$archiver":"NSKeyedArchiver","$top":{},"$objects":[},"a":1}"#
    let error = try #require(throws: FerryError.self) {
      try Conversion(to: .archive).convert(Array(text.utf8))
    }
    guard case .json = error.reason else { throw error }
    #expect(error.location.line == 1)
  }

  @Test func `An archive and its raw form have no differences`() throws {
    let archive = try archive()
    for format in [Format.json, .yaml] {
      let old = FileComparison.File(archive, name: "a.archive")
      let new = FileComparison.File(try raw(archive, format), name: "a.\(format.rawValue)")
      #expect(try FileComparison().differences(from: old, to: new).all.isEmpty)
    }
  }
}
