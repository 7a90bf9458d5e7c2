import TestSupport
import Testing

@testable import Ferry

/// The boundaries before the children of the root element of an XML document, and conversions in parts that end there.
@Suite struct `Boundaries between elements` {
  /// The sizes of parts that end at every boundary.
  private static let everyBoundary = PartSizes(smallestInput: 0, part: 1, longPart: 1, largestPart: 1 << 20)

  // MARK: Boundaries

  /// Returns the parts of a document, with a bar between them, if it is cut at the last boundary of each piece.
  private func parts(of text: String, pieces: Int = 1) throws -> String {
    let bytes = Array(text.utf8)
    var boundary = try #require(PartBoundary(betweenElementsIn: bytes))
    var (parts, part): ([[UInt8]], [UInt8]) = ([], [])
    var index = 0
    while index < bytes.count {
      let start = part.count
      part += bytes[index..<min(index + pieces, bytes.count)]
      index += pieces
      guard let cut = boundary.last(in: part, from: start) else { continue }
      parts.append(Array(part[..<cut.lowerBound]))
      part = Array(part[cut.upperBound...])
    }
    return (parts + [part]).map { String(decoding: $0, as: UTF8.self) }.joined(separator: "|")
  }

  @Test(arguments: [
    "<a><b/>|<b/>|<b/></a>", "<a>\n <b/>\n |<b k='1' />\n |<b></b>\n</a>",
    "<a><b>x</b>|<c/>|<b>y</b>|<d/></a>",
    "<a>\n <b k='/>'/>\n |<b k='>'/>\n |<b/>\n</a>", "<a>text<b/>text|<b/>\n</a>",
    "<a><b/><!-- ><b/><b>-->|<b/></a>", "<a><b/><?p <b/><b/>?>|<b/><![CDATA[><b/>]]>|<b/></a>",
    "<a>\n <b>\n  <!-- </b>\n <b/> --></b>\n |<b/></a>",
    "<?xml version='1.0'?>\n<!-- <b/><b/> --><p:a xmlns:p='u'><p:b/>|<b/>|<p:b></p:b></p:a>",
    "<a><b/></a><!-- <b/><b/> -->", "<a></a>", "<a>\n</a>\n",
  ])
  func `Documents are cut before each child of the root element but the first`(_ marked: String) throws {
    #expect(try parts(of: marked.replacing("|", with: "")) == marked)
  }

  @Test func `Children with names that first occur late are found`() throws {
    let nodes = String(repeating: "\n <node id='1'/>", count: 50)
    let ways = String(repeating: "\n <way>\n  <nd/>\n  <nd/>\n </way>", count: 50)
    let found = try parts(of: "<osm>\(nodes)\(ways)\n</osm>", pieces: 100).split(separator: "|")
    #expect(found.count > 15)
    #expect(found.dropFirst().allSatisfy { $0.hasPrefix("<node ") || $0.hasPrefix("<way>") })
  }

  @Test func `Elements inside children are told from these by the white space before them, or by counting`()
    throws
  {
    for (child, separator) in [
      ("<b><b/><b/></b>", ""), ("<b>\n  <b/>\n  <b/>\n </b>", "\n "), ("<b>\n<b/></b>", "\n"),
    ] {
      let text = "<a>" + String(repeating: separator + child, count: 60) + separator + "</a>"
      let found = try parts(of: text, pieces: 100).split(separator: "|")
      #expect(found.count > 5)
      #expect(found.dropFirst().allSatisfy { $0.hasPrefix(child) })
    }
  }

  @Test func `Documents with an empty root element or declared entities have no boundaries`() {
    for text in [
      "<a/>", "<!DOCTYPE a><a><b/></a>", "<a", "", "<?xml version='1.0' encoding='latin1'?><a><b/></a>",
    ] {
      #expect(PartBoundary(betweenElementsIn: Array(text.utf8)) == nil, "\(text)")
    }
    #expect(PartBoundary(betweenElementsIn: Array("<a><b/></a>".utf8), ofRoot: "b") == nil)
  }

  // MARK: Conversions

  private static let lookahead = 120

  private func prepared(_ conversion: Conversion, threads: Int, _ sizes: PartSizes) -> Conversion {
    var conversion = conversion
    (conversion.threads, conversion.partSizes) = (threads, sizes)
    conversion.oneReading.lookahead = Self.lookahead...Self.lookahead
    return conversion
  }

  /// Returns the way in which a conversion takes a document.
  private func way(
    of conversion: Conversion, _ text: String, sizes: PartSizes = everyBoundary
  ) throws -> ConversionWay {
    try ConversionWay(
      of: prepared(conversion, threads: 2, sizes), MemoryInput(Array(text.utf8)), from: .xml, sizes: sizes)
  }

  /// Expects that several threads give the result of one.
  private func expectSame(
    _ conversion: Conversion, _ text: String, sizes: PartSizes = everyBoundary,
    sourceLocation: SourceLocation = #_sourceLocation
  ) {
    let input = Array(text.utf8)
    let (one, several) = (prepared(conversion, threads: 1, sizes), prepared(conversion, threads: 3, sizes))
    let expected = ConversionOutcome(of: one, MemoryInput(input), named: "a.xml")
    let found = ConversionOutcome(of: several, MemoryInput(input), named: "a.xml")
    guard expected != found else { return }
    Issue.record(
      "\(conversion.writing.format), \(conversion.reading.select ?? "all") of \(text.debugDescription):\none thread: \(expected)\nthree threads: \(found)",
      sourceLocation: sourceLocation)
  }

  private static func conversion(to target: Format, selecting xpath: String? = nil) -> Conversion {
    var conversion = Conversion(to: target)
    conversion.reading.select = xpath
    return conversion
  }

  @Test func `Elements without end tags are converted in parts`() throws {
    let row = #"<row Id="1" Body="&lt;p> /> &#xA;" />"#
    for separator in ["", "\n", "\r\n  "] {
      let text = "<posts>" + String(repeating: separator + row, count: 20) + "\n</posts>\n"
      for target in [Format.json, .jsonLines] {
        for xpath in [nil, "/posts/row", "//row", "//row[@Id='1']", "/posts/*"] {
          let conversion = Self.conversion(to: target, selecting: xpath)
          #expect(try way(of: conversion, text) == .parts, "\(target) \(xpath ?? "")")
          expectSame(conversion, text)
        }
      }
    }
  }

  private static let map =
    "<osm version='1'>\n <bounds a='1'/>\n"
    + String(repeating: " <node id='1' n='>'/>\n <node id='2'>\n  <tag k='a' v='/>'/>\n </node>\n", count: 9)
    + String(
      repeating: " <way id='3'>\n  <nd ref='1'/>\n  <nd ref='2'/>\n  <tag k='b'/>\n </way>\n", count: 9)
    + " <relation id='4'>\n  <member ref='3'/>\n </relation>\n</osm>\n"

  @Test func `Elements that a path selects beside others are converted in parts`() throws {
    let flat = Self.map.split(separator: "\n").map { $0.drop { $0 == " " } }.joined()
    for text in [Self.map, flat] {
      for xpath in [
        "//node", "/osm/node", "/osm/way", "//way/nd", "/osm/way/nd", "//tag", "//node | //way", "//relation",
        "//node[@id='2']", "/osm/*", "//bounds",
      ] {
        for target in [Format.json, .jsonLines] {
          let conversion = Self.conversion(to: target, selecting: xpath)
          #expect(try way(of: conversion, text) == .parts, "\(xpath)")
          expectSame(conversion, text)
        }
      }
      let none = Self.conversion(to: .json, selecting: "//nothing")
      #expect(try way(of: none, text) == .partsThenOneThread)
      expectSame(none, text)
      for xpath in ["//osm", "//*", "/osm", "//node[2]", "/osm/node[2]", "//node/@id", "//osm/.."] {
        let conversion = Self.conversion(to: .json, selecting: xpath)
        if xpath != "//osm/.." { #expect(try way(of: conversion, text) == .oneThread, "\(xpath)") }
        expectSame(conversion, text)
      }
    }
  }

  @Test func `Comments and sections with elements in them are in one part, unless they are very long`() throws
  {
    let row = "<row id='1'/>\n"
    let rows = String(repeating: row, count: 10)
    let selecting = Self.conversion(to: .jsonLines, selecting: "/rows/row")
    for other in ["<!-- \(row)\(row) -->", "<?p \n\(row)?>", "<row><![CDATA[\n\(row)>\n\(row)]]></row>"] {
      let text = "<rows>\n\(rows)\(other)\n\(rows)\(other)\n\(rows)</rows>"
      #expect(try way(of: selecting, text) == .parts, "\(other)")
      for conversion in [
        selecting, Self.conversion(to: .json), Self.conversion(to: .json, selecting: "//row"),
      ] {
        expectSame(conversion, text)
      }
    }
    let long = "<rows>\n\(rows)<!-- \(String(repeating: "x", count: 5000))>\n\(row) -->\n\(rows)</rows>"
    #expect(try way(of: selecting, long) == .partsThenOneThread)
    expectSame(selecting, long)
  }

  @Test func `Random documents with elements without end tags have the result of one thread`() {
    var random = SeededGenerator(seed: 156)
    func some(_ texts: [String]) -> String { texts[Int.random(in: 0..<texts.count, using: &random)] }
    let common = [
      "<r k='1'/>", "<r k='>' l='/>'/>", "<r k='2'><s/></r>", "<r/>", "<r />", "<r k='&lt;r/>'/>",
    ]
    let rare = [
      "<!-- ><r/> -->", "<!-- </r>\n <r/> -->", "<r><![CDATA[>\n <r/>]]></r>", "<?p >\n <r/>?>", "<s/>",
      "<s><r/>\n <r/></s>", "<r><r/><r/></r>", "text", "<r", "</r>", "<r k='<r/>'/>", "<r k='1' k='2'/>",
      "&u;",
      "<r><s></r>", "</rs>", "<r>\n <r k='1'/>\n <r/></r>", "<q:r xmlns:q='u'/>", "<!-- -- -->",
      "<r k='\"/>\n <r/>'/>",
      "<rs><r/></rs>",
    ]
    for _ in 0..<400 {
      let separator = some(["", "\n", "\n ", "\r\n\t"])
      let rareRate = [0, 3, 12][Int.random(in: 0..<3, using: &random)]
      var text =
        some(["", "<?xml version='1.0'?>\n", "<!-- <r/> -->"])
        + some(["<rs>", "<rs>", "<rs v='>'>", "<rs xmlns='n'>"])
      for _ in 0..<Int.random(in: 0...30, using: &random) {
        let isRare = rareRate > 0 && Int.random(in: 0..<rareRate, using: &random) == 0
        text += separator + (isRare ? some(rare) : some(common))
      }
      text += some(["</rs>", "</rs>", "</rs>\n", "\n</rs><!-- <r/> -->", ""])
      let sizes = PartSizes(
        smallestInput: 0, part: Int.random(in: 1...60, using: &random),
        largestPart: Int.random(in: 60...2000, using: &random))
      for target in [Format.json, .jsonLines] {
        for xpath in [nil, "//r", "/rs/r", "/rs/s", "//s | //r[@k]"] {
          var conversion = Self.conversion(to: target, selecting: xpath)
          conversion.isStrict = Int.random(in: 0..<5, using: &random) == 0
          expectSame(conversion, text, sizes: Bool.random(using: &random) ? sizes : Self.everyBoundary)
        }
      }
    }
  }
}
