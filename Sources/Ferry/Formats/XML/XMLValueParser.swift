/// A parser of a document without a schema. It has the values of the open elements, and sends what is complete of them.
struct XMLValueParser: ~Copyable {
  private struct Open {
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
  private struct Held {
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

  /// The key for an attribute.
  private struct AttributeKey {
    let bytes: [UInt8]
    let isASCII: Bool
    /// True if the key has no control characters, quotation marks or backslashes.
    let isPlain: Bool

    init(_ bytes: [UInt8]) {
      (self.bytes, isASCII, isPlain) = (bytes, bytes.span.isASCII, bytes.span.isPlainJSON)
    }
  }

  private var sink: any ValueSink
  private var sender: EventSender
  private var paths: XMLPaths
  /// The indices of the lists in the options that an element has had the path of.
  var usedLists: Set<Int> { paths.usedLists }
  private let losses: LossReport?
  /// Receives the source locations of elements; nil if no sink needs them.
  private let locator: SourceLocator?
  /// The locations of the open elements, if they are needed.
  private var starts: [InputLocation] = []
  /// The location of the first byte of the current batch.
  private var batchStart = InputLocation()
  /// The location of the element whose location was computed last in the batch, and its offset in the input of the batch. Lines are
  /// counted from there.
  private var counted = InputLocation()
  private var countedOffset = 0
  private var open: [Open] = []
  /// The number of elements that have begun.
  private var elements = 0
  /// The children of the open elements that must be reordered.
  private var held: [Held] = []
  private var text: [UInt8] = []
  private var tape = ValueTape()
  /// The keys for attributes, by the number of the attribute's name.
  private var attributeKeys: [AttributeKey?] = []
  /// The declared prefixes, if names have their namespaces instead, so that prefixes in texts lose their meaning.
  private var prefixes: DeclaredPrefixes?
  /// The index of the event at which the values are sent: in an element, and of the element in its batch.
  private var event = 0
  private var elementStart = 0
  /// The index of that event in the batch.
  private var eventIndex: Int { elementStart + event }

  /// True if only the value of the root element is sent, instead of a dictionary with it.
  private let sendsRootAlone: Bool
  /// True if white space in the root element is content unless it has `xml:space` itself.
  private var keepsSpace: Bool

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

  private mutating func beginDocument() throws(FerryError) {
    guard open.isEmpty else { return }
    if !sendsRootAlone { try sender.beginDictionary(count: 1, at: eventIndex) }
    open.append(
      Open(
        path: 0, isDictionary: true, hasChildren: true, textStart: 0, pieceStart: 0, keepsSpace: keepsSpace))
    open[0].isOrdered = !sendsRootAlone && paths.isOrdered(0)
  }

  private mutating func beginChild(_ path: Int) throws(FerryError) {
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
  private mutating func startElement(hasAttributes: Bool) throws(FerryError) -> Int {
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

  private mutating func attribute(
    _ name: XMLName, _ value: BorrowedText, from start: Int?, isPlain: Bool, keepsPrefix: Bool = false
  ) throws(FerryError) {
    let key = keepsPrefix ? AttributeKey(key(ofAttribute: name, .kept)) : attributeKey(name)
    try self.key(key)
    try string(value, from: start, isPlain: isPlain)
    if prefixes != nil { notePrefixes(in: value, of: name) }
    if name.isSpace { open[open.count - 1].keepsSpace = value.equals("preserve") }
    if paths.keysLikeAttributes.hasChildren, let key = keptKey(key.bytes, of: name, value) { separate(key) }
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

  private mutating func attributeKey(_ name: XMLName) -> AttributeKey {
    while attributeKeys.count <= name.number { attributeKeys.append(nil) }
    if let key = attributeKeys[name.number] { return key }
    let key = AttributeKey(key(ofAttribute: name, paths.namespaces))
    attributeKeys[name.number] = key
    return key
  }

  private func key(ofAttribute name: XMLName, _ style: XMLNamespaceStyle) -> [UInt8] {
    // `XMLTypedValues` finds types by prefixes, and then writes the other names in the style.
    let style = paths.readsTypes && XMLTypeAttribute.mayBelong(to: name.namespace) ? .kept : style
    return style.key(ofAttribute: name)
  }

  /// True if namespace declarations are sent as attributes.
  private var sendsDeclarations: Bool { paths.namespaces == .kept || paths.readsTypes }

  /// Reports a namespace declaration if it is left out and does not belong to types.
  private func noteDeclaration(of namespace: BorrowedText) {
    guard paths.namespaces == .stripped,
      !paths.readsTypes || !XMLTypeAttribute.declares(namespace.utf8)
    else { return }
    losses?.add(.namespace, path: openPath())
  }

  /// Adds a prefix that the innermost element declares.
  private mutating func addPrefix(_ name: XMLName) {
    if prefixes != nil, name.prefix != nil { prefixes?.add(name.local) }
  }

  /// Reports an attribute with a declared prefix in its value, because the declaration is left out. Declarations, and attributes of types, are
  /// no contents.
  private func notePrefixes(in value: BorrowedText, of attribute: XMLName) {
    guard let prefixes, prefixes.occur(in: value.utf8, of: attribute),
      !paths.readsTypes || !XMLTypeAttribute.mayBelong(to: attribute.namespace)
    else { return }
    losses?.add(.contentPrefix, path: openPath())
  }

  /// Reports a text with a declared prefix, because the declaration is left out.
  ///
  /// - Parameter child: The path of the element with the text, or nil for the innermost open element.
  private func notePrefixes(in text: BorrowedText, ofChild child: Int? = nil) {
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
  private mutating func end(_ input: Span<UInt8>) throws(FerryError) {
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
  private mutating func endChild() throws(FerryError) {
    let last = open.count - 1
    if open[last].isOrdered {
      try endDictionary()
    } else if open[last].isHeld {
      try endHeldChild()
    }
  }

  private mutating func sendText() throws(FerryError) {
    let last = open.count - 1
    if open[last].hasTextKey { losses?.add(.duplicateKey, path: openPath().appending(.key("#text"))) }
    try key("#text")
    try string(from: open[last].textStart)
  }

  /// Sends the text of the innermost element, which has neither attributes nor children.
  private mutating func sendTextAlone() throws(FerryError) {
    let last = open.count - 1
    guard meansMarkup(open[last].path, in: last - 1) else { return try string(from: open[last].textStart) }
    try beginListOfText()
    if text.count > open[last].textStart { try string(from: open[last].textStart) }
    try endListOfText()
  }

  /// Returns true if a text with the key of a child would be markup, such as a comment.
  @inline(__always)  // A call copies `self`.
  private func meansMarkup(_ child: Int, in parent: Int) -> Bool {
    open[parent].isOrdered && paths[child].reserved == .markup
  }

  /// Begins the contents of an element with only text whose key would make the text markup: `{"#comment": {"#content": ["text"]}}`.
  private mutating func beginListOfText() throws(FerryError) {
    try beginDictionary()
    try key("#content")
    try beginArray()
  }

  private mutating func endListOfText() throws(FerryError) {
    try endContents()
    try endDictionary()
  }

  /// Returns the path of the innermost open element, without array indices.
  private func openPath() -> ValuePath {
    ValuePath(open.dropFirst().map { .key(String(decoding: paths[$0.path].key, as: UTF8.self)) })
  }
}

// MARK: - Batches

extension XMLValueParser {
  /// Receives the events of a whole element, whose shape is found first. It inherits the value of `xml:space`.
  ///
  /// - Parameter start: The index of the element in its batch. The values are then sent by `sendCollected`, and an error may
  ///   have the index of an earlier event. If it is nil, they are sent immediately.
  mutating func receive(
    element events: borrowing ElementBatch, at start: Int?, keepsSpace: Bool, markupLosses: LossReport?
  ) throws(EventFailure) {
    self.keepsSpace = keepsSpace
    elementStart = start ?? 0
    try paths.receive(document: events)
    try collect(events, markupLosses)
    open.removeAll(keepingCapacity: true)
    elements = 0
    if start == nil { try sendCollected(events) }
  }

  /// Sends the values of all elements that were received of a batch.
  mutating func sendCollected(_ events: borrowing ElementBatch) throws(EventFailure) {
    do throws(FerryError) { try flush(events.input) } catch {
      throw EventFailure(error: error, index: eventIndex)
    }
    sender.endBatches()
  }

  /// Adds the elements of a batch.
  mutating func receive(
    _ events: borrowing ElementBatch, markupLosses: LossReport?
  ) throws(EventFailure) {
    try collect(events, markupLosses)
    try sendCollected(events)
  }

  private mutating func collect(
    _ events: borrowing ElementBatch, _ markupLosses: LossReport?
  ) throws(EventFailure) {
    event = 0
    sender.beginBatches()
    do throws(FerryError) {
      while event < events.count { try receiveNext(events, markupLosses) }
    } catch {
      throw EventFailure(error: error, index: event)
    }
  }

  private mutating func flush(_ input: Span<UInt8>) throws(FerryError) {
    var failed = eventIndex
    do throws(FerryError) { try sender.flush(input, failedAt: &failed) } catch {
      event = failed - elementStart
      throw error
    }
  }

  private mutating func receiveNext(
    _ events: borrowing ElementBatch, _ markupLosses: LossReport?
  ) throws(FerryError) {
    let next = events[event]
    switch next.kind {
    case .start: if !sendLikelyElements(events) { try start(next, events) }
    case .end: try end(events.input)
    case .text:
      let isLayout = next.isBlank && open.last?.isLayout(events, at: event, textCount: text.count) ?? false
      if !isLayout { try text(events.text(next)) }
    case .cdata: try cdata(events.text(next))
    case .comment where paths.markup.contains(.comments): try comment(events.text(next))
    case .comment: markupLosses?.add(.comment)
    case .instruction where paths.markup.contains(.instructions):
      let text = events.text(next).utf8
      try instruction(
        target: BorrowedText(text.extracting(..<Int(next.name))),
        data: BorrowedText(text.extracting(Int(next.name)...)))
    case .instruction: markupLosses?.add(.processingInstruction)
    case .attribute, .declaration: break
    }
    event += 1
    if sender.isFull { try flush(events.input) }
  }

  /// Sends the next elements as entries of the innermost dictionary, as long as each has the path that followed the last time and
  /// only text. Skips the white space between them, which is layout. Returns false if no element was sent.
  ///
  /// Records mostly consist of such elements, so they are sent in a loop, without the calls and checks for other elements.
  private mutating func sendLikelyElements(_ events: borrowing ElementBatch) -> Bool {
    guard prefixes?.isEmpty != false, sender.isCollecting, !isHolding, !events.hasLocations,
      let last = open.indices.last
    else {
      return false
    }
    let parent = open[last]
    guard parent.isDictionary, !parent.isOrdered, !parent.isInArray, !parent.isPieceMarked,
      parent.pieceStart == text.count, last > 0 || !sendsRootAlone
    else { return false }
    var (end, next, sibling, found) = (event, event, parent.lastChild, 0)
    // A copy of the list, because an access to a property of `self` would be checked for each element.
    let (entries, table, start) = (paths.entries, events.table, elementStart)
    // Each element has three events and gives two.
    let room = min(sender.room, events.count)
    sender.collect(upTo: room + 1) { output in
      while output.count < room, events.hasOnlyText(at: next) {
        let (element, value) = (events[next], events[next + 1])
        guard
          let path = entries.likely(
            number: Int(element.name), table: table, of: parent.path, after: sibling), !value.isCopied
        else { break }
        let key = entries.key(of: path)
        output.append(
          EventBatch.Entry(
            kind: .key, isASCII: key.isASCII, isPlain: key.isPlain, offset: start &+ next,
            payload: UInt64(element.start &+ 1), extra: key.count))
        output.append(
          EventBatch.Entry(
            kind: .string, isASCII: value.isASCII, isPlain: value.isPlain, offset: start &+ next,
            payload: UInt64(value.start), extra: value.count))
        (end, sibling, found) = (next + 3, path, found + 1)
        next = end < events.count && events[end].isBlank && !parent.keepsSpace ? end + 1 : end
      }
    }
    guard end > event else { return false }
    elements += found
    open[last].hasChildren = true
    open[last].lastChild = sibling
    // The caller adds 1.
    event = end - 1
    return true
  }

  /// Starts an element with its attributes. An element that contains only text is ended too.
  private mutating func start(
    _ element: ElementBatch.Entry, _ events: borrowing ElementBatch
  ) throws(FerryError) {
    try beginDocument()
    let parent = open[open.count - 1]
    let table = events.table
    if let path = paths.likelyChild(
      number: Int(element.name), table: table, of: parent.path, after: parent.lastChild)
    {
      try beginChild(path)
    } else {
      try beginChild(events.name(element))
    }
    if locator != nil { enter(at: location(of: element, events)) }
    if try sendLeaf(events) {
      if locator != nil { starts.removeLast() }
      return
    }
    var attribute = event + 1
    while attribute < events.count, events[attribute].isAttribute { attribute += 1 }
    let first = event + 1
    let start = try startElement(hasAttributes: sendsDeclarations ? attribute > first : element.count > 0)
    if prefixes != nil {
      // Attributes may precede the declaration of their prefixes.
      for index in first..<attribute where events[index].kind == .declaration {
        addPrefix(events.name(events[index]))
      }
    }
    for index in first..<attribute {
      event = index
      let entry = events[index]
      if entry.kind == .declaration { noteDeclaration(of: events.text(entry)) }
      guard sendsDeclarations || entry.kind == .attribute else { continue }
      let name = events.name(entry)
      var isTaken = false
      if paths.namespaces == .stripped, name.prefix != nil, entry.kind == .attribute {
        for other in first..<first + element.count where other != index {
          if name.yields(to: events.name(events[other]), isEarlier: other < index) { isTaken = true }
        }
      }
      try self.attribute(
        name, events.text(entry), from: entry.isCopied ? nil : entry.start, isPlain: entry.isPlain,
        keepsPrefix: isTaken)
    }
    if open[open.count - 1].isHeld { beginHeldChildren(attributesFrom: start) }
  }

  /// Sends an element without attributes and children, if it ends in the batch. Returns false for others.
  private mutating func sendLeaf(_ events: borrowing ElementBatch) throws(FerryError) -> Bool {
    guard events.hasOnlyText(at: event) else { return false }
    let last = open.count - 1
    guard !paths[open[last].lastChild].isScattered else { return false }
    let text = events[event + 1]
    let isList = meansMarkup(open[last].lastChild, in: last)
    if isList { try beginListOfText() }
    if prefixes != nil { notePrefixes(in: events.text(text), ofChild: open[last].lastChild) }
    try string(events.text(text), from: text.isCopied ? nil : text.start, isPlain: text.isPlain)
    if isList { try endListOfText() }
    try endChild()
    event += 2
    return true
  }
}

// MARK: - Locations

extension XMLValueParser {
  /// Passes on the location of an element that starts.
  private mutating func enter(at location: InputLocation) {
    locator?.move(to: location)
    starts.append(location)
  }

  /// Returns the location of an element whose start is the current event of a batch.
  private mutating func location(
    of element: ElementBatch.Entry, _ events: borrowing ElementBatch
  ) -> InputLocation {
    guard !events.hasLocations else { return events.location(ofStart: event) }
    if events.location != batchStart || element.start < countedOffset {
      (batchStart, counted, countedOffset) = (events.location, events.location, 0)
    }
    let byte = counted.byte ?? 0
    let (line, column) = events.input.extracting(countedOffset..<element.start).end(
      line: counted.line ?? 1, column: counted.column ?? 1, byte: byte)
    counted = InputLocation(line: line, column: column, byte: byte + element.start - countedOffset)
    countedOffset = element.start
    return counted
  }
}

// MARK: - Ordered elements

extension XMLValueParser {
  /// Begins a child of an element whose contents are a list: `{"name": …}`.
  private mutating func beginOrderedChild(_ path: Int) throws(FerryError) {
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

  private mutating func key(_ key: StaticString) throws(FerryError) {
    let bytes = [UInt8](key.description.utf8)
    try self.key(BorrowedText(bytes.span))
  }

  /// Sends the text since the last child. White space beside children is layout, unless the element has other text.
  private mutating func endOrderedPiece() throws(FerryError) {
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
  private mutating func beginMarkup(_ loss: Loss.Kind) throws(FerryError) -> Bool {
    try beginDocument()
    guard open[open.count - 1].isOrdered else {
      losses?.add(loss, path: openPath())
      return false
    }
    try endOrderedPiece()
    return true
  }

  /// Sends markup as an element of the list of contents: `{"#comment": " text "}`.
  private mutating func sendItem(_ key: StaticString, _ text: BorrowedText) throws(FerryError) {
    try beginContent()
    try beginDictionary()
    try self.key(key)
    try string(text, from: nil, isPlain: false)
    try endDictionary()
  }

  /// Ends an element whose contents are a list. Without children and attributes, it is its text.
  private mutating func endOrdered() throws(FerryError) {
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
  private mutating func endContents() throws(FerryError) {
    if isHolding { tape.endArray() } else { try sender.endArray(at: eventIndex) }
  }
}

// MARK: - Held elements

extension XMLValueParser {
  /// The weight of the tape from which the children of the outermost element are moved to a spool.
  private static let mostOnTape = 1 << 20

  /// Notes that the children of an element with buffered children follow, after its attributes.
  private mutating func beginHeldChildren(attributesFrom start: Int) {
    held[held.count - 1].attributes = start..<tape.count
    held[held.count - 1].beforeChildren = tape.mark
  }

  /// Ends a child of an element with buffered children, and adds its range to the group of its path.
  private mutating func endHeldChild() throws(FerryError) {
    held[held.count - 1].endChild(open[open.count - 1].lastChild, at: tape.count)
    if held.count == 1, tape.weight > Self.mostOnTape { try held[0].spoolChildren(from: &tape) }
  }

  /// Ends an element with buffered children, and orders the children by path.
  private mutating func endHeld(hasText: Bool, _ input: Span<UInt8>) throws(FerryError) {
    guard let last = held.last else { return }
    if last.isScattered { losses?.add(.siblingOrder, path: openPath()) }
    if last.spool != nil { return try sendSpooled(hasText: hasText, input) }
    tape.land(last.jump)
    tape.beginDictionary()
    tape.play(last.attributes)
    for (path, parts, count) in last.groups {
      let (key, isList) = (paths[path].key, paths.isList(path, of: count))
      tape.key(key.span)
      if isList { tape.beginArray() }
      for part in parts { tape.play(part) }
      if isList { tape.endArray() }
    }
    if hasText { try sendText() }
    tape.endDictionary()
    try release(input)
  }

  /// Sends the outermost element, whose children are in a spool.
  private mutating func sendSpooled(hasText: Bool, _ input: Span<UInt8>) throws(FerryError) {
    try flush(input)
    try held[0].spoolChildren(from: &tape)
    guard let element = held.popLast(), let spool = element.spool else { return }
    try sink.beginDictionary(count: nil)
    try tape.replay(element.attributes, into: sink)
    tape.removeAll()
    var spooled = EventSender(to: sink, isPrompt: false)
    for group in element.groups.indices {
      let path = element.groups[group].path
      let (key, isList) = (paths[path].key, paths.isList(path, of: element.groups[group].count))
      try sink.key(BorrowedText(key.span))
      if isList { try sink.beginArray(count: nil) }
      try spool.forEachPiece(of: group) { piece throws(FerryError) in
        try EncodedValues.send(piece, with: &spooled)
      }
      if isList { try sink.endArray() }
    }
    if hasText {
      try sendText()
      try flush(input)
    }
    try sink.endDictionary()
  }

  /// Sends the reordered events of the innermost held element, unless an enclosing element is buffered too.
  private mutating func release(_ input: Span<UInt8>) throws(FerryError) {
    guard let released = held.popLast(), held.isEmpty else { return }
    try flush(input)
    try tape.replay(released.jump..<tape.count, into: sink)
    tape.removeAll()
  }
}

// MARK: - Sending

extension XMLValueParser {
  private var isHolding: Bool { !held.isEmpty }

  private mutating func key(of path: Int) throws(FerryError) {
    let key = paths[path].key
    let text = BorrowedText(checked: key.span, isASCII: paths[path].isKeyASCII)
    if isHolding {
      tape.key(text.utf8)
    } else {
      try sender.text(.key, text, from: nil, isPlain: paths[path].isKeyPlain, at: eventIndex)
    }
  }

  private mutating func key(_ key: AttributeKey) throws(FerryError) {
    let text = BorrowedText(checked: key.bytes.span, isASCII: key.isASCII)
    if isHolding {
      tape.key(text.utf8)
    } else {
      try sender.text(.key, text, from: nil, isPlain: key.isPlain, at: eventIndex)
    }
  }

  private mutating func key(_ key: BorrowedText) throws(FerryError) {
    if isHolding { tape.key(key.utf8) } else { try sender.text(.key, key, from: nil, at: eventIndex) }
  }

  private mutating func string(_ text: BorrowedText, from start: Int?, isPlain: Bool) throws(FerryError) {
    if isHolding {
      tape.string(text.utf8)
    } else {
      try sender.text(.string, text, from: start, isPlain: isPlain, at: eventIndex)
    }
  }

  private mutating func string(from start: Int) throws(FerryError) {
    let bytes = text
    if prefixes != nil { notePrefixes(in: BorrowedText(bytes.span.extracting(start..<bytes.count))) }
    try string(BorrowedText(bytes.span.extracting(start..<bytes.count)), from: nil, isPlain: false)
  }

  private mutating func beginDictionary() throws(FerryError) {
    if isHolding { tape.beginDictionary() } else { try sender.beginDictionary(at: eventIndex) }
  }

  private mutating func endDictionary() throws(FerryError) {
    if isHolding { tape.endDictionary() } else { try sender.endDictionary(at: eventIndex) }
  }

  private mutating func beginArray() throws(FerryError) {
    if isHolding { tape.beginArray() } else { try sender.beginArray(at: eventIndex) }
  }

  private mutating func endArray() throws(FerryError) {
    let last = open.count - 1
    guard open[last].isInArray else { return }
    open[last].isInArray = false
    if isHolding { tape.endArray() } else { try sender.endArray(at: eventIndex) }
  }
}
