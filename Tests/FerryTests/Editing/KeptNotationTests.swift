import TestSupport
import Testing

@testable import Ferry

/// Changes after which the text has the notation that it had: quotation marks, CDATA sections, tags and characters of its encoding.
@Suite struct `The notation of changed values` {
  /// A change of a value.
  enum Change: Sendable {
    case set(String, Ferry.Value)
    case insert(String, Ferry.Value)
    case remove(String)
  }

  struct Case: Sendable, CustomTestStringConvertible {
    let format: Format
    let change: Change
    let old: String
    let new: String

    init(_ format: Format, _ change: Change, _ old: String, _ new: String) {
      (self.format, self.change, self.old, self.new) = (format, change, old, new)
    }

    var testDescription: String { "\(format) \(change) \(old)" }

    /// Returns the changed text of a file, and the losses.
    func edited(_ bytes: [UInt8]) throws -> (bytes: [UInt8], losses: [Loss.Kind]) {
      var options = EditableFile.Options()
      options.format = format
      let file = try EditableFile(bytes, options: options)
      switch change {
      case .set(let path, let value): try file.set(value, at: ValuePath(parsing: path))
      case .insert(let path, let value): try file.insert(value, at: ValuePath(parsing: path))
      case .remove(let path): try file.remove(at: ValuePath(parsing: path))
      }
      let losses = LossReport()
      return (try file.bytes(losses: losses), losses.counts.map(\.kind))
    }
  }

  private func check(_ test: Case) throws {
    let (bytes, losses) = try test.edited(Array(test.old.utf8))
    #expect(String(decoding: bytes, as: UTF8.self) == test.new)
    #expect(losses == [])
  }

  private static let touching = [
    Case(
      .openStepPropertyList, .set("a", "z"),
      "// head\n{\n  /* one */ a = \"x y\"/* c */;\n  b = 1; // two\n}\n",
      "// head\n{\n  /* one */ a = \"z\"/* c */;\n  b = 1; // two\n}\n"),
    Case(
      .openStepPropertyList, .set("a[0]", "z"), "{ a = (\"x\"/* c */, y); }", "{ a = (\"z\"/* c */, y); }"),
    Case(.openStepPropertyList, .set("a", "z"), "{ a = <0b>// c\n; }", "{ a = z // c\n; }"),
    Case(.openStepPropertyList, .set("a", "z/"), "{ a = <0b>/* c */; }", "{ a = z/ /* c */; }"),
    Case(.openStepPropertyList, .set("a", "z"), "{ a = /* c */<0b>; }", "{ a = /* c */z; }"),
    Case(
      .openStepPropertyList, .insert("a[]", "z"), "{ a = (\"x\"/* c\n */); }", "{ a = (\"x\", z /* c\n */); }"
    ),
    Case(.openStepPropertyList, .remove("a[1]"), "{ a = (x,/* c */ y); }", "{ a = (x /* c */); }"),
    Case(
      .xcodeProject, .set("a.isa", "PBXFoo"),
      "// !$*UTF8*$!\n{\n  a = {isa = \"PBX Foo\"/* c */; b = (\"x\"/* d */);};\n}\n",
      "// !$*UTF8*$!\n{\n  a = {isa = PBXFoo /* c */; b = (\"x\"/* d */);};\n}\n"),
    Case(.gnustepPropertyList, .set("a", "z"), "{ a = <0b>/* c */; }", "{ a = z /* c */; }"),
    Case(.json5, .set("a", 1), "{\"a\"/* b */:'x'/* c */}", "{\"a\"/* b */:1/* c */}"),
  ]

  @Test(arguments: touching) func `A new value beside a comment leaves the comment as it is`(_ test: Case)
    throws
  {
    try check(test)
  }

  private static let touchingInYAML = [
    Case(.yaml, .set("a", 5), "a: \"x\"# c\nb: 1 # d\n", "a: 5 # c\nb: 1 # d\n"),
    Case(.yaml, .set("a[0]", 5), "a: [\"x\"# c\n, 1]\n", "a: [5 # c\n, 1]\n"),
    Case(.yaml, .remove("a[1]"), "a: [x,# c\n 1]\n", "a: [x # c\n]\n"),
    Case(.yaml, .insert("b", 2), "{\"a\":1,\"c\":3} # x\n", "{\"a\":1,\"c\":3,\"b\":2} # x\n"),
    Case(.yaml, .insert("b", "z"), "{\"a\":\"x\"} # x\n", "{\"a\":\"x\", \"b\":z} # x\n"),
  ]

  @Test(.enabled(if: PackageTraits.hasYAML), arguments: touchingInYAML)
  func `A new value or key of YAML beside a comment or a colon ends before it`(_ test: Case) throws {
    try check(test)
  }

  private static let quoted = [
    Case(.openStepPropertyList, .set("a", "bye"), "{ a = \"hello\"; }", "{ a = \"bye\"; }"),
    Case(.openStepPropertyList, .set("a", "it's \"so\""), "{ a = 'x'; }", "{ a = 'it\\'s \"so\"'; }"),
    Case(.openStepPropertyList, .set("a", "b c"), "{ a = x; }", "{ a = \"b c\"; }"),
    Case(.openStepPropertyList, .set("a", "bye"), "{ a = x; }", "{ a = bye; }"),
    Case(.openStepPropertyList, .set("a[1]", "bye"), "{ a = (x, \"y\"); }", "{ a = (x, \"bye\"); }"),
    Case(.gnustepPropertyList, .set("a", "bye"), "{ a = \"hello\"; }", "{ a = \"bye\"; }"),
    Case(.strings, .set("a", "bye"), "'a' = 'x';\n", "'a' = 'bye';\n"),
    Case(
      .xcodeProject, .set("a", "bye"), "// !$*UTF8*$!\n{ a = \"x y\"; }\n", "// !$*UTF8*$!\n{ a = bye; }\n"),
    Case(.json5, .set("a", "bye"), "{\"a\": 'x'}", "{\"a\": 'bye'}"),
    Case(.json5, .set("a", "it's \"so\""), "{\"a\": 'x'}", "{\"a\": 'it\\'s \"so\"'}"),
    Case(.json5, .set("a", "it's"), "{'a': \"x\", 'b': 1}", "{'a': \"it's\", 'b': 1}"),
    Case(.json5, .set("a[1]", "bye"), "{a: ['x', \"y\"]}", "{a: ['x', \"bye\"]}"),
    Case(.json5, .set("a", "bye"), "{'a': 5}", "{'a': 'bye'}"),
  ]

  @Test(arguments: quoted) func `A text keeps the quotation marks of the text that it replaces`(_ test: Case)
    throws
  {
    try check(test)
  }

  private static let tagged: [(String, Ferry.Value, String)] = [
    ("<string><![CDATA[a<b]]></string>", "c<d&e", "<string><![CDATA[c<d&e]]></string>"),
    ("<string><![CDATA[a<b]]></string>", "", "<string><![CDATA[]]></string>"),
    ("<string><![CDATA[a<b]]></string>", "c]]>d", "<string>c]]&gt;d</string>"),
    ("<string a='1'>\n <![CDATA[a]]>b</string >", "c<d", "<string a='1'><![CDATA[c<d]]></string >"),
    ("<string>a<![CDATA[b]]></string>", "c<d", "<string>c&lt;d</string>"),
    ("<string >x</string\n>", "y", "<string >y</string\n>"), ("<string />", "y", "<string>y</string>"),
    ("<true />", false, "<false />"), ("<integer >1</integer >", 5, "<integer >5</integer >"),
    ("<string >x</string >", true, "<true/>"),
  ]

  @Test(arguments: tagged)
  func `A value of an XML property list keeps the tags of one of its type, and its CDATA section`(
    _ old: String, _ value: Ferry.Value, _ new: String
  ) throws {
    for (path, start, end) in [
      ("k", "<plist><dict><key>k</key>", "</dict></plist>\n"),
      ("[0]", "<plist><array>", "</array></plist>\n"),
    ] {
      try check(Case(.xmlPropertyList, .set(path, value), start + old + end, start + new + end))
    }
  }

  /// Returns a document in an encoding that it declares.
  private static func document(_ contents: String, in encoding: String) throws -> [UInt8] {
    let text = "<?xml version=\"1.0\" encoding=\"\(encoding)\"?>\n\(contents)\n"
    let converter = try #require(CharacterConverter(toEncodingNamed: encoding))
    var bytes: [UInt8] = []
    #expect(converter.append(Array(text.utf8).span, to: &bytes))
    converter.finish(to: &bytes)
    return bytes
  }

  private static let encoded = [
    ("Shift_JIS", Change.set("r.a", "日é表<"), "<r><a>日</a></r>", "<r><a>日&#233;表&lt;</a></r>"),
    ("Shift_JIS", .set("r.@b", "表\"é"), "<r b=\"日\"/>", "<r b=\"表&quot;&#233;\"/>"),
    ("Shift_JIS", .set("r.a", "表"), "<r><a><![CDATA[日]]></a></r>", "<r><a><![CDATA[表]]></a></r>"),
    ("Shift_JIS", .set("r.a", "表é"), "<r><a><![CDATA[日]]></a></r>", "<r><a>表&#233;</a></r>"),
    ("Shift_JIS", .insert("r.表", "日¥"), "<r><a/></r>", "<r><a/><表>日&#165;</表></r>"),
    ("EUC-JP", .set("r.a", "表"), "<r><a>日</a></r>", "<r><a>表</a></r>"),
    ("GB18030", .set("r.a", "表é"), "<r><a>日</a></r>", "<r><a>表é</a></r>"),
    ("windows-1252", .set("r.a", "ö€日"), "<r><a>é</a></r>", "<r><a>ö€&#26085;</a></r>"),
    ("ISO-8859-1", .set("r.a", "ö€"), "<r><a>é</a></r>", "<r><a>ö&#8364;</a></r>"),
    ("US-ASCII", .set("r.a", "ö"), "<r><a>e</a></r>", "<r><a>&#246;</a></r>"),
    ("ISO-8859-1", .remove("r.é"), "<r><é>x</é><b>y</b></r>", "<r><b>y</b></r>"),
    ("ISO-8859-1", .set("r.é", "ö"), "<r><é>x</é><b>y</b></r>", "<r><é>ö</é><b>y</b></r>"),
    ("ISO-8859-1", .set("r.é", "x"), "<r><é/></r>", "<r><é>x</é></r>"),
    ("ISO-8859-1", .set("r.Ã·", "y"), "<r><é>1</é><Ã·>x</Ã·></r>", "<r><é>1</é><Ã·>y</Ã·></r>"),
    ("ISO-8859-1", .insert("r.é[]", "ü"), "<r><é>x</é></r>", "<r><é>x</é><é>ü</é></r>"),
    ("ISO-8859-1", .set("r.a.@é", "z"), "<r><a é=\"1\">x</a></r>", "<r><a é=\"z\">x</a></r>"),
    ("ISO-8859-1", .remove("r.a.@é"), "<r><a é=\"1\">x</a></r>", "<r><a>x</a></r>"),
    ("ISO-8859-1", .insert("r.a.@é", "z"), "<r><a>x</a></r>", "<r><a é=\"z\">x</a></r>"),
    (
      "ISO-8859-1", .insert("r.é:b", "z"), "<r xmlns:é=\"u\"><a>x</a></r>",
      "<r xmlns:é=\"u\"><a>x</a><é:b>z</é:b></r>"
    ),
    ("Shift_JIS", .remove("r.表"), "<r><表>x</表><b>y</b></r>", "<r><b>y</b></r>"),
    ("Shift_JIS", .set("r.表.ソ", "十"), "<r><表><ソ>x</ソ></表></r>", "<r><表><ソ>十</ソ></表></r>"),
    ("Shift_JIS", .set("r.a.@表", "z"), "<r><a 表=\"1\">x</a></r>", "<r><a 表=\"z\">x</a></r>"),
    ("GB18030", .remove("r.表"), "<r><表>x</表><b>y</b></r>", "<r><b>y</b></r>"),
  ]

  @Test(arguments: encoded) func `XML has references only for characters that its encoding lacks`(
    _ encoding: String, _ change: Change, _ old: String, _ new: String
  ) throws {
    let (bytes, losses) = try Case(.xml, change, old, new).edited(Self.document(old, in: encoding))
    #expect(try bytes == Self.document(new, in: encoding))
    #expect(losses == [])
  }

  private static let lacking = [
    ("ISO-8859-1", "r.表", "x"), ("ISO-8859-1", "r.a.@表", "x"), ("US-ASCII", "r.表", "x"),
    ("windows-1252", "r.b表", "é"),
  ]

  @Test(arguments: lacking)
  func `A name with a character that the encoding lacks is refused with this reason`(
    _ encoding: String, _ path: String, _ text: String
  ) throws {
    let error = try #require(throws: FerryError.self) {
      try Case(.xml, .insert(path, .string(text)), "", "").edited(
        Self.document("<r><a>1</a></r>", in: encoding))
    }
    #expect(error.reason == .path(.cannotPut("the value", .lacksCharacter(0x8868, encoding: encoding))))
  }

  @Test func `A text in an encoding with shifts is not blamed on entities`() throws {
    let bytes = try Self.document("<r><表>x</表></r>", in: "ISO-2022-JP")
    let error = #expect(throws: FerryError.self) { try Case(.xml, .remove("r.表"), "", "").edited(bytes) }
    #expect(error?.reason.description.contains("entity") == false, "\(error?.message ?? "")")
  }
}
