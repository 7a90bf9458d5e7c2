// Changes that would give aliases and merge keys other values. Many changes are checked in one pass over the text.

extension YAMLTextSyntax {
  func refusal(of changes: [Range<Int>], copy: Range<Int>?) -> FerryError? {
    let aliases = document.nodes.indices.filter { document.nodes[$0].kind == .alias }
    if let alias = aliasWithoutAnchor(among: aliases, after: changes) {
      return FerryError(
        .yaml(.removedAnchor(document.string(of: alias))),
        at: document.location(of: document.nodes[document.nodes[alias].target].range.lowerBound))
    }
    if let (alias, change) = sharedAlias(among: aliases, of: (copy.map { [$0] } ?? []) + changes) {
      let range = document.nodes[alias].range
      let offset = range.overlaps(change) ? range.lowerBound : change.lowerBound
      return FerryError(
        .yaml(.sharedValue(anchor: document.string(of: alias))), at: document.location(of: offset))
    }
    // Written anew, several documents would be a list in one.
    guard document.isStream || document.hasProperties || !markup(in: document.text[...]).isEmpty else {
      return nil
    }
    let location = (copy ?? changes.first).map { document.location(of: $0.lowerBound) }
    return FerryError(.yaml(.notChanged), at: location ?? InputLocation())
  }

  /// Returns an alias that changes leave in the text without its anchor, which is inside a part that they replace or remove.
  private func aliasWithoutAnchor(among aliases: [Int], after changes: [Range<Int>]) -> Int? {
    // Without the changes inside others, both ends of the changes are in ascending order.
    var outermost: [Range<Int>] = []
    for change in changes.sorted(by: { ($0.lowerBound, $1.upperBound) < ($1.lowerBound, $0.upperBound) })
    where change.upperBound > outermost.last?.upperBound ?? 0 {
      outermost.append(change)
    }
    return aliases.first { alias in
      let (range, anchor) = (document.nodes[alias].range, document.nodes[document.nodes[alias].target].range)
      let after = outermost.partitioningIndex { $0.lowerBound > anchor.lowerBound }
      guard after > 0, case let change = outermost[after - 1], change != anchor else { return false }
      return change.upperBound >= anchor.upperBound && !change.contains(range)
    }
  }

  /// Returns the first change that has to do with an alias, and the alias: one that the change replaces, whose anchor's value the change is
  /// in or replaces, or that is merged into the mapping that the change is in.
  private func sharedAlias(
    among aliases: [Int], of changes: [Range<Int>]
  ) -> (alias: Int, change: Range<Int>)? {
    let nodes = document.nodes
    let shared = TouchedRanges(aliases.flatMap { [nodes[$0].range, nodes[nodes[$0].target].range] })
    let parents = parentNodes()
    for change in changes {
      if shared.contain(touching: change) {
        let alias = aliases.first {
          nodes[$0].range.isTouched(by: change) || nodes[nodes[$0].target].range.isTouched(by: change)
        }
        if let alias { return (alias, change) }
      }
      guard let mapping = lastMapping(touchedBy: change, parents), let key = document.mergeKey(of: mapping)
      else { continue }
      let value = nodes[key].next
      if let alias = (value..<nodes[value].next).first(where: { nodes[$0].kind == .alias }) {
        return (alias, change)
      }
    }
    return nil
  }

  /// For each node, the collection around it; nil for the outermost ones.
  private func parentNodes() -> [Int?] {
    var (parents, open) = ([Int?](), [Int]())
    for (index, node) in document.nodes.enumerated() {
      while let last = open.last, document.nodes[last].next <= index { open.removeLast() }
      parents.append(open.last)
      if node.next > index + 1 { open.append(index) }
    }
    return parents
  }

  /// Returns the last mapping in the text that a change is in or overlaps.
  private func lastMapping(touchedBy change: Range<Int>, _ parents: [Int?]) -> Int? {
    func isTouchedMapping(_ node: Int) -> Bool {
      document.nodes[node].kind == .mapping && document.nodes[node].range.isTouched(by: change)
    }
    let first = document.firstNode(from: change.lowerBound)
    let inside = first..<max(first, document.firstNode(from: change.upperBound))
    if let mapping = inside.last(where: isTouchedMapping) { return mapping }
    // Of the nodes that begin before the change, only the last one and the collections around it may reach the change.
    var node = first > 0 ? first - 1 : nil
    while let next = node, !isTouchedMapping(next) { node = parents[next] }
    return node
  }
}

/// Ranges of a text, for the question whether a change touches any of them.
private struct TouchedRanges {
  private let starts: [Int]
  /// For each range, the greatest end of it and those before it.
  private var ends: [Int] = []

  init(_ ranges: [Range<Int>]) {
    let sorted = ranges.filter { !$0.isEmpty }.sorted { $0.lowerBound < $1.lowerBound }
    starts = sorted.map(\.lowerBound)
    for range in sorted { ends.append(max(range.upperBound, ends.last ?? 0)) }
  }

  /// Returns true if a change touches one of the ranges.
  func contain(touching change: Range<Int>) -> Bool {
    let bound = change.isEmpty ? change.lowerBound : change.upperBound
    let count = starts.partitioningIndex { $0 >= bound }
    guard count > 0 else { return false }
    return change.isEmpty ? ends[count - 1] >= bound : ends[count - 1] > change.lowerBound
  }
}

extension Range<Int> {
  /// Returns true if a change overlaps the range, or is an insertion after its first byte or at its end.
  fileprivate func isTouched(by change: Range<Int>) -> Bool {
    overlaps(change) || lowerBound < change.lowerBound && change.upperBound <= upperBound
  }
}
