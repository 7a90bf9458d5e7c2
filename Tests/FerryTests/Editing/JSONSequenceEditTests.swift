import TestSupport
import Testing

@testable import Ferry

/// Changes by path in text sequences, in values with NULs after them, and in values one after the other, which keep all other bytes.
@Suite struct `Changes in sequences of JSON` {
  private static let formats: [Format] = [.jsonSequence, .nulSeparatedJSON, .concatenatedJSON]

  private func file(_ text: String, _ format: Format) throws -> EditableFile {
    var options = EditableFile.Options()
    options.format = format
    return try EditableFile(Array(text.utf8), options: options)
  }

  private func edit(
    _ text: String, _ format: Format, _ change: (EditableFile) throws -> Void
  ) throws -> String {
    let (file, losses) = (try file(text, format), LossReport())
    try change(file)
    let bytes = try file.bytes(losses: losses)
    #expect(losses.isEmpty, "\(text)")
    return String(decoding: bytes, as: UTF8.self)
  }

  private enum Change {
    case set(Value)
    case insert(Value)
    case remove
  }

  private static let pretty = "{\n  \"a\": 1\n}\n{\n  \"a\": 2\n}\n"

  private static let changes: [(Format, text: String, path: String, Change, wanted: String)] = [
    // A text sequence.
    (.jsonSequence, "\u{1e}[1,  2]\n\u{1e}3\n", "[0][1]", .set(7), "\u{1e}[1,  7]\n\u{1e}3\n"),
    (.jsonSequence, "\u{1e}{\"a\": 1}\n\u{1e}3\n", "[0]", .set(5), "\u{1e}5\n\u{1e}3\n"),
    (.jsonSequence, "\u{1e}{}\u{1e}\"a\"", "[0]", .set(5), "\u{1e}5\n\u{1e}\"a\""),
    (.jsonSequence, "\u{1e}{}\u{1e}\"a\"", "[1]", .set(.null), "\u{1e}{}\u{1e}null\n"),
    (.jsonSequence, "\u{1e}{}\u{1e}\"a\"", "[1]", .set("b"), "\u{1e}{}\u{1e}\"b\""),
    (.jsonSequence, "\u{1e}1\n\u{1e}2\n\u{1e}3\n", "[1]", .remove, "\u{1e}1\n\u{1e}3\n"),
    (.jsonSequence, "\u{1e}1\n\u{1e}2\n", "[0]", .remove, "\u{1e}2\n"),
    (.jsonSequence, "\u{feff}\u{1e}1\n\u{1e}2\n", "[0]", .remove, "\u{feff}\u{1e}2\n"),
    (.jsonSequence, "\u{1e}1\n\u{1e}2\n", "[]", .insert([:]), "\u{1e}1\n\u{1e}2\n\u{1e}{}\n"),
    (.jsonSequence, "\u{1e}1\r\n\u{1e}2\r\n", "[0]", .insert("x"), "\u{1e}\"x\"\r\n\u{1e}1\r\n\u{1e}2\r\n"),
    (.jsonSequence, "", "[]", .insert(3), "\u{1e}3\n"),
    (.jsonSequence, "\u{1e}1\n", "", .set([[], .null]), "\u{1e}[]\n\u{1e}null\n"),
    // A NUL after each value.
    (.nulSeparatedJSON, "{\"a\":1}\0[2]\0", "[0].a", .set(7), "{\"a\":7}\0[2]\0"),
    (.nulSeparatedJSON, "{\"a\":1}\0[2]\0", "[0]", .remove, "[2]\0"),
    (.nulSeparatedJSON, "[1]\0\n[2]\0\n[3]\0\n", "[1]", .remove, "[1]\0\n[3]\0\n"),
    (.nulSeparatedJSON, "{\"a\":1}\0[2]\0", "[]", .insert(3), "{\"a\":1}\0[2]\03\0"),
    (.nulSeparatedJSON, "{\"a\":1}\0[2]", "[]", .insert(3), "{\"a\":1}\0[2]\03"),
    (.nulSeparatedJSON, "{\"a\":1}\0[2]", "[1]", .remove, "{\"a\":1}\0"),
    (.nulSeparatedJSON, "[1]\0[2]\0", "[0]", .insert(3), "3\0[1]\0[2]\0"),
    (.nulSeparatedJSON, "", "[]", .insert(3), "3\0"),
    (.nulSeparatedJSON, "[1]\0", "", .set([[], .null]), "[]\0null\0"),
    // Values one after the other.
    (.concatenatedJSON, "{\"a\":1}{\"a\":2}[3]", "[1]", .remove, "{\"a\":1}[3]"),
    (.concatenatedJSON, "{\"a\":1}{\"a\":2}[3]", "[]", .insert(["b": 1]), "{\"a\":1}{\"a\":2}[3]{\"b\":1}"),
    (.concatenatedJSON, "{\"a\":1}{\"a\":2}", "[1]", .insert(9), "{\"a\":1} 9{\"a\":2}"),
    (.concatenatedJSON, "1 2\t\"a\"\"b\"true\n\nnull[]", "[1]", .remove, "1\t\"a\"\"b\"true\n\nnull[]"),
    (.concatenatedJSON, "1 2\t\"a\"\"b\"true\n\nnull[]", "[3]", .set(8), "1 2\t\"a\"8 true\n\nnull[]"),
    (.concatenatedJSON, "1[]2", "[1]", .remove, "1 2"),
    (.concatenatedJSON, "1[]2", "[1]", .set(5), "1 5 2"),
    (.concatenatedJSON, "1 2", "[0]", .remove, "2"),
    (.concatenatedJSON, "1 2", "[1]", .remove, "1"),
    (.concatenatedJSON, "1 2\n3", "[1]", .remove, "1\n3"),
    (.concatenatedJSON, "1\n2 3", "[1]", .remove, "1\n3"),
    (.concatenatedJSON, "1 2", "[]", .insert(3), "1 2 3"),
    (.concatenatedJSON, "1 2", "[0]", .insert(3), "3 1 2"),
    (.concatenatedJSON, "1\n2", "[]", .insert(3), "1\n2\n3"),
    (.concatenatedJSON, "\u{feff}1 2", "[0]", .remove, "\u{feff}2"),
    (.concatenatedJSON, "", "[]", .insert(3), "3\n"),
    (.concatenatedJSON, "1 2", "", .set([[], .null]), "[]\nnull\n"),
    (.concatenatedJSON, pretty, "[]", .insert(["a": 3]), pretty + "{\n  \"a\": 3\n}\n"),
    (.concatenatedJSON, pretty, "[0]", .remove, "{\n  \"a\": 2\n}\n"),
    (
      .concatenatedJSON, pretty, "[1]", .set(["a": 5, "b": [1]]),
      "{\n  \"a\": 1\n}\n{\n  \"a\": 5,\n  \"b\": [\n    1\n  ]\n}\n"
    ),
  ]

  @Test(arguments: changes.indices) func `A change keeps the marks and the white space between values`(
    _ index: Int
  ) throws {
    let (format, text, path, change, wanted) = Self.changes[index]
    let edited = try edit(text, format) { file in
      let path = try ValuePath(parsing: path)
      switch change {
      case .set(let value): try file.set(value, at: path)
      case .insert(let value): try file.insert(value, at: path)
      case .remove: try file.remove(at: path)
      }
    }
    #expect(edited == wanted)
  }

  @Test(arguments: [
    (Format.jsonSequence, " \u{1e}{\"a\": 1} \u{1e}\u{1e}[2 ]\r\n\u{1e}\"x\""),
    (.nulSeparatedJSON, "{\"a\": 1} \0\0\n [2 ]\0\"x\""),
    (.concatenatedJSON, "{\"a\": 1}[2 ]\"x\" \n null\n"),
  ])
  func `A value that is set there and back, or to the output of get, gives the bytes`(
    _ format: Format, _ text: String
  ) throws {
    for (path, old) in [("[0].a", 1), ("[1][0]", 2), ("[2]", "x")] as [(String, Value)] {
      let path = try ValuePath(parsing: path)
      let there = try edit(text, format) { try $0.set("other", at: path) }
      #expect(there != text)
      #expect(try edit(there, format) { try $0.set(old, at: path) } == text)
    }
    let there = try edit(text, format) { try $0.insert(["b": 1], at: "[1]") }
    #expect(try edit(there, format) { try $0.remove(at: "[1]") } == text)
    for path in ["", "[0]", "[1]", "[2]"] {
      let output = MemoryOutput()
      let file = try file(text, format)
      _ = try file.writeText([ValuePath(parsing: path)], to: output)
      let printed = String(decoding: output.bytes.dropLast(), as: UTF8.self)
      try file.set(text: printed, as: path == "[2]" ? nil : .json, at: ValuePath(parsing: path))
      #expect(try file.bytes() == Array(text.utf8), "\(path)")
    }
  }

  @Test(arguments: formats) func `A value in place of the list is refused`(_ format: Format) throws {
    let text = try String(decoding: Conversion(to: format).convert(Array("[1,2]".utf8)).bytes, as: UTF8.self)
    #expect(throws: FerryError.self) { try edit(text, format) { try $0.set("x", at: ValuePath()) } }
  }

  @Test(arguments: formats) func `A patch moves, copies and replaces values`(_ format: Format) throws {
    let text = try String(
      decoding: Conversion(to: format).convert(Array("[{\"a\":1},[2],3]".utf8)).bytes, as: UTF8.self)
    let patch = #"""
      [{"op":"move","from":"/2","path":"/0"},{"op":"copy","from":"/1/a","path":"/-"},
       {"op":"replace","path":"/2/0","value":"x"}]
      """#
    let edited = try edit(text, format) { try $0.apply(JSONPatch(Array(patch.utf8))) }
    #expect(try file(edited, format).value(at: ValuePath()) == [3, ["a": 1], ["x"], 1])
  }

  @Test(arguments: formats) func `Random changes give the wanted values, and report no loss`(_ format: Format)
    throws
  {
    var random = SeededGenerator(seed: 7)
    let scalars: [Value] = [1, -2.5, true, .null, "s", ["k": 1], [], [[1, 2]]]
    for _ in 0..<400 {
      var values = (0..<Int.random(in: 0...5, using: &random)).compactMap { _ in
        scalars.randomElement(using: &random)
      }
      let text = try Self.text(of: values, format, &random)
      let edited = try edit(text, format) { file in
        for _ in 0..<Int.random(in: 1...4, using: &random) {
          let new = scalars.randomElement(using: &random) ?? .null
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
      #expect(try file(edited, format).value(at: ValuePath()) == .array(values), "\(text) became \(edited)")
    }
  }

  /// Returns a text with values, in one of the layouts of the format.
  private static func text(
    of values: [Value], _ format: Format, _ random: inout SeededGenerator
  ) throws -> String {
    let gaps: [String] =
      switch format {
      case .jsonSequence: ["\n", "\r\n", " \n", "\n\u{1e}"]
      case .nulSeparatedJSON: ["\0", "\n\0", "\0\0", "\0\n"]
      default: ["\n", " ", "\t\n", "\n\n"]
      }
    var text = ""
    for value in values {
      let output = MemoryOutput()
      let writer = JSONWriter(to: output)
      try value.replay(into: writer)
      try writer.finish()
      text += format == .jsonSequence ? "\u{1e}" : ""
      text += String(decoding: output.bytes.dropLast(), as: UTF8.self)
      text += gaps.randomElement(using: &random) ?? ""
    }
    return text
  }

  @Test(arguments: [
    (Format.jsonSequence, "\u{1e}{\"a\":[1]}\n\u{1e}2\n\u{1e}\"x\"\n"),
    (.nulSeparatedJSON, "{\"a\":[1]}\0[2]\0\"x\"\0"), (.concatenatedJSON, "{\"a\":[1]} 2\n\"x\"[]"),
  ])
  func `Every prefix and every changed byte is changed as wanted, or refused`(
    _ format: Format, _ text: String
  ) throws {
    var options = EditableFile.Options()
    options.format = format
    try Damage(to: Array(text.utf8)).check(prefixes: .readOrRefused) { bytes in
      let file = try EditableFile(bytes, options: options)
      var wanted = try file.value(at: ValuePath())
      for (value, path) in [(5, "[0]"), (["k": "v"], "[]")] as [(Value, String)] {
        let path = try ValuePath(parsing: path)
        guard path.steps.last == .end || wanted.arrayValue?.isEmpty == false else { continue }
        if path.steps.last == .end {
          try file.insert(value, at: path)
          try wanted.insert(value, at: path)
        } else {
          try file.set(value, at: path)
          try wanted.set(value, at: path)
        }
      }
      if wanted.arrayValue?.count ?? 0 > 2 {
        try file.remove(at: "[1]")
        try wanted.remove(at: "[1]")
      }
      let edited = try file.bytes()
      // A changed file that cannot be read is not a refusal.
      #expect(throws: Never.self) {
        let back = try EditableFile(edited, options: options).value(at: ValuePath())
        #expect(back == wanted)
      }
    }
  }
}
