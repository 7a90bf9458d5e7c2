/// A reader of XML documents without a schema. It converts elements to values by convention:
///
///     <people>
///       <person id="1"><name>Ada</name><note/></person>
///       <person>Alan</person>
///     </people>
///
///     {"people": {"person": [{"@id": "1", "name": "Ada", "note": ""}, "Alan"]}}
///
/// An element without attributes and children becomes its text. Any other element becomes a dictionary:
/// attributes as `@name`, then children by name, then text as `#text`. White space next to children is
/// dropped as layout, unless `xml:space="preserve"` or a CDATA section marks it as content. If a name repeats
/// anywhere under a path, it is an array everywhere under this path (see `XMLShape`). Names keep their
/// prefixes, and namespace declarations are read as attributes.
///
/// If an element with a path contains text beside elements, or other elements between those of one name, the contents of
/// all elements with this path are a list in document order (see `XMLOrder`):
///
///     <p id="1">one <b>two</b></p>     {"p": {"@id": "1", "#content": ["one ", {"b": "two"}]}}
///
/// Elements are streamed. Without `#content`, an element is buffered until its end if children with the same name are not
/// adjacent, because they must be sent together.
public final class XMLValueReader: ChunkReader {
  private let stream: XMLStream

  /// Creates a reader of a document whose shape is known. It reads the types that attributes give values, if the shape has found
  /// that the document was written with them, or has the option for them.
  public convenience init(
    into sink: any ValueSink, shape: XMLShape, budget: Budget = Budget(),
    entities: XMLEntities = XMLEntities(),
    losses: LossReport? = nil
  ) throws(FerryError) {
    try self.init(into: sink, shape: shape, budget: budget, entities: entities, losses: losses, locator: nil)
  }

  /// Creates a reader of a document whose shape is known.
  ///
  /// - Parameter locator: Receives the source locations of elements; nil if no sink needs them.
  init(
    into sink: any ValueSink, shape: XMLShape, budget: Budget, entities: XMLEntities, losses: LossReport?,
    locator: SourceLocator?
  ) throws(FerryError) {
    let delegate = XMLValueDelegate(into: sink, shape: shape, losses: losses, locator: locator)
    stream = try XMLStream(document: delegate, budget: budget, entities: entities, losses: losses)
  }

  public func read(_ chunk: Span<UInt8>) throws(FerryError) { try stream.read(chunk) }

  public func finish() throws(FerryError) { try stream.finish() }

  /// Reads a document in memory, in two passes.
  ///
  /// - Throws: A `FerryError` with the source location if the document is invalid or exceeds the budget, or
  ///   an error of the sink.
  public static func readAll(
    _ bytes: Span<UInt8>, into sink: any ValueSink, budget: Budget = Budget(), losses: LossReport? = nil
  ) throws(FerryError) {
    let shape = XMLShape(budget: budget)
    try XMLStream(document: shape, budget: budget).readAll(bytes)
    try XMLValueReader(into: sink, shape: shape, budget: budget, losses: losses).readAll(bytes)
  }
}

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
