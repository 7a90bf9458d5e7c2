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
    let wide = [0xff, 0xfe] + Self.wide(text)
    let file = try EditableFile(wide, named: "a.strings")
    #expect(try file.bytes() == wide)
    try file.set(text: "Hi", at: ValuePath(parsing: "title"))
    let new = text.replacing("Hello", with: "Hi")
    #expect(
      try file.bytes() == [0xff, 0xfe] + Self.wide(new))
    #expect(
      try edit("a;\nb = c;\n", named: "a.strings") { try $0.set(text: "x", at: ValuePath(parsing: "a")) }
        == "\"a\" = \"x\";\n\"b\" = \"c\";\n")
    #expect(
      try edit("", named: "a.strings") { try $0.insert("x", at: ValuePath(parsing: "a")) }
        == "\"a\" = \"x\";\n")
    #expect(try edit("a = b;", named: "a.strings") { try $0.remove(at: ValuePath(parsing: "a")) } == "")
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
        let key = entries.keys.first?.text, case .string(let text)? = entries[.string(key)]
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
        #expect(peer?.count == Set(entries.keys.map { $0.text?.precomposedStringWithCanonicalMapping }).count)
        for (key, value) in entries {
          if case .string(let text) = value { #expect(peer?[key.text ?? ""] as? String == text) }
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
