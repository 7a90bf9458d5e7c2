// Collections whose commas begin the lines of the children after them.
//
//     { a: 1
//     , b: 2   // two
//     , c: 3 }

extension TextEdits {
  /// The text between two children of a collection whose commas begin lines.
  struct LeadingComma {
    /// The white space before the comma, with the line end.
    let gap: [UInt8]
    /// The comma with the blanks after it.
    let comma: [UInt8]
  }

  /// Returns the offset of the comma between a child and the next one. Nil if there is none, or if it does not begin a line on which the next
  /// child is.
  private func leadingComma(before index: Int, of children: [Child]) -> Int? {
    guard index > 0, index < children.count else { return nil }
    let (end, next) = (
      ranges[children[index - 1].value.index].upperBound, extent(of: children[index]).lowerBound
    )
    guard end <= next else { return nil }
    let comma: Int
    if isTerminated(children[index - 1]) {
      comma = self.end(of: children[index - 1]) - 1
    } else {
      guard syntax.separator.count == 1, let found = source[end..<next].firstIndex(of: syntax.separator[0])
      else { return nil }
      comma = found
    }
    guard comma < next, source[comma] == UInt8(ascii: ","),
      !source[comma..<next].contains(where: \.isLineEnd),
      let line = CommentsAbove.startOfLine(before: comma, in: source), line >= end
    else { return nil }
    return comma
  }

  /// Returns the text between the children of a collection if commas begin its lines, as before one of the children beside an index.
  func leadingComma(near index: Int, of children: [Child]) -> LeadingComma? {
    let index = min(max(index, 1), children.count - 1)
    guard let comma = leadingComma(before: index, of: children) else { return nil }
    let line = CommentsAbove.startOfLine(before: comma, in: source) ?? comma
    let blanks = source[(comma + 1)...].prefix(while: \.isBlankInLine)
    return LeadingComma(gap: lineEnd + source[line..<comma], comma: [source[comma]] + blanks)
  }

  /// Inserts a child after another one, or before the first one, in a collection whose commas begin lines.
  mutating func insert(
    _ entry: [UInt8], after anchor: ChildText?, before first: ChildText, _ comma: LeadingComma
  ) {
    guard let anchor else {
      let offset = first.range.lowerBound
      return addInsertion(ByteEdit(range: offset..<offset, text: entry + comma.gap + comma.comma))
    }
    let offset = endOfLineMarkup(after: anchor.range.upperBound).end
    addInsertion(ByteEdit(range: offset..<offset, text: comma.gap + comma.comma + entry))
  }

  /// Removes neighboring children with the commas before them. Without a child before them, the comma of the next one goes, too. The comments
  /// beside the children stay. Returns false, without a change, if commas do not begin the lines of these children and of the next one.
  mutating func removeWithLeadingCommas(_ run: ClosedRange<Int>, of old: [Child]) -> Bool {
    let next = run.upperBound + 1 < old.count ? run.upperBound + 1 : nil
    let (first, last) = (max(run.lowerBound, 1), next ?? run.upperBound)
    guard first <= last else { return false }
    var commas: [Int: Int] = [:]
    for index in first...last {
      guard let comma = leadingComma(before: index, of: old) else { return false }
      commas[index] = comma
    }
    let extents = run.map { index in
      let start = extent(of: old[index]).lowerBound
      return start..<endOfRemoved(old[index], endingAt: ranges[old[index].value.index].upperBound)
    }
    for (index, extent) in zip(run, extents) {
      reportMarkup(in: extent.lowerBound..<ranges[old[index].value.index].upperBound, missingIn: [])
    }
    if let next, run.lowerBound == 0 {
      let start = self.extent(of: old[next]).lowerBound
      let starts = extents.dropFirst().map(\.lowerBound) + [start]
      if zip(extents, starts).allSatisfy({ syntax.markup(in: source[$0.upperBound..<$1]).isEmpty }) {
        add(ByteEdit(range: extents[0].lowerBound..<start, text: []))
        return true
      }
      // The next child stays in its column, below comments.
      if let comma = commas[next] {
        add(ByteEdit(range: comma..<(comma + 1), text: [UInt8(ascii: " ")]))
      }
    }
    for (index, extent) in zip(run, extents) {
      if let comma = commas[index] {
        removeLine(of: extent, fromComma: comma, after: ranges[old[index - 1].value.index].upperBound)
      } else {
        removeLine(ofFirst: extent)
      }
    }
    if next == nil, run.lowerBound == 0, isTerminated(old[run.upperBound]) {
      let end = end(of: old[run.upperBound])
      add(ByteEdit(range: (end - 1)..<end, text: []))
    }
    return true
  }

  /// Removes a first child with the blanks after it, and with the line if nothing else is on that.
  private mutating func removeLine(ofFirst child: Range<Int>) {
    let end = endOfBlanks(child.upperBound)
    add(ByteEdit(range: child.lowerBound..<end, text: []))
    guard end < source.count, source[end].isLineEnd,
      let line = CommentsAbove.startOfLine(before: child.lowerBound, in: source)
    else { return }
    // The line end before the line goes with it. A new first child may be inserted after it.
    let before = source[..<line].suffix(2)
    let lineEnd = before.elementsEqual("\r\n".utf8) ? 2 : before.last?.isLineEnd == true ? 1 : 0
    add(ByteEdit(range: (line - lineEnd)..<child.lowerBound, text: []))
  }

  /// Removes a child with the comma before it, and with the line if nothing else is on that.
  ///
  /// - Parameter end: The end of the value before the child.
  private mutating func removeLine(of child: Range<Int>, fromComma comma: Int, after end: Int) {
    let between = source[(comma + 1)..<child.lowerBound]
    guard syntax.markup(in: between).isEmpty else {
      // The comments between the comma and the child stay.
      add(ByteEdit(range: comma..<(comma + 1), text: []))
      add(ByteEdit(range: child, text: []))
      return
    }
    let rest = endOfBlanks(child.upperBound)
    let isBeforeLineEnd = rest == source.count || source[rest].isLineEnd
    let isBelowLineMarkup = syntax.markup(in: source[end..<comma]).last.map(syntax.endsWithLine) ?? false
    guard !syntax.beginsMarkup(source[rest...]), isBeforeLineEnd || !isBelowLineMarkup,
      let line = CommentsAbove.startOfLine(before: comma, in: source)
    else {
      add(ByteEdit(range: comma..<rest, text: []))
      return
    }
    // The line end before the line goes with it.
    let before = source[end..<line]
    let lineEnd = before.suffix(2).elementsEqual("\r\n".utf8) ? 2 : min(before.count, 1)
    add(ByteEdit(range: (line - lineEnd)..<child.upperBound, text: []))
  }

  /// Returns the offset after the blanks at an offset.
  private func endOfBlanks(_ offset: Int) -> Int { source[offset...].prefix(while: \.isBlankInLine).endIndex }
}
