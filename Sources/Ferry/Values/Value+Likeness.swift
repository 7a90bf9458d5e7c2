extension Value {
  /// Returns true if two records have at least half of their fields in common.
  func isAlike(_ other: Value) -> Bool { likeness(to: other) > 0 }

  /// Returns the number of fields that two records have in common, or 0 if that is less than half of them.
  func likeness(to other: Value) -> Int {
    guard let mine = dictionaryValue, let others = other.dictionaryValue else { return 0 }
    let same = mine.count { others[$0.key]?.isSame(as: $0.value) ?? false }
    return 2 * same >= max(mine.count, others.count) ? same : 0
  }
}
