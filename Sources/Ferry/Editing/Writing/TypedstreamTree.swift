/// The values of a typedstream as the nodes of a property list, with the entry that each node comes from.
///
/// The values are shown as `convert --to json` shows them, but dates, data and numbers keep their types. So they are read
/// and changed by path like those of a property list, and `TypedstreamEdits` carries the changes over to the objects.
final class TypedstreamTree {
  let stream: Typedstream
  let nodes: PropertyListTree
  /// The entry in the typedstream, by node.
  private(set) var entries: [NodeID: TypedstreamEntryIndex] = [:]

  /// The kinds of values that the nodes can have.
  static let capabilities: FormatCapabilities = [
    .nulls, .dates, .data, .sets, .singles, .notFinite, .nanPayloads, .numbers,
  ]

  init(_ stream: Typedstream, sharing: SharedObjectStyle) throws(FerryError) {
    self.stream = stream
    nodes = PropertyListTree(for: "a typedstream", budget: stream.budget)
    let losses = LossReport(limit: 0)
    let marker = EntryMarker(to: nodes)
    let plain = PlainForm(
      to: marker, capabilities: Self.capabilities, losses: losses, shared: sharing,
      pointers: ObjectPointers(budget: stream.budget, inputBytes: stream.shapes.bytes.count))
    let reader = TypedstreamReader(
      stream, into: ObjectKeys(to: plain), sharing: ObjectSharing(sharing), representation: .plain,
      keys: .words, losses: losses)
    reader.willSend = { marker.entry = $0 }
    try reader.read()
    try nodes.finish()
    entries = marker.entries
  }

  /// Returns the number of the object that a node shows, in full or as a reference by path. Nil for a new value, and for one that is no
  /// object.
  func object(at node: NodeID) -> TypedstreamObjectNumber? {
    entries[node].flatMap { stream.shapes.object(at: $0) }
  }

  /// Returns the path in a reference to an object, `{"$ref": "#/0"}`. Nil for other values.
  func pointer(at node: NodeID) throws(FerryError) -> String? {
    guard let entry = entries[node], stream.shapes.entries[entry].kind == .reference,
      let pointer = try reference(at: node)
    else { return nil }
    return try nodes.string(pointer)
  }

  /// Returns the entry that holds the values of a node: that of its object, also if the object is shown in full at several paths. Nil for
  /// a new value and for a reference.
  func contents(of node: NodeID) throws(FerryError) -> TypedstreamEntryIndex? {
    guard let entry = entries[node], try reference(at: node) == nil else { return nil }
    return stream.shapes.object(at: entry).map { stream.shapes.objects[$0].entry } ?? entry
  }

  /// Returns the node of the text in `{"$ref": text}`, or nil for other values.
  private func reference(at node: NodeID) throws(FerryError) -> NodeID? {
    guard case .dictionary(1) = try nodes.kind(of: node), try nodes.isString(nodes.key(0, of: node), "$ref")
    else { return nil }
    return try nodes.value(0, of: node)
  }
}

/// A filter that notes the entry of each node.
private final class EntryMarker: InterceptingSink {
  /// The entry of the value that the reader sends next; nil inside that value.
  var entry: TypedstreamEntryIndex?
  private(set) var entries: [NodeID: TypedstreamEntryIndex] = [:]
  private let nodes: PropertyListTree

  init(to nodes: PropertyListTree) {
    self.nodes = nodes
    super.init(to: nodes)
  }

  /// Forwards a key, which adapters may hold until its value is sent. The entry is that of the value.
  override func key(_ text: BorrowedText) throws(FerryError) { try next.key(text) }

  override func willSend() {
    if let entry { entries[NodeID(nodes.nodeCount)] = entry }
    entry = nil
  }
}
