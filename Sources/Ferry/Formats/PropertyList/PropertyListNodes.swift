/// Random access to the nodes of a property list: the objects of a binary file, or a tree in memory.
///
/// Nodes are numbered from 0 to `nodeCount` − 1. Node numbers must come from `root` or from another node, and
/// indices must be less than the count of the collection. A request that does not match the kind of a node
/// throws an error.
protocol PropertyListNodes {
  /// The root node, which contains all others.
  var root: NodeID { get }
  /// The number of nodes, including nodes to which nothing refers.
  var nodeCount: Int { get }
  /// The size of the nodes in bytes. It limits the expansion of shared nodes.
  var byteCount: Int { get }
  /// The limits on the cost of the nodes: those with which the file was read.
  var budget: Budget { get }
  /// True if a key may be a collection, as in YAML.
  var hasCollectionsAsKeys: Bool { get }
  /// Returns the kind of a node, with the value of a scalar except for text and data.
  func kind(of node: NodeID) throws(FerryError) -> NodeKind
  /// Returns the node of an element of an array or a set.
  func element(_ index: Int, of node: NodeID) throws(FerryError) -> NodeID
  /// Returns an array or a set for requests of many elements in any order.
  func list(of node: NodeID) throws(FerryError) -> NodeList
  /// Returns the node of an element of a list.
  func element(_ index: Int, in list: NodeList) throws(FerryError) -> NodeID
  /// Returns the node of the key of a dictionary's entry.
  func key(_ index: Int, of node: NodeID) throws(FerryError) -> NodeID
  /// Returns the node of the value of a dictionary's entry.
  func value(_ index: Int, of node: NodeID) throws(FerryError) -> NodeID
  /// Returns the key and the value of a dictionary's entry.
  func entry(_ index: Int, of node: NodeID) throws(FerryError) -> (key: NodeID, value: NodeID)
  /// Appends the nodes to which a collection refers: the elements of an array or a set, or all keys of a dictionary and
  /// then all its values. In a binary file, this is faster than requests for each of them.
  func appendReferences(of node: NodeID, to references: inout [NodeID]) throws(FerryError)
  /// Returns a table of the keys of a dictionary, or nil if keys are to be compared one by one.
  func keyTable(of node: NodeID, count: Int) throws(FerryError) -> KeyTable?
  /// Returns the index of a key in a list with the keys of a dictionary, as an archive has it. Returns nil if the key is not known to
  /// occur, or to occur once.
  ///
  /// - Parameter name: Returns the text of the key at a node, or nil for a key that is not a string.
  func index(
    ofKey key: String, inKeys list: NodeID, count: Int, naming name: (NodeID) throws(FerryError) -> String?
  ) throws(FerryError) -> Int?
  /// Calls a function with the text of a string, or of a number that is stored as text.
  func withText<R>(of node: NodeID, _ body: (BorrowedText) throws(FerryError) -> R) throws(FerryError) -> R
  /// Calls a function with the text of a string, and with the offset of the text in `withBytes`, which is nil if the
  /// text is not there in UTF-8.
  func withLocatedText<R>(
    of node: NodeID, _ body: (BorrowedText, Int?) throws(FerryError) -> R
  ) throws(FerryError) -> R
  /// Calls a function with the bytes of the file, in which texts may be.
  func withBytes<R>(_ body: (Span<UInt8>) throws(FerryError) -> R) throws(FerryError) -> R
  /// Calls a function with the bytes of a data node.
  func withData<R>(of node: NodeID, _ body: (Span<UInt8>) throws(FerryError) -> R) throws(FerryError) -> R
  /// Returns the length of a string or data without reading it: in bytes, or in code units for a string
  /// stored as UTF-16.
  func length(of node: NodeID) throws(FerryError) -> Int
  /// Returns the length of a string as `length(of:)` does, or nil for other nodes.
  func lengthOfString(_ node: NodeID) throws(FerryError) -> Int?
  /// Returns the length of a string or data as `length(of:)` does, or nil for other nodes.
  func lengthOfStringOrData(_ node: NodeID) throws(FerryError) -> Int?
  /// Returns the source location of a node. It is empty if it is unknown.
  func location(of node: NodeID) -> InputLocation
  /// Returns true if two scalars have the same kind, and the same bits or bytes.
  func isSameScalar(_ a: NodeID, _ b: NodeID) throws(FerryError) -> Bool
  /// Returns a hash of a scalar that is consistent with `isSameScalar`.
  func hashOfScalar(_ node: NodeID) throws(FerryError) -> UInt64
  /// Collects some entries of a dictionary, or elements of an array or a set, that are scalars, from an index on. Stops before
  /// the first for which the list has no fast way, and when the batch is full.
  ///
  /// - Returns: The index of the first that is not collected.
  func collectScalars(
    of node: NodeID, from index: Int, into sender: inout EventSender, keys: inout CollectedKeys,
    weight: inout CollectedWeight
  ) -> Int
}

/// An array or a set whose elements are requested one by one. In a binary file, parsing its marker takes longer than reading an element.
struct NodeList {
  let node: NodeID
  /// The number of elements in a binary file. Other nodes do not use it.
  var count = 0
  /// The offset of the first reference in a binary file. Other nodes do not use it.
  var start = 0
}

/// The kind of a node, with the value of a scalar except for text and data.
enum NodeKind: Hashable {
  case null
  case boolean(Bool)
  case integer(Int128)
  case real(Double)
  case single(Float)
  /// A decimal stored as text, which `withText` returns.
  case number
  case string
  case data
  case date(Double)
  case uid(UInt64)
  case array(count: Int)
  case set(count: Int)
  case dictionary(count: Int)
}

extension NodeKind {
  /// The name of the kind with an article, for messages: "a string", "an array".
  var name: String {
    switch self {
    case .null: "null"
    case .boolean: "a boolean"
    case .integer: "an integer"
    case .real, .single: "a real number"
    case .number: "a number"
    case .string: "a string"
    case .data: "data"
    case .date: "a date"
    case .uid: "a reference of an archive"
    case .array: "an array"
    case .set: "a set"
    case .dictionary: "a dictionary"
    }
  }
}

extension PropertyListNodes {
  func lengthOfString(_ node: NodeID) throws(FerryError) -> Int? {
    try kind(of: node) == .string ? length(of: node) : nil
  }

  func lengthOfStringOrData(_ node: NodeID) throws(FerryError) -> Int? {
    switch try kind(of: node) {
    case .string, .data: try length(of: node)
    default: nil
    }
  }

  func entry(_ index: Int, of node: NodeID) throws(FerryError) -> (key: NodeID, value: NodeID) {
    (try key(index, of: node), try value(index, of: node))
  }

  func list(of node: NodeID) throws(FerryError) -> NodeList { NodeList(node: node) }

  func element(_ index: Int, in list: NodeList) throws(FerryError) -> NodeID {
    try element(index, of: list.node)
  }

  func appendReferences(of node: NodeID, to references: inout [NodeID]) throws(FerryError) {
    switch try kind(of: node) {
    case .array(let count), .set(let count):
      for index in 0..<count { references.append(try element(index, of: node)) }
    case .dictionary(let count):
      for index in 0..<count { references.append(try key(index, of: node)) }
      for index in 0..<count { references.append(try value(index, of: node)) }
    default: break
    }
  }

  func withLocatedText<R>(
    of node: NodeID, _ body: (BorrowedText, Int?) throws(FerryError) -> R
  ) throws(FerryError) -> R {
    try withText(of: node) { text throws(FerryError) in try body(text, nil) }
  }

  func withBytes<R>(_ body: (Span<UInt8>) throws(FerryError) -> R) throws(FerryError) -> R {
    try body(Span())
  }

  func collectScalars(
    of node: NodeID, from index: Int, into sender: inout EventSender, keys: inout CollectedKeys,
    weight: inout CollectedWeight
  ) -> Int { index }

  func isSameScalar(_ a: NodeID, _ b: NodeID) throws(FerryError) -> Bool {
    guard a != b else { return true }
    return try isSameScalar(a, as: b, of: self)
  }

  /// Returns true if a scalar and one of another list have the same kind, and the same bits or bytes.
  func isSameScalar(_ a: NodeID, as b: NodeID, of other: some PropertyListNodes) throws(FerryError) -> Bool {
    let kind = try kind(of: a)
    guard try kind.isSameScalar(as: other.kind(of: b)) else { return false }
    switch kind {
    case .string, .number:
      return try withText(of: a) { first throws(FerryError) in
        try other.withText(of: b) { second throws(FerryError) in first.utf8.equals(second.utf8) }
      }
    case .data:
      return try withData(of: a) { first throws(FerryError) in
        try other.withData(of: b) { second throws(FerryError) in first.equals(second) }
      }
    default: return true
    }
  }

  func hashOfScalar(_ node: NodeID) throws(FerryError) -> UInt64 {
    switch try kind(of: node) {
    case .string, .number: try withText(of: node) { text throws(FerryError) in text.utf8.hashOfBytes }
    case .data: try withData(of: node) { bytes throws(FerryError) in bytes.hashOfBytes }
    case .null: WordHash.hash(of: 1)
    case .boolean(let value): WordHash.hash(of: value ? 2 : 3)
    case .integer(let value):
      WordHash.hash(of: UInt64(truncatingIfNeeded: value), UInt64(truncatingIfNeeded: value >> 64))
    case .real(let value), .date(let value): WordHash.hash(of: value.bitPattern)
    case .single(let value): WordHash.hash(of: UInt64(value.bitPattern))
    case .uid(let number): WordHash.hash(of: number, 4)
    case .array, .set, .dictionary: 0
    }
  }
}

extension NodeKind {
  /// Returns true if the kinds and their bits are equal. A NaN equals itself.
  func isSameScalar(as other: NodeKind) -> Bool {
    switch (self, other) {
    case (.real(let a), .real(let b)), (.date(let a), .date(let b)): a.bitPattern == b.bitPattern
    case (.single(let a), .single(let b)): a.bitPattern == b.bitPattern
    default: self == other
    }
  }
}

extension PropertyListNodes {
  var hasCollectionsAsKeys: Bool { false }

  /// The number of references and bytes that a walk over the nodes may visit. Overlapping objects may each have
  /// those of all others; a valid file has no more than it has bytes.
  var visitLimit: Int { 4 * byteCount + 2 * nodeCount + 64 }

  /// Returns true if a node is a string or data long enough to be sent once and then referred to.
  func isLongScalar(_ node: NodeID) throws(FerryError) -> Bool {
    switch try kind(of: node) {
    case .string, .data: try length(of: node) >= RepeatedScalars.shortestLength
    default: false
    }
  }

  /// Sends a node and its contents to a sink. Does not call `finish`.
  ///
  /// A shared node is sent once for each reference, so that a small file may expand to a large value. The
  /// budget limits the expansion. A collection that contains itself throws an error.
  ///
  /// - Parameters:
  ///   - node: The node to send.
  ///   - sink: Receives the events.
  ///   - budget: The limits on depth and expansion.
  ///   - marksShared: Pass true to send a shared collection once as an object without a class, whose identity
  ///     is its node number, and after that as a reference.
  ///   - shared: The style of marked collections. With `inFull`, references are sent only inside the
  ///     collection itself.
  ///   - refersToScalars: Pass true to send long strings and data in the same way if their copies would
  ///     exceed the budget.
  ///   - locator: Receives the source location of each node before it is sent; nil if no sink needs it.
  @specialized(where Self == BinaryPropertyList)
  @specialized(where Self == PropertyListTree)
  func replay(
    _ node: NodeID, into sink: any ValueSink, budget: Budget, marksShared: Bool = false,
    shared: SharedObjectStyle = .reference, refersToScalars: Bool = false, locator: SourceLocator? = nil
  ) throws(FerryError) {
    var replay = NodeReplay(
      self, root: node, into: sink, budget: budget, shared: shared, refersToScalars: refersToScalars,
      locator: locator)
    if marksShared { try replay.findShared(from: node) }
    do throws(FerryError) {
      try replay.send(node)
      while try replay.step() {}
    } catch {
      // The events before the error determine its path.
      try replay.flush()
      throw error
    }
    try replay.flush()
  }

  /// Sends some entries of a dictionary as a dictionary. The budget limits the expansion of all of them. Does not call `finish`.
  func replay(
    entries indices: [Int], of dictionary: NodeID, into sink: any ValueSink, budget: Budget
  ) throws(FerryError) {
    var replay = NodeReplay(
      self, root: dictionary, into: sink, budget: budget, shared: .reference, refersToScalars: false,
      locator: nil)
    try sink.beginDictionary(count: indices.count)
    for index in indices {
      try replay.send(entry: index, of: dictionary)
      while try replay.step() {}
    }
    try replay.flush()
    try sink.endDictionary()
  }
}

/// A walk over nodes and their contents without recursion.
private struct NodeReplay<Nodes: PropertyListNodes>: ~Copyable {
  private enum Shape {
    case array, set, dictionary
    /// The end of a key that is a collection, before the value of an entry. The node is the dictionary.
    case key
  }

  /// An open collection.
  private struct Frame {
    let node: NodeID
    let shape: Shape
    let count: Int
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
    ownWeight = Budget.valueCost * nodes.nodeCount + 2 * nodes.byteCount
  }

  /// Sends the next child or the end of the innermost collection. Returns false if no collection is open.
  mutating func step() throws(FerryError) -> Bool {
    guard let top = frames.indices.last else { return false }
    if collectsScalars { collectScalars(of: top) }
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

  /// Collects the next children of a collection that are scalars.
  private mutating func collectScalars(of top: Int) {
    guard frames[top].shape != .key else { return }
    // If the values weigh more than all nodes, a node is shared. `grow` then weighs the values and finds the limit.
    var weight = CollectedWeight(value: weight, limit: isWeighed ? weightLimit : min(ownWeight, weightLimit))
    frames[top].next = nodes.collectScalars(
      of: frames[top].node, from: frames[top].next, into: &sender, keys: &keys, weight: &weight)
    self.weight = weight.value
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
    guard frames.count < budget.depth else { throw FerryError(.overBudget(.depth(budget.depth))) }
    // Most files are shallow, and comparing a few numbers is cheaper than maintaining a set.
    let isOpen =
      frames.prefix(Self.shallowDepth).contains { $0.node == frame.node }
      || (frames.count >= Self.shallowDepth && !deepNodes.insert(frame.node.index).inserted)
    guard !isOpen else { throw FerryError(.propertyList(.containsItself)) }
    frames.append(frame)
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
