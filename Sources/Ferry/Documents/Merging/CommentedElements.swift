/// A reader of the elements of an XML text, with the comments and processing instructions that belong to each. It has no recursion, and keeps
/// only the open elements.
///
/// In a property list, a value and its key are one entry.
struct CommentedElements {
  typealias Piece = TextPieces.Piece

  /// An open element, or the whole document.
  private struct Frame {
    let entry: Int
    /// The last entry in the element.
    var last: Int?
    /// The comments above the next entry.
    var waiting: [Piece] = []
    /// The last item if it is a key without its value.
    var key: Key?
  }

  /// The key of a value in a property list, with the comments in it and after it.
  private struct Key {
    var element: Range<Int>
    var comments: [Piece] = []
  }

  private let text: [UInt8]
  private var open = [Frame(entry: 0)]
  /// The start of the tag of the element that is being read; nil outside of tags.
  private var tag: (name: Piece, start: Int)?
  /// The key that is being read, and the number of open elements in it.
  private var openKey: (key: Key, depth: Int)?
  /// True if a line ends between the last item and the current token.
  private var isOnNewLine = false

  init(_ text: [UInt8]) { self.text = text }

  /// Adds the elements and comments. Returns false if tags do not match.
  mutating func addAll(to entries: inout CommentedEntries) -> Bool {
    _ = entries.append(label: 0, text.indices, in: 0)
    var isValid = true
    TextPieces.forEachToken(of: text[...], isXML: true) { token, isInTag in
      guard isValid else { return }
      if isInTag {
        readInTag(token, &entries)
      } else if TextPieces.isSpace(token) {
        isOnNewLine = token.contains(where: \.isLineEnd)
      } else {
        isValid = read(token, &entries)
        isOnNewLine = false
      }
    }
    guard isValid, tag == nil, openKey == nil, open.count == 1 else { return false }
    close(&entries)
    return true
  }

  private mutating func read(_ token: Piece, _ entries: inout CommentedEntries) -> Bool {
    if let found = openKey { return readInKey(token, found) }
    if token.starts(with: "</".utf8) {
      guard open.count > 1 else { return false }
      close(&entries, at: token.endIndex)
    } else if TextPieces.isMarkupWithoutValue(token) {
      readMarkup(token, &entries)
    } else if TextPieces.beginsTag(token) {
      tag = (token, token.startIndex)
    } else {
      addKey(&entries)
      add(label: token.prefix { !$0.isSpace && $0 != UInt8(ascii: ">") }, token.indices, &entries)
    }
    return true
  }

  private mutating func readMarkup(_ token: Piece, _ entries: inout CommentedEntries) {
    let frame = open.count - 1
    if open[frame].key != nil {
      open[frame].key?.comments.append(token)
      return
    }
    guard !token.starts(with: "<!".utf8) || token.starts(with: "<!--".utf8),
      !XMLDeclarationCheck.isDeclaration(token.span)
    else { return }
    let isBeside = open[frame].waiting.isEmpty && !isOnNewLine
    if isBeside, let entry = open[frame].last ?? (frame > 0 ? open[frame].entry : nil) {
      entries.add(token, to: entry)
    } else {
      open[frame].waiting.append(token)
    }
  }

  private mutating func readInTag(_ token: Piece, _ entries: inout CommentedEntries) {
    guard let (name, start) = tag, token.last == UInt8(ascii: ">") else { return }
    isOnNewLine = false
    tag = nil
    let isEmpty = token.count > 1
    if let (key, depth) = openKey {
      openKey = (key, isEmpty ? depth : depth + 1)
    } else if name.elementsEqual("<key".utf8) {
      addKey(&entries)
      let key = Key(element: start..<token.endIndex)
      if isEmpty { open[open.count - 1].key = key } else { openKey = (key, 1) }
    } else {
      let entry = addElement(name, start..<token.endIndex, &entries)
      if !isEmpty { open.append(Frame(entry: entry)) }
    }
  }

  private mutating func readInKey(_ token: Piece, _ found: (key: Key, depth: Int)) -> Bool {
    var (key, depth) = found
    if token.starts(with: "</".utf8) {
      depth -= 1
    } else if TextPieces.beginsTag(token) {
      tag = (token, token.startIndex)
    } else if TextPieces.isMarkupWithoutValue(token) {
      key.comments.append(token)
    }
    key.element = key.element.lowerBound..<token.endIndex
    openKey = depth > 0 ? (key, depth) : nil
    if depth == 0 { open[open.count - 1].key = key }
    return true
  }

  // MARK: Entries

  /// Adds the entry of an element with the key before it.
  private mutating func addElement(
    _ name: Piece, _ range: Range<Int>, _ entries: inout CommentedEntries
  ) -> Int {
    guard let key = open[open.count - 1].key else { return add(label: name, range, &entries) }
    open[open.count - 1].key = nil
    return add(label: text[key.element], key.element.lowerBound..<range.upperBound, &entries, key.comments)
  }

  /// Adds the entry of a key without a value.
  private mutating func addKey(_ entries: inout CommentedEntries) {
    guard let key = open[open.count - 1].key else { return }
    open[open.count - 1].key = nil
    add(label: text[key.element], key.element, &entries, key.comments)
  }

  /// Adds an entry with the comments above and inside it.
  @discardableResult private mutating func add(
    label: Piece, _ range: Range<Int>, _ entries: inout CommentedEntries, _ comments: [Piece] = []
  ) -> Int {
    let frame = open.count - 1
    let entry = entries.append(label: CommentedEntries.label(label), range, in: open[frame].entry)
    for comment in open[frame].waiting + comments { entries.add(comment, to: entry) }
    open[frame].waiting = []
    open[frame].last = entry
    return entry
  }

  /// Ends the innermost element, whose last comments belong to it.
  private mutating func close(_ entries: inout CommentedEntries, at textEnd: Int? = nil) {
    addKey(&entries)
    guard let frame = open.popLast() else { return }
    for comment in frame.waiting { entries.add(comment, to: frame.entry) }
    entries.close(frame.entry, at: textEnd)
  }
}
