extension Array {
  /// Returns the index of the first element that fulfills a condition which all elements after it fulfill, too; the number of
  /// elements if there is none.
  func partitioningIndex(where fulfills: (Element) -> Bool) -> Int {
    var (first, end) = (0, count)
    while first < end {
      let middle = (first + end) / 2
      if fulfills(self[middle]) { end = middle } else { first = middle + 1 }
    }
    return first
  }
}
