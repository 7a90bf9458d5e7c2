import TestSupport
import Testing

@testable import Ferry

/// Changes in texts whose commas begin lines.
@Suite struct `Commas at the beginning of lines` {
  private func edit(
    _ text: String, _ format: Format = .json5, _ change: (EditableFile) throws -> Void
  ) throws -> String {
    try Edited.text(text, in: format, change)
  }

  private static let plain = "{ a: 1\n, b: 2\n, c: 3 }\n"
  private static let commented = "{ a: 1 // one\n, b: 2 // two\n, c: 3 // three\n}\n"

  static let removals: [(String, [ValuePath], String)] = [
    (plain, ["a"], "{ b: 2\n, c: 3 }\n"), (plain, ["b"], "{ a: 1\n, c: 3 }\n"),
    (plain, ["c"], "{ a: 1\n, b: 2 }\n"), (plain, ["b", "c"], "{ a: 1 }\n"),
    (plain, ["a", "b"], "{ c: 3 }\n"), (plain, ["a", "c"], "{ b: 2 }\n"),
    (commented, ["a"], "{ // one\n  b: 2 // two\n, c: 3 // three\n}\n"),
    (commented, ["b"], "{ a: 1 // one\n// two\n, c: 3 // three\n}\n"),
    (commented, ["c"], "{ a: 1 // one\n, b: 2 // two\n// three\n}\n"),
  ]

  @Test(arguments: removals)
  func `A removed value takes the comma before it along`(
    _ text: String, _ paths: [ValuePath], _ edited: String
  ) throws {
    #expect(try edit(text) { for path in paths { try $0.remove(at: path) } } == edited)
  }

  private static let indented = "[\n    1\n  , 2\n  , 3 // C\n  ]\n"

  static let lines: [(String, [Int], String)] = [
    (indented, [0, 1, 2], "[\n  // C\n  ]\n"), (indented, [0, 1], "[\n    3 // C\n  ]\n"),
    ("[\n    1\n  // C\n  , 2\n  ]\n", [0], "[\n  // C\n    2\n  ]\n"),
    ("[ // C\n    1\n  , 2\n  ]\n", [0, 1], "[ // C\n  ]\n"),
  ]

  @Test(arguments: lines)
  func `A first element on a line of its own is removed with the line`(
    _ text: String, _ indices: [Int], _ edited: String
  ) throws {
    for (text, edited) in [(text, edited), (text.withReturns, edited.withReturns)] {
      let found = try edit(text) {
        for index in indices.reversed() { try $0.remove(at: ValuePath([.index(index)])) }
      }
      #expect(found == edited)
    }
  }

  @Test func `A new value gets a line with a comma before it`() throws {
    let list = "{ l: [ 1 // one\n     , 2 // two\n     ] }\n"
    for (path, new) in [
      ("l[0]", "[ 9\n     , 1 // one\n     , 2 // two\n     ]"),
      ("l[1]", "[ 1 // one\n     , 9\n     , 2 // two\n     ]"),
      ("l[]", "[ 1 // one\n     , 2 // two\n     , 9\n     ]"),
    ] {
      #expect(try edit(list) { try $0.insert(9, at: ValuePath(parsing: path)) } == "{ l: \(new) }\n")
    }
    #expect(
      try edit(Self.plain) { try $0.insert(4, at: "d") } == Self.plain.replacing("3 }", with: "3\n, d: 4 }"))
    let strict = "{ \"a\": 1\n, \"b\": 2\n}\n"
    #expect(
      try edit(strict, .json) { try $0.insert(4, at: "d") }
        == strict.replacing("2\n", with: "2\n, \"d\": 4\n"))
  }

  @Test func `No change of any value loses a comment or another value`() throws {
    for text in [Self.plain, Self.commented, "{ a: 1\n  // about b\n, /* x */ b: 2\n, c: 3, }\n"] {
      let comments = text.components(of: ["// one", "// two", "// three", "// about b", "/* x */"])
      let keys = ["a", "b", "c"]
      for mask in 1..<7 {
        let removed = keys.indices.filter { mask & 1 << $0 != 0 }.map { keys[$0] }
        let edited = try edit(text) { for key in removed { try $0.remove(at: ValuePath([.key(key)])) } }
        #expect(edited.components(of: comments) == comments, "\(removed): \(edited)")
        var options = EditableFile.Options()
        options.format = .json5
        let file = try EditableFile(Array(edited.utf8), options: options)
        guard case .dictionary(let entries) = try file.value(at: ValuePath()) else {
          Issue.record("\(edited)")
          continue
        }
        #expect(entries.keys == keys.filter { !removed.contains($0) }.map { .string($0) })
      }
    }
  }
}

extension String {
  /// The text with carriage returns in its line ends.
  fileprivate var withReturns: String { replacing("\n", with: "\r\n") }

  /// The texts of a list that the string contains.
  fileprivate func components(of texts: [String]) -> [String] { texts.filter { contains($0) } }
}
