/// The receiver of records of JSON Lines, or of JSON with another separator, that are sent if they are JSON, and left out and
/// reported if they are not.
///
///     {"first":"Ada"}           beginArray  beginDictionary … endDictionary
///     {"first":                             (an error, with its location)
///     {"first":"Grace"}                     beginDictionary … endDictionary  endArray
///
/// A `JSONParser` reads the records, so the same ones are accepted and refused as without this receiver. A record is read
/// completely before it is sent, so the sink never receives part of an invalid one. That needs memory for the events of one
/// record.
final class ReadableRecords {
  private let sink: any ValueSink
  private let losses: LossReport?
  private let failed: FailedRecords
  /// Receives the source location of each event from the parser.
  let locator: SourceLocator
  /// The events of the current record.
  let events: TapeSink
  /// The losses in the current record.
  let found = LossReport()
  /// The number of records sent.
  private var sentCount = 0

  init(into sink: any ValueSink, _ context: ReaderContext) {
    (self.sink, losses) = (sink, context.losses)
    failed = context.failed ?? FailedRecords()
    locator = context.locator ?? SourceLocator()
    events = TapeSink(locator: locator)
  }

  /// The number of records so far.
  var count: Int { sentCount + failed.unreadCount }

  /// Begins the list of records.
  func begin() throws(FerryError) { try sink.beginArray(count: nil) }

  /// Ends the list of records.
  func finish() throws(FerryError) { try sink.endArray() }

  /// Sends the current record, unless it is blank.
  func send() throws(FerryError) {
    guard events.tape.count > 0 else { return }
    losses?.add(found.take())
    sentCount += 1
    do throws(FerryError) {
      try events.tape.replay(valueAt: .start, into: sink, locatedBy: locator)
    } catch {
      throw error.placed(at: locator.location)
    }
    events.removeAll()
  }

  /// Leaves out the current record, and reports its error.
  func leaveOut(_ error: FerryError) {
    events.removeAll()
    _ = found.take()
    failed.add(unread: error)
  }
}
