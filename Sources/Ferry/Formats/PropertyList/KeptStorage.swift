/// The storage of objects in a changed copy of a binary file. Unchanged scalars keep their bytes. A new scalar is stored
/// in as few bytes as possible, unless the one that it replaces is stored in more bytes than necessary:
///
///     2 in 16 bytes         3 takes 16 bytes
///     2 in one byte         300 takes two bytes
///     "a" in UTF-16         "b" is stored in UTF-16
struct KeptStorage {
  /// The file, whose objects are the first nodes of the copy.
  let file: BinaryPropertyList
  /// The node of the file that each new node has replaced.
  let replaced: [NodeID: NodeID]

  /// Returns the bytes of the file's object if a node is an unchanged scalar, otherwise nil.
  func extent(of node: NodeID, _ kind: NodeKind) throws(FerryError) -> Range<Int>? {
    node.index < file.nodeCount && !kind.isCollection ? try file.extent(of: node) : nil
  }

  /// Returns the smallest width of a new integer or reference, or of a unit of a new string, in bytes.
  func leastWidth(of node: NodeID, _ kind: NodeKind) throws(FerryError) -> Int {
    guard let old = replaced[node], !kind.isCollection else { return 1 }
    let (oldKind, width) = (try file.kind(of: old), try storedWidth(of: old))
    switch (kind, oldKind) {
    case (.integer, .integer(let value)): return width > value.binaryWidth ? width : 1
    case (.uid, .uid(let number)): return width > number.leastWidth ? width : 1
    case (.string, .string):
      guard width > 1 else { return 1 }
      return try file.withText(of: old) { text in text.isASCII } ? width : 1
    default: return 1
    }
  }

  /// Returns true if a new scalar would be stored like an equal scalar, so that both may be one object.
  func storesAlike(
    _ node: NodeID, _ other: NodeID, in nodes: some PropertyListNodes
  ) throws(FerryError) -> Bool {
    try width(of: node, in: nodes) == width(of: other, in: nodes)
  }

  private func width(of node: NodeID, in nodes: some PropertyListNodes) throws(FerryError) -> Int {
    guard node.index >= file.nodeCount else { return try storedWidth(of: node) }
    let kind = try nodes.kind(of: node)
    let least = try leastWidth(of: node, kind)
    switch kind {
    case .integer(let value): return max(value.binaryWidth, least)
    case .string: return try nodes.withText(of: node) { text in text.isASCII ? least : 2 }
    default: return 1
    }
  }

  /// Returns the width of an integer or a reference in the file, or of a unit of a string, in bytes; 1 for other objects.
  private func storedWidth(of node: NodeID) throws(FerryError) -> Int {
    let marker = try file.storage(of: node).marker
    switch marker >> 4 {
    case 0x1: return 1 << Int(marker & 0xf)
    case 0x6: return 2
    case 0x8: return Int(marker & 0xf) + 1
    default: return 1
    }
  }
}
