// The comparison of the edited text, which is read again, with the changed values.

extension XMLEdits {
  /// Returns true if two values are the same in the terms of XML.
  func isSame(
    _ wanted: NodeID, as found: NodeID, in nodes: any PropertyListNodes
  ) throws(FerryError) -> Bool {
    var waiting = [(wanted, found)]
    while let (wanted, found) = waiting.popLast() {
      if let children = try childrenInOrder(of: wanted, found, in: nodes) {
        waiting += children
      } else {
        let (wanted, found) = (try list.builtValue(of: wanted), try nodes.builtValue(of: found))
        guard
          wanted == found || wanted.asElements == found.asElements || isNumber(wanted, as: found)
        else { return false }
      }
    }
    return true
  }

  /// Returns true if a schema reads the text of a number as a real with the same digits.
  private func isNumber(_ wanted: Value, as found: Value) -> Bool {
    guard recordElement != nil, case .number(let text) = wanted else { return false }
    switch found {
    case .real(let real): return real.isFinite && real.isNotation(of: text)
    case .single(let real): return real.isFinite && real.isNotation(of: text)
    default: return false
    }
  }

  /// Returns the pairs of children of two collections with the same keys, and none for two equal texts. Returns nil for other
  /// values.
  private func childrenInOrder(
    of wanted: NodeID, _ found: NodeID, in nodes: any PropertyListNodes
  ) throws(FerryError) -> [(NodeID, NodeID)]? {
    switch (try list.kind(of: wanted), try nodes.kind(of: found)) {
    case (.dictionary(let count), .dictionary(let other)):
      guard count == other, try hasKeys(of: wanted, found, count, in: nodes) else { return nil }
      var pairs: [(NodeID, NodeID)] = []
      for index in 0..<count {
        pairs.append((try list.value(index, of: wanted), try nodes.value(index, of: found)))
      }
      return pairs
    case (.array(let count), .array(let other)):
      guard count == other else { return nil }
      return Array(zip(try elements(of: wanted, in: list), try elements(of: found, in: nodes)))
    case (.string, .string): return try isText(wanted, found, in: nodes) ? [] : nil
    default: return nil
    }
  }

  /// Returns true if two dictionaries have the same keys in the same order.
  private func hasKeys(
    of wanted: NodeID, _ found: NodeID, _ count: Int, in nodes: any PropertyListNodes
  ) throws(FerryError) -> Bool {
    for index in 0..<count {
      let (key, other) = (try list.key(index, of: wanted), try nodes.key(index, of: found))
      guard try isText(key, other, in: nodes) else { return false }
    }
    return true
  }

  func isText(
    _ wanted: NodeID, _ found: NodeID, in nodes: any PropertyListNodes
  ) throws(FerryError) -> Bool {
    try list.withText(of: wanted) { wanted throws(FerryError) in
      try nodes.withText(of: found) { found throws(FerryError) in wanted.utf8.equals(found.utf8) }
    }
  }

  /// Reports new lists of one element that are read as the element, and new empty collections.
  ///
  /// - Parameter found: The value that is read in its place, or nil.
  func reportCollections(
    in node: NodeID, readAs found: NodeID?, _ nodes: any PropertyListNodes
  ) throws(FerryError) {
    guard isTouched(node) else { return }
    let isNew = node >= list.firstNewNode
    switch try list.kind(of: node) {
    case .array(let count):
      let isList = try found.map { found throws(FerryError) in try nodes.kind(of: found).isArray } ?? false
      if isNew, count == 0 { losses.add(.emptyCollection) }
      if isNew, count == 1, !isList { losses.add(.arrayOfOne) }
      let read =
        isList
        ? try found.map { found throws(FerryError) in try elements(of: found, in: nodes) } ?? []
        : [found].compactMap(\.self)
      for (index, element) in try elements(of: node, in: list).enumerated() {
        try reportCollections(in: element, readAs: index < read.count ? read[index] : nil, nodes)
      }
    case .dictionary(let count):
      if isNew, count == 0 { losses.add(.emptyCollection) }
      let read = try found.map { found throws(FerryError) in try entries(of: found, in: nodes) } ?? Entries()
      for (key, value) in try entries(of: node, in: list).values {
        try reportCollections(in: value, readAs: read.values[key], nodes)
      }
    default: break
    }
  }
}
