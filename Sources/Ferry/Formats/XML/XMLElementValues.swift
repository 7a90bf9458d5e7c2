/// The values of the open elements in a document without a schema.
struct XMLElementValues: ~Copyable {
  private struct Open {
    var path: Int
    /// True if the element has been sent as a dictionary.
    var isDictionary = false
    var hasChildren = false
    /// The path of the last child. `isInArray` is true if an array of such children has been sent.
    var lastChild = 0
    var isInArray = false
    /// The index in `text` at which the text of the element begins.
    var textStart: Int
    var pieceStart: Int
    /// True if the text since the last child contains a CDATA section.
    var isPieceMarked = false
    /// True if `xml:space` preserves all white space.
    var keepsSpace = false
    /// The children, if they must be reordered at the end of the element.
    var held: Held?
  }

  /// The children of an element, buffered on the tape.
  private struct Held {
    /// The jump that skips the events before the reordered sequence.
    var jump: Int
    /// The range of the attributes' events.
    var attributes = 0..<0
    /// The paths of the children in the order of first occurrence, with the range of events of each child.
    var groups: [(path: Int, parts: [Range<Int>])] = []
    var groupOfPath: [Int: Int] = [:]
    var childStart = 0
    var isScattered = false
  }

  private let sink: any ValueSink
  private var paths: XMLPaths
  private let losses: LossReport?
  private var open: [Open] = []
  private var text: [UInt8] = []
  private var tape = ValueTape()
  /// The number of open elements with buffered children.
  private var heldDepth = 0
  /// The keys for attributes, by the number of the attribute's name.
  private var attributeKeys: [[UInt8]?] = []

  init(into sink: any ValueSink, paths: XMLPaths, losses: LossReport?) {
    self.sink = sink
    self.paths = paths
    self.losses = losses
  }

  /// Begins a child of the innermost element, before its start tag is processed.
  mutating func beginChild(_ name: XMLName) throws(FerryError) {
    if open.isEmpty {
      try sink.beginDictionary(count: 1)
      open.append(Open(path: 0, isDictionary: true, hasChildren: true, textStart: 0, pieceStart: 0))
    }
    let last = open.count - 1
    guard let path = paths.child(name, of: open[last].path, after: open[last].lastChild) else {
      throw FerryError(.xml(.notWellFormed("the document is not the one whose shape was found")))
    }
    endPiece()
    open[last].hasChildren = true
    if !open[last].isDictionary {
      open[last].isDictionary = true
      if open[last].held == nil { try beginDictionary() }
    }
    if open[last].held != nil {
      open[last].held?.childStart = tape.count
    } else if !open[last].isInArray || open[last].lastChild != path {
      try endArray()
      try key(paths[path].key)
      open[last].isInArray = paths[path].repeats
      if open[last].isInArray { try beginArray() }
    }
    open[last].lastChild = path
  }

  /// Starts the child that was begun with `beginChild`.
  mutating func start(_ element: borrowing XMLElement) throws(FerryError) {
    let path = open[open.count - 1].lastChild
    var new = Open(path: path, textStart: text.count, pieceStart: text.count)
    new.keepsSpace = open[open.count - 1].keepsSpace
    let isHeld = paths[path].isScattered
    if isHeld {
      heldDepth += 1
      new.held = Held(jump: tape.jump())
    }
    let start = tape.count
    let count = element.attributeCount + element.declarationCount
    if count > 0 {
      new.isDictionary = true
      if !isHeld { try beginDictionary() }
      for index in 0..<count {
        let name = element.attributeName(index)
        try key(attributeKey(name))
        try string(element.attributeValue(index))
        if name.qualified.equals("xml:space") {
          new.keepsSpace = element.attributeValue(index).equals("preserve")
        }
      }
    }
    new.held?.attributes = start..<tape.count
    open.append(new)
  }

  private mutating func attributeKey(_ name: XMLName) -> [UInt8] {
    while attributeKeys.count <= name.number { attributeKeys.append(nil) }
    if let key = attributeKeys[name.number] { return key }
    let key =
      [UInt8(ascii: "@")] + XMLKeyName.key(for: name.qualified.utf8.span, keepsNames: paths.keepsNames)
    attributeKeys[name.number] = key
    return key
  }

  /// Adds text to the innermost element.
  mutating func text(_ text: BorrowedText) { self.text.append(copying: text.utf8) }

  /// Adds the text of a CDATA section to the innermost element.
  mutating func cdata(_ text: BorrowedText) {
    self.text.append(copying: text.utf8)
    if let last = open.indices.last { open[last].isPieceMarked = true }
  }

  /// Drops white space before, between and after children, which is layout. `xml:space` or a CDATA section
  /// marks white space as content.
  private mutating func endPiece() {
    let last = open.count - 1
    let isContent = open[last].keepsSpace || open[last].isPieceMarked
    if !isContent, BorrowedText(text.span.extracting(open[last].pieceStart..<text.count)).isBlank {
      text.removeSubrange(open[last].pieceStart...)
    }
    open[last].pieceStart = text.count
    open[last].isPieceMarked = false
  }

  /// Ends the innermost element, or the document if no element is open.
  mutating func end() throws(FerryError) {
    guard open.count > 1 else {
      if !open.isEmpty { try sink.endDictionary() }
      open = []
      return
    }
    let last = open.count - 1
    if open[last].isDictionary {
      if open[last].hasChildren { endPiece() }
      let hasText = text.count > open[last].textStart
      if hasText, open[last].hasChildren { losses?.add(.mixedContent, path: openPath()) }
      if open[last].held == nil {
        try endArray()
        if hasText { try sendText() }
        try endDictionary()
      } else {
        try endHeld(hasText: hasText)
      }
    } else {
      try string(from: open[last].textStart)
      if let held = open[last].held { try release(held) }
    }
    text.removeSubrange(open[last].textStart...)
    open.removeLast()
    if open[last - 1].held != nil { endHeldChild() }
  }

  private mutating func sendText() throws(FerryError) {
    try key(Array("#text".utf8))
    try string(from: open[open.count - 1].textStart)
  }

  /// Returns the path of the innermost open element, without array indices.
  private func openPath() -> ValuePath {
    ValuePath(open.dropFirst().map { .key(String(decoding: paths[$0.path].key, as: UTF8.self)) })
  }
}

// MARK: - Held elements

extension XMLElementValues {
  /// Ends a child of an element with buffered children, and adds its range to the group of its path.
  private mutating func endHeldChild() {
    let last = open.count - 1
    guard var held = open[last].held else { return }
    open[last].held = nil
    let path = open[last].lastChild
    let part = held.childStart..<tape.count
    if let group = held.groupOfPath[path] {
      if group != held.groups.count - 1 || held.isScattered { held.isScattered = true }
      held.groups[group].parts.append(part)
    } else {
      held.groupOfPath[path] = held.groups.count
      held.groups.append((path, [part]))
    }
    open[last].held = held
  }

  /// Ends an element with buffered children, and orders the children by path.
  private mutating func endHeld(hasText: Bool) throws(FerryError) {
    guard let held = open[open.count - 1].held else { return }
    if held.isScattered { losses?.add(.siblingOrder, path: openPath()) }
    tape.land(held.jump)
    tape.beginDictionary()
    tape.play(held.attributes)
    for (path, parts) in held.groups {
      let key = paths[path].key
      tape.key(key.span)
      if paths[path].repeats { tape.beginArray() }
      for part in parts { tape.play(part) }
      if paths[path].repeats { tape.endArray() }
    }
    if hasText { try sendText() }
    tape.endDictionary()
    try release(held)
  }

  /// Sends the reordered events of an element, unless an enclosing element is buffered too.
  private mutating func release(_ held: Held) throws(FerryError) {
    heldDepth -= 1
    guard heldDepth == 0 else { return }
    try tape.replay(held.jump..<tape.count, into: sink)
    tape.removeAll()
  }
}

// MARK: - Sending

extension XMLElementValues {
  private mutating func key(_ key: [UInt8]) throws(FerryError) {
    if heldDepth > 0 { tape.key(key.span) } else { try sink.key(BorrowedText(key.span)) }
  }

  private mutating func string(_ text: BorrowedText) throws(FerryError) {
    if heldDepth > 0 { tape.string(text.utf8) } else { try sink.string(text) }
  }

  private mutating func string(from start: Int) throws(FerryError) {
    let bytes = text
    try string(BorrowedText(bytes.span.extracting(start..<bytes.count)))
  }

  private mutating func beginDictionary() throws(FerryError) {
    if heldDepth > 0 { tape.beginDictionary() } else { try sink.beginDictionary(count: nil) }
  }

  private mutating func endDictionary() throws(FerryError) {
    if heldDepth > 0 { tape.endDictionary() } else { try sink.endDictionary() }
  }

  private mutating func beginArray() throws(FerryError) {
    if heldDepth > 0 { tape.beginArray() } else { try sink.beginArray(count: nil) }
  }

  private mutating func endArray() throws(FerryError) {
    let last = open.count - 1
    guard open[last].isInArray else { return }
    open[last].isInArray = false
    if heldDepth > 0 { tape.endArray() } else { try sink.endArray() }
  }
}
