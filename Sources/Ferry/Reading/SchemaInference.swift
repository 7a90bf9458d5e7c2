/// An inference of a schema from documents: their records, fields, lists and types.
///
///     var inference = SchemaInference()
///     try inference.add(FileInput(path: "books.xml"), named: "books.xml")
///     let found = try inference.schema()
///     print(found.schema.value)                  // the schema, to write to a file
///     for field in found.decisions { print(field.path, field.type, field.examples) }
///
/// Each document is read once, or twice if it is XML that was written with types. The memory depends on the number of different
/// paths in the documents, and not on their size, except for formats that are always read whole: binary property lists and archives.
///
/// A field has a type only if every value of it keeps its text: `007` and `2.20` are text.
public struct SchemaInference: Sendable {
  private var table: ShapeTable
  private var document: ShapeID?
  private let options: ReadingOptions
  /// The dialect of the records in the first document, and its kind as text.
  private var first: (dialect: RecordDialect, kind: String)?
  private var names: SchemaMaker.Names
  /// The number of records after which a document is read no further; nil to read all of them.
  ///
  /// A schema of the first records may not fit the others. The limit counts the elements of a list that is the document or the only entry
  /// of its dictionary, or the elements of one name with which the root element of XML begins. Other documents are read to their end.
  public var mostRecords: Int?
  /// True if the records are written to a database.
  var isForDatabase = false
  /// The number of documents that were not read to their end.
  private var sampleCount = 0

  /// Creates an inference without documents.
  ///
  /// - Parameters:
  ///   - options: The options for reading the documents. Their schema and `expandsData` are not used. A file in data stays data.
  ///   - name: The name of the schema and of its records, or nil to derive it from the documents.
  public init(_ options: ReadingOptions = ReadingOptions(), name: String? = nil) {
    self.options = options.forInference
    table = ShapeTable(limit: options.budget.names)
    names = SchemaMaker.Names(record: name, document: nil, areSelected: options.select != nil)
  }

  /// Adds the records of a document.
  ///
  /// - Parameters:
  ///   - input: The document, in any format that Ferry reads.
  ///   - name: The name of its file.
  ///   - ownOptions: The options for reading this document, without those that its format cannot have; nil to use the options of the
  ///     inference.
  /// - Throws: A `FerryError` with the source location and the path.
  public mutating func add(
    _ input: any ByteInput, named name: String? = nil, reading ownOptions: ReadingOptions? = nil
  ) throws(FerryError) {
    let options = ownOptions?.forInference ?? options
    let detected = try DetectedInput(input, named: name, options, matchesSchemas: false)
    try detected.checkNotEmpty()
    do throws(FerryError) {
      let opened = try OpenedInput(detected, options)
      try add(opened, named: name, reading: options)
    } catch {
      throw detected.explaining(error)
    }
  }

  /// Adds the records of an opened document, without reading it from the beginning again afterward.
  ///
  /// - Parameter ownOptions: The options for reading this document; nil to use the options of the inference.
  mutating func add(
    _ opened: OpenedInput, named name: String?, reading ownOptions: ReadingOptions? = nil
  ) throws(FerryError) {
    let options = ownOptions?.forInference ?? options
    if case .elements = opened.contents, !options.xml.isUsual { throw FerryError(.xml(.notForInference)) }
    let dialect = opened.recordDialect(options)
    let hasTypes = opened.format.isOfElements && !dialect.hasElements
    let kind = opened.format.rawValue + (hasTypes ? " with types" : "")
    if let first, first.dialect.hasElements != dialect.hasElements {
      throw FerryError(.record(.severalRecords([first.kind, kind])))
    }
    if first == nil { first = (dialect, kind) }
    if names.document == nil { names.document = try opened.tableName(options) ?? name.flatMap(Self.stem) }
    let root = try self.root()
    switch opened.contents {
    case .elements(let selection) where dialect.hasElements:
      try opened.check(options)
      let survey = ElementShapeSurvey(table, of: root, limit: recordLimit(isSelected: selection != nil))
      let source = XMLSource(
        opened.input, selecting: selection, options, reporting: LossReport())
      try readSample { () throws(FerryError) in try source.survey(with: survey) }
      try survey.endOpenElements()
      table = survey.table
    default:
      if case .database(let file) = opened.contents {
        try StoreSource(file, options, LossReport()).checkOnlyRecords()
      }
      let survey = ShapeSurvey(
        table, of: root, dialect: dialect, budget: options.budget, mostRecords: mostRecords)
      try readSample { () throws(FerryError) in
        try opened.send(into: survey, options, losses: LossReport())
      }
      table = survey.table
    }
  }

  private func recordLimit(isSelected: Bool) -> ElementShapeSurvey.Limit? {
    mostRecords.map { ElementShapeSurvey.Limit(count: $0, depth: isSelected ? 0 : 1) }
  }

  /// Reads a document, which the survey may stop.
  private mutating func readSample(_ read: () throws(FerryError) -> Void) throws(FerryError) {
    do throws(FerryError) { try read() } catch {
      guard error.isStop else { throw error }
      sampleCount += 1
    }
  }

  /// Returns the shape of the documents.
  private mutating func root() throws(FerryError) -> ShapeID {
    if let document { return document }
    let made = try table.add(ValueShape(name: "", parent: nil))
    document = made
    return made
  }

  /// Returns the name of a file without its folder and extension, or nil for the standard input.
  private static func stem(of path: String) -> String? {
    let name = path.namesInPath.last.map(String.init) ?? path
    let stem = name.split(separator: ".", omittingEmptySubsequences: true).first.map(String.init) ?? name
    return stem == "-" || stem.isEmpty ? nil : stem
  }

  /// Returns the schema of the records so far.
  ///
  /// - Throws: A `FerryError` with the reason `RecordProblem.noRecords` if the documents contain none, and `severalRecords` if they
  ///   contain different ones.
  public func schema() throws(FerryError) -> InferredSchema {
    guard let document, let first else {
      throw FerryError(.record(.noRecords(found: "no documents")))
    }
    var maker = SchemaMaker(table, of: document, dialect: first.dialect, isForDatabase: isForDatabase)
    var found = try maker.schema(names)
    if let mostRecords, sampleCount > 0 {
      found.notes.append(.sample(records: mostRecords, files: sampleCount))
    }
    return found
  }
}

extension ReadingOptions {
  /// The options for an inference, which reads values as they are, without a schema.
  fileprivate var forInference: ReadingOptions {
    var options = self
    (options.schema, options.matchesSchemas, options.decodedForms) = (nil, false, .all)
    (options.representation, options.csv.readsEmptyCellsAsNull) = (.plain, true)
    // A conversion sends objects of scalars in full each time, also those that differ from the others in their place.
    if options.sharing != .inFull { options.objectSharing = .leavesInFull }
    return options
  }
}
