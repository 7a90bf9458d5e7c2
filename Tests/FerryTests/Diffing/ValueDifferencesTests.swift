import Ferry
import TestSupport
import Testing

@Suite struct `Differences of values` {
  /// Returns the differences as lines: `- [1].a`, `+ .`, `~ a`, `> [0] [2]`.
  private func lines(
    _ old: String, _ new: String, ordersKeys: Bool = false, key: String? = nil,
    ignoring ignored: IgnoredDifferences = IgnoredDifferences()
  ) throws -> [String] {
    let found = ValueDifferences(
      from: try value(old), to: try value(new), ordersKeys: ordersKeys, key: key, ignoring: ignored)
    return found.all.map { difference in
      switch difference.change {
      case .removed: "- \(difference.oldPath?.description ?? "?")"
      case .added: "+ \(difference.newPath?.description ?? "?")"
      case .changed: "~ \(difference.newPath?.description ?? "?")"
      case .moved: "> \(difference.oldPath?.description ?? "?") \(difference.newPath?.description ?? "?")"
      case .sharing(let old, let new):
        "= \(difference.newPath?.description ?? "?") \(old?.description ?? "?") \(new?.description ?? "?")"
      case .documents(let areOld): areOld ? "documents" : "list"
      }
    }
  }

  private func value(_ json: String) throws -> Value {
    try Value(reading: MemoryInput(Array(json.utf8)), named: "a.json")
  }

  /// Expects that the differences are some lines, and that their operations make the new value, with moves for the lines of moves.
  private func expectMoves(_ old: String, _ new: String, _ expected: [String]) throws {
    #expect(try lines(old, new) == expected)
    let found = ValueDifferences(from: try value(old), to: try value(new))
    let result = applying(found.operations, to: try value(old))
    #expect(ValueDifferences(from: result, to: try value(new)).all.isEmpty, "\(found.operations)")
    let isMoved = found.operations.contains { if case .move = $0 { true } else { false } }
    #expect(isMoved == expected.contains { $0.hasPrefix(">") })
  }

  @Test func `Of equal elements, the one at the same place is unchanged`() throws {
    let changed = try lines(
      #"[{"s":1,"f":"H"},{"s":4,"f":"T"},{"s":4,"f":"T"}]"#,
      #"[{"s":1,"f":"o"},{"s":4,"f":"T"},{"s":4,"f":"p"}]"#)
    #expect(changed == ["~ [0].f", "~ [2].f"])
    #expect(try lines("[1, 2, 2, 3]", "[0, 2, 5, 4]") == ["~ [0]", "~ [2]", "~ [3]"])
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
    (
      #"[{"a":1,"b":2,"c":3},{"a":5,"b":6,"c":7},{"a":8,"b":9,"c":10}]"#,
      #"[{"a":8,"b":9,"c":11},{"a":1,"b":2,"c":3},{"a":5,"b":6,"c":7}]"#, ["> [2] [0]", "~ [0].c"]
    ),
    // Both have changed, so that no element shows that the others have moved.
    (
      #"[{"a":1,"b":2,"c":3},{"a":5,"b":6,"c":7}]"#, #"[{"a":5,"b":6,"c":8},{"a":1,"b":2,"c":4}]"#,
      ["> [1] [0]", "~ [0].c", "~ [1].c"]
    ),
    // Half of the values in a field are equal.
    (
      #"[{"p":{"x":1,"y":2,"z":3}},{"p":{"x":4,"y":5,"z":6}}]"#,
      #"[{"p":{"x":4,"y":5,"z":0}},{"p":{"x":1,"y":2,"z":3}}]"#, ["> [1] [0]", "~ [0].p.z"]
    ),
    (#"[[1,2,3],[4,5,6],[7,8,9]]"#, #"[[7,8,0],[1,2,3],[4,5,6]]"#, ["> [2] [0]", "~ [0][2]"]),
    // The most similar elements are pairs.
    (
      #"["x",{"a":1,"b":2,"c":3,"d":4},"y","z"]"#,
      #"[{"a":1,"b":2,"c":0,"d":0},"x","y","z",{"a":1,"b":2,"c":3,"d":0}]"#,
      ["+ [0]", "> [1] [4]", "~ [4].d"]
    ),
    // Such elements may have their parts in common by chance.
    (
      #"[{"k":"n","v":true,"id":1},{"k":"n","v":true,"id":2},{"k":"n","v":true,"id":3}]"#,
      #"[{"k":"n","v":true,"id":9},{"k":"n","v":true,"id":1},{"k":"n","v":true,"id":2}]"#, ["+ [0]", "- [2]"]
    ),
    (#"[[1,2],[3,4]]"#, #"[[3,9],[1,2]]"#, ["+ [0]", "- [1]"]),
    (#"["a","b","c"]"#, #"["d","a","b"]"#, ["+ [0]", "- [2]"]),
  ])
  func `An element of which half is equal has moved and changed`(
    _ old: String, _ new: String, _ expected: [String]
  ) throws {
    try expectMoves(old, new, expected)
  }

  @Test func `Elements of other classes are not versions of one element`() {
    func note(_ type: String, _ text: String) -> Value {
      .object(ObjectValue(ObjectClass(type), content: ["a": "x", "b": "y", "text": .string(text)]))
    }
    let old: Value = .array([note("Note", "1"), "p", "q"])
    let moved = ValueDifferences(from: old, to: .array(["p", "q", note("Note", "2")])).all
    #expect(moved.map(\.newPath) == ["[2]", "[2].text"] && moved.map(\.oldPath) == ["[0]", "[0].text"])
    let other = ValueDifferences(from: old, to: .array(["p", "q", note("Page", "2")])).all
    #expect(other.map(\.oldPath) == ["[0]", nil] && other.map(\.newPath) == [nil, "[2]"])
  }

  @Test func `A changed member of a set is found`() {
    func note(_ id: Int, _ text: String) -> Value {
      ["id": .integer(Int128(id)), "kind": "note", "text": .string(text)]
    }
    let old: Value = ["s": .set([note(1, "a"), note(2, "b"), note(3, "c"), note(4, "d")])]
    let new: Value = ["s": .set([note(5, "e"), note(3, "x"), note(4, "d"), note(2, "y")])]
    let found = ValueDifferences(from: old, to: new)
    #expect(found.all.map(\.oldPath) == ["s[0]", nil, "s[1].text", "s[2].text"])
    #expect(found.all.map(\.newPath) == [nil, "s[0]", "s[3].text", "s[1].text"])
    #expect(
      found.operations == [
        .remove(at: "s[0]"), .add(note(5, "e"), at: "s[3]"), .replace("y", at: "s[0].text"),
        .replace("x", at: "s[1].text"),
      ])
    #expect(ValueDifferences(from: applying(found.operations, to: old), to: new).all.isEmpty)
  }

  @Test func `A member of a set that refers to its owner differs only where it has changed`() {
    func owner(_ number: Int, _ tag: Int, _ names: [String]) -> Value {
      let members = names.enumerated().map { index, name in
        Value.object(
          ObjectValue(
            ObjectClass("Item"), identity: number + 1 + index,
            content: ["owner": .reference(number), "name": .string(name)]))
      }
      let content: Value = ["tag": .integer(Int128(tag)), "items": .set(members)]
      return .object(ObjectValue(ObjectClass("Owner"), identity: number, content: content))
    }
    let found = ValueDifferences(from: owner(1, 1, ["a", "b"]), to: owner(7, 2, ["b", "a"]))
    #expect(found.all.map(\.newPath) == ["tag"])
    #expect(found.operations == [.replace(2, at: "tag")])
    let more = ValueDifferences(from: owner(1, 1, ["a", "b"]), to: owner(7, 2, ["b", "c", "a"]))
    #expect(more.all.map(\.newPath) == ["items[1]", "tag"])
  }

  @Test func `Moved and changed elements of long lists are found in near-linear time`() {
    func record(_ index: Int, _ state: Int) -> Value {
      [
        "id": .integer(Int128(index)), "name": .string("n\(index)"), "kind": "usual",
        "state": .integer(Int128(state)),
      ]
    }
    let count = 40_000
    let old = Value.array((0..<count).map { record($0, 0) })
    let new = Value.array((0..<count).reversed().map { record($0, 1) })
    let found = expectProcessorTime(atMost: .seconds(20)) { ValueDifferences(from: old, to: new) }
    #expect(found.all.count { $0.change == .moved } == count - 1)
    #expect(found.all.count == 2 * count - 1)
    // No part tells elements apart.
    let usual = expectProcessorTime(atMost: .seconds(20)) {
      ValueDifferences(
        from: .array((0..<count).map { record($0 % 100, 0) } + [0]),
        to: .array([0] + (0..<count).map { record($0 % 100, 1) }))
    }
    #expect(!usual.all.isEmpty)
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
    // Values of which half is equal.
    (
      #"{"old":{"a":1,"b":2,"c":3},"z":1}"#, #"{"new":{"a":1,"b":2,"c":4,"d":[]},"z":1}"#,
      ["> old new", "~ new.c", "+ new.d"]
    ),
    (#"{"a":[1,2,3]}"#, #"{"b":[1,2,4]}"#, ["> a b", "~ b[2]"]),
    (#"{"a":[1,2]}"#, #"{"b":[1,3]}"#, ["- a", "+ b"]),
    (#"{"a":{"x":1,"y":2}}"#, #"{"b":{"x":1,"y":3},"c":{"x":1,"y":4}}"#, ["- a", "+ b", "+ c"]),
  ])
  func `A distinctive value under another key has moved`(
    _ old: String, _ new: String, _ expected: [String]
  ) throws {
    try expectMoves(old, new, expected)
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

  /// A value in lists, each of which is the only element of the next one.
  private func nested(_ value: Value, levels: Int) -> Value {
    (0..<levels).reduce(value) { inner, _ in .array([inner]) }
  }

  @Test func `Lists deep inside each other are compared in linear time`() {
    func lists(_ value: Value) -> Value { .array((0..<40).map { _ in nested(value, levels: 500) }) }
    let found = expectProcessorTime(atMost: .seconds(4)) { ValueDifferences(from: lists(1), to: lists(2)) }
    #expect(found.all.count == 40)
    #expect(found.all.allSatisfy { $0.change == .changed(from: 1, to: 2) && $0.newPath?.steps.count == 501 })
    #expect(found.operations.count == 40)
  }

  /// A value beside an object that is referred to again.
  private func besideShared(_ value: Value) -> Value {
    let object = ObjectValue(ObjectClass("Node"), identity: 1, content: ["name": "shared"])
    return .array([.object(object), .reference(1), value])
  }

  @Test func `Lists deep inside each other are compared in linear time beside shared objects`() {
    func lists(_ value: Value) -> Value {
      besideShared(.array((0..<40).map { _ in nested(value, levels: 500) }))
    }
    let found = expectProcessorTime(atMost: .seconds(8)) { ValueDifferences(from: lists(1), to: lists(2)) }
    #expect(found.all.count == 40)
    #expect(found.all.allSatisfy { $0.change == .changed(from: 1, to: 2) && $0.newPath?.steps.count == 502 })
  }

  @Test(arguments: [0, 60, 61, 62, 63, 64, 65, 66, 127, 128, 129])
  func `Values at any depth are compared in the same way beside shared objects`(_ levels: Int) {
    let pairs: [(old: Value, new: Value, changes: [ValueDifferences.Change])] = [
      ([1], ["k": 1], [.changed(from: [1], to: ["k": 1])]), ([1], 1, [.changed(from: [1], to: 1)]),
      ([[1], [2]], [[2]], [.removed([1])]), ([], [[1]], [.added([1])]),
    ]
    for (old, new, changes) in pairs {
      let found = ValueDifferences(
        from: besideShared(nested(old, levels: levels)), to: besideShared(nested(new, levels: levels)))
      #expect(found.all.map(\.change) == changes, "\(changes)")
    }
  }

  @Test(arguments: [0, 1, 14, 15, 16, 17, 18, 31, 32, 33, 47, 48, 49, 80])
  func `Values at any depth are compared in the same way`(_ levels: Int) {
    let record: Value = ["name": "a long enough name", "list": [[1, 2], [3]], "other": ["x": ["y": 1]]]
    let pairs: [(old: Value, new: Value, changes: [ValueDifferences.Change])] = [
      ([1], ["k": 1], [.changed(from: [1], to: ["k": 1])]), ([1], 1, [.changed(from: [1], to: 1)]),
      ([1, 2, 3], [3, 1, 2], [.moved]), ([[1], [2]], [[2]], [.removed([1])]), ([], [[1]], [.added([1])]),
      (["a": record], ["b": record], [.moved]),
      ([record, 1], [1, record], [.moved]),
      (["a": [[1]], "b": 2], ["b": 2, "a": [[3]]], [.changed(from: 1, to: 3)]),
    ]
    for (old, new, changes) in pairs {
      let (old, new) = (nested(old, levels: levels), nested(new, levels: levels))
      let found = ValueDifferences(from: old, to: new)
      #expect(found.all.map(\.change) == changes, "\(changes)")
      let result = applying(found.operations, to: old)
      #expect(ValueDifferences(from: result, to: new).all.isEmpty, "\(changes)")
    }
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
      if case .set(let members) = value {
        let list = change(.array(members), steps, body, inserts: inserts)
        return if case .array(let members)? = list { .set(members) } else { nil }
      }
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

  @Test(arguments: 0..<300)
  func `The operations move and change random records, members and entries`(_ seed: Int) throws {
    var generator = SeededGenerator(seed: UInt64(seed))
    func number(_ end: Int) -> Value { .integer(Int128(Int.random(in: 0..<end, using: &generator))) }
    func record(_ index: Int) -> Value {
      [
        "id": .integer(Int128(index)), "kind": ["a", "b"].randomElement(using: &generator) ?? "",
        "size": ["w": number(3), "h": number(9)], "tags": .array((0..<3).map { _ in number(5) }),
      ]
    }
    func changed(_ value: Value) -> Value {
      guard Bool.random(using: &generator), case .dictionary(var entries) = value else { return value }
      let key = ["id", "kind", "size", "tags", "new"].randomElement(using: &generator) ?? ""
      let values: [Value?] = [number(9), ["w": number(3), "h": number(9)], nil]
      entries[key] = values.randomElement(using: &generator) ?? nil
      return .dictionary(entries)
    }
    func rearranged(_ values: [Value]) -> [Value] {
      var values = values.filter { _ in Int.random(in: 0..<5, using: &generator) > 0 }.map(changed)
      if Bool.random(using: &generator) { values.shuffle(using: &generator) }
      values.insert(record(99), at: Int.random(in: 0...values.count, using: &generator))
      return values
    }
    func entries(_ values: [Value]) -> Value {
      var entries = KeyedValues()
      for value in values { entries["k\(Int.random(in: 0..<12, using: &generator))"] = value }
      return .dictionary(entries)
    }
    let values = (0..<Int.random(in: 1..<9, using: &generator)).map(record)
    let old: Value = ["list": .array(values), "set": .set(values), "map": entries(values)]
    let new: Value = [
      "list": .array(rearranged(values)), "set": .set(rearranged(values)),
      "map": entries(rearranged(values)),
    ]
    let found = ValueDifferences(from: old, to: new)
    let result = applying(found.operations, to: old)
    #expect(
      ValueDifferences(from: result, to: new).all.isEmpty,
      "\(old) → \(new): \(found.operations) gives \(result)")
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

  // MARK: Differences that are left out

  private func ignoring(
    _ values: [IgnoredDifferences.Values] = [], order: Bool = false
  ) -> IgnoredDifferences {
    var ignored = IgnoredDifferences()
    (ignored.values, ignored.order) = (values, order)
    return ignored
  }

  @Test func `Records that differ in an ignored key alone are equal, also if they have moved`() throws {
    let old = #"[{"id":1,"at":"a","x":{"at":1}},{"id":2,"n":"Bed","at":"b"}]"#
    let new = #"[{"id":2,"n":"Bed","at":"c"},{"id":1,"at":"d","x":{}}]"#
    #expect(try lines(old, new, ignoring: ignoring([.key("at")])) == ["> [1] [0]"])
    #expect(try lines(old, new, ignoring: ignoring([.key("at")], order: true)).isEmpty)
    #expect(try !lines(old, new, ignoring: ignoring(order: true)).isEmpty)
  }

  @Test(arguments: [
    ("people[*].at", true), ("people[].at", true), ("people[0].at", true), ("people[-1].at", true),
    ("people[0:].at", true), ("people[n=x].at", true), ("people[n!=y][n<=x].at", true),
    ("people[n!=x].at", false), ("[*][*].at", true), ("/people/0/at", true),
    ("people[1].at", false), ("people[1:].at", false), ("people[n=y].at", false), ("people.at", false),
    ("[*].at", false), ("people[*].n", false), ("at", false),
  ])
  func `A path leaves out the values that it selects`(_ path: String, _ isLeftOut: Bool) throws {
    let (old, new) = (#"{"people":[{"at":1,"n":"x"}]}"#, #"{"people":[{"at":2,"n":"x"}]}"#)
    let ignored = ignoring([.path(try ValuePath(parsing: path))])
    #expect(try lines(old, new, ignoring: ignored) == (isLeftOut ? [] : ["~ people[0].at"]))
  }

  @Test func `An object whose first reference is left out is compared at the next one`() {
    func value(_ number: Int, _ names: [String], isShared: Bool) -> Value {
      let objects = names.map { name in
        Value.object(
          ObjectValue(ObjectClass("Node"), identity: isShared ? number : nil, content: ["n": .string(name)]))
      }
      return ["a": objects[0], "b": ["c": isShared ? .reference(number) : objects[1]]]
    }
    let old = value(4, ["x"], isShared: true)
    let paths = ignoring([.path("a")])
    let same = ValueDifferences(from: old, to: value(0, ["y", "x"], isShared: false), ignoring: paths)
    #expect(same.all.isEmpty)
    let other = ValueDifferences(from: old, to: value(0, ["y", "z"], isShared: false), ignoring: paths)
    #expect(other.all.map(\.newPath) == ["b.c.n"])
    // A path to a shared object is one to the object at all paths.
    let inside = ValueDifferences(
      from: old, to: value(7, ["z"], isShared: true), ignoring: ignoring([.path("b.c.n")]))
    #expect(inside.all.isEmpty)
  }

  @Test func `Lists whose order does not matter have the same elements the same number of times`() throws {
    let ignored = ignoring(order: true)
    #expect(try lines("[1, 2, [3, 4], 2]", "[[4, 3], 2, 2, 1]", ignoring: ignored).isEmpty)
    #expect(try lines("[1, 1, 2]", "[1, 2, 2]", ignoring: ignored) == ["~ [2]"])
    #expect(try lines("[1, 2, 3]", "[3, 1]", ignoring: ignored) == ["- [1]"])
    #expect(
      try lines(
        #"[{"id":1,"b":2},{"id":2,"b":3}]"#, #"[{"id":2,"b":4},{"id":1,"b":2}]"#, key: "id",
        ignoring: ignored) == ["~ [0].b"])
    let old = #"[{"id":1,"b":2,"c":[1,2]},5,[1,2],7,"x"]"#
    let new = #"[[2,1,3],{"id":1,"b":3,"c":[2,1]},"x",7]"#
    let found = ValueDifferences(from: try value(old), to: try value(new), ignoring: ignored)
    #expect(!found.all.isEmpty)
    let result = applying(found.operations, to: try value(old))
    #expect(ValueDifferences(from: result, to: try value(new), ignoring: ignored).all.isEmpty)
  }
}
