import TestSupport
import Testing

@testable import Ferry

/// Changes by path in JSON with comments and in JSON5, which keep comments and layout.
@Suite struct `Changes in JSON with comments` {
  private func edit(
    _ text: String, _ format: Format = .jsonc, _ change: (EditableFile) throws -> Void
  ) throws -> String {
    try Edited.text(text, in: format, change)
  }

  private static let settings = """
    // Settings
    {
      "strict": true, // keep
      /* The target, as a string. */
      "target": "ES2020",
      "lib": ["dom", /* and */ "es2020"],
      "paths": {
        // none
      },
    }

    """

  @Test func `A changed value leaves comments and layout as they are`() throws {
    let text = Self.settings
    #expect(
      try edit(text) { try $0.set(text: "ES2022", at: ValuePath(parsing: "target")) }
        == text.replacing("ES2020", with: "ES2022"))
    #expect(
      try edit(text) { try $0.set(text: "false", at: ValuePath(parsing: "strict")) }
        == text.replacing("true", with: "false"))
    #expect(
      try edit(text) { try $0.set(text: "webworker", at: ValuePath(parsing: "lib[1]")) }
        == text.replacing("\"es2020\"]", with: "\"webworker\"]"))
  }

  @Test(arguments: ["\u{2028}", "\u{2029}"]) func `A separator of lines ends a comment of JSON5`(
    _ separator: String
  ) throws {
    let text = "// one\(separator){ // two\(separator) a: 1, // three\n b: '2', /* four */ }"
    #expect(
      try edit(text, .json5) { try $0.set(text: "3", at: ValuePath(parsing: "a")) }
        == text.replacing("a: 1", with: "a: 3"))
    #expect(
      try edit(text, .json5) { try $0.set(text: "3", at: ValuePath(parsing: "b")) }
        == text.replacing("'2'", with: "'3'"))
    let jsonc = "{ // one\(separator) a: 1,\n\"b\": 2 }"
    #expect(
      try edit(jsonc) { try $0.set(text: "3", at: ValuePath(parsing: "b")) }
        == jsonc.replacing("2 }", with: "3 }"))
  }

  @Test func `Comments of JSON5 that separators of lines end take an edit time in proportion to the text`()
    throws
  {
    let comments = String(repeating: "//x\u{2028}", count: 200_000)
    let changed = try expectProcessorTime(atMost: .seconds(5)) {
      try edit("{\(comments)a:1}", .json5) { try $0.set(2, at: "a") }
    }
    #expect(changed.utf8.elementsEqual("{\(comments)a:2}".utf8))
  }

  @Test func `A new entry follows the comment on the line before it, and the last comma stays`() throws {
    let text = Self.settings
    #expect(
      try edit(text) { try $0.insert("x", at: ValuePath(parsing: "outDir")) }
        == text.replacing("  },\n}", with: "  },\n  \"outDir\": \"x\",\n}"))
    let short = "[\n  1, // one\n  2 // two\n]\n"
    #expect(
      try edit(short) { try $0.insert(.integer(3), at: ValuePath(parsing: "[]")) }
        == "[\n  1, // one\n  2, // two\n  3\n]\n")
    #expect(
      try edit(short) { try $0.insert(.integer(0), at: ValuePath(parsing: "[0]")) }
        == "[\n  0,\n  1, // one\n  2 // two\n]\n")
    #expect(
      try edit(short) { try $0.insert(.integer(5), at: ValuePath(parsing: "[1]")) }
        == "[\n  1, // one\n  5,\n  2 // two\n]\n")
    #expect(
      try edit(text) { try $0.insert(["x": "y"], at: ValuePath(parsing: "paths.a")) }
        .contains("// none\n    \"a\": {\n      \"x\": \"y\"\n    }\n  },"))
  }

  @Test func `Elements are inserted after many comments in time in proportion to their number`() throws {
    let count = 100_000
    let lists = [String](repeating: "[1 // one\n]", count: count)
    let text = Array("[\(lists.joined(separator: ",\n"))]\n".utf8)
    let tree = try #require(
      try Format.jsonc.nodes(of: MemoryInput(text), budget: Budget()) as? PropertyListTree)
    let list = EditedPropertyList(tree, capabilities: Format.jsonc.description.capabilities)
    for index in 0..<count {
      try list.insert(list.add(value: 2), at: 1, of: NodeTrail(children: [.element(index)]))
    }
    let edited = try expectProcessorTime(atMost: .seconds(20)) {
      try TextEdits(of: list, over: tree, source: text, format: .jsonc, losses: LossReport()).bytes()
    }
    let changed = [String](repeating: "[1, // one\n2\n]", count: count)
    let isChanged = edited == Array("[\(changed.joined(separator: ",\n"))]\n".utf8)
    #expect(isChanged)
  }

  @Test func `A removed entry takes its comma with it, and leaves the comments`() throws {
    let text = Self.settings
    #expect(
      try edit(text) { try $0.remove(at: ValuePath(parsing: "strict")) }
        == text.replacing("  \"strict\": true, // keep", with: "  // keep"))
    #expect(
      try edit(text) { try $0.remove(at: ValuePath(parsing: "paths")) }
        == text.replacing("  \"paths\": {\n    // none\n  },\n", with: ""))
    let short = "[\n  1, // one\n  2 // two\n]\n"
    #expect(
      try edit(short) { try $0.remove(at: ValuePath(parsing: "[1]")) } == "[\n  1 // one\n // two\n]\n")
    #expect(try edit("[1]") { try $0.remove(at: ValuePath(parsing: "[0]")) } == "[]")
    #expect(try edit("[1,]") { try $0.remove(at: ValuePath(parsing: "[0]")) } == "[]")
    #expect(try edit("[1, 2,]") { try $0.remove(at: ValuePath(parsing: "[1]")) } == "[1,]")
    #expect(try edit("[1, 2]") { try $0.remove(at: ValuePath(parsing: "[1]")) } == "[1]")
    #expect(
      try edit("[/* a */ 1 /* b */]") { try $0.remove(at: ValuePath(parsing: "[0]")) } == "[/* a */ /* b */]")
  }

  @Test(arguments: [
    (
      "{\n  d: [\n    1,\n    2 // two\n  ],\n  c: 3\n}\n", ["d[1]"],
      "{\n  d: [\n    1\n // two\n  ],\n  c: 3\n}\n"
    ),
    ("{\n  b: 1, // one\n  c: 2,\n  d: 3 // three\n}\n", ["d", "b"], "{\n  // one\n  c: 2\n // three\n}\n"),
    (
      "{\n  a: [\n    1,\n    2 // two\n  ]\n  , b: 3\n}\n", ["b", "a[1]"],
      "{\n  a: [\n    1\n // two\n  ]\n}\n"
    ),
  ])
  func `The comment after a removed last value does not come beside the value before it`(
    _ text: String, _ paths: [String], _ expected: String
  ) throws {
    let file = try EditableFile(Array(text.utf8), named: "a.json5")
    for path in paths { try file.remove(at: ValuePath(parsing: path)) }
    #expect(String(decoding: try file.bytes(), as: UTF8.self) == expected)
  }

  @Test func `New keys and strings of JSON5 are written like those beside them`() throws {
    let text = "{a: 'x', b: 1,}"
    #expect(
      try edit(text, .json5) { try $0.insert("it's \"x\"", at: ValuePath(parsing: "c")) }
        == #"{a: 'x', b: 1, c: 'it\'s "x"',}"#)
    #expect(
      try edit(text, .json5) { try $0.insert(.integer(2), at: ValuePath(parsing: "[\"a-b\"]")) }
        == #"{a: 'x', b: 1, 'a-b': 2,}"#)
    #expect(
      try edit(#"{"a": "x"}"#, .json5) { try $0.insert("it's", at: ValuePath(parsing: "c")) }
        == #"{"a": "x", "c": "it's"}"#)
    #expect(
      try edit("{a: 0xF, /* c */ b: +1}", .json5) { try $0.set(text: "2", at: ValuePath(parsing: "b")) }
        == "{a: 0xF, /* c */ b: 2}")
  }

  @Test func `Random changes keep the values and the comments of the others`() throws {
    var random = SeededGenerator(seed: 12)
    for round in 0..<400 {
      let count = Int.random(in: 0...5, using: &random)
      var text = "["
      for index in 0..<count {
        text +=
          ["", " ", "\n  ", "\n  // c\(index)\n  ", "/*b\(index)*/"].randomElement(using: &random) ?? ""
        text += "\(index)" + (["", " ", "/*a*/", "\n"].randomElement(using: &random) ?? "")
        if index + 1 < count || Bool.random(using: &random) { text += "," }
        text += ["", " // e\(index)\n", "\n"].randomElement(using: &random) ?? ""
      }
      text += ["", "// last\n", "\n", " /* end */ "].randomElement(using: &random) ?? ""
      text += "]"
      var values = (0..<count).map { Value.integer(Int128($0)) }
      let place = count == 0 ? 0 : Int.random(in: 0..<count, using: &random)
      let kind = count == 0 ? 1 : Int.random(in: 0..<3, using: &random)
      let edited = try edit(text) { file in
        switch kind {
        case 0:
          values[place] = .integer(9)
          try file.set(.integer(9), at: ValuePath(parsing: "[\(place)]"))
        case 1:
          values.insert(.integer(9), at: place)
          try file.insert(.integer(9), at: ValuePath(parsing: count == 0 ? "[]" : "[\(place)]"))
        default:
          values.remove(at: place)
          try file.remove(at: ValuePath(parsing: "[\(place)]"))
        }
      }
      let builder = ValueBuilder()
      let reader = JSONReader(.jsonc, into: builder, budget: Budget(), losses: nil, locator: nil)
      try reader.readAll(Array(edited.utf8).span)
      #expect(try builder.result() == .array(values), "round \(round): \(text) became \(edited)")
      func comments(_ text: String) -> Int {
        let text = text.replacing("*/", with: " ")
        return text.components(of: "//") + text.components(of: "/*")
      }
      #expect(comments(edited) == comments(text), "round \(round): \(text) became \(edited)")
    }
  }
}

extension String {
  fileprivate func components(of mark: String) -> Int { ranges(of: mark).count }
}
