/// The elements of an XML text, with their byte ranges in it.
///
///     <a b="1">x<c/></a>
///
///     a      range 0..<18    name 1..<2    content 9..<14    attribute b, value 6..<7    child c
///     c      range 10..<14   name 11..<12  content 14..<14, in an empty tag
///
/// The text is well-formed. Elements from the texts of entities are not in it.
struct XMLMarkup {
  struct Attribute {
    var name: Range<Int>
    /// The value without quotation marks.
    var value: Range<Int>
    /// The attribute with the white space before it.
    var range: Range<Int>
  }

  /// A start tag or an empty tag.
  struct Tag {
    var name: Range<Int>
    var range: Range<Int>
    /// The end of the tag, before its `>` or `/>`, without white space.
    var end: Int
    /// True for `<a/>`.
    var isEmpty = false
    var attributes: [Attribute] = []
  }

  /// The range of an element, and its position among the others. A document may have millions of elements, so its name and attributes
  /// are read from the text when they are needed, by `tag(of:)`.
  struct Element {
    private let start: UInt32
    private let contentStart: UInt32
    private var contentEnd: UInt32
    private var end: UInt32
    private let parentIndex: UInt32
    /// The index of the first element that is not inside this one.
    private var nextIndex: UInt32
    /// True if `xml:space` preserves white space in the element.
    let keepsSpace: Bool

    private static let noParent = UInt32.max

    /// Creates the element of an empty tag, or of a start tag whose end tag is still to be found.
    fileprivate init(_ tag: Tag, in parent: Int?, at index: Int, keepsSpace: Bool) {
      start = UInt32(tag.range.lowerBound)
      contentStart = UInt32(tag.range.upperBound)
      (contentEnd, end) = (contentStart, contentStart)
      parentIndex = parent.map { UInt32($0) } ?? Self.noParent
      nextIndex = UInt32(index + 1)
      self.keepsSpace = keepsSpace
    }

    /// Ends the element with an end tag. The following element has the index `next`.
    fileprivate mutating func end(with tag: Range<Int>, before next: Int) {
      (contentEnd, end) = (UInt32(tag.lowerBound), UInt32(tag.upperBound))
      nextIndex = UInt32(next)
    }

    var range: Range<Int> { Int(start)..<Int(end) }
    /// The text between the tags. In an empty tag, it is empty and at its end.
    var content: Range<Int> { Int(contentStart)..<Int(contentEnd) }
    /// True for `<a/>`.
    var isEmptyTag: Bool { contentEnd == end }
    var parent: Int? { parentIndex == Self.noParent ? nil : Int(parentIndex) }
    fileprivate var next: Int { Int(nextIndex) }
  }

  /// The limit of the size of a text in bytes. There are no elements for a longer one.
  static let sizeLimit = Int(UInt32.max)

  let text: [UInt8]
  /// The line end that the text uses.
  let lineEnd: [UInt8]
  private(set) var elements: [Element] = []
  /// The prefixes that elements themselves declare, by element.
  private var declarations: [Int: [[UInt8]]] = [:]
  /// The names in UTF-8 by their bytes, in a text of another encoding; names in ASCII are not in it.
  private var decodedNames: [[UInt8]: [UInt8]] = [:]

  /// Finds the elements of a text. There are none if the text is not XML.
  ///
  /// - Parameters:
  ///   - text: The text, in UTF-8 or another encoding that contains ASCII.
  ///   - encoding: The name of the other encoding; nil for UTF-8.
  init(_ text: [UInt8], encoding: String? = nil) {
    (self.text, lineEnd) = (text, text.hasReturnsAlone ? [UInt8(ascii: "\r")] : text.lineEnd)
    guard text.count < Self.sizeLimit else { return }
    let converter = encoding.flatMap { CharacterConverter(named: $0) }
    var tags = XMLTagScanner(text.span)
    var open: [Int] = []
    while let tag = tags.next() {
      switch tag {
      case .start(let tag):
        if let converter {
          decodeName(tag.name, with: converter)
          for attribute in tag.attributes { decodeName(attribute.name, with: converter) }
        }
        let index = elements.count
        let keepsSpace = readAttributes(of: tag, at: index, in: open.last)
        elements.append(Element(tag, in: open.last, at: index, keepsSpace: keepsSpace))
        if !tag.isEmpty { open.append(index) }
      case .end(let range):
        guard let index = open.popLast() else { break }
        elements[index].end(with: range, before: elements.count)
      }
    }
    if !open.isEmpty { elements.removeAll() }
  }

  private mutating func decodeName(_ range: Range<Int>, with converter: CharacterConverter) {
    let name = Array(text[range])
    guard !name.span.isASCII, decodedNames[name] == nil else { return }
    var decoded: [UInt8] = []
    let isWhole = converter.append(name.span, to: &decoded) && converter.isWhole
    converter.dropPending()
    converter.finish(to: &decoded)
    if isWhole { decodedNames[name] = decoded }
  }

  /// Returns the name at a range in UTF-8.
  private func name(at range: Range<Int>) -> [UInt8] {
    let name = Array(text[range])
    return decodedNames[name] ?? name
  }

  /// Reads `xml:space` and the namespace declarations of an element. Returns true if the element keeps white space. Without `xml:space`,
  /// it does as its parent.
  private mutating func readAttributes(of tag: Tag, at index: Int, in parent: Int?) -> Bool {
    var keepsSpace = parent.map { elements[$0].keepsSpace } ?? false
    for attribute in tag.attributes where text[attribute.name].starts(with: "xml".utf8) {
      let name = self.name(at: attribute.name)
      if name.elementsEqual("xml:space".utf8) {
        keepsSpace = text[attribute.value].elementsEqual("preserve".utf8)
      } else if name.starts(with: "xmlns:".utf8) {
        declarations[index, default: []].append(Array(name.dropFirst(6)))
      }
    }
    return keepsSpace
  }

  /// Returns the start tag of an element, or its empty tag.
  func tag(of element: Int) -> Tag {
    var tags = XMLTagScanner(text.span)
    return tags.startTag(from: elements[element].range.lowerBound)
  }

  /// Returns the range of the name in the start tag of an element.
  func nameRange(of element: Int) -> Range<Int> {
    let start = elements[element].range.lowerBound + 1
    return start..<text.span.endOfWrittenName(from: start)
  }

  /// Returns the elements inside an element.
  func descendants(of element: Int) -> Range<Int> { element + 1..<elements[element].next }

  /// Returns true if an element has elements inside it.
  func hasChildren(_ element: Int) -> Bool { !descendants(of: element).isEmpty }

  /// Returns the elements directly inside an element.
  func children(of element: Int) -> [Int] {
    var children: [Int] = []
    var child = element + 1
    while child < elements[element].next {
      children.append(child)
      child = elements[child].next
    }
    return children
  }

  /// Returns the prefixes that an element and the elements around it declare.
  func prefixes(in element: Int) -> [[UInt8]] {
    guard !declarations.isEmpty else { return [] }
    var found: [[UInt8]] = []
    var next: Int? = element
    while let index = next {
      found += declarations[index] ?? []
      next = elements[index].parent
    }
    return found
  }

  /// The prefixes that any element declares.
  var declaredPrefixes: Set<[UInt8]> { Set(declarations.values.joined()) }

  /// The prefixes that the names of elements encode without a declaration around them: `a` in `<a_x003A_b>`.
  var encodedPrefixes: Set<[UInt8]> {
    var prefixes: Set<[UInt8]> = []
    for element in elements.indices {
      let key = key(of: element)
      guard !key.elementsEqual(name(at: nameRange(of: element))), XMLKeyName.hasPrefix(key.span) else {
        continue
      }
      prefixes.insert(Array(key.prefix { $0 != UInt8(ascii: ":") }))
    }
    return prefixes
  }

  /// Returns the key for the name of an element.
  private func key(of element: Int) -> [UInt8] { key(of: nameRange(of: element), in: element) }

  /// Returns the key for the name of an element, or of one of its attributes.
  private func key(of name: Range<Int>, in element: Int, isAttribute: Bool = false) -> [UInt8] {
    let name = self.name(at: name)
    if case .invalid = name.span.checkUTF8() { return name }
    let keepsName = keepsName(name, in: element, isAttribute: isAttribute)
    return keepsName ? name : XMLKeyName.key(for: name.span)
  }

  /// Returns true if a name in a tag is its own key, because it encodes a declared prefix.
  func keepsName(_ name: [UInt8], in element: Int, isAttribute: Bool) -> Bool {
    XMLKeyName.keepsName(name.span) { prefix in
      if prefix.equals("xml") { return true }
      if prefix.equals("xmlns") { return isAttribute }
      return prefixes(in: element).contains { $0.elementsEqual(prefix.utf8) }
    }
  }

  /// Returns the children of an element with a key.
  func children(of element: Int, withKey key: [UInt8]) -> [Int] {
    children(of: element).filter { self.key(of: $0) == key }
  }

  /// The children and attributes of an element by their keys.
  struct Entries {
    fileprivate var children: [[UInt8]: [Int]]
    fileprivate var attributes: [[UInt8]: Attribute]

    /// The part of an element that an entry of its value is.
    enum Part {
      /// An attribute, or nil if the element has none with the key.
      case attribute(Attribute?)
      /// The text directly inside the element.
      case text
      /// Children of the element, or none.
      case elements([Int])
    }

    /// Returns the part of the element with a key. An element may have the key of an attribute or of text: `_x0040_a` is
    /// the name for the key `@a`.
    func part(of key: [UInt8]) -> Part {
      if let children = children[key] { return .elements(children) }
      if key.first == UInt8(ascii: "@"), key.count > 1 {
        return .attribute(attributes[Array(key.dropFirst())])
      }
      return key.elementsEqual("#text".utf8) ? .text : .elements([])
    }
  }

  /// Returns the children and attributes of an element by their keys.
  func entries(of element: Int) -> Entries {
    Entries(
      children: Dictionary(grouping: children(of: element)) { key(of: $0) },
      attributes: Dictionary(
        tag(of: element).attributes.map { (key(of: $0.name, in: element, isAttribute: true), $0) }
      ) { first, _ in first })
  }

  /// The parts of an element's content that are text directly inside it.
  struct TextPiece {
    var range: Range<Int>
    /// True for a CDATA section, whose range is that of its text.
    var isCDATA = false
    /// The range with the opening and closing of a CDATA section.
    var wholeRange: Range<Int> {
      guard isCDATA else { return range }
      let (opening, closing) = (XMLSection.cdata.opening, XMLSection.cdata.closing)
      return range.lowerBound - opening.utf8CodeUnitCount..<range.upperBound + closing.utf8CodeUnitCount
    }
  }

  /// Returns the texts directly inside an element, and the comments and instructions.
  func content(of element: Int) -> (texts: [TextPiece], markup: [Range<Int>]) {
    var (texts, markup): ([TextPiece], [Range<Int>]) = ([], [])
    let end = elements[element].content.upperBound
    var index = elements[element].content.lowerBound
    let descendants = descendants(of: element)
    var child = descendants.lowerBound
    while index < end {
      if child < descendants.upperBound, elements[child].range.lowerBound == index {
        index = elements[child].range.upperBound
        child = elements[child].next
        continue
      }
      guard text[index] == UInt8(ascii: "<") else {
        let next = text[index..<end].firstIndex(of: UInt8(ascii: "<")) ?? end
        texts.append(TextPiece(range: index..<next))
        index = next
        continue
      }
      let last = text.span.endOfMarkup(from: index)
      if case .cdata = XMLSection(at: index, in: text.span) {
        texts.append(TextPiece(range: XMLSection.cdata.content(of: index..<last), isCDATA: true))
      } else {
        markup.append(index..<last)
      }
      index = last
    }
    return (texts, markup)
  }

  /// Returns the index of the piece that a new text replaces: the first piece that is not white space, or the last piece.
  func replacedPiece(of pieces: [TextPiece]) -> Int? {
    pieces.firstIndex { $0.isCDATA || !isSpace($0.range) } ?? pieces.indices.last
  }

  /// Returns true if a text can be in a CDATA section.
  static func fitsCDATA(_ text: [UInt8]) -> Bool {
    text.span.firstIndex(of: XMLSection.cdata.closing, from: 0) == nil && !text.contains(UInt8(ascii: "\r"))
  }

  /// Returns the white space before an offset.
  func space(before end: Int) -> Range<Int> {
    text.span.startOfSpace(before: end)..<end
  }

  /// Returns the white space before an offset in its line, or nil if something else is in the line before it.
  func indent(ofLineAt offset: Int) -> [UInt8]? {
    var start = offset
    while start > 0, text[start - 1] == 0x20 || text[start - 1] == 0x09 { start -= 1 }
    guard start == 0 || text[start - 1] == UInt8(ascii: "\n") || text[start - 1] == UInt8(ascii: "\r") else {
      return nil
    }
    return Array(text[start..<offset])
  }

  /// Returns the comments before an offset in content without text, with only white space between them.
  func comments(before offset: Int) -> [Range<Int>] {
    var comments: [Range<Int>] = []
    var end = space(before: offset).lowerBound
    while text[..<end].suffix(3).elementsEqual("-->".utf8) {
      let mark = text[..<end].indices.last { index in
        text[index] == UInt8(ascii: "<") && XMLSection(at: index, in: text.span) == .comment
      }
      // The name of an end tag may end in hyphens, too.
      guard let mark, text.span.endOfMarkup(from: mark) == end else { break }
      comments.append(mark..<end)
      end = space(before: mark).lowerBound
    }
    return comments.reversed()
  }

  /// Returns the offset after the comments that follow an offset on its line.
  func endOfLineComments(after offset: Int) -> Int {
    var end = offset
    while true {
      let start = text[end...].firstIndex { $0 != 0x20 && $0 != 0x09 } ?? text.count
      guard XMLSection(at: start, in: text.span) == .comment else { return end }
      let last = text.span.endOfMarkup(from: start)
      guard !text[start..<last].contains(where: \.isLineEnd) else { return end }
      end = last
    }
  }

  /// Returns true if a range of the text is white space.
  func isSpace(_ range: Range<Int>) -> Bool { text[range].allSatisfy(\.isSpace) }

  /// Returns true if a piece of the content of an element is text, and not layout between other elements.
  func isText(_ piece: TextPiece, in element: Int) -> Bool {
    piece.isCDATA || elements[element].keepsSpace || !isSpace(piece.range)
  }
}

extension Span<UInt8> {
  /// Returns the index after the comment, instruction, CDATA section or declaration that begins at an index.
  func endOfMarkup(from start: Int) -> Int {
    if let section = XMLSection(at: start, in: self) { return section.end(in: self, from: start) ?? count }
    var scan = PrologScan()
    return scan.end(in: self, from: start) ?? count
  }
}
