// Values that move to another place or are copied there. They take their text along, with the comments and the notation of numbers.

extension TextEdits {
  /// Returns the edited text in which values that move or are copied have their own texts. Nil if there is no such value, or if the text would
  /// have other values: a text may mean another value at another place.
  func bytesWithCarriedTexts() throws(FerryError) -> [UInt8]? {
    guard list.carriesTexts else { return nil }
    let originals = syntax.originalsOfCopies
    let nodes = CarriedNodes(list, in: source) { node in
      // A value to which an alias leads has the text of the anchor's value.
      let node = originals[node] ?? node
      let hasText = node.index < ranges.count && !ranges[node.index].isEmpty && syntax.hasOwnText(node)
      return hasText ? node : nil
    }
    guard let edit = try carriedEdit(nodes) else { return nil }
    // What moves is not lost, which is known only now.
    var reported = self
    (reported.carried, reported.takenComments, reported.losses) = (nodes, edit.takenComments, LossReport())
    reported.carriedBlocks = carriedBlocks(of: edit)
    let texts = edit.marks.map { mark in
      let start = syntax.startOfCarriedText(mark.node) ?? ranges[mark.node.index].lowerBound
      return start..<endWithComment(of: mark.node, isRemoved: true)
    }
    reported.carriedRanges = (texts + edit.takenComments.values).outermost
    try reported.collectEdits()
    losses.add(reported.losses.all)
    return encoded(edit.text)
  }

  /// An edited text in which values have their own texts at other places.
  private struct CarriedEdit {
    var text: [UInt8]
    var marks: [CarriedNodes.Mark]
    var takenComments: [NodeID: Range<Int>]
    /// The comments that values could take along, because they end their lines also at the new places.
    var comments: [NodeID: Range<Int>]
    /// True if the text is without comments that the edited text has.
    var leavesOut: Bool
  }

  /// Returns the text in which values take their texts along, with the comments after them on their lines if these can be at the new places.
  private func carriedEdit(_ nodes: CarriedNodes) throws(FerryError) -> CarriedEdit? {
    guard let first = try carriedEdit(nodes, taking: [:], leavesOut: true) else { return nil }
    var edits = self
    edits.carriedBlocks = carriedBlocks(of: first)
    return try edits.carriedEdit(nodes, first: edits.carriedBlocks.isEmpty ? first : nil)
  }

  /// Returns the blocks on one line, apart from their keys, whose texts have the comments after them at other places.
  private func carriedBlocks(of edit: CarriedEdit) -> Set<NodeID> {
    Set(
      edit.marks.lazy.map(\.node).filter {
        endWithComment(of: $0, isRemoved: true) > endWithComment(of: $0)
      })
  }

  /// - Parameter first: The text without the comments of replaced values, if it is known.
  private func carriedEdit(_ nodes: CarriedNodes, first: CarriedEdit?) throws(FerryError) -> CarriedEdit? {
    let known = if let first { first } else { try carriedEdit(nodes, taking: [:], leavesOut: true) }
    guard var edit = known else { return nil }
    let isWhole = !edit.leavesOut
    if !edit.comments.isEmpty, let other = try carriedEdit(nodes, taking: edit.comments),
      hasChangedValues(encoded(other.text))
    {
      return other
    }
    if !isWhole {
      guard let whole = try carriedEdit(nodes, taking: [:]) else { return nil }
      edit = whole
    }
    return hasChangedValues(encoded(edit.text)) ? edit : nil
  }

  /// Returns the text in which values take their texts along, and some of them the comments after them. Nil if one of these cannot be there.
  ///
  /// - Parameter leavesOut: True to leave out the comments of replaced values.
  private func carriedEdit(
    _ nodes: CarriedNodes, taking comments: [NodeID: Range<Int>], leavesOut: Bool = false
  ) throws(FerryError) -> CarriedEdit? {
    var copy = self
    (copy.carried, copy.takenComments, copy.losses) = (nodes, comments, LossReport())
    copy.replacedComments.areLeftOut = leavesOut
    try copy.collectEdits()
    let marked = copy.appliedEdits
    let marks = nodes.marks(in: marked)
    // An element that is moved to the place of the one before it has no mark: its own text stays.
    guard let (text, ends) = try copy.replacingMarks(marks, in: marked), ends.isSuperset(of: comments.keys)
    else { return nil }
    return CarriedEdit(
      text: text, marks: marks, takenComments: comments,
      comments: copy.commentsOfRemoved.filter { ends.contains($0.key) },
      leavesOut: leavesOut && copy.replacedComments.areFound)
  }

  /// Reports the comments, instructions and attributes of a range of the text that a new text in its place lacks, without those in texts that
  /// are put at another place.
  func reportMarkup(in range: Range<Int>, missingIn new: [UInt8]) {
    let first = carriedRanges.partitioningIndex { $0.upperBound > range.lowerBound }
    let kept = carriedRanges[first...].prefix { $0.lowerBound < range.upperBound }
    guard !kept.isEmpty else { return syntax.reportMarkup(of: source[range], missingIn: new, to: losses) }
    var start = range.lowerBound
    for piece in kept.map({ $0.clamped(to: range) }) + [range.upperBound..<range.upperBound] {
      if start < piece.lowerBound {
        syntax.reportMarkup(of: source[start..<piece.lowerBound], missingIn: [], to: losses)
      }
      start = piece.upperBound
    }
  }

  /// Returns a text with the texts of values in the places of their marks and with the comments that they take along, and the values that have
  /// moved and end their lines. Nil if one of the texts cannot be there.
  private func replacingMarks(
    _ marks: [CarriedNodes.Mark], in marked: [UInt8]
  ) throws(FerryError) -> (text: [UInt8], ends: Set<NodeID>)? {
    let edited = editedRanges
    /// Returns true for a value whose text also stays at its own place.
    func isKept(_ node: NodeID) -> Bool {
      let range = ranges[node.index]
      let next = edited.partitioningIndex { $0.lowerBound > range.lowerBound }
      return next == 0 || edited[next - 1].upperBound < range.upperBound
    }
    var (used, ends): (Set<NodeID>, Set<NodeID>) = ([], [])
    var text: [UInt8] = []
    var done = 0
    // A text may have all its places on one line, whose beginning is therefore not searched for each.
    var line = marked[..<0]
    for mark in marks {
      text += marked[done..<mark.range.lowerBound]
      done = mark.range.upperBound
      let lineEnd = marked[line.endIndex..<mark.range.lowerBound].lastIndex(where: \.isLineEnd)
      line = marked[(lineEnd.map { $0 + 1 } ?? line.startIndex)..<mark.range.lowerBound]
      let isRepeated = isKept(mark.node) || !used.insert(mark.node).inserted
      let end = endWithComment(of: mark.node, isRemoved: true)
      if let block = syntax.carriedText(of: mark.node, endingAt: end, after: line, isRepeated: isRepeated) {
        guard let block = block.text else { return nil }
        // The text on a line of its own follows the colon.
        while block.first?.isLineEnd == true, text.last == 0x20 { text.removeLast() }
        text += block
      } else {
        text += try indentedText(of: mark.node, after: line)
      }
      guard !isRepeated, text.last?.isLineEnd == false,
        let offset = endOfLine(afterValueEndingAt: done, in: marked)
      else { continue }
      ends.insert(mark.node)
      guard let comment = takenComments[mark.node] else { continue }
      text += marked[done..<offset] + source[comment]
      done = offset
    }
    return (text + marked[done...], ends)
  }

  /// Returns the text of a value in brackets or tags with the indentation of a line. Lines inside a scalar or a comment stay.
  private func indentedText(of node: NodeID, after line: ArraySlice<UInt8>) throws(FerryError) -> [UInt8] {
    let range = ranges[node.index]
    guard source[range].contains(where: \.isLineEnd) else { return Array(source[range]) }
    let new = Array(line.prefix { $0.isBlankInLine })
    let old = source[source.startOfLine(at: range.lowerBound)..<range.lowerBound].prefix { $0.isBlankInLine }
    guard !old.elementsEqual(new) else { return Array(source[range]) }
    var changes: [ByteEdit] = []
    for offset in try tokenOffsets(in: node) {
      let gap = gap(before: offset)
      guard gap.lowerBound >= range.lowerBound, let end = source[gap].lastIndex(where: \.isLineEnd),
        source[(end + 1)..<offset].starts(with: old)
      else { continue }
      let change = end + 1 - range.lowerBound..<end + 1 + old.count - range.lowerBound
      changes.append(ByteEdit(range: change, text: new))
    }
    return changes.applied(to: Array(source[range]))
  }

  /// Returns the offsets of the comments, keys, values and closing brackets or tags in the text of a value. Only they may begin a line that is
  /// not inside a scalar or a comment.
  private func tokenOffsets(in node: NodeID) throws(FerryError) -> Set<Int> {
    var offsets = Set(syntax.markup(in: source[ranges[node.index]]).map(\.startIndex))
    var waiting = [node]
    while let node = waiting.popLast() {
      let children = try children(of: node, in: tree)
      guard !children.isEmpty else { continue }
      for child in children {
        offsets.insert(ranges[child.value.index].lowerBound)
        if let key = child.key { offsets.insert(ranges[key.index].lowerBound) }
        waiting.append(child.value)
      }
      let end = ranges[node.index].upperBound - 1
      let isTag = source[end] == UInt8(ascii: ">")
      offsets.insert(isTag ? source[..<end].lastIndex(of: UInt8(ascii: "<")) ?? end : end)
    }
    return offsets
  }
}
