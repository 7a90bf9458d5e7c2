/// A conversion of several inputs to one output, which gets the records of all of them as one list.
///
///     let joined = JoinedConversion(Conversion(to: .json), to: output)
///     for path in ["a.xml", "b.csv"] { try joined.add(FileInput(path: path), named: path) }
///     let reports = try joined.finish()
///     // a.xml: <people><person><name>Ada</name></person><person><name>Grace</name></person></people>
///     // b.csv: name⏎Alan⏎
///     // output: [{"name":"Ada"},{"name":"Grace"},{"name":"Alan"}]
///
/// The records of an input are those that a conversion to JSON Lines writes as lines: the elements of its list, or the values that
/// `reading.select` selects. A document without a list, or in another convention for XML such as JsonML, is a single record. The values keep
/// the types that the format of the output has, also dates and data, and the inputs may have different formats. Objects of an input that
/// refer to each other do so only in an archive.
///
/// Records are written while they are read: memory does not grow with the inputs, unless a format has to be read or written as a
/// whole.
///
/// The schema of the first input is that of the output. With `reading.schema`, it is that of all inputs.
public final class JoinedConversion {
  private let conversion: Conversion
  private let output: any ByteOutput
  private let outputName: String?
  /// The list of all records; nil before the first input.
  private var list: OutputList?
  private var inputs: [Input] = []
  /// The error after which the output is not complete.
  private var failure: FerryError?

  /// An input whose records are being written, or have been.
  private struct Input {
    /// The index of its first record in the list of all records.
    let start: Int
    /// True if its records are in a list. Otherwise the whole input is a record.
    var isList = true
    let losses: LossReport
    let failed: FailedRecords?
    var report: Conversion.Report
    /// The column names of an input that is a table without rows. The output has them only if other inputs do.
    var columnsWithoutRows: [String] = []
    /// The names of all classes in the input, if classes are renamed.
    var classNames: Set<ExactString> = []
  }

  /// Creates a conversion of several inputs.
  ///
  /// - Parameters:
  ///   - conversion: The settings. Its representation is the plain or the typed one: an input in the raw form of an archive has no records.
  ///   - output: The output. It may have received a part of the records if `add` throws.
  ///   - outputName: The file name of the output, used to find the schema if the inputs do not identify it.
  public init(_ conversion: Conversion, to output: any ByteOutput, named outputName: String? = nil) {
    (self.conversion, self.output, self.outputName) = (conversion, output, outputName)
  }

  /// True if no part of an input with an error has been written, so that other inputs may follow.
  package var isIntact: Bool { failure == nil }

  /// Adds the records of an input.
  ///
  /// - Parameters:
  ///   - input: The input.
  ///   - name: The file name of the input, used if the content has no signature.
  /// - Throws: A `FerryError` with the source location and the path in the input. All later calls throw this error if a part of the input's
  ///   records has been written.
  public func add(_ input: any ByteInput, named name: String? = nil) throws(FerryError) {
    try add(input, named: name, by: conversion)
  }

  /// Adds the records of an input.
  ///
  /// - Parameter conversion: The settings, with options for reading that this input can have.
  package func add(
    _ input: any ByteInput, named name: String?, by conversion: Conversion
  ) throws(FerryError) {
    try add(input, named: name, by: conversion, adapting: RecordAdapters())
  }

  /// Adds the records of an input with additional adapters around the record mapper.
  func add(
    _ input: any ByteInput, named name: String?, by conversion: Conversion, adapting adapters: RecordAdapters
  ) throws(FerryError) {
    if let failure { throw failure }
    let reading = conversion.readingRecords
    do throws(FerryError) {
      let detected = try reading.detected(input, named: name)
      try reading.checkTarget(named: outputName, output, of: detected, in: input)
      do throws(FerryError) {
        try add(reading.opened(detected), detected, named: name, by: reading, adapting: adapters)
      } catch {
        throw detected.naming(error)
      }
    } catch {
      let error = error.placed(in: input)
      if failure != nil { failure = error }
      throw error
    }
  }

  private func add(
    _ source: OpenedInput, _ detected: DetectedInput, named name: String?, by conversion: Conversion,
    adapting adapters: RecordAdapters
  ) throws(FerryError) {
    var options = try conversion.optionsForRecords(of: source, named: name, outputName: outputName)
    let schema = options.schema
    let list = try list(by: schema)
    try checkSchema(of: source, options, by: list)
    let losses = conversion.makeLossReport()
    losses.add(source.layoutLosses.all)
    let failed =
      conversion.keepsGoing
      ? FailedRecords(naming: detected.naming, handingTo: conversion.whenRecordFails) : nil
    let locator = conversion.locatorOfRecords(in: source, schema)
    let facts = SourceFacts(source, options)
    let elements = ListElements(to: list.pipeline.first, after: list.greatestIdentity)
    let pipeline = try Pipeline(
      conversion, schema: schema, source: facts, sendingTo: elements, of: list.pipeline,
      schemaOfOutput: list.schema, losses: losses, adapting: adapters, locator: locator, failed: failed)
    list.pipeline.adapt(&options)
    list.table?.isUntyped = facts.isUntyped(conversion)
    if list.table != nil, options.keepsColumnNames == false, !source.format.isDatabase {
      options.keepsColumnNames = true
    }
    source.recordElements = conversion.recordElements(of: source, options)
    inputs.append(
      Input(
        start: list.count, losses: losses, failed: failed,
        report: Conversion.Report(source: source.format, losses: Losses(), errors: [])))
    let index = inputs.count - 1
    do throws(FerryError) {
      try source.send(into: pipeline.first, options, losses: losses, failed: failed, locator: locator)
      try pipeline.first.finish()
      inputs[index].isList = elements.isList
      addLosses(ofWriter: list)
      try conversion.refuse(losses)
    } catch {
      inputs.removeLast()
      let placed = conversion.placed(
        error, inRecordsOf: source, detected, options, adapters, at: pipeline.path, locator, failed)
      // The list ends in the middle of an input.
      if elements.hasBegun { failure = placed }
      throw placed
    }
    list.count += elements.count
    list.greatestIdentity = elements.greatestIdentity
    conversion.locate(losses, in: source, detected, options)
    inputs[index].report = conversion.report(of: source, options, losses, pipeline, failed)
    inputs[index].classNames = pipeline.classNames
    inputs[index].columnsWithoutRows = source.columnsWithoutRows
  }

  /// Throws if the elements of an input in XML would get the names and namespaces of another inferred schema.
  private func checkSchema(
    of source: OpenedInput, _ options: ReadingOptions, by list: OutputList
  ) throws(FerryError) {
    guard conversion.writing.format.isOfElements, options.isSchemaOfRecordList, source.format.isOfElements,
      let schema = options.schema, let schemaOfList = list.schema, schema != schemaOfList,
      !schema.namespaces.isEmpty || inputs.contains(where: { $0.report.source.isOfElements })
    else { return }
    throw FerryError(.xml(.otherInferredSchema))
  }

  /// Adds a loss to the report of the last input.
  ///
  /// - Throws: A `FerryError` with the reason `loss` if the conversion is strict.
  func add(_ kind: Loss.Kind, path: ValuePath) throws(FerryError) {
    guard let input = inputs.last else { return }
    input.losses.add(kind, path: path)
    guard conversion.isStrict else { return }
    let error = FerryError(.loss(kind), path: path)
    failure = error
    throw error
  }

  /// Completes the output, which is an empty list if no input was added.
  ///
  /// - Returns: The report of each input, in the order in which they were added.
  /// - Throws: A `FerryError`: that of an input of which a part was written, or one of the format of the output.
  public func finish() throws(FerryError) -> [Conversion.Report] {
    if let failure { throw failure }
    let list = try list(by: conversion.readingRecords.reading.schema)
    try list.finish()
    addLosses(ofWriter: list)
    if let table = list.table { try addColumns(missingIn: table) }
    var reports = inputs.map { input in
      var report = input.report
      report.losses = input.losses.all
      return report
    }
    removeNotes(onListsOfOtherInputs: &reports)
    noteUnevenLists(amongAll: &reports)
    if !reports.isEmpty { reports[0].notes += try notes(on: list) }
    return reports
  }

  /// Adds a note on elements that are a list in some of the inputs, and single in others.
  private func noteUnevenLists(amongAll reports: inout [Conversion.Report]) {
    var search = UnevenListSearch()
    for report in reports { search.add(report) }
    if let (input, note) = search.note { reports[input].notes.append(note) }
    for index in reports.indices { reports[index].listForms = ListForms() }
  }

  /// Removes the notes on lists that an input in XML lacks if another one has them.
  private func removeNotes(onListsOfOtherInputs reports: inout [Conversion.Report]) {
    let documents = reports.filter { $0.source.isOfElements }
    guard let first = documents.first else { return }
    let common = first.notes.filter { note in documents.allSatisfy { $0.notes.contains(note) } }
    for index in reports.indices {
      reports[index].notes.removeAll { note in
        if case .noList = note { !common.contains(note) } else { false }
      }
    }
  }

  /// Returns the notes on the output, and on new names for classes that no input has.
  private func notes(on list: OutputList) throws(FerryError) -> [Note] {
    let schemaNames = list.schema?.record.classNames ?? []
    let known = inputs.reduce(into: Set(schemaNames)) { $0.formUnion($1.classNames) }
    let encoding = try conversion.noteOnEncoding.map { [$0] } ?? []
    return list.notes + conversion.notesOnClassNames(missingIn: known) + encoding
  }

  /// Returns the list of all records, which begins with the first input.
  private func list(by schema: Schema?) throws(FerryError) -> OutputList {
    if let list { return list }
    let begun = try OutputList(conversion, schema, to: output)
    list = begun
    return begun
  }

  // MARK: Losses

  /// Adds the losses that the writer has found to the reports of their inputs. Some writers find them only when all records are known.
  private func addLosses(ofWriter list: OutputList) {
    guard !list.losses.isEmpty, let last = inputs.last else { return }
    let found = list.losses.take()
    for loss in found.listed {
      let (input, path) = placed(list.pathOfRecord(loss.path)) ?? (last, ValuePath())
      input.losses.add(loss.kind, path: path)
    }
    for count in found.counts {
      let unlisted = count.count - found.listed.count { $0.kind == count.kind }
      if unlisted > 0 { last.losses.add(count.kind, count: unlisted, firstAt: ValuePath()) }
    }
  }

  /// Adds a loss to the report of each input without rows if the output does not have all of its columns.
  private func addColumns(missingIn table: TableWriter) throws(FerryError) {
    for input in inputs where !table.hasColumns(input.columnsWithoutRows) {
      input.losses.add(.columnNames)
      try conversion.refuse(input.losses)
    }
  }

  /// Returns the input of a value with a path in the list of all records, and its path in the input. Returns nil for a path without a record.
  private func placed(_ path: ValuePath) -> (Input, ValuePath)? {
    guard case .index(let record)? = path.steps.first else { return nil }
    // The last input that begins at or before the record has it.
    var (low, high) = (0, inputs.count)
    while low < high {
      let middle = (low + high) / 2
      if inputs[middle].start <= record { low = middle + 1 } else { high = middle }
    }
    guard low > 0 else { return nil }
    let input = inputs[low - 1]
    let steps: [ValuePath.Step] = input.isList ? [.index(record - input.start)] : []
    let pathInInput = ValuePath(steps).appending(path.steps.dropFirst())
    return (input, input.failed?.pathInInput(pathInInput) ?? pathInInput)
  }
}
