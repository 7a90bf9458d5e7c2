import TestSupport
import Testing

@testable import Ferry

@Suite struct `Changes of the values that a path selects` {
  private let count = 4_000

  /// A list and a dictionary of many records, as they are and as JSON in data.
  private func many() throws -> Value {
    let records = (0..<count).map { number -> Value in ["name": .string("n\(number)"), "age": 1] }
    var entries = KeyedValues()
    for (number, record) in records.enumerated() { entries["k\(number)"] = record }
    let all: Value = ["list": .array(records), "dictionary": .dictionary(entries)]
    let text = try PlainForm.json { sink throws(FerryError) in try all.replay(into: sink) }
    return ["all": all, "data": .data(text)]
  }

  @Test(arguments: [Format.archive, .binaryPropertyList])
  func `Many selected values change in time in proportion to their number`(_ format: Format) throws {
    let value = try many()
    let bytes = format == .archive ? try Archived.bytes(value) : try PropertyLists.binary(value)
    let file = try EditableFile(bytes)
    try expectProcessorTime(atMost: .seconds(20)) {
      for path: ValuePath in ["all[*][*].age", "data[*][*].age"] {
        #expect(try file.set(text: "2", at: path) == 2 * count)
        guard case .array(let values) = try file.value(at: path) else { throw Edited.Nothing() }
        #expect(values.allSatisfy { $0.plainText == "2" })
        #expect(try file.remove(at: path) == 2 * count)
        #expect(try file.insert(text: "x", at: path) == 2 * count)
      }
      #expect(try file.remove(at: "all[*][*]") == 2 * count)
    }
    let changed = try EditableFile(file.bytes())
    #expect(try changed.value(at: "all") == ["list": [], "dictionary": [:]])
    #expect(try changed.count(at: "data[*][*].age") == 2 * count)
  }

  @Test func `A selection that fails in one of several changes leaves all values as they are`() throws {
    let bytes = try Archived.bytes(["a": [1, 2, "x", 4]])
    let file = try EditableFile(bytes)
    #expect(throws: FerryError.self) { try file.set(text: "z", at: "a[*]") }
    #expect(try file.bytes() == bytes)
    #expect(try file.set(text: "5", at: "a[*]") == 4)
    #expect(try file.value(at: "a") == [5, 5, "5", 5])
  }

  @Test func `An insertion refuses the end of a list inside a path`() throws {
    let text = "[{\"a\":1},{\"b\":[2]}]"
    let file = try EditableFile(Array(text.utf8))
    for path: ValuePath in ["[].a", "[].b[]", "[][]"] {
      let problems = [
        try Edited.problem { _ = try file.set(text: "3", at: path, insertsMissing: true) }.0,
        try Edited.problem { _ = try file.insert(text: "3", at: path) }.0,
      ]
      for problem in problems { #expect("\(problem)".contains("(write [*] for every element)")) }
    }
    #expect(try file.bytes() == Array(text.utf8))
    #expect(try file.set(text: "3", at: "[].a") == 1)
    #expect(try file.insert(text: "3", as: .integer, at: "[1].b[]") == 1)
    #expect(String(decoding: try file.bytes(), as: UTF8.self) == "[{\"a\":3},{\"b\":[2,3]}]")
  }

  @Test(arguments: [Format.archive, .binaryPropertyList])
  func `A value that may be missing is set in some collections and inserted in others`(_ format: Format)
    throws
  {
    let value: Value = ["a": [["k": 1], ["j": 2]], "d": ["k": "x"]]
    let bytes = format == .archive ? try Archived.bytes(value) : try PropertyLists.binary(value)
    let file = try EditableFile(bytes)
    #expect(try file.set(text: "5", as: .integer, at: "a[*].k", insertsMissing: true) == 2)
    #expect(try file.set("y", at: "d.k", insertsMissing: true) == 1)
    #expect(try file.set("z", at: "d.l", insertsMissing: true) == 1)
    #expect(try file.set(["k": 6], at: "a[2]", insertsMissing: true) == 1)
    let changed = try EditableFile(file.bytes())
    #expect(try changed.value(at: "a[*].k") == [5, 5, 6])
    #expect(try changed.value(at: "d.l") == "z")
    let problem = try Edited.problem { try file.set(1, at: "e.f", insertsMissing: true) }
    #expect(problem.0.code == "no-key" && problem.1 == "")
    #expect(throws: FerryError.self) { try file.set(1, at: "d.m") }
  }

  @Test func `A path in an error names the key of an entry, and no number`() throws {
    let file = try EditableFile(Array(#"{"a":{"b":{"c":1}},"d":{"b":{"c":true}}}"#.utf8), named: "a.json")
    let problem = try Edited.problem { try file.set(text: "5", at: "[*].b.c") }
    #expect(problem.1 == "d.b.c")
    #expect(try Edited.problem { _ = try file.value(at: "[*].b.x") }.1 == "a.b")
  }
}
