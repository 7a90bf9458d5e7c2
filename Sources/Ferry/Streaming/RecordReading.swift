/// The reading of the records in an input of any format.
///
///     reader ▸ RecordMapper (with a schema) ▸ RecordSplitter ▸ exchange
struct RecordReading: Sendable {
  var options: ReadingOptions
  /// True to leave out records with errors.
  var keepsGoing: Bool
  /// Receives the error of each record that is left out.
  private let whenRecordFails: (@Sendable (FerryError) -> Void)?

  /// Creates a reading. Records are sent without references to each other.
  init(_ settings: RecordSettings) {
    (options, keepsGoing, whenRecordFails) = (settings.reading, settings.keepsGoing, settings.whenRecordFails)
    (options.shared, options.marksShared) = (.inFull, false)
    (options.findsRecordList, options.holdsOneTable) = (options.representation == .plain, true)
  }

  /// Reads an input.
  ///
  /// - Parameters:
  ///   - input: The input.
  ///   - name: The file name of the input, used if the content has no signature.
  ///   - handOn: Receives the records in batches.
  /// - Returns: The report of the reading.
  /// - Throws: A `FerryError` with the source location and the path, after the records before it were handed on.
  func read(
    _ input: any ByteInput, named name: String?,
    handingOn handOn: @escaping (RecordBatch) throws(FerryError) -> Void
  ) throws(FerryError) -> Conversion.Report {
    do throws(FerryError) { return try readUnnamed(input, named: name, handingOn: handOn) } catch {
      throw error.placed(in: input)
    }
  }

  /// Reads an input. Errors do not have its file.
  private func readUnnamed(
    _ input: any ByteInput, named name: String?,
    handingOn handOn: @escaping (RecordBatch) throws(FerryError) -> Void
  ) throws(FerryError) -> Conversion.Report {
    let detected = try DetectedInput(
      input, named: name, options, matchesSchemas: options.schema == nil && options.matchesSchemas)
    try detected.checkNotEmpty()
    let opened: OpenedInput
    do throws(FerryError) { opened = try OpenedInput(detected, options) } catch {
      throw detected.explaining(error)
    }
    var options = options
    if options.schema == nil, options.matchesSchemas, options.representation == .plain {
      options.schema = try opened.matchingSchema(options)
    }
    let (losses, locator) = (LossReport(), SourceLocator(locatesElements: true))
    let failed = keepsGoing ? FailedRecords(naming: detected.naming, handingTo: whenRecordFails) : nil
    // A selected element is a record, and a schema tells what an empty one is.
    let isWholeDocument = options.schema == nil && options.select == nil && options.representation == .plain
    let isWrapped = opened.rootTypes(options)?.wrapper != nil
    let hasRoot = opened.format.recordDialect.hasElements && !isWrapped
    let splitter = RecordSplitter(
      opened.format, isWrapped: isWrapped, locator: locator, leavesOutEmptyRoot: isWholeDocument && hasRoot,
      failed: failed, handingOn: handOn)
    let first = sink(before: splitter, opened, options, losses, locator, failed)
    let prompt = input as? any PromptInput
    prompt?.beforeWaiting = { () throws(FerryError) in try splitter.flush() }
    defer { prompt?.beforeWaiting = nil }
    do throws(FerryError) {
      try opened.send(into: first, options, losses: losses, failed: failed, locator: locator)
      try first.finish()
    } catch {
      try splitter.flush()
      var last = detected.explaining(error).placed(path: splitter.path)
      last.earlier = failed?.errors ?? []
      throw last
    }
    return Conversion.Report(
      source: opened.format, losses: losses.all, errors: failed?.errors ?? [], errorCount: failed?.count ?? 0,
      notes: opened.notes)
  }

  /// Returns the first sink of the records.
  private func sink(
    before splitter: RecordSplitter, _ opened: OpenedInput, _ options: ReadingOptions, _ losses: LossReport,
    _ locator: SourceLocator, _ failed: FailedRecords?
  ) -> any ValueSink {
    var sink: any ValueSink = splitter
    if options.expandsData {
      sink = ExpandedData(
        to: sink, budget: options.budget, asStored: options.representation == .raw, shared: options.shared,
        objectCount: opened.objectCount(options), losses: losses
      ) { splitter.path }
    }
    guard let schema = options.schema, options.representation == .plain else { return sink }
    let mapper = RecordMapper(
      schema, from: opened.recordDialect(options), to: .records, into: sink,
      options: RecordOptions(budget: options.budget),
      losses: losses, locator: locator, failed: failed)
    return RecordEnvelope(
      schema, before: mapper, to: RecordDialect.records.envelope, losses: losses, locator: locator) ?? mapper
  }
}

extension RecordDialect {
  /// The dialect of records on their own, with the types of their fields.
  static let records: RecordDialect = {
    var dialect = RecordDialect.values
    dialect.envelope = .nothing
    return dialect
  }()
}
