/// A writer of new values in the layout of Apple's writer, indented for their depth.
struct XMLPropertyListTextSyntax: TextSyntax {
  let separator: [UInt8] = []
  /// True if lines of the text end with a carriage return.
  private let hasReturns: Bool
  /// True if the text declares XML 1.1, which demands references for some characters.
  private let isVersion11: Bool
  /// The line end of the text, for new lines in a line.
  private let lineEnd: [UInt8]
  /// The spaces by which the text indents the first collection with lines of its own; nil if these are tabs, or if there is none.
  private let indentation: [UInt8]?
  /// The empty elements of the text.
  private let empties: XMLPropertyListEmpties

  init(_ text: [UInt8], ranges: [Range<Int>], _ tree: PropertyListTree) throws(FerryError) {
    empties = try XMLPropertyListEmpties(in: text, ranges: ranges, tree)
    indentation = Self.indentation(in: text)
    hasReturns = text.contains(UInt8(ascii: "\r"))
    isVersion11 = XML11.isDeclared(in: text.span)
    lineEnd = text.hasReturnsAlone ? [UInt8(ascii: "\r")] : text.lineEnd
  }

  func key(_ node: NodeID, in list: some PropertyListNodes, at slot: KeySlot) throws(FerryError) -> [UInt8] {
    let key = try list.string(node) ?? ""
    let lines = try lines(depth: 1) { writer throws(FerryError) in
      try writer.beginDictionary(count: 1)
      try writer.key(BorrowedText(key.utf8.span))
      try writer.boolean(true)
      try writer.endDictionary()
    }
    // A key may have several lines. One line precedes it, and two follow it: its value, and the end.
    return Self.text(lines[1..<(lines.count - 2)]).trimmingTabs
  }

  func text(
    of node: NodeID, in list: some PropertyListNodes, at slot: TextSlot
  ) throws(FerryError) -> [UInt8] {
    let (depth, gap) = (slot.depth, slot.gap)
    var lines = try lines(depth: depth) { writer throws(FerryError) in
      try list.replay(node, into: writer, budget: list.budget)
    }
    lines[0] = lines[0].trimmingTabs
    // All lines get the indentation of the first. Collections are excluded, because a line may be part of a
    // string.
    guard try list.kind(of: node).spansLines, let feed = gap.lastIndex(of: UInt8(ascii: "\n")) else {
      indent(&lines, depth: depth, after: gap)
      let outer = gap.lastIndex(where: \.isLineEnd).map { Array(gap[($0 + 1)...]) }
      let base = outer ?? [UInt8](repeating: UInt8(ascii: "\t"), count: depth)
      try empties.write(&lines, base: base, near: slot.old ?? slot.near ?? slot.model)
      return Self.text(lines[...], lineEnd: Self.lineEnd(in: gap) ?? lineEnd)
    }
    let hasReturn = feed > 0 && gap[feed - 1] == UInt8(ascii: "\r")
    return lines[0]
      + lines.dropFirst().flatMap { line in
        gap[(hasReturn ? feed - 1 : feed)...] + line.dropTabs(upTo: depth)
      }
  }

  /// Indents the lines of a collection after its first one by the spaces of the text, in place of tabs.
  private func indent(_ lines: inout [[UInt8]], depth: Int, after gap: [UInt8]) {
    guard let indentation, let feed = gap.lastIndex(of: UInt8(ascii: "\n")) else { return }
    let base = gap[(feed + 1)...]
    guard base.allSatisfy({ $0 == 0x20 }) else { return }
    var isInText = false
    for index in lines.indices {
      let tabs = lines[index].prefix { $0 == UInt8(ascii: "\t") }.count
      let content = lines[index].dropFirst(tabs)
      if !isInText {
        isInText = content.starts(with: "<string>".utf8) || content.starts(with: "<key>".utf8)
        if index > 0 {
          let spaces = repeatElement(indentation, count: max(tabs - depth, 0)).joined()
          lines[index] = Array(base + spaces + content)
        }
      }
      // Of a text, only its first line is indented. A writer escapes the tags in it.
      if content.suffix(9).elementsEqual("</string>".utf8) || content.suffix(6).elementsEqual("</key>".utf8) {
        isInText = false
      }
    }
  }

  /// Returns the spaces that a line has more than the one before it, which begins a collection. Takes the first such line.
  private static func indentation(in text: [UInt8]) -> [UInt8]? {
    var open: Int?
    for line in text.prefix(1 << 16).split(whereSeparator: \.isLineEnd) {
      let spaces = line.prefix { $0 == 0x20 }.count
      if let open {
        guard spaces > open, line.dropFirst(spaces).first == UInt8(ascii: "<") else { return nil }
        return [UInt8](repeating: 0x20, count: spaces - open)
      }
      let content = line.dropFirst(spaces)
      if content.elementsEqual("<dict>".utf8) || content.elementsEqual("<array>".utf8) { open = spaces }
    }
    return nil
  }

  func beginsMarkup(_ text: ArraySlice<UInt8>) -> Bool { TextPieces.isMarkupWithoutValue(text) }

  func markup(in text: ArraySlice<UInt8>) -> [ArraySlice<UInt8>] { TextPieces.markup(of: text) }

  func text(_ new: [UInt8], withAttributesOf old: ArraySlice<UInt8>) -> [UInt8] {
    if let text = text(new, withTagsOf: Array(old)) { return text }
    var attributes = Self.attributes(of: old)
    // The space at the end of an empty tag stays in another one.
    if !new.suffix(2).elementsEqual("/>".utf8) || !old.suffix(2).elementsEqual("/>".utf8) {
      attributes = attributes.dropLast(attributes.reversed().prefix(while: \.isSpace).count)
    }
    let nameEnd = new.span.endOfName(from: 1)
    return Array(new[..<nameEnd] + attributes + new[nameEnd...])
  }

  /// Returns a scalar with the tags of one of the same type, and in a CDATA section if that has one. Nil for other values.
  private func text(_ new: [UInt8], withTagsOf old: [UInt8]) -> [UInt8]? {
    // The old text is read only if it begins with the name of the new element, because it may be the whole file.
    let markup = XMLMarkup(new)
    guard let written = markup.elements.first, markup.elements.count == 1, !written.isEmptyTag,
      old.dropFirst().starts(with: markup.text[markup.nameRange(of: 0)])
    else { return nil }
    let source = XMLMarkup(old)
    guard let element = source.elements.first, source.elements.count == 1, !element.isEmptyTag,
      source.text[source.nameRange(of: 0)].elementsEqual(markup.text[markup.nameRange(of: 0)])
    else { return nil }
    let texts = source.content(of: 0).texts
    var content = markup.text[written.content]
    if texts.count == 1, source.text[source.nameRange(of: 0)].elementsEqual("data".utf8) {
      content = Self.data(content, like: source.text[texts[0].range])[...]
    }
    if let replaced = source.replacedPiece(of: texts), texts[replaced].isCDATA, let section = cdata(content) {
      content = section[...]
    }
    return Array(old[..<element.content.lowerBound] + content + old[element.content.upperBound...])
  }

  /// Returns Base64 in the lines of other Base64.
  private static func data(_ new: ArraySlice<UInt8>, like old: ArraySlice<UInt8>) -> [UInt8] {
    guard let layout = DataLayout(of: old, isDigit: Base64.isDigit) else { return Array(new) }
    let usualWidth = new.drop(while: \.isSpace).prefix(while: Base64.isDigit).count
    return layout.text(of: new.filter(Base64.isDigit), usualWidth: usualWidth)
  }

  /// Returns the content of an element as a CDATA section, or nil if that cannot have all its characters.
  private func cdata(_ content: ArraySlice<UInt8>) -> [UInt8]? {
    var text: [UInt8] = []
    var rest = content
    while let byte = rest.first {
      guard byte == UInt8(ascii: "&") else {
        text.append(byte)
        rest = rest.dropFirst()
        continue
      }
      guard let end = rest.firstIndex(of: UInt8(ascii: ";")),
        let character = XMLCharacterReference.predefined(rest[(rest.startIndex + 1)..<end].span)
      else { return nil }
      text.append(scalar: character)
      rest = rest[(end + 1)...]
    }
    guard XMLMarkup.fitsCDATA(text) else { return nil }
    return XMLSection.cdata.whole(text)
  }

  /// Returns the attributes of the element with which a text begins, and the white space before and after them.
  private static func attributes(of text: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
    var tags = XMLTagScanner(text.span)
    guard case .start(let tag)? = tags.next() else { return [] }
    let start = text.startIndex + text.span.endOfName(from: 1)
    let end = text.startIndex + tag.range.upperBound - (tag.isEmpty ? 2 : 1)
    return text[start..<max(start, end)]
  }

  func reportMarkup(of old: ArraySlice<UInt8>, missingIn new: [UInt8], to losses: LossReport) {
    for (before, after) in zip(Self.markupCounts(of: old), Self.markupCounts(of: new[...])) {
      for _ in 0..<max(before.count - after.count, 0) { losses.add(before.kind) }
    }
  }

  private static func markupCounts(of text: ArraySlice<UInt8>) -> [(kind: Loss.Kind, count: Int)] {
    let markup = TextPieces.markup(of: text)
    let instructions = markup.count { $0.starts(with: "<?".utf8) }
    return [
      (.comment, markup.count - instructions), (.processingInstruction, instructions),
      (.attribute, TextPieces.attributeCount(in: text)),
    ]
  }

  /// Returns the line end in white space, or nil if it has none.
  private static func lineEnd(in gap: [UInt8]) -> [UInt8]? {
    let ends = [UInt8(ascii: "\r"), UInt8(ascii: "\n")].filter { gap.contains($0) }
    return ends.isEmpty ? nil : ends
  }

  /// Joins lines, none of which is part of a string if the line end has a carriage return.
  private static func text(
    _ lines: ArraySlice<[UInt8]>, lineEnd: [UInt8] = [UInt8(ascii: "\n")]
  ) -> [UInt8] {
    Array(lines.joined(separator: lineEnd))
  }

  /// Returns the lines that a property list writer writes for a value inside `depth` arrays.
  private func lines(
    depth: Int, _ send: (XMLPropertyListWriter) throws(FerryError) -> Void
  ) throws(FerryError) -> [[UInt8]] {
    let output = MemoryOutput()
    let writer = XMLPropertyListWriter(to: output)
    for _ in 0..<depth { try writer.beginArray(count: 1) }
    try send(writer)
    for _ in 0..<depth { try writer.endArray() }
    try writer.finish()
    let written = hasReturns ? XMLPropertyListPrinter.escapingLineFeeds(in: output.bytes) : output.bytes
    let text = isVersion11 ? XML11.referenced(written) : written
    let lines = text.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
    // Three lines precede the arrays, and one line and its end follow them.
    return lines.dropFirst(3 + depth).dropLast(2 + depth).map(Array.init)
  }
}

extension NodeKind {
  /// True if a value of this kind is written on several lines, none of which is part of a string.
  fileprivate var spansLines: Bool {
    switch self {
    case .data, .uid: true
    default: false
    }
  }
}

extension [UInt8] {
  /// The text without leading tabs.
  fileprivate var trimmingTabs: [UInt8] { Array(dropTabs(upTo: count)) }

  /// The text without leading tabs up to a number. The lines of data have eight tabs at most.
  fileprivate func dropTabs(upTo limit: Int) -> ArraySlice<UInt8> {
    dropFirst(prefix(limit).prefix { $0 == UInt8(ascii: "\t") }.count)
  }
}
