/// A writer of new values in an existing YAML text: on one line in a collection in brackets, as a block in a block.
struct YAMLTextSyntax: TextSyntax {
  let separator = [UInt8(ascii: ",")]
  let assignment = Array(": ".utf8)
  let emptyValuePrefix = [UInt8(ascii: " ")]
  let usualGap = [UInt8(ascii: " ")]
  let isChecked = true
  private let document: YAMLDocument
  private let ranges: [Range<Int>]
  private let tree: PropertyListTree

  init(_ document: YAMLDocument, _ ranges: [Range<Int>], _ tree: PropertyListTree) {
    (self.document, self.ranges, self.tree) = (document, ranges, tree)
  }

  /// False if the text has comments, anchors, tags or several documents, which a new text would not have.
  var canBeRewritten: Bool { !document.hasProperties && markup(in: document.text[...]).isEmpty }

  func text(
    of node: NodeID, in list: some PropertyListNodes, at place: TextPlace
  ) throws(FerryError) -> [UInt8] {
    if case .string = try list.kind(of: node) {
      return try list.withText(of: node) { text in
        // A comma or a bracket ends a string without quotation marks in a collection in brackets.
        let plain = YAMLString.text(of: text.utf8)
        let isSafe = !plain.contains { ",[]{}".utf8.contains($0) } || plain.first == UInt8(ascii: "'")
        return isSafe ? plain : YAMLString.doubleQuoted(text.utf8)
      }
    }
    let writer = YAMLFlowWriter()
    try list.replay(node, into: writer, budget: Budget())
    return writer.text
  }

  func key(_ node: NodeID, in list: some PropertyListNodes) throws(FerryError) -> [UInt8] {
    try list.withText(of: node) { text in YAMLString.text(of: text.utf8, isKey: true) }
  }

  func beginsMarkup(_ text: ArraySlice<UInt8>) -> Bool { text.first == UInt8(ascii: "#") }
  func endsWithLine(_ markup: ArraySlice<UInt8>) -> Bool { true }

  func markup(in text: ArraySlice<UInt8>) -> [ArraySlice<UInt8>] {
    var found: [ArraySlice<UInt8>] = []
    var index = text.startIndex
    while let mark = text[index...].firstIndex(of: UInt8(ascii: "#")) {
      let end = text[mark...].firstIndex(of: UInt8(ascii: "\n")) ?? text.endIndex
      let isComment = mark == text.startIndex || text[mark - 1].isSpace
      if isComment, !isInScalar(mark, of: text) { found.append(text[mark..<end]) }
      index = isComment ? end : mark + 1
    }
    return found
  }

  /// Returns true if an offset is inside a scalar of the text, where `#` begins no comment.
  private func isInScalar(_ offset: Int, of text: ArraySlice<UInt8>) -> Bool {
    // The last node that begins before the offset.
    var (low, high) = (0, document.nodes.count)
    while low < high {
      let middle = (low + high) / 2
      if document.nodes[middle].range.lowerBound < offset { low = middle + 1 } else { high = middle }
    }
    guard low > 0 else { return false }
    let node = document.nodes[low - 1]
    return node.kind == .scalar && offset < node.range.upperBound
  }

  func reportMarkup(of old: ArraySlice<UInt8>, missingIn new: [UInt8], to losses: LossReport) {
    for _ in markup(in: old) { losses.add(.comment) }
  }

  // MARK: Blocks

  func block(_ node: NodeID) -> TextBlock? {
    guard let range = ranges.indices.contains(node.index) ? ranges[node.index] : nil, !range.isEmpty,
      !"[{&!".utf8.contains(document.text[range.lowerBound])
    else { return nil }
    // A sequence begins with its first dash, and a mapping with its first key.
    let start = range.lowerBound
    let isSequence =
      document.text[start] == UInt8(ascii: "-") && (try? tree.kind(of: node)).map(Self.isArray) ?? false
    let line = document.text[..<start].lastIndex(of: UInt8(ascii: "\n")).map { $0 + 1 } ?? 0
    return TextBlock(column: start - line, isSequence: isSequence)
  }

  private static func isArray(_ kind: NodeKind) -> Bool { if case .array = kind { true } else { false } }

  func blockEntry(
    key: NodeID?, value: NodeID, in list: some PropertyListNodes, column: Int
  ) throws(FerryError) -> [UInt8] {
    let output = MemoryOutput()
    let writer = YAMLWriter(to: output)
    if key == nil { try writer.beginArray(count: nil) } else { try writer.beginDictionary(count: nil) }
    if let key {
      try list.withText(of: key) { name throws(FerryError) in try writer.key(name) }
    }
    try list.replay(value, into: writer, budget: Budget())
    if key == nil { try writer.endArray() } else { try writer.endDictionary() }
    try writer.finish()
    var text: [UInt8] = []
    for byte in output.bytes.dropLast() {
      text.append(byte)
      if byte == UInt8(ascii: "\n") { text += [UInt8](repeating: 0x20, count: column) }
    }
    return text
  }
}
