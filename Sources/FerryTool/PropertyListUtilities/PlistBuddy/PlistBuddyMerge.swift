import Ferry

/// The merging of one property list into another, in which existing entries stay.
struct PlistBuddyMerge {
  /// True to merge collections of the same type under the same key, too.
  let isRecursive: Bool

  /// Adds the entries of a source to a collection, in place.
  ///
  /// - Throws: An error if the source is a collection of the other type. Nothing has changed then.
  func add(_ source: Value, to target: inout Value) throws(PlistBuddyError) {
    switch (PlistBuddyType(of: target), source) {
    case (.dict, .dictionary(let added)):
      try target.changeEntries { entries throws(PlistBuddyError) in try add(added, to: &entries) }
    case (.array, .array(let added)): target.changeElements { $0 += added }
    case (.dict, .array): throw .failed("Merge: Can't Add array Entries to dict")
    case (.array, .dictionary): throw .failed("Merge: Can't Add dict Entries to array")
    case (.array, let element): target.changeElements { $0.append(element) }
    case (.dict, let value): if target[""] == nil { target[""] = value }
    default: break
    }
  }

  private func add(_ added: KeyedValues, to entries: inout KeyedValues) throws(PlistBuddyError) {
    for (key, value) in added {
      guard var old = entries[key] else {
        entries[key] = value
        continue
      }
      guard merges(old, value) else { continue }
      // The old value is changed in place if the entries do not hold it meanwhile.
      entries[key] = .null
      defer { entries[key] = old }
      try add(value, to: &old)
    }
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
