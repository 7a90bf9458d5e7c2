import Ferry

/// The merging of one property list into another, in which existing entries stay.
struct PlistBuddyMerge {
  /// True to merge collections of the same type under the same key, too.
  let isRecursive: Bool

  /// Returns a collection with the entries that a source adds to it.
  func adding(_ source: Value, to target: Value) throws(PlistBuddyError) -> Value {
    switch (target, source) {
    case (.dictionary(let entries), .dictionary(let added)): .dictionary(try adding(added, to: entries))
    case (.array(let elements), .array(let added)): .array(elements + added)
    case (.dictionary, .array): throw .failed("Merge: Can't Add array Entries to dict")
    case (.array, .dictionary): throw .failed("Merge: Can't Add dict Entries to array")
    case (.array(let elements), let element): .array(elements + [element])
    case (.dictionary(let entries), let value): .dictionary(entries.adding(value, for: ""))
    default: target
    }
  }

  private func adding(_ added: KeyedValues, to entries: KeyedValues) throws(PlistBuddyError) -> KeyedValues {
    var result = entries
    for (key, value) in added {
      guard let old = entries[key] else {
        result[key] = value
        continue
      }
      if merges(old, value) { result[key] = try adding(value, to: old) }
    }
    return result
  }

  /// The keys of entries that are not added, because they exist.
  func skippedKeys(of source: Value, in target: Value) -> [String] {
    guard case (.dictionary(let entries), .dictionary(let added)) = (target, source) else { return [] }
    return added.flatMap { key, value -> [String] in
      guard let old = entries[key] else { return [] }
      return merges(old, value) ? skippedKeys(of: value, in: old) : [PropertyListText.key(key) ?? key.words]
    }
  }

  private func merges(_ old: Value, _ new: Value) -> Bool {
    switch (old, new) {
    case (.dictionary, .dictionary), (.array, .array): isRecursive
    default: false
    }
  }
}

extension KeyedValues {
  /// Returns the entries with a value for a key that they lack.
  fileprivate func adding(_ value: Value, for key: String) -> KeyedValues {
    var entries = self
    if entries[key] == nil { entries[key] = value }
    return entries
  }
}
