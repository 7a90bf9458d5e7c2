/// The content of an XML element, or of a whole document, for a merge element by element.
struct ElementContent {
  typealias Piece = TextPieces.Piece

  /// An element, a comment, a processing instruction or character data. In a property list, a value with its
  /// key and the comments between them.
  struct Item {
    /// The white space before the item.
    var gap: Piece
    /// The whole text of the item.
    var text: Piece
    /// The first token: of an element, `<` and the name.
    let first: Piece
    /// The key of a value of a property list.
    var key: Piece?
    /// The start tag, the content and the end tag of an element that is not empty. The key of a value is part
    /// of the start tag.
    var element: (startTag: Piece, content: ElementContent, endTag: Piece)?
    /// The attributes of an element.
    var attributes: [Piece] = []
  }

  private(set) var items: [Item] = []
  /// The white space after the last item.
  private(set) var end: Piece

  /// The maximum nesting depth. Merging recurses on the stack of any thread.
  fileprivate static let depthLimit = 128

  /// Divides the text of a document. Returns nil if it is nested too deeply, or its tags do not match.
  init?(_ text: Piece) {
    var parser = ContentParser(text)
    guard let content = parser.content() else { return nil }
    self = content
  }

  fileprivate init(endingWith end: Piece) { self.end = end }

  fileprivate mutating func append(_ item: Item) { items.append(item) }
  fileprivate mutating func close(_ gap: Piece) { end = gap }

  /// Removes and returns the last item if it is a key without its value.
  fileprivate mutating func removeKey() -> Item? {
    guard let item = items.last, item.isKey, item.key != nil else { return nil }
    return items.removeLast()
  }
}

extension ElementContent.Item {
  fileprivate var isKey: Bool { first.elementsEqual("<key".utf8) }
}

/// A parser that divides the text of a well-formed document.
private struct ContentParser {
  typealias Piece = TextPieces.Piece

  private let text: Piece
  /// The content of the innermost open element.
  private var current: ElementContent
  /// The open elements, each with the content around it.
  private var open: [(item: ElementContent.Item, outer: ElementContent)] = []
  private var gap: Piece
  private var isInTag = false

  init(_ text: Piece) {
    (self.text, gap) = (text, text.prefix(0))
    current = ElementContent(endingWith: gap)
  }

  mutating func content() -> ElementContent? {
    for token in TextPieces.tokens(of: text, isXML: true) {
      if isInTag {
        readInTag(token)
      } else if TextPieces.isSpace(token) {
        gap = token
      } else if token.starts(with: "</".utf8) {
        guard closeElement(token) else { return nil }
      } else {
        guard open.count < ElementContent.depthLimit else { return nil }
        readItem(token)
      }
    }
    current.close(gap)
    return open.isEmpty ? current : nil
  }

  private mutating func readItem(_ token: Piece) {
    var item = ElementContent.Item(gap: gap, text: token, first: token)
    gap = token.suffix(0)
    let isElement = TextPieces.beginsTag(token)
    if isElement ? !item.isKey : TextPieces.isMarkupWithoutValue(token), let key = current.removeKey() {
      let whole = text[key.text.startIndex..<token.endIndex]
      item = ElementContent.Item(
        gap: key.gap, text: whole, first: isElement ? token : key.first, key: key.key)
    }
    guard isElement else { return current.append(item) }
    open.append((item, current))
    current = ElementContent(endingWith: gap)
    isInTag = true
  }

  private mutating func readInTag(_ token: Piece) {
    guard token.last == UInt8(ascii: ">"), var (item, outer) = open.popLast() else {
      if let last = open.indices.last, !TextPieces.isSpace(token) {
        open[last].item.attributes.append(token)
      }
      return
    }
    isInTag = false
    item.text = text[item.text.startIndex..<token.endIndex]
    if token.count == 1 {
      open.append((item, outer))
    } else {
      outer.append(item)
      current = outer
    }
  }

  private mutating func closeElement(_ endTag: Piece) -> Bool {
    guard var (item, outer) = open.popLast() else { return false }
    current.close(gap)
    gap = endTag.suffix(0)
    item.element = (item.text, current, endTag)
    item.text = text[item.text.startIndex..<endTag.endIndex]
    if item.isKey { item.key = item.text }
    outer.append(item)
    current = outer
    return true
  }
}
