// The children of a collection: the elements of an array or set, or the values of a dictionary.

extension NodeKind {
  /// True if a node of this kind has children.
  var isCollection: Bool {
    switch self {
    case .array, .set, .dictionary: true
    default: false
    }
  }

  /// The number of children.
  var childCount: Int {
    switch self {
    case .array(let count), .set(let count), .dictionary(let count): count
    default: 0
    }
  }
}

/// The children of a collection, one after the other, for walks without recursion.
struct NodeChildren {
  /// The collection.
  let node: NodeID
  /// The number of all children.
  let count: Int
  private let isDictionary: Bool
  private var index = 0

  /// Returns nil if the node is a scalar.
  init?(of node: NodeID, _ kind: NodeKind) {
    switch kind {
    case .array(let count), .set(let count): (self.count, isDictionary) = (count, false)
    case .dictionary(let count): (self.count, isDictionary) = (count, true)
    default: return nil
    }
    self.node = node
  }

  /// Returns the next child; nil after the last one.
  mutating func next(in nodes: some PropertyListNodes) throws(FerryError) -> NodeID? {
    guard index < count else { return nil }
    defer { index += 1 }
    return try isDictionary ? nodes.value(index, of: node) : nodes.element(index, of: node)
  }
}

extension PropertyListNodes {
  /// Calls a function with each child of a collection.
  func forEachChild(of node: NodeID, _ body: (NodeID) throws(FerryError) -> Void) throws(FerryError) {
    guard var children = NodeChildren(of: node, try kind(of: node)) else { return }
    while let child = try children.next(in: self) { try body(child) }
  }

  /// Returns the number of references to each node that can be reached from a node through children, counted up
  /// to 2. The first node has one reference.
  ///
  /// - Parameters:
  ///   - root: The first node.
  ///   - visit: Receives the node of each reference, and true if the reference is its first.
  func referenceCounts(
    from root: NodeID, _ visit: (NodeID, Bool) throws(FerryError) -> Void = { _, _ in }
  ) throws(FerryError) -> [UInt8] {
    var counts = [UInt8](repeating: 0, count: nodeCount)
    var open: [NodeChildren] = []
    var next: NodeID? = root
    while true {
      if let node = next {
        counts[node.index] = min(counts[node.index] + 1, 2)
        try visit(node, counts[node.index] == 1)
        if counts[node.index] == 1, let children = NodeChildren(of: node, try kind(of: node)) {
          open.append(children)
        }
      }
      guard let innermost = open.indices.last else { return counts }
      next = try open[innermost].next(in: self)
      if next == nil { open.removeLast() }
    }
  }
}
