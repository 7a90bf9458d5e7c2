extension Value {
  /// The fields of a record, or nil if the value is not a record.
  private var entries: KeyedValues? {
    switch self {
    case .dictionary(let entries): entries
    case .object(let object): object.content.entries
    default: nil
    }
  }

  /// Returns true if two records have at least half of their fields in common.
  func isAlike(_ other: Value) -> Bool {
    guard let mine = entries, let others = other.entries else { return false }
    let same = mine.count { others[$0.key]?.isSame(as: $0.value) ?? false }
    return same > 0 && 2 * same >= max(mine.count, others.count)
  }
}
