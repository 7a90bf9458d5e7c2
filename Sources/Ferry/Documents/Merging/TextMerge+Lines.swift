// Merging of texts line by line.

extension TextMerge {
  mutating func mergeLines() {
    for chunk in TextChunk.all(base.lines, ours.lines, theirs.lines) {
      if let merged = chunk.merged ?? commentsBesideLines(chunk) {
        append(merged, of: chunk.ours)
      } else {
        mergeByTokens(chunk)
      }
    }
  }

  /// Returns the lines that both sides have added if those of one side are comments; nil for other lines.
  private func commentsBesideLines(_ chunk: TextChunk) -> TextChunk.Pieces? {
    guard chunk.ours.allSatisfy(ours.isComment) || chunk.theirs.allSatisfy(theirs.isComment) else {
      return nil
    }
    return linesOfBoth(chunk, isBeforeLine: true, sharesLines: false)
  }

  /// Merges the lines, of which those with the same key are versions of one line.
  ///
  /// - Parameter sharesLines: True if lines that both sides add at one position are added once. Otherwise, only comments are.
  mutating func mergeKeyedLines(sharesLines: Bool) {
    for chunk in TextChunk.all(base.lines, ours.lines, theirs.lines) {
      if let merged = chunk.merged {
        append(merged, of: chunk.ours)
        continue
      }
      let parts = TextChunk.all(Array(chunk.base), Array(chunk.ours), Array(chunk.theirs), by: key)
      for (index, part) in parts.enumerated() {
        let additions = linesOfBoth(part, isBeforeLine: index + 1 < parts.count, sharesLines: sharesLines)
        if let merged = part.merged ?? additions ?? part.mergedAround ?? part.mergedEdits {
          append(merged, of: part.ours)
        } else {
          mergeByTokens(part)
        }
      }
    }
  }

  /// Returns the part of a line before its value: its text up to a colon or an equals sign, and for other lines, all of it.
  private func key(of line: TextPieces.Piece) -> TextPieces.Piece {
    let text = line.drop(while: \.isSpace)
    let end = text.lastIndex { !$0.isSpace }.map { $0 + 1 } ?? text.startIndex
    let isEntry = !"/#-".utf8.contains { $0 == text.first }
    guard isEntry, let mark = text[..<end].firstIndex(where: { ":=".utf8.contains($0) }) else {
      return text[..<end]
    }
    return text[...mark]
  }

  /// Returns the lines that both sides have added at one position, ours first, and equal comments once. Nil if both have not added lines, or a
  /// shared line has other values.
  ///
  /// - Parameters:
  ///   - isBeforeLine: True if the line that follows is one of all versions. Comments above it stay there.
  ///   - sharesLines: True if other lines with the same key are added once, too.
  private func linesOfBoth(_ chunk: TextChunk, isBeforeLine: Bool, sharesLines: Bool) -> TextChunk.Pieces? {
    guard chunk.base.isEmpty, !chunk.ours.isEmpty, !chunk.theirs.isEmpty else { return nil }
    let (mine, others) = (Array(chunk.ours), Array(chunk.theirs))
    let matches = sharedLines(mine, others, sharesLines)
    /// The numbers of our comments that theirs may have in another order.
    var moved: [TextPieces.Piece: Int] = [:]
    for (line, match) in zip(mine, matches) where match < 0 && ours.isComment(line) {
      moved[line, default: 0] += 1
    }
    var additions = LineAdditions(lineEnd: ours.bytes.lineEnd)
    var next = (ours: 0, theirs: 0)
    func appendAdditions(before end: (ours: Int, theirs: Int), isBeforeLine: Bool) {
      let new = others[next.theirs..<end.theirs].filter { line in
        guard let count = moved[line], count > 0 else { return true }
        moved[line] = count - 1
        return false
      }
      additions.append(
        parts(mine[next.ours..<end.ours], of: ours, isBeforeLine),
        parts(new[...], of: theirs, isBeforeLine))
    }
    for (index, match) in matches.enumerated() where match >= 0 {
      guard let line = sharedLine(mine[index], others[match]) else { return nil }
      appendAdditions(before: (index, match), isBeforeLine: true)
      additions.append(line)
      next = (index + 1, match + 1)
    }
    appendAdditions(before: (mine.count, others.count), isBeforeLine: isBeforeLine)
    return additions.lines[...]
  }

  /// Returns, for each line that we have added, the index of the line of theirs with which it is one; -1 if there is none.
  private func sharedLines(
    _ mine: [TextPieces.Piece], _ others: [TextPieces.Piece], _ sharesLines: Bool
  ) -> [Int] {
    var (numbers, count): ([TextPieces.Piece: Int], Int) = ([:], 0)
    func symbols(_ lines: [TextPieces.Piece], of text: CommentedText) -> [Int] {
      lines.map { line in
        count += 1
        guard sharesLines || text.isComment(line) else { return -count }
        let key = text.isComment(line) ? line : key(of: line)
        if let number = numbers[key] { return number }
        numbers[key] = count
        return count
      }
    }
    return SequenceAlignment(symbols(mine, of: ours), symbols(others, of: theirs)).matches
  }

  /// Returns the one of two lines that has all tokens of the other, such as a comment more; nil if neither has.
  private func sharedLine(_ mine: TextPieces.Piece, _ others: TextPieces.Piece) -> TextPieces.Piece? {
    guard mine != others else { return mine }
    func content(_ line: TextPieces.Piece, of text: CommentedText) -> [TextPieces.Piece] {
      text.tokens(of: line).filter { !TextPieces.isSpace($0) }
    }
    let (tokens, otherTokens) = (content(mine, of: ours), content(others, of: theirs))
    if tokens.has(otherTokens) { return mine }
    return otherTokens.has(tokens) ? others : nil
  }

  /// Divides lines into the comments above the line that follows them, and the others.
  private func parts(
    _ lines: TextChunk.Pieces, of text: CommentedText, _ isBeforeLine: Bool
  ) -> LineAdditions.Parts {
    let count = isBeforeLine ? lines.reversed().prefix(while: text.isComment).count : 0
    return (lines.dropLast(count), lines.suffix(count))
  }
}

/// The lines that both sides have added at one position.
private struct LineAdditions {
  /// The lines of a side: those above the line that follows, and the others.
  typealias Parts = (others: TextChunk.Pieces, above: TextChunk.Pieces)

  /// The end of a line that has none because it was the last one.
  let lineEnd: [UInt8]
  private(set) var lines: [TextPieces.Piece] = []

  init(lineEnd: [UInt8]) { self.lineEnd = lineEnd }

  mutating func append(_ mine: Parts, _ others: Parts) {
    for lines in [mine.others, others.others, mine.above, others.above] {
      for line in lines { append(line) }
    }
  }

  mutating func append(_ line: TextPieces.Piece) {
    if let last = lines.last, last.last != UInt8(ascii: "\n") { lines.append(lineEnd[...]) }
    lines.append(line)
  }
}

extension [TextPieces.Piece] {
  /// Returns true if the pieces have others among them, in their order.
  fileprivate func has(_ others: [TextPieces.Piece]) -> Bool {
    var rest = others[...]
    for piece in self where piece == rest.first { rest.removeFirst() }
    return rest.isEmpty
  }
}
