/// A reading of the values of an input in plain form, as a text in JSON has them, whose records a schema maps.
///
///     var reading = PlainReading(options)
///     reading.options.schema = schema
///     let result = try reading.send(input, named: "people.archive", into: sink)
///     result.losses        // the data that the sink did not get
struct PlainReading: Sendable {
  /// The options for reading the input: its format, schema and selection, and the budget. The plain form determines its representation and
  /// the treatment of objects.
  var options: ReadingOptions
  /// The dialect of the records that the sink receives.
  var dialect = RecordDialect.json
  /// The kinds of values that the sink takes.
  var capabilities = FormatCapabilities.json
  /// True to send only the list of records of a document without a schema, if it has one.
  var findsRecordList = false
  /// True to leave out records that do not conform to their schema. Their errors are in the result.
  var keepsGoing = false
  /// Receives the error of each record that is left out, in the order of the records, as soon as it is known.
  var whenRecordFails: (@Sendable (FerryError) -> Void)?
  /// True to report keys that the schema does not describe.
  var reportsUndeclaredKeys = false
  /// True to leave out records that have the key of an earlier one, with `keepsGoing`.
  var checksKeys = false

  /// Creates a reading for a sink that takes the values of JSON.
  init(_ options: ReadingOptions = ReadingOptions()) { self.options = options }

  /// The result of a reading.
  struct Result {
    /// The data that the sink did not get.
    var losses: Losses
    /// The errors of the records that were left out; of many, the first 10,000.
    var errors: [FerryError]
    /// The number of records that were left out.
    var errorCount: Int
    /// The number of records that the schema maps, including those that are left out. It is 0 without a schema.
    var recordCount: Int
  }

  /// Sends the values of an input to a sink, and finishes the sink.
  ///
  /// - Parameters:
  ///   - input: The input.
  ///   - name: The file name of the input, used if the content has no signature.
  ///   - sink: Receives the values.
  /// - Throws: A `FerryError` with the source location and the path.
  func send(
    _ input: any ByteInput, named name: String?, into sink: any ValueSink
  ) throws(FerryError) -> Result {
    try withOpened(input, named: name) { source, detected throws(FerryError) in
      try send(source, detected, into: sink)
    }
  }

  /// Sends the values of an input as its reader sends them, without the schema, and finishes the sink.
  ///
  /// - Parameter makeSink: Returns the sink for the values, whose records have a dialect.
  func sendUnmapped(
    _ input: any ByteInput, named name: String?, into makeSink: (RecordDialect) -> any ValueSink
  ) throws(FerryError) {
    try withOpened(input, named: name) { source, detected throws(FerryError) in
      let reading = try sendingOptions(of: source)
      let sink = makeSink(source.recordDialect(reading))
      do throws(FerryError) {
        try source.send(
          into: sink, reading, losses: LossReport(), locator: locator(reading.schema, of: source))
        try sink.finish()
      } catch {
        throw options.placed(detected.withReason(error), of: source, at: ValuePath(), reading.schema)
      }
    }
  }

  /// Opens an input, and calls a function with it. Errors get the name of the input.
  private func withOpened<Result>(
    _ input: any ByteInput, named name: String?,
    _ body: (OpenedInput, DetectedInput) throws(FerryError) -> Result
  ) throws(FerryError) -> Result {
    do throws(FerryError) {
      let detected = try options.detected(input, named: name)
      try detected.checkNotEmpty()
      do throws(FerryError) {
        let source = try OpenedInput(detected, plainOptions)
        try source.check(plainOptions)
        return try body(source, detected)
      } catch {
        throw detected.naming(error)
      }
    } catch {
      throw error.placed(in: input)
    }
  }

  private func send(
    _ source: OpenedInput, _ detected: DetectedInput, into sink: any ValueSink
  ) throws(FerryError) -> Result {
    let reading = try sendingOptions(of: source)
    let losses = LossReport()
    if !source.isTypedstream { losses.add(source.layoutLosses.all) }
    let failed = keepsGoing ? FailedRecords(naming: detected.naming, handingTo: whenRecordFails) : nil
    let locator = locator(reading.schema, of: source)
    let pipeline = pipeline(of: source, reading, to: sink, losses, locator, failed)
    do throws(FerryError) {
      try source.send(into: pipeline.first, reading, losses: losses, failed: failed, locator: locator)
      try pipeline.first.finish()
    } catch {
      var placed = options.placed(detected.withReason(error), of: source, at: pipeline.path, reading.schema)
      placed.earlier = failed?.errors ?? []
      throw placed
    }
    return Result(
      losses: losses.all, errors: failed?.errors ?? [], errorCount: failed?.count ?? 0,
      recordCount: pipeline.recordCount)
  }

  /// Returns the adapters before the sink.
  private func pipeline(
    of source: OpenedInput, _ reading: ReadingOptions, to sink: any ValueSink, _ losses: LossReport,
    _ locator: SourceLocator?, _ failed: FailedRecords?
  ) -> PlainPipeline {
    let facts = SourceFacts(source, reading)
    let inputLosses = failed.map { LossReport(to: losses, path: $0.pathInInput) } ?? losses
    var pipeline = PlainPipeline(
      of: facts, to: sink, capabilities: capabilities, losses: inputLosses, shared: reading.shared,
      budget: options.budget, failed: failed)
    let mayHaveObjectKeys = facts.mayHaveObjectKeys || options.expandsData
    if mayHaveObjectKeys, !capabilities.contains(.objectKeys) { pipeline.addObjectKeys() }
    if capabilities.contains(.uids) { pipeline.addReferenceLookalikes(inputLosses) }
    if options.expandsData {
      pipeline.expandData(
        of: facts, asStored: false, shared: reading.shared, budget: options.budget, losses: inputLosses)
    }
    if let schema = reading.schema {
      pipeline.map(
        by: schema, from: facts.recordDialect, to: dialect, options: recordOptions, losses: losses,
        locator: locator)
    }
    return pipeline
  }

  private var recordOptions: RecordOptions {
    RecordOptions(
      refusesOtherClasses: options.schema != nil, keepsText: true,
      reportsUndeclaredKeys: reportsUndeclaredKeys, checksKeys: checksKeys, keepsIdentities: true,
      budget: options.budget)
  }

  private func locator(_ schema: Schema?, of source: OpenedInput) -> SourceLocator? {
    source.needsLocations(schema, keepsGoing: keepsGoing) ? SourceLocator(locatesValues: true) : nil
  }

  /// The options with which the values have the plain form.
  private var plainOptions: ReadingOptions {
    var plain = options
    (plain.representation, plain.shared, plain.marksShared) = (.plain, .reference, false)
    (plain.streamsObjects, plain.marksScalars, plain.reportsArchiveParts) = (true, true, true)
    (plain.decodedForms, plain.objectSharing) = (.all, .init(.reference))
    (plain.keys, plain.keepsNames, plain.findsRecordList) = (.words, false, findsRecordList)
    return plain
  }

  /// Returns the options for sending the values of an opened input, with the schema that matches it.
  private func sendingOptions(of source: OpenedInput) throws(FerryError) -> ReadingOptions {
    var reading = plainOptions
    if source.format.hasTypedColumns { reading.csv.columnTypes = nil }
    if reading.schema == nil, reading.matchesSchemas { reading.schema = try source.matchingSchema(reading) }
    reading.isSchemaOfRecordList = false
    reading.reportsVersions = true
    reading.keepsColumnNames = options.select == nil ? false : nil
    return reading
  }
}
