/// A hash table of the distinct scalars of a property list.
struct ScalarTable<Nodes: PropertyListNodes> {
  fileprivate var numbers = HashedNumbers()
  private let nodes: Nodes

  init(_ nodes: Nodes) { self.nodes = nodes }

  /// Copies the table of a property list to which nodes have been added. Existing nodes must have kept their
  /// numbers.
  init(_ other: ScalarTable<some PropertyListNodes>, in nodes: Nodes) {
    (self.nodes, numbers) = (nodes, other.numbers)
  }

  /// Returns an earlier scalar that equals this one. If there is none, adds this one and returns it.
  mutating func first(equalTo node: NodeID) throws(FerryError) -> NodeID {
    var probe = numbers.probe(for: try nodes.hashOfScalar(node))
    while let earlier = numbers.next(at: &probe).map(NodeID.init) {
      if try nodes.isSameScalar(earlier, node) { return earlier }
    }
    numbers.add(node.index, at: probe)
    return node
  }
}
