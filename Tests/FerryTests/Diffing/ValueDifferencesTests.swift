import Ferry
import TestSupport
import Testing

@Suite struct `Differences of values` {
  /// Returns the differences as lines: `- [1].a`, `+ .`, `~ a`, `> [0] [2]`.
  private func lines(
    _ old: String, _ new: String, ordersKeys: Bool = false, key: String? = nil
  ) throws -> [String] {
    let found = ValueDifferences(
      from: try value(old), to: try value(new), ordersKeys: ordersKeys, key: key)
    return found.all.map { difference in
      switch difference.change {
      case .removed: "- \(difference.oldPath?.description ?? "?")"
      case .added: "+ \(difference.newPath?.description ?? "?")"
      case .changed: "~ \(difference.newPath?.description ?? "?")"
      case .moved: "> \(difference.oldPath?.description ?? "?") \(difference.newPath?.description ?? "?")"
      }
    }
  }

  private func value(_ json: String) throws -> Value {
    try Value(reading: MemoryInput(Array(json.utf8)), named: "a.json")
  }

  @Test(arguments: [
    ("1", "1", []),
    ("1", "2", ["~ "]),
    (#"{"a":1,"b":2}"#, #"{"b":2,"a":1}"#, []),
    (#"{"a":1,"b":2}"#, #"{"b":3,"c":1}"#, ["- a", "~ b", "+ c"]),
    ("[1,2,3]", "[1,3]", ["- [1]"]),
    ("[1,2,3]", "[0,1,2,3]", ["+ [0]"]),
    ("[1,2,3]", "[3,1,2]", ["> [2] [0]"]),
    (#"[{"a":1,"b":1},{"a":2,"b":2}]"#, #"[{"a":1,"b":1},{"a":2,"b":3}]"#, ["~ [1].b"]),
    (#"[{"a":1,"b":1},{"a":2,"b":2}]"#, #"[{"a":2,"b":2},{"a":1,"b":1}]"#, ["> [1] [0]"]),
    (#"[[1,2],[3]]"#, #"[[1,2],[3,4]]"#, ["+ [1][1]"]),
    (#"{"a":[]}"#, #"{"a":{}}"#, ["~ a"]),
    ("[1,1,1]", "[1,1]", ["- [2]"]),
    (#"{"a":1}"#, #"{"a":1.0}"#, ["~ a"]),
  ])
  func `Removed, added, changed and moved values are found with their paths`(
    _ old: String, _ new: String, _ expected: [String]
  ) throws {
    #expect(try lines(old, new) == expected)
  }

  @Test(arguments: [
    (#"{"old":{"a":1},"z":1}"#, #"{"new":{"a":1},"z":1}"#, ["> old new"]),
    (#"[{"old":[1],"x":2}]"#, #"[{"new":[1],"x":2}]"#, ["> [0].old [0].new"]),
    (#"{"a":[1],"b":[2]}"#, #"{"c":[2],"d":[1]}"#, ["> b c", "> a d"]),
    (#"{"a":[1],"b":[2]}"#, #"{"b":[3],"c":[1],"d":[2]}"#, ["~ b[0]", "> a c", "+ d"]),
    (#"{"a":"0123456789abcdef"}"#, #"{"b":"0123456789abcdef"}"#, ["> a b"]),
    // Such values may be equal by chance.
    (#"{"a":"0123456789abcde"}"#, #"{"b":"0123456789abcde"}"#, ["- a", "+ b"]),
    (#"{"a":{}}"#, #"{"b":{}}"#, ["- a", "+ b"]),
    (#"{"a":1}"#, #"{"b":1}"#, ["- a", "+ b"]),
    // Another value, or more than one entry that may be the other one.
    (#"{"a":[1]}"#, #"{"b":[2]}"#, ["- a", "+ b"]),
    (#"{"a":[1],"b":[1]}"#, #"{"c":[1]}"#, ["- a", "- b", "+ c"]),
    (#"{"a":[1]}"#, #"{"b":[1],"c":[1]}"#, ["- a", "+ b", "+ c"]),
    (#"{"a":[1],"k":[1]}"#, #"{"b":[1],"k":[1]}"#, ["> a b"]),
  ])
  func `A distinctive value under another key has moved`(
    _ old: String, _ new: String, _ expected: [String]
  ) throws {
    #expect(try lines(old, new) == expected)
    let found = ValueDifferences(from: try value(old), to: try value(new))
    let result = applying(found.operations, to: try value(old))
    #expect(ValueDifferences(from: result, to: try value(new)).all.isEmpty, "\(found.operations)")
    let isMoved = found.operations.contains { if case .move = $0 { true } else { false } }
    #expect(isMoved == expected.contains { $0.hasPrefix(">") })
  }

  @Test func `An object under another key has moved, but not a value whose keys look the same in paths`() {
    func note(_ name: String) -> Value {
      .object(ObjectValue(ObjectClass("Note"), content: ["name": .string(name)]))
    }
    let found = ValueDifferences(from: ["old": note("x")], to: ["new": note("x")])
    #expect(found.operations == [.move(from: "old", to: "new")])
    let data = Value.data(Array(0..<16))
    #expect(ValueDifferences(from: ["old": data], to: ["new": data]).all.map(\.change) == [.moved])
    #expect(ValueDifferences(from: ["old": note("x")], to: ["new": note("y")]).all.count == 2)
    var (numbered, named) = (KeyedValues(), KeyedValues())
    numbered[.integer(1)] = [1]
    named["1"] = [1]
    let other = ValueDifferences(from: .dictionary(numbered), to: .dictionary(named))
    #expect(other.all.map(\.change) == [.removed([1]), .added([1])])
  }

  @Test func `Thousands of renamed keys are found in near-linear time`() {
    func value(_ prefix: String) -> Value {
      var entries = KeyedValues()
      for index in 0..<50_000 { entries[prefix + String(index)] = [.integer(Int128(index))] }
      return .dictionary(entries)
    }
    let (old, new) = (value("a"), value("b"))
    let found = expectProcessorTime(atMost: .seconds(20)) { ValueDifferences(from: old, to: new) }
    #expect(found.all.count == 50_000 && found.all.allSatisfy { $0.change == .moved })
  }

  @Test func `A version without a value is added or removed as a whole`() {
    let found = ValueDifferences(from: nil, to: [1])
    #expect(found.all.map(\.change) == [.added([1])] && found.operations == [.add([1], at: ValuePath())])
    #expect(ValueDifferences(from: [1], to: nil).all.map(\.change) == [.removed([1])])
    #expect(ValueDifferences(from: nil, to: nil).all.isEmpty)
    #expect(ValueDifferences(from: .null, to: [1]).all.map(\.change) == [.changed(from: .null, to: [1])])
  }

  @Test func `Values of two kinds differ, even if their parts are equal`() {
    let values: [Value] = [
      .null, .string(""), .array([]), .set([]), .dictionary(KeyedValues()), .data([]), .unpairedString([]),
      .string("0.10"), .number("0.10"), .data(Array("0.10".utf8)), .real(1), .date(secondsSince2001: 1),
      .single(1),
      .integer(1), .boolean(true), .uid(1), .uid(Double(1).bitPattern), .array([.null]), .set([.null]),
      .array([.string("")]),
      .object(ObjectValue(ObjectClass("A"), content: .null)), .array([.array([])]),
    ]
    for (index, value) in values.enumerated() {
      for (other, second) in values.enumerated() {
        let found = ValueDifferences(from: [value], to: [second])
        #expect(found.all.isEmpty == (index == other), "\(value) \(second)")
        let nested = ValueDifferences(from: ["k": value], to: ["k": second])
        #expect(nested.all.isEmpty == (index == other), "\(value) \(second)")
      }
    }
  }

  @Test func `Long lists of other elements are compared in linear time`() {
    let old = Value.array((0..<40_000).map { .integer(Int128($0)) })
    let new = Value.array((0..<80_000).map { .integer(Int128($0.isMultiple(of: 2) ? $0 / 2 : -$0)) })
    let found = expectProcessorTime(atMost: .seconds(20)) { ValueDifferences(from: old, to: new) }
    #expect(found.all.count == 40_000)
  }

  @Test func `The moves of a long reversed list are found in near-linear time`() {
    let old = Value.array((0..<200_000).map { .integer(Int128($0)) })
    let new = Value.array((0..<200_000).reversed().map { .integer(Int128($0)) })
    let operations = expectProcessorTime(atMost: .seconds(20)) {
      ValueDifferences(from: old, to: new).operations
    }
    #expect(operations.count == 199_999)
    #expect(operations.first == .move(from: "[199999]", to: "[0]"))
    #expect(operations.last == .move(from: "[199999]", to: "[199998]"))
  }

  @Test func `The order of keys matters if it is asked for`() throws {
    #expect(try lines(#"{"a":1,"b":2}"#, #"{"b":2,"a":1}"#, ordersKeys: true) == ["~ "])
    #expect(try lines(#"{"a":1,"b":2}"#, #"{"a":1,"b":2}"#, ordersKeys: true) == [])
  }

  @Test func `Records are matched by their key`() throws {
    let old = #"[{"id":1,"a":"x","b":"y"},{"id":2,"a":"z","b":"w"}]"#
    let new = #"[{"id":2,"a":"1","b":"2"},{"id":1,"a":"3","b":"4"}]"#
    #expect(try lines(old, new, key: "id") == ["> [1] [0]", "~ [0].a", "~ [0].b", "~ [1].a", "~ [1].b"])
  }

  /// Applies a patch by its definition.
  private func applying(_ operations: [ValueDifferences.Operation], to value: Value) -> Value {
    func change(
      _ value: Value, _ steps: ArraySlice<ValuePath.Step>, _ body: (Value?) -> Value?, inserts: Bool
    ) -> Value? {
      guard let step = steps.first else { return body(value) }
      let isLast = steps.count == 1
      switch (value, step) {
      case (.dictionary(var entries), .key(let key)):
        entries[key] =
          isLast
          ? body(entries[key])
          : entries[key].flatMap { change($0, steps.dropFirst(), body, inserts: inserts) }
        return .dictionary(entries)
      case (.array(var list), .index(let index)):
        if isLast, inserts {
          if let new = body(nil) { list.insert(new, at: index) }
        } else if let changed = isLast
          ? body(list[index]) : change(list[index], steps.dropFirst(), body, inserts: inserts)
        {
          list[index] = changed
        } else {
          list.remove(at: index)
        }
        return .array(list)
      default: return value
      }
    }
    return operations.reduce(value) { value, operation in
      switch operation {
      case .add(let new, let path): change(value, path.steps[...], { _ in new }, inserts: true) ?? .null
      case .remove(let path): change(value, path.steps[...], { _ in nil }, inserts: false) ?? .null
      case .replace(let new, let path): change(value, path.steps[...], { _ in new }, inserts: false) ?? .null
      case .move(let from, let path):
        {
          var moved: Value?
          let without =
            change(
              value, from.steps[...],
              {
                moved = $0; return nil
              }, inserts: false) ?? .null
          return change(without, path.steps[...], { _ in moved }, inserts: true) ?? .null
        }()
      }
    }
  }

  @Test(arguments: 0..<400)
  func `The operations turn random values into others`(_ seed: Int) throws {
    var generator = SeededGenerator(seed: UInt64(seed))
    func random(_ depth: Int) -> Value {
      switch Int.random(in: 0..<(depth > 0 ? 6 : 3), using: &generator) {
      case 0: return .integer(Int128(Int.random(in: 0..<4, using: &generator)))
      case 1: return .string(["a", "b", "c"].randomElement(using: &generator) ?? "")
      case 2: return .null
      case 3, 4: return .array((0..<Int.random(in: 0..<6, using: &generator)).map { _ in random(depth - 1) })
      default:
        var entries = KeyedValues()
        for key in ["x", "y/~", "z"] where Bool.random(using: &generator) { entries[key] = random(depth - 1) }
        return .dictionary(entries)
      }
    }
    let (old, new) = (random(3), random(3))
    let found = ValueDifferences(from: old, to: new)
    let result = applying(found.operations, to: old)
    #expect(
      ValueDifferences(from: result, to: new).all.isEmpty,
      "\(old) → \(new): \(found.operations) gives \(result)")
    #expect(found.all.isEmpty == found.operations.isEmpty)
    #expect(ValueDifferences(from: old, to: old).all.isEmpty)
  }

  @Test func `Objects are compared by content, wherever they are stored and shared, also in cycles`() throws {
    let person = ObjectClass("Person")
    func ring(_ numbers: (Int, Int), _ name: String) -> Value {
      func fields(_ partner: Value, _ name: String) -> Value {
        var entries = KeyedValues()
        (entries["name"], entries["partner"]) = (.string(name), partner)
        return .dictionary(entries)
      }
      let second = ObjectValue(person, identity: numbers.1, content: fields(.reference(numbers.0), name))
      return .object(ObjectValue(person, identity: numbers.0, content: fields(.object(second), "Ada")))
    }
    #expect(ValueDifferences(from: ring((1, 2), "Eve"), to: ring((7, 3), "Eve")).all.isEmpty)
    let found = ValueDifferences(from: ring((1, 2), "Eve"), to: ring((2, 1), "Bob")).all
    #expect(found.map(\.newPath) == [ValuePath([.key("partner"), .key("name")])])
    let inline = Value.array([
      .object(ObjectValue(person, content: .string("x"))),
      .object(ObjectValue(person, content: .string("x"))),
    ])
    let shared = Value.array([
      .object(ObjectValue(person, identity: 4, content: .string("x"))), .reference(4),
    ])
    #expect(ValueDifferences(from: inline, to: shared).all.isEmpty)
  }

  /// A list of nodes, each of which refers to the next one, and the last one to the first.
  private func ring(_ count: Int, tag: (Int) -> Int) -> Value {
    .array(
      (0..<count).map { index in
        let fields: KeyedValues = [
          "name": .string("n\(index)"), "kind": "node", "tag": .integer(Int128(tag(index))),
          "next": .reference((index + 1) % count),
        ]
        return .object(ObjectValue(ObjectClass("Node"), identity: index, content: .dictionary(fields)))
      })
  }

  @Test func `The shortest path names a changed object`() {
    let found = ValueDifferences(from: ring(40) { $0 }, to: ring(40) { $0 == 30 ? -1 : $0 })
    #expect(found.all.map(\.newPath) == [ValuePath([.index(30), .key("tag")])])
    #expect(found.operations == [.replace(-1, at: ValuePath([.index(30), .key("tag")]))])
    let all = ValueDifferences(from: ring(40) { $0 }, to: ring(40) { -$0 - 1 })
    #expect(all.all.map(\.newPath) == (0..<40).map { ValuePath([.index($0), .key("tag")]) })
  }

  @Test func `Objects that refer to each other are compared in near-linear time`() {
    let found = expectProcessorTime(atMost: .seconds(20)) {
      ValueDifferences(from: ring(20_000) { $0 }, to: ring(20_000) { -$0 - 1 })
    }
    #expect(found.all.count == 20_000)
    #expect(found.all.allSatisfy { $0.newPath?.steps.count == 2 })
  }
}
