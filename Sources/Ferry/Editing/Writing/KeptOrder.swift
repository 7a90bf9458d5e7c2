/// The order of objects in a changed binary property list whose layout follows no known rule. Objects that
/// are still used keep their order, and new objects take the positions of objects that are no longer used: if possible, of those that they
/// replace.
///
///     file      0 "a"   1 "b"   2 1   3 2   4 {0: 2, 1: 3}        the outermost object is the last
///     edited    0 "a"   1 "b"   2 "x" 3 2   4 {0: 2, 1: 3}        the outermost object stays the last
struct KeptOrder {
  /// The node of each object.
  private(set) var nodes: [UInt32] = []
  /// The object number of each node.
  private(set) var numbers: [UInt32]
  /// The object numbers in the order of the objects' bytes.
  private(set) var sequence: [Int] = []

  /// An object of the result: its node, and the byte offset in the file near which it is written.
  private struct Slot {
    var node: NodeID?
    var offset: Int
  }

  /// Finds the order for a list whose base is the file of `storage`.
  init(of list: EditedPropertyList, _ storage: KeptStorage) throws(FerryError) {
    let file = storage.file
    numbers = [UInt32](repeating: .max, count: list.nodeCount)
    let old = try Self.reachable(from: file.root, in: file)
    let new = try Self.reachable(from: list.root, in: list)
    var slots = try Self.keptSlots(of: file, wasUsed: old.isReached, isUsed: new.isReached)
    var added: ArraySlice<NodeID> = []
    for node in new.order where node.index >= file.nodeCount {
      if let old = storage.replaced[node]?.index, slots[old].node == nil {
        slots[old].node = node
      } else {
        added.append(node)
      }
    }
    for index in slots.indices where slots[index].node == nil { slots[index].node = added.popFirst() }
    Self.append(added, to: &slots, before: list.root)
    let kept = slots.filter { $0.node != nil }
    for (number, slot) in kept.enumerated() {
      guard let node = slot.node else { continue }
      nodes.append(UInt32(node.index))
      numbers[node.index] = UInt32(number)
    }
    sequence = kept.indices.sorted { (kept[$0].offset, $0) < (kept[$1].offset, $1) }
  }

  /// Returns the objects of a file that stay: those in use, and scalars that were already unused before.
  private static func keptSlots(
    of file: BinaryPropertyList, wasUsed: [Bool], isUsed: [Bool]
  ) throws(FerryError) -> [Slot] {
    var slots: [Slot] = []
    // Objects in a file may overlap, but are written separately, so their total size is limited.
    var rest = file.byteCount
    for index in 0..<file.nodeCount {
      let node = NodeID(index)
      let isCollection = try file.kind(of: node).isCollection
      let stays = isUsed[index] || (!wasUsed[index] && !isCollection)
      let extent = try file.extent(of: node)
      if stays, !isCollection { rest -= extent.count }
      guard rest >= 0 else { throw FerryError(.propertyList(.overlapping), at: file.location(of: node)) }
      slots.append(Slot(node: stays ? node : nil, offset: extent.lowerBound))
    }
    return slots
  }

  /// Appends objects, but keeps the root at the end if it was the last object.
  private static func append(_ added: ArraySlice<NodeID>, to slots: inout [Slot], before root: NodeID) {
    guard let last = slots.last else { return }
    let end = slots.map(\.offset).max() ?? 0
    let new = added.map { Slot(node: $0, offset: last.node == root ? last.offset : end) }
    slots.insert(contentsOf: new, at: last.node == root ? slots.count - 1 : slots.count)
  }

  /// Returns a node and all nodes below it, in the order of first reference.
  private static func reachable(
    from root: NodeID, in nodes: some PropertyListNodes
  ) throws(FerryError) -> (order: [NodeID], isReached: [Bool]) {
    var isReached = [Bool](repeating: false, count: nodes.nodeCount)
    isReached[root.index] = true
    var order = [root]
    var next = 0
    func reach(_ node: NodeID) {
      guard !isReached[node.index] else { return }
      isReached[node.index] = true
      order.append(node)
    }
    while next < order.count {
      let node = order[next]
      next += 1
      if case .dictionary(let count) = try nodes.kind(of: node) {
        for index in 0..<count { reach(try nodes.key(index, of: node)) }
      }
      try nodes.forEachChild(of: node) { child throws(FerryError) in reach(child) }
    }
    return (order, isReached)
  }
}
