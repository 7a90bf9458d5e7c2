import TestSupport
import Testing

@testable import Ferry

/// Conversions by several threads, which cut an input at every boundary.
@Suite struct `Conversions in parts` {
  /// The sizes of parts that end at every boundary.
  static let everyBoundary = PartSizes(smallestInput: 0, part: 1, longPart: 1, largestPart: 1 << 20)

  private func outcome(
    of conversion: Conversion, _ bytes: [UInt8], named name: String, threads: Int, _ sizes: PartSizes
  ) -> ConversionOutcome {
    var conversion = conversion
    (conversion.threads, conversion.partSizes) = (threads, sizes)
    return ConversionOutcome(of: conversion, MemoryInput(bytes), named: name)
  }

  /// Expects that several threads give the result of one.
  private func expectSame(
    _ conversion: Conversion, _ bytes: [UInt8], named name: String, sizes: PartSizes = everyBoundary,
    _ comment: @autoclosure () -> String = "", sourceLocation: SourceLocation = #_sourceLocation
  ) {
    let one = outcome(of: conversion, bytes, named: name, threads: 1, sizes)
    let several = outcome(of: conversion, bytes, named: name, threads: 3, sizes)
    ConversionOutcome.expectSameFromPipe(
      conversion, bytes, named: name, sizes, comment(), sourceLocation: sourceLocation)
    guard one != several else { return }
    Issue.record(
      "\(comment()) \(conversion.writing.format) of \(String(decoding: bytes, as: UTF8.self).debugDescription):\none thread: \(one)\nthree threads: \(several)",
      sourceLocation: sourceLocation)
  }

  // MARK: Conversions that are compared

  static func conversion(to target: Format, _ change: (inout Conversion) -> Void = { _ in })
    -> Conversion
  {
    var conversion = Conversion(to: target)
    change(&conversion)
    return conversion
  }

  /// A schema for some of the keys of random records.
  static let schema = try? Schema(
    Value(
      reading: MemoryInput(
        Array(
          """
          {"ferry": 1, "name": "r", "collection": {"element": "rs"}, "record": {"element": "r", "class": "R"}, "fields": [
            {"name": "a", "type": "string", "optional": true}, {"name": "b", "type": "integer", "optional": true},
            {"name": "c", "type": "list", "items": {"type": "string"}, "optional": true}]}
          """.utf8)), named: "s.json"))

  static var conversions: [Conversion] {
    [
      conversion(to: .jsonLines), conversion(to: .json), conversion(to: .json) { $0.writing.isPretty = true },
      conversion(to: .json) { $0.writing.sortsKeys = true }, conversion(to: .json) { $0.isStrict = true },
      conversion(to: .json) { $0.writing.style.isASCII = true },
      conversion(to: .jsonLines) { $0.keepsGoing = true },
      conversion(to: .jsonLines) { $0.writing.representation = .typed },
      conversion(to: .json) { $0.reading.expandsData = true },
      conversion(to: .jsonLines) { $0.reading.budget.depth = 2 },
      conversion(to: .json) { $0.reading.budget.tokenBytes = 6 },
      conversion(to: .json) { $0.writing.encoding = "iso-8859-1" }, conversion(to: .json5),
      conversion(to: .jsonSequence), conversion(to: .nulSeparatedJSON),
      conversion(to: .concatenatedJSON) { $0.writing.isPretty = true }, conversion(to: .csv),
      conversion(to: .csv) { $0.reading.schema = schema },
      conversion(to: .tsv) { $0.reading.schema = schema },
      conversion(to: .csv) { ($0.reading.schema, $0.isStrict) = (schema, true) },
      conversion(to: .csv) { ($0.reading.schema, $0.writing.csv.hasHeader) = (schema, false) },
      conversion(to: .csv) { $0.writing.csv.columns = ["a", "b"] },
      conversion(to: .csv) { ($0.reading.schema, $0.writing.csv.quotesAll) = (schema, true) },
      conversion(to: .csv) { ($0.reading.schema, $0.writing.csv.nestsDottedColumns) = (schema, true) },
      conversion(to: .json) { $0.reading.schema = schema },
      conversion(to: .jsonLines) { ($0.reading.schema, $0.keepsGoing) = (schema, true) },
      conversion(to: .xml), conversion(to: .xmlPropertyList), conversion(to: .yaml),
    ]
  }

  @Test func `The schema of these tests is valid`() { #expect(Self.schema != nil) }

  @Test(arguments: [
    "", "\n", "\n\n{}\n\n", "1\n2\n3", "[]\n[[]]\n[1]\n", "{}", "{\"a\":1}\r\n\r\n{\"a\":2}\r\n",
    "\u{feff}{\"a\":1}\n{\"a\":2}\n", "{\"a\":1}\n\u{feff}{\"a\":2}\n", "{\"a\":1}\n{\"a\":\n2}\n",
    "{\"a\":1}\n{\"a\":2} 3\n", "{\"a\":1}\n{\"a\":1,\"a\":2}\n{\"b\":1,\"b\":2}\n",
    "{\"a\":\"x\"}\n[\"y\"]\n", "{\"a\":\"x\"}\n{\"z\":\"y\"}\n", "{\"z\":1}\n{\"z\":[2]}\n{\"y\":null}\n",
    "{\"$ferry\":1,\"$value\":2}\n{\"$ferry\":1,\"$value\":2}\n", "{\"a\":1}\n{\"$ferry\":1,\"$value\":2}\n",
    "{\"a\":\"\\ud800\"}\n{\"a\":\"é\"}\n{\"a\":\"€\"}\n", "{\"a\":1}\n1\u{0}2\n", "[\n1]\n", "\n\n\n tru",
    "1e400\n-0.0\n2.20\n",
    "{\"a\":\"x\",\"b\":1,\"c\":[\"y\"]}\n{\"a\":\"z\",\"b\":2,\"c\":[]}\n{\"a\":\"w\",\"b\":\"3\"}\n",
    "{\"b\":1.5}\n{\"b\":9}\n", "{\"b\":7}\n{\"b\":2.50}\n{\"b\":9}\n",
  ])
  func `The result is that of one thread`(_ text: String) {
    for conversion in Self.conversions { expectSame(conversion, Array(text.utf8), named: "a.jsonl") }
  }

  @Test func `The result for random lines is that of one thread`() {
    var random = SeededGenerator(seed: 7)
    for round in 0..<200 {
      let bytes = Self.randomLines(using: &random)
      let sizes = PartSizes(
        smallestInput: 0, part: Int.random(in: 1...40, using: &random),
        largestPart: Int.random(in: 40...400, using: &random))
      for conversion in Self.conversions.shuffled(using: &random).prefix(8) {
        expectSame(conversion, bytes, named: "a.jsonl", sizes: sizes, "round \(round)")
      }
    }
  }

  @Test func `An error after much output leaves the output of one thread`() {
    let line = Array("{\"a\":\"\(String(repeating: "x", count: 700))\"}\n".utf8)
    for count in [50, 93, 94, 200, 500] {
      let bytes = [[UInt8]](repeating: line, count: count).flatMap { $0 } + Array("{\"a\":tru}\n".utf8) + line
      let sizes = PartSizes(smallestInput: 0, part: 5000, largestPart: 20000)
      for conversion in Self.conversions {
        expectSame(conversion, bytes, named: "a.jsonl", sizes: sizes, "\(count) lines")
      }
    }
  }

  @Test(arguments: ["json", "xml", "people"]) func `The result for real files is that of one thread`(
    _ folder: String
  ) throws {
    for file in try Corpus.files(under: folder) {
      let bytes = try Corpus.bytes(file)
      guard bytes.count < 1 << 20 else { continue }
      for target in [Format.json, .jsonLines, .csv] {
        let sizes = PartSizes(smallestInput: 0, part: 100, largestPart: 1 << 20)
        expectSame(Conversion(to: target), bytes, named: file, sizes: sizes, file)
      }
    }
  }

  private static func randomLines(using random: inout SeededGenerator) -> [UInt8] {
    let values = [
      "1", "-2.50", "1e3", "null", "true", "\"\"", "\"x\"", "\"é\\n\"", "\"\\ud83d\\ude00\"", "[]",
      "[1,\"2\"]", "{}",
      "{\"a\":{\"b\":[{}]}}", "\"a,b\\\"\"", "[\"p\",\"q\"]",
    ]
    let mistakes = [
      "tru", "{\"a\"}", "]", "\u{feff}1", "\"\\ud800\"", "{\"a\":1,\"a\":1}", "1 2", "\"\u{1}\"", "[[[[1]]]]",
    ]
    let ends = ["\n", "\n", "\n", "\r\n", "\n\n", " \n", "\n\t\n"]
    let mistakeRate = [0, 0, 30, 8][Int.random(in: 0..<4, using: &random)]
    let isOfRecords = Bool.random(using: &random)
    var text = ""
    for _ in 0..<Int.random(in: 0...30, using: &random) {
      func value() -> String { values[Int.random(in: 0..<values.count, using: &random)] }
      if mistakeRate > 0, Int.random(in: 0..<mistakeRate, using: &random) == 0 {
        text += mistakes[Int.random(in: 0..<mistakes.count, using: &random)]
      } else if isOfRecords {
        let keys = ["a", "b", "c"].filter { _ in Bool.random(using: &random) }
        let typed = ["a": "\"x\"", "b": "12", "c": "[\"y\"]"]
        let isTyped = Int.random(in: 0..<8, using: &random) > 0
        text +=
          "{" + keys.map { "\"\($0)\":\(isTyped ? typed[$0] ?? "" : value())" }.joined(separator: ",") + "}"
      } else {
        text += value()
      }
      text += ends[Int.random(in: 0..<ends.count, using: &random)]
    }
    if Bool.random(using: &random) { text += values[Int.random(in: 0..<values.count, using: &random)] }
    return Array(text.utf8)
  }

  // MARK: The decision

  /// Returns the way in which a conversion takes an input.
  func way(
    of conversion: Conversion, _ text: String, from format: Format, sizes: PartSizes = everyBoundary,
    isPipe: Bool = false
  ) throws -> ConversionWay {
    let bytes = Array(text.utf8)
    return try ConversionWay(
      of: conversion, isPipe ? PipedInput(bytes) : MemoryInput(bytes), from: format, sizes: sizes)
  }

  @Test func `Independent records are converted in parts`() throws {
    let text = "{\"a\":\"x\",\"b\":1}\n{\"a\":\"y\",\"b\":2}\n"
    for target in [
      Format.jsonLines, .json, .jsonc, .json5, .jsonSequence, .nulSeparatedJSON, .concatenatedJSON,
    ] {
      #expect(try way(of: Conversion(to: target), text, from: .jsonLines) == .parts, "\(target)")
    }
    let table = Self.conversion(to: .csv) { $0.reading.schema = Self.schema }
    #expect(try way(of: table, text, from: .jsonLines) == .parts)
    #expect(try way(of: table, text + "{\"z\":1}\n", from: .jsonLines) == .partsThenOneThread)
    #expect(try way(of: Conversion(to: .json), text + "{", from: .jsonLines) == .partsThenOneThread)
    #expect(try way(of: Conversion(to: .csv), text, from: .jsonLines) == .oneThread)
    #expect(try way(of: Conversion(to: .xml), text, from: .jsonLines) == .oneThread)
    #expect(try way(of: Conversion(to: .jsonLines), text, from: .jsonLines, sizes: PartSizes()) == .oneThread)
    let going = Self.conversion(to: .json) { $0.keepsGoing = true }
    #expect(try way(of: going, text, from: .jsonLines) == .oneThread)
  }

  @Test func `Lists of objects and elements are converted in parts`() throws {
    let list = #"[{"a":"x","b":[{"c":1},{"c":2}]}, {"a":"}, {\"a\""}, {"a":"z"}]"#
    let elements = "<rs><r><a>x</a></r>\n<r><a>y</a></r>\n<r><a>z</a></r></rs>"
    let selecting = Self.conversion(to: .jsonLines) { $0.reading.select = "/rs/r" }
    let mapping = Self.conversion(to: .jsonLines) { $0.reading.schema = Self.schema }
    for target in [Format.jsonLines, .json] {
      #expect(try way(of: Conversion(to: target), list, from: .json) == .parts, "\(target)")
    }
    #expect(
      try way(of: Conversion(to: .json), #"[{"a":[{"a":1}, {"a":2}]}, {"a":3}]"#, from: .json)
        == .partsThenOneThread)
    #expect(try way(of: Conversion(to: .json), "[1,2]", from: .json) == .oneThread)
    #expect(try way(of: Conversion(to: .json), #"{"a":[{"b":1},{"b":2}]}"#, from: .json) == .oneThread)
    #expect(try way(of: selecting, elements, from: .xml) == .parts)
    #expect(try way(of: mapping, elements, from: .xml) == .parts)
    #expect(try way(of: selecting, "<!DOCTYPE rs>" + elements, from: .xml) == .oneThread)
    #expect(
      try way(of: selecting, "<?xml\nversion='1.0' encoding='iso-8859-1'?>" + elements, from: .xml)
        == .oneThread)
    #expect(
      try way(of: selecting, elements.replacing("<a>x", with: "<a><![CDATA[</r>\n<r>]]></a><a>x"), from: .xml)
        == .parts)
    for xpath in ["//*", "/rs/r[2]", "//rs", "/rs"] {
      let other = Self.conversion(to: .jsonLines) { $0.reading.select = xpath }
      #expect(try way(of: other, elements, from: .xml) == .oneThread, "\(xpath)")
    }
    #expect(try way(of: Conversion(to: .jsonLines), elements, from: .xml) == .oneThread)
  }

  @Test func `Elements that are selected in parts have the types of the document`() throws {
    let text =
      #"<rs xmlns:i="http://www.w3.org/2001/XMLSchema-instance" xmlns:f="urn:ferry:types"><r><a i:nil="true"/></r>"#
      + "\n<r f:type=\"list\"><i>x</i></r>\n<r><a f:list=\"true\">z</a></r></rs>"
    let selecting = Self.conversion(to: .jsonLines) { $0.reading.select = "/rs/r" }
    #expect(try way(of: selecting, text, from: .xml) == .parts)
    let found = outcome(of: selecting, Array(text.utf8), named: "a.xml", threads: 3, Self.everyBoundary)
    #expect(String(decoding: found.output, as: UTF8.self) == "{\"a\":null}\n[\"x\"]\n{\"a\":[\"z\"]}\n")
    expectSame(selecting, Array(text.utf8), named: "a.xml")
  }

  @Test func `The result for random lists of objects is that of one thread`() {
    var random = SeededGenerator(seed: 11)
    func some(_ texts: [String]) -> String { texts[Int.random(in: 0..<texts.count, using: &random)] }
    for round in 0..<150 {
      let separator = some([",", ",\n", " ,\r\n  "])
      let values = ["1", "\"\"", "\"},{\\\"a\\\"\"", "[{\"a\":1},{\"a\":2}]", "{\"a\":\"é\"}", "null", "[]"]
      let records = (0..<Int.random(in: 0...12, using: &random)).map { _ in
        some(["", "", "", "", "", "7", "{}", "{\"a\":1,\"a\":2}", "{\"a\"}"])
          .replacing(/^$/, with: "{\"a\":\(some(values)),\"b\":\(some(values))}")
      }
      let mark = some(["", "", "\u{feff}"])
      let end = some(["]", "]", "]", "]\n", ",]", "] 1", ""])
      let text = mark + some(["[", "[\n ", "[[", "{\"a\":["]) + records.joined(separator: separator) + end
      for conversion in Self.conversions.shuffled(using: &random).prefix(6) {
        expectSame(conversion, Array(text.utf8), named: "a.json", "round \(round)")
      }
    }
  }

  @Test func `The result for random elements is that of one thread`() {
    var random = SeededGenerator(seed: 13)
    func some(_ texts: [String]) -> String { texts[Int.random(in: 0..<texts.count, using: &random)] }
    let fields = [
      "<a>x</a>", "<b>12</b>", "<b>x</b>", "<c><item>y</item></c>", "<!-- </r> <r> -->",
      "<a><![CDATA[</r>\n<r><a>]]></a>", "text",
      "<r><a>1</a></r>\n<r/>", "<?p </r>\n<r ?>", "<d e='1'>é &amp; &#233;<f/></d>", "<p:q xmlns:p='u'/>",
      "<a>1</a><z/><a>2</a>", "&u;",
    ]
    let prologs = [
      "", "", "<?xml version='1.0'?>", "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<!-- x -->", "\u{feff}",
      "<!DOCTYPE rs [<!ENTITY u 'v'>]>", "<?xml version='1.0' encoding='iso-8859-1'?>",
    ]
    let roots = [
      "<rs>", "<rs>", "<rs>", "<rs xmlns='n'>", "<rs v='1' w='>'>", "<rs xml:space='preserve'>", "<r>", "<s>",
    ]
    for round in 0..<200 {
      let root = some(roots)
      let isPlain = Bool.random(using: &random)
      var text = some(prologs) + root + some(["", "\n", "<m/>", "  "])
      for _ in 0..<Int.random(in: 0...8, using: &random) {
        text += some(["<r>", "<r>", "<r>", isPlain ? "<r>" : "<r k='1'>", isPlain ? "<r>" : "<s>"])
        for _ in 0..<Int.random(in: 0...3, using: &random) {
          text += some(isPlain ? Array(fields.prefix(2)) : fields)
        }
        text +=
          some(["</r>", "</r>", "</r>", "</r>", "</r>", isPlain ? "</r>" : "</s>"])
          + some(["\n", "\n", "\n", isPlain ? "\n" : "<!-- y -->"])
      }
      text += some([
        "</\(root.dropFirst().prefix { $0.isLetter })>", "</rs>", "</rs>\n", "</rs><!-- z -->", "",
      ])
      let conversions = [Format.jsonLines, .json, .csv].flatMap { target in
        ["/rs/r", "/rs/r[@k]", "/*/r", "/_:rs/_:r", "//r", nil].map { xpath in
          Self.conversion(to: target) { conversion in
            conversion.reading.select = xpath
            if xpath == nil || Bool.random(using: &random) { conversion.reading.schema = Self.schema }
            conversion.isStrict = Int.random(in: 0..<6, using: &random) == 0
            conversion.keepsGoing = Int.random(in: 0..<6, using: &random) == 0
            conversion.reading.budget.names = Int.random(in: 0..<3, using: &random) == 0 ? 9 : 1 << 17
            conversion.reading.xml.types =
              Int.random(in: 0..<5, using: &random) == 0 ? .attributes : conversion.reading.xml.types
          }
        }
      }
      for conversion in conversions.shuffled(using: &random).prefix(6) {
        expectSame(conversion, Array(text.utf8), named: "a.xml", "round \(round)")
      }
    }
  }

  @Test func `A line that is longer than a part may be leaves the conversion to one thread`() throws {
    let sizes = PartSizes(smallestInput: 0, part: 10, largestPart: 20)
    #expect(
      try way(of: Conversion(to: .json), "1\n\"0123456789\"\n2\n", from: .jsonLines, sizes: sizes) == .parts)
    let long = "1\n\"\(String(repeating: "x", count: 50))\"\n2\n"
    #expect(try way(of: Conversion(to: .json), long, from: .jsonLines, sizes: sizes) == .partsThenOneThread)
  }

  /// An output that refuses bytes after some.
  private final class FullOutput: ByteOutput {
    var room: Int
    init(room: Int) { self.room = room }

    func write(_ bytes: Span<UInt8>) throws(FerryError) {
      guard bytes.count <= room else { throw FerryError(.file(.brokenPipe)) }
      room -= bytes.count
    }
  }

  @Test func `An error of the output ends the conversion`() throws {
    let line = Array("\"\(String(repeating: "x", count: 700))\"\n".utf8)
    let bytes = [[UInt8]](repeating: line, count: 500).flatMap { $0 }
    var conversion = Conversion(to: .jsonLines)
    (conversion.threads, conversion.partSizes) = (
      2, PartSizes(smallestInput: 0, part: 5000, largestPart: 9000)
    )
    for threads in [1, 2] {
      conversion.threads = threads
      let error = #expect(throws: FerryError.self) {
        try conversion.convert(MemoryInput(bytes), named: "a.jsonl", to: FullOutput(room: 100_000))
      }
      #expect(error == FerryError(.file(.brokenPipe)))
    }
  }

  @Test func `Compressed inputs and other encodings have the result of one thread`() throws {
    let lines = (0..<40).map { "{\"a\":\"é\($0)\",\"b\":\($0)}\n" }.joined()
    let elements = "<rs>" + (0..<40).map { "<r><a>é\($0)</a></r>\n" }.joined() + "</rs>"
    let selecting = Self.conversion(to: .jsonLines) { $0.reading.select = "/rs/r" }
    for (text, name, conversion) in [
      (lines, "a.jsonl", Conversion(to: .json)), (elements, "a.xml", selecting),
    ] {
      let output = MemoryOutput()
      let compressed = try CompressedOutput(output, .gzip)
      try compressed.write(Array(text.utf8).span)
      try compressed.finish()
      expectSame(conversion, output.bytes, named: name)
      let wide = text.utf16.flatMap { [UInt8($0 & 0xff), UInt8($0 >> 8)] }
      expectSame(conversion, [0xff, 0xfe] + wide, named: name)
    }
  }

  @Test func `A long input has longer parts`() {
    let sizes = PartSizes()
    for (size, part) in [(8 << 20, 256 << 10), (512 << 20, 512 << 10), (4 << 30, 1 << 20)] {
      #expect(sizes.fitted(to: size).part == part)
    }
  }
}
