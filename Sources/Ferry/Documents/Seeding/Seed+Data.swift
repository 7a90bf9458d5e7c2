// The data of a seed: the contents of a file, or the records of a package with the files that they name.

extension Seed {
  /// The data of a seed.
  struct Data {
    let bytes: [UInt8]
    /// The format, if it is known before the bytes are read.
    let format: Format?
    /// The schema of a package's records, with the field for the contents of files; nil for other data.
    let schema: Schema?
    /// The losses of the files of a package that no record names.
    let losses: Losses
  }

  /// Reads the data.
  func readData() throws(FerryError) -> Data {
    let document = try types.open(source, from: sourceFormat, budget: budget) { path throws(FerryError) in
      try FileInput(path: path)
    }
    switch document {
    case .file(let input):
      let stored = try EncodedFile(
        input.readAllWithLog(budget: budget), named: source, format: sourceFormat,
        declared: types.declaredFormats,
        encoding: sourceEncoding, budget: budget)
      return Data(bytes: stored.contents, format: sourceFormat, schema: nil, losses: Losses())
    case .package(let package, let type): return try data(of: package, type)
    }
  }

  /// Returns the records of a package, in their own format, with the files that they name.
  private func data(of package: DocumentPackage, _ type: DocumentType) throws(FerryError) -> Data {
    var conversion = Conversion(to: type.format.canWrite ? type.format : .json)
    (conversion.reading.format, conversion.reading.encoding) = (sourceFormat, sourceEncoding)
    (conversion.reading.schema, conversion.reading.matchesSchemas) = (schema, matchesSchemas)
    conversion.reading.budget = budget
    let output = MemoryOutput()
    let report = try conversion.convert(package, of: type, to: output).report
    return Data(
      bytes: output.bytes, format: conversion.writing.format, schema: conversion.schema(ofRecordsIn: type),
      losses: report.losses)
  }
}
