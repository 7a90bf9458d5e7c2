extension Value {
  /// Returns true if two records have at least half of their fields in common.
  func isAlike(_ other: Value) -> Bool { likeness(to: other) > 0 }

  /// Returns the number of fields that two records have in common, or 0 if that is less than half of them.
  func likeness(to other: Value) -> Int {
    guard let fields = commonFields(with: other) else { return 0 }
    return 2 * fields.same >= fields.count ? fields.same : 0
  }

  /// Returns true if two records have more than half of their fields in common.
  func isMostlyAlike(_ other: Value) -> Bool {
    guard let fields = commonFields(with: other) else { return false }
    return 2 * fields.same > fields.count
  }

  /// Returns the number of fields that two records have in common, and that of the fields of the longer one.
  private func commonFields(with other: Value) -> (same: Int, count: Int)? {
    guard let mine = dictionaryValue, let others = other.dictionaryValue else { return nil }
    return (mine.count { others[$0.key]?.isSame(as: $0.value) ?? false }, max(mine.count, others.count))
  }
}
