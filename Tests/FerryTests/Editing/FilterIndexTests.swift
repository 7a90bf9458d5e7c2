import TestSupport
import Testing

@testable import Ferry

/// Many filters in one edit, which find elements through an index.
@Suite struct `Filters of many changes` {
  private static let formats: [Format] =
    [.json, .jsonc, .xml, .xmlPropertyList, .binaryPropertyList, .archive, .xmlArchive]
    + (PackageTraits.hasYAML ? [.yaml] : [])

  private static let count = 60

  private func file(_ bytes: [UInt8], _ format: Format) throws -> EditableFile {
    var options = EditableFile.Options()
    options.format = format
    return try EditableFile(bytes, options: options)
  }

  private func document(as format: Format) throws -> [UInt8] {
    let people = (0..<Self.count).map { number in
      let tags = number.isMultiple(of: 5) ? #","tags":["t\#(number)","all"]"# : ""
      return #"{"id":\#(number),"name":"n\#(number)","at":{"city":"c\#(number % 7)"}\#(tags)}"#
    }
    var writing = Conversion(to: format)
    writing.reading.format = .json
    let list = #"{"people":[\#(people.joined(separator: ","))]}"#
    return try writing.convert(Array(list.utf8)).bytes
  }

  /// An edit at a path with a filter, which may change the values that filters compare.
  private struct Edit: CustomStringConvertible {
    let kind: Int
    let (number, other): (Int, Int)

    init(using generator: inout SeededGenerator) {
      kind = Int.random(in: 0..<11, using: &generator)
      (number, other) = (
        Int.random(in: 0..<count, using: &generator), Int.random(in: 0..<count, using: &generator)
      )
    }

    func make(in file: EditableFile, below list: String) throws(FerryError) {
      func path(_ rest: String) throws(FerryError) -> ValuePath { try ValuePath(parsing: "\(list)\(rest)") }
      switch kind {
      case 0: try file.set(text: "n\(other)", at: path("[id=\(number)].name"))
      case 1: try file.set(text: "\(other)", at: path("[name=n\(number)].id"))
      case 2: try file.remove(at: path("[id=\(number)]"))
      case 3: try file.set(text: "c\(other)", at: path("[at.city=c\(number % 7)].at.city"))
      case 4: try file.insert(text: "new", at: path("[id=\(number)].k\(other)"))
      case 5: try file.set(text: "x", at: path("[id=\(number)][name=n\(number)].name"))
      case 6: try file.remove(at: path("[name=n\(number)].id"))
      case 7: try file.move(path("[id=\(number)].name"), to: path("[id=\(number)].id"), replacing: true)
      case 8: try file.copy(path("[id=\(number)]"), to: path("[\(other % 20)]"))
      case 9: try file.set(["id": .string("\(other)"), "name": "new"], at: path("[id=\(number)]"))
      default: try file.set(["id": "none", "name": .string("n\(number)")], at: path("[\(other % 20)]"))
      }
    }

    var description: String { "\(kind): \(number) \(other)" }
  }

  @Test(arguments: formats) func `Filters find the same elements with an index as without one`(
    _ format: Format
  ) throws {
    let bytes = try document(as: format)
    let list =
      try file(bytes, format).hasValue(at: ValuePath(parsing: "people[0]")) ? "people" : "root.people"
    for seed in 1...6 {
      var generator = SeededGenerator(seed: UInt64(seed))
      let edits = (0..<30).map { _ in Edit(using: &generator) }
      let (expected, found) = (try file(bytes, format), try file(bytes, format))
      var made: [Edit] = []
      for edit in edits {
        expected.list.filters.removeAll()
        // A failed change is undone outside of an edit of several changes.
        if (try? edit.make(in: expected, below: list)) != nil { made.append(edit) }
      }
      #expect(made.count > 5, "\(format) \(seed)")
      try found.edit { found throws(FerryError) in
        for edit in made { try edit.make(in: found, below: list) }
      }
      #expect(try found.value(at: ValuePath()) == expected.value(at: ValuePath()), "\(seed) \(made)")
    }
  }

  @Test(arguments: ["7", "7.0", "70e-1", "007", "x", "1e400", "inf", "0", "-0", "null", "true", "y"])
  func `An index finds numbers by their values, and texts by their characters`(_ operand: String) throws {
    let special =
      #"{"v":7},{"v":"x"},{"v":["x"]},{"v":"x"},{"v":10e399},{"v":0},{"v":-0.0},{"v":null},{},{"v":"7.0"}"#
    let others = (100..<140).map { #"{"v":\#($0)}"# }.joined(separator: ",")
    let text = Array(#"[\#(special),{"v":true},\#(others)]"#.utf8)
    let file = try file(text, .json)
    let path = try ValuePath(parsing: "[v=\(operand)].v")
    for _ in 0..<5 {
      let fresh = try self.file(text, .json)
      #expect((try? file.matchedPaths(of: path)) == (try? fresh.matchedPaths(of: path)), "\(operand)")
    }
  }
}
