// The lines of blocks: their columns and indicators, and the line ends and blank lines after them.

extension YAMLTextSyntax {
  func block(_ node: NodeID) -> TextBlock? {
    guard origins.indices.contains(node.index) else { return nil }
    let origin = document.nodes[origins[node.index].node]
    guard !origin.isFlow, origin.kind == .sequence || origin.kind == .mapping, !isStream(node) else {
      return nil
    }
    // A sequence begins with its first dash, and a mapping with its first key.
    return TextBlock(
      column: column(of: document.contentStart(of: origins[node.index].node)),
      isSequence: origin.kind == .sequence)
  }

  /// Returns true for the list of the documents, which has no dashes.
  private func isStream(_ node: NodeID) -> Bool { document.isStream && origins[node.index].node == 0 }

  private func column(of offset: Int) -> Int { offset - startOfLine(at: offset) }

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

  /// Returns the offset of the dash of an element or of the question mark before a key. They are in the column of the block, on
  /// the line of the child or above it, with only comments between. Without one of them, the child begins with its key.
  func start(ofChildAt offset: Int, in block: TextBlock) -> Int {
    let mark = UInt8(ascii: block.isSequence ? "-" : "?")
    var end = offset
    while true {
      let line = startOfLine(at: end)
      let indicator = line + block.column
      if isIndicator(mark, at: indicator, inLineAt: line, before: end) {
        let rest = document.text[(indicator + 1)..<end].first { !$0.isSpace }
        // On a line above, a question mark with a key after it belongs to another entry, which has no value.
        return end == offset || rest == nil || rest == UInt8(ascii: "#") ? indicator : offset
      }
      let first = document.text[line..<end].first { !$0.isSpace }
      guard line > 0, first == nil || first == UInt8(ascii: "#") else { return offset }
      end = line - 1
    }
  }

  /// Returns true if an indicator is at an offset of a line, with only other indicators and space before it.
  private func isIndicator(_ mark: UInt8, at offset: Int, inLineAt line: Int, before end: Int) -> Bool {
    guard offset < end, document.text[offset] == mark,
      document.text[line..<offset].allSatisfy({ " \t-?:".utf8.contains($0) })
    else { return false }
    return offset + 1 == document.text.count || document.text[offset + 1].isSpace
  }

  func endOfLines(at offset: Int, ofBlockEndingAt end: Int) -> Int? {
    let node = document.firstNode(from: end) - 1
    guard node >= 0, document.nodes[node].range.upperBound == end, let header = blockHeader(of: node) else {
      return nil
    }
    var (line, lines) = (offset, nil as Int?)
    while let next = document.text[line...].firstIndex(of: UInt8(ascii: "\n")),
      document.text[line..<next].allSatisfy(\.isSpace)
    {
      // Space that is indented further than the block is content.
      let mayHaveContent = document.text[line..<next].contains { $0 == 0x20 || $0 == 0x09 }
      if lines == nil || mayHaveContent || header.contains(UInt8(ascii: "+")) { lines = next + 1 }
      line = next + 1
    }
    // Space alone on the last line has no line end to begin a new line with.
    let rest = document.text[line...]
    return !rest.isEmpty && rest.allSatisfy(\.isSpace) ? nil : lines
  }

  /// Returns the header of a literal or folded scalar, such as `|2+`, or nil for other nodes.
  private func blockHeader(of node: Int) -> ArraySlice<UInt8>? {
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

  func blockEntry(
    key: NodeID?, value: NodeID, in list: some PropertyListNodes, column: Int
  ) throws(FerryError) -> [UInt8] {
    let output = MemoryOutput()
    let writer = YAMLWriter(to: output)
    if key == nil { try writer.beginArray(count: nil) } else { try writer.beginDictionary(count: nil) }
    if let key, case .string = try list.kind(of: key) {
      try list.send(key: key, to: writer)
    } else if let key {
      try writer.beginKey()
      try list.replay(key, into: writer, budget: list.budget)
      try writer.endKey()
    }
    try list.replay(value, into: writer, budget: list.budget)
    if key == nil { try writer.endArray() } else { try writer.endDictionary() }
    try writer.finish()
    return indented(output.bytes.dropLast(), column)
  }
}
