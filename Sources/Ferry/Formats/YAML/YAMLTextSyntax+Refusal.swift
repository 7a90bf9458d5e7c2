// Changes that would give aliases and merge keys other values. Many changes are checked in one pass over the text.

extension YAMLTextSyntax {
  func refusal(of changes: [Range<Int>], copy: ChangedCopy?) -> FerryError? {
    let aliases = document.nodes.indices.filter { document.nodes[$0].kind == .alias }
    if let alias = aliasWithoutAnchor(among: aliases, after: changes) {
      return FerryError(
        .yaml(.removedAnchor(document.string(of: alias))),
        at: document.location(of: document.nodes[document.nodes[alias].target].range.lowerBound))
    }
    if let copy, isCopy(copy.value) { return refusal(of: copy, among: aliases) }
    if let refusal = refusalOfUncoveredEntry(by: changes, among: aliases) { return refusal }
    if let (alias, change) = sharedAlias(among: aliases, of: (copy.map { [$0.range] } ?? []) + changes) {
      let range = document.nodes[alias].range
      let offset = range.overlaps(change) ? range.lowerBound : change.lowerBound
      return FerryError(
        .yaml(.sharedValue(anchor: document.string(of: alias))), at: document.location(of: offset))
    }
    // Written anew, several documents would be a list in one.
    guard document.isStream || document.hasProperties || !markup(in: document.text[...]).isEmpty else {
      return nil
    }
    let location = (copy?.range ?? changes.first).map { document.location(of: $0.lowerBound) }
    return FerryError(.yaml(.notChanged), at: location ?? InputLocation())
  }

  // MARK: Copies

  /// Returns the error for a change of a copy, with the anchor that marks the copied value or one around it.
  private func refusal(of copy: ChangedCopy, among aliases: [Int]) -> FerryError {
    let source = origins[copy.value.index].source
    let inText = aliases.filter { document.nodes[$0].range.overlaps(copy.range) }
    // The list of a merge key may have several aliases.
    let alias = inText.first { leads(from: $0, to: source) }
    let offset = (alias ?? inText.first).map { document.nodes[$0].range.lowerBound }
    let location = document.location(of: offset ?? copy.range.lowerBound)
    let direct = alias.flatMap { isInTarget(source, of: $0) ? $0 : nil }
    guard let named = direct ?? innermostAlias(of: source, among: aliases) else {
      return FerryError(.yaml(.notChanged), at: location)
    }
    return FerryError(.yaml(.sharedValue(anchor: document.string(of: named))), at: location)
  }

  private func isInTarget(_ node: Int, of alias: Int) -> Bool {
    let target = document.nodes[alias].target
    return (target..<document.nodes[target].next).contains(node)
  }

  /// Returns the alias with the innermost anchor around a node, or nil.
  private func innermostAlias(of node: Int, among aliases: [Int]) -> Int? {
    aliases.filter { isInTarget(node, of: $0) }.max {
      document.nodes[$0].target < document.nodes[$1].target
    }
  }

  /// Returns true if the value of an alias has a node, in its own place or through other aliases.
  private func leads(from alias: Int, to node: Int) -> Bool {
    var (waiting, known) = ([alias], Set<Int>())
    while let next = waiting.popLast() {
      let target = document.nodes[next].target
      guard known.insert(target).inserted else { continue }
      if isInTarget(node, of: next) { return true }
      waiting += (target..<document.nodes[target].next).filter { document.nodes[$0].kind == .alias }
    }
    return false
  }

  // MARK: Entries that merge keys would add

  /// Returns the error for the removal of an entry in whose place a merge key would add another one. Nil if there is no such entry.
  private func refusalOfUncoveredEntry(by changes: [Range<Int>], among aliases: [Int]) -> FerryError? {
    let changed = TouchedRanges(changes)
    let outermost = changes.outermost
    let mappings = document.nodes.indices.filter { mapping in
      let range = document.nodes[mapping].range
      return document.mergeKey(of: mapping) != nil && changed.contain(touching: range)
        && !outermost.haveInside(range)
    }
    for mapping in mappings {
      var merged: [[UInt8]: Int] = [:]
      var keys = document.ownKeys(of: mapping)
      func isRemoved(_ key: Int) -> Bool { outermost.haveInside(document.nodes[key].range) }
      for other in document.mergedMappings(of: mapping, followsAliases: true) {
        if other.isWritten { keys += document.ownKeys(of: other.node) }
        for key in document.ownKeys(of: other.node) where !isRemoved(key) {
          // The first mapping with a key takes precedence.
          if let name = document.scalarText(of: key), merged[name] == nil { merged[name] = key }
        }
      }
      for key in keys where isRemoved(key) {
        guard let name = document.scalarText(of: key), let other = merged[name] else { continue }
        let anchor = innermostAlias(of: other, among: aliases).map { document.string(of: $0) }
        return FerryError(
          .yaml(.mergedEntry(key: name.span.decodedString, anchor: anchor)),
          at: document.location(of: document.nodes[key].range.lowerBound))
      }
    }
    return nil
  }

  // MARK: Aliases

  /// Returns an alias that changes leave in the text without its anchor, which is inside a part that they replace or remove.
  private func aliasWithoutAnchor(among aliases: [Int], after changes: [Range<Int>]) -> Int? {
    let outermost = changes.outermost
    return aliases.first { alias in
      let (range, anchor) = (document.nodes[alias].range, document.nodes[document.nodes[alias].target].range)
      let after = outermost.partitioningIndex { $0.lowerBound > anchor.lowerBound }
      guard after > 0, case let change = outermost[after - 1], change != anchor else { return false }
      return change.upperBound >= anchor.upperBound && !change.contains(range)
    }
  }

  /// Returns the first change that has to do with an alias, and the alias: one that the change replaces, whose anchor's value the change is
  /// in or replaces, or that is merged into the mapping that the change is in. Of several anchors around the change, takes the outermost.
  private func sharedAlias(
    among aliases: [Int], of changes: [Range<Int>]
  ) -> (alias: Int, change: Range<Int>)? {
    let nodes = document.nodes
    let shared = TouchedRanges(aliases.flatMap { [nodes[$0].range, nodes[nodes[$0].target].range] })
    for change in changes.map(besideValue) {
      if shared.contain(touching: change) {
        let touched = aliases.filter {
          nodes[$0].range.isTouched(by: change) || nodes[nodes[$0].target].range.isTouched(by: change)
        }
        let around = touched.filter { nodes[nodes[$0].target].range.hasInside(change) }
        let alias = around.min { nodes[$0].target < nodes[$1].target } ?? touched.first
        if let alias { return (alias, change) }
      }
      guard let mapping = lastMapping(touchedBy: change), let key = document.mergeKey(of: mapping)
      else { continue }
      let value = nodes[key].next
      if let alias = (value..<nodes[value].next).first(where: { nodes[$0].kind == .alias }) {
        return (alias, change)
      }
    }
    return nil
  }

  /// Returns the place of an insertion before the comments that separate it from the value in front of it, which belong to the place, too.
  private func besideValue(_ change: Range<Int>) -> Range<Int> {
    let node = document.firstNode(from: change.lowerBound) - 1
    guard change.isEmpty, node >= 0, case let end = document.nodes[node].range.upperBound,
      end < change.lowerBound,
      document.text[end..<change.lowerBound].first(where: { !$0.isSpace }) == UInt8(ascii: "#")
    else { return change }
    return end..<end
  }

  /// Returns the last mapping in the text that a change is in or overlaps.
  private func lastMapping(touchedBy change: Range<Int>) -> Int? {
    func isTouchedMapping(_ node: Int) -> Bool {
      document.nodes[node].kind == .mapping && document.nodes[node].range.isTouched(by: change)
    }
    let first = document.firstNode(from: change.lowerBound)
    let inside = first..<max(first, document.firstNode(from: change.upperBound))
    if let mapping = inside.last(where: isTouchedMapping) { return mapping }
    // Of the nodes that begin before the change, only the last one and the collections around it may reach the change.
    var node = first > 0 ? first - 1 : nil
    while let next = node, !isTouchedMapping(next) { node = collection(around: next) }
    return node
  }
}

extension [Range<Int>] {
  /// Returns true if one of the ranges, whose both ends are in ascending order, has all of another range.
  fileprivate func haveInside(_ range: Range<Int>) -> Bool {
    let after = partitioningIndex { $0.lowerBound > range.lowerBound }
    return after > 0 && self[after - 1].hasInside(range)
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
  /// Returns true if the range has all of another one.
  fileprivate func hasInside(_ other: Range<Int>) -> Bool {
    lowerBound <= other.lowerBound && other.upperBound <= upperBound
  }

  /// Returns true if a change overlaps the range, or is an insertion after its first byte or at its end.
  fileprivate func isTouched(by change: Range<Int>) -> Bool {
    overlaps(change) || lowerBound < change.lowerBound && change.upperBound <= upperBound
  }
}
