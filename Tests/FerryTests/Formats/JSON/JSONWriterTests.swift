import TestSupport
import Testing

@testable import Ferry

@Suite struct `Writing of JSON` {
  private let value: Value = ["first": "Ada", "tags": [], "more": [[:], [1, .null], ["a": true]]]

  @Test func `JSON is written on one line`() throws {
    #expect(
      try JSONTest.text(value) == #"{"first":"Ada","tags":[],"more":[{},[1,null],{"a":true}]}"# + "\n")
  }

  @Test func `JSON is written over indented lines`() throws {
    let expected = """
      {
        "first": "Ada",
        "tags": [],
        "more": [
          {},
          [
            1,
            null
          ],
          {
            "a": true
          }
        ]
      }

      """
    #expect(try JSONTest.text(value, .pretty) == expected)
  }

  @Test func `A level of indentation has at most 64 spaces`() throws {
    let spaces = String(repeating: " ", count: 64)
    #expect(try JSONTest.text([[1]], OutputStyle(indentation: .spaces(.max))).hasPrefix("[\n\(spaces)[\n"))
    #expect(try JSONTest.text([1], OutputStyle(indentation: .spaces(.min))) == "[\n1\n]\n")
    let xml = try written(indent: .max) { writer throws(FerryError) in
      try writer.start("a")
      try writer.start("b")
      try writer.endElement()
      try writer.endElement()
    }
    #expect(xml.contains("\n\(spaces)<b"))
    #expect(!xml.contains(" \(spaces)<b"))
  }

  @Test(
    arguments: [
      ("\"\\/", #""\"\\/""#), ("\u{8}\u{c}\n\r\t", #""\b\f\n\r\t""#),
      ("\0\u{1}\u{1f}", #""\u0000\u0001\u001f""#),
      ("\u{7f}\u{85}\u{2028}\u{2029}😀", "\"\u{7f}\u{85}\u{2028}\u{2029}😀\""), ("", "\"\""),
      ("1234567\"12345678\n", #""1234567\"12345678\n""#),
    ] as [(String, String)])
  func `Only the characters of JSON that must be escaped are escaped`(_ text: String, _ json: String) throws {
    var entries = KeyedValues()
    entries[text] = 1
    #expect(try JSONTest.text(.string(text)) == json + "\n")
    #expect(try JSONTest.text(.dictionary(entries)) == "{\(json):1}\n")
    #expect(try JSONTest.value(json) == .string(text))
  }

  @Test func `Unpaired surrogates are escaped in JSON, and others are not`() throws {
    #expect(
      try JSONTest.text(.unpairedString([0xd800, 0x22, 0xd83d, 0xde00, 0xe9, 0xdfff]))
        == "\"\\ud800\\\"😀é\\udfff\"\n")
  }

  @Test(
    arguments: [
      (.real(1), "1.0"), (.real(-0.0), "-0.0"), (.real(1e20), "1e+20"), (.real(0.1), "0.1"),
      (.single(0.1), "0.10000000149011612"), (.single(1.5), "1.5"),
      (.integer(-9_223_372_036_854_775_808), "-9223372036854775808"),
      (.integer(18_446_744_073_709_551_615), "18446744073709551615"), (.number("1.10"), "1.10"),
    ] as [(Value, String)])
  func `Numbers are written in full`(_ value: Value, _ json: String) throws {
    #expect(try JSONTest.text(value) == json + "\n")
  }

  @Test(
    arguments: [
      (.real(.nan), "NaN"), (.real(.infinity), "infinity"), (.single(-.infinity), "infinity"),
      (.data([1]), "data"),
      (.date(secondsSince2001: 0), "a date"), (.uid(1), "a reference of an archive"), (.set([]), "a set"),
      (.number("0x10"), "the number 0x10"), (.reference(1), "a reference to an object"),
      (.object(ObjectValue(ObjectClass("A"), content: 1)), "an object"),
    ] as [(Value, String)])
  func `A value without a syntax in JSON is refused by name`(_ value: Value, _ kind: String) {
    let failure = #expect(throws: FerryError.self) { try JSONTest.text([value]) }
    #expect(failure?.reason == .cannotHold(.kind(kind, format: "JSON")))
  }

  @Test(arguments: [
    ("a second value", "null null"), ("a value without a key", "{ null"),
    ("a value without a key", "{ k null null"),
    ("a key", "k"), ("a key", "[ k"), ("a key", "{ k k"), ("the end of an array", "]"),
    ("the end of an array", "{ ]"),
    ("the end of an array", "[ ] ]"), ("the end of a dictionary", "[ }"),
    ("the end of a dictionary", "{ k }"),
    ("the end", ""), ("the end", "["), ("the end", "{ k null"), ("a second value", "[ ] ["),
  ])
  func `Events that make no value are refused`(_ what: String, _ events: String) {
    for isLines in [false, true] where !(isLines && events == "[ k") || what == "a key" {
      let output = MemoryOutput()
      let sink: any ValueSink = isLines ? JSONLinesWriter(to: output) : JSONWriter(to: output)
      let failure = #expect(throws: FerryError.self) {
        for event in events.split(separator: " ") {
          switch event {
          case "null": try sink.null()
          case "{": try sink.beginDictionary(count: nil)
          case "}": try sink.endDictionary()
          case "[": try sink.beginArray(count: nil)
          case "]": try sink.endArray()
          default: try sink.key(BorrowedText("k".utf8.span))
          }
        }
        try sink.finish()
      }
      #expect(failure?.reason == .cannotHold(.misplaced(what)))
    }
  }

  @Test func `JSON that is read is written the same`() throws {
    let text = try JSONTest.rewritten(Array(JSONTest.sample.utf8))
    #expect(try JSONTest.rewritten(Array(text.utf8)) == text)
    #expect(try JSONTest.value(text) == JSONTest.value(JSONTest.sample))
    let pretty = try JSONTest.rewritten(Array(text.utf8), .pretty)
    #expect(try JSONTest.rewritten(Array(pretty.utf8)) == text)
    #expect(text.contains(#""name":2,"#))
  }

  @Test func `A long text is written in pieces of every length`() throws {
    let value = Value.array((0..<70).map { .string(String(repeating: "x", count: $0) + "\"é\n") })
    let big = Value.array([Value](repeating: value, count: 40))
    #expect(try JSONTest.value(JSONTest.text(big)) == big)
    #expect(try JSONTest.value(JSONTest.text(big, .pretty)) == big)
  }
}

@Suite struct `Writing of JSON Lines` {
  @Test(
    arguments: [
      ([], ""), ([1, "a", [:]], "1\n\"a\"\n{}\n"), ([[1, 2], ["a": [.null]]], "[1,2]\n{\"a\":[null]}\n"),
      (["a": [1]], "{\"a\":[1]}\n"), (5, "5\n"), ([[]], "[]\n"),
    ] as [(Value, String)])
  func `JSON Lines are written one element a line`(_ value: Value, _ lines: String) throws {
    let output = MemoryOutput()
    let writer = JSONLinesWriter(to: output)
    try value.replay(into: writer)
    try writer.finish()
    #expect(String(decoding: output.bytes, as: UTF8.self) == lines)
  }
}

@Suite struct `Sorting of keys` {
  private func sorted(_ text: String) throws -> String {
    let output = MemoryOutput()
    let sorter = KeySorter(to: JSONWriter(to: output))
    try JSONReader(into: sorter).readAll(Array(text.utf8).span)
    try sorter.finish()
    return String(decoding: output.bytes, as: UTF8.self).trimmingSuffix("\n")
  }

  @Test(arguments: [
    ("1", "1"), ("[3,2,1]", "[3,2,1]"), (#"{"b":1,"a":2}"#, #"{"a":2,"b":1}"#),
    (
      #"[{"b":[{"z":1,"y":{"2":2,"10":1}}],"a":2},{"d":1,"c":{}}]"#,
      #"[{"a":2,"b":[{"y":{"10":1,"2":2},"z":1}]},{"c":{},"d":1}]"#
    ),
    (#"{"b":1,"a":1,"b":0,"a":0}"#, #"{"a":1,"a":0,"b":1,"b":0}"#),
    (#"{"ab":1,"a":2,"":3,"B":4}"#, #"{"":3,"B":4,"a":2,"ab":1}"#),
    ("{\"\u{e000}\":1,\"😀\":2,\"é\":3,\"\u{ffff}\":4}", "{\"é\":3,\"😀\":2,\"\u{e000}\":1,\"\u{ffff}\":4}"),
  ])
  func `Keys are sorted in every dictionary, by UTF-16 code units`(_ text: String, _ expected: String) throws
  {
    #expect(try sorted(text) == expected)
  }

  @Test func `A dictionary with keys that are not strings keeps its order`() throws {
    let tapeSink = TapeSink()
    let sorter = KeySorter(to: tapeSink)
    var entries = KeyedValues()
    entries["b"] = ["z": 1, "y": 2]
    entries[.integer(1)] = 1
    entries["a"] = .object(ObjectValue(ObjectClass("A"), content: ["d": 1, "c": 2]))
    try Value.dictionary(entries).replay(into: sorter)
    let builder = ValueBuilder()
    try tapeSink.tape.replay(into: builder)
    guard case .dictionary(let result) = try builder.result() else { throw FerryError(.file(.empty)) }
    #expect(result.keys == ["b", 1, "a"])
    #expect(result["b"] == ["y": 2, "z": 1])
    #expect(result["a"]?["c"] == 2)
    guard case .object(let object)? = result["a"], case .dictionary(let inner) = object.content else {
      return
    }
    #expect(inner.keys == ["c", "d"])
  }

  @Test func `Events outside of a dictionary are passed on at once`() throws {
    let tapeSink = TapeSink()
    let sorter = KeySorter(to: tapeSink)
    try sorter.beginArray(count: nil)
    try sorter.beginDictionary(count: nil)
    #expect(tapeSink.tape.count == 1)
    try sorter.endDictionary()
    #expect(tapeSink.tape.count == 3)
  }

  @Test func `An additional end is refused by the writer after the sorter`() {
    let sorter = KeySorter(to: JSONWriter(to: MemoryOutput()))
    #expect(throws: FerryError.self) { try sorter.endDictionary() }
    let other = KeySorter(to: JSONWriter(to: MemoryOutput()))
    #expect(throws: FerryError.self) {
      try other.beginDictionary(count: nil)
      try other.finish()
    }
  }
}

extension String {
  fileprivate func trimmingSuffix(_ suffix: String) -> String {
    hasSuffix(suffix) ? String(dropLast(suffix.count)) : self
  }
}
