/// Writes JSON Lines: each element of an array as one line of compact JSON, any other value as the only line.
///
///     [{"first": "Ada"}, {"first": "Grace"}]       {"first":"Ada"}
///                                                  {"first":"Grace"}
///
/// An empty array is an empty file. What is true of `JSONWriter` is true here.
public final class JSONLinesWriter: ForwardingSink, PlainSink {
  /// A writer of one value.
  public init(to output: any ByteOutput) {
    super.init(to: JSONWriter(linesTo: output))
  }

  public var formatName: String { JSONText.formatName }
}
