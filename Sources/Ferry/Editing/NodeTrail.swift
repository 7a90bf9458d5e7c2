/// The way from a property list's root to a node, by places: it stays right when nodes on it are replaced.
struct NodeTrail: Hashable {
  /// One step down.
  enum Child: Hashable {
    /// An element of an array or set.
    case element(Int)
    /// The value of a dictionary's entry.
    case value(Int)
  }

  /// From the root down.
  var children: [Child] = []

  /// The trail to a child of the node that this one leads to.
  func appending(_ child: Child) -> NodeTrail { NodeTrail(children: children + [child]) }
}

extension PropertyListNodes {
  /// A child of a collection.
  func node(_ child: NodeTrail.Child, of node: Int) throws(Failure) -> Int {
    switch child {
    case .element(let index): try element(index, of: node)
    case .value(let index): try value(index, of: node)
    }
  }

  /// The node that a trail leads to.
  func node(at trail: NodeTrail) throws(Failure) -> Int {
    var node = root
    for child in trail.children { node = try self.node(child, of: node) }
    return node
  }
}
