import TestSupport
import Testing

@testable import Ferry

/// Conversions of XML documents without a schema by several threads, which take the form of the elements from the beginning.
@Suite struct `Documents in parts` {
  /// The sizes of parts that end at every boundary.
  private static let everyBoundary = PartSizes(smallestInput: 0, part: 1, longPart: 1, largestPart: 1 << 20)

  /// The length of a beginning with two records of `document`.
  private static let lookahead = 100

  private static func conversion(
    to target: Format = .json, _ change: (inout Conversion) -> Void = { _ in }
  ) -> Conversion {
    var conversion = Conversion(to: target)
    change(&conversion)
    return conversion
  }

  private static func outcome(
    of conversion: Conversion, _ text: String, threads: Int, sizes: PartSizes, lookahead: Int
  ) -> ConversionOutcome {
    var conversion = conversion
    (conversion.threads, conversion.partSizes) = (threads, sizes)
    conversion.oneReading.lookahead = lookahead...lookahead
    // One thread reads the document twice.
    if threads == 1 { conversion.oneReading.mostHeld = 0 }
    return ConversionOutcome(of: conversion, MemoryInput(Array(text.utf8)), named: "a.xml")
  }

  /// Expects that several threads give the result of one.
  private func expectSame(
    _ conversion: Conversion, _ text: String, sizes: PartSizes = everyBoundary,
    lookahead: Int = Self.lookahead,
    _ comment: @autoclosure () -> String = "", sourceLocation: SourceLocation = #_sourceLocation
  ) {
    let one = Self.outcome(of: conversion, text, threads: 1, sizes: sizes, lookahead: lookahead)
    let several = Self.outcome(of: conversion, text, threads: 3, sizes: sizes, lookahead: lookahead)
    guard one != several else { return }
    Issue.record(
      "\(comment()) \(conversion.writing.format) of \(text.debugDescription):\none thread: \(one)\nthree threads: \(several)",
      sourceLocation: sourceLocation)
  }

  /// Returns the way in which a conversion takes a document.
  private func way(
    of conversion: Conversion, _ text: String, sizes: PartSizes = everyBoundary,
    lookahead: Int = Self.lookahead
  ) throws -> ConversionWay {
    var conversion = conversion
    conversion.oneReading.lookahead = lookahead...lookahead
    return try ConversionWay(of: conversion, MemoryInput(Array(text.utf8)), from: .xml, sizes: sizes)
  }

  // MARK: Documents

  private static let record = "<person><name>Ada</name><city>x</city></person>"

  /// Returns a document of records, with other text before some of them.
  private static func document(
    _ count: Int = 8, with others: [Int: String] = [:], root: String = "people", prolog: String = "",
    separator: String = "\n"
  ) -> String {
    var text = prolog + "<\(root)>" + (others[0] ?? "")
    for index in 0..<count {
      if index > 0 { text += separator + (others[index].map { $0 + separator } ?? "") }
      text += record
    }
    let name = root.prefix { $0 != " " }
    return text + (others[count].map { separator + $0 } ?? "") + "</\(name)>"
  }

  /// Contents of the root element that differ from `record` in form, or look as if they did.
  private static let others = [
    "<other/>", "<other><name>Ada</name></other>", "<persons/>", "text", "&amp;", "&#233;", "<![CDATA[]]>",
    "<![CDATA[ ]]>", "<!-- c -->", "<!-- </person>\n<person> -->", "<?p </person>\n<person?>", "<person/>",
    "<person>x</person>", "<person k='1'><name>A</name></person>",
    "<person><name>A</name><name>B</name></person>", "<person><city>x</city><name>A</name></person>",
    "<person><name>A</name><city/><name>B</name></person>", "<person>x<name>A</name></person>",
    "<person><name>A<b/>x</name></person>", "<person><name><first>A</first></name></person>",
    "<person><new>1</new></person>", "<person><new>1</new><new>2</new></person>",
    "<person><new k='1'/></person>", "<person><new>x<b/></new></person>",
    "<person><new><a/><b/><a/></new></person>", "<person><person>x</person></person>",
    "<person><people><person>1</person>\n<person>2</person></people></person>",
    "<person xmlns='u'><name>A</name></person>", "<p:person xmlns:p='u'><name>A</name></p:person>",
    "<person xmlns:p='u'><p:name>p:A</p:name></person>", "<person><p:name xmlns:p='u'/></person>",
    "<person><_x0040_k>1</_x0040_k></person>", "<person><_x0023_text>1</_x0023_text><b/></person>",
    "<person><_x0023_content><b/></_x0023_content></person>",
    "<person><name><![CDATA[</person>\n<person>]]></name></person>",
    "<person><!-- </person>\n<person> --></person>", "<person xml:space='preserve'> <name> </name> </person>",
    "<person>&u;</person>", "</person>", "<person>", "</people>", "</people>\n<people>", "<person></people>",
    "<person><name>&lt;&#x1F600;é</name></person>", "<person id='\"'/>", "<person> </person>",
    "<person k='>' l='/>'/>", "<!-- <person/>\n<person/> -->",
    "<person><![CDATA[<person/>\n<person/>]]></person>",
    "<?p <person/>\n<person/>?>", "<person k='\n<person/>'/>",
  ]

  private static let conversions: [Conversion] = [
    conversion(), conversion { $0.writing.isPretty = true }, conversion(to: .jsonLines),
    conversion { $0.writing.style.indentation = .tab }, conversion(to: .json5) { $0.writing.isPretty = true },
    conversion(to: .jsonc), conversion(to: .jsonSequence), conversion { $0.writing.style.isASCII = true },
    conversion { $0.writing.sortsKeys = true }, conversion { $0.isStrict = true },
    conversion(to: .jsonLines) { $0.isStrict = true }, conversion { $0.reading.xml.order = .never },
    conversion { $0.reading.xml.order = .always }, conversion { $0.reading.xml.markup = .all },
    conversion { $0.reading.xml.namespaces = .stripped },
    conversion { $0.reading.xml.namespaces = .expanded },
    conversion(to: .jsonLines) { $0.reading.xml.namespaces = .expanded },
    conversion { $0.reading.xml.types = .attributes }, conversion { $0.reading.budget.depth = 3 },
    conversion { $0.reading.budget.names = 6 }, conversion { $0.reading.budget.tokenBytes = 3 },
    conversion { $0.reading.xml.lists = ["name", "nope", "new"].map { ValuePath([.key($0)]) } },
    conversion(to: .jsonLines) { $0.reading.xml.lists = ["city", "b"].map { ValuePath([.key($0)]) } },
    conversion { $0.writing.representation = .typed }, conversion { $0.keepsGoing = true },
    conversion(to: .csv), conversion(to: .yaml),
  ]

  // MARK: The result

  @Test func `Contents of another form at any place have the result of one thread`() {
    for other in Self.others {
      for index in 0...8 {
        let text = Self.document(with: [index: other])
        for conversion in Self.conversions.prefix(3) { expectSame(conversion, text) }
      }
    }
  }

  @Test func `Every conversion of contents of another form has the result of one thread`() {
    for other in Self.others {
      for index in [0, 1, 5, 8] {
        let text = Self.document(with: [index: other])
        for conversion in Self.conversions.dropFirst(3) { expectSame(conversion, text) }
      }
    }
  }

  @Test func `Elements that first occur in several parts have one form in all of them`() {
    let news = [
      "<person><new>1</new></person>", "<person><new>1</new><new>2</new></person>", "<person><new/></person>",
      "<person><new>x<b/></new></person>", "<person><new><b/></new></person>",
      "<person><new><b/><c/><b/></new></person>", "<person><new><b/><b/><c/></new></person>",
      "<person><new><!-- c --></new></person>", "<person><name><new/></name></person>",
    ]
    for first in news {
      for second in news {
        let text = Self.document(with: [4: first, 6: second])
        for conversion in Self.conversions.prefix(3) + [Self.conversion { $0.reading.xml.markup = .all }] {
          expectSame(conversion, text)
        }
      }
    }
  }

  @Test func `Documents with any root element and prolog have the result of one thread`() {
    let roots = [
      "people", "people ", "people a='1'", "people xmlns='u'", "people xmlns:p='u'",
      "people xml:space='preserve'",
      "xml:people", "person", "name", "people xml:lang='en'", "_x0040_people", "people a='/>'",
    ]
    let prologs = [
      "", "<?xml version='1.0'?>", "<?xml version=\"1.0\" encoding=\"utf-8\"?>\n<!-- c -->\n", "\u{feff}",
      "<!DOCTYPE people [<!ENTITY u 'v'>]>", "<?xml version='1.0' encoding='iso-8859-1'?>",
      "<?xml version='1.1'?>", "<?p?>",
    ]
    for root in roots {
      for prolog in prologs {
        for separator in ["", "\n", " \r\n\t"] {
          let text = Self.document(root: root, prolog: prolog, separator: separator)
          for conversion in Self.conversions { expectSame(conversion, text) }
        }
      }
    }
  }

  @Test func `Random documents have the result of one thread for any beginning and any size of parts`() {
    var random = SeededGenerator(seed: 17)
    for round in 0..<400 {
      let count = Int.random(in: 0...20, using: &random)
      var others: [Int: String] = [:]
      for _ in 0..<[0, 0, 1, 1, 2, 4][Int.random(in: 0..<6, using: &random)] {
        others[Int.random(in: 0...count, using: &random)] = Self.others.randomElement(using: &random)
      }
      let text = Self.document(count, with: others)
      let sizes = PartSizes(
        smallestInput: 0, part: Int.random(in: 1...300, using: &random),
        largestPart: Int.random(in: 300...2000, using: &random))
      let lookahead = Int.random(in: 1...max(text.utf8.count, 1), using: &random)
      for conversion in Self.conversions.shuffled(using: &random).prefix(4) + Self.conversions.prefix(3) {
        expectSame(conversion, text, sizes: sizes, lookahead: lookahead, "round \(round), \(lookahead) bytes")
      }
    }
  }

  @Test func `Real documents have the result of one thread`() throws {
    for folder in ["xml", "people"] {
      for file in try Corpus.files(under: folder) {
        let bytes = try Corpus.bytes(file)
        guard bytes.count < 1 << 20 else { continue }
        let sizes = PartSizes(smallestInput: 0, part: 300, largestPart: 1 << 20)
        let text = String(decoding: bytes, as: UTF8.self)
        for conversion in Self.conversions.prefix(3) {
          expectSame(conversion, text, sizes: sizes, lookahead: max(bytes.count / 4, 1), file)
        }
      }
    }
  }

  // MARK: The decision

  @Test func `Documents whose root element has only a list are converted in parts`() throws {
    let text = Self.document()
    for target in [Format.json, .jsonc, .json5, .jsonLines, .jsonSequence, .nulSeparatedJSON] {
      #expect(try way(of: Conversion(to: target), text) == .parts, "\(target)")
      #expect(try way(of: Self.conversion(to: target) { $0.writing.isPretty = true }, text) == .parts)
    }
    for order in [XMLOrder.never, .needed] {
      #expect(try way(of: Self.conversion { $0.reading.xml.order = order }, text) == .parts)
    }
    let lists = Self.conversion { $0.reading.xml.lists = [ValuePath([.key("name")])] }
    #expect(try way(of: lists, text) == .parts)
    #expect(try way(of: Conversion(to: .json), Self.document(prolog: "<?xml version='1.0'?>\n")) == .parts)
    for part in [1, 60, 200, 1000] {
      let sizes = PartSizes(smallestInput: 0, part: part, longPart: part, largestPart: 1 << 20)
      #expect(try way(of: Conversion(to: .json), text, sizes: sizes) == .parts)
    }
    let texts = "<l>" + String(repeating: "<i>some text</i>\n", count: 20) + "</l>"
    #expect(try way(of: Conversion(to: .json), texts) == .parts)
    // Without a list of dictionaries, the line is that of the document.
    #expect(try way(of: Conversion(to: .jsonLines), texts) == .oneThread)
    for conversion in [
      Conversion(to: .csv), Conversion(to: .yaml), Self.conversion { $0.writing.sortsKeys = true },
      Self.conversion { $0.reading.xml.order = .always }, Self.conversion { $0.oneReading.mostHeld = 200 },
    ] {
      #expect(try way(of: conversion, text) == .oneThread)
    }
    for root in ["people a='1'", "people xmlns='u'", "people xmlns:p='u'"] {
      #expect(try way(of: Conversion(to: .json), Self.document(root: root)) == .oneThread, "\(root)")
    }
    #expect(try way(of: Conversion(to: .json), Self.document(with: [1: "<other/>"])) == .oneThread)
    #expect(try way(of: Conversion(to: .json), text, sizes: PartSizes()) == .oneThread)
    #expect(try way(of: Conversion(to: .json), text, lookahead: 10_000) == .oneThread)
  }

  @Test func `Contents of another form end a conversion in parts, and other elements in records do not`()
    throws
  {
    let inParts = [
      "<person k='1'><name>A</name></person>", "<person/>", "<person>x</person>",
      "<person><new>1</new></person>", "<person><new>1</new><new>2</new></person>",
      "<person><name><first>A</first></name></person>",
      "<person><name>&lt;&#x1F600;é</name></person>", "<person><city>x</city><name>A</name></person>",
      "<person><name><![CDATA[</person>\n<person>]]></name></person>",
    ]
    for other in inParts {
      for target in [Format.json, .jsonLines] {
        #expect(
          try way(of: Conversion(to: target), Self.document(with: [5: other])) == .parts,
          "\(other), \(target)")
        #expect(
          try way(of: Conversion(to: target), Self.document(with: [5: other, 7: other])) == .parts,
          "\(other), \(target)")
      }
    }
    for other in [
      "<other/>", "text", "<![CDATA[ ]]>", "<person xml:space='preserve'> <name> </name> </person>",
      "<!-- c -->", "<person><name>A</name><name>B</name></person>",
      "<person>x<name>A</name></person>", "<person><_x0040_k>1</_x0040_k></person>",
    ] {
      #expect(
        try way(of: Conversion(to: .json), Self.document(with: [5: other])) == .partsThenOneThread, "\(other)"
      )
    }
    let uneven = [4: "<person><new>1</new></person>", 6: "<person><new>1</new><new>2</new></person>"]
    #expect(try way(of: Conversion(to: .json), Self.document(with: uneven)) == .partsThenOneThread)
  }

  @Test func `All parts together have at most as many paths as the budget allows names`() throws {
    let names = ["a", "b", "c"]
    var records: [String] = []
    for index in 0..<81 {
      var (text, ends, rest) = ("", "", index)
      for _ in 0..<4 {
        text += "<\(names[rest % 3])>"
        ends = "</\(names[rest % 3])>" + ends
        rest /= 3
      }
      records.append("<r>\(text)x\(ends)</r>")
    }
    let text = "<rs>" + records.joined(separator: "\n") + "</rs>"
    let half = text.utf8.count / 2
    let sizes = PartSizes(smallestInput: 0, part: half, longPart: half, largestPart: 1 << 20)
    for (limit, expected) in [
      (60, ConversionWay.partsThenOneThread), (110, .partsThenOneThread), (200, .parts),
    ] {
      let conversion = Self.conversion { $0.reading.budget.names = limit }
      #expect(try way(of: conversion, text, sizes: sizes) == expected, "\(limit) names")
      expectSame(conversion, text, sizes: sizes, "\(limit) names")
    }
  }

  @Test func `A list of the options that no element of any part has is noted once`() throws {
    let text = Self.document(with: [6: "<person><new>1</new></person>"])
    for select in [nil, "/people/person"] {
      let conversion = Self.conversion {
        $0.reading.xml.lists = ["nope", "new"].map { ValuePath([.key($0)]) }
        $0.reading.select = select
      }
      #expect(try way(of: conversion, text) == .parts)
      let found = Self.outcome(
        of: conversion, text, threads: 3, sizes: Self.everyBoundary, lookahead: Self.lookahead)
      #expect(found.notes == [.noList(ValuePath([.key("nope")]))])
      expectSame(conversion, text)
    }
  }
}
