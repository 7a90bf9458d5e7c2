/// The indices of the entries of a dictionary by their string keys. Looking up each of many keys one by one would take quadratic
/// time.
struct KeyTable {
  private var indices: [ExactString: (first: Int, last: Int)] = [:]
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
    self.count = count
    indices.reserveCapacity(count)
    for index in 0..<count { try add(nodes.key(index, of: node), at: index, in: nodes) }
  }

  private mutating func add(
    _ key: NodeID, at index: Int, in nodes: some PropertyListNodes
  ) throws(FerryError) {
    guard try nodes.kind(of: key) == .string else { return }
    let name = try nodes.withText(of: key) { text throws(FerryError) in
      // No text in a path has unpaired surrogates.
      text.hasSurrogates ? nil : ExactString(String(text))
    }
    guard let name else { return }
    hasEqualKeys = hasEqualKeys || indices[name] != nil
    indices[name, default: (index, index)].last = index
  }

  /// True if all keys are strings that occur once.
  var hasOnlyUniqueStrings: Bool { indices.count == count }

  /// Returns the index of the first entry with a key, or nil if there is none.
  func first(_ key: String) -> Int? { indices[ExactString(key)]?.first }

  /// Returns the index of the last entry with a key, or nil if there is none.
  func last(_ key: String) -> Int? { indices[ExactString(key)]?.last }

  /// Replaces the entries in a range by entries with other keys. Returns false if two entries have the same key. After that, or after an
  /// error, the table must be discarded.
  mutating func replace(
    _ range: Range<Int>, by keys: ArraySlice<NodeID>, in nodes: some PropertyListNodes
  ) throws(FerryError) -> Bool {
    guard !hasEqualKeys else { return false }
    var removed: [ExactString] = []
    if range.lowerBound < count {
      var slot = indices.startIndex
      while slot < indices.endIndex {
        let index = indices.values[slot].first
        if range.contains(index) { removed.append(indices.keys[slot]) }
        if index >= range.upperBound {
          let shifted = index + keys.count - range.count
          indices.values[slot] = (shifted, shifted)
        }
        indices.formIndex(after: &slot)
      }
    }
    for key in removed { indices[key] = nil }
    count += keys.count - range.count
    for (offset, key) in keys.enumerated() { try add(key, at: range.lowerBound + offset, in: nodes) }
    return !hasEqualKeys
  }
}
