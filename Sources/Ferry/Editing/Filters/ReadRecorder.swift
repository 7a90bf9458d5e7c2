/// The nodes of an edited list, with a record of the collections that are read.
final class ReadRecorder: PropertyListNodes {
  /// A child of a collection: an element, or the value of an entry.
  struct Child: Hashable {
    let node: NodeID
    let index: Int
  }

  private let list: EditedPropertyList
  /// The collections whose kind, count or keys were read.
  private(set) var collections: Set<NodeID> = []
  /// The children that were read.
  private(set) var children: Set<Child> = []

  init(_ list: EditedPropertyList) { self.list = list }

  /// Empties the record.
  func removeAll() {
    collections.removeAll(keepingCapacity: true)
    children.removeAll(keepingCapacity: true)
  }

  var root: NodeID { list.root }
  var nodeCount: Int { list.nodeCount }
  var byteCount: Int { list.byteCount }
  var budget: Budget { list.budget }
  var hasCollectionsAsKeys: Bool { list.hasCollectionsAsKeys }

  func kind(of node: NodeID) throws(FerryError) -> NodeKind {
    let kind = try list.kind(of: node)
    // A scalar is replaced by another node.
    if kind.isCollection { collections.insert(node) }
    return kind
  }

  func element(_ index: Int, of node: NodeID) throws(FerryError) -> NodeID {
    children.insert(Child(node: node, index: index))
    return try list.element(index, of: node)
  }

  func key(_ index: Int, of node: NodeID) throws(FerryError) -> NodeID {
    collections.insert(node)
    return try list.key(index, of: node)
  }

  func value(_ index: Int, of node: NodeID) throws(FerryError) -> NodeID {
    children.insert(Child(node: node, index: index))
    return try list.value(index, of: node)
  }

  func keyTable(of node: NodeID, count: Int) throws(FerryError) -> KeyTable? { nil }

  func numberedEntries(
    of node: NodeID, count: Int, isDictionary: Bool
  ) throws(FerryError) -> NumberedEntries? {
    collections.insert(node)
    return try list.numberedEntries(of: node, count: count, isDictionary: isDictionary)
  }

  func search(
    _ key: String, in keys: KeyList, following target: (NodeID) throws(FerryError) -> NodeID
  ) throws(FerryError) -> KeySearch { .unknown }

  func withText<R>(of node: NodeID, _ body: (BorrowedText) throws(FerryError) -> R) throws(FerryError) -> R {
    try list.withText(of: node, body)
  }

  func withData<R>(of node: NodeID, _ body: (Span<UInt8>) throws(FerryError) -> R) throws(FerryError) -> R {
    try list.withData(of: node, body)
  }

  func length(of node: NodeID) throws(FerryError) -> Int { try list.length(of: node) }

  func location(of node: NodeID) -> InputLocation { list.location(of: node) }
}
