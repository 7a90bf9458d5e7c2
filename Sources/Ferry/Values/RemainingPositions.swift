/// The positions of a list that have not been removed. Each function takes O(log n) (P. Fenwick, "A new data structure for
/// cumulative frequency tables", 1994).
struct RemainingPositions {
  /// A Fenwick tree: `counts[n]` is the number of remaining positions from n − (n & −n) up to, but not including, n.
  private var counts: [Int]

  /// Creates the positions of a list with `count` elements.
  init(count: Int) { counts = (0...count).map { $0 & -$0 } }

  /// The number of all positions, including the removed ones.
  var total: Int { counts.count - 1 }

  /// Returns the number of remaining positions before a position.
  func count(before position: Int) -> Int {
    var (number, total) = (position, 0)
    while number > 0 {
      total += counts[number]
      number &= number - 1
    }
    return total
  }

  /// Returns the remaining position that has a number of others before it.
  func position(after count: Int) -> Int {
    var (number, rest) = (0, count)
    var step = 1 << (Int.bitWidth - 1 - total.leadingZeroBitCount)
    while step > 0 {
      if number + step <= total, counts[number + step] <= rest {
        number += step
        rest -= counts[number]
      }
      step >>= 1
    }
    return number
  }

  /// Adds a position after all others.
  mutating func append() {
    let number = counts.count
    counts.append(1 + count(before: number - 1) - count(before: number & (number - 1)))
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
