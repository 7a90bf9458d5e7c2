import TestSupport
import Testing

@testable import Ferry

@Suite struct `Values that JSON moves` {
  @Test func `Equal values move in their order, in time in proportion to their number`() throws {
    let count = 30_000
    let records = Value.array(Array(repeating: ["n": 1], count: count))
    let (old, new): (Value, Value) = (["a": records, "b": []], ["a": [], "b": records])
    let moves = try expectProcessorTime(atMost: .seconds(20)) {
      try JSONMoves(from: old, shown: old, to: new, at: ValuePath(parsing: ""))
    }
    #expect(moves.all.count == count)
    for (index, move) in moves.all.enumerated() {
      guard try move.newPath == ValuePath(parsing: "b[\(index)]"),
        try move.source.path == ValuePath(parsing: "a[\(index)]")
      else {
        Issue.record("\(move.source.path) → \(move.newPath)")
        break
      }
    }
  }

  @Test func `Of equal values, those that stay do not move, and another one does`() throws {
    let old: Value = ["a": [["n": 1], ["n": 1]], "b": ["n": 1], "c": [], "d": ["m": ["n": 1]]]
    let new: Value = ["a": [["n": 1], ["n": 1]], "b": 0, "c": [["n": 1], ["n": 1]], "e": ["m": ["n": 1]]]
    let moves = try JSONMoves(from: old, shown: old, to: new, at: ValuePath(parsing: ""))
    let found = moves.all.map { [$0.source.path, $0.newPath].map(\.description) }
    #expect(found == [["b", "c[0]"], ["d", "e"]])
  }
}
