/// A property list with some strings and data replaced. All other nodes are those of a base list.
///
/// Equal replacements of the same node share a node, so that an object with several references stays one
/// object.
final class SubstitutedNodes: PropertyListNodes {
  private let base: any PropertyListNodes
  private var added: [Substitute] = []
  private var numbers: [Key: Int] = [:]
  private var children: [Place: Int] = [:]
  /// The new nodes that use the object of an equal node, by node.
  var shared: [Int: Int] = [:]

  /// The new content of a node.
  enum Substitute: Hashable {
    case text([UInt8])
    case data([UInt8])
  }

  private struct Key: Hashable {
    let node: Int
    let substitute: Substitute
  }

  private enum Side: Hashable { case element, key, value }

  private struct Place: Hashable {
    let node: Int
    let side: Side
    let index: Int
  }

  init(_ base: any PropertyListNodes) { self.base = base }

  /// True if nothing is replaced.
  var isUnchanged: Bool { children.isEmpty }
  /// The number of the first new node.
  var firstNewNode: Int { base.nodeCount }

  private func substitute(_ node: Int, by substitute: Substitute) -> Int {
    let key = Key(node: node, substitute: substitute)
    if let known = numbers[key] { return known }
    numbers[key] = base.nodeCount + added.count
    added.append(substitute)
    return base.nodeCount + added.count - 1
  }

  /// Replaces an element, a key or a value of a collection in the base.
  func replace(element index: Int, of node: Int, by new: Substitute) throws(FerryError) {
    children[Place(node: node, side: .element, index: index)] =
      substitute(try base.element(index, of: node), by: new)
  }
  func replace(key index: Int, of node: Int, by new: Substitute) throws(FerryError) {
    children[Place(node: node, side: .key, index: index)] = substitute(try base.key(index, of: node), by: new)
  }
  func replace(value index: Int, of node: Int, by new: Substitute) throws(FerryError) {
    children[Place(node: node, side: .value, index: index)] =
      substitute(try base.value(index, of: node), by: new)
  }

  private func added(_ node: Int) -> Substitute? {
    node >= base.nodeCount && node - base.nodeCount < added.count ? added[node - base.nodeCount] : nil
  }

  // MARK: Nodes

  var root: Int { base.root }
  var nodeCount: Int { base.nodeCount + added.count }
  var byteCount: Int { base.byteCount }

  func position(of node: Int) -> Position { added(node) == nil ? base.position(of: node) : Position() }

  func kind(of node: Int) throws(FerryError) -> NodeKind {
    switch added(node) {
    case .text: .string
    case .data: .data
    case nil: try base.kind(of: node)
    }
  }

  func element(_ index: Int, of node: Int) throws(FerryError) -> Int {
    if let child = children[Place(node: node, side: .element, index: index)] { return shared[child] ?? child }
    return try base.element(index, of: node)
  }
  func key(_ index: Int, of node: Int) throws(FerryError) -> Int {
    if let child = children[Place(node: node, side: .key, index: index)] { return shared[child] ?? child }
    return try base.key(index, of: node)
  }
  func value(_ index: Int, of node: Int) throws(FerryError) -> Int {
    if let child = children[Place(node: node, side: .value, index: index)] { return shared[child] ?? child }
    return try base.value(index, of: node)
  }

  func withText<R>(of node: Int, _ body: (BorrowedText) throws(FerryError) -> R) throws(FerryError) -> R {
    guard case .text(let bytes) = added(node) else { return try base.withText(of: node, body) }
    return try body(BorrowedText(bytes.span))
  }

  func withData<R>(of node: Int, _ body: (Span<UInt8>) throws(FerryError) -> R) throws(FerryError) -> R {
    guard case .data(let bytes) = added(node) else { return try base.withData(of: node, body) }
    return try body(bytes.span)
  }

  func length(of node: Int) throws(FerryError) -> Int {
    switch added(node) {
    case .text(let bytes), .data(let bytes): bytes.count
    case nil: try base.length(of: node)
    }
  }
}
