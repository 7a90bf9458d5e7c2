/// A survey of a property list that finds the nodes with several references, and limits the size of its typed
/// form.
///
/// The typed form contains each collection once. Its size is at most the sum of all nodes, where keys and
/// scalars count for each reference from a collection. The sum is checked before anything is written.
struct TypedSurvey {
  /// For each node, true if it is written once and then referred to: a collection with more than one
  /// reference, or a repeated string or data.
  private(set) var isShared: [Bool]

  private let nodes: any PropertyListNodes
  private let budget: Budget
  private let limit: Int
  private var weight = 0
  /// The number of references to each node as a value.
  private var occurrences: [UInt32]
  private var waiting: [NodeID] = []

  /// Surveys all nodes that can be reached from the root.
  ///
  /// - Throws: A `FerryError` with the reason `.overBudget(.amplification)` if the typed form would be too large.
  init(of nodes: any PropertyListNodes, budget: Budget) throws(FerryError) {
    self.nodes = nodes
    self.budget = budget
    limit = budget.allowance(forInputBytes: nodes.byteCount)
    occurrences = [UInt32](repeating: 0, count: nodes.nodeCount)
    isShared = [Bool](repeating: false, count: nodes.nodeCount)
    try visit(nodes.root)
    while let node = waiting.popLast() { try addChildren(of: node) }
    for index in occurrences.indices where occurrences[index] > 0 { try settle(NodeID(index)) }
  }

  private mutating func visit(_ node: NodeID) throws(FerryError) {
    try add(Budget.valueCost)
    occurrences[node.index] &+= occurrences[node.index] == .max ? 0 : 1
    guard occurrences[node.index] == 1, try nodes.kind(of: node).isCollection else { return }
    waiting.append(node)
  }

  private mutating func addChildren(of node: NodeID) throws(FerryError) {
    switch try nodes.kind(of: node) {
    case .array(let count), .set(let count):
      for index in 0..<count { try visit(nodes.element(index, of: node)) }
    case .dictionary(let count):
      for index in 0..<count {
        try addKey(nodes.key(index, of: node))
        try visit(nodes.value(index, of: node))
      }
    default: break
    }
  }

  /// Adds a key. A string is written each time; any other key is written as a value.
  private mutating func addKey(_ key: NodeID) throws(FerryError) {
    switch try nodes.kind(of: key) {
    case .string: try add(nodes.length(of: key))
    default: try visit(key)
    }
  }

  /// Adds the size of a node's text or data, and decides whether the node is written once.
  private mutating func settle(_ node: NodeID) throws(FerryError) {
    let count = Int(occurrences[node.index])
    switch try nodes.kind(of: node) {
    case .array, .set, .dictionary:
      if count > 1 { isShared[node.index] = true }
    case .string, .data:
      let length = try nodes.length(of: node)
      try add(RepeatedScalars.weight(length: length, occurrences: count))
      if RepeatedScalars.isWrittenOnce(length: length, occurrences: count) { isShared[node.index] = true }
    default: break
    }
  }

  private mutating func add(_ bytes: Int) throws(FerryError) {
    weight += bytes
    guard weight <= limit else { throw budget.overAmplification }
  }
}
