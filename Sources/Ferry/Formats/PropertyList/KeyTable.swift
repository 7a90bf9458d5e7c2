/// The indices of the entries of a dictionary by their string keys. Looking up each of many keys one by one would take quadratic
/// time.
struct KeyTable {
  /// The positions of the first and the last entry with each key. A position stays when entries before it are removed.
  private var positions: [ExactString: (first: Int, last: Int)] = [:]
  private var entries: RemainingPositions
  /// The number of all entries.
  private var count: Int
  /// True if some keys occur more than once.
  private var hasEqualKeys = false

  /// Creates the table of a dictionary.
  ///
  /// - Parameters:
  ///   - node: The dictionary.
  ///   - count: The number of its entries.
  ///   - nodes: The nodes with the dictionary.
  init(of node: NodeID, count: Int, in nodes: some PropertyListNodes) throws(FerryError) {
    (self.count, entries) = (count, RemainingPositions(count: count))
    positions.reserveCapacity(count)
    for index in 0..<count { try add(nodes.key(index, of: node), at: index, in: nodes) }
  }

  private mutating func add(
    _ key: NodeID, at position: Int, in nodes: some PropertyListNodes
  ) throws(FerryError) {
    guard let name = try name(of: key, in: nodes) else { return }
    hasEqualKeys = hasEqualKeys || positions[name] != nil
    positions[name, default: (position, position)].last = position
  }

  /// Returns the text of a string key in paths, or nil for another key.
  private func name(of key: NodeID, in nodes: some PropertyListNodes) throws(FerryError) -> ExactString? {
    guard try nodes.kind(of: key) == .string else { return nil }
    return try nodes.withText(of: key) { text throws(FerryError) in
      ExactString(String(escapingSurrogatesOf: text))
    }
  }

  /// True if all keys are strings that occur once.
  var hasOnlyUniqueStrings: Bool { positions.count == count }

  /// Returns the index of the first entry with a key, or nil if there is none.
  func first(_ key: String) -> Int? {
    positions[ExactString(key)].map { entries.count(before: $0.first) }
  }

  /// Returns the index of the last entry with a key, or nil if there is none.
  func last(_ key: String) -> Int? {
    positions[ExactString(key)].map { entries.count(before: $0.last) }
  }

  /// Replaces the keys of the entries in a range, removes entries from it, or adds entries after all others. Returns false for other
  /// changes, and if two entries have the same key. After that, or after an error, the table must be discarded.
  ///
  /// - Parameters:
  ///   - range: The indices of the entries.
  ///   - old: The keys of these entries.
  ///   - new: The keys of the entries that replace them.
  ///   - nodes: The nodes with the keys.
  mutating func replace(
    _ range: Range<Int>, _ old: [NodeID], by new: [NodeID], in nodes: some PropertyListNodes
  ) throws(FerryError) -> Bool {
    guard !hasEqualKeys, new.count <= range.count || range.upperBound == count else { return false }
    var replaced = range.map { entries.position(after: $0) }
    for key in old {
      if let name = try name(of: key, in: nodes) { positions[name] = nil }
    }
    for position in replaced.dropFirst(new.count) { entries.remove(position) }
    while replaced.count < new.count {
      replaced.append(entries.total)
      entries.append()
    }
    count += new.count - range.count
    for (key, position) in zip(new, replaced) { try add(key, at: position, in: nodes) }
    return !hasEqualKeys
  }
}
