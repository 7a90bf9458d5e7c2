/// A hash table of the distinct scalars of a property list.
struct ScalarTable<Nodes: PropertyListNodes> {
  /// The slots, with 0 for an empty slot. The lower half is a node number plus one, the upper half the node's
  /// hash.
  fileprivate var slots: [UInt64] = []
  fileprivate var count = 0
  private let nodes: Nodes

  init(_ nodes: Nodes) { self.nodes = nodes }

  /// Copies the table of a property list to which nodes have been added. Existing nodes must have kept their
  /// numbers.
  init(_ other: ScalarTable<some PropertyListNodes>, in nodes: Nodes) {
    self.nodes = nodes
    (slots, count) = (other.slots, other.count)
  }

  /// Returns an earlier scalar that equals this one. If there is none, adds this one and returns it.
  mutating func first(equalTo node: NodeID) throws(FerryError) -> NodeID {
    if 2 * (count + 1) > slots.count { grow() }
    let hash = try nodes.hashOfScalar(node) & ~0xffff_ffff
    var index = slotIndex(of: hash)
    while slots[index] != 0 {
      let found = NodeID(Int(slots[index] & 0xffff_ffff) - 1)
      if slots[index] & ~0xffff_ffff == hash, try nodes.isSameScalar(found, node) { return found }
      index = (index + 1) & (slots.count - 1)
    }
    slots[index] = hash | UInt64(node.index + 1)
    count += 1
    return node
  }

  private func slotIndex(of hash: UInt64) -> Int { Int(hash >> 32) & (slots.count - 1) }

  private mutating func grow() {
    let old = slots
    slots = [UInt64](repeating: 0, count: max(64, old.count * 2))
    for slot in old where slot != 0 {
      var index = slotIndex(of: slot)
      while slots[index] != 0 { index = (index + 1) & (slots.count - 1) }
      slots[index] = slot
    }
  }
}
