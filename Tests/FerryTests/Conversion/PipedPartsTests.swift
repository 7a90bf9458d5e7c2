import Testing

@testable import Ferry

/// Conversions by several threads of inputs that can be read only once.
extension `Conversions in parts` {
  @Test func `Pipes are converted in parts if their texts need not be taken back`() throws {
    let lines = "{\"a\":\"x\",\"b\":1}\n{\"a\":\"y\",\"b\":2}\n"
    let list = #"[{"a":"x","b":[{"c":1},{"c":2}]}, {"a":"}, {\"a\""}, {"a":"z"}]"#
    let elements = "<rs><r><a>x</a></r>\n<r><a>y</a></r>\n<r><a>z</a></r></rs>"
    let selecting = Self.conversion(to: .jsonLines) { $0.reading.select = "/rs/r" }
    let mapping = Self.conversion(to: .jsonLines) { $0.reading.schema = Self.schema }
    let table = Self.conversion(to: .csv) { $0.reading.schema = Self.schema }
    var sizes = Self.everyBoundary
    func wayOfPipe(_ conversion: Conversion, _ text: String, from format: Format) throws -> ConversionWay {
      try way(of: conversion, text, from: format, sizes: sizes, isPipe: true)
    }
    #expect(try wayOfPipe(Conversion(to: .json), lines, from: .jsonLines) == .oneThread)
    sizes.smallestBeginning = 10
    #expect(try wayOfPipe(Conversion(to: .json), lines, from: .jsonLines) == .parts)
    #expect(try wayOfPipe(Conversion(to: .jsonLines), lines + "{", from: .jsonLines) == .partsThenRest)
    #expect(try wayOfPipe(Conversion(to: .json), list, from: .json) == .parts)
    #expect(try wayOfPipe(selecting, elements, from: .xml) == .parts)
    #expect(try wayOfPipe(mapping, elements, from: .xml) == .parts)
    #expect(try wayOfPipe(Conversion(to: .json), elements, from: .xml) == .oneThread)
    #expect(try wayOfPipe(table, lines, from: .jsonLines) == .oneThread)
  }

  @Test func `A pipe that pauses anywhere has the result of one thread`() {
    let lines = "\u{feff}{\"a\":\"é\"}\n\n{\"b\":1,\"b\":2}\r\n{\"a\":3}\n7\n{\"a\":\"x\"}\n"
    let list = "[{\"a\":\"é\"},{\"a\":1,\"a\":2},{\"a\":\"},{\\\"a\\\"\"},{\"a\":4}]\n"
    let elements =
      "<?xml version='1.0'?>\n<!-- é -->\n <rs>\n<r><a>é</a></r><r><b>1</b>\n</r>\n<r/>\n<r><a>z</a></r></rs>"
    let selecting = [Format.json, .jsonLines].map { target in
      Self.conversion(to: target) { $0.reading.select = "/rs/r" }
    }
    for (text, name, conversions) in [
      (lines, "a.jsonl", Self.conversions), (list, "a.json", Self.conversions),
      (elements, "a.xml", selecting),
      ("{\"a\":1}\n{\"$ferry\":1,\"$value\":2}\n", "a.jsonl", Self.conversions),
    ] {
      for end in ["", "x", "\0\0", "{", "</r>", "</s>"] {
        let bytes = Array((text + end).utf8)
        for pause in 0...bytes.count {
          for conversion in conversions.prefix(6) {
            ConversionOutcome.expectSameFromPipe(
              conversion, bytes, named: name, Self.everyBoundary, pausingAt: pause, chunkSize: 7)
          }
        }
      }
    }
  }

  @Test func `Damage to any byte of a pipe has the result of one thread`() {
    let lines = (0..<6).map { "{\"a\":\"é\($0)\",\"b\":[\($0)]}\n" }.joined()
    let list = "[" + (0..<6).map { "{\"a\":\"é\($0)\",\n\"b\":[\($0)]}" }.joined(separator: ",\n") + "]\n"
    let elements =
      "<!-- é -->\n  <rs k='1'>" + (0..<6).map { "\n<r><a>é\($0)</a><b>\($0)</b></r>" }.joined() + "</rs>"
    let selecting = [Format.json, .jsonLines].map { target in
      Self.conversion(to: target) { $0.reading.select = "/rs/r" }
    }
    let mapping = [Format.json, .jsonLines].map { target in
      Self.conversion(to: target) { $0.reading.schema = Self.schema }
    }
    for (text, name, conversions) in [
      (lines, "a.jsonl", Self.conversions), (list, "a.json", Self.conversions),
      (elements, "a.xml", selecting + mapping),
    ] {
      let whole = Array(text.utf8)
      for index in whole.indices {
        for (offset, damage) in ["", "\0", "<", "\"", "}", "\n", "é"].enumerated()
        where (index + offset) % 3 == 0 {
          let bytes = whole[..<index] + Array(damage.utf8) + whole[(index + 1)...]
          for conversion in conversions.prefix(4) {
            ConversionOutcome.expectSameFromPipe(
              conversion, Array(bytes), named: name, Self.everyBoundary, chunkSize: 1 << 16)
          }
        }
        for conversion in conversions.prefix(2) {
          ConversionOutcome.expectSameFromPipe(
            conversion, Array(whole[..<index]), named: name, Self.everyBoundary)
        }
      }
    }
  }

  @Test func `A pipe with more bytes than the budget allows is refused, as by one thread`() {
    let bytes = Array((0..<20).map { "{\"a\":\($0)}\n" }.joined().utf8)
    for limit in 0...bytes.count {
      let conversion = Self.conversion(to: .jsonLines) { $0.reading.budget.inputBytes = limit }
      ConversionOutcome.expectSameFromPipe(
        conversion, bytes, named: "a.jsonl", Self.everyBoundary, chunkSize: 5)
    }
  }

  @Test func `Names and paths are limited in a pipe that pauses anywhere, as by one thread`() {
    let records = [
      "<a>1</a>", "<a k='1'/>", "<b><a/><c/></b>", "<p:a xmlns:p='u'/>", "<p:a xmlns:p='v'/>",
      "<b><c><d/></c></b>", "<a/><e p='1' q='2'/>", "<b><a/><f/></b>",
    ]
    let text = "<rs>" + records.map { "<r>\($0)</r>" }.joined(separator: "\n") + "</rs>"
    let bytes = Array(text.utf8)
    for limit in 0..<20 {
      let selecting = Self.conversion(to: .jsonLines) {
        ($0.reading.select, $0.reading.budget.names) = ("/rs/r", limit)
      }
      let mapping = Self.conversion(to: .jsonLines) {
        ($0.reading.schema, $0.reading.budget.names) = (Self.schema, limit)
      }
      for conversion in [selecting, mapping] {
        for pause in stride(from: 0, through: bytes.count, by: 5) {
          ConversionOutcome.expectSameFromPipe(
            conversion, bytes, named: "a.xml", Self.everyBoundary, pausingAt: pause, "\(limit) names")
        }
      }
    }
  }

  @Test func `All parts together may have as many names as the budget allows`() throws {
    let records = (0..<40).map { "<r><a>\($0)</a><b\($0 / 8)/></r>" }.joined(separator: "\n")
    var sizes = Self.everyBoundary
    sizes.smallestBeginning = 10
    // The names are rs, r, a and b0 to b4; the paths are r, r/a and r/b0 to r/b4.
    for (limit, expected) in [(7, ConversionWay.partsThenRest), (8, .parts), (9, .parts)] {
      let conversion = Self.conversion(to: .jsonLines) {
        ($0.reading.select, $0.reading.budget.names) = ("/rs/r", limit)
      }
      let text = "<rs>\(records)</rs>"
      #expect(
        try way(of: conversion, text, from: .xml, sizes: sizes, isPipe: true) == expected, "\(limit) names")
      ConversionOutcome.expectSameFromPipe(
        conversion, Array(text.utf8), named: "a.xml", Self.everyBoundary, "\(limit) names")
    }
  }

  @Test func `A pipe with a byte order mark and a long root tag has the result of one thread`() {
    let root = "\u{feff}<?xml version='1.0'?>\n<!-- é -->\n<rs\n  a='é'\n\txmlns:p='u'\n  b='>'\n>"
    let records = "<r><a>é</a></r>\n<r><p:a>1</p:a><p:a>2</p:a></r><r>\n<b k='1'/></r>\n<r><a>z</a></r>"
    let conversions = [Format.json, .jsonLines].flatMap { target in
      [
        Self.conversion(to: target) { $0.reading.select = "/rs/r" },
        Self.conversion(to: target) { $0.reading.schema = Self.schema },
      ]
    }
    for end in ["</rs>", "</rs>\n<!-- x -->", "", "<r>", "</r>", "<r a='1' a='2'/></rs>", "<q:r/></rs>"] {
      let bytes = Array((root + records + end).utf8)
      for pause in 0...bytes.count {
        for conversion in conversions {
          ConversionOutcome.expectSameFromPipe(
            conversion, bytes, named: "a.xml", Self.everyBoundary, pausingAt: pause, chunkSize: 9)
        }
      }
    }
  }

  @Test func `A strict conversion of a pipe leaves as much as that of one thread`() {
    let bytes = Array("{\"a\":1}\n{\"b\":2}\n{\"a\":3}\n{\"c\":1,\"c\":2}\n7\n".utf8)
    let conversion = Self.conversion(to: .jsonLines) { $0.isStrict = true }
    for end in ["", "{", "8\n"] {
      for pause in 0...bytes.count {
        ConversionOutcome.expectSameFromPipe(
          conversion, bytes + Array(end.utf8), named: "a.jsonl", Self.everyBoundary, pausingAt: pause)
      }
    }
  }
}
