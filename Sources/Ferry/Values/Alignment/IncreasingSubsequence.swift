/// A longest subsequence of increasing numbers, in O(n log n) (C. Schensted, "Longest increasing and decreasing
/// subsequences", 1961). Negative numbers are left out.
struct IncreasingSubsequence {
  /// The indices of its numbers, in order.
  let indices: [Int]

  init(of numbers: [Int]) {
    /// The index of the smallest last number of a subsequence of each length.
    var last: [Int] = []
    var previous = [Int](repeating: -1, count: numbers.count)
    for (index, number) in numbers.enumerated() where number >= 0 {
      var (low, high) = (0, last.count)
      while low < high {
        let middle = (low + high) / 2
        if numbers[last[middle]] < number { low = middle + 1 } else { high = middle }
      }
      previous[index] = low > 0 ? last[low - 1] : -1
      if low < last.count { last[low] = index } else { last.append(index) }
    }
    var indices: [Int] = []
    var next = last.last ?? -1
    while next >= 0 {
      indices.append(next)
      next = previous[next]
    }
    self.indices = indices.reversed()
  }
}
