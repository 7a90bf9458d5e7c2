// Removal of entries from dictionaries that are written after keys that add their entries to others, such as `<<: {a: 1}` in YAML.

extension TextEdits {
  /// Removes the entries of a collection that are written in the dictionaries of its merge keys. A dictionary without entries becomes an empty
  /// one, so that the merge key still has a value.
  ///
  /// - Parameters:
  ///   - removed: The removed children of the collection.
  ///   - old: All children of the original collection.
  /// - Returns: The values of the entries.
  mutating func removeMerged(
    _ removed: [Child], of old: [Child], in collection: OriginalCollection
  ) -> Set<NodeID> {
    guard !collection.merges.isEmpty, !removed.isEmpty else { return [] }
    let dictionaries = syntax.mergedDictionaries(of: collection.node, with: old.compactMap(\.key))
    guard !dictionaries.isEmpty else { return [] }
    let values = Set(removed.map(\.value))
    var entries: [Range<Int>: [Child]] = [:]
    for child in old {
      if let key = child.key, let dictionary = dictionaries[key] {
        entries[dictionary.range, default: []].append(child)
      }
    }
    // The entries are in their dictionaries, and not beside the merge keys.
    var inner = collection
    inner.merges = []
    var done: Set<NodeID> = []
    for children in entries.values {
      let children = children.sorted { extent(of: $0).lowerBound < extent(of: $1).lowerBound }
      guard let dictionary = children.first?.key.flatMap({ dictionaries[$0] }) else { continue }
      let inside = children.filter { values.contains($0.value) }
      guard !inside.isEmpty else { continue }
      done.formUnion(inside.map(\.value))
      guard inside.count < dictionary.count else {
        empty(dictionary)
        continue
      }
      for run in (0..<children.count).runs(where: { values.contains(children[$0].value) }) {
        let anchor = run.lowerBound > 0 ? run.lowerBound - 1 : nil
        if let block = dictionary.block {
          remove(run, of: children, after: anchor, in: block)
        } else {
          removeTerminated(run, of: children, after: anchor, in: inner)
          // The comma of a merge key before the last entries goes with these.
          if anchor == nil, run.upperBound + 1 == children.count {
            removeComma(before: run.lowerBound, of: children, from: dictionary.range.lowerBound)
          }
        }
      }
    }
    return done
  }

  /// Puts an empty dictionary in the place of one whose entries are all removed.
  private mutating func empty(_ dictionary: MergedDictionary) {
    let range = dictionary.range
    reportMarkup(in: range, missingIn: [])
    let gap = gap(before: range.lowerBound)
    // The short form goes to the line of the key.
    if dictionary.block != nil, source[gap].contains(where: \.isLineEnd), endsInIndicator(gap.lowerBound) {
      add(ByteEdit(range: gap, text: [UInt8(ascii: " ")]))
    }
    let end = source[range].last?.isLineEnd == true ? lineEnd : []
    add(ByteEdit(range: range, text: Array("{}".utf8) + end))
  }
}

extension Range<Int> {
  /// Returns the longest ranges of neighboring numbers that satisfy a predicate.
  func runs(where isIncluded: (Int) -> Bool) -> [ClosedRange<Int>] {
    var (runs, start) = ([ClosedRange<Int>](), nil as Int?)
    for number in self {
      if isIncluded(number) {
        if start == nil { start = number }
      } else if let first = start {
        runs.append(first...(number - 1))
        start = nil
      }
    }
    if let start { runs.append(start...(upperBound - 1)) }
    return runs
  }
}
