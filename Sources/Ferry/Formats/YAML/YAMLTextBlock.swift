/// The layout of a sequence or mapping of YAML that is not in brackets.
struct YAMLTextBlock: TextBlock {
  let syntax: YAMLTextSyntax
  let column: Int
  /// True if a dash precedes each child.
  let isSequence: Bool

  private var document: YAMLDocument { syntax.document }

  /// Returns the offset of the dash of an element or of the question mark before a key. They are in the column of the block, on
  /// the line of the child or above it, with only comments between. Without one of them, the child begins with its key.
  func start(ofChildAt offset: Int) -> Int {
    let mark = UInt8(ascii: isSequence ? "-" : "?")
    var end = offset
    while true {
      let line = syntax.startOfLine(at: end)
      let indicator = line + column
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
    guard node >= 0, document.nodes[node].range.upperBound == end,
      let header = syntax.blockHeader(of: node)
    else { return nil }
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

  func entry(key: NodeID?, value: NodeID, in list: some PropertyListNodes) throws(FerryError) -> [UInt8] {
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
    return syntax.indented(output.bytes.dropLast(), column)
  }
}
