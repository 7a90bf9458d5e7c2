// Insertion of children with the commas, semicolons and white space beside them.

extension TextEdits {
  /// Inserts a child after the old child at an index, or before all children.
  ///
  /// - Parameter line: The beginning of the line before which a child before all others is inserted. If nil, it is inserted on the line of the
  ///   first one.
  mutating func insert(
    _ child: Child, into old: [Child], after anchor: Int?, onLineAt line: Int? = nil,
    in collection: OriginalCollection
  ) throws(FerryError) {
    // A collection without children has a key that merges others.
    let firstText = old.first.map { text(of: $0, in: collection) } ?? collection.merges.last
    guard let first = firstText else { return }
    let anchorText = old.isEmpty ? first : anchor.map { text(of: old[$0], in: collection) }
    if let block = syntax.block(collection.node) {
      return try insert(
        child, after: anchorText, before: first, onLineAt: line, in: block, depth: collection.depth)
    }
    // The white space before the second child is used if there is one. Before the first, it may differ.
    let neighbor = old.isEmpty ? nil : old[min(max(anchor ?? 0, 1), old.count - 1)]
    let neighborText = neighbor.map { text(of: $0, in: collection) } ?? first
    let found = source[gap(before: neighborText.range.lowerBound)]
    let isOnly = neighborText.range == first.range
    let comma = leadingComma(near: anchor ?? 0, of: old)
    let gap = found.isEmpty && isOnly && !isWithoutBrackets(collection) ? syntax.usualGap : Array(found)
    let model = try model(for: child.value, near: anchor ?? 0, of: old, in: collection)
    let near = old.isEmpty ? collection.node : old[min(anchor ?? 0, old.count - 1)].value
    let slot = TextSlot(depth: collection.depth + 1, gap: comma?.gap ?? gap, model: model, near: near)
    let entry = try entry(child, at: slot, between: neighbor.map(between) ?? [])
    if let comma { return insert(entry, after: anchorText, before: first, comma) }
    let terminator = syntax.terminator(inDictionary: child.key != nil)
    guard let anchorText else {
      let offset = first.range.lowerBound
      if let line {
        let start = CommentsAbove.startOfLine(before: offset, in: source) ?? offset
        let text = source[start..<offset] + entry + syntax.separator + terminator + lineEnd
        return addInsertion(ByteEdit(range: line..<line, text: Array(text)))
      }
      return addInsertion(ByteEdit(range: offset..<offset, text: entry + syntax.separator + terminator + gap))
    }
    guard terminator.isEmpty else {
      let least = isWithoutBrackets(collection) ? lineEnd : []
      // The usual gap is not one after a comment at the end of a line.
      return insert(
        entry, with: terminator, after: anchorText, gap: gap.isEmpty ? least : gap,
        afterLine: found.isEmpty ? least : Array(found))
    }
    // A comment after the child on its line stays there, unless a separator has to come between.
    let end = anchorText.end
    let offset = syntax.separator.isEmpty ? endOfLineMarkup(after: end).end : end
    addInsertion(ByteEdit(range: offset..<offset, text: syntax.separator + gap + entry))
  }

  /// Returns the beginning of the first line with a comment above the first child. Nil if there is none, or if the child does not begin its line.
  func lineOfComments(above first: Child?, in collection: OriginalCollection) -> Int? {
    guard !syntax.hasGeneratedComments, let first else { return nil }
    let block = syntax.block(collection.node)
    let text = text(of: first, in: collection)
    let start = block?.start(ofChildAt: text.range.lowerBound) ?? text.range.lowerBound
    guard let line = CommentsAbove.startOfLine(before: start, in: source) else { return nil }
    let beginning =
      block != nil
      ? beginningOfComments(above: line)
      : isWithoutBrackets(collection) ? source.utf8MarkCount : ranges[collection.node.index].lowerBound
    guard beginning < start else { return nil }
    let comments = syntax.markup(in: source[beginning..<start]).map { $0.startIndex..<$0.endIndex }
    return CommentsAbove(start, in: source, comments)?.startOfLine
  }

  /// Returns the beginning of the lines before a line that have only a comment, which ends with its line.
  private func beginningOfComments(above line: Int) -> Int {
    var beginning = line
    while beginning > 0 {
      let end = source[..<beginning].lastIndex { !$0.isLineEnd }.map { $0 + 1 } ?? 0
      let start = source.startOfLine(at: end)
      let text = source[max(start, min(source.utf8MarkCount, end))..<end].drop { $0 == 0x20 || $0 == 0x09 }
      guard syntax.beginsMarkup(text) else { break }
      beginning = start
    }
    return beginning
  }

  /// Inserts the text of a child with its terminator after another child, which may have none.
  ///
  /// - Parameters:
  ///   - gap: The white space between the children.
  ///   - lineGap: The white space between them if a comment that ends with its line is after the first one.
  private mutating func insert(
    _ entry: [UInt8], with terminator: [UInt8], after child: ChildText, gap: [UInt8],
    afterLine lineGap: [UInt8]
  ) {
    let end = child.end
    let (offset, isAfterLine) = endOfLineMarkup(after: end)
    let space = self.gap((isAfterLine ? lineGap : gap)[...], afterLineMarkup: isAfterLine)
    guard !child.isTerminated else {
      return addInsertion(ByteEdit(range: offset..<offset, text: space + entry + terminator))
    }
    // A comma cannot follow a comment that ends with its line. Later children follow the first new one.
    if isAfterLine, !insertions.contains(end) {
      add(ByteEdit(range: end..<end, text: terminator))
      addInsertion(ByteEdit(range: offset..<offset, text: space + entry))
    } else {
      addInsertion(ByteEdit(range: offset..<offset, text: terminator + space + entry))
    }
  }

  /// Returns true for the outermost dictionary of a text whose entries have no braces around them.
  func isWithoutBrackets(_ collection: OriginalCollection) -> Bool {
    guard collection.container == nil, let first = source[ranges[collection.node.index]].first else {
      return false
    }
    return !"{([<".utf8.contains(first)
  }

  /// The number of children on each side in which the model of a new collection is looked for.
  private static let reach = 8

  /// Returns the collection whose layout a new value gets: the next child of its kind that is not empty, first of
  /// all the one at `index`, or the collection around it.
  func model(
    for new: NodeID, near index: Int, of children: [Child], in collection: OriginalCollection
  ) throws(FerryError) -> NodeID? {
    let isDictionary: Bool
    switch try list.kind(of: new) {
    case .dictionary: isDictionary = true
    case .array: isDictionary = false
    default: return nil
    }
    for distance in 0...Self.reach {
      for index in distance == 0 ? [index] : [index - distance, index + distance]
      where children.indices.contains(index) {
        switch try tree.kind(of: children[index].value) {
        case .dictionary(let count) where isDictionary && count > 0: return children[index].value
        case .array(let count) where !isDictionary && count > 0: return children[index].value
        default: break
        }
      }
    }
    return collection.node
  }

  /// Returns the text between the key and the value of a child, without comments and processing instructions.
  private func between(in child: Child) -> ArraySlice<UInt8> {
    guard let key = child.key else { return [] }
    let value = ranges[child.value.index].lowerBound
    let text = source[ranges[key.index].upperBound..<value]
    guard !syntax.markup(in: text).isEmpty else { return text }
    return syntax.assignment.isEmpty ? source[gap(before: value)] : syntax.assignment[...]
  }

  /// Returns the text of a new child.
  func entry(
    _ child: Child, at slot: TextSlot, between: ArraySlice<UInt8>
  ) throws(FerryError) -> [UInt8] {
    try show(child.value)
    let value = try syntax.text(of: child.value, in: shown, at: slot)
    guard let key = child.key else { return value }
    let between = between.isEmpty ? syntax.assignment[...] : between
    let keySlot = KeySlot(following: between + value, near: slot.near)
    return try syntax.key(key, in: list, at: keySlot) + between + value
  }
}
