import Ferry

/// The work for each input of a run: a conversion from a file or a package to a file or a package.
struct ConversionWork: Sendable {
  let conversion: Conversion
  /// The options for reading that each input can have.
  let reading: FittedReading
  let types: DocumentTypes
  let target: ConversionTarget
  /// The folder to which files of packages are extracted.
  let extraction: String?
  /// True to replace existing files.
  let isReplacing: Bool
  /// The folder with the files for packages.
  let attachments: String?
  /// The compression of the outputs that the user chose; nil for that of their extensions.
  let compression: CompressionChoice?
  /// True if the outputs are in a folder, which may get several files for one input.
  let hasFolder: Bool
  /// True if there are several inputs, whose extracted files must not collide.
  let hasManyInputs: Bool
  /// True to add the records to the output if it is an existing database.
  let isAppending: Bool
  /// True to write nothing.
  let isDryRun: Bool
  /// Shows how far the run is, on a terminal.
  let progress: ProgressLine?
  /// The standard input, if it was read before the conversions.
  let standardInput: OpenedStandardInput
  /// The outputs of the run.
  let claims: OutputClaims

  /// Converts one input.
  ///
  /// - Throws: For a file in a folder also an error that shows that it is of a kind that Ferry does not read.
  func convert(_ job: Batch.Job) throws(NamedError) -> Conversion.Report {
    try convert(job, inPlaceAt: job.pathInPlace)
  }

  /// Converts one input.
  ///
  /// - Parameter path: The path of the output if it replaces the input.
  private func convert(_ job: Batch.Job, inPlaceAt path: String?) throws(NamedError) -> Conversion.Report {
    try NamedError.naming(job.input) { () throws(FerryError) in
      try job.found.checkContents(fitted(to: job).reading)
    }
    guard let path else { return try convert(job, in: nil) }
    func converting(_ beginning: InPlaceEdit.Beginning) throws(NamedError) -> Conversion.Report {
      let edit = try NamedError.naming(path) { () throws(FerryError) in
        try InPlaceEdit(of: path, among: types, beginning: beginning)
      }
      defer { extendLifetime(edit) }
      try checkMayBeReplaced(job)
      return try convert(job, in: edit)
    }
    do throws(NamedError) {
      // Files of one folder are converted in parallel, so none of them may hold the folder's lock from the
      // beginning.
      return try converting(.watching)
    } catch {
      guard error.reason == .file(.changedMeanwhile) else { throw error }
      job.recordErrors.readAgain(mayWait: false)
      return try converting(.locking)
    }
  }

  /// Throws if the input of a job is a ZIP archive or signed data, which its converted values would replace.
  private func checkMayBeReplaced(_ job: Batch.Job) throws(NamedError) {
    guard !Folder.isFolder(job.input) else { return }
    try NamedError.naming(job.input) { () throws(FerryError) in
      guard try !FileInput(path: job.input).beginsAsSignedData() else {
        throw FerryError(.compression(.signed))
      }
      if conversion.reading.format?.isArchiveOfFiles != true {
        guard try FileInput(path: job.input).beginsAsZIPArchive() else { return }
      }
      try types.checkIsNoZippedPackage(job.input, budget: conversion.reading.budget)
      throw FerryError(.compression(.archiveInPlace))
    }
  }

  /// Converts an input, within an edit if it is its own output.
  private func convert(_ job: Batch.Job, in edit: InPlaceEdit?) throws(NamedError) -> Conversion.Report {
    if case .package(let path, let type, let replacing) = job.destination {
      return try convert(job, toPackage: path, type, replacing: replacing, in: edit)
    }
    var job = job
    let input: FileInput
    switch try open(&job, in: edit) {
    case .package(let package, let type): return try convert(package, of: type, job)
    case .file(let file): input = file
    }
    guard extraction == nil else {
      throw NamedError(name: job.input, error: FerryError(.package(.nothingToExtract)))
    }
    var conversion = fitted(to: job)
    conversion.addSchema(ofInput: job.input, target, types)
    // A pipe is opened once: its first bytes cannot be read again.
    if edit == nil, hasFolder, input.path != nil, conversion.writesOneTable,
      case .file(let path, let replacing) = job.destination
    {
      let input = try TableInput(job.input, conversion)
      guard input.tables.isEmpty else {
        return try convert(job, tablesOf: input, to: path, replacing: replacing, conversion)
      }
    }
    // The records are read again if another process creates the database meanwhile.
    let mayReadAgain = if case .file = job.destination { isAppending } else { false }
    if mayReadAgain {
      try NamedError.naming(job.input) { () throws(FerryError) in try input.makeRewindable() }
    }
    return try writing(job, in: edit) { output, outputName throws(FerryError) in
      if mayReadAgain { try input.rewind() }
      return (try conversion.convert(input, named: job.input, to: output, named: outputName), [])
    }.report
  }

  /// Returns the conversion with the options for reading that the input of a job can have, and with the job's receiver of errors.
  func fitted(to job: Batch.Job) -> Conversion {
    var conversion = conversion
    reading.fit(&conversion.reading, to: job.found)
    let errors = job.recordErrors
    conversion.whenRecordFails = { errors.add($0) }
    return conversion
  }

  /// Returns true if the input of a job is a file in a folder that is of a kind that Ferry does not read.
  func skips(_ job: Batch.Job) -> Bool {
    do throws(FerryError) {
      try job.found.checkContents(fitted(to: job).reading)
      return false
    } catch {
      return job.found.isOfOtherKind(error)
    }
  }

  /// Opens the input of a job, and notes its state unless the output replaces it.
  func open(_ job: inout Batch.Job, in edit: InPlaceEdit?) throws(NamedError) -> OpenedDocument {
    let (name, reading) = (job.input, conversion.reading)
    var state: Folder.ContentState?
    let opened = try NamedError.naming(name) { () throws(FerryError) in
      try types.open(name, from: reading.format, budget: reading.budget) { name throws(FerryError) in
        do throws(FerryError) {
          let file = try file(named: name)
          if edit == nil { state = Folder.contentState(of: file) }
          return file
        } catch {
          // A folder is read next, as a package.
          if edit == nil { state = Folder.contentState(ofFolder: name) }
          throw error
        }
      }
    }
    job.inputState = state
    return opened
  }

  /// Opens an input, unless it is the standard input and was opened before.
  private func file(named name: String) throws(FerryError) -> FileInput {
    let opened = name == "-" ? standardInput.take() : nil
    let input = if let opened { opened } else { try FileInput(path: name) }
    progress?.watch(input)
    return input
  }

  /// The report of a conversion, and the files of a package that its records name.
  typealias Converted = (report: Conversion.Report, files: [String])

  /// Calls a function with the job's output, and commits the output after that function and `finish`. Records for a new database are
  /// added to it if another process creates it meanwhile; then the function is called twice.
  func writing(
    _ job: Batch.Job, in edit: InPlaceEdit? = nil,
    _ body: (any ByteOutput, String?) throws(FerryError) -> Converted,
    finish: (Converted) throws(NamedError) -> Void = { _ in }
  ) throws(NamedError) -> Converted {
    switch job.destination {
    case .database(let path): return try adding(job, to: path, body, finish: finish)
    case .file(let path, _) where isAppending:
      do throws(NamedError) {
        return try creating(job, in: edit, body, finish: finish)
      } catch {
        // The other process may even have a journal beside the new database.
        guard error.reason == .file(.exists) || error.isOfLog, DatabaseOutput.isFile(path) else {
          throw error
        }
        job.recordErrors.readAgain()
        return try adding(job, to: path, body, finish: finish)
      }
    default: return try creating(job, in: edit, body, finish: finish)
    }
  }

  /// Calls a function with an existing database, to which it adds records.
  private func adding(
    _ job: Batch.Job, to path: String, _ body: (any ByteOutput, String?) throws(FerryError) -> Converted,
    finish: (Converted) throws(NamedError) -> Void
  ) throws(NamedError) -> Converted {
    // The run would wait for itself.
    guard job.input == "-" || !Folder.isSame(job.input, path) else {
      throw NamedError(name: job.input, error: FerryError(.database(.addedToItself)))
    }
    let result: Converted
    do throws(FerryError) {
      result = try body(DatabaseOutput(path: path), path)
    } catch {
      guard error.isOfDatabase else { throw NamedError(name: job.input, error: error) }
      throw NamedError(name: path, error: FerryError(error.reason))
    }
    try finish(result)
    return result
  }

  /// Calls a function with the standard output or a new file, and commits the file after that function and `finish`.
  private func creating(
    _ job: Batch.Job, in edit: InPlaceEdit?,
    _ body: (any ByteOutput, String?) throws(FerryError) -> Converted,
    finish: (Converted) throws(NamedError) -> Void
  ) throws(NamedError) -> Converted {
    guard case .file(let path, let replacing) = job.destination else {
      let output = NamedOutput.standard
      let result = try output.naming(input: job.input) { output throws(FerryError) in
        try writing(to: output, body)
      }
      try finish(result)
      return result
    }
    guard !isDryRun else {
      try checkWriting(path, of: job) { () throws(FerryError) in
        try FileOutput.check(path, replacing: replacing)
      }
      return try writing(to: NullOutput(), at: path, of: job, body)
    }
    let output = try NamedError.naming(path) { () throws(FerryError) in
      if target.format.isDatabase { try DatabaseOutput.checkNoLog(beside: path) }
      do throws(FerryError) {
        return try newOutput(at: path, replacing: replacing, of: job)
      } catch {
        guard job.isInFolder else { throw error }
        // Most folders of outputs exist since the first file in them.
        try Folder.make(Folder.containing(path))
        return try newOutput(at: path, replacing: replacing, of: job)
      }
    }
    let claimed = types.claiming(path, target.format)
    let document = MemoryOutput()
    let result = try writing(to: claimed == nil ? output : document, at: path, of: job, body)
    try checkReplacement(of: job, result.report)
    try finish(result)
    try NamedError.naming(path) { () throws(FerryError) in
      if let claimed {
        let bytes = document.bytes
        try claimed.check(bytes, classNames: conversion.classNames)
        try output.write(bytes.span)
      }
      if let edit { try edit.commit(output) } else { try output.commit() }
      try markOutdated(path, of: job, result.report)
    }
    return result
  }

  /// Calls a function with the output for a file, and adds a note to the report if the file's name hides its format.
  private func writing(
    to output: any ByteOutput, at path: String, of job: Batch.Job,
    _ body: (any ByteOutput, String?) throws(FerryError) -> Converted
  ) throws(NamedError) -> Converted {
    let output = DocumentTypes.headOutput(to: output)
    var result = try NamedOutput(output, name: path).naming(input: job.input) { output throws(FerryError) in
      try body(output, path)
    }
    if let note = note(on: output, at: path) { result.report.notes.append(note) }
    return result
  }

  /// Returns the note on the name of an output.
  func note(on output: HeadOutput, at path: String) -> Note? {
    types.note(
      onName: path, of: target.format, beginning: output.head, encoding: conversion.writing.encoding)
  }

  /// Creates the output of a job.
  private func newOutput(
    at path: String, replacing: Bool, of job: Batch.Job
  ) throws(FerryError) -> FileOutput {
    let compression = compression.compression(ofFile: path)
    // A file that appears meanwhile is not replaced either.
    if job.outputIsNew, !replacing { return try FileOutput(newAt: path, compression: compression) }
    return try FileOutput(path: path, replacing: replacing, compression: compression)
  }

  /// Calls a function with the standard output, through the compression of the user's choice. A strict conversion writes nothing if it
  /// is refused, as to a file: its output is held until the end.
  private func writing(
    to output: NamedOutput, _ body: (any ByteOutput, String?) throws(FerryError) -> Converted
  ) throws(FerryError) -> Converted {
    guard conversion.isStrict else { return try compressing(output, body) }
    let held = SpooledOutput()
    let result = try compressing(held, body)
    try held.forEachChunk { bytes throws(FerryError) in try output.write(bytes) }
    return result
  }

  /// Calls a function with an output, or with one that compresses as the user chose.
  private func compressing(
    _ output: any ByteOutput, _ body: (any ByteOutput, String?) throws(FerryError) -> Converted
  ) throws(FerryError) -> Converted {
    guard let compression = compression?.compression else { return try body(output, nil) }
    let compressed = try CompressedOutput(output, compression)
    let result = try body(compressed, nil)
    try compressed.finish()
    return result
  }

  /// Throws if a file is at the path of an output, unless it may be replaced.
  func checkFree(_ path: String, replacing: Bool) throws(NamedError) {
    try NamedError.naming(path) { () throws(FerryError) in
      guard replacing || !Folder.hasSomething(at: path) else { throw FerryError(.file(.exists)) }
    }
  }

  /// Throws if an output of a run that writes nothing could not be written.
  ///
  /// - Parameter check: Throws if the output could not be written to its folder. Is not called for a folder that a run would make.
  func checkWriting(
    _ path: String, of job: Batch.Job, _ check: () throws(FerryError) -> Void
  ) throws(NamedError) {
    let folder = Folder.containing(path)
    try NamedError.naming(path) { () throws(FerryError) in
      if job.isInFolder { try Folder.checkMaking(folder) }
      let makesFolder = hasFolder || job.isInFolder
      if !makesFolder || Folder.isFolder(folder) { try check() }
    }
  }

  /// Makes an output older than its input if records are left out, or if the input has changed while it was converted, so that
  /// --changed-only converts the input again.
  func markOutdated(
    _ path: String, of job: Batch.Job, _ report: Conversion.Report
  ) throws(FerryError) {
    guard job.input != "-" else { return }
    let hasChanged = job.inputState.map { Folder.isChanged(job.input, since: $0) } ?? false
    guard hasChanged || report.errorCount > 0 else { return }
    try Folder.makeOlder(path, than: job.input)
  }

  /// Throws if an output would replace its input, the only copy of the data, by nothing or by a part of the
  /// records.
  func checkReplacement(of job: Batch.Job, _ report: Conversion.Report) throws(NamedError) {
    guard job.pathInPlace != nil else { return }
    try NamedError.naming(job.input) { () throws(FerryError) in
      guard !report.losses.hasEmptySelection else {
        throw FerryError(.file(.nothingSelected))
      }
      guard report.errorCount == 0 else { throw FerryError(.file(.recordsLeftOut(report.errorCount))) }
    }
  }
}

extension Conversion {
  /// Returns the conversion with the schema of the output's document type or, if it has none, of the input's.
  /// The schema of an input's built-in type is matched by content instead.
  func withSchema(ofInput name: String, _ target: ConversionTarget, _ types: DocumentTypes) -> Conversion {
    var conversion = self
    conversion.addSchema(ofInput: name, target, types)
    return conversion
  }

  /// Adds the schema of the output's document type or, if it has none, of the input's.
  mutating func addSchema(
    ofInput name: String, _ target: ConversionTarget, _ types: DocumentTypes
  ) {
    guard reading.schema == nil, reading.matchesSchemas, writing.representation == .plain else { return }
    if case .document(let type) = target { reading.schema = type.schema }
    if reading.schema == nil { reading.schema = types.declaredType(ofDocument: name)?.schema }
  }
}

extension FerryError {
  /// True if the database to which records are added causes the error, and not a record.
  fileprivate var isOfDatabase: Bool {
    switch reason {
    case .file(.system), .file(.notWritable), .database(.locked), .database(.damaged): true
    case .database: path.isEmpty
    default: false
    }
  }
}

extension NamedError {
  /// True if a log or journal exists beside the path of a new database.
  fileprivate var isOfLog: Bool { if case .database(.logBeside) = reason { true } else { false } }
}
