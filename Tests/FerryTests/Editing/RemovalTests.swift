import TestSupport
import Testing

@testable import Ferry

@Suite struct `Removals at several paths` {
  private static let text = #"{"a":[0,1,2,3],"d":{"e":[{"f":[1,2]},{"f":[3]}]}}"#

  private static let removals: [(paths: [ValuePath], count: Int, text: String)] = [
    (["a[0]", "a[1]"], 2, #"{"a":[2,3],"d":{"e":[{"f":[1,2]},{"f":[3]}]}}"#),
    (["a[1]", "a[0]"], 2, #"{"a":[2,3],"d":{"e":[{"f":[1,2]},{"f":[3]}]}}"#),
    (["a[-1]", "/a/0", "a[1:3]"], 4, #"{"a":[],"d":{"e":[{"f":[1,2]},{"f":[3]}]}}"#),
    (["a[-2]", "a[3]"], 2, #"{"a":[0,1],"d":{"e":[{"f":[1,2]},{"f":[3]}]}}"#),
    (["d.e[0].f[0]", "d.e[0]"], 1, #"{"a":[0,1,2,3],"d":{"e":[{"f":[3]}]}}"#),
    (["d.e[0]", "d.e[0].f[0]"], 1, #"{"a":[0,1,2,3],"d":{"e":[{"f":[3]}]}}"#),
    (["d.e[1]", "d.e[*].f[0]"], 2, #"{"a":[0,1,2,3],"d":{"e":[{"f":[2]}]}}"#),
    (["d", "d.e[*].f[*]", "a[3]"], 2, #"{"a":[0,1,2]}"#),
    (["a[0]", "a[0]", "d"], 2, #"{"a":[1,2,3]}"#),
    (["a[0]"], 1, #"{"a":[1,2,3],"d":{"e":[{"f":[1,2]},{"f":[3]}]}}"#),
  ]

  @Test(arguments: removals.indices)
  func `All paths count in the file as it is`(_ index: Int) throws {
    let (paths, count, expected) = Self.removals[index]
    let file = try EditableFile(Array(Self.text.utf8), named: "a.json")
    #expect(try file.remove(at: paths) == count)
    #expect(try String(decoding: file.bytes(), as: UTF8.self) == expected)
  }

  @Test func `A path that leads to nothing among others removes nothing`() throws {
    let file = try EditableFile(Array(Self.text.utf8), named: "a.json")
    for path: ValuePath in ["x", "a[4]", "d.e[0].x", ""] {
      #expect(throws: FerryError.self) { try file.remove(at: ["a[0]", path]) }
    }
    #expect(try file.bytes() == Array(Self.text.utf8))
  }

  @Test func `Elements of a list inside data are removed together`() throws {
    let bytes = try PropertyLists.binary(["data": .data(Array("[0,1,2]".utf8)), "a": 1])
    let file = try EditableFile(bytes)
    #expect(try file.remove(at: ["data[0]", "a", "data[1]"]) == 3)
    #expect(try file.value(at: "data[0]") == 2)
    #expect(try file.count(at: "data[*]") == 1)
  }

  @Test func `A key of an object of an archive that two paths lead to is removed once`() throws {
    let file = try EditableFile(Edited.archive())
    // The third person is the first one.
    #expect(try file.remove(at: ["people[0].age", "people[2].age", "people[2].name"]) == 2)
    #expect(try file.summaries(at: ["people[0]"])[0].keys == ["boss"])
  }

  @Test func `Elements of a list with two paths are removed after those inside it`() throws {
    let bytes = try Archived.bytes(["b": [["p", "q"], ["r", "s"]], "x": ["y", ["z", "t"]]])
    let objects = try Edited.objects(bytes)
    let shared = try #require(objects.firstIndex(of: "x")) + 1
    let holder = try #require(objects.firstIndex(of: "z")) - 1
    var options = EditableFile.Options()
    options.representation = .raw
    let raw = try EditableFile(bytes, options: options)
    try raw.set(.uid(UInt64(shared)), at: ValuePath(parsing: "$objects[\(holder)][\"NS.objects\"][1]"))
    let file = try EditableFile(raw.bytes())
    #expect(try file.value(at: "x[1][1][1][0]") == "r")
    #expect(try file.remove(at: ["x[1][1][0]", "b[1][0]"]) == 2)
    #expect(try Edited.value(file.bytes(), "b[0][0]") == "s")
    #expect(try file.count(at: "b[*]") == 1)
  }
}
