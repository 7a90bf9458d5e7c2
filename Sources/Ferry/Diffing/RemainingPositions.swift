/// The positions of a list that have not been removed. A removal and a count take O(log n) (P. Fenwick, "A new data
/// structure for cumulative frequency tables", 1994).
struct RemainingPositions {
  /// For each number, the count of remaining positions before it, from the number without its lowest bit on.
  private var counts: [Int]

  /// Creates the positions of a list with `count` elements.
  init(count: Int) { counts = (0...count).map { $0 & -$0 } }

  /// Returns the number of remaining positions before a position.
  func count(before position: Int) -> Int {
    var (number, total) = (position, 0)
    while number > 0 {
      total += counts[number]
      number &= number - 1
    }
    return total
  }

  mutating func remove(_ position: Int) {
    var number = position + 1
    while number < counts.count {
      counts[number] -= 1
      number += number & -number
    }
  }
}
