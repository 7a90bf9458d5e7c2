import Ferry

// The conversion from and to packages.

extension ConversionWork {
  /// Converts the records of a package, and extracts the files that they name if the command has a folder for them.
  func convert(
    _ package: DocumentPackage, of type: DocumentType, _ job: Batch.Job
  ) throws(NamedError) -> Conversion.Report {
    let conversion = fitted(to: job)
    let folder =
      isDryRun
      ? nil : extraction.map { hasManyInputs ? "\($0)/\(Batch.stem(of: job.input, among: types))" : $0 }
    if let folder, isAppending {
      // Records stay in a database that they have been added to, also if their files cannot be extracted then.
      let files = try NamedError.naming(job.input) { () throws(FerryError) in
        try conversion.filesNamedByRecords(of: package, type)
      }
      try checkFree(files, in: folder)
    }
    // The records may be written twice.
    var isExtracted = false
    let result = try writing(job) { output, outputName throws(FerryError) in
      let made = try conversion.convert(
        package, of: type, to: output, named: outputName, files: extraction == nil ? .inRecords : .apart)
      return (made.report, made.files)
    } finish: { result throws(NamedError) in
      guard let folder, !isExtracted else { return }
      try extract(result.files, of: package, into: folder)
      isExtracted = true
    }
    return result.report
  }

  /// Extracts files of a package to a folder. Extracts none of them if one exists and must not be replaced.
  private func extract(_ files: [String], of package: DocumentPackage, into folder: String) throws(NamedError)
  {
    try checkFree(files, in: folder)
    for name in files {
      let path = "\(folder)/\(name)"
      try NamedError.naming(path) { () throws(FerryError) in
        try Folder.make(Folder.containing(path))
        guard let bytes = try package.bytes(of: name) else { return }
        let output = try FileOutput(path: path, replacing: isReplacing)
        try output.write(bytes.span)
        try output.commit()
      }
    }
  }

  /// Throws if a file of a package cannot be extracted to a folder because one exists that must not be replaced.
  private func checkFree(_ files: [String], in folder: String) throws(NamedError) {
    for name in files { try checkFree("\(folder)/\(name)", replacing: isReplacing) }
  }

  /// Converts an input to a package.
  func convert(
    _ job: Batch.Job, toPackage path: String, _ type: DocumentType, replacing: Bool, in edit: InPlaceEdit?
  ) throws(NamedError) -> Conversion.Report {
    var job = job
    let (input, conversion) = (job.input, fitted(to: job))
    guard path != "-" else {
      throw NamedError(name: NamedOutput.standardName, error: FerryError(.package(.needsPath)))
    }
    try NamedError.naming(path) { () throws(FerryError) in try DocumentPackage.checkName(path) }
    if isDryRun {
      try checkWriting(path, of: job) { () throws(FerryError) in
        try DocumentPackage.check(path, replacing: replacing)
      }
    }
    let (package, report): (DocumentPackage, Conversion.Report)
    switch try open(&job, in: edit) {
    case .package(let source, let sourceType):
      (package, report) = try NamedError.naming(input) { () throws(FerryError) in
        try conversion.package(of: type, from: source, of: sourceType)
      }
    case .file(let file):
      let folder = attachments ?? Folder.containing(input)
      (package, report) = try NamedError.naming(input) { () throws(FerryError) in
        try conversion.package(of: type, from: file, named: input) { name throws(FerryError) in
          try Folder.file(name, in: folder)
        }
      }
    }
    try checkReplacement(of: job, report)
    try NamedError.naming(path) { () throws(FerryError) in
      try type.check(package, classNames: conversion.classNames)
      guard !isDryRun else { return }
      if job.isInFolder { try Folder.make(Folder.containing(path)) }
      _ = try package.write(to: path, replacing: replacing)
      try markOutdated(path, of: job, report)
    }
    return report
  }
}

extension Conversion {
  /// Returns the names of the files to which the records of a package refer.
  fileprivate func filesNamedByRecords(
    of package: DocumentPackage, _ type: DocumentType
  ) throws(FerryError) -> [String] {
    var listing = self
    // The table is one of the output. The conversion itself will report the errors of records.
    (listing.reading.table, listing.writing) = (nil, WritingOptions(to: .json))
    listing.whenRecordFails = nil
    return try listing.convert(package, of: type, to: NullOutput(), files: .apart).files
  }
}
