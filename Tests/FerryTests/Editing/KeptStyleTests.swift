import TestSupport
import Testing

@testable import Ferry

/// New values in the style of those around them: their escapes, the brackets and tags of empty ones, and quotation marks only where they are
/// needed.
@Suite struct `The style of new values` {
  private enum Change: Sendable {
    case set(String, Ferry.Value)
    case insert(String, Ferry.Value)
    case move(String, String)
    case remove(String)
  }

  /// Returns a text with changes, each of which is a run of its own.
  private func edited(_ text: String, _ format: Format, _ changes: [Change]) throws -> String {
    var bytes = Array(text.utf8)
    for change in changes {
      var options = EditableFile.Options()
      options.format = format
      let file = try EditableFile(bytes, options: options)
      switch change {
      case .set(let path, let value): try file.set(value, at: ValuePath(parsing: path))
      case .insert(let path, let value): try file.insert(value, at: ValuePath(parsing: path))
      case .move(let path, let newPath):
        try file.move(ValuePath(parsing: path), to: ValuePath(parsing: newPath))
      case .remove(let path): try file.remove(at: ValuePath(parsing: path))
      }
      bytes = try file.bytes()
    }
    return String(decoding: bytes, as: UTF8.self)
  }

  // MARK: YAML

  private static let plain: [(String, Change, String)] = [
    (
      "p:\n  /users/{id}: 1\n  /a: 2\n", .move("p[\"/users/{id}\"]", "p[\"/people/{id}\"]"),
      "p:\n  /people/{id}: 1\n  /a: 2\n"
    ),
    ("a: x\n", .set("a", "x{y}, [z]"), "a: x{y}, [z]\n"), ("- x\n", .set("[0]", "a, b"), "- a, b\n"),
    ("a: 1\n", .move("a", "[\"b, c\"]"), "b, c: 1\n"),
    // At the beginning, brackets are not text.
    ("a: x\n", .set("a", "{y}"), "a: '{y}'\n"), ("a: 1\n", .move("a", "[\"[b\"]"), "'[b': 1\n"),
    // In brackets, a comma or a bracket ends a text.
    ("a: {b: x}\n", .set("a.b", "x{y}"), "a: {b: \"x{y}\"}\n"),
    ("a: {b: x}\n", .move("a.b", "a[\"c, d\"]"), "a: {\"c, d\": x}\n"),
    ("a: [x]\n", .set("a[0]", "y, z"), "a: [\"y, z\"]\n"),
    ("a: {b: {c: x}}\n", .set("a.b.c", "y, z"), "a: {b: {c: \"y, z\"}}\n"),
  ]

  @Test(.enabled(if: PackageTraits.hasYAML), arguments: plain.indices)
  func `A text of YAML in a block has no quotation marks for characters that need them only in brackets`(
    _ index: Int
  ) throws {
    let (text, change, expected) = Self.plain[index]
    #expect(try edited(text, .yaml, [change]) == expected)
  }

  @Test(.enabled(if: PackageTraits.hasYAML), arguments: ["\"a\": 1\n", "'a': 1\n", "a: 1\n", "{\"a\": 1}\n"])
  func `A key of YAML that is renamed and renamed back has its quotation marks`(_ text: String) throws {
    let renamed = try edited(text, .yaml, [.move("a", "b")])
    #expect(renamed == text.replacing("a", with: "b"))
    #expect(try edited(renamed, .yaml, [.move("b", "a")]) == text)
  }

  @Test(arguments: ["{ \"a\" = 1; }\n", "{ 'a' = 1; }\n", "{ a = 1; }\n"])
  func `A key of an OpenStep property list that is renamed and renamed back has its quotation marks`(
    _ text: String
  ) throws {
    let renamed = try edited(text, .openStepPropertyList, [.move("a", "b")])
    #expect(renamed == text.replacing("a", with: "b"))
    #expect(try edited(renamed, .openStepPropertyList, [.move("b", "a")]) == text)
  }

  // MARK: Escapes of JSON

  private static let escaped: [(String, Change, String)] = [
    (#"{"a" : "https:\/\/x.org"}"#, .set("a", "https://z.org"), #"{"a" : "https:\/\/z.org"}"#),
    (#"{"a":1,"b":"x\/y"}"#, .set("a", "/"), #"{"a":"\/","b":"x\/y"}"#),
    (#"{"b":"x\/y"}"#, .insert("[\"c/d\"]", ["e/f"]), #"{"b":"x\/y","c\/d":["e\/f"]}"#),
    (#"{"x\/y":1}"#, .move("[\"x/y\"]", "[\"x/z\"]"), #"{"x\/z":1}"#),
    (#"{"a":"b/c","b":"x\/y"}"#, .set("a", "d/e"), #"{"a":"d/e","b":"x\/y"}"#),
    (#"{"a":"b/c","b":"x\/y"}"#, .set("b", "d/e"), #"{"a":"b/c","b":"d\/e"}"#),
    (#"{"a":"\\/","b":"c"}"#, .set("b", "d/e"), #"{"a":"\\/","b":"d/e"}"#),
    (#"{"a":"x\/","b":"\\"}"#, .set("b", #"\/"#), #"{"a":"x\/","b":"\\\/"}"#),
    // Some writers escape only the slashes of closing tags.
    (#"{"a":"<b>x<\/b>"}"#, .set("a", "<i>x/y</i>"), #"{"a":"<i>x/y<\/i>"}"#),
    (#"{"a":"caf\u00e9"}"#, .set("a", "é😀"), #"{"a":"\u00e9\ud83d\ude00"}"#),
    (#"{"a":"caf\u00E9"}"#, .set("a", "ü\u{abcd}"), #"{"a":"\u00FC\uABCD"}"#),
    // The digits of the nearest escape have no letter.
    (#"{"a":"\u2019","b":"x/y \u00E9"}"#, .set("a", "ü"), #"{"a":"\u00FC","b":"x/y \u00E9"}"#),
    (#"{"a":"\ud83d\ude00"}"#, .insert("ü", "é"), #"{"a":"\ud83d\ude00","\u00fc":"\u00e9"}"#),
    (#"{"a":"x","b":"é"}"#, .set("a", "ü"), #"{"a":"ü","b":"é"}"#),
    (#"{"a":1}"#, .set("a", "é/"), #"{"a":"é/"}"#),
    // Many writers escape characters that are not visible, and no others.
    (#"{"a":"x\u00a0y\u200b\u2028"}"#, .set("a", "é"), #"{"a":"é"}"#),
  ]

  @Test(arguments: escaped.indices)
  func `A string of JSON has the escapes of the one that it replaces, or of those near it`(_ index: Int)
    throws
  {
    let (text, change, expected) = Self.escaped[index]
    #expect(try edited(text, .json, [change]) == expected)
  }

  @Test func `Strings in dialects of JSON have the escapes of others`() throws {
    #expect(try edited(#"{a: 'x\/y'}"#, .json5, [.set("a", "'/")]) == #"{a: '\'\/'}"#)
    let lines = #"{"a":"x\/y"}"# + "\n"
    #expect(try edited(lines, .jsonLines, [.insert("[]", "u/v")]) == lines + #""u\/v""# + "\n")
  }

  @Test func `The space after a comma is not that on both sides of a comment`() throws {
    let text = "{\n  // c\n  \"a\": 1, /* d */ \"b\": [1, 2]\n}\n"
    let edited = try edited(text, .jsonc, [.set("a", .dictionary(["x": .array([1, 2])]))])
    #expect(edited == text.replacing("\"a\": 1", with: "\"a\": {\"x\": [1, 2]}"))
  }

  @Test func `A string far from all others has the escapes at the beginning of the file`() throws {
    let numbers = repeatElement("1", count: 10_000).joined(separator: ",")
    let text = #"{"a":"x\/y","b":[\#(numbers)],"c":"d"}"#
    #expect(try edited(text, .json, [.set("c", "e/f")]) == text.replacing("\"d\"", with: #""e\/f""#))
  }

  @Test
  func
    `A string of an OpenStep property list has the escapes of the one that it replaces, or of those near it`()
    throws
  {
    let text = #"{ a = "caf\U00e9"; b = c; }"# + "\n"
    #expect(
      try edited(text, .openStepPropertyList, [.set("a", "ü😀")])
        == text.replacing(#"caf\U00e9"#, with: #"\U00fc\Ud83d\Ude00"#))
    #expect(
      try edited(text, .openStepPropertyList, [.set("b", ["é/"])])
        == text.replacing("= c", with: #"= ("\U00e9/")"#))
    #expect(
      try edited("{ a = \"é\"; }\n", .openStepPropertyList, [.set("a", "ü")]) == "{ a = \"ü\"; }\n")
    // No writer escapes slashes there.
    #expect(
      try edited(#"{ a = "x\/y"; b = c; }"# + "\n", .openStepPropertyList, [.set("b", "é/")])
        == #"{ a = "x\/y"; b = "é/"; }"# + "\n")
  }

  // MARK: Empty elements of XML

  private static let elements = [
    ("<a>\n  <b/>\n  <c/>\n</a>\n", "a.b"), ("<a>\n  <b />\n  <c />\n</a>\n", "a.b"),
    ("<a>\n  <b></b>\n  <c></c>\n</a>\n", "a.b"), ("<a><b></b></a>", "a.b"), ("<a><b/><b/></a>", "a.b[0]"),
    ("<a><b></b><b></b><c/></a>", "a.b[0]"), ("<a><b/><b/><c></c></a>", "a.b[1]"),
  ]

  @Test(arguments: elements)
  func `An element that gets a text and loses it again is written as other empty elements`(
    _ text: String, _ path: String
  ) throws {
    let filled = try edited(text, .xml, [.set(path, "x")])
    #expect(filled != text)
    #expect(try edited(filled, .xml, [.set(path, "")]) == text)
  }

  @Test func `An element with attributes that loses its text is written as other empty elements`() throws {
    let (text, path) = ("<a><b k=\"1\"/><c/></a>", "a.b[\"#text\"]")
    let filled = try edited(text, .xml, [.insert(path, "x")])
    #expect(filled == "<a><b k=\"1\">x</b><c/></a>")
    for change in [Change.set(path, ""), .remove(path)] {
      #expect(try edited(filled, .xml, [change]) == text)
    }
  }

  @Test func `A new empty element of XML has the notation of others`() throws {
    let spaced = "<a>\n  <b />\n</a>\n"
    #expect(try edited(spaced, .xml, [.insert("a.c", "")]) == "<a>\n  <b />\n  <c />\n</a>\n")
    let pairs = "<a><b></b><c/></a>"
    #expect(try edited(pairs, .xml, [.insert("a.b[]", "")]) == "<a><b></b><b></b><c/></a>")
    let lines = "<a>\n  <b\n    x=\"1\"\n  />\n  <d />\n</a>\n"
    #expect(
      try edited(lines, .xml, [.insert("a.c", "")])
        == lines.replacing("  <d />\n", with: "  <d />\n  <c />\n"))
    #expect(try edited("<a><b>1</b></a>", .xml, [.insert("a.c", "")]) == "<a><b>1</b><c/></a>")
  }

  // MARK: Empty collections

  private static let collections: [(Format, String)] = [
    (.json, "{\n  \"s\" : {\n    \"a\" : {\n\n    },\n    \"b\" : {\n\n    }\n  }\n}"),
    (.json, "{\r\n  \"s\": {\r\n    \"a\": {\r\n\r\n    },\r\n    \"b\": {\r\n\r\n    }\r\n  }\r\n}\r\n"),
    (.json, "{\n  \"s\": {\n    \"a\": { },\n    \"b\": { }\n  }\n}\n"),
    (.json, "{\"s\":{\"a\":{},\"b\":{}}}"), (.json, "{\"s\": {\"a\": { }, \"b\": { }}}\n"),
    (.openStepPropertyList, "{\n\ts = {\n\t\ta = {\n\t\t};\n\t\tb = {\n\t\t};\n\t};\n}\n"),
    (.openStepPropertyList, "{\n\ts = {\n\t\ta = {};\n\t\tb = {};\n\t};\n}\n"),
    (.openStepPropertyList, "{\n\ts = {\n\t\ta = { };\n\t\tb = { };\n\t};\n}\n"),
    (.openStepPropertyList, "{ s = { a = {}; b = {}; }; }\n"),
  ]

  @Test(arguments: collections.indices)
  func `A dictionary that gets a key and loses it again is written as other empty ones`(_ index: Int) throws {
    let (format, text) = Self.collections[index]
    let filled = try edited(text, format, [.insert("s.a.k", "v")])
    #expect(filled != text)
    #expect(try edited(filled, format, [.remove("s.a.k")]) == text)
    let other = try edited(text, format, [.insert("s.c", [:])])
    #expect(other != text)
    #expect(try edited(other, format, [.remove("s.c")]) == text)
    // The new dictionary is that of `b` with another key.
    let entry = try #require(text.firstRange(of: format == .json ? "\"b\"" : "b ="))
    let copied = String(text[entry.lowerBound...].prefix { $0 != "}" }) + "}"
    #expect(other.contains(copied.replacing("b", with: "c")), "\(other)")
  }

  @Test(.enabled(if: PackageTraits.hasYAML), arguments: ["a: { }\nb: { }\n", "a: {}\nb: {}\n"])
  func `A dictionary of YAML that gets a key and loses it again is written as other empty ones`(
    _ text: String
  )
    throws
  {
    let filled = try edited(text, .yaml, [.insert("a.k", "v")])
    #expect(filled != text)
    #expect(try edited(filled, .yaml, [.remove("a.k")]) == text)
  }

  private static func propertyList(_ a: String, _ b: String) -> String {
    """
    <?xml version="1.0" encoding="UTF-8"?>
    <plist version="1.0">
    <dict>
    \t<key>a</key>
    \t\(a)
    \t<key>b</key>
    \t\(b)
    </dict>
    </plist>

    """
  }

  @Test(arguments: ["<dict/>", "<dict />", "<dict></dict>", "<dict>\n\t</dict>"])
  func `A dictionary of an XML property list is written as other empty ones`(_ empty: String) throws {
    let text = Self.propertyList(empty, empty)
    let filled = try edited(text, .xmlPropertyList, [.insert("a.k", "v")])
    #expect(filled.contains("<key>k</key>"))
    #expect(try edited(filled, .xmlPropertyList, [.remove("a.k")]) == text)
    let other = try edited(text, .xmlPropertyList, [.insert("c", [:])])
    #expect(other.contains("<key>c</key>\n\t\(empty)\n"))
    // Arrays have the notation of dictionaries if there is no empty array.
    let array = try edited(text, .xmlPropertyList, [.insert("c", [[]])])
    let inner = empty.replacing("dict", with: "array").replacing("\n\t", with: "\n\t\t")
    #expect(array.contains("<key>c</key>\n\t<array>\n\t\t\(inner)\n\t</array>\n"), "\(array)")
  }

  @Test(arguments: ["<string/>", "<string></string>", "<string />"])
  func `A string of an XML property list that becomes empty is written as other empty ones`(_ empty: String)
    throws
  {
    let text = Self.propertyList(empty, empty)
    let filled = try edited(text, .xmlPropertyList, [.set("a", "x")])
    #expect(filled == Self.propertyList("<string>x</string>", empty))
    #expect(try edited(filled, .xmlPropertyList, [.set("a", "")]) == text)
  }
}
