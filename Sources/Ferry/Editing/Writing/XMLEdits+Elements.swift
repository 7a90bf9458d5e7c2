extension XMLEdits {
  mutating func remove(
    _ part: XMLMarkup.Entries.Part, from element: Int
  ) throws(FerryError) {
    switch part {
    case .attribute(let attribute):
      guard let attribute else { throw notDeclared }
      edits.append(ByteEdit(range: attribute.range, text: []))
    case .text:
      changedTexts.insert(element)
      for piece in markup.content(of: element).texts {
        edits.append(ByteEdit(range: piece.wholeRange, text: []))
      }
    case .elements(let children):
      guard !children.isEmpty else { throw notDeclared }
      for child in children { remove(child) }
    }
  }

  mutating func remove(_ element: Int) { removed.insert(element) }

  /// Removes the removed elements from the text, those with one parent together.
  mutating func removeElements() {
    for (parent, children) in Dictionary(grouping: removed, by: { markup.elements[$0].parent }) {
      if let parent { removeElements(children.sorted(), from: parent) }
    }
  }

  /// Removes elements from the text, with the white space beside them. If nothing but white space would be left in their parent,
  /// removes that too, because it would be text.
  private mutating func removeElements(_ children: [Int], from parent: Int) {
    let content = markup.content(of: parent)
    // Beside text, white space is text, too.
    if hasText(parent) {
      mixed.insert(parent)
    } else if markup.elements[parent].children.count == children.count,
      !children.contains(where: followed.contains)
    {
      for piece in content.texts { edits.append(ByteEdit(range: piece.range, text: [])) }
      emptied.insert(parent)
    } else {
      return removeElementsAndSpace(of: parent, content.markup)
    }
    for child in children { edits.append(ByteEdit(range: markup.elements[child].range, text: [])) }
  }

  /// Removes the removed children of an element with the white space before them. At the beginning of their parent, or with an
  /// element directly after them, removes the white space after them: the next element has their place.
  ///
  /// - Parameter others: The comments and instructions in the element.
  private mutating func removeElementsAndSpace(of parent: Int, _ others: [Range<Int>]) {
    let children = markup.elements[parent].children
    let firstKept = children.first { !removed.contains($0) }.map { markup.elements[$0].range.lowerBound }
    let firstOther = others.first?.lowerBound
    // If all elements are replaced, the white space before them comes with the new ones.
    let beginningEnd = firstKept.map { min($0, firstOther ?? .max) } ?? 0
    for (index, child) in children.enumerated() where removed.contains(child) {
      let range = markup.elements[child].range
      let next = children.dropFirst(index + 1).first
      let isBesideKept = next.map { next in
        markup.elements[next].range.lowerBound == range.upperBound && !removed.contains(next)
      }
      let rest = markup.text[range.upperBound...]
      let afterBlanks = rest.drop(while: \.isBlankInLine)
      let hasReplacement =
        followed.contains(child) && markup.endOfLineComments(after: range.upperBound) == range.upperBound
      if afterBlanks.starts(with: "<!--".utf8), !hasReplacement {
        // A comment after the element takes its place.
        edits.append(ByteEdit(range: range.lowerBound..<afterBlanks.startIndex, text: []))
      } else if range.lowerBound < beginningEnd || isBesideKept == true {
        let end = rest.firstIndex { !$0.isSpace } ?? range.upperBound
        edits.append(ByteEdit(range: range.lowerBound..<end, text: []))
      } else {
        let start = markup.space(before: range.lowerBound).lowerBound
        edits.append(ByteEdit(range: start..<range.upperBound, text: []))
      }
    }
  }

  /// Writes elements whose children are all removed, and that have no other content, with an empty tag if the document has empty
  /// tags. Otherwise they keep their two tags, because that changes the fewest bytes.
  mutating func writeEmptyTags() {
    guard !emptied.isEmpty, let tagEnd = emptyTagEnd else { return }
    let filled = edits.filter { !$0.text.isEmpty }.map(\.range).sorted { $0.lowerBound < $1.lowerBound }
    var next = 0
    for element in emptied.sorted() {
      let source = markup.elements[element]
      while next < filled.count, filled[next].lowerBound < source.content.lowerBound { next += 1 }
      let hasContent = next < filled.count && filled[next].upperBound <= source.content.upperBound
      guard !hasContent, markup.content(of: element).markup.isEmpty else { continue }
      edits.append(ByteEdit(range: source.tagEnd..<source.range.upperBound, text: tagEnd))
    }
  }

  /// The end of an empty tag as the elements that stay have it, or the removed ones if none that stays is empty. Nil if those without
  /// content have two tags, or if there are none.
  private var emptyTagEnd: [UInt8]? {
    var gone = removed
    var hasPairs = false
    var endOfGone: [UInt8]?
    for (index, element) in markup.elements.enumerated() {
      if gone.contains(index) || element.parent.map(gone.contains) == true {
        gone.insert(index)
        if element.isEmptyTag, endOfGone == nil {
          endOfGone = Array(markup.text[element.tagEnd..<element.range.upperBound])
        }
      } else if element.isEmptyTag {
        return Array(markup.text[element.tagEnd..<element.range.upperBound])
      } else if element.content.isEmpty {
        hasPairs = true
      }
    }
    return hasPairs ? nil : endOfGone
  }

  /// Removes white space that a removed element kept apart from text, unless it keeps words apart. A reader took it for layout, and would
  /// take it for a part of the text now.
  mutating func removeLayoutBesideText() {
    for element in mixed where !markup.elements[element].keepsSpace {
      let texts = markup.content(of: element).texts
      var next = texts.startIndex
      /// The texts between two children that stay, which are read as one, in parts between which elements are removed.
      var parts: [ArraySlice<XMLMarkup.TextPiece>] = []
      var previous: Int?
      for child in markup.elements[element].children + [nil] {
        let end = child.map { markup.elements[$0].range.lowerBound } ?? .max
        let part = texts[next...].prefix { $0.range.lowerBound < end }
        next = part.endIndex
        parts.append(part)
        guard !(child.map(removed.contains) ?? false) else { continue }
        removeLayout(of: parts, in: element, after: previous, before: child)
        (parts, previous) = ([], child)
      }
    }
  }

  /// Removes those parts of a text that are white space, if others are not, except between two words.
  ///
  ///     Say <b>Hello</b> <br/> world    without br    Say <b>Hello</b> world
  ///     Say <b>Hello</b> <br/>world                   Say <b>Hello</b> world
  ///     Say hello<br/> </p>                           Say hello</p>
  ///
  /// - Parameters:
  ///   - previous: The child before the text, or nil if the text is beside the start tag.
  ///   - following: The child after the text, or nil if the text is beside the end tag.
  private mutating func removeLayout(
    of parts: [ArraySlice<XMLMarkup.TextPiece>], in element: Int, after previous: Int?, before following: Int?
  ) {
    let isLayout = parts.map { part in part.allSatisfy { !$0.isCDATA && markup.isSpace($0.range) } }
    guard isLayout.contains(false) else { return }
    // The words of a new text are those of the change, and a schema may read a text as a number.
    let mayKeep = !changedTexts.contains(element) && recordElement == nil
    var isAfterWord = previous.map(hasWords) ?? false
    for (index, part) in parts.enumerated() {
      let bytes = part.flatMap { markup.text[$0.range] }
      guard isLayout[index] else {
        isAfterWord = bytes.last.map { !$0.isSpace } ?? isAfterWord
        continue
      }
      guard !bytes.isEmpty else { continue }
      let next = parts.indices.first { $0 > index && !isLayout[$0] }
      let byteAfter = next.flatMap { parts[$0].first { !$0.range.isEmpty } }.map {
        markup.text[$0.range.lowerBound]
      }
      let isBeforeWord = byteAfter.map { !$0.isSpace } ?? following.map(hasWords) ?? false
      if mayKeep, isAfterWord, isBeforeWord {
        keptSpace += part.map(\.range)
        isAfterWord = false
      } else {
        for piece in part { edits.append(ByteEdit(range: piece.range, text: [])) }
      }
    }
  }

  /// Returns true if an element that stays has text, also inside other elements. One without, such as a line break, keeps words apart.
  private func hasWords(_ element: Int) -> Bool {
    let end = markup.elements[element].range.upperBound
    let inside = markup.elements[element...].prefix { $0.range.lowerBound < end }
    return inside.indices.contains { inner in
      markup.content(of: inner).texts.contains { !markup.isSpace($0.range) }
    }
  }

  /// Returns true if a piece of the content of an element is text, and not layout between other elements.
  func isText(_ piece: XMLMarkup.TextPiece, in element: Int) -> Bool {
    piece.isCDATA || markup.elements[element].keepsSpace || !markup.isSpace(piece.range)
  }

  /// Returns the indentation of the line at an offset in the content of an element. Returns nil if elements have no lines of
  /// their own there, because other things are on the line, or because white space is text.
  private mutating func indent(ofLineAt offset: Int, in element: Int?) -> [UInt8]? {
    if let element, markup.elements[element].keepsSpace || hasText(element) { return nil }
    return markup.indent(ofLineAt: offset)
  }

  /// Returns true if an element has text beside its elements, so that all white space in it is text.
  mutating func hasText(_ element: Int) -> Bool {
    if let known = elementsWithText[element] { return known }
    let hasText = markup.content(of: element).texts.contains { isText($0, in: element) }
    elementsWithText[element] = hasText
    return hasText
  }

  mutating func insertAttribute(
    _ key: [UInt8], _ node: NodeID, into element: Int
  ) throws(FerryError) {
    let end = markup.elements[element].tagEnd
    let bare = key.span.extracting(1...)
    let keepsName = markup.keepsName([UInt8](copying: bare), in: element, isAttribute: true)
    // The colon of a namespace in braces does not separate a prefix.
    let escaped = XMLKeyName.name(for: bare, keepsColon: ExpandedName(bare) == nil)
    let name = try encodedName(keepsName ? [UInt8](copying: bare) : escaped)
    let value = try attributeText(of: node, in: UInt8(ascii: "\""))
    addedAttributes[end, default: []] += [0x20] + name + Array("=\"".utf8) + value + [UInt8(ascii: "\"")]
  }

  mutating func addAttributes() {
    for (end, text) in addedAttributes { edits.append(ByteEdit(range: end..<end, text: text)) }
  }

  /// Inserts elements at the end of an element.
  mutating func insert(
    _ nodes: [(key: [UInt8], node: NodeID)], into element: Int
  ) throws(FerryError) {
    let source = markup.elements[element]
    if let last = source.children.last { return try insert(nodes, after: last) }
    guard !hasText(element) else {
      // No white space is added to text.
      let end = source.content.upperBound
      return edits.append(ByteEdit(range: end..<end, text: try rendered(nodes, inside: element, outer: nil)))
    }
    let indent = indent(ofLineAt: source.range.lowerBound, in: element)
    let inner = indent.map { $0 + indentation }
    let block = try rendered(nodes, inside: element, outer: inner)
    let text = (inner.map { markup.lineEnd + $0 } ?? []) + block + (indent.map { markup.lineEnd + $0 } ?? [])
    if source.isEmptyTag { return fill(element, with: text) }
    let start = max(markup.space(before: source.content.upperBound).lowerBound, source.content.lowerBound)
    edits.append(ByteEdit(range: start..<source.content.upperBound, text: text))
  }

  mutating func insert(
    _ nodes: [(key: [UInt8], node: NodeID)], after sibling: Int
  ) throws(FerryError) {
    guard let parent = markup.elements[sibling].parent else { throw unreadable }
    followed.insert(sibling)
    let range = markup.elements[sibling].range
    let indent = indent(ofLineAt: range.lowerBound, in: parent)
    let end = markup.endOfLineComments(after: range.upperBound)
    let block = try rendered(nodes, inside: parent, outer: indent)
    edits.append(ByteEdit(range: end..<end, text: (indent.map { markup.lineEnd + $0 } ?? []) + block))
  }

  /// Inserts elements before another one, and above its comments if it stays.
  mutating func insert(
    _ nodes: [(key: [UInt8], node: NodeID)], before sibling: Int
  ) throws(FerryError) {
    guard let parent = markup.elements[sibling].parent else { throw unreadable }
    let start = markup.elements[sibling].range.lowerBound
    let indent = indent(ofLineAt: start, in: parent)
    let block = try rendered(nodes, inside: parent, outer: indent)
    if indent != nil, !removed.contains(sibling),
      let comments = CommentsAbove(start, in: markup.text, markup.comments(before: start))
    {
      // White space before the comment may be removed with another element.
      let space = markup.text[comments.startOfLine..<comments.start]
      let text = block + markup.lineEnd + space
      return edits.append(ByteEdit(range: comments.start..<comments.start, text: text))
    }
    edits.append(ByteEdit(range: start..<start, text: block + (indent.map { markup.lineEnd + $0 } ?? [])))
  }

  /// Replaces an element by the elements for a value.
  mutating func replace(_ element: Int, by node: NodeID, key: [UInt8]) throws(FerryError) {
    let nodes = try listed(node, in: list)
    guard !nodes.isEmpty else { return remove(element) }
    let range = markup.elements[element].range
    let parent = markup.elements[element].parent
    replaced.append(range)
    guard nodes.count == 1 || parent != nil else { throw unreadable }
    let indent = indent(ofLineAt: range.lowerBound, in: parent)
    edits.append(
      ByteEdit(range: range, text: try rendered(nodes.map { (key, $0) }, inside: parent, outer: indent)))
  }

  /// Returns the text of elements for values.
  ///
  /// - Parameter outer: The indentation of their lines, or nil to write them on one line.
  private mutating func rendered(
    _ nodes: [(key: [UInt8], node: NodeID)], inside parent: Int?, outer: [UInt8]?
  ) throws(FerryError) -> [UInt8] {
    var layout = XMLPrinter.Layout(spaces: 0)
    if let outer { (layout.indentation, layout.outer, layout.lineEnd) = (indentation, outer, markup.lineEnd) }
    let prefixes = prefixes(in: parent)
    let declared = Set(prefixes)
    var text: [UInt8] = []
    for (index, (key, node)) in nodes.enumerated() {
      if index > 0, let outer { text += markup.lineEnd + outer }
      let output = MemoryOutput()
      let value = try list.builtValue(of: node)
      // White space beside text would be a part of it.
      let isMixed = value.mixedElementCount > 0
      let xml = XMLPrinter(to: output, isMixed ? XMLPrinter.Layout(spaces: 0) : layout, declared: prefixes)
      let found = LossReport()
      let writer = try XMLValueWriter(of: key, to: xml, losses: found)
      // The document was read without these keys, which therefore name no elements here.
      if let mark = Value.dictionary([.string(key.span.decodedString): value]).keyOfMarkup {
        throw FerryError(.path(.notEditable(format: "\"\(mark)\"", .keysOfElements)))
      }
      try checkPrefixes(in: value, under: key, declared: declared)
      try value.orderedAsElements.replay(into: writer)
      try writer.finish()
      let printed = Array(output.bytes.dropLast())
      try checkNames(in: printed)
      if let carried = try carriedText(of: node, under: key, namedAs: printed, outer: outer) {
        text += carried
        continue
      }
      losses.add(found.all.filtered { !isReportedElsewhere($0) })
      text += encoded(printed)
    }
    return text
  }

  /// Throws if a name in the value of a new element has a prefix that is not declared. Without its declaration, the prefix would be a
  /// part of another name.
  private mutating func checkPrefixes(
    in value: Value, under key: [UInt8], declared: Set<[UInt8]>
  ) throws(FerryError) {
    var names: [[UInt8]: [UInt8]] = [:]
    value.addNames(under: key, declared: declared, to: &names)
    names[[]] = nil
    guard !names.isEmpty else { return }
    if escapesPrefixes {
      names = names.filter { knownPrefixes.contains($0.key) }
    } else {
      // A document made of data that has colons in its keys takes more of them.
      let encoded = encodedPrefixes ?? markup.encodedPrefixes.subtracting(knownPrefixes)
      encodedPrefixes = encoded
      names = names.filter { !encoded.contains($0.key) }
    }
    if let (prefix, name) = names.min(by: { $0.key.lexicographicallyPrecedes($1.key) }) {
      throw refused(.notDeclared(prefix, of: name))
    }
  }

  /// Returns the prefixes that an element and the elements around it declare after the change.
  func prefixes(in element: Int?) -> [[UInt8]] {
    guard let element else { return [] }
    var prefixes = markup.prefixes(in: element)
    var next: Int? = element
    while let index = next {
      prefixes += declaredPrefixes[index] ?? []
      next = markup.elements[index].parent
    }
    return prefixes
  }

  /// Returns true for a loss in a new element that `reportCollections` reports, and for the types of texts if a schema gives
  /// them these again.
  private func isReportedElsewhere(_ loss: Loss.Kind) -> Bool {
    switch loss {
    case .emptyCollection, .arrayOfOne: true
    case .numberAsText, .booleanAsText: recordElement != nil
    default: false
    }
  }
}

extension UInt8 {
  /// True for a space or a tab.
  var isBlankInLine: Bool { self == 0x20 || self == 0x09 }
}
