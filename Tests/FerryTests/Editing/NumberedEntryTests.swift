import TestSupport
import Testing

@testable import Ferry

/// Changes of the collections in an archive that have each element and each key as an entry of their own object.
@Suite struct `Numbered entries` {
  /// Returns an archive of an array with the values `v0`, `v1` …, or of a dictionary in which these have the keys `k0`, `k1` …
  private func archive(count: Int, isDictionary: Bool, beginsWithClass: Bool) throws -> [UInt8] {
    var entries = KeyedValues()
    if beginsWithClass { entries["$class"] = .uid(2) }
    var objects: [Value] = []
    func add(_ key: String, _ text: String) {
      entries[key] = .uid(UInt64(3 + objects.count))
      objects.append(.string(text))
    }
    for index in 0..<count {
      if isDictionary { add("NS.key.\(index)", "k\(index)") }
      add("NS.object.\(index)", "v\(index)")
    }
    if !beginsWithClass { entries["$class"] = .uid(2) }
    let name: Value = isDictionary ? "NSDictionary" : "NSArray"
    let type: Value = ["$classname": name, "$classes": [name, "NSObject"]]
    return try Archived.file([.dictionary(entries), type] + objects)
  }

  @Test(arguments: [true, false])
  func `Removals take time in proportion to their number`(_ isDictionary: Bool) throws {
    try expectGrowth(from: 200, to: 2000, lessThan: 40) { count in
      // After a removal, each element has the index of the one before.
      let removals = (0..<count / 2).map { index in
        #"{"op":"remove","path":"/\#(isDictionary ? "k\(2 * index)" : "\(index)")"}"#
      }
      let patch = try JSONPatch(Array("[\(removals.joined(separator: ","))]".utf8))
      let bytes = try archive(count: count, isDictionary: isDictionary, beginsWithClass: true)
      let file = try EditableFile(bytes)
      let time = try processorTime { try file.apply(patch) }
      let value = try file.value(at: ValuePath())
      #expect((isDictionary ? value.dictionaryValue?.count : value.arrayValue?.count) == count / 2)
      #expect((isDictionary ? value["k7"] : value[3]) == "v7")
      return time
    }
  }

  @Test(arguments: [true, false], [true, false])
  func `Insertions take time in proportion to their number`(
    _ isDictionary: Bool, _ beginsWithClass: Bool
  ) throws {
    try expectGrowth(from: 200, to: 2000, lessThan: 40) { count in
      let insertions = (0..<count / 2).map { index in
        #"{"op":"add","path":"/\#(isDictionary ? "n\(index)" : "\(2 * index)")","value":"new \#(index)"}"#
      }
      let patch = try JSONPatch(Array("[\(insertions.joined(separator: ","))]".utf8))
      let bytes = try archive(
        count: count, isDictionary: isDictionary, beginsWithClass: beginsWithClass)
      let file = try EditableFile(bytes)
      let time = try processorTime { try file.apply(patch) }
      for file in [file, try EditableFile(file.bytes())] {
        let value = try file.value(at: ValuePath())
        #expect((isDictionary ? value.dictionaryValue?.count : value.arrayValue?.count) == count / 2 * 3)
        #expect((isDictionary ? value["n7"] : value[14]) == "new 7")
        #expect((isDictionary ? value["k7"] : value[15]) == "v7")
      }
      return time
    }
  }

  @Test func `New keys of an object with many keys take time in proportion to their number`() throws {
    try expectGrowth(from: 500, to: 4000, lessThan: 24) { count in
      var entries = KeyedValues()
      for index in 0..<count { entries["k\(index)"] = 1 }
      entries["$class"] = .uid(2)
      let type: Value = ["$classname": "Settings", "$classes": ["Settings", "NSObject"]]
      let file = try EditableFile(Archived.file([.dictionary(entries), type]))
      let additions = (0..<count).map { #"{"op":"add","path":"/n\#($0)","value":2}"# }
      let patch = try JSONPatch(Array("[\(additions.joined(separator: ","))]".utf8))
      let time = try processorTime { try file.apply(patch) }
      let changed = try EditableFile(file.bytes()).value(at: ValuePath())
      #expect(changed["n7"] == 2 && changed["k7"] == 1)
      return time
    }
  }

  @Test(arguments: [true, false])
  func `Elements that are removed, added and replaced in turn are those of a plain list`(
    _ beginsWithClass: Bool
  ) throws {
    var random = SeededGenerator(seed: 5)
    let file = try EditableFile(
      archive(count: 60, isDictionary: false, beginsWithClass: beginsWithClass))
    var elements = (0..<60).map { "v\($0)" }
    for round in 0..<60 {
      let index = Int.random(in: 0..<elements.count, using: &random)
      let path = ValuePath([.index(index)])
      switch round % 3 {
      case 0:
        elements.insert("new \(round)", at: index)
        try file.insert(.string("new \(round)"), at: path)
      case 1:
        elements[index] = "other \(round)"
        try file.set(.string("other \(round)"), at: path)
      default:
        elements.remove(at: index)
        #expect(try file.remove(at: path) == 1)
      }
      #expect(try file.value(at: ValuePath()) == .array(elements.map { .string($0) }))
    }
    let written = try EditableFile(file.bytes())
    #expect(try written.value(at: ValuePath()) == .array(elements.map { .string($0) }))
  }

  @Test(arguments: [true, false])
  func `Keys that are removed, added, renamed and replaced in turn are those of a plain dictionary`(
    _ beginsWithClass: Bool
  ) throws {
    var random = SeededGenerator(seed: 5)
    let file = try EditableFile(
      archive(count: 60, isDictionary: true, beginsWithClass: beginsWithClass))
    var entries: [String: String] = [:]
    for index in 0..<60 { entries["k\(index)"] = "v\(index)" }
    func check(_ file: EditableFile) throws {
      let value = try file.value(at: ValuePath())
      #expect(value.dictionaryValue?.count == entries.count)
      for (key, text) in entries { #expect(value[key] == .string(text), "\(key)") }
    }
    for round in 0..<60 {
      let key = try #require(entries.keys.sorted().randomElement(using: &random))
      let path = ValuePath([.key(key)])
      switch round % 4 {
      case 0:
        entries["new \(round)"] = "added"
        try file.insert("added", at: ValuePath([.key("new \(round)")]))
      case 1:
        entries[key] = "other \(round)"
        try file.set(.string("other \(round)"), at: path)
      case 2:
        entries["renamed \(round)"] = entries.removeValue(forKey: key)
        let patch = #"[{"op":"move","from":"/\#(key)","path":"/renamed \#(round)"}]"#
        try file.apply(JSONPatch(Array(patch.utf8)))
      default:
        entries[key] = nil
        #expect(try file.remove(at: path) == 1)
      }
      try check(file)
    }
    try check(EditableFile(file.bytes()))
  }
}
