/// The values of a typedstream as the nodes of a property list, with the entry that each node comes from.
///
/// The values are shown as `convert --to json` shows them, but dates, data and numbers keep their types. So they are read
/// and changed by path like those of a property list, and `TypedstreamEdits` carries the changes over to the objects.
final class TypedstreamTree {
  let stream: Typedstream
  let nodes: PropertyListTree
  /// The entry in the typedstream, by node.
  private(set) var entries: [NodeID: Int] = [:]

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
}

/// A filter that notes the entry of each node.
private final class EntryMarker: InterceptingSink {
  /// The entry of the value that the reader sends next; nil inside that value.
  var entry: Int?
  private(set) var entries: [NodeID: Int] = [:]
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
