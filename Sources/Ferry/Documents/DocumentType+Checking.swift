// The check of the records' class. An app that opens a document with records of another class fails or drops
// the records.

extension DocumentTypes {
  /// Returns the document type that a file with this name and format belongs to. Returns nil if the extension
  /// does not determine the records, such as `.archive`, which any archive may have.
  ///
  ///     DocumentTypes.builtIn.claiming("x.pplgrp", .archive)?.name       // "people-group"
  ///     DocumentTypes.builtIn.claiming("x.archive", .archive)            // nil
  public func claiming(_ name: String, _ format: Format) -> DocumentType? {
    guard let type = type(ofFile: name), type.schema != nil, case .file(format) = type.layout,
      let fileExtension = FormatDetector.fileExtension(of: name),
      !format.extensions.first.equals(fileExtension)
    else { return nil }
    return type
  }
}

extension DocumentTypes {
  /// Throws if an edit made a document unreadable as its type: a record has another class, or lacks a field
  /// that the type requires. A document that was unreadable before the edit is accepted.
  ///
  /// - Parameters:
  ///   - bytes: The document, or the records of a package, after the edit.
  ///   - path: The path of the file or package that will be written.
  ///   - original: The file that was edited, with its bytes.
  /// - Throws: `DocumentProblem.editedRecords` with the class that the type requires.
  public func checkEdit(
    to bytes: [UInt8], at path: String, of original: (path: String, bytes: [UInt8])
  ) throws(FerryError) {
    guard let type = type(ofRecordsIn: path), let problem = type.problem(reading: bytes) else { return }
    let isSameType = self.type(ofRecordsIn: original.path) == type
    guard isSameType, type.problem(reading: original.bytes) != nil else { throw problem }
  }

  /// Returns the document type whose records are in a file: a document, a package, or the records' file of a
  /// package.
  private func type(ofRecordsIn path: String) -> DocumentType? {
    guard path != "-" else { return nil }
    if let package = package(withRecordsIn: path) { return type(ofFile: package) }
    guard let type = type(ofFile: path) else { return nil }
    switch type.layout {
    case .file(let format): return claiming(path, format)
    case .package: return type
    }
  }
}

extension DocumentType {
  /// Returns the error of reading the document's records with the type's schema, or nil if there is none.
  fileprivate func problem(reading bytes: [UInt8]) -> FerryError? {
    guard let schema else { return nil }
    do throws(FerryError) {
      try check(bytes)
      var reading = Conversion(to: .json)
      reading.schema = schema
      try reading.send(MemoryInput(bytes), named: nil, into: NullSink())
      return nil
    } catch {
      if case .document(.otherRecords(let type, let name, let found)) = error.reason {
        return FerryError(.document(.editedRecords(type: type, className: name, why: "found \(found)")))
      }
      let why = error.message
      return FerryError(.document(.editedRecords(type: name, className: schema.record.className, why: why)))
    }
  }

  /// Throws if the records of an archive have another class than the records of this type.
  ///
  /// - Parameters:
  ///   - archive: The archive.
  ///   - classNames: New names for classes, as in `Conversion.classNames`.
  /// - Throws: `DocumentProblem.otherRecords`, or an error of the archive.
  public func check(_ archive: [UInt8], classNames: [String: String] = [:]) throws(FerryError) {
    guard schema != nil, format.isArchive else { return }
    var options = EditableFile.Options()
    options.format = format
    let file = try EditableFile(archive, options: options)
    let root = try file.walker.start([]).place
    let parts = try file.walker.parts(of: root)
    guard parts.isList else { return try check(root, in: file, classNames) }
    for index in 0..<parts.count { try check(parts.place(index, in: file.list), in: file, classNames) }
  }

  /// Throws if the records of a package have another class than the records of this type.
  ///
  /// - Throws: `DocumentProblem.otherRecords`, or an error of the package.
  public func check(_ package: Package, classNames: [String: String] = [:]) throws(FerryError) {
    guard let mainName, let records = try package.bytes(of: mainName) else { return }
    try check(records, classNames: classNames)
  }

  private func check(_ place: PathPlace, in file: EditableFile, _ classNames: [String: String])
    throws(FerryError)
  {
    let type = try file.walker.type(of: file.walker.target(of: place))
    try check(type, named: type.map { nameForMessage($0.name) } ?? "a value without a class", classNames)
  }

  /// Throws if records have another class than the records of this type.
  func check(_ records: [Value], classNames: [String: String]) throws(FerryError) {
    guard format.isArchive else { return }
    for record in records {
      guard case .object(let object) = record else {
        try check(nil, named: record.words, classNames)
        continue
      }
      try check(object.type, named: nameForMessage(object.type.name), classNames)
    }
  }

  private func check(_ found: ObjectClass?, named name: String, _ classNames: [String: String])
    throws(FerryError)
  {
    guard let record = schema?.renamingClasses(classNames).record else { return }
    let names = found.map { [$0.name] + $0.chain } ?? []
    guard !names.contains(where: record.accepts) else { return }
    throw FerryError(.document(.otherRecords(type: self.name, className: record.className, found: name)))
  }

  /// The format of the records.
  private var format: Format {
    switch layout {
    case .file(let format), .package(_, let format, _): format
    }
  }
}
