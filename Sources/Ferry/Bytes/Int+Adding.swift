extension Int {
  /// Returns the sum of two numbers, or the nearest number if no `Int` is the sum.
  func addingClamped(_ other: Int) -> Int {
    let (sum, overflows) = addingReportingOverflow(other)
    return !overflows ? sum : other < 0 ? .min : .max
  }
}
