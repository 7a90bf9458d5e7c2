/// A reader of JSON Lines: a value on each line. The values are sent as the elements of an array.
///
///     {"first":"Ada"}           beginArray  beginDictionary … endDictionary
///     {"first":"Grace"}                     beginDictionary … endDictionary  endArray
///
/// Lines may be blank and may end with CR LF, and the last line needs no line end. A line contains at most
/// one value, and a value must not extend over several lines.
public final class JSONLinesReader: ChunkReader {
  private var parser: JSONParser
  private let calls = ReaderCalls()

  /// Creates a reader of any number of values.
  public init(into sink: any ValueSink, budget: Budget = Budget(), losses: LossReport? = nil) {
    parser = JSONParser(.lines, into: sink, budget: budget, losses: losses)
  }

  public func read(_ chunk: Span<UInt8>) throws(FerryError) {
    try calls.make { () throws(FerryError) in try parser.read(chunk) }
  }

  public func finish() throws(FerryError) {
    try calls.make { () throws(FerryError) in try parser.finish() }
  }
}
