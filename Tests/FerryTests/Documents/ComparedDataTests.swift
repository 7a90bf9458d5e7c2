import Testing

@testable import Ferry

@Suite struct `Comparisons of documents in data` {
  private var comparison: FileComparison {
    var comparison = FileComparison()
    comparison.reading.expandsData = true
    return comparison
  }

  /// Returns a property list with data.
  private func file(_ data: [UInt8]) throws -> FileComparison.File {
    FileComparison.File(try PropertyLists.binary(["d": .data(data), "n": 1]), name: "a.plist")
  }

  private func file(_ text: String) throws -> FileComparison.File { try file(Array(text.utf8)) }

  private func paths(
    _ old: FileComparison.File, _ new: FileComparison.File, _ comparison: FileComparison? = nil
  ) throws -> [String] {
    try (comparison ?? self.comparison).differences(from: old, to: new).all.map {
      ($0.newPath ?? $0.oldPath)?.description ?? ""
    }
  }

  /// The texts of two documents, the paths of their differences, and the pointer of the patch.
  private static let pairs = [
    (#"{"a":1,"b":[1]}"#, #"{"b":[1,2],"a":1}"#, ["d.b[1]"], "/d/b/1"),
    ("[1,2]", "[1,3]", ["d[1]"], "/d/1"),
    (#"{"a":1,"b":2}"#, #"{"b":2,"c":null}"#, ["d.a", "d.c"], "/d/c"),
    (#"{"$k":1}"#, #"{"$k":2}"#, ["d.$k"], "/d/$$k"),
    // A patch replaces the data if the whole document differs, or if an operation inside it is not possible.
    (#"{"a":1}"#, "[1]", ["d"], "/d"),
    (#"{"a":1}"#, #"{"a":1"#, ["d"], "/d"),
    ("word", "[1]", ["d"], "/d"),
  ]

  @Test(arguments: pairs.indices)
  func `Documents are compared by their values, and the patch makes one file the other`(_ index: Int) throws {
    let (before, after, paths, pointer) = Self.pairs[index]
    let (old, new) = (try file(before), try file(after))
    let found = try comparison.differences(from: old, to: new)
    #expect(found.all.map { ($0.newPath ?? $0.oldPath)?.description } == paths)
    let patch = try comparison.patch(of: found, from: old, to: new)
    #expect(patch.untested == nil)
    let text = String(decoding: patch.bytes, as: UTF8.self)
    #expect(text.contains(#""path": "\#(pointer)""#), "\(text)")
    let edited = try EditableFile(old.bytes, named: old.name)
    try edited.apply(JSONPatch(patch.bytes))
    let patched = FileComparison.File(try edited.bytes(), name: old.name)
    #expect(try comparison.differences(from: patched, to: new).all.isEmpty)
    // Data that the patch replaces has the bytes of the other file.
    if pointer == "/d" { #expect(try FileComparison().differences(from: patched, to: new).all.isEmpty) }
  }

  @Test func `Layout and the order of keys are not a difference, and the patch is empty`() throws {
    let (old, new) = (try file(#"{"a":1,"b":2}"#), try file(#"{ "b": 2, "a": 1 }"#))
    let found = try comparison.differences(from: old, to: new)
    #expect(found.all.isEmpty)
    #expect(try JSONPatch(comparison.patch(of: found, from: old, to: new).bytes).operations.isEmpty)
    #expect(try paths(old, new, FileComparison()) == ["d"])
    var ordered = comparison
    ordered.ordersKeys = true
    #expect(try paths(old, new, ordered) == ["d"])
  }

  @Test func `Documents of two kinds differ as data`() throws {
    let json = try file(#"{"a":1}"#)
    let (binary, xml) = (
      try file(PropertyLists.binary(["a": 1])), try file(PropertyLists.xml(["a": 1]))
    )
    #expect(try paths(json, binary) == ["d"])
    #expect(try paths(binary, xml).isEmpty)
  }

  @Test func `Documents inside documents are compared as deeply as the budget allows`() throws {
    func nested(_ text: String) throws -> FileComparison.File {
      try file(PropertyLists.binary(["inner": .data(Array(text.utf8))]))
    }
    let (old, new) = (try nested(#"{"a":1}"#), try nested(#"{"a":2}"#))
    for (nesting, path) in [(8, "d.inner.a"), (2, "d.inner.a"), (1, "d.inner"), (0, "d")] {
      var comparison = comparison
      comparison.reading.budget.nesting = nesting
      #expect(try paths(old, new, comparison) == [path])
    }
  }

  @Test func `Documents that exceed the budget are an error of their version, with the path`() throws {
    let large = try file("[" + String(repeating: "1,", count: 500) + "1]")
    let small = try file("[1]")
    var comparison = comparison
    (comparison.reading.budget.amplification, comparison.reading.budget.amplificationFloor) = (1, 100)
    for (old, new, version) in [(large, small, "the old version"), (small, large, "the new version")] {
      let failure = #expect(throws: FileComparison.VersionError.self) {
        try comparison.differences(from: old, to: new)
      }
      #expect(failure?.description.hasPrefix(version) == true)
      #expect(failure?.error.reason == .overBudget(.amplification(1)))
      #expect(failure?.error.path.steps.first == .key("d"))
    }
    // One version alone has a document.
    #expect(try paths(file("word"), large, comparison) == ["d"])
    comparison.reading.expandsData = false
    #expect(try paths(large, small, comparison) == ["d"])
  }
}
