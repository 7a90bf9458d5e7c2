/// The cost of nodes when shared collections are expanded: a few bytes for each value, plus the bytes of text
/// and data.
///
/// A shared collection counts once for each reference, so forty arrays that each contain the next one twice
/// have 2⁴⁰ values. The cost is computed without sending values, and each node is visited once, because the
/// cost of each collection is cached.
struct ExpandedWeight<Nodes: PropertyListNodes> {
  private let nodes: Nodes
  private let limit: Int
  private let countsLongScalarsOnce: Bool
  /// For each collection its cost, or 1 while it is being computed, or 0 if it is unknown.
  private var weights: [Int]
  private var frames: [Frame] = []
  private var steps = 0

  /// A collection whose cost is being computed.
  private struct Frame {
    var children: NodeChildren
    var sum = Budget.valueCost
  }

  /// Creates a computation that checks costs against a limit.
  ///
  /// - Parameter countsLongScalarsOnce: True to count each further occurrence of a long string or data like a
  ///   reference.
  init(_ nodes: Nodes, limit: Int, countsLongScalarsOnce: Bool = false) {
    self.countsLongScalarsOnce = countsLongScalarsOnce
    self.nodes = nodes
    self.limit = limit
    weights = [Int](repeating: 0, count: nodes.nodeCount)
  }

  /// Returns true if a node costs more than the limit. A collection inside itself counts as 0 there, because
  /// sending it will fail anyway.
  mutating func exceedsLimit(_ root: NodeID) throws(FerryError) -> Bool {
    _ = try weight(of: root)
    while var frame = frames.popLast() {
      guard let child = try frame.children.next(in: nodes) else {
        weights[frame.children.node.index] = frame.sum
        if frame.sum > limit { return true }
        add(frame.sum)
        continue
      }
      // Overlapping objects in a hostile file may each have the references of all others, so steps are
      // limited.
      steps += 1
      guard steps <= limit else { return true }
      frames.append(frame)
      if let known = try weight(of: child) { add(known) }
    }
    return false
  }

  private mutating func add(_ weight: Int) {
    guard let last = frames.indices.last else { return }
    // Both terms are at most limit + 1, so the sum does not overflow. A sum beyond the limit ends the walk.
    frames[last].sum = min(frames[last].sum + weight, limit + 1)
  }

  /// Returns the cost of a node, or nil for a collection whose cost must be computed first.
  private mutating func weight(of node: NodeID) throws(FerryError) -> Int? {
    if weights[node.index] > 0 { return weights[node.index] == 1 ? 0 : weights[node.index] }
    let kind = try nodes.kind(of: node)
    switch kind {
    case .string, .data:
      if countsLongScalarsOnce, try nodes.isLongScalar(node) { weights[node.index] = Budget.valueCost }
      return try min(Budget.valueCost + nodes.length(of: node), limit + 1)
    default:
      guard let children = NodeChildren(of: node, kind) else { return Budget.valueCost }
      weights[node.index] = 1
      frames.append(Frame(children: children))
      return nil
    }
  }
}

extension PropertyListNodes {
  /// An upper bound for the cost of all values if no node is shared.
  var weightWithoutSharing: Int { Budget.valueCost * nodeCount + 2 * byteCount }
}
