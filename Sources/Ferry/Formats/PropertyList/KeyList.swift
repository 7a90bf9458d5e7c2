/// The keys of a dictionary in an archive: the elements of a list, or numbered entries of an object.
struct KeyList {
  /// The list, or the object.
  let node: NodeID
  /// The indices of the entries of an object; nil for a list.
  let entries: [Int]?
  let count: Int

  /// Creates the keys in a list.
  init(list node: NodeID, count: Int) { (self.node, entries, self.count) = (node, nil, count) }

  /// Creates the keys in entries of an object.
  init(_ entries: [Int], of node: NodeID) {
    (self.node, self.entries, count) = (node, entries, entries.count)
  }

  /// Returns the node of a key. The index must be less than `count`.
  func key(_ index: Int, in nodes: some PropertyListNodes) throws(FerryError) -> NodeID {
    guard let entries else { return try nodes.element(index, of: node) }
    return try nodes.value(entries[index], of: node)
  }
}
