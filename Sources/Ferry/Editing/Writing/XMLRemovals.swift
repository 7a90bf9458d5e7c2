/// The removal of elements from the text of an XML document, with the white space beside them.
///
///     <box>                                              <box>
///       <pen>red</pen>      the first pen is removed       <pen>blue</pen>
///       <pen>blue</pen>                                  </box>
///     </box>
///
/// Elements are removed when all other changes are known, because the white space around them depends on these.
struct XMLRemovals {
  let markup: XMLMarkup
  let changes: XMLElementChanges
  let removed: Set<Int>
  /// The elements of which some are removed: those of the document or of a part of it.
  private let scope: Range<Int>
  /// True if the document was read by a built-in schema, which may read a text as a number.
  let hasRecords: Bool
  private var elementsWithText: ElementsWithText
  /// The edits of all changes.
  private(set) var edits: [ByteEdit]
  /// White space that was layout and becomes a part of a text, because it keeps words apart.
  private(set) var keptSpace: [Range<Int>] = []
  /// The elements whose children or texts are all removed.
  private var emptied: [Int] = []
  /// The elements with text from which others are removed.
  private(set) var parentsWithText: [Int] = []

  /// Removes the elements that are to be removed.
  ///
  /// - Parameters:
  ///   - scope: The elements of the document, or of the part of it with all changes.
  ///   - edits: The edits of the other changes.
  init(
    of changes: XMLElementChanges, from markup: XMLMarkup, in scope: Range<Int>, hasRecords: Bool,
    _ elementsWithText: ElementsWithText, after edits: [ByteEdit]
  ) {
    self.scope = scope
    (self.changes, self.markup, self.hasRecords) = (changes, markup, hasRecords)
    (self.elementsWithText, self.edits) = (elementsWithText, edits)
    removed = Set(changes.removed)
    removeElements()
    writeEmptyTags()
    removeLayoutBesideText()
  }

  /// Removes the removed elements from the text, those with one parent together.
  private mutating func removeElements() {
    for (parent, children) in Dictionary(grouping: removed, by: { markup.elements[$0].parent }) {
      if let parent { removeElements(children.sorted(), from: parent) }
    }
  }

  /// Removes elements from the text, with the white space beside them. If nothing but white space would be left in their parent,
  /// removes that too, because it would be text.
  private mutating func removeElements(_ children: [Int], from parent: Int) {
    let content = markup.content(of: parent)
    // Beside text, white space is text, too.
    if elementsWithText.contains(parent) {
      parentsWithText.append(parent)
    } else if markup.children(of: parent).count == children.count,
      !children.contains(where: { changes[$0].isFollowed })
    {
      for piece in content.texts { edits.append(ByteEdit(range: piece.range, text: [])) }
      emptied.append(parent)
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
    let children = markup.children(of: parent)
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
        changes[child].isFollowed && markup.endOfLineComments(after: range.upperBound) == range.upperBound
      if XMLSection(at: 0, in: afterBlanks.span) == .comment, !hasReplacement {
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

  /// Writes elements that lose all their content with an empty tag if other empty elements have one. Otherwise they keep their two
  /// tags, because that changes the fewest bytes.
  private mutating func writeEmptyTags() {
    emptied += changes.all.compactMap { element, change in
      change.losesText && scope.contains(element) ? element : nil
    }
    guard !emptied.isEmpty else { return }
    let empties = XMLEmptyElements(in: markup, scope, without: removed)
    let filled = edits.filter { !$0.text.isEmpty }.map(\.range).sorted { $0.lowerBound < $1.lowerBound }
    var next = 0
    for element in emptied.sorted() {
      let source = markup.elements[element]
      while next < filled.count, filled[next].lowerBound < source.content.lowerBound { next += 1 }
      let hasContent = next < filled.count && filled[next].upperBound <= source.content.upperBound
      guard !hasContent, markup.content(of: element).markup.isEmpty,
        let tagEnd = empties.tagEnd(ofEmptied: markup.text[markup.nameRange(of: element)])
      else { continue }
      edits.append(ByteEdit(range: markup.tag(of: element).end..<source.range.upperBound, text: tagEnd))
    }
  }

  /// Removes white space that a removed element kept apart from text, unless it keeps words apart. A reader took it for layout, and would
  /// take it for a part of the text now.
  private mutating func removeLayoutBesideText() {
    for element in parentsWithText where !markup.elements[element].keepsSpace {
      let texts = markup.content(of: element).texts
      var next = texts.startIndex
      /// The texts between two children that stay, which are read as one, in parts between which elements are removed.
      var parts: [ArraySlice<XMLMarkup.TextPiece>] = []
      var previous: Int?
      for child in markup.children(of: element) + [nil] {
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
    let mayKeep = !changes[element].hasNewText && !hasRecords
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
    (element..<markup.descendants(of: element).upperBound).contains { inner in
      markup.content(of: inner).texts.contains { !markup.isSpace($0.range) }
    }
  }
}
