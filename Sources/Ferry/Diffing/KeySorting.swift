internal import OrderedCollections

/// Sorts the keys of all dictionaries in a value. Dictionaries with the same keys, such as the records of a list, share the sorted ones.
private struct KeySorting {
  /// The keys of dictionaries, sorted.
  private struct Keys {
    let unsorted: KeyedValues.Keys
    let sorted: KeyedValues.Keys
    /// The index of each sorted key in the dictionary.
    let indices: [Int]
  }

  /// The keys of the last dictionaries, the last ones first.
  private var known: [Keys] = []
  private static let mostKnown = 4

  mutating func sortingKeys(of value: Value) -> Value {
    guard case .dictionary(let entries) = value else {
      return value.mappingNestedParts { sortingKeys(of: $0) }
    }
    let keys = keys(of: entries)
    let values = keys.indices.map { sortingKeys(of: entries.values[$0]) }
    guard keys.sorted.count == values.count else {
      // Two keys of an archive became equal.
      let sorted = keys.indices.map { sortingKeys(of: keys.unsorted[$0]) }
      return .dictionary(KeyedValues(zip(sorted, values)) { _, last in last })
    }
    return .dictionary(KeyedValues(firstOf: keys.sorted, values: values))
  }

  private mutating func keys(of entries: KeyedValues) -> Keys {
    if let found = known.first(where: { $0.unsorted == entries.distinctKeys }) { return found }
    let unsorted = entries.distinctKeys
    let indices = unsorted.indices.map { (text: unsorted[$0].plainText ?? "", index: $0) }
      .sorted { $0.text.precedes($1.text) }
      .map(\.index)
    let sorted = KeyedValues.Keys(indices.map { sortingKeys(of: unsorted[$0]) })
    let keys = Keys(unsorted: unsorted, sorted: sorted, indices: indices)
    if known.count == Self.mostKnown { known.removeLast() }
    known.insert(keys, at: 0)
    return keys
  }
}

extension Value {
  /// Returns the value with the keys of every dictionary sorted.
  func sortingKeys() -> Value {
    var sorting = KeySorting()
    return sorting.sortingKeys(of: self)
  }
}
