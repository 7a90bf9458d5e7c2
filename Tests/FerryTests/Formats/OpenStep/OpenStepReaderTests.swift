import Foundation
import TestSupport
import Testing

@testable import Ferry

@Suite struct `Reading OpenStep property lists` {
  private func read(_ text: String, as format: Format = .openStepPropertyList) throws -> Ferry.Value {
    var options = ReadingOptions()
    options.format = format
    let builder = ValueBuilder()
    try options.read(MemoryInput(Array(text.utf8)), into: builder)
    return try builder.result()
  }

  /// Texts of Apple's grammar with their values.
  private static let samples: [(String, Ferry.Value)] = [
    ("", [:]), (" // nothing\n/* at all */", [:]), ("{}", [:]), ("()", []), ("<>", .data([])),
    ("word", "word"),
    ("\"a b\"", "a b"), ("'a \"b\"'", "a \"b\""), ("{ a = b; }", ["a": "b"]),
    ("{a=b;c=(d,e,);}", ["a": "b", "c": ["d", "e"]]),
    ("( a, (b), {c = d;} )", ["a", ["b"], ["c": "d"]]), ("{ a; \"b c\"; }", ["a": "a", "b c": "b c"]),
    ("< 0fbd77 1C2735ae >", .data([0x0f, 0xbd, 0x77, 0x1c, 0x27, 0x35, 0xae])), ("<0 f\n>", .data([0x0f])),
    ("// !$*UTF8*$!\n{ a /* x */ = /* y */ b /* z */; /* w */ }", ["a": "b"]),
    ("{ a = http://x/y; }", ["a": "http://x/y"]),
    ("{ a-b.c:d_e$f/g = 1.5; }", ["a-b.c:d_e$f/g": "1.5"]), ("\"a\" = \"b\";\nc = d;", ["a": "b", "c": "d"]),
    ("key;", ["key": "key"]),
    (#""\a\b\f\n\r\t\v\"\'\\\q""#, "\u{7}\u{8}\u{c}\n\r\t\u{b}\"'\\q"), ("\"a\\\nb\"", "a\nb"),
    (#""\U00e9\U20AC\Ud83d\Ude00""#, "é€😀"),
    (#""\351\101\7\0101""#, "ØA\u{7}\u{8}1"), (#""\Ue9x""#, "éx"),
    (#""\Ud83dx""#, .unpairedString([0xd83d, 0x78])),
    ("\"é\\\u{e9}\"", "éé"), ("{\u{2028}a = b;\u{2029}}", ["a": "b"]), ("\u{feff}{ a = b; }", ["a": "b"]),
    ("// c\u{2028}\"a\" = \"b\";", ["a": "b"]), ("{ // é\u{2027}\u{2029} a = b; }", ["a": "b"]),
  ]

  @Test func `Comments that separators of lines end are skipped in time in proportion to the text`()
    throws
  {
    let text = String(repeating: "//x\u{2028}", count: 200_000) + "\"a\" = \"b\";"
    #expect(try expectProcessorTime(atMost: .seconds(5)) { try read(text) } == ["a": "b"])
  }

  @Test func `Each comment is reported once, except those that are made from the values`() throws {
    for (text, format, count) in [
      ("/* a */ \"k\" /* b */ = /* c */ \"v\"; // d\n// e", .strings, 5),
      ("{ a = (b, /* c */ \"// d\"); // e\n}", .openStepPropertyList, 2),
      ("// !$*UTF8*$!\n{ a = b; }", .openStepPropertyList, 0),
      ("{ /* a */ b = <*I5>; }", .gnustepPropertyList, 1),
      ("// !$*UTF8*$!\n{ rootObject = A /* Project object */; }", .xcodeProject, 0),
    ] as [(String, Format, Int)] {
      var conversion = Conversion(to: .json)
      conversion.reading.format = format
      let losses = try conversion.convert(Array(text.utf8)).report.losses
      #expect(losses.listed == [Loss](repeating: Loss(.comment), count: count), "\(text)")
    }
  }

  @Test func `A lowercase escape is read as Apple's programs read it, with a note on the first of them`()
    throws
  {
    for (text, format, value, note) in [
      (
        "/* a */\n\"k\" = \"é\\u672a\\U672A\\u672b\";", .strings, #"{"k":"éu672a未u672b"}"#,
        .lowercaseEscapes(count: 2, first: InputLocation(line: 2, column: 9, byte: 17))
      ),
      (
        #"{ "\u0041" = b; }"#, .openStepPropertyList, #"{"u0041":"b"}"#,
        .lowercaseEscapes(count: 1, first: InputLocation(line: 1, column: 4, byte: 3))
      ),
      (#""\\u0041" = "\u00g1"; "\u12" = "";"#, .strings, #"{"\\u0041":"u00g1","u12":""}"#, nil),
    ] as [(String, Format, String, Note?)] {
      var conversion = Conversion(to: .json)
      conversion.reading.format = format
      let result = try conversion.convert(Array(text.utf8))
      #expect(String(decoding: result.bytes, as: UTF8.self) == value + "\n")
      #expect(result.report.notes == (note.map { [$0] } ?? []), "\(text)")
    }
  }

  @Test(arguments: samples) func `A text has the value of Apple's grammar`(
    _ text: String, _ value: Ferry.Value
  ) throws {
    #expect(try read(text) == value)
    for size in [1, 3] {
      let builder = ValueBuilder()
      let reader = OpenStepReader(into: builder, .apple, ReaderContext(budget: Budget()))
      var rest = Array(text.utf8)[...]
      while !rest.isEmpty {
        try reader.read(Array(rest.prefix(size)).span)
        rest = rest.dropFirst(size)
      }
      try reader.finish()
      #expect(try builder.result() == value)
    }
  }

  /// Texts with the place and the message of their mistakes.
  private static let refused: [(String, String)] = [
    ("{ a = b }", "1:9: expected \";\" after the value, found \"}\""),
    ("{ a = b; ", "1:10: the text ends where a key or \"}\" is expected"),
    ("\u{201c}a\u{201d} = b;", "1:1: expected a value, found \"\u{201c}\""),
    ("{ a = b \"c\" = d; }", "1:9: expected \";\" after the value, found a double quote"),
    ("(a b)", "1:4: expected \",\" or \")\", found \"b\""), ("(,)", "1:2: expected a value, found \",\""),
    ("{ a b; }", "1:5: expected \"=\" or \";\", found \"b\""),
    ("{ = b; }", "1:3: expected a key or \"}\", found \"=\""),
    ("{ a = \"b; }\n", "1:7: the text ends where the closing quotation mark of the string is expected"),
    ("{ a = <0f3>; }", "1:11: expected two hexadecimal digits for each byte, found \">\""),
    ("<0g>", "1:3: expected two hexadecimal digits for each byte, found \"g\""),
    ("{} x", "1:4: expected the end of the property list, found \"x\""),
    ("/* a", "1:1: the text ends where */, the end of the comment is expected"),
    ("{ a = <*I5>; }", "1:7: only property lists of GNUstep have such values"),
    ("{ a = +; }", "1:7: expected a value, found \"+\""),
    ("a = b;\nc = d", "2:6: the text ends where \";\" after the value is expected"),
  ]

  @Test(arguments: refused) func `A mistake is located`(_ text: String, _ message: String) {
    let error = #expect(throws: FerryError.self) { try read(text) }
    #expect(error?.description.hasPrefix(message) == true, "\(error?.description ?? "")")
  }

  @Test func `Values of GNUstep have types`() throws {
    let text = """
      { int = <*I-5>; big = <*I"18446744073709551615">; real = <*R1.5>; yes = <*BY>; no = <*BN>;
        date = <*D2001-01-01 01:00:00 +0100>; data = <[AAEC]>; hex = <000102>; word = a+b@c!; last = x }
      """
    let value: Ferry.Value = [
      "int": -5, "big": .integer(Int128(UInt64.max)), "real": 1.5, "yes": true, "no": false,
      "date": .date(secondsSince2001: 0), "data": .data([0, 1, 2]), "hex": .data([0, 1, 2]), "word": "a+b@c!",
      "last": "x",
    ]
    #expect(try read(text, as: .gnustepPropertyList) == value)
    #expect(try Format.of(Array(text.utf8)) == .gnustepPropertyList)
    for bad in ["<*I1.5>", "<*I>", "<*X1>", "<*BYES>", "<*D2001-01-01>", "<*I5", "<[A]>", "<[AAEC"] {
      #expect(throws: FerryError.self, "\(bad)") { try read("(\(bad))", as: .gnustepPropertyList) }
    }
  }

  @Test func `The zone of a date of GNUstep has a sign, two digits of hours and two of minutes`() throws {
    for (zone, minutes) in [
      ("+0000", 0), ("-0000", 0), ("+0100", 60), ("-0730", -450), ("+2359", 1439), ("-0030", -30),
    ] {
      let value = try read("(<*D2001-01-01 00:00:00 \(zone)>)", as: .gnustepPropertyList)
      #expect(value == [.date(secondsSince2001: Double(-60 * minutes))], "\(zone)")
    }
    for zone in ["01000", "+2400", "-9900", "+0060", "+100", "+00000", "++100", "+1-30", "0100+", "Z"] {
      #expect(throws: FerryError.self, "\(zone)") {
        try read("(<*D2001-01-01 00:00:00 \(zone)>)", as: .gnustepPropertyList)
      }
    }
  }

  @Test func `A key that occurs twice is reported`() throws {
    let result = try Conversion(to: .json).convert(Array("{ a = { b = 1; b = 2; }; }".utf8))
    #expect(String(decoding: result.bytes, as: UTF8.self) == #"{"a":{"b":"1","b":"2"}}"# + "\n")
    #expect(result.report.losses.listed == [Loss(.duplicateKey, path: try ValuePath(parsing: "a.b"))])
  }

  @Test func `Depth has a limit`() {
    let error = #expect(throws: FerryError.self) { try read(String(repeating: "(", count: 600)) }
    #expect(error?.reason == .overBudget(.depth(512)))
  }

  /// The values of a property list as Foundation reads it.
  private static func foundation(_ object: Any?) -> Ferry.Value? {
    switch object {
    case let text as String: .string(text)
    case let data as Data: .data(Array(data))
    case let elements as [Any]: .array(elements.compactMap { foundation($0) })
    case let entries as [String: Any]:
      .dictionary(
        entries.sorted { $0.key.utf8.lexicographicallyPrecedes($1.key.utf8) }.reduce(into: KeyedValues()) {
          $0[.string($1.key)] = foundation($1.value)
        })
    default: nil
    }
  }

  @Test func `Real files have the values that Foundation reads`() throws {
    let folders = ["plist/pbxproj", "plist/strings", "plist/openstep", "plist/gnustep"]
    var (count, compared) = (0, 0)
    for file in try folders.flatMap(Corpus.files) {
      let bytes = try Corpus.bytes(file)
      guard let format = try? Format.of(bytes, named: file),
        [.openStepPropertyList, .strings, .gnustepPropertyList, .xcodeProject].contains(format)
      else { continue }
      let value: Ferry.Value
      do throws(FerryError) {
        value = try Ferry.Value(reading: MemoryInput(bytes), named: file)
      } catch {
        // Two files of GNUstep are in ISO 8859-1, which no text shows.
        #expect(error.reason == .content(.notInEncoding("UTF-8")), "\(file): \(error)")
        var options = ReadingOptions()
        options.encoding = "ISO-8859-1"
        #expect(throws: Never.self) { try options.read(MemoryInput(bytes), named: file, into: NullSink()) }
        continue
      }
      count += 1
      // Foundation refuses what only GNUstep allows.
      guard let peer = unsafe try? PropertyListSerialization.propertyList(from: Data(bytes), format: nil),
        let known = Self.foundation(peer)
      else { continue }
      #expect(value.sortedByKey == known.sortedByKey, "\(file)")
      compared += 1
    }
    print("\(count) OpenStep property lists, \(compared) of them compared with Foundation")
    #expect(count > 180)
    #expect(compared > 100)
  }

  @Test func `Every prefix and every changed byte is read or refused`() throws {
    let bytes = Array(
      #"// c\#n{ a = (b, "c\Ud83d\351", <0fbd>); /* d */ "e f"; }"#.replacing("\\#n", with: "\n").utf8)
    let changes = Damage.Change.replacing(Array("{}();=,<>\"'\\/*x\n".utf8) + [0, 0xff])
    for format in [Format.openStepPropertyList, .gnustepPropertyList, .strings] {
      let tally = try Damage(to: bytes, change: changes).check(prefixes: .readOrRefused) { bytes in
        var options = ReadingOptions()
        options.format = format
        let builder = ValueBuilder()
        try options.read(MemoryInput(bytes), into: builder)
        let value = try builder.result()
        // The chunks of the input do not matter.
        let chunked = ValueBuilder()
        try options.read(PartInput([bytes], chunkSize: 1), into: chunked)
        #expect(try chunked.result() == value)
      }
      #expect(
        tally.refusedPrefixes > 20 && tally.readChanges > 100 && tally.refusedChanges > 100, "\(format)")
    }
  }
}

extension Ferry.Value {
  /// The value with the keys of all dictionaries sorted; the last value of a key counts.
  fileprivate var sortedByKey: Ferry.Value {
    guard case .dictionary(let entries) = self else { return mappingParts(\.sortedByKey) }
    var last: [ExactString: Ferry.Value] = [:]
    for (key, value) in entries { last[ExactString(key.stringValue ?? "")] = value.sortedByKey }
    var sorted = KeyedValues()
    for key in last.keys.sorted() { sorted[.string(key.string)] = last[key] }
    return .dictionary(sorted)
  }
}
