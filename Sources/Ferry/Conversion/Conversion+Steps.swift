// The steps of a conversion: the input is detected and opened, copied as it is if that is possible, or else sent through a pipeline.

extension Conversion {
  /// Converts an input to the format's own bytes, or to text in UTF-8.
  func convertToUTF8(
    _ input: any ByteInput, named name: String?, to output: any ByteOutput, named outputName: String?,
    adapting adapters: RecordAdapters
  ) throws(FerryError) -> Report {
    let detected = try detected(input, named: name)
    try checkTarget(named: outputName, output, of: detected, in: input)
    let projectName = try projectName(name, outputName, of: detected)
    do throws(FerryError) {
      let source = try opened(detected)
      var conversion = self
      conversion.keepArchive(source)
      return try conversion.convert(
        source, detected, from: input, named: name, to: output, named: outputName, adapting: adapters,
        projectName: projectName)
    } catch {
      throw detected.naming(error)
    }
  }

  /// Writes an archive in the format of the property list, if the input is an archive that is to be kept.
  private mutating func keepArchive(_ source: OpenedInput) {
    guard keepsArchives, source.isArchive, writing.representation == .plain,
      let archive = writing.format.description.archiveFormat
    else { return }
    writing.format = archive
  }

  /// Converts an opened input.
  private func convert(
    _ source: OpenedInput, _ detected: DetectedInput, from input: any ByteInput, named name: String?,
    to output: any ByteOutput, named outputName: String?, adapting adapters: RecordAdapters,
    projectName: String?
  ) throws(FerryError) -> Report {
    if let entries = entriesInUse, !adapters.isEmpty {
      let found = "a package"
      throw FerryError(
        .record(entries.makesRecords ? .notADictionary(found: found) : .notEntries(found: found)))
    }
    // A change of entries makes other values.
    if entriesInUse == nil, let report = try copy(source, detected, to: output, adapting: adapters) {
      return report
    }
    let conversion = convertingRecords(of: source)
    var options = conversion.readingOptions(for: source.format)
    if source.format.hasTypedColumns {
      options.csv.columnTypes = name.flatMap { commonInference?.columnTypes(ofFile: $0) }
    }
    let (schema, isInferred) = try conversion.schemaInUse(for: source, named: name, options, outputName)
    (options.schema, options.isSchemaOfRecordList) = (schema, isInferred)
    try checkRecordOptions(of: source, schema)
    var output = output
    switch try conversion.convertInParts(source, schema, options, to: output, adapting: adapters) {
    case .complete(let facts):
      if let used = facts.usedLists { source.noteUnusedLists(options.xml.lists, used) }
      source.noteUnevenLists(facts.listForms)
      let losses = makeLossReport()
      losses.add(facts.losses)
      locate(losses, in: source, detected, options)
      return Report(
        source: source.format, losses: losses.all, errors: [], notes: notes(on: source),
        listForms: facts.listForms)
    case .begun(let rest):
      return try conversion.convert(
        rest, of: source, detected, options, waitingFor: isStrict ? nil : input as? FileInput,
        projectName: projectName)
    case .incomplete(let rest):
      // The bytes of nodes are in memory.
      if source.nodes == nil { try source.input.rewind() }
      output = rest
    case nil: break
    }
    if let report = try conversion.convertInOneReading(
      source, detected, options, to: output, adapting: adapters, projectName: projectName)
    {
      return report
    }
    return try conversion.convert(
      source, detected, options, waitingFor: isStrict ? nil : input as? FileInput, to: output,
      adapting: adapters, projectName: projectName)
  }

  /// Writes the contents of an input as they are. Returns nil if the output has others.
  private func copy(
    _ source: OpenedInput, _ detected: DetectedInput, to output: any ByteOutput,
    adapting adapters: RecordAdapters
  ) throws(FerryError) -> Report? {
    if let report = try copyElements(of: source, detected, to: output) { return report }
    if copiesText(of: source, detected, adapters) { return try copyText(of: source, detected, to: output) }
    guard writing.format.isBinaryPropertyList || writing.format.isTypedstream else { return nil }
    var keeping = self
    keeping.keepObjects(of: source)
    guard keeping.keepsNodes(of: source) else { return nil }
    try checkRecordOptions(of: source, nil)
    return try keeping.copyNodes(of: source, to: output)
  }

  func detected(_ input: any ByteInput, named name: String?) throws(FerryError) -> DetectedInput {
    let detected = try reading.detected(input, named: name)
    try detected.checkNotEmpty()
    return detected
  }

  /// Opens an input. Throws if an option has no effect on it.
  func opened(_ detected: DetectedInput) throws(FerryError) -> OpenedInput {
    let options = readingOptions(for: detected.format)
    let source = try OpenedInput(detected, options)
    try source.check(source.format == detected.format ? options : readingOptions(for: source.format))
    try checkXMLOptions(of: source)
    try checkDottedColumns(of: source)
    guard !reading.expandsData || writing.representation != .raw || !source.isArchive else {
      throw FerryError(.archive(.dataInRawForm))
    }
    return source
  }

  /// Converts from archive to archive in raw form, which keeps every object unchanged. It maps no records, selects no values, renames no
  /// classes and opens no data, whose documents become new objects.
  private mutating func keepObjects(of source: OpenedInput) {
    guard source.isArchive, writing.format.isArchive, reading.schema == nil, reading.select == nil,
      classNames.isEmpty, !reading.expandsData, writing.representation != .raw, entries == nil
    else { return }
    writing.representation = .raw
    writing.ordersArchivedKeys = true
  }

  /// Writes a binary file with the nodes of another one, or of a typed document of one. Returns nil if the input is neither.
  private func copyNodes(
    of source: OpenedInput, to output: any ByteOutput
  ) throws(FerryError) -> Report? {
    let held = isStrict ? MemoryOutput() : nil
    guard
      try writing.format.isTypedstream
        ? source.writeTypedstream(to: held ?? output) : source.writeBinary(to: held ?? output)
    else { return nil }
    try refuse(source.layoutLosses)
    if let held {
      let bytes = held.bytes
      try output.write(bytes.span)
    }
    return Report(source: source.format, losses: source.layoutLosses.all, errors: [], notes: source.notes)
  }

  /// Returns the conversion of the values of an input, in the form that they have in the output.
  func convertingRecords(of source: OpenedInput) -> Self {
    var conversion = self
    conversion.keepObjects(of: source)
    conversion.makePlainIfNeeded(for: source)
    return conversion
  }

  /// Converts in plain form if the input is a typedstream, which has no raw form, or if the output is an archive or a typedstream, which
  /// has no typed form of another file.
  private mutating func makePlainIfNeeded(for source: OpenedInput) {
    let hasRawTarget = writing.format.isArchive || writing.format.isBinaryPropertyList
    guard
      source.format.isTypedstream && hasRawTarget
        || (writing.format.isTypedstream || writing.format.isArchive) && writing.representation == .typed
    else { return }
    writing.representation = .plain
  }

  /// Sends an input through the pipeline.
  ///
  /// - Parameter stream: The input if complete records are to be written before it waits for more bytes; otherwise nil.
  func convert(
    _ source: OpenedInput, _ detected: DetectedInput, _ options: ReadingOptions,
    waitingFor stream: FileInput?, to output: any ByteOutput, adapting adapters: RecordAdapters,
    projectName: String?
  ) throws(FerryError) -> Report {
    var options = options
    let losses = makeLossReport()
    if !source.isTypedstream { losses.add(source.layoutLosses.all) }
    let failed = keepsGoing ? FailedRecords(naming: detected.naming, handingTo: whenRecordFails) : nil
    let locator =
      source.needsLocations(options.schema, keepsGoing: keepsGoing) ? SourceLocator(locatesValues: true) : nil
    let pipeline = try Pipeline(
      self, schema: options.schema, source: SourceFacts(source, options), to: output, losses: losses,
      adapting: adapters, locator: locator, failed: failed, projectName: projectName)
    options.reportsVersions = true
    pipeline.adapt(&options)
    options.keepsColumnNames = keepsColumnNames
    if let writer = pipeline.writer {
      stream?.beforeWaiting = { () throws(FerryError) in try writer.flushComplete() }
    }
    defer { stream?.beforeWaiting = nil }
    do throws(FerryError) {
      try keepingRecords(of: pipeline) { () throws(FerryError) in
        try source.send(
          into: pipeline.first, options, losses: source.rest?.lossesOfReader(losses) ?? losses,
          failed: failed, locator: locator)
      }
      try pipeline.first.finish()
      // A database reports losses also while it is completed.
      try refuse(losses)
    } catch {
      let path = source.rest?.moved(pipeline.path) ?? pipeline.path
      var error = source.rest?.moved(error) ?? error
      if locator == nil { error = located(error, in: source, options, adapters) }
      var placed = reading.placed(detected.withReason(error), of: source, at: path, options.schema)
      placed.earlier = failed?.errors ?? []
      throw placed
    }
    stream?.beforeWaiting = nil
    locate(losses, in: source, detected, options)
    return report(of: source, options, losses, pipeline, failed)
  }

  /// Sends an input through a pipeline. If an error stops the input, writes the complete records before the error, because an output such as
  /// the standard output keeps them. Does so only in formats whose records can be read without the rest.
  private func keepingRecords(
    of pipeline: Pipeline, _ send: () throws(FerryError) -> Void
  ) throws(FerryError) {
    do throws(FerryError) { try send() } catch {
      if writing.format.description.listLayout?.hasSeparateRecords == true {
        try? pipeline.writer?.flushComplete()
      }
      throw error
    }
  }

  /// Returns the report of an input that was sent through a pipeline.
  func report(
    of source: OpenedInput, _ options: ReadingOptions, _ losses: LossReport, _ pipeline: Pipeline,
    _ failed: FailedRecords? = nil
  ) -> Report {
    Report(
      source: source.format, losses: losses.all, errors: failed?.errors ?? [], errorCount: failed?.count ?? 0,
      notes: notes(on: source) + pipeline.notes(self, options.schema), recordCount: pipeline.recordCount,
      listForms: writing.format.isOfElements ? ListForms() : source.listForms ?? ListForms(),
      hasSeveralDocuments: source.documents.areSeveral)
  }

  /// Returns the notes on an input that matter for the output: elements of XML are the same in a list and single.
  func notes(on source: OpenedInput) -> [Note] {
    guard writing.format.isOfElements else { return source.notes }
    return source.notes.filter { note in
      if case .unevenLists = note { false } else { true }
    }
  }

  /// Returns an error in a record, or of the output of a record, with the source location of the value that causes it, for which the input
  /// is read again, if that is possible. The first time, readers do not locate the values in records, because that takes time.
  func located(
    _ error: FerryError, in source: OpenedInput, _ options: ReadingOptions, _ adapters: RecordAdapters
  ) -> FerryError {
    switch error.reason {
    case .record, .cannotHold: break
    // Unless the input is XML, this is an error of the output.
    case .xml where !source.format.isOfElements: break
    default: return error
    }
    guard options.schema != nil, adapters.isEmpty, !error.path.isEmpty else { return error }
    let (locator, losses) = (SourceLocator(locatesValues: true), LossReport())
    do throws(FerryError) {
      switch source.contents {
      case .stream: try source.input.rewind()
      case .nodes: break
      case .elements, .typedstream, .database, .files: return error
      }
      let pipeline = try Pipeline(
        self, schema: options.schema, source: SourceFacts(source, options), to: NullOutput(), losses: losses,
        locator: locator)
      try source.send(into: pipeline.first, options, losses: losses, locator: locator)
      return error
    } catch let again {
      let isSame = again.reason == error.reason && again.path == error.path
      return isSame ? again : error
    }
  }

  /// Creates the report for the losses of the conversion.
  func makeLossReport() -> LossReport { listsLosses || isStrict ? LossReport() : LossReport(limit: 0) }

  /// Throws the first loss if the conversion is strict.
  func refuse(_ losses: LossReport) throws(FerryError) {
    if isStrict, let loss = losses.losses.first {
      throw FerryError(.loss(loss.kind), at: loss.location, path: loss.path)
    }
  }

  /// Returns true if the elements of an XML document are copied as they are, because the output is XML without a schema, too.
  func copiesElements(of source: OpenedInput) -> Bool {
    guard case .elements = source.contents, !joinsRecords else { return false }
    return writing.format.isOfElements && writing.representation != .typed && reading.schema == nil
  }

  /// Copies the elements of an XML document to another one. Returns nil if the output has other contents.
  private func copyElements(
    of source: OpenedInput, _ detected: DetectedInput, to output: any ByteOutput
  ) throws(FerryError) -> Report? {
    guard copiesElements(of: source), case .elements(let selection) = source.contents
    else { return nil }
    guard !infersSchema || !refusesUnusedOptions else { throw FerryError(.xml(.onlyForValues)) }
    try checkRecordOptions(of: source, nil)
    guard hasUsualXML, writing.itemElement == nil || !refusesUnusedOptions else {
      throw FerryError(.xml(.onlyForValues))
    }
    let losses = makeLossReport()
    let elementStyle = ElementCopier.Style(
      indentation: writing.style.indentation, sortsAttributes: writing.sortsKeys)
    let copy = ElementCopy(
      of: source.input, isTranscoded: detected.isTranscoded, selection, elementStyle,
      root: writing.rootElement, budget: reading.budget, entities: reading.xml.entities, losses: losses,
      to: output)
    do throws(FerryError) {
      try copy.write()
      try refuse(losses)
    } catch {
      throw detected.withReason(error)
    }
    source.noteSelection(readingOptions(for: source.format), losses)
    return Report(
      source: source.format, losses: losses.all, errors: [],
      notes: source.notes + notesOnClassNames(missingIn: []))
  }

  /// Returns true if a text is copied as it is, because the output has the same format, and no option changes anything.
  private func copiesText(
    of source: OpenedInput, _ detected: DetectedInput, _ adapters: RecordAdapters
  ) -> Bool {
    guard source.format == writing.format, source.format.description.copiesText, !detected.isTranscoded,
      adapters.isEmpty
    else { return false }
    let readsAll =
      reading.encoding == nil && reading.schema == nil && reading.select == nil && !reading.expandsData
    let writesAlike =
      writing.encoding == nil && writing.style == .compact && writing.representation != .typed
      && !writing.sortsKeys && !writing.choosesKeys
    return readsAll && writesAlike && classNames.isEmpty && !infersSchema
  }

  /// Copies a text with its comments, its layout and its encoding, after it has been read and written as any other text, so that the
  /// same inputs and options are refused.
  private func copyText(
    of source: OpenedInput, _ detected: DetectedInput, to output: any ByteOutput
  ) throws(FerryError) -> Report {
    try checkRecordOptions(of: source, nil)
    try source.input.makeRewindable()
    var check = self
    // The writer leaves comments out, but the copy keeps them.
    check.isStrict = false
    let checked = try check.convert(
      source, detected, readingOptions(for: source.format), waitingFor: nil, to: NullOutput(),
      adapting: RecordAdapters(), projectName: nil)
    try source.input.rewind()
    try source.input.forEachChunk { chunk throws(FerryError) in try output.write(chunk) }
    return Report(source: source.format, losses: Losses(), errors: [], notes: checked.notes)
  }

  /// True if the output is a binary file whose contents are exactly those of the input: a binary file, or a
  /// typed document of one.
  private func keepsNodes(of source: OpenedInput) -> Bool {
    guard reading.schema == nil, classNames.isEmpty, !writing.sortsKeys, !reading.expandsData,
      reading.select == nil
    else { return false }
    // The nodes of another property list are not an archive.
    guard source.isArchive || !writing.format.isArchive else { return false }
    // In plain form, the objects of an archive are decoded.
    guard writing.representation != .plain || !(source.isArchive || writing.format.isArchive) else {
      return false
    }
    return writing.format.isBinaryPropertyList || writing.format.isTypedstream
  }

  /// Returns the name of the Xcode project to write: that of the folder of the output or the input, or else the one that the
  /// comments of the input have.
  private func projectName(
    _ name: String?, _ outputName: String?, of detected: DetectedInput
  ) throws(FerryError) -> String? {
    guard writing.format == .xcodeProject else { return nil }
    if let found = [outputName, name].lazy.compactMap({ $0.flatMap(Self.projectName) }).first {
      return found
    }
    guard detected.format == .xcodeProject else { return nil }
    try detected.input.makeRewindable()
    let text = try detected.input.readAll()
    try detected.input.rewind()
    return XcodeProject.name(inCommentsOf: text)
  }

  /// Returns the name of the Xcode project that contains a file: `App` for `App.xcodeproj/project.pbxproj`.
  private static func projectName(ofFile path: String) -> String? {
    let package = path.namesInPath.last { $0.hasSuffix(".xcodeproj") }
    return package.map { String($0.dropLast(".xcodeproj".count)) }
  }

  var recordOptions: RecordOptions {
    RecordOptions(
      refusesOtherClasses: reading.schema != nil, takesAnyClass: takesAnyClass,
      readsNewerVersions: readsNewerVersions,
      writesOlderKeys: writing.writesOlderKeys, reportsUndeclaredKeys: reportsUndeclaredKeys,
      checksKeys: checksKeys, hasUpdatedRecords: hasUpdatedRecords, budget: reading.budget)
  }

  /// The change of entries, or nil if there is none, or if values are written in another than the plain form.
  var entriesInUse: EntryChange? { writing.representation == .plain ? entries : nil }

  /// Returns the given schema, or else the built-in schema that matches the input or the name of the output, or else the
  /// inferred one.
  func schemaInUse(
    for source: OpenedInput, named name: String?, _ options: ReadingOptions, _ outputName: String?
  ) throws(FerryError) -> (schema: Schema?, isInferred: Bool) {
    guard writing.representation == .plain, entries == nil else { return (nil, false) }
    var found = reading.schema
    if found == nil, reading.matchesSchemas {
      found = try source.matchingSchema(options)
      if found == nil, writing.format.isArchive, writing.format.isBinaryPropertyList, let outputName,
        let fileExtension = FormatDetector.fileExtension(of: outputName)
      {
        found = Schema.builtIn.first { $0.documentExtensions.contains(fileExtension) }
        // The name of the output selects the schema, so the notes on why the input did not match it do not
        // apply.
        if found != nil { source.notes.removeAll() }
      }
    }
    let infers = found == nil && infersSchema && !source.format.hasTypedColumns
    if infers { found = try inferredSchema(for: source, named: name, options) }
    if infers, found != nil, writing.format.isOfElements, writing.rootElement ?? writing.itemElement != nil {
      throw FerryError(.xml(.namedBySchema))
    }
    return (found?.renamingClasses(classNames), infers && found != nil)
  }
}
