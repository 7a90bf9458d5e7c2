/// The notations of empty elements in a document: with an empty tag or two tags.
///
///     <a/>    <a />    <a></a>
struct XMLEmptyElements {
  /// The notation of an empty element.
  enum Notation {
    /// An empty tag, with the text after its name and attributes.
    case tag(end: [UInt8])
    case pair
  }

  /// The notation of the first empty element with each name.
  private var notations: [ArraySlice<UInt8>: Notation] = [:]
  /// The end of the first empty tag.
  private var tagEnd: [UInt8]?
  /// The end of the first empty tag that is removed.
  private var endOfRemoved: [UInt8]?
  private var hasPairs = false

  /// Finds the empty elements of a document.
  ///
  /// - Parameters:
  ///   - scope: The elements of the document, or of the part of it that is changed.
  ///   - removed: The elements that are removed. Their notation is taken only if no other element is empty.
  init(in markup: XMLMarkup, _ scope: Range<Int>, without removed: Set<Int> = []) {
    var gone = removed
    for index in scope {
      let element = markup.elements[index]
      let isGone =
        !removed.isEmpty && (gone.contains(index) || element.parent.map(gone.contains) == true)
      if isGone { gone.insert(index) }
      guard element.isEmptyTag || element.content.isEmpty else { continue }
      let end = element.isEmptyTag ? Self.end(ofEmptyTag: index, in: markup) : nil
      // The end on a line of its own is that of a tag whose attributes have lines.
      if let end, end.contains(where: \.isLineEnd) { continue }
      guard !isGone else {
        endOfRemoved = endOfRemoved ?? end
        continue
      }
      let name = markup.text[markup.nameRange(of: index)]
      if notations[name] == nil { notations[name] = end.map(Notation.tag) ?? .pair }
      if let end { tagEnd = tagEnd ?? end } else { hasPairs = true }
    }
  }

  private static func end(ofEmptyTag element: Int, in markup: XMLMarkup) -> [UInt8] {
    Array(markup.text[markup.tag(of: element).end..<markup.elements[element].range.upperBound])
  }

  /// Returns the end of the tag of an element that becomes empty. Nil for one that keeps its two tags.
  func tagEnd(ofEmptied name: ArraySlice<UInt8>) -> [UInt8]? {
    switch notations[name] {
    case .tag(let end): end
    case .pair: nil
    case nil: tagEnd ?? (hasPairs ? nil : endOfRemoved)
    }
  }

  /// Returns the notation of a new element, or nil for that of the writer.
  func notation(ofNew name: ArraySlice<UInt8>) -> Notation? {
    notations[name] ?? (tagEnd ?? endOfRemoved).map(Notation.tag)
  }

  /// Returns the text of new elements with the notation of the empty ones in the document.
  func written(_ text: [UInt8]) -> [UInt8] {
    guard text.span.end(ofFirst: "/>", from: 0) != nil, tagEnd != nil || hasPairs else { return text }
    let new = XMLMarkup(text)
    var edits: [ByteEdit] = []
    for element in new.elements.indices where new.elements[element].isEmptyTag {
      let name = new.text[new.nameRange(of: element)]
      let range = new.tag(of: element).end..<new.elements[element].range.upperBound
      switch notation(ofNew: name) {
      case .tag(let end): edits.append(ByteEdit(range: range, text: end))
      case .pair: edits.append(ByteEdit(range: range, text: Array("></".utf8) + name + Array(">".utf8)))
      case nil: break
      }
    }
    return edits.applied(to: text)
  }
}
