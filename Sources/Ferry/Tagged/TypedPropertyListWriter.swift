/// A writer of the nodes of a property list in the typed form.
///
///     a collection with several references, and a repeated long string or data
///                                       {"$id": 7, "$value": […]}, and later {"$ref": 7}
///     a set                             {"$set": […]}
///     a dictionary with repeated keys, or with keys that are not strings
///                                       {"$dictionary": [[key, value], …]}
///
/// Shared and cyclic collections are written once, so the output is proportional to the file.
struct TypedPropertyListWriter {
  private let nodes: any PropertyListNodes
  private let sink: any ValueSink
  private let depth: Int
  /// For each node, true if it is written once and then referred to.
  private let isShared: [Bool]
  private var identities: [NodeID: Int] = [:]
  private var frames: [Frame] = []

  /// A collection that is being sent.
  private struct Frame {
    enum Kind { case array, set, dictionary, pairs }
    let node: NodeID
    let kind: Kind
    let count: Int
    let hasIdentity: Bool
    var next = 0
  }

  /// Creates a writer. The sink must accept tags as keys.
  init(_ nodes: any PropertyListNodes, to sink: any ValueSink, budget: Budget) throws(FerryError) {
    self.nodes = nodes
    self.sink = sink
    depth = budget.depth
    isShared = try TypedSurvey(of: nodes, budget: budget).isShared
  }

  /// Sends the root.
  mutating func send() throws(FerryError) {
    try send(nodes.root)
    while let frame = frames.popLast() {
      if frame.next == frame.count { try end(frame) } else { try sendNext(of: frame) }
    }
  }

  private mutating func sendNext(of frame: Frame) throws(FerryError) {
    var rest = frame
    rest.next += 1
    frames.append(rest)
    let level = frames.count
    switch frame.kind {
    case .array, .set: try send(nodes.element(frame.next, of: frame.node))
    case .dictionary:
      try nodes.withText(of: nodes.key(frame.next, of: frame.node)) { text throws(FerryError) in
        try TypedNotation.withKey(text) { key throws(FerryError) in try sink.key(key) }
      }
      try send(nodes.value(frame.next, of: frame.node))
    case .pairs:
      let isKey = frame.next.isMultiple(of: 2)
      if isKey { try sink.beginArray(count: 2) }
      let index = frame.next / 2
      try send(isKey ? nodes.key(index, of: frame.node) : nodes.value(index, of: frame.node))
      // A pair with a scalar value is complete. A collection ends its pair when it ends.
      if !isKey, frames.count == level { try sink.endArray() }
    }
  }

  private mutating func end(_ frame: Frame) throws(FerryError) {
    switch frame.kind {
    case .array: try sink.endArray()
    case .dictionary: try sink.endDictionary()
    case .set, .pairs:
      try sink.endArray()
      try sink.endDictionary()
    }
    if frame.hasIdentity { try sink.endDictionary() }
    if let around = frames.last, around.kind == .pairs, around.next.isMultiple(of: 2) { try sink.endArray() }
  }

  private func tag(_ tag: StaticString) throws(FerryError) {
    try sink.beginDictionary(count: 1)
    try sink.key(BorrowedText(tag.description.utf8.span))
  }

  private mutating func send(_ node: NodeID) throws(FerryError) {
    do throws(FerryError) {
      guard isShared[node.index] else { return try send(node, hasIdentity: false) }
      if let identity = identities[node] { return try sendReference(identity) }
      identities[node] = identities.count + 1
      try tag("$id")
      try sink.integer(Int128(identities.count))
      try sink.key(BorrowedText("$value".utf8.span))
      try send(node, hasIdentity: true)
    } catch {
      throw error.placed(at: nodes.location(of: node))
    }
  }

  private func sendReference(_ identity: Int) throws(FerryError) {
    try tag("$ref")
    try sink.integer(Int128(identity))
    try sink.endDictionary()
  }

  private mutating func send(_ node: NodeID, hasIdentity: Bool) throws(FerryError) {
    let kind = try nodes.kind(of: node)
    guard !kind.isCollection else { return try begin(node, kind, hasIdentity: hasIdentity) }
    try nodes.send(scalar: node, to: sink)
    if hasIdentity { try sink.endDictionary() }
  }

  private mutating func begin(_ node: NodeID, _ kind: NodeKind, hasIdentity: Bool) throws(FerryError) {
    guard frames.count < depth else { throw FerryError(.overBudget(.depth(depth))) }
    switch kind {
    case .set(let count):
      try tag("$set")
      try sink.beginArray(count: count)
      frames.append(Frame(node: node, kind: .set, count: count, hasIdentity: hasIdentity))
    case .dictionary(let count):
      if try nodes.hasPlainKeys(node, count) {
        try sink.beginDictionary(count: count)
        frames.append(Frame(node: node, kind: .dictionary, count: count, hasIdentity: hasIdentity))
      } else {
        try tag("$dictionary")
        try sink.beginArray(count: count)
        frames.append(Frame(node: node, kind: .pairs, count: 2 * count, hasIdentity: hasIdentity))
      }
    case .array(let count):
      try sink.beginArray(count: count)
      frames.append(Frame(node: node, kind: .array, count: count, hasIdentity: hasIdentity))
    default: break
    }
  }
}

extension PropertyListNodes {
  /// Returns true if all keys of a dictionary are strings and no key is repeated.
  func hasPlainKeys(_ node: NodeID, _ count: Int) throws(FerryError) -> Bool {
    // Most dictionaries are small; comparing a few keys is cheaper than maintaining a set.
    let isSmall = count <= 12
    var keys: [NodeID] = []
    var texts: Set<[UInt8]> = []
    for index in 0..<count {
      let key = try key(index, of: node)
      guard try kind(of: key) == .string else { return false }
      if isSmall {
        for other in keys where try isSameScalar(key, other) { return false }
        keys.append(key)
      } else {
        guard texts.insert(try bytes(ofText: key)).inserted else { return false }
      }
    }
    return true
  }
}
