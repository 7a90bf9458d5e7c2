// Elements that recur, whose values are made by templates.

/// An element whose values are recorded for a template.
struct ElementRecording {
  let path: Int
  /// The index of its first event.
  let event: Int
  /// The number of collected values before those of the element.
  let valueCount: Int
  /// The number of open elements around the element.
  let openCount: Int
}

extension XMLValueParser {
  /// The path of selected elements for templates. Each of them is the root of a document for `paths`.
  static var pathOfSelected: Int { -1 }

  /// Sends the values of the selected elements from an index of a batch on, as long as each of them has the events of an earlier one.
  ///
  /// - Returns: The index of the first event after them, and their number.
  mutating func receive(
    recurringElements events: borrowing ElementBatch, from start: Int
  ) throws(EventFailure) -> (end: Int, count: Int) {
    sender.beginBatches()
    guard paths.findsFormsByOutline, mayUseTemplates(events) else { return (start, 0) }
    (elementStart, event) = (0, start)
    defer { elements = 0 }
    do throws(FerryError) {
      return try sendRecurring(events, from: start, path: Self.pathOfSelected)
    } catch {
      throw EventFailure(error: error, index: event)
    }
  }

  /// True if the values of elements may be made by templates, and none needs its source location.
  func mayUseTemplates(_ events: borrowing ElementBatch) -> Bool {
    templates.isUsed && sender.isCollecting && locator == nil && prefixes == nil && !isHolding
      && !events.hasLocations
  }

  /// Returns the path of the element that starts at the current event, if it is another element of a list, and nothing but white space has
  /// preceded it; otherwise nil.
  func pathOfRecurring(_ events: borrowing ElementBatch) -> Int? {
    guard let parent = open.last, parent.isInArray, !parent.isOrdered, !parent.keepsSpace,
      !parent.isPieceMarked,
      parent.pieceStart == text.count, paths.hasPlainForms, mayUseTemplates(events),
      paths.likelyChild(
        number: Int(events[event].name), table: events.table, of: parent.path, after: parent.lastChild)
        == parent.lastChild
    else { return nil }
    return parent.lastChild
  }

  /// Sends the values of the elements with the path and the name of the one at an index, as long as each of them has a template. Between them
  /// is only white space.
  ///
  /// - Returns: The index of the first event after them, and their number.
  mutating func sendRecurring(
    _ events: borrowing ElementBatch, from start: Int, path: Int
  ) throws(FerryError) -> (end: Int, count: Int) {
    let number = events[start].name
    var (end, next, count) = (start, start, 0)
    while next < events.count, events[next].kind == .start, events[next].name == number,
      let template = templates.template(of: events, at: next, path: path)
    {
      let sent = try send(events, from: next, by: template)
      (end, count) = (sent.end, count + sent.count)
      next = end < events.count && events[end].isBlank ? end + 1 : end
    }
    return (end, count)
  }

  /// Sends the values of an element, and of those after it that have the same name and template, as long as the batch of values has room.
  private mutating func send(
    _ events: borrowing ElementBatch, from start: Int, by template: ElementTemplate
  ) throws(FerryError) -> (end: Int, count: Int) {
    if sender.room < template.parts.count { try flush(events.input) }
    var room = sender.room
    var (values, texts): ([EventBatch.Entry], [UInt8]) = ([], [])
    sender.exchangeCollected(&values, &texts)
    defer { sender.exchangeCollected(&values, &texts) }
    let keyStart = texts.count
    texts.append(copying: template.keys.span)
    var (end, next, count) = (start, start, 0)
    repeat {
      template.appendValues(of: events, at: next, keysAt: keyStart, to: &values, &texts)
      (end, count, room) = (next + template.eventCount, count + 1, room - template.parts.count)
      next = end < events.count && events[end].isBlank ? end + 1 : end
    } while room >= template.parts.count && template.matches(events, at: next)
    elements += count * template.elementCount
    return (end, count)
  }

  // MARK: Recording

  /// Begins to record the values of the element that starts at the current event, if a template may be made of them.
  ///
  /// - Parameter path: The path of the element.
  mutating func beginRecording(of path: Int) {
    guard recording == nil, templates.mayAdd else { return }
    recording = ElementRecording(
      path: path, event: event, valueCount: sender.collectedCount,
      openCount: open.count)
  }

  /// Makes a template of the values that were recorded. The element has ended before the current event.
  mutating func endRecording(_ events: borrowing ElementBatch) {
    guard let recording else { return }
    self.recording = nil
    let (range, start) = (recording.event..<event, elementStart)
    let template = sender.withCollected(in: events.input) { values in
      ElementTemplate(
        events, range, at: start, path: recording.path, values: values, from: recording.valueCount)
    }
    templates.add(template, tableNumber: events.table)
  }
}
