/// The records of a package for a conversion: the file that has them, and the files that they name, which an adapter adds to them.
struct PackagedRecords {
  private let package: DocumentPackage
  /// The bytes of the file with the records.
  let bytes: [UInt8]
  /// The name of the file with the records.
  let name: String
  /// The formats of the package: that of its records, unless the caller chose one or the content identifies its own.
  let formats: DeclaredFormats
  /// The conversion, with the formats and the schema of the package.
  let conversion: Conversion
  /// The files that the records converted so far name.
  let files: NamedFiles
  /// The adapter that adds the files to the records; none if the records have no names of files.
  let adapters: RecordAdapters

  /// Reads the file with the records.
  ///
  /// - Throws: A `FerryError` with the reason `PackageProblem.noMainFile`.
  init(
    of package: DocumentPackage, _ type: DocumentType, files placing: PackagedFiles = .inRecords,
    for given: Conversion
  ) throws(FerryError) {
    self.package = package
    (bytes, name) = try type.records(of: package)
    formats = DeclaredFormats(ofAllFiles: type.format)
    files = NamedFiles(of: package, type, placing)
    var (reading, adapters) = (given, RecordAdapters())
    reading.reading.declaredFormats = formats
    if let fields = reading.fileFields(of: type) { adapters.source = files.adapter(fields) }
    (conversion, self.adapters) = (reading.withSchema(of: type), adapters)
  }

  /// The file with the records, as an input.
  var input: MemoryInput { MemoryInput(bytes) }

  /// The paths of the files that a conversion leaves out: all besides the one with the records, and those that the records name.
  var leftOut: [ValuePath] {
    let names = package.leaves.filter { !name.equals($0) && !files.names.contains($0) }
    return names.map { ValuePath([.key($0)]) }
  }
}
