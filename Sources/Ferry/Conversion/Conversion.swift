/// The settings of a conversion. They can be used for any number of inputs, also concurrently.
///
///     var conversion = Conversion(to: .json)
///     conversion.writing.isPretty = true
///     let result = try conversion.convert(archiveBytes, named: "people.pplgrp")
///     // result.bytes: [{"firstName":"Matt","lastName":"Neuburg"}], on separate lines
public struct Conversion: Sendable {
  /// The options for reading the input: its format, schema and selection, and the budget.
  ///
  /// The schema is also that of the output, and `expandsData`, the class catalog and the budget hold for both. The output determines
  /// `representation`, `shared`, `marksShared` and `decodedForms`, so those of the reading are not used.
  public var reading: ReadingOptions
  /// The options for writing the output: its format, representation and layout.
  public var writing: WritingOptions
  /// True to infer the schema of the records if `reading.schema` is nil and no built-in schema matches (see `SchemaInference`). The
  /// input is read twice: a stream is copied to a temporary file. In CSV, the types of the columns are inferred instead.
  /// `inferInCommon(fromFiles:)` gives several inputs the same schema.
  public var infersSchema = false
  /// A change of a dictionary to a list of its entries, or back, in plain form. The schema is not used then.
  ///
  ///     var conversion = Conversion(to: .csv)
  ///     conversion.entries = .toRecords()
  ///     try conversion.convert(bytes, named: "Localizable.strings")      // key,value⏎title,Hello⏎
  public var entries: EntryChange?
  /// New names for classes in the output, by the old name.
  public var classNames: [String: String] = [:]
  /// True to throw an error at the first loss: data that the target cannot represent.
  public var isStrict = false
  /// True to leave out records that do not conform to their schema, elements that are not records, and lines
  /// that are not JSON. Their errors are in the report: check them before the output replaces the only copy of
  /// the input.
  public var keepsGoing = false
  /// Receives the error of each record that `keepsGoing` leaves out, in the order of the records, as soon as it is known. It is called on
  /// the thread of the conversion, which waits for it.
  ///
  ///     conversion.keepsGoing = true
  ///     conversion.whenRecordFails = { error in print(error) }     // 3:14: expected an integer in the field pages, …
  ///
  /// The report has the first errors, and their number.
  public var whenRecordFails: (@Sendable (FerryError) -> Void)?
  /// True to read records of newer versions than the schema's as if they had the schema's version.
  public var readsNewerVersions = false
  /// The number of threads that convert one large input. With more than one, a file of at least 8 MiB, or a pipe, is converted in parts if
  /// its records are independent of each other: from JSON Lines, a JSON list of objects, XML with a schema or `select`, or
  /// XML whose root element has nothing but a list, to JSON Lines, JSON, or CSV with a schema. The output, the errors and the
  /// report are those of one thread. One thread converts a slow pipe, and one with XML that has neither a schema nor `select`. If the
  /// conversion of a pipe fails, an incomplete list in brackets may end at another byte than that of one thread, and so may the output of a
  /// strict conversion with a loss.
  public var threads = 1
  /// True to refuse options that have no effect on the input: those for XML and CSV if it has another format, and those for records
  /// by a schema, or without one. Otherwise they are not used.
  package var refusesUnusedOptions = false
  /// True to read an input once more if losses in its values have no source location: most losses are found when a value is written, where
  /// only its path is known. An input that can be read only once, such as a pipe, is not read again, nor is a database.
  public var locatesLosses = false
  /// True if `locatesLosses` is only about keys that occur twice in one dictionary.
  var locatesOnlyRepeatedKeys = false
  /// False to count losses only, without their paths. A strict conversion names the first one.
  package var listsLosses = true
  /// True to write an archive as an archive if the output is a property list in plain form, as for a file that is replaced: `plutil`
  /// keeps its objects, too.
  package var keepsArchives = false
  /// True if the records are taken out of the list of an input, for one list of several inputs or for outputs of their own.
  var joinsRecords = false
  /// True if the records of an input get an output each. `joinsRecords` is true, too.
  var splitsRecords = false
  /// True if the records get the typed form after they have left their input.
  var joinsTypedRecords = false
  /// The schemas and the types of columns that the inputs have in common, or nil to infer those of each input alone.
  var commonInference: CommonInference?
  var partSizes = PartSizes()
  var oneReading = OneReading()
  /// True to report keys that the schema does not describe.
  var reportsUndeclaredKeys = false
  /// True to leave out records that have the key of an earlier one, with `keepsGoing`.
  var checksKeys = false
  /// True if the values to write are records of the schema's newest version even if they state no version.
  var hasUpdatedRecords = false
  /// True if the values to write are those of an app's types, whose names are not classes of the schema.
  var takesAnyClass = false
  /// The columns of the rows to write, if a schema has mapped the records to rows before; nil if it maps them when they are written.
  var mappedRows: MappedRows?

  /// The columns of rows to which a schema has mapped the records before.
  enum MappedRows {
    /// A column for each field of the schema, and for each other key in the records.
    case ofSchema
    /// A column for each key in the records. These are the columns of the table to which records were added.
    case ofTable
  }

  /// Creates a conversion to a format, with default settings.
  public init(to target: Format) { self.init(writing: WritingOptions(to: target)) }

  /// Creates a conversion with options for its input and its output.
  public init(reading: ReadingOptions = ReadingOptions(), writing: WritingOptions) {
    (self.reading, self.writing) = (reading, writing)
  }

  /// The report of a conversion.
  public struct Report: Hashable, Sendable {
    /// The format of the input.
    public var source: Format
    /// The losses: data that the target cannot represent.
    public var losses: Losses
    /// The errors of the records that were left out; of many, the first 10,000. `whenRecordFails` receives all of them.
    public var errors: [FerryError]
    /// The number of records that were left out.
    public var errorCount = 0
    /// Notes on the reading: for example, that a document was read without a schema although it has the names
    /// of a built-in one, or that some objects do not match their class file.
    public var notes: [Note] = []
    /// The number of records that the schema maps, including those that are left out. It is 0 without a schema and in a conversion in
    /// parts.
    var recordCount = 0
    /// The forms of the elements in the elements that an XPath selects, if these matter for the output.
    var listForms = ListForms()
    /// True if the input has several documents, whose values are a list.
    var hasSeveralDocuments = false

    /// Returns this report with the contents of another one of the same input.
    public func adding(_ other: Report) -> Report {
      var sum = self
      sum.losses.add(other.losses)
      sum.add(other.errors, count: other.errorCount)
      sum.notes += other.notes.filter { !notes.contains($0) }
      return sum
    }

    /// Adds the first errors of records that were left out, and their number.
    mutating func add(_ others: [FerryError], count: Int) {
      errors += others.prefix(max(FailedRecords.mostKept - errors.count, 0))
      errorCount += count
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
    do throws(FerryError) {
      return try convertUnnamed(input, named: name, to: output, named: outputName, adapting: adapters)
    } catch {
      throw error.placed(in: input)
    }
  }

  /// Converts an input. Errors do not have its file.
  private func convertUnnamed(
    _ input: any ByteInput, named name: String?, to output: any ByteOutput, named outputName: String?,
    adapting adapters: RecordAdapters
  ) throws(FerryError) -> Report {
    let encoded = try encodedOutput(output)
    var report = try convertToUTF8(
      input, named: name, to: encoded ?? output, named: outputName, adapting: adapters)
    try encoded?.finish()
    if let note = try noteOnEncoding { report.notes.append(note) }
    return report
  }

  /// The note on an encoding of the output that its text does not show.
  var noteOnEncoding: Note? {
    get throws(FerryError) {
      guard let name = writing.encoding,
        try !OutputEncoding(named: name).isShown(inXML: writing.format.isOfElements)
      else { return nil }
      return .hiddenEncoding(name)
    }
  }

  /// Returns an output for text in the encoding of the conversion, with escapes if its style asks for them; nil if that is UTF-8.
  func encodedOutput(_ output: any ByteOutput) throws(FerryError) -> EncodedOutput? {
    let format = writing.format
    var encoded: EncodedOutput?
    if let name = writing.encoding {
      try format.checkEncoding(name)
      encoded = try EncodedOutput(output, to: OutputEncoding(named: name), format)
    }
    // The writers of JSON write escapes themselves.
    guard writing.style.isASCII, format.hasCharacterEscapes, !format.isJSON else { return encoded }
    return try EncodedOutput(escapingFor: output, encodedBy: encoded, format)
  }
}
