extension OpenedInput {
  /// Sends the value of the input to a sink. Does not call `finish`.
  ///
  /// - Parameters:
  ///   - sink: Receives the events.
  ///   - options: The options, with the schema for the records.
  ///   - losses: Receives a loss for each part of the input that events cannot express.
  ///   - failed: Receives the errors of lines and records that are left out; nil to throw the first one.
  ///   - locator: Receives source locations; nil if no sink needs them.
  func send(
    into sink: any ValueSink, _ options: ReadingOptions, losses: LossReport, failed: FailedRecords? = nil,
    locator: SourceLocator? = nil
  ) throws(FerryError) {
    try check(options)
    if let select = options.select, format.description.shape == .objects {
      return try sendObjects(selecting: select, into: sink, options, losses, failed, locator)
    }
    let selection = try selection(options, for: sink, losses)
    let record = selection == nil ? jsonMLRecord(options, for: sink) : nil
    let lossesOfReader = lossesOfReader(options, losses, selection)
    try sendAll(into: record ?? selection ?? sink, options, lossesOfReader, failed, locator)
    try record?.complete()
    try selection?.complete()
    if selection != nil, case .database(let file) = contents, losses.hasEmptySelection {
      notes.append(.pathsOfRows(table: try StoreSource(file, options, LossReport()).firstNameInPaths()))
    }
  }

  /// Throws if options for databases or CSV are given, and the input has another format.
  func check(_ options: ReadingOptions) throws(FerryError) {
    guard options.table == nil || format.isDatabase else {
      throw FerryError(.database(.noTables(format: format.rawValue)))
    }
    try options.csv.check(for: format)
  }

  /// Returns a sink that selects values in formats other than XML; nil if all are sent.
  private func selection(
    _ options: ReadingOptions, for sink: any ValueSink, _ losses: LossReport
  ) throws(FerryError) -> PathSelection? {
    if case .elements = contents { return nil }
    if let path = options.select {
      return try selection(of: selectedPath(path, options), for: sink, losses)
    }
    guard options.findsRecordList, options.schema == nil || options.isSchemaOfRecordList,
      let list = try recordList(options)
    else { return nil }
    return try PathSelection(list, to: sink, losses: losses)
  }

  /// Returns a sink that selects the values at a path.
  private func selection(
    of path: ValuePath, for sink: any ValueSink, _ losses: LossReport
  ) throws(FerryError) -> PathSelection {
    try PathSelection(
      path, to: sink, losses: losses, firstKeyWins: format.description.isBinaryPropertyList || isArchive)
  }

  /// Returns the path of the values to select.
  private func selectedPath(_ path: String, _ options: ReadingOptions) throws(FerryError) -> ValuePath {
    guard options.representation != .typed else { throw FerryError(.xml(.notXML(format.rawValue))) }
    return try ValuePath(selecting: path)
  }

  /// Sends the values of an archive that a path selects. The first occurrence of an object may be outside of the selection, so all values are
  /// kept first.
  private func sendObjects(
    selecting path: String, into sink: any ValueSink, _ options: ReadingOptions, _ losses: LossReport,
    _ failed: FailedRecords?, _ locator: SourceLocator?
  ) throws(FerryError) {
    var path = try selectedPath(path, options)
    var reading = options
    reading.marksScalars = false
    if options.sharing == .inFull { reading.objectSharing = .identities }
    let locator = locator?.locatesValues == true ? locator : nil
    let kept = TapeSink(locator: locator)
    try sendAll(into: kept, reading, losses, failed, locator)
    if options.representation != .raw, try leadsToRoot(path, in: kept.tape) { path.steps.removeFirst() }
    let selection = try selection(of: path, for: sink, losses)
    var objects = SelectedObjects(
      on: kept.tape, to: selection, isInFull: options.sharing == .inFull, losses: losses, locator: locator,
      byteCount: byteCount, budget: options.objectBudget)
    try objects.send()
    try selection.complete()
  }

  /// Returns true if the first step of a path is the name of an archive's only root, and not a key in the root's value.
  private func leadsToRoot(_ path: ValuePath, in tape: EventTape) throws(FerryError) -> Bool {
    guard path.steps.first == .key("root"), case .nodes(let nodes, _) = contents, isArchive,
      try ArchiveObjects(nodes).hasOnlyRoot
    else { return false }
    guard let root = tape.content(of: .start), tape.kind(at: root) == .beginDictionary else { return true }
    return !tape.fields(of: root).contains { $0.name.equals("root") }
  }

  /// Returns a sink that sends a document in JsonML as a record. Returns nil if records are not wanted, or if the format has a list of them.
  private func jsonMLRecord(_ options: ReadingOptions, for sink: any ValueSink) -> JsonMLDocumentRecord? {
    if case .elements = contents { return nil }
    guard options.xml.convention == .jsonml, options.sendsRecords, options.schema == nil,
      !format.description.isListOfRecords
    else { return nil }
    return JsonMLDocumentRecord(to: sink)
  }

  /// Returns the report for the reader. It drops the losses of values that are not selected, and of markup outside the selection.
  private func lossesOfReader(
    _ options: ReadingOptions, _ losses: LossReport, _ selection: PathSelection?
  ) -> LossReport {
    switch contents {
    case .stream, .database: break
    case .elements, .nodes, .typedstream, .files: return losses
    }
    guard let select = options.select, let path = try? ValuePath(parsing: select), !path.isEmpty else {
      return losses
    }
    return LossReport(forwardingTo: losses) { loss in
      if loss.kind.isMarkup { return selection?.selectsMarkup(loss.kind) ?? true }
      return !loss.kind.concernsOneValue || path.mayMeet(loss.path)
    }
  }

  private func sendAll(
    into sink: any ValueSink, _ options: ReadingOptions, _ losses: LossReport, _ failed: FailedRecords?,
    _ locator: SourceLocator?
  ) throws(FerryError) {
    // Objects are sent more slowly with a locator, and their locations are only useful for values.
    let objectLocator = locator?.locatesValues == true ? locator : nil
    switch contents {
    case .stream(let makeReader):
      var context = ReaderContext(options, losses: losses, locator: locator, failed: failed)
      context.tags = options.representation == .typed ? .reported : .classes
      context.csv = try csvOptions(options, failed)
      context.documents = documents
      try sendStream(by: makeReader(sink, context), options, losses)
    case .elements(let selection):
      try sendElements(selection, into: sink, options, losses, failed, locator)
    case .nodes(let nodes, let typedLayout) where options.representation == .typed:
      try sendTyped(nodes, typedLayout, into: sink, budget: options.budget, losses: losses)
    case .nodes(let nodes, _) where isArchive && options.representation != .raw:
      try send(ArchiveObjects(nodes), into: sink, options, losses, objectLocator)
    case .nodes(let nodes, _):
      try nodes.replay(
        nodes.root, into: sink, budget: options.sendingBudget, marksShared: options.marksShared,
        shared: options.shared, refersToScalars: options.refersToScalars, locator: objectLocator)
    case .typedstream(let typedstream) where options.representation == .typed:
      try TypedstreamDocument.send(typedstream, to: sink)
    case .typedstream(let typedstream):
      let reader = TypedstreamReader(
        typedstream, into: sink, sharing: options.sharing, representation: options.representation,
        keys: options.keys, losses: losses)
      try reader.read()
    case .files(let archive): try ZIPSource(archive, at: input.path, options, losses).send(into: sink)
    case .database(let file):
      if file.mayLackLog, !notes.contains(.missingLog) { notes.append(.missingLog) }
      let source = StoreSource(file, options, losses)
      try source.send(into: sink)
      if let note = try source.check() { notes.append(note) }
    }
  }

  /// Reads a stream, whose reader sends its values.
  private func sendStream(
    by reader: any ChunkReader, _ options: ReadingOptions, _ losses: LossReport
  ) throws(FerryError) {
    try reader.readAll(input)
    if options.schema == nil, let columns = (reader as? CSVReader)?.columnsWithoutRows {
      if options.keepsColumnNames == true { columnsWithoutRows = columns } else { losses.add(.columnNames) }
    }
    notes += reader.notes
  }

  /// Sends the elements of an XML document.
  private func sendElements(
    _ selection: ElementSelection?, into sink: any ValueSink, _ options: ReadingOptions,
    _ losses: LossReport, _ failed: FailedRecords?, _ locator: SourceLocator?
  ) throws(FerryError) {
    if options.schema != nil { try selection?.requireElements("a schema describes elements") }
    var reading = options
    let hasTypes = options.schema != nil && rootTypes(options) != nil
    if hasTypes {
      // A schema that was not inferred from the list of records is that of the whole value, as in JSON.
      if !options.isSchemaOfRecordList { reading.findsRecordList = false }
      reading.schema = nil
    }
    var source = XMLSource(
      input, selecting: selection, reading, reporting: losses, locator: locator, failed: failed)
    source.locatesValues = hasTypes || reading.schema == nil && locator?.locatesElements == true
    source.shape = shape
    source.recordElements = recordElements
    (source.movedLocations, source.namesBefore) = (rest?.locations, rest?.names)
    if isPart { source.didFindNames = { [self] found in names = found } }
    if !options.xml.lists.isEmpty {
      source.didUseLists = { [self] used in
        usedLists = used
        noteUnusedLists(options.xml.lists, used)
      }
    }
    source.didFindListForms = { [self] forms in listForms = forms }
    try source.send(into: sink)
    if let listForms { noteUnevenLists(listForms) }
    noteSelection(options, losses)
  }

  /// Returns true if errors in records need source locations that the reader does not add, because the errors
  /// do not end the reading or occur after the reader is done. An error in XML gets the location of the
  /// record's start tag. Objects in memory can be sent again, to locate a value.
  ///
  /// - Parameters:
  ///   - schema: The schema of the records.
  ///   - keepsGoing: True if errors in records do not end the reading.
  func needsLocations(_ schema: Schema?, keepsGoing: Bool) -> Bool {
    guard let schema else { return keepsGoing }
    return keepsGoing || schema.collectionKey != nil && nodes == nil || format.isOfElements
  }

  /// Returns the archives in the input, with the entries beside their objects that a value in the plain form does not have.
  func archiveEntries(_ options: ReadingOptions) throws(FerryError) -> ArchiveEntries {
    guard options.representation == .plain else { return ArchiveEntries() }
    return switch contents {
    case .nodes(let nodes, _) where isArchive: try ArchiveEntries(of: ArchiveObjects(nodes))
    case .files(let archive): try ZIPSource(archive, at: input.path, options, LossReport()).archiveEntries()
    default: ArchiveEntries()
    }
  }

  /// Sends the value of an XML document without a schema in one reading, although only the whole document shows which of its elements are
  /// lists (see `XMLSource.sendWhileFindingShape`).
  ///
  /// - Parameter lookahead: The length in bytes of the beginning whose shape is found first.
  /// - Returns: False if the sink has not received the whole value, also for other inputs. `send` then sends it.
  func sendInOneReading(
    into sink: any ValueSink, _ options: ReadingOptions, losses: LossReport, lookahead: Int
  ) throws(FerryError) -> Bool {
    guard case .elements(nil) = contents, rootTypes(options) == nil else { return false }
    var source = XMLSource(input, options, reporting: losses)
    source.elements = elements
    guard source.mayBeReadOnce,
      let (shape, isSent) = try source.sendWhileFindingShape(
        into: sink, lookahead: lookahead, shapeOfBeginning.take())
    else { return false }
    self.shape = shape
    return isSent
  }

  /// Sends the value of a part of an XML document without a schema, with the shape of the document's beginning.
  ///
  /// - Parameter beginning: The paths in the beginning. The root element has only elements of one name there.
  /// - Returns: The forms of the elements whose paths the beginning lacks. Nil if the sink has not received the whole value, because the part
  ///   has elements of another form, or anything else in the root element.
  func sendPart(
    into sink: any ValueSink, _ options: ReadingOptions, losses: LossReport, after beginning: XMLPaths
  ) throws(FerryError) -> XMLPathForms? {
    let shape = XMLShape(withBudgetAndPathsOf: beginning)
    var source = XMLSource(input, options, reporting: losses)
    source.didFindNames = { [self] found in names = found }
    guard try source.send(into: sink, whileFinding: shape),
      shape.paths.onlyListInRoot == beginning.onlyListInRoot
    else { return nil }
    usedLists = shape.paths.usedLists
    return shape.paths.forms(ofPathsAfter: beginning.count)
  }

  /// Adds a note for each list in the options whose path no element has had, after `sendInOneReading` has sent the value.
  func noteUnusedLists(_ options: ReadingOptions) {
    if let shape { noteUnusedLists(options.xml.lists, shape.paths.usedLists) }
  }

  /// Adds a note for each list in the options whose path no element has had. That of every element is not mistaken if there is none.
  ///
  /// - Parameters:
  ///   - lists: The lists in the options.
  ///   - used: The indices of those that an element has had.
  func noteUnusedLists(_ lists: [ValuePath], _ used: Set<Int>) {
    for (index, list) in lists.enumerated()
    where !used.contains(index) && list.steps != [.key(XMLListPaths.anyName)] {
      notes.append(.noList(list))
    }
  }

  /// Adds a note if elements with a path are a list in some of the selected elements and single in others.
  func noteUnevenLists(_ forms: ListForms) {
    let paths = forms.uneven
    if let first = paths.first { notes.append(.unevenLists(first: first, count: paths.count)) }
  }

  /// Adds a note if an XPath selects nothing, or computes its value from no elements, because its names have no prefix and the elements of
  /// the document are in a namespace. Removes the note on the schema by which values are read if none is selected.
  func noteSelection(_ options: ReadingOptions, _ losses: LossReport) {
    if losses.hasEmptySelection {
      notes.removeAll { note in if case .readByConvention = note { true } else { false } }
    }
    guard case .elements(let selection?) = contents, let xpath = options.select,
      losses.hasEmptySelection || selection.missesNamespaces,
      let namespace = RootNamespace.find(in: head, budget: options.budget),
      !XPathExpression(xpath).elementNamesWithoutPrefix.isEmpty
    else { return }
    notes.append(.inNamespace(namespace))
  }

  /// Returns the options for CSV, with the types of the columns if they are to be inferred.
  private func csvOptions(
    _ options: ReadingOptions, _ failed: FailedRecords?
  ) throws(FerryError) -> CSVReadingOptions {
    var csv = options.csv
    if options.schema != nil || csv.infersTypes { csv.readsEmptyCellsAsNull = true }
    if options.schema != nil { csv.readsEmptyLinesAsNull = true }
    guard csv.infersTypes, csv.columnTypes == nil, options.schema == nil,
      let columnTypes = format.description.columnTypes
    else { return csv }
    try input.makeRewindable()
    let columns = try columnTypes(input, columnContext(options, failed: failed))
    csv.columnTypes = columns.map { $0.type ?? .text }
    try input.rewind()
    return csv
  }

  /// Returns the context for finding the types of columns. The rows that are left out are reported when they are read again.
  func columnContext(_ options: ReadingOptions, failed: FailedRecords?) -> ReaderContext {
    var context = ReaderContext(options, failed: failed == nil ? nil : FailedRecords())
    context.csv.readsEmptyCellsAsNull = true
    return context
  }

  private func send(
    _ objects: ArchiveObjects, into sink: any ValueSink, _ options: ReadingOptions, _ losses: LossReport,
    _ locator: SourceLocator?
  ) throws(FerryError) {
    try objects.reportOtherEntries(to: losses)
    options.reportParts(of: objects, losses)
    var reader = options.reader(of: objects, into: sink, locator)
    reader.knownCounts = referenceCounts
    defer { notes += reader.notes }
    try reader.read()
    try objects.sendOtherEntries(to: sink, isInData: false)
  }
}

extension ReadingOptions {
  /// Adds the losses of the parts of an archive outside of its objects.
  func reportParts(of objects: ArchiveObjects, _ losses: LossReport) {
    guard reportsArchiveParts else { return }
    if !objects.archiver.equals("NSKeyedArchiver") { losses.add(.archiverName) }
    if !objects.hasOnlyRoot { losses.add(.topLevelNames) }
  }

  /// Creates a reader of the objects of an archive.
  func reader(
    of objects: ArchiveObjects, into sink: any ValueSink, _ locator: SourceLocator? = nil
  ) -> ArchiveReader {
    ArchiveReader(
      objects, into: sink, sharing: sharing, budget: objectBudget,
      catalog: catalog.removing(classesOf: schema), decodedForms: decodedForms,
      refersToScalars: refersToScalars, locator: locator)
  }
}

extension ValuePath {
  /// Parses the path of the values to select.
  ///
  /// - Throws: A `FerryError` with the reason `PathProblem.badSyntax`, also for an XPath.
  fileprivate init(selecting text: String) throws(FerryError) {
    guard text.utf8.first != UInt8(ascii: "/") else {
      throw Self.problem(withXPath: text)
    }
    try self.init(parsing: text)
  }

  /// Returns an error about an XPath for an input that is not XML.
  package static func problem(withXPath text: String) -> FerryError {
    let hint = "an XPath selects from XML; other formats take a path such as people[*].name"
    return FerryError(.path(.badSyntax(path: text, offset: 0, hint)))
  }
}

extension Loss.Kind {
  /// True if a reader reports the kind for markup beside values, without a path.
  fileprivate var isMarkup: Bool {
    switch self {
    case .comment, .processingInstruction: true
    default: false
    }
  }

  /// True if a reader reports the kind for a single value, with its path.
  fileprivate var concernsOneValue: Bool {
    switch self {
    case .duplicateKey, .invalidText, .virtualTable, .externalData: true
    default: false
    }
  }
}

extension ValuePath {
  /// Returns true if another path may lead into a value that this path selects, or to one around it.
  fileprivate func mayMeet(_ other: ValuePath) -> Bool {
    zip(steps, other.steps).allSatisfy { $0.maySelect($1) }
  }
}

extension ValuePath.Step {
  fileprivate func maySelect(_ step: Self) -> Bool {
    switch (self, step) {
    case (.key(let key), .key(let name)): key.equals(name)
    case (.key, .index(let index)), (.index, .index(let index)): indexInList == index
    case (.slice(let from, let to), .index(let index)): index >= from ?? 0 && index < to ?? .max
    default: true
    }
  }
}

extension ReaderContext {
  /// Creates the context of a reader with the budget, the encoding and the CSV options of a reading.
  init(
    _ options: ReadingOptions, losses: LossReport? = nil, locator: SourceLocator? = nil,
    failed: FailedRecords? = nil
  ) {
    self.init(budget: options.budget, losses: losses, locator: locator, failed: failed)
    (encoding, csv) = (options.encoding, options.csv)
  }
}
