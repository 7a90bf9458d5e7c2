/// The nodes of a property list in memory, and the collections that are open while nodes are added. The children of an open collection are
/// collected on a stack, so that they become adjacent in the table.
struct PropertyListArena: PropertyListNodes {
  typealias Tag = NodeTable.Tag
  private typealias Node = NodeTable.Node

  /// An open collection.
  private struct Frame {
    let node: NodeID
    /// The index of the collection's first child on the stack.
    let firstChild: Int
    /// The state of the key that the collection is, or `none`.
    let outerKeyState: KeyState
  }

  /// The state of a key in the innermost collection: `whole` after its value, before its end.
  private enum KeyState { case none, begun, whole }

  let root = NodeID(0)
  /// The limits with which the values were read.
  let budget: Budget
  private(set) var table = NodeTable()
  private var frames: [Frame] = []
  private var waiting: [UInt32] = []
  private var keyState = KeyState.none
  /// True if equal scalars become one node, except for booleans and UIDs.
  let sharesScalars: Bool
  /// The scalars so far, to find one equal to the next; empty unless `sharesScalars` is true.
  private var scalars = HashedNumbers()
  /// The hashes of the scalars in the current batch of events, which are found together (see `HashedNumbers.load`); empty unless
  /// `sharesScalars` is true.
  private var hashes: [UInt64] = []
  var nodeCount: Int { table.nodes.count }
  var byteCount: Int { table.byteCount }

  init(budget: Budget, sharesScalars: Bool = false) {
    self.budget = budget
    self.sharesScalars = sharesScalars
  }

  // MARK: Reading nodes

  @inline(__always)
  func kind(of node: NodeID) throws(FerryError) -> NodeKind { try table.kind(of: node) }
  @inline(__always)
  func outline(of node: NodeID) throws(FerryError) -> NodeOutline { try table.outline(of: node) }
  @inline(__always)
  func element(_ index: Int, of node: NodeID) throws(FerryError) -> NodeID {
    try table.element(index, of: node)
  }
  @inline(__always)
  func key(_ index: Int, of node: NodeID) throws(FerryError) -> NodeID { try table.key(index, of: node) }
  @inline(__always)
  func value(_ index: Int, of node: NodeID) throws(FerryError) -> NodeID { try table.value(index, of: node) }
  @inline(__always)
  func length(of node: NodeID) throws(FerryError) -> Int { try table.length(of: node) }
  func appendReferences(of node: NodeID, to references: inout [NodeID]) throws(FerryError) {
    try table.appendReferences(of: node, to: &references)
  }
  func isSameScalar(_ a: NodeID, _ b: NodeID) -> Bool { table.isSameScalar(a, b) }
  func hashOfScalar(_ node: NodeID) -> UInt64 { table.hashOfScalar(node) }
  func location(of node: NodeID) -> InputLocation { InputLocation() }

  func withText<R>(of node: NodeID, _ body: (BorrowedText) throws(FerryError) -> R) throws(FerryError) -> R {
    let text = try table.text(of: node)
    return try body(text.borrowed)
  }

  func withData<R>(of node: NodeID, _ body: (Span<UInt8>) throws(FerryError) -> R) throws(FerryError) -> R {
    let data = try table.data(of: node)
    return try body(data.span)
  }

  // MARK: Adding nodes

  mutating func string(_ text: BorrowedText) throws(FerryError) {
    try string(text, hash: sharesScalars ? text.utf8.hashOfBytes : 0)
  }

  private mutating func string(_ text: BorrowedText, hash: UInt64) throws(FerryError) {
    try add(tag(of: text), text.utf8, hash: hash)
  }

  @inline(__always)
  private func tag(of text: borrowing BorrowedText) -> Tag {
    text.hasSurrogates ? .unpairedString : text.isASCII ? .ascii : .string
  }

  /// Adds an integer.
  ///
  /// - Parameter format: The name of the format in the message about an integer that it cannot represent.
  mutating func integer(_ value: Int128, for format: String) throws(FerryError) {
    if let value = Int64(exactly: value) {
      try add(.signed, UInt64(bitPattern: value))
    } else if let value = UInt64(exactly: value) {
      try add(.unsigned, value)
    } else {
      throw FerryError(.cannotHold(.integerRange("\(value)", format: format)))
    }
  }

  /// Adds the events of a batch without objects.
  mutating func receive(_ events: borrowing EventBatch, for format: String) throws(EventFailure) {
    if sharesScalars { findHashes(of: events) }
    var index = 0
    while index < events.count {
      do throws(FerryError) {
        let next = try addEntries(of: events, from: index)
        guard next == index else {
          index = next
          continue
        }
        try add(events, index, for: format)
      } catch {
        throw EventFailure(error: error, index: index)
      }
      index += 1
    }
  }

  /// Adds the next entries of a dictionary that are strings, integers, reals or booleans. Returns the index of the next event.
  private mutating func addEntries(of events: borrowing EventBatch, from start: Int) throws(FerryError) -> Int
  {
    guard sharesScalars, events.kind(start) == .key, keyState == .none, let frame = frames.last,
      table.nodes[frame.node.index].tag == .dictionary, (waiting.count - frame.firstChild).isMultiple(of: 2),
      table.nodes.count < Int(UInt32.max) - 2 * events.count
    else { return start }
    var index = start
    while index < events.count - 1, events.kind(index) == .key {
      switch events.kind(index + 1) {
      case .string:
        waiting.append(try shared(textOf: events, index))
        waiting.append(try shared(textOf: events, index + 1))
      case .integer:
        guard let value = Int64(exactly: events.integer(index + 1)) else { return index }
        waiting.append(try shared(textOf: events, index))
        waiting.append(shared(.signed, UInt64(bitPattern: value), hash: hashes[index + 1]))
      case .real:
        waiting.append(try shared(textOf: events, index))
        waiting.append(shared(.real, events.real(index + 1).bitPattern, hash: hashes[index + 1]))
      case .boolean:
        waiting.append(try shared(textOf: events, index))
        waiting.append(UInt32(truncatingIfNeeded: table.nodes.count))
        table.nodes.append(Node(tag: events.boolean(index + 1) ? .yes : .no))
      default: return index
      }
      index += 2
    }
    return index
  }

  private mutating func shared(textOf events: borrowing EventBatch, _ index: Int) throws(FerryError) -> UInt32
  {
    let text = events.text(index)
    return try shared(tag(of: text), text.utf8, hash: hashes[index])
  }

  /// Finds the hashes of the scalars in a batch, and loads their slots. The hash is 0 for events without one.
  private mutating func findHashes(of events: borrowing EventBatch) {
    hashes.removeAll(keepingCapacity: true)
    let seed = WordHash.seed
    let count = events.count
    hashes.append(addingCapacity: count) { hashes in
      for index in 0..<count { hashes.append(Self.hash(of: events, index, seed: seed)) }
    }
    let hashes = hashes
    scalars.load(for: hashes.span)
  }

  @inline(__always)
  private static func hash(of events: borrowing EventBatch, _ index: Int, seed: UInt64) -> UInt64 {
    switch events.kind(index) {
    case .string, .key: events.text(index).utf8.hash(seed: seed)
    case .integer:
      Node(tag: .signed, payload: UInt64(truncatingIfNeeded: events.integer(index))).hash(seed: seed)
    case .real: Node(tag: .real, payload: events.real(index).bitPattern).hash(seed: seed)
    default: 0
    }
  }

  @inline(__always)
  private mutating func add(
    _ events: borrowing EventBatch, _ index: Int, for format: String
  ) throws(FerryError) {
    switch events.kind(index) {
    case .null: try add(.null)
    case .boolean: try add(events.boolean(index) ? .yes : .no)
    case .integer: try integer(events.integer(index), for: format)
    case .real: try add(.real, events.real(index).bitPattern)
    case .number: try add(.number, events.text(index).utf8)
    case .string: try string(events.text(index), hash: sharesScalars ? hashes[index] : 0)
    case .key:
      try beginKey()
      try string(events.text(index), hash: sharesScalars ? hashes[index] : 0)
      try endKey()
    case .beginArray: try begin(.array)
    case .endArray: try end(.array, "the end of an array")
    case .beginDictionary: try begin(.dictionary)
    case .endDictionary: try end(.dictionary, "the end of a dictionary")
    }
  }

  /// True after the beginning of a key, before its value.
  var isInKey: Bool { keyState == .begun }

  mutating func key(_ text: BorrowedText) throws(FerryError) {
    try beginKey()
    try string(text)
    try endKey()
  }

  mutating func beginKey() throws(FerryError) {
    guard let frame = frames.last, table.nodes[frame.node.index].tag == .dictionary, keyState == .none,
      (waiting.count - frame.firstChild).isMultiple(of: 2)
    else { throw misplaced("a key") }
    keyState = .begun
  }

  mutating func endKey() throws(FerryError) {
    guard keyState == .whole else { throw misplaced("the end of a key") }
    keyState = .none
  }

  /// Throws if the tree is incomplete.
  func finish() throws(FerryError) {
    guard frames.isEmpty, !table.nodes.isEmpty else { throw misplaced("the end") }
  }

  /// Adds a scalar of at most eight bytes.
  mutating func add(_ tag: Tag, _ payload: UInt64 = 0) throws(FerryError) {
    let node = Node(tag: tag, payload: payload)
    // A scalar outside of a collection is the only node.
    guard sharesScalars, tag.isShareable, !frames.isEmpty else { return try add(node) }
    _ = try fitting(table.nodes.count)
    try addChild(NodeID(Int(shared(tag, payload, hash: node.hash))))
  }

  /// Returns the number of the scalar that equals one of at most eight bytes. Adds it if there is none.
  private mutating func shared(_ tag: Tag, _ payload: UInt64, hash: UInt64) -> UInt32 {
    var probe = scalars.probe(for: hash)
    while let earlier = scalars.next(at: &probe) {
      if table.nodes[earlier].tag == tag, table.nodes[earlier].payload == payload {
        return UInt32(truncatingIfNeeded: earlier)
      }
    }
    let number = table.nodes.count
    table.nodes.append(Node(tag: tag, payload: payload))
    scalars.add(number, at: probe)
    return UInt32(truncatingIfNeeded: number)
  }

  /// Adds a string or data.
  mutating func add(_ tag: Tag, _ piece: Span<UInt8>) throws(FerryError) {
    try add(tag, piece, hash: sharesScalars ? piece.hashOfBytes : 0)
  }

  /// - Parameter hash: The hash of the bytes if equal scalars are shared.
  private mutating func add(_ tag: Tag, _ piece: Span<UInt8>, hash: UInt64) throws(FerryError) {
    guard sharesScalars, !frames.isEmpty else {
      try add(Node(tag: tag, size: fitting(piece.count), payload: UInt64(table.bytes.count)))
      return table.bytes.append(copying: piece)
    }
    _ = try fitting(table.nodes.count)
    try addChild(NodeID(Int(shared(tag, piece, hash: hash))))
  }

  /// Returns the number of the scalar that equals a string or data. Adds it if there is none.
  private mutating func shared(
    _ tag: Tag, _ piece: Span<UInt8>, hash: UInt64
  ) throws(FerryError) -> UInt32 {
    let size = try fitting(piece.count)
    var probe = scalars.probe(for: hash)
    while let earlier = scalars.next(at: &probe) {
      let node = table.nodes[earlier]
      guard node.tag == tag, node.size == size else { continue }
      if table.bytes(of: node).equals(piece) { return UInt32(truncatingIfNeeded: earlier) }
    }
    let number = table.nodes.count
    table.nodes.append(Node(tag: tag, size: size, payload: UInt64(table.bytes.count)))
    table.bytes.append(copying: piece)
    scalars.add(number, at: probe)
    return UInt32(truncatingIfNeeded: number)
  }

  /// Adds another reference to an existing node as the next child.
  mutating func addAgain(_ node: NodeID) throws(FerryError) {
    guard table.nodes.indices.contains(node.index) else { throw misplaced("a reference") }
    try addChild(node)
  }

  /// Adds a node as the next child of the open collection.
  private mutating func add(_ node: Node) throws(FerryError) {
    try addChild(NodeID(table.nodes.count))
    table.nodes.append(node)
  }

  /// Makes a node the next child of the open collection.
  private mutating func addChild(_ node: NodeID) throws(FerryError) {
    if let frame = frames.last {
      switch keyState {
      case .begun: keyState = .whole
      case .whole: throw misplaced("a second value of a key")
      case .none:
        guard
          table.nodes[frame.node.index].tag != .dictionary
            || !(waiting.count - frame.firstChild).isMultiple(of: 2)
        else { throw misplaced("a value without a key") }
      }
      waiting.append(try fitting(node.index))
    } else if !table.nodes.isEmpty {
      throw misplaced("a second value")
    }
  }

  /// Skips an element of the open array, which only counts: the elements that are skipped one after another take no memory.
  mutating func skipElement() throws(FerryError) {
    guard let frame = frames.last, table.nodes[frame.node.index].tag == .array else {
      return try add(Tag.null)
    }
    if table.skipped == nil {
      table.skipped = NodeID(table.nodes.count)
      table.nodes.append(Node(tag: .null))
    }
    var gaps = table.gaps.removeValue(forKey: frame.node) ?? []
    let before = waiting.count - frame.firstChild
    if let last = gaps.last, last.before == before {
      gaps[gaps.count - 1].count += 1
    } else {
      gaps.append(NodeTable.Gap(before: before, count: 1))
    }
    table.gaps[frame.node] = gaps
  }

  /// Makes an array whose elements were skipped in part one that counts them, too.
  private mutating func closeGaps(of node: NodeID, shownCount: Int) throws(FerryError) {
    guard let gaps = table.gaps[node] else { return }
    let count = try fitting(gaps.reduce(shownCount) { $0 + $1.count })
    table.nodes[node.index] = Node(
      tag: .gapped, size: count, payload: table.nodes[node.index].payload)
  }

  mutating func begin(_ tag: Tag) throws(FerryError) {
    try add(Node(tag: tag))
    frames.append(
      Frame(node: NodeID(table.nodes.count - 1), firstChild: waiting.count, outerKeyState: keyState))
    keyState = .none
  }

  mutating func end(_ tag: Tag, _ event: String) throws(FerryError) {
    guard let frame = frames.last, table.nodes[frame.node.index].tag == tag, keyState == .none else {
      throw misplaced(event)
    }
    var size = waiting.count - frame.firstChild
    if tag == .dictionary {
      guard size.isMultiple(of: 2) else { throw misplaced(event) }
      size /= 2
    }
    table.nodes[frame.node.index].size = try fitting(size)
    table.nodes[frame.node.index].payload = UInt64(table.children.count)
    table.children.append(contentsOf: waiting[frame.firstChild...])
    waiting.removeSubrange(frame.firstChild...)
    frames.removeLast()
    keyState = frame.outerKeyState
    if !table.gaps.isEmpty { try closeGaps(of: frame.node, shownCount: size) }
  }

  /// Converts a size or a node number to 32 bits. The maximum is reserved, because some tables store numbers
  /// plus one.
  private func fitting(_ size: Int) throws(FerryError) -> UInt32 {
    guard let size = UInt32(exactly: size), size < .max else {
      throw FerryError(.overBudget(.values(Int(UInt32.max))))
    }
    return size
  }

  private func misplaced(_ event: String) -> FerryError { FerryError(.cannotHold(.misplaced(event))) }
}
