/// The values that changes have put in the place of copies in a text, and of the values that these copy.
struct CopiedValues {
  /// For each such value, its source: that of the value which it replaces or, for one of a new entry, a number of its own.
  private(set) var sources: [NodeID: Int] = [:]
  /// The values of each source.
  private(set) var values: [Int: TextCopies.Values] = [:]
  /// For each such value, the collection around it.
  private(set) var parents: [NodeID: NodeID] = [:]
  /// For each such value in the place of a copy in the text, this copy.
  private(set) var originals: [NodeID: NodeID] = [:]
  /// The copies that other values have replaced.
  private(set) var replaced: Set<NodeID> = []
  /// For each copy in `values`, its index there.
  private var indices: [NodeID: Int] = [:]
  /// The keys of entries that a merge key adds.
  var mergedKeys: Set<NodeID> = []
  /// For each dictionary in a list of a merge key, a node with its entries, which is not part of the file's value.
  private(set) var listed: [Int: NodeID] = [:]
  /// The positions of the keys of these entries.
  private(set) var listedPositions: [NodeID: Int] = [:]
  /// The sources of the dictionaries with a merge key whose entries are not in the order of the text.
  var unorderedMergers: Set<Int> = []
  /// The values with changes, each changed at its own place or as a copy, and those at the given paths. An insertion and a removal change
  /// the collection around the part.
  private var changed: Set<NodeTrail> = []
  private var given: Set<NodeTrail> = []
  /// The number of values in files inside data that were changed besides those at the given paths.
  var changeCountInData = 0

  /// The number of values that were changed besides those at the given paths.
  var changeCount: Int { changed.count { !given.contains($0) } + changeCountInData }

  /// Notes a change of a value, also of one to which no given path leads.
  mutating func noteChange(at trail: NodeTrail) { changed.insert(trail) }

  /// Notes a value to which a given path leads.
  mutating func noteGiven(_ trail: NodeTrail) { given.insert(trail) }

  /// Adds the node of a dictionary in a list of a merge key, with the keys and values of its entries.
  mutating func addListed(
    _ dictionary: NodeID, source: Int, _ keys: [NodeID], _ values: [NodeID],
    of entries: [TextCopies.ListedEntry]
  ) {
    listed[source] = dictionary
    for (entry, (key, value)) in zip(entries, zip(keys, values)) {
      listedPositions[key] = entry.position
      sources[value] = entry.source
    }
  }

  /// Adds a new value in its own place.
  mutating func addOwn(_ node: NodeID, source: Int, in parent: NodeID) {
    (sources[node], parents[node]) = (source, parent)
    values[source, default: TextCopies.Values()].own = node
  }

  /// Adds a new value that is a copy.
  ///
  /// - Parameter old: The copy that it replaces, or nil if it is that of a new entry.
  mutating func addCopy(_ node: NodeID, source: Int, in parent: NodeID, insteadOf old: NodeID?) {
    (sources[node], parents[node]) = (source, parent)
    if let old {
      originals[node] = originals[old] ?? old
      replaced.insert(old)
    }
    if let old, let index = indices.removeValue(forKey: old) {
      values[source]?.copies[index] = node
      indices[node] = index
    } else {
      indices[node] = values[source]?.copies.count ?? 0
      values[source, default: TextCopies.Values()].copies.append(node)
    }
  }
}
