import TestSupport
import Testing

@testable import Ferry

@Suite struct `JSON patches` {
  private func patched(_ json: String, by patch: String) throws -> String {
    let file = try EditableFile(Array(json.utf8), named: "a.json")
    try file.apply(JSONPatch(Array(patch.utf8)))
    return String(decoding: try file.bytes(), as: UTF8.self)
  }

  /// The examples of RFC 6902, appendix A, and of RFC 6901, section 5, in other words.
  private static let applied = [
    (#"{"a":1}"#, #"[{"op":"add","path":"/b","value":2}]"#, #"{"a":1,"b":2}"#),
    (#"{"a":["x","z"]}"#, #"[{"op":"add","path":"/a/1","value":"y"}]"#, #"{"a":["x","y","z"]}"#),
    (#"{"a":["x"]}"#, #"[{"op":"add","path":"/a/1","value":["y"]}]"#, #"{"a":["x",["y"]]}"#),
    (#"{"a":["x"]}"#, #"[{"op":"add","path":"/a/-","value":null}]"#, #"{"a":["x",null]}"#),
    (#"{"a":1,"b":2}"#, #"[{"op":"remove","path":"/b"}]"#, #"{"a":1}"#),
    (#"["x","y","z"]"#, #"[{"op":"remove","path":"/1"}]"#, #"["x","z"]"#),
    (#"{"a":1,"b":2}"#, #"[{"op":"replace","path":"/b","value":"c"}]"#, #"{"a":1,"b":"c"}"#),
    (#"{"a":1,"b":2}"#, #"[{"op":"add","path":"/b","value":3}]"#, #"{"a":1,"b":3}"#),
    (
      #"{"a":{"b":1,"c":2},"d":{"e":3}}"#, #"[{"op":"move","from":"/a/c","path":"/d/f"}]"#,
      #"{"a":{"b":1},"d":{"e":3,"f":2}}"#
    ),
    (#"["a","b","c","d"]"#, #"[{"op":"move","from":"/1","path":"/3"}]"#, #"["a","c","d","b"]"#),
    (#"["a","b","c","d"]"#, #"[{"op":"move","from":"/3","path":"/0"}]"#, #"["d","a","b","c"]"#),
    (#"{"a":{"b":1}}"#, #"[{"op":"copy","from":"/a","path":"/c"}]"#, #"{"a":{"b":1},"c":{"b":1}}"#),
    (#"{"a":["x",2]}"#, #"[{"op":"test","path":"/a/1","value":2.0},{"op":"remove","path":"/a"}]"#, "{}"),
    (#"{"a":{"c":1,"b":2}}"#, #"[{"op":"test","path":"/a","value":{"b":2,"c":1}}]"#, #"{"a":{"c":1,"b":2}}"#),
    (
      #"{"/":9,"~1":10,"":1}"#, #"[{"op":"test","path":"/~01","value":10},{"op":"remove","path":"/~1"}]"#,
      #"{"~1":10,"":1}"#
    ),
    (#"{"":1}"#, #"[{"op":"replace","path":"/","value":2}]"#, #"{"":2}"#),
    (#"{"a":1}"#, #"[{"op":"replace","path":"","value":[1]}]"#, "[1]"),
    (
      #"{"a":1}"#, #"[{"op":"add","path":"","value":{"b":{}}},{"op":"add","path":"/b/c","value":1}]"#,
      #"{"b":{"c":1}}"#
    ),
    (
      #"{"0":"x"}"#, #"[{"op":"replace","path":"/0","value":"y"},{"op":"add","path":"/-","value":1}]"#,
      #"{"0":"y","-":1}"#
    ),
    (#"{"$x":1}"#, #"[{"op":"replace","path":"/$x","value":{"$ref":"y"}}]"#, #"{"$x":{"$ref":"y"}}"#),
    (
      #"{"a":1}"#, #"[{"op":"move","from":"/a","path":"/a"},{"op":"test","path":"/a","value":1,"x":0}]"#,
      #"{"a":1}"#
    ),
    ("[]", "[]", "[]"),
    // A combining character at the beginning of a key is one `Character` with the slash.
    (
      "{\"a\":1,\"\u{301}b\":2}", "[{\"op\":\"replace\",\"path\":\"/\u{301}b\",\"value\":3}]",
      "{\"a\":1,\"\u{301}b\":3}"
    ),
  ]

  @Test(arguments: applied.indices) func `Operations change the values that they name`(_ index: Int) throws {
    let (json, patch, expected) = Self.applied[index]
    #expect(try patched(json, by: patch) == expected)
  }

  /// Texts, with those without their first two elements.
  static let withoutFirstTwo: [(Format, String, path: String, String)] = [
    (.yaml, "a: [1, 2, 3]\nb: \"q\" # c\n", "a", "a: [3]\nb: \"q\" # c\n"),
    (.yaml, "a: [1,2,3] # c\n", "a", "a: [3] # c\n"),
    (.yaml, "a: [1, 2,\n  3] # c\n", "a", "a: [\n  3] # c\n"),
    (.yaml, "a: [1, 2, # c\n  3]\n", "a", "a: [ # c\n  3]\n"),
    (.yaml, "a: [1, # c\n  2, 3]\n", "a", "a: [ # c\n 3]\n"),
    (.yaml, "a: [1, 2 # c\n  ]\n", "a", "a: [ # c\n  ]\n"),
    (.yaml, "a: {x: 1, y: 2, z: 3, w: \"4\"} # c\n", "a", "a: {z: 3, w: \"4\"} # c\n"),
    (.jsonc, "{\"a\": [1, 2, 3]} // c\n", "a", "{\"a\": [3]} // c\n"),
    (.jsonc, "{\"a\": [1, /* c */ 2, 3]}\n", "a", "{\"a\": [ /* c */ 3]}\n"),
    (.json5, "{a: {x: 1, y: 2, z: 3}} // c\n", "a", "{a: {z: 3}} // c\n"),
    (.json, "{\"a\": [1, 2, 3]}\n", "a", "{\"a\": [3]}\n"),
    (.jsonLines, "[1, 2, 3]\n", "[0]", "[3]\n"),
    (.openStepPropertyList, "{a = (1, 2, 3); /* c */}\n", "a", "{a = (3); /* c */}\n"),
    (.openStepPropertyList, "{a = {x = 1; y = 2; z = 3;}; /* c */}\n", "a", "{a = {z = 3;}; /* c */}\n"),
  ]

  @Test(arguments: withoutFirstTwo.indices)
  func `The first two elements are removed from their place in one patch`(_ index: Int) throws {
    let (format, text, path, wanted) = Self.withoutFirstTwo[index]
    guard format != .yaml || PackageTraits.hasYAML else { return }
    var options = EditableFile.Options()
    options.format = format
    let file = try EditableFile(Array(text.utf8), options: options)
    let isDictionary = text.contains("x")
    for last in isDictionary ? ["y", "x"] : ["[1]", "[0]"] {
      try file.remove(at: ValuePath(parsing: isDictionary ? "\(path).\(last)" : path + last))
    }
    #expect(String(decoding: try file.bytes(), as: UTF8.self) == wanted)
  }

  @Test(arguments: [Format.yaml, .jsonc, .openStepPropertyList])
  func `Any elements are removed from their place in one patch`(_ format: Format) throws {
    guard format != .yaml || PackageTraits.hasYAML else { return }
    let (open, close) = format == .openStepPropertyList ? ("(", ")") : ("[", "]")
    for removed in 0..<15 {
      let (start, end) = format == .yaml ? ("- ", " # c\n") : ("\(open)// c\n", "\(close)\n")
      var options = EditableFile.Options()
      options.format = format
      let file = try EditableFile(Array("\(start)\(open)1, 2, 3, 4\(close)\(end)".utf8), options: options)
      for index in (0..<4).reversed() where removed & 1 << index != 0 {
        try file.remove(at: ValuePath(parsing: "[0][\(index)]"))
      }
      let kept = (0..<4).filter { removed & 1 << $0 == 0 }.map { String($0 + 1) }.joined(separator: ", ")
      #expect(String(decoding: try file.bytes(), as: UTF8.self) == "\(start)\(open)\(kept)\(close)\(end)")
    }
  }

  private static let refused = [
    (
      #"{"a":1}"#, #"[{"op":"test","path":"/a","value":"1"}]"#,
      "the value is not the one that the patch tests"
    ),
    (#"{"a":1}"#, #"[{"op":"add","path":"/b/c","value":1}]"#, #"no key "b" here"#),
    (#"["a"]"#, #"[{"op":"add","path":"/2","value":1}]"#, "no element"),
    (#"["a"]"#, #"[{"op":"remove","path":"/-1"}]"#, "no element"),
    (#"["a"]"#, #"[{"op":"remove","path":"/-"}]"#, "names no element"),
    (#"["a","b"]"#, #"[{"op":"replace","path":"/01","value":1}]"#, "no"),
    (#"{"a":1}"#, #"[{"op":"replace","path":"/b","value":1}]"#, #"no key "b" here"#),
    (#"{"a":1}"#, #"[{"op":"remove","path":"/b"}]"#, #"no key "b" here"#),
    (#"{"a":{"b":1}}"#, #"[{"op":"move","from":"/a","path":"/a/c"}]"#, "inside itself"),
    (#"{"a":1}"#, #"[{"op":"remove","path":""}]"#, "the root cannot be removed"),
    (#"{"a":1}"#, #"{"op":"remove","path":"/a"}"#, "not a JSON patch: a patch is a list"),
    (#"{"a":1}"#, #"[{"op":"remove"}]"#, #"not a JSON patch: the operation has no "path""#),
    (
      #"{"a":1}"#,
      #"[{"op":"test","path":"/a","value":1},{"op":"test","path":"/a","value":1,"op":"remove"}]"#,
      #"not a JSON patch: the operation has "op" twice"#
    ),
    (#"{"a":1}"#, #"[{"op":"remove","path":"/a","path":"/b"}]"#, #"the operation has "path" twice"#),
    (#"{"a":1}"#, #"[{"op":"add","path":"/b","value":{"c":1,"c":2}}]"#, #"has "value.c" twice"#),
    (#"{"a":1}"#, #"[{"op":"remove","path":"/\ud800"}]"#, #"no key "\ud800" here"#),
    (#"{"a":1}"#, #"[{"op":"remove","path":"a"}]"#, "is not a JSON pointer"),
    (#"{"a":1}"#, #"[{"op":"add","path":"/a~2","value":1}]"#, "has a ~ that is neither ~0 nor ~1"),
    (#"{"a":1}"#, #"[{"op":"remove","path":"/a~"}]"#, "has a ~ that is neither ~0 nor ~1"),
    (#"["a"]"#, #"[{"op":"copy","from":"/1","path":"/0"}]"#, "no element [1]"),
    (#"["a"]"#, #"[{"op":"copy","from":"/-","path":"/0"}]"#, "names no element"),
    (#"[["a"]]"#, #"[{"op":"copy","from":"/-/0","path":"/0"}]"#, "names no element"),
    (#"["a"]"#, #"[{"op":"test","path":"/-","value":["a"]}]"#, "names no element"),
    ("[]", #"[{"op":"test","path":"/0","value":[]}]"#, "no element [0]"),
    (#"["a"]"#, #"[{"op":"move","from":"/1","path":"/1"}]"#, "no element [1]"),
    (#"[["a"]]"#, #"[{"op":"add","path":"/1/0","value":1}]"#, "no element [1]"),
    (#"{"a":1}"#, #"[{"op":"add","path":"/b"}]"#, #"has no "value""#),
    (#"{"a":1}"#, #"[{"op":"spam","path":"/a"}]"#, #"no operation is named "spam""#),
    (#"{"a":1}"#, "[1]", "an operation has a name"),
  ]

  @Test(arguments: refused.indices) func `An operation that is not possible is refused`(_ index: Int) throws {
    let (json, patch, message) = Self.refused[index]
    let error = try #require(throws: FerryError.self) { try patched(json, by: patch) }
    #expect("\(error)".contains(message), "\(error)")
  }

  @Test func `A patch changes a file in data as it changes one outside`() throws {
    func inner(_ json: String) -> Value { .data(Array(json.utf8)) }
    for (operation, expected) in [
      (#"{"op":"add","path":"/d/k/a","value":3}"#, #"{"x":[1,2],"k":{"a":3}}"#),
      (#"{"op":"add","path":"/d/x/-","value":3}"#, #"{"x":[1,2,3],"k":{"a":1}}"#),
      (#"{"op":"add","path":"/d/x/0","value":3}"#, #"{"x":[3,1,2],"k":{"a":1}}"#),
      (#"{"op":"copy","from":"/d/x/1","path":"/d/k/b"}"#, #"{"x":[1,2],"k":{"a":1,"b":2}}"#),
      (#"{"op":"replace","path":"/d/x/-1","value":3}"#, nil),
      (#"{"op":"add","path":"/d/x/01","value":3}"#, nil),
      (#"{"op":"copy","from":"/d/x/2","path":"/d/k/b"}"#, nil),
    ] {
      let file = try EditableFile(Archived.bytes(["d": inner(#"{"x":[1,2],"k":{"a":1}}"#)]))
      let before = try file.bytes()
      let patch = try JSONPatch(Array("[\(operation)]".utf8))
      guard let expected else {
        #expect(throws: FerryError.self) { try file.apply(patch) }
        #expect(try file.bytes() == before)
        continue
      }
      try file.apply(patch)
      #expect(try file.value(at: ValuePath(parsing: "d")) == inner(expected), "\(operation)")
    }
  }

  @Test func `A patch of thousands of values takes time in proportion to their number`() throws {
    let count = 20_000
    let entries = (0..<count).map { "\"key \($0)\":\($0)" }.joined(separator: ",")
    let operations = (0..<count).map { #"{"op":"replace","path":"/key \#($0)","value":-1}"# }
    let patch = try JSONPatch(Array("[\(operations.joined(separator: ","))]".utf8))
    let file = try EditableFile(Array("{\(entries)}".utf8), named: "a.json")
    // A search of the keys one by one would be one of 200 million keys for each step.
    try expectProcessorTime(atMost: .seconds(60)) { try file.apply(patch) }
    #expect(try file.value(at: ValuePath(parsing: "key 19999")) == -1)
  }

  private static let editable = [Format.json, .binaryPropertyList, .xmlPropertyList, .yaml, .xml]

  @Test(arguments: editable)
  func `Thousands of keys are added and removed in time in proportion to their number`(
    _ format: Format
  ) throws {
    let count = 4000
    let entries = (0..<count).map { "\"k\($0)\":\"a\"" }.joined(separator: ",")
    let root = format == .xml ? "/root" : ""
    let removals = (0..<count / 2).map { #"{"op":"remove","path":"\#(root)/k\#($0 * 2)"}"# }
    let additions = (0..<count / 2).map { #"{"op":"add","path":"\#(root)/n\#($0)","value":"b"}"# }
    let patch = try JSONPatch(Array("[\((removals + additions).joined(separator: ","))]".utf8))
    let bytes = try Conversion(to: format).convert(Array("{\(entries)}".utf8), named: "a.json").bytes
    let file = try EditableFile(bytes, named: "a.\(format.extensions[0])")
    try expectProcessorTime(atMost: .seconds(30)) { try file.apply(patch) }
    let changed = try file.value(at: ValuePath(format == .xml ? [.key("root")] : []))
    #expect(changed.dictionaryValue?.count == count)
    #expect(changed["n7"] == "b" && changed["k3999"] == "a" && changed["k4"] == nil)
  }

  @Test func `New and removed keys of an archive take time in proportion to their number`() throws {
    try expectGrowth(from: 500, to: 4000, lessThan: 24) { count in
      let entries = (0..<count).map { "\"k\($0)\":\"a\"" }.joined(separator: ",")
      let additions = (0..<count).map { #"{"op":"add","path":"/n\#($0)","value":"b"}"# }
      let removals = (0..<count).map { #"{"op":"remove","path":"/k\#($0)"}"# }
      let patch = try JSONPatch(Array("[\((additions + removals).joined(separator: ","))]".utf8))
      let bytes = try Conversion(to: .archive).convert(Array("{\(entries)}".utf8), named: "a.json").bytes
      let file = try EditableFile(bytes)
      let time = try processorTime { try file.apply(patch) }
      let changed = try file.value(at: ValuePath())
      #expect(changed.dictionaryValue?.count == count)
      #expect(changed["n7"] == "b" && changed["k7"] == nil)
      return time
    }
  }

  @Test func `Keys of a large dictionary in an archive are found after others get their names`() throws {
    let entries = (0..<50).map { "\"k\($0)\":\"\($0)\"" }.joined(separator: ",")
    let moves = (0..<10).map { #"{"op":"move","from":"/k\#($0)","path":"/m\#($0)"}"# }
    let additions = (0..<10).map { #"{"op":"add","path":"/k\#($0)","value":"new \#($0)"}"# }
    let patch = try JSONPatch(Array("[\((moves + additions).joined(separator: ","))]".utf8))
    let bytes = try Conversion(to: .archive).convert(Array("{\(entries)}".utf8), named: "a.json").bytes
    let file = try EditableFile(bytes)
    for number in 0..<50 {
      #expect(try file.value(at: ValuePath([.key("k\(number)")])) == .string("\(number)"))
    }
    try file.apply(patch)
    for changed in [file, try EditableFile(file.bytes())] {
      for number in 0..<10 {
        #expect(try changed.value(at: ValuePath([.key("m\(number)")])) == .string("\(number)"))
        #expect(try changed.value(at: ValuePath([.key("k\(number)")])) == .string("new \(number)"))
      }
      #expect(try changed.value(at: ValuePath([.key("k49")])) == "49")
    }
  }

  @Test(arguments: [Format.json, .binaryPropertyList, .xmlPropertyList, .archive])
  func `Every key of a dictionary with a key table is found after insertions, removals and replacements`(
    _ format: Format
  ) throws {
    var random = SeededGenerator(seed: 5)
    var entries = (0..<100).map { (key: "k\($0)", value: "\($0)") }
    let json = entries.map { "\"\($0.key)\":\"\($0.value)\"" }.joined(separator: ",")
    let bytes = try Conversion(to: format).convert(Array("{\(json)}".utf8), named: "a.json").bytes
    let file = try EditableFile(bytes)
    for number in 0..<400 {
      let index = entries.isEmpty ? nil : Int.random(in: 0..<entries.count, using: &random)
      switch (Int.random(in: 0..<3, using: &random), index) {
      case (0, let index?):
        try file.remove(at: ValuePath([.key(entries[index].key)]))
        entries.remove(at: index)
      case (1, let index?):
        entries[index].value = "r\(number)"
        try file.set(.string(entries[index].value), at: ValuePath([.key(entries[index].key)]))
      default:
        entries.append(("n\(number)", "\(number)"))
        try file.insert(.string("\(number)"), at: ValuePath([.key("n\(number)")]))
      }
      guard let probe = entries.randomElement(using: &random) else { continue }
      #expect(try file.value(at: ValuePath([.key(probe.key)])) == .string(probe.value))
      #expect(throws: FerryError.self) { try file.value(at: ValuePath([.key("n\(number + 1)")])) }
    }
    let expected = Dictionary(uniqueKeysWithValues: entries.map { ($0.key, $0.value) })
    let found = try #require(try EditableFile(file.bytes()).value(at: ValuePath()).dictionaryValue)
    #expect(found.count == expected.count)
    for (key, value) in found { #expect(key.stringValue.flatMap { expected[$0] } == value.stringValue) }
  }

  @Test(arguments: [Format.json, .binaryPropertyList, .archive, .xml])
  func `Several changes are made together or not at all`(_ format: Format) throws {
    let bytes = try Conversion(to: format).convert(
      Array(#"{"a":{"x":"1","y":["2","3"]}}"#.utf8), named: "a.json"
    )
    .bytes
    var options = EditableFile.Options()
    options.budget.depth = 20
    let file = try EditableFile(bytes, options: options)
    try file.edit { file in
      try file.set("5", at: ValuePath([.key("a"), .key("x")]))
      try file.remove(at: ValuePath([.key("a"), .key("y"), .index(0)]))
      try file.insert("6", at: ValuePath([.key("a"), .key("z")]))
    }
    let changed = try file.bytes()
    #expect(try EditableFile(changed).value(at: ValuePath([.key("a"), .key("z")])) == "6")
    let error = #expect(throws: FerryError.self) {
      try file.edit { file throws(FerryError) in
        try file.remove(at: ValuePath([.key("a"), .key("x")]))
        try file.set("7", at: ValuePath([.key("a"), .key("nothing")]))
      }
    }
    #expect("\(error as Any)".contains("nothing"))
    #expect(try file.bytes() == changed)
    // A change that failed may be made in part, so its error cannot be ignored.
    var deep: Value = []
    for _ in 0..<30 { deep = [deep] }
    #expect(throws: FerryError.self) {
      try file.edit { file throws(FerryError) in
        _ = try? file.set(deep, at: ValuePath([.key("a"), .key("x")]))
      }
    }
    #expect(try file.bytes() == changed)
    try file.set("8", at: ValuePath([.key("a"), .key("x")]))
    #expect(try file.value(at: ValuePath([.key("a"), .key("x")])) == "8")
  }

  @Test func `A patch replaces the root of an archive, with few and with many operations`() throws {
    for count in [1, 10] {
      let file = try EditableFile(Archived.bytes(["a": "b"]))
      let add = #"{"op":"add","path":"/root","value":{"a":1}}"#
      try file.apply(JSONPatch(Array("[\(Array(repeating: add, count: count).joined(separator: ","))]".utf8)))
      #expect(try file.value(at: ValuePath()) == ["a": 1])
    }
  }

  /// Without the string, the object has no value of its class, and is left as it was.
  @Test(arguments: [
    #"{"$class":"NSAttributedString","string":"Hello","runs":[{"length":5,"attributes":{"a":2}}]}"#,
    #"{"$class":"NSAttributedString","runs":[{"length":5,"attributes":{"a":1}}]}"#,
  ])
  func `JSON that replaces an archived object has the same result in several changes as alone`(_ json: String)
    throws
  {
    let runs: Value = [["length": 5, "attributes": ["a": 1]]]
    let text = Value.object(
      ObjectValue(ObjectClass("NSAttributedString"), content: ["string": "Hello", "runs": runs]))
    let alone = try EditableFile(Archived.bytes(["x": text]))
    let first = Result { _ = try alone.set(text: json, as: .json, at: ValuePath(parsing: "x")) }
    let file = try EditableFile(Archived.bytes(["x": text]))
    let second = Result {
      try file.edit { file in _ = try file.set(text: json, as: .json, at: ValuePath(parsing: "x")) }
    }
    #expect("\(first)" == "\(second)")
    #expect(try file.value(at: ValuePath()) == alone.value(at: ValuePath()))
  }

  @Test func `A nested edit that fails is undone without the changes around it`() throws {
    let file = try EditableFile(Archived.bytes(["x": "a"]))
    try file.edit { file in
      try? file.edit { file in
        try file.insert("1", at: ValuePath(parsing: "y"))
        try file.remove(at: ValuePath(parsing: "nothing"))
      }
      try file.insert("2", at: ValuePath(parsing: "z"))
    }
    #expect(try EditableFile(file.bytes()).value(at: ValuePath()) == ["x": "a", "z": "2"])
  }

  @Test func `A failed change before a nested edit fails the outer edit`() throws {
    let file = try EditableFile(Archived.bytes(["x": "a"]))
    let before = try file.bytes()
    #expect(throws: FerryError.self) {
      try file.edit { file in
        _ = try? file.remove(at: ValuePath(parsing: "nothing"))
        try file.edit { file in try file.insert("3", at: ValuePath(parsing: "w")) }
      }
    }
    #expect(try file.bytes() == before)
  }

  @Test func `A long patch of an archive repairs objects and names an operation as a short one does`() throws
  {
    let runs: Value = [["length": 2, "attributes": ["a": 1]], ["length": 3, "attributes": ["b": 2]]]
    let text = Value.object(
      ObjectValue(ObjectClass("NSAttributedString"), content: ["string": "Hello", "runs": runs]))
    let url = Value.object(ObjectValue(ObjectClass("NSURL"), content: "https://a.org"))
    let bytes = try Archived.bytes(["x": text, "url": url, "list": ["a"]])
    let many = (0..<20).map { #"{"op":"add","path":"/list/-","value":"v\#($0)"}"# }.joined(separator: ",")
    let file = try EditableFile(bytes)
    try file.apply(
      JSONPatch(Array(#"[\#(many),{"op":"replace","path":"/x/string","value":"Hi"},\#(many)]"#.utf8)))
    #expect(try file.value(at: ValuePath(parsing: "x.runs[*].length")) == [2])
    #expect(try file.value(at: ValuePath(parsing: "list")).arrayValue?.count == 41)
    // Equal texts are one object, however long the patch is.
    let one = try EditableFile(bytes)
    for number in [0..<20, 0..<20].joined() {
      try one.apply(JSONPatch(Array(#"[{"op":"add","path":"/list/-","value":"v\#(number)"}]"#.utf8)))
    }
    try one.apply(JSONPatch(Array(#"[{"op":"replace","path":"/x/string","value":"Hi"}]"#.utf8)))
    let counts = try [file, one].map { file in
      let nodes = try #require(try Format.archive.nodes(of: MemoryInput(file.bytes()), budget: Budget()))
      return try ArchiveObjects(nodes).count
    }
    #expect(counts[0] == counts[1])
    for flaw in [#"{"op":"replace","path":"/url","value":"//a b"}"#, #"{"op":"remove","path":"/nothing"}"#] {
      let refused = try EditableFile(bytes)
      let error = try #require(throws: FerryError.self) {
        try refused.apply(JSONPatch(Array("[\(many),\(flaw),\(many)]".utf8)))
      }
      #expect("\(error)".contains("operation 20 of the patch"), "\(error)")
      #expect(try refused.bytes() == bytes)
    }
  }

  @Test func `A long patch of a typedstream or an archive takes time in proportion to its length`() throws {
    let records = (0..<1000).map { #"{"i":\#($0),"s":"x"}"# }
    let operations = (0..<1000).map { #"{"op":"replace","path":"/\#($0)/s","value":"y\#($0)"}"# }
    let patch = try JSONPatch(Array("[\(operations.joined(separator: ","))]".utf8))
    for format in [Format.archive, .typedstream] {
      let bytes = try Conversion(to: format).convert(
        Array("[\(records.joined(separator: ","))]".utf8), named: "a.json"
      )
      .bytes
      let file = try EditableFile(bytes)
      try expectProcessorTime(atMost: .seconds(20)) { try file.apply(patch) }
      #expect(try EditableFile(file.bytes()).value(at: ValuePath(parsing: "[999].s")) == "y999", "\(format)")
    }
  }

  @Test func `Operations at the end of a long path take time in proportion to its length`() throws {
    let (depth, count) = (400, 1000)
    let entries = (0..<count).map { "\"k\($0)\":\"a\"" }.joined(separator: ",")
    let json =
      String(repeating: #"{"n":"#, count: depth) + "{\(entries)}" + String(repeating: "}", count: depth)
    let path = String(repeating: "/n", count: depth)
    let operations = (0..<count).map { #"{"op":"replace","path":"\#(path)/k\#($0)","value":"b\#($0)"}"# }
    let patch = try JSONPatch(Array("[\(operations.joined(separator: ","))]".utf8))
    let bytes = try Conversion(to: .archive).convert(Array(json.utf8), named: "a.json").bytes
    let file = try EditableFile(bytes)
    // A walk from the root to each step would be one of 80 million steps.
    try expectProcessorTime(atMost: .seconds(30)) { try file.apply(patch) }
    #expect(try file.value(at: ValuePath(parsing: "\(path)/k999")) == "b999")
  }

  @Test func `All operations are applied or none`() throws {
    let list = #"{"a":[1,2],"b":1}"#
    let patch = #"""
      [{"op":"remove","path":"/a/0"},{"op":"move","from":"/b","path":"/c"},{"op":"test","path":"/c","value":2}]
      """#
    for format in [Format.json, .xmlPropertyList, .binaryPropertyList, .archive] {
      let bytes = try Conversion(to: format).convert(Array(list.utf8), named: "a.json").bytes
      let file = try EditableFile(bytes)
      let error = try #require(throws: FerryError.self) { try file.apply(JSONPatch(Array(patch.utf8))) }
      #expect("\(error)".contains("operation 2 of the patch"))
      #expect(try file.bytes() == bytes)
    }
  }

  @Test func `A replaced value keeps its type, and an added one has its own`() throws {
    let list = #"{"d":{"$date":"2001-01-01T00:00:00Z"},"b":{"$data":"AAEC"}}"#
    let file = try EditableFile(
      Conversion(to: .binaryPropertyList).convert(Array(#"{"$ferry":1,"$value":\#(list)}"#.utf8), named: nil)
        .bytes)
    let patch = #"""
      [{"op":"replace","path":"/d","value":"2001-01-02T00:00:00Z"},{"op":"add","path":"/b","value":"AAEC"},
       {"op":"add","path":"/s","value":{"$date":"2001-01-01T00:00:01Z"}}]
      """#
    try file.apply(JSONPatch(Array(patch.utf8)))
    #expect(
      try file.value(at: ValuePath())
        == ["d": .date(secondsSince2001: 86400), "b": "AAEC", "s": .date(secondsSince2001: 1)])
  }

  @Test func `An object that moves stays the same object`() throws {
    let typed = #"""
      {"$ferry":1,"$archiver":"NSKeyedArchiver","$top":{"root":{
        "a":[{"$class":"Person","$id":1,"name":"Ada"}],"b":[],"pal":{"$ref":1}}}}
      """#
    let bytes = try Conversion(to: .archive).convert(Array(typed.utf8), named: nil).bytes
    let file = try EditableFile(bytes)
    try file.apply(JSONPatch(Array(#"[{"op":"move","from":"/a/0","path":"/b/-"}]"#.utf8)))
    let changed = try EditableFile(file.bytes())
    try changed.set(text: "Bob", at: ValuePath(parsing: "b[0].name"))
    let output = MemoryOutput()
    _ = try EditableFile(changed.bytes()).writeText([ValuePath(parsing: "pal.name")], to: output)
    #expect(String(decoding: output.bytes, as: UTF8.self) == "Bob\n")
  }

  /// A family whose children refer to it, to the list of them and to each other.
  private static let family = #"""
    {"$ferry":1,"$archiver":"NSKeyedArchiver","$top":{"root":{"$class":"Family","$id":1,"name":"Smith","children":
      {"$class":"NSMutableArray","$id":2,"$items":[
        {"$class":"Child","$id":3,"name":"Ada","family":{"$ref":1},"all":{"$ref":2},"pen":{"$class":"Pen","color":"red"},
          "best":{"$class":"Child","$id":4,"name":"Bob","family":{"$ref":1},"best":{"$ref":3}}},
        {"$ref":4}]}}}}
    """#

  @Test(arguments: ["/children/-", "/children/0", "/first"])
  func `A copy of an object refers to the objects around it, and has copies of those inside`(_ target: String)
    throws
  {
    let bytes = try Conversion(to: .archive).convert(Array(Self.family.utf8), named: nil).bytes
    let file = try EditableFile(bytes)
    let copy = #"[{"op":"copy","from":"/children/0","path":"\#(target)"}]"#
    try file.apply(JSONPatch(Array(copy.utf8)))
    let edited = try file.bytes()
    let counts = try [bytes, edited].map { try Archived.raw($0)["$objects"]?.arrayValue?.count ?? 0 }
    // The copy has an object for the child, for its friend and for its pen, and shares their strings.
    #expect(counts[1] == counts[0] + 3)
    let changed = try EditableFile(edited)
    let path = target == "/first" ? "first" : target == "/children/0" ? "children[0]" : "children[2]"
    try changed.set(text: "Jones", at: ValuePath(parsing: path + ".family.name"))
    try changed.set(text: "blue", at: ValuePath(parsing: path + ".pen.color"))
    try changed.set(text: "Eve", at: ValuePath(parsing: path + ".best.name"))
    #expect(try changed.value(at: ValuePath(parsing: "name")) == "Jones")
    #expect(try changed.value(at: ValuePath(parsing: path + ".best.best.name")) == "Ada")
    let old = target == "/children/0" ? "children[1]" : "children[0]"
    #expect(try changed.value(at: ValuePath(parsing: old + ".pen.color")) == "red")
    #expect(try changed.value(at: ValuePath(parsing: old + ".best.name")) == "Bob")
    try changed.set(text: "Zoe", at: ValuePath(parsing: path + ".all[0].name"))
    #expect(try changed.value(at: ValuePath(parsing: "children[0].name")) == "Zoe")
  }

  @Test func `A copy of a reference to an object around it is a reference`() throws {
    let file = try EditableFile(Conversion(to: .archive).convert(Array(Self.family.utf8), named: nil).bytes)
    let copy = #"[{"op":"copy","from":"/children/0/family","path":"/children/1/owner"}]"#
    try file.apply(JSONPatch(Array(copy.utf8)))
    let changed = try EditableFile(file.bytes())
    try changed.set(text: "Jones", at: ValuePath(parsing: "children[1].owner.name"))
    #expect(try changed.value(at: ValuePath(parsing: "name")) == "Jones")
  }

  @Test func `A number that is a root of an archive moves to another name`() throws {
    let person: [Value] = [
      ["age": 5, "$class": .uid(2)], ["$classname": "Person", "$classes": ["Person", "NSObject"]],
    ]
    let file = try EditableFile(Archived.file(person, top: ["state": .uid(1), "version": 3, "isOpen": true]))
    try file.apply(
      JSONPatch(
        Array(
          #"""
          [{"op":"move","from":"/version","path":"/format"},{"op":"move","from":"/isOpen","path":"/state/open"}]
          """#.utf8)))
    #expect(try Archived.raw(file.bytes())["$top"] == ["state": .uid(1), "format": 3])
    #expect(try file.value(at: ValuePath(parsing: "state.open")) == true)
  }

  @Test func `An object moves into an archive inside data`() throws {
    let person = Value.object(ObjectValue(ObjectClass("Person"), content: ["name": "Ada"]))
    let inner = try Archived.bytes(["deep": ["x": 1]])
    let file = try EditableFile(Archived.bytes(["people": [person], "data": .data(inner)]))
    try file.apply(JSONPatch(Array(#"[{"op":"move","from":"/people/0","path":"/data/deep/p"}]"#.utf8)))
    #expect(try file.value(at: ValuePath(parsing: "data.deep.p.name")) == "Ada")
    #expect(try file.value(at: ValuePath(parsing: "people")) == [])
  }

  @Test(arguments: [
    ("1", "1.50"), ("1.5", "1.50"), ("1", "1e5"), ("1", "100000000000000000000000"), ("1.50", "2.50"),
    ("[1,2]", "[1,1.50,2]"), ("{}", "18446744073709551616"), ("18446744073709551616", "{}"),
    ("1.50", #""x""#),
  ])
  func `The patch of a difference has the decimals of an archive`(_ old: String, _ new: String) throws {
    let files = try [old, new].map { json in
      let bytes = Array("{\"a\":\(json)}".utf8)
      return FileComparison.File(
        try Conversion(to: .archive).convert(bytes, named: "a.json").bytes, name: "a.archive")
    }
    let comparison = FileComparison()
    let file = try EditableFile(files[0].bytes, named: "a.archive")
    try file.apply(JSONPatch(comparison.differences(from: files[0], to: files[1])))
    let losses = LossReport()
    let changed = FileComparison.File(try file.bytes(losses: losses), name: "a.archive")
    #expect(try comparison.differences(from: changed, to: files[1]).all.isEmpty)
    #expect(losses.isEmpty)
  }

  /// Returns a value of a few keys and elements, so that two values have parts in common.
  private static func value(_ random: inout SeededGenerator, depth: Int, plain: Bool) -> Value {
    let kinds = depth > 0 ? (plain ? 9 : 12) : (plain ? 6 : 9)
    switch Int.random(in: 0..<kinds, using: &random) {
    case 0: return .boolean(.random(using: &random))
    case 1: return .integer(Int128(Int.random(in: 0..<4, using: &random)))
    case 2: return .real(Double(Int.random(in: 0..<4, using: &random)) / 2 + 0.5)
    case 3, 4:
      return .string(["", "a", "2001-01-01T00:00:00Z", "AAEC", "$b"].randomElement(using: &random) ?? "")
    case 5: return .integer(7)
    case 6 where !plain: return .date(secondsSince2001: Double(Int.random(in: 0..<3, using: &random)))
    case 7 where !plain: return .data([0, 1, UInt8.random(in: 0..<3, using: &random)])
    case 8 where !plain && depth == 0: return .real(2)
    case let kind where kind % 2 == 0:
      return .array(
        (0..<Int.random(in: 0..<5, using: &random)).map { _ in value(&random, depth: depth - 1, plain: plain)
        })
    default:
      var entries = KeyedValues()
      for key in ["a", "b/c", "$d", "$$e", "~", "0", "-", ""] where Int.random(in: 0..<3, using: &random) == 0
      {
        entries[.string(key)] = value(&random, depth: depth - 1, plain: plain)
      }
      return .dictionary(entries)
    }
  }

  @Test(arguments: [
    Format.json, .jsonc, .xmlPropertyList, .binaryPropertyList, .archive, .openStepPropertyList,
  ])
  func `The patch of a difference makes one file the other`(_ format: Format) throws {
    var random = SeededGenerator(seed: 11)
    let isPlain = format == .json || format == .jsonc
    for round in 0..<400 {
      var root = KeyedValues()
      root["root"] = Self.value(&random, depth: 3, plain: isPlain)
      var other = KeyedValues()
      other["root"] = Self.value(&random, depth: 3, plain: isPlain)
      var files: [[UInt8]] = []
      for value in [Value.dictionary(root), .dictionary(other)] {
        let output = MemoryOutput()
        try Conversion(to: format).write(to: output, losses: LossReport()) { sink throws(FerryError) in
          try value.replay(into: sink)
        }
        files.append(output.bytes)
      }
      let comparison = FileComparison()
      let name = "a.\(format.description.extensions.first ?? "")"
      let (old, new) = (
        FileComparison.File(files[0], name: name), FileComparison.File(files[1], name: name)
      )
      let patch = MemoryOutput()
      try comparison.differences(from: old, to: new).writePatch(to: patch)
      let file = try EditableFile(files[0], named: name)
      do {
        try file.apply(JSONPatch(patch.bytes))
      } catch {
        Issue.record("\(round) \(error): \(root) \(other) \(String(decoding: patch.bytes, as: UTF8.self))")
        continue
      }
      let changed = FileComparison.File(try file.bytes(), name: name)
      let left = try comparison.differences(from: changed, to: new).all
      #expect(
        left.isEmpty, "\(round): \(root) \(other) \(String(decoding: patch.bytes, as: UTF8.self)) \(left)")
    }
  }
}
