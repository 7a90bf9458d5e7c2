/// The nodes of a property list in memory.
///
/// Nodes are stored in arrays, so that none needs an allocation. For `{"a": [true]}`:
///
///     nodes       0 dictionary, 1 entry, children from 1     children   0: 3
///                 1 string, 1 byte, text from 0                         1: 1 2
///                 2 array, 1 element, children from 0        text       a
///                 3 true
///
/// A node takes 16 bytes, and a reference to it four. Text and data are concatenated. The children of an open
/// collection are collected on a stack, so that they become adjacent in `children`.
struct PropertyListArena: PropertyListNodes {
  /// The kind of a node. It determines the meaning of `size` and `payload`.
  enum Tag: UInt8 {
    case null, no, yes
    /// An Int64 or a UInt64, whose bits are in `payload`.
    case signed, unsigned
    case real, single, date, uid
    /// The bytes of a scalar: `size` bytes of `bytes`, starting at `payload`.
    case number, ascii, string, unpairedString, data
    /// A collection: `size` elements or entries in `children`, starting at `payload`. Keys and values
    /// alternate.
    case array, set, dictionary

    var hasBytes: Bool { rawValue >= Tag.number.rawValue && rawValue <= Tag.data.rawValue }
    /// True for scalars that share one object with equal scalars in property lists of Apple's tools.
    var isShareable: Bool { self != .no && self != .yes && self != .uid && rawValue < Tag.array.rawValue }
  }

  fileprivate struct Node {
    let tag: Tag
    var size: UInt32 = 0
    var payload: UInt64 = 0

    /// The hash of a scalar without bytes.
    var hash: UInt64 { WordHash.hash(of: payload, UInt64(tag.rawValue)) }
  }

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
  private var nodes: [Node] = []
  private var children: [UInt32] = []
  private var bytes: [UInt8] = []
  private var frames: [Frame] = []
  private var waiting: [UInt32] = []
  private var keyState = KeyState.none
  /// True if equal scalars become one node, except for booleans and UIDs.
  let sharesScalars: Bool
  /// The scalars so far, to find one equal to the next; empty unless `sharesScalars` is true.
  private var scalars = HashedNumbers()
  var nodeCount: Int { nodes.count }
  var byteCount: Int { bytes.count + nodes.count * 16 + children.count * 4 }

  init(budget: Budget, sharesScalars: Bool = false) {
    self.budget = budget
    self.sharesScalars = sharesScalars
  }

  @inline(__always)
  func kind(of node: NodeID) throws(FerryError) -> NodeKind {
    let found = try self.node(node)
    return switch found.tag {
    case .null: .null
    case .no: .boolean(false)
    case .yes: .boolean(true)
    case .signed: .integer(Int128(Int64(bitPattern: found.payload)))
    case .unsigned: .integer(Int128(found.payload))
    case .real: .real(Double(bitPattern: found.payload))
    case .single: .single(Float(bitPattern: UInt32(found.payload)))
    case .date: .date(Double(bitPattern: found.payload))
    case .uid: .uid(found.payload)
    case .number: .number
    case .ascii, .string, .unpairedString: .string
    case .data: .data
    case .array: .array(count: Int(found.size))
    case .set: .set(count: Int(found.size))
    case .dictionary: .dictionary(count: Int(found.size))
    }
  }

  @inline(__always)
  func element(_ index: Int, of node: NodeID) throws(FerryError) -> NodeID {
    let found = try self.node(node)
    guard found.tag == .array || found.tag == .set, index >= 0, index < Int(found.size) else {
      throw try wrongKind(node, expected: "element \(index)")
    }
    return NodeID(Int(children[Int(found.payload) + index]))
  }

  @inline(__always)
  func key(_ index: Int, of node: NodeID) throws(FerryError) -> NodeID { try child(index, 0, of: node) }
  @inline(__always)
  func value(_ index: Int, of node: NodeID) throws(FerryError) -> NodeID { try child(index, 1, of: node) }

  @inline(__always)
  private func child(_ index: Int, _ side: Int, of node: NodeID) throws(FerryError) -> NodeID {
    let found = try self.node(node)
    guard found.tag == .dictionary, index >= 0, index < Int(found.size) else {
      throw try wrongKind(node, expected: "entry \(index)")
    }
    return NodeID(Int(children[Int(found.payload) + 2 * index + side]))
  }

  func appendReferences(of node: NodeID, to references: inout [NodeID]) throws(FerryError) {
    let found = try self.node(node)
    let (start, count) = (Int(found.payload), Int(found.size))
    // The closure holds the children only, and not the other nodes.
    let children = children
    switch found.tag {
    case .array, .set:
      references.append(addingCapacity: count) { (span: inout OutputSpan<NodeID>) in
        for index in start..<start + count { span.append(NodeID(Int(children[index]))) }
      }
    case .dictionary:
      references.append(addingCapacity: 2 * count) { (span: inout OutputSpan<NodeID>) in
        for first in start..<start + 2 {
          for index in 0..<count { span.append(NodeID(Int(children[first + 2 * index]))) }
        }
      }
    default: break
    }
  }

  func withText<R>(of node: NodeID, _ body: (BorrowedText) throws(FerryError) -> R) throws(FerryError) -> R {
    let text = try text(of: node)
    return try body(text.borrowed)
  }

  func withData<R>(of node: NodeID, _ body: (Span<UInt8>) throws(FerryError) -> R) throws(FerryError) -> R {
    let data = try data(of: node)
    return try body(data.span)
  }

  /// The text or the data of a node. Nodes may be added while it is read.
  struct Contents {
    fileprivate let bytes: [UInt8]
    fileprivate let node: Node

    /// The data, or the UTF-8 of the text.
    var span: Span<UInt8> {
      @_lifetime(borrow self)
      borrowing get { bytes.span.extracting(Int(node.payload)..<Int(node.payload) + Int(node.size)) }
    }

    /// The text.
    var borrowed: BorrowedText {
      @_lifetime(borrow self)
      borrowing get {
        let isASCII = node.tag == .ascii || node.tag == .number
        return BorrowedText(checked: span, isASCII: isASCII, hasSurrogates: node.tag == .unpairedString)
      }
    }
  }

  /// Returns the text of a string or a number.
  @inline(__always)
  func text(of node: NodeID) throws(FerryError) -> Contents {
    let found = try self.node(node)
    guard found.tag.hasBytes, found.tag != .data else {
      throw try wrongKind(node, expected: "a string")
    }
    return Contents(bytes: bytes, node: found)
  }

  /// Returns the bytes of data.
  @inline(__always)
  func data(of node: NodeID) throws(FerryError) -> Contents {
    let found = try self.node(node)
    guard found.tag == .data else { throw try wrongKind(node, expected: "data") }
    return Contents(bytes: bytes, node: found)
  }

  /// Returns the number of bytes of a string, of the notation of a number, or of data.
  @inline(__always)
  func length(of node: NodeID) throws(FerryError) -> Int {
    let found = try self.node(node)
    guard found.tag.hasBytes else { throw try wrongKind(node, expected: "a string or data") }
    return Int(found.size)
  }

  @inline(__always)
  private func node(_ node: NodeID) throws(FerryError) -> Node {
    guard nodes.indices.contains(node.index) else {
      throw FerryError(.propertyList(.badReference(UInt64(clamping: node.index), objects: nodes.count)))
    }
    return nodes[node.index]
  }

  private func wrongKind(_ node: NodeID, expected: String) throws(FerryError) -> FerryError {
    FerryError(.propertyList(.wrongKind(expected: expected, found: try kind(of: node).name)))
  }

  // MARK: Adding nodes

  mutating func string(_ text: BorrowedText) throws(FerryError) {
    try add(text.hasSurrogates ? .unpairedString : text.isASCII ? .ascii : .string, text.utf8)
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
    for index in 0..<events.count {
      do throws(FerryError) { try add(events, index, for: format) } catch {
        throw EventFailure(error: error, index: index)
      }
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
    case .string: try string(events.text(index))
    case .key: try key(events.text(index))
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
    guard let frame = frames.last, nodes[frame.node.index].tag == .dictionary, keyState == .none,
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
    guard frames.isEmpty, !nodes.isEmpty else { throw misplaced("the end") }
  }

  /// Adds a scalar of at most eight bytes.
  mutating func add(_ tag: Tag, _ payload: UInt64 = 0) throws(FerryError) {
    let node = Node(tag: tag, payload: payload)
    guard sharesScalars, tag.isShareable else { return try add(node) }
    var probe = scalars.probe(for: node.hash)
    while let earlier = scalars.next(at: &probe) {
      if nodes[earlier].tag == tag, nodes[earlier].payload == payload { return try addChild(NodeID(earlier)) }
    }
    try add(node)
    scalars.add(nodes.count - 1, at: probe)
  }

  /// Adds a string or data.
  mutating func add(_ tag: Tag, _ piece: Span<UInt8>) throws(FerryError) {
    let size = try fitting(piece.count)
    let node = Node(tag: tag, size: size, payload: UInt64(bytes.count))
    guard sharesScalars else {
      try add(node)
      return bytes.append(copying: piece)
    }
    var probe = scalars.probe(for: piece.hashOfBytes)
    while let earlier = scalars.next(at: &probe) {
      guard nodes[earlier].tag == tag, nodes[earlier].size == size else { continue }
      if bytes(of: nodes[earlier]).equals(piece) { return try addChild(NodeID(earlier)) }
    }
    try add(node)
    bytes.append(copying: piece)
    scalars.add(nodes.count - 1, at: probe)
  }

  /// Returns the bytes of a scalar that is stored as bytes.
  @inline(__always)
  @_lifetime(borrow self)
  private func bytes(of node: Node) -> Span<UInt8> {
    bytes.span.extracting(Int(node.payload)..<Int(node.payload) + Int(node.size))
  }

  /// Adds another reference to an existing node as the next child.
  mutating func addAgain(_ node: NodeID) throws(FerryError) {
    guard nodes.indices.contains(node.index) else { throw misplaced("a reference") }
    try addChild(node)
  }

  /// Adds a node as the next child of the open collection.
  private mutating func add(_ node: Node) throws(FerryError) {
    try addChild(NodeID(nodes.count))
    nodes.append(node)
  }

  /// Makes a node the next child of the open collection.
  private mutating func addChild(_ node: NodeID) throws(FerryError) {
    if let frame = frames.last {
      switch keyState {
      case .begun: keyState = .whole
      case .whole: throw misplaced("a second value of a key")
      case .none:
        guard
          nodes[frame.node.index].tag != .dictionary || !(waiting.count - frame.firstChild).isMultiple(of: 2)
        else { throw misplaced("a value without a key") }
      }
      waiting.append(try fitting(node.index))
    } else if !nodes.isEmpty {
      throw misplaced("a second value")
    }
  }

  mutating func begin(_ tag: Tag) throws(FerryError) {
    try add(Node(tag: tag))
    frames.append(
      Frame(node: NodeID(nodes.count - 1), firstChild: waiting.count, outerKeyState: keyState))
    keyState = .none
  }

  mutating func end(_ tag: Tag, _ event: String) throws(FerryError) {
    guard let frame = frames.last, nodes[frame.node.index].tag == tag, keyState == .none else {
      throw misplaced(event)
    }
    var size = waiting.count - frame.firstChild
    if tag == .dictionary {
      guard size.isMultiple(of: 2) else { throw misplaced(event) }
      size /= 2
    }
    nodes[frame.node.index].size = try fitting(size)
    nodes[frame.node.index].payload = UInt64(children.count)
    children.append(contentsOf: waiting[frame.firstChild...])
    waiting.removeSubrange(frame.firstChild...)
    frames.removeLast()
    keyState = frame.outerKeyState
  }

  /// Converts a size or a node number to 32 bits. The maximum is reserved, because some tables store numbers
  /// plus one.
  private func fitting(_ size: Int) throws(FerryError) -> UInt32 {
    guard let size = UInt32(exactly: size), size < .max else {
      throw FerryError(.overBudget(.tokenBytes(Int(UInt32.max))))
    }
    return size
  }

  private func misplaced(_ event: String) -> FerryError { FerryError(.cannotHold(.misplaced(event))) }
}

extension PropertyListArena {
  func location(of node: NodeID) -> InputLocation { InputLocation() }

  func isSameScalar(_ a: NodeID, _ b: NodeID) -> Bool {
    let (a, b) = (nodes[a.index], nodes[b.index])
    guard a.tag == b.tag, a.size == b.size else { return false }
    guard a.tag.hasBytes else { return a.payload == b.payload }
    return bytes(of: a).equals(bytes(of: b))
  }

  func hashOfScalar(_ node: NodeID) -> UInt64 {
    let node = nodes[node.index]
    return node.tag.hasBytes ? bytes(of: node).hashOfBytes : node.hash
  }
}
