/// The delegates of the elements that are open, the last of them in charge.
///
/// Whoever reads a document, as a stream or as a tree, tells the chain what it meets; the chain tells the
/// delegates.
struct ElementChain: ~Copyable {
  private var inCharge: Unretained<ElementDelegate>
  /// The delegates of all open elements, the document's first and the one in charge last, which keeps them
  /// alive.
  private var delegates: [ElementDelegate]
  /// How deep we are in an element that nobody takes.
  private var skipped = 0
  private var depth = 0
  /// Bytes of text since the last tag.
  private var textBytes = 0
  private let maximumDepth: Int
  private let maximumTextBytes: Int
  private let losses: LossReport?

  /// A chain of one: `document` is asked who takes the root element.
  init(document: ElementDelegate, budget: Budget, losses: LossReport?) {
    inCharge = Unretained(document)
    delegates = [document]
    maximumDepth = budget.depth
    maximumTextBytes = budget.tokenBytes
    self.losses = losses
  }

  /// Whether nobody takes what is read now, and an element's name and attributes need not be known.
  var isSkipping: Bool { skipped > 0 }

  /// An element starts inside one that is skipped.
  mutating func startSkipped() throws(Failure) {
    try deepen()
    skipped += 1
  }

  /// An element starts.
  mutating func start(_ element: borrowing XMLElement) throws(Failure) {
    try deepen()
    var next: ElementDelegate?
    try inCharge.lend { parent throws(Failure) in next = try parent.delegate(for: element) }
    guard let next else {
      skipped = 1
      return
    }
    inCharge = Unretained(next)
    delegates.append(next)
    try inCharge.lend { delegate throws(Failure) in try delegate.didStart(element) }
  }

  private mutating func deepen() throws(Failure) {
    guard depth < maximumDepth else { throw Failure(.overBudget(.depth(maximumDepth))) }
    depth += 1
    textBytes = 0
  }

  /// The element started last ends.
  mutating func end() throws(Failure) {
    depth -= 1
    textBytes = 0
    guard skipped == 0 else {
      skipped -= 1
      return
    }
    try inCharge.lend { child throws(Failure) in try child.didEnd() }
    guard delegates.count > 1, let child = delegates.popLast() else { return }
    inCharge = Unretained(delegates[delegates.count - 1])
    try inCharge.lend { parent throws(Failure) in try parent.childDidFinish(child) }
  }

  /// Text, of a CDATA section or of none.
  mutating func text(_ text: Text, isCDATA: Bool = false) throws(Failure) {
    guard skipped == 0 else { return }
    textBytes += text.utf8.count
    guard textBytes <= maximumTextBytes else { throw Failure(.overBudget(.tokenBytes(maximumTextBytes))) }
    try inCharge.lend { delegate throws(Failure) in
      if isCDATA { try delegate.cdata(text) } else { try delegate.text(text) }
    }
  }

  /// A comment.
  func comment(_ text: Text) throws(Failure) {
    losses?.add(.comment)
    guard skipped == 0 else { return }
    try inCharge.lend { delegate throws(Failure) in try delegate.comment(text) }
  }

  /// A processing instruction.
  func processingInstruction(target: Text, data: Text) throws(Failure) {
    losses?.add(.processingInstruction)
    guard skipped == 0 else { return }
    try inCharge.lend { delegate throws(Failure) in
      try delegate.processingInstruction(target: target, data: data)
    }
  }

  /// A document type declaration.
  func doctype() { losses?.add(.doctype) }

  /// A reference to an entity that may be declared where Ferry does not read.
  func undeclaredEntity() { losses?.add(.undeclaredEntity) }

  /// The document ends.
  func finish() throws(Failure) {
    try inCharge.lend { document throws(Failure) in try document.didEnd() }
  }
}
