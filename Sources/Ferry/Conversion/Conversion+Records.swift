// The steps of conversions that take the records out of the list of an input.

extension Conversion {
  /// The settings for reading an input, whose records have the plain form.
  var readingRecords: Conversion {
    var conversion = self
    (conversion.joinsRecords, conversion.keepsArchives) = (true, false)
    if writesTypedRecords {
      conversion.joinsTypedRecords = true
      // The typed form opens data itself.
      conversion.reading.expandsData = false
      (conversion.reading.schema, conversion.reading.matchesSchemas) = (nil, false)
      conversion.infersSchema = false
    }
    conversion.writing.representation = .plain
    // A reference by path would lead to another record in the output, or to none.
    conversion.writing.shared = .inFull
    return conversion
  }

  /// The settings for writing records that have been read.
  var writingRecords: Conversion {
    var conversion = self
    if !writesTypedRecords {
      conversion.writing.representation = .plain
      // The data was opened when the records were read.
      conversion.reading.expandsData = false
    }
    // The records have been mapped, and their classes renamed.
    (conversion.mappedRows, conversion.classNames, conversion.entries) = (.ofSchema, [:], nil)
    (conversion.joinsRecords, conversion.splitsRecords, conversion.keepsGoing) = (false, false, false)
    return conversion
  }

  /// True if the records are written in the typed form. Only the plain form of an archive has records.
  var writesTypedRecords: Bool { writing.representation == .typed && tagsScalars }

  /// Returns the options for reading the records of an input, with the schema that is used.
  func optionsForRecords(
    of source: OpenedInput, named name: String?, outputName: String?
  ) throws(FerryError) -> ReadingOptions {
    var options = readingOptions(for: source.format)
    if source.format.hasTypedColumns {
      options.csv.columnTypes = name.flatMap { commonInference?.columnTypes(ofFile: $0) }
    }
    let (schema, isInferred) = try schemaInUse(for: source, named: name, options, outputName)
    (options.schema, options.isSchemaOfRecordList) = (schema, isInferred)
    try checkRecordOptions(of: source, schema)
    options.reportsVersions = true
    options.keepsColumnNames = reading.select == nil ? false : nil
    return options
  }

  /// Returns the receiver of the names of the records' elements, if the records of an input are elements of XML and become elements of XML without
  /// types; otherwise nil.
  ///
  /// - Parameter options: The options for reading the records, with their schema.
  func recordElements(of source: OpenedInput, _ options: ReadingOptions) -> RecordElements? {
    guard case .elements(let selection) = source.contents, selection?.hasElementsAlone ?? true,
      writing.format.isOfElements, writing.xml.convention == .ferry, writing.xml.types == .none,
      !joinsTypedRecords, entriesInUse == nil, options.schema == nil, options.xml.convention == .ferry,
      options.xml.types == .none, source.rootTypes(options) == nil
    else { return nil }
    return RecordElements(
      declares: options.xml.namespaces == .kept, outer: splitsRecords ? [] : writing.xml.declarations,
      reportsUnused: !splitsRecords)
  }

  /// Returns the settings for writing a record as a document whose root element is that of the record.
  func writingRoot(of elements: RecordElements?) -> Conversion {
    guard let key = elements?.key, writing.rootElement == nil else { return self }
    var conversion = self
    conversion.writing.rootElement = String(decoding: key, as: UTF8.self)
    // The element is that of the input, also among the other ones with its path.
    (conversion.writing.xml.rootIsKey, conversion.writing.xml.reportsRoot) = (true, false)
    conversion.writing.xml.reportsForms = false
    return conversion
  }

  /// Returns the locator for the records of an input; nil if their errors are located in another way.
  func locatorOfRecords(in source: OpenedInput, _ schema: Schema?) -> SourceLocator? {
    source.needsLocations(schema, keepsGoing: keepsGoing) ? SourceLocator(locatesValues: true) : nil
  }

  /// Returns an error in the records of an input with its location and its path in the input.
  func placed(
    _ error: FerryError, inRecordsOf source: OpenedInput, _ detected: DetectedInput,
    _ options: ReadingOptions, _ adapters: RecordAdapters, at path: ValuePath, _ locator: SourceLocator?,
    _ failed: FailedRecords?
  ) -> FerryError {
    let error = locator == nil ? located(error, in: source, options, adapters) : error
    var placed = reading.placed(detected.withReason(error), of: source, at: path, options.schema)
    placed.earlier = failed?.errors ?? []
    return placed
  }
}

extension SourceFacts {
  /// Returns true if the values come from a text in which all values are texts.
  func isUntyped(_ conversion: Conversion) -> Bool {
    scalarsAreText && !conversion.reading.csv.infersTypes
  }
}
