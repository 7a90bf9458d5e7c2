// The lines of a text on which removed elements stood alone.

extension XMLRemovals {
  /// Returns the edits that also remove each line of a text on which nothing but a removed element was. Nil if there is no such line. The
  /// white space of the line is a part of the text, which the changed values keep.
  ///
  ///     one
  ///       <b/>    one
  ///       two       two
  func editsWithLines() -> [ByteEdit]? {
    // A schema may read a text as a number, and a new text has the lines of the change.
    let parents = parentsWithText.filter { !markup.elements[$0].keepsSpace && !changes[$0].hasNewText }
    guard !hasRecords, !parents.isEmpty else { return nil }
    var edits = edits
    var removals: [Int: Int] = [:]
    var endsOfRemovals: Set<Int> = []
    for (index, edit) in edits.enumerated() where edit.text.isEmpty && !edit.range.isEmpty {
      removals[edit.range.lowerBound] = index
      endsOfRemovals.insert(edit.range.upperBound)
    }
    /// The offsets after the lines that are removed.
    var endsOfLines: Set<Int> = []
    for child in parents.sorted().flatMap(markup.children(of:)) {
      let range = markup.elements[child].range
      guard removed.contains(child), !changes[child].isFollowed, let line = line(of: range),
        // The line end before the element may be removed as layout between elements.
        !endsOfRemovals.contains(range.lowerBound) || endsOfLines.contains(line.lowerBound)
      else { continue }
      let rest = range.upperBound..<line.upperBound
      if let index = removals[range.upperBound] {
        // The white space after the line takes the place of that before the element.
        endsOfRemovals.remove(edits[index].range.upperBound)
        edits[index].range = rest
      } else {
        edits.append(ByteEdit(range: rest, text: []))
      }
      edits.append(ByteEdit(range: line.lowerBound..<range.lowerBound, text: []))
      endsOfLines.insert(line.upperBound)
    }
    return endsOfLines.isEmpty ? nil : edits
  }

  /// Returns the lines with an element, with the line end. Nil if something else than white space is beside the element there.
  private func line(of element: Range<Int>) -> Range<Int>? {
    let start = markup.text[..<element.lowerBound].lastIndex { !$0.isBlankInLine }
    let end = markup.text[element.upperBound...].firstIndex { !$0.isBlankInLine }
    guard let start, let end, markup.text[start].isLineEnd, markup.text[end].isLineEnd else { return nil }
    let isPair = markup.text[end...].starts(with: "\r\n".utf8)
    return start + 1..<end + (isPair ? 2 : 1)
  }
}
