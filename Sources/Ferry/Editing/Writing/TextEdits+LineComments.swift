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
  mutating func freeLine(
    after old: Child, for new: Child, in collection: OriginalCollection
  ) throws(FerryError) {
    // A value that only gets another name keeps its comment.
    guard carried != nil, old.value != new.value else { return }
    let origin = list.original(of: new.value)
    let keys = [old.key, new.key]
    let isOtherEntry = keys[0] != keys[1]
    if origin != old.value { try noteComments(inside: old, in: collection) }
    guard origin != old.value, origin != nil || isOtherEntry,
      let comment = lineComment(of: old, in: collection)
    else { return }
    commentsOfRemoved[old.value] = comment
    replacedComments.areFound = true
    if replacedComments.areLeftOut || takenComments[old.value] != nil {
      add(ByteEdit(range: comment, text: []))
    } else if isOtherEntry || origin.map({ takenComments[$0] != nil }) == true {
      putOnNextLine(comment, below: extent(of: old).lowerBound)
    }
  }

  /// Frees the rest of the line after a block on one line, for the comment of the value that replaces the block. The comment there is that of the
  /// last value in the block, which may take it to another place.
  ///
  ///     a:
  ///       - 1 # one    `move 'a[0]' c`, `set a 2`    a: 2
  ///                                                  c: 1 # one
  mutating func freeLine(afterBlock node: NodeID, for value: NodeID) throws(FerryError) {
    // A block that goes to another place has taken the comment along.
    guard carried != nil, syntax.block(node) != nil, !carriedBlocks.contains(node) else { return }
    let range = ranges[node.index]
    var inner = try children(of: node, in: tree).last?.value
    while let last = inner {
      if let comment = commentsOfRemoved[last], comment.lowerBound >= range.upperBound {
        replacedComments.areFound = true
        if replacedComments.areLeftOut || takenComments[last] != nil {
          add(ByteEdit(range: comment, text: []))
        } else if let origin = list.original(of: value), takenComments[origin] != nil {
          putOnNextLine(comment, below: range.lowerBound)
        }
        return
      }
      inner = try children(of: last, in: tree).last?.value
    }
  }

  /// Puts a comment after a value on the next line, with the indentation of the line at an offset.
  private mutating func putOnNextLine(_ comment: Range<Int>, below offset: Int) {
    let line = source[source.startOfLine(at: offset)...].prefix { $0.isBlankInLine }
    let blanks = source[comment].prefix { $0.isBlankInLine }
    add(ByteEdit(range: blanks.startIndex..<blanks.endIndex, text: lineEnd + line))
  }

  /// Notes the comments after removed children and the values in them, which may go to other places without these.
  mutating func noteComments(
    of removed: ArraySlice<Child>, in collection: OriginalCollection
  ) throws(FerryError) {
    guard carried != nil else { return }
    for child in removed {
      commentsOfRemoved[child.value] = lineComment(of: child, in: collection)
      try noteComments(inside: child, in: collection)
    }
  }

  /// Notes the comments after the values in a child.
  private mutating func noteComments(
    inside child: Child, in collection: OriginalCollection
  ) throws(FerryError) {
    var waiting = [
      OriginalCollection(node: child.value, container: collection.node, depth: collection.depth + 1)
    ]
    while let collection = waiting.popLast() {
      for child in try children(of: collection.node, in: tree) {
        commentsOfRemoved[child.value] = lineComment(of: child, in: collection)
        waiting.append(
          OriginalCollection(node: child.value, container: collection.node, depth: collection.depth + 1))
      }
    }
  }

  /// Returns the comments after a child on its line, with the white space before them. Nil if there are none, or if the child or they are not alone
  /// on their lines. A comma may be before or after the comments, or before the child.
  ///
  ///     "a": 1, // one
  ///     , "b": 2 // two
  func lineComment(of child: Child, in collection: OriginalCollection) -> Range<Int>? {
    guard !syntax.hasGeneratedComments else { return nil }
    let (valueEnd, end) = (ranges[child.value.index].upperBound, end(of: child))
    let block = syntax.block(collection.node)
    let start = block.map { self.start(of: child, in: $0) } ?? extent(of: child).lowerBound
    // The comment after the last line of a block is a part of the block.
    guard beginsLine(start), endWithComment(of: child.value, isRemoved: true) == valueEnd,
      valueEnd > 0, !source[valueEnd - 1].isLineEnd
    else { return nil }
    let commentStart = syntax.markup(in: source[valueEnd..<end]).isEmpty ? end : valueEnd
    var commentEnd = endOfLineMarkup(after: commentStart).end
    while commentEnd > commentStart, source[commentEnd - 1].isSpace { commentEnd -= 1 }
    guard commentEnd > commentStart else { return nil }
    let rest = source[commentEnd...].drop(while: \.isBlankInLine)
    guard Self.endsLine(rest.startIndex == end - 1 ? source[end...] : rest) else { return nil }
    return commentStart..<commentEnd
  }

  /// Returns true if only blanks, and perhaps the comma after the child on a line before, are before an offset on its line.
  private func beginsLine(_ offset: Int) -> Bool {
    if CommentsAbove.startOfLine(before: offset, in: source) != nil { return true }
    let end = source[..<offset].lastIndex { !$0.isBlankInLine } ?? 0
    return isTerminator(at: end) && CommentsAbove.startOfLine(before: end, in: source) != nil
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
