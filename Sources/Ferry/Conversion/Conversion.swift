/// The settings of a conversion: a value for any number of inputs, also concurrently.
///
///     var conversion = Conversion(to: .json)
///     let result = try conversion.convert(archiveBytes, named: "people.pplgrp")
///     // result.bytes: [{"firstName":"Matt","lastName":"Neuburg"}]
public struct Conversion: Sendable {
  /// The format of the input; nil to detect it from the content, then from the name.
  public var source: Format?
  /// The format of the output.
  public var target: Format
  public var representation = Representation.plain
  /// The style of objects with several references, in the plain form.
  public var shared = SharedObjectStyle.reference
  /// The schema of the records; nil to match the built-in ones.
  public var schema: Schema?
  /// True to match built-in schemas if none is given.
  public var matchesSchemas = true
  /// The classes whose archived objects are decoded, unless the output is an archive.
  public var catalog = ClassCatalog.standard
  /// New names for classes in the output.
  public var classNames: [String: String] = [:]
  /// The root element of XML without a schema; nil to choose it by the value.
  public var rootElement: String?
  /// An XPath that selects the records of an XML document.
  public var select: String?
  /// The table of a database to read from or write to; nil for all tables, or the schema's.
  public var table: String?
  /// The Core Data store whose copy gets the new objects; nil for other databases.
  public var template: StoreTemplate?
  /// True to pretty-print, in formats that have a choice.
  public var isPretty = false
  /// True to sort keys.
  public var sortsKeys = false
  /// True to open a property list, an archive or JSON inside data.
  public var expandsData = false
  /// True to refuse data that the target cannot represent.
  public var isStrict = false
  /// True to leave out records that break their schema, elements that are no records, and lines that are not
  /// JSON, and convert the rest.
  public var keepsGoing = false
  /// True to read records of a newer version than the schema's, as if they had the schema's version.
  public var readsNewerVersions = false
  /// True to write the older keys in `alsoWrite` in every format, and not only in archives.
  public var writesOlderKeys = false
  public var budget = Budget()

  /// Creates a conversion to a format, with default settings.
  public init(to target: Format) { self.target = target }

  /// The report of a conversion.
  public struct Report: Sendable {
    /// The format of the input.
    public var source: Format
    /// The data that the target cannot represent.
    public var losses: Losses
    /// The errors of the records that were left out.
    public var failures: [FerryError]
    /// Sentences about the way in which the input was read: that a document with the names of a built-in
    /// schema was read by convention, or that a class file does not fit some objects.
    public var notes: [String] = []
  }

  /// Converts bytes.
  ///
  /// - Parameters:
  ///   - bytes: The input.
  ///   - name: The file name of the input, for contents without a signature.
  /// - Throws: A `FerryError` with the source location and the path.
  public func convert(_ bytes: [UInt8], named name: String? = nil) throws(FerryError) -> (
    bytes: [UInt8], report: Report
  ) {
    let output = MemoryOutput()
    let report = try convert(MemoryInput(bytes), named: name, to: output)
    return (output.bytes, report)
  }

  /// Converts an input. The names of the input and the output are used to find the format and the schema if
  /// the content does not show them.
  ///
  /// - Parameters:
  ///   - input: The input.
  ///   - name: The file name of the input.
  ///   - output: The output.
  ///   - outputName: The file name of the output.
  /// - Throws: A `FerryError` with the source location and the path.
  public func convert(
    _ input: any Input, named name: String? = nil, to output: any ByteOutput, named outputName: String? = nil
  ) throws(FerryError) -> Report {
    try convert(input, named: name, to: output, named: outputName, adapting: RecordAdapters())
  }

  /// Converts an input with the caller's adapters around the mapping of records.
  func convert(
    _ input: any Input, named name: String?, to output: any ByteOutput, named outputName: String?,
    adapting adapters: RecordAdapters
  ) throws(FerryError) -> Report {
    // Lines are read as they arrive; peeking at more of them would wait.
    let headSize = source == .jsonLines ? 1 : FormatDetector.headSize
    let detected = try DetectedInput(input, named: name, given: source, headSize: headSize)
    // JSON Lines without a line has no records, and a text may be empty; every other format has at least one
    // byte.
    guard !detected.head.isEmpty || detected.format == .jsonLines || detected.format == .text else {
      throw FerryError(.file(.empty))
    }
    try checkTarget(named: outputName, output, of: detected)
    let losses = LossReport()
    let source = try OpenedInput(detected, readingOptions(for: detected.format))
    var conversion = self
    // A conversion between archives keeps every object unchanged, unless records are to be mapped.
    if source.isArchive, target.isArchive, schema == nil, classNames.isEmpty {
      conversion.representation = .raw
    }
    if conversion.keepsNodes(of: source), try source.writeBinary(to: output) {
      return Report(source: source.format, losses: losses.all, failures: [], notes: source.notes)
    }
    // A typedstream has no raw property list, which a raw archive would need.
    if source.format == .typedstream, target.isArchive { conversion.representation = .plain }
    var options = conversion.readingOptions(for: source.format)
    let schema = try conversion.schemaInUse(for: source, options, outputName)
    options.schema = schema
    options.reportsDefinitions = target == .sqlite && output.database == nil && template == nil
    let failed = keepsGoing ? FailedRecords() : nil
    let locator = conversion.needsLocations(schema, of: source.format) ? SourceLocator() : nil
    let pipeline = try Pipeline(
      conversion, schema: schema, source: SourceFacts(source, options), to: output, losses: losses,
      adapting: adapters, locator: locator, failed: failed)
    if pipeline.findsRecords { options.elements = .records }
    let stream = isStrict ? nil : input as? FileInput
    if let lines = pipeline.lines {
      stream?.beforeWaiting = { () throws(FerryError) in try lines.flushLines() }
    }
    defer { stream?.beforeWaiting = nil }
    do throws(FerryError) {
      try source.send(
        into: pipeline.first, options, losses: losses, failed: failed, locator: locator)
      // This precedes the end, so that the writer's buffered data is never written.
      if isStrict, let loss = losses.losses.first { throw FerryError(.loss(loss.kind), path: loss.path) }
      try pipeline.first.finish()
    } catch {
      let placed = detected.explaining(error).placed(path: pipeline.path)
      let isMatched = self.schema == nil && (source.format == .xml || source.isArchive)
      var failure = isMatched ? placed.namingBuiltIn(schema) : placed
      failure.earlier = failed?.failures ?? []
      throw failure
    }
    return Report(
      source: source.format, losses: losses.all, failures: failed?.failures ?? [],
      notes: source.notes + pipeline.notes(self, schema))
  }

  /// Returns true if errors in records need source locations that the reader does not add: they do not end
  /// the conversion, or occur after the reader is done. An error in XML has the location of the record's
  /// beginning.
  private func needsLocations(_ schema: Schema?, of format: Format) -> Bool {
    guard let schema else { return keepsGoing }
    return keepsGoing || schema.collectionKey != nil || format == .xml
  }

  /// Throws if the output is a new Core Data store without a template, or a database that would replace itself.
  private func checkTarget(
    named name: String?, _ output: any ByteOutput, of detected: DetectedInput
  ) throws(FerryError) {
    guard target == .sqlite, template == nil, output.database == nil, let name else { return }
    guard !StoreTemplate.isNeeded(forFileNamed: name) else { throw FerryError(.database(.needsTemplate)) }
    guard detected.format == .sqlite, let path = detected.input.path, Folder.isSame(path, name) else {
      return
    }
    throw FerryError(.database(.notRewritten))
  }

  /// True if a binary target has exactly the contents of a binary file, or of a typed document of one.
  private func keepsNodes(of source: OpenedInput) -> Bool {
    guard schema == nil, classNames.isEmpty, !sortsKeys, !expandsData, select == nil else { return false }
    // The objects of an archive are decoded in the plain form.
    guard !source.isArchive || representation != .plain else { return false }
    return target == .binaryPropertyList || (target == .archive && representation != .plain)
  }

  var recordOptions: RecordOptions {
    RecordOptions(
      refusesOtherClasses: schema != nil, readsNewerVersions: readsNewerVersions,
      writesOlderKeys: writesOlderKeys)
  }

  /// Returns the given schema, or the built-in one that matches the input or the name of the output.
  private func schemaInUse(
    for source: OpenedInput, _ options: ReadingOptions, _ outputName: String?
  ) throws(FerryError) -> Schema? {
    guard representation == .plain else { return nil }
    var found = schema
    if found == nil, matchesSchemas {
      found = try source.matchingSchema(options)
      if found == nil, target == .archive, let outputName,
        let fileExtension = FormatDetector.fileExtension(of: outputName)
      {
        found = Schema.builtIn.first { $0.documentExtensions.contains(fileExtension) }
        // The output asks for the schema that the content alone does not show.
        if found != nil { source.notes.removeAll() }
      }
    }
    return found?.renamingClasses(classNames)
  }
}

extension FerryError {
  /// Adds to the error of a record that its schema is a built-in one, which was not requested.
  fileprivate func namingBuiltIn(_ schema: Schema?) -> FerryError {
    guard let schema, Schema.builtIn.contains(where: { $0.name == schema.name }),
      case .record(let problem) = reason
    else { return self }
    return FerryError(.record(.ofBuiltIn(problem, schema: schema.name)), at: position, path: path)
  }
}
