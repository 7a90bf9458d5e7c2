// Elements that move to another place or are copied there. They take their text along, with the comments, CDATA sections and quotation marks.

/// An element of the original document, with the key of its value.
struct CarriedElement {
  let element: Int
  let key: [UInt8]
}

extension XMLEdits {
  /// Returns the text of the original element whose value a node has, for another place. Nil if there is no such element.
  ///
  /// - Parameters:
  ///   - key: The key of the value at that place.
  ///   - printed: The element as it would be written for the value alone, which has its name.
  ///   - outer: The indentation of the line at that place, or nil if the element is not on lines of its own.
  mutating func carriedText(
    of node: NodeID, under key: [UInt8], namedAs printed: [UInt8], outer: [UInt8]?
  ) throws(FerryError) -> [UInt8]? {
    guard let origin = try list.textOrigin(of: node), let source = try source(of: origin) else { return nil }
    let element = markup.elements[source.element]
    var editsInside: [ByteEdit] = []
    if !source.key.elementsEqual(key) {
      let name = printed.dropFirst().prefix { !$0.isSpace && !"/>".utf8.contains($0) }
      for range in names(of: source.element) {
        editsInside.append(ByteEdit(range: range, text: try encodedName(Array(name))))
      }
    }
    if let outer, let old = markup.indent(ofLineAt: element.range.lowerBound), old != outer {
      editsInside += indentations(inside: source.element, from: old, to: outer)
    }
    changes[source.element].isCarried = true
    // The edits of a part have offsets in the part.
    let start = element.range.lowerBound
    let moved = editsInside.map { edit in
      ByteEdit(range: edit.range.lowerBound - start..<edit.range.upperBound - start, text: edit.text)
    }
    return moved.applied(to: Array(markup.text[element.range]))
  }

  /// Returns true for a value with the text of an original element that replaces another one.
  mutating func isCarried(_ node: NodeID, insteadOf old: NodeID) throws(FerryError) -> Bool {
    guard node != old, let origin = try list.textOrigin(of: node) else { return false }
    return try source(of: origin) != nil
  }

  /// Returns the ranges of the names in the tags of an element.
  func names(of element: Int) -> [Range<Int>] {
    let name = markup.nameRange(of: element)
    guard !markup.elements[element].isEmptyTag else { return [name] }
    // The end tag may have white space after its name.
    let start = markup.elements[element].content.upperBound + 2
    return [name, start..<start + name.count]
  }

  /// Returns the edits that give the lines of elements inside an element another indentation. White space that is text stays.
  private mutating func indentations(
    inside element: Int, from old: [UInt8], to new: [UInt8]
  ) -> [ByteEdit] {
    var changes: [ByteEdit] = []
    for inner in element..<markup.descendants(of: element).upperBound where markup.hasChildren(inner) {
      guard !markup.elements[inner].keepsSpace, !elementsWithText.contains(inner) else { continue }
      for piece in markup.content(of: inner).texts {
        guard let line = markup.text[piece.range].lastIndex(where: \.isLineEnd),
          markup.text[(line + 1)..<piece.range.upperBound].starts(with: old)
        else { continue }
        changes.append(ByteEdit(range: line + 1..<line + 1 + old.count, text: new))
      }
    }
    return changes
  }

  /// Returns the element with the value of a node of the original document. Nil for attributes and texts, and for elements from entities.
  private mutating func source(of node: NodeID) throws(FerryError) -> CarriedElement? {
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
    let kept = changes.carried.map { markup.elements[$0].range }.outermost
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
