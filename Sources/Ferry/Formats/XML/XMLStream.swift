/// A streaming reader of XML. It passes each element to its delegate immediately, and keeps nothing in
/// memory.
///
///     let stream = try XMLStream(document: document)
///     while let chunk = source.next() { try stream.read(chunk) }
///     try stream.finish()
///
/// Documents may be in UTF-8, UTF-16 or another declared encoding that the system supports. Internal entities
/// are expanded. External entities and undeclared entities throw an error; no other file is ever read. A
/// document that is not well-formed, or breaks the rules for namespaces, throws an error with its line,
/// column and byte offset.
public final class XMLStream: ChunkReader {
  private let parser: XMLPushParser
  private let calls = ReaderCalls()

  /// Creates a reader.
  ///
  /// - Parameters:
  ///   - document: The delegate of the document, which returns the delegate for the root element.
  ///   - budget: The limits on the cost of the document.
  ///   - entities: The entities that the document may refer to without declaring them.
  ///   - losses: Receives a loss for each comment, processing instruction and document type declaration. Pass
  ///     nil if the delegates handle them.
  /// - Throws: An error if a parser cannot be created. libxml2's is created when it is needed, possibly by `read`.
  public convenience init(
    document: ElementDelegate, budget: Budget = Budget(), entities: XMLEntities = XMLEntities(),
    losses: LossReport? = nil
  ) throws(FerryError) {
    try self.init(document: document, budget: budget, entities: entities, losses: losses, mayScan: true)
  }

  /// Creates a reader. Without `mayScan`, libxml2 reads the whole document.
  init(
    document: ElementDelegate, budget: Budget, entities: XMLEntities = XMLEntities(), losses: LossReport?,
    mayScan: Bool
  ) throws(FerryError) {
    (document as? ElementBatchDelegate)?.markupLosses = losses
    let chain = ElementChain(document: document, budget: budget, losses: losses)
    parser = try XMLPushParser(to: chain, budget: budget, entities: entities, mayScan: mayScan)
  }

  /// The locations in the whole input, if the document is the rest of it; otherwise nil. Only the lines in the texts of errors are moved.
  var movedLocations: MovedLocations? {
    get { parser.movedLocations }
    set { parser.movedLocations = newValue }
  }

  /// The names in the earlier parts of the input, which count for the limit.
  var namesBefore: [XMLName] {
    get { parser.namesBefore }
    set { parser.namesBefore = newValue }
  }

  /// The names in the document so far, and in its earlier parts.
  var namesOfDocument: [XMLName] { parser.namesOfDocument }

  /// The number of dropped references to entities that may be declared outside of the document.
  var leftOutReferences: Int { parser.leftOutReferences }

  public func read(_ chunk: Span<UInt8>) throws(FerryError) {
    try calls.make { () throws(FerryError) in try parser.read(chunk) }
  }

  public func finish() throws(FerryError) {
    try calls.make { () throws(FerryError) in try parser.finish() }
  }
}
