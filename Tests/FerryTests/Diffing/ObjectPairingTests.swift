import TestSupport
import Testing

@testable import Ferry

@Suite struct `Differences in the identity of objects` {
  private func object(_ type: ObjectClass, _ number: Int?, _ fields: KeyedValues) -> Value {
    .object(ObjectValue(type, identity: number, content: .dictionary(fields)))
  }

  private func node(_ number: Int? = nil, _ fields: KeyedValues = ["name": "x"]) -> Value {
    object(ObjectClass("Node"), number, fields)
  }

  /// Returns the differences as lines: the path, and the other path of the object in each version.
  private func lines(_ old: Value, _ new: Value) -> [String] {
    ValueDifferences(from: old, to: new).all.map { difference in
      let path = difference.newPath?.description ?? "?"
      guard case .sharing(let old, let new) = difference.change else { return path }
      return "\(path): \(old?.description ?? "-") → \(new?.description ?? "-")"
    }
  }

  @Test func `An object that only one version has at two paths is a difference`() {
    let shared: Value = ["a": node(3), "b": .reference(3)]
    let apart: Value = ["b": node(), "a": node()]
    #expect(lines(shared, apart) == ["b: a → -"])
    #expect(lines(apart, shared) == ["b: - → a"])
    #expect(lines(shared, ["b": node(7), "a": .reference(7)]) == [])
    #expect(lines(["a": shared, "n": 1], ["a": apart, "n": 2]) == ["n", "a.b: a.a → -"])
    let three: Value = ["a": node(1), "b": node(2), "c": .reference(1)]
    let other: Value = ["a": node(1), "b": node(2), "c": .reference(2)]
    #expect(lines(three, other) == ["c: a → b"])
    #expect(ValueDifferences(from: shared, to: apart).operations == [])
  }

  @Test func `Objects that refer to themselves differ from those that refer to each other`() {
    func node(_ number: Int, _ next: Value) -> Value { self.node(number, ["me": next, "name": "x"]) }
    let apart: Value = ["a": node(3, .reference(3)), "b": node(5, .reference(5))]
    let one: Value = ["a": node(3, .reference(3)), "b": .reference(3)]
    let crossed: Value = ["a": node(3, node(5, .reference(3))), "b": .reference(5)]
    let values = [apart, one, crossed]
    for (index, old) in values.enumerated() {
      for (other, new) in values.enumerated() {
        let renumbered = new.mappingIdentities { 20 - $0 }
        #expect(lines(old, renumbered).isEmpty == (index == other), "\(old) \(new)")
      }
    }
    #expect(lines(apart, one) == ["b: - → a"])
  }

  @Test func `A copy of a parent to which a child refers is a difference`() {
    func kid(_ parent: Value) -> Value { node(nil, ["name": "kid", "parent": parent]) }
    let tree = node(1, ["name": "top", "child": kid(.reference(1))])
    let copy = node(6, ["child": kid(.reference(6)), "name": "top"])
    #expect(lines(node(nil, ["name": "top", "child": kid(copy)]), tree) == ["child.parent: - → "])
    #expect(lines(tree, tree.mappingIdentities { $0 + 4 }) == [])
  }

  @Test func `Values that versions do not share alike are not a difference`() {
    let color = ObjectClass("NSColor")
    let rgb: KeyedValues = ["red": .real(1), "green": .real(0)]
    #expect(
      lines(
        ["a": object(color, 1, rgb), "b": .reference(1)],
        ["a": object(color, nil, rgb), "b": object(color, nil, rgb)]) == [])
    let text = ObjectClass("Text")
    func label(_ number: Int?) -> Value { .object(ObjectValue(text, identity: number, content: "x")) }
    #expect(lines([label(1), .reference(1)], [label(nil), label(nil)]) == [])
    func list(_ number: Int?, of type: ObjectClass) -> Value {
      .object(ObjectValue(type, identity: number, content: [node(9), "x"]))
    }
    func lists(_ type: ObjectClass) -> (shared: Value, apart: Value) {
      let shared: Value = ["a": list(1, of: type), "b": .reference(1)]
      let second = ObjectValue(type, identity: nil, content: [.reference(9), "x"])
      return (shared, ["a": list(nil, of: type), "b": .object(second)])
    }
    let (shared, apart) = lists(.array)
    #expect(lines(shared, apart) == [] && lines(apart, shared) == [])
    let inline: Value = ["a": [node(9), "x"], "b": [.reference(9), "x"]]
    #expect(lines(shared, inline) == [] && lines(inline, shared) == [])
    let copied: Value = ["a": [node(9), "x"], "b": [node(), "x"]]
    #expect(lines(["c": shared], ["c": copied]) == ["c.b[0]: c.a[0] → -"])
    // A change of a mutable array is seen at all paths that have it.
    let mutable = lists(.mutableArray)
    #expect(lines(mutable.shared, mutable.apart) == ["b: a → -"])
  }

  @Test func `The members of sets are found in any order`() {
    func document(_ numbers: [Int], best: Value) -> Value {
      let members = numbers.map { node($0, ["name": "x", "owner": .reference(1)]) }
      return node(1, ["kids": .set(members), "best": best])
    }
    let old = document([2, 3, 4], best: .reference(3))
    #expect(lines(old, document([2, 3, 4], best: .reference(4))) == [])
    #expect(lines(old, document([7, 3, 5], best: .reference(7))) == [])
    let copy = node(9, ["name": "x", "owner": .reference(1)])
    #expect(lines(old, document([2, 3, 4], best: copy)).count == 1)
    func sets(_ first: [Value], _ second: [Value]) -> Value { ["a": .set(first), "b": .set(second)] }
    let some = sets([node(1), node(2)], [.reference(2), node(3)])
    #expect(lines(some, sets([node(5), node(6)], [node(4), .reference(5)])) == [])
    #expect(lines(some, sets([node(5), node(6)], [.reference(6), .reference(5)])).isEmpty == false)
  }

  @Test func `Keys that are objects are compared, too`() {
    func document(_ key: Value, _ other: Value) -> Value {
      var entries = KeyedValues()
      entries[key] = 1
      return ["keys": .dictionary(entries), "list": other]
    }
    let shared = document(.reference(1), node(1))
    #expect(lines(shared, document(.reference(5), node(5))) == [])
    #expect(lines(shared, document(node(), node())).count == 1)
  }

  @Test func `The identity of thousands of objects in cycles is compared in near-linear time`() {
    let count = 20_000
    func tree(_ first: Int, copied: Int? = nil) -> Value {
      let kids = (1..<count).map { index in
        node(
          first + index,
          ["name": "kid", "parent": .reference(first), "next": .reference(first + index % (count - 1) + 1)])
      }
      let best = copied.map { Value.reference(first + $0) } ?? node(first + count, ["name": "kid"])
      return node(first, ["kids": .array(kids), "best": best])
    }
    let found = expectProcessorTime(atMost: .seconds(20)) {
      (lines(tree(1, copied: 5), tree(100_000, copied: 5)), lines(tree(1, copied: 5), tree(7, copied: 6)))
    }
    #expect(found.0 == [] && !found.1.isEmpty)
    // Collections of collections, each of which is in the other value several times.
    func nested(_ depth: Int) -> Value {
      var value: Value = ["x"]
      for level in 1...depth {
        value = .object(
          ObjectValue(.array, identity: level, content: [value, level > 1 ? .reference(level - 1) : "y"]))
      }
      return ["a": value, "b": .reference(depth), "c": node(1000), "d": .reference(1000)]
    }
    #expect(expectProcessorTime(atMost: .seconds(5)) { lines(nested(60), nested(60)) } == [])
  }
}
