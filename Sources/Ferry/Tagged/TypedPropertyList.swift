/// Sends a property list's nodes in the typed form.
///
///     a collection that is met again    {"$id": 7, "$value": […]}, then {"$ref": 7}
///     a set                             {"$set": […]}
///     a dictionary with keys that are no strings, or with equal keys
///                                       {"$dictionary": [[key, value], …]}
///
/// So a file whose collections are shared, or contain themselves, costs what it weighs.
struct TypedPropertyList {
  private let nodes: any PropertyListNodes
  private let sink: any ValueSink
  private let depth: Int
  /// Collections that are referred to more than once.
  private let shared: Set<Int>
  private var identities: [Int: Int] = [:]
  private var frames: [Frame] = []

  /// A collection that is being sent.
  private struct Frame {
    enum Kind { case array, set, dictionary, pairs }
    let node: Int
    let kind: Kind
    let count: Int
    let hasIdentity: Bool
    var next = 0
  }

  /// The nodes are sent to a sink that takes tags as keys.
  init(_ nodes: any PropertyListNodes, to sink: any ValueSink, budget: Budget) throws(Failure) {
    self.nodes = nodes
    self.sink = sink
    depth = budget.depth
    shared = try nodes.sharedCollections()
  }

  /// Sends the root.
  mutating func send() throws(Failure) {
    try send(nodes.root)
    while let frame = frames.popLast() {
      if frame.next == frame.count { try end(frame) } else { try sendNext(of: frame) }
    }
  }

  private mutating func sendNext(of frame: Frame) throws(Failure) {
    var rest = frame
    rest.next += 1
    frames.append(rest)
    let level = frames.count
    switch frame.kind {
    case .array, .set: try send(nodes.element(frame.next, of: frame.node))
    case .dictionary:
      try nodes.withText(of: nodes.key(frame.next, of: frame.node)) { text throws(Failure) in
        try TypedNotation.withKey(text) { key throws(Failure) in try sink.key(key) }
      }
      try send(nodes.value(frame.next, of: frame.node))
    case .pairs:
      let isKey = frame.next.isMultiple(of: 2)
      if isKey { try sink.beginArray(count: 2) }
      let index = frame.next / 2
      try send(isKey ? nodes.key(index, of: frame.node) : nodes.value(index, of: frame.node))
      // A scalar is whole; a collection ends the pair when it ends itself.
      if !isKey, frames.count == level { try sink.endArray() }
    }
  }

  private mutating func end(_ frame: Frame) throws(Failure) {
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

  private func tag(_ tag: StaticString) throws(Failure) {
    try sink.beginDictionary(count: 1)
    try sink.key(Text(tag.description.utf8.span))
  }

  private mutating func send(_ node: Int) throws(Failure) {
    do throws(Failure) {
      let kind = try nodes.kind(of: node)
      switch kind {
      case .null: try sink.null()
      case .boolean(let value): try sink.boolean(value)
      case .integer(let value): try sink.integer(value)
      case .real(let value): try sink.real(value)
      case .single(let value): try sink.single(value)
      case .date(let seconds): try sink.date(seconds)
      case .uid(let number): try sink.uid(number)
      case .number: try nodes.withText(of: node) { text throws(Failure) in try sink.number(text) }
      case .string: try nodes.withText(of: node) { text throws(Failure) in try sink.string(text) }
      case .data: try nodes.withData(of: node) { bytes throws(Failure) in try sink.data(bytes) }
      case .array, .set, .dictionary: try begin(node, kind)
      }
    } catch {
      throw error.placed(at: nodes.position(of: node))
    }
  }

  private mutating func begin(_ node: Int, _ kind: NodeKind) throws(Failure) {
    if let identity = identities[node] {
      try tag("$ref")
      try sink.integer(Int128(identity))
      return try sink.endDictionary()
    }
    guard frames.count < depth else { throw Failure(.overBudget(.depth(depth))) }
    let hasIdentity = shared.contains(node)
    if hasIdentity {
      identities[node] = identities.count + 1
      try tag("$id")
      try sink.integer(Int128(identities.count))
      try sink.key(Text("$value".utf8.span))
    }
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
  /// The collections that are referred to more than once, from outside or from inside themselves.
  func sharedCollections() throws(Failure) -> Set<Int> {
    var shared: Set<Int> = []
    var isMet = [Bool](repeating: false, count: nodeCount)
    var waiting = [root]
    while let node = waiting.popLast() {
      let kind = try kind(of: node)
      guard kind.isCollection else { continue }
      guard !isMet[node] else {
        shared.insert(node)
        continue
      }
      isMet[node] = true
      switch kind {
      case .array(let count), .set(let count):
        for index in 0..<count { waiting.append(try element(index, of: node)) }
      case .dictionary(let count):
        for index in 0..<count {
          waiting.append(try key(index, of: node))
          waiting.append(try value(index, of: node))
        }
      default: break
      }
    }
    return shared
  }

  /// Whether all keys of a dictionary are strings, and none occurs twice.
  func hasPlainKeys(_ node: Int, _ count: Int) throws(Failure) -> Bool {
    // Most dictionaries are small: comparing a few keys is cheaper than keeping a set.
    let isSmall = count <= 12
    var keys: [Int] = []
    var texts: Set<[UInt8]> = []
    for index in 0..<count {
      let key = try key(index, of: node)
      guard try kind(of: key) == .string else { return false }
      if isSmall {
        for other in keys where try isSameScalar(key, other) { return false }
        keys.append(key)
      } else {
        let text = try withText(of: key) { text throws(Failure) in [UInt8](copying: text.utf8) }
        guard texts.insert(text).inserted else { return false }
      }
    }
    return true
  }
}
