// Edits of a list each of whose elements is on a line of its own, as in JSON Lines.

extension TextEdits {
  /// The offset of the first line. A byte order mark stays before it.
  private var startOfLines: Int { source.starts(with: "\u{feff}".utf8) ? 3 : 0 }

  /// Collects the edits of a list each of whose elements is on a line of its own.
  mutating func collectLines(
    from old: [Child], to new: [Child], in collection: OriginalCollection
  ) throws(FerryError) {
    var end = startOfLines
    for step in ListStep.steps(from: old, to: new) {
      switch step {
      case .keep(let from, _): end = endOfLine(after: old[from].value)
      case .replace(let from, let to):
        try replace(from, of: old, by: new[to], in: collection)
        end = endOfLine(after: old[from].value)
      case .remove(let range):
        let start = end
        end = endOfLine(after: old[range.upperBound - 1].value)
        add(ByteEdit(range: start..<end, text: []))
      case .insert(let range):
        for index in range { try insertLine(new[index].value, at: end) }
      }
    }
  }

  /// Inserts an element on a line of its own at the beginning of a line, or at the end of the text.
  private mutating func insertLine(_ node: NodeID, at offset: Int) throws(FerryError) {
    let text = try syntax.text(of: node, in: list, at: TextSlot(depth: 1, gap: [], model: nil))
    let isAtLine = offset == startOfLines || source[offset - 1] == UInt8(ascii: "\n")
    addInsertion(ByteEdit(range: offset..<offset, text: isAtLine ? text + lineEnd : lineEnd + text))
  }

  /// Returns the offset after the line end that follows a value.
  private func endOfLine(after node: NodeID) -> Int {
    let end = ranges[node.index].upperBound
    return source[end...].firstIndex(of: UInt8(ascii: "\n")).map { $0 + 1 } ?? source.count
  }

  /// Replaces all lines by the elements of a new list.
  mutating func replaceLines() throws(FerryError) {
    guard case .array = try list.kind(of: list.root) else {
      throw FerryError(.path(.cannotPut("this value", "JSON Lines is a list of values")))
    }
    var text: [UInt8] = []
    for child in try children(of: list.root, in: list) {
      text += try syntax.text(of: child.value, in: list, at: TextSlot(depth: 1, gap: [], model: nil))
      text += lineEnd
    }
    add(ByteEdit(range: startOfLines..<source.count, text: text))
  }
}
