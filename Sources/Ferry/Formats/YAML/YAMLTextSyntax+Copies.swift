extension YAMLTextSyntax {
  func copies() throws(FerryError) -> TextCopies? {
    guard document.hasAliases, origins.count == tree.nodeCount else { return nil }
    var copies = TextCopies()
    copies.sources = origins.map(\.source)
    copies.parents = try parents()
    copies.positions = origins.map(\.node)
    for mapping in document.nodes.indices {
      guard document.mergeKey(of: mapping) != nil else { continue }
      let merged = document.mergedMappings(of: mapping)
      copies.merged[mapping] = merged
      for other in merged {
        copies.mergers[other.source, default: []].append(mapping)
        if other.source > mapping, other.source < document.nodes[mapping].next {
          copies.listed[other.source] = try listedEntries(of: other.source)
        }
      }
    }
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

  /// Returns the entries of a mapping without those that it merges.
  private func listedEntries(of mapping: Int) throws(FerryError) -> [TextCopies.ListedEntry] {
    var (entries, key) = ([TextCopies.ListedEntry](), mapping + 1)
    while key < document.nodes[mapping].next {
      let value = document.nodes[key].next
      if !document.isMergeKey(key) {
        let isAlias = document.nodes[value].kind == .alias
        entries.append(
          TextCopies.ListedEntry(
            key: try self.value(of: key), value: try self.value(of: value),
            source: isAlias ? document.nodes[value].target : value))
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
  /// True if the document has an alias.
  fileprivate var hasAliases: Bool { hasProperties && nodes.contains { $0.kind == .alias } }

  /// Returns the mappings that a mapping merges, in their order.
  fileprivate func mergedMappings(of mapping: Int) -> [TextCopies.Merged] {
    var found: [TextCopies.Merged] = []
    for key in mergeKeys(of: mapping) {
      var waiting = [nodes[key].next]
      while let node = waiting.popLast() {
        let target = nodes[node].kind == .alias ? nodes[node].target : node
        switch nodes[target].kind {
        case .mapping where target != node: found.append(TextCopies.Merged(source: target, position: key))
        case .sequence: waiting += children(of: target).reversed()
        case .mapping:
          // The entries of a mapping right after the merge key are entries of the mapping with the key.
          if node != nodes[key].next { found.append(TextCopies.Merged(source: node, position: key)) }
          waiting += mergeKeys(of: node).map { nodes[$0].next }.reversed()
        case .alias, .scalar: break
        }
      }
    }
    return found
  }

  private func children(of sequence: Int) -> [Int] {
    var (children, child) = ([Int](), sequence + 1)
    while child < nodes[sequence].next {
      children.append(child)
      child = nodes[child].next
    }
    return children
  }
}
