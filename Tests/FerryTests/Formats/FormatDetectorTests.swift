import Testing

@testable import Ferry

@Suite struct `Detection of formats` {
  @Test(arguments: [65_535, 65_536, 65_537, 300_000, 1 << 20])
  func `A text is detected after any white space`(_ count: Int) throws {
    let space = [UInt8](repeating: 0x20, count: count - 1) + [0x0a]
    for (text, format) in [
      ("[1]", Format.json), ("{\"a\":1}\n{\"a\":2}\n", .jsonLines), ("<a/>", .xml),
    ] {
      #expect(try Format.of(space + Array(text.utf8)) == format)
      #expect(try Format.of([0xef, 0xbb, 0xbf] + space + Array(text.utf8)) == format)
    }
    #expect(throws: FerryError(.file(.empty))) { try Format.of(space, named: "a.json") }
    #expect(try Format.of(space, named: "a.jsonl") == .jsonLines)
  }

  @Test func `The extension decides if no text is found after white space`() throws {
    let text = [UInt8](repeating: 0x20, count: 5 << 20) + Array("[1]".utf8)
    #expect(try Format.of(text, named: "a.json") == .json)
    #expect(throws: FerryError(.file(.unknownFormat(likely: nil)))) { try Format.of(text) }
  }

  @Test(
    arguments: [
      ("<people/>", nil, Format.xml),
      ("<?xml version='1.0'?>\n<!-- c --><plist><dict/></plist>", nil, .xmlPropertyList),
      ("<!DOCTYPE plist PUBLIC \"x\" \"y\"><plist/>", nil, .xmlPropertyList), ("<plists/>", nil, .xml),
      ("<plist><dict><key>$archiver</key></dict></plist>", "a.xml", .xmlArchive),
      ("bplist00", nil, .binaryPropertyList),
      ("\u{4}\u{b}streamtyped", nil, .typedstream), ("\u{3}\u{b}typedstream", "a.plist", .typedstream),
      ("SQLite format 3\0", "a.json", .sqlite),
      ("{}", nil, .json), (" [1,\n2]", nil, .json), ("\u{feff}{\"a\":1}", nil, .json), ("\"x\"", nil, .json),
      ("1", nil, .json),
      ("{\"a\":1}\n{\"a\":2}\n", nil, .jsonLines), ("1\n2", nil, .jsonLines),
      ("{\"a\":\"}\\\"\"}\n", nil, .json),
      ("{\"a\":1}", "people.jsonl", .jsonLines), ("{\"a\":1}", "people.xml", .json), ("<a/>", "a.json", .xml),
      ("{ a = 1; }", "a.json", .openStepPropertyList), ("{ \"a\" = 1; }", nil, .openStepPropertyList),
      ("( a, b )", nil, .openStepPropertyList), ("/* c */ a = b;", nil, .strings),
      ("a = \"b: c\";", nil, .strings), ("a = b;", "a.plist", .strings), ("a = b;", "a.json", .json),
      ("n = b;", "a.json", .json),
      ("\"a\" = \"b\";", "a.plist", .strings), ("// c\n{ a = (<*I5>); }", nil, .gnustepPropertyList),
      ("", "a.strings", .strings), ("\"a\";\nb;", "a.strings", .strings),
      ("{ // n\n\"b\" = 1; // }\n c = 2; }\n", "r.plist", .openStepPropertyList),
      ("\"a\" /* c */ = \"b\";", "a.strings", .strings), ("\"a\" /* c */ = \"b\";", nil, .strings),
      ("\"a\" // c\n = \"b\";", "a.strings", .strings), ("\"a\"\n = \"b\";", "a.strings", .strings),
      ("\"a\" /* c */;", "a.strings", .strings),
      ("a /* c */ = b;", "a.strings", .strings), ("{ \"a\" /* c */ = b; }", nil, .openStepPropertyList),
      ("{ \"a\" /* c */ : 1 }", "a.jsonc", .jsonc),
      ("// c\n\"a\" = \"b\";", nil, .strings), ("// c\nb;", "a.strings", .strings),
      ("// c\n(a, b)", nil, .openStepPropertyList),
      ("// c\r\"a\" = \"b\";", nil, .strings), ("// c\u{2028}\"a\" = \"b\";", nil, .strings),
      ("\"a\" // c\r = \"b\";", "a.strings", .strings), ("// c\r{ a = 1; }", nil, .openStepPropertyList),
      ("{}", "a.stringsdict", .json), ("{}", "a.strings", .strings),
      ("// c\n{ /* d */ }\n", "a.strings", .strings),
      ("()", "a.strings", .strings), (" {\n}\n", "a.pbxproj", .xcodeProject),
      ("()", "a.pbxproj", .xcodeProject),
      ("{}", "a.strings.gz", .strings), ("{}", "a.plist", .json), ("{\"a\": {}}", "a.strings", .json),
      ("nonsense", "a.json", .json),
      ("{\"a\":1} {\"a\":2}", nil, .concatenatedJSON),
      ("name: Ada\nage: 36", nil, .yaml), ("- name: Ada", "-", .yaml), ("-\n  a: 1", "/dev/stdin", .yaml),
      ("<<: {a: 1}\nb: 2", "a.yaml", .yaml), ("<a/>", "a.yaml", .xml), ("# c\n\n1: a", nil, .yaml),
      ("key:\r\n  a: 1", nil, .yaml), ("a b: c", "/dev/fd/63", .yaml),
      (" \n[]\n", "a.csv", .csv), ("\n{\"a\":1}", "a.csv", .csv), (" \r\n<a/>\n", "a.tsv", .tsv),
      (" []\n", "a.csv", .json), ("[1,2]\n[3]\n", "a.csv", .jsonLines), (" \n[]\n", "a.xml", .json),
      ("[1]\n\"007\"\n", "a.csv", .csv), ("[1,2]\n[3]\n", "a.tsv", .tsv), ("{}\r\n5", "a.csv.gz", .jsonLines),
      ("[1]\n[\"a\"]\n", "a.csv", .jsonLines), ("[\n1\n]\n", "a.csv", .json), ("[1]\n", "a.csv", .json),
      ("[1]\n\"007\"\n", "a.txt", .jsonLines), ("[1]\n\"007\"\n", "a.json", .jsonLines),
      ("[1]\n\"007\"\n", nil, .jsonLines),
      ("-1", nil, .json), ("null", nil, .json), ("name: Ada", "list.json", .json),
      // The UTF-16 of the characters has the bytes of an equals sign and of a quote.
      ("{a: '\u{1f600}', b: '\u{3d22}'}", nil, .json), ("{\"\u{223d}\": 1}\n{}", nil, .jsonLines),
      ("{\"\u{1f600}\" = 1;}", nil, .openStepPropertyList), ("\u{443}: \u{221a}", "a.yaml", .yaml),
    ] as [(String, String?, Format)])
  func `A format is found by content, and the name only helps`(
    _ text: String, _ name: String?, _ format: Format
  ) throws {
    #expect(try FormatDetector(head: Array(text.utf8), name: name).detect() == format)
    let wide: [UInt8] =
      [0xff, 0xfe]
      + text.utf16.flatMap { unit -> [UInt8] in [UInt8(truncatingIfNeeded: unit), UInt8(unit >> 8)] }
    if !text.hasPrefix("\u{feff}"), format != .binaryPropertyList, format != .typedstream, format != .sqlite {
      #expect(try FormatDetector(head: wide, name: name).detect() == format)
      let wider = text.unicodeScalars.flatMap { scalar in
        [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: scalar.value >> $0) }
      }
      #expect(try FormatDetector(head: [0, 0, 0xfe, 0xff] + wider, name: name).detect() == format)
    }
  }

  @Test(
    arguments: [
      [0x00, 0x66, 0xff, 0xff, 0xff, 0x7e, 0x3c, 0x18], [0, 1, 2, 4, 8, 16, 32, 64],
      [0x5b, 0, 0xff, 0xff, 0x12, 0x34, 0x56, 0x78], [0xff, 0xfe, 0x3d, 0xd8, 0, 0xde, 0x22, 0x3d],
    ] as [[UInt8]])
  func `A picture whose bytes could be text in UTF-16 is found by its name`(_ bytes: [UInt8]) throws {
    #expect(try FormatDetector(head: bytes, name: "a.tinypix").detect() == .tinyPix)
  }

  @Test(
    arguments: [
      ("a.xml", "xml"), ("a.XML", "xml"), ("a.b.json", "json"), ("a.xml.gz", "xml"), ("d/a.xml", "xml"),
      ("d.x/a.xml", "xml"), ("d//a.xml", "xml"), ("a.xml/", "xml"), ("é/ü.é", "é"), ("a.", ""), ("a", nil),
      ("-", nil),
      ("", nil), ("/", nil), (".xml", nil), ("d/.xml", nil), ("d.x/a", nil), ("d.x/a/", nil),
    ] as [(String, String?)])
  func `The extension is that of the last name in a path`(_ name: String, _ fileExtension: String?) {
    #expect(FormatDetector.fileExtension(of: name) == fileExtension)
  }

  @Test func `Each format has its own description`() {
    #expect(Format.xml.description.noun == "XML")
    #expect(Format.png.description.noun == "a PNG image")
    #expect(Set(Format.allCases.map(\.summary)).count == Format.allCases.count)
  }

  @Test(arguments: [("", "list.jsonl"), (" \n", "list.jsonl"), ("", "list.NDJSON")])
  func `An empty file of JSON Lines is a list without records`(_ text: String, _ name: String) throws {
    #expect(try FormatDetector(head: Array(text.utf8), name: name).detect() == .jsonLines)
    #expect(try Value(reading: MemoryInput(Array(text.utf8)), named: name) == .array([]))
  }

  @Test(arguments: ["a.json", "a.xml", "a.plist", "a.pplgrp", "a.db", "a"])
  func `An empty file of another format is refused`(_ name: String) {
    // A byte order mark is not content.
    for head in [[], [0xef, 0xbb, 0xbf], [0xff, 0xfe], [0xfe, 0xff], [0xff, 0xfe, 0, 0]] as [[UInt8]] {
      let error = #expect(throws: FerryError.self) { try FormatDetector(head: head, name: name).detect() }
      #expect(error?.reason == .file(.empty), "\(head)")
    }
  }

  @Test(arguments: [false, true])
  func `Half of a surrogate pair in UTF-16 does not hide the format`(_ isBigEndian: Bool) throws {
    let units = [0xfeff] + Array(#"{"a": ""#.utf16) + [0xd800] + Array(#""}"#.utf16)
    let head = units.flatMap { unit in
      let bytes = [UInt8(unit >> 8), UInt8(unit & 0xff)]
      return isBigEndian ? bytes : bytes.reversed()
    }
    #expect(try FormatDetector(head: head, name: nil).detect() == .json)
  }

  @Test(
    arguments: [
      [0x30, 0x82, 0x09, 0xd4], [0x30, 0x80], [0x30, 0x81, 0x90], [0x30, 0x83, 0x01, 0x00, 0x00],
    ] as [[UInt8]], ["app.mobileprovision", "a.mobileconfig", "a.json"])
  func `Signed data is not taken for JSON, although it begins with a digit`(
    _ start: [UInt8], _ name: String
  ) {
    let head =
      start + [0x06, 0x09, 0x2a, 0x86, 0x48, 0x86, 0xf7, 0x0d, 0x01, 0x07, 0x02, 0xa0, 0x82, 0x09, 0xc5]
    let error = #expect(throws: FerryError.self) { try FormatDetector(head: head, name: name).detect() }
    #expect(
      error?.reason.description.contains("openssl smime -verify -inform der -noverify -in FILE") == true)
  }

  @Test(arguments: [
    ("", "the file is empty"), (" \n", "the file is empty"), ("\u{89}PNG", "format"),
    ("%PDF-1.4", "a PDF document"),
    ("SQLite format 2", "no format"),
    ("GNUstep archive00002af8:", "a GNUstep archive"),
    ("hello", "no format"), ("a:b", "no format"), ("#", "no format"), ("?a: b", "no format"),
    ("a = \"b: c\"; d", "no format"), ("nonsense", "no format"), ("n,b", "CSV"),
    ("// c\nimport Ferry\n", "no format"), ("/* c */ int a = 1;", "no format"),
  ])
  func `Files of other kinds are refused by name`(_ text: String, _ words: String) {
    let failure = #expect(throws: FerryError.self) {
      try FormatDetector(head: Array(text.utf8), name: nil).detect()
    }
    #expect(failure?.message.contains(words) == true, "\(failure?.message ?? "")")
  }
}
