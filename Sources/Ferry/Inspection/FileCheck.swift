/// A check of files: whether they are well-formed, whether their records conform to a schema, and whether they
/// convert back exactly. Of a database, the indexes are checked, too.
///
///     let check = FileCheck()
///     let result = try check.result(of: FileInput(path: "people.pplgrp"), named: "people.pplgrp")
///     // result.format == .archive, result.errors.isEmpty
public struct FileCheck: Sendable {
  /// The options for reading the files: their format and schema, and the budget. Built-in schemas are not matched by default.
  ///
  /// The conversion to the typed form and back takes the whole file without a schema. It uses the format, the encoding, the options
  /// for CSV, the entities of XML and the budget.
  public var reading = ReadingOptions()
  /// True to check the records of a package by the schema of its type if `reading` has no schema.
  public var matchesTypes = true
  /// True to accept records of newer versions than the schema's.
  public var readsNewerVersions = false
  /// True to convert each file to the typed form and back, and to compare. This takes several times the memory of the
  /// file.
  public var provesRoundTrip = false

  /// Receives the error of each record that does not conform to the schema, in the order of the records, as soon as it is known.
  public var whenRecordFails: (@Sendable (FerryError) -> Void)?

  /// Creates a check without a schema and without a proof.
  public init() { reading.matchesSchemas = false }

  /// The result of the check of a file that is well-formed.
  public struct Result: Hashable, Sendable {
    /// The format of the file.
    public let format: Format
    /// The errors of the records that do not conform to the schema; of many, the first 10,000.
    public let errors: [FerryError]
    /// The number of records that do not conform to the schema.
    public let errorCount: Int
    /// The notes on the reading, such as that escapes may mean something else.
    public let notes: [Note]
    /// The result of the conversion to the typed form and back; nil if it was not requested.
    public let roundTrip: RoundTrip?

    fileprivate init(of report: Conversion.Report, roundTrip: RoundTrip?) {
      (format, errors, errorCount) = (report.source, report.errors, report.errorCount)
      notes = report.notes + report.repeatedKeys
      self.roundTrip = roundTrip
    }

    /// True if the file has no errors and does not convert back with other values.
    public var isOK: Bool { errorCount == 0 && roundTrip != .differs }
  }

  /// The result of a conversion to the typed form and back.
  public enum RoundTrip: String, Sendable {
    /// The file comes back byte for byte.
    case bytes
    /// The file comes back with equal values, in another layout.
    case values
    /// The file comes back with other values.
    case differs
    /// The file is a database, a single text or picture, or in a format that Ferry does not write.
    case notChecked = "not-checked"
  }

  /// Checks a file.
  ///
  /// - Parameters:
  ///   - input: The file.
  ///   - name: The name of the file, used if its content does not show its format.
  /// - Throws: The error that makes the file unreadable, with its source location.
  public func result(of input: any ByteInput, named name: String? = nil) throws(FerryError) -> Result {
    try result(of: input, named: name, adapting: RecordAdapters())
  }

  /// Checks a file with additional adapters around the records.
  func result(
    of input: any ByteInput, named name: String?, adapting adapters: RecordAdapters
  ) throws(FerryError) -> Result {
    guard provesRoundTrip else {
      return Result(of: try report(on: input, named: name, adapters), roundTrip: nil)
    }
    let bytes = try input.readAll()
    let report = try report(on: MemoryInput(bytes), named: name, adapters)
    return Result(of: report, roundTrip: try roundTrip(of: bytes, named: name, report))
  }

  private func report(
    on input: any ByteInput, named name: String?, _ adapters: RecordAdapters
  ) throws(FerryError) -> Conversion.Report {
    var conversion = Conversion(reading: reading, writing: WritingOptions(to: .json))
    conversion.keepsGoing = reading.schema != nil
    conversion.checksKeys = true
    // The notes have only these losses.
    (conversion.locatesLosses, conversion.locatesOnlyRepeatedKeys) = (true, true)
    conversion.reading.checksDatabases = true
    conversion.whenRecordFails = whenRecordFails
    conversion.readsNewerVersions = readsNewerVersions
    return try conversion.convert(input, named: name, to: NullOutput(), named: nil, adapting: adapters)
  }

  // MARK: Converting back

  private func roundTrip(
    of bytes: [UInt8], named name: String?, _ report: Conversion.Report
  ) throws(FerryError) -> RoundTrip {
    let format = report.source
    guard format.hasRoundTrip else { return .notChecked }
    // Elements are not values: XML is copied, and compared in a convention that keeps the order of its parts.
    let isXML = format.isOfElements
    let there = isXML ? bytes : try typed(bytes, named: name, from: format)
    var converter = conversion(from: isXML ? .xml : .json, to: format, isOwn: !isXML)
    // The typed form has a list for several documents.
    converter.writing.style.hasDocuments = report.hasSeveralDocuments
    let back = try converter.convert(there).bytes
    guard back != bytes else { return .bytes }
    guard !isXML else {
      return try elements(of: bytes) == elements(of: back, isOwn: true) ? .values : .differs
    }
    // Repeated keys have two notations in the typed form, and one after the second conversion.
    let again = try typed(back, named: name, from: format, isOwn: true)
    let first = try typed(there, from: .json, isOwn: true)
    if try first == typed(again, from: .json, isOwn: true) { return .values }
    return try hasEqualObjects(bytes, named: name, back, in: format) ? .values : .differs
  }

  /// Returns true if two archives have equal objects with equal numbers, apart from the order of the keys of each object, which has no
  /// meaning and is lost in an XML property list. The entries of archived dictionaries are lists, whose order counts.
  private func hasEqualObjects(
    _ bytes: [UInt8], named name: String?, _ back: [UInt8], in format: Format
  ) throws(FerryError) -> Bool {
    guard format.isArchive else { return false }
    return try rawObjects(of: bytes, named: name, in: format, isOwn: false)
      == rawObjects(of: back, named: nil, in: format, isOwn: true)
  }

  /// Returns the property list of an archive with sorted keys.
  private func rawObjects(
    of bytes: [UInt8], named name: String?, in format: Format, isOwn: Bool
  ) throws(FerryError) -> [UInt8] {
    var conversion = conversion(from: format, to: .xmlPropertyList, isOwn: isOwn)
    conversion.reading.representation = .raw
    conversion.writing.representation = .raw
    conversion.writing.sortsKeys = true
    return try conversion.convert(bytes, named: name).bytes
  }

  private func typed(
    _ bytes: [UInt8], named name: String? = nil, from format: Format, isOwn: Bool = false
  ) throws(FerryError) -> [UInt8] {
    var conversion = conversion(from: format, to: .json, isOwn: isOwn)
    conversion.writing.representation = .typed
    return try conversion.convert(bytes, named: name).bytes
  }

  private func elements(of bytes: [UInt8], isOwn: Bool = false) throws(FerryError) -> [UInt8] {
    var conversion = conversion(from: .xml, to: .json, isOwn: isOwn)
    conversion.reading.xml.convention = .jsonml
    return try conversion.convert(bytes).bytes
  }

  /// The options for reading CSV that Ferry has written: those that say what the cells mean, without those for the layout of the
  /// given file. Given names of columns are in the header that Ferry writes.
  private var ownCSV: CSVReadingOptions {
    var csv = CSVReadingOptions()
    csv.hasHeader = reading.csv.hasHeader || reading.csv.columnNames != nil
    (csv.infersTypes, csv.nestsDottedColumns) = (reading.csv.infersTypes, reading.csv.nestsDottedColumns)
    csv.nullTexts = reading.csv.nullTexts
    return csv
  }

  /// - Parameter isOwn: True if Ferry has written the input, with its own encoding and layout.
  private func conversion(from source: Format, to target: Format, isOwn: Bool) -> Conversion {
    var conversion = Conversion(to: target)
    (conversion.reading.format, conversion.reading.matchesSchemas) = (source, false)
    if !isOwn {
      (conversion.reading.encoding, conversion.reading.csv) = (reading.encoding, reading.csv)
    } else if source.hasTypedColumns {
      conversion.reading.csv = ownCSV
    }
    if target.hasTypedColumns { conversion.writing.csv.nullText = reading.csv.nullTexts.first }
    conversion.writing.csv.nestsDottedColumns = target.hasTypedColumns && reading.csv.nestsDottedColumns
    (conversion.reading.xml.entities, conversion.reading.budget) = (reading.xml.entities, reading.budget)
    return conversion
  }
}

extension Format {
  /// True if values in the format can be written again: not a database, a single text or a format that is only read.
  fileprivate var hasRoundTrip: Bool { canRead && canWrite && !isSingle && !description.isDatabase }
}

extension Conversion.Report {
  /// A note on the keys that occur twice in one dictionary, if there are such keys. The elements of XML have no keys.
  fileprivate var repeatedKeys: [Note] {
    let kind = Loss.Kind.duplicateKey
    guard !source.isOfElements, let count = losses.counts.first(where: { $0.kind == kind })?.count else {
      return []
    }
    let first = losses.listed.first { $0.kind == kind }
    return [.repeatedKeys(count: count, first: first?.path, at: first?.location ?? InputLocation())]
  }
}
