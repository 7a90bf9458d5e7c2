/// A delegate of a document that sends the elements which one pattern selects, and the attributes and texts which another one selects, in
/// document order.
///
///     //person[@id='7']/@id | //city
///
/// A selected element is sent at its end, so the attributes and texts in it are kept until then.
final class UnionSelector: ElementDelegate {
  private let elements: ElementSelector
  private let texts: TextSelector
  private let kept: UnionTexts
  /// The depth inside an element that one of the patterns skips.
  private var (skippedByElements, skippedByTexts) = (0, 0)

  /// Creates a delegate.
  ///
  /// - Parameters:
  ///   - elements: The selector of elements, which calls `didSendElement` of `kept` after each element that it has sent.
  ///   - texts: The pattern of attributes and texts.
  ///   - kept: Receives the attributes and texts.
  init(_ elements: ElementSelector, _ texts: XPathTextPattern, keepingIn kept: UnionTexts) {
    (self.elements, self.kept) = (elements, kept)
    self.texts = TextSelector(texts) { text throws(FerryError) in
      try kept.receive(text, elementCount: elements.openCount)
    }
    super.init()
  }

  /// The number of attributes and texts that were selected.
  var textCount: Int { texts.count }

  override func delegate(for child: borrowing XMLStartTag) throws(FerryError) -> ElementDelegate? {
    // A text that the child ends comes before the child.
    if skippedByTexts == 0 { try texts.endText() }
    let inElements = skippedByElements == 0 ? try elements.delegate(for: child) : nil
    // An attribute of the child comes after the child.
    let inTexts = skippedByTexts == 0 ? try texts.delegate(for: child) : nil
    guard inElements != nil || inTexts != nil else { return nil }
    if inElements == nil { skippedByElements += 1 }
    if inTexts == nil { skippedByTexts += 1 }
    return self
  }

  override func didStart(_ element: borrowing XMLStartTag) {
    if skippedByElements == 0 { elements.didStart(element) }
  }

  override func text(_ text: BorrowedText) {
    if skippedByElements == 0 { elements.text(text) }
    if skippedByTexts == 0 { texts.text(text) }
  }

  override func cdata(_ text: BorrowedText) throws(FerryError) {
    if skippedByElements == 0 { elements.cdata(text) }
    if skippedByTexts == 0 { try texts.cdata(text) }
  }

  override func comment(_ text: BorrowedText) throws(FerryError) {
    if skippedByElements == 0 { elements.comment(text) }
    if skippedByTexts == 0 { try texts.comment(text) }
  }

  override func processingInstruction(target: BorrowedText, data: BorrowedText) throws(FerryError) {
    if skippedByElements == 0 { elements.processingInstruction(target: target, data: data) }
    if skippedByTexts == 0 { try texts.processingInstruction(target: target, data: data) }
  }

  override func didEnd() throws(FerryError) {
    if skippedByTexts > 0 { skippedByTexts -= 1 } else { try texts.didEnd() }
    guard skippedByElements == 0 else {
      skippedByElements -= 1
      return
    }
    try elements.didEnd()
    if elements.openCount == 0 { kept.reset() }
  }
}

/// The attributes and texts in a selected element that has not ended.
final class UnionTexts {
  /// The texts, each with the number of selected elements that start before it, counted from the outermost one.
  private var texts: [(elementCount: Int, text: [UInt8])] = []
  /// The index of the next text to send.
  private var nextIndex = 0
  /// The number of elements that were sent since the outermost one has ended.
  private var sentCount = 0
  private let send: (BorrowedText) throws(FerryError) -> Void

  /// - Parameter send: Receives the attributes and texts.
  init(to send: @escaping (BorrowedText) throws(FerryError) -> Void) { self.send = send }

  /// Receives an attribute or a text.
  ///
  /// - Parameter elementCount: The number of selected elements that have started; 0 outside of them.
  fileprivate func receive(_ text: BorrowedText, elementCount: Int) throws(FerryError) {
    guard elementCount > 0 else { return try send(text) }
    texts.append((elementCount, [UInt8](copying: text.utf8)))
  }

  /// Sends the texts that come before the next selected element.
  func didSendElement() throws(EventFailure) {
    sentCount += 1
    do throws(FerryError) {
      while nextIndex < texts.count, texts[nextIndex].elementCount <= sentCount {
        let text = texts[nextIndex].text
        nextIndex += 1
        try send(BorrowedText(text.span))
      }
    } catch {
      throw EventFailure(error: error, index: 0)
    }
  }

  /// Forgets the texts, after the outermost selected element has been sent.
  fileprivate func reset() {
    texts.removeAll(keepingCapacity: true)
    (nextIndex, sentCount) = (0, 0)
  }
}
