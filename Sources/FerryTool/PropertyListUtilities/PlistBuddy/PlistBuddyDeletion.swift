import Ferry

/// Entries of one dictionary to remove together, because each removal would take time in proportion to the number of entries.
struct PlistBuddyDeletion {
  private let parent: [String]
  /// The name of the entry that was added last.
  private var last = ""
  /// The names of all entries in UTF-8.
  private var names: Set<[UInt8]> = []

  /// Creates a deletion of no entries yet.
  ///
  /// - Parameter parent: The keys of the dictionary from the root.
  init(in parent: some Sequence<String>) { self.parent = Array(parent) }

  /// Returns true if some keys are those of the dictionary.
  func isIn(_ keys: some Sequence<String>) -> Bool { parent.elementsEqual(keys) { $0.equals($1) } }

  /// Adds an entry. Returns false if the entry is one of the deletion already.
  mutating func add(_ name: String) -> Bool {
    last = name
    return names.insert(Array(name.utf8)).inserted
  }

  /// Removes the entries from the dictionary in a property list.
  func apply(to root: inout Value) {
    root.change(at: parent[...]) { part in
      part.changeEntries { entries in
        guard names.count > 1 else { return entries[last] = nil }
        entries.removeAll { key in key.stringValue.map { names.contains(Array($0.utf8)) } ?? false }
      }
    }
  }
}
