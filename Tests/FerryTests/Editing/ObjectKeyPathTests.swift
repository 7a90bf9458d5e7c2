import TestSupport
import Testing

@testable import Ferry

/// Paths to values whose keys are objects: an NSURL's, a number's, an object's of a class of the program.
@Suite struct `Values under keys that are objects` {
  private static func object(_ name: String, identity: Int? = nil, _ content: Value) -> Value {
    .object(ObjectValue(ObjectClass(name), identity: identity, content: content))
  }

  private static func archive() throws -> [UInt8] {
    var states = KeyedValues()
    states["file:///a"] = "text"
    states[object("NSURL", "file:///a")] = "same text"
    states[object("NSURL", "file:///b/c.swift")] = ["line": 7]
    states[42] = "number"
    states[object("Location", identity: 2, ["page": 3, "marks": [1, 2]])] = ["zoom": 2]
    states[.reference(1)] = ["zoom": 4]
    return try Archived.bytes([
      "first": object("Location", identity: 1, ["page": 1, "marks": ["a"]]), "states": .dictionary(states),
      "last": .reference(2),
    ])
  }

  @Test func `JSON for a dictionary with two keys of the same text is refused if it changes the dictionary`()
    throws
  {
    let bytes = try Self.archive()
    let problem = try Edited.problem { _ = try Edited.set(bytes, "states", #"{"file:///a":"x"}"#, as: .json) }
      .0
    #expect("\(problem)".contains("two keys of the dictionary have the same text in JSON"))
    let others: KeyedValues = [5: "five", Self.object("NSURL", "file:///a"): "a"]
    let single = try Archived.bytes(["d": .dictionary(others)])
    let edited = try Edited.set(single, "d", #"{"5":"five","file:///a":"a","new":"n"}"#, as: .json)
    guard case .dictionary(let entries) = try Edited.value(edited, "d").scalar else {
      Issue.record("no dictionary")
      return
    }
    #expect(entries.map(\.key) == [5, Self.object("NSURL", "file:///a"), "new"])
  }

  @Test func `A dictionary has a summary if keys in it refer to objects beside them`() throws {
    let file = try EditableFile(Self.archive())
    #expect(try file.summaries(at: [ValuePath()]).first?.keys == ["first", "states", "last"])
    try file.merge(["new": "n"])
    let after = try EditableFile(file.bytes())
    #expect(try after.value(at: "new") == "n")
    #expect(try after.count(at: "states[*]") == file.count(at: "states[*]"))
  }

  @Test(arguments: ["", "a"]) func `A new key may be another one with a number sign`(_ key: String) throws {
    let bytes = try Archived.bytes([key: 1, "z": 2])
    let new = "\(key)#"
    let path = ValuePath([.key(new)])
    for make: (EditableFile) throws -> Void in [
      { try $0.set("y", at: path, insertsMissing: true) },
      { try $0.merge([new: "y"]) },
      { try $0.apply(JSONPatch(Array(#"[{"op":"add","path":"/\#(new)","value":"y"}]"#.utf8))) },
    ] {
      let file = try EditableFile(bytes)
      try make(file)
      let after = try EditableFile(file.bytes())
      #expect(try after.value(at: path) == "y")
      #expect(try after.value(at: ValuePath([.key(key)])) == 1)
      #expect(try after.count(at: "[*]") == 3)
    }
  }

  private static func value(_ path: String) throws -> Value { try Edited.value(archive(), path) }

  @Test(
    arguments: [
      (#"states["file:///a"]"#, Value.string("text")),
      (#"states["file:///b/c.swift"].line"#, 7),
      ("#/states/file:~1~1~1b~1c.swift/line", 7), ("states.42", "number"),
      (#"states["{\"marks\":[1,2],\"page\":3}"].zoom"#, 2),
      (##"states["{\"$ref\":\"#/first\"}"].zoom"##, 4),
      (##"#/states/{"$ref":"#~1first"}/zoom"##, 4),
      (#"states["{\"marks\":[\"a\"],\"page\":1}"].zoom"#, 4),
      (##"#/states/{"marks":[1,2],"page":3}#/marks/1"##, 2),
      (##"states["file:///b/c.swift#"]"##, object("NSURL", "file:///b/c.swift")),
    ])
  func `A value is found by the text of its key, and the key by a number sign after the text`(
    path: String, value: Value
  )
    throws
  {
    #expect(try Self.value(path) == value)
  }

  @Test func `A value is found under every key that the plain representation prints`() throws {
    let archive = try Self.archive()
    let json = try Conversion(to: .json).convert(archive).bytes
    let file = try EditableFile(archive)
    guard case .dictionary(let states)? = try EditableFile(json).value(at: ValuePath())["states"] else {
      Issue.record("no states")
      return
    }
    #expect(states.count == 5)
    for (key, value) in states {
      guard case .string(let name) = key else { continue }
      let typed = ValuePath([.key("states"), .key(name)]).description
      let found = try file.value(at: ValuePath(parsing: typed))
      #expect(name == "file:///a" || found == value, "\(typed)")
    }
  }

  @Test func `A value is found under keys inside keys, and under null`() throws {
    var (inner, middle, outer) = (KeyedValues(), KeyedValues(), KeyedValues())
    inner[.set(["s"])] = "inner"
    middle[.dictionary(inner)] = [Self.object("P", identity: 3, ["p": [1]])]
    outer[.dictionary(middle)] = "outer"
    outer[.null] = "none"
    let archive = try Archived.bytes(["d": .dictionary(outer), "r": .reference(3)])
    let key = #"{"{\"[\\\"s\\\"]\":\"inner\"}":[{"p":[1]}]}"#
    let pointer = "#/d/\(key)#/{\"[\\\"s\\\"]\":\"inner\"}/0"
    let json = try Value(reading: MemoryInput(Conversion(to: .json).convert(archive).bytes))
    #expect(json["d"]?[key] == "outer")
    #expect(json["d"]?["null"] == "none")
    #expect(json["r"] == ["$ref": .string(pointer)])
    #expect(try Edited.value(archive, ValuePath([.key("d"), .key(key)]).description) == "outer")
    #expect(try Edited.value(archive, "d.null") == "none")
    #expect(try Edited.value(archive, pointer) == Self.object("P", ["p": [1]]))
  }

  @Test func `A value under a key that is an object is set, removed and named by errors as others are`()
    throws
  {
    let path = #"states["{\"marks\":[1,2],\"page\":3}"].zoom"#
    let edited = try Edited.set(Self.archive(), path, "9")
    #expect(try Edited.value(edited, path) == 9)
    let removed = try Edited.remove(Self.archive(), #"states["file:///b/c.swift"]"#)
    let (problem, place) = try Edited.problem {
      _ = try Edited.value(removed, #"states["file:///b/c.swift"]"#)
    }
    #expect(place == "states")
    #expect("\(problem)".contains(#"{\"marks\":[1,2],\"page\":3}"#))
  }

  @Test func `A key is removed with its value and not set`() throws {
    let (problem, _) = try Edited.problem {
      _ = try Edited.set(Self.archive(), #"states["file:///b/c.swift#"]"#, "file:///a")
    }
    #expect(
      problem == .cannotPut("another key", "remove the entry and insert one with the new key"))
  }

  @Test
  func `A value inside a key is neither set, inserted nor removed, because two keys could become equal`()
    throws
  {
    let key = #"states["{\"marks\":[1,2],\"page\":3}#"]"#
    let advice = "remove the entry and insert one with the new key"
    let archive = try Self.archive()
    #expect(try Edited.value(archive, key + ".page") == 3)
    let (problem, place) = try Edited.problem { _ = try Edited.set(archive, key + ".page", "9") }
    #expect(problem == .cannotPut("another key", .other(advice)))
    #expect(place == key + ".page")
    let (insertion, _) = try Edited.problem {
      try EditableFile(archive).insert(text: "9", at: ValuePath(parsing: key + ".marks[]"))
    }
    #expect(insertion == .cannotPut("another key", .other(advice)))
    let (removal, _) = try Edited.problem { _ = try Edited.remove(archive, key + ".marks[0]") }
    #expect(removal == .cannotRemove("it is a part of a key (\(advice))"))
  }

  @Test func `A value under a key that is nil is found by the text that the plain representation prints`()
    throws
  {
    let text =
      #"{"$ferry":1,"$archiver":"NSKeyedArchiver","$top":{"root":{"$class":"NSDictionary","#
      + #""NS.keys":{"$inline":[null]},"NS.objects":{"$inline":["x"]}}}}"#
    let archive = try Conversion(to: .archive).convert(Array(text.utf8)).bytes
    let shown = try Value(reading: MemoryInput(Conversion(to: .json).convert(archive).bytes))
    #expect(shown["$null"] == "x")
    #expect(try Edited.value(archive, #"["$null"]"#) == "x")
  }

  @Test func `Keys are not all read as text to find a missing one, because each may be as long as the file`()
    throws
  {
    /// Returns the processor time to look for a missing key among objects that share a long list.
    func time(keys: Int) throws -> Duration {
      var entries = KeyedValues()
      let marks = Self.object("NSArray", identity: 1, .array((0..<5_000).map { .string("mark \($0)") }))
      entries[Self.object("Location", ["number": 0, "marks": marks])] = 0
      for number in 1..<keys {
        entries[Self.object("Location", ["number": .integer(Int128(number)), "marks": .reference(1)])] = 1
      }
      entries["zoom"] = 1
      let file = try EditableFile(Archived.bytes(["states": .dictionary(entries)]))
      return try processorTime {
        let (problem, _) = try Edited.problem { _ = try file.value(at: ValuePath(parsing: "states.zom")) }
        #expect(problem.description.contains(#"did you mean "zoom"?"#))
      }
    }
    try expectGrowth(from: 12, to: 360, lessThan: 8) { try time(keys: $0) }
  }
}
