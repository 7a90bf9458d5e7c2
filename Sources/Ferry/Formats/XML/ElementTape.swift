/// Elements of a document that are kept so that delegates can read them several times, or later.
struct ElementTape {
  private enum Event {
    case start(Start)
    case end
    case text(Range<Int>, isCDATA: Bool)
    case comment(Range<Int>)
    case instruction(target: Range<Int>, data: Range<Int>)
  }

  private struct Start {
    var name: XMLName
    /// The attributes, followed by the namespace declarations.
    var attributes: Range<Int>
    var attributeCount: Int
    var position: Position
  }

  private var events: [Event] = []
  private var attributes: [XMLAttributes.Attribute] = []
  private var bytes: [UInt8] = []

  /// The number of events.
  var count: Int { events.count }

  /// Removes all events but keeps the memory.
  mutating func removeAll() {
    events.removeAll(keepingCapacity: true)
    attributes.removeAll(keepingCapacity: true)
    bytes.removeAll(keepingCapacity: true)
  }

  // MARK: Recording

  /// Adds the start of an element.
  mutating func start(_ element: borrowing XMLElement) {
    let first = attributes.count
    for index in 0..<element.attributeCount + element.declarationCount {
      let value = add(element.attributeValue(index).utf8)
      attributes.append(
        XMLAttributes.Attribute(
          name: element.attributeName(index), start: value.lowerBound, end: value.upperBound))
    }
    events.append(
      .start(
        Start(
          name: element.name, attributes: first..<attributes.count, attributeCount: element.attributeCount,
          position: element.position)))
  }

  /// Adds the end of the innermost element.
  mutating func end() { events.append(.end) }

  /// Adds text of the innermost element, or of a CDATA section.
  mutating func text(_ text: BorrowedText, isCDATA: Bool) {
    events.append(.text(add(text.utf8), isCDATA: isCDATA))
  }

  /// Adds a comment.
  mutating func comment(_ text: BorrowedText) { events.append(.comment(add(text.utf8))) }

  /// Adds a processing instruction.
  mutating func processingInstruction(target: BorrowedText, data: BorrowedText) {
    let target = add(target.utf8)
    events.append(.instruction(target: target, data: add(data.utf8)))
  }

  private mutating func add(_ text: Span<UInt8>) -> Range<Int> {
    let start = bytes.count
    bytes.append(copying: text)
    return start..<bytes.count
  }

  // MARK: Replaying

  /// Calls delegates for the element that begins at an index, as if it were the root of a document.
  func replay(
    from start: Int, to document: ElementDelegate, budget: Budget, losses: LossReport?
  ) throws(FerryError) {
    var chain = ElementChain(document: document, budget: budget, losses: losses)
    let locator = OpenElementLocator()
    var index = start
    repeat {
      do throws(FerryError) { try send(events[index], to: &chain, locator) } catch {
        throw error.placed(at: locator.elementPosition)
      }
      if case .end = events[index] { locator.open.removeLast() }
      index += 1
    } while !locator.open.isEmpty
    try chain.finish()
  }

  private func send(
    _ event: Event, to chain: inout ElementChain, _ locator: OpenElementLocator
  ) throws(FerryError) {
    switch event {
    case .start(let start):
      locator.open.append(start.position)
      if chain.isSkipping { return try chain.startSkipped() }
      try chain.start(
        XMLElement(
          name: Unretained(start.name), attributes: attributes.span.extracting(start.attributes),
          attributeCount: start.attributeCount, values: bytes.span, locator: Unretained(locator)))
    case .end: try chain.end()
    case .text(let range, let isCDATA):
      let text = bytes.span.extracting(range)
      try chain.text(BorrowedText(checked: text, isASCII: text.isASCII), isCDATA: isCDATA)
    case .comment(let range): try chain.comment(BorrowedText(bytes.span.extracting(range)))
    case .instruction(let target, let data):
      try chain.processingInstruction(
        target: BorrowedText(bytes.span.extracting(target)), data: BorrowedText(bytes.span.extracting(data)))
    }
  }
}

/// The source locations of the open elements of a tape.
private final class OpenElementLocator: ElementLocator {
  var open: [Position] = []

  override var elementPosition: Position { open.last ?? Position(line: 1, column: 1) }
}
