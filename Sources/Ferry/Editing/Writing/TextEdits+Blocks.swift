// Edits of collections that are written in blocks, one child below the other, as in YAML.

extension TextEdits {
  /// Returns the offset at which a child of a block begins: its dash, or its key with the question mark before it.
  func start(of child: Child, in block: any TextBlock) -> Int {
    block.start(ofChildAt: ranges[(child.key ?? child.value).index].lowerBound)
  }

  /// Inserts a child after the text of another one, or before that of the first one.
  mutating func insert(
    _ child: Child, after anchor: ChildText?, before first: ChildText, onLineAt line: Int?,
    in block: any TextBlock, depth: Int
  ) throws(FerryError) {
    try show(child.value)
    let entry = try block.entry(key: child.key, value: child.value, in: shown)
    let indentation = [UInt8](repeating: 0x20, count: block.column)
    let newLine = lineEnd + indentation
    guard let anchor else {
      if let line {
        let text = indentation + entry + lineEnd
        return addInsertion(ByteEdit(range: line..<line, text: text, depth: depth))
      }
      let offset = block.start(ofChildAt: first.range.lowerBound)
      return addInsertion(ByteEdit(range: offset..<offset, text: entry + newLine, depth: depth))
    }
    let end = anchor.range.upperBound
    if let offset = block.endOfLines(at: end, ofBlockEndingAt: end) {
      return addInsertion(ByteEdit(range: offset..<offset, text: indentation + entry + lineEnd, depth: depth))
    }
    let offset = endOfLineMarkup(after: end).end
    addInsertion(ByteEdit(range: offset..<offset, text: newLine + entry, depth: depth))
  }

  /// Puts the short form of an empty collection in place of the first child, and removes the others.
  mutating func empty(_ collection: OriginalCollection, of old: [Child], in block: any TextBlock)
    throws(FerryError)
  {
    let end = endOfRemoved(old[0], endingAt: endWithComment(of: old[0].value, isRemoved: true))
    let first = start(of: old[0], in: block)..<end
    reportMarkup(in: first, missingIn: [])
    let text = try syntax.text(
      of: collection.node, in: list,
      at: TextSlot(depth: collection.depth, gap: [], model: nil, near: collection.node))
    // The dashes of a sequence may be in the column of its key. Other values may not.
    let isBelowKey = syntax.block(around: collection.node)?.column == block.column
    add(ByteEdit(range: first, text: isBelowKey ? [0x20, 0x20] + text : text))
    if old.count > 1 { remove(1...(old.count - 1), of: old, after: 0, in: block) }
  }

  /// Removes children of a block with the comments in them, and keeps the comments before and after them, and other text between them, such as a
  /// merge key.
  mutating func remove(
    _ run: ClosedRange<Int>, of old: [Child], after anchor: Int?, in block: any TextBlock
  ) {
    var (first, anchor) = (run.lowerBound, anchor)
    for index in run where index == run.upperBound || !isBlank(after: index, of: old, in: block) {
      removeLines(first...index, of: old, after: anchor, in: block)
      (first, anchor) = (index + 1, index)
    }
  }

  /// Returns true if only white space and comments are between a child and the next one.
  private func isBlank(after index: Int, of old: [Child], in block: any TextBlock) -> Bool {
    let (end, next) = (ranges[old[index].value.index].upperBound, start(of: old[index + 1], in: block))
    // The next child may be one of a merge key before this child.
    guard end <= next else { return false }
    var rest = end
    // Line ends such as U+0085 have several bytes. Text that is kept, such as a merge key, has ASCII characters.
    func isBlank(_ range: Range<Int>) -> Bool { source[range].allSatisfy { $0.isSpace || $0 > 0x7f } }
    for comment in syntax.markup(in: source[end..<next]) {
      guard isBlank(rest..<comment.startIndex) else { return false }
      rest = comment.endIndex
    }
    return isBlank(rest..<next)
  }

  private mutating func removeLines(
    _ run: ClosedRange<Int>, of old: [Child], after anchor: Int?, in block: any TextBlock
  ) {
    let start = start(of: old[run.lowerBound], in: block)
    let last = old[run.upperBound]
    let end = endOfRemoved(last, endingAt: endWithComment(of: last.value, isRemoved: true))
    let inner = start..<end
    reportMarkup(in: inner, missingIn: [])
    let before = gap(before: start).lowerBound
    let after = source[end...].prefix { $0 == 0x20 || $0 == 0x09 }
    if syntax.beginsMarkup(source[after.endIndex...]) {
      add(ByteEdit(range: start..<after.endIndex, text: []))
    } else if anchor == nil, run.upperBound + 1 < old.count,
      isBlank(after: run.upperBound, of: old, in: block)
    {
      let next = max(end, self.start(of: old[run.upperBound + 1], in: block))
      let comment = syntax.markup(in: source[end..<next]).first
      add(ByteEdit(range: start..<(comment?.startIndex ?? next), text: []))
    } else if let line = block.endOfLines(at: before, ofBlockEndingAt: before) {
      // Blank lines after the children would become part of the value before them.
      let next = block.endOfLines(at: end, ofBlockEndingAt: before) ?? source.count
      removeLines(line..<next, withTextEndingAt: end)
    } else {
      // New entries of the collections around the block may follow the children, before the space that goes with them.
      add(ByteEdit(range: before..<end, text: []))
      if !after.isEmpty { add(ByteEdit(range: end..<after.endIndex, text: [])) }
    }
  }
}
