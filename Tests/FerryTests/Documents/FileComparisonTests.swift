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
  }
}
