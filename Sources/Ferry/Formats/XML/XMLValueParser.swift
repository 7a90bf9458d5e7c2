/// A parser of a document without a schema. It has the values of the open elements, and sends what is complete of them.
struct XMLValueParser: ~Copyable {
  struct Open {
    var path: Int
    /// True if the element has been sent as a dictionary.
    var isDictionary = false
    var hasChildren = false
    /// True if the key `#text` has been sent for a child.
    var hasTextKey = false
    /// The path of the last child. `isInArray` is true if an array of such children has been sent.
    var lastChild = 0
    var isInArray = false
    /// The index in `text` at which the text of the element begins.
    var textStart: Int
    var pieceStart: Int
    /// True if the text since the last child contains a CDATA section.
    var isPieceMarked = false
    /// True if `xml:space` preserves all white space.
    var keepsSpace: Bool
    /// True if the children must be reordered at the end of the element. They are the last of `held` then.
    var isHeld = false
    /// True if the contents are a list in document order. `hasContent` is true if the list has begun.
    var isOrdered = false
    var hasContent = false
    /// True if white space beside elements is content, because text is.
    var isMixed = false
    /// True if the text since the last child is that of a CDATA section, which is kept as one.
    var isInCDATA = false

    /// Returns true if an event, which is white space, is layout before or after a child.
    ///
    /// - Parameter textCount: The number of bytes of text so far.
    func isLayout(_ events: borrowing ElementBatch, at event: Int, textCount: Int) -> Bool {
      guard event + 1 < events.count else { return false }
      let isBesideChild =
        switch events[event + 1].kind {
        case .start: true
        case .end: hasChildren
        default: false
        }
      return isBesideChild && !keepsSpace && !isMixed && !isPieceMarked && pieceStart == textCount
    }
  }

  /// The children of an element, buffered on the tape.
  struct Held {
    /// The jump that skips the events before the reordered sequence.
    var jump: Int
    /// The range of the attributes' events.
    var attributes = 0..<0
    /// The paths of the children in the order of first occurrence, with the range of events of each child.
    var groups: [(path: Int, parts: [Range<Int>], count: Int)] = []
    var groupOfPath: [Int: Int] = [:]
    var childStart = 0
    var isScattered = false
    /// The state of the tape before the children.
    var beforeChildren = ValueTape.Mark()
    /// The children that were moved from the tape, by the index of their group; nil if none were.
    var spool: GroupedSpool?

    /// Moves all children from the tape to the spool.
    mutating func spoolChildren(from tape: inout ValueTape) throws(FerryError) {
      let spool = spool ?? GroupedSpool()
      self.spool = spool
      var encoded: [UInt8] = []
      for group in groups.indices {
        if group == spool.groupCount { spool.addGroup() }
        encoded.removeAll(keepingCapacity: true)
        for part in groups[group].parts { tape.encode(part, into: &encoded) }
        groups[group].parts.removeAll(keepingCapacity: true)
        try spool.append(encoded.span, to: group)
      }
      tape.reset(to: beforeChildren)
    }

    /// Adds the range of a child, which ends before an index of the tape, to the group of its path.
    mutating func endChild(_ path: Int, at end: Int) {
      let part = childStart..<end
      if let group = groupOfPath[path] {
        if group != groups.count - 1 || isScattered { isScattered = true }
        groups[group].parts.append(part)
        groups[group].count += 1
      } else {
        groupOfPath[path] = groups.count
        groups.append((path, [part], 1))
      }
    }
  }

  var sink: any ValueSink
  var sender: EventSender
  var paths: XMLPaths
  /// The indices of the lists in the options that elements matched.
  var usedLists: Set<Int> { paths.usedLists }
  /// The forms of the elements in those that were received.
  var listForms: ListForms { paths.listForms }
  let losses: LossReport?
  /// Receives the source locations of elements; nil if no sink needs them.
  let locator: SourceLocator?
  /// The locations of the open elements, if they are needed.
  var starts: [InputLocation] = []
  /// The location of the first byte of the current batch.
  var batchStart = InputLocation()
  /// The location of the element whose location was computed last in the batch, and its offset in the input of the batch. Lines are
  /// counted from there.
  var counted = InputLocation()
  var countedOffset = 0
  var open: [Open] = []
  /// The number of elements that have begun.
  var elements = 0
  /// The children of the open elements that must be reordered.
  var held: [Held] = []
  var text: [UInt8] = []
  var tape = ValueTape()
  var attributeKeys = AttributeKeys()
  /// The values of elements that recur, and the one that is recorded as the next of them.
  var templates = ElementTemplates()
  var recording: ElementRecording?
  /// The declared prefixes, if names have their namespaces instead, so that prefixes in texts lose their meaning.
  var prefixes: DeclaredPrefixes?
  /// The index of the event at which the values are sent: in an element, and of the element in its batch.
  var event = 0
  var elementStart = 0
  /// The index of that event in the batch.
  var eventIndex: Int { elementStart + event }

  /// True if only the value of the root element is sent, instead of a dictionary with it.
  let sendsRootAlone: Bool
  /// True if white space in the root element is content unless it has `xml:space` itself.
  var keepsSpace: Bool

  /// Creates the values of a document, or of an element that inherits the value of `xml:space`.
  init(
    into sink: any ValueSink, paths: XMLPaths, losses: LossReport?, sendsRootAlone: Bool = false,
    keepsSpace: Bool = false, locator: SourceLocator? = nil
  ) {
    self.sink = sink
    self.sendsRootAlone = sendsRootAlone
    self.keepsSpace = keepsSpace
    self.locator = locator
    sender = EventSender(to: sink, isPrompt: true)
    self.paths = paths
    self.losses = losses
    if paths.namespaces == .expanded, losses != nil { prefixes = DeclaredPrefixes() }
  }

  /// Sends the next values to a sink that reads their types, because the document was written with them.
  mutating func readTypes(into typed: XMLTypedValues) {
    sink = typed
    sender = EventSender(to: typed, isPrompt: true)
    paths.readTypes()
  }

  /// Adds the paths that another reading of the document has found. Returns false if they have another form than the values that were
  /// sent (see `XMLPaths.add(from:)`).
  mutating func add(_ found: XMLPaths) -> Bool { paths.add(from: found) }

  /// Begins a child of the innermost element, before its start tag is processed.
  mutating func beginChild(_ name: XMLName) throws(FerryError) {
    try beginDocument()
    guard let path = paths.child(name, of: open[open.count - 1].path, after: open[open.count - 1].lastChild)
    else {
      throw FerryError(.xml(.notWellFormed("the document is not the one whose shape was found")))
    }
    try beginChild(path)
  }

  mutating func beginDocument() throws(FerryError) {
    guard open.isEmpty else { return }
    if !sendsRootAlone { try sender.beginDictionary(count: 1, at: eventIndex) }
    open.append(
      Open(
        path: 0, isDictionary: true, hasChildren: true, textStart: 0, pieceStart: 0, keepsSpace: keepsSpace))
    open[0].isOrdered = !sendsRootAlone && paths.isOrdered(0)
  }

  mutating func beginChild(_ path: Int) throws(FerryError) {
    let last = open.count - 1
    elements += 1
    guard !open[last].isOrdered else { return try beginOrderedChild(path) }
    endPiece()
    open[last].hasChildren = true
    if paths[path].reserved == .text { open[last].hasTextKey = true }
    if !open[last].isDictionary {
      open[last].isDictionary = true
      if !open[last].isHeld { try beginDictionary() }
    }
    if open[last].isHeld {
      held[held.count - 1].childStart = tape.count
    } else if last == 0, sendsRootAlone {
      // The root element has no key.
    } else if !open[last].isInArray || open[last].lastChild != path {
      try endArray()
      try key(of: path)
      open[last].isInArray = paths.isList(path, beginningWith: elements)
      if open[last].isInArray { try beginArray() }
    }
    open[last].lastChild = path
  }

  /// Starts the child that was begun with `beginChild`.
  mutating func start(_ element: borrowing XMLStartTag) throws(FerryError) {
    if locator != nil { enter(at: element.location) }
    let count = element.attributeCount + (sendsDeclarations ? element.declarationCount : 0)
    let start = try startElement(hasAttributes: count > 0)
    for index in 0..<element.declarationCount {
      noteDeclaration(of: element.declarationValue(index))
      addPrefix(element.declarationName(index))
    }
    if element.leavesOutDeclaration, paths.namespaces != .expanded {
      losses?.add(.namespace, path: openPath())
    }
    for index in 0..<count {
      let name = element.attributeName(index)
      var isTaken = false
      if paths.namespaces == .stripped, name.prefix != nil, index < element.attributeCount {
        for other in 0..<element.attributeCount where other != index {
          if name.yields(to: element.attributeName(other), isEarlier: other < index) { isTaken = true }
        }
      }
      try attribute(
        name, element.attributeValue(index), from: nil, isPlain: false, keepsPrefix: isTaken)
    }
    if open[open.count - 1].isHeld { beginHeldChildren(attributesFrom: start) }
  }

  /// Starts an element, and returns the index on the tape at which its attributes begin.
  mutating func startElement(hasAttributes: Bool) throws(FerryError) -> Int {
    let path = open[open.count - 1].lastChild
    var new = Open(
      path: path, textStart: text.count, pieceStart: text.count, keepsSpace: open[open.count - 1].keepsSpace)
    new.isOrdered = paths.isOrdered(path)
    new.isMixed = new.isOrdered && paths[path].isMixed
    new.isHeld = !new.isOrdered && paths.isReordered(path)
    new.isDictionary = hasAttributes
    if new.isHeld {
      held.append(Held(jump: tape.jump()))
    } else if hasAttributes {
      try beginDictionary()
    }
    open.append(new)
    prefixes?.open()
    return tape.count
  }

  mutating func attribute(
    _ name: XMLName, _ value: BorrowedText, from start: Int?, isPlain: Bool, keepsPrefix: Bool = false
  ) throws(FerryError) {
    if keepsPrefix {
      try key(BorrowedText(key(ofAttribute: name, .kept).span))
    } else {
      try attributeKey(of: name)
    }
    try string(value, from: start, isPlain: isPlain)
    if prefixes != nil { notePrefixes(in: value, of: name) }
    if name.isSpace { open[open.count - 1].keepsSpace = value.equals("preserve") }
    guard paths.keysLikeAttributes.hasChildren else { return }
    let sent = key(ofAttribute: name, keepsPrefix ? .kept : paths.namespaces)
    if let key = keptKey(sent, of: name, value) { separate(key) }
  }

  /// Returns the key that an attribute with a key keeps beside children of its element, or nil if `XMLTypedValues` leaves it out.
  private func keptKey(_ key: [UInt8], of name: XMLName, _ value: BorrowedText) -> [UInt8]? {
    guard paths.readsTypes, let namespace = name.namespace, XMLTypeAttribute.mayBelong(to: namespace) else {
      return key
    }
    switch namespace {
    case XMLTypeAttribute.ferry: return nil
    case XMLTypeAttribute.instance: return paths.namespaces.key(ofAttribute: name)
    default: return paths.namespaces == .kept && !XMLTypeAttribute.declares(value.utf8) ? key : nil
    }
  }

  /// Makes the contents of the innermost element a list if it has a child with the key of an attribute, because a dictionary has each key
  /// once. Reports the second key if the options do not allow a list.
  private mutating func separate(_ key: [UInt8]) {
    let last = open.count - 1
    guard !open[last].isOrdered, paths.keysLikeAttributes.hasChild(withKeyOf: key, in: elements) else {
      return
    }
    if paths.mayBeOrdered(open[last].path) {
      open[last].isOrdered = true
    } else {
      losses?.add(
        .duplicateKey,
        path: openPath().appending(.key(String(decoding: key, as: UTF8.self))))
    }
  }

  private mutating func attributeKey(of name: XMLName) throws(FerryError) {
    try key(
      attributeKeys.key(for: name.number)
        ?? attributeKeys.add(key(ofAttribute: name, paths.namespaces), for: name.number))
  }

  func key(ofAttribute name: XMLName, _ style: XMLNamespaceStyle) -> [UInt8] {
    // `XMLTypedValues` finds types by prefixes, and then writes the other names in the style.
    let style = paths.readsTypes && XMLTypeAttribute.mayBelong(to: name.namespace) ? .kept : style
    return style.key(ofAttribute: name)
  }

  /// True if namespace declarations are sent as attributes.
  var sendsDeclarations: Bool { paths.namespaces == .kept || paths.readsTypes }

  /// Reports a namespace declaration if it is left out and does not belong to types.
  func noteDeclaration(of namespace: BorrowedText) {
    guard paths.namespaces == .stripped,
      !paths.readsTypes || !XMLTypeAttribute.declares(namespace.utf8)
    else { return }
    losses?.add(.namespace, path: openPath())
  }

  /// Adds a prefix that the innermost element declares.
  mutating func addPrefix(_ name: XMLName) {
    if prefixes != nil, name.prefix != nil { prefixes?.add(name.local) }
  }

  /// Reports an attribute with a declared prefix in its value, because the declaration is left out. Declarations, and attributes of types, are
  /// no contents.
  func notePrefixes(in value: BorrowedText, of attribute: XMLName) {
    guard let prefixes, prefixes.occur(in: value.utf8, of: attribute),
      !paths.readsTypes || !XMLTypeAttribute.mayBelong(to: attribute.namespace)
    else { return }
    losses?.add(.contentPrefix, path: openPath())
  }

  /// Reports a text with a declared prefix, because the declaration is left out.
  ///
  /// - Parameter child: The path of the element with the text, or nil for the innermost open element.
  func notePrefixes(in text: BorrowedText, ofChild child: Int? = nil) {
    guard let prefixes, prefixes.occur(in: text.utf8) else { return }
    let steps = child.map { [ValuePath.Step.key(String(decoding: paths[$0].key, as: UTF8.self))] } ?? []
    losses?.add(.contentPrefix, path: openPath().appending(steps[...]))
  }

  /// Adds text to the innermost element.
  mutating func text(_ text: BorrowedText) throws(FerryError) {
    if let last = open.last, last.isInCDATA { try endOrderedPiece() }
    self.text.append(copying: text.utf8)
  }

  /// Adds the text of a CDATA section to the innermost element.
  mutating func cdata(_ text: BorrowedText) throws(FerryError) {
    guard let last = open.indices.last else { return }
    if paths.markup.contains(.cdata), open[last].isOrdered, !open[last].isInCDATA {
      try endOrderedPiece()
      open[last].isInCDATA = true
    }
    self.text.append(copying: text.utf8)
    open[last].isPieceMarked = true
  }

  /// Adds a comment to the innermost element, if comments are kept.
  mutating func comment(_ text: BorrowedText) throws(FerryError) {
    guard paths.markup.contains(.comments), try beginMarkup(.comment) else { return }
    try sendItem("#comment", text)
  }

  /// Adds a processing instruction to the innermost element, if they are kept.
  mutating func instruction(target: BorrowedText, data: BorrowedText) throws(FerryError) {
    guard paths.markup.contains(.instructions), try beginMarkup(.processingInstruction) else { return }
    var text = [UInt8](copying: target.utf8)
    if !data.utf8.isEmpty {
      text.append(UInt8(ascii: " "))
      text.append(copying: data.utf8)
    }
    try sendItem("#instruction", BorrowedText(text.span))
  }

  /// Drops white space before, between and after children, which is layout. `xml:space` or a CDATA section
  /// marks white space as content.
  private mutating func endPiece() {
    let last = open.count - 1
    let isContent = open[last].keepsSpace || open[last].isPieceMarked
    if !isContent, text.count > open[last].pieceStart,
      BorrowedText(text.span.extracting(open[last].pieceStart..<text.count)).isBlank
    {
      text.removeSubrange(open[last].pieceStart...)
    }
    open[last].pieceStart = text.count
    open[last].isPieceMarked = false
  }

  /// Ends the innermost element, or the document if no element is open.
  mutating func end() throws(FerryError) { try end(Span()) }

  /// Ends the innermost element, or the document if no element is open.
  ///
  /// - Parameter input: The input of the batch.
  mutating func end(_ input: Span<UInt8>) throws(FerryError) {
    guard open.count > 1 else {
      if !open.isEmpty, !sendsRootAlone {
        if open[0].hasContent { try sender.endArray(at: eventIndex) }
        try sender.endDictionary(at: eventIndex)
      }
      open = []
      return
    }
    if let locator, let start = starts.popLast() { locator.move(to: start) }
    let last = open.count - 1
    if open[last].isOrdered {
      try endOrdered()
    } else if open[last].isDictionary {
      if open[last].hasChildren { endPiece() }
      let hasText = text.count > open[last].textStart
      if hasText, open[last].hasChildren { losses?.add(.mixedContent, path: openPath()) }
      if open[last].isHeld {
        try endHeld(hasText: hasText, input)
      } else {
        try endArray()
        if hasText { try sendText() }
        try endDictionary()
      }
    } else {
      try sendTextAlone()
      if open[last].isHeld { try release(input) }
    }
    // An array without memory would get some.
    if text.count > open[last].textStart { text.removeSubrange(open[last].textStart...) }
    open.removeLast()
    prefixes?.close()
    try endChild()
  }

  /// Notes that a child of the innermost element has been sent.
  mutating func endChild() throws(FerryError) {
    let last = open.count - 1
    if open[last].isOrdered {
      try endDictionary()
    } else if open[last].isHeld {
      try endHeldChild()
    }
  }

  mutating func sendText() throws(FerryError) {
    let last = open.count - 1
    if open[last].hasTextKey { losses?.add(.duplicateKey, path: openPath().appending(.key("#text"))) }
    try key("#text")
    try string(from: open[last].textStart)
  }

  /// Sends the text of the innermost element, which has neither attributes nor children.
  mutating func sendTextAlone() throws(FerryError) {
    let last = open.count - 1
    guard meansMarkup(open[last].path, in: last - 1) else { return try string(from: open[last].textStart) }
    try beginListOfText()
    if text.count > open[last].textStart { try string(from: open[last].textStart) }
    try endListOfText()
  }

  /// Returns true if a text with the key of a child would be markup, such as a comment.
  @inline(__always)  // A call copies `self`.
  func meansMarkup(_ child: Int, in parent: Int) -> Bool {
    open[parent].isOrdered && paths[child].reserved == .markup
  }

  /// Begins the contents of an element with only text whose key would make the text markup: `{"#comment": {"#content": ["text"]}}`.
  mutating func beginListOfText() throws(FerryError) {
    try beginDictionary()
    try key("#content")
    try beginArray()
  }

  mutating func endListOfText() throws(FerryError) {
    try endContents()
    try endDictionary()
  }

  /// Returns the path of the innermost open element, without array indices.
  func openPath() -> ValuePath {
    ValuePath(open.dropFirst().map { .key(String(decoding: paths[$0.path].key, as: UTF8.self)) })
  }
}
