/// A writer of JSON Lines. Each element of an array becomes a line of compact JSON. Any other value becomes
/// the only line.
///
///     [{"first": "Ada"}, {"first": "Grace"}]       {"first":"Ada"}
///                                                  {"first":"Grace"}
///
/// An empty array becomes an empty file. Values are written like those of `JSONWriter`.
public final class JSONLinesWriter: ForwardingSink, PlainSink, PromptWriter, BatchSink {
  private let writer: JSONWriter

  /// Creates a writer of one value.
  public init(to output: any ByteOutput) {
    writer = JSONWriter(to: output, style: .compact, .lines)
    super.init(to: writer)
  }

  /// Writes the complete lines to the output.
  func flushComplete() throws(FerryError) { try writer.flushComplete() }

  var prefersBatches: Bool { true }
  func receive(_ events: borrowing EventBatch) throws(EventFailure) { try writer.receive(events) }

  public var formatName: String { JSONPrinter.formatName }
}
