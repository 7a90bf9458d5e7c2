import Ferry

/// The conversion of an input to a file for each of its records, or a check of it.
final class SplitFiles {
  private let job: Batch.Job
  private var names: SplitNames
  private let work: ConversionWork
  /// The file of `--report`, which is written after the files; nil if there is no such file.
  private let report: String?
  /// The outputs of all inputs, if the records and the names of their files are only checked; nil to write the files.
  private let checked: SplitOutputs?
  /// The number of files that are complete, or that a dry run has checked.
  private(set) var count = 0
  /// The error of an output.
  private var failure: NamedError?

  init(
    of job: Batch.Job, _ names: SplitNames, _ work: ConversionWork, report: String?,
    checking checked: SplitOutputs? = nil
  ) {
    (self.job, self.names, self.work, self.report) = (job, names, work, report)
    self.checked = checked
  }

  /// Writes the files, and returns the report of the input, or the error that ends the conversion.
  var result: Result<Conversion.Report, NamedError> {
    Result { () throws(NamedError) in
      do throws(NamedError) { return try split() } catch { throw failure ?? error }
    }
  }

  private func split() throws(NamedError) -> Conversion.Report {
    var job = job
    try NamedError.naming(job.input) { () throws(FerryError) in
      try job.found.checkContents(work.fitted(to: job).reading)
    }
    if job.isInFolder, !work.isDryRun, checked == nil {
      try NamedError.naming(names.folder) { () throws(FerryError) in try Folder.make(names.folder) }
    }
    var conversion = work.fitted(to: job)
    switch try work.open(&job, in: nil) {
    case .package(let package, let type):
      return try NamedError.naming(job.input) { [conversion] () throws(FerryError) in
        try conversion.split(package, of: type) { record throws(FerryError) in try self.write(record) }
      }
    case .file(let file):
      conversion.addSchema(ofInput: job.input, work.target, work.types)
      return try NamedError.naming(job.input) { [conversion] () throws(FerryError) in
        try conversion.split(file, named: job.input) { record throws(FerryError) in try self.write(record) }
      }
    }
  }

  private func write(_ record: SplitRecord) throws(FerryError) {
    let path = try names.path(of: record)
    if let report, names.isSame(report, path) {
      throw FerryError(.file(.outputIsRead(path, "the file of --report")), path: record.path)
    }
    if names.isReplacing {
      try naming { () throws(NamedError) in try work.claims.claim(path, forAll: [job.input]) }
    }
    if let checked {
      try checked.claim(path, for: job.input, record, isOfValue: names.areOfValues)
      try check(record, path)
    } else if work.isDryRun {
      try check(record, path)
      try naming { () throws(NamedError) in
        try NamedOutput.print("\(job.input) -> \(path)".withoutInvisibles + "\n")
      }
    } else {
      try writeFile(record, path)
    }
    count += 1
  }

  private func writeFile(_ record: SplitRecord, _ path: String) throws(FerryError) {
    let output = try naming { () throws(NamedError) in
      try NamedError.naming(path) { () throws(FerryError) in
        try FileOutput(
          path: path, replacing: names.isReplacing, compression: work.compression.compression(ofFile: path))
      }
    }
    try write(record, to: output, path)
  }

  private func write(_ record: SplitRecord, to output: FileOutput, _ path: String) throws(FerryError) {
    let (claimed, document) = (work.types.claiming(path, work.target.format), MemoryOutput())
    let named = NamedOutput(output, name: path)
    do throws(FerryError) { try record.write(to: claimed == nil ? named : document) } catch {
      failure = named.error
      throw error
    }
    try naming { () throws(NamedError) in
      try NamedError.naming(path) { () throws(FerryError) in
        if let claimed {
          let bytes = document.bytes
          try claimed.check(bytes, classNames: work.conversion.classNames)
          try output.write(bytes.span)
        }
        try output.commit()
      }
    }
  }

  /// Throws if a record could not be written.
  private func check(_ record: SplitRecord, _ path: String) throws(FerryError) {
    try naming { () throws(NamedError) in
      try work.checkWriting(path, of: job) { () throws(FerryError) in
        try FileOutput.check(path, replacing: names.isReplacing)
      }
    }
    try record.write(to: NullOutput())
  }

  /// Runs a function whose error is that of an output, and keeps the error.
  private func naming<R>(_ body: () throws(NamedError) -> R) throws(FerryError) -> R {
    do throws(NamedError) { return try body() } catch {
      failure = error
      throw error.error
    }
  }
}
