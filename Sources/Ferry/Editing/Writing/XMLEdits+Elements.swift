// Elements and attributes that are removed, inserted or replaced.

extension XMLEdits {
  /// Removes a part of an element. The elements of the part are removed after all other changes.
  mutating func remove(
    _ part: XMLMarkup.Entries.Part, from element: Int
  ) throws(FerryError) {
    switch part {
    case .attribute(let attribute):
      guard let attribute else { throw notDeclared }
      edits.append(ByteEdit(range: attribute.range, text: []))
    case .text:
      changes[element].hasNewText = true
      changes[element].losesText = !markup.hasChildren(element)
      for piece in markup.content(of: element).texts {
        edits.append(ByteEdit(range: piece.wholeRange, text: []))
      }
    case .elements(let children):
      guard !children.isEmpty else { throw notDeclared }
      for child in children { changes[child].isRemoved = true }
    }
  }

  /// Returns the indentation of the line at an offset in the content of an element. Returns nil if elements have no lines of
  /// their own there, because other things are on the line, or because white space is text.
  private mutating func indent(ofLineAt offset: Int, in element: Int?) -> [UInt8]? {
    if let element, markup.elements[element].keepsSpace || elementsWithText.contains(element) { return nil }
    return markup.indent(ofLineAt: offset)
  }

  /// Adds an attribute to an element.
  mutating func insertAttribute(
    _ key: [UInt8], _ node: NodeID, into element: Int
  ) throws(FerryError) {
    let bare = key.span.extracting(1...)
    let keepsName = markup.keepsName([UInt8](copying: bare), in: element, isAttribute: true)
    // The colon of a namespace in braces does not separate a prefix.
    let escaped = XMLKeyName.name(for: bare, keepsColon: ExpandedName(bare) == nil)
    let name = try encodedName(keepsName ? [UInt8](copying: bare) : escaped)
    let value = try attributeText(of: node, in: UInt8(ascii: "\""))
    changes[element].newAttributes += [0x20] + name + Array("=\"".utf8) + value + [UInt8(ascii: "\"")]
  }

  /// Adds the new attributes to the start tags.
  mutating func addAttributes() {
    for (element, change) in changes.all where !change.newAttributes.isEmpty {
      let end = markup.tag(of: element).end
      edits.append(ByteEdit(range: end..<end, text: change.newAttributes))
    }
  }

  /// Inserts elements at the end of an element.
  mutating func insert(
    _ nodes: [(key: [UInt8], node: NodeID)], into element: Int
  ) throws(FerryError) {
    let source = markup.elements[element]
    if let last = markup.children(of: element).last { return try insert(nodes, after: last) }
    guard !elementsWithText.contains(element) else {
      // No white space is added to text.
      let end = source.content.upperBound
      let text = try rendered(nodes, inside: element, outer: nil)
      if source.isEmptyTag { return fill(element, with: changes[element].textBeforeElements + text) }
      return edits.append(ByteEdit(range: end..<end, text: text))
    }
    let indent = indent(ofLineAt: source.range.lowerBound, in: element)
    let inner = indent.map { $0 + indentation }
    let block = try rendered(nodes, inside: element, outer: inner)
    let text = (inner.map { markup.lineEnd + $0 } ?? []) + block + (indent.map { markup.lineEnd + $0 } ?? [])
    if source.isEmptyTag { return fill(element, with: text) }
    let start = max(markup.space(before: source.content.upperBound).lowerBound, source.content.lowerBound)
    edits.append(ByteEdit(range: start..<source.content.upperBound, text: text))
  }

  /// Inserts elements after another one, and after the comments on its line.
  mutating func insert(
    _ nodes: [(key: [UInt8], node: NodeID)], after sibling: Int
  ) throws(FerryError) {
    guard let parent = markup.elements[sibling].parent else { throw unreadable }
    changes[sibling].isFollowed = true
    let range = markup.elements[sibling].range
    let indent = indent(ofLineAt: range.lowerBound, in: parent)
    let end = markup.endOfLineComments(after: range.upperBound)
    let block = try rendered(nodes, inside: parent, outer: indent)
    edits.append(ByteEdit(range: end..<end, text: (indent.map { markup.lineEnd + $0 } ?? []) + block))
  }

  /// Inserts elements after another one or, if that is nil, before a third one.
  mutating func insert(
    _ nodes: [(key: [UInt8], node: NodeID)], after anchor: Int?, before first: Int
  ) throws(FerryError) {
    if let anchor { try insert(nodes, after: anchor) } else { try insert(nodes, before: first) }
  }

  /// Inserts elements before another one, and above its comments if it stays.
  mutating func insert(
    _ nodes: [(key: [UInt8], node: NodeID)], before sibling: Int
  ) throws(FerryError) {
    guard let parent = markup.elements[sibling].parent else { throw unreadable }
    let start = markup.elements[sibling].range.lowerBound
    let indent = indent(ofLineAt: start, in: parent)
    let block = try rendered(nodes, inside: parent, outer: indent)
    if indent != nil, !changes[sibling].isRemoved,
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
    guard !nodes.isEmpty else { return changes[element].isRemoved = true }
    let range = markup.elements[element].range
    let parent = markup.elements[element].parent
    replaced.append(range)
    guard nodes.count == 1 || parent != nil else { throw unreadable }
    let indent = indent(ofLineAt: range.lowerBound, in: parent)
    edits.append(
      ByteEdit(range: range, text: try rendered(nodes.map { (key, $0) }, inside: parent, outer: indent)))
    guard let indent, let origin = list.original(of: node), let source = try source(of: origin)?.element,
      source != element
    else { return }
    // The comments of the element get the next line, as after its removal.
    let blanks = markup.text[range.upperBound...].prefix(while: \.isBlankInLine)
    guard markup.endOfLineComments(after: range.upperBound) > range.upperBound else { return }
    edits.append(ByteEdit(range: range.upperBound..<blanks.endIndex, text: markup.lineEnd + indent))
  }

  /// Returns the text of elements for values.
  ///
  /// - Parameter outer: The indentation of their lines, or nil to write them on one line.
  private mutating func rendered(
    _ nodes: [(key: [UInt8], node: NodeID)], inside parent: Int?, outer: [UInt8]?
  ) throws(FerryError) -> [UInt8] {
    var layout = XMLPrinter.Layout(spaces: 0)
    if let outer { (layout.indentation, layout.outer, layout.lineEnd) = (indentation, outer, markup.lineEnd) }
    let declared = prefixes.declared(in: parent)
    let prefixesAround = Set(declared)
    let notationOfEmpties = notationOfEmpties()
    var text: [UInt8] = []
    for (index, (key, node)) in nodes.enumerated() {
      if index > 0, let outer { text += markup.lineEnd + outer }
      let output = MemoryOutput()
      let value = try list.builtValue(of: node)
      // White space beside text would be a part of it.
      let isMixed = value.mixedElementCount > 0
      let xml = XMLPrinter(to: output, isMixed ? XMLPrinter.Layout(spaces: 0) : layout, declared: declared)
      let found = LossReport()
      let writer = try XMLValueWriter(of: key, to: xml, losses: found)
      // The document was read without these keys, which therefore name no elements here.
      if let mark = Value.dictionary([.string(key.span.decodedString): value]).keyOfMarkup {
        throw refused(.markup(key: mark))
      }
      if let (prefix, name) = prefixes.undeclared(in: value, under: key, besides: prefixesAround) {
        throw refused(.notDeclared(prefix, of: name))
      }
      try value.orderedAsElements.replay(into: writer)
      try writer.finish()
      let printed = Array(output.bytes.dropLast())
      try checkNames(in: printed)
      if let carried = try carriedText(of: node, under: key, namedAs: printed, outer: outer) {
        text += carried
        continue
      }
      if let origin = list.origin(of: node), try isDictionary(origin, in: tree),
        try isDictionary(node, in: list),
        value.mayHaveOrder
      {
        throw refused(
          "the order of its contents would be lost, because they come from an entity or the document type declaration"
        )
      }
      losses.add(found.all.filtered { !isReportedElsewhere($0) })
      text += encoding.encoded(notationOfEmpties.written(printed))
    }
    return text
  }

  /// Returns the notations of the empty elements in the document, which are looked for once.
  private mutating func notationOfEmpties() -> XMLEmptyElements {
    if let empties { return empties }
    let found = XMLEmptyElements(in: markup, markup.elements.indices)
    empties = found
    return found
  }

  private func isDictionary(_ node: NodeID, in nodes: any PropertyListNodes) throws(FerryError) -> Bool {
    if case .dictionary = try nodes.kind(of: node) { true } else { false }
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
