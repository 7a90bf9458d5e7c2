/// The nodes of a property list in memory, in arrays, so that none needs an allocation. For `{"a": [true]}`:
///
///     nodes       0 dictionary, 1 entry, children from 1     children   0: 3
///                 1 string, 1 byte, text from 0                         1: 1 2
///                 2 array, 1 element, children from 0        text       a
///                 3 true
///
/// A node takes 16 bytes, and a reference to it four. Text and data are concatenated.
///
/// It has only what reading a node needs: Swift copies a larger struct, with all its arrays, each time an object reads from it.
struct NodeTable {
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
    /// An array of which only some elements are in `children` (see `Gap`).
    case gapped

    var hasBytes: Bool { rawValue >= Tag.number.rawValue && rawValue <= Tag.data.rawValue }
    /// True for scalars that share one object with equal scalars in property lists of Apple's tools.
    var isShareable: Bool { self != .no && self != .yes && self != .uid && rawValue < Tag.array.rawValue }
  }

  struct Node {
    let tag: Tag
    var size: UInt32 = 0
    var payload: UInt64 = 0

    /// The hash of a scalar without bytes.
    var hash: UInt64 { hash(seed: WordHash.seed) }

    @inline(__always)
    func hash(seed: UInt64) -> UInt64 { WordHash.hash(of: payload, UInt64(tag.rawValue), seed: seed) }

    @inline(__always)
    fileprivate var kind: NodeKind {
      switch tag {
      case .null: .null
      case .no: .boolean(false)
      case .yes: .boolean(true)
      case .signed: .integer(Int128(Int64(bitPattern: payload)))
      case .unsigned: .integer(Int128(payload))
      case .real: .real(Double(bitPattern: payload))
      case .single: .single(Float(bitPattern: UInt32(payload)))
      case .date: .date(Double(bitPattern: payload))
      case .uid: .uid(payload)
      case .number: .number
      case .ascii, .string, .unpairedString: .string
      case .data: .data
      case .array, .gapped: .array(count: Int(size))
      case .set: .set(count: Int(size))
      case .dictionary: .dictionary(count: Int(size))
      }
    }

    /// Returns the error of an access to a node of another kind. It takes no table, so that an access does not copy one.
    fileprivate func wrongKind(expected: String) -> FerryError {
      FerryError(.propertyList(.wrongKind(expected: expected, found: kind.name)))
    }
  }

  var nodes: [Node] = []
  var children: [UInt32] = []
  var bytes: [UInt8] = []

  /// Elements of an array that were skipped. All of them are one node, `skipped`.
  struct Gap {
    /// The number of elements before the gap that were not skipped.
    let before: Int
    var count: Int
  }

  /// The gaps of arrays with skipped elements.
  var gaps: [NodeID: [Gap]] = [:]
  /// The node of skipped elements, which is null; nil if there are none.
  var skipped: NodeID?

  var byteCount: Int { bytes.count + nodes.count * 16 + children.count * 4 }

  @inline(__always)
  func kind(of node: NodeID) throws(FerryError) -> NodeKind { try self.node(node).kind }

  @inline(__always)
  func outline(of node: NodeID) throws(FerryError) -> NodeOutline {
    let found = try self.node(node)
    return try NodeOutline(found.kind, length: found.tag.hasBytes ? Int(found.size) : 0)
  }

  @inline(__always)
  func element(_ index: Int, of node: NodeID) throws(FerryError) -> NodeID {
    let found = try self.node(node)
    guard found.tag == .array || found.tag == .set, index >= 0, index < Int(found.size) else {
      return try gappedElement(index, of: node, found)
    }
    return NodeID(Int(children[Int(found.payload) + index]))
  }

  private func gappedElement(_ index: Int, of node: NodeID, _ found: Node) throws(FerryError) -> NodeID {
    guard found.tag == .gapped, let skipped, index >= 0, index < Int(found.size) else {
      throw found.wrongKind(expected: "element \(index)")
    }
    var before = index
    for gap in gaps[node] ?? [] where gap.before <= before {
      if before < gap.before + gap.count { return skipped }
      before -= gap.count
    }
    return NodeID(Int(children[Int(found.payload) + before]))
  }

  @inline(__always)
  func key(_ index: Int, of node: NodeID) throws(FerryError) -> NodeID { try child(index, 0, of: node) }
  @inline(__always)
  func value(_ index: Int, of node: NodeID) throws(FerryError) -> NodeID { try child(index, 1, of: node) }

  @inline(__always)
  private func child(_ index: Int, _ side: Int, of node: NodeID) throws(FerryError) -> NodeID {
    let found = try self.node(node)
    guard found.tag == .dictionary, index >= 0, index < Int(found.size) else {
      throw found.wrongKind(expected: "entry \(index)")
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
    case .gapped: for index in 0..<count { references.append(try element(index, of: node)) }
    default: break
    }
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
      throw found.wrongKind(expected: "a string")
    }
    return Contents(bytes: bytes, node: found)
  }

  /// Returns the bytes of data.
  @inline(__always)
  func data(of node: NodeID) throws(FerryError) -> Contents {
    let found = try self.node(node)
    guard found.tag == .data else { throw found.wrongKind(expected: "data") }
    return Contents(bytes: bytes, node: found)
  }

  /// Returns the number of bytes of a string, of the notation of a number, or of data.
  @inline(__always)
  func length(of node: NodeID) throws(FerryError) -> Int {
    let found = try self.node(node)
    guard found.tag.hasBytes else { throw found.wrongKind(expected: "a string or data") }
    return Int(found.size)
  }

  @inline(__always)
  private func node(_ node: NodeID) throws(FerryError) -> Node {
    guard nodes.indices.contains(node.index) else {
      throw FerryError(.propertyList(.badReference(UInt64(clamping: node.index), objects: nodes.count)))
    }
    return nodes[node.index]
  }

  /// Returns the bytes of a scalar that is stored as bytes.
  @inline(__always)
  @_lifetime(borrow self)
  func bytes(of node: Node) -> Span<UInt8> {
    bytes.span.extracting(Int(node.payload)..<Int(node.payload) + Int(node.size))
  }

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
