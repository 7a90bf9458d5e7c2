/// The settings of a conversion. They can be used for any number of inputs, also concurrently.
///
///     var conversion = Conversion(to: .json)
///     let result = try conversion.convert(archiveBytes, named: "people.pplgrp")
///     // result.bytes: [{"firstName":"Matt","lastName":"Neuburg"}]
public struct Conversion: Sendable {
  /// The format of the input, or nil to detect it from the content, then from the name.
  public var source: Format?
  /// The format of the output.
  public var target: Format
  /// The representation of values in the output, and of an archive in the input.
  public var representation = Representation.plain
  /// The style of objects that have several references, in plain form.
  public var shared = SharedObjectStyle.reference
  /// The schema of the records, or nil to match the built-in schemas.
  public var schema: Schema?
  /// True to match built-in schemas if `schema` is nil.
  public var matchesSchemas = true
  /// The classes whose objects are decoded. It is not used if the output is an archive.
  public var catalog = ClassCatalog.standard
  /// True to infer the schema of the records if `schema` is nil and no built-in schema matches (see `SchemaInference`). The
  /// input is read twice: a stream is copied to a temporary file. In CSV, the types of the columns are inferred instead.
  public var infersSchema = false
  /// New names for classes in the output, by the old name.
  public var classNames: [String: String] = [:]
  /// The name of the root element in XML without a schema, or nil to derive it from the value.
  public var rootElement: String?
  /// An XPath that selects the records of an XML document, or a path that selects values in other formats, except archives and
  /// typedstreams.
  public var select: String?
  /// The options for XML.
  public var xml = XMLValueOptions()
  /// The table of a database to read from or write to. If it is nil, the schema's table or all tables are
  /// used.
  public var table: String?
  /// The Core Data store that is copied to receive the new objects, or nil to write another kind of database.
  public var template: StoreTemplate?
  /// The encoding of a text input that does not show it, such as CSV: a name that the system's `iconv` knows. Nil means UTF-8,
  /// or UTF-16 or UTF-32 if the first bytes show it. It takes precedence over an XML declaration, but not over a byte order mark.
  public var encoding: String?
  /// The encoding of a text output: a name that the system's `iconv` knows, or `utf-8-bom`. Nil means UTF-8. Characters that
  /// the encoding does not have become character references in XML, and escapes in JSON and OpenStep property lists; other
  /// formats throw `ContentProblem.notEncodable`.
  public var outputEncoding: String?
  /// The properties of CSV in the input that the text itself does not show.
  public var csv = CSVReadingOptions()
  /// The layout of CSV in the output.
  public var csvLayout = CSVWritingOptions()
  /// The layout of the output, in formats that can be compact or pretty-printed.
  public var style = OutputStyle.compact
  /// True to pretty-print the output, in formats that can also be compact.
  public var isPretty: Bool {
    get { style.indentation != nil }
    set { style.indentation = newValue ? style.indentation ?? .spaces(2) : nil }
  }
  /// True to sort the keys of dictionaries.
  public var sortsKeys = false
  /// True to convert property lists, archives and JSON inside data, too.
  public var expandsData = false
  /// True to throw an error at the first loss: data that the target cannot represent.
  public var isStrict = false
  /// True to leave out records that do not conform to their schema, elements that are not records, and lines
  /// that are not JSON. Their errors are in the report: check them before the output replaces the only copy of
  /// the input.
  public var keepsGoing = false
  /// True to read records of newer versions than the schema's as if they had the schema's version.
  public var readsNewerVersions = false
  /// True to write the older keys in `alsoWrite` in every format. Otherwise only archives get them.
  public var writesOlderKeys = false
  /// The limits on the cost of the input.
  public var budget = Budget()
  /// The number of threads that convert one large input. With more than one, a file of at least 8 MiB is converted in parts if
  /// its records are independent of each other: from JSON Lines, a JSON list of objects, or XML with a schema or `select`, to
  /// JSON Lines, JSON, or CSV with a schema. The output, the errors and the report are those of one thread.
  public var threads = 1
  /// True to refuse options that have no effect on the input: those for XML and CSV if it has another format, and those for records
  /// by a schema, or without one. Otherwise they are not used.
  package var refusesUnusedOptions = false
  var partSizes = PartSizes()
  /// True to report keys that the schema does not describe.
  var reportsUndeclaredKeys = false
  /// The storage of scalars in the objects of an archive to write.
  var archivedStorage = ArchivedStorage()
  /// True to give a binary archive from a sorted XML property list the key order of an archiver, because its own order is
  /// lost. In the raw form, which the caller requests, keys keep the order of the input.
  private(set) var ordersArchivedKeys = false

  /// Creates a conversion to a format, with default settings.
  public init(to target: Format) { self.target = target }

  /// The report of a conversion.
  public struct Report: Sendable {
    /// The format of the input.
    public var source: Format
    /// The losses: data that the target cannot represent.
    public var losses: Losses
    /// The errors of the records that were left out.
    public var errors: [FerryError]
    /// Notes on the reading: for example, that a document was read without a schema although it has the names
    /// of a built-in one, or that some objects do not match their class file.
    public var notes: [Note] = []
    /// The number of records that a schema describes, also of those that were left out. 0 without a schema.
    var recordCount = 0

    /// Returns this report with the contents of another one of the same input.
    public func adding(_ other: Report) -> Report {
      var sum = self
      sum.losses.add(other.losses)
      sum.errors += other.errors
      sum.notes += other.notes.filter { !notes.contains($0) }
      sum.recordCount += other.recordCount
      return sum
    }
  }

  /// Converts an input in memory.
  ///
  /// - Parameters:
  ///   - bytes: The input.
  ///   - name: The file name of the input, used if the content has no signature.
  /// - Returns: The output, and the report of the conversion.
  /// - Throws: A `FerryError` with the source location and the path.
  public func convert(_ bytes: [UInt8], named name: String? = nil) throws(FerryError) -> (
    bytes: [UInt8], report: Report
  ) {
    let output = MemoryOutput()
    let report = try convert(MemoryInput(bytes), named: name, to: output)
    return (output.bytes, report)
  }

  /// Converts an input to an output. Their names are used to find the format and the schema if the content
  /// does not identify them.
  ///
  /// - Parameters:
  ///   - input: The input.
  ///   - name: The file name of the input.
  ///   - output: The output.
  ///   - outputName: The file name of the output.
  /// - Throws: A `FerryError` with the source location and the path.
  public func convert(
    _ input: any ByteInput, named name: String? = nil, to output: any ByteOutput,
    named outputName: String? = nil
  ) throws(FerryError) -> Report {
    try convert(input, named: name, to: output, named: outputName, adapting: RecordAdapters())
  }

  /// Converts an input with additional adapters around the record mapper.
  func convert(
    _ input: any ByteInput, named name: String?, to output: any ByteOutput, named outputName: String?,
    adapting adapters: RecordAdapters
  ) throws(FerryError) -> Report {
    let encoded = try encodedOutput(output)
    let report = try convertToUTF8(
      input, named: name, to: encoded ?? output, named: outputName, adapting: adapters)
    try encoded?.finish()
    return report
  }

  /// Returns an output for text in the encoding of the conversion, with escapes if its style asks for them; nil if that is UTF-8.
  func encodedOutput(_ output: any ByteOutput) throws(FerryError) -> EncodedOutput? {
    var encoded: EncodedOutput?
    if let outputEncoding {
      try target.checkEncoding(outputEncoding)
      encoded = try EncodedOutput(output, to: OutputEncoding(named: outputEncoding), target)
    }
    // The writers of JSON write escapes themselves.
    guard style.isASCII, target.hasCharacterEscapes, !target.isJSON else { return encoded }
    return try EncodedOutput(escapingFor: output, encodedBy: encoded, target)
  }

  /// Converts an input to the format's own bytes, or to text in UTF-8.
  private func convertToUTF8(
    _ input: any ByteInput, named name: String?, to output: any ByteOutput, named outputName: String?,
    adapting adapters: RecordAdapters
  ) throws(FerryError) -> Report {
    let detected = try detected(input, named: name)
    try checkTarget(named: outputName, output, of: detected)
    let projectName = try projectName(name, outputName, of: detected)
    let source = try opened(detected)
    if let report = try copyElements(of: source, detected, to: output) { return report }
    let keeping = keepingObjects(of: source)
    if keeping.keepsNodes(of: source) {
      try checkRecordOptions(of: source, nil)
      if let report = try keeping.copyNodes(of: source, to: output) { return report }
    }
    let conversion = keeping.inFormOfTypedstreams(source)
    var options = conversion.readingOptions(for: source.format)
    let (schema, isInferred) = try conversion.schemaInUse(for: source, options, outputName)
    (options.schema, options.isSchemaOfRecordList) = (schema, isInferred)
    try checkRecordOptions(of: source, schema)
    options.reportsDefinitions = target == .sqlite && output.database == nil && template == nil
    var output = output
    switch try conversion.convertInParts(source, schema, options, to: output, adapting: adapters) {
    case .complete(let losses, let count):
      return Report(
        source: source.format, losses: losses, errors: [], notes: source.notes,
        recordCount: schema == nil ? 0 : count)
    case .incomplete(let rest):
      try source.input.rewind()
      output = rest
    case nil: break
    }
    return try conversion.convert(
      source, detected, options, waitingFor: isStrict ? nil : input as? FileInput, to: output,
      adapting: adapters, projectName: projectName)
  }

  private func detected(_ input: any ByteInput, named name: String?) throws(FerryError) -> DetectedInput {
    let detected = try DetectedInput(
      input, named: name, given: source, encoding: encoding, matchesSchemas: schema == nil && matchesSchemas,
      budget: budget)
    guard !detected.head.isEmpty || detected.format.description.canBeEmpty else {
      throw FerryError(.file(.empty))
    }
    return detected
  }

  /// Opens an input, for which all options must have an effect.
  private func opened(_ detected: DetectedInput) throws(FerryError) -> OpenedInput {
    let source = try OpenedInput(detected, readingOptions(for: detected.format))
    try source.check(readingOptions(for: source.format))
    try checkXMLOptions(of: source)
    try checkDottedColumns(of: source)
    return source
  }

  /// Returns the conversion that keeps every object of an archive unchanged in another archive, unless records are mapped or classes
  /// renamed.
  private func keepingObjects(of source: OpenedInput) -> Self {
    guard source.isArchive, target.isArchive, schema == nil, classNames.isEmpty, representation != .raw else {
      return self
    }
    var conversion = self
    conversion.representation = .raw
    conversion.ordersArchivedKeys = true
    return conversion
  }

  /// Writes a binary file with the nodes of another one, or of a typed document of one. Returns nil if the input is neither.
  private func copyNodes(
    of source: OpenedInput, to output: any ByteOutput
  ) throws(FerryError) -> Report? {
    guard try target == .typedstream ? source.writeTypedstream(to: output) : source.writeBinary(to: output)
    else { return nil }
    return Report(source: source.format, losses: LossReport().all, errors: [], notes: source.notes)
  }

  /// Returns the conversion with the plain form in place of forms that typedstreams do not have: the raw form of an archive, and the
  /// typed form of other files.
  private func inFormOfTypedstreams(_ source: OpenedInput) -> Self {
    let hasRawTarget = target.isArchive || target.isBinaryPropertyList
    guard
      source.format == .typedstream && hasRawTarget || target == .typedstream && representation == .typed
    else { return self }
    var conversion = self
    conversion.representation = .plain
    return conversion
  }

  /// Sends an input through the pipeline.
  ///
  /// - Parameter stream: The input if it may pause, and what is complete is to be written before.
  private func convert(
    _ source: OpenedInput, _ detected: DetectedInput, _ options: ReadingOptions,
    waitingFor stream: FileInput?, to output: any ByteOutput, adapting adapters: RecordAdapters,
    projectName: String?
  ) throws(FerryError) -> Report {
    var options = options
    let losses = LossReport()
    let failed = keepsGoing ? FailedRecords() : nil
    let locator = needsLocations(options.schema, of: source.format) ? SourceLocator() : nil
    let pipeline = try Pipeline(
      self, schema: options.schema, source: SourceFacts(source, options), to: output, losses: losses,
      adapting: adapters, locator: locator, failed: failed, projectName: projectName)
    if pipeline.findsRecords { options.elements = .records }
    if let writer = pipeline.writer {
      stream?.beforeWaiting = { () throws(FerryError) in try writer.flushComplete() }
    }
    defer { stream?.beforeWaiting = nil }
    do throws(FerryError) {
      try source.send(
        into: pipeline.first, options, losses: losses, failed: failed, locator: locator)
      try pipeline.first.finish()
      // A database reports losses also while it is completed.
      try refuse(losses)
    } catch {
      var placed = placed(detected.explaining(error), of: source, at: pipeline.path, options.schema)
      placed.earlier = failed?.errors ?? []
      throw placed
    }
    return Report(
      source: source.format, losses: losses.all, errors: failed?.errors ?? [],
      notes: source.notes + pipeline.notes(self, options.schema), recordCount: pipeline.recordCount)
  }

  /// Returns an error with its path in the input.
  private func placed(
    _ error: FerryError, of source: OpenedInput, at path: ValuePath, _ used: Schema?
  ) -> FerryError {
    var placed = error.placed(inOutput: path)
    if schema == nil, source.format == .xml || source.isArchive { placed = placed.namingBuiltIn(used) }
    switch error.reason {
    // No part of the input causes an error of a file, such as a full disk. A character that the output's encoding lacks is written
    // later than its value is read.
    case .file, .content(.notEncodable), .content(.notEscapable):
      (placed.location, placed.path) = (InputLocation(), ValuePath())
    default: break
    }
    return placed
  }

  /// Throws the first loss if the conversion is strict.
  func refuse(_ losses: LossReport) throws(FerryError) {
    if isStrict, let loss = losses.losses.first { throw FerryError(.loss(loss.kind), path: loss.path) }
  }

  /// True if the elements of an XML document are copied as they are, because the output is XML without a schema, too.
  private var copiesElements: Bool { target == .xml && representation != .typed && schema == nil }

  /// Copies the elements of an XML document to another one. Returns nil if the output has other contents.
  private func copyElements(
    of source: OpenedInput, _ detected: DetectedInput, to output: any ByteOutput
  ) throws(FerryError) -> Report? {
    guard case .elements(let selection) = source.contents, copiesElements else { return nil }
    guard !infersSchema || !refusesUnusedOptions else { throw FerryError(.xml(.onlyForValues)) }
    try checkRecordOptions(of: source, nil)
    guard xml.isUsual else { throw FerryError(.xml(.onlyForValues)) }
    let losses = LossReport()
    let elementStyle = ElementCopier.Style(indentation: style.indentation, sortsAttributes: sortsKeys)
    let copy = ElementCopy(
      of: source.input, isTranscoded: detected.isTranscoded, selection, elementStyle, root: rootElement,
      budget: budget, entities: xml.entities, losses: losses, to: output)
    do throws(FerryError) {
      try copy.write()
      try refuse(losses)
    } catch {
      throw detected.explaining(error)
    }
    source.noteNamespace(readingOptions(for: source.format), losses)
    return Report(
      source: source.format, losses: losses.all, errors: [],
      notes: source.notes + notesOnClassNames(missingIn: []))
  }

  /// Returns true if errors in records need source locations that the reader does not add, because the errors
  /// do not end the conversion or occur after the reader is done. An error in XML gets the location of the
  /// record's start tag.
  private func needsLocations(_ schema: Schema?, of format: Format) -> Bool {
    guard let schema else { return keepsGoing }
    return keepsGoing || schema.collectionKey != nil || format == .xml
  }

  /// Throws if dotted columns are asked for, and neither the input nor the output has columns. An archive of files may contain CSV.
  private func checkDottedColumns(of source: OpenedInput) throws(FerryError) {
    guard csv.nestsDottedColumns, refusesUnusedOptions, source.format.description.columnTypes == nil else {
      return
    }
    if case .files = source.contents { return }
    if case .rows? = target.description.writer { return }
    throw FerryError(.csv(.noTable(format: source.format.rawValue)))
  }

  /// Throws if options for XML are given that have no effect. The convention and the types may be those of the output. An archive of
  /// files may contain XML.
  private func checkXMLOptions(of source: OpenedInput) throws(FerryError) {
    switch source.contents {
    case .elements, .files: return
    case .stream, .nodes, .typedstream, .database: break
    }
    guard refusesUnusedOptions else { return }
    let readsAsUsual =
      xml.namespaces == .kept && xml.lists.isEmpty && xml.order == .needed && xml.markup.isEmpty
      && xml.entities.isEmpty
    guard readsAsUsual else { throw FerryError(.xml(.notXMLInput(source.format.rawValue))) }
    guard xml.convention == .ferry && xml.types == .none || target == .xml else {
      throw FerryError(.xml(.noXML(source.format.rawValue)))
    }
  }

  /// Throws if options for records by a schema, or without one, are given that have no effect. An archive of files may contain any.
  private func checkRecordOptions(of source: OpenedInput, _ schema: Schema?) throws(FerryError) {
    guard refusesUnusedOptions else { return }
    if case .files = source.contents { return }
    guard self.schema == nil || representation == .typed || xml.isUsual else {
      throw FerryError(.xml(.onlyWithoutSchema))
    }
    guard !readsNewerVersions || schema?.record.hasVersions == true else {
      throw FerryError(.record(.noVersions))
    }
    guard !writesOlderKeys || schema?.record.hasOlderKeys == true else {
      throw FerryError(.record(.noOlderKeys))
    }
    // A built-in schema may match another input of the run, unless the elements are copied.
    let isCopy = if case .elements = source.contents { copiesElements } else { false }
    let mayMatch = matchesSchemas && representation == .plain && source.mayMatchSchema && !isCopy
    guard !keepsGoing || schema != nil || mayMatch || source.format.description.leavesOutRecords else {
      throw FerryError(.record(.nothingToLeaveOut(source.format.description.noun)))
    }
  }

  /// Throws if the output would be a new Core Data store, but no template is given, or if it would replace the
  /// database that is the input.
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

  /// True if the output is a binary file whose contents are exactly those of the input: a binary file, or a
  /// typed document of one.
  private func keepsNodes(of source: OpenedInput) -> Bool {
    guard schema == nil, classNames.isEmpty, !sortsKeys, !expandsData, select == nil else { return false }
    // In plain form, the objects of an archive are decoded.
    guard !source.isArchive || representation != .plain else { return false }
    return target == .binaryPropertyList || target == .typedstream
      || (target == .archive && representation != .plain)
  }

  /// Returns the name of the Xcode project to write: that of the folder of the output or the input, or else the one that the
  /// comments of the input have.
  private func projectName(
    _ name: String?, _ outputName: String?, of detected: DetectedInput
  ) throws(FerryError) -> String? {
    guard target == .xcodeProject else { return nil }
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
    let package = path.split(separator: "/").last { $0.hasSuffix(".xcodeproj") }
    return package.map { String($0.dropLast(".xcodeproj".count)) }
  }

  var recordOptions: RecordOptions {
    RecordOptions(
      refusesOtherClasses: schema != nil, readsNewerVersions: readsNewerVersions,
      writesOlderKeys: writesOlderKeys, reportsUndeclaredKeys: reportsUndeclaredKeys, budget: budget)
  }

  /// Returns the given schema, or else the built-in schema that matches the input or the name of the output, or else the
  /// inferred one.
  private func schemaInUse(
    for source: OpenedInput, _ options: ReadingOptions, _ outputName: String?
  ) throws(FerryError) -> (schema: Schema?, isInferred: Bool) {
    guard representation == .plain else { return (nil, false) }
    var found = schema
    if found == nil, matchesSchemas {
      found = try source.matchingSchema(options)
      if found == nil, target == .archive, let outputName,
        let fileExtension = FormatDetector.fileExtension(of: outputName)
      {
        found = Schema.builtIn.first { $0.documentExtensions.contains(fileExtension) }
        // The name of the output selects the schema, so the notes on why the input did not match it do not
        // apply.
        if found != nil { source.notes.removeAll() }
      }
    }
    let infers = found == nil && infersSchema && !source.format.hasTypedColumns
    if infers { found = try inferredSchema(for: source, options) }
    return (found?.renamingClasses(classNames), infers && found != nil)
  }
}

extension FerryError {
  /// Adds to an error in a record that its schema is a built-in one that was not requested.
  fileprivate func namingBuiltIn(_ schema: Schema?) -> FerryError {
    guard let schema, Schema.builtIn.contains(where: { $0.name == schema.name }),
      case .record(let problem) = reason
    else { return self }
    return FerryError(.record(.ofBuiltIn(problem, schema: schema.name)), at: location, path: path)
  }
}
