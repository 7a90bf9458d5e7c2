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
    let records = try PackagedRecords(of: package, type, files: placing, for: self)
    var report = try records.conversion.convert(
      records.input, named: records.name, to: output, named: outputName, adapting: records.adapters)
    try addLosses(of: records, to: &report)
    return PackageReport(report: report, files: records.files.ordered)
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
    let records = try PackagedRecords(of: package, sourceType, for: self)
    if type == sourceType {
      var (conversion, package) = (self, package)
      conversion.reading.declaredFormats = records.formats
      conversion.writing.format = type.format
      let (bytes, report) = try conversion.convert(records.bytes, named: records.name)
      if bytes != records.bytes { package.set(bytes, named: records.name) }
      return (package, report)
    }
    var made = try self.package(of: type, attachment: { _ throws(FerryError) in nil }) {
      conversion, output, adapters throws(FerryError) in
      var (conversion, adapters) = (conversion, adapters)
      conversion.reading.declaredFormats = records.formats
      adapters.source = records.adapters.source
      return try conversion.convert(
        records.input, named: records.name, to: output, named: nil, adapting: adapters)
    }
    try addLosses(of: records, to: &made.report)
    // The new package may replace the source only if the source is unchanged since it was read.
    made.package.takeOrigin(of: package)
    return made
  }

  /// Adds a loss for each file of a package that is neither the file with the records nor named by a record.
  private func addLosses(of records: PackagedRecords, to report: inout Report) throws(FerryError) {
    for path in records.leftOut {
      guard !isStrict else {
        var error = FerryError(.loss(.packageFile), path: path)
        error.earlier = report.errors
        throw error
      }
      report.losses.add(.packageFile, path: path)
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
    let records = try PackagedRecords(of: package, type, for: self)
    try joined.add(
      records.input, named: records.name, by: records.conversion, adapting: records.adapters)
    for path in records.leftOut { try joined.add(.packageFile, path: path) }
  }

  /// Splits a package into its records, with the files that they name.
  ///
  /// - Throws: As from `split(_:named:)`, and from `convert(_:of:to:)`.
  package func split(
    _ package: DocumentPackage, of type: DocumentType,
    _ body: @escaping (SplitRecord) throws(FerryError) -> Void
  ) throws(FerryError) -> Report {
    let records = try PackagedRecords(of: package, type, for: self)
    var report = try records.conversion.split(
      records.input, named: records.name, adapting: records.adapters, body)
    try addLosses(of: records, to: &report)
    return report
  }

  // MARK: Parts

  /// Returns a conversion with the schema of the type, unless the caller has given a schema or turned schemas
  /// off.
  func withSchema(of type: DocumentType) -> Conversion {
    var conversion = self
    if writing.representation == .plain, reading.schema == nil, reading.matchesSchemas {
      conversion.reading.schema = type.schema
    }
    if let fields = conversion.fileFields(of: type) { conversion.reading.schema = fields.schema }
    return conversion
  }

  /// Returns the schema of the records of a package of a type, with the field for the contents of the files that they name.
  func schema(ofRecordsIn type: DocumentType) -> Schema? { withSchema(of: type).reading.schema }

  /// Returns the fields of records with the names and the contents of files; nil if the records have none, or are not in the plain form.
  func fileFields(of type: DocumentType) -> FileFields? {
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
