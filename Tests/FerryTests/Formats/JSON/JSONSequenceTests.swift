import TestSupport
import Testing

@testable import Ferry

/// Several JSON texts in one input: text sequences, NUL-separated and concatenated JSON.
@Suite struct `Sequences of JSON` {
  private static func convert(
    _ text: String, from source: Format? = nil, to target: Format = .json, keepsGoing: Bool = false
  ) throws -> (text: String, errors: [FerryError]) {
    var conversion = Conversion(to: target)
    conversion.reading.format = source
    conversion.keepsGoing = keepsGoing
    let result = try conversion.convert(Array(text.utf8))
    return (String(decoding: result.bytes, as: UTF8.self), result.report.errors)
  }

  private static let samples: [(Format, String, String)] = [
    (.jsonSequence, "\u{1e}{\"a\":1}\n\u{1e}[2]\n", "[{\"a\":1},[2]]\n"),
    (.jsonSequence, "\u{1e}\u{1e} 1 \u{1e}\u{1e}\"a\"\u{1e}{\n}", "[1,\"a\",{}]\n"),
    (.jsonSequence, "\u{1e}12\n\u{1e}true\n\u{1e}null ", "[12,true,null]\n"), (.jsonSequence, "", "[]\n"),
    (.nulSeparatedJSON, "{\"a\":1}\0[2]\0", "[{\"a\":1},[2]]\n"),
    (.nulSeparatedJSON, "1\0\0\n2\0\"a\"", "[1,2,\"a\"]\n"),
    (.nulSeparatedJSON, "[\n1\n]\0", "[[1]]\n"),
    (.concatenatedJSON, "{\"a\":1}{\"a\":2}[3]", "[{\"a\":1},{\"a\":2},[3]]\n"),
    (.concatenatedJSON, "{\n  \"a\": 1\n}\n{\n  \"a\": 2\n}\n", "[{\"a\":1},{\"a\":2}]\n"),
    (.concatenatedJSON, "1 2\t\"a\"\"b\"true\n\nnull[]", "[1,2,\"a\",\"b\",true,null,[]]\n"),
    (.concatenatedJSON, " ", "[]\n"),
  ]

  @Test(arguments: samples.indices)
  func `The values of a sequence are read as a list, in chunks of any size`(_ index: Int) throws {
    let (format, text, json) = Self.samples[index]
    #expect(try Self.convert(text, from: format).text == json)
    #expect(try Self.convert(text, from: format, keepsGoing: true).text == json)
    guard case .stream(let makeReader) = format.description.reader else { return }
    for size in [1, 2, 3] {
      let builder = ValueBuilder()
      let reader = try makeReader(builder, ReaderContext(budget: Budget()))
      try reader.readAll(Array(text.utf8), chunk: size)
      #expect(try JSONTest.text(builder.result()) == json, "chunks of \(size)")
    }
  }

  @Test func `A sequence is recognized by its content`() throws {
    #expect(try Format.of(Array("\u{1e}1\n".utf8)) == .jsonSequence)
    #expect(try Format.of(Array("{\"a\":1}\0{\"a\":2}\0".utf8)) == .nulSeparatedJSON)
    #expect(try Format.of(Array("{\"a\":1}\0".utf8)) == .json)
    #expect(try Format.of(Array("{\"a\":1}\0".utf8), named: "a.json-nul") == .nulSeparatedJSON)
    let damaged = MemoryInput(Array("{\"a\":1}\n\0\0".utf8))
    let error = #expect(throws: FerryError.self) { try Value(reading: damaged, named: "a.json") }
    #expect(error?.reason == .file(.zeroRun))
    #expect(try Format.of(Array("{\"a\":1}{\"a\":2}".utf8)) == .concatenatedJSON)
    #expect(try Format.of(Array("{\n\"a\":1}\n{\"a\":2}".utf8)) == .concatenatedJSON)
    #expect(try Format.of(Array("{\"a\":1}\n{\"a\":2}".utf8)) == .jsonLines)
    #expect(try Format.of(Array("{\"a\":1}}".utf8)) == .json)
  }

  @Test func `Each sequence is written and read back, compact and pretty-printed`() throws {
    let json = "[{\"a\":[1,2]},\"x\",[],null]\n"
    for format in [Format.jsonSequence, .nulSeparatedJSON, .concatenatedJSON, .jsonLines] {
      for style in [OutputStyle.compact, .pretty, OutputStyle(indentation: .tab, isASCII: true)] {
        var conversion = Conversion(to: format)
        conversion.writing.style = style
        let there = try conversion.convert(Array(json.utf8)).bytes
        var back = Conversion(to: .json)
        back.reading.format = format
        #expect(String(decoding: try back.convert(there).bytes, as: UTF8.self) == json, "\(format)")
      }
    }
    #expect(try Self.convert("[1,{}]", to: .jsonSequence).text == "\u{1e}1\n\u{1e}{}\n")
    #expect(try Self.convert("[1,{}]", to: .nulSeparatedJSON).text == "1\0{}\0")
    #expect(try Self.convert("[1,{}]", to: .concatenatedJSON).text == "1\n{}\n")
    #expect(try Self.convert("{}", to: .jsonSequence).text == "\u{1e}{}\n")
    #expect(try Self.convert("[]", to: .nulSeparatedJSON).text == "")
  }

  private static let refused: [(Format, String)] = [
    (.jsonSequence, "1️⃣1\n"), (.jsonSequence, "\u{1e}1 1️⃣2"), (.jsonSequence, "\u{1e}[1️⃣\u{1e}1"),
    (.jsonSequence, "\u{1e}11️⃣\u{1e}2\n"), (.jsonSequence, "\u{1e}true1️⃣"),
    (.jsonSequence, "\u{1e}\"a1️⃣\u{1e}\""),
    (.jsonSequence, "\u{1e}[1\n1️⃣"), (.nulSeparatedJSON, "1 1️⃣2"), (.nulSeparatedJSON, "[1️⃣\0]"),
    (.nulSeparatedJSON, "{\"a\":1️⃣"), (.concatenatedJSON, "{}1️⃣}"), (.concatenatedJSON, "[] 1️⃣,"),
    (.concatenatedJSON, "[1] [1️⃣"), (.concatenatedJSON, "1️⃣truefalse"),
  ]

  @Test(arguments: refused.indices)
  func `A record that is cut off or follows without a separator is refused with its place`(_ index: Int)
    throws
  {
    let (format, marked) = Self.refused[index]
    let text = MarkedText(marked)
    let failure = #expect(throws: FerryError.self) { try Self.convert(text.text, from: format) }
    #expect(failure?.location == text.location, "\(marked): \(String(describing: failure))")
  }

  @Test func `Records that are not JSON are left out and reported with their places`() throws {
    let sequence = "\u{1e}{\"a\":1}\n\u{1e}{\"a\":\n\u{1e}{\"a\":\n x}\n\u{1e}7\u{1e}{\"a\":3}\n"
    let found = try Self.convert(sequence, from: .jsonSequence, keepsGoing: true)
    #expect(found.text == "[{\"a\":1},{\"a\":3}]\n")
    #expect(found.errors.map { "\($0.location)" } == ["3:1", "4:2", "5:3"])
    let separated = try Self.convert("1\0[\0x\0\n[2 3]\04", from: .nulSeparatedJSON, keepsGoing: true)
    #expect(separated.text == "[1,4]\n")
    #expect(separated.errors.map { "\($0.location)" } == ["1:4", "1:5", "2:4"])
  }

  /// Returns the text that a reader of records makes of some bytes, in chunks of a size, with its errors.
  private static func outcome(
    _ bytes: [UInt8], _ format: Format, leavingOut: Bool, chunk size: Int = .max, tokenBytes: Int = 1 << 20
  ) -> (text: String, errors: [FerryError], isThrown: Bool) {
    let failed = leavingOut ? FailedRecords() : nil
    let builder = ValueBuilder()
    var budget = Budget()
    budget.tokenBytes = tokenBytes
    do throws(FerryError) {
      guard case .stream(let makeReader) = format.description.reader else { return ("", [], false) }
      let reader = try makeReader(
        builder, ReaderContext(budget: budget, losses: LossReport(), failed: failed))
      try reader.readAll(bytes, chunk: size)
      return ("\(try builder.result())", failed?.errors ?? [], false)
    } catch {
      return ("", [error], true)
    }
  }

  @Test(arguments: [Format.jsonLines, .jsonSequence, .nulSeparatedJSON])
  func `A record is left out if and only if it would be refused, with the same error at the same place`(
    _ format: Format
  ) {
    let pieces: [[UInt8]] =
      [
        "1", "true", "{\"a\":1}", "{\"a\":1,\"a\":2}", "{\"a\":", "\u{feff}", "\u{feff}2", "\0", "\u{1e}",
        "\n", "\r", " ",
        "\"", "\"a\\", "\"é\"", "[1] 2", "/", ",", "\u{1}", "e", "[[", "}", "NaN", "{b:1}", "\"\\x",
      ].map { Array($0.utf8) } + [[0xff, 0xfe], [0xfe], [0xff], [0x22, 0xe2, 0x82]]
    let separator: UInt8 = format == .jsonLines ? 0x0a : format == .jsonSequence ? 0x1e : 0
    var random = SeededGenerator(seed: 95)
    for _ in 0..<5000 {
      var bytes: [UInt8] = format == .jsonSequence && Bool.random(using: &random) ? [separator] : []
      for _ in 0..<Int.random(in: 0...9, using: &random) {
        bytes += Bool.random(using: &random) ? pieces.randomElement(using: &random) ?? [] : [separator]
      }
      let refused = Self.outcome(bytes, format, leavingOut: false)
      for size in [1, 2, 3, 7, .max] {
        let found = Self.outcome(bytes, format, leavingOut: true, chunk: size)
        // A character that the end of a chunk cuts is named by its first byte.
        let isSameReason =
          size < .max || found.errors.first?.reason == refused.errors.first?.reason
        let isSame =
          isSameReason && found.errors.first?.location == refused.errors.first?.location
          && (refused.errors.isEmpty ? found.text == refused.text : true)
        #expect(isSame, "\(bytes) in chunks of \(size): \(refused), \(found)")
      }
    }
  }

  @Test func `Records after one that is left out have their places and indices`() throws {
    let mark = "{\"a\":1}\n\u{feff}{\"a\":2}\n{\"a\":3,\"a\":4}\n[1,x]"
    let found = try Self.convert(mark, from: .jsonLines, keepsGoing: true)
    #expect(found.errors.map { "\($0.location) \($0.path)" } == ["2:1 [1]", "4:4 [3][1]"])
    #expect(found.errors.first?.reason == .json(.expected("a value", found: "U+FEFF")))
    var conversion = Conversion(to: .xmlPropertyList)
    (conversion.reading.format, conversion.keepsGoing) = (.jsonLines, true)
    let report = try conversion.convert(Array(mark.utf8)).report
    #expect(report.losses.listed == [Loss(.duplicateKey, path: ValuePath([.index(2), .key("a")]))])
    #expect(try Self.convert("\u{feff}\n1\n", from: .jsonLines, keepsGoing: true).text == "[1]\n")
    #expect(try Self.convert("\u{feff}\u{1e}1\n", from: .jsonSequence, keepsGoing: true).text == "[1]\n")
    let half = Self.outcome(
      Array("{}\n".utf8) + [0xff, 0xfe] + Array("\n[]".utf8), .jsonLines, leavingOut: true)
    #expect(half.errors.map { "\($0.location)" } == ["2:1"])
  }

  @Test func `A record may be longer than a token`() {
    let lines = Array("[1,2,3,4,5,6,7,8]\n\"123456789\"\n1\n".utf8)
    for size in [1, 3, .max] {
      let found = Self.outcome(lines, .jsonLines, leavingOut: true, chunk: size, tokenBytes: 8)
      #expect(found.errors.map(\.reason) == [.overBudget(.tokenBytes(8))])
      #expect(found.text.contains("7") && found.text.hasSuffix("1]"), "\(found.text)")
    }
  }

  @Test func `Escapes keep everything in ASCII`() throws {
    let style = OutputStyle(isASCII: true)
    let value: Value = ["é": "ä☃😀\n\u{7f}"]
    let text = try JSONTest.text(value, style)
    #expect(text == #"{"\u00e9":"\u00e4\u2603\ud83d\ude00\n"# + "\u{7f}\"}\n")
    #expect(try JSONTest.value(text) == value)
    #expect(
      try JSONTest.rewritten(Array("[\"é\",\"\\ud800é\"]".utf8), style)
        == "[\"\\u00e9\",\"\\ud800\\u00e9\"]\n")
  }

  @Test func `Indentation has the given characters`() throws {
    let value: Value = ["a": [1]]
    #expect(try JSONTest.text(value, OutputStyle(indentation: .tab)) == "{\n\t\"a\": [\n\t\t1\n\t]\n}\n")
    #expect(try JSONTest.text(value, OutputStyle(indentation: .spaces(0))) == "{\n\"a\": [\n1\n]\n}\n")
    #expect(
      try JSONTest.text(value, OutputStyle(indentation: .spaces(3))) == "{\n   \"a\": [\n      1\n   ]\n}\n")
  }
}
