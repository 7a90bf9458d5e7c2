import Ferry
import Testing

@Suite struct `The leaves of a value` {
  @Test func `The leaves are the scalars and the empty collections, with their paths`() throws {
    let value: Value = [
      "name": "Ada", "tags": ["math", ["poetry"]], "born": [:], "none": [], "a.b": .null,
      "set": .set([1]), "point": .object(ObjectValue(ObjectClass("P"), content: ["x": 2])),
    ]
    let leaves = Array(value.leaves)
    #expect(
      leaves.map(\.path.description) == [
        "name", "tags[0]", "tags[1][0]", "born", "none", "[\"a.b\"]", "set[0]", "point.x",
      ])
    #expect(leaves.map(\.value) == ["Ada", "math", "poetry", [:], [], .null, 1, 2])
    for (path, leaf) in value.leaves where path.description != "point.x" {
      #expect(try value.value(at: path) == leaf)
    }
  }

  @Test(arguments: [5, "text", .null, [], [:]] as [Value]) func `A value without parts is its own leaf`(
    value: Value
  ) {
    let leaves = Array(value.leaves)
    #expect(leaves.count == 1 && leaves.first?.path.isEmpty == true && leaves.first?.value == value)
  }
}
