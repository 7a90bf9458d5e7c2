/// A reader of JSON as defined by RFC 8259, without extensions: no comments, trailing commas or NaN. Inside Ferry, it
/// also reads JSON with comments and JSON5.
///
///     let reader = JSONReader(into: writer, losses: report)
///     try input.forEachChunk { chunk in try reader.read(chunk) }
///     try reader.finish()
///     try writer.finish()
///
/// Numbers keep their notation (`DecimalText`), strings keep unpaired surrogates, and objects keep the order
/// of their entries. A key that occurs twice in an object is sent twice, and reported to `losses`.
///
/// The reader needs memory for one token, for the open containers and, if losses are reported, for the keys
/// of the open objects.
public final class JSONReader: ChunkReader {
  private var parser: JSONParser
  private let calls = ReaderCalls()

  /// Creates a reader of a single value.
  public init(into sink: any ValueSink, budget: Budget = Budget(), losses: LossReport? = nil) {
    parser = JSONParser(.document, into: sink, budget: budget, losses: losses)
  }

  init(
    _ dialect: JSONDialect = .strict, into sink: any ValueSink, budget: Budget, losses: LossReport?,
    locator: SourceLocator?
  ) {
    parser = JSONParser(
      .document, dialect, into: sink, budget: budget, losses: losses, locator: locator)
  }

  public func read(_ chunk: Span<UInt8>) throws(FerryError) {
    try calls.make { () throws(FerryError) in try parser.read(chunk) }
  }

  public func finish() throws(FerryError) {
    try calls.make { () throws(FerryError) in try parser.finish() }
  }

  /// Reads a text that is a value of another format, such as a cell of CSV.
  ///
  /// - Throws: A `FerryError` without a source location: one in the text would be mistaken for one in the file.
  static func read(
    nested text: Span<UInt8>, into sink: any ValueSink, budget: Budget, losses: LossReport? = nil
  ) throws(FerryError) {
    do throws(FerryError) {
      // A parser alone, because there may be such a text in each record.
      var parser = JSONParser(.document, into: sink, budget: budget, losses: losses, locatesLosses: false)
      try parser.read(text)
      try parser.finish()
    } catch {
      var error = error
      error.location = InputLocation()
      throw error
    }
  }
}
