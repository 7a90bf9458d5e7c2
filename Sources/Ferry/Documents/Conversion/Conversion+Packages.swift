/// The treatment of a package's files in a conversion to one file.
public enum PackagedFiles: Hashable, Sendable {
  /// Embeds each file as data in the record that names it: in the field `image` next to `imageKey`.
  case inRecords
  /// Leaves the files out. Records hold only the names, and the caller copies the files.
  case apart
}

extension Conversion {
  /// The report of the conversion of a package.
  public struct PackageReport: Hashable, Sendable {
    /// The report of the conversion: counts, losses and omissions.
    public var report: Report
    /// The names of the files that records refer to, in the order of first reference.
    public var files: [String]
  }

  /// Converts a package to one file that holds its records and the files that they name.
  ///
  ///     let package = try DocumentPackage(reading: "Things I Own.mystuff")
  ///     try Conversion(to: .json).convert(package, of: .things, to: output)
  ///     // [{"name":"Robot","location":"Shelf","imageKey":"image.png","image":"iVBORw0KGgo…"}]
  ///
  /// In the typed and the raw form, only the file with the records is converted. Every other file of the
  /// package is reported as a loss.
  ///
  /// - Parameters:
  ///   - package: The package.
  ///   - type: The type of the package.
  ///   - output: The output.
  ///   - outputName: The file name of the output.
  ///   - placing: The treatment of the files that records name.
  /// - Throws: A `FerryError` with the reason `PackageProblem.noMainFile`, `noFile` with the record's path, `notPNG`; and any error of a
  ///   conversion.
  public func convert(
    _ package: DocumentPackage, of type: DocumentType, to output: any ByteOutput,
    named outputName: String? = nil,
    files placing: PackagedFiles = .inRecords
  ) throws(FerryError) -> PackageReport {
    let (main, format) = try Self.main(of: package, type)
    let given = readingRecords(in: format)
    let named = NamedFiles(of: package, type, placing)
    var adapters = RecordAdapters()
    if let fields = given.fileFields(of: type) { adapters.source = named.adapter(fields) }
    let conversion = given.withSchema(of: type)
    var report = try conversion.convert(
      MemoryInput(main), named: type.mainName, to: output, named: outputName, adapting: adapters)
    try addLosses(of: package, type, besides: named, to: &report)
    return PackageReport(report: report, files: named.ordered)
  }

  /// Makes a package from an input's records.
  ///
  ///     let json = try FileInput(path: "things.json")
  ///     let conversion = Conversion(to: .archive)
  ///     let (package, _) = try conversion.package(of: .things, from: json, named: "things.json")
  ///     package.names                 // ["image.png", "things.data"]
  ///
  /// The bytes of a file that a record names come from the record itself or from `attachment`. If a record
  /// contains bytes but no file name, the file gets the name that Apple's frameworks would choose.
  ///
  /// - Parameters:
  ///   - type: The type of the package.
  ///   - input: The records.
  ///   - name: The file name of the input.
  ///   - attachment: Returns the bytes of a named file, or nil if there is no such file.
  /// - Throws: A `FerryError` with the reason `PackageProblem.noAttachment`, `badName`, `differentFiles`, `notPNG`, each with the record's
  ///   path; and any error of a conversion.
  public func package(
    of type: DocumentType, from input: any ByteInput, named name: String? = nil,
    attachment: @escaping (String) throws(FerryError) -> [UInt8]? = { _ throws(FerryError) in nil }
  ) throws(FerryError) -> (package: DocumentPackage, report: Report) {
    try package(of: type, attachment: attachment) { conversion, output, adapters throws(FerryError) in
      try conversion.convert(input, named: name, to: output, named: nil, adapting: adapters)
    }
  }

  /// Makes a package from an input's records, with files from a function that may throw any error.
  ///
  ///     let (package, _) = try conversion.package(of: .things, from: json) { name in
  ///       try Array(Data(contentsOf: folder.appending(path: name)))
  ///     }
  ///
  /// - Parameters:
  ///   - type: The type of the package.
  ///   - input: The records.
  ///   - name: The file name of the input.
  ///   - attachment: Returns the bytes of a named file, or nil if there is no such file.
  /// - Throws: The error of `attachment`, or a `FerryError` as from the function whose `attachment` throws only this type.
  @_disfavoredOverload
  public func package(
    of type: DocumentType, from input: any ByteInput, named name: String? = nil,
    attachment: @escaping (String) throws -> [UInt8]?
  ) throws -> (package: DocumentPackage, report: Report) {
    let passed = PassedError()
    return try passed.passing { () throws(FerryError) in
      try package(
        of: type, from: input, named: name,
        attachment: { file throws(FerryError) in
          do { return try attachment(file) } catch { throw passed.keeping(error) }
        })
    }
  }

  /// Makes a package from another package. If both have the same type, all files are kept and only the
  /// records are converted.
  ///
  /// - Throws: A `FerryError` with the reason `PackageProblem.noMainFile`, and the errors of the other `package` function.
  public func package(
    of type: DocumentType, from package: DocumentPackage, of sourceType: DocumentType
  ) throws(FerryError) -> (package: DocumentPackage, report: Report) {
    let (main, format) = try Self.main(of: package, sourceType)
    let given = readingRecords(in: format)
    if type == sourceType, let name = type.mainName {
      var (conversion, package) = (given, package)
      conversion.writing.format = format
      let (bytes, report) = try conversion.convert(main, named: name)
      if bytes != main { package.set(bytes, named: name) }
      return (package, report)
    }
    let named = NamedFiles(of: package, sourceType, .inRecords)
    var made = try self.package(of: type, attachment: { _ throws(FerryError) in nil }) {
      conversion, output, adapters throws(FerryError) in
      var (conversion, adapters) = (conversion, adapters)
      conversion.reading.format = given.reading.format
      conversion.reading.declaredFormats = given.reading.declaredFormats
      if let fields = given.fileFields(of: sourceType) { adapters.source = named.adapter(fields) }
      return try conversion.convert(
        MemoryInput(main), named: sourceType.mainName, to: output, named: nil, adapting: adapters)
    }
    try addLosses(of: package, sourceType, besides: named, to: &made.report)
    // The new package may replace the source only if the source is unchanged since it was read.
    made.package.takeOrigin(of: package)
    return made
  }

  /// Adds a loss for each file of a package that is neither the file with the records nor named by a record.
  private func addLosses(
    of package: DocumentPackage, _ type: DocumentType, besides named: NamedFiles, to report: inout Report
  ) throws(FerryError) {
    for name in Self.otherFiles(of: package, type, besides: named) {
      guard !isStrict else {
        var error = FerryError(.loss(.packageFile), path: ValuePath([.key(name)]))
        error.earlier = report.errors
        throw error
      }
      report.losses.add(.packageFile, path: ValuePath([.key(name)]))
    }
  }

  private func package(
    of type: DocumentType, attachment: @escaping (String) throws(FerryError) -> [UInt8]?,
    _ convert: (Conversion, MemoryOutput, RecordAdapters) throws(FerryError) -> Report
  ) throws(FerryError) -> (package: DocumentPackage, report: Report) {
    guard case .package(let main, let format, _) = type.layout else {
      throw FerryError(.package(.notAPackage))
    }
    var conversion = withSchema(of: type)
    conversion.writing.format = format
    let files = CollectedFiles(besides: main, budget: reading.budget, attachment: attachment)
    var adapters = RecordAdapters()
    if let fields = conversion.fileFields(of: type) {
      conversion.reading.schema = fields.schema
      adapters.takenField = fields.contents
      adapters.target = {
        FilesOutOfRecords(fields, to: format.recordDialect, into: $0, destination: files)
      }
    }
    let output = MemoryOutput()
    let report = try convert(conversion, output, adapters)
    files.package.set(output.bytes, named: main)
    return (files.package, report)
  }

  /// Adds the records of a package, with the files that they name, to a joined conversion.
  ///
  /// - Throws: As from `convert(_:of:to:)`.
  package func add(
    _ package: DocumentPackage, of type: DocumentType, to joined: JoinedConversion
  ) throws(FerryError) {
    let (main, format) = try Self.main(of: package, type)
    let given = readingRecords(in: format)
    let named = NamedFiles(of: package, type, .inRecords)
    var adapters = RecordAdapters()
    if let fields = given.fileFields(of: type) { adapters.source = named.adapter(fields) }
    try joined.add(
      MemoryInput(main), named: type.mainName, by: given.withSchema(of: type), adapting: adapters)
    for name in Self.otherFiles(of: package, type, besides: named) {
      try joined.add(.packageFile, path: ValuePath([.key(name)]))
    }
  }

  /// Splits a package into its records, with the files that they name.
  ///
  /// - Throws: As from `split(_:named:)`, and from `convert(_:of:to:)`.
  package func split(
    _ package: DocumentPackage, of type: DocumentType,
    _ body: @escaping (SplitRecord) throws(FerryError) -> Void
  ) throws(FerryError) -> Report {
    let (main, format) = try Self.main(of: package, type)
    let given = readingRecords(in: format)
    let named = NamedFiles(of: package, type, .inRecords)
    var adapters = RecordAdapters()
    if let fields = given.fileFields(of: type) { adapters.source = named.adapter(fields) }
    var report = try given.withSchema(of: type).split(
      MemoryInput(main), named: type.mainName, adapting: adapters, body)
    try addLosses(of: package, type, besides: named, to: &report)
    return report
  }

  // MARK: Parts

  /// Returns the names of the files of a package besides the one with the records, and those that records name.
  private static func otherFiles(
    of package: DocumentPackage, _ type: DocumentType, besides named: NamedFiles
  ) -> [String] {
    package.leaves.filter { !type.mainName.equals($0) && !named.names.contains($0) }
  }

  /// Returns the bytes and the format of a package's file with the records.
  private static func main(of package: DocumentPackage, _ type: DocumentType) throws(FerryError) -> (
    [UInt8], Format
  ) {
    (try type.records(of: package).bytes, type.format)
  }

  /// Returns a conversion that reads the format of a package's records, unless the caller chose a format or
  /// the content identifies its own.
  func readingRecords(in format: Format) -> Conversion {
    var conversion = self
    conversion.reading.declaredFormats = DeclaredFormats(ofAllFiles: format)
    return conversion
  }

  /// Returns a conversion with the schema of the type, unless the caller has given a schema or turned schemas
  /// off.
  private func withSchema(of type: DocumentType) -> Conversion {
    var conversion = self
    if writing.representation == .plain, reading.schema == nil, reading.matchesSchemas {
      conversion.reading.schema = type.schema
    }
    if let fields = conversion.fileFields(of: type) { conversion.reading.schema = fields.schema }
    return conversion
  }

  /// Returns the schema of the records of a package of a type, with the field for the contents of the files that they name.
  func schema(ofRecordsIn type: DocumentType) -> Schema? { withSchema(of: type).reading.schema }

  private func fileFields(of type: DocumentType) -> FileFields? {
    guard writing.representation == .plain else { return nil }
    return type.fileFields(reading.schema ?? (reading.matchesSchemas ? type.schema : nil))
  }
}

extension DocumentType {
  /// Returns the fields of records with the names and the contents of files; nil if the records have none.
  func fileFields(_ schema: Schema?) -> FileFields? {
    guard case .package(_, _, let key) = layout else { return nil }
    return FileFields(schema, named: key)
  }

  /// The name of the file with the records of a package.
  var mainName: String? {
    guard case .package(let main, _, _) = layout else { return nil }
    return main
  }
}
