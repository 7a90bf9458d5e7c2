import TestSupport
import Testing

@testable import Ferry

/// Three versions (base, ours, theirs), and the expected result.
private typealias Case = (Value, Value, Value, String)
private typealias ListCase = (Value, Value, Value, Value)
private typealias Conflicting = (Value, Value, Value)

/// Merges JSON-like values, and tells what comes of it.
private func merged(
  _ base: Value?, _ ours: Value, _ theirs: Value, _ change: (inout ThreeWayMerge) -> Void = { _ in }
) throws -> (value: Value, conflicts: [String]) {
  var merge = ThreeWayMerge()
  change(&merge)
  let result = try merge.merge(base: base, ours: ours, theirs: theirs)
  return (result.value, result.conflicts.map(\.description))
}

@Suite struct `Merges of values` {
  @Test func `Equal records that both sides have added are merged in time in proportion to their number`()
    throws
  {
    let count = 500_000
    let records = [Value](repeating: ["a": 1], count: count)
    let result = try expectProcessorTime(atMost: .seconds(15)) {
      try merged([], .array(records), .array(records + [["b": 1]]))
    }
    #expect(result.value == .array(records + [["b": 1]]))
    #expect(result.conflicts == [])
  }

  @Test func `A conflict of values with equal beginnings names their first parts that differ`() {
    func list(_ x: Value) -> Value { [1, ["p": ["x": x, "y": 0]]] }
    let conflict = MergeConflict(path: ValuePath(), base: list(1), ours: list(2), theirs: list(3))
    #expect(
      conflict.description == "the whole document, first at [1].p.x: ours 2, theirs 3, base 1")
    let inDictionary = MergeConflict(
      path: ValuePath([.key("k")]), base: nil, ours: ["p": [1, 2]], theirs: ["p": [1, 3]])
    #expect(inDictionary.description == "k, first at p[1]: ours 2, theirs 3, base nothing")
  }

  @Test func `A conflict of long texts that begin alike shows their parts from the first difference on`() {
    let lines = (0..<16).map { "step \($0)" }
    func text(_ line: String) -> Value {
      .string((lines[..<14] + [line] + lines[15...]).joined(separator: "\n"))
    }
    let path = ValuePath([.key("run")])
    let words = #"from offset 100: ours "3\nX\nstep 15", theirs "3\nY\nstep 15", base "3\nstep 14\nstep 15""#
    let conflict = MergeConflict(path: path, base: text("step 14"), ours: text("X"), theirs: text("Y"))
    #expect(conflict.description == "run, " + words)
    let inList = MergeConflict(path: path, base: [text("step 14")], ours: [text("X")], theirs: [text("Y")])
    #expect(inList.description == "run, first at [0], " + words)
    let removed = MergeConflict(path: path, base: text("step 14"), ours: text("X"), theirs: nil)
    #expect(
      removed.description
        == #"run, from offset 100: ours "3\nX\nstep 15", theirs nothing, base "3\nstep 14\nstep 15""#)
    let data = MergeConflict(path: path, base: .data([1, 2]), ours: .data([1, 3]), theirs: .data([1, 255]))
    #expect(data.description == "run, from offset 0: ours <01 03>, theirs <01 ff>, base <01 02>")
    let accents = MergeConflict(path: path, base: nil, ours: "\u{e9}", theirs: "e\u{301}")
    #expect(
      accents.description == #"run, from offset 0: ours "\u{e9}", theirs "e\u{301}", base nothing"#)
    let comment = TextConflict(
      line: 3, base: "", ours: "# " + String(repeating: "a", count: 90),
      theirs: "# " + String(repeating: "a", count: 90) + "b", isOfContent: true)
    #expect(comment.description == #"3, from offset 90: ours "aa", theirs "aab", base nothing"#)
  }

  @Test(arguments: [[["x": 1]], ["people": [["x": 1]]]] as [Value])
  func `A key that no record has is refused, also if a side has changed nothing`(_ base: Value) throws {
    let other: Value = base["people"] == nil ? [["x": 2]] : ["people": [["x": 2]]]
    for (ours, theirs) in [(base, other), (other, base), (other, other), (base, base)] {
      let error = #expect(throws: MergeError.self) { try merged(base, ours, theirs) { $0.key = "nope" } }
      #expect(error?.error.reason == .record(.missingField("nope", record: "record")))
    }
    #expect(try merged(base, base, other) { $0.key = "x" }.value == other)
    #expect(try merged(["a": 1], ["a": 1], ["a": 2]) { $0.key = "nope" }.value == ["a": 2])
  }

  @Test func `Two versions of a value are merged key by key`() throws {
    let result = try merged(
      ["a": 1, "b": 2, "c": 3, "d": ["x": 1, "y": 2]], ["a": 9, "b": 2, "d": ["x": 1, "y": 5], "e": 4],
      ["a": 1, "b": 8, "c": 3, "d": ["x": 7, "y": 2], "f": 6])
    #expect(result.value == ["a": 9, "b": 8, "d": ["x": 7, "y": 5], "e": 4, "f": 6])
    #expect(result.conflicts == [])
  }

  @Test func `A change that both sides made alike is one change`() throws {
    #expect(try merged(["a": 1], ["a": 2, "b": ["c"]], ["a": 2, "b": ["c"]]).value == ["a": 2, "b": ["c"]])
  }

  @Test(
    arguments: [
      (["a": 1], ["a": 2], ["a": 3], "a: ours 2, theirs 3, base 1"),
      (["a": 1], [:], ["a": 3], "a: ours nothing, theirs 3, base 1"),
      (["a": 1], ["a": 2], [:], "a: ours 2, theirs nothing, base 1"),
      ([:], ["a": 2], ["a": "x"], #"a: ours 2, theirs "x", base nothing"#),
      (["a": 1], ["a": ["b": 1]], ["a": [1]], "a: ours {b: 1}, theirs a list of 1, base 1"),
      (1, 2, 3, "the whole document: ours 2, theirs 3, base 1"),
      (["a": ["b c": 1]], ["a": ["b c": 2]], ["a": ["b c": 3]], #"a["b c"]: ours 2, theirs 3, base 1"#),
    ] as [Case])
  func `Different changes of both sides are a conflict that keeps our side`(
    _ base: Value, _ ours: Value, _ theirs: Value, _ words: String
  ) throws {
    let result = try merged(base, ours, theirs)
    #expect(result.conflicts == [words])
    #expect(result.value == ours)
    #expect(try merged(base, ours, theirs) { $0.favored = .theirs }.value == theirs)
  }

  @Test(
    arguments: [
      ("t", ["a": 1], ["b": 2]), (.null, ["a": 1], ["b": 2]), ([1], ["a": 1], ["b": 2]),
      ("t", [1, 2], [1, 3]), (["id": 1, "n": 1], [["id": 1]], [["id": 1, "n": 1], ["id": 2]]),
      (.set([1, 2]), [1], [1, 2, 3]), ("t", .set([1]), .set([2])), ([1, 2], .set([1]), .set([1, 2, 3])),
    ] as [Conflicting])
  func `Different values of another kind than the base are a conflict, and equal ones are not`(
    _ base: Value, _ ours: Value, _ theirs: Value
  ) throws {
    let merge = ThreeWayMerge()
    let result = try merge.merge(base: ["x": base], ours: ["x": ours], theirs: ["x": theirs])
    #expect(result.conflicts.count == 1)
    #expect(result.conflicts.first?.base == base)
    #expect(result.value == ["x": ours])
    #expect(try merged(["x": base], ["x": theirs], ["x": theirs]).conflicts == [])
    // Without a base, both sides have created the value.
    if case .dictionary = ours { #expect(try merged([:], ["x": ours], ["x": theirs]).conflicts == []) }
  }

  @Test func `A conflict keeps the changes of both sides elsewhere`() throws {
    let result = try merged(["a": 1, "b": 1, "c": 1], ["a": 2, "b": 2, "c": 1], ["a": 3, "b": 1, "c": 3])
    #expect(result.value == ["a": 2, "b": 2, "c": 3])
    #expect(result.conflicts.count == 1)
  }

  @Test func `A merge keeps classes and merges objects by their fields`() throws {
    func person(_ name: String, _ first: Value, _ last: Value) -> Value {
      .object(ObjectValue(ObjectClass(name), content: ["first": first, "last": last]))
    }
    let result = try merged(person("P", "a", "b"), person("App.P", "a", "b"), person("P", "x", "b"))
    #expect(result.value == person("App.P", "x", "b"))
    #expect(result.conflicts == [])
    let conflict = try merged(person("P", "a", "b"), person("Q", "a", "y"), person("R", "x", "b"))
    #expect(conflict.value == person("Q", "x", "y"))
    #expect(conflict.conflicts == [#"$class: ours "Q", theirs "R", base "P""#])
    let scalar = { (text: Value) in Value.object(ObjectValue(ObjectClass("NSURL"), content: text)) }
    #expect(try merged(["u": scalar("a")], ["u": scalar("b")], ["u": scalar("c")]).conflicts.count == 1)
  }
}

@Suite struct `Merges of lists` {
  @Test(
    arguments: [
      (["a", "b", "c"], ["x", "a", "b", "c"], ["a", "b", "c", "y"], ["x", "a", "b", "c", "y"]),
      ([1, 2, 3, 4], [1, 3, 4], [1, 2, 3, 5], [1, 3, 5]),
      ([1, 2], [1, 2, 3], [1, 2, 3], [1, 2, 3]),
      ([1, 2, 3], [], [1, 2, 3], []),
      ([[1], [2], [3]], [[1], [2], [3, 3]], [[0], [2], [3]], [[0], [2], [3, 3]]),
    ] as [ListCase])
  func `Lists of scalars are merged if no two changes touch`(
    _ base: Value, _ ours: Value, _ theirs: Value, _ wanted: Value
  ) throws {
    let result = try merged(["l": base], ["l": ours], ["l": theirs])
    #expect(result.value["l"] == wanted)
    #expect(result.conflicts == [])
  }

  @Test(
    arguments: [
      ([1, 2, 3], [1, 5, 3], [1, 6, 3]), ([1], [1, 2], [1, 3]), ([1, 2], [], [1, 3]),
      ([0.5, 1.5], [0.5, 2], [0.25, 3]),
    ] as [Conflicting])
  func `Lists of scalars are in conflict if both sides changed the same part`(
    _ base: Value, _ ours: Value, _ theirs: Value
  ) throws {
    let result = try merged(["l": base], ["l": ours], ["l": theirs])
    #expect(result.conflicts.count == 1)
    #expect(result.conflicts.first?.hasPrefix("l: ours [") == true)
    #expect(result.value["l"] == ours)
  }

  @Test(
    arguments: [
      ("1\n2\n3\n", "x\n2\n3\n", "1\n2\n3\ny\n", "x\n2\n3\ny\n"),
      ("1\n2\n3", "1\n3", "1\n2\n3\n4", "1\n3\n4"),
      ("1\r\n2\r\n3\r\n", "x\r\n2\r\n3\r\n", "1\r\n2\r\n3\n", "x\r\n2\r\n3\n"),
      ("\n\n", "a\n\n", "\n\nb", "a\n\nb"),
    ] as [(String, String, String, String)])
  func `Texts of several lines are merged if no two changes touch`(
    _ base: String, _ ours: String, _ theirs: String, _ wanted: String
  ) throws {
    let result = try merged(["t": .string(base)], ["t": .string(ours)], ["t": .string(theirs)])
    #expect(result.value == ["t": .string(wanted)])
    #expect(result.conflicts == [])
  }

  @Test(
    arguments: [
      ("1\n2\n3", "1\nx\n3", "1\ny\n3"), ("1\n2", "1\nx", "y\n2"), ("1", "1\n2", "0\n1"),
      ("1\n2", "", "1\n2\n3"),
    ] as [(String, String, String)])
  func `Texts are in conflict if both sides changed the same or neighboring lines`(
    _ base: String, _ ours: String, _ theirs: String
  ) throws {
    let result = try merged(["t": .string(base)], ["t": .string(ours)], ["t": .string(theirs)])
    #expect(result.conflicts.count == 1)
    #expect(result.value == ["t": .string(ours)])
  }

  @Test func `Texts in objects of a class, and texts without a base, are not merged by line`() throws {
    func note(_ text: String) -> Value {
      .object(ObjectValue(ObjectClass("Note"), content: ["in": ["text": .string(text)]]))
    }
    #expect(try merged([note("1\n2\n3")], [note("x\n2\n3")], [note("1\n2\ny")]).conflicts.count == 1)
    #expect(try merged([:], ["t": "1\n2"], ["t": "1\n2\n3"]).conflicts.count == 1)
  }

  @Test func `Lists that are sets get what either side added and lose what either side removed`() throws {
    let result = try merged(.set([1, 2, 3]), .set([2, 3, 4]), .set([1, 3, 5]))
    #expect(result.value == .set([3, 4, 5]))
  }
}

@Suite struct `Merges of records` {
  private func people(_ names: [(String, String)]) -> Value {
    .array(names.map { ["key": .string($0.0), "name": .string($0.1)] })
  }

  @Test func `Records with a key are merged by it, and their new ones get their position in our order`()
    throws
  {
    let base = people([("a", "1"), ("b", "2"), ("c", "3"), ("d", "4")])
    let ours = people([("c", "3"), ("a", "9"), ("b", "2"), ("n", "n")])
    let theirs = people([("z", "z"), ("a", "1"), ("y", "y"), ("b", "8"), ("c", "3"), ("d", "4"), ("w", "w")])
    let result = try merged(base, ours, theirs) { $0.key = "key" }
    #expect(
      result.value
        == people([("z", "z"), ("c", "3"), ("w", "w"), ("a", "9"), ("y", "y"), ("b", "8"), ("n", "n")]))
    #expect(result.conflicts == [])
  }

  @Test func `Records that a side removed still divide what the other side added before and after them`()
    throws
  {
    func records(_ keys: String) -> Value { .array(keys.map { ["id": .string(String($0))] }) }
    for (base, ours, theirs, expected) in [
      ("012", "023", "041", "043"), ("012", "041", "023", "043"), ("012", "0123", "04", "034"),
      ("012", "03", "012", "03"), ("0123", "034", "0512", "054"), ("0123", "30", "0153", "305"),
      // Theirs may have added its records before or after the removed one.
      ("01", "13", "024", "324"),
    ] {
      let result = try merged(records(base), records(ours), records(theirs))
      #expect(result.value == records(expected), "\(base) \(ours) \(theirs)")
      #expect(result.conflicts == [])
    }
  }

  @Test func `Records take the order of the only side that changed it`() throws {
    let base = people([("a", "1"), ("b", "2"), ("c", "3")])
    let ours = people([("a", "1"), ("b", "9"), ("x", "x"), ("c", "3")])
    let theirs = people([("c", "3"), ("b", "2"), ("a", "1")])
    #expect(try merged(base, ours, theirs).value == people([("c", "3"), ("b", "9"), ("x", "x"), ("a", "1")]))
  }

  @Test func `Records in conflict are named by their key, field by field`() throws {
    let base = people([("a", "1"), ("b", "2"), ("c", "3")])
    let ours = people([("a", "X"), ("c", "3"), ("n", "mine")])
    let theirs = people([("a", "Y"), ("b", "changed"), ("n", "other")])
    let result = try merged(base, ours, theirs)
    #expect(
      result.conflicts == [
        #"[key="a"].name: ours "X", theirs "Y", base "1""#,
        #"[key="b"]: ours nothing, theirs {key: "b", name: "changed"}, base {key: "b", name: "2"}"#,
        #"[key="n"].name: ours "mine", theirs "other", base nothing"#,
      ])
    #expect(result.value == people([("a", "X"), ("n", "mine")]))
    let path = try #require(
      try ThreeWayMerge().merge(base: base, ours: ours, theirs: theirs).conflicts.first?.path)
    #expect(try ValuePath(parsing: path.description) == path)
  }

  @Test func `Of equal records, a side that changes the list in place changes the one at its place`() throws {
    func records(_ texts: [String]) -> Value { .array(texts.map { ["a": .string($0), "b": "x", "c": "y"] }) }
    let texts = ["1", "2", "2", "2"]
    for changed in 0..<4 {
      for other in 0..<4 where other != changed {
        var (ours, theirs, expected) = (texts, texts, texts)
        (ours[0], expected[0]) = ("0", "0")
        (ours[changed], expected[changed]) = ("o", "o")
        (theirs[other], expected[other]) = ("t", "t")
        let result = try merged(records(texts), records(ours), records(theirs))
        guard other != 0 else {
          #expect(!result.conflicts.isEmpty)
          continue
        }
        #expect(result.value == records(expected))
        #expect(result.conflicts == [])
      }
    }
  }

  @Test func `Equal records that both sides added are one record`() throws {
    let result = try merged(
      people([]), people([("a", "1"), ("b", "2")]), people([("b", "2"), ("c", "3")]))
    #expect(result.value == people([("a", "1"), ("b", "2"), ("c", "3")]))
  }

  @Test func `Equal records that both sides added at different positions stay two, and at one position one`()
    throws
  {
    func records(_ names: String) -> Value { .array(names.map { ["e": .string(String($0))] }) }
    for (base, ours, theirs, expected) in [
      ("PQRP", "PQRRP", "PQRPR", "PQRRPR"), ("PQ", "XPQ", "PQX", "XPQX"), ("PQ", "PXQ", "PXQ", "PXQ"),
      ("PQ", "PXXQ", "PXQX", "PXXQX"), ("", "XY", "YX", "XY"), ("PQ", "PXYQ", "PYXQ", "PXYQ"),
      ("XQ", "XXQ", "NXXQ", "NXXQ"), ("PX", "PXX", "PXXN", "PXXN"),
    ] {
      let result = try merged(records(base), records(ours), records(theirs))
      #expect(result.value == records(expected), "\(base) \(ours) \(theirs)")
      #expect(result.conflicts == [])
    }
  }

  @Test(
    arguments: [
      (
        [["a": 1], ["b": 2]], [["a": 1], ["b": 2], ["c": 3]], [["a": 1], ["b": 9], ["d": 4]],
        [["a": 1], ["b": 9], ["c": 3], ["d": 4]]
      ),
      (
        [["a": 1], ["b": 2]], [["a": 1], ["c": 3], ["b": 2]], [["a": 1], ["b": 9], ["d": 4]],
        [["a": 1], ["c": 3], ["b": 9], ["d": 4]]
      ),
      (
        [["a": 1], ["b": 2]], [["a": 1], ["b": 9], ["d": 4]], [["a": 1], ["c": 3], ["b": 2]],
        [["a": 1], ["c": 3], ["b": 9], ["d": 4]]
      ),
      (
        [["n": 1], ["n": 2]], [["n": 1], ["n": 2], ["n": 3]], [["n": 1], ["n": 8], ["n": 9]],
        [["n": 1], ["n": 8], ["n": 9], ["n": 3]]
      ),
      (
        [["n": 1], ["n": 2]], [["n": 1], ["n": 3], ["n": 2]], [["n": 1], ["n": 8], ["n": 9]],
        [["n": 1], ["n": 3], ["n": 8], ["n": 9]]
      ),
      (
        [["x": 1, "y": 1, "z": 1], ["x": 2, "y": 2, "z": 2], ["x": 3, "y": 3, "z": 3]],
        [["x": 9, "y": 9, "z": 9], ["x": 0, "y": 1, "z": 1], ["x": 3, "y": 3, "z": 3]],
        [
          ["x": 1, "y": 1, "z": 1], ["x": 2, "y": 2, "z": 2], ["x": 8, "y": 8, "z": 8],
          ["x": 3, "y": 3, "z": 3],
        ],
        [
          ["x": 9, "y": 9, "z": 9], ["x": 0, "y": 1, "z": 1], ["x": 8, "y": 8, "z": 8],
          ["x": 3, "y": 3, "z": 3],
        ]
      ),
    ] as [ListCase])
  func `Additions of one side stay before or after the records that the other side has changed or replaced`(
    _ base: Value, _ ours: Value, _ theirs: Value, _ expected: Value
  ) throws {
    let result = try merged(base, ours, theirs)
    #expect(result.value == expected)
    #expect(result.conflicts == [])
  }

  /// Returns records with one field each, so that no two are similar.
  private func records(_ names: some StringProtocol) -> Value {
    .array(names.map { ["e": .string(String($0))] })
  }

  @Test(arguments: [
    // Either added record may be the one that the other side has removed, or both sides have put records in its place.
    "ABC AXYC AC", "AB mA W", "ABCD AXD ACD", "ABCD AXD AD", "AB AXY AXZ", "AB AXY AZW", "AB AX AXY",
    "ABC AXYC AXYZC",
    // The order of the replaced records proves nothing about the order of those in their place.
    "ABCD AXD ABNCD", "ABCD AXYD ABNCD", "ABCD AXYD ACBD", "ABCD AXD ACDB",
  ])
  func
    `Changes of one side to records that the other has replaced are a conflict, of which one side wins as a whole`(
      _ names: String
    ) throws
  {
    let lists = names.split(separator: " ").map { records($0) }
    for (ours, theirs) in [(lists[1], lists[2]), (lists[2], lists[1])] {
      let result = try merged(lists[0], ours, theirs)
      #expect(result.conflicts.count == 1)
      #expect(result.value == ours)
      #expect(try merged(lists[0], ours, theirs) { $0.favored = .theirs }.value == theirs)
    }
  }

  @Test(arguments: [
    ("AB ABX ABY", "ABXY"), ("ABC ABCX NABC", "NABCX"), ("ABCDE AXDE ABCDF", "AXDF"),
    ("ABCD XYCD ABCDN", "XYCDN"),
    ("ABCD AXYD ADBC", "ADXY"), ("ABCD AXD ADBC", "ADX"), ("ABC AXYC ANBC", "ANXYC"),
    ("ABC AXYC AXYC", "AXYC"),
    ("ABC AXC ACB", "ACX"),
  ])
  func `Replaced records that the other side has left together are merged with its changes`(
    _ names: String, _ expected: String
  ) throws {
    let lists = names.split(separator: " ").map { records($0) }
    let result = try merged(lists[0], lists[1], lists[2])
    #expect(result.value == records(expected))
    #expect(result.conflicts == [])
  }

  @Test func `The only records with the same keys match before others at the same position`() throws {
    let result = try merged(
      [["a": 1], ["b": 2]], [["b": 9], ["d": 4]], [["a": 1], ["n": 7], ["b": 2]])
    #expect(result.value == [["n": 7], ["b": 9], ["d": 4]])
    #expect(result.conflicts == [])
  }

  @Test func `A change goes into the most similar record, not into the first similar one`() throws {
    func record(_ name: String, _ role: String, _ city: String, _ active: String) -> Value {
      ["name": .string(name), "role": .string(role), "city": .string(city), "active": .string(active)]
    }
    let added = record("Ada", "user", "Lima", "no")
    let result = try merged(
      [record("Bea", "user", "Bonn", "no")], [added, record("Bea", "user", "Bonn", "yes")],
      [record("Bea", "guest", "Bonn", "no")])
    #expect(result.value == [added, record("Bea", "guest", "Bonn", "yes")])
    #expect(result.conflicts == [])
  }

  @Test
  func `A record with half of the fields of one is not sure to be a version of it beside added records`()
    throws
  {
    let base: Value = [["n": "b", "r": "u", "c": "O", "a": 1]]
    let ours: Value = [["n": "x", "r": "w", "c": "L", "a": 2], ["n": "y", "r": "u", "c": "O", "a": 2]]
    let theirs: Value = [["n": "b", "r": "u", "c": "R", "a": 1]]
    let result = try merged(base, ours, theirs)
    #expect(result.conflicts.count == 1)
    #expect(result.value == ours)
    let unchanged = try merged(base, ours, base)
    #expect(unchanged.value == ours)
    #expect(unchanged.conflicts == [])
    let inPlace = try merged([["f": "a", "l": "b"]], [["f": "x", "l": "b"]], [["f": "a", "l": "y"]])
    #expect(inPlace.value == [["f": "x", "l": "y"]])
    #expect(inPlace.conflicts == [])
  }

  @Test func `An element that both sides have moved to different positions or changed there is a conflict`()
    throws
  {
    func record(_ name: String, _ x: Int128) -> Value { ["n": .string(name), "x": .integer(x), "y": 0] }
    func records(_ first: Int128, _ names: String) -> Value {
      .array(names.map { record(String($0), $0 == "a" ? first : 5) })
    }
    func list(_ names: String) -> Value { .array(names.map { .string(String($0)) }) }
    for (base, ours, theirs) in [
      (records(1, "ab"), records(9, "ba"), records(8, "ba")),
      (records(1, "abcd"), records(9, "bacd"), records(8, "bcda")),
      (records(1, "abcd"), records(9, "bacd"), records(9, "bcda")),
      (list("eabcd"), list("abecd"), list("abcde")),
    ] {
      let result = try merged(base, ours, theirs)
      #expect(result.conflicts.count == 1)
      #expect(result.value == ours)
    }
    let alike = try merged(records(1, "abcd"), records(9, "bcda"), records(9, "bcda"))
    #expect(alike.value == records(9, "bcda"))
    #expect(alike.conflicts == [])
  }

  @Test func `A record that one side moves and changes is in conflict if the other changes or removes it`()
    throws
  {
    func record(_ name: String, _ x: Int128, _ y: Int128) -> Value {
      ["n": .string(name), "x": .integer(x), "y": .integer(y)]
    }
    let other = record("b", 2, 2)
    let base: Value = [record("a", 1, 1), other]
    let moved: Value = [other, record("a", 9, 1)]
    let changes: [(list: Value, version: Value?)] = [
      ([other], nil), ([record("a", 8, 1), other], record("a", 8, 1)),
    ]
    let merge = ThreeWayMerge()
    for (changed, version) in changes {
      let result = try merge.merge(base: base, ours: moved, theirs: changed)
      #expect(result.conflicts.map(\.ours) == [moved[1]])
      #expect(result.conflicts.map(\.theirs) == [version])
      #expect(result.conflicts.map(\.base) == [base[0]])
      #expect(result.value == moved)
      let reversed = try merge.merge(base: base, ours: changed, theirs: moved)
      #expect(reversed.conflicts.map(\.ours) == [version])
      #expect(reversed.conflicts.map(\.theirs) == [moved[1]])
    }
    let alone = try merged(base, moved, base)
    #expect(alone.value == moved && alone.conflicts == [])
  }

  @Test func `A record that is as similar to two others is a version of neither`() throws {
    let base: Value = [["t": "x", "v": 1], ["t": "x", "v": 2], ["t": "x", "v": 3]]
    let ours: Value = [["t": "x", "v": 9], ["t": "x", "v": 3]]
    let theirs: Value = [["t": "x", "v": 1, "w": 5], ["t": "x", "v": 2], ["t": "x", "v": 3]]
    let result = try merged(base, ours, theirs)
    #expect(result.conflicts.count == 1)
    #expect(result.value == ours)
    let other = try merged(
      [["t": "x", "u": "y", "v": 1], ["t": "x", "u": "z", "v": 2]], [["t": "x", "u": "y", "v": 9]],
      [["t": "x", "u": "y", "v": 1, "w": 5], ["t": "x", "u": "z", "v": 2]])
    #expect(other.value == [["t": "x", "u": "y", "v": 9, "w": 5]])
    #expect(other.conflicts == [])
  }

  @Test(arguments: [MergeSide.base, .ours, .theirs])
  func `Records with a key twice are refused in every version`(
    _ side: MergeSide
  ) throws {
    let good = people([("a", "1")])
    let bad = people([("a", "1"), ("a", "2")])
    var merge = ThreeWayMerge()
    merge.key = "key"
    let error = #expect(throws: MergeError.self) {
      try merge.merge(
        base: side == .base ? bad : people([]), ours: side == .ours ? bad : good,
        theirs: side == .theirs ? bad : people([("b", "2")]))
    }
    #expect(error?.side == side)
    #expect(error?.error.reason == .record(.duplicateKey("key", value: #""a""#, first: "[0]")))
    #expect(error?.error.path.description == "[1].key")
  }

  @Test func `Records without the requested key are refused`() throws {
    var merge = ThreeWayMerge()
    merge.key = "email"
    let error = #expect(throws: MergeError.self) {
      try merge.merge(base: [], ours: people([("a", "1")]), theirs: people([("b", "2")]))
    }
    #expect(error?.error.reason == .record(.missingField("email", record: "record")))
  }

  @Test func `Records inside records are merged by their own keys`() throws {
    func group(_ members: [(String, String)]) -> Value { [["id": 1, "members": people(members)]] }
    let result = try merged(
      group([("a", "1"), ("b", "2")]), group([("a", "X"), ("b", "2")]),
      group([("a", "1"), ("b", "Y"), ("c", "3")]))
    #expect(result.value == group([("a", "X"), ("b", "Y"), ("c", "3")]))
    let conflict = try merged(group([("a", "1")]), group([("a", "X")]), group([("a", "Y")]))
    #expect(conflict.conflicts == [#"[id="1"].members[key="a"].name: ours "X", theirs "Y", base "1""#])
  }

  @Test func `Records of a schema are merged by its key, nested ones too`() throws {
    let part = RecordType(
      element: "part", className: "Part", fields: [RecordField("no", .integer)], key: "no")
    let thing = RecordType(
      element: "thing", className: "Thing",
      fields: [RecordField("name", .string), RecordField("parts", .list(.record(part), element: "part"))],
      key: "name")
    func things(_ parts: [(Int, Int)]) -> Value {
      [
        [
          "name": "n",
          "parts": .array(parts.map { ["no": .integer(Int128($0.0)), "x": .integer(Int128($0.1))] }),
        ]
      ]
    }
    let result = try merged(things([(1, 1), (2, 2)]), things([(2, 2), (1, 5)]), things([(1, 1), (2, 6)])) {
      $0.record = thing
    }
    #expect(result.value == things([(2, 6), (1, 5)]))
    #expect(result.conflicts == [])
  }

  @Test func `Records of a schema have one key in any notation of its type`() throws {
    let thing = RecordType(
      element: "thing", className: "Thing", fields: [RecordField("n", .decimal), RecordField("v", .integer)],
      key: "n")
    func list(_ key: Value, _ value: Value) -> Value { [["n": key, "v": value]] }
    let (a, b, c) = (Value.integer(1), Value.real(1), Value.number("1.00"))
    // Ours has another notation, and theirs another value.
    var result = try merged(list(a, 1), list(b, 1), list(a, 2)) { $0.record = thing }
    #expect(result.value == list(b, 2))
    #expect(result.conflicts == [])
    // Both have another notation.
    result = try merged(list(a, 1), list(b, 1), list(c, 2)) { $0.record = thing }
    #expect(result.value == list(b, 2))
    #expect(result.conflicts == [])
    result = try merged(list(a, 1), list(b, 3), list(c, 2)) {
      ($0.record, $0.favored) = (thing, .theirs)
    }
    #expect(result.value == list(c, 2))
    #expect(result.conflicts.count == 1)
    #expect(result.conflicts.first?.hasSuffix(".v: ours 3, theirs 2, base 1") == true)
  }
}

@Suite struct `Merges of records without a key` {
  private func people(_ names: [String]) -> Value {
    .array(
      names.map { name in
        let parts = name.split(separator: " ").map(String.init)
        return ["first": .string(parts[0]), "last": .string(parts[1])]
      })
  }

  @Test(arguments: [
    (["A a", "B b", "C c"], ["A x", "B b", "C c"], ["A a", "B b", "C z"], ["A x", "B b", "C z"]),
    // Neighbors, each changed by one side.
    (["A a", "B b"], ["A x", "B b"], ["A a", "B y"], ["A x", "B y"]),
    // The same record, other fields.
    (["A a", "B b"], ["X a", "B b"], ["A y", "B b"], ["X y", "B b"]),
    // Both append.
    (["A a"], ["A a", "B b"], ["A a", "C c"], ["A a", "B b", "C c"]),
    // One removes, the other appends.
    (["A a", "B b"], ["B b"], ["A a", "B b", "C c"], ["B b", "C c"]),
    // One changes and appends, the other changes another.
    (
      ["A a", "B b", "C c"], ["A x", "B b", "C c", "D d"], ["A a", "B b", "C y"],
      ["A x", "B b", "C y", "D d"]
    ),
    // Both add the same.
    (["A a"], ["A a", "B b"], ["A a", "B b", "C c"], ["A a", "B b", "C c"]),
    // One moves a record, the other changes it: it is changed where it is now.
    (["A a", "B b", "C c"], ["C c", "A a", "B b"], ["A a", "B b", "C y"], ["C y", "A a", "B b"]),
  ])
  func `Records without a key are matched by their contents`(
    _ base: [String], _ ours: [String], _ theirs: [String], _ wanted: [String]
  )
    throws
  {
    let result = try merged(people(base), people(ours), people(theirs))
    #expect(result.value == people(wanted))
    #expect(result.conflicts == [])
  }

  @Test(arguments: [
    (["A a"], ["A x"], ["A y"], #"[0].last: ours "x", theirs "y", base "a""#),
    // A record that has become another, and is changed by the other side, is not mixed with it.
    (
      ["A a"], ["Z z"], ["A y"],
      #"[0]: ours {first: "Z", last: "z"}, theirs {first: "A", last: "y"}, base {first: "A", last: "a"}"#
    ),
    (
      ["A a", "B b"], ["B b"], ["A y", "B b"],
      #"[0]: ours nothing, theirs {first: "A", last: "y"}, base {first: "A", last: "a"}"#
    ),
  ])
  func `Records without a key are in conflict if they cannot be told apart`(
    _ base: [String], _ ours: [String], _ theirs: [String], _ words: String
  ) throws {
    let result = try merged(people(base), people(ours), people(theirs))
    #expect(result.conflicts == [words])
    #expect(result.value == people(ours))
  }
}

@Suite struct `Merges of shared objects` {
  private func group(_ identity: Int, _ name: Value, _ more: Value = 0) -> Value {
    .object(ObjectValue(ObjectClass("Group"), identity: identity, content: ["name": name, "more": more]))
  }

  private func person(_ name: Value, _ group: Value) -> Value {
    .object(ObjectValue(ObjectClass("Person"), content: ["id": name, "note": name, "group": group]))
  }

  private func note(_ person: Value, _ note: Value) -> Value {
    guard case .object(var object) = person, case .dictionary(var entries) = object.content else {
      return person
    }
    entries[.string("note")] = note
    object.content = .dictionary(entries)
    return .object(object)
  }

  @Test func `Shared objects are the same whatever their numbers are`() throws {
    let base: Value = [person("a", group(3, "g")), person("b", .reference(3)), person("c", .reference(3))]
    // Ours has lost the first person, so the group is begun elsewhere and has another number.
    let ours: Value = [person("b", group(8, "g")), person("c", .reference(8))]
    let theirs: Value = [
      person("a", group(5, "g")), person("b", .reference(5)), note(person("c", .reference(5)), "new"),
    ]
    let result = try merged(base, ours, theirs)
    #expect(result.conflicts == [])
    guard case .object(let first)? = result.value[0]?["group"], let identity = first.identity else {
      Issue.record("the group is not shared")
      return
    }
    #expect(result.value[1]?["group"] == .reference(identity))
    #expect(result.value[1]?["note"] == "new")
    #expect(first.content["name"] == "g")
  }

  @Test func `A shared object that both sides change is merged field by field and stays one`() throws {
    let base: Value = [person("a", group(3, "g")), person("b", .reference(3))]
    let ours: Value = [person("a", group(1, "G")), person("b", .reference(1))]
    let theirs: Value = [
      person("a", group(2, "g", 7)), person("b", .reference(2)), person("c", .reference(2)),
    ]
    let result = try merged(base, ours, theirs)
    #expect(result.conflicts == [])
    guard case .object(let first)? = result.value[0]?["group"], let identity = first.identity else {
      Issue.record("the group is not shared")
      return
    }
    #expect(first.content == ["name": "G", "more": 7])
    #expect(result.value[1]?["group"] == .reference(identity))
    #expect(result.value[2]?["group"] == .reference(identity))
  }

  @Test func `Objects that refer to themselves are merged`() throws {
    func node(_ identity: Int, _ name: Value) -> Value {
      .object(
        ObjectValue(
          ObjectClass("Node"), identity: identity, content: ["name": name, "me": .reference(identity)]))
    }
    let result = try merged([node(1, "a"), "x"], [node(4, "b"), "x"], [node(5, "a"), "y"])
    #expect(result.conflicts == [])
    guard case .object(let object)? = result.value[0], let identity = object.identity else {
      Issue.record("no cycle")
      return
    }
    #expect(object.content == ["name": "b", "me": .reference(identity)])
    #expect(result.value[1] == "y")
  }
}

@Suite struct `Alignments of sequences` {
  private func align(_ old: String, _ new: String, moves: Bool = false) -> [Int] {
    SequenceAlignment(
      old.unicodeScalars.map { Int($0.value) }, new.unicodeScalars.map { Int($0.value) },
      likeness: moves ? { _, _ in 0 } : nil
    ).matches
  }

  @Test(arguments: [
    ("abc", "abc", [0, 1, 2]), ("abc", "axc", [0, -1, 2]), ("", "abc", []), ("abc", "", [-1, -1, -1]),
    ("abc", "xabc", [1, 2, 3]), ("aaaa", "aa", [0, -1, -1, 1]),
    ("abcabba", "cbabac", [-1, -1, 0, 2, -1, 3, 4]),
  ])
  func `Elements of a sequence are found in another in the same order`(
    _ old: String, _ new: String, _ wanted: [Int]
  ) {
    let matches = align(old, new)
    let kept = matches.filter { $0 >= 0 }
    #expect(kept == kept.sorted() && Set(kept).count == kept.count)
    #expect(kept.count == wanted.count { $0 >= 0 }, "\(matches)")
  }

  @Test func `Moved elements of a sequence are found`() {
    #expect(align("abcd", "dabc", moves: true) == [1, 2, 3, 0])
    #expect(align("abcd", "dcba", moves: true).sorted() == [0, 1, 2, 3])
  }

  @Test func `The most similar elements match in order, and of many elements the first similar ones`() {
    func matches(_ old: Int, _ new: Int, _ likeness: @escaping (Int, Int) -> Int) -> [Int] {
      SequenceAlignment(Array(0..<old), Array(100_000..<100_000 + new), likeness: likeness).matches
    }
    #expect(matches(1, 2) { $1 == 0 ? 2 : 3 } == [1])
    #expect(matches(1, 2) { _, _ in 2 } == [0])
    #expect(matches(2, 3) { [[2, 3, 0], [3, 0, 2]][$0][$1] } == [1, 2])
    // As many elements as before match by their position, unless others are more similar together.
    #expect(matches(2, 2) { [[2, 4], [0, 2]][$0][$1] } == [0, 1])
    #expect(matches(2, 2) { [[2, 5], [0, 2]][$0][$1] } == [1, -1])
    #expect(matches(1, 5000) { $1 == 0 ? 2 : 3 } == [0])
  }

  @Test func `An alignment costs little for sequences that are chosen to cost much`() {
    let count = 200_000
    let runs = [
      (Array(repeating: 1, count: count), Array(repeating: 2, count: count)),
      ((0..<count).map { $0 % 2 }, (0..<count).map { ($0 + 1) / 2 % 2 }),
      ((0..<count).map { $0 }, (0..<count).reversed()),
      ((0..<count).map { $0 % 1000 }, (0..<count).map { $0 * 7919 % 1000 }),
    ]
    for (old, new) in runs {
      let alignment = expectProcessorTime(atMost: .seconds(20)) {
        SequenceAlignment(old, new) { _, _ in 0 }
      }
      #expect(alignment.matches.count == count)
    }
  }
}
