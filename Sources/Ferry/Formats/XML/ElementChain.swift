/// The delegates of all open elements. The last delegate receives the events.
///
/// A reader of a document, as a stream or as a tree, calls the chain for each event, and the chain calls the
/// delegate.
struct ElementChain: ~Copyable {
  private var inCharge: Unretained<ElementDelegate>
  /// The delegates of all open elements: first that of the document, last the one that receives events. The
  /// array retains them.
  private var delegates: [ElementDelegate]
  /// The depth inside an element that has no delegate and is skipped.
  private var skipped = 0
  private var depth = 0
  /// The number of bytes of text since the last tag.
  private var textBytes = 0
  private let maximumDepth: Int
  private let maximumTextBytes: Int
  private let losses: LossReport?
  /// The delegate of the document, if it takes the events of all elements in batches.
  private let batchDelegate: ElementBatchDelegate?
  private var attributes = XMLAttributes()

  /// Creates a chain with the delegate of the document, which returns the delegate for the root element.
  init(document: ElementDelegate, budget: Budget, losses: LossReport?) {
    inCharge = Unretained(document)
    delegates = [document]
    maximumDepth = budget.depth
    maximumTextBytes = budget.tokenBytes
    self.losses = losses
    batchDelegate = document as? ElementBatchDelegate
  }

  /// Forwards the events of a batch.
  ///
  /// - Parameter locator: Receives the offset of each element for which delegates are called.
  mutating func receive(_ events: borrowing ElementBatch, _ locator: ScannedElementLocator)
    throws(EventFailure)
  {
    if let batchDelegate { return try batchDelegate.receive(events) }
    var attributes = XMLAttributes()
    swap(&attributes, &self.attributes)
    defer { swap(&attributes, &self.attributes) }
    var index = 0
    while index < events.count {
      if events[index].kind == .start {
        let end = try receive(childrenOf: events, from: index)
        guard end == index else {
          index = end
          continue
        }
        locator.offset = events[index].start
      }
      do throws(FerryError) {
        if events.hasOnlyText(at: index) {
          try send(elementWithText: index, of: events, locator)
          index += 3
        } else {
          try events.send(index, to: &self, &attributes, locator)
          index += 1
        }
      } catch {
        throw EventFailure(error: error, index: index)
      }
    }
  }

  /// Lets the delegate in charge receive whole children, and returns the index of the first event that it has not received.
  private mutating func receive(
    childrenOf events: borrowing ElementBatch, from index: Int
  ) throws(EventFailure) -> Int {
    guard skipped == 0 else { return index }
    let received: Result<Int, EventFailure> = inCharge.lend { delegate in
      do throws(EventFailure) { return .success(try delegate.receive(childrenOf: events, from: index)) } catch
      {
        return .failure(error)
      }
    }
    let end = try received.get()
    if end > index { textBytes = 0 }
    return end
  }

  /// Sends an element without attributes that has only text.
  private mutating func send(
    elementWithText index: Int, of events: borrowing ElementBatch, _ locator: ElementLocator
  ) throws(FerryError) {
    try deepen()
    defer { (depth, textBytes) = (depth - 1, 0) }
    guard skipped == 0 else { return }
    let element = XMLStartTag(
      name: Unretained(events.name(events[index])), attributes: Span(), attributeCount: 0, values: Span(),
      locator: Unretained(locator))
    var child: ElementDelegate?
    try inCharge.lend { parent throws(FerryError) in child = try parent.delegate(for: element) }
    guard let child else { return }
    let text = events.text(events[index + 1])
    try check(text)
    if try !child.receive(onlyText: text) {
      try child.didStart(element)
      try child.text(text)
      try child.didEnd()
    }
    try inCharge.lend { parent throws(FerryError) in try parent.childDidFinish(child) }
  }

  /// Continues with single events inside open elements.
  mutating func resume(depth: Int, textBytes: Int) {
    guard batchDelegate != nil else { return }
    (self.depth, self.textBytes) = (depth, textBytes)
    for _ in 0..<depth { delegates.append(delegates[0]) }
  }

  /// True inside a skipped element, where names and attributes are not needed.
  var isSkipping: Bool { skipped > 0 }

  /// Starts an element inside a skipped element.
  mutating func startSkipped() throws(FerryError) {
    try deepen()
    skipped += 1
  }

  /// Starts an element.
  mutating func start(_ element: borrowing XMLStartTag) throws(FerryError) {
    try deepen()
    var next: ElementDelegate?
    try inCharge.lend { parent throws(FerryError) in next = try parent.delegate(for: element) }
    guard let next else {
      skipped = 1
      return
    }
    inCharge = Unretained(next)
    delegates.append(next)
    try inCharge.lend { delegate throws(FerryError) in try delegate.didStart(element) }
  }

  private mutating func deepen() throws(FerryError) {
    guard depth < maximumDepth else { throw FerryError(.overBudget(.depth(maximumDepth))) }
    depth += 1
    textBytes = 0
  }

  /// Ends the innermost element.
  mutating func end() throws(FerryError) {
    depth -= 1
    textBytes = 0
    guard skipped == 0 else {
      skipped -= 1
      return
    }
    try inCharge.lend { child throws(FerryError) in try child.didEnd() }
    guard delegates.count > 1, let child = delegates.popLast() else { return }
    inCharge = Unretained(delegates[delegates.count - 1])
    try inCharge.lend { parent throws(FerryError) in try parent.childDidFinish(child) }
  }

  /// Forwards text of an element, or of a CDATA section.
  mutating func text(_ text: BorrowedText, isCDATA: Bool = false) throws(FerryError) {
    guard skipped == 0 else { return }
    try check(text)
    try inCharge.lend { delegate throws(FerryError) in
      if isCDATA { try delegate.cdata(text) } else { try delegate.text(text) }
    }
  }

  private mutating func check(_ text: BorrowedText) throws(FerryError) {
    textBytes += text.utf8.count
    guard textBytes <= maximumTextBytes else { throw FerryError(.overBudget(.tokenBytes(maximumTextBytes))) }
  }

  /// Forwards a comment, whose source location is computed for a loss.
  func comment(_ text: BorrowedText, at location: @autoclosure () -> InputLocation) throws(FerryError) {
    if batchDelegate?.markup.contains(.comments) != true { losses?.add(.comment, at: location()) }
    guard skipped == 0 else { return }
    try inCharge.lend { delegate throws(FerryError) in try delegate.comment(text) }
  }

  /// Forwards a processing instruction, whose source location is computed for a loss.
  func processingInstruction(
    target: BorrowedText, data: BorrowedText, at location: @autoclosure () -> InputLocation
  ) throws(FerryError) {
    if batchDelegate?.markup.contains(.instructions) != true {
      losses?.add(.processingInstruction, at: location())
    }
    guard skipped == 0 else { return }
    try inCharge.lend { delegate throws(FerryError) in
      try delegate.processingInstruction(target: target, data: data)
    }
  }

  /// Reports a document type declaration as a loss.
  func doctype(at location: @autoclosure () -> InputLocation) { losses?.add(.doctype, at: location()) }

  /// Reports a dropped reference to an entity that may be declared outside of the document.
  func undeclaredEntity(at location: @autoclosure () -> InputLocation) {
    losses?.add(.undeclaredEntity, at: location())
  }

  /// Ends the document.
  func finish() throws(FerryError) {
    try inCharge.lend { document throws(FerryError) in try document.didEnd() }
  }
}
