/// What nodes weigh when they are sent: each value as much as a few bytes, texts and data as much as they have.
///
/// A shared collection weighs again wherever it is referred to, and forty arrays that each hold the next one twice weigh
/// 2⁴⁰ values. What all of it weighs is known after looking at each node once, without sending anything: the sum for each
/// collection is kept.
struct ExpandedWeight<Nodes: PropertyListNodes> {
  /// What a value weighs wherever it goes.
  static var ofValue: Int { 4 }

  private let nodes: Nodes
  private let limit: Int
  private let countsLongScalarsOnce: Bool
  /// For each collection that has been summed up its weight, for one that is being summed up 1.
  private var weights: [Int]
  private var frames: [Frame] = []
  private var steps = 0

  /// A collection that is being summed up.
  private struct Frame {
    let node: Int
    let count: Int
    let isDictionary: Bool
    var next = 0
    var sum = ExpandedWeight.ofValue
  }

  /// Ready to weigh nodes of which nobody wants to know more than whether they weigh more than `limit`.
  /// With `countsLongScalarsOnce`, a long string or data weighs as much as a reference from its second time on.
  init(_ nodes: Nodes, limit: Int, countsLongScalarsOnce: Bool = false) {
    self.countsLongScalarsOnce = countsLongScalarsOnce
    self.nodes = nodes
    self.limit = limit
    weights = [Int](repeating: 0, count: nodes.nodeCount)
  }

  /// Whether a node weighs more than the limit. A collection inside itself counts for nothing there: what contains itself is
  /// refused when it is sent.
  mutating func exceedsLimit(_ root: Int) throws(Failure) -> Bool {
    _ = try weight(of: root)
    while var frame = frames.popLast() {
      guard frame.next < frame.count else {
        weights[frame.node] = frame.sum
        if frame.sum > limit { return true }
        add(frame.sum)
        continue
      }
      // Objects that overlap may each have the references of all.
      steps += 1
      guard steps <= limit else { return true }
      let child =
        try frame.isDictionary
        ? nodes.value(frame.next, of: frame.node) : nodes.element(frame.next, of: frame.node)
      frame.next += 1
      frames.append(frame)
      if let known = try weight(of: child) { add(known) }
    }
    return false
  }

  private mutating func add(_ weight: Int) {
    guard let last = frames.indices.last else { return }
    // Both are at most one more than what a file may weigh, far from overflow; a sum beyond the limit ends it all.
    frames[last].sum = min(frames[last].sum + weight, limit + 1)
  }

  /// What is known of a node's weight; nil for a collection that now begins to be summed up.
  private mutating func weight(of node: Int) throws(Failure) -> Int? {
    if weights[node] > 0 { return weights[node] == 1 ? 0 : weights[node] }
    switch try nodes.kind(of: node) {
    case .array(let count), .set(let count): begin(node, count, isDictionary: false)
    case .dictionary(let count): begin(node, count, isDictionary: true)
    case .string, .data:
      if countsLongScalarsOnce, try nodes.isLongScalar(node) { weights[node] = Self.ofValue }
      return try min(Self.ofValue + nodes.length(of: node), limit + 1)
    default: return Self.ofValue
    }
    return nil
  }

  private mutating func begin(_ node: Int, _ count: Int, isDictionary: Bool) {
    weights[node] = 1
    frames.append(Frame(node: node, count: count, isDictionary: isDictionary))
  }
}
