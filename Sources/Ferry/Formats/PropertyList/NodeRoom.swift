/// The sizes of lists that have an element for each node of a property list.
///
/// A walk that ends after a few nodes, as most of those that find out the layout of a file do, needs only the beginning of the lists. So
/// they have a small size at first, and one for all nodes as soon as a later node is reached.
enum NodeRoom {
  private static let small = 1 << 12

  /// Returns the size for a list with an element for a node, at least.
  static func size(for node: NodeID, of count: Int) -> Int {
    let all = max(count, node.index + 1)
    return node.index < small ? min(small, all) : all
  }
}

extension Array {
  /// Appends an element until the list has a size.
  mutating func fill(to size: Int, with element: Element) {
    if count < size { append(contentsOf: repeatElement(element, count: size - count)) }
  }
}
