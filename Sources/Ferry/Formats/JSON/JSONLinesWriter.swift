/// A writer of JSON Lines: each element of an array as a line of compact JSON, any other value as the only
/// line.
///
///     [{"first": "Ada"}, {"first": "Grace"}]       {"first":"Ada"}
///                                                  {"first":"Grace"}
///
/// An empty array is an empty file. The notation of values is that of `JSONWriter`.
public final class JSONLinesWriter: ForwardingSink, PlainSink {
  private let writer: JSONWriter

  /// Creates a writer of one value.
  public init(to output: any ByteOutput) {
    writer = JSONWriter(linesTo: output)
    super.init(to: writer)
  }

  /// Writes the complete lines to the output, before waiting for others.
  func flushLines() throws(FerryError) { try writer.flushLines() }

  public var formatName: String { JSONText.formatName }
}
