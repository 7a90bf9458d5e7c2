// Removal of children with the commas, semicolons and white space beside them.

extension TextEdits {
  /// Removes neighboring children.
  ///
  /// - Parameters:
  ///   - run: The indices of the children.
  ///   - old: All children of the original collection.
  ///   - anchor: The index of the last child before them that stays in the text; nil if there is none.
  ///   - collection: The collection.
  mutating func remove(
    _ run: ClosedRange<Int>, of old: [Child], after anchor: Int?, in collection: OriginalCollection
  ) {
    if let block = syntax.block(collection.node) { return remove(run, of: old, after: anchor, in: block) }
    guard !syntax.separator.isEmpty else {
      return removeTerminated(run, of: old, after: anchor, in: collection)
    }
    let (first, last) = (extent(of: old[run.lowerBound]), extent(of: old[run.upperBound]))
    if let anchor {
      add(ByteEdit(range: extent(of: old[anchor]).upperBound..<last.upperBound, text: []))
    } else if run.upperBound + 1 < old.count {
      let next = extent(of: old[run.upperBound + 1]).lowerBound
      add(ByteEdit(range: first.lowerBound..<next, text: []))
    } else {
      add(ByteEdit(range: first.lowerBound..<last.upperBound, text: []))
    }
  }

  /// Removes all children of a collection that has other text, such as a merge key, with the comma before the last one.
  mutating func removeAll(_ old: [Child], in collection: OriginalCollection) {
    guard !old.isEmpty else { return }
    remove(0...(old.count - 1), of: old, after: nil, in: collection)
    guard syntax.block(collection.node) == nil, let last = old.last, !isTerminated(last) else { return }
    for index in old.indices.reversed() {
      let end = gap(before: extent(of: old[index]).lowerBound).lowerBound
      // The comma of another removed child goes with that.
      if index > 0, self.end(of: old[index - 1]) == end { continue }
      if isComma(before: end, from: ranges[collection.node.index].lowerBound) {
        add(ByteEdit(range: end - 1..<end, text: []))
      }
      return
    }
  }

  /// Removes the comma before a child of a dictionary that begins at an offset, if no comma follows the last child.
  mutating func removeComma(before index: Int, of children: [Child], from start: Int) {
    guard let last = children.last, !isTerminated(last) else { return }
    let end = gap(before: extent(of: children[index]).lowerBound).lowerBound
    if isComma(before: end, from: start) { add(ByteEdit(range: end - 1..<end, text: [])) }
  }

  /// Returns true if a terminator, and not the end of a comment, is before an offset.
  private func isComma(before end: Int, from start: Int) -> Bool {
    guard start < end, isTerminator(at: end - 1) else { return false }
    return syntax.markup(in: source[start..<end]).last?.endIndex != end
  }

  /// Removes children of which each may have a terminator, as in an OpenStep property list.
  mutating func removeTerminated(
    _ run: ClosedRange<Int>, of old: [Child], after anchor: Int?, in collection: OriginalCollection
  ) {
    if removeWithLeadingCommas(run, of: old) { return }
    // The end of the text that is removed after the opening bracket, if the first children are removed.
    var opening: Int?
    /// The beginning of the first entry that stays, in a text that begins with its entries.
    var beginning: Int?
    let first = extent(of: old[run.lowerBound]).lowerBound
    if isWithoutBrackets(collection), isAtBeginning(first) { beginning = first }
    for index in run {
      let extent = removedExtent(of: old[index])
      let end = ranges[old[index].value.index].upperBound
      reportMarkup(in: extent.lowerBound..<end, missingIn: [])
      guard syntax.markup(in: source[end..<self.end(of: old[index])]).isEmpty else {
        // Comments between the value and its semicolon or comma stay, unless they go to another place with the value.
        let terminatorEnd = self.end(of: old[index])
        add(ByteEdit(range: extent.lowerBound..<endOfRemoved(old[index], endingAt: end), text: []))
        add(ByteEdit(range: terminatorEnd - 1..<terminatorEnd, text: []))
        continue
      }
      guard extent.lowerBound != beginning else {
        // The line of the first entry goes with the blank lines after it.
        let rest = source[extent.upperBound...].drop(while: \.isSpace)
        add(ByteEdit(range: extent.lowerBound..<rest.startIndex, text: []))
        beginning = rest.startIndex
        continue
      }
      add(ByteEdit(range: range(removing: index, of: old, in: collection, after: &opening), text: []))
    }
    // The last element keeps the style of the one that it follows.
    guard let anchor else { return }
    let anchorText = text(of: old[anchor], in: collection)
    if run.upperBound + 1 == old.count, anchorText.isTerminated,
      old[anchor].key == nil || !syntax.requiresLastTerminator, !isTerminated(old[run.upperBound])
    {
      // Other text, such as a merge key, may be between the two.
      let before = gap(before: extent(of: old[run.lowerBound]).lowerBound).lowerBound
      let isOwn = before <= anchorText.end || !isComma(before: before, from: anchorText.end)
      let end = isOwn ? anchorText.end : before
      add(ByteEdit(range: end - 1..<end, text: []))
    }
  }

  /// Returns the range that goes with a child: its terminator, and the space before or after it.
  ///
  /// - Parameter opening: The end of the text that is removed after the opening bracket. Receives the end of the range if no child
  ///   before it stays.
  private func range(
    removing index: Int, of old: [Child], in collection: OriginalCollection, after opening: inout Int?
  ) -> Range<Int> {
    let extent = removedExtent(of: old[index])
    let first = isWithoutBrackets(collection) ? 0 : ranges[collection.node.index].lowerBound
    let before = index > 0 ? removedExtent(of: old[index - 1]).upperBound : first
    // Without a comma, the space before a comment must stay: `a/*` would be a word.
    let isLastElement = !isTerminated(old[index]) && !syntax.terminator(inDictionary: false).isEmpty
    let gap = gap(before: extent.lowerBound)
    let isFirst = opening == extent.lowerBound || isAfterBracket(extent.lowerBound)
    var range = isLastElement ? gap.lowerBound..<extent.upperBound : withGap(extent, isFirst: isFirst)
    // The space before this child may be removed with the child before it.
    range = max(range.lowerBound, opening ?? 0)..<range.upperBound
    if isFirst { opening = range.upperBound }
    // The comment after the last element stays on a line of its own, and does not become that of the element before it.
    let isBeforeComment =
      isLastElement && syntax.block(collection.node) == nil
      && syntax.beginsMarkup(source[range.upperBound...].drop(while: \.isBlankInLine))
      && range.lowerBound == gap.lowerBound && source[gap].contains(UInt8(ascii: "\n"))
    guard isBeforeComment || needsLineEnd(after: before, range) else { return range }
    let lineEnd = source[gap].firstIndex(of: UInt8(ascii: "\n")).map { $0 + 1 }
    return (lineEnd ?? extent.lowerBound)..<range.upperBound
  }

  /// Returns true if a comment that ends with its line is before a range, and other text would follow it on its line
  /// without the range.
  private func needsLineEnd(after start: Int, _ range: Range<Int>) -> Bool {
    guard start <= range.lowerBound, let comment = syntax.markup(in: source[start..<range.lowerBound]).last,
      syntax.endsWithLine(comment), comment.endIndex == range.lowerBound
    else { return false }
    let rest = source[range.upperBound...].drop { $0 == 0x20 || $0 == 0x09 || $0 == 0x0d }
    return rest.first.map { $0 != UInt8(ascii: "\n") } ?? false
  }

  /// Returns the byte range to remove with a part of a child: with the white space before it or, if a comment or
  /// processing instruction follows on its line, with the white space before that.
  ///
  /// - Parameter isFirst: True if the opening bracket, and nothing that stays, is directly before the part.
  private func withGap(_ part: Range<Int>, isFirst: Bool) -> Range<Int> {
    let rest = source[part.upperBound...]
    let after = rest.prefix(while: \.isSpace)
    if !after.contains(UInt8(ascii: "\n")), syntax.beginsMarkup(rest.dropFirst(after.count)) {
      // A comment of YAML needs a space before it.
      let hasSpace = !isFirst && part.lowerBound > 0 && source[part.lowerBound - 1].isSpace
      return part.lowerBound..<(hasSpace ? after.endIndex : part.upperBound)
    }
    // After a bracket, the space before the next child goes: `[80, 443]` becomes `[443]`.
    guard isFirst, !after.contains(UInt8(ascii: "\n")), isTerminator(at: part.upperBound - 1) else {
      return gap(before: part.lowerBound).lowerBound..<part.upperBound
    }
    return part.lowerBound..<after.endIndex
  }

  private func isAfterBracket(_ offset: Int) -> Bool { offset > 0 && "[{(".utf8.contains(source[offset - 1]) }

  func isTerminator(at index: Int) -> Bool {
    [true, false].contains { syntax.terminator(inDictionary: $0) == [source[index]] }
  }
}
