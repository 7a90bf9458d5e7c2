/// A check of documents against a schema.
///
///     let check = SchemaCheck(try Schema(named: "book.schema.json"))
///     let report = try check.report(on: FileInput(path: "books.xml"), named: "books.xml")
///     for error in report.errors { print(error) }     // 3:14: expected an integer in the field pages, found "x" (at [2].pages)
///
/// A document is read as a stream, and only the first errors are kept. `whenRecordFails` receives all of them.
public struct SchemaCheck: Sendable {
  private var reading: PlainReading
  /// Receives the first error of each record that breaks the schema, in the order of the records, as soon as it is known.
  public var whenRecordFails: (@Sendable (FerryError) -> Void)? {
    get { reading.whenRecordFails }
    set { reading.whenRecordFails = newValue }
  }

  /// The differences between a document and a schema.
  public struct Report: Hashable, Sendable {
    /// The number of records, with those that break the schema.
    public var recordCount: Int
    /// The first error of each record that breaks the schema, with its source location and path; of many records, those of the first
    /// 10,000.
    public var errors: [FerryError]
    /// The number of records that break the schema.
    public var errorCount: Int
    /// The paths of the first keys that the schema does not describe. They break no record.
    public var undeclaredKeys: [ValuePath]
    /// The number of all keys that the schema does not describe.
    public var undeclaredCount: Int
    /// The numbers of attributes and of texts in XML that belong to no record, and that a conversion leaves out. They break no record.
    public var leftOut: [Losses.Count]
  }

  /// Creates a check.
  ///
  /// - Parameters:
  ///   - schema: The schema.
  ///   - options: The options for reading the documents. Their schema is not used.
  public init(_ schema: Schema, _ options: ReadingOptions = ReadingOptions()) {
    reading = PlainReading(options)
    (reading.options.schema, reading.options.matchesSchemas) = (schema, false)
    // The records are checked as those of JSON Lines, which have nothing around them.
    (reading.dialect, reading.findsRecordList) = (.jsonLines, true)
    (reading.keepsGoing, reading.reportsUndeclaredKeys, reading.checksKeys) = (true, true, true)
  }

  /// Checks a document.
  ///
  /// - Parameters:
  ///   - input: The document, in any format that Ferry reads.
  ///   - name: The name of its file.
  /// - Throws: A `FerryError` with the source location and the path if the document cannot be read, or if a document that is
  ///   a single record breaks the schema.
  public func report(on input: any ByteInput, named name: String? = nil) throws(FerryError) -> Report {
    let result = try reading.send(input, named: name, into: JSONLinesWriter(to: NullOutput()))
    let undeclared = result.losses.listed.filter { $0.kind == .undeclaredKey }
    return Report(
      recordCount: result.recordCount, errors: result.errors, errorCount: result.errorCount,
      undeclaredKeys: undeclared.map(\.path),
      undeclaredCount: result.losses.counts.first { $0.kind == .undeclaredKey }?.count ?? 0,
      leftOut: result.losses.counts.filter { $0.kind == .otherAttribute || $0.kind == .otherText })
  }
}
