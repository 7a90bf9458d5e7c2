extension YAMLTextSyntax {
  func copies() throws(FerryError) -> TextCopies? {
    guard document.hasAliases, origins.count == tree.nodeCount else { return nil }
    var copies = TextCopies()
    copies.sources = origins.map(\.source)
    copies.parents = try parents()
    copies.positions = origins.map(\.node)
    for mapping in document.nodes.indices {
      guard let key = document.mergeKey(of: mapping) else { continue }
      copies.mergeKeys[mapping] = key
      let merged = document.mergedMappings(of: mapping)
      copies.merged[mapping] = merged
      for other in merged { copies.mergers[other, default: []].append(mapping) }
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

  /// Returns the mappings that a mapping merges by aliases, in their order.
  fileprivate func mergedMappings(of mapping: Int) -> [Int] {
    var (found, waiting) = ([Int](), Array(mergeValues(of: mapping).reversed()))
    while let node = waiting.popLast() {
      switch nodes[node].kind {
      case .alias where nodes[nodes[node].target].kind == .mapping: found.append(nodes[node].target)
      case .alias where nodes[nodes[node].target].kind == .sequence:
        waiting += children(of: nodes[node].target).reversed()
      case .sequence: waiting += children(of: node).reversed()
      case .mapping: waiting += mergeValues(of: node).reversed()
      case .alias, .scalar: break
      }
    }
    return found
  }

  /// Returns the values of the merge keys of a mapping.
  private func mergeValues(of mapping: Int) -> [Int] {
    var (values, key) = ([Int](), mapping + 1)
    while key < nodes[mapping].next {
      if isMergeKey(key) { values.append(nodes[key].next) }
      key = nodes[nodes[key].next].next
    }
    return values
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
