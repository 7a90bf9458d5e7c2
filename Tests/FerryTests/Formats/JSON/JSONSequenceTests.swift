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
      try JSONTest.read(Array(text.utf8), with: reader, chunk: size)
      #expect(try JSONTest.text(builder.result()) == json, "chunks of \(size)")
    }
  }

  @Test func `A sequence is recognized by its content`() throws {
    #expect(try Format.of(Array("\u{1e}1\n".utf8)) == .jsonSequence)
    #expect(try Format.of(Array("{\"a\":1}\0{\"a\":2}\0".utf8)) == .nulSeparatedJSON)
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

  @Test func `Records that are no JSON are left out and reported with their places`() throws {
    let sequence = "\u{1e}{\"a\":1}\n\u{1e}{\"a\":\n\u{1e}{\"a\":\n x}\n\u{1e}7\u{1e}{\"a\":3}\n"
    let found = try Self.convert(sequence, from: .jsonSequence, keepsGoing: true)
    #expect(found.text == "[{\"a\":1},{\"a\":3}]\n")
    #expect(found.errors.map { "\($0.location)" } == ["3:1", "4:2", "5:3"])
    let separated = try Self.convert("1\0[\0x\0\n[2 3]\04", from: .nulSeparatedJSON, keepsGoing: true)
    #expect(separated.text == "[1,4]\n")
    #expect(separated.errors.map { "\($0.location)" } == ["1:4", "1:5", "2:4"])
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
