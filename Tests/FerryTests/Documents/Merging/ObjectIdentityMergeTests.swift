import TestSupport
import Testing

@testable import Ferry

/// Merges of archives in which an object is shared in one version and not in another. It is one object in all of them.
@Suite struct `Identity of objects in merges` {
  private static func expectSame(
    _ bytes: [UInt8], _ root: String, sourceLocation: SourceLocation = #_sourceLocation
  ) throws {
    let (found, expected) = (try Archived.value(bytes), try Archived.value(ArchiveMerge.archive(root)))
    #expect(
      SharedComparison.areSame(found.orderingSets, expected.orderingSets), "\(found) is not \(expected)",
      sourceLocation: sourceLocation)
  }

  private static func doc(_ id: Int, _ x: Int = 1, _ y: Int = 2) -> String {
    ##"{"$class":"Doc","$id":\##(id),"name":"hello","x":\##(x),"y":\##(y)}"##
  }
  private static func pin(_ x: Int, _ y: Int, _ id: Int? = nil) -> String {
    ##"{"$class":"Pin",\##(id.map { "\"$id\":\($0)," } ?? "")"label":"pin","x":\##(x),"y":\##(y)}"##
  }
  private static let ref = ##"{"$ref":1}"##
  private static let other = ##"{"$class":"Pin","label":"other","x":0,"y":0}"##
  private static func node(_ id: Int, _ tag: String, _ next: String, note: String = "null") -> String {
    ##"{"$class":"Node","$id":\##(id),"tag":"\##(tag)","note":\##(note),"next":\##(next)}"##
  }
  private static func leaf(_ number: Int, _ id: Int? = nil) -> String {
    ##"{"$class":"Leaf",\##(id.map { "\"$id\":\($0)," } ?? "")"w":\##(number)}"##
  }
  private static func person(
    _ name: String, _ street: String, _ number: Int, note: String = "null", id: Int? = nil
  ) -> String {
    ##"{"$class":"Person",\##(id.map { "\"$id\":\($0)," } ?? "")"name":"\##(name)","street":"\##(street)","##
      + ##""number":\##(number),"note":\##(note)}"##
  }
  private static func set(_ members: String...) -> String {
    ##"{"$class":"NSSet","$items":[\##(members.joined(separator: ","))]}"##
  }

  private static func box(_ items: String...) -> String {
    ##"{"$class":"Box","items":[\##(items.joined(separator: ","))]}"##
  }
  /// Objects of the classes in turn, each in the next one.
  private static func tower(_ levels: Int, of classes: [String]) -> String {
    (0..<levels).reduce("") { inner, level in
      ##"{"$class":"\##(classes[level % classes.count])","kids":[\##(inner)]}"##
    }
  }

  static let cases = [
    ArchiveMerge(
      name: "one side moves a reference, and the other adds one to the first object",
      base: ##"{"o1":\##(doc(1)),"o2":\##(ref),"o3":\##(pin(1, 1)),"o4":null}"##,
      ours: ##"{"o1":\##(pin(1, 1, 2)),"o2":\##(doc(1)),"o3":{"$ref":2},"o4":null}"##,
      theirs: ##"{"o1":\##(doc(1)),"o2":\##(ref),"o3":\##(pin(1, 1)),"o4":\##(ref)}"##,
      merged: ##"{"o1":\##(pin(1, 1, 2)),"o2":\##(doc(1)),"o3":{"$ref":2},"o4":\##(ref)}"##),
    ArchiveMerge(
      name: "one side removes a reference and changes the object, and the other adds a reference",
      base: ##"{"a":\##(doc(1)),"b":\##(ref),"c":null}"##,
      ours: ##"{"a":\##(doc(1)),"b":\##(ref),"c":\##(ref)}"##,
      theirs: ##"{"a":\##(doc(1, 5)),"b":null,"c":null}"##,
      merged: ##"{"a":\##(doc(1, 5)),"b":null,"c":\##(ref)}"##),
    ArchiveMerge(
      name: "one side changes an object that the other begins to share",
      base: ##"{"a":\##(doc(1)),"c":null}"##, ours: ##"{"a":\##(doc(1, 10)),"c":null}"##,
      theirs: ##"{"a":\##(doc(1, 1, 7)),"c":\##(ref)}"##, merged: ##"{"a":\##(doc(1, 10, 7)),"c":\##(ref)}"##),
    ArchiveMerge(
      name: "both sides drop a reference, and one changes the object",
      base: ##"{"a":\##(doc(1)),"b":\##(ref)}"##, ours: ##"{"a":\##(doc(1, 9)),"b":null}"##,
      theirs: ##"{"a":\##(doc(1)),"b":null}"##, merged: ##"{"a":\##(doc(1, 9)),"b":null}"##),
    ArchiveMerge(
      name: "both sides move an object, and one changes it",
      base: ##"{"p":[\##(doc(1))],"q":[\##(ref)],"r":["r1","r2"]}"##,
      ours: ##"{"p":[],"q":[],"r":["r1",\##(doc(1, 10)),"r2"]}"##,
      theirs: ##"{"p":[],"q":[],"r":["r1",\##(doc(1)),"r2"]}"##,
      merged: ##"{"p":[],"q":[],"r":["r1",\##(doc(1, 10)),"r2"]}"##),
    ArchiveMerge(
      name: "both sides add an equal object in different places",
      base: ##"{"p":["a","b"],"q":["c"],"n":\##(doc(1)),"m":\##(ref)}"##,
      ours: ##"{"p":["a",\##(pin(1, 1)),"b"],"q":["c"],"n":\##(doc(1)),"m":\##(ref)}"##,
      theirs: ##"{"p":["a","b"],"q":["c",\##(pin(1, 1))],"n":\##(doc(1)),"m":\##(ref)}"##,
      merged: ##"{"p":["a",\##(pin(1, 1)),"b"],"q":["c",\##(pin(1, 1))],"n":\##(doc(1)),"m":\##(ref)}"##),
    ArchiveMerge(
      name: "both sides add an equal object at different positions of a list",
      base: ##"{"p":[\##(pin(3, 3)),\##(pin(4, 4))],"n":\##(doc(1)),"m":\##(ref)}"##,
      ours: ##"{"p":[\##(pin(1, 1)),\##(pin(3, 3)),\##(pin(4, 4))],"n":\##(doc(1)),"m":\##(ref)}"##,
      theirs: ##"{"p":[\##(pin(3, 3)),\##(pin(4, 4)),\##(pin(1, 1))],"n":\##(doc(1)),"m":\##(ref)}"##,
      merged:
        ##"{"p":[\##(pin(1, 1)),\##(pin(3, 3)),\##(pin(4, 4)),\##(pin(1, 1))],"n":\##(doc(1)),"m":\##(ref)}"##
    ),
    ArchiveMerge(
      name: "both sides add an equal object in one place",
      base: ##"{"p":["a","b"],"n":\##(doc(1)),"m":\##(ref)}"##,
      ours: ##"{"p":["a",\##(pin(1, 1)),"b"],"n":\##(doc(1)),"m":\##(ref)}"##,
      theirs: ##"{"p":["a",\##(pin(1, 1)),"b"],"n":\##(doc(1)),"m":\##(ref)}"##,
      merged: ##"{"p":["a",\##(pin(1, 1)),"b"],"n":\##(doc(1)),"m":\##(ref)}"##),
    ArchiveMerge(
      name: "one side changes a shared member of sets, and the other removes it from one",
      base: ##"{"p":\##(set(doc(1), other)),"q":\##(set(ref, other))}"##,
      ours: ##"{"p":\##(set(doc(1, 10), other)),"q":\##(set(ref, other))}"##,
      theirs: ##"{"p":\##(set(doc(1), other)),"q":\##(set(other))}"##,
      merged: ##"{"p":\##(set(doc(1, 10), other)),"q":\##(set(other))}"##),
    ArchiveMerge(
      name: "both sides change a member of a set in different fields",
      base: set(pin(1, 2), other), ours: set(pin(10, 2), other), theirs: set(other, pin(1, 20)),
      merged: set(pin(10, 20), other)),
    ArchiveMerge(
      name: "both sides change a member of a set in one field", base: set(pin(1, 2), other),
      ours: set(pin(10, 2), other), theirs: set(pin(20, 2), other), merged: nil),
    ArchiveMerge(
      name: "one side changes a member of a set that the other removes", base: set(pin(1, 2), other),
      ours: set(pin(10, 2), other), theirs: set(other), merged: nil),
    ArchiveMerge(
      name: "one side changes a member of a set to which the other refers",
      base: ##"{"pins":\##(set(pin(1, 2), other)),"best":null}"##,
      ours: ##"{"pins":\##(set(pin(9, 2), other)),"best":null}"##,
      theirs: ##"{"pins":\##(set(pin(1, 2, 1), other)),"best":\##(ref)}"##,
      merged: ##"{"pins":\##(set(pin(9, 2, 1), other)),"best":\##(ref)}"##),
    ArchiveMerge(
      name: "one side takes an object out of a list, and the other changes it, in a cycle",
      base: "[\(node(1, "A", node(2, "B", ref))),{\"$ref\":2}]",
      ours: "[\(node(2, "B", node(1, "A", "{\"$ref\":2}")))]",
      theirs: "[\(node(1, "A", node(2, "B", ref), note: "7")),{\"$ref\":2}]",
      merged: "[\(node(2, "B", node(1, "A", "{\"$ref\":2}", note: "7")))]"),
    ArchiveMerge(
      name: "one side changes a record that the other replaces, beside shared objects",
      base: ##"{"a":\##(doc(1)),"b":\##(ref),"l":[\##(person("Carl", "1 Elm", 111))]}"##,
      ours: ##"{"a":\##(doc(1)),"b":\##(ref),"l":[\##(person("Carl", "1 Elm", 111, note: "5"))]}"##,
      theirs: ##"{"a":\##(doc(1)),"b":\##(ref),"l":[\##(person("Dora", "2 Oak", 222))]}"##, merged: nil),
    ArchiveMerge(
      name: "one side refers to an element that the other replaces",
      base: ##"{"owner":null,"l":[\##(person("Carl", "1 Elm", 111))]}"##,
      ours: ##"{"owner":\##(person("Carl", "1 Elm", 111, id: 1)),"l":[\##(ref)]}"##,
      theirs: ##"{"owner":null,"l":[\##(person("Dora", "2 Oak", 222, note: "1"))]}"##,
      merged:
        ##"{"owner":\##(person("Carl", "1 Elm", 111)),"l":[\##(person("Dora", "2 Oak", 222, note: "1"))]}"##),
    ArchiveMerge(
      name: "one side changes one of two equal objects, and the other refers to it at the front of the list",
      base: "[\(leaf(1)),\(node(3, "n", leaf(1)))]", ours: "[\(leaf(1)),\(node(3, "n", leaf(5)))]",
      theirs: "[\(leaf(1, 1)),\(leaf(1)),\(node(3, "n", ref))]",
      merged: "[\(leaf(5, 1)),\(leaf(1)),\(node(3, "n", ref))]"),
    ArchiveMerge(
      name: "one side changes an object inside a record that the other removes",
      base:
        ##"{"a":\##(doc(1)),"b":\##(ref),"l":[{"$class":"R","n":1,"p":{"$class":"R","q":\##(pin(1, 2))}},"x"]}"##,
      ours: ##"{"a":\##(doc(1)),"b":\##(ref),"l":["x"]}"##,
      theirs:
        ##"{"a":\##(doc(1)),"b":\##(ref),"l":[{"$class":"R","n":1,"p":{"$class":"R","q":\##(pin(1, 3))}},"x"]}"##,
      merged: nil),
    ArchiveMerge(
      name: "both sides add objects that differ three levels below",
      base: ##"{"n":\##(doc(1)),"m":\##(ref),"x":null,"y":null}"##,
      ours: ##"{"n":\##(doc(1)),"m":\##(ref),"x":\##(box(box(box(leaf(1))))),"y":null}"##,
      theirs: ##"{"n":\##(doc(1)),"m":\##(ref),"x":null,"y":\##(box(box(box(leaf(2)))))}"##,
      merged:
        ##"{"n":\##(doc(1)),"m":\##(ref),"x":\##(box(box(box(leaf(1))))),"y":\##(box(box(box(leaf(2)))))}"##),
    ArchiveMerge(
      name: "both sides add objects that are equal in some levels",
      base: ##"{"n":\##(doc(1)),"m":\##(ref),"x":null,"y":null}"##,
      ours: ##"{"n":\##(doc(1)),"m":\##(ref),"x":\##(tower(6, of: ["A", "B"])),"y":null}"##,
      theirs: ##"{"n":\##(doc(1)),"m":\##(ref),"x":null,"y":\##(tower(6, of: ["B", "A"]))}"##,
      merged:
        ##"{"n":\##(doc(1)),"m":\##(ref),"x":\##(tower(6, of: ["A", "B"])),"y":\##(tower(6, of: ["B", "A"]))}"##
    ),
    ArchiveMerge(
      name: "one side removes an object and adds a similar one, and the other changes the first",
      base: ##"{"n":\##(doc(1)),"m":\##(ref),"a":[\##(person("Milk", "", 0))],"b":[]}"##,
      ours: ##"{"n":\##(doc(1)),"m":\##(ref),"a":[],"b":[\##(person("Mom", "", 0))]}"##,
      theirs: ##"{"n":\##(doc(1)),"m":\##(ref),"a":[\##(person("Milk", "", 0, note: "1"))],"b":[]}"##,
      merged: nil),
    ArchiveMerge(
      name:
        "one side removes an object and adds one that differs three levels below, and the other changes the first",
      base: ##"{"n":\##(doc(1)),"m":\##(ref),"x":\##(box(box(box(leaf(1))))),"y":null}"##,
      ours: ##"{"n":\##(doc(1)),"m":\##(ref),"x":null,"y":\##(box(box(box(leaf(2)))))}"##,
      theirs: ##"{"n":\##(doc(1)),"m":\##(ref),"x":\##(box(box(box(leaf(1), leaf(3))))),"y":null}"##,
      merged: nil),
    ArchiveMerge(
      name:
        "one side replaces an object by another of its class, and the other adds a reference to the first",
      base: ##"{"a":\##(person("Carl", "1 Elm", 111)),"l":[]}"##,
      ours: ##"{"a":\##(person("Dora", "2 Oak", 222)),"l":[]}"##,
      theirs: ##"{"a":\##(person("Carl", "1 Elm", 111, id: 1)),"l":[\##(ref)]}"##, merged: nil),
    ArchiveMerge(
      name: "one side changes most of an object, and the other adds a reference to it",
      base: ##"{"a":\##(person("Carl", "1 Elm", 111)),"l":[]}"##,
      ours: ##"{"a":\##(person("Carl", "2 Oak", 222)),"l":[]}"##,
      theirs: ##"{"a":\##(person("Carl", "1 Elm", 111, id: 1)),"l":[\##(ref)]}"##,
      merged: ##"{"a":\##(person("Carl", "2 Oak", 222, id: 1)),"l":[\##(ref)]}"##),
    ArchiveMerge(
      name: "one side replaces an object by one of another class, and the other changes the first",
      base: ##"{"a":\##(person("Carl", "1 Elm", 111))}"##, ours: ##"{"a":\##(pin(1, 2))}"##,
      theirs: ##"{"a":\##(person("Carl", "1 Elm", 112))}"##, merged: nil),
    ArchiveMerge(
      name: "one side changes a member of a set in one of two fields, and the other removes it",
      base: ##"{"s":\##(set(##"{"$class":"A","v":2,"bag":\##(set(leaf(1)))}"##))}"##,
      ours: ##"{"s":\##(set(##"{"$class":"A","v":3,"bag":\##(set(leaf(1)))}"##))}"##,
      theirs: ##"{"s":\##(set())}"##, merged: nil),
    ArchiveMerge(
      name: "both sides add an equal ring of objects in one place",
      base: ##"{"n":\##(doc(1)),"m":\##(ref),"x":null}"##,
      ours: ##"{"n":\##(doc(1)),"m":\##(ref),"x":\##(node(2, "A", node(3, "B", "{\"$ref\":2}")))}"##,
      theirs: ##"{"n":\##(doc(1)),"m":\##(ref),"x":\##(node(5, "A", node(4, "B", "{\"$ref\":5}")))}"##,
      merged: ##"{"n":\##(doc(1)),"m":\##(ref),"x":\##(node(2, "A", node(3, "B", "{\"$ref\":2}")))}"##),
  ]

  @Test(arguments: cases) func `The result has the changes of both sides`(_ test: ArchiveMerge) throws {
    try test.expectMerged { try Self.expectSame($0, $1) }
  }

  @Test func `The favored side decides about a value, and the rest of the object is merged`() throws {
    let base = ##"{"a":\##(Self.doc(1)),"c":null}"##
    let ours = ##"{"a":\##(Self.doc(1, 10)),"c":null}"##
    let theirs = ##"{"a":\##(Self.doc(1, 20, 7)),"c":\##(Self.ref)}"##
    for (side, x) in [(FavoredSide.ours, 10), (.theirs, 20)] {
      let result = try ArchiveMerge.result(base, ours, theirs, favoring: side)
      #expect(result.conflicts.map(\.path.description) == ["a.x"])
      try Self.expectSame(result.bytes, ##"{"a":\##(Self.doc(1, x, 7)),"c":\##(Self.ref)}"##)
    }
  }

  @Test func `The favored side decides about a changed member of a set that the other side removes`() throws {
    let (base, changed, removed) = (
      Self.set(Self.pin(1, 2), Self.other), Self.set(Self.pin(10, 2), Self.other), Self.set(Self.other)
    )
    for (ours, theirs) in [(changed, removed), (removed, changed)] {
      for side in [FavoredSide.ours, .theirs] {
        let result = try ArchiveMerge.result(base, ours, theirs, favoring: side)
        #expect(result.conflicts.count == 1)
        try Self.expectSame(result.bytes, side == .ours ? ours : theirs)
      }
    }
  }

  @Test func `A change inside a removed record is one conflict`() throws {
    let test = try #require(
      Self.cases.first { $0.name == "one side changes an object inside a record that the other removes" })
    let result = try ArchiveMerge.result(test.base, test.ours, test.theirs)
    #expect(result.conflicts.map(\.path.description) == ["l"])
  }

  /// Every level of records with keys is compared once. Compared twice in each level, these would never end.
  @Test func `Records in records are compared in linear time`() throws {
    func value(_ number: Int) -> String {
      (0..<60).reduce(##"{"id":"x","n":\##(number),"o":\##(Self.ref)}"##) { inner, level in
        ##"{"id":"r\##(level)","kids":[\##(inner)]}"##
      }
    }
    func root(_ number: Int, _ other: Int) -> String {
      ##"{"d":\##(Self.doc(1)),"l":[\##(value(number))],"other":\##(other)}"##
    }
    let result = try ArchiveMerge.result(root(1, 1), root(2, 1), root(1, 2))
    try Self.expectSame(result.bytes, root(2, 2))
  }

  @Test func `The favored side decides about a changed object in a removed record`() throws {
    let test = try #require(
      Self.cases.first { $0.name == "one side changes an object inside a record that the other removes" })
    try Self.expectSame(
      ArchiveMerge.result(test.base, test.ours, test.theirs, favoring: .ours).bytes, test.ours)
    try Self.expectSame(
      ArchiveMerge.result(test.base, test.ours, test.theirs, favoring: .theirs).bytes, test.theirs)
  }

  // MARK: Random graphs

  /// Nodes with numbers and references to each other, by their indices. The first is the root.
  private struct Graph {
    var numbers: [Int]
    var references: [[Int?]]

    /// The graph in the typed form.
    var text: String {
      var begun: Set<Int> = []
      func node(_ index: Int?) -> String {
        guard let index else { return "null" }
        guard begun.insert(index).inserted else { return ##"{"$ref":\##(index + 1)}"## }
        let fields = references[index].enumerated().map { ##""f\##($0)":\##(node($1))"## }
        return
          ##"{"$class":"Node\##(index % 2)","$id":\##(index + 1),"n":\##(numbers[index]),\##(fields.joined(separator: ","))}"##
      }
      return node(0)
    }

    var reachable: Set<Int> {
      var (found, waiting): (Set<Int>, [Int]) = ([0], [0])
      while let next = waiting.popLast() {
        for case let other? in references[next] where found.insert(other).inserted { waiting.append(other) }
      }
      return found
    }
  }

  private enum Edit {
    case number(Int, Int)
    case reference(Int, field: Int, Int?)

    func apply(to graph: inout Graph) {
      switch self {
      case .number(let node, let number): graph.numbers[node] = number
      case .reference(let node, let field, let target): graph.references[node][field] = target
      }
    }

    var node: Int {
      switch self {
      case .number(let node, _), .reference(let node, _, _): node
      }
    }
  }

  /// Every node has a number of its own, so that each object of a version is known in the others.
  @Test func `Independent changes of random graphs are all in the result`() throws {
    var generator = SeededGenerator(seed: 21)
    var merged = 0
    for _ in 0..<400 {
      let count = Int.random(in: 3...9, using: &generator)
      var base = Graph(numbers: (0..<count).map { 100 + $0 }, references: [])
      for node in 0..<count {
        let next = node + 1 < count ? node + 1 : nil
        base.references.append(
          [next]
            + (0..<2).map { _ in
              Bool.random(using: &generator) ? Int.random(in: 0..<count, using: &generator) : nil
            })
      }
      var places: [(Int, Int)] = (0..<count).flatMap { node in (-1..<3).map { (node, $0) } }
      places.shuffle(using: &generator)
      var sides: [[Edit]] = [[], []]
      for (index, (node, field)) in places.prefix(Int.random(in: 2...5, using: &generator)).enumerated() {
        let edit: Edit =
          field < 0
          ? .number(node, 200 + index)
          : .reference(
            node, field: field,
            Bool.random(using: &generator) ? Int.random(in: 0..<count, using: &generator) : nil)
        sides[index % 2].append(edit)
      }
      var (ours, theirs, both) = (base, base, base)
      for edit in sides[0] { edit.apply(to: &ours) }
      for edit in sides[1] { edit.apply(to: &theirs) }
      for edit in sides[0] + sides[1] { edit.apply(to: &both) }
      let result = try ArchiveMerge.result(base.text, ours.text, theirs.text)
      // A change of an object that the other side removes is a conflict.
      let isLost = (sides[0] + sides[1]).contains { !both.reachable.contains($0.node) }
      if isLost { continue }
      guard result.conflicts.isEmpty else { continue }
      merged += 1
      try Self.expectSame(result.bytes, both.text)
    }
    #expect(merged > 250)
  }
}
