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
      // The root of a property list is not an element. That of an archive has the name of the element.
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

  @Test(arguments: [Format.json, .yaml, .xmlPropertyList])
  func `Elements of lists that have changed are found by the document in their data`(_ target: Format) throws
  {
    let (a, b) = (json(#"{"a":1,"b":"t","c":5}"#), json(#"{"q":1}"#))
    let longer = try file(["l": [a, b]])
    let opened = try converted(file(["l": [json(#"{"a":2,"b":"t","c":5}"#)]]), to: target)
    #expect(try paths(longer, opened) == ["l[0].a", "l[1]"])
    #expect(try paths(opened, longer) == ["l[0].a", "l[1]"])
    let result = try patched(longer, by: opened)
    #expect(try paths(result.file, opened) == [] && !result.text.contains(#""b""#), "\(result.text)")
  }

  @Test func `A patch changes values in data after keys that begin with a dollar sign`() throws {
    let (old, new) = (
      try file(["d": json(#"{"$x":{"y":1},"z":"t"}"#)]), try file(["d": json(#"{"$x":{"y":2},"z":"t"}"#)])
    )
    let result = try patched(old, by: new)
    #expect(try paths(result.file, new) == [])
    #expect(result.text.contains(#""path": "/d/$$x/y""#), "\(result.text)")
  }

  @Test func `Data replaces other values, and no patch puts a scalar in place of data`() throws {
    let data = try file(["d": json(#"{"a":1}"#)])
    for value: Value in ["none", "a text", [1], 42] {
      let other = try file(["d": value])
      #expect(try paths(data, other) == ["d"] && paths(other, data) == ["d"])
      let result = try patched(other, by: data).file
      #expect(try FileComparison().differences(from: result, to: data).all.isEmpty)
      guard value == [1] else {
        #expect(throws: FileComparison.VersionError.self) { try patched(data, by: other) }
        continue
      }
      // A list is the new value of the document in data, which stays data.
      let changed = try patched(data, by: other).file
      #expect(try paths(changed, other) == [])
      #expect(try FileComparison().differences(from: changed, to: data).all.allSatisfy(\.isOfData))
    }
    // The whole value would be replaced. What the other file does not have is removed.
    #expect(throws: FileComparison.VersionError.self) { try patched(data, by: file([1])) }
    let (longer, shorter) = (try file(["d": json(#"{"a":1}"#), "n": 1]), try file(["n": 2]))
    #expect(try paths(patched(longer, by: shorter).file, shorter) == [])
  }

  @Test(arguments: [Format.binaryPropertyList, .xmlPropertyList, .json, .yaml])
  func `Data is removed also if the file keeps no key`(_ format: Format) throws {
    for old: Value in [["d": json("[1]")], ["d": .data([1, 2, 3]), "n": 1]] {
      for new: Value in [["e": 1], ["e": ["x": 1], "g": "t"]] {
        let other = try file(new, format)
        #expect(try paths(patched(file(old), by: other).file, other) == [], "\(old) \(new)")
      }
    }
  }

  @Test func `An element with data is removed while one without data is added if there is other data`() throws
  {
    let old = try file([["id": 1, "d": json(#"{"x":1}"#)], ["id": 2, "d": json(#"{"x":2}"#)]])
    let new = try file([["id": 2, "d": json(#"{"x":2}"#)], ["id": 3, "n": "no data"]])
    let result = try patched(old, by: new)
    #expect(try FileComparison().differences(from: result.file, to: new).all.isEmpty, "\(result.text)")
    // The added elements may have the documents in the data.
    #expect(throws: FileComparison.VersionError.self) {
      try patched(file([json(#"{"x":1}"#), "a"]), by: file(["a", ["y"], "b"]))
    }
    // Data that changes in place is replaced, whatever other data there is.
    let failure = #expect(throws: FileComparison.VersionError.self) {
      try patched(
        file(["d": json(#"{"x":1}"#), "e": json("[2]")]), by: file(["d": "text", "e": json("[2]")]))
    }
    #expect(failure?.error.reason == .path(.replacesData(ValuePath([.key("d")]))))
  }

  @Test(arguments: [Format.json, .yaml, .xmlPropertyList])
  func `Elements with the values of documents in removed data replace the data, whatever other data there is`(
    _ target: Format
  ) throws {
    func data(_ number: Int) -> Value { json("{\"x\":\(number)}") }
    func versions(_ old: Value, _ new: Value) throws -> (FileComparison.File, FileComparison.File) {
      let raw: Value = .data([1, 2, 3])
      return (try file(["l": old, "raw": raw]), try converted(file(["l": new, "raw": raw]), to: target))
    }
    let replaced: [(Value, Value)] = [
      ([data(1)], [["x": 2], ["y": 3]]), ([data(1), data(2)], [["x": 3]]),
      ([json("[1]")], [[2], [3]]),
      ([["n": 1, "d": data(1)]], [["n": 2, "d": ["x": 2]], ["n": 3, "d": ["x": 3]]]),
      ([["n": 1, "l": [data(1)]]], [["n": 2, "l": [["x": 2]]], ["n": 3, "l": [["x": 3]]]]),
    ]
    for (index, version) in replaced.enumerated() {
      let (old, new) = try versions(version.0, version.1)
      let failure = #expect(throws: FileComparison.VersionError.self, "\(index)") {
        try patched(old, by: new)
      }
      #expect(failure?.error.reason == .path(.replacesData(ValuePath([.key("l")]))), "\(index)")
    }
    let others: [(Value, Value)] = [
      ([["n": 1, "d": data(1)], "a"], ["a", ["n": 3, "d": "no data"], ["n": 4]]),
      ([data(1), "a"], ["a", [5], "b"]), ([data(1), ["k": 1]], [["k": 2]]),
    ]
    for (index, version) in others.enumerated() {
      let (old, new) = try versions(version.0, version.1)
      #expect(try paths(patched(old, by: new).file, new) == [], "\(index)")
    }
  }

  @Test func `A value with as much data as the document in data replaces the data`() throws {
    let raw: Value = .data([1, 2, 3])
    let data: Value = .data(try PropertyLists.binary([raw]))
    for (old, new) in [(["d": data], ["d": ["x": raw]]), (["d": [1, data]], ["d": [1, ["x": raw]]])]
      as [(Value, Value)]
    {
      let failure = #expect(throws: FileComparison.VersionError.self) {
        try patched(file(old), by: file(new))
      }
      guard case .path(.replacesData(let path)) = failure?.error.reason else {
        Issue.record("another error")
        continue
      }
      #expect(path.steps.first == .key("d"))
    }
  }

  @Test func `The error of a patch that would replace data has no long path`() throws {
    let key = String(repeating: "k", count: 1000)
    let failure = #expect(throws: FileComparison.VersionError.self) {
      try patched(file([key: json("[1]")]), by: file([key: "none"]))
    }
    let message = failure?.error.message ?? ""
    #expect(message.contains("kkk … kkk") && message.utf8.count < 400, "\(message)")
  }

  @Test func `The patch of equal files has no operations`() throws {
    let list = try file(["c": [[2], json("[1, 2]")]])
    let opened = try converted(list, to: .xml)
    for (old, new) in [(list, opened), (opened, list), (list, list)] {
      #expect(try paths(old, new) == [])
      let patch = try #require(try patch(of: old, new))
      let text = String(decoding: patch.bytes, as: UTF8.self)
      #expect(patch.untested == nil && text.filter { !$0.isWhitespace } == "[]", "\(text)")
    }
  }

  @Test func `Other data than a document changes to the Base64 in a format without data, and stays data`()
    throws
  {
    let (old, new) = (try file(["raw": .data([1, 2, 3])]), try file(["raw": .data([1, 2, 4])]))
    let result = try patched(old, by: converted(new, to: .json, expands: false)).file
    #expect(try FileComparison().differences(from: result, to: new).all.isEmpty)
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

  // MARK: Matrix

  /// The kinds of documents in data.
  enum Kind: CaseIterable { case propertyList, json, archive }

  /// The values of two versions of a document.
  private static let versions: [(old: Value, new: Value)] = [
    (["a": 1, "b": "t"], ["a": 2, "b": "t"]), ([], [5]), ([1], [7]), ([1, 2, 3], [1, 9, 3]),
    ("word", "other"), (42, 43),
  ]

  /// The property lists that have data as an entry, as an element, as the only element of a list, and in a record.
  private static let places: [@Sendable (Value) -> Value] = [
    { ["d": $0, "n": "x"] }, { ["l": [$0, "y"], "n": "x"] }, { ["l": [$0], "n": "x"] },
    { ["l": [["d": $0, "n": "x"], ["d": "z", "n": "y"]], "n": "x"] },
  ]

  private static let formats: [Format] = [
    .json, .jsonLines, .yaml, .xml, .csv, .xmlPropertyList, .binaryPropertyList,
  ]

  /// Returns data with a document.
  private func document(_ value: Value, _ kind: Kind) throws -> Value {
    let list = try PropertyLists.binary(value)
    if kind == .propertyList { return .data(list) }
    return .data(try Conversion(to: kind == .json ? .json : .archive).convert(list, named: "a.plist").bytes)
  }

  /// True if a format cannot say what a version has: CSV has a list in a cell as a text of JSON, and XML leaves an empty list out.
  private func mayDiffer(_ value: Value, at place: Int, in format: Format) -> Bool {
    switch format {
    case .csv: place == 1 || place == 2
    case .xml: value == [] && (place == 0 || place == 3)
    default: false
    }
  }

  @Test(arguments: Kind.allCases, formats)
  func `Opened documents are equal to data at any place, and a patch keeps the data or is an error`(
    _ kind: Kind, _ format: Format
  ) throws {
    for (number, version) in Self.versions.enumerated() {
      for (place, value) in Self.places.enumerated() {
        let name: Comment = "version \(number), place \(place)"
        let old = try file(value(document(version.old, kind)), .xmlPropertyList)
        let new = try file(value(document(version.new, kind)), .xmlPropertyList)
        let (oldOpened, newOpened) = (try converted(old, to: format), try converted(new, to: format))
        if !mayDiffer(version.old, at: place, in: format) {
          #expect(try paths(old, oldOpened) == [], name)
          #expect(try paths(oldOpened, old) == [], name)
        }
        #expect(try !paths(old, newOpened).isEmpty, name)
        for (first, second) in [(old, newOpened), (oldOpened, new)] {
          guard let patch = try patch(of: first, second), patch.untested == nil else { continue }
          let edited = try EditableFile(first.bytes, named: first.name)
          try edited.apply(JSONPatch(patch.bytes))
          let result = FileComparison.File(try edited.bytes(), name: first.name)
          #expect(try paths(result, second) == [], name)
          if first.bytes == old.bytes { #expect(dataCount(of: result) == 1, name) }
        }
      }
    }
  }

  /// Returns the patch of two files; nil if no patch makes the first one the second.
  private func patch(
    of old: FileComparison.File, _ new: FileComparison.File
  ) throws -> FileComparison.Patch? {
    let differences = try comparison.differences(from: old, to: new)
    do throws(FileComparison.VersionError) {
      return try comparison.patch(of: differences, from: old, to: new)
    } catch {
      switch error.error.reason {
      case .path(.noPatch), .path(.replacesData), .path(.patchFails): return nil
      default: throw error
      }
    }
  }

  /// Returns the number of data values in an XML property list.
  private func dataCount(of list: FileComparison.File) -> Int {
    String(decoding: list.bytes, as: UTF8.self).split(
      separator: "<data>", omittingEmptySubsequences: false
    ).count - 1
  }

  @Test(arguments: Kind.allCases)
  func `A patch changes the document in data against JSON, YAML and property lists`(_ kind: Kind) throws {
    for format in [Format.json, .yaml, .xmlPropertyList] {
      for version in [Self.versions[0], Self.versions[3]] {
        for value in [Self.places[0], Self.places[3]] {
          let old = try file(value(document(version.old, kind)), .xmlPropertyList)
          let new = try converted(file(value(document(version.new, kind)), .xmlPropertyList), to: format)
          #expect(try paths(patched(old, by: new).file, new) == [])
        }
      }
    }
  }
}

extension ValueDifferences.Difference {
  /// True if data replaces other data.
  fileprivate var isOfData: Bool { if case .changed(.data, .data) = change { true } else { false } }
}
