/// The sizes of lists that have an element for each node of a property list.
struct NodeRoom {
  /// True if a walk over the nodes may end early, as most of those that find out the layout of a file do. Then the lists have twice the
  /// size that they need, and an element for each node only when the walk has come far.
  let mayEndEarly: Bool

  private static let smallest = 1 << 12

  /// Returns the size of lists in which a node is reached that is beyond their end.
  ///
  /// - Parameter count: The number of all nodes.
  func size(for node: NodeID, of count: Int) -> Int {
    let all = max(count, node.index + 1)
    return mayEndEarly && node.index < all / 16 ? min(max(Self.smallest, 2 * node.index), all) : all
  }
}

extension Array {
  /// Appends copies of an element until the list has a size.
  mutating func fill(to size: Int, with element: Element) {
    if count < size { append(contentsOf: repeatElement(element, count: size - count)) }
  }
}
