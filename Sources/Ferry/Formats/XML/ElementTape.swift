/// Events of elements that are kept until the end of a selected element.
struct ElementTape {
  private var entries: [ElementBatch.Entry] = []
  private var bytes: [UInt8] = []
  /// The names by their numbers.
  private var names: [XMLName] = []
  /// The source locations of the elements, in the order of their starts.
  private var startLocations: [InputLocation] = []
  /// The source locations in the input of the batch.
  private var locations = OffsetLocations(from: InputLocation())

  /// The number of events.
  var count: Int { entries.count }

  /// Removes all events but keeps the memory.
  mutating func removeAll() {
    entries.removeAll(keepingCapacity: true)
    bytes.removeAll(keepingCapacity: true)
    startLocations.removeAll(keepingCapacity: true)
  }

  // MARK: Recording

  /// Begins to record events of a batch.
  mutating func begin(_ events: borrowing ElementBatch) { locations = OffsetLocations(from: events.location) }

  /// Adds all events of a batch, without the locations of the elements, which take time to find.
  mutating func appendAll(_ events: borrowing ElementBatch) {
    append(events, 0..<events.count, locates: false)
  }

  /// Adds events of the batch that was begun.
  mutating func append(_ events: borrowing ElementBatch, _ range: Range<Int>, locates: Bool = true) {
    for index in range {
      var entry = events[index]
      switch entry.kind {
      case .start:
        note(events.name(entry))
        let location: InputLocation =
          if events.hasLocations {
            events.location(ofStart: index)
          } else if locates {
            locations.location(of: entry.start, in: events.input)
          } else {
            InputLocation()
          }
        entry.start = startLocations.count
        startLocations.append(location)
        entries.append(entry)
      case .attribute, .declaration:
        note(events.name(entry))
        add(entry, events.text(entry))
      case .text, .cdata, .comment, .instruction: add(entry, events.text(entry))
      case .end: entries.append(entry)
      }
    }
  }

  /// Adds the start of an element.
  mutating func start(_ element: borrowing XMLStartTag) {
    note(element.name)
    entries.append(
      ElementBatch.Entry(
        kind: .start, name: Int32(element.name.number), start: startLocations.count,
        count: element.attributeCount)
    )
    startLocations.append(element.location)
    for index in 0..<element.attributeCount + element.declarationCount {
      let name = element.attributeName(index)
      note(name)
      let kind: ElementBatch.Kind = index < element.attributeCount ? .attribute : .declaration
      add(ElementBatch.Entry(kind: kind, name: Int32(name.number)), element.attributeValue(index))
    }
  }

  /// Adds the text of an element, a CDATA section or a comment.
  mutating func add(_ kind: ElementBatch.Kind, _ text: BorrowedText) {
    add(ElementBatch.Entry(kind: kind), text)
  }

  /// Adds a processing instruction.
  mutating func instruction(target: BorrowedText, data: BorrowedText) {
    let text = [UInt8](copying: target.utf8) + [UInt8](copying: data.utf8)
    add(
      ElementBatch.Entry(kind: .instruction, name: Int32(target.utf8.count)), BorrowedText(text.span))
  }

  /// Adds the end of the innermost element.
  mutating func end() { entries.append(ElementBatch.Entry(kind: .end)) }

  private mutating func add(_ entry: ElementBatch.Entry, _ text: BorrowedText) {
    var entry = entry
    (entry.isCopied, entry.isASCII) = (true, text.isASCII)
    (entry.start, entry.count) = (bytes.count, text.utf8.count)
    bytes.append(copying: text.utf8)
    entries.append(entry)
  }

  private mutating func note(_ name: XMLName) {
    while names.count <= name.number { names.append(name) }
    if names[name.number] !== name { names[name.number] = name }
  }

  // MARK: Sending

  /// Sends the events of the element that begins at an index. An error is located at the element of its event.
  func send(
    elementAt start: Int, to receive: (borrowing ElementBatch) throws(EventFailure) -> Void
  ) throws(FerryError) {
    let all = ElementBatch(
      entries.span, copied: bytes.span, names: names.span, startLocations: startLocations.span)
    do throws(EventFailure) {
      try receive(all.extracting(start..<all.endOfElement(at: start)))
    } catch {
      guard let element = all.start(ofElementAt: start + error.index).index else { throw error.error }
      throw error.error.placed(at: startLocations[entries[element].start])
    }
  }
}
