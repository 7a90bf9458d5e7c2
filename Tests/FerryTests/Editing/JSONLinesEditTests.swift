import TestSupport
import Testing

@testable import Ferry

/// Changes by path in JSON Lines, which keep the other lines.
@Suite struct `Changes in JSON Lines` {
  private func edit(_ text: String, _ change: (EditableFile) throws -> Void) throws -> String {
    try Edited.text(text, in: .jsonLines, change)
  }

  private static let text = "{\"a\": 1, \"b\":[1,  2]}\n\n {\"a\": 2}\n[3]\n"

  @Test func `A change replaces its part of a line only`() throws {
    #expect(
      try edit(Self.text) { try $0.set(text: "7", at: ValuePath(parsing: "[0].b[1]")) }
        == Self.text.replacing("2]", with: "7]"))
    #expect(
      try edit(Self.text) { try $0.insert("x", at: ValuePath(parsing: "[1].c")) }
        == Self.text.replacing("{\"a\": 2}", with: "{\"a\": 2, \"c\": \"x\"}"))
    #expect(
      try edit(Self.text) { try $0.remove(at: ValuePath(parsing: "[0].a")) }
        == Self.text.replacing("\"a\": 1, ", with: ""))
  }

  @Test func `Lines are inserted, replaced and removed`() throws {
    #expect(
      try edit(Self.text) { try $0.insert(["n": ["x"]], at: ValuePath(parsing: "[]")) }
        == Self.text + "{\"n\": [\"x\"]}\n")
    #expect(
      try edit(Self.text) { try $0.insert("x", at: ValuePath(parsing: "[0]")) } == "\"x\"\n" + Self.text)
    #expect(
      try edit(Self.text) { try $0.set(["n": .integer(1)], at: ValuePath(parsing: "[2]")) }
        == Self.text.replacing("[3]", with: "{\"n\": 1}"))
    #expect(
      try edit(Self.text) { try $0.remove(at: ValuePath(parsing: "[0]")) } == "\n {\"a\": 2}\n[3]\n")
    #expect(
      try edit(Self.text) { try $0.remove(at: ValuePath(parsing: "[2]")) }
        == Self.text.replacing("[3]\n", with: ""))
    #expect(
      try edit("1\r\n2") { try $0.insert(.integer(3), at: ValuePath(parsing: "[]")) } == "1\r\n2\r\n3")
    #expect(try edit("") { try $0.insert(.integer(3), at: ValuePath(parsing: "[]")) } == "3\n")
    #expect(try edit("1\n") { try $0.remove(at: ValuePath(parsing: "[0]")) } == "")
    #expect(
      try edit("1\n2\n") { try $0.set(.array([.array([]), .null]), at: ValuePath()) } == "[]\nnull\n")
    let marked = "\u{feff}1\n2\n"
    #expect(try edit(marked) { try $0.remove(at: ValuePath(parsing: "[0]")) } == "\u{feff}2\n")
    #expect(
      try edit(marked) { try $0.insert(.integer(0), at: ValuePath(parsing: "[0]")) } == "\u{feff}0\n1\n2\n")
    #expect(
      try edit(marked) { try $0.set(.array([.integer(3), .integer(4)]), at: ValuePath()) } == "\u{feff}3\n4\n"
    )
    #expect(try edit(marked) { try $0.set(.array([]), at: ValuePath()) } == "\u{feff}")
    #expect(throws: FerryError.self) { try edit("1\n") { try $0.set(.string("x"), at: ValuePath()) } }
  }

  @Test func `The only line, or one after a long line, gets a value of another kind`() throws {
    let long = "{\"a\":\"" + String(repeating: "x", count: 2000) + "\"}\n"
    for (text, path, kind, expected) in [
      ("{\"a\":1}", "[0]", [], "[]"), ("[1,2,3]", "[0]", [:], "{}"), ("0.1", "[0]", [1, 2], nil),
      (long + long + long, "[2]", [1], long + long + "[1]\n"), (long + "null\n", "[1]", [:], long + "{}\n"),
    ] as [(String, String, Value, String?)] {
      let edited = try edit(text) { try $0.set(kind, at: ValuePath(parsing: path)) }
      if let expected { #expect(edited == expected) }
      _ = try edit(edited) { file in
        let value = try file.value(at: ValuePath(parsing: path))
        #expect(value == kind)
      }
      #expect(edited.filter { $0 == "\n" }.count == text.filter { $0 == "\n" }.count)
    }
  }

  @Test func `Random changes of lines keep the others`() throws {
    var random = SeededGenerator(seed: 3)
    for _ in 0..<300 {
      var values = (0..<Int.random(in: 0...6, using: &random)).map { Value.integer(Int128($0)) }
      let gaps = ["\n", "\r\n", "\n\n", " \n"]
      var text = values.map { ($0.plainText ?? "") + (gaps.randomElement(using: &random) ?? "\n") }.joined()
      if Bool.random(using: &random), text.hasSuffix("\n"), !text.hasSuffix("\r\n") { text.removeLast() }
      let edited = try edit(text) { file in
        for step in 0..<Int.random(in: 1...5, using: &random) {
          let new = Value.integer(Int128(100 + step))
          let index = Int.random(in: 0...values.count, using: &random)
          switch Int.random(in: 0...2, using: &random) {
          case 0 where index < values.count:
            try file.remove(at: ValuePath([.index(index)]))
            values.remove(at: index)
          case 1 where index < values.count:
            try file.set(new, at: ValuePath([.index(index)]))
            values[index] = new
          default:
            try file.insert(new, at: ValuePath([index == values.count ? .end : .index(index)]))
            values.insert(new, at: index)
          }
        }
      }
      let found = edited.split(whereSeparator: \.isNewline).map { $0.filter { $0 != " " } }.filter {
        !$0.isEmpty
      }
      #expect(found == values.map { $0.plainText ?? "" }, "\(text)")
    }
  }
}
