/// A reader of JSON that accepts exactly RFC 8259: no comments, no trailing commas, no NaN.
///
///     let reader = JSONReader(into: writer, losses: report)
///     try input.forEachChunk { chunk in try reader.read(chunk) }
///     try reader.finish()
///     try writer.finish()
///
/// Numbers keep their notation (`DecimalText`), strings their unpaired surrogates, objects the order of their
/// entries. A key that occurs twice in one object is sent twice, and reported to `losses` once.
///
/// The memory is that of one token, of the open containers and, if losses are reported, of the keys of the
/// open objects.
public final class JSONReader: ChunkReader {
  private var parser: JSONParser

  /// Creates a reader of one value, which is sent to `sink`.
  public init(into sink: any ValueSink, budget: Budget = Budget(), losses: LossReport? = nil) {
    parser = JSONParser(.document, into: sink, budget: budget, losses: losses)
  }

  init(into sink: any ValueSink, budget: Budget, losses: LossReport?, locator: SourceLocator?) {
    parser = JSONParser(.document, into: sink, budget: budget, losses: losses, locator: locator)
  }

  public func read(_ chunk: Span<UInt8>) throws(FerryError) { try parser.read(chunk) }
  public func finish() throws(FerryError) { try parser.finish() }
}

/// A reader of JSON Lines: one value on each line, sent as the elements of one array.
///
///     {"first":"Ada"}           beginArray  beginDictionary … endDictionary
///     {"first":"Grace"}                     beginDictionary … endDictionary  endArray
///
/// Lines may be blank, may end in CR LF, and the last needs no end. A value must end on its line, and be the
/// only one there.
public final class JSONLinesReader: ChunkReader {
  private var parser: JSONParser

  /// Creates a reader of any number of values, which are sent to `sink` as an array.
  public init(into sink: any ValueSink, budget: Budget = Budget(), losses: LossReport? = nil) {
    parser = JSONParser(.lines, into: sink, budget: budget, losses: losses)
  }

  init(into sink: any ValueSink, budget: Budget, losses: LossReport?, locator: SourceLocator?) {
    parser = JSONParser(.lines, into: sink, budget: budget, losses: losses, locator: locator)
  }

  public func read(_ chunk: Span<UInt8>) throws(FerryError) { try parser.read(chunk) }
  public func finish() throws(FerryError) { try parser.finish() }
}
