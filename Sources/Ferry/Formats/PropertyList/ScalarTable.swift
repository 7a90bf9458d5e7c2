/// A hash table of the distinct scalars of a property list.
struct ScalarTable<Nodes: PropertyListNodes> {
  fileprivate var numbers = HashedNumbers()
  private let nodes: Nodes
  /// The hashes of the nodes from one on, or 0 for each whose hash is not known.
  private var nextHashes: [UInt64] = []
  private var firstOfNext = NodeID(0)
  /// The number of nodes whose hashes are found together.
  private static var blockSize: Int { 32 }

  init(_ nodes: Nodes) { self.nodes = nodes }

  /// Copies the table of a property list to which nodes have been added. Existing nodes must have kept their
  /// numbers.
  init(_ other: ScalarTable<some PropertyListNodes>, in nodes: Nodes) {
    (self.nodes, numbers) = (nodes, other.numbers)
  }

  /// Returns an earlier scalar that equals this one. If there is none, adds this one and returns it.
  mutating func first(equalTo node: NodeID) throws(FerryError) -> NodeID {
    var probe = numbers.probe(for: try hash(of: node))
    while let earlier = numbers.next(at: &probe).map(NodeID.init) {
      if try nodes.isSameScalar(earlier, node) { return earlier }
    }
    numbers.add(node.index, at: probe)
    return node
  }

  /// Returns the hash of a scalar. If the scalars come in the order of their nodes, as in a binary file, finds the hashes of those that
  /// follow, too, and loads their slots.
  private mutating func hash(of node: NodeID) throws(FerryError) -> UInt64 {
    var index = node.index - firstOfNext.index
    if !nextHashes.indices.contains(index) {
      let follows = index >= nextHashes.count && index < nextHashes.count + Self.blockSize
      nextHashes.removeAll(keepingCapacity: true)
      (firstOfNext, index) = (node, 0)
      if follows {
        nodes.appendHashes(ofShortScalarsFrom: node, count: Self.blockSize, to: &nextHashes)
        let hashes = nextHashes
        numbers.load(for: hashes.span)
      }
    }
    let known = index < nextHashes.count ? nextHashes[index] : 0
    return known != 0 ? known : try nodes.hashOfScalar(node)
  }
}
