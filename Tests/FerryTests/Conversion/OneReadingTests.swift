import TestSupport
import Testing

@testable import Ferry

/// Conversions of XML documents whose values are written while their shape is still being found.
@Suite(.temporaryDirectory) struct `Conversions in one reading` {
  /// An input in memory that counts how often it is read again.
  private final class CountingInput: ByteInput {
    private let bytes: [UInt8]
    private let chunkSize: Int
    private var isRead = false
    private(set) var rewindCount = 0

    init(_ text: String, chunkSize: Int = .max) {
      bytes = Array(text.utf8)
      self.chunkSize = min(chunkSize, max(bytes.count, 1))
    }

    func peek(upTo count: Int) throws(FerryError) -> [UInt8] { isRead ? [] : Array(bytes.prefix(count)) }

    func forEachChunk(_ body: (Span<UInt8>) throws(FerryError) -> Void) throws(FerryError) {
      guard !isRead else { return }
      isRead = true
      var start = 0
      while start < bytes.count {
        let chunk = Array(bytes[start..<min(start + chunkSize, bytes.count)])
        try body(chunk.span)
        start += chunk.count
      }
    }

    func makeRewindable() throws(FerryError) {}

    func rewind() throws(FerryError) {
      isRead = false
      rewindCount += 1
    }
  }

  /// Documents in which a later element changes the form of earlier ones, or does not.
  private static let documents = [
    "<people><person><name>Ada</name></person><person><name>Alan</name></person></people>",
    "<people><person><name>Ada</name></person><person><name>Alan</name><name>T</name></person></people>",
    "<people><person id='1'>Ada</person><person>Alan<b/></person><person/></people>",
    "<r><a>1</a><b/><a>2</a></r>", "<r><x><a/><b/></x><x><a/><b/><a/></x></r>",
    "<r><p>one</p><p>one <b>two</b> three</p></r>", "<r><p><b>two</b></p><p>one <b>two</b></p></r>",
    "<r><a/><b><c/></b><b><c/><d/></b><e><f><g/></f></e></r>",
    "<!-- c --><r><a>1</a><!-- d --><a/></r><!-- e -->",
    "<?p q?><r><a><![CDATA[x]]></a><a> <![CDATA[ ]]> </a></r>",
    "<r><a xmlns='u'>1</a><a/><b xmlns:p='v' p:c='1'/></r>",
    "<r><_x0023_text>a</_x0023_text><b/></r>", "<r c='1'><a/><_x0040_c>1</_x0040_c></r>",
    "<r><a>1</a><a>2</a><_x0023_content><b/></_x0023_content></r>",
    "<r xmlns:ferry='\(XMLTypeAttribute.ferry)'><a ferry:list='true'>1</a><a>2</a></r>",
    "<!DOCTYPE r [<!ENTITY e 'x'>]><r><a>&e;</a><a/></r>", "<r><a>1</a><a>2</b></r>", "<r><a>1</a><a>2</a>",
    "<r><a>1</a><a>&u;</a></r>", "<r><a xml:space='preserve'> <b/> </a><a> <b/> </a></r>", "<r/>",
    "<r> x </r>",
    "<r><list><i>1</i></list><list><i>1</i><i>2</i></list><other/></r>",
    "<r><i a='1'/><i a='2'/><j b='1'/></r>",
    "<r><i a='1'/><i a='2'/><j b='1'/><j/></r>",
  ]

  private static let conversions: [Conversion] = {
    let formats: [Format] = [
      .json, .jsonLines, .yaml, .csv, .xmlPropertyList, .binaryPropertyList, .archive, .text,
    ]
    var conversions = formats.map(Conversion.init(to:))
    for change: (inout Conversion) -> Void in [
      { $0.isStrict = true }, { $0.writing.sortsKeys = true }, { $0.writing.representation = .typed },
      { $0.reading.xml.order = .never }, { $0.reading.xml.order = .always }, { $0.reading.xml.markup = .all },
      { $0.reading.xml.namespaces = .stripped }, { $0.reading.xml.namespaces = .expanded },
      { $0.reading.xml.types = .attributes }, { $0.reading.budget.depth = 3 },
      { $0.reading.budget.names = 3 },
    ] {
      var conversion = Conversion(to: .json)
      change(&conversion)
      conversions.append(conversion)
    }
    return conversions
  }()

  private func outcome(of conversion: Conversion, _ input: any ByteInput, lookahead: Int) -> ConversionOutcome
  {
    var conversion = conversion
    conversion.oneReading.lookahead = lookahead...lookahead
    return ConversionOutcome(of: conversion, input, named: "r.xml")
  }

  @Test func `One reading gives the result of two, wherever the beginning of the document ends`() {
    for conversion in Self.conversions {
      for document in Self.documents {
        let two = outcome(of: conversion, CountingInput(document), lookahead: .max)
        for lookahead in 0..<document.utf8.count {
          let one = outcome(of: conversion, CountingInput(document, chunkSize: 7), lookahead: lookahead)
          #expect(one == two, "\(document), \(lookahead) bytes, \(conversion)")
        }
      }
    }
  }

  /// An output from which no bytes can be removed.
  private final class StreamOutput: ByteOutput {
    private(set) var bytes: [UInt8] = []
    func write(_ bytes: Span<UInt8>) throws(FerryError) { self.bytes += [UInt8](copying: bytes) }
  }

  @Test func `Values that are taken back leave nothing in a file, in memory and in a stream`() throws {
    let path = TemporaryDirectory.current.path("output")
    for conversion in Self.conversions {
      for document in Self.documents {
        let two = outcome(of: conversion, CountingInput(document), lookahead: .max)
        var conversion = conversion
        for lookahead in [4, document.utf8.count / 2, document.utf8.count - 1] {
          conversion.oneReading.lookahead = lookahead...lookahead
          let (stream, memory) = (StreamOutput(), MemoryOutput())
          let file = try FileOutput(path: path, replacing: true)
          for output: any ByteOutput in [stream, memory, file] {
            try output.write("before")
            _ = try? conversion.convert(CountingInput(document, chunkSize: 7), named: "r.xml", to: output)
          }
          try file.commit()
          let expected = Array("before".utf8) + two.output
          #expect(stream.bytes == expected, "\(document), \(lookahead) bytes, \(conversion)")
          #expect(memory.bytes == expected, "\(document), \(lookahead) bytes, \(conversion)")
          #expect(
            try TemporaryDirectory.current.bytes("output") == expected,
            "\(document), \(lookahead) bytes, \(conversion)")
        }
      }
    }
  }

  @Test func `Random documents have the same result after one reading as after two`() {
    var random = SeededGenerator(seed: 11)
    for _ in 0..<2_000 {
      var text = "<r>"
      for _ in 0..<Int.random(in: 1...12, using: &random) {
        text += Self.randomElement(depth: 0, using: &random)
      }
      text += "</r>"
      let lookahead = Int.random(in: 0..<text.utf8.count, using: &random)
      let conversion = Conversion(to: .json)
      let two = outcome(of: conversion, CountingInput(text), lookahead: .max)
      let one = outcome(of: conversion, CountingInput(text, chunkSize: 64), lookahead: lookahead)
      #expect(one == two, "\(text), \(lookahead) bytes")
    }
  }

  private static func randomElement(depth: Int, using random: inout SeededGenerator) -> String {
    let name = ["a", "b", "c"].randomElement(using: &random) ?? "a"
    var text = "<\(name)" + (Int.random(in: 0..<6, using: &random) == 0 ? " k='1'>" : ">")
    for _ in 0..<(depth < 3 ? Int.random(in: 0..<4, using: &random) : 0) {
      text += randomElement(depth: depth + 1, using: &random)
      if Int.random(in: 0..<12, using: &random) == 0 { text += "t" }
    }
    return text + (Int.random(in: 0..<3, using: &random) == 0 ? "x" : "") + "</\(name)>"
  }

  private static let people = "<people>" + String(repeating: "<person><name>Ada</name></person>", count: 100)

  @Test func `A document that goes on as it begins is read once`() {
    let input = CountingInput(Self.people + "</people>")
    let result = outcome(of: Conversion(to: .json), input, lookahead: 100)
    #expect(input.rewindCount == 0)
    #expect(result.output.count > 1_000)
    let lines = CountingInput(Self.people + "</people>")
    #expect(outcome(of: Conversion(to: .jsonLines), lines, lookahead: 100).output.count > 1_000)
    #expect(lines.rewindCount == 0)
  }

  @Test func `New elements are not a reason to read a document again, but a new list of known elements is`() {
    let named = CountingInput(Self.people + "<person><name>Ada</name><age>36</age></person></people>")
    _ = outcome(of: Conversion(to: .json), named, lookahead: 100)
    #expect(named.rewindCount == 0)
    let listed = CountingInput(Self.people + "<tags><tag>a</tag><tag>b</tag></tags></people>")
    let tags = outcome(of: Conversion(to: .json), listed, lookahead: 100)
    #expect(listed.rewindCount == 0)
    #expect(String(decoding: tags.output, as: UTF8.self).hasSuffix(#""tags":{"tag":["a","b"]}}}"# + "\n"))
    let twice = CountingInput(Self.people + "<person><name>Ada</name><name>Augusta</name></person></people>")
    let result = outcome(of: Conversion(to: .json), twice, lookahead: 100)
    #expect(twice.rewindCount == 1)
    #expect(
      String(decoding: result.output.prefix(40), as: UTF8.self)
        == #"{"people":{"person":[{"name":["Ada"]},{""#)
  }

  @Test func `Documents with a common shape are read once`() {
    var conversion = Conversion(to: .json)
    conversion.reading.xml.commonShape = XMLCommonShape(
      of: Self.documents.map { (Array($0.utf8), "r.xml") }, conversion.reading)
    for document in Self.documents {
      let (one, two) = (CountingInput(document), MemoryInput(Array(document.utf8)))
      var twice = conversion
      twice.oneReading.mostHeld = 0
      #expect(
        outcome(of: conversion, one, lookahead: .max) == outcome(of: twice, two, lookahead: .max),
        "\(document)")
    }
    let input = CountingInput(Self.documents[1])
    _ = outcome(of: conversion, input, lookahead: .max)
    #expect(input.rewindCount == 0)
  }

  @Test func `Files that were read for their common shape have the same result as files that are read again`()
    throws
  {
    let directory = TemporaryDirectory.current
    var documents =
      Self.documents + [
        "", "x", "<groups><group><name>a</name></group></groups>",
        "<?xml version='1.0' encoding='ISO-8859-1'?><r>\u{e4}</r>",
      ]
    for element in [
      "<firstName>Ada</firstName>", "<firstName x='1'/>", "<age>36</age>", "text", "<firstName xmlns='u'/>",
    ] {
      documents.append("<people><person>\(element)<lastName>L</lastName></person></people>")
    }
    documents.append("<r>" + String(repeating: "<a>1</a>", count: 1_000) + "</r>")
    for (index, document) in documents.enumerated() { try directory.write("\(index).xml", document) }
    try directory.write(
      "utf16.xml", [0xff, 0xfe] + "<r>1</r>".utf16.flatMap { [UInt8($0 & 0xff), UInt8($0 >> 8)] })
    let files = (documents.indices.map { "\($0).xml" } + ["utf16.xml"]).map { directory.path($0) }
    for var kept in Self.conversions where !kept.writing.format.isOfElements {
      kept.noteCommonShape(ofFiles: files, threads: 2)
      var again = kept
      again.reading.documents = nil
      for file in files {
        let first = try ConversionOutcome(of: kept, FileInput(path: file), named: file)
        let second = try ConversionOutcome(of: again, FileInput(path: file), named: file)
        #expect(first == second, "\(file), \(kept)")
      }
    }
  }

  @Test func `A file that has changed since its shape was found is read again`() throws {
    let directory = TemporaryDirectory.current
    try directory.write("a.xml", "<r><a>1</a></r>")
    try directory.write("b.xml", "<r><a>2</a></r>")
    let files = ["a.xml", "b.xml"].map { directory.path($0) }
    var conversion = Conversion(to: .json)
    conversion.noteCommonShape(ofFiles: files)
    try directory.write("a.xml", "<r><a>1</a><b>3</b></r>")
    let outcome = try ConversionOutcome(of: conversion, FileInput(path: files[0]), named: files[0])
    let text = String(decoding: outcome.output, as: UTF8.self)
    #expect(text == #"{"r":{"a":"1","b":"3"}}"# + "\n")
  }

  @Test func `An output that is too large to wait is written after the whole shape was found`() throws {
    var conversion = Conversion(to: .json)
    (conversion.oneReading.mostHeld, conversion.oneReading.lookahead) = (100, 100...100)
    let (input, stream) = (CountingInput(Self.people + "</people>"), StreamOutput())
    _ = try conversion.convert(input, named: "r.xml", to: stream)
    #expect(input.rewindCount == 1)
    let twice = CountingInput(Self.people + "</people>")
    #expect(stream.bytes == outcome(of: Conversion(to: .json), twice, lookahead: .max).output)
    // Bytes in memory do not wait.
    let once = CountingInput(Self.people + "</people>")
    #expect(outcome(of: conversion, once, lookahead: 100).output == stream.bytes)
    #expect(once.rewindCount == 0)
  }

  @Test func `A list that no element has is noted once if the output is found to be too large at its end`()
    throws
  {
    var conversion = Conversion(to: .binaryPropertyList)
    let list = ValuePath([.key("animal")])
    conversion.reading.xml.lists = [list]
    (conversion.oneReading.mostHeld, conversion.oneReading.lookahead) = (100, 100...100)
    let input = CountingInput(Self.people + "</people>")
    let report = try conversion.convert(input, named: "r.xml", to: StreamOutput())
    #expect(report.notes == [.noList(list)])
    #expect(input.rewindCount == 1)
  }

  @Test
  func `Real documents have the same result after one reading as after two`() throws {
    var (files, once) = (0, 0)
    for file in try Corpus.files(under: "xml") where file.hasSuffix(".xml") {
      let bytes = try Corpus.bytes(file)
      guard bytes.count < 2 << 20 else { continue }
      let text = String(decoding: bytes, as: UTF8.self)
      let two = outcome(of: Conversion(to: .json), CountingInput(text), lookahead: .max)
      for lookahead in [0, 100, bytes.count / 3] where lookahead < text.utf8.count {
        let input = CountingInput(text, chunkSize: 10_000)
        #expect(outcome(of: Conversion(to: .json), input, lookahead: lookahead) == two, "\(file)")
        if input.rewindCount == 0 { once += 1 }
      }
      files += 1
    }
    #expect(files > 20 && once > 0)
  }
}
