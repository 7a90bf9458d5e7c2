// The comments after values on their lines, which go to other places with these.

/// The treatment of the comments after values that others replace.
struct ReplacedComments {
  /// True to leave out the comments, to find the values that could take theirs along to these lines.
  var areLeftOut = false
  /// True if there are such comments.
  var areFound = false
}

extension TextEdits {
  /// Frees the rest of the line after a child for the comment of the value that replaces the child's. The child's own comment goes along with
  /// its value, or gets the next line, as after a removal of the child.
  ///
  ///     a: 1 # A    `move --replace a b`    b: 1 # A
  ///     b: 2 # B                            # B
  mutating func freeLine(after old: Child, for new: Child, in collection: OriginalCollection) {
    // A value that only gets another name keeps its comment.
    guard carried != nil, old.value != new.value else { return }
    let origin = list.original(of: new.value)
    let keys = [old.key, new.key]
    let isOtherEntry = keys[0] != keys[1]
    guard origin != old.value, origin != nil || isOtherEntry,
      let comment = lineComment(of: old, in: collection)
    else { return }
    commentsOfRemoved[old.value] = comment
    replacedComments.areFound = true
    if replacedComments.areLeftOut || takenComments[old.value] != nil {
      add(ByteEdit(range: comment, text: []))
    } else if isOtherEntry || origin.map({ takenComments[$0] != nil }) == true {
      let line = source[source.startOfLine(at: extent(of: old).lowerBound)...].prefix { $0.isBlankInLine }
      let blanks = source[comment].prefix { $0.isBlankInLine }
      add(ByteEdit(range: blanks.startIndex..<blanks.endIndex, text: lineEnd + line))
    }
  }

  /// Returns the comments after a child on its line, with the white space before them. Nil if there are none, or if the child or they are not alone
  /// on their lines.
  ///
  ///     "a": 1, // one
  func lineComment(of child: Child, in collection: OriginalCollection) -> Range<Int>? {
    guard !syntax.hasGeneratedComments else { return nil }
    let (valueEnd, end) = (ranges[child.value.index].upperBound, end(of: child))
    let block = syntax.block(collection.node)
    let start = block.map { self.start(of: child, in: $0) } ?? extent(of: child).lowerBound
    // The comment after the last line of a block is a part of the block.
    guard CommentsAbove.startOfLine(before: start, in: source) != nil,
      endWithComment(of: child.value, isRemoved: true) == valueEnd,
      valueEnd > 0, !source[valueEnd - 1].isLineEnd, syntax.markup(in: source[valueEnd..<end]).isEmpty
    else { return nil }
    var commentEnd = endOfLineMarkup(after: end).end
    while commentEnd > end, source[commentEnd - 1].isSpace { commentEnd -= 1 }
    guard commentEnd > end, Self.endsLine(source[commentEnd...]) else { return nil }
    return end..<commentEnd
  }

  /// Returns the extent of a removed child, with the comment that goes to another place with its value.
  func removedExtent(of child: Child) -> Range<Int> {
    let extent = extent(of: child)
    return extent.lowerBound..<endOfRemoved(child, endingAt: extent.upperBound)
  }

  /// Returns the end of the text that is removed with a child: that of the comment that goes to another place with its value, or else the given
  /// end.
  func endOfRemoved(_ child: Child, endingAt end: Int) -> Int {
    takenComments[child.value]?.upperBound ?? end
  }

  /// Returns the offset after a value and its comma or semicolon in a text if nothing else is on the rest of the line; otherwise nil.
  func endOfLine(afterValueEndingAt end: Int, in text: [UInt8]) -> Int? {
    let terminators = [true, false].map { syntax.terminator(inDictionary: $0) }
    let hasTerminator = end < text.count && terminators.contains([text[end]])
    let offset = hasTerminator ? end + 1 : end
    return Self.endsLine(text[offset...]) ? offset : nil
  }

  /// Returns true if a text begins with the end of a line, perhaps after blanks.
  private static func endsLine(_ text: ArraySlice<UInt8>) -> Bool {
    text.first { !$0.isBlankInLine }?.isLineEnd ?? true
  }
}
