/// A reader and writer of documents of records.
struct RecordDocumentFiles {
  /// The schema of the records, or nil to match the built-in schemas.
  var schema: Schema?
  /// The schema of the document's type. It identifies records, but does not change their shape.
  var typeSchema: Schema?
  var matchesSchemas = true
  /// The format, if the content does not identify it.
  var source: Format?
  /// The formats that document types declare, by the names of files.
  var declared = DeclaredFormats()
  var readsNewerVersions = false
  var budget = Budget()
  /// The storage of scalars in new objects of archives.
  var archivedStorage = ArchivedStorage()
  /// The parts of archives around their objects.
  var archiveTop = ArchiveTop()
  /// True to locate each record at its beginning, and its errors at their values, which takes more time.
  var locatesValues = false
  /// True to read a document in the typed form, or an archive in the raw form, as the values of its text.
  var readsTypedText = false
  /// True to read only the list of records of XML without a schema, if it has one (see `RecordList`).
  var findsRecordList = false

  /// The condition for applying a schema to the value.
  enum Mapping {
    /// Only if a schema is given, or if the two formats differ in kind.
    case whenNeeded
    /// Only for XML whose values have no types.
    case onlyOfText
    case always
  }

  /// Reads a document, in its own shape or in that of another document. Reads it again to locate an error in a record.
  func read(
    _ bytes: [UInt8], named name: String?, as shape: RecordShape? = nil, fallback: Schema? = nil,
    mapping: Mapping = .whenNeeded
  ) throws(FerryError) -> RecordDocument {
    do throws(FerryError) {
      return try readOnce(bytes, named: name, as: shape, fallback: fallback, mapping: mapping)
    } catch {
      guard !locatesValues, case .record = error.reason else { throw error }
      var locating = self
      locating.locatesValues = true
      do throws(FerryError) {
        return try locating.readOnce(bytes, named: name, as: shape, fallback: fallback, mapping: mapping)
      } catch let again {
        throw again.reason == error.reason && again.path == error.path ? again : error
      }
    }
  }

  private func readOnce(
    _ bytes: [UInt8], named name: String?, as shape: RecordShape?, fallback: Schema?, mapping: Mapping
  ) throws(FerryError) -> RecordDocument {
    let detected = try DetectedInput(
      MemoryInput(bytes), named: name, given: source, declared: declared, budget: budget)
    var options = ReadingOptions()
    options.budget = budget
    options.xml = options.xml.forPaths(findsTypes: true)
    options.readsTypedText = readsTypedText
    let input = try OpenedInput(detected, options)
    let schema = try schema(for: input, options, named: name) ?? fallback
    let types = input.rootTypes(options)
    let own = RecordShape(input.format, hasTypes: types != nil)
    let target = shape ?? own
    let isMapped = schema != nil && isMapped(own, to: target, mapping)
    let builder = ValueBuilder()
    let losses = LossReport()
    var sink: any ValueSink = builder
    var mapper: RecordMapper?
    let locator = SourceLocator(locatesValues: locatesValues)
    if isMapped, let schema {
      let records = RecordMapper(
        schema, from: own.dialect, to: target.dialect, into: builder,
        options: conversion(to: input.format).recordOptions, losses: losses, locator: locator)
      records.keepsLocations = true
      mapper = records
      sink =
        RecordEnvelope(
          schema, before: records, to: target.dialect.envelope, losses: losses, locator: locator)
        ?? records
    }
    options.schema = isMapped ? schema : nil
    options.findsRecordList = findsRecordList && !isMapped && own.isOfElements
    options.reportsArchiveParts = !target.isArchive
    do throws(FerryError) {
      try input.send(into: sink, options, losses: losses, locator: locator)
      try sink.finish()
    } catch {
      let error = detected.explaining(error)
      // A mapped value may have another path than that in the file.
      let isText = detected.format.description.textLayout != nil
      throw isMapped || !isText ? error : error.placed(inOutput: builder.path)
    }
    let value = try builder.result()
    let text = DescribingText(bytes, in: detected.format, as: input.kind)
    let version = schema?.version(of: value, isText: own.dialect.scalarsAreText, mappedBy: mapper)
    return RecordDocument(
      format: input.format, schema: schema, value: value,
      bytes: try text?.file(of: input.format, budget) ?? bytes, types: types, isMapped: isMapped,
      version: version, locations: mapper?.locations ?? [], losses: losses.all,
      archiveEntries: try input.archiveEntries(options), describingText: text,
      hasSeveralDocuments: input.documents.areSeveral)
  }

  /// Reads bytes in the format of a document, with its schema. Returns nil if the bytes are not valid.
  func read(_ bytes: [UInt8], like document: RecordDocument) -> RecordDocument? {
    var reading = self
    reading.source = document.format
    if !document.isMapped { reading.schema = nil }
    return try? reading.read(
      bytes, named: nil, fallback: document.schema, mapping: document.isMapped ? .always : .onlyOfText)
  }

  /// Returns a reader and writer of documents without a schema. A nil format means the one that the content shows.
  func withoutSchema(in format: Format?) -> RecordDocumentFiles {
    var files = self
    (files.source, files.schema, files.matchesSchemas) = (format, nil, false)
    return files
  }

  /// Returns true if a schema is applied to a value that becomes one of another shape.
  private func isMapped(_ own: RecordShape, to target: RecordShape, _ mapping: Mapping) -> Bool {
    switch mapping {
    case .whenNeeded: schema != nil || own.isOfElements || !target.isLike(own)
    case .onlyOfText: own.isOfElements
    case .always: true
    }
  }

  private func schema(
    for input: OpenedInput, _ options: ReadingOptions, named name: String?
  ) throws(FerryError) -> Schema? {
    if let schema { return schema }
    guard matchesSchemas else { return nil }
    if let typeSchema { return typeSchema }
    if let found = try input.matchingSchema(options) { return found }
    guard let name, let fileExtension = FormatDetector.fileExtension(of: name) else { return nil }
    return Schema.builtIn.first { $0.documentExtensions.contains(fileExtension) }
  }

  private func conversion(to target: Format) -> Conversion {
    var conversion = Conversion(to: target)
    conversion.reading.schema = schema
    conversion.readsNewerVersions = readsNewerVersions
    conversion.reading.budget = budget
    (conversion.writing.archivedStorage, conversion.writing.archiveTop) = (archivedStorage, archiveTop)
    return conversion
  }

  /// Returns the file for a value in the shape of its format.
  func bytes(of value: Value, in file: NewRecordFile, losses: LossReport) throws(FerryError) -> [UInt8] {
    try file.format.checkCanWrite()
    var conversion = conversion(to: file.format)
    file.setOptions(of: &conversion)
    let output = MemoryOutput()
    try conversion.write(to: output, losses: losses, isArchived: file.format.isArchive) {
      sink throws(FerryError) in try value.replay(into: sink)
    }
    return output.bytes
  }
}
