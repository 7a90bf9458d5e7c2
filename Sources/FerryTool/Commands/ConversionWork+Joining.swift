import Ferry

// The conversion of all inputs to one output, with the records of all of them as one list.

extension ConversionWork {
  /// The report of each input, or nil for a file in a folder that is of a kind that Ferry does not read. If all are nil, nothing is written.
  typealias JoinedReports = [Conversion.Report?]

  /// Writes the records of several inputs to one output. Nothing is written if one of them fails.
  func join(
    _ jobs: [Batch.Job], to destination: Batch.Destination
  ) throws(NamedError) -> JoinedReports {
    switch destination {
    case .file(let path, let replacing) where isDryRun:
      try NamedError.naming(path) { () throws(FerryError) in
        try FileOutput.check(path, replacing: replacing)
      }
      return try join(jobs, to: NullOutput(), named: path)
    case .file(let path, let replacing): return try join(jobs, toFile: path, replacing: replacing)
    case .standardOutput: return try joinToStandardOutput(jobs)
    case .package(let path, _, _):
      throw NamedError(name: path, error: FerryError(.package(.notAPackage)))
    case .database(let path): throw NamedError(name: path, error: FerryError(.file(.exists)))
    }
  }

  private func join(
    _ jobs: [Batch.Job], toFile path: String, replacing: Bool
  ) throws(NamedError) -> JoinedReports {
    let output = try NamedError.naming(path) { () throws(FerryError) in
      if target.format.isDatabase { try DatabaseOutput.checkNoLog(beside: path) }
      return try FileOutput(
        path: path, replacing: replacing, compression: compression.compression(ofFile: path))
    }
    let claimed = types.claiming(path, target.format)
    let document = MemoryOutput()
    let reports = try join(jobs, to: claimed == nil ? output : document, named: path)
    guard reports.contains(where: { $0 != nil }) else { return reports }
    try NamedError.naming(path) { () throws(FerryError) in
      if let claimed {
        let bytes = document.bytes
        try claimed.check(bytes, classNames: conversion.classNames)
        try output.write(bytes.span)
      }
      try output.commit()
    }
    return reports
  }

  /// Writes the records to the standard output when all of them are known, because an input may fail.
  private func joinToStandardOutput(_ jobs: [Batch.Job]) throws(NamedError) -> JoinedReports {
    let (name, held) = (NamedOutput.standardName, SpooledOutput())
    let reports: JoinedReports
    if let compression = compression?.compression {
      let compressed = try NamedError.naming(name) { () throws(FerryError) in
        try CompressedOutput(held, compression)
      }
      reports = try join(jobs, to: compressed, named: nil)
      try NamedError.naming(name) { () throws(FerryError) in try compressed.finish() }
    } else {
      reports = try join(jobs, to: held, named: nil)
    }
    guard reports.contains(where: { $0 != nil }) else { return reports }
    try NamedError.naming(name) { () throws(FerryError) in
      try held.forEachChunk { bytes throws(FerryError) in try Terminal.output.write(bytes) }
    }
    return reports
  }

  private func join(
    _ jobs: [Batch.Job], to output: any ByteOutput, named path: String?
  ) throws(NamedError) -> JoinedReports {
    let name = path ?? NamedOutput.standardName
    let head = DocumentTypes.headOutput(to: output)
    let output = NamedOutput(head, name: name)
    let joined = JoinedConversion(conversion, to: output, named: path)
    var isRead: [Bool] = []
    for job in jobs {
      isRead.append(try add(job, to: joined, output))
      progress?.finishFile()
    }
    var reports = try output.naming(input: name) { _ throws(FerryError) in try joined.finish() }
    if let path, let note = note(on: head, at: path), let last = reports.indices.last {
      reports[last].notes.append(note)
    }
    var rest = reports[...]
    return isRead.map { $0 ? rest.popFirst() : nil }
  }

  /// Adds the records of an input. Returns false for a file in a folder that is of a kind that Ferry does not read.
  private func add(
    _ job: Batch.Job, to joined: JoinedConversion, _ output: NamedOutput
  ) throws(NamedError) -> Bool {
    var job = job
    job.recordErrors.beginTurn()
    do throws(NamedError) {
      try NamedError.naming(job.input) { () throws(FerryError) in
        try job.found.checkContents(fitted(to: job).reading)
      }
      var conversion = fitted(to: job)
      switch try open(&job, in: nil) {
      case .package(let package, let type):
        try output.naming(input: job.input) { [conversion] _ throws(FerryError) in
          try conversion.add(package, of: type, to: joined)
        }
      case .file(let file):
        conversion.addSchema(ofInput: job.input, target, types)
        try output.naming(input: job.input) { [conversion] _ throws(FerryError) in
          try joined.add(file, named: job.input, by: conversion)
        }
      }
      return true
    } catch {
      guard joined.isIntact, job.found.isOfOtherKind(error.error) else { throw error }
      return false
    }
  }
}
