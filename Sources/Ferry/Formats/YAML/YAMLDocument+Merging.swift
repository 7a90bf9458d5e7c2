// The mappings that merge keys add to others.

extension YAMLDocument {
  /// A mapping that a merge key adds to another one, directly or through others.
  struct MergedMapping {
    let node: Int
    /// True if the mapping is written in the value of the merge key, and not that of an alias.
    let isWritten: Bool
  }

  /// Returns the mappings that a merge key with a value adds, in the order in which their entries are read. A mapping follows those that
  /// merge it.
  ///
  /// - Parameter followsAliases: True for the mappings, too, that those of aliases merge.
  func mergedMappings(inValue value: Int, followsAliases: Bool) -> [MergedMapping] {
    var (found, known) = ([MergedMapping](), Set<Int>())
    var waiting = [(node: value, isWritten: true)]
    while var next = waiting.popLast() {
      while nodes[next.node].kind == .alias { next = (nodes[next.node].target, false) }
      guard known.insert(next.node).inserted else { continue }
      var parts: [Int] = []
      switch nodes[next.node].kind {
      case .sequence: parts = children(of: next.node)
      case .mapping:
        found.append(MergedMapping(node: next.node, isWritten: next.isWritten))
        if next.isWritten || followsAliases { parts = mergeKeys(of: next.node).map { nodes[$0].next } }
      case .alias, .scalar: break
      }
      waiting += parts.reversed().map { ($0, next.isWritten) }
    }
    return found
  }

  /// Returns the mappings that the merge keys of a mapping add, in the order in which their entries are read.
  ///
  /// - Parameter followsAliases: True for the mappings, too, that those of aliases merge.
  func mergedMappings(of mapping: Int, followsAliases: Bool) -> [MergedMapping] {
    mergeKeys(of: mapping).flatMap { mergedMappings(inValue: nodes[$0].next, followsAliases: followsAliases) }
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
