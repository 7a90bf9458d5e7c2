// The aliases and anchors of a YAML text.

extension YAMLTextSyntax {
  var references: TextReferences {
    var found = TextReferences()
    /// The collections around a node, each with the hash of its path and that of the last key without a value.
    var open: [(end: Int, isMapping: Bool, path: Int, key: Int?)] = []
    for (index, node) in document.nodes.enumerated() {
      if node.kind == .alias || document.isMergeKey(index) { found.ranges.append(node.range) }
      while let last = open.last, last.end <= index { open.removeLast() }
      var path = 0
      if let last = open.indices.last {
        path = open[last].path
        if let key = open[last].key {
          path = Self.hash(path, key)
          open[last].key = nil
        } else if open[last].isMapping {
          open[last].key = document.bytes[node.text].hashValue
        }
      }
      if node.hasAnchor, let name = anchor(of: index) {
        found.targets[name, default: []].append(TextReferences.Target(path: path, text: content(of: index)))
      }
      if node.kind == .sequence || node.kind == .mapping {
        open.append((node.next, node.kind == .mapping, path, nil))
      }
    }
    return found
  }

  private static func hash(_ path: Int, _ key: Int) -> Int {
    var hasher = Hasher()
    hasher.combine(path)
    hasher.combine(key)
    return hasher.finalize()
  }

  /// Returns the name of the anchor of a node, or nil if the node has none.
  private func anchor(of node: Int) -> ArraySlice<UInt8>? {
    document.text[document.nodes[node].range.lowerBound..<document.contentStart(of: node)]
      .split(whereSeparator: \.isSpace).first { $0.first == UInt8(ascii: "&") }?.dropFirst()
  }
}
