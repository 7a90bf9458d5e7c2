/// The chain of the delegates of all open elements. The last delegate is in charge.
///
/// A reader of a document, as a stream or as a tree, calls the chain for each event; the chain calls the
/// delegates.
struct ElementChain: ~Copyable {
  private var inCharge: Unretained<ElementDelegate>
  /// The delegates of all open elements, with the document's first and the one in charge last. The array
  /// keeps them alive.
  private var delegates: [ElementDelegate]
  /// The depth inside an element that no delegate handles.
  private var skipped = 0
  private var depth = 0
  /// The number of text bytes since the last tag.
  private var textBytes = 0
  private let maximumDepth: Int
  private let maximumTextBytes: Int
  private let losses: LossReport?

  /// Creates a chain of one: `document` is asked for the delegate of the root element.
  init(document: ElementDelegate, budget: Budget, losses: LossReport?) {
    inCharge = Unretained(document)
    delegates = [document]
    maximumDepth = budget.depth
    maximumTextBytes = budget.tokenBytes
    self.losses = losses
  }

  /// True if no delegate handles the current content, so that names and attributes are not needed.
  var isSkipping: Bool { skipped > 0 }

  /// Starts an element inside a skipped one.
  mutating func startSkipped() throws(FerryError) {
    try deepen()
    skipped += 1
  }

  /// Starts an element.
  mutating func start(_ element: borrowing XMLElement) throws(FerryError) {
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

  /// Passes on text, which may be that of a CDATA section.
  mutating func text(_ text: BorrowedText, isCDATA: Bool = false) throws(FerryError) {
    guard skipped == 0 else { return }
    textBytes += text.utf8.count
    guard textBytes <= maximumTextBytes else { throw FerryError(.overBudget(.tokenBytes(maximumTextBytes))) }
    try inCharge.lend { delegate throws(FerryError) in
      if isCDATA { try delegate.cdata(text) } else { try delegate.text(text) }
    }
  }

  /// Passes on a comment.
  func comment(_ text: BorrowedText) throws(FerryError) {
    losses?.add(.comment)
    guard skipped == 0 else { return }
    try inCharge.lend { delegate throws(FerryError) in try delegate.comment(text) }
  }

  /// Passes on a processing instruction.
  func processingInstruction(target: BorrowedText, data: BorrowedText) throws(FerryError) {
    losses?.add(.processingInstruction)
    guard skipped == 0 else { return }
    try inCharge.lend { delegate throws(FerryError) in
      try delegate.processingInstruction(target: target, data: data)
    }
  }

  /// Records a document type declaration.
  func doctype() { losses?.add(.doctype) }

  /// Records a reference that was left out, because its entity may be declared outside of the document.
  func undeclaredEntity() { losses?.add(.undeclaredEntity) }

  /// Ends the document.
  func finish() throws(FerryError) {
    try inCharge.lend { document throws(FerryError) in try document.didEnd() }
  }
}
