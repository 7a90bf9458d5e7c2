/// A delegate that reads all elements of a document without a schema, from a stream or from
/// `XMLTree.replay(to:)`.
public final class XMLValueDelegate: ElementBatchDelegate {
  private var parser: XMLValueParser

  /// Creates a delegate for a document whose shape is known.
  public convenience init(into sink: any ValueSink, shape: XMLShape, losses: LossReport? = nil) {
    self.init(into: sink, shape: shape, losses: losses, locator: nil)
  }

  /// Creates a delegate for a document whose shape is known.
  ///
  /// - Parameter locator: Receives the source locations of elements; nil if no sink needs them.
  convenience init(
    into sink: any ValueSink, shape: XMLShape, losses: LossReport?, locator: SourceLocator?
  ) {
    let first = shape.paths.readsTypes ? XMLTypedValues(to: sink, style: shape.paths.namespaces) : sink
    self.init(into: first, shape: shape, losses: losses, keepsSpace: false, locator: locator)
  }

  /// Creates a delegate for an element that inherits the value of `xml:space`. The sink reads the types.
  init(
    into sink: any ValueSink, shape: XMLShape, losses: LossReport?, keepsSpace: Bool, locator: SourceLocator?
  ) {
    parser = XMLValueParser(
      into: sink, paths: shape.paths, losses: losses, keepsSpace: keepsSpace, locator: locator)
    super.init()
    markup = shape.paths.markup
  }

  public override func delegate(for child: borrowing XMLStartTag) throws(FerryError) -> ElementDelegate? {
    if let locator = parser.locator, parser.open.isEmpty { locator.move(to: child.location) }
    try parser.beginChild(child.name)
    return self
  }

  public override func didStart(_ element: borrowing XMLStartTag) throws(FerryError) {
    try parser.start(element)
  }

  override func receive(_ events: borrowing ElementBatch) throws(EventFailure) {
    try parser.receive(events, markupLosses: markupLosses)
  }

  /// Adds the paths of a shape. Returns false if they have another form than the values that were sent.
  func add(_ shape: XMLShape) -> Bool { parser.add(shape.paths) }

  public override func text(_ text: BorrowedText) throws(FerryError) { try parser.text(text) }

  public override func cdata(_ text: BorrowedText) throws(FerryError) { try parser.cdata(text) }

  public override func comment(_ text: BorrowedText) throws(FerryError) { try parser.comment(text) }

  public override func processingInstruction(
    target: BorrowedText, data: BorrowedText
  ) throws(FerryError) {
    try parser.instruction(target: target, data: data)
  }

  public override func didEnd() throws(FerryError) { try parser.end() }
}
