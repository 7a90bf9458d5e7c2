// Elements that move to another place or are copied there. They take their text along, with the comments, CDATA sections and quotation marks.

/// An element of the original document, with the key of its value.
struct CarriedElement {
  let element: Int
  let key: [UInt8]
}

/// The text of an element that is written at another place.
struct CarriedElementText {
  /// The range of the element in the original document.
  let range: Range<Int>
  /// The ranges of the elements inside it that are removed or replaced at that place.
  let missing: [Range<Int>]

  /// The ranges of the text that are written at that place.
  fileprivate var kept: [Range<Int>] {
    var (kept, start) = ([Range<Int>](), range.lowerBound)
    for gap in missing.outermost {
      kept.append(start..<max(start, gap.lowerBound))
      start = max(start, gap.upperBound)
    }
    kept.append(start..<max(start, range.upperBound))
    return kept
  }
}

/// The treatment of white space that was layout, and becomes text without the elements beside it, in elements whose text is written at
/// another place.
struct SpaceInCarried {
  /// True to keep the white space. The changed values do not have it, so that a text which is compared with them is without it.
  var isKept = false
  /// True if there is such white space.
  var isFound = false
}

extension XMLEdits {
  /// Returns the text of the original element whose value a node has or had, for another place, with the changes of the value. Nil if there is
  /// no such element.
  ///
  /// - Parameters:
  ///   - key: The key of the value at that place.
  ///   - printed: The element as it would be written for the value alone, which has its name.
  ///   - outer: The indentation of the line at that place, or nil if the element is not on lines of its own.
  mutating func carriedText(
    of node: NodeID, under key: [UInt8], namedAs printed: [UInt8], outer: [UInt8]?
  ) throws(FerryError) -> [UInt8]? {
    guard let (origin, source) = try carriedSource(of: node) else { return nil }
    let element = markup.elements[source.element]
    var name: [UInt8]?
    if !source.key.elementsEqual(key) {
      name = try encodedName(Array(printed.dropFirst().prefix { !$0.endsXMLName }))
    }
    let (inner, missing) = try editsInside(source, namedAs: name, from: origin, to: node)
    carried.append(CarriedElementText(range: element.range, missing: missing))
    // The edits of a part have offsets in the part.
    let start = element.range.lowerBound
    let moved = inner.map { edit in
      ByteEdit(range: edit.range.lowerBound - start..<edit.range.upperBound - start, text: edit.text)
    }
    let text = moved.applied(to: Array(markup.text[element.range]))
    guard let outer, !element.keepsSpace, let old = markup.indent(ofLineAt: element.range.lowerBound),
      old != outer
    else { return text }
    return indented(text, from: old, to: outer)
  }

  /// Returns the original element whose value a node has or had, if its text can be written at another place with the changes of the value.
  private mutating func carriedSource(
    of node: NodeID
  ) throws(FerryError) -> (origin: NodeID, source: CarriedElement)? {
    guard let origin = list.original(of: node) else { return nil }
    switch (try tree.kind(of: origin), try list.kind(of: node)) {
    case (.dictionary, .dictionary), (.string, .dictionary): break
    case (let before, let after) where !before.isCollection && !after.isCollection: break
    default: return nil
    }
    return try source(of: origin).map { (origin, $0) }
  }

  /// Returns the edits of an element's text for a changed value, and the ranges of the elements that these remove or replace.
  ///
  /// - Parameter name: The new name of the element, or nil.
  private mutating func editsInside(
    _ source: CarriedElement, namedAs name: [UInt8]?, from origin: NodeID, to node: NodeID
  ) throws(FerryError) -> (edits: [ByteEdit], missing: [Range<Int>]) {
    let outer = (edits, changes, replaced)
    (edits, changes, replaced) = ([], XMLElementChanges(), [])
    if let name { rename(source.element, name) }
    try compare(origin, node, element: source.element, key: source.key)
    addAttributes()
    let removals = removals(in: source.element..<markup.descendants(of: source.element).upperBound)
    let missing = changes.removed.map { markup.elements[$0].range } + replaced
    (edits, changes, replaced) = outer
    let lines = removals.editsWithLines()
    if lines != nil || !removals.keptSpace.isEmpty { spaceInCarried.isFound = true }
    guard !spaceInCarried.isKept else { return (lines ?? removals.edits, missing) }
    return (removals.edits + removals.keptSpace.map { ByteEdit(range: $0, text: []) }, missing)
  }

  /// Returns true for a value that takes the text of an original element to the place of another one.
  mutating func isCarried(_ node: NodeID, insteadOf old: NodeID) throws(FerryError) -> Bool {
    guard let (origin, _) = try carriedSource(of: node) else { return false }
    return origin != old
  }

  /// Returns the ranges of the names in the tags of an element.
  func names(of element: Int) -> [Range<Int>] {
    let name = markup.nameRange(of: element)
    guard !markup.elements[element].isEmptyTag else { return [name] }
    // The end tag may have white space after its name.
    let start = markup.elements[element].content.upperBound + 2
    return [name, start..<start + name.count]
  }

  /// Returns the text of an element whose lines have another indentation. White space that is text stays.
  private func indented(_ text: [UInt8], from old: [UInt8], to new: [UInt8]) -> [UInt8] {
    let markup = XMLMarkup(text, encoding: encoding.declared)
    var elementsWithText = ElementsWithText(in: markup)
    var changes: [ByteEdit] = []
    for inner in markup.elements.indices where markup.hasChildren(inner) {
      guard !markup.elements[inner].keepsSpace, !elementsWithText.contains(inner) else { continue }
      for piece in markup.content(of: inner).texts {
        guard let line = text[piece.range].lastIndex(where: \.isLineEnd),
          text[(line + 1)..<piece.range.upperBound].starts(with: old)
        else { continue }
        changes.append(ByteEdit(range: line + 1..<line + 1 + old.count, text: new))
      }
    }
    return changes.applied(to: text)
  }

  /// Returns the element with the value of a node of the original document. Nil for attributes and texts, and for elements from entities.
  mutating func source(of node: NodeID) throws(FerryError) -> CarriedElement? {
    if let sources { return sources[node] }
    let found = try findSources()
    sources = found
    return found[node]
  }

  private func findSources() throws(FerryError) -> [NodeID: CarriedElement] {
    var found: [NodeID: CarriedElement] = [:]
    var waiting: [(node: NodeID, element: Int, key: [UInt8])] = []
    if let recordElement, case .array = try tree.kind(of: tree.root) {
      let children = markup.children(of: 0, withKey: recordElement)
      let nodes = try listed(tree.root, in: tree)
      if nodes.count == children.count { waiting += zip(nodes, children).map { ($0, $1, recordElement) } }
    } else {
      let root = try entries(of: tree.root, in: tree)
      if let key = root.keys.first, let value = root.values[key] { waiting.append((value, 0, key)) }
    }
    while let (node, element, key) = waiting.popLast() {
      found[node] = CarriedElement(element: element, key: key)
      guard case .dictionary = try tree.kind(of: node), markup.hasChildren(element) else {
        continue
      }
      let parts = markup.entries(of: element)
      for (key, value) in try entries(of: node, in: tree).values {
        guard case .elements(let children) = parts.part(of: key) else { continue }
        let nodes = try listed(value, in: tree)
        if nodes.count == children.count { waiting += zip(nodes, children).map { ($0, $1, key) } }
      }
    }
    return found
  }

  /// Reports the comments and instructions in removed and replaced elements that are not written at another place.
  func reportRemovedMarkup() {
    let kept = carried.flatMap({ $0.kept }).joined
    func isKept(_ offset: Int) -> Bool {
      let next = kept.partitioningIndex { $0.lowerBound > offset }
      return next > 0 && offset < kept[next - 1].upperBound
    }
    var known: Set<Int> = []
    for range in changes.removed.map({ markup.elements[$0].range }) + replaced {
      for piece in TextPieces.markup(of: markup.text[range]) where piece.first == UInt8(ascii: "<") {
        guard !isKept(piece.startIndex), known.insert(piece.startIndex).inserted else { continue }
        losses.add(piece.starts(with: "<?".utf8) ? .processingInstruction : .comment)
      }
    }
  }
}
