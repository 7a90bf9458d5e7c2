/// The scalars of a property list, each once, to find the one that equals another.
struct ScalarTable<Nodes: PropertyListNodes> {
  /// Node numbers plus one, 0 where there is none; the upper half is that of the node's hash.
  fileprivate var slots: [UInt64] = []
  fileprivate var count = 0
  private let nodes: Nodes

  init(_ nodes: Nodes) { self.nodes = nodes }

  /// The scalars of a property list that other nodes were added to; those that there were have the same numbers.
  init(_ other: ScalarTable<some PropertyListNodes>, in nodes: Nodes) {
    self.nodes = nodes
    (slots, count) = (other.slots, other.count)
  }

  /// The scalar that equals this one: an earlier one or, from now on, this one itself.
  mutating func first(equalTo node: Int) throws(Failure) -> Int {
    if 2 * (count + 1) > slots.count { grow() }
    let hash = try UInt64(truncatingIfNeeded: nodes.hashOfScalar(node)) & ~0xffff_ffff
    var index = place(of: hash)
    while slots[index] != 0 {
      let found = Int(slots[index] & 0xffff_ffff) - 1
      if slots[index] & ~0xffff_ffff == hash, try nodes.isSameScalar(found, node) { return found }
      index = (index + 1) & (slots.count - 1)
    }
    slots[index] = hash | UInt64(node + 1)
    count += 1
    return node
  }

  private func place(of hash: UInt64) -> Int { Int(hash >> 32) & (slots.count - 1) }

  private mutating func grow() {
    let old = slots
    slots = [UInt64](repeating: 0, count: max(64, old.count * 2))
    for slot in old where slot != 0 {
      var index = place(of: slot)
      while slots[index] != 0 { index = (index + 1) & (slots.count - 1) }
      slots[index] = slot
    }
  }
}
