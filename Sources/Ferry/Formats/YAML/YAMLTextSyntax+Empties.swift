// The notation of empty collections: `{}` or `{ }`.

extension YAMLTextSyntax {
  /// Returns an empty collection as those near a node of the text. Nil for other values, and if no empty collection is near.
  func empty(
    _ node: NodeID, in list: some PropertyListNodes, near place: NodeID?
  ) throws(FerryError) -> [UInt8]? {
    let isArray: Bool
    switch try list.kind(of: node) {
    case .array(count: 0): isArray = true
    case .dictionary(count: 0): isArray = false
    default: return nil
    }
    let empties = try EmptyCollections(near: place, of: tree) { node, _ in emptyNotation(of: node) }
    let notation = isArray ? empties.ofArrays : empties.ofDictionaries
    guard let space = notation?.space(indentation: [UInt8]?.none) else { return nil }
    let (opening, closing) = isArray ? ("[", "]") : ("{", "}")
    return opening.utf8 + space + closing.utf8
  }

  /// Returns the notation of an empty collection of the text. Nil if it has comments, or no brackets.
  private func emptyNotation(of node: NodeID) -> EmptyNotation? {
    guard origins.indices.contains(node.index) else { return nil }
    let content = content(of: origins[node.index].node)
    guard content.count >= 2, let first = content.first, "{[".utf8.contains(first) else { return nil }
    return EmptyNotation(between: (content.startIndex + 1)..<(content.endIndex - 1), in: document.text)
  }
}
