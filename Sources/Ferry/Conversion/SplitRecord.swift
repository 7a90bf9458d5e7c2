/// A record of an input that is split, which can be written to an output of its own.
///
///     try Conversion(to: .json).split(FileInput(path: "people.xml"), named: "people.xml") { record in
///       let output = try FileOutput(path: "person-\(record.index + 1).json")
///       try record.write(to: output)
///       try output.commit()
///     }
public struct SplitRecord {
  /// The index of the record among those that are written.
  public let index: Int
  /// The path of the record in the list of the input, also among records that are left out. It is empty for a document that is a single
  /// record.
  public let path: ValuePath
  let tape: EventTape
  let writing: RecordWriting

  /// The settings for writing records, and the report of their input.
  struct RecordWriting {
    let conversion: Conversion
    let schema: Schema?
    let isUntyped: Bool
    let losses: LossReport
  }

  /// Returns the record as it is written.
  public func value() throws(FerryError) -> Value {
    let builder = ValueBuilder()
    try tape.replay(into: builder)
    return try builder.result()
  }

  /// Writes the record as a document of its own. Its losses are added to the report of the input.
  ///
  /// - Parameter output: The output. A `FileOutput` is to be committed afterward.
  /// - Throws: A `FerryError` with the path of the value that the format cannot hold, or an error of the output.
  public func write(to output: any ByteOutput) throws(FerryError) {
    let (conversion, losses) = (writing.conversion, writing.conversion.makeLossReport())
    do throws(FerryError) {
      let encoded = try conversion.encodedOutput(output)
      let pipeline = try Pipeline(
        conversion, schema: writing.schema, source: .recordsInPlainForm, to: encoded ?? output, losses: losses
      )
      (pipeline.writer as? TableWriter)?.isUntyped = writing.isUntyped
      do throws(FerryError) {
        try tape.replay(into: pipeline.first)
        try pipeline.first.finish()
      } catch {
        throw error.placed(inOutput: pipeline.path)
      }
      try encoded?.finish()
      try conversion.refuse(losses)
    } catch {
      throw placed(error)
    }
    if !losses.isEmpty { writing.losses.add(losses.all, under: path.steps) }
  }

  /// Returns an error with the path in the input.
  private func placed(_ error: FerryError) -> FerryError {
    guard !error.reason.concernsNoValue else { return error }
    var placed = error
    placed.path = path.appending(error.path.steps[...])
    return placed
  }
}

extension Conversion {
  /// Splits an input into its records, which can be written to an output each.
  ///
  /// The records are those that a conversion to JSON Lines writes as lines. Each is written as a document that is this record alone. From
  /// XML to XML without a schema, its root element has the name of the record's element, and the declarations of namespaces around it. Only one
  /// record at a time is in memory, unless the format of the input has to be read as a whole.
  ///
  /// - Parameters:
  ///   - input: The input.
  ///   - name: The file name of the input, used if the content has no signature.
  ///   - body: Receives each record when it is complete.
  /// - Returns: The report of the input. It has the losses of the records that were written.
  /// - Throws: A `FerryError` of the input, with the source location and the path, or the error of `body`, after the records before it were
  ///   handed on.
  @discardableResult
  public func split(
    _ input: any ByteInput, named name: String? = nil,
    _ body: @escaping (SplitRecord) throws(FerryError) -> Void
  ) throws(FerryError) -> Report {
    try split(input, named: name, adapting: RecordAdapters(), body)
  }

  /// Splits an input with additional adapters around the record mapper.
  func split(
    _ input: any ByteInput, named name: String?, adapting adapters: RecordAdapters,
    _ body: @escaping (SplitRecord) throws(FerryError) -> Void
  ) throws(FerryError) -> Report {
    var reading = readingRecords
    reading.splitsRecords = true
    do throws(FerryError) {
      let detected = try reading.detected(input, named: name)
      do throws(FerryError) {
        return try reading.split(
          reading.opened(detected), detected, named: name, adapting: adapters, writingBy: writingRecords, body
        )
      } catch {
        throw detected.naming(error)
      }
    } catch {
      throw error.placed(in: input)
    }
  }

  private func split(
    _ source: OpenedInput, _ detected: DetectedInput, named name: String?, adapting adapters: RecordAdapters,
    writingBy writing: Conversion, _ body: @escaping (SplitRecord) throws(FerryError) -> Void
  ) throws(FerryError) -> Report {
    let options = try optionsForRecords(of: source, named: name, outputName: nil)
    let losses = makeLossReport()
    losses.add(source.layoutLosses.all)
    let failed = keepsGoing ? FailedRecords(naming: detected.naming, handingTo: whenRecordFails) : nil
    let locator = locatorOfRecords(in: source, options.schema)
    let facts = SourceFacts(source, options)
    let (isUntyped, recordElements) = (facts.isUntyped(self), recordElements(of: source, options))
    source.recordElements = recordElements
    let place = RecordPlace()
    let cutter = RecordCutter { index, tape throws(FerryError) in
      let path = ValuePath(place.isInList ? [.index(index)] : [])
      // The values around a record, and the mapping of its fields, may have lost something, too.
      try self.refuse(losses)
      let records = SplitRecord.RecordWriting(
        conversion: writing.writingRoot(of: recordElements), schema: options.schema, isUntyped: isUntyped,
        losses: losses)
      try body(
        SplitRecord(index: index, path: failed?.pathInInput(path) ?? path, tape: tape, writing: records))
    }
    let elements = ListElements(to: cutter.sink, after: -1)
    elements.didEndElement = { () throws(FerryError) in try cutter.cut() }
    place.elements = elements
    let pipeline = try Pipeline(
      self, schema: options.schema, source: facts, sendingTo: elements, of: nil,
      schemaOfOutput: options.schema,
      losses: losses, adapting: adapters, locator: locator, failed: failed)
    do throws(FerryError) {
      try source.send(into: pipeline.first, options, losses: losses, failed: failed, locator: locator)
      try pipeline.first.finish()
      try refuse(losses)
    } catch {
      throw placed(
        error, inRecordsOf: source, detected, options, adapters, at: pipeline.path, locator, failed)
    }
    locate(losses, in: source, detected, options)
    var report = report(of: source, options, losses, pipeline, failed)
    let known = pipeline.classNames.union(options.schema?.record.classNames ?? [])
    report.notes += notesOnClassNames(missingIn: known)
    if let note = try noteOnEncoding { report.notes.append(note) }
    return report
  }
}

/// The place of the records in their input, which is known when the first of them begins.
private final class RecordPlace {
  weak var elements: ListElements?
  /// True if the records are in a list.
  var isInList: Bool { elements?.isList ?? false }
}
