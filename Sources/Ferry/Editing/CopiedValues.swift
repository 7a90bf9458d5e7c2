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
  /// The keys of entries that a merge key adds.
  var mergedKeys: Set<NodeID> = []
  /// The number of copies that were changed.
  var changeCount = 0

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
    var others = values[source, default: TextCopies.Values()]
    if let old { others.copies.removeAll { $0 == old } }
    others.copies.append(node)
    values[source] = others
    if let old { originals[node] = originals[old] ?? old }
  }
}
