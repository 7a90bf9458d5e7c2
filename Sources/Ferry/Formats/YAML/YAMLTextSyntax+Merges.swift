// The merge keys of mappings, and the mappings that are written in their values: `<<: [{a: 1}, *b]`.

extension YAMLTextSyntax {
  func isMerged(_ key: NodeID) -> Bool {
    isCopy(key) && document.isMergeKey(origins[key.index].node)
  }

  func merges(of collection: NodeID) -> [ChildText] {
    guard origins.indices.contains(collection.index), !origins[collection.index].isCopy else { return [] }
    return document.mergeKeys(of: origins[collection.index].node).map { key in
      let value = document.nodes[key].next
      let range = document.nodes[key].range.lowerBound..<document.nodes[value].range.upperBound
      return ChildText(range: range, end: ends?[value] ?? range.upperBound)
    }
  }

  func mergedDictionaries(of collection: NodeID, with keys: [NodeID]) -> [NodeID: MergedDictionary] {
    guard origins.indices.contains(collection.index), !origins[collection.index].isCopy else { return [:] }
    var nodes: [Int: NodeID] = [:]
    for key in keys where origins.indices.contains(key.index) && !origins[key.index].isCopy {
      nodes[origins[key.index].node] = key
    }
    var found: [NodeID: MergedDictionary] = [:]
    let merged = document.mergedMappings(of: origins[collection.index].node, followsAliases: false)
    for merged in merged where merged.isWritten {
      let node = document.nodes[merged.node]
      let keys = document.ownKeys(of: merged.node)
      let start = document.contentStart(of: merged.node)
      let dictionary = MergedDictionary(
        range: start..<max(start, node.range.upperBound),
        count: keys.count + document.mergeKeys(of: merged.node).count,
        block: node.isBlock ? YAMLTextBlock(syntax: self, column: column(of: start), isSequence: false) : nil)
      for key in keys { if let key = nodes[key] { found[key] = dictionary } }
    }
    return found
  }
}
