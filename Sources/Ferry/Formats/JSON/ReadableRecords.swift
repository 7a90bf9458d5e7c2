/// A reader of JSON Lines, or of JSON with another separator of records, that skips records which are not JSON, and
/// reports them.
///
///     {"first":"Ada"}           beginArray  beginDictionary … endDictionary
///     {"first":                             (an error, with its location)
///     {"first":"Grace"}                     beginDictionary … endDictionary  endArray
///
/// A record is read completely before it is sent, so the sink never receives part of an invalid one. The
/// reader needs memory for one record.
final class ReadableRecordsReader: ChunkReader {
  private let sink: any ValueSink
  private let budget: Budget
  private let losses: LossReport?
  private let failed: FailedRecords
  private let locator: SourceLocator
  private let tapeSink: TapeSink
  private let layout: JSONLayout
  /// The byte between records.
  private let separator: UInt8
  private var record: [UInt8] = []
  /// Counts the lines up to the beginning of the current record.
  private var lines = LineCounter()
  /// True before the first separator of a text sequence, which must precede the first record.
  private var isBeforeFirst: Bool
  /// The number of records sent.
  private var count = 0
  private var hasBegun = false

  /// Creates a reader of records that are lines, or that a separator divides.
  init(_ layout: JSONLayout, into sink: any ValueSink, _ context: ReaderContext) {
    (self.sink, budget, losses) = (sink, context.budget, context.losses)
    failed = context.failed ?? FailedRecords()
    locator = context.locator ?? SourceLocator()
    tapeSink = TapeSink(locator: locator)
    self.layout = layout
    separator = layout.separator ?? UInt8(ascii: "\n")
    isBeforeFirst = layout == .textSequence
  }

  func read(_ chunk: Span<UInt8>) throws(FerryError) {
    try begin()
    var start = 0
    for index in 0..<chunk.count where chunk[index] == separator {
      try add(chunk.extracting(start..<index))
      try endRecord()
      start = index + 1
    }
    try add(chunk.extracting(start...))
  }

  func finish() throws(FerryError) {
    try begin()
    try endRecord()
    try sink.endArray()
  }

  private func begin() throws(FerryError) {
    guard !hasBegun else { return }
    hasBegun = true
    try sink.beginArray(count: nil)
  }

  private func add(_ piece: Span<UInt8>) throws(FerryError) {
    guard piece.count <= budget.tokenBytes - record.count else {
      throw FerryError(.overBudget(.tokenBytes(budget.tokenBytes)), at: InputLocation(line: lines.end.line))
    }
    record.append(copying: piece)
  }

  private func endRecord() throws(FerryError) {
    if !record.allSatisfy(\.isSpace) { try sendRecord() }
    isBeforeFirst = false
    record.append(separator)
    lines.finish(record.span)
    record.removeAll(keepingCapacity: true)
  }

  private func sendRecord() throws(FerryError) {
    let (record, found) = (record, LossReport())
    tapeSink.removeAll()
    do throws(FerryError) {
      try checkEnds(of: record)
      try JSONReader(into: tapeSink, budget: budget, losses: found, locator: locator, after: lines)
        .readAll(record.span)
    } catch {
      return failed.add(unread: explained(error))
    }
    losses?.add(found.all, under: [.index(count + failed.unreadCount)])
    count += 1
    do throws(FerryError) {
      try tapeSink.tape.replay(valueAt: .start, into: sink, locatedBy: locator)
    } catch {
      throw error.placed(at: locator.location)
    }
  }

  /// Throws if a record of a text sequence has no separator before it, or may have been cut off: if it is a number or a
  /// word without white space after it.
  private func checkEnds(of record: [UInt8]) throws(FerryError) {
    guard layout == .textSequence else { return }
    let start = record.firstIndex { !$0.isSpace } ?? 0
    if isBeforeFirst {
      throw FerryError(
        .json(.expected(layout.end, found: JSONBytes.found(record.span, at: start))),
        at: lines.location(of: start, in: record.span))
    }
    guard JSONBytes.isBare(record[start]), let last = record.last, JSONBytes.isBare(last) else { return }
    throw FerryError(.json(JSONParser.cutOff), at: lines.location(of: record.count, in: record.span))
  }

  /// Returns the error of a record that does not end after its value, in words of the format.
  private func explained(_ error: FerryError) -> FerryError {
    guard case .json(.trailingContent(let found)) = error.reason else { return error }
    let wanted = layout == .lines ? "the end of the line" : "the end of the record"
    return FerryError(.json(.expected(wanted, found: found)), at: error.location, path: error.path)
  }
}
