/// The sinks of a conversion. They are created from the writer back to the reader:
///
///     reader ▸ RecordMapper (with a schema) ▸ PlainForm ▸ KeySorter (when asked) ▸ writer
///
/// A change of entries takes plain values of all kinds, of which the writer may take only some:
///
///     reader ▸ PlainForm ▸ EntryLister or EntryCollector ▸ PlainForm ▸ writer
///
/// A caller's adapters are placed before the RecordMapper and after the PlainForm.
struct Pipeline {
  /// The sink that the reader sends to.
  private(set) var first: any ValueSink
  private let database: DatabaseTarget?
  /// The adapters that make plain values; nil in the typed form of a text format.
  private var plain: PlainPipeline?
  /// The writer, if it can write what is complete while the input pauses.
  let writer: (any PromptWriter)?
  /// The adapter that renames classes.
  private var renamer: ClassRenamer?
  /// The adapter that counts keys which name a class.
  private var classKeys: ClassKeys?
  private let sortsKeys: Bool
  /// The adapter that sorts keys; nil if they keep their order.
  private var sorter: KeySorter?

  /// Creates the sinks from the writer back to the reader. Each step adds those before `first`.
  init(
    _ conversion: Conversion, schema: Schema?, source: SourceFacts, to output: any ByteOutput,
    losses: LossReport, adapting adapters: RecordAdapters = RecordAdapters(),
    locator: SourceLocator? = nil, failed: FailedRecords? = nil, projectName: String? = nil
  ) throws(FerryError) {
    try conversion.entriesInUse?.check()
    let context = Context(
      conversion, schema: schema, source: source, losses: losses, locator: locator, failed: failed)
    sortsKeys = conversion.writing.sortsKeys
    let choice = WriterChoice(
      conversion: conversion, schema: adapters.schemaOfWrittenRecords(schema), source: context.written,
      losses: context.outputLosses, projectName: projectName, hasAdapters: !adapters.isEmpty)
    database = try DatabaseTarget(
      conversion, schema: choice.schema, source: choice.source, to: output, losses: choice.losses)
    (first, writer) = try Self.output(choice, database, to: output)
    sorter = addSorter(context)
    if let adapt = adapters.target { first = adapt(first) }
    guard !conversion.tagsScalars else {
      first = Self.typedForm(conversion, of: source, to: first)
      return
    }
    addClassKeys(context)
    try addPlainForm(context)
    setPath(of: sorter, context)
    if let adapt = adapters.source { first = adapt(first, source.recordDialect) }
    if conversion.writing.representation == .raw, source.format.hasRawForm {
      first = RawReferences(to: first)
    }
    addRenamer(conversion)
  }

  /// Creates the sinks of an input whose records leave its list in plain form.
  ///
  /// - Parameters:
  ///   - elements: Takes the records out of the list.
  ///   - list: The sinks of the list of several inputs, which have the writer; nil if each record has a writer of its own.
  ///   - schemaOfOutput: The schema by which the records are written.
  init(
    _ conversion: Conversion, schema: Schema?, source: SourceFacts, sendingTo elements: ListElements,
    of list: Pipeline?, schemaOfOutput: Schema?, losses: LossReport, adapting adapters: RecordAdapters,
    locator: SourceLocator?, failed: FailedRecords?
  ) throws(FerryError) {
    try conversion.entriesInUse?.check()
    var context = Context(
      conversion, schema: schema, source: source, losses: losses, locator: locator, failed: failed)
    context.schemaOfOutput = schemaOfOutput
    sortsKeys = conversion.writing.sortsKeys
    (database, writer, sorter) = (list?.database, nil, list?.sorter)
    first = elements
    addClassKeys(context)
    try addPlainForm(context)
    setPath(of: sorter, context)
    if let adapt = adapters.source { first = adapt(first, source.recordDialect) }
    addRenamer(conversion)
  }

  /// The parts of a conversion that its sinks depend on.
  private struct Context {
    let conversion: Conversion
    let schema: Schema?
    /// The schema by which the output is written.
    var schemaOfOutput: Schema?
    let source: SourceFacts
    /// The properties of the values that are written, after a change of entries.
    let written: SourceFacts
    let change: EntryChange?
    /// The position of the current entry in a change of entries.
    let entry: EntryPosition?
    let losses: LossReport
    /// The report with paths in the input, which has the records that are left out.
    let inputLosses: LossReport
    /// The report for the values that are written.
    let outputLosses: LossReport
    let locator: SourceLocator?
    let failed: FailedRecords?

    init(
      _ conversion: Conversion, schema: Schema?, source: SourceFacts, losses: LossReport,
      locator: SourceLocator?, failed: FailedRecords?
    ) {
      (self.conversion, self.schema, self.source) = (conversion, schema, source)
      schemaOfOutput = schema
      (self.losses, self.locator, self.failed) = (losses, locator, failed)
      let inputLosses = failed.map { LossReport(to: losses, path: $0.pathInInput) } ?? losses
      let change = conversion.entriesInUse
      written = change.map { source.changed(by: $0) } ?? source
      let entry = change.map { EntryPosition($0) }
      if let failed { entry?.pathOfRecord = failed.pathInInput }
      outputLosses = entry.map { LossReport(to: inputLosses, path: $0.pathInInput) } ?? inputLosses
      (self.inputLosses, self.change, self.entry) = (inputLosses, change, entry)
    }

    /// True if the keys are sorted before they become the records of a list of entries.
    var sortsEntries: Bool { conversion.writing.sortsKeys && change?.makesRecords == true }
  }

  /// Adds the adapter that sorts keys, if asked for.
  private mutating func addSorter(_ context: Context) -> KeySorter? {
    guard sortsKeys, !context.sortsEntries else { return nil }
    let sorter = KeySorter(to: first)
    first = sorter
    return sorter
  }

  /// Adds the adapter that counts keys which name a class, in an archive.
  private mutating func addClassKeys(_ context: Context) {
    let writing = context.conversion.writing
    guard writing.format.isArchive, writing.representation == .plain, !context.written.isInPlainForm,
      context.written.format.description.shape != .objects
    else { return }
    let keys = ClassKeys(to: first)
    (classKeys, first) = (keys, keys)
  }

  /// Adds the change of entries, the plain form, and the schema.
  private mutating func addPlainForm(_ context: Context) throws(FerryError) {
    let (conversion, source) = (context.conversion, context.source)
    let capabilities = database?.capabilities ?? Self.capabilities(conversion, schema: context.schemaOfOutput)
    let valueLosses =
      GivenColumns(conversion.writing)?.report(to: context.outputLosses) ?? context.outputLosses
    let taken = addChange(context, capabilities, losses: valueLosses)
    let losses = context.change == nil ? valueLosses : context.inputLosses
    var plain = PlainPipeline(
      of: source, to: first, capabilities: taken, losses: losses, shared: conversion.writing.shared,
      budget: conversion.reading.budget, failed: context.failed)
    Self.addObjects(
      conversion, of: source, context.change == nil ? capabilities : capabilities.subtracting(.objectKeys),
      to: &plain, losses: losses)
    if let schema = context.schema, conversion.mappedRows == nil {
      var dialect = database?.dialect ?? conversion.writing.recordDialect
      dialect.putsRecordsInColumns = conversion.writesDottedColumns
      if conversion.joinsRecords, dialect.envelope == .dictionary {
        dialect.envelope = conversion.splitsRecords ? .nothing : .ofAllInputs
      }
      plain.map(
        by: schema, from: source.recordDialect, to: dialect,
        options: try Self.recordOptions(conversion, schema), losses: context.losses,
        locator: context.locator)
    }
    self.plain = plain
    first = plain.first
  }

  /// Adds the change of entries, if there is one. Returns the kinds of values that the first sink takes then.
  private mutating func addChange(
    _ context: Context, _ capabilities: FormatCapabilities, losses: LossReport
  ) -> FormatCapabilities {
    guard let change = context.change, let entry = context.entry else { return capabilities }
    first = PlainForm(to: first, capabilities: capabilities, losses: losses)
    let isSelected = context.source.format.isOfElements && context.conversion.reading.select != nil
    // A list that the options name is one.
    let isList = context.conversion.reading.xml.lists.contains {
      $0.lastKey.equals(change.names.value) || $0.lastKey.equals(XMLListPaths.anyName)
    }
    first = change.adapter(
      to: first, isSelected: isSelected, unwrapsLists: context.source.hasListsByPath && !isList, entry)
    if context.sortsEntries { first = KeySorter(to: first) }
    return .plainValues
  }

  /// Gives the sorter of keys the path of the dictionary that it holds, for its errors. The mapper adds the path of the record.
  private func setPath(of sorter: KeySorter?, _ context: Context) {
    guard let sorter, let plain else { return }
    let (change, failed, isMapped) = (context.change, context.failed, plain.isMapped)
    sorter.pathAround = { [weak plain = plain.plain] in
      // The entries of the sorted dictionary have been records.
      guard change == nil else { return [] }
      let path = plain?.path ?? ValuePath()
      return isMapped ? [] : Self.stepsAroundDictionaries(failed?.pathInInput(path) ?? path)
    }
  }

  /// Adds the adapter that renames classes.
  private mutating func addRenamer(_ conversion: Conversion) {
    guard !conversion.classNames.isEmpty else { return }
    let renamer = ClassRenamer(
      .init(exactly: conversion.classNames), to: first, writesArchive: conversion.writing.format.isArchive)
    (self.renamer, first) = (renamer, renamer)
  }

  /// Returns the sink of the values that are written, and the writer after it, if it can write what is complete while the input pauses.
  private static func output(
    _ choice: WriterChoice, _ database: DatabaseTarget?, to output: any ByteOutput
  ) throws(FerryError) -> (sink: any ValueSink, writer: (any PromptWriter)?) {
    let (conversion, losses) = (choice.conversion, choice.losses)
    try conversion.writing.csv.checkColumns()
    let lookalikes = conversion.typedLookalikes
    let beginning = lookalikes == .map ? BeginningOutput(of: output) : nil
    var sink: any ValueSink
    if let database { sink = database.sink } else { sink = try choice.writer(to: beginning ?? output) }
    let writer = sink as? any PromptWriter
    if let beginning {
      sink = TypedElementLookalikes(to: sink, of: beginning, losses: losses)
    } else if lookalikes != nil {
      sink = TypedLookalikes(
        to: sink, listsLines: conversion.writing.isListOfRecords, losses: losses)
    }
    if conversion.writing.choosesKeys, let columns = conversion.writing.csv.columns {
      sink = ChosenColumns(columns, to: sink)
    }
    if conversion.isStrict { sink = StrictEnd(to: sink, losses: losses) }
    return (sink, writer)
  }

  /// Returns the adapter that gives values the typed form of a text format.
  private static func typedForm(
    _ conversion: Conversion, of source: SourceFacts, to sink: any ValueSink
  ) -> any ValueSink {
    let reading = conversion.reading
    let scalars = TaggedScalars(
      to: sink, capabilities: conversion.writing.format.typedCapabilities,
      nesting: reading.expandsData ? reading.budget.nesting : 0, budget: reading.budget)
    if source.sendsTypedForm { return scalars }
    let typed = TypedForm(to: scalars)
    return source.mayHaveObjectKeys ? TypedPairs(to: typed) : typed
  }

  /// Adds the adapters of objects and of data that is expanded, before the plain form.
  private static func addObjects(
    _ conversion: Conversion, of source: SourceFacts, _ capabilities: FormatCapabilities,
    to plain: inout PlainPipeline, losses: LossReport
  ) {
    let (reading, writing) = (conversion.reading, conversion.writing)
    let mayHaveObjectKeys = source.mayHaveObjectKeys || reading.expandsData
    if mayHaveObjectKeys && !capabilities.contains(.objectKeys) { plain.addObjectKeys() }
    let readsReferences = writing.representation == .raw && source.hasNodes || capabilities.contains(.uids)
    if readsReferences, !writing.format.isBinaryPropertyList { plain.addReferenceLookalikes(losses) }
    if reading.expandsData {
      plain.expandData(
        of: source, asStored: writing.representation == .raw, shared: writing.shared, budget: reading.budget,
        losses: losses)
    }
  }

  /// Returns the options for mapping records by a schema.
  private static func recordOptions(
    _ conversion: Conversion, _ schema: Schema
  ) throws(FerryError) -> RecordOptions {
    if conversion.writing.format.isArchive {
      try ClassRenamer.check(.init(exactly: conversion.classNames), of: schema)
    }
    var options = conversion.recordOptions
    (options.keepsText, options.keepsIdentities) = (true, true)
    return options
  }

  /// The path of the current value in the input. If keys are sorted, it is only the path of the outermost
  /// dictionary, which reaches the writer as a whole.
  var path: ValuePath {
    let path = plain?.path ?? ValuePath()
    return sortsKeys ? ValuePath(Self.stepsAroundDictionaries(path)) : path
  }

  /// Returns the steps of a path to the outermost dictionary.
  private static func stepsAroundDictionaries(_ path: ValuePath) -> [ValuePath.Step] {
    Array(path.steps.prefix(while: \.isIndex))
  }

  /// Changes the options for reading so that the values have the form that the writer takes.
  func adapt(_ options: inout ReadingOptions) { database?.adapt(&options) }

  /// The number of records that have been sent.
  var sentCount: Int { plain?.sentCount ?? 0 }

  /// The number of records that the schema describes, also of those that were left out.
  var recordCount: Int { plain?.recordCount ?? 0 }

  /// The names of all classes in the input, if classes are renamed.
  var classNames: Set<ExactString> { renamer?.names ?? [] }

  /// Notes about new tables of a database, and about new names for classes that occur neither in the input nor in the schema.
  func notes(_ conversion: Conversion, _ schema: Schema?) -> [Note] {
    var notes = conversion.joinsRecords ? [] : database?.notes ?? []
    if let count = classKeys?.count, count > 0 { notes.append(.classAsKey(count: count)) }
    // One of several inputs need not have all classes.
    guard let renamer, !conversion.joinsRecords else { return notes }
    return notes
      + conversion.notesOnClassNames(missingIn: renamer.names.union(schema?.record.classNames ?? []))
  }

  private static func capabilities(_ conversion: Conversion, schema: Schema?) -> FormatCapabilities {
    let writing = conversion.writing
    if conversion.joinsTypedRecords { return .plainValues }
    switch writing.format.description.writer {
    case .elements where schema != nil: return RecordDialect.xml.capabilities
    case .elements where writing.xml.types == .attributes:
      return .xmlWithTypes
    case .tables where conversion.splitsRecords: return writing.format.capabilities.union(.decimals)
    case .rows: return schema == nil ? .rows : .rows.union(RecordDialect.csv.capabilities)
    default: break
    }
    let target = writing.representation == .raw ? writing.format.asPropertyList : writing.format
    return target.description.keepsKnownClasses ? target.capabilities.union(.objects) : target.capabilities
  }
}

extension Conversion {
  /// True if the output is a table with columns such as `address.city` for nested dictionaries.
  var writesDottedColumns: Bool {
    if case .rows? = writing.format.description.writer { writing.csv.nestsDottedColumns } else { false }
  }

  /// True if the output has the typed form as text, in which scalars of other formats are tagged.
  var tagsScalars: Bool {
    writing.representation == .typed && !writing.format.isBinaryPropertyList && !writing.format.isSingle
      && !writing.format.isArchive
  }

  /// Notes about new names for classes that are not among the known ones.
  func notesOnClassNames(missingIn known: Set<ExactString>) -> [Note] {
    classNames.keys.sorted().filter { !known.contains($0) }.map { name in
      .unknownClass(name, near: NearMiss.nearest(to: name, among: known.sorted().lazy.map(\.string)))
    }
  }

  /// The syntax in which the output could look like a typed document, or nil if it is one, or is an archive or binary.
  fileprivate var typedLookalikes: FormatDescription.TypedSyntax? {
    let (format, representation) = (writing.format, writing.representation)
    guard representation != .typed, !writing.keepsTypedText, !(format.isArchive && representation == .plain)
    else { return nil }
    return format.typedSyntax
  }
}

/// An adapter before the writer of a strict conversion. At the end it throws the first loss, so that the writer
/// does not complete its output. Adapters may hold values, and report their losses, until the end.
private final class StrictEnd: BatchForwardingSink {
  private let losses: LossReport

  init(to next: any ValueSink, losses: LossReport) {
    self.losses = losses
    super.init(to: next)
  }

  override func finish() throws(FerryError) {
    if let loss = losses.losses.first {
      throw FerryError(.loss(loss.kind), at: loss.location, path: loss.path)
    }
    try next.finish()
  }
}
