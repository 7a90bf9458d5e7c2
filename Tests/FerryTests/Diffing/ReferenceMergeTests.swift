import TestSupport
import Testing

@testable import Ferry

/// The keys in a list of a record in three versions (base, ours, theirs), and in the result.
private typealias Case = ([String], [String], [String], [String])

@Suite struct `Merges of references to records of a dictionary` {
  private func merged(
    _ base: Value?, _ ours: Value, _ theirs: Value, favoring side: FavoredSide = .ours
  ) throws -> (value: Value, conflicts: [String]) {
    var merge = ThreeWayMerge()
    merge.favored = side
    let result = try merge.merge(base: base, ours: ours, theirs: theirs)
    return (result.value, result.conflicts.map(\.description))
  }

  private func list(_ keys: [String]) -> Value { .array(keys.map(Value.string)) }

  /// Returns records of which one, with the key `all`, refers to others.
  private func records(_ keys: [String]) -> Value {
    var records = KeyedValues()
    for key in ["p", "q", "r", "s", "t"] { records[.string(key)] = ["name": .string(key + ".swift")] }
    records[.string("all")] = ["children": list(keys)]
    return ["version": 1, "objects": .dictionary(records)]
  }

  @Test(
    arguments: [
      (["p"], ["p", "q"], ["p", "r"], ["p", "q", "r"]), ([], ["p"], ["q"], ["p", "q"]),
      (["p", "q"], ["p"], ["p", "q", "r"], ["p", "r"]),
      (["p"], ["p", "q"], ["p", "q", "r"], ["p", "q", "r"]),
      (["p"], ["q", "p"], ["p", "q"], ["q", "p"]),
      (["p", "q", "r"], ["r", "p", "q"], ["p", "q"], ["p", "q"]),
      (["p", "q"], ["q", "p"], ["p", "q", "r"], ["q", "r", "p"]),
      (["p", "q", "r"], ["s", "q", "r"], ["p", "q", "t"], ["s", "q", "t"]),
      // Both removed a reference, and added others elsewhere, or one of them.
      (["p", "q", "r"], ["s", "p", "r"], ["p", "r", "t", "all"], ["s", "p", "r", "t", "all"]),
      (["p", "q"], ["p", "r"], ["p", "r", "s"], ["p", "r", "s"]),
    ] as [Case])
  fileprivate func `A list of references has those that either side added, and none that either removed`(
    _ base: [String], _ ours: [String], _ theirs: [String], _ wanted: [String]
  ) throws {
    let result = try merged(records(base), records(ours), records(theirs))
    #expect(result.value.isSame(as: records(wanted)))
    #expect(result.conflicts == [])
  }

  @Test(
    arguments: [
      (["p"], ["q"], ["r"], ["q"]), (["p", "q"], ["p", "r"], ["p", "s"], ["p", "r"]),
      (["q", "p", "r"], ["s", "p", "r"], ["q", "p", "s"], ["s", "p", "r"]),
      (["p", "q"], ["p", "r"], ["p", "s", "t"], ["p", "r"]),
    ] as [Case])
  fileprivate func `Lists in which both sides may have replaced the same reference are in conflict`(
    _ base: [String], _ ours: [String], _ theirs: [String], _ wanted: [String]
  ) throws {
    let result = try merged(records(base), records(ours), records(theirs))
    #expect(result.value.isSame(as: records(wanted)))
    #expect(result.conflicts.count == 1)
    #expect(result.conflicts.first?.hasPrefix("objects.all.children: ours [") == true)
  }

  @Test func `A reference that one side moved and the other replaced is a conflict, and does not return`()
    throws
  {
    func versions(_ needs: [String], _ keys: [String]) -> Value {
      var records: KeyedValues = [.string("all"): ["needs": list(needs)]]
      for key in keys { records[.string(key)] = ["x": 1] }
      return .dictionary(records)
    }
    let base = versions(["a", "b", "c"], ["a", "b", "c", "d"])
    let moved = versions(["b", "c", "a"], ["a", "b", "c", "d"])
    let removed = versions(["b", "d", "c"], ["b", "c", "d"])
    let result = try merged(base, moved, removed)
    #expect(result.conflicts.count == 1)
    #expect(result.value.isSame(as: versions(["b", "c"], ["b", "c", "d"])))
    let favored = try merged(base, moved, removed, favoring: .theirs)
    #expect(favored.conflicts.count == 1)
    #expect(favored.value.isSame(as: removed))
  }

  @Test func `Lists of references that both sides have created are merged`() throws {
    func versions(_ all: Value) -> Value { ["all": all, "p": ["x": 1], "q": ["x": 2]] }
    let result = try merged(
      versions(["x": 0]), versions(["x": 0, "needs": ["p"]]), versions(["x": 0, "needs": ["q"]]))
    #expect(result.value.isSame(as: versions(["x": 0, "needs": ["p", "q"]])))
    #expect(result.conflicts == [])
  }

  @Test(arguments: [nil, [], ["p"]] as [[String]?])
  func `Lists to which both sides add the same references in different orders are in conflict`(
    _ base: [String]?
  ) throws {
    func versions(_ keys: [String]?) -> Value {
      let all: Value = if let keys { ["x": 0, "needs": list(keys)] } else { ["x": 0] }
      return ["all": all, "p": ["x": 1], "q": ["x": 2], "r": ["x": 3]]
    }
    let ours = versions((base ?? []) + ["q", "r"])
    let result = try merged(versions(base), ours, versions((base ?? []) + ["r", "q"]))
    #expect(result.value.isSame(as: ours))
    #expect(result.conflicts.count == 1)
  }

  @Test func `A reference may be to a record of a dictionary around several others`() throws {
    func versions(_ keys: [String]) -> Value {
      ["p": ["x": 1], "q": ["x": 2], "all": ["parts": ["first": ["needs": list(keys)]]]]
    }
    let result = try merged(versions([]), versions(["p"]), versions(["q"]))
    #expect(result.value.isSame(as: versions(["p", "q"])))
    #expect(result.conflicts == [])
  }

  @Test func `Lists of other texts are in conflict if both sides added one at the same position`() throws {
    let r: Value = ["x": 1]
    let versions: [(Value) -> Value] = [
      // The list is not in a record.
      { ["enabled": $0, "features": ["p": r, "q": r, "r": r]] },
      // A value of the dictionary is not a record.
      { ["all": ["l": $0], "p": r, "q": r, "r": 1] },
      // An element of the list is not a key.
      { ["all": ["l": $0], "p": r, "q": r] },
    ]
    for version in versions {
      let result = try merged(version(["p"]), version(["p", "q"]), version(["p", "r"]))
      #expect(result.conflicts.count == 1)
      #expect(result.value == version(["p", "q"]))
    }
  }

  @Test func `A list with a text twice is not a list of references`() throws {
    let result = try merged(records(["p", "p"]), records(["p", "p", "q"]), records(["p", "p", "r"]))
    #expect(result.conflicts.count == 1)
  }

  // MARK: Removed records

  /// A group with a file, and an empty group.
  private let project: Value = [
    "G": ["children": ["F"]], "K": ["children": []], "F": ["path": "f.swift"], "H": ["path": "h.swift"],
  ]
  private let withoutFile: Value = [
    "G": ["children": []], "K": ["children": []], "H": ["path": "h.swift"],
  ]

  @Test(
    arguments: [
      // The file has moved to the other group.
      [
        "G": ["children": []], "K": ["children": ["F"]], "F": ["path": "f.swift"], "H": ["path": "h.swift"],
      ],
      // A new record refers to it.
      [
        "G": ["children": ["F"]], "K": ["children": []], "F": ["path": "f.swift"], "H": ["path": "h.swift"],
        "B": ["fileRef": "F"],
      ],
    ] as [Value])
  func `A record that one side removed and to which the other adds a reference is kept, in conflict`(
    _ user: Value
  ) throws {
    for side in FavoredSide.allCases {
      for (ours, theirs) in [(withoutFile, user), (user, withoutFile)] {
        let result = try merged(project, ours, theirs, favoring: side)
        let words =
          ours == user
          ? #"F: ours {path: "f.swift"}, theirs nothing, base {path: "f.swift"} (ours refers to it)"#
          : #"F: ours nothing, theirs {path: "f.swift"}, base {path: "f.swift"} (theirs refers to it)"#
        #expect(result.conflicts == [words])
        #expect(result.value["F"] == ["path": "f.swift"])
        #expect(result.value["G"] == ["children": []])
        #expect(result.value["K"] == user["K"])
        #expect(result.value["B"] == user["B"])
      }
    }
  }

  @Test
  func `A removed record that the other side has changed and to which it refers is kept, with the reason`()
    throws
  {
    let user: Value = [
      "G": ["children": []], "K": ["children": ["F"]], "F": ["path": "g.swift"], "H": ["path": "h.swift"],
    ]
    for side in FavoredSide.allCases {
      for (ours, theirs) in [(withoutFile, user), (user, withoutFile)] {
        let result = try merged(project, ours, theirs, favoring: side)
        #expect(result.conflicts.count == 1)
        let reason = " (\(ours == user ? "ours" : "theirs") refers to it)"
        #expect(result.conflicts.first?.hasSuffix(reason) == true)
        #expect(result.value.isSame(as: user))
      }
    }
    // Nothing new refers to the record: that of the favored side counts.
    let changed: Value = [
      "G": ["children": ["F"]], "K": ["children": []], "F": ["path": "g.swift"], "H": ["path": "h.swift"],
    ]
    for side in FavoredSide.allCases {
      let result = try merged(project, withoutFile, changed, favoring: side)
      #expect(result.conflicts.count == 1)
      #expect(result.conflicts.first?.hasSuffix(" (theirs refers to it)") == false)
      #expect((result.value["F"] == nil) == (side == .ours))
    }
  }

  @Test func `A text under a key that has other texts, too, is not a reference`() throws {
    let user: Value = [
      "G": ["children": ["F"]], "K": ["children": [], "path": "F"], "F": ["path": "f.swift"],
      "H": ["path": "h.swift"],
    ]
    let result = try merged(project, withoutFile, user)
    #expect(result.conflicts == [])
    #expect(result.value["F"] == nil)
    #expect(result.value["K"] == ["children": [], "path": "F"])
  }

  @Test func `A list of keys has references, whatever other texts are under its key in other records`() throws
  {
    let base: Value = [
      "lint": ["needs": []], "test": ["needs": ["lint"]], "ship": ["needs": ["test"]],
      "misc": ["needs": ["external"]], "more": ["needs": "external"],
    ]
    let removed: Value = [
      "test": ["needs": []], "ship": ["needs": ["test"]], "misc": ["needs": ["external"]],
      "more": ["needs": "external"],
    ]
    let user: Value = [
      "lint": ["needs": []], "test": ["needs": ["lint"]], "ship": ["needs": ["test", "lint"]],
      "misc": ["needs": ["external"]], "more": ["needs": "external"],
    ]
    let result = try merged(base, removed, user)
    #expect(result.conflicts.count == 1)
    #expect(result.conflicts.first?.hasPrefix("lint: ours nothing, ") == true)
    #expect(result.conflicts.first?.hasSuffix(" (theirs refers to it)") == true)
    #expect(result.value["lint"] == ["needs": []])
    #expect(result.value["ship"] == ["needs": ["test", "lint"]])
    // A list with another text has no references.
    let other = try merged(
      ["a": ["x": 1], "b": ["l": ["c"]]], ["b": ["l": ["c"]]], ["a": ["x": 1], "b": ["l": ["c", "a"]]])
    #expect(other.conflicts == [])
    #expect(other.value == ["b": ["l": ["c", "a"]]])
  }

  @Test func `A text outside of lists may be a reference beside lists of other texts under its key`() throws {
    let base: Value = ["a": ["x": 1], "b": ["needs": ["c"]], "d": ["y": 1]]
    let user: Value = ["a": ["x": 1], "b": ["needs": ["c"]], "d": ["y": 1, "needs": "a"]]
    let result = try merged(base, ["b": ["needs": ["c"]], "d": ["y": 1]], user)
    #expect(result.conflicts.count == 1)
    #expect(result.value["a"] == ["x": 1])
  }

  @Test func `A reference that moves to another part of a record is a new one`() throws {
    let base: Value = ["a": ["x": ["z": 1]], "g": ["x": ["needs": ["a"]], "y": ["needs": []]]]
    let removed: Value = ["g": ["x": ["needs": []], "y": ["needs": []]]]
    let moved: Value = ["a": ["x": ["z": 1]], "g": ["x": ["needs": []], "y": ["needs": ["a"]]]]
    for (ours, theirs) in [(removed, moved), (moved, removed)] {
      let result = try merged(base, ours, theirs)
      #expect(result.conflicts.count == 1)
      #expect(result.conflicts.first?.hasPrefix("a: ours ") == true)
      #expect(result.value.isSame(as: moved))
    }
  }

  @Test func `A removed record that is kept has the removed records to which it refers`() throws {
    let base: Value = [
      "R": ["children": ["G"]], "S": ["children": []], "G": ["children": ["F"]], "F": ["x": 1],
    ]
    let removed: Value = ["R": ["children": []], "S": ["children": []]]
    let moved: Value = [
      "R": ["children": []], "S": ["children": ["G"]], "G": ["children": ["F"]], "F": ["x": 1],
    ]
    let result = try merged(base, removed, moved)
    #expect(result.conflicts.count == 2)
    #expect(result.value.isSame(as: moved))
    // The favored side has changed the group.
    let renamed: Value = [
      "R": ["children": ["G"]], "S": ["children": []], "G": ["children": ["F"], "name": "g"], "F": ["x": 1],
    ]
    let favored = try merged(base, removed, renamed, favoring: .theirs)
    #expect(favored.value["G"] == renamed["G"])
    #expect(favored.value["F"] == ["x": 1])
    let other = try merged(base, removed, renamed)
    #expect(other.value.isSame(as: removed))
    #expect(other.conflicts.count == 1)
  }

  @Test func `A list in conflict has no reference to a record that the other side has removed`() throws {
    let base: Value = ["all": ["l": ["p", "q"]], "p": ["x": 1], "q": ["x": 2], "r": ["x": 3], "s": ["x": 4]]
    let ours: Value = ["all": ["l": ["p", "r"]], "p": ["x": 1], "r": ["x": 3], "s": ["x": 4]]
    let theirs: Value = [
      "all": ["l": ["s", "q"]], "p": ["x": 1], "q": ["x": 2], "r": ["x": 3], "s": ["x": 4],
    ]
    let result = try merged(base, ours, theirs, favoring: .theirs)
    #expect(result.conflicts.count == 1)
    #expect(result.value["all"] == ["l": ["s"]])
    #expect(result.value["q"] == nil)
    #expect(try merged(base, ours, theirs).value["all"] == ["l": ["p", "r"]])
  }
}
