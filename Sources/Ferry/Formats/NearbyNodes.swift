/// The nodes of a text around one of them, the nearest first: they show the notation of values there.
struct NearbyNodes: Sequence, IteratorProtocol {
  private let center: Int
  private let count: Int
  private var step = 0
  private let lastStep: Int

  /// Creates a sequence of nodes.
  ///
  /// - Parameters:
  ///   - center: The node around which the others are.
  ///   - count: The number of nodes of the text.
  ///   - reach: The number of nodes on each side.
  init(around center: NodeID, of count: Int, reach: Int) {
    (self.center, self.count, lastStep) = (center.index, count, 2 * reach)
  }

  mutating func next() -> NodeID? {
    while step <= lastStep {
      let distance = (step + 1) / 2
      let index = step.isMultiple(of: 2) ? center + distance : center - distance
      step += 1
      if index >= 0, index < count { return NodeID(index) }
    }
    return nil
  }
}
