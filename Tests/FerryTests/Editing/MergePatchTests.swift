import TestSupport
import Testing

@testable import Ferry

@Suite struct `JSON merge patches` {
  private func merged(_ json: String, _ patch: String, named name: String = "a.json") throws -> String {
    let file = try EditableFile(Array(json.utf8), named: name)
    try file.merge(Value(json: Array(patch.utf8), budget: Budget()))
    return String(decoding: try file.bytes(), as: UTF8.self)
  }

  /// The cases of RFC 7396, appendix A, in other words.
  private static let applied = [
    (#"{"a":"b"}"#, #"{"a":"c"}"#, #"{"a":"c"}"#),
    (#"{"a":"b"}"#, #"{"b":"c"}"#, #"{"a":"b","b":"c"}"#),
    (#"{"a":"b"}"#, #"{"a":null}"#, "{}"),
    (#"{"a":"b","b":"c"}"#, #"{"a":null}"#, #"{"b":"c"}"#),
    (#"{"a":["b"]}"#, #"{"a":"c"}"#, #"{"a":"c"}"#),
    (#"{"a":"c"}"#, #"{"a":["b"]}"#, #"{"a":["b"]}"#),
    (#"{"a":{"b":"c"}}"#, #"{"a":{"b":"d","c":null}}"#, #"{"a":{"b":"d"}}"#),
    (#"{"a":[{"b":"c"}]}"#, #"{"a":[1]}"#, #"{"a":[1]}"#),
    (#"["a","b"]"#, #"["c","d"]"#, #"["c","d"]"#),
    (#"{"a":"b"}"#, #"["c"]"#, #"["c"]"#),
    (#"{"a":"x"}"#, "null", "null"),
    (#"{"a":"x"}"#, #""y""#, #""y""#),
    (#"{"e":null}"#, #"{"a":1}"#, #"{"e":null,"a":1}"#),
    ("[1,2]", #"{"a":"b","c":null}"#, #"{"a":"b"}"#),
    ("{}", #"{"a":{"b":{"c":null}}}"#, #"{"a":{"b":{}}}"#),
    // Other cases of its rules.
    (#"{"a":1}"#, "{}", #"{"a":1}"#),
    ("5", "{}", "{}"),
    (#"{"a":1}"#, #"{"b":null}"#, #"{"a":1}"#),
    (#"{"a":1}"#, #"{"a":{"b":1,"c":null}}"#, #"{"a":{"b":1}}"#),
    (#"{"a":{"b":1}}"#, #"{"a":{}}"#, #"{"a":{"b":1}}"#),
    // The elements of a list are not merged, so that their nulls stay.
    (#"{"a":[{"b":1}]}"#, #"{"a":[{"c":null},null]}"#, #"{"a":[{"c":null},null]}"#),
    (#"{"b":1,"a":2}"#, #"{"c":3,"a":4,"b":5}"#, #"{"b":5,"a":4,"c":3}"#),
    (#"{"$x":1,"0":1}"#, #"{"$x":null,"0":2,"a.b":{"$date":"y"}}"#, #"{"0":2,"a.b":{"$date":"y"}}"#),
  ]

  @Test(arguments: applied.indices) func `A merge patch changes what its dictionaries name`(_ index: Int)
    throws
  {
    let (json, patch, expected) = Self.applied[index]
    // Two values are equal only if their keys are in the same order.
    let found = try Value(json: Array(merged(json, patch).utf8), budget: Budget())
    #expect(try found == Value(json: Array(expected.utf8), budget: Budget()), "\(json) with \(patch)")
  }

  @Test func `What a merge patch does not name keeps its text`() throws {
    let json = "{\n  \"b\" : { \"x\": 1.50, \"y\": [1,2] }, // one\n  \"a\": 1\n}\n"
    let jsonAfter = try merged(json, #"{"b":{"y":3},"a":1}"#, named: "a.jsonc")
    #expect(jsonAfter == json.replacing("[1,2]", with: "3"))
    let yaml = "# top\nserver:\n  port: 80 # the port\n  host: a\nold: 1\n"
    #expect(
      try merged(
        yaml, #"{"server":{"port":8080,"tls":{"mode":"auto","key":null}},"old":null,"new":"x"}"#,
        named: "a.yaml")
        == "# top\nserver:\n  port: 8080 # the port\n  host: a\n  tls:\n    mode: auto\nnew: x\n")
  }

  @Test func `A merge patch keeps the types of a property list, removes without null, and adds plain types`()
    throws
  {
    let before: Value = ["d": .date(secondsSince2001: 725_760_000), "r": 1.0, "o": "x"]
    let file = try EditableFile(PropertyLists.binary(before))
    try file.merge(
      Value(
        json: Array(#"{"d":"2025-01-01T00:00:00Z","r":2,"o":null,"i":5,"n":{"s":"x","t":null}}"#.utf8),
        budget: Budget()))
    let after = try EditableFile(file.bytes()).value(at: ValuePath())
    #expect(after == ["d": .date(secondsSince2001: 757_382_400), "r": 2.0, "i": 5, "n": ["s": "x"]])
  }

  @Test func `A merge patch with values that JSON does not have keeps their types`() throws {
    let file = try EditableFile(PropertyLists.binary(["a": 1, "b": "x"]))
    try file.merge(["a": .data([1, 2]), "c": ["d": .data([3]), "e": .null]])
    let after = try EditableFile(file.bytes()).value(at: ValuePath())
    #expect(after == ["a": .data([1, 2]), "b": "x", "c": ["d": .data([3])]])
  }

  @Test func `A merge patch reaches dictionaries of an archive and those in data`() throws {
    let inner = try PropertyLists.binary(["k": ["m": 1], "z": 1])
    let bytes = try Archived.bytes(["a": ["b": 1, "c": 2], "data": .data(inner)])
    let file = try EditableFile(bytes)
    try file.merge(["a": ["b": 3, "c": .null, "d": "x"], "data": ["k": ["m": 2, "n": 3], "z": .null]])
    let after = try EditableFile(file.bytes())
    #expect(try after.value(at: "a.b") == 3)
    #expect(try after.value(at: "a.d") == "x")
    #expect(try after.count(at: "a[*]") == 2)
    #expect(try after.value(at: "data.k.m") == 2)
    #expect(try after.value(at: "data.k.n") == 3)
    #expect(throws: FerryError.self) { _ = try after.value(at: "data.z") }
  }

  /// Applies a patch to the value `x` of a file with values whose types JSON does not have, and returns the new value.
  private func patched(_ key: String, with json: String, merging: Bool) throws -> Value {
    func object(_ name: String, _ content: Value) -> Value {
      .object(ObjectValue(ClassCatalog.standard.type(named: name) ?? ObjectClass(name), content: content))
    }
    let file = try EditableFile(
      Archived.bytes([
        "date": .date(secondsSince2001: 0), "data": .data([1]), "url": object("NSURL", "https://a.org"),
        "id": object("NSUUID", "E621E1F8-C36C-495A-93FC-0C247A3E6E5F"),
      ]))
    if merging {
      try file.merge(Value(json: Array(#"{"\#(key)":\#(json)}"#.utf8), budget: Budget()))
    } else {
      try file.apply(JSONPatch(Array(#"[{"op":"replace","path":"/\#(key)","value":\#(json)}]"#.utf8)))
    }
    return try EditableFile(file.bytes()).value(at: ValuePath([.key(key)]))
  }

  @Test(arguments: [true, false])
  func `A text in the place of a value that JSON does not have gets its type, or is refused`(
    merging: Bool
  ) throws {
    for key in ["date", "data", "url", "id"] {
      let error = #expect(throws: FerryError.self) {
        try patched(key, with: #""not a \u0001 ! value""#, merging: merging)
      }
      #expect(error?.path == ValuePath([.key(key)]), "\(key)")
      #expect(try patched(key, with: "5", merging: merging) == 5, "\(key)")
    }
    let date = try patched("date", with: #""2001-01-02T00:00:00Z""#, merging: merging)
    #expect(date.scalar == .date(secondsSince2001: 86_400))
    #expect(try patched("data", with: #""AgM=""#, merging: merging).scalar == .data([2, 3]))
    let url = try patched("url", with: #""https://b.org""#, merging: merging)
    #expect(url.scalar == "https://b.org" && url != "https://b.org")
    let id = try patched("id", with: #""00000000-0000-0000-0000-000000000001""#, merging: merging)
    #expect(id.scalar == "00000000-0000-0000-0000-000000000001" && id != id.scalar)
  }

  @Test func `A patch of differences gives a text in the place of a date or data`() throws {
    let (old, new): (Value, Value) = (
      ["d": .date(secondsSince2001: 0), "x": .data([1])], ["d": "2001-01-02T00:00:00Z", "x": "zz"]
    )
    let file = try EditableFile(PropertyLists.binary(old))
    try file.apply(JSONPatch(ValueDifferences(from: old, to: new)))
    #expect(try EditableFile(file.bytes()).value(at: ValuePath()) == new)
  }

  @Test func `A new value of an entry that a merge key adds overrides it`() throws {
    let text = "b: &b {p: 1, q: {r: 1, s: 2}}\nd:\n  <<: *b\n  z: 5\n"
    #expect(try merged(text, #"{"d":{"p":3}}"#, named: "a.yaml") == text + "  p: 3\n")
    let nested = try merged(text, #"{"d":{"q":{"r":7,"t":null}}}"#, named: "a.yaml")
    #expect(nested == text + "  q:\n    r: 7\n    s: 2\n")
    // The merged mapping gets the same value.
    let both = try merged(text, #"{"b":{"p":3},"d":{"p":3}}"#, named: "a.yaml")
    #expect(both == text.replacing("p: 1", with: "p: 3"))
    #expect(try merged(text, #"{"d":{"p":1,"q":{}}}"#, named: "a.yaml") == text)
    let file = try EditableFile(Array(text.utf8), named: "a.yaml")
    try file.set(text: "3", at: "d.p", insertsMissing: true)
    #expect(String(decoding: try file.bytes(), as: UTF8.self) == text + "  p: 3\n")
  }

  @Test func `An entry of YAML and the entries that merge keys make of it are removed in any order`() throws {
    var options = EditableFile.Options()
    options.changesAliases = true
    let patches: [Value] = [
      ["b": ["x": .null], "d": ["x": .null]], ["d": ["x": .null], "b": ["x": .null]],
    ]
    for patch in patches {
      let bytes = Array("b: &b {x: 1, y: 2}\nd: {<<: *b}\n".utf8)
      let file = try EditableFile(bytes, named: "a.yaml", options: options)
      try file.merge(patch)
      #expect(String(decoding: try file.bytes(), as: UTF8.self) == "b: &b {y: 2}\nd: {<<: *b}\n")
    }
  }

  @Test func `A key that a merge key would add again is not removed by a merge patch`() throws {
    var options = EditableFile.Options()
    options.changesAliases = true
    let bytes = Array("b: &b {x: 1}\nd:\n  <<: *b\n  x: 5\n".utf8)
    let file = try EditableFile(bytes, named: "a.yaml", options: options)
    let error = #expect(throws: FerryError.self) { try file.merge(["d": ["x": .null]]) }
    #expect(error?.path.description == "d.x")
    #expect(try file.bytes() == bytes)
    try file.merge(["d": ["x": .null], "b": ["x": .null]])
    #expect(String(decoding: try file.bytes(), as: UTF8.self) == "b: &b {}\nd:\n  <<: *b\n")
  }

  @Test(arguments: [
    ("a: 1\n---\nb: 2\n", "a.yaml"), ("{\"a\":1}\n{\"b\":2}\n", "a.jsonl"), ("a,b\n1,2\n", "a.csv"),
  ]) func `Only a list replaces all records of a file`(_ text: String, _ name: String) throws {
    for patch in [#"{"b":3}"#, "{}", "5"] {
      let error = #expect(throws: FerryError.self) { try merged(text, patch, named: name) }
      #expect(error?.message.contains("(a JSON patch changes one of them)") == true, "\(name): \(patch)")
    }
    #expect(throws: Never.self) { try merged(text, #"[{"a":"x","b":"y"}]"#, named: name) }
  }

  @Test(arguments: [
    ("<plist><dict><key>d</key><integer>1</integer></dict></plist>", "a.plist", #"{"d":[1,null]}"#, "d[1]"),
    ("<plist><dict><key>d</key><dict/></dict></plist>", "a.plist", #"{"d":{"x":{"y":[null]}}}"#, "d.x.y[0]"),
    ("<plist><dict/></plist>", "a.plist", #"{"z":{"$date":"nope"}}"#, "z"),
    (#""a" = "b";"#, "a.strings", #"{"c":5}"#, "c"), (#""a" = "b";"#, "a.strings", #"{"a":5}"#, "a"),
  ]) func `An error about a value of a merge patch has its path`(
    _ text: String, _ name: String, _ patch: String, _ path: String
  ) throws {
    let error = #expect(throws: FerryError.self) { try merged(text, patch, named: name) }
    #expect(error?.path.description == path, "\(String(describing: error))")
  }

  @Test func `Data that a merge patch gives to JSON is refused with its path`() throws {
    let file = try EditableFile(Array(#"{"a":{"b":1}}"#.utf8))
    try file.merge(["a": ["b": 2, "c": [.data([1])]]])
    let error = #expect(throws: FerryError.self) { try file.bytes() }
    #expect(error?.path.description == "a.c[0]")
  }

  @Test func `A merge patch of which a part fails changes nothing`() throws {
    let bytes = try Archived.bytes(["a": 1, "b": ["c": 2]])
    let file = try EditableFile(bytes)
    #expect(throws: FerryError.self) {
      try file.merge(["a": 2, "b": ["c": ["$class": "NSArray", "x": 1]]])
    }
    #expect(try file.bytes() == bytes)
  }

  @Test func `Many new keys take time in proportion to their number`() throws {
    try expectGrowth(from: 250, to: 2_000, lessThan: 24) { count in
      func keys(_ name: String) -> String {
        "{\((0..<count).map { #""\#(name)\#($0)":0"# }.joined(separator: ","))}"
      }
      let file = try EditableFile(Array(keys("old").utf8), named: "a.json")
      let patch = try Value(json: Array(keys("new").utf8), budget: Budget())
      return try processorTime {
        try file.merge(patch)
        _ = try file.bytes()
      }
    }
  }

  @Test func `A merge patch gives an object with two paths one value`() throws {
    let bytes = try Archived.bytes(["a": ["n": 1], "b": "x"])
    let shared = try #require(Edited.objects(bytes).firstIndex(of: "b")) + 1
    var options = EditableFile.Options()
    options.representation = .raw
    let raw = try EditableFile(bytes, options: options)
    try raw.set(.uid(UInt64(shared)), at: #"$objects[1]["NS.objects"][1]"#)
    let both = try raw.bytes()
    let file = try EditableFile(both)
    #expect {
      try file.merge(["a": ["n": 2], "b": ["n": 3]])
    } throws: { error in
      "\(error)".contains("it is also the value at a.n, for which the patch has another value")
    }
    #expect(try file.bytes() == both)
    try file.merge(["a": ["n": 2], "b": ["n": 2]])
    #expect(try Edited.value(file.bytes(), "b.n") == 2)
    try file.merge(["a": ["n": .null], "b": ["n": .null]])
    #expect(try file.summaries(at: ["a"])[0].keys == [])
  }
}
