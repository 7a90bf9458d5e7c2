import TestSupport
import Testing

@testable import Ferry

/// JSON with comments and JSON5, read and edited. The cases are the productions of the specification of JSON5 1.0.0.
@Suite struct `Dialects of JSON` {
  /// Returns the events of a text and how reading it ended, for chunks of a size.
  private static func outcome(_ text: [UInt8], _ dialect: JSONDialect, chunk size: Int) -> String {
    let sink = TapeSink()
    var end = "whole"
    do throws(FerryError) {
      let reader = JSONReader(dialect, into: sink, budget: Budget(), losses: nil, locator: nil)
      try reader.readAll(text, chunk: size)
    } catch {
      end = "line \(error.location.line ?? 0)"
    }
    return "\(sink.tape.log) \(end)"
  }

  private static func value(_ text: [UInt8], _ dialect: JSONDialect, chunk: Int = .max) throws(FerryError)
    -> Value
  {
    let builder = ValueBuilder()
    let reader = JSONReader(dialect, into: builder, budget: Budget(), losses: nil, locator: nil)
    try reader.readAll(text, chunk: chunk)
    return try builder.result()
  }

  /// Texts of JSON5 with JSON of the same value.
  private static let json5: [(String, String)] = [
    // Objects and arrays
    ("{}", "{}"), ("{a:1}", #"{"a":1}"#), ("{a:1,}", #"{"a":1}"#), ("[]", "[]"), ("[1,]", "[1]"),
    ("[1,[2,],]", "[1,[2]]"), ("{a:{b:2,},}", #"{"a":{"b":2}}"#),
    // Keys
    ("{'a':1,\"b\":2}", #"{"a":1,"b":2}"#), ("{$_:1,_$:2,a$1:3}", #"{"$_":1,"_$":2,"a$1":3}"#),
    ("{ùńîċõďë:9}", #"{"ùńîċõďë":9}"#),
    (#"{\u0061\u0062:1,\u0024\u005F:2,\u005F\u0024:3}"#, #"{"ab":1,"$_":2,"_$":3}"#),
    ("{while:true,null:1,NaN:2,Infinity:3}", #"{"while":true,"null":1,"NaN":2,"Infinity":3}"#),
    ("{a\u{200c}b\u{200d}:1}", "{\"a\u{200c}b\u{200d}\":1}"), ("{a\u{301}:1}", "{\"a\u{301}\":1}"),
    ("{a\u{a0}:1}", #"{"a":1}"#), ("{ \u{2003}a :1}", #"{"a":1}"#), ("{'':1}", #"{"":1}"#),
    ("{'\\x61\\'':1}", #"{"a'":1}"#),
    // Strings
    ("'abc'", #""abc""#), (#"'a"b'"#, #""a\"b""#), (#""a'b""#, #""a'b""#), (#"'\''"#, #""'""#),
    (#"'\b\f\n\r\t\v\0\x0f\u01fF\'\"'"#, #""\b\f\n\r\t\u000b\u0000\u000f\u01ff'\"""#),
    ("'a\\\n\\\n b'", #""a b""#),
    (#"'\A\C\/\D\C'"#, #""AC/DC""#), ("'a\\\r\nb\\\rc\\\u{2028}d\\\u{2029}e'", #""abcde""#),
    ("'\\é\\☃\\😀'", #""é☃😀""#), ("'\u{2028}\u{2029}'", "\"\u{2028}\u{2029}\""), ("'\t'", #""\t""#),
    (#"'\uD83D\uDE00'"#, #""😀""#), (#"'\ud800'"#, #""\ud800""#), (#"'\0a'"#, #""\u0000a""#), ("''", #""""#),
    // Numbers
    ("[0,0.,0e0,.5,5.,5.e1]", "[0,0.0,0e0,0.5,5.0,5.0e1]"), ("[+1,-1,+.1,-.1]", "[1,-1,0.1,-0.1]"),
    ("[0x1,0X1f,0xDEADbeef,-0xF,+0xF,-0x0]", "[1,31,3735928559,-15,15,-0]"),
    ("0xFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFF", "340282366920938463463374607431768211455"),
    ("[1e23,1E-5,2.20,1e400]", "[1e23,1E-5,2.20,1e400]"),
    // Comments and white space
    ("//a\n[1]//b", "[1]"), ("/*a*/[/* * **/1/***/,/*\n*/]/**/", "[1]"), ("[1//\r,2//\u{2028},3]", "[1,2,3]"),
    ("{a//b\n:/*c*/1}", #"{"a":1}"#), ("{//\n}", "{}"),
    ("\u{feff}\u{a0}\u{b}\u{c}[\u{2028}\u{2029}\u{3000}\u{1680}\u{205f}\u{202f}1]\u{feff}", "[1]"),
    ("['//','/*']", #"["//","/*"]"#),
  ]

  @Test(arguments: json5)
  func `JSON5 is read as the JSON of the same value, in chunks of any size`(_ text: String, _ json: String)
    throws
  {
    let wanted = try JSONTest.value(json)
    let bytes = Array(text.utf8)
    for size in [1, 2, 3, 5, 7, 65_536] {
      #expect(try Self.value(bytes, .json5, chunk: size) == wanted, "chunks of \(size)")
    }
  }

  @Test func `JSON5 has numbers that are not finite`() throws {
    let value = try Self.value(Array("[Infinity,-Infinity,+Infinity,NaN,-NaN,+NaN]".utf8), .json5)
    #expect("\(value)".lowercased().contains("inf"))
    var conversion = Conversion(to: .json5)
    conversion.reading.format = .json5
    let result = try conversion.convert(Array("[Infinity, -Infinity, NaN]".utf8))
    #expect(String(decoding: result.bytes, as: UTF8.self) == "[Infinity,-Infinity,NaN]\n")
    #expect(result.report.losses.isEmpty)
    conversion.writing.format = .json
    #expect(try conversion.convert(Array("[Infinity]".utf8)).report.losses.isEmpty == false)
  }

  @Test func `The time for strings in single quotes grows with their number`() throws {
    let text = Array("[\(String(repeating: "'abc',", count: 1_000_000))'']".utf8)
    try expectProcessorTime(atMost: .seconds(20)) { _ = try Self.value(text, .json5) }
  }

  @Test func `Each comment is reported once, whatever the chunks are`() throws {
    let text = Array("// a\n{a: 'x // b', /* c\n** // */ b: [1, // d\r\n/**/]} // e".utf8)
    for size in [1, 2, 3, 7, 65_536] {
      let losses = LossReport()
      let reader = JSONReader(.json5, into: NullSink(), budget: Budget(), losses: losses, locator: nil)
      try reader.readAll(text, chunk: size)
      #expect(losses.losses == [Loss](repeating: Loss(.comment), count: 5), "chunks of \(size)")
    }
  }

  /// Texts that a dialect refuses, each with the place of the mistake.
  private static let refused: [(JSONDialect, String)] = [
    (.json5, "[1️⃣,]"), (.json5, "[1,1️⃣,]"), (.json5, "{1️⃣,}"), (.json5, "{a:1,1️⃣,}"), (.json5, "{1️⃣1a:1}"),
    (.json5, "{1️⃣a-b:1}"), (.json5, "{1️⃣\\x61:1}"), (.json5, "{1️⃣\\u00:1}"), (.json5, "{1️⃣☃:1}"),
    (.json5, "'a1️⃣\n'"), (.json5, "'a1️⃣\r'"), (.json5, "'\\1️⃣1'"), (.json5, "'\\01️⃣1'"), (.json5, "'\\x1️⃣g1'"),
    (.json5, "'\\u00\("1️⃣")g0'"), (.json5, "'a1️⃣"), (.json5, "'a\"1️⃣"),
    (.json5, "[01️⃣1]"), (.json5, "[1️⃣0x]"), (.json5, "[01️⃣xG]"), (.json5, "[+1️⃣+1]"), (.json5, "[1️⃣+-5]"),
    (.json5, "[-1️⃣-5]"), (.json5, "[-1️⃣+5]"),
    (.json5, "[1️⃣+-.5]"), (.json5, "[1️⃣+-Infinity]"), (.json5, "[1️⃣+-0x1]"), (.json5, "[.1️⃣]"),
    (.json5, "[1️⃣infinity]"), (.json5, "[1️⃣nan]"), (.json5, "[1️⃣a]"), (.json5, "[11️⃣e]"), (.json5, "[1️⃣$a]"),
    (.json5, "[1] 1️⃣/ 2"), (.json5, "[1]/*1️⃣"), (.json5, "[1]/* *1️⃣"), (.json5, "[1️⃣#c\n]"), (.json5, "[1] 1️⃣2"),
    (.json5, "{a1️⃣ 1}"), (.json5, "{a1️⃣"), (.json5, "//1️⃣"), (.json5, "{a:1️⃣]"), (.json5, "[1️⃣}"),
    (.jsonc, "{1️⃣a:1}"), (.jsonc, "[1️⃣'a']"), (.jsonc, "[1️⃣+1]"), (.jsonc, "[\"\\1️⃣x41\"]"),
    (.jsonc, "[1️⃣\u{a0}]"),
    (.jsonc, "[\"a1️⃣\n\"]"), (.jsonc, "[1️⃣NaN]"), (.jsonc, "[1,1️⃣,]"), (.jsonc, "/* a\nb 1️⃣"),
    (.strict, "[1️⃣/**/]"), (.strict, "[1,1️⃣]"), (.strict, "[1]1️⃣//"),
  ]

  @Test(arguments: refused.indices)
  func `What a dialect does not have is refused with its place`(_ index: Int) {
    let (dialect, marked) = Self.refused[index]
    let text = MarkedText(marked)
    for size in [1, 2, 3, 7, 65_536] {
      let failure = #expect(throws: FerryError.self) { try Self.value(text.bytes, dialect, chunk: size) }
      #expect(
        failure?.location.line == text.location?.line,
        "\(marked), chunks of \(size): \(String(describing: failure))")
    }
  }

  @Test(arguments: [
    ("[1]//", JSONExtension.comments, "comments"), ("[1,]", .trailingCommas, "comma after the last value"),
    (#"{"a":1,}"#, .trailingCommas, "comma after the last value"),
    ("['a']", .singleQuotes, "single quotes"), ("{'a':1}", .singleQuotes, "single quotes"),
    ("{a:1}", .names, "keys without quotes"), (#"{"a":1,$b:2}"#, .names, "keys without quotes"),
    ("[NaN]", .notFinite, "NaN and no infinities"), ("Infinity", .notFinite, "NaN and no infinities"),
  ])
  func `A refusal names the syntax that other dialects of JSON have`(
    _ text: String, _ syntax: JSONExtension, _ words: String
  ) {
    let failure = #expect(throws: FerryError.self) { try JSONTest.value(text) }
    guard case .json(.extended(syntax, _, _, isReadable: true)) = failure?.reason else {
      Issue.record("\(String(describing: failure))")
      return
    }
    #expect(failure?.message.hasSuffix(" (JSON has no \(words))") == true, "\(String(describing: failure))")
  }

  @Test func `Every beginning and every changed byte of JSON5 is read alike in chunks of any size`() {
    let sample = Array("// c\n{a: 'b\\\n\\x41', /* d */ \"e\": [+1, .5, 0xF,],\u{a0}naïve: Infinity}\n".utf8)
    #expect(throws: Never.self) {
      try Damage(to: sample).check(prefixes: .readOrRefused) { bytes in
        let whole = Self.outcome(bytes, .json5, chunk: .max)
        for size in [1, 3] { #expect(Self.outcome(bytes, .json5, chunk: size) == whole) }
        _ = try Self.value(bytes, .json5)
      }
    }
  }

  @Test func `JSON is read the same in every dialect`() throws {
    let bytes = Array(JSONTest.sample.utf8)
    let wanted = Self.outcome(bytes, .strict, chunk: .max)
    for dialect in [JSONDialect.jsonc, .json5] { #expect(Self.outcome(bytes, dialect, chunk: 11) == wanted) }
  }
}
