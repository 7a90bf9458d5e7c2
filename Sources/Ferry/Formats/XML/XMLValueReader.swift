/// Reads XML by convention, for documents that have no schema.
///
///     <people>
///       <person id="1"><name>Ada</name><note/></person>
///       <person>Alan</person>
///     </people>
///
///     {"people": {"person": [{"@id": "1", "name": "Ada", "note": ""}, "Alan"]}}
///
/// An element without attributes and children is its text. Any other is a dictionary: attributes as `@name`,
/// then children by name, then text as `#text`. White space beside children is layout and is left out, unless
/// `xml:space="preserve"` or a CDATA section marks it as content. A name that repeats anywhere under one path
/// is an array everywhere under that path (`XMLShape`). Names keep their prefixes, and namespace declarations
/// are attributes.
///
/// Elements are streamed. An element is held until its end only if children of one name are scattered among
/// other children, so that they can be sent together.
public final class XMLValueReader: ChunkReader {
  private let stream: XMLStream

  /// Creates a reader of the document with a shape.
  public init(
    into sink: any ValueSink, shape: XMLShape, budget: Budget = Budget(), losses: LossReport? = nil
  ) throws(FerryError) {
    let delegate = XMLValueDelegate(into: sink, shape: shape, losses: losses)
    stream = try XMLStream(document: delegate, budget: budget, losses: losses)
  }

  public func read(_ chunk: Span<UInt8>) throws(FerryError) { try stream.read(chunk) }

  public func finish() throws(FerryError) { try stream.finish() }

  /// Reads a document in memory, twice.
  public static func readAll(
    _ bytes: Span<UInt8>, into sink: any ValueSink, budget: Budget = Budget(), losses: LossReport? = nil
  ) throws(FerryError) {
    let shape = XMLShape(budget: budget)
    try XMLStream(document: shape, budget: budget).readAll(bytes)
    try XMLValueReader(into: sink, shape: shape, budget: budget, losses: losses).readAll(bytes)
  }
}

/// The delegate of all elements of a document that is read by convention, for a stream or for
/// `XMLTree.replay(to:)`.
public final class XMLValueDelegate: ElementDelegate {
  private var values: XMLElementValues

  /// Creates a delegate for the document with a shape.
  public init(into sink: any ValueSink, shape: XMLShape, losses: LossReport? = nil) {
    values = XMLElementValues(into: sink, paths: shape.paths, losses: losses)
    super.init()
  }

  public override func delegate(for child: borrowing XMLElement) throws(FerryError) -> ElementDelegate? {
    try values.beginChild(child.name)
    return self
  }

  public override func didStart(_ element: borrowing XMLElement) throws(FerryError) {
    try values.start(element)
  }

  public override func text(_ text: BorrowedText) { values.text(text) }

  public override func cdata(_ text: BorrowedText) { values.cdata(text) }

  public override func didEnd() throws(FerryError) { try values.end() }
}
