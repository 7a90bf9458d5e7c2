/// The nodes of a property list that occur several times, and the weight of its typed form.
///
/// The typed form has each collection once, so it is at most as large as all nodes, keys and scalars, each as often as a
/// collection refers to it. The sum is known before anything is written.
struct TypedSurvey {
  /// The collections with more than one reference, and the strings and data that are written once.
  private(set) var shared: Set<Int> = []

  private let nodes: any PropertyListNodes
  private let budget: Budget
  private let limit: Int
  private var weight = 0
  /// The references to each node as a value.
  private var occurrences: [UInt32]
  private var waiting: [Int] = []

  /// Looks at everything that the root leads to.
  ///
  /// - Throws: `.overBudget(.amplification)` if the typed form would be too large.
  init(of nodes: any PropertyListNodes, budget: Budget) throws(Failure) {
    self.nodes = nodes
    self.budget = budget
    limit = budget.allowance(forInputBytes: nodes.byteCount)
    occurrences = [UInt32](repeating: 0, count: nodes.nodeCount)
    try meet(nodes.root)
    while let node = waiting.popLast() { try addChildren(of: node) }
    for node in occurrences.indices where occurrences[node] > 0 { try settle(node) }
  }

  private mutating func meet(_ node: Int) throws(Failure) {
    try add(ExpandedWeight<BinaryPropertyList>.ofValue)
    occurrences[node] &+= occurrences[node] == .max ? 0 : 1
    guard occurrences[node] == 1, try nodes.kind(of: node).isCollection else { return }
    waiting.append(node)
  }

  private mutating func addChildren(of node: Int) throws(Failure) {
    switch try nodes.kind(of: node) {
    case .array(let count), .set(let count):
      for index in 0..<count { try meet(nodes.element(index, of: node)) }
    case .dictionary(let count):
      for index in 0..<count {
        try addKey(nodes.key(index, of: node))
        try meet(nodes.value(index, of: node))
      }
    default: break
    }
  }

  /// A key is written each time, unless it is no string: then it is a value of a pair.
  private mutating func addKey(_ key: Int) throws(Failure) {
    switch try nodes.kind(of: key) {
    case .string: try add(nodes.length(of: key))
    default: try meet(key)
    }
  }

  /// Weighs a node's text or data, and keeps those nodes that are written once.
  private mutating func settle(_ node: Int) throws(Failure) {
    let count = Int(occurrences[node])
    switch try nodes.kind(of: node) {
    case .array, .set, .dictionary:
      if count > 1 { shared.insert(node) }
    case .string, .data:
      let length = try nodes.length(of: node)
      try add(RepeatedScalars.weight(length: length, occurrences: count))
      if RepeatedScalars.isWrittenOnce(length: length, occurrences: count) { shared.insert(node) }
    default: break
    }
  }

  private mutating func add(_ bytes: Int) throws(Failure) {
    weight += bytes
    guard weight <= limit else { throw Failure(.overBudget(.amplification(budget.amplification))) }
  }
}
