extension FileCheck {
  /// Checks a package: its records, and the files that they name.
  ///
  ///     let package = try DocumentPackage(reading: "Things I Own.mystuff")
  ///     let result = try FileCheck().result(of: package, .things)
  ///
  /// The schema of the type describes the records, unless `reading` has another or `matchesTypes` is false.
  ///
  /// - Throws: The error that makes the package unreadable: that of the file with the records, or one with the reason
  ///   `PackageProblem.noMainFile`, `noFile` with the record's path, `notPNG`, `isLink`; `DocumentProblem.otherRecords`; or that of a damaged
  ///   file in a ZIP archive.
  public func result(of package: DocumentPackage, _ type: DocumentType) throws(FerryError) -> Result {
    let (records, main) = try type.records(of: package)
    var check = self
    let isOfType = reading.schema == nil && matchesTypes
    if isOfType { check.reading.schema = type.schema }
    check.reading.declaredFormats = DeclaredFormats(ofAllFiles: type.format)
    var adapters = RecordAdapters()
    if let fields = type.fileFields(check.reading.schema) {
      let files = NamedFiles(of: package, type, .apart)
      adapters.source = { sink, dialect in
        FilesIntoRecords(fields, from: dialect, into: sink) { name throws(FerryError) in
          try files.check(name)
          return nil
        }
      }
    }
    let result = try check.result(of: MemoryInput(records), named: main, adapting: adapters)
    if isOfType, result.errorCount == 0 { try type.check(records) }
    try package.checkFiles()
    return result
  }
}
