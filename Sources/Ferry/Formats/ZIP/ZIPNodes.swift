/// The files of a ZIP archive as a dictionary with their bytes, which are decompressed when they are needed.
///
///     node 0           {"index.json": data, "pages/1.xml": data}
///     nodes 1, 3, …    the names
///     nodes 2, 4, …    the bytes
final class ZIPNodes: PropertyListNodes {
  let archive: ZIPArchive
  let budget: Budget
  /// The file that was read last. The changes of a patch may read one file again and again, which counts as an expansion.
  private var last: (index: Int, bytes: [UInt8])?

  init(_ archive: ZIPArchive, budget: Budget) { (self.archive, self.budget) = (archive, budget) }

  let root = NodeID(0)
  var nodeCount: Int { 1 + 2 * archive.members.count }
  var byteCount: Int { archive.file.count }

  func kind(of node: NodeID) throws(FerryError) -> NodeKind {
    if node == root { return .dictionary(count: archive.members.count) }
    return node.index % 2 == 1 ? .string : .data
  }

  func element(_ index: Int, of node: NodeID) throws(FerryError) -> NodeID {
    throw try wrongKind("an element", node)
  }

  func key(_ index: Int, of node: NodeID) throws(FerryError) -> NodeID {
    guard node == root, archive.members.indices.contains(index) else { throw try wrongKind("a file", node) }
    return NodeID(1 + 2 * index)
  }

  func value(_ index: Int, of node: NodeID) throws(FerryError) -> NodeID {
    guard node == root, archive.members.indices.contains(index) else { throw try wrongKind("a file", node) }
    return NodeID(2 + 2 * index)
  }

  func withText<R>(of node: NodeID, _ body: (BorrowedText) throws(FerryError) -> R) throws(FerryError) -> R {
    guard try kind(of: node) == .string else { throw try wrongKind("a name", node) }
    let name = archive.members[node.index / 2].name
    return try body(BorrowedText(name.utf8.span))
  }

  func withData<R>(of node: NodeID, _ body: (Span<UInt8>) throws(FerryError) -> R) throws(FerryError) -> R {
    guard try kind(of: node) == .data else { throw try wrongKind("a file", node) }
    let bytes = try bytes(ofFile: node.index / 2 - 1)
    return try body(bytes.span)
  }

  func length(of node: NodeID) throws(FerryError) -> Int {
    switch try kind(of: node) {
    case .string: archive.members[node.index / 2].name.utf8.count
    case .data: Int(clamping: member(at: node).size)
    default: throw try wrongKind("a file", node)
    }
  }

  func location(of node: NodeID) -> InputLocation { InputLocation() }

  /// Returns the file of the archive whose bytes a node is.
  func member(at node: NodeID) -> ZIPArchive.Member { archive.members[node.index / 2 - 1] }

  private func bytes(ofFile index: Int) throws(FerryError) -> [UInt8] {
    if let last, last.index == index { return last.bytes }
    let bytes = try archive.input(of: archive.members[index]).readAll(upToTokenOf: budget)
    last = (index, bytes)
    return bytes
  }

  private func wrongKind(_ expected: String, _ node: NodeID) throws(FerryError) -> FerryError {
    FerryError(.propertyList(.wrongKind(expected: expected, found: try kind(of: node).name)))
  }
}
