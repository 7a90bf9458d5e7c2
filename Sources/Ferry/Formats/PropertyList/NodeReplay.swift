/// A walk over nodes and their contents without recursion.
struct NodeReplay<Nodes: PropertyListNodes>: ~Copyable {
  private enum Shape {
    case array, set, dictionary
    /// The end of a key that is a collection, before the value of an entry. The node is the dictionary.
    case key
  }

  /// An open collection.
  private struct Frame {
    let node: NodeID
    let shape: Shape
    var count: Int
    var next = 0
  }

  private let nodes: Nodes
  private let root: NodeID
  private let sink: any ValueSink
  /// The events that are collected for the sink, with the numbers of their nodes.
  private var sender: EventSender
  private let budget: Budget
  private var frames: [Frame] = []
  /// The indices of the open collections below the first few levels. The upper levels are searched in order
  /// instead.
  private var deepNodes: Set<Int> = []
  private static var shallowDepth: Int { 16 }
  /// The cost of the values sent so far, measured like `ExpandedWeight`.
  private var weight = 0
  /// An upper bound for the cost of all values if no node is shared.
  private let ownWeight: Int
  private var isWeighed = false
  private let weightLimit: Int
  /// If shared collections are sent once, the number of references to each node, counted up to 2.
  private var references: [UInt8] = []
  private var hasBegun: [Bool] = []
  /// The total size of the copies of long strings and data, not counting the first of each.
  private var repeatedBytes = 0
  private let shared: SharedObjectStyle
  private let refersToScalars: Bool
  private let locator: SourceLocator?
  private var keys = CollectedKeys()
  /// True if copies of long strings and data would exceed the budget. From then on, each is sent once.
  private var sendsLongScalarsOnce = false
  /// The nodes of the strings and data that were already sent.
  private var sentScalars: Set<NodeID> = []

  init(
    _ nodes: Nodes, root: NodeID, into sink: any ValueSink, budget: Budget, shared: SharedObjectStyle,
    refersToScalars: Bool, locator: SourceLocator?
  ) {
    self.locator = locator
    self.shared = shared
    self.refersToScalars = refersToScalars
    self.nodes = nodes
    self.root = root
    self.sink = sink
    sender = EventSender(to: sink, isPrompt: locator != nil)
    self.budget = budget
    weightLimit = budget.allowance(forInputBytes: nodes.byteCount)
    ownWeight = nodes.weightWithoutSharing
  }

  /// Sends the root, which is a list, with only some of its elements. The caller compares the cost of all elements with the limit.
  ///
  /// - Returns: The cost of the values.
  mutating func send(_ elements: Range<Int>) throws(FerryError) -> Int {
    isWeighed = true
    try send(root)
    guard frames.count == 1, frames[0].shape == .array, elements.upperBound <= frames[0].count else {
      throw .stopped
    }
    (frames[0].next, frames[0].count) = (elements.lowerBound, elements.upperBound)
    while try step() {}
    try flush()
    return weight
  }

  /// Sends the next child or the end of the innermost collection. Returns false if no collection is open.
  mutating func step() throws(FerryError) -> Bool {
    guard let top = frames.indices.last else { return false }
    if collectsScalars {
      try collectScalars(of: top)
      if sender.isFull { try flush() }
      guard frames.count == top + 1 else { return true }
    }
    let frame = frames[top]
    guard frame.next < frame.count else {
      try end(frame)
      return true
    }
    frames[top].next += 1
    switch frame.shape {
    case .array, .set: try send(nodes.element(frame.next, of: frame.node))
    case .dictionary: try send(entry: frame.next, of: frame.node)
    case .key: break
    }
    return true
  }

  /// True if the scalars of a collection can be collected together.
  private var collectsScalars: Bool { sender.isCollecting && locator == nil && !sendsLongScalarsOnce }

  /// Collects the next children of a collection that are scalars, and dictionaries of scalars in an array or a set. A dictionary whose
  /// beginning was collected becomes the innermost collection.
  private mutating func collectScalars(of top: Int) throws(FerryError) {
    guard frames[top].shape != .key else { return }
    // If the values weigh more than all nodes, a node is shared. `grow` then weighs the values and finds the limit.
    var weight = CollectedWeight(value: weight, limit: isWeighed ? weightLimit : min(ownWeight, weightLimit))
    let collected = nodes.collectScalars(
      of: frames[top].node, in: frames[top].next..<frames[top].count,
      takesRecords: references.isEmpty && frames.count < budget.depth,
      into: &sender, keys: &keys, weight: &weight)
    frames[top].next = collected.next
    self.weight = weight.value
    guard let record = collected.open else { return }
    do throws(FerryError) {
      try open(Frame(node: record.node, shape: .dictionary, count: record.count, next: record.next))
    } catch {
      // The path of the error is that of the record, and not in it.
      sender.removeLast(record.events)
      throw error.placed(at: nodes.location(of: record.node))
    }
  }

  /// Sends the key of an entry, and its value or the beginning of that, unless the key is a collection that has only begun.
  mutating func send(entry index: Int, of dictionary: NodeID) throws(FerryError) {
    let (key, value) = try nodes.entry(index, of: dictionary)
    if try sendKey(key, ofEntry: index, in: dictionary) { try send(value) }
  }

  /// Sends a scalar, or the beginning of a collection.
  mutating func send(_ node: NodeID) throws(FerryError) {
    locator?.move(to: nodes.location(of: node))
    do throws(FerryError) {
      try grow(by: Budget.valueCost)
      if sendsLongScalarsOnce, try sendOnce(node) { return }
      try sendInFull(node)
    } catch {
      throw error.placed(at: nodes.location(of: node))
    }
  }

  /// Sends a long string or data as an object or a reference, and returns true. Returns false for other
  /// nodes.
  private mutating func sendOnce(_ node: NodeID) throws(FerryError) -> Bool {
    guard try nodes.isLongScalar(node) else { return false }
    try flush()
    guard sentScalars.insert(node).inserted else {
      try sink.reference(node.index)
      return true
    }
    try sink.beginObject(.none, identity: node.index)
    try sendInFull(node)
    try flush()
    try sink.endObject()
    return true
  }

  private mutating func sendInFull(_ node: NodeID) throws(FerryError) {
    let kind = try nodes.kind(of: node)
    switch kind {
    case .array(let count): try begin(Frame(node: node, shape: .array, count: count))
    case .set(let count): try begin(Frame(node: node, shape: .set, count: count))
    case .dictionary(let count): try begin(Frame(node: node, shape: .dictionary, count: count))
    default: try grow(by: send(scalar: node, kind))
    }
  }

  /// Sends a scalar, and returns the number of bytes in its text or data.
  private mutating func send(scalar node: NodeID, _ kind: NodeKind) throws(FerryError) -> Int {
    switch kind {
    case .null: try sender.null(at: node.index)
    case .boolean(let value): try sender.boolean(value, at: node.index)
    case .integer(let value): try sender.integer(value, at: node.index)
    case .real(let value) where value.isFinite: try sender.real(value, at: node.index)
    case .number: return try send(text: node, as: .number)
    case .string: return try send(text: node, as: .string)
    default:
      try flush()
      return try nodes.send(scalar: node, kind, to: sink)
    }
    if sender.isFull { try flush() }
    return 0
  }

  /// Sends a string, number or key, and returns the number of its bytes.
  private mutating func send(text node: NodeID, as kind: EventBatch.Kind) throws(FerryError) -> Int {
    let nodes = nodes
    let count = try nodes.withLocatedText(of: node) { text, offset throws(FerryError) in
      try sender.text(kind, text, from: offset, at: node.index)
      return text.utf8.count
    }
    if sender.isFull { try flush() }
    return count
  }

  /// Sends the collected events.
  mutating func flush() throws(FerryError) {
    guard sender.isCollecting else { return }
    var failed = root.index
    let nodes = nodes
    do throws(FerryError) {
      try nodes.withBytes { bytes throws(FerryError) in try sender.flush(bytes, failedAt: &failed) }
    } catch {
      throw error.placed(at: nodes.location(of: NodeID(failed)))
    }
  }

  /// Sends a node as a key: a string as `key`, and any other value between `beginKey` and `endKey`. Returns false if the key
  /// is a collection that has only begun. The value of the entry follows its end.
  private mutating func sendKey(
    _ node: NodeID, ofEntry index: Int, in dictionary: NodeID
  ) throws(FerryError) -> Bool {
    do throws(FerryError) {
      let kind = try nodes.kind(of: node)
      switch kind {
      case .string: try grow(by: send(text: node, as: .key))
      case .array, .set, .dictionary:
        guard nodes.hasCollectionsAsKeys else {
          throw FerryError(.propertyList(.keyIsNotString(found: kind.name)))
        }
        try flush()
        try sink.beginKey()
        frames.append(Frame(node: dictionary, shape: .key, count: 0, next: index))
        try send(node)
        return false
      default:
        try flush()
        try sink.beginKey()
        try send(node)
        try flush()
        try sink.endKey()
      }
      return true
    } catch {
      throw error.placed(at: nodes.location(of: node))
    }
  }

  private mutating func begin(_ frame: Frame) throws(FerryError) {
    guard try !sendReference(to: frame.node) else { return }
    try open(frame)
    switch frame.shape {
    case .array where sender.isCollecting: try sender.beginArray(at: frame.node.index)
    case .array: try sink.beginArray(count: frame.count)
    case .set:
      try flush()
      try sink.beginSet(count: frame.count)
    case .dictionary: try sender.beginDictionary(count: frame.count, at: frame.node.index)
    case .key: break
    }
  }

  private mutating func open(_ frame: Frame) throws(FerryError) {
    guard frames.count < budget.depth else { throw FerryError(.overBudget(.depth(budget.depth))) }
    // Most files are shallow, and comparing a few numbers is cheaper than maintaining a set.
    let isOpen =
      frames.prefix(Self.shallowDepth).contains { $0.node == frame.node }
      || (frames.count >= Self.shallowDepth && !deepNodes.insert(frame.node.index).inserted)
    guard !isOpen else { throw FerryError(.propertyList(.containsItself)) }
    frames.append(frame)
  }

  /// Ends a key that is a collection, and sends the value of its entry.
  private mutating func endKey(_ frame: Frame) throws(FerryError) {
    frames.removeLast()
    try flush()
    try sink.endKey()
    try send(nodes.value(frame.next, of: frame.node))
  }

  private mutating func end(_ frame: Frame) throws(FerryError) {
    do throws(FerryError) {
      switch frame.shape {
      case .array: try sender.endArray(at: frame.node.index)
      case .set:
        try flush()
        try sink.endSet()
      case .dictionary: try sender.endDictionary(at: frame.node.index)
      case .key: return try endKey(frame)
      }
      if isShared(frame.node) {
        try flush()
        try sink.endObject()
        if shared == .inFull { hasBegun[frame.node.index] = false }
      }
    } catch {
      throw error.placed(at: nodes.location(of: frame.node))
    }
    frames.removeLast()
    if frames.count >= Self.shallowDepth { deepNodes.remove(frame.node.index) }
  }

  // MARK: Shared collections

  /// Counts the references to each collection that can be reached from a node.
  mutating func findShared(from root: NodeID) throws(FerryError) {
    // Shared collections are sent once; if they are sent in full, the cost is checked on the way.
    isWeighed = true
    let nodes = nodes
    references = try nodes.referenceCounts(from: root) { node, isFirst throws(FerryError) in
      try grow(by: Budget.valueCost)
      guard !isFirst, try nodes.isLongScalar(node) else { return }
      repeatedBytes = min(repeatedBytes + (try nodes.length(of: node)), .max / 4)
    }
    hasBegun = [Bool](repeating: false, count: nodes.nodeCount)
    sendsLongScalarsOnce = refersToScalars && ownWeight + repeatedBytes > weightLimit
    weight = 0
  }

  private func isShared(_ node: NodeID) -> Bool { !references.isEmpty && references[node.index] > 1 }

  /// Sends a reference and returns true if the node is a shared collection that was already sent. Otherwise
  /// begins an object if the collection is shared, and returns false.
  private mutating func sendReference(to node: NodeID) throws(FerryError) -> Bool {
    guard isShared(node) else { return false }
    try flush()
    if hasBegun[node.index] {
      try sink.reference(node.index)
      return true
    }
    hasBegun[node.index] = true
    try sink.beginObject(.none, identity: node.index)
    return false
  }

  private mutating func grow(by bytes: Int) throws(FerryError) {
    weight += bytes
    if weight > ownWeight, !isWeighed { try weighAll() }
    guard weight <= weightLimit else { throw budget.overAmplification }
  }

  /// Throws if the expansion of all values would exceed the budget. Called when the first shared node is
  /// found, before values are sent again.
  private mutating func weighAll() throws(FerryError) {
    isWeighed = true
    var expanded = ExpandedWeight(nodes, limit: weightLimit)
    guard try expanded.exceedsLimit(root) else { return }
    guard refersToScalars else { throw budget.overAmplification }
    var withReferences = ExpandedWeight(nodes, limit: weightLimit, countsLongScalarsOnce: true)
    if try withReferences.exceedsLimit(root) { throw budget.overAmplification }
    sendsLongScalarsOnce = true
  }
}
