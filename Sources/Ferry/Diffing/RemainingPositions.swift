/// The positions of a list that have not been removed. A removal and a count take O(log n) (P. Fenwick, "A new data
/// structure for cumulative frequency tables", 1994).
struct RemainingPositions {
  /// A Fenwick tree: `counts[n]` is the number of remaining positions from n − (n & −n) up to, but not including, n.
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

  /// Removes a position that remains.
  mutating func remove(_ position: Int) {
    var number = position + 1
    while number < counts.count {
      counts[number] -= 1
      number += number & -number
    }
  }
}
