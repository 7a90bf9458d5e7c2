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
  let first: any ValueSink
  private let database: DatabaseTarget?
  /// The adapters that make plain values; nil in the typed form of a text format.
  private let plain: PlainPipeline?
  /// The writer, if it can write what is complete while the input pauses.
  let writer: (any PromptWriter)?
  /// The adapter that renames classes.
  private var renamer: ClassRenamer?
  /// The adapter that counts keys which name a class.
  private var classKeys: ClassKeys?
  private let sortsKeys: Bool

  init(
    _ conversion: Conversion, schema: Schema?, source: SourceFacts, to output: any ByteOutput,
    losses: LossReport, adapting adapters: RecordAdapters = RecordAdapters(),
    locator: SourceLocator? = nil, failed: FailedRecords? = nil, projectName: String? = nil
  ) throws(FerryError) {
    sortsKeys = conversion.writing.sortsKeys
    let inputLosses = failed.map { LossReport(to: losses, path: $0.pathInInput) } ?? losses
    let change = conversion.entriesInUse
    try change?.check()
    let written = change.map { source.changed(by: $0) } ?? source
    let entry = change.map { EntryPosition($0) }
    if let failed { entry?.pathOfRecord = failed.pathInInput }
    let outputLosses = entry.map { LossReport(to: inputLosses, path: $0.pathInInput) } ?? inputLosses
    let writtenSchema = adapters.schemaOfWrittenRecords(schema)
    database = try DatabaseTarget(
      conversion, schema: writtenSchema, source: written, to: output, losses: outputLosses)
    var sink: any ValueSink
    (sink, writer) = try Self.output(
      conversion, schema: writtenSchema, source: written, database, to: output, losses: outputLosses,
      projectName: projectName, hasAdapters: !adapters.isEmpty)
    let sortsEntries = sortsKeys && change?.makesRecords == true
    let sorter = sortsKeys && !sortsEntries ? KeySorter(to: sink) : nil
    sink = sorter ?? sink
    if let adapt = adapters.target { sink = adapt(sink) }
    if conversion.tagsScalars {
      first = Self.typedForm(conversion, of: source, to: sink)
      plain = nil
      return
    }
    let capabilities = database?.capabilities ?? Self.capabilities(conversion, schema: schema)
    let writing = conversion.writing
    if writing.format.isArchive, writing.representation == .plain,
      written.format.description.shape != .objects
    {
      let keys = ClassKeys(to: sink)
      (classKeys, sink) = (keys, keys)
    }
    let valueLosses = GivenColumns(conversion.writing)?.report(to: outputLosses) ?? outputLosses
    var taken = capabilities
    if let change, let entry {
      sink = PlainForm(to: sink, capabilities: capabilities, losses: valueLosses)
      let isSelected = source.format.isOfElements && conversion.reading.select != nil
      // A list that the options name is one.
      let isList = conversion.reading.xml.lists.contains { $0.lastKey.equals(change.names.value) }
      sink = change.adapter(
        to: sink, isSelected: isSelected, unwrapsLists: source.hasListsByPath && !isList, entry)
      taken = .plainValues
      if sortsEntries { sink = KeySorter(to: sink) }
    }
    let plainLosses = change == nil ? valueLosses : inputLosses
    var plain = PlainPipeline(
      of: source, to: sink, capabilities: taken, losses: plainLosses, shared: conversion.writing.shared,
      budget: conversion.reading.budget, failed: failed)
    Self.addObjects(
      conversion, of: source, change == nil ? capabilities : capabilities.subtracting(.objectKeys),
      to: &plain, losses: plainLosses)
    if let schema, conversion.mappedRows == nil {
      var dialect = database?.dialect ?? conversion.writing.recordDialect
      dialect.putsRecordsInColumns = conversion.writesDottedColumns
      plain.map(
        by: schema, from: source.recordDialect, to: dialect,
        options: try Self.recordOptions(conversion, schema), losses: losses, locator: locator)
    }
    self.plain = plain
    sink = plain.first
    // The mapper adds the path of the record.
    let hasMapper = plain.isMapped
    sorter?.pathAround = { [weak plain = plain.plain] in
      // The entries of the sorted dictionary have been records.
      guard change == nil else { return [] }
      let path = plain?.path ?? ValuePath()
      return hasMapper ? [] : Self.stepsAroundDictionaries(failed?.pathInInput(path) ?? path)
    }
    if let adapt = adapters.source { sink = adapt(sink, source.recordDialect) }
    if conversion.writing.representation == .raw, source.format.hasRawForm { sink = RawReferences(to: sink) }
    if !conversion.classNames.isEmpty {
      let renamer = ClassRenamer(
        .init(exactly: conversion.classNames), to: sink, writesArchive: conversion.writing.format.isArchive)
      (self.renamer, sink) = (renamer, renamer)
    }
    first = sink
  }

  /// Returns the sink of the values that are written, and the writer after it, if it can write what is complete while the input pauses.
  private static func output(
    _ conversion: Conversion, schema: Schema?, source: SourceFacts, _ database: DatabaseTarget?,
    to output: any ByteOutput, losses: LossReport, projectName: String?, hasAdapters: Bool
  ) throws(FerryError) -> (sink: any ValueSink, writer: (any PromptWriter)?) {
    let lookalikes = conversion.typedLookalikes
    let beginning = lookalikes == .map ? BeginningOutput(of: output) : nil
    var sink: any ValueSink
    if let database {
      sink = database.sink
    } else {
      sink = try Self.writer(
        conversion, schema: schema, source: source, to: beginning ?? output, losses: losses,
        projectName: projectName, hasAdapters: hasAdapters)
    }
    let writer = sink as? any PromptWriter
    if let beginning {
      sink = TypedElementLookalikes(to: sink, of: beginning, losses: losses)
    } else if lookalikes != nil {
      sink = TypedLookalikes(
        to: sink, listsLines: conversion.writing.isListOfRecords, losses: losses)
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
    return source.sendsTypedForm ? scalars : TypedForm(to: scalars)
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

  /// Notes about new tables of a database, and about new names for classes that occur neither in the input nor in the schema.
  func notes(_ conversion: Conversion, _ schema: Schema?) -> [Note] {
    var notes = database?.notes ?? []
    if let count = classKeys?.count, count > 0 { notes.append(.classAsKey(count: count)) }
    guard let renamer else { return notes }
    return notes
      + conversion.notesOnClassNames(missingIn: renamer.names.union(schema?.record.classNames ?? []))
  }

  private static func capabilities(_ conversion: Conversion, schema: Schema?) -> FormatCapabilities {
    let writing = conversion.writing
    switch writing.format.description.writer {
    case .elements where schema != nil: return RecordDialect.xml.capabilities
    case .elements where writing.xml.types == .attributes:
      return .xmlWithTypes
    case .rows: return schema == nil ? .rows : .rows.union(RecordDialect.csv.capabilities)
    default: break
    }
    let target = writing.representation == .raw ? writing.format.asPropertyList : writing.format
    return target.description.keepsKnownClasses ? target.capabilities.union(.objects) : target.capabilities
  }

  private static func writer(
    _ conversion: Conversion, schema: Schema?, source: SourceFacts, to output: any ByteOutput,
    losses: LossReport, projectName: String?, hasAdapters: Bool
  ) throws(FerryError) -> any ValueSink {
    let writing = conversion.writing
    let (target, isTyped) = (writing.format, writing.representation == .typed)
    switch target.description.writer {
    case .values
    where isTyped && !target.isBinaryPropertyList && !target.isSingle && target.description.typedSyntax == nil:
      throw FerryError(.typed(.noTypedForm(target.rawValue)))
    case .values(let makeWriter):
      let context = WriterContext(
        style: writing.style, holdsArchive: source.isArchive, projectName: projectName, losses: losses,
        hasRootElement: source.format.isOfElements, documents: source.documents)
      let writer = try makeWriter(output, context)
      let isRaw = writing.representation == .raw
      return source.isArchive && isRaw ? archived(writer, conversion, source) : writer
    case .archive:
      guard case .values(let makeWriter) = target.asPropertyList.description.writer else { break }
      let writer = try makeWriter(output, WriterContext(holdsArchive: true))
      guard writing.representation == .raw else {
        return archiveWriter(writer, conversion, schema: schema, source)
      }
      let ordered = archived(writer, conversion, source)
      return source.isArchive ? ordered : RawArchiveCheck(to: ordered)
    case .elements where isTyped:
      return try JSONElementsWriter(to: output, indentation: writing.style.indentation ?? .spaces(2))
    case .elements:
      let indentation = writing.style.indentation ?? .spaces(2)
      if let schema {
        return try XMLRecordWriter(
          schema, to: output, indentation: indentation, losses: losses, keepsNames: source.keepsNames,
          reportsForms: writing.xml.reportsForms)
      }
      switch writing.xml.convention {
      case .ferry:
        return try XMLValueWriter(
          to: output, root: writing.rootElement, indentation: indentation, types: writing.xml.types,
          hasExpandedNames: writing.xml.hasExpandedNames, reportsForms: writing.xml.reportsForms,
          losses: losses)
      case .jsonml: return try JsonMLWriter(to: output, losses: losses)
      case .parker: throw FerryError(.xml(.readOnlyConvention(writing.xml.convention.rawValue)))
      case .badgerfish, .xmltodict:
        return try ConventionWriter(
          writing.xml.convention, to: output, root: writing.rootElement, indentation: indentation,
          losses: losses)
      }
    case .rows where isTyped: throw FerryError(.csv(.onlyPlain))
    case .rows(let makeWriter):
      let fields = schema.map { Self.columns(of: $0.record, isDotted: conversion.writesDottedColumns) } ?? []
      let context = RowsContext(
        layout: writing.csv, fields: fields, hasColumnsOfFields: conversion.mappedRows != .ofTable,
        hasColumnsOfFirstRow: source.hasEqualRows && schema == nil && !hasAdapters && !conversion.infersSchema
          && !conversion.reading.expandsData && !writing.csv.nestsDottedColumns,
        isUntyped: source.scalarsAreText && !conversion.reading.csv.infersTypes,
        losses: losses, budget: conversion.reading.budget
      ) { () throws(FerryError) in try source.columns(nil) }
      return try makeWriter(output, context)
    case .tables, nil: break
    }
    throw FerryError(.file(.notWritten(target.rawValue)))
  }

  /// Returns the fields of records as columns. Those of nested records are columns such as `address.city` if a table has them.
  private static func columns(of type: RecordType, isDotted: Bool) -> [RowsContext.Field] {
    type.fields.flatMap { field -> [RowsContext.Field] in
      if isDotted, case .record(let nested) = field.type {
        return columns(of: nested, isDotted: true).map { column in
          RowsContext.Field(
            name: "\(field.name).\(column.name)", restoresTypes: column.restoresTypes,
            mayBeEmptyOrMissing: column.mayBeEmptyOrMissing, hasDividedKey: column.hasDividedKey)
        }
      }
      return [
        RowsContext.Field(
          name: field.name, restoresTypes: field.type != .any,
          mayBeEmptyOrMissing: field.type.canBeEmptyText && !field.takesNullAsEmptyText,
          hasDividedKey: isDotted && field.name.utf8.contains(UInt8(ascii: ".")))
      ]
    }
  }

  /// Creates the writer of an archive. Values from an archive or a typedstream already use archived keys.
  private static func archiveWriter(
    _ writer: any ValueSink, _ conversion: Conversion, schema: Schema?, _ source: SourceFacts
  ) -> any ValueSink {
    var (storage, top) = (conversion.writing.archivedStorage, conversion.writing.archiveTop)
    if let archive = source.wholeArchive {
      let names = ArchivedNames(schema, renaming: .init(exactly: conversion.classNames))
      storage.add(ArchivedStorage(of: archive).renamed(names.newKeys))
      top = ArchiveTop(of: archive)
    }
    let format = conversion.writing.format
    let archive = ArchiveWriter(
      to: writer, keyOrder: format.sortsKeys ? .sorted : .buckets, catalog: conversion.reading.catalog,
      decodedForms: source.format.description.shape == .objects ? .scalars : .all,
      storage: storage, top: top)
    return format.description.declaresEncoding ? XMLCharacterCheck(to: archive) : archive
  }

  /// Returns the sink for the raw property list of an archive. In an archive that comes from an XML property
  /// list, keys are sorted because Apple sorts them, so their original order is lost. The binary file gets
  /// the order in which an archiver on a Mac would write them.
  private static func archived(
    _ writer: any ValueSink, _ conversion: Conversion, _ source: SourceFacts
  ) -> any ValueSink {
    let writing = conversion.writing
    guard writing.ordersArchivedKeys, writing.format.isBinaryPropertyList,
      source.format.description.sortsKeys
    else {
      return writer
    }
    return KeySorter(to: writer, order: .archived)
  }
}

extension Conversion {
  /// True if the output is a table with columns such as `address.city` for nested dictionaries.
  fileprivate var writesDottedColumns: Bool {
    if case .rows? = writing.format.description.writer { writing.csv.nestsDottedColumns } else { false }
  }

  /// True if the output has the typed form as text, in which scalars of other formats are tagged.
  fileprivate var tagsScalars: Bool {
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
    if let loss = losses.losses.first { throw FerryError(.loss(loss.kind), path: loss.path) }
    try next.finish()
  }
}
