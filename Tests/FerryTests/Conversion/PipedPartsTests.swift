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
}
