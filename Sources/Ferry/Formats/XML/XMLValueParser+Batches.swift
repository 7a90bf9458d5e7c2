// The events of elements in batches.

extension XMLValueParser {
  /// Receives the events of a whole element, whose shape is found first. It inherits the value of `xml:space`.
  ///
  /// - Parameter start: The index of the element in its batch. The values are then sent by `sendCollected`, and an error may
  ///   have the index of an earlier event. If it is nil, they are sent immediately.
  /// - Parameter recurs: True if other elements with the same events may be sent by `sendRecurring`.
  mutating func receive(
    element events: borrowing ElementBatch, at start: Int?, keepsSpace: Bool, recurs: Bool,
    markupLosses: LossReport?
  ) throws(EventFailure) {
    self.keepsSpace = keepsSpace
    elementStart = start ?? 0
    try paths.receive(document: events)
    sender.beginBatches()
    event = 0
    if recurs, start != nil, !keepsSpace, paths.findsFormsByOutline, mayUseTemplates(events) {
      beginRecording(of: Self.pathOfSelected)
    }
    try collect(events, markupLosses)
    endRecording(events)
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
    recording = nil
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

  mutating func flush(_ input: Span<UInt8>) throws(FerryError) {
    if recording != nil {
      // The values of the element do not stay together.
      recording = nil
      templates.add(nil, tableNumber: -1)
    }
    var failed = eventIndex
    do throws(FerryError) { try sender.flush(input, failedAt: &failed) } catch {
      event = failed - elementStart
      throw error
    }
  }

  private mutating func receiveNext(
    _ events: borrowing ElementBatch, _ markupLosses: LossReport?
  ) throws(FerryError) {
    if !sendPlainElements(events) {
      if events[event].kind == .start, let path = pathOfRecurring(events) {
        let end = try sendRecurring(events, from: event, path: path).end
        guard end == event else { return event = end }
        beginRecording(of: path)
      }
      try receive(events[event], events, markupLosses)
    }
    event += 1
    if let recording, recording.openCount == open.count { endRecording(events) }
    if sender.isFull { try flush(events.input) }
  }

  /// Receives the current event. An element that contains only text is received as a whole.
  private mutating func receive(
    _ next: ElementBatch.Entry, _ events: borrowing ElementBatch, _ markupLosses: LossReport?
  ) throws(FerryError) {
    switch next.kind {
    case .start: try start(next, events)
    case .end: try end(events.input)
    case .text:
      let isLayout = next.isBlank && open.last?.isLayout(events, at: event, textCount: text.count) ?? false
      if !isLayout { try text(events.text(next)) }
    case .cdata: try cdata(events.text(next))
    case .comment where paths.markup.contains(.comments): try comment(events.text(next))
    case .comment:
      let location = markupLosses?.usesLocations == true ? location(ofMarkup: next, events) : InputLocation()
      markupLosses?.add(.comment, at: location)
    case .instruction where paths.markup.contains(.instructions):
      let text = events.text(next).utf8
      try instruction(
        target: BorrowedText(text.extracting(..<Int(next.name))),
        data: BorrowedText(text.extracting(Int(next.name)...)))
    case .instruction: markupLosses?.add(.processingInstruction)
    case .attribute, .declaration: break
    }
  }

  /// Starts an element with its attributes. An element that contains only text is ended too.
  mutating func start(
    _ element: ElementBatch.Entry, _ events: borrowing ElementBatch
  ) throws(FerryError) {
    // The document begins at its root element.
    if let locator, open.isEmpty { locator.move(to: location(of: element, events)) }
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
  mutating func enter(at location: InputLocation) {
    locator?.move(to: location)
    starts.append(location)
  }

  /// Returns the location of an element whose start is the current event of a batch.
  mutating func location(
    of element: ElementBatch.Entry, _ events: borrowing ElementBatch
  ) -> InputLocation {
    guard !events.hasLocations else { return events.location(ofStart: event) }
    return location(ofOffset: element.start, events)
  }

  /// Returns the location of a comment. It is empty if it is unknown.
  private mutating func location(
    ofMarkup entry: ElementBatch.Entry, _ events: borrowing ElementBatch
  ) -> InputLocation {
    guard let start = entry.markupStart, start >= 0, start < events.input.count else {
      return InputLocation()
    }
    return location(ofOffset: start, events)
  }

  private mutating func location(ofOffset offset: Int, _ events: borrowing ElementBatch) -> InputLocation {
    if events.location != batchStart || offset < countedOffset {
      (batchStart, counted, countedOffset) = (events.location, events.location, 0)
    }
    let byte = counted.byte ?? 0
    let (line, column) = events.input.extracting(countedOffset..<offset).end(
      line: counted.line ?? 1, column: counted.column ?? 1, byte: byte)
    counted = InputLocation(line: line, column: column, byte: byte + offset - countedOffset)
    countedOffset = offset
    guard events.location.byte == nil else { return counted }
    return InputLocation(line: line, column: column)
  }
}
