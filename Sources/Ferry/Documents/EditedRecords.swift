/// The records of a document after an edit, compared with those before it.
///
///     let edited = EditedRecords(bytes, at: path, of: (path, file.originalBytes))
///     try edited.check()
///     edited.notes       // [.unnamedFiles(["image.png"])]
public struct EditedRecords: Sendable {
  private let bytes: [UInt8]
  private let original: [UInt8]
  /// The type of the document; nil if its type does not determine its records.
  private let type: DocumentType?
  /// True if the edited document had the type, too.
  private let isOfSameType: Bool
  /// The package with the records; nil for a document that is one file.
  private let package: Package?
  /// The files that records of the package named before the edit; nil if the records could not be read.
  private let before: Set<ExactString>?
  /// The files that records name now; nil if the records cannot be read.
  private let after: Set<ExactString>?

  /// A package with records.
  private enum Package {
    case folder(String)
    case zipped(DocumentPackage)

    func files() throws(FerryError) -> DocumentPackage {
      switch self {
      case .folder(let path): try DocumentPackage(reading: path)
      case .zipped(let package): package
      }
    }
  }

  /// Creates the records.
  ///
  /// - Parameters:
  ///   - bytes: The document, or the file with the records of a package, after the edit.
  ///   - path: The file to write.
  ///   - original: The file that was edited, with its bytes.
  ///   - types: The known types of documents.
  public init(
    _ bytes: [UInt8], at path: String, of original: (path: String, bytes: [UInt8]),
    among types: DocumentTypes = .builtIn
  ) {
    (self.bytes, self.original) = (bytes, original.bytes)
    let type = types.type(ofRecordsIn: path)
    self.type = type
    isOfSameType = types.type(ofRecordsIn: original.path) == type
    package = types.package(withRecordsIn: path).map { .folder($0.path) }
    // The records of another package name files that this one need not have.
    before = Folder.isSame(path, original.path) ? try? type?.fileNames(in: original.bytes) : []
    after = try? type?.fileNames(in: bytes)
  }

  /// Creates the records of a package in a ZIP archive.
  ///
  /// - Parameters:
  ///   - bytes: The file with the records after the edit.
  ///   - original: The file with the records before the edit.
  package init(_ bytes: [UInt8], in zipped: ZippedPackage, of original: [UInt8]) {
    (self.bytes, self.original) = (bytes, original)
    (type, isOfSameType, package) = (zipped.type, true, .zipped(zipped.package))
    before = try? zipped.type.fileNames(in: original)
    after = try? zipped.type.fileNames(in: bytes)
  }

  /// Throws if the edit has made the document unreadable as its type: records are of another class, lack
  /// fields that the type requires, or name files that the package does not have. A document that was not
  /// readable before may stay so.
  ///
  /// - Throws: A `FerryError` with the reason `DocumentProblem.editedRecords`, with the type's class, or `editedFiles`, with the record's
  ///   path.
  public func check() throws(FerryError) {
    guard let type else { return }
    if let problem = type.problem(reading: bytes) {
      guard isOfSameType, type.problem(reading: original) != nil else { throw problem }
    }
    try checkFiles(of: type)
  }

  /// Throws if a record names a file that no record named before, and that is not a file of the package.
  private func checkFiles(of type: DocumentType) throws(FerryError) {
    guard let package, let before, let after, !after.isSubset(of: before) else { return }
    let files = NamedFiles(of: try package.files(), type, .apart)
    do throws(FerryError) {
      try type.forEachFileName(in: bytes) { name throws(FerryError) in
        if !before.contains(name) { try files.check(name) }
      }
    } catch {
      let problem = DocumentProblem.editedFiles(type: type.name, why: error.reason.description)
      throw FerryError(.document(problem), path: error.path)
    }
  }

  /// A note about the files that the records named before the edit, and that stay in the package without a record.
  public var notes: [Note] {
    guard let package, let before, let after else { return [] }
    let names = before.subtracting(after).sorted()
    guard !names.isEmpty, let files = try? package.files().paths
    else { return [] }
    let kept = names.map(\.string).filter { files.contains(exactly: $0) }
    return kept.isEmpty ? [] : [.unnamedFiles(kept)]
  }
}

extension DocumentTypes {
  /// Returns the document type whose records are in a file: a document, a package, or the records' file of a
  /// package.
  fileprivate func type(ofRecordsIn path: String) -> DocumentType? {
    guard path != "-" else { return nil }
    if let package = package(withRecordsIn: path) { return package.type }
    guard let type = type(ofFile: path) else { return nil }
    switch type.layout {
    case .file(let format): return claiming(path, format)
    case .package: return type
    }
  }
}

extension DocumentType {
  /// Returns the error in reading a document's records by the type's schema; nil if there is none.
  fileprivate func problem(reading bytes: [UInt8]) -> FerryError? {
    guard let schema else { return nil }
    do throws(FerryError) {
      try check(bytes)
      _ = try reading(by: schema).send(MemoryInput(bytes), named: nil, into: NullSink())
      return nil
    } catch {
      if case .document(.otherRecords(let type, let name, let found)) = error.reason {
        return FerryError(.document(.editedRecords(type: type, className: name, why: "found \(found)")))
      }
      let why = FerryError(error.reason, path: schema.record.archivePath(error.path)).message
      return FerryError(.document(.editedRecords(type: name, className: schema.record.className, why: why)))
    }
  }

  /// Returns the names of the files that records name.
  fileprivate func fileNames(in records: [UInt8]) throws(FerryError) -> Set<ExactString> {
    var names: Set<ExactString> = []
    try forEachFileName(in: records) { name throws(FerryError) in names.insert(name) }
    return names
  }

  /// Calls a function with the name of each file that records name, and adds the path of the name to its
  /// errors. Does nothing if the type has no field with such names.
  fileprivate func forEachFileName(
    in records: [UInt8], _ body: @escaping (String) throws(FerryError) -> Void
  ) throws(FerryError) {
    guard let fields = fileFields(schema) else { return }
    // The records are not mapped, because they may have other flaws.
    try reading(by: fields.schema).sendUnmapped(MemoryInput(records), named: nil) { dialect in
      FilesIntoRecords(fields, from: dialect, into: NullSink()) { name throws(FerryError) in
        try body(name)
        return nil
      }
    }
  }

  /// Returns the reading of a document's records by a schema.
  private func reading(by schema: Schema) -> PlainReading {
    var reading = PlainReading()
    reading.options.declaredFormats = DeclaredFormats(ofAllFiles: format)
    reading.options.schema = schema
    return reading
  }
}

extension RecordType {
  /// Returns the path in an archive of records, with its keys, for a path with the names of fields.
  fileprivate func archivePath(_ path: ValuePath) -> ValuePath {
    var type: RecordType? = self
    return ValuePath(
      path.steps.map { step in
        guard case .key(let name) = step, let field = type?.fields.first(where: { $0.name.equals(name) })
        else { return step }
        type = field.type.record
        return .key(field.archiveKey)
      })
  }
}
