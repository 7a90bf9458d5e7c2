import TestSupport
import Testing

@testable import Ferry

@Suite struct `Remaining positions` {
  @Test(arguments: [0, 1, 7, 64])
  func `Positions are counted and found after additions and removals as in a list`(_ count: Int) {
    var random = SeededGenerator(seed: 3)
    var positions = RemainingPositions(count: count)
    var (expected, total) = (Array(0..<count), count)
    for _ in 0..<200 {
      if expected.isEmpty || Bool.random(using: &random) {
        positions.append()
        expected.append(total)
        total += 1
      } else {
        positions.remove(expected.remove(at: Int.random(in: 0..<expected.count, using: &random)))
      }
      #expect(positions.total == total)
      #expect(expected.indices.map { positions.position(after: $0) } == expected)
      #expect(expected.map { positions.count(before: $0) } == Array(expected.indices))
    }
  }
}
