extension XMLEdits {
  /// Replaces the text directly inside an element.
  ///
  /// - Parameter besideElements: True if elements are added to the element after its text.
  mutating func replaceText(
    of element: Int, by node: NodeID, besideElements: Bool = false
  ) throws(FerryError) {
    let text = try plainText(of: node)
    changes[element].hasNewText = true
    let content = markup.content(of: element)
    let hasChildren = markup.hasChildren(element)
    let keepsSpace = markup.elements[element].keepsSpace
    let hasItems = !keepsSpace && (hasChildren || besideElements || !content.markup.isEmpty)
    if besideElements, !text.isEmpty { elementsWithText.insert(element) }
    // Beside comments and instructions alone, white space is text.
    let pieces = content.texts.filter { !hasChildren || markup.isText($0, in: element) }
    guard !markup.elements[element].isEmptyTag else {
      let text = escaped(text, isInElement: hasItems)
      guard besideElements else { return fill(element, with: text) }
      return changes[element].textBeforeElements = text
    }
    changes[element].losesText =
      text.isEmpty && !besideElements && !hasChildren && content.markup.isEmpty
      && !pieces.contains(where: \.isCDATA)
    guard let replaced = markup.replacedPiece(of: pieces) else {
      let end = markup.elements[element].content.upperBound
      return edits.append(ByteEdit(range: end..<end, text: escaped(text, isInElement: hasItems)))
    }
    // A text in several parts becomes the first of them that is not white space.
    let piece = pieces[replaced]
    for index in pieces.indices where index != replaced {
      edits.append(ByteEdit(range: pieces[index].wholeRange, text: []))
    }
    // A section cannot contain a reference to a character that the encoding lacks.
    if piece.isCDATA, XMLMarkup.fitsCDATA(text), let native = encoding.native(text),
      XMLMarkup.fitsCDATA(native)
    {
      edits.append(ByteEdit(range: piece.range, text: native))
    } else {
      edits.append(ByteEdit(range: piece.wholeRange, text: escaped(text, isInElement: hasItems)))
    }
  }

  /// Writes content into an empty tag.
  mutating func fill(_ element: Int, with content: [UInt8]) {
    let tag = markup.tag(of: element)
    let name = changes[element].newName ?? Array(markup.text[tag.name])
    edits.append(
      ByteEdit(
        range: tag.end..<tag.range.upperBound,
        text: Array(">".utf8) + content + Array("</".utf8) + name + Array(">".utf8)))
  }

  /// Returns the text of a scalar, and reports what XML does not show.
  private func plainText(of node: NodeID) throws(FerryError) -> [UInt8] {
    switch try list.builtValue(of: node) {
    case .null:
      losses.add(.nullAsText)
      return []
    case .string(let text): return Array(text.utf8)
    case .boolean(let value):
      if recordElement == nil { losses.add(.booleanAsText) }
      return Array((value ? "true" : "false").utf8)
    case let value:
      guard let text = value.plainText else { throw unreadable }
      // A schema gives the text its type again.
      if recordElement == nil { losses.add(value.lossAsText) }
      return Array(text.utf8)
    }
  }

  /// Returns text as the content of an element. White space beside other items is put into a CDATA section, because a reader
  /// would drop it as layout.
  func escaped(_ text: [UInt8], isInElement hasItems: Bool) -> [UInt8] {
    if hasItems, !text.isEmpty, text.allSatisfy(\.isSpace) {
      return XMLSection.cdata.whole(text)
    }
    return encoding.escaped(text) { ["&": "&amp;", "<": "&lt;", ">": "&gt;", "\r": "&#13;"][$0] }
  }

  /// Returns the text of a value as that of an attribute between quotation marks.
  func attributeText(of node: NodeID, in quote: UInt8) throws(FerryError) -> [UInt8] {
    guard try !list.kind(of: node).isCollection else { throw refused("an attribute is a text") }
    return encoding.escaped(try plainText(of: node)) { character in
      switch character {
      case "&": "&amp;"
      case "<": "&lt;"
      case "\"": quote == UInt8(ascii: "\"") ? "&quot;" : nil
      case "'": quote == UInt8(ascii: "'") ? "&apos;" : nil
      case "\t": "&#9;"
      case "\n": "&#10;"
      case "\r": "&#13;"
      default: nil
      }
    }
  }

  /// Returns a name in the encoding of the document. A name cannot have references to characters.
  func encodedName(_ name: [UInt8]) throws(FerryError) -> [UInt8] {
    if let native = encoding.native(name) { return native }
    let lacking = String(decoding: name, as: UTF8.self).unicodeScalars.first { scalar in
      encoding.native(Array(String(scalar).utf8)) == nil
    }
    guard let lacking else { throw unreadable }
    throw refused(.lacksCharacter(lacking.value, encoding: encoding.declared ?? "US-ASCII"))
  }

  /// Throws if the encoding of the document lacks a character of a name in new markup.
  func checkNames(in text: [UInt8]) throws(FerryError) {
    guard !encoding.isUnicode, !text.span.isASCII else { return }
    let new = XMLMarkup(text)
    var checked: Set<[UInt8]> = []
    for element in new.elements.indices {
      let tag = new.tag(of: element)
      for range in [tag.name] + tag.attributes.map(\.name) {
        let name = Array(new.text[range])
        if checked.insert(name).inserted { _ = try encodedName(name) }
      }
    }
  }

  // MARK: White space

  /// Returns true if the text of an element is white space that readers take for text only as long as the element has no children.
  func isOnlyText(_ node: NodeID, of element: Int) throws(FerryError) -> Bool {
    guard !markup.elements[element].keepsSpace, try list.kind(of: node) == .string,
      try list.withText(of: node, { $0.isBlank })
    else { return false }
    return !markup.content(of: element).texts.contains(where: \.isCDATA)
  }

  /// The texts of white space in the original document that are text or layout whatever their characters.
  struct KnownSpace {
    /// The texts that a CDATA section or references to characters mark as text.
    fileprivate(set) var marked: Set<NodeID> = []
    /// The others that are beside comments or instructions alone, and become layout beside an element.
    fileprivate(set) var besideMarkup: Set<NodeID> = []
  }

  /// Returns the texts of white space that are known to be text, or to be layout.
  func knownSpace() throws(FerryError) -> KnownSpace {
    var known = KnownSpace()
    let root = try entries(of: tree.root, in: tree)
    guard recordElement == nil, !markup.elements.isEmpty, let key = root.keys.first,
      let value = root.values[key]
    else { return known }
    var waiting = [(value, 0)]
    while let (node, element) = waiting.popLast() {
      let values = try entries(of: node, in: tree).values
      let text = values[Array("#text".utf8)] ?? node
      try add(text, of: element, to: &known)
      guard !values.isEmpty, markup.hasChildren(element) else { continue }
      let entries = markup.entries(of: element)
      for (key, value) in values {
        guard case .elements(let children) = entries.part(of: key) else { continue }
        let nodes = try listed(value, in: tree)
        if nodes.count == children.count { waiting += zip(nodes, children) }
      }
    }
    return known
  }

  /// Adds the text of an element if it is white space.
  private func add(_ text: NodeID, of element: Int, to known: inout KnownSpace) throws(FerryError) {
    guard try tree.kind(of: text) == .string, try tree.withText(of: text, { $0.isBlank }) else { return }
    let content = markup.content(of: element)
    if content.texts.contains(where: { $0.isCDATA || !markup.isSpace($0.range) }) {
      known.marked.insert(text)
    } else if !content.markup.isEmpty {
      known.besideMarkup.insert(text)
    }
  }
}
