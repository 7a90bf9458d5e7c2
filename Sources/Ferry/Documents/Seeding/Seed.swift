/// A seed, which creates an app's first document from data that is bundled with the app.
///
///     let seed = Seed(from: "folks.xml")
///     switch try seed.seed(at: "people.pplgrp").outcome {
///     case .made:            // the document did not exist and was created
///     case .exists:          // the document existed and is unchanged
///     case .added(let keys): // the document existed, and missing records were added (`addsMissing`)
///     }
///
/// The data may have any format that Ferry reads. Its schema checks the records; invalid data creates
/// nothing. The document is written atomically, and never replaces one that another process has created
/// meanwhile. If several seeds add to one document at the same time, each sees the additions of those before.
public struct Seed: Hashable, Sendable {
  /// The path of the data, or `-` for the standard input.
  public let source: String
  /// The schema of the records. If it is nil, the schema of the document's type, or a built-in one that
  /// matches the data, is used.
  public var schema: Schema?
  /// True to use the schema of the document's type, or a matching one, if none is given.
  public var matchesSchemas = true
  /// The name of the field that identifies records, or nil for the schema's key.
  public var key: String?
  /// True to add those records to an existing document whose keys are missing from it.
  public var addsMissing = false
  /// The format of the data, if its content does not identify it.
  public var sourceFormat: Format?
  /// The encoding of data that is text and does not show it, or nil.
  public var sourceEncoding: String?
  /// The format of the document, or nil for the format of its type or extension. If it is given, an existing document is read by its
  /// content, if that shows its format.
  public var format: Format?
  /// New names for classes, for example to add the app's module: `["Person": "MyApp.Person"]`.
  public var classNames: [String: String] = [:]
  /// The folder of the files that records name, or nil for the folder of the data.
  public var attachments: String?
  /// The app's own Core Data store, which is copied to make the new store; nil for other documents.
  public var template: StoreTemplate?
  /// The known types of documents.
  public var types = DocumentTypes.builtIn
  /// The limits on the cost of the data and of the document.
  public var budget = Budget()
  /// The schema of data that is a package.
  private var sourceSchema: Schema?
  /// True if the schema of the document's type may apply.
  private var usesTypeSchema = true

  /// Creates a seed from the data in a file.
  public init(from source: String) { self.source = source }

  /// The treatment of the document by a seed.
  public enum Outcome: Hashable, Sendable {
    /// A new document was created. The count is the number of its records, or nil if it holds no list.
    case made(count: Int?)
    /// The document existed, and is unchanged.
    case exists
    /// The document existed, and records with these keys were added. If there are none, it is unchanged.
    case added([Value])
  }

  /// Creates the document at a path, or adds records to it.
  ///
  /// - Parameter path: The path of the document.
  /// - Returns: The outcome, and the data that the document cannot represent.
  /// - Throws: An error of the data or of the document: a record does not conform to its schema, two records
  ///   have the same key, the document has no list, or an error of the system. It has the path of the data or of the document.
  @discardableResult
  public func seed(at path: String) throws(SeedError) -> (outcome: Outcome, losses: Losses) {
    do throws(SeedError) {
      let losses = LossReport()
      let outcome = try seedUnnamed(at: path, losses)
      return (outcome, losses.all)
    } catch {
      let file = error.isAboutData ? source : path
      throw SeedError(
        isAboutData: error.isAboutData, error: file == "-" ? error.error : error.error.placed(inFile: file))
    }
  }

  /// Creates the document, or adds records to it. The errors do not have the paths of their files.
  private func seedUnnamed(at path: String, _ losses: LossReport) throws(SeedError) -> Outcome {
    try checkClassNames(for: path)
    guard template == nil || mayBeDatabase(at: path) else {
      throw SeedError(isAboutData: false, error: FerryError(.database(.notAStore)))
    }
    let package = format == nil ? types.type(ofFile: path).flatMap { $0.isPackage ? $0 : nil } : nil
    let exists = try exists(path, asPackage: package != nil)
    guard !exists || addsMissing else { return .exists }
    if !exists, package == nil, template == nil {
      try document { () throws(FerryError) in try knownFormat(of: path)?.checkCanWrite() }
    }
    let contents = try data(readData)
    var seed = self
    (seed.sourceFormat, seed.sourceSchema) = (contents.format, contents.schema)
    seed = seed.fitted(to: contents.bytes, at: path, exists: exists)
    let outcome = try seed.seed(contents.bytes, at: path, package, exists: exists, losses)
    if outcome != .exists, outcome != .added([]) { losses.add(contents.losses) }
    return outcome
  }

  private func seed(
    _ bytes: [UInt8], at path: String, _ package: DocumentType?, exists: Bool, _ losses: LossReport
  ) throws(SeedError) -> Outcome {
    if !exists, let made = try make(path, package, of: bytes, losses) { return made }
    guard addsMissing else { return .exists }
    // The lock keeps other seeds, and apps that save the document, from changing it between reading and
    // writing.
    let edit = try document { () throws(FerryError) in try InPlaceEdit(of: path, among: types) }
    defer { extendLifetime(edit) }
    guard let package else { return try add(bytes, to: edit, losses) }
    return try add(bytes, toPackage: path, of: package, losses)
  }

  /// Throws if a class to rename is not a class of the schema.
  private func checkClassNames(for path: String) throws(SeedError) {
    let known = schema(for: path)?.record.classNames ?? []
    guard let name = classNames.keys.sorted().first(where: { !known.contains($0) }) else { return }
    let problem = RecordProblem.noClass(name, among: known.sorted().map(\.string))
    throw SeedError(isAboutData: false, error: FerryError(.record(problem)))
  }

  /// Returns true if the document exists. Throws if something else is at the path, which the app could not
  /// open.
  private func exists(_ path: String, asPackage isPackage: Bool) throws(SeedError) -> Bool {
    try document { () throws(FerryError) in
      switch try SystemPath.status(of: path)?.kind {
      case nil: return false
      case .directory where !isPackage: throw FerryError(.file(.isDirectory))
      case .regular:
        // The app cannot open an archive in place of a package, and no record is added to a package in an archive.
        if isPackage || addsMissing { try types.checkIsNoZippedPackage(path, budget: budget) }
        guard !isPackage else { throw FerryError(.file(.notADirectory)) }
        return true
      case .directory:
        // A folder without records is not a document of the app.
        _ = try types.mainFile(of: path)
        return true
      case .link, .other: throw FerryError(.document(.neitherFileNorFolder))
      }
    }
  }

  // MARK: Making

  /// Creates the document. Returns nil if the path has been taken meanwhile.
  private func make(
    _ path: String, _ package: DocumentType?, of bytes: [UInt8], _ losses: LossReport
  ) throws(SeedError) -> Outcome? {
    if let package { return try make(packageAt: path, of: package, bytes, losses) }
    let (bytes, count) = try contents(of: bytes, for: path, losses)
    let isPut = try isNew { () throws(FerryError) in
      let isDatabase = if template != nil { true } else { try format(of: path).isDatabase }
      if isDatabase { try DatabaseOutput.checkNoLog(beside: path) }
      let output = try FileOutput(path: path, compression: Compression.ofFile(named: path))
      try output.write(bytes.span)
      try output.commit()
    }
    return isPut ? .made(count: count) : nil
  }

  /// Returns the bytes of a new database: a table with the types of the schema, or a copy of a Core Data
  /// store that contains the data.
  private func databaseContents(
    of bytes: [UInt8], for path: String, _ losses: LossReport
  ) throws(SeedError) -> [UInt8] {
    var conversion = Conversion(to: .sqlite)
    (conversion.writing.template, conversion.reading.format, conversion.reading.budget) = (
      template, sourceFormat, budget
    )
    (conversion.reading.schema, conversion.reading.matchesSchemas) = (schema(for: path), matchesSchemas)
    conversion.reading.declaredFormats = types.declaredFormats
    let output = MemoryOutput()
    try data { () throws(FerryError) in
      losses.add(try conversion.convert(MemoryInput(bytes), named: source, to: output).losses)
    }
    return output.bytes
  }

  /// Returns the bytes of a new document, and the number of its records or nil if it holds no list.
  private func contents(
    of bytes: [UInt8], for path: String, _ losses: LossReport
  ) throws(SeedError) -> (bytes: [UInt8], count: Int?) {
    if template != nil { return (try databaseContents(of: bytes, for: path, losses), nil) }
    let format = try document { () throws(FerryError) in
      let format = try self.format(of: path)
      guard !format.isDatabase || !StoreTemplate.isNeeded(forFileNamed: path) else {
        throw FerryError(.database(.needsTemplate))
      }
      return format
    }
    let data = try checked(try read(bytes, as: RecordShape(format), for: path), format)
    let count = data.records?.count
    if format.isDatabase { return (try databaseContents(of: bytes, for: path, losses), count) }
    losses.add(data.losses)
    let bytes = try document { () throws(FerryError) in
      var files = files(for: path)
      if format.isArchive { files.learnArchive(of: data) }
      let file = NewRecordFile(
        format: format, schema: data.schema, isPretty: format.description.isPrettyInDocuments,
        hasAllColumns: true)
      let bytes = try files.bytes(of: data.value, in: file, losses: losses)
      try types.claiming(path, format)?.check(bytes, classNames: classNames)
      return bytes
    }
    return (bytes, count)
  }

  /// Runs a function that creates a file. Returns false if the path has been taken meanwhile.
  func isNew(_ put: () throws(FerryError) -> Void) throws(SeedError) -> Bool {
    do throws(FerryError) {
      try put()
      return true
    } catch {
      if error.reason == .file(.exists) { return false }
      throw SeedError(isAboutData: false, error: error)
    }
  }

  /// Returns true if the document at a path is a database, such as a copy of `template`, or if neither `format` nor its name tells
  /// its format.
  package func mayBeDatabase(at path: String) -> Bool {
    guard format == nil, let type = types.type(ofFile: path), type.isPackage else {
      return knownFormat(of: path).map(\.isDatabase) ?? true
    }
    return false
  }

  private func format(of path: String) throws(FerryError) -> Format {
    guard let format = knownFormat(of: path) else { throw FerryError(.file(.unknownTarget)) }
    return format
  }

  /// Returns the format of a document that is one file, or nil if nothing tells it.
  private func knownFormat(of path: String) -> Format? {
    if let format { return format }
    if let package = types.package(withRecordsIn: path) { return package.type.format }
    if case .file(let format)? = types.type(ofFile: path)?.layout { return format }
    return Format.ofFile(named: path)
  }

  /// Returns the given schema, or else that of the document's type, or of data that is a package.
  private func schema(for path: String) -> Schema? {
    let ofType = usesTypeSchema ? types.type(ofDocument: path)?.schema : nil
    return schema ?? (matchesSchemas ? ofType ?? sourceSchema : nil)
  }

  /// Returns the schema of the document's type if no schema is given and only the extension selects the type. Other records may have this
  /// extension: any archive may be named `.archive`.
  private func assumedSchema(for path: String) -> Schema? {
    guard schema == nil, matchesSchemas, usesTypeSchema, let type = types.type(ofFile: path),
      case .file(let format) = type.layout,
      format.extensions.first.equals(FormatDetector.fileExtension(of: path))
    else { return nil }
    return type.schema
  }

  /// Returns a seed that ignores the schema of the document's type, if only the extension selects the type and the existing document (or
  /// the data, if the format is given) has other records.
  private func fitted(to data: [UInt8], at path: String, exists: Bool) -> Seed {
    guard exists || format != nil, let assumed = assumedSchema(for: path) else { return self }
    let files = RecordDocumentFiles(
      matchesSchemas: false, source: exists ? nil : sourceFormat,
      declared: exists ? formatsOfExistingDocument : types.declaredFormats, budget: budget)
    guard let bytes = exists ? try? FileInput(path: path).readAll() : data,
      let document = try? files.read(bytes, named: exists ? path : source, mapping: .onlyOfText),
      !document.mayHaveRecords(of: assumed)
    else { return self }
    var seed = self
    seed.usesTypeSchema = false
    return seed
  }

  func files(for path: String) -> RecordDocumentFiles {
    RecordDocumentFiles(
      schema: schema(for: path)?.renamingClasses(classNames), matchesSchemas: matchesSchemas,
      source: sourceFormat, declared: types.declaredFormats, budget: budget)
  }

  /// The formats by which an existing document is read: those that types declare, unless its format is given.
  private var formatsOfExistingDocument: DeclaredFormats {
    format == nil ? types.declaredFormats : DeclaredFormats()
  }

  /// Reads the data in the shape of the document's format, and checks it with its schema.
  func read(_ bytes: [UInt8], as shape: RecordShape, for path: String) throws(SeedError) -> RecordDocument {
    var files = files(for: path)
    // Two records with the same key are found after the reading.
    files.locatesValues = true
    // Records are added to a list. In a document of elements, they would need the elements around them.
    files.findsRecordList = addsMissing && !shape.isOfElements
    return try data { () throws(FerryError) in
      do throws(FerryError) {
        return try files.read(bytes, named: source, as: shape, mapping: .always)
      } catch {
        throw error.namingBuiltIn(assumedSchema(for: path))
      }
    }
  }

  /// Returns the data. Throws if two of its records have the same key.
  func checked(_ data: RecordDocument, _ format: Format) throws(SeedError) -> RecordDocument {
    if let records = data.records, let key = keyName(data, format) {
      _ = try index(data.resolved(records), key, data, format)
    }
    return data
  }

  // MARK: Adding

  private func add(
    _ bytes: [UInt8], to edit: InPlaceEdit, _ losses: LossReport
  ) throws(SeedError) -> Outcome {
    let path = edit.path
    var reading = files(for: path)
    (reading.source, reading.declared) = (nil, formatsOfExistingDocument)
    let present = try document { () throws(FerryError) in
      let bytes = try FileInput(path: path).readAll()
      if let compression = Compression.of(bytes) {
        throw FerryError(.compression(.compressedDocument(compression)))
      }
      guard !SignedData.begins(bytes) else { throw FerryError(.compression(.signed)) }
      let present = try existing(bytes, at: path, reading)
      guard !present.format.isDatabase else { throw FerryError(.database(.notRewritten)) }
      try present.format.checkCanWrite()
      return present
    }
    let data = try read(bytes, as: present.shape, for: path)
    let missing = try missing(from: present, of: data, readAs: data.shape, reading)
    guard !missing.keys.isEmpty else { return .added([]) }
    losses.add(lossesInRecords(data.losses, addedTo: present))
    try document { () throws(FerryError) in
      try types.claiming(path, present.format)?.check(missing.records, classNames: classNames)
      try edit.replace(
        with: reading.adding(
          missing.records, of: data, in: missing.classes, to: present, losses: losses))
    }
    return .added(missing.keys)
  }

  /// Reads an existing document. The given format is that of the document if its content shows no format, or only a related one, such as JSON
  /// instead of JSON with comments.
  private func existing(
    _ bytes: [UInt8], at path: String, _ files: RecordDocumentFiles
  ) throws(FerryError) -> RecordDocument {
    do throws(FerryError) {
      return try files.read(bytes, named: path, mapping: .onlyOfText)
    } catch {
      guard let format, mayHave(format, bytes, at: path) else { throw error }
      var files = files
      files.source = format
      return try files.read(bytes, named: path, mapping: .onlyOfText)
    }
  }

  /// Returns true if a document may have a format: its content shows none, or another one with the same kinds of values.
  private func mayHave(_ format: Format, _ bytes: [UInt8], at path: String) -> Bool {
    do throws(FerryError) {
      return try Format.of(bytes, named: path, budget: budget).description.shape == format.description.shape
    } catch {
      switch error.reason {
      case .file(.unknownFormat), .json(.comments): return true
      default: return false
      }
    }
  }

  /// Returns the records of the data that the document does not contain, their keys, and the classes that have replaced those of the data.
  ///
  /// - Parameter shape: The shape in which the data was read.
  func missing(
    from present: RecordDocument, of data: RecordDocument, readAs shape: RecordShape,
    _ files: RecordDocumentFiles
  ) throws(SeedError) -> (records: [Value], keys: [Value], classes: ClassesOfRecords) {
    guard let key = keyName(data, present.format) else {
      throw SeedError(isAboutData: true, error: FerryError(.record(.noKey)))
    }
    guard let old = present.records else {
      throw SeedError(
        isAboutData: false, error: FerryError(.record(.notAList(found: present.value.words))))
    }
    let new = data.records ?? [data.value]
    let resolvedNew = data.resolved(new)
    let index = try index(resolvedNew, key, data, present.format)
    try checkVersion(of: present)
    let newKeys = data.keys(of: resolvedNew, key)
    let resolved = present.resolved(old)
    let keys = present.keys(of: resolved, key)
    let union = RecordUnion(
      of: old, keys: keys, adding: new, keys: index.keys,
      held: files.heldKeys(newKeys, key, of: data, in: present), alike: shape.held(keys, of: present.shape),
      type: type(ofKey: key, data, present.format))
    try checkTypes(
      of: union.addedIndices.map { ($0, resolvedNew[$0]) }, of: data, readAs: shape, against: resolved,
      in: present)
    let classes = ClassesOfRecords(of: resolved, unless: classNames)
    let added = try document { () throws(FerryError) in
      try data.separated(Array(union.records.dropFirst(old.count)), depth: files.budget.depth)
    }
    guard present.format.isArchive, !shape.hasObjects else {
      return (added.map(classes.applied(toRecord:)), union.added, classes)
    }
    let records = try self.data { () throws(FerryError) in
      try added.map { record throws(FerryError) in try classes.applied(toPlain: record) }
    }
    return (records, union.added, classes)
  }

  /// Returns the losses of the data in its records, which are all that the document gets of it. A record on its own has no
  /// place for the version of all records, but the document states that version.
  func lossesInRecords(_ losses: Losses, addedTo present: RecordDocument) -> Losses {
    losses.filtered { kind in
      switch kind {
      case .archiverName, .topLevelNames: false
      case .collectionVersion: present.shape.dialect.envelope == .nothing
      default: true
      }
    }
  }

  /// Throws if the document's records have another version than those to be added, which have the newest.
  /// JSON Lines have no place for a version.
  private func checkVersion(of present: RecordDocument) throws(SeedError) {
    guard present.shape.dialect.envelope != .nothing, let version = present.version,
      let current = present.schema?.record.versions?.current, version != current
    else { return }
    let problem = RecordProblem.otherVersion(present: version, added: current)
    throw SeedError(isAboutData: false, error: FerryError(.record(problem)))
  }

  /// Returns the name of the key in the document's records.
  private func keyName(_ data: RecordDocument, _ format: Format) -> String? {
    guard let key = key ?? data.schema?.record.key else { return nil }
    guard format.recordDialect.usesArchiveKeys,
      let field = data.schema?.record.fields.first(where: { $0.name.equals(key) })
    else { return key }
    return field.archiveKey
  }

  /// Returns the type of the key in the document's records, or nil if the schema does not declare the field.
  private func type(ofKey key: String, _ data: RecordDocument, _ format: Format) -> FieldType? {
    guard let record = data.schema?.record else { return nil }
    let match = record.match(key.utf8.span, usesArchiveKeys: format.recordDialect.usesArchiveKeys)
    return match.map { record.fields[$0.field].type }
  }

  private func index(
    _ records: [Value], _ key: String, _ data: RecordDocument, _ format: Format
  ) throws(SeedError) -> RecordIndex {
    try self.data { () throws(FerryError) in
      do throws(FerryError) {
        return try RecordIndex(records, key: key, type: type(ofKey: key, data, format))
      } catch {
        throw data.placed(error)
      }
    }
  }

  // MARK: The source of an error

  func data<Result>(
    _ body: () throws(FerryError) -> Result
  ) throws(SeedError) -> Result {
    do throws(FerryError) { return try body() } catch { throw SeedError(isAboutData: true, error: error) }
  }

  func document<Result: ~Copyable>(
    _ body: () throws(FerryError) -> Result
  ) throws(SeedError) -> Result {
    do throws(FerryError) { return try body() } catch { throw SeedError(isAboutData: false, error: error) }
  }
}
