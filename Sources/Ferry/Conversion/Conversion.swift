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
  var ordersArchivedKeys = false

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
    /// The number of records that the schema maps, including those that are left out. It is 0 without a schema and in a conversion in
    /// parts.
    var recordCount = 0

    /// Returns this report with the contents of another one of the same input.
    public func adding(_ other: Report) -> Report {
      var sum = self
      sum.losses.add(other.losses)
      sum.errors += other.errors
      sum.notes += other.notes.filter { !notes.contains($0) }
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
}
