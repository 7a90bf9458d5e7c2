/// A writer of new values in an existing YAML text: on one line in a collection in brackets, as a block in a block.
struct YAMLTextSyntax: TextSyntax {
  /// A comma is part of the child before it, because comments may follow it.
  let separator: [UInt8] = []
  let requiresLastTerminator = false
  let assignment = Array(": ".utf8)
  let usualGap = [UInt8(ascii: " ")]
  let isChecked = true
  let readsLineEndsAlike = true
  let document: YAMLDocument
  /// For each value, where it comes from.
  let origins: [YAMLOrigin]
  /// For each node of the document, the offset after the comma that ends it. Nil if the document has no brackets.
  let ends: [Int]?
  /// For each node of the document, the collection around it; -1 for the outermost ones.
  private let outerCollections: [Int32]
  let tree: PropertyListTree
  let records: (any RecordRanges)?
  /// The line end of the text.
  let lineEnd: [UInt8]

  init(_ document: YAMLDocument, _ origins: [YAMLOrigin], ends: [Int]?, _ tree: PropertyListTree) {
    (self.document, self.origins, self.ends, self.tree) = (document, origins, ends, tree)
    lineEnd = document.text.lineEnd
    outerCollections = document.outerCollections
    records = document.isStream ? YAMLRecordRanges(of: document) : nil
  }

  func terminator(inDictionary: Bool) -> [UInt8] { [UInt8(ascii: ",")] }

  func text(
    of node: NodeID, in list: some PropertyListNodes, at slot: TextSlot
  ) throws(FerryError) -> [UInt8] {
    let isRoot = slot.depth == (document.isStream ? 1 : 0)
    if isRoot, let block = try block(ofRoot: node, in: list, like: slot.old) { return block }
    if let block = try block(of: node, in: list, at: slot) { return block }
    if case .string = try list.kind(of: node) {
      let isInBlock = isInBlock(slot.replaced)
      return try list.withText(of: node) { text in
        if let styled = styled(text.utf8, like: slot.old) { return styled }
        if isRoot { return YAMLString.firstText(of: text.utf8) }
        let written = YAMLString.text(of: text.utf8)
        return isInBlock ? written : inBrackets(written, of: text.utf8)
      }
    }
    if let data = try data(node, list, like: slot.old) { return data }
    if let empty = try empty(node, in: list, near: slot.old ?? slot.near) { return empty }
    let writer = YAMLFlowWriter()
    try list.replay(node, into: writer, budget: list.budget)
    return writer.text
  }

  func isUnwritten(_ node: NodeID) -> Bool {
    origins.indices.contains(node.index) && document.nodes[origins[node.index].node].range.isEmpty
  }

  /// Returns the text of a document after its mark.
  func record(_ node: NodeID, in list: some PropertyListNodes) throws(FerryError) -> [UInt8] {
    try blocks(of: node, in: list, column: 0)
  }

  /// Returns a value in blocks, with an indentation of all lines but the first.
  func blocks(
    of node: NodeID, in list: some PropertyListNodes, column: Int
  ) throws(FerryError) -> [UInt8] {
    let output = MemoryOutput()
    let writer = YAMLWriter(to: output)
    try list.replay(node, into: writer, budget: list.budget)
    try writer.finish()
    return indented(output.bytes.dropLast(), column)
  }

  /// The number of digits in a line of Base64, if the old data does not show it.
  private static let usualWidth = 76

  /// Returns data with the quotation marks and in the lines of the data that it replaces. Nil for other values, and for empty data.
  private func data(
    _ node: NodeID, _ list: some PropertyListNodes, like old: NodeID?
  ) throws(FerryError) -> [UInt8]? {
    guard case .data = try list.kind(of: node), let old, let origin = scalar(at: old),
      case .data = try tree.kind(of: old)
    else { return nil }
    let content = content(of: origin)
    let isQuoted = content.first.map { "\"'".utf8.contains($0) } ?? false
    let isBlock = content.first.map { "|>".utf8.contains($0) } ?? false
    let header = isBlock ? content.prefix { !$0.isLineEnd } : content.prefix(isQuoted ? 1 : 0)
    let end = content.suffix(isQuoted ? 1 : 0)
    let lines = content.dropFirst(header.count).dropLast(end.count)
    let digits = try list.withData(of: node) { bytes throws(FerryError) in Base64.encode(bytes) }
    guard !digits.isEmpty, !Self.hasEscapes(lines),
      let layout = DataLayout(
        of: lines, isDigit: Base64.isDigit, isSpace: { $0.isSpace || $0 == UInt8(ascii: "\\") })
    else { return nil }
    return Array("!!binary ".utf8) + header + layout.text(of: digits, usualWidth: Self.usualWidth) + end
  }

  /// Returns true if a text has a backslash that is not before a line end.
  private static func hasEscapes(_ text: ArraySlice<UInt8>) -> Bool {
    text.indices.contains { index in
      text[index] == UInt8(ascii: "\\") && !(text[(index + 1)...].first?.isLineEnd ?? false)
    }
  }

  /// Returns the innermost collection of the document around a node.
  func collection(around node: Int) -> Int? {
    let collection = Int(outerCollections[node])
    return collection < 0 ? nil : collection
  }

  /// Returns true if the value or the key of the original text that a new one replaces is not inside brackets.
  private func isInBlock(_ replaced: NodeID?) -> Bool { replaced.flatMap(block(around:)) != nil }

  /// Returns the text of a string on one line in a collection in brackets, for its text in a block.
  private func inBrackets(_ text: [UInt8], of string: Span<UInt8>) -> [UInt8] {
    guard let first = text.first, first != UInt8(ascii: "'") else { return text }
    // In brackets, a comma or a bracket ends a string without quotation marks, and some readers take `:a` and `?a` for a key.
    let isSafe = first != UInt8(ascii: ":") && first != UInt8(ascii: "?")
    return isSafe && !text.contains { ",[]{}".utf8.contains($0) } ? text : YAMLString.doubleQuoted(string)
  }

  /// Returns the text of a string with the quotation marks, or as the block, of the scalar that it replaces. Nil if that has none.
  private func styled(_ text: Span<UInt8>, like old: NodeID?) -> [UInt8]? {
    guard let node = old.flatMap(scalar) else { return nil }
    let content = content(of: node)
    switch content.first {
    case UInt8(ascii: "\""): return YAMLString.doubleQuoted(text)
    case UInt8(ascii: "'"): return YAMLString.singleQuoted(text)
    case UInt8(ascii: "|"), UInt8(ascii: ">"):
      let lines = content.split(separator: UInt8(ascii: "\n")).dropFirst()
      guard let line = lines.first(where: { !$0.allSatisfy(\.isSpace) }),
        let block = YAMLString.block(of: text, allowsOneLine: true)
      else { return nil }
      let indentation = lineEnd + line.prefix { $0 == 0x20 }
      var written = Array(block.header.utf8)
      let isFolded =
        content.first == UInt8(ascii: ">")
        && block.lines.allSatisfy { !$0.isEmpty && !text[$0.lowerBound].isSpace }
      if isFolded { written[0] = UInt8(ascii: ">") }
      written += headerComment(of: node)
      for (index, line) in block.lines.enumerated() {
        // In a folded block, a single line end is read as a space.
        if isFolded, index > 0 { written += lineEnd }
        written += line.isEmpty ? lineEnd : indentation
        written.append(copying: text.extracting(line))
      }
      return written
    default: return nil
    }
  }

  /// Returns the scalar from which an old value comes, or nil if that is not a scalar.
  private func scalar(at old: NodeID) -> Int? {
    guard origins.indices.contains(old.index) else { return nil }
    let node = origins[old.index].node
    return document.nodes[node].kind == .scalar ? node : nil
  }

  /// Returns the text of a node without its anchor and tag.
  func content(of node: Int) -> ArraySlice<UInt8> {
    document.text[document.contentStart(of: node)..<document.nodes[node].range.upperBound]
  }

  /// Returns the comment after the header of a block, such as `| # note`, with the space before it; empty if there is none.
  private func headerComment(of node: Int) -> ArraySlice<UInt8> {
    let content = content(of: node)
    guard let mark = content.first, "|>".utf8.contains(mark) else { return [] }
    let comment = content.prefix { !$0.isLineEnd }.drop { !$0.isSpace }
    return comment.contains(UInt8(ascii: "#")) ? comment : []
  }

  /// Returns the text of a collection in blocks in place of another one, with the column of its lines. Nil if the old one is not in
  /// blocks, or begins on the line of its anchor or tag.
  private func block(
    of node: NodeID, in list: some PropertyListNodes, at slot: TextSlot
  ) throws(FerryError) -> [UInt8]? {
    let isSequence: Bool
    switch try list.kind(of: node) {
    case .array(let count) where count > 0: isSequence = true
    case .dictionary(let count) where count > 0: isSequence = false
    default: return nil
    }
    guard let old = slot.old, let block = block(old), !isCopy(old) else { return nil }
    let origin = origins[old.index].node
    let start = document.contentStart(of: origin)
    let line = startOfLine(at: start)
    let kind = isSequence ? YAMLTextKind.sequence : .mapping
    guard
      properties(of: origin, before: kind)
        .elementsEqual(document.text[document.nodes[origin].range.lowerBound..<start]),
      document.text[line..<start].allSatisfy({ " -?:".utf8.contains($0) })
    else { return nil }
    // The dashes of a list may be in the column of its key. The keys of a dictionary may not.
    let around = self.block(around: old)
    let isBelowKey = around?.column == block.column
    let shift = isBelowKey && !isSequence ? 2 : 0
    return try [UInt8](repeating: 0x20, count: shift)
      + blocks(of: node, in: list, column: block.column + shift)
  }

  func prefix(ofValueAt offset: Int, afterKeyEndingAt keyEnd: Int?, in block: (any TextBlock)?) -> [UInt8] {
    guard let keyEnd, !document.text[keyEnd..<max(keyEnd, offset)].contains(UInt8(ascii: ":")) else {
      return [UInt8(ascii: " ")]
    }
    // A key without a colon, as in `{a, b}` or after a question mark.
    let mark = Array(": ".utf8)
    return block.map { lineEnd + [UInt8](repeating: 0x20, count: $0.column) + mark } ?? mark
  }

  /// Returns the text of a key. In `{"a":1}`, only a key in quotation marks ends before the colon.
  func key(_ node: NodeID, in list: some PropertyListNodes, at slot: KeySlot) throws(FerryError) -> [UInt8] {
    guard case .string = try list.kind(of: node) else {
      let writer = YAMLFlowWriter()
      try list.replay(node, into: writer, budget: list.budget)
      return writer.text
    }
    let following = slot.following
    let isBesideValue =
      following.first == UInt8(ascii: ":") && following.dropFirst().first.map { !$0.isSpace } ?? false
    let isInBlock = isInBlock(slot.old)
    return try list.withText(of: node) { text in
      if isBesideValue { return YAMLString.doubleQuoted(text.utf8) }
      if let styled = styled(text.utf8, like: slot.old) { return styled }
      // A key may be the first of the file.
      let written = YAMLString.firstText(of: text.utf8, isKey: true)
      return isInBlock ? written : inBrackets(written, of: text.utf8)
    }
  }

  /// Returns true if a comment would be a part of the scalar before it: `a` and `# b`.
  func joins(_ end: ArraySlice<UInt8>, _ beginning: ArraySlice<UInt8>) -> Bool {
    guard beginning.first == UInt8(ascii: "#"), let last = end.last else { return false }
    return !last.isSpace && !"\"'[]{},".utf8.contains(last)
  }

  func beginsMarkup(_ text: ArraySlice<UInt8>) -> Bool { text.first == UInt8(ascii: "#") }
  func endsWithLine(_ markup: ArraySlice<UInt8>) -> Bool { true }

  func markup(in text: ArraySlice<UInt8>) -> [ArraySlice<UInt8>] { document.comments(in: text) }

  // MARK: Anchors and tags

  /// Returns a new value or key with the anchor, the class and the tag of the old one.
  func text(_ new: [UInt8], withAttributesOf old: ArraySlice<UInt8>) -> [UInt8] {
    guard let node = node(in: old.startIndex..<old.endIndex) else { return new }
    return properties(of: node, before: YAMLTextKind(new)) + new
  }

  /// Returns the anchor and the tag of a node, with the white space and comments that follow them. A tag of YAML's own is left
  /// out if the new value is of another type, or has a tag.
  private func properties(of node: Int, before new: YAMLTextKind) -> [UInt8] {
    let start = document.nodes[node].range.lowerBound
    let text = document.text[start..<document.contentStart(of: node)]
    guard !text.isEmpty else { return [] }
    guard let tag = document.tag(of: node), YAMLTag.isKnown(tag) || tag == "!", !new.has(tag: tag) else {
      return Array(text) + (text.last.map(\.isSpace) == true ? [] : [0x20])
    }
    let anchor = text.split(whereSeparator: \.isSpace).prefix(2).first { $0.first == UInt8(ascii: "&") }
    return anchor.map { $0 + [0x20] } ?? []
  }

  /// Returns the outermost node with a range of the text, or nil.
  private func node(in range: Range<Int>) -> Int? {
    let first = document.firstNode(from: range.lowerBound)
    return document.nodes[first...].prefix { $0.range.lowerBound == range.lowerBound }
      .firstIndex { $0.range == range }
  }

  /// Reports the comments, anchors and classes inside a text that is replaced or, if the new text is empty, removed.
  func reportMarkup(of old: ArraySlice<UInt8>, missingIn new: [UInt8], to losses: LossReport) {
    let replaced = new.isEmpty ? nil : node(in: old.startIndex..<old.endIndex)
    let kept = replaced.map { keptProperties(of: $0, in: new) } ?? []
    let hasComments = !kept.isEmpty && old.starts(with: kept)
    let header = replaced.map { headerComment(of: $0) } ?? []
    let firstLine = new.dropFirst(kept.count).prefix { !$0.isLineEnd }
    let keepsHeader = !header.isEmpty && firstLine.reversed().starts(with: header.reversed())
    let rest = hasComments ? old.dropFirst(kept.count) : old
    // A block has no other comments than that of its header.
    for _ in markup(in: keepsHeader ? rest.prefix { !"|>".utf8.contains($0) } : rest) { losses.add(.comment) }
    if let replaced, let tag = document.tag(of: replaced), YAMLTag.isKnown(tag),
      !new.dropFirst(kept.count).starts(with: YAMLTag.short(tag).utf8), !hasTag(kept)
    {
      losses.add(.typeTag)
    }
    var node = document.firstNode(from: old.startIndex)
    while node < document.nodes.count, document.nodes[node].range.lowerBound < old.endIndex {
      // A new value keeps the anchor of the old one, but no alias.
      if node != replaced || document.nodes[node].kind == .alias {
        if document.nodes[node].hasAnchor || document.nodes[node].kind == .alias { losses.add(.anchor) }
        if let tag = document.tag(of: node), !YAMLTag.isKnown(tag), tag != "!" { losses.add(.className) }
      }
      node += 1
    }
  }

  /// Returns the anchor and the tag of a node that a new text begins with.
  private func keptProperties(of node: Int, in new: [UInt8]) -> [UInt8] {
    let start = document.nodes[node].range.lowerBound
    let all = document.text[start..<document.contentStart(of: node)]
    if !all.isEmpty, new.starts(with: all) { return Array(all) }
    let anchor = properties(of: node, before: .tagged)
    return new.starts(with: anchor) ? anchor : []
  }

  /// Returns true if the anchor and the tag of a node include a tag.
  private func hasTag(_ properties: [UInt8]) -> Bool {
    properties.split(whereSeparator: \.isSpace).prefix(2).contains { $0.first == UInt8(ascii: "!") }
  }

  func demandsReal(_ node: NodeID) -> Bool {
    guard origins.indices.contains(node.index) else { return false }
    return document.tag(of: origins[node.index].source)?.equals(YAMLTag.float) ?? false
  }

  func isCopy(_ collection: NodeID) -> Bool {
    origins.indices.contains(collection.index) && origins[collection.index].isCopy
  }

  func missingBrackets(of collection: NodeID) -> (opening: [UInt8], closing: [UInt8])? {
    guard origins.indices.contains(collection.index), !origins[collection.index].isCopy else { return nil }
    let node = origins[collection.index].node
    guard document.nodes[node].kind == .mapping, document.nodes[node].isFlow, !document.isInBrackets(node)
    else { return nil }
    return (Array("{".utf8), Array("}".utf8))
  }
}
