extension XMLSource {
  /// True if the values of the document may be sent while its shape is still being found.
  var mayBeReadOnce: Bool {
    guard case nil = selection, options.schema == nil, options.xml.convention == .ferry else { return false }
    return options.elements == .values && options.xml.order != .always && options.xml.types != .attributes
  }

  /// Sends the values of the document while its shape is still being found, so that it is read only once. The shape of its beginning is
  /// found first, because it is usually that of the rest:
  ///
  ///     <people><person>Ada</person><person>Alan</person> …     `person` is a list in all of the document
  ///
  /// - Parameters:
  ///   - sink: Receives the values. Its errors are not thrown.
  ///   - lookahead: The length of the beginning in bytes. It may be 0 if several documents have a common shape.
  ///   - beginning: The shape of the beginning if it is known; otherwise nil.
  /// - Returns: The shape of the document, and false if the sink has not received its values, because the rest has elements of
  ///   another form or the sink has thrown an error. Nil if the document has types or ends in the beginning; then it was not read.
  /// - Throws: A `FerryError` with the source location if the document is invalid or exceeds the budget.
  func sendWhileFindingShape(
    into sink: any ValueSink, lookahead: Int, _ beginning: XMLShape? = nil
  ) throws(FerryError) -> (shape: XMLShape, isSent: Bool)? {
    try input.makeRewindable()
    var shape = newShape
    if lookahead > 0 {
      let head = try input.peek(upTo: lookahead)
      guard head.count == lookahead else { return nil }
      shape = if let beginning { beginning } else { try self.shape(ofBeginning: head) }
      shape.beginAgain()
    }
    guard !shape.paths.marksLists else { return nil }
    return (shape, try send(into: sink, whileFinding: shape, in: lookahead == 0 ? elements : nil))
  }

  /// Returns the shape of the first bytes of the document.
  func shape(ofBeginning head: [UInt8]) throws(FerryError) -> XMLShape {
    let shape = newShape
    try XMLStream(document: shape, budget: budget, entities: options.xml.entities).read(head.span)
    return shape
  }

  /// Sends the values of the document while its shape is still being found.
  ///
  /// - Parameters:
  ///   - sink: Receives the values. Its errors are not thrown.
  ///   - shape: The shape that was found before, to which that of the document is added.
  ///   - elements: The elements of the document; nil to read the input.
  /// - Returns: False if the sink has not received all values.
  func send(
    into sink: any ValueSink, whileFinding shape: XMLShape, in elements: KeptElements? = nil
  ) throws(FerryError) -> Bool {
    let list = recordList(in: shape)
    let records = try records(in: shape, for: sink)
    let values = XMLValueDelegate(into: records ?? sink, shape: shape, losses: losses)
    let document = XMLShapeAndValues(shape, values)
    if let elements {
      try elements.replay(to: document, budget: budget, losses: losses, ends: true)
    } else {
      let stream = try XMLStream(
        document: document, budget: budget, entities: options.xml.entities, losses: losses)
      try read(with: stream)
      didFindNames?(XMLPartNames(names: stream.namesOfDocument))
    }
    let isSent = document.isSending && recordList(in: shape) == list && completes(records)
    if !isSent { shape.ungroup(1) }
    return isSent
  }

  /// Ends the list of the records. Returns false after an error.
  private func completes(_ records: PathSelection?) -> Bool {
    do throws(FerryError) { try records?.complete() } catch { return false }
    return true
  }
}

/// A delegate that finds the shape of a document and, as long as this is the one that was known before, sends the values of its elements.
private final class XMLShapeAndValues: ElementBatchDelegate {
  private let shape: XMLShape
  private let values: XMLValueDelegate
  /// True if the values of all elements so far were sent, in the form that they should have.
  private(set) var isSending = true

  init(_ shape: XMLShape, _ values: XMLValueDelegate) {
    (self.shape, self.values) = (shape, values)
    super.init()
    markup = values.markup
  }

  override func receive(_ events: borrowing ElementBatch) throws(EventFailure) {
    try shape.receive(events)
    guard isSending else { return }
    values.markupLosses = markupLosses
    guard values.add(shape) else { return isSending = false }
    do throws(EventFailure) { try values.receive(events) } catch { isSending = false }
  }

  override func delegate(for child: borrowing XMLStartTag) throws(FerryError) -> ElementDelegate? {
    // libxml2 reads the elements that do not come in batches. Their shape could change with each of them.
    isSending = false
    return try shape.delegate(for: child)
  }

  override func text(_ text: BorrowedText) {
    shape.text(text)
    send { values throws(FerryError) in try values.text(text) }
  }

  override func cdata(_ text: BorrowedText) {
    shape.cdata(text)
    send { values throws(FerryError) in try values.cdata(text) }
  }

  override func comment(_ text: BorrowedText) {
    shape.comment(text)
    send { values throws(FerryError) in try values.comment(text) }
  }

  override func processingInstruction(target: BorrowedText, data: BorrowedText) {
    shape.processingInstruction(target: target, data: data)
    send { values throws(FerryError) in try values.processingInstruction(target: target, data: data) }
  }

  override func didEnd() {
    shape.didEnd()
    send { values throws(FerryError) in try values.didEnd() }
  }

  /// Sends an event, unless the document is to be read again: because its elements have another form, or after an error, which another
  /// form could avoid.
  private func send(_ event: (XMLValueDelegate) throws(FerryError) -> Void) {
    guard isSending else { return }
    do throws(FerryError) {
      try event(values)
      isSending = values.add(shape)
    } catch {
      isSending = false
    }
  }
}
