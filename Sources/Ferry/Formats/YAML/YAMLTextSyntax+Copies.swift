extension YAMLTextSyntax {
  func copies() throws(FerryError) -> TextCopies? {
    guard document.hasCopiesOrMergeKeys, origins.count == tree.nodeCount else { return nil }
    var copies = TextCopies()
    copies.sources = origins.map(\.source)
    copies.parents = try parents()
    let owned = Set(origins.lazy.filter { !$0.isCopy }.map(\.source))
    var positions: [Int: Int] = [:]
    for mapping in document.nodes.indices {
      guard document.mergeKey(of: mapping) != nil else { continue }
      let merged = document.mergedMappings(of: mapping, notingPositionsIn: &positions)
      copies.merged[mapping] = merged
      for other in merged {
        copies.mergers[other.source, default: []].append(mapping)
        if other.source > mapping, other.source < document.nodes[mapping].next {
          copies.listed[other.source] = try listedEntries(of: other.source, besides: owned, at: positions)
        }
      }
    }
    copies.positions = origins.map { positions[$0.node] ?? $0.node }
    var counts = [UInt8](repeating: 0, count: document.nodes.count)
    for source in copies.sources where counts[source] < 2 { counts[source] += 1 }
    for (index, origin) in origins.enumerated()
    where counts[origin.source] > 1 || copies.merged[origin.source] != nil
      || copies.mergers[origin.source] != nil
    {
      if origin.isCopy {
        copies.values[origin.source, default: TextCopies.Values()].copies.append(NodeID(index))
      } else {
        copies.values[origin.source, default: TextCopies.Values()].own = NodeID(index)
      }
    }
    return copies
  }

  /// Returns the entries of a mapping without those that it merges, and without those that are values of the file in their own place.
  ///
  /// - Parameter positions: The positions of the keys among the entries of the mapping around it.
  private func listedEntries(
    of mapping: Int, besides owned: Set<Int>, at positions: [Int: Int]
  ) throws(FerryError) -> [TextCopies.ListedEntry] {
    var (entries, key) = ([TextCopies.ListedEntry](), mapping + 1)
    while key < document.nodes[mapping].next {
      let value = document.nodes[key].next
      if !document.isMergeKey(key), !owned.contains(key) {
        let isAlias = document.nodes[value].kind == .alias
        entries.append(
          TextCopies.ListedEntry(
            key: try self.value(of: key), value: try self.value(of: value),
            source: isAlias ? document.nodes[value].target : value, position: positions[key] ?? key))
      }
      key = document.nodes[value].next
    }
    return entries
  }

  private func value(of node: Int) throws(FerryError) -> Value {
    let builder = ValueBuilder()
    var sender = YAMLSender(to: builder, ReaderContext(budget: tree.budget))
    try sender.send(document, from: node)
    return try builder.result()
  }

  private func parents() throws(FerryError) -> [NodeID?] {
    var parents = [NodeID?](repeating: nil, count: tree.nodeCount)
    for index in 0..<tree.nodeCount {
      let node = NodeID(index)
      switch try tree.kind(of: node) {
      case .array(let count), .set(let count):
        for index in 0..<count { parents[try tree.element(index, of: node).index] = node }
      case .dictionary(let count):
        for index in 0..<count { parents[try tree.value(index, of: node).index] = node }
      default: break
      }
    }
    return parents
  }
}

extension YAMLDocument {
  /// True if a value may be a copy of another one, or if another value may take the place of one that is removed.
  fileprivate var hasCopiesOrMergeKeys: Bool {
    nodes.indices.contains { nodes[$0].kind == .alias || isMergeKey($0) }
  }

  /// Returns the mappings that a mapping merges, in their order, and notes the positions of the keys that are written in it and in its merge
  /// keys. The positions are in the order in which the entries are read.
  fileprivate func mergedMappings(
    of mapping: Int, notingPositionsIn positions: inout [Int: Int]
  ) -> [TextCopies.Merged] {
    var (found, position) = ([TextCopies.Merged](), 0)
    func note(_ key: Int) {
      // The entries that a mapping in a merge key writes are those of the mapping around it.
      if positions[key] == nil { positions[key] = position }
      position += 1
    }
    var key = mapping + 1
    while key < nodes[mapping].next {
      let value = nodes[key].next
      if isMergeKey(key) {
        for merged in mergedMappings(inValue: value, followsAliases: false) {
          if merged.isWritten { ownKeys(of: merged.node).forEach(note) }
          found.append(TextCopies.Merged(source: merged.node, position: position))
          position += 1
        }
      } else {
        note(key)
      }
      key = nodes[value].next
    }
    return found
  }
}
