import Ferry
import Testing

@Suite struct `Comparisons of files` {
  @Test(arguments: [
    ("b.json", #"{"v": 2, "people": ["Ada", "Alan"]}"#), ("b.yaml", "v: 2\npeople: [Ada, Alan]\n"),
  ])
  func `Only the selected values of both files are compared`(_ name: String, _ text: String) throws {
    var comparison = FileComparison()
    comparison.reading.select = "people[*]"
    let old = FileComparison.File(Array(#"{"v": 1, "people": ["Ada", "Grace"]}"#.utf8), name: "a.json")
    let found = try comparison.differences(from: old, to: FileComparison.File(Array(text.utf8), name: name))
    #expect(found.all.map(\.newPath?.description) == ["[1]"])
    let patch = try comparison.patch(
      of: found, from: old, to: FileComparison.File(Array(text.utf8), name: name))
    #expect(patch.untested == .selection)
  }

  @Test func `An empty file of JSON Lines is an empty list`() throws {
    let comparison = FileComparison()
    let none = FileComparison.File([], name: "none.jsonl")
    let one = FileComparison.File(Array("{\"a\":1}\n".utf8), name: "one.jsonl")
    let list = FileComparison.File(Array("[]".utf8), name: "none.json")
    #expect(try comparison.differences(from: none, to: list).all.isEmpty)
    for (old, new) in [(none, one), (one, none), (one, list)] {
      let differences = try comparison.differences(from: old, to: new)
      let patch = try comparison.patch(of: differences, from: old, to: new)
      #expect(patch.untested == nil)
      let file = try EditableFile(old.bytes, named: old.name)
      try file.apply(JSONPatch(patch.bytes))
      let patched = FileComparison.File(try file.bytes(), name: old.name)
      #expect(try comparison.differences(from: patched, to: new).all.isEmpty)
    }
  }

  @Test func `An empty file of a format without an empty value has no value`() throws {
    let found = try FileComparison().differences(
      from: FileComparison.File([], name: "a.json"),
      to: FileComparison.File(Array("[1]".utf8), name: "b.json"))
    #expect(found.all.map(\.change) == [.added([1])])
  }
}
