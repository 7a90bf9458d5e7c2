/// Data that holds a document of its own: a property list, a keyed archive, a typedstream or JSON, found by its first
/// bytes.
///
///     {"NS.data": "bplist00…"}   ▸ --expand ▸   {"NS.data": {"name": "Ada"}}
enum NestedData {
  case binary(BinaryPropertyList, isArchive: Bool)
  case xmlPropertyList(PropertyListTree, isArchive: Bool)
  case typedstream(Typedstream)
  case json

  /// What data holds, nil when that is nothing that is opened, or not whole.
  init?(_ bytes: [UInt8], budget: Budget) {
    do throws(Failure) {
      if bytes.starts(with: "bplist0".utf8) {
        let list = try BinaryPropertyList(bytes, budget: budget)
        self = .binary(list, isArchive: try list.isKeyedArchive)
        return
      }
      if bytes.starts(with: "\u{4}\u{b}streamtyped".utf8) || bytes.starts(with: "\u{4}\u{b}typedstream".utf8)
      {
        self = .typedstream(try Typedstream(bytes, budget: budget))
        return
      }
      guard let first = bytes.first(where: { !" \t\r\n".utf8.contains($0) }) else { return nil }
      if first == UInt8(ascii: "<"), bytes.prefix(512).containsPropertyList {
        let tree = PropertyListTree()
        let reader = XMLPropertyListReader(into: tree, budget: budget)
        try reader.read(bytes.span)
        try reader.finish()
        try tree.finish()
        self = .xmlPropertyList(tree, isArchive: try tree.isKeyedArchive)
        return
      }
      guard first == UInt8(ascii: "{") || first == UInt8(ascii: "["), bytes.count > 2 else { return nil }
      let reader = JSONReader(into: TapeRecorder(), budget: budget)
      try reader.read(bytes.span)
      try reader.finish()
      self = .json
    } catch {
      return nil
    }
  }
}

extension ArraySlice<UInt8> {
  /// Whether a tag `<plist` is among the bytes.
  fileprivate var containsPropertyList: Bool {
    let wanted = Array("<plist".utf8)
    return indices.contains { self[$0...].starts(with: wanted) }
  }
}

/// Opens data that holds a document in its place, in documents inside documents too.
///
/// Stands before `PlainForm`. The objects of an archive that is opened keep their identities apart from those around it.
final class ExpandedData: ForwardingSink {
  private let budget: Budget
  private let asStored: Bool
  private var depth = 0
  /// What is added to the identities of the document that is being sent.
  private var offset = 0
  private var highest = 0

  /// `asStored` shows archives as the property lists that they are.
  init(to next: any ValueSink, budget: Budget, asStored: Bool) {
    self.budget = budget
    self.asStored = asStored
    super.init(to: next)
  }

  override func data(_ bytes: Span<UInt8>) throws(Failure) {
    guard depth < budget.nesting else { return try next.data(bytes) }
    let copy = [UInt8](copying: bytes)
    guard let nested = NestedData(copy, budget: budget) else { return try next.data(bytes) }
    let around = offset
    offset = highest + 1
    depth += 1
    switch nested {
    case .binary(let list, let isArchive): try send(list, isArchive)
    case .xmlPropertyList(let tree, let isArchive): try send(tree, isArchive)
    case .typedstream(let stream): try stream.replay(into: self)
    case .json:
      let reader = JSONReader(into: Unfinished(to: self), budget: budget)
      try reader.read(copy.span)
      try reader.finish()
    }
    depth -= 1
    offset = around
  }

  private func send(_ nodes: any PropertyListNodes, _ isArchive: Bool) throws(Failure) {
    guard isArchive, !asStored else { return try nodes.replay(nodes.root, into: self, budget: budget) }
    try ArchiveReader(
      try ArchiveObjects(nodes), into: self, sharing: .leavesInFull, budget: budget, meanings: .all
    )
    .read()
  }

  override func beginObject(_ type: ObjectClass, identity: Int?) throws(Failure) {
    if let identity { highest = max(highest, identity + offset) }
    try next.beginObject(type, identity: identity.map { $0 + offset })
  }

  override func reference(_ identity: Int) throws(Failure) { try next.reference(identity + offset) }
}

/// Passes all but the end on: a document's end inside another is not the end of all.
private final class Unfinished: ForwardingSink {
  override func finish() throws(Failure) {}
}
