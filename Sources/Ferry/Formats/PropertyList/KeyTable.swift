/// The indices of the entries of a dictionary by their string keys. Looking up each of many keys one by one would take quadratic
/// time.
struct KeyTable {
  private var indices: [ExactString: (first: Int, last: Int)] = [:]

  /// Creates the table of a dictionary.
  ///
  /// - Parameters:
  ///   - node: The dictionary.
  ///   - count: The number of its entries.
  ///   - nodes: The nodes with the dictionary.
  init(of node: NodeID, count: Int, in nodes: some PropertyListNodes) throws(FerryError) {
    indices.reserveCapacity(count)
    for index in 0..<count {
      let key = try nodes.key(index, of: node)
      guard try nodes.kind(of: key) == .string else { continue }
      let name = try nodes.withText(of: key) { text throws(FerryError) in
        // No text in a path has unpaired surrogates.
        text.hasSurrogates ? nil : ExactString(String(text))
      }
      if let name { indices[name, default: (index, index)].last = index }
    }
  }

  /// Returns the index of the first entry with a key, or nil if there is none.
  func first(_ key: String) -> Int? { indices[ExactString(key)]?.first }

  /// Returns the index of the last entry with a key, or nil if there is none.
  func last(_ key: String) -> Int? { indices[ExactString(key)]?.last }
}
