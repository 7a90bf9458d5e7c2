// The lines of blocks: their columns and their ends.

extension YAMLTextSyntax {
  func block(_ node: NodeID) -> (any TextBlock)? {
    guard origins.indices.contains(node.index) else { return nil }
    return block(ofNode: origins[node.index].node)
  }

  func block(around node: NodeID) -> (any TextBlock)? {
    guard origins.indices.contains(node.index) else { return nil }
    return collection(around: origins[node.index].node).flatMap(block(ofNode:))
  }

  /// Returns the layout of a collection of the document. Nil if it is in brackets.
  func block(ofNode index: Int) -> YAMLTextBlock? {
    let node = document.nodes[index]
    guard node.isBlock, !isStream(index) else { return nil }
    // A sequence begins with its first dash, and a mapping with its first key.
    return YAMLTextBlock(
      syntax: self, column: column(of: document.contentStart(of: index)), isSequence: node.kind == .sequence)
  }

  /// Returns true for the list of the documents, which has no dashes.
  private func isStream(_ node: Int) -> Bool { document.isStream && node == 0 }

  func column(of offset: Int) -> Int { offset - startOfLine(at: offset) }

  func startOfLine(at offset: Int) -> Int {
    document.text[..<offset].indices.last(where: endsLine).map { $0 + 1 } ?? 0
  }

  /// Returns true if the byte at an index is the last one of a line end. Those of YAML 1.1, U+0085, U+2028 and U+2029, are also those of
  /// libyaml.
  private func endsLine(_ index: Int) -> Bool {
    let text = document.text
    switch text[index] {
    case UInt8(ascii: "\n"), UInt8(ascii: "\r"): return true
    case 0x85: return index >= 1 && text[index - 1] == 0xc2
    case 0xa8, 0xa9: return index >= 2 && text[index - 1] == 0x80 && text[index - 2] == 0xe2
    default: return false
    }
  }

  /// Returns the header of a literal or folded scalar, such as `|2+`, or nil for other nodes.
  func blockHeader(of node: Int) -> ArraySlice<UInt8>? {
    guard document.nodes[node].kind == .scalar else { return nil }
    let content = content(of: node)
    guard let mark = content.first, "|>".utf8.contains(mark) else { return nil }
    return content.prefix(1 + content.dropFirst().prefix { "+-0123456789".utf8.contains($0) }.count)
  }

  var textWithLastLineEnd: [UInt8]? {
    let text = document.text
    guard !text.isEmpty, !endsLine(text.count - 1) else { return nil }
    guard let node = document.nodes.indices.last, let header = blockHeader(of: node),
      text[document.nodes[node].range.upperBound...].allSatisfy(\.isSpace)
    else { return text + lineEnd }
    let value = document.bytes[document.nodes[node].text]
    let keeps = header.firstIndex(of: UInt8(ascii: "+"))
    if let last = value.last, last != UInt8(ascii: "\n"), !header.contains(UInt8(ascii: "-")) {
      // The value ends without a line end. When its last line gets one, only the mark `-` says so.
      var ended = text + lineEnd
      let mark = keeps ?? header.startIndex + 1
      ended.replaceSubrange(mark..<(keeps == nil ? mark : mark + 1), with: [UInt8(ascii: "-")])
      return ended
    }
    // Space alone on the last line would become a blank line of the value.
    let line = startOfLine(at: text.count)
    return keeps != nil && text[line...].allSatisfy(\.isSpace) ? Array(text[..<line]) : text + lineEnd
  }

  /// Returns the text of a new root in blocks, if the old root is at the beginning of a line and not in brackets. Nil for
  /// others.
  ///
  /// - Parameter old: The old root, or nil for that of the only document.
  func block(
    ofRoot node: NodeID, in list: some PropertyListNodes, like old: NodeID?
  ) throws(FerryError) -> [UInt8]? {
    let root = old.flatMap { origins.indices.contains($0.index) ? origins[$0.index].node : nil } ?? 0
    guard document.nodes.indices.contains(root), !document.nodes[root].isFlow,
      document.nodes[root].kind != .alias, try list.kind(of: node).isCollection
    else { return nil }
    let start = document.contentStart(of: root)
    let column = column(of: start)
    guard document.text[(start - column)..<start].allSatisfy({ $0 == 0x20 }) else { return nil }
    return try blocks(of: node, in: list, column: column)
  }

  /// Returns lines with the line end of the text and an indentation, except for the first.
  func indented(_ lines: some Sequence<UInt8>, _ column: Int) -> [UInt8] {
    let newLine = lineEnd + [UInt8](repeating: 0x20, count: column)
    return lines.flatMap { $0 == UInt8(ascii: "\n") ? newLine : [$0] }
  }
}
