import Foundation
import TestSupport
import Testing

@testable import Ferry

@Suite struct `Editing OpenStep property lists` {
  private func edit(
    _ text: String, named name: String = "x.plist", _ change: (EditableFile) throws -> Void
  ) throws -> String {
    let file = try EditableFile(Array(text.utf8), named: name)
    try change(file)
    return String(decoding: try file.bytes(), as: UTF8.self)
  }

  private static let project = """
    // !$*UTF8*$!
    {
    \tarchiveVersion = 1;
    \tclasses = {
    \t};
    \tobjects = {

    /* Begin PBXBuildFile section */
    \t\tA1 /* a.swift in Sources */ = {isa = PBXBuildFile; fileRef = B1 /* a.swift */; };
    \t\tA2 /* b.swift in Sources */ = {isa = PBXBuildFile; fileRef = B2 /* b.swift */; };
    /* End PBXBuildFile section */
    \t\tC1 /* Debug */ = {
    \t\t\tisa = XCBuildConfiguration;
    \t\t\tbuildSettings = {
    \t\t\t\tSWIFT_VERSION = 5.0; // old
    \t\t\t\tFLAGS = (
    \t\t\t\t\t"-a",
    \t\t\t\t\tb, /* two */
    \t\t\t\t);
    \t\t\t};
    \t\t};
    \t};
    }

    """

  /// Changes of the project above: the change, the old text and the new text.
  private static let changes: [(String, @Sendable (EditableFile) throws -> Void, String, String)] = [
    (
      "set", { try $0.set(text: "6.0", at: ValuePath(parsing: "objects.C1.buildSettings.SWIFT_VERSION")) },
      "SWIFT_VERSION = 5.0;", "SWIFT_VERSION = 6.0;"
    ),
    (
      "quote", { try $0.set(text: "a b", at: ValuePath(parsing: "objects.A1.fileRef")) }, "B1 /*",
      "\"a b\" /*"
    ),
    (
      "insert", { try $0.insert("x", at: ValuePath(parsing: "objects.C1.buildSettings.NEW")) },
      "\t\t\t\t);\n", "\t\t\t\t);\n\t\t\t\tNEW = x;\n"
    ),
    (
      "append", { try $0.insert("c-d", at: ValuePath(parsing: "objects.C1.buildSettings.FLAGS[]")) },
      "b, /* two */\n", "b, /* two */\n\t\t\t\t\t\"c-d\",\n"
    ),
    (
      "prepend", { try $0.insert("c", at: ValuePath(parsing: "objects.C1.buildSettings.FLAGS[0]")) },
      "\"-a\",\n", "c,\n\t\t\t\t\t\"-a\",\n"
    ),
    (
      "object",
      { try $0.insert(["isa": "PBXBuildFile", "fileRef": "B3"], at: ValuePath(parsing: "objects.A3")) },
      "\t\t\t};\n\t\t};\n\t};\n}\n",
      "\t\t\t};\n\t\t};\n\t\tA3 = {isa = PBXBuildFile; fileRef = B3; };\n\t};\n}\n"
    ),
    (
      "fill", { try $0.insert(["a": ["b"]], at: ValuePath(parsing: "classes.X")) },
      "classes = {\n\t};", "classes = {\n\t\tX = {\n\t\t\ta = (\n\t\t\t\tb,\n\t\t\t);\n\t\t};\n\t};"
    ),
    (
      "remove", { try $0.remove(at: ValuePath(parsing: "objects.C1.buildSettings.FLAGS[0]")) },
      "\t\t\t\t\t\"-a\",\n", ""
    ),
    (
      "remove entry", { try $0.remove(at: ValuePath(parsing: "objects.A2")) },
      "\n\t\tA2 /* b.swift in Sources */ = {isa = PBXBuildFile; fileRef = B2 /* b.swift */; };", ""
    ),
  ]

  @Test(arguments: changes.map(\.0)) func `A change of a project changes its line only`(_ name: String) throws
  {
    let change = try #require(Self.changes.first { $0.0 == name })
    let wanted = Self.project.replacing(change.2, with: change.3, maxReplacements: 1)
    #expect(wanted != Self.project)
    let text = try edit(Self.project, named: "project.pbxproj") { try change.1($0) }
    if name == "object" {
      // The layout of the next collection is that of the new one.
      #expect(text.contains("\t\tA3 = {"))
      #expect(
        try Ferry.Value(reading: MemoryInput(Array(text.utf8)))["objects"]?["A3"] == [
          "isa": "PBXBuildFile", "fileRef": "B3",
        ])
    } else {
      #expect(text == wanted)
    }
  }

  private static func wide(_ text: String) -> [UInt8] {
    text.utf16.flatMap { unit -> [UInt8] in [UInt8(truncatingIfNeeded: unit), UInt8(unit >> 8)] }
  }

  @Test func `A strings file keeps its comments, its style and its encoding`() throws {
    let text = "/* Title */\n\"title\" = \"Hello\";  // short\n\n/* Text */\n\"text\" = \"Wo\\\"rld\";\n"
    #expect(
      try edit(text, named: "a.strings") { try $0.set(text: "Hé", at: ValuePath(parsing: "title")) }
        == text.replacing("Hello", with: "Hé"))
    #expect(
      try edit(text, named: "a.strings") { try $0.insert("a\nb", at: ValuePath(parsing: "new")) }
        == text.replacing("rld\";\n", with: "rld\";\n\n/* Text */\n\"new\" = \"a\\nb\";\n").replacing(
          "\n\n/* Text */\n\"new\"", with: "\n\"new\""))
    #expect(
      try edit(text, named: "a.strings") { try $0.remove(at: ValuePath(parsing: "text")) }
        == "/* Title */\n\"title\" = \"Hello\";  // short\n\n/* Text */\n")
    let (problem, _) = try Edited.problem {
      _ = try edit(text, named: "a.strings") { file in
        try file.set(text: "1.50", as: .json, at: ValuePath(parsing: "title"))
      }
    }
    #expect(problem.description.hasSuffix("this format has only text and data (write \"1.50\")"))
    let wide = [0xff, 0xfe] + Self.wide(text)
    let file = try EditableFile(wide, named: "a.strings")
    #expect(try file.bytes() == wide)
    try file.set(text: "Hi", at: ValuePath(parsing: "title"))
    let new = text.replacing("Hello", with: "Hi")
    #expect(
      try file.bytes() == [0xff, 0xfe] + Self.wide(new))
    #expect(
      try edit("a;\nb = c;\n", named: "a.strings") { try $0.set(text: "x", at: ValuePath(parsing: "a")) }
        == "a = \"x\";\nb = c;\n")
    #expect(
      try edit("a; // one\nb = c;\n", named: "a.strings") { file in
        try file.set(text: "x", at: ValuePath(parsing: "b"))
      } == "a; // one\nb = \"x\";\n")
    #expect(
      try edit("", named: "a.strings") { try $0.insert("x", at: ValuePath(parsing: "a")) }
        == "\"a\" = \"x\";\n")
    #expect(try edit("a = b;", named: "a.strings") { try $0.remove(at: ValuePath(parsing: "a")) } == "")
  }

  /// Texts with comments that end with their lines: the change, and the text after it.
  private static let lineComments: [(String, @Sendable (EditableFile) throws -> Void, String)] = [
    (
      "{ a = 1; // last\n}", { try $0.insert("3", at: ValuePath(parsing: "c")) },
      "{ a = 1; // last\n c = 3;\n}"
    ),
    ("a = 1; // last", { try $0.insert("3", at: ValuePath(parsing: "c")) }, "a = 1; // last\n\"c\" = \"3\";"),
    ("a = 1;", { try $0.insert("3", at: ValuePath(parsing: "c")) }, "a = 1;\n\"c\" = \"3\";"),
    (
      "{ c = { // f\n}; }", { try $0.insert("3", at: ValuePath(parsing: "c.x")) },
      "{ c = { // f\n x = 3;\n}; }"
    ),
    ("( // g\n)", { try $0.insert("3", at: ValuePath([.end])) }, "( // g\n 3,\n)"),
    (
      "a = 1; // note\nb = 2; c = 3;\n", { try $0.remove(at: ValuePath(parsing: "b")) },
      "a = 1; // note\n c = 3;\n"
    ),
    ("// note\nb = 2; c = 3;\n", { try $0.remove(at: ValuePath(parsing: "b")) }, "// note\n c = 3;\n"),
    (
      "a = 1; // note\nb = 2;\nc = 3;\n", { try $0.remove(at: ValuePath(parsing: "b")) },
      "a = 1; // note\nc = 3;\n"
    ),
    (
      "{ a = { // note\nb = 1; c = 2; }; d = 3; }\n", { try $0.remove(at: ValuePath(parsing: "a.b")) },
      "{ a = { // note\n c = 2; }; d = 3; }\n"
    ),
    ("( // note\n1, 2 )", { try $0.remove(at: ValuePath([.index(0)])) }, "( // note\n 2 )"),
    (
      "(\n\t1, // one\n\t2 // two\n)", { try $0.insert("3", at: ValuePath([.end])) },
      "(\n\t1, // one\n\t2, // two\n\t3\n)"
    ),
    (
      "// c\u{2028}\"a\" = \"b\"; // d\u{2029}", { try $0.set(text: "x", at: ValuePath(parsing: "a")) },
      "// c\u{2028}\"a\" = \"x\"; // d\u{2029}"
    ),
    ("(1 // one\n)", { try $0.insert("3", at: ValuePath([.end])) }, "(1, // one\n3\n)"),
  ]

  @Test(arguments: lineComments.indices) func `A comment that ends with its line takes in no other text`(
    _ index: Int
  ) throws {
    let (text, change, wanted) = Self.lineComments[index]
    #expect(
      try edit(text, named: text.hasPrefix("{") || text.hasPrefix("(") ? "x.plist" : "x.strings", change)
        == wanted)
  }

  @Test func `GNUstep's last entry gets its semicolon before a comment`() throws {
    var options = EditableFile.Options()
    options.format = .gnustepPropertyList
    let file = try EditableFile(Array("{\n\ta = 1 // l\n}\n".utf8), options: options)
    try file.insert("2", at: ValuePath(parsing: "b"))
    #expect(String(decoding: try file.bytes(), as: UTF8.self) == "{\n\ta = 1; // l\n\tb = 2\n}\n")
  }

  @Test func `Random edits keep all other values`() throws {
    var random = SeededGenerator(seed: 5)
    let gaps = ["", " ", "\n", "\n\t", " // c\n", " /* c */ ", "// d\n\t", "\n/* e\n */\n"]
    func gap() -> String { gaps.randomElement(using: &random) ?? "" }
    func value(_ depth: Int) -> String {
      let count = Int.random(in: 0...3, using: &random)
      switch Int.random(in: 0..<(depth < 3 ? 4 : 2), using: &random) {
      case 0: return "w\(Int.random(in: 0...99, using: &random)) "
      case 1: return "\"q // /* \(Int.random(in: 0...99, using: &random))\""
      case 2:
        let entries = (0..<count).map { "\(gap())k\($0) \(gap())=\(gap())\(value(depth + 1))\(gap());" }
        return "{\(entries.joined())\(gap())}"
      default:
        let elements = (0..<count).map { _ in "\(gap())\(value(depth + 1))\(gap())" }
        let comma = count > 0 && Bool.random(using: &random) ? "," : ""
        return "(\(elements.joined(separator: ","))\(comma)\(gap()))"
      }
    }
    for round in 0..<600 {
      let isBare = round.isMultiple(of: 3)
      let entries = (0..<3).map { "\(gap())k\($0) \(gap())=\(gap())\(value(0))\(gap());" }.joined() + gap()
      let text = isBare ? entries : "{\(entries)}"
      let name = isBare ? "x.strings" : "x.plist"
      var options = EditableFile.Options()
      options.format = isBare ? .strings : .openStepPropertyList
      let file = try EditableFile(Array(text.utf8), named: name, options: options)
      let key = "k\(Int.random(in: 0..<3, using: &random))"
      let path = ValuePath([.key(key)])
      let old = try file.value(at: ValuePath())
      switch Int.random(in: 0..<4, using: &random) {
      case 0: try file.set("new value", at: path)
      case 1: try file.remove(at: path)
      case 2: try file.insert("n", at: ValuePath([.key("k9")]))
      default:
        switch try file.value(at: path) {
        case .array(let elements) where !elements.isEmpty && Bool.random(using: &random):
          try file.remove(at: path.appending(.index(Int.random(in: elements.indices, using: &random))))
        case .array: for text in ["x", "y"] { try file.insert(.string(text), at: path.appending(.end)) }
        case .dictionary: try file.insert("x", at: path.appending(.key("k9")))
        default: try file.set("x", at: path)
        }
      }
      let wanted = try file.value(at: ValuePath())
      #expect(wanted != old)
      let bytes = try file.bytes()
      let again = try EditableFile(bytes, named: name, options: options)
      #expect(
        try again.value(at: ValuePath()) == wanted, "\(text)\n→\n\(String(decoding: bytes, as: UTF8.self))")
    }
  }

  @Test(arguments: [
    ("{a = 1;}", "b", "{a = 1; b = c;}"), ("{a=1;}", "b", "{a=1;b=c;}"), ("(a)", "[]", "(a, c)"),
    ("{a=(b);}", "a[]", "{a=(b,c);}"), ("( a )", "[]", "( a, c )"),
  ])
  func `A second child on one line has the usual space before it`(
    text: String, path: String, edited: String
  ) throws {
    #expect(try edit(text) { try $0.insert("c", at: ValuePath(parsing: path)) } == edited)
  }

  @Test func `The last element keeps its style`() throws {
    let cases: [(String, String, String)] = [
      ("(a, b)", "(a, b, c)", "(a)"), ("(a, b,)", "(a, b, c,)", "(a,)"),
      ("(a,b /* x */)", "(a,b /* x */,c)", "(a /* x */)"),
      ("(\n  a,\n  b\n)", "(\n  a,\n  b,\n  c\n)", "(\n  a\n)"),
    ]
    for (text, inserted, removed) in cases {
      #expect(try edit(text) { try $0.insert("c", at: ValuePath([.end])) } == inserted)
      #expect(try edit(text) { try $0.remove(at: ValuePath([.index(1)])) } == removed)
    }
  }

  @Test func `A set to the same value changes nothing in real files, and any change keeps all else`() throws {
    var count = 0
    for file in try ["plist/pbxproj", "plist/strings", "plist/openstep"].flatMap(Corpus.files) {
      let bytes = try Corpus.bytes(file)
      guard let format = try? Format.of(bytes, named: file),
        [.openStepPropertyList, .strings, .xcodeProject].contains(format),
        let editable = try? EditableFile(bytes, named: file),
        case .dictionary(let entries) = try editable.value(at: ValuePath()),
        let key = entries.keys.first?.stringValue, case .string(let text)? = entries[.string(key)]
      else { continue }
      let path = ValuePath([.key(key)])
      try editable.set(text: text, at: path)
      #expect(try editable.bytes() == bytes, "\(file)")
      try editable.set(text: text + "X", at: path)
      let changed = try editable.bytes()
      #expect(changed.count - bytes.count <= 8, "\(file)")
      var wanted = entries
      wanted[.string(key)] = .string(text + "X")
      #expect(try Ferry.Value(reading: MemoryInput(changed), named: file) == .dictionary(wanted), "\(file)")
      count += 1
    }
    print("\(count) OpenStep property lists edited")
    #expect(count > 100)
  }
}

@Suite struct `Writing OpenStep property lists` {
  private func write(_ json: String, to format: Format) throws -> String {
    String(decoding: try Conversion(to: format).convert(Array(json.utf8)).bytes, as: UTF8.self)
  }

  @Test func `Values are laid out as in Xcode's projects`() throws {
    let json = #"{"a":"b","c d":["e","-f","g/h","//",""],"n":{},"l":[],"m":{"o":"p\n\"\t\u0001é"}}"#
    #expect(
      try write(json, to: .openStepPropertyList) == """
        {
        \ta = b;
        \t"c d" = (
        \t\te,
        \t\t"-f",
        \t\tg/h,
        \t\t"//",
        \t\t"",
        \t);
        \tn = {
        \t};
        \tl = (
        \t);
        \tm = {
        \t\to = "p\\n\\"\\t\\U0001é";
        \t};
        }

        """)
    #expect(
      try write(#"{"a":"b","c":{"d":"e"}}"#, to: .strings)
        == "\"a\" = \"b\";\n\"c\" = {\n\t\"d\" = \"e\";\n};\n")
    #expect(
      try write(#"{"a":1,"b":true,"c":[1.5]}"#, to: .gnustepPropertyList)
        == "{\n    a = <*I1>;\n    b = <*BY>;\n    c = (\n        <*R1.5>\n    );\n}\n")
    #expect(throws: FerryError.self) { try write("[1]", to: .strings) }
  }

  @Test func `What is written is read by Ferry and by Foundation`() throws {
    var random = SeededGenerator(seed: 3)
    let parts = [
      "a", "B", "1", " ", "\"", "\\", "\n", "'", "/", "//", "é", "😀", "=", ";", "_", "___", "\u{1}", "\u{7f}",
      "$", "-", ".", ":",
    ]
    func text() -> String {
      (0..<Int.random(in: 0...5, using: &random)).map { _ in parts.randomElement(using: &random) ?? "" }
        .joined()
    }
    for _ in 0..<300 {
      var entries = KeyedValues()
      for _ in 0..<4 {
        entries[text()] =
          Bool.random(using: &random) ? .string(text()) : .array([.string(text()), .data([1, 2, 3, 4, 5])])
      }
      let value = Ferry.Value.dictionary(entries)
      for format in [Format.openStepPropertyList, .strings, .gnustepPropertyList] {
        let output = MemoryOutput()
        try Conversion(to: format).write(to: output, losses: LossReport()) { sink throws(FerryError) in
          try value.replay(into: sink)
        }
        var options = ReadingOptions()
        options.format = format
        let builder = ValueBuilder()
        try options.read(MemoryInput(output.bytes), into: builder)
        #expect(try builder.result() == value)
        guard format != .gnustepPropertyList else { continue }
        let peer =
          unsafe try PropertyListSerialization.propertyList(from: Data(output.bytes), format: nil)
          as? [String: Any]
        #expect(
          peer?.count == Set(entries.keys.map { $0.stringValue?.precomposedStringWithCanonicalMapping }).count
        )
        for (key, value) in entries {
          if case .string(let text) = value { #expect(peer?[key.stringValue ?? ""] as? String == text) }
        }
      }
    }
  }
}

@Suite struct `Writing Xcode projects` {
  @Test func `Real projects come back byte for byte`() throws {
    var (same, others): (Int, [String]) = (0, [])
    let files = try Corpus.files(under: "plist").filter { $0.hasSuffix(".pbxproj") }
    for file in files {
      let bytes = try Corpus.bytes(file)
      let written = try Conversion(to: .xcodeProject).convert(bytes, named: file).bytes
      // By way of JSON, nothing is lost either.
      let json = try Conversion(to: .json).convert(bytes, named: file).bytes
      let output = MemoryOutput()
      let report = try Conversion(to: .xcodeProject).convert(
        MemoryInput(json), named: nil, to: output, named: file)
      #expect(report.losses.isEmpty)
      #expect(output.bytes == written, "\(file)")
      if written == bytes { same += 1 } else { others.append(file) }
    }
    print("\(same) of \(files.count) projects are the same; others: \(others)")
    #expect(same == files.count)
  }
}

@Suite struct `Copying OpenStep property lists` {
  @Test func `Real texts come back byte for byte in their own format`() throws {
    let formats: Set<Format> = [.strings, .openStepPropertyList, .gnustepPropertyList]
    var count = 0
    for file in try Corpus.files(under: "plist") {
      let bytes = try Corpus.bytes(file)
      guard let format = try? Format.of(bytes, named: file), formats.contains(format),
        let json = try? Conversion(to: .json).convert(bytes, named: file).bytes
      else { continue }
      let (copy, report) = try Conversion(to: format).convert(bytes, named: file)
      #expect(copy == bytes && report.losses.isEmpty, "\(file)")
      #expect(try Conversion(to: .json).convert(copy, named: file).bytes == json, "\(file)")
      count += 1
    }
    #expect(count > 100, "too few texts: \(count)")
  }
}
