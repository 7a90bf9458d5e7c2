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
