/// The events of all elements of a document, kept when it was first read, so that it need not be scanned again.
final class KeptElements: Sendable {
  private let entries: [ElementBatch.Entry]
  private let input: [UInt8]
  private let copied: [UInt8]
  private let names: [XMLName]
  private let location: InputLocation

  /// Keeps the events of a batch.
  fileprivate init(_ events: borrowing ElementBatch) {
    let (entrySpan, nameSpan) = (events.entries, events.names)
    var entries: [ElementBatch.Entry] = []
    entries.reserveCapacity(entrySpan.count)
    for index in entrySpan.indices { entries.append(entrySpan[index]) }
    var names: [XMLName] = []
    names.reserveCapacity(nameSpan.count)
    for index in nameSpan.indices { names.append(nameSpan[index]) }
    (self.entries, self.names) = (entries, names)
    (input, copied) = ([UInt8](copying: events.input), [UInt8](copying: events.copied))
    location = events.location
  }

  /// The size of the events in memory in bytes, without that of their names.
  var size: Int { entries.count * MemoryLayout<ElementBatch.Entry>.stride + input.count + copied.count }

  /// Calls the delegate of a document with the events, as `XMLStream` does when it reads the document.
  ///
  /// - Parameters:
  ///   - losses: Receives a loss for each comment; nil if the delegates handle them.
  ///   - ends: Pass true to call the delegate also at the end of the document.
  func replay(
    to document: ElementDelegate, budget: Budget, losses: LossReport?, ends: Bool
  ) throws(FerryError) {
    (document as? ElementBatchDelegate)?.markupLosses = losses
    var chain = ElementChain(document: document, budget: budget, losses: losses)
    let locator = ScannedElementLocator()
    locator.begin(input, at: location)
    let (entries, input, copied, names) = (entries, input, copied, names)
    let events = ElementBatch(
      entries.span, input: input.span, copied: copied.span, names: names.span, at: location)
    do throws(EventFailure) { try chain.receive(events, locator) } catch {
      guard let start = events.start(ofElementAt: error.index).index else { throw error.error }
      locator.offset = entries[start].start
      throw error.error.placed(at: locator.elementLocation)
    }
    guard ends else { return }
    do throws(FerryError) { try chain.finish() } catch {
      throw error.placed(at: location.advanced(over: input))
    }
  }
}

/// A delegate that keeps the events of a document's elements for another reading, while it finds the shape of the document.
final class KeepingShape: ElementBatchDelegate {
  let shape: XMLShape
  /// The events; nil unless they are all events of the document, and came in one batch.
  private(set) var elements: KeptElements?
  /// True after an event that is not kept.
  private var isIncomplete = false

  init(_ shape: XMLShape) {
    self.shape = shape
    super.init()
    markup = shape.markup
  }

  override func receive(_ events: borrowing ElementBatch) throws(EventFailure) {
    if elements == nil, !isIncomplete, events.count > 0, events[0].kind == .start,
      events.endOfElement(at: 0) == events.count, events[events.count - 1].kind == .end
    {
      elements = KeptElements(events)
    } else {
      leaveOut()
    }
    try shape.receive(events)
  }

  override func delegate(for child: borrowing XMLStartTag) throws(FerryError) -> ElementDelegate? {
    leaveOut()
    return try shape.delegate(for: child)
  }

  override func text(_ text: BorrowedText) {
    leaveOut()
    shape.text(text)
  }

  override func cdata(_ text: BorrowedText) {
    leaveOut()
    shape.cdata(text)
  }

  override func comment(_ text: BorrowedText) {
    leaveOut()
    shape.comment(text)
  }

  override func processingInstruction(target: BorrowedText, data: BorrowedText) {
    leaveOut()
    shape.processingInstruction(target: target, data: data)
  }

  override func didEnd() { shape.didEnd() }

  private func leaveOut() { (elements, isIncomplete) = (nil, true) }
}
