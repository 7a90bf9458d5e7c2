extension Value {
  /// Returns true if two records have at least half of their fields in common.
  func isAlike(_ other: Value) -> Bool {
    guard let mine = dictionaryValue, let others = other.dictionaryValue else { return false }
    let same = mine.count { others[$0.key]?.isSame(as: $0.value) ?? false }
    return same > 0 && 2 * same >= max(mine.count, others.count)
  }
}
