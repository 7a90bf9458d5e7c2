/// A streaming reader of XML: each element goes to its delegate as soon as it has been read, and nothing is
/// kept.
///
///     let stream = try XMLStream(document: document)
///     while let chunk = source.next() { try stream.read(chunk) }
///     try stream.finish()
///
/// Documents may be in UTF-8, UTF-16 or any declared encoding that the system knows. Internal entities are
/// expanded. External entities, and references to undeclared entities, are refused, and no other file is ever
/// read. A document that is not well-formed, or violates the rules for namespaces, is refused with its line,
/// column and byte.
public final class XMLStream: ChunkReader {
  private let parser: XMLPushParser

  /// Creates a reader. Its `document` delegate is asked for the delegate of the root element, and told of the
  /// end of the document.
  ///
  /// Comments, processing instructions and document type declarations are added to `losses`. Pass nil if the
  /// delegates handle them.
  ///
  /// - Parameters:
  ///   - document: The delegate of the document.
  ///   - budget: The limits on the cost of the document.
  ///   - losses: Receives the parts that delegates do not see.
  public init(document: ElementDelegate, budget: Budget = Budget(), losses: LossReport? = nil)
    throws(FerryError)
  {
    let chain = ElementChain(document: document, budget: budget, losses: losses)
    parser = try XMLPushParser(to: chain, budget: budget)
  }

  public func read(_ chunk: Span<UInt8>) throws(FerryError) { try parser.read(chunk) }

  public func finish() throws(FerryError) { try parser.finish() }
}
