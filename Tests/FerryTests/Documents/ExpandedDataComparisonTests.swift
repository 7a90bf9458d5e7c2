import Testing

@testable import Ferry

@Suite struct `Comparisons of data with the value that a conversion opens` {
  private static let targets: [Format] = [
    .json, .xml, .yaml, .xmlPropertyList, .binaryPropertyList, .archive,
  ]
  private static let sources: [Format] = [.binaryPropertyList, .archive]

  private var comparison: FileComparison {
    var comparison = FileComparison()
    comparison.reading.expandsData = true
    return comparison
  }

  private func json(_ text: String) -> Value { .data(Array(text.utf8)) }

  /// Returns an archive of an object in data.
  private func archive(_ number: Int) throws -> Value {
    let text =
      ##"{"$ferry":1,"$archiver":"NSKeyedArchiver","$top":{"root":{"$class":"P","v":\##(number),"w":"x"}}}"##
    return .data(try Conversion(to: .archive).convert(Array(text.utf8)).bytes)
  }

  /// Returns a file with a value.
  private func file(_ value: Value, _ format: Format = .binaryPropertyList) throws -> FileComparison.File {
    let list = FileComparison.File(try PropertyLists.binary(value), name: "a.plist")
    return format == .binaryPropertyList ? list : try converted(list, to: format, expands: false)
  }

  /// Returns a file with one number in a document in data, among others that do not change.
  private func sample(_ number: Int, _ format: Format) throws -> FileComparison.File {
    let list = try PropertyLists.binary(["when": "now", "deep": json(#"{"z":[1,{"y":2}]}"#)])
    return try file(
      [
        "d": json(#"{"a":\#(number),"b":"t"}"#), "l": [json("[1,2]"), json(#"{"q":[1,2]}"#)],
        "list": .data(list),
        "n": 1, "o": try archive(number), "raw": .data([1, 2, 3]), "same": json(#"{"x":1}"#),
      ], format)
  }

  private func converted(
    _ file: FileComparison.File, to format: Format, expands: Bool = true
  ) throws -> FileComparison.File {
    var conversion = Conversion(to: format)
    conversion.reading.expandsData = expands
    let bytes = try conversion.convert(file.bytes, named: file.name).bytes
    return FileComparison.File(bytes, name: "b." + (format.extensions.first ?? ""))
  }

  private func paths(_ old: FileComparison.File, _ new: FileComparison.File) throws -> [String] {
    try comparison.differences(from: old, to: new).all.map {
      ($0.newPath ?? $0.oldPath)?.description ?? ""
    }
  }

  /// Applies the patch of two files to the first one. Returns the text of the patch and the changed file.
  private func patched(
    _ old: FileComparison.File, by new: FileComparison.File
  ) throws -> (text: String, file: FileComparison.File) {
    let patch = try comparison.patch(of: comparison.differences(from: old, to: new), from: old, to: new)
    #expect(patch.untested == nil)
    let edited = try EditableFile(old.bytes, named: old.name)
    try edited.apply(JSONPatch(patch.bytes))
    return (
      String(decoding: patch.bytes, as: UTF8.self), FileComparison.File(try edited.bytes(), name: old.name)
    )
  }

  @Test(arguments: sources, targets)
  func `A file does not differ from its conversion with opened data`(_ source: Format, _ target: Format)
    throws
  {
    let old = try sample(1, source)
    for expands in [true, false] {
      let other = try converted(old, to: target, expands: expands)
      #expect(try paths(old, other) == [], "\(expands)")
      #expect(try paths(other, old) == [], "\(expands)")
    }
  }

  @Test(arguments: sources, targets)
  func `Only the changes in opened data are listed and patched`(_ source: Format, _ target: Format) throws {
    let (old, new) = (try sample(1, source), try sample(2, source))
    let opened = try converted(old, to: target)
    let prefix = target == .xml ? "root." : ""
    let changed = ["d.a", "o.v"].map { prefix + $0 }
    #expect(try paths(opened, new) == changed)
    #expect(try paths(new, opened) == changed)
    // The opened value is changed, and stays open.
    let forward = try patched(opened, by: new)
    #expect(try paths(forward.file, converted(new, to: target)) == [], "\(forward.text)")
    guard target != .xml else {
      // The root of a property list is no element. That of an archive has the name of the element.
      if source == .archive {
        #expect(try paths(patched(new, by: opened).file, opened) == [])
      } else {
        #expect(throws: FileComparison.VersionError.self) { try patched(new, by: opened) }
      }
      return
    }
    // The document in data is changed, and stays data.
    let back = try patched(new, by: opened)
    #expect(try paths(back.file, old) == [], "\(back.text)")
    #expect(try FileComparison().differences(from: back.file, to: old).all.allSatisfy(\.isOfData))
  }

  @Test(arguments: [Format.json, .yaml, .xmlPropertyList])
  func `Elements of lists are found by the document in their data`(_ target: Format) throws {
    let (a, b, c) = (json(#"{"a":1,"b":[2]}"#), json(#"{"c":1,"d":[3]}"#), json(#"{"e":1,"f":[4]}"#))
    let opened = try converted(file(["l": [a, c]]), to: target)
    let longer = try file(["l": [a, b, c]])
    #expect(try paths(opened, longer) == ["l[1]"])
    #expect(try paths(longer, opened) == ["l[1]"])
  }

  @Test func `Data that replaces a value without its document stays as it is`() throws {
    let (data, text) = (try file(["d": json(#"{"a":1}"#)]), try file(["d": "none"]))
    let list = try file(["d": [1]])
    for (old, new) in [(data, text), (text, data), (data, list), (list, data)] {
      #expect(try paths(old, new) == ["d"])
      let result = try patched(old, by: new).file
      #expect(try FileComparison().differences(from: result, to: new).all.isEmpty)
    }
  }

  @Test func `Base64 of other data in a format without data is a changed text`() throws {
    let (old, new) = (try sample(1, .binaryPropertyList), try sample(2, .binaryPropertyList))
    let closed = try converted(old, to: .json, expands: false)
    for (old, new) in [(closed, new), (new, closed)] {
      #expect(try paths(old, new) == ["d", "o"])
      let result = try patched(old, by: new).file
      #expect(try paths(result, new) == [])
    }
  }

  @Test func `A document in data that exceeds the budget is an error of its version`() throws {
    // Equal numbers would be one object in a binary property list, and exceed the budget there.
    let data = try file(["d": json("[" + (1...500).map(String.init).joined(separator: ",") + "]")])
    let opened = try converted(data, to: .xmlPropertyList)
    var comparison = comparison
    (comparison.reading.budget.amplification, comparison.reading.budget.amplificationFloor) = (1, 100)
    for (old, new, version) in [(data, opened, "the old version"), (opened, data, "the new version")] {
      let failure = #expect(throws: FileComparison.VersionError.self) {
        try comparison.differences(from: old, to: new)
      }
      #expect(failure?.description.hasPrefix(version) == true)
      #expect(failure?.error.reason == .overBudget(.amplification(1)))
    }
  }
}

extension ValueDifferences.Difference {
  /// True if data replaces other data.
  fileprivate var isOfData: Bool { if case .changed(.data, .data) = change { true } else { false } }
}
