internal import OrderedCollections

/// The entries of a dictionary that is being received. As long as its keys are those of an earlier dictionary, only the values are stored.
struct ReceivedEntries {
  private var expected: KeyedValues.Keys = []
  /// The values of the first of the expected keys.
  private var values: [Value] = []
  /// All entries, since a key was not the expected one.
  private var entries: KeyedValues?

  var isEmpty: Bool { values.isEmpty && entries == nil }
  var all: KeyedValues { entries ?? KeyedValues(firstOf: expected, values: values) }
  var lastKey: Value? {
    if let entries { return entries.last?.key }
    return values.isEmpty ? nil : expected[values.count - 1]
  }

  /// Expects keys, before the first entry.
  mutating func expect(_ keys: KeyedValues.Keys) {
    expected = keys
    values.reserveCapacity(keys.count)
  }

  /// Sets the value of a key.
  ///
  /// - Returns: False if the key had a value, which is replaced.
  mutating func set(_ value: Value, for key: Value) -> Bool {
    if entries == nil {
      if values.count < expected.count, expected[values.count] == key {
        values.append(value)
        return true
      }
      (entries, values) = (all, [])
    }
    let count = entries?.count
    entries?[key] = value
    return entries?.count != count
  }

  /// True if all expected keys have a value, and no other key has one.
  fileprivate var hasExpectedKeys: Bool { entries == nil && values.count == expected.count }
}

/// The keys of the last dictionaries at one nesting depth. The next ones probably have the same, and then share them.
struct LastKeys {
  /// Different keys, the last ones first.
  private var known: [KeyedValues.Keys] = []
  private static let mostKnown = 4

  /// Returns the last keys of which the first one is the given key; none if there are none.
  func keys(after first: Value) -> KeyedValues.Keys { known.first { $0.first == first } ?? [] }

  /// Returns the entries of a dictionary, which shares its keys with an earlier one if they are equal.
  mutating func entries(_ received: ReceivedEntries) -> KeyedValues {
    let entries = received.all
    guard !received.hasExpectedKeys, !entries.isEmpty else { return entries }
    if let keys = known.first(where: { $0 == entries.distinctKeys }) {
      return KeyedValues(firstOf: keys, values: entries.values)
    }
    if known.count == Self.mostKnown { known.removeLast() }
    known.insert(entries.distinctKeys, at: 0)
    return entries
  }
}
