/// Reads XML as a stream: each element goes to its delegate as soon as it has been read, and nothing is kept.
///
///     let stream = try XMLStream(document: document)
///     while let chunk = source.next() { try stream.read(chunk) }
///     try stream.finish()
///
/// Documents are in UTF-8, UTF-16 or any encoding they declare that the system knows. Internal entities are
/// expanded; external ones, and references to entities that are not declared, are refused, and no other file
/// is ever read. What is not well-formed, or not by the rules for namespaces, is refused with its line,
/// column and byte.
public final class XMLStream: ChunkReader {
  private let parser: XMLPushParser

  /// A reader whose `document` delegate is asked who takes the root element, and told when the document ends.
  ///
  /// Comments, processing instructions and document type declarations are added to `losses`, unless it is nil
  /// because the delegates do something with them.
  public init(document: ElementDelegate, budget: Budget = Budget(), losses: LossReport? = nil) throws(Failure)
  {
    let chain = ElementChain(document: document, budget: budget, losses: losses)
    parser = try XMLPushParser(to: chain, budget: budget)
  }

  public func read(_ chunk: Span<UInt8>) throws(Failure) { try parser.read(chunk) }

  public func finish() throws(Failure) { try parser.finish() }
}
