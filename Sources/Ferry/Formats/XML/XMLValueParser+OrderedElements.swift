// Elements whose contents are a list in document order.

extension XMLValueParser {
  /// Begins a child of an element whose contents are a list: `{"name": …}`.
  mutating func beginOrderedChild(_ path: Int) throws(FerryError) {
    try endOrderedPiece()
    try beginContent()
    try beginDictionary()
    try key(of: path)
    open[open.count - 1].hasChildren = true
    open[open.count - 1].lastChild = path
  }

  /// Begins the list of the contents of the innermost element, unless it has begun.
  private mutating func beginContent() throws(FerryError) {
    let last = open.count - 1
    guard !open[last].hasContent else { return }
    if !open[last].isDictionary { try beginDictionary() }
    (open[last].isDictionary, open[last].hasContent) = (true, true)
    try key("#content")
    try beginArray()
  }

  mutating func key(_ key: StaticString) throws(FerryError) {
    let bytes = [UInt8](key.description.utf8)
    try self.key(BorrowedText(bytes.span))
  }

  /// Sends the text since the last child. White space beside children is layout, unless the element has other text.
  mutating func endOrderedPiece() throws(FerryError) {
    let last = open.count - 1
    let (start, isCDATA) = (open[last].pieceStart, open[last].isInCDATA)
    let isContent = open[last].keepsSpace || open[last].isMixed || open[last].isPieceMarked
    (open[last].isInCDATA, open[last].isPieceMarked) = (false, false)
    defer {
      text.removeSubrange(start...)
      open[last].pieceStart = start
    }
    let isBlank = BorrowedText(text.span.extracting(start..<text.count)).isBlank
    guard isCDATA || text.count > start && (isContent || !isBlank) else { return }
    try beginContent()
    guard isCDATA else { return try string(from: start) }
    let section = Array(text[start...])
    notePrefixes(in: BorrowedText(section.span))
    try sendItem("#cdata", BorrowedText(section.span))
  }

  /// Ends the text before a comment or an instruction. Returns false and reports a loss if the contents of the element are
  /// not in order, because its children are records.
  mutating func beginMarkup(_ loss: Loss.Kind) throws(FerryError) -> Bool {
    try beginDocument()
    guard open[open.count - 1].isOrdered else {
      losses?.add(loss, path: openPath())
      return false
    }
    try endOrderedPiece()
    return true
  }

  /// Sends markup as an element of the list of contents: `{"#comment": " text "}`.
  mutating func sendItem(_ key: StaticString, _ text: BorrowedText) throws(FerryError) {
    try beginContent()
    try beginDictionary()
    try self.key(key)
    try string(text, from: nil, isPlain: false)
    try endDictionary()
  }

  /// Ends an element whose contents are a list. Without children and attributes, it is its text.
  mutating func endOrdered() throws(FerryError) {
    let last = open.count - 1
    if !open[last].hasContent, !open[last].isInCDATA {
      let hasText = text.count > open[last].textStart
      if !open[last].isDictionary { return try sendTextAlone() }
      if hasText {
        try beginContent()
        try string(from: open[last].textStart)
      }
    } else {
      try endOrderedPiece()
    }
    if open[last].hasContent { try endContents() }
    try endDictionary()
  }

  /// Ends the list of the contents.
  mutating func endContents() throws(FerryError) {
    if isHolding { tape.endArray() } else { try sender.endArray(at: eventIndex) }
  }
}
