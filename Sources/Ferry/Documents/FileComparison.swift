/// A comparison of two files by their values, in any formats.
///
///     let (old, new) = (FileComparison.File(archive, name: "a.pplgrp"), FileComparison.File(json, name: "a.json"))
///     let found = try FileComparison().differences(from: old, to: new)
///     // found.all.isEmpty if a.json is a conversion of a.pplgrp
///
/// Of two files of different formats, one is converted to the format of the other before they are compared. A value that this
/// format cannot hold is not a difference. A document in the typed form is also compared with the typed form of the other file.
public struct FileComparison: Sendable {
  /// The options for reading the files: their format, schema and selection, and the budget. A file that is converted to XML for the
  /// comparison gets the convention and types of these options. `shared`, `marksShared` and `decodedForms` are not used. With
  /// `expandsData`, data of both files that holds documents of one kind is compared by their values, and data of one file with the value
  /// that a conversion with `expandsData` writes in its place.
  public var reading = ReadingOptions()
  /// True if the order of keys matters, and in XML the order of elements of different names.
  public var ordersKeys = false
  /// The field that identifies records in lists, or nil to match records by their content.
  public var key: String?
  /// The differences that are left out. A patch has no value that is not compared, and keeps those of the first file. If the order of lists does
  /// not matter, they may have another order than those of the second file after it.
  public var ignored = IgnoredDifferences()
  /// The types of documents, by which the result of a patch is checked.
  public var types = DocumentTypes.builtIn
  /// The formats of the files that are compared.
  private(set) var formats: [Format] = []
  /// The values that are found at other paths.
  var moves = MovedValues.all
  /// True to compare two documents of one format also by the records that the schema of their type describes.
  var comparesRecords = true
  /// True to compare data of both files by its bytes. Data of one file is still compared with the value in its place.
  var replacesData = false
  /// True to refuse options for XML if neither file is XML.
  package var refusesUnusedOptions = false

  /// Creates a comparison without options.
  public init() {}

  /// A file in memory, with its name.
  public struct File: Hashable, Sendable {
    /// The contents of the file.
    public let bytes: [UInt8]
    /// The name of the file, which shows its format if the contents do not.
    public let name: String
    /// The types of the columns of a table, or nil to infer them from this file alone.
    var columnTypes: [CSVColumnType]?
    /// The format that the type of the file's package declares, if the name does not show the package; otherwise nil.
    package var declaredFormat: Format?
    /// The number of repeated keys that a conversion to this file has left out.
    var repeatedKeys = 0
    /// The schema that the document's type declares for its records; nil if it declares none, or if the type is built in.
    package var declaredSchema: Schema?

    /// Creates a file in memory.
    public init(_ bytes: [UInt8], name: String) { (self.bytes, self.name) = (bytes, name) }
  }

  /// An error of the old or the new version.
  public enum VersionError: Error, Hashable, Sendable {
    /// An error of the first file.
    case old(FerryError)
    /// An error of the second file.
    case new(FerryError)

    /// The underlying error.
    public var error: FerryError {
      switch self {
      case .old(let error), .new(let error): error
      }
    }

    /// Returns the result of a function. Its error becomes that of a version.
    static func of<Result>(
      _ failure: (FerryError) -> VersionError, _ body: () throws(FerryError) -> Result
    ) throws(VersionError) -> Result {
      do throws(FerryError) { return try body() } catch { throw failure(error) }
    }
  }

  /// The values of two files, in the format in which they are compared, and their differences.
  public struct Outcome: Sendable {
    /// The differences between the values.
    public internal(set) var differences: ValueDifferences
    /// The value of the first file; nil for an empty file.
    public let old: Value?
    /// The value of the second file; nil for an empty file.
    public let new: Value?
    /// The numbers of keys in the files, and in the files in data that were opened, that occur twice in one dictionary. Only the last of
    /// their values is compared.
    public internal(set) var repeatedKeys = (old: 0, new: 0)
    /// The values that are not compared, and that neither file has. Files in data are not searched for them.
    package fileprivate(set) var unusedIgnoredValues: [IgnoredDifferences.Values] = []
    /// True if a file may have archives with entries beside their objects, which are still to be compared.
    fileprivate var mayLeaveOutEntries = true
  }

  /// Returns the differences between two files.
  ///
  /// - Throws: A `VersionError` with the error of the file that cannot be read.
  public func differences(from old: File, to new: File) throws(VersionError) -> ValueDifferences {
    try compare(old, with: new).differences
  }

  /// Compares two files.
  ///
  /// - Throws: A `VersionError` with the error of the file that cannot be read.
  public func compare(_ old: File, with new: File) throws(VersionError) -> Outcome {
    if refusesUnusedOptions { try checkXMLOptions(for: old, new) }
    let (comparison, old, new) = prepared(for: old, new)
    return try comparison.compareValues(old, with: new)
  }

  /// Returns the comparison and its files with what the files have in common.
  func prepared(for old: File, _ new: File) -> (FileComparison, old: File, new: File) {
    var (comparison, old, new) = (self, old, new)
    comparison.formats = hasOptionsForSomeFormats ? [old, new].compactMap(formatOrNil) : []
    comparison.noteCommonShape(of: old, new)
    if let before = comparison.columns(of: old), let after = comparison.columns(of: new) {
      let types = CSVFoundColumn.types(of: [before, after])
      (old.columnTypes, new.columnTypes) = (types[0], types[1])
    }
    return (comparison, old, new)
  }

  /// Throws if options for XML are given that have no effect on two files. The order may be that of keys.
  private func checkXMLOptions(for old: File, _ new: File) throws(VersionError) {
    let formats = try formats(of: old, new)
    guard let format = formats.old ?? formats.new, formats.old?.mayContainElements != true,
      formats.new?.mayContainElements != true
    else { return }
    var xml = reading.xml
    xml.refusesOtherFormats = true
    if xml.order == .always { xml.order = .needed }
    do throws(FerryError) { try xml.check(for: format) } catch {
      throw formats.old == nil ? .new(error) : .old(error)
    }
  }

  /// Reads two XML documents, so that an element which is a list in one of them is a list in the other one, too.
  private mutating func noteCommonShape(of old: File, _ new: File) {
    guard reading.usesXMLShape, reading.xml.commonShape == nil else { return }
    noteCommonShape(of: [old, new])
  }

  private mutating func noteCommonShape(of files: [File]) {
    var options = reading
    options.declaredFormats = types.declaredFormats
    options.xml.commonShape = nil
    reading.xml.commonShape = XMLCommonShape(of: files.map { ($0.bytes, $0.name) }, options)
  }

  /// A format in which two files are compared, and which of them are converted to it.
  struct Way {
    let format: Format
    /// The representation of the converted values.
    let representation: Representation
    var convertsOld = false
    var convertsNew = false
    /// The schema by which files are converted, or nil for the usual one.
    var schema: Schema?

    /// The format to which the first file is converted; nil if it is not.
    var oldFormat: Format? { convertsOld ? format : nil }

    /// The format to which the second file is converted; nil if it is not.
    var newFormat: Format? { convertsNew ? format : nil }
  }

  /// Compares two files with the options as they are: by their values, and by the entries that archives in both files have beside their
  /// objects.
  func compareValues(_ old: File, with new: File) throws(VersionError) -> Outcome {
    var compared = try compareObjects(old, with: new)
    if compared.differences.all.isEmpty, let differences = differencesOfDescriptions(from: old, to: new) {
      compared.differences = differences
      return compared
    }
    guard compared.mayLeaveOutEntries, mayHaveArchives(old), mayHaveArchives(new) else { return compared }
    let before = try archiveEntries(of: old, or: VersionError.old)
    let after = try archiveEntries(of: new, or: VersionError.new)
    compared.differences.addArchiveEntries(
      from: before, to: after, ordersKeys: ordersKeys, ignoring: ignored,
      mostPathBytes: reading.budget.workAllowance(forInputBytes: old.bytes.count + new.bytes.count))
    guard !compared.differences.isTooLarge else { throw .new(reading.budget.overAmplification) }
    compared.repeatedKeys.old += before.repeatedKeyCount
    compared.repeatedKeys.new += after.repeatedKeyCount
    return compared
  }

  /// Compares two files by the objects of archives, and by the values of other files.
  private func compareObjects(_ old: File, with new: File) throws(VersionError) -> Outcome {
    let formats = try formats(of: old, new)
    guard let oldFormat = formats.old, let newFormat = formats.new else {
      return try result(old, new, in: formats.old ?? formats.new)
    }
    var found: Outcome?
    var failure: VersionError?
    if oldFormat == newFormat || oldFormat.hasTypedColumns && newFormat.hasTypedColumns {
      // The columns of two tables have the types that both files have in common. A conversion infers those of one file alone.
      let compared = try compare(
        old, with: new, by: Way(format: oldFormat, representation: reading.representation), from: oldFormat)
      if compared.differences.all.isEmpty { return comparingDocuments(of: old, oldFormat, new, compared) }
      found = compared
    }
    let schema = declaredSchema(of: old, new)
    if comparesRecords, oldFormat == newFormat, let schema,
      let compared = try compareRecords(old, with: new, of: schema, in: oldFormat)
    {
      if compared.differences.all.isEmpty { return compared }
      if found.map({ compared.cost < $0.cost }) ?? true { found = compared }
    }
    // Of two ways with as many differences, the first one counts: the typed form has all types.
    let ways =
      typedWays(from: old, oldFormat, to: new, newFormat) + plainWays(from: oldFormat, to: newFormat, schema)
    for way in ways {
      do throws(VersionError) {
        let compared = try compare(old, with: new, by: way, from: oldFormat)
        // Plain values would hide that classes or other types differ.
        if way.representation == .typed, reading.schema == nil, hasAllTypes(old), hasAllTypes(new) {
          return compared
        }
        if compared.differences.all.isEmpty { return compared }
        if found.map({ compared.cost < $0.cost }) ?? true { found = compared }
      } catch {
        failure = failure ?? error
      }
    }
    if let found { return found }
    if let failure { throw failure }
    return try result(old, new, in: nil)
  }

  /// Returns the schema that the types of two documents declare. Returns nil if there is none, if they declare two, or if the options have
  /// a schema, or turn it off.
  private func declaredSchema(of old: File, _ new: File) -> Schema? {
    guard reading.schema == nil, reading.matchesSchemas, reading.select == nil,
      reading.representation == .plain, let schema = old.declaredSchema ?? new.declaredSchema,
      new.declaredSchema ?? schema == schema
    else { return nil }
    return schema
  }

  /// Compares two documents of one format, whose scalars may be texts, by the records that the schema of their type describes: two
  /// notations of a number or a date are one value. Returns nil if the schema does not describe all of both documents.
  private func compareRecords(
    _ old: File, with new: File, of schema: Schema, in format: Format
  ) throws(VersionError) -> Outcome? {
    guard !format.capabilities.contains(.dates), let old = records(of: old, schema),
      let new = records(of: new, schema)
    else { return nil }
    return try result(old, as: .json, new, as: .json, in: .json)
  }

  /// Returns the records of a document as JSON; nil if the schema does not describe all of its values.
  private func records(of file: File, _ schema: Schema) -> File? {
    var options = options(for: file)
    // The document is read without the schema for its losses alone.
    let plainLosses = LossReport()
    guard
      (try? options.read(MemoryInput(file.bytes), named: file.name, into: NullSink(), losses: plainLosses))
        != nil
    else { return nil }
    options.schema = schema
    let conversion = Conversion(reading: options, writing: WritingOptions(to: .json))
    // What is lost also without the schema, such as comments, does not make the records incomplete.
    let accepted = plainLosses.all.counts.map(\.kind) + [.numberNotation]
    guard let converted = try? conversion.convert(file.bytes, named: file.name),
      converted.report.losses.counts.allSatisfy({ accepted.contains($0.kind) })
    else { return nil }
    var records = File(converted.bytes, name: file.name)
    records.repeatedKeys = plainLosses.all.repeatedKeys
    return records
  }

  /// Returns the outcome for two files with equal values, with a difference if the values are documents of one file and a list in the other.
  private func comparingDocuments(
    of old: File, _ format: Format, _ new: File, _ compared: Outcome
  ) -> Outcome {
    guard format.layoutOptions.contains(.documents), reading.select == nil, case .array? = compared.old else {
      return compared
    }
    let areOld = hasSeveralDocuments(old)
    guard areOld != hasSeveralDocuments(new) else { return compared }
    var differences = compared.differences
    differences.addDocuments(areOld: areOld)
    return Outcome(
      differences: differences, old: compared.old, new: compared.new, repeatedKeys: compared.repeatedKeys,
      unusedIgnoredValues: compared.unusedIgnoredValues)
  }

  /// Returns true if a file, which has been read without an error, has several documents.
  private func hasSeveralDocuments(_ file: File) -> Bool {
    var conversion = Conversion(reading: options(for: file), writing: WritingOptions(to: .json))
    (conversion.reading.schema, conversion.reading.matchesSchemas) = (nil, false)
    let report = try? conversion.convert(MemoryInput(file.bytes), named: file.name, to: NullOutput())
    return report?.hasSeveralDocuments ?? false
  }

  /// Returns the ways to compare files of two formats in one of them.
  private func plainWays(from oldFormat: Format, to newFormat: Format, _ schema: Schema?) -> [Way] {
    guard oldFormat != newFormat else { return [] }
    // The file with fewer kinds of values was perhaps converted from the other one. Both ways are tried, because a
    // conversion in the other direction does not restore what the first has dropped.
    let isOldRicher = oldFormat.capabilities.isSuperset(of: newFormat.capabilities)
    let formats = isOldRicher ? [newFormat, oldFormat] : [oldFormat, newFormat]
    // Documents that break the schema of their type can be compared, too.
    let schemas: [Schema?] = schema == nil ? [nil] : [schema, nil]
    return schemas.flatMap { schema in
      formats.filter(\.canWrite).map { format in
        Way(
          format: format, representation: reading.representation, convertsOld: oldFormat != format,
          convertsNew: newFormat != format, schema: schema)
      }
    }
  }

  /// Returns the way to compare a document in the typed form, or an archive in the raw form, with the typed form of the other file;
  /// none if neither file is such a document. The values of a typed document may be of more kinds than those of plain JSON, and not
  /// every file can be written again in its own format.
  private func typedWays(
    from old: File, _ oldFormat: Format, to new: File, _ newFormat: Format
  ) -> [Way] {
    let (isOldTyped, isNewTyped) = (isDocument(old, oldFormat), isDocument(new, newFormat))
    guard isOldTyped || isNewTyped, oldFormat != newFormat || isOldTyped != isNewTyped else { return [] }
    return [
      Way(
        format: isNewTyped ? newFormat : oldFormat, representation: .typed, convertsOld: isNewTyped,
        convertsNew: !isNewTyped)
    ]
  }

  /// Returns true if a file in a format is a document in the typed form, or an archive in the raw form. A ZIP archive with one is not.
  private func isDocument(_ file: File, _ format: Format) -> Bool {
    !format.isArchiveOfFiles && document(of: file) != nil
  }

  /// Compares two files in a format, to which one of them may be converted.
  ///
  /// - Parameter oldFormat: The format of the first file.
  private func compare(
    _ old: File, with new: File, by way: Way, from oldFormat: Format
  ) throws(VersionError) -> Outcome {
    let first = way.convertsOld ? try converted(old, by: way, or: VersionError.old) : old
    let second = way.convertsNew ? try converted(new, by: way, or: VersionError.new) : new
    var comparison = sharingShape(of: [first, second], by: way)
    comparison.reading.namesTables = comparesTables(by: way)
    let compared = try comparison.result(
      first, as: way.oldFormat, second, as: way.newFormat,
      // The typed form has the values of any format.
      in: way.representation == .typed ? oldFormat : way.format)
    return try comparison.comparingExpansions(of: (old, new), readAs: (first, second), by: way, compared)
  }

  /// Returns true if a way compares two databases with all their tables, whose names are a part of the content.
  private func comparesTables(by way: Way) -> Bool {
    way.format.isDatabase && !way.convertsOld && !way.convertsNew && reading.schema == nil
      && reading.table == nil && reading.select == nil
  }

  /// Returns the comparison that reads an element as a list if it is a list in one of several files.
  func sharingShape(of files: [File], by way: Way) -> FileComparison {
    guard way.format.isOfElements, reading.xml.commonShape != nil, way.convertsOld || way.convertsNew else {
      return self
    }
    var comparison = self
    comparison.noteCommonShape(of: files)
    return comparison
  }

  /// Reads two files, and compares their values.
  ///
  /// - Parameters:
  ///   - oldFormat: The format to which the first file was converted; nil if it was not.
  ///   - newFormat: The format to which the second file was converted; nil if it was not.
  ///   - format: The format of the values; nil if they are of two formats.
  /// - Throws: The error of a file, or an error if the documents in data exceed the budget.
  private func result(
    _ old: File, as oldFormat: Format? = nil, _ new: File, as newFormat: Format? = nil, in format: Format?
  ) throws(VersionError) -> Outcome {
    try result(
      read(old, as: oldFormat, or: VersionError.old), read(new, as: newFormat, or: VersionError.new),
      in: format)
  }

  /// Compares the values of two files.
  ///
  /// - Parameters:
  ///   - expansions: The values of the documents in data that the other file has as another kind of value.
  ///   - replacements: The search for data that other values replace; nil to find none.
  /// - Throws: An error if the documents in data exceed the budget.
  func result(
    _ old: ReadFile, _ new: ReadFile, in format: Format?,
    _ expansions: ComparedData.Expansions = (DataExpansion(), DataExpansion()),
    replacements: ComparedData.ReplacementSearch? = nil
  ) throws(VersionError) -> Outcome {
    let mostPathBytes = reading.budget.workAllowance(forInputBytes: old.byteCount + new.byteCount)
    let data =
      reading.expandsData
      ? ComparedData(
        budget: reading.budget, asStored: reading.representation == .raw, ordersKeys: ordersKeys,
        opensPairs: !replacesData, expansions: expansions, replacements: replacements) : nil
    var values = (old: old.value, new: new.value)
    if reading.namesTables, let rows = KeyedValues.valuesOfOnlyKey(old.value, new.value) { values = rows }
    var used: Set<Int> = []
    values = (
      old: ignored.removing(from: values.old, noting: &used),
      new: ignored.removing(from: values.new, noting: &used)
    )
    var differences = ValueDifferences(
      from: values.old, to: values.new, ordersKeys: ordersKeys, key: key, ignored: ignored,
      isArchive: format?.isArchive ?? false, moves: moves, data: data, mostPathBytes: mostPathBytes)
    guard !differences.isTooLarge else { throw .new(reading.budget.overAmplification) }
    switch data?.failure {
    case .old(let error): throw .old(error)
    case .new(let error): throw .new(error)
    case nil: break
    }
    // A key of JSON that looks like a tag is a key.
    differences.hasTypedPatch = format.map { !$0.hasOnlyJSONValues }
    differences.hasMarkedTexts = old.hasMarkedTexts || new.hasMarkedTexts
    return Outcome(
      differences: differences, old: values.old, new: values.new,
      repeatedKeys: (
        old: old.repeatedKeys + (data?.repeatedKeys.old ?? 0),
        new: new.repeatedKeys + (data?.repeatedKeys.new ?? 0)
      ),
      unusedIgnoredValues: ignored.values.indices.filter { !used.contains($0) }.map { ignored.values[$0] },
      mayLeaveOutEntries: old.mayLeaveOutEntries || new.mayLeaveOutEntries)
  }
}

extension KeyedValues {
  /// Returns the values of two dictionaries that have one key, the same, so that paths need not name it; nil for other values.
  fileprivate static func valuesOfOnlyKey(_ old: Value?, _ new: Value?) -> (old: Value?, new: Value?)? {
    guard case .dictionary(let mine)? = old, case .dictionary(let others)? = new, mine.count == 1,
      others.count == 1, mine.keys == others.keys
    else { return nil }
    return (mine.values.first, others.values.first)
  }
}

extension FileComparison.Outcome {
  /// The cost of the comparison in a format: first by values that differ as a whole, then by data that replaces a collection or is
  /// replaced by one, of which the document would be compared in another format, and then by the number of differences.
  fileprivate var cost: (isWhole: Int, replacedData: Int, differences: Int) {
    let isWhole = differences.all.contains { ($0.newPath ?? $0.oldPath)?.steps.isEmpty ?? true }
    return (isWhole ? 1 : 0, differences.all.count(where: \.replacesData), differences.all.count)
  }
}

extension ValueDifferences.Difference {
  /// True if data replaces a collection or an object, or is replaced by one.
  fileprivate var replacesData: Bool {
    switch change {
    case .changed(.data, let other), .changed(let other, .data): other.isCollectionOrObject
    default: false
    }
  }
}

extension Losses {
  /// The number of keys that occur twice in one dictionary.
  var repeatedKeys: Int { counts.first { $0.kind == .duplicateKey }?.count ?? 0 }
}

extension FileComparison.VersionError: CustomStringConvertible {
  /// The file at fault and the problem: `the new version: 3:14: expected a value, found ","`.
  public var description: String {
    switch self {
    case .old(let error): "the old version: \(error)"
    case .new(let error): "the new version: \(error)"
    }
  }
}
