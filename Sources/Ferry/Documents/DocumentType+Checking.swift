// Documents of a type hold records of the type's class: an app that opens one with other records fails, or loses them.

extension DocumentTypes {
  /// The type whose documents a file of a format is one of, by its extension, and that says which records these hold; nil if
  /// the extension is that of any file of the format, as `.archive` is.
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

extension DocumentType {
  /// Refuses an archive whose records are not of the class that documents of this type hold.
  ///
  /// - Parameter classNames: New names of classes, as `Conversion.classNames` has them.
  /// - Throws: `DocumentProblem.otherRecords`, or what is wrong with the archive.
  public func check(_ archive: [UInt8], classNames: [String: String] = [:]) throws(Failure) {
    guard schema != nil, format.isArchive else { return }
    var options = EditableFile.Options()
    options.format = format
    let file = try EditableFile(archive, options: options)
    let root = try file.walker.start([]).place
    let parts = try file.walker.parts(of: root)
    guard parts.isList else { return try check(root, in: file, classNames) }
    for index in 0..<parts.count { try check(parts.place(index, in: file.list), in: file, classNames) }
  }

  /// Refuses a package whose records are not of the class that documents of this type hold.
  ///
  /// - Throws: `DocumentProblem.otherRecords`, or what is wrong with the package.
  public func check(_ package: Package, classNames: [String: String] = [:]) throws(Failure) {
    guard let mainName, let records = try package.bytes(of: mainName) else { return }
    try check(records, classNames: classNames)
  }

  private func check(_ place: PathPlace, in file: EditableFile, _ classNames: [String: String])
    throws(Failure)
  {
    let type = try file.walker.type(of: file.walker.target(of: place))
    try check(type, named: type?.name ?? "a value without a class", classNames)
  }

  /// Refuses records that are no objects of the class that documents of this type hold.
  func check(_ records: [Value], classNames: [String: String]) throws(Failure) {
    guard format.isArchive else { return }
    for record in records {
      guard case .object(let object) = record else {
        try check(nil, named: record.words, classNames)
        continue
      }
      try check(object.type, named: object.type.name, classNames)
    }
  }

  private func check(_ found: ObjectClass?, named name: String, _ classNames: [String: String])
    throws(Failure)
  {
    guard let record = schema?.renamingClasses(classNames).record else { return }
    let names = found.map { [$0.name] + $0.chain } ?? []
    guard !names.contains(where: record.accepts) else { return }
    throw Failure(.document(.otherRecords(type: self.name, className: record.className, found: name)))
  }

  /// The format of the records.
  private var format: Format {
    switch layout {
    case .file(let format), .package(_, let format, _): format
    }
  }
}
