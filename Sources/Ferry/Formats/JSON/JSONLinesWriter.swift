/// A writer of JSON Lines: each element of an array as a line of compact JSON, any other value as the only
/// line.
///
///     [{"first": "Ada"}, {"first": "Grace"}]       {"first":"Ada"}
///                                                  {"first":"Grace"}
///
/// An empty array is an empty file. The notation of values is that of `JSONWriter`.
public final class JSONLinesWriter: ForwardingSink, PlainSink {
  /// Creates a writer of one value.
  public init(to output: any ByteOutput) {
    super.init(to: JSONWriter(linesTo: output))
  }

  public var formatName: String { JSONText.formatName }
}
