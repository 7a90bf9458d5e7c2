/// The cost of nodes with their shared collections expanded: a few bytes for each value, and the bytes of
/// texts and data.
///
/// A shared collection counts again for each reference. Forty arrays that each hold the next one twice have
/// 2⁴⁰ values. The cost of all values is found by visiting each node once, without sending anything: the sum
/// of each collection is kept.
struct ExpandedWeight<Nodes: PropertyListNodes> {
  private let nodes: Nodes
  private let limit: Int
  private let countsLongScalarsOnce: Bool
  /// For each collection its cost if that is known, or 1 while it is being added up.
  private var weights: [Int]
  private var frames: [Frame] = []
  private var steps = 0

  /// A collection whose cost is being added up.
  private struct Frame {
    var children: NodeChildren
    var sum = Budget.valueCost
  }

  /// Creates an instance that finds out whether nodes cost more than `limit`. With `countsLongScalarsOnce`, a
  /// long string or data counts as much as a reference from its second occurrence on.
  init(_ nodes: Nodes, limit: Int, countsLongScalarsOnce: Bool = false) {
    self.countsLongScalarsOnce = countsLongScalarsOnce
    self.nodes = nodes
    self.limit = limit
    weights = [Int](repeating: 0, count: nodes.nodeCount)
  }

  /// Returns true if a node costs more than the limit. A collection inside itself adds nothing there, because
  /// sending it will fail anyway.
  mutating func exceedsLimit(_ root: Int) throws(FerryError) -> Bool {
    _ = try weight(of: root)
    while var frame = frames.popLast() {
      guard let child = try frame.children.next(in: nodes) else {
        weights[frame.children.node] = frame.sum
        if frame.sum > limit { return true }
        add(frame.sum)
        continue
      }
      // Overlapping objects may each have the references of all others.
      steps += 1
      guard steps <= limit else { return true }
      frames.append(frame)
      if let known = try weight(of: child) { add(known) }
    }
    return false
  }

  private mutating func add(_ weight: Int) {
    guard let last = frames.indices.last else { return }
    // Both are at most one more than the limit, far from overflow. A sum beyond the limit ends the walk.
    frames[last].sum = min(frames[last].sum + weight, limit + 1)
  }

  /// Returns the cost of a node; nil for a collection whose sum begins now.
  private mutating func weight(of node: Int) throws(FerryError) -> Int? {
    if weights[node] > 0 { return weights[node] == 1 ? 0 : weights[node] }
    let kind = try nodes.kind(of: node)
    switch kind {
    case .string, .data:
      if countsLongScalarsOnce, try nodes.isLongScalar(node) { weights[node] = Budget.valueCost }
      return try min(Budget.valueCost + nodes.length(of: node), limit + 1)
    default:
      guard let children = NodeChildren(of: node, kind) else { return Budget.valueCost }
      weights[node] = 1
      frames.append(Frame(children: children))
      return nil
    }
  }
}
