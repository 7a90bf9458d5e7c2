import TestSupport
import Testing

@testable import Ferry

/// Changes after which the text has the lines and line ends that it had.
@Suite struct `The layout of changed texts` {
  typealias Case = `The notation of changed values`.Case

  private func check(_ test: Case) throws {
    let (bytes, losses) = try test.edited(Array(test.old.utf8))
    #expect(String(decoding: bytes, as: UTF8.self) == test.new)
    #expect(losses == [])
  }

  // MARK: Data

  /// The bytes from 0, and the same ones with one of them changed.
  private static func data(_ count: Int, changed: Int? = nil) -> [UInt8] {
    (0..<count).map { $0 == changed ? 255 : UInt8(truncatingIfNeeded: $0) }
  }

  /// Returns digits in lines of some widths, of which the last repeats.
  private static func lines(_ digits: String, _ widths: [Int], _ before: String) -> String {
    var (text, rest, line) = ("", Substring(digits), 0)
    while !rest.isEmpty {
      let width = widths[min(line, widths.count - 1)]
      text += before + rest.prefix(width)
      (rest, line) = (rest.dropFirst(width), line + 1)
    }
    return text
  }

  private static func base64(_ bytes: [UInt8]) -> String {
    String(decoding: Base64.encode(bytes.span), as: UTF8.self)
  }

  private static let listStart = "<plist version=\"1.0\">\n<dict>\n\t<key>k</key>\n\t<data>"
  private static let listEnd = "</data>\n</dict>\n</plist>\n"

  @Test(arguments: [
    ("\n\t", [68], "\n\t"), ("\n\t", [60], "\n\t"), ("\n", [76], "\n"), ("\r\n    ", [64], "\r\n    "),
    ("\n\t\t", [1000], "\n\t"), ("\n", [20, 60], "\n"), ("\r", [40], "\r"),
  ])
  func `Data of an XML property list keeps its lines`(
    _ before: String, _ widths: [Int], _ after: String
  ) throws {
    for (old, new) in [
      (Self.data(256), Self.data(256, changed: 100)), (Self.data(256), Self.data(300)),
      (Self.data(256), Self.data(130)),
    ] {
      let texts = [old, new].map {
        Self.listStart + Self.lines(Self.base64($0), widths, before) + after + Self.listEnd
      }
      try check(Case(.xmlPropertyList, .set("k", .data(new)), texts[0], texts[1]))
    }
  }

  @Test(arguments: ["", " id='a'"])
  func `Data on the line of its tag stays on it`(_ attribute: String) throws {
    let start = Self.listStart.replacing("<data", with: "<data\(attribute)")
    let (old, new) = (Self.data(5), Self.data(200))
    try check(
      Case(
        .xmlPropertyList, .set("k", .data(new)), start + Self.base64(old) + Self.listEnd,
        start + Self.base64(new) + Self.listEnd))
    try check(
      Case(
        .xmlPropertyList, .set("k", .data(new)),
        start + "<![CDATA[\(Self.base64(old))]]>" + Self.listEnd,
        start + "<![CDATA[\(Self.base64(new))]]>" + Self.listEnd))
  }

  @Test func `Empty data of an XML property list gets the usual lines, and data without bytes one line end`()
    throws
  {
    let new = Self.data(100)
    let lines = Self.lines(Self.base64(new), [68], "\n\t") + "\n\t"
    for old in ["", "\n\t"] {
      try check(
        Case(
          .xmlPropertyList, .set("k", .data(new)), Self.listStart + old + Self.listEnd,
          Self.listStart + lines + Self.listEnd))
    }
    try check(
      Case(
        .xmlPropertyList, .set("k", .data([])), Self.listStart + lines + Self.listEnd,
        Self.listStart + "\n\t" + Self.listEnd))
  }

  @Test func `A change in a file inside data keeps the lines of the data`() throws {
    let inner = ["a", "b"].map {
      "<?xml version=\"1.0\"?><plist><dict><key>x</key><string>\($0)</string></dict></plist>"
    }
    let texts = inner.map {
      Self.listStart + Self.lines(Self.base64(Array($0.utf8)), [40], "\n  ") + "\n\t" + Self.listEnd
    }
    try check(Case(.xmlPropertyList, .set("k.x", "b"), texts[0], texts[1]))
  }

  @Test func `Data of an OpenStep property list keeps its lines, groups and letters`() throws {
    func hex(_ bytes: [UInt8]) -> String {
      bytes.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
    }
    func groups(_ digits: String, of width: Int, inLine count: Int) -> String {
      let groups = Self.lines(digits, [width], " ").split(separator: " ")
      return stride(from: 0, to: groups.count, by: count).map { line in
        "\n    " + groups[line..<min(line + count, groups.count)].joined(separator: " ")
      }.joined() + "\n  "
    }
    for new in [Self.data(64, changed: 17), Self.data(90), Self.data(30)] {
      let old = Self.data(64)
      for layout: (String) -> String in [
        { $0 }, { $0.uppercased() }, { String(Self.lines($0, [8], " ").dropFirst()) },
        { groups($0, of: 8, inLine: 4) }, { groups($0.uppercased(), of: 4, inLine: 8) },
      ] {
        try check(
          Case(
            .openStepPropertyList, .set("k", .data(new)), "{ k = <\(layout(hex(old)))>; }\n",
            "{ k = <\(layout(hex(new)))>; }\n"))
      }
      try check(
        Case(
          .gnustepPropertyList, .set("k", .data(new)),
          "{ k = <[\(Self.lines(Self.base64(old), [20], "\n"))\n]>; }\n",
          "{ k = <[\(Self.lines(Self.base64(new), [20], "\n"))\n]>; }\n"))
    }
    // A single group shows no layout.
    try check(
      Case(
        .openStepPropertyList, .set("k", .data([0xab, 1, 2, 3, 4])), "{ k = <0b0c>; }",
        "{ k = <ab010203 04>; }"))
  }

  @Test(.enabled(if: PackageTraits.hasYAML))
  func `Data of YAML keeps its block or its quotation marks`() throws {
    let old = Self.data(100)
    for new in [Self.data(100, changed: 60), Self.data(150), Self.data(50)] {
      for layout: (String) -> String in [
        { "|\(Self.lines($0, [60], "\n  "))" }, { "|- # c\(Self.lines($0, [60], "\r\n  "))" },
        { ">\(Self.lines($0, [40], "\n    "))" }, { "\"\($0)\"" }, { "'\($0)'" }, { $0 },
        { "\"\(Self.lines($0, [40], "\\\n  "))\"" },
      ] {
        let end = layout("x").utf8.contains(UInt8(ascii: "\r")) ? "\r\n" : "\n"
        try check(
          Case(
            .yaml, .set("k", .data(new)), "k: !!binary \(layout(Self.base64(old)))\(end)b: 1\(end)",
            "k: !!binary \(layout(Self.base64(new)))\(end)b: 1\(end)"))
      }
    }
  }

  @Test(.enabled(if: PackageTraits.hasYAML))
  func `Short lines of data give much longer data no width`() throws {
    let (old, longer, new) = (Self.data(12), Self.data(24), Self.data(300))
    func yaml(_ data: [UInt8], _ width: Int) -> String {
      "k: !!binary |\(Self.lines(Self.base64(data), [width], "\n  "))\nb: 1\n"
    }
    try check(Case(.yaml, .set("k", .data(new)), yaml(old, 8), yaml(new, 76)))
    try check(Case(.yaml, .set("k", .data(longer)), yaml(old, 8), yaml(longer, 8)))
    try check(Case(.yaml, .set("k", .data(new)), yaml(Self.data(48), 32), yaml(new, 32)))
    func list(_ data: [UInt8], _ width: Int) -> String {
      Self.listStart + Self.lines(Self.base64(data), [width], "\n\t") + "\n\t" + Self.listEnd
    }
    try check(Case(.xmlPropertyList, .set("k", .data(new)), list(old, 8), list(new, 68)))
    try check(
      Case(
        .openStepPropertyList, .set("k", .data(Self.data(20))), "{ k = <00010203\n  0405>; }",
        "{ k = <00010203 04050607 08090a0b 0c0d0e0f 10111213>; }"))
  }

  // MARK: Line ends

  private static let value: Ferry.Value = ["q": ["1", ["z": "2"]]]

  private static let filled = [
    Case(
      .xmlPropertyList, .insert("q", "x"), "<?xml version=\"1.0\"?>\n<plist><dict/></plist>\n",
      "<?xml version=\"1.0\"?>\n<plist><dict>\n\t<key>q</key>\n\t<string>x</string>\n</dict></plist>\n"),
    Case(
      .xmlPropertyList, .insert("a[]", value),
      "<plist>\n<dict><key>a</key><array/></dict>\n</plist>\n",
      """
      <plist>
      <dict><key>a</key><array>
      \t\t<dict>
      \t\t\t<key>q</key>
      \t\t\t<array>
      \t\t\t\t<string>1</string>
      \t\t\t\t<dict>
      \t\t\t\t\t<key>z</key>
      \t\t\t\t\t<string>2</string>
      \t\t\t\t</dict>
      \t\t\t</array>
      \t\t</dict>
      \t</array></dict>
      </plist>

      """),
    Case(.openStepPropertyList, .insert("a", "b"), "// c\n{\n}\n", "// c\n{\n\ta = b;\n}\n"),
    Case(
      .json, .insert("a.b", "c"), "{\n  \"a\": {}\n}\n", "{\n  \"a\": {\n    \"b\": \"c\"\n  }\n}\n"),
    Case(.strings, .insert("a", "b"), "// c\n// d", "// c\n// d\n\"a\" = \"b\";\n"),
    Case(.strings, .insert("a", "b"), "/* c */\n", "/* c */\n\"a\" = \"b\";\n"),
  ]

  @Test(arguments: filled, ["\n", "\r\n"])
  func `The first lines of a collection have the line ends of the text`(
    _ test: Case, _ lineEnd: String
  ) throws {
    try check(
      Case(
        test.format, test.change, test.old.replacing("\n", with: lineEnd),
        test.new.replacing("\n", with: lineEnd)))
  }

  @Test func `The first lines of a collection end with carriage returns if those of the text do`() throws {
    try check(
      Case(
        .xmlPropertyList, .insert("q", "x"), "<?xml version=\"1.0\"?>\r<plist><dict/></plist>\r",
        "<?xml version=\"1.0\"?>\r<plist><dict>\r\t<key>q</key>\r\t<string>x</string>\r</dict></plist>\r"))
  }

  // MARK: Entries

  private static let removed = [
    Case(.strings, .remove("a"), "\"a\" = \"1\";\n\"b\" = \"2\";\n", "\"b\" = \"2\";\n"),
    Case(.strings, .remove("a"), "\"a\" = \"1\";\n\n\"b\" = \"2\";\n", "\"b\" = \"2\";\n"),
    Case(.strings, .remove("a"), "\"a\" = \"1\"; \"b\" = \"2\";\n", "\"b\" = \"2\";\n"),
    Case(.strings, .remove("a"), "\n\"a\" = \"1\";\n\n\"b\" = \"2\";\n", "\n\"b\" = \"2\";\n"),
    Case(
      .strings, .remove("a"), "\u{feff}\"a\" = \"1\"; // c\n\"b\" = \"2\";\n",
      "\u{feff}// c\n\"b\" = \"2\";\n"),
    // As for other entries, the comment above stays, and the blank line before the next comment.
    Case(
      .strings, .remove("a"), "/* A */\n\"a\" = \"1\";\n\n/* B */\n\"b\" = \"2\";\n",
      "/* A */\n\n/* B */\n\"b\" = \"2\";\n"),
    Case(
      .strings, .remove("b"), "\"a\" = \"1\";\n\n/* B */\n\"b\" = \"2\";\n\n\"c\" = \"3\";\n",
      "\"a\" = \"1\";\n\n/* B */\n\n\"c\" = \"3\";\n"),
  ]

  @Test(arguments: removed) func `The first entry of a strings file is removed with its line`(
    _ test: Case
  ) throws {
    try check(test)
  }

  @Test func `The first entries of a strings file are removed together`() throws {
    var options = EditableFile.Options()
    options.format = .strings
    let text = "\"a\" = \"1\";\n\n\"b\" = \"2\";\n\n\"c\" = \"3\";\n"
    let file = try EditableFile(Array(text.utf8), options: options)
    for key in ["a", "b"] { try file.remove(at: ValuePath(parsing: key)) }
    #expect(String(decoding: try file.bytes(), as: UTF8.self) == "\"c\" = \"3\";\n")
  }

  private static let lastClasses = [
    Case(.json, .insert("b", 2), #"{"a":1,"$class":"X"}"#, #"{"a":1,"$class":"X","b":2}"#),
    Case(
      .json, .insert("o.b", 2), #"{"o":{"a":1,"$class":"X"}}"#, #"{"o":{"a":1,"$class":"X","b":2}}"#),
    Case(
      .xmlPropertyList, .insert("b", true),
      "<plist><dict><key>$class</key><string>X</string></dict></plist>",
      "<plist><dict><key>$class</key><string>X</string><key>b</key><true/></dict></plist>"),
  ]

  @Test(arguments: lastClasses)
  func `A new key is the last one also after a key that would be the class of an archived object`(
    _ test: Case
  ) throws {
    try check(test)
  }
}
