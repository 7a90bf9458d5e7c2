// The check of the records' class. An app that opens a document with records of another class fails or drops
// the records.

extension DocumentTypes {
  /// Returns the document type that a file with this name and format belongs to, also as the records of a package. Returns nil
  /// if the extension does not determine the records, such as `.archive`, which any archive may have.
  ///
  ///     DocumentTypes.builtIn.claiming("x.pplgrp", .archive)?.name       // "people-group"
  ///     DocumentTypes.builtIn.claiming("x.archive", .archive)            // nil
  public func claiming(_ name: String, _ format: Format) -> DocumentType? {
    if format.isArchive, let package = package(withRecordsIn: name) { return package.type }
    guard let type = type(ofFile: name), type.schema != nil, case .file(let usual) = type.layout,
      format == usual || format.isArchive && usual.isArchive,
      let fileExtension = FormatDetector.fileExtension(of: name),
      ![format, usual].contains(where: { $0.extensions.first.equals(fileExtension) })
    else { return nil }
    return type
  }
}

extension DocumentType {
  /// Throws if an archive has no list of records, or records of another class than those of this type.
  ///
  /// - Parameters:
  ///   - archive: The archive.
  ///   - classNames: New names for classes, as in `Conversion.classNames`.
  /// - Throws: A `FerryError` with the reason `DocumentProblem.otherRecords`, or an error of the archive.
  public func check(_ archive: [UInt8], classNames: [String: String] = [:]) throws(FerryError) {
    guard schema != nil, format.isArchive else { return }
    var options = EditableFile.Options()
    let found = try? Format.of(archive)
    options.format = found?.isArchive == true ? found : format
    let file = try EditableFile(archive, options: options)
    let root = try file.walker.start([]).location
    let parts = try file.walker.parts(of: list(under: root, in: file))
    guard parts.isList else {
      try check(root, in: file, classNames)
      throw otherRecords("one object that is in no list", classNames)
    }
    for index in 0..<parts.count { try check(parts.location(index, in: file.list), in: file, classNames) }
  }

  /// Throws if the records of a package have another class than the records of this type.
  ///
  /// - Throws: A `FerryError` with the reason `DocumentProblem.otherRecords`, or an error of the package.
  public func check(_ package: DocumentPackage, classNames: [String: String] = [:]) throws(FerryError) {
    guard let mainName, let records = try package.bytes(of: mainName) else { return }
    try check(records, classNames: classNames)
  }

  /// Returns the location of the list of records: under the collection's key, or the root itself.
  private func list(under root: ValueLocation, in file: EditableFile) throws(FerryError) -> ValueLocation {
    guard let key = schema?.collectionKey else { return root }
    let parts = try file.walker.parts(of: root)
    guard !parts.isList, let index = try file.walker.index(of: key, in: parts) else { return root }
    return try parts.location(index, in: file.list)
  }

  private func check(_ location: ValueLocation, in file: EditableFile, _ classNames: [String: String])
    throws(FerryError)
  {
    let type = try file.walker.type(of: file.walker.target(of: location))
    try check(type, named: type.map { MessageText.name($0.name) } ?? "a value without a class", classNames)
  }

  /// Throws if records have another class than the records of this type.
  func check(_ records: [Value], classNames: [String: String]) throws(FerryError) {
    guard format.isArchive else { return }
    for record in records {
      guard case .object(let object) = record else {
        try check(nil, named: record.words, classNames)
        continue
      }
      try check(object.type, named: MessageText.name(object.type.name), classNames)
    }
  }

  private func check(_ found: ObjectClass?, named name: String, _ classNames: [String: String])
    throws(FerryError)
  {
    guard let record = schema?.renamingClasses(classNames).record else { return }
    let names = found.map { [$0.name] + $0.chain } ?? []
    guard names.contains(where: record.accepts) else { throw otherRecords(name, classNames) }
  }

  private func otherRecords(_ found: String, _ classNames: [String: String]) -> FerryError {
    let className = schema?.renamingClasses(classNames).record.className ?? ""
    return FerryError(.document(.otherRecords(type: name, className: className, found: found)))
  }

  /// The format of the records.
  package var format: Format {
    switch layout {
    case .file(let format), .package(_, let format, _): format
    }
  }
}
