import TestSupport
import Testing

@testable import Ferry

@Suite struct `Objects that both sides of a merge have added` {
  @Test func `Equal objects are paired in their order, in time in proportion to their number`() {
    let count = 50_000
    let object = ObjectValue(ObjectClass("P"), content: ["a": 1])
    func side(_ first: Int) -> SharedObjects {
      let numbers = first..<first + count
      return SharedObjects(
        .array(numbers.map { .reference($0) }),
        with: Dictionary(uniqueKeysWithValues: numbers.map { ($0, object) }))
    }
    let (ours, theirs) = (side(1), side(100_001))
    let added = expectProcessorTime(atMost: .seconds(15)) {
      AddedObjects(ours: ours, theirs: theirs, besides: [:])
    }
    #expect(added.pairs.count == count)
    #expect(added.pairs.allSatisfy { $0.key == $0.value + 100_000 })
  }
}
