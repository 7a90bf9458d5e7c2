import TestSupport
import Testing

@testable import Ferry

@Suite struct `Reading of JSON` {
  @Test func `JSON values of every kind are read`() throws {
    let value = try JSONTest.value(#"{"a": [1, 1.5, 2.20, "x", true, false, null], "b": {}, "c": []}"#)
    #expect(value == ["a": [1, 1.5, .number("2.20"), "x", true, false, .null], "b": [:], "c": []])
  }

  @Test(arguments: ["1", " 1 ", "\n\"a\"\r\n\t", "null", "[]", "-1.5e+3"])
  func `Any JSON value may be the root`(_ text: String) throws {
    _ = try JSONTest.value(text)
  }

  @Test(
    arguments: [
      ("0", .integer(0)), ("-1", .integer(-1)),
      ("18446744073709551615", .integer(18_446_744_073_709_551_615)),
      ("18446744073709551616", .number("18446744073709551616")), ("-0", .number("-0")), ("-0.0", .real(-0.0)),
      ("1.0", .real(1)), ("1e2", .number("1e2")), ("1E+2", .number("1E+2")), ("2.20", .number("2.20")),
      ("1e400", .number("1e400")), ("5e-324", .real(.leastNonzeroMagnitude)),
      ("1.7976931348623157e+308", .real(.greatestFiniteMagnitude)),
    ] as [(String, Value)])
  func `A number of JSON keeps its notation`(_ text: String, _ value: Value) throws {
    #expect(try JSONTest.value(text) == value)
    #expect(try JSONTest.value(text + " ") == value)
    #expect(try JSONTest.value("[\(text)]") == [value])
    #expect(try JSONTest.text(value) == text + "\n")
  }

  @Test(arguments: [
    (#""\"\\\/\b\f\n\r\t""#, "\"\\/\u{8}\u{c}\n\r\t"), (#""\u0041\u00e9\u20AC""#, "Aé€"),
    (#""\u0000""#, "\0"),
    (#""\ud83d\ude00""#, "😀"), ("\"\u{7f}\u{2028}\u{fffe}\"", "\u{7f}\u{2028}\u{fffe}"), (#""""#, ""),
    (#""12345678\"12345678""#, "12345678\"12345678"), ("\"naïve — 😀\"", "naïve — 😀"),
  ])
  func `The escapes and the text of a JSON string are read`(_ text: String, _ value: String) throws {
    #expect(try JSONTest.value(text) == .string(value))
  }

  @Test(
    arguments: [
      (#""\ud800""#, [0xd800]), (#""\udc00\ud800""#, [0xdc00, 0xd800]),
      (#""a\ud800b""#, [0x61, 0xd800, 0x62]),
      (#""\ud800\ud83d\ude00""#, [0xd800, 0xd83d, 0xde00]), (#""\ud800\n""#, [0xd800, 0x0a]),
      (#""\uDBFF😀""#, [0xdbff, 0xd83d, 0xde00]),
    ] as [(String, [UInt16])])
  func `An unpaired surrogate is kept and comes back`(_ text: String, _ units: [UInt16]) throws {
    #expect(try JSONTest.value(text) == .unpairedString(units))
    let rewritten = try JSONTest.rewritten(Array(text.utf8))
    #expect(try JSONTest.value(rewritten) == .unpairedString(units))
  }

  @Test func `A byte order mark before JSON is skipped`() throws {
    #expect(try JSONTest.value("\u{feff}[1]") == [1])
    #expect(try JSONTest.value("\u{feff}1") == 1)
  }

  @Test(
    arguments: [
      ([0xfe, 0xff, 0, 0x5b], "UTF-16 (big-endian)"), ([0xff, 0xfe, 0x5b, 0], "UTF-16 (little-endian)"),
      ([0, 0x31], "UTF-16 (big-endian)"), ([0x31, 0], "UTF-16 (little-endian)"),
      ([0, 0, 0, 0x31], "UTF-32 (big-endian)"), ([0x31, 0, 0, 0], "UTF-32 (little-endian)"),
      ([0, 0, 0xfe, 0xff], "UTF-32 (big-endian)"), ([0xff, 0xfe, 0, 0], "UTF-32 (little-endian)"),
    ] as [([UInt8], String)])
  func `JSON in another encoding is refused with the name of the encoding`(_ bytes: [UInt8], _ name: String) {
    let failure = #expect(throws: FerryError.self) { try JSONTest.value(bytes) }
    #expect(failure?.reason == .json(.otherEncoding(name)))
    #expect(failure?.location == InputLocation(line: 1, column: 1, byte: 0))
  }

  @Test(
    arguments: [[0, 1, 2, 0, 0x61, 0x62], [1, 0, 2, 0], [0, 0, 0, 1], [1, 0, 0, 0], [0, 0x61]] as [[UInt8]])
  func `Binary bytes are not JSON in UTF-16 or UTF-32`(_ bytes: [UInt8]) {
    let failure = #expect(throws: FerryError.self) { try JSONTest.value(bytes) }
    #expect(failure?.code == "json.expected")
    #expect(TextDecoder.nameOfEncoding(shownBy: [0, 1, 0, 2]) == "UTF-8")
    #expect(TextDecoder.nameOfEncoding(shownBy: [0, 0x61, 0, 0x2c]) == "UTF-16BE")
  }

  @Test(
    arguments: [
      ("1️⃣", .unexpectedEnd(expected: "a value")),
      (" \n 1️⃣", .unexpectedEnd(expected: "a value")),
      ("[1️⃣", .unexpectedEnd(expected: "a value or \"]\"")),
      ("[1,\n1️⃣", .unexpectedEnd(expected: "a value")),
      ("[11️⃣", .unexpectedEnd(expected: "\",\" or \"]\"")),
      ("{\"a1️⃣", .unexpectedEnd(expected: "the closing quote of a string")),
      ("{\"a\"1️⃣", .unexpectedEnd(expected: "\":\"")),
      ("{\"a\":1️⃣", .unexpectedEnd(expected: "a value")),
      ("\"\\u12341️⃣", .unexpectedEnd(expected: "the closing quote of a string")),
      ("-1️⃣", .unexpectedEnd(expected: "a digit")),
      ("1.1️⃣", .unexpectedEnd(expected: "a digit")),
      (
        "[1,\n 1️⃣]",
        .extended(.trailingCommas, expected: "a value", found: "\"]\"", isReadable: true)
      ),
      ("[1️⃣,1]", .expected("a value or \"]\"", found: "\",\"")),
      ("[1 1️⃣2]", .expected("\",\" or \"]\"", found: "\"2\"")),
      ("[1,\n2\n1️⃣}", .expected("\",\" or \"]\"", found: "\"}\"")),
      (
        "{1️⃣a: 1}",
        .extended(.names, expected: "a key in double quotes or \"}\"", found: "\"a\"", isReadable: true)
      ),
      (
        "{1️⃣'a': 1}",
        .extended(
          .singleQuotes, expected: "a key in double quotes or \"}\"", found: "\"'\"", isReadable: true)
      ),
      ("{1️⃣“a”: 1}", .expected("a key in double quotes or \"}\"", found: "\"“\"")),
      (
        "{\"a\": 1,1️⃣}",
        .extended(.trailingCommas, expected: "a key in double quotes", found: "\"}\"", isReadable: true)
      ),
      ("{\"a\" 1️⃣1}", .expected("\":\"", found: "\"1\"")),
      ("{\"a\": 1 1️⃣\"b\": 2}", .expected("\",\" or \"}\"", found: "a double quote")),
      ("[1️⃣True]", .expected("a value or \"]\"", found: "\"True\"")),
      ("1️⃣nul", .expected("a value", found: "\"nul\"")),
      (
        "[1,1️⃣NaN]", .extended(.notFinite, expected: "a value", found: "\"NaN\"", isReadable: true)
      ),
      ("[1️⃣abcdefghijklmnopqrstuvwxyz]", .expected("a value or \"]\"", found: "\"abcdefghijklmnopqrst…\"")),
      (
        "[1️⃣/* no */]",
        .extended(.comments, expected: "a value or \"]\"", found: "\"/\"", isReadable: true)
      ),
      ("[1️⃣\u{a0}]", .expected("a value or \"]\"", found: "U+00A0")),
      ("[1️⃣\u{b}]", .expected("a value or \"]\"", found: "U+000B")),
      ("[01️⃣1]", .badNumber("01")),
      ("[1.1️⃣]", .badNumber("1.", isReadable: true)),
      ("[1️⃣.5]", .badNumber(".5", isReadable: true)),
      ("[1️⃣+1]", .badNumber("+1", isReadable: true)),
      ("[-1️⃣Infinity]", .badNumber("-Infinity", isReadable: true)),
      ("[01️⃣x1F]", .badNumber("0x1F", isReadable: true)),
      ("[1e1️⃣]", .badNumber("1e")),
      ("[1.5e+1️⃣,2]", .badNumber("1.5e+")),
      ("[1.51️⃣.5]", .badNumber("1.5.5")),
      ("[\"é\\1️⃣x\"]", .badEscape("\\x", isReadable: true)),
      ("[\"\\u12\("1️⃣")G4\"]", .badEscape("\\u12G")),
      ("[\"a1️⃣\n\"]", .controlCharacter(0x0a)),
      ("[\"12345678\\n1️⃣\t\"]", .controlCharacter(0x09)),
      ("[] 1️⃣x", .trailingContent(found: "\"x\"")),
      ("1 1️⃣2", .trailingContent(found: "\"2\"")),
      ("{}\n1️⃣{}", .trailingContent(found: "\"{\"")),
    ] as [(String, JSONProblem)])
  func `Text that is not JSON is refused with the reason and the place`(
    _ marked: String, _ problem: JSONProblem
  ) {
    let text = MarkedText(marked)
    for size in [1, 2, 3, 7, 65_536] {
      let failure = #expect(throws: FerryError.self) { try JSONTest.value(text.bytes, chunk: size) }
      // A character that a chunk's end has cut is named by its first byte.
      if !text.hasCharacter(cutByChunksOf: size) {
        #expect(failure?.reason == .json(problem), "chunks of \(size)")
      }
      #expect(failure?.location == text.location, "chunks of \(size)")
    }
  }

  @Test func `A raw control character in JSON is refused wherever it stands`() {
    for control in 0..<0x20 as Range<UInt8> {
      for place in 0..<20 {
        var bytes = Array("[\"12345678901234567890\"]".utf8)
        bytes[place + 2] = control
        let failure = #expect(throws: FerryError.self) { try JSONTest.value(bytes) }
        #expect(failure?.reason == .json(.controlCharacter(control)))
        #expect(failure?.location.byte == place + 2)
      }
    }
  }

  /// Before and behind each sequence stands a text; the place is that of the sequence's first byte.
  @Test(
    arguments: [
      [0x80], [0xc0, 0xaf], [0xc1, 0xbf], [0xc3], [0xe0, 0x80, 0x80], [0xe2, 0x82], [0xe2, 0x28, 0xa1],
      [0xed, 0xa0, 0x80], [0xed, 0xbf, 0xbf], [0xf0, 0x80, 0x80, 0x80], [0xf0, 0x9f, 0x98],
      [0xf4, 0x90, 0x80, 0x80],
      [0xf5, 0x80, 0x80, 0x80], [0xff], [0xfe],
    ] as [[UInt8]])
  func `Bytes of JSON that are not UTF-8 are refused at their place`(_ sequence: [UInt8]) {
    for before in ["", "é", "12345678", "\\u00e9 line"] {
      for behind in ["\"]", "12345678\"]", "é\"]"] {
        let start = Array("[1,\n\"\(before)".utf8)
        let bytes = start + sequence + Array(behind.utf8)
        for size in [1, 2, 3, 7, 65_536] {
          let failure = #expect(throws: FerryError.self) { try JSONTest.value(bytes, chunk: size) }
          #expect(failure?.reason == .json(.notUTF8))
          #expect(
            failure?.location
              == InputLocation(line: 2, column: before.unicodeScalars.count + 2, byte: start.count)
          )
        }
      }
    }
  }

  @Test(arguments: [1, 2, 3, 5, 7, 64, 65_536])
  func `JSON in chunks of any size gives the same events`(_ size: Int) {
    let text = Array(JSONTest.sample.utf8)
    let whole = JSONTest.outcome(text, chunk: .max)
    #expect(whole.hasSuffix("whole"))
    #expect(JSONTest.outcome(text, chunk: size) == whole)
  }

  @Test func `JSON that ends early is refused`() throws {
    let text = Array(JSONTest.sample.utf8)
    let end = text.count - 1  // the last line feed may be missing
    try Damage(to: text, lengths: Array(0..<end), offsets: []).check { _ = try JSONTest.value($0) }
  }

  @Test func `JSON with any byte changed is read or refused, and alike in all chunk sizes`() throws {
    let bytes = Damage.Change.replacing(Array("\u{0}\",0\\]e{".utf8) + [0x80, 0xc3, 0xed, 0xff])
    try Damage(to: Array(JSONTest.sample.utf8), lengths: [], change: bytes).check { text in
      #expect(JSONTest.outcome(text, chunk: 3) == JSONTest.outcome(text, chunk: .max))
      let value = try JSONTest.value(text)
      #expect(try JSONTest.value(JSONTest.text(value)) == value)
    }
  }
}

@Suite struct `The budget of JSON` {
  private func failure(_ marked: String, _ budget: Budget) -> (FerryError?, MarkedText) {
    let text = MarkedText(marked)
    return (
      #expect(throws: FerryError.self) { try JSONTest.value(text.bytes, chunk: 3, budget: budget) }, text
    )
  }

  @Test func `JSON is as deep as the budget allows`() throws {
    var budget = Budget()
    budget.depth = 2
    _ = try JSONTest.value(Array("[[1], {\"a\": 1}]".utf8), budget: budget)
    for marked in ["[[1️⃣[", "[{\"a\": 1️⃣{}}]"] {
      let (failure, text) = failure(marked, budget)
      #expect(failure?.reason == .overBudget(.depth(2)))
      #expect(failure?.location == text.location)
    }
  }

  @Test func `A million brackets cost nothing`() {
    let failure = #expect(throws: FerryError.self) {
      try JSONTest.value([UInt8](repeating: 0x5b, count: 1_000_000))
    }
    #expect(failure?.reason == .overBudget(.depth(512)))
    #expect(failure?.location.byte == 512)
  }

  @Test(arguments: [
    "[\"1234\", 1️⃣\"12345\"]", "[1234, 1️⃣12345]", "{1️⃣\"12345\": 1}", "[\"\\u00e9é\", 1️⃣\"\\u00e9éa\"]",
    "[1️⃣\"\\n\\n\\n\\n\\n\"]",
  ])
  func `Tokens of JSON are as long as the budget allows`(_ marked: String) {
    var budget = Budget()
    budget.tokenBytes = 4
    let (failure, text) = failure(marked, budget)
    #expect(failure?.reason == .overBudget(.tokenBytes(4)))
    #expect(failure?.location == text.location)
  }
}

@Suite struct `Repeated keys of JSON` {
  private func losses(_ text: String) throws -> [String] {
    let losses = LossReport()
    let reader = JSONReader(into: TapeSink(), losses: losses)
    try reader.readAll(Array(text.utf8), chunk: 5)
    #expect(losses.losses.allSatisfy { $0.kind == .duplicateKey })
    return losses.losses.map(\.path.description)
  }

  @Test(arguments: [
    (Format.jsonLines, "7\n\n{\"a\":1,\"a\":2}\n[[{\"b\":1,\"b\":2}]]\n"),
    (.concatenatedJSON, "\"x\"{\"a\":1,\"a\":2}[[{\"b\":1,\"b\":2}]]"),
    (.nulSeparatedJSON, "null\0{\"a\":1,\"a\":2}\0[[{\"b\":1,\"b\":2}]]\0"),
    (.jsonSequence, "\u{1e}[]\n\u{1e}{\"a\":1,\"a\":2}\n\u{1e}[[{\"b\":1,\"b\":2}]]\n"),
  ])
  func `The path of a repeated key has the index of its record`(_ format: Format, _ text: String) throws {
    var conversion = Conversion(to: .json)
    conversion.reading.format = format
    let losses = try conversion.convert(Array(text.utf8)).report.losses.listed
    #expect(losses.map(\.path.description) == ["[1].a", "[2][0][0].b"])
  }

  @Test func `A key of JSON that comes twice is passed on twice and reported once`() throws {
    #expect(try losses(#"{"a": 1, "b": 2, "a": 3, "a": 4}"#) == ["a"])
    let tapeSink = TapeSink()
    try JSONReader(into: tapeSink).readAll(Array(#"{"a":1,"a":2}"#.utf8).span)
    #expect(tapeSink.tape.count == 6)
  }

  @Test func `A key of JSON is compared as decoded, byte for byte`() throws {
    #expect(try losses(#"{"é": 1, "\u00e9": 2}"#) == ["é"])
    #expect(try losses(#"{"é": 1, "e\u0301": 2, "E": 3, "e": 4}"#) == [])
  }

  @Test func `A key of JSON is a repetition only in its own object`() throws {
    #expect(
      try losses(#"{"a": {"a": {"a": 1}}, "b": [{"a": 1}, {"a": 1}], "c": {"b": 1, "b": 2}}"#) == ["c.b"])
    #expect(
      try losses(#"[{"a": 1}, [{"x": 1, "y": [{"a": 1, "a": 2}], "x": 2}]]"#) == [
        "[1][0].y[0].a", "[1][0].x",
      ])
  }

  @Test func `A repeated key is found among many`() throws {
    let entries = (0..<5000).map { "\"key \($0)\": {\"a\": 1}" }
    let text = "{" + (entries + entries.reversed() + entries).joined(separator: ", ") + "}"
    let found = try losses(text)
    #expect(found.count == 5000)
    #expect(Set(found).count == 5000)
    #expect(try losses("{" + entries.joined(separator: ",") + "}") == [])
  }
}

@Suite struct `Reading of JSON Lines` {
  private func value(_ text: String, chunk size: Int = .max) throws(FerryError) -> Value {
    let builder = ValueBuilder()
    try JSONLinesReader(into: builder).readAll(Array(text.utf8), chunk: size)
    return try builder.result()
  }

  @Test(
    arguments: [
      ("", []), ("\n\n", []), ("1", [1]), ("1\n", [1]), ("1\n2", [1, 2]), ("1\r\n\r\n2\r\n", [1, 2]),
      ("  [1, 2] \n\n\t{\"a\":null}\n", [[1, 2], ["a": .null]]), ("\u{feff}\"a\"\n\"b\"", ["a", "b"]),
    ] as [(String, Value)])
  func `JSON Lines are read as the elements of one array`(_ text: String, _ value: Value) throws {
    for size in [1, 2, 3, 7, 65_536] { #expect(try self.value(text, chunk: size) == value) }
  }

  @Test(
    arguments: [
      ("1\n2 1️⃣3\n", .expected("the end of the line", found: "\"3\"")),
      ("{}1️⃣{}", .expected("the end of the line", found: "\"{\"")),
      ("1\n[1,1️⃣\n2]", .expected("a value", found: "the end of the line")),
      ("{1️⃣\n}", .expected("a key in double quotes or \"}\"", found: "the end of the line")),
      ("{\"a\"1️⃣\n:1}", .expected("\":\"", found: "the end of the line")),
      ("[11️⃣\n]", .expected("\",\" or \"]\"", found: "the end of the line")),
      ("1\n{\"a\": 1️⃣", .unexpectedEnd(expected: "a value")),
      ("11️⃣,2", .expected("the end of the line", found: "\",\"")),
    ] as [(String, JSONProblem)])
  func `A value of JSON Lines that is not alone on its line is refused`(
    _ marked: String, _ problem: JSONProblem
  ) {
    let text = MarkedText(marked)
    for size in [1, 2, 3, 7, 65_536] {
      let failure = #expect(throws: FerryError.self) { try value(text.text, chunk: size) }
      #expect(failure?.reason == .json(problem))
      #expect(failure?.location == text.location)
    }
  }
}
