import TestSupport
import Testing

@testable import Ferry

@Suite struct `Comparisons of JSON with references` {
  @Test func `References to thousands of values are compared in time in proportion to their number`() {
    let count = 20_000
    let values = (0..<count).map { Value.integer(Int128($0)) }
    func json(_ first: Value) -> Value {
      .array([first] + values + (1...count).map { ["$ref": .string("#/\($0)")] })
    }
    // The order of keys is the only difference.
    let (before, after) = (json(["a": 1, "b": 2]), json(["b": 2, "a": 1]))
    let areSame = expectProcessorTime(atMost: .seconds(5)) {
      ReferenceComparison.areSame(before, after, before: before, newPaths: [:])
    }
    #expect(areSame)
    #expect(!ReferenceComparison.areSame(before, json(3), before: before, newPaths: [:]))
  }
}
