/// The path from the root of a property list to a node, as indices. It stays valid when nodes on it are
/// replaced.
struct NodeTrail: Hashable {
  /// A step to a child.
  enum Child: Hashable {
    /// An element of an array or set.
    case element(Int)
    /// The value of a dictionary's entry, by the entry's index.
    case value(Int)

    var index: Int {
      switch self {
      case .element(let index), .value(let index): index
      }
    }
  }

  /// The steps from the root.
  var children: [Child] = []

  /// The trail to the collection around the node; empty for the root.
  var parent: NodeTrail { NodeTrail(children: children.dropLast()) }

  /// Returns the trail to a child of this trail's node.
  func appending(_ child: Child) -> NodeTrail { NodeTrail(children: children + [child]) }
}

extension PropertyListNodes {
  /// Returns a child of a collection.
  func node(_ child: NodeTrail.Child, of node: NodeID) throws(FerryError) -> NodeID {
    switch child {
    case .element(let index): try element(index, of: node)
    case .value(let index): try value(index, of: node)
    }
  }

  /// Returns the node at the end of a trail.
  func node(at trail: NodeTrail) throws(FerryError) -> NodeID {
    var node = root
    for child in trail.children { node = try self.node(child, of: node) }
    return node
  }
}
