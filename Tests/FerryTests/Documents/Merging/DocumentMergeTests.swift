import TestSupport
import Testing

@testable import Ferry

@Suite struct `Merges of documents` {
  private func person(_ key: String, _ first: String) -> Value {
    .object(
      ObjectValue(
        ObjectClass("Person"), content: ["key": .string(key), "first": .string(first), "odd": .data([1])]))
  }

  private func merge(_ base: [UInt8]?, _ ours: [UInt8], _ theirs: [UInt8]) throws -> DocumentMerge.Result {
    let merge = DocumentMerge()
    let mine = try merge.read(ours)
    let others = try merge.read(theirs, as: mine)
    return try merge.merge(base: try base.map { try merge.read($0, as: mine) }, ours: mine, theirs: others)
  }

  @Test func `Merged documents keep the classes and keys of archives`() throws {
    let result = try merge(
      Archived.bytes([person("a", "1"), person("b", "2")]),
      Archived.bytes([person("a", "X"), person("b", "2")]),
      Archived.bytes([person("a", "1"), person("b", "Y"), person("c", "3")]))
    #expect(result.conflicts.isEmpty)
    let value = try Archived.value(result.bytes)
    #expect(value.isSame(as: [person("a", "X"), person("b", "Y"), person("c", "3")]))
  }

  @Test func `Versions that differ only in the order of keys are not in conflict`() throws {
    let result = try merge(
      Array(#"[{"id":1,"a":1,"b":2}]"#.utf8), Array(#"[{"b":2,"a":1,"id":1}]"#.utf8), Array("[]".utf8))
    #expect(result.conflicts.isEmpty)
    #expect(result.value == [])
  }

  @Test func `A merge that moves and changes many records keeps the layout of ours`() throws {
    let numbers = 0..<21_000
    func text(_ numbers: some Sequence<Int>, _ value: String) -> [UInt8] {
      let lines = numbers.map { "  {\"id\": \($0), \"v\": \"\(value)\", \"t\": [1, 2]}" }
      return Array("[\n\(lines.joined(separator: ",\n"))\n]\n".utf8)
    }
    let result = try merge(text(numbers, "x"), text(numbers.reversed(), "x"), text(numbers, "y"))
    #expect(result.bytes == text(numbers.reversed(), "y"))
    #expect(result.losses.isEmpty && result.conflicts.isEmpty)
  }

  /// Returns XML with the types of JSON.
  private func typed(_ json: String) throws -> [UInt8] {
    var conversion = Conversion(to: .xml)
    conversion.writing.xml.types = .attributes
    return try conversion.convert(Array(json.utf8), named: "a.json").bytes
  }

  private func json(_ xml: [UInt8]) throws -> String {
    var conversion = Conversion(to: .json)
    conversion.reading.matchesSchemas = false
    return String(decoding: try conversion.convert(xml, named: "a.xml").bytes.dropLast(), as: UTF8.self)
  }

  @Test func `XML with types is merged by its values`() throws {
    let (first, second) = (#"{"name":"Ada","age":36,"tags":["x"]}"#, #"{"name":"Al","age":41,"tags":[]}"#)
    let base = #"{"person":[\#(first),\#(second)]}"#
    let ours = base.replacing("36", with: "37")
    let changed = #"{"name":"Ada","age":36,"tags":["w","x"]}"#
    let theirs = #"{"person":[\#(changed),\#(second),{"name":"Jo","age":5,"tags":null}]}"#
    let merged =
      #"{"person":[{"name":"Ada","age":37,"tags":["w","x"]},{"name":"Al","age":41,"tags":[]},{"name":"Jo","age":5,"tags":null}]}"#
    for base in [try typed(base), Array(base.utf8)] {
      for theirs in [try typed(theirs), Array(theirs.utf8)] {
        let result = try merge(base, typed(ours), theirs)
        #expect(result.conflicts.isEmpty && result.textConflicts.isEmpty)
        #expect(try json(result.bytes) == merged)
      }
    }
    // A document with types may also be merged into JSON.
    let result = try merge(typed(base), Array(ours.utf8), typed(theirs))
    #expect(String(decoding: result.bytes, as: UTF8.self) == merged)
  }

  @Test func `A conflict of XML with types has the path and the values that its comparison has`() throws {
    let base = #"{"a":{"age":36,"tags":["x"]},"b":"1"}"#
    let result = try merge(
      typed(base), typed(base.replacing("36", with: "37")), typed(base.replacing("36", with: "38")))
    #expect(result.conflicts.map(\.path.description) == ["a.age"])
    #expect(result.conflicts.map(\.ours) == [37])
    #expect(result.conflicts.map(\.theirs) == [38])
    #expect(try json(result.bytes) == base.replacing("36", with: "37"))
  }

  @Test func `The only side with a change gives all its bytes`() throws {
    let base = try Archived.bytes([person("a", "1"), person("b", "2")])
    let changed = try Archived.bytes([person("b", "9"), person("a", "1")])
    #expect(try merge(base, changed, base).bytes == changed)
    #expect(try merge(base, base, changed).bytes == changed)
    #expect(try merge(base, changed, changed).bytes == changed)
    #expect(try merge(nil, changed, changed).bytes == changed)
  }

  @Test func `A merge keeps our objects at their positions and our text as it is written`() throws {
    let base = try Archived.bytes([person("a", "1"), person("b", "2"), person("c", "3")])
    func edited(_ bytes: [UInt8], _ change: (EditableFile) throws -> Void) throws -> [UInt8] {
      let file = try EditableFile(bytes)
      try change(file)
      return try file.bytes()
    }
    func theirChanges(_ file: EditableFile) throws {
      try file.set(.string("X"), at: ValuePath([.index(1), .key("first")]))
      try file.remove(at: ValuePath([.index(0)]))
    }
    let ours = try edited(base) { file in
      try file.insert(person("d", "4"), at: ValuePath([.end]))
      try file.set(.string("Y"), at: ValuePath([.index(2), .key("first")]))
    }
    let result = try merge(base, ours, edited(base, theirChanges))
    #expect(result.conflicts.isEmpty)
    #expect(try result.bytes == edited(ours, theirChanges))
    #expect(
      try Archived.value(result.bytes).isSame(as: [person("b", "X"), person("c", "Y"), person("d", "4")]))
    let text = "[ {\"id\":1, \"a\" : 1e2},\n\n  {\"id\": 2} ] "
    let json = try merge(
      Array(#"[{"id":1,"a":1e2},{"id":2,"b":[1,2]}]"#.utf8), Array(text.utf8),
      Array(#"[{"id":1,"a":1e2,"c":true},{"id":2,"b":[1,2]},{"id":3}]"#.utf8))
    #expect(json.conflicts.isEmpty)
    #expect(
      String(decoding: json.bytes, as: UTF8.self)
        == "[ {\"id\":1, \"a\" : 1e2, \"c\" : true},\n\n  {\"id\": 2},\n\n  {\"id\": 3} ] ")
  }

  @Test func `A conflict in a shared object has the path of the object`() throws {
    func bytes(_ first: String) throws -> [UInt8] {
      let shared = Value.object(
        ObjectValue(ObjectClass("Group"), identity: 1, content: ["name": .string(first), "n": 1]))
      return try Archived.bytes([["id": 1, "x": ["g": shared]], ["id": 2, "g": .reference(1)]])
    }
    let ours = try bytes("ours")
    let result = try merge(bytes("base"), ours, bytes("theirs"))
    #expect(result.conflicts.map(\.path.description) == ["[1].g.name"])
    #expect(result.bytes == ours)
    #expect(try EditableFile(ours).value(at: result.conflicts[0].path) == .string("ours"))
  }

  /// Merges a damaged version, and expects of an error in merging that it names this version.
  private func merge(_ base: [UInt8], _ ours: [UInt8], damaged theirs: [UInt8]) throws -> [UInt8] {
    do {
      return try merge(base, ours, theirs).bytes
    } catch let error as MergeError {
      #expect(error.side == .theirs)
      throw error.error
    }
  }

  @Test func `Documents with any byte missing or changed are merged or refused`() throws {
    let base = try Archived.bytes([person("a", "1")])
    let ours = try Archived.bytes([person("a", "1"), person("b", "2")])
    let theirs = try Archived.bytes([person("a", "3"), person("c", "4")])
    #expect(try merge(base, ours, theirs).conflicts.isEmpty)
    let changes = Damage.Change.flipping([0x01, 0x10, 0x80, 0xff])
    let tally = try Damage(to: theirs, change: changes).check { theirs in
      let merged = try merge(base, ours, damaged: theirs)
      #expect(throws: Never.self) { try Archived.raw(merged) }
    }
    #expect(tally.readChanges > 0)
    let json = Array(#"[{"id":1,"l":[1,2,{"x":null}]},{"id":2}]"#.utf8)
    let other = Array(#"[{"id":1,"l":[3]},{"id":2,"n":1}]"#.utf8)
    let words = Damage.Change.replacing(Array("1[\"".utf8) + [0xff])
    try Damage(to: json, lengths: Array(1..<json.count), change: words).check { theirs in
      let merged = try merge(json, other, damaged: theirs)
      #expect(throws: Never.self) { try JSONTest.value(merged) }
    }
  }

  @Test(arguments: [Format.json, .xmlPropertyList, .binaryPropertyList])
  func `A merge takes a time that grows with the number of changes`(_ format: Format) throws {
    func version(_ first: Int, _ last: Int) throws -> [UInt8] {
      let records = (0..<16_000).map { #"{"v":\#($0 < first ? -1 : $0),"w":\#($0 < last ? -2 : $0)}"# }
      return try Conversion(to: format).convert(Array("[\(records.joined(separator: ","))]".utf8)).bytes
    }
    let base = try version(0, 0)
    func time(_ changes: Int) throws -> Duration {
      let (ours, theirs) = (try version(changes, 0), try version(0, changes))
      var merged: [UInt8] = []
      let time = try processorTime { merged = try merge(base, ours, theirs).bytes }
      #expect(try merged == version(changes, changes))
      return time
    }
    // Eight times as many changes; the square would be 64 times as much work.
    try expectGrowth(from: 2000, to: 16_000, lessThan: 16) { try time($0) }
  }

  @Test func `Documents are merged in a time that grows with them, whatever they hold`() throws {
    try expectProcessorTime(atMost: .seconds(60)) { try mergeHostile() }
  }

  private func mergeHostile() throws {
    func list(_ count: Int, _ record: (Int) -> String) -> [UInt8] {
      Array("[\((0..<count).map(record).joined(separator: ","))]".utf8)
    }
    // All alike, all different, all in another order, deep.
    let same = list(3000) { _ in #"{"a":1,"b":2}"# }
    #expect(
      try merge(same, list(2900) { _ in #"{"a":1,"b":2}"# }, list(3000) { _ in #"{"a":1,"b":3}"# }).conflicts
        .count <= 3000)
    _ = try merge(
      list(3000) { #"{"a":\#($0)}"# }, list(3000) { #"{"a":\#(3000 - $0)}"# }, list(3000) { #"{"b":\#($0)}"# }
    )
    _ = try merge(list(20_000) { "\($0 % 7)" }, list(20_000) { "\($0 % 5)" }, list(20_000) { "\($0 % 3)" })
    let deep = { (end: String) in
      Array((String(repeating: #"{"a":["#, count: 200) + end + String(repeating: "]}", count: 200)).utf8)
    }
    let result = try merge(deep("1"), deep("2"), deep("3"))
    #expect(result.conflicts.count == 1)
    #expect(throws: FerryError.self) {
      try merge(
        same, same, Array((String(repeating: "[", count: 1000) + String(repeating: "]", count: 1000)).utf8))
    }
  }
}
