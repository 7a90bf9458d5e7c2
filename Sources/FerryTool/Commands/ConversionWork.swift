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

  /// Writes each table of a database to a file of its own: `library.people.csv` beside `library.csv`, `library.people.csv.gz` beside
  /// `library.csv.gz`. All tables are of one state of the database.
  private func convert(
    _ job: Batch.Job, tablesOf tableInput: TableInput, to path: String, replacing: Bool,
    _ conversion: Conversion
  ) throws(NamedError) -> Conversion.Report {
    let input = job.input
    let ending = "." + target.fileExtension + compression.suffix
    let stem = path.dropLast(ending.count)
    let outputs = tableInput.tables.map { table in "\(stem).\(Self.fileName(ofTable: table))\(ending)" }
    // No file is written if one of them exists, or is that of another table.
    for output in outputs {
      try claims.claim(output, for: input, isOfTable: true)
      try checkFree(output, replacing: replacing)
    }
    // No file is replaced if a table cannot be read.
    if !isDryRun, outputs.contains(where: { Folder.hasSomething(at: $0) }) {
      for table in tableInput.tables {
        var check = conversion.converting(table: table)
        check.whenRecordFails = nil
        try NamedError.naming(input) { () throws(FerryError) in
          try Self.placing(inTable: table) { () throws(FerryError) in
            _ = try check.convert(tableInput.open(), named: input, to: NullOutput())
          }
        }
      }
    }
    var all: Conversion.Report?
    for (table, output) in zip(tableInput.tables, outputs) {
      var single = conversion.converting(table: table)
      single.reading.reportsPartsOutsideTables = all == nil
      let file = try NamedError.naming(input) { () throws(FerryError) in try tableInput.open() }
      let job = Batch.Job(
        input: input, destination: .file(output, replacing: replacing), found: job.found,
        recordErrors: job.recordErrors, inputState: job.inputState)
      let report = try writing(job) { [single] output, outputName throws(FerryError) in
        try Self.placing(inTable: table) { () throws(FerryError) in
          (try single.convert(file, named: input, to: output, named: outputName), [])
        }
      }.report
      all = all?.adding(report) ?? report
    }
    guard let all else { throw NamedError(name: input, error: FerryError(.file(.empty))) }
    return all
  }

  /// Calls a function that converts one of several tables, and adds the name of the table to the path of a row in its error.
  private static func placing<R>(
    inTable table: String, _ body: () throws(FerryError) -> R
  ) throws(FerryError) -> R {
    do throws(FerryError) { return try body() } catch {
      throw error.path.steps.isEmpty ? error : error.placed(under: .key(table))
    }
  }

  /// Returns the name of a table with the characters that a file name cannot have as `_`.
  private static func fileName(ofTable name: String) -> String {
    String(name.map { $0 == "/" || $0 == "\0" ? "_" : $0 })
  }

  /// The report of a conversion, and the files of a package that its records name.
  private typealias Result = (report: Conversion.Report, files: [String])

  /// Calls a function with the job's output, and commits the output after that function and `finish`. Records for a new database are
  /// added to it if another process creates it meanwhile; then the function is called twice.
  private func writing(
    _ job: Batch.Job, in edit: InPlaceEdit? = nil,
    _ body: (any ByteOutput, String?) throws(FerryError) -> Result,
    finish: (Result) throws(NamedError) -> Void = { _ in }
  ) throws(NamedError) -> Result {
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
    _ job: Batch.Job, to path: String, _ body: (any ByteOutput, String?) throws(FerryError) -> Result,
    finish: (Result) throws(NamedError) -> Void
  ) throws(NamedError) -> Result {
    // The run would wait for itself.
    guard job.input == "-" || !Folder.isSame(job.input, path) else {
      throw NamedError(name: job.input, error: FerryError(.database(.addedToItself)))
    }
    let result: Result
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
    _ body: (any ByteOutput, String?) throws(FerryError) -> Result,
    finish: (Result) throws(NamedError) -> Void
  ) throws(NamedError) -> Result {
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
    _ body: (any ByteOutput, String?) throws(FerryError) -> Result
  ) throws(NamedError) -> Result {
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
    to output: NamedOutput, _ body: (any ByteOutput, String?) throws(FerryError) -> Result
  ) throws(FerryError) -> Result {
    guard conversion.isStrict else { return try compressing(output, body) }
    let held = SpooledOutput()
    let result = try compressing(held, body)
    try held.forEachChunk { bytes throws(FerryError) in try output.write(bytes) }
    return result
  }

  /// Calls a function with an output, or with one that compresses as the user chose.
  private func compressing(
    _ output: any ByteOutput, _ body: (any ByteOutput, String?) throws(FerryError) -> Result
  ) throws(FerryError) -> Result {
    guard let compression = compression?.compression else { return try body(output, nil) }
    let compressed = try CompressedOutput(output, compression)
    let result = try body(compressed, nil)
    try compressed.finish()
    return result
  }

  /// Throws if a file is at the path of an output, unless it may be replaced.
  private func checkFree(_ path: String, replacing: Bool) throws(NamedError) {
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
  private func markOutdated(
    _ path: String, of job: Batch.Job, _ report: Conversion.Report
  ) throws(FerryError) {
    guard job.input != "-" else { return }
    let hasChanged = job.inputState.map { Folder.isChanged(job.input, since: $0) } ?? false
    guard hasChanged || report.errorCount > 0 else { return }
    try Folder.makeOlder(path, than: job.input)
  }

  /// Throws if an output would replace its input, the only copy of the data, by nothing or by a part of the
  /// records.
  private func checkReplacement(of job: Batch.Job, _ report: Conversion.Report) throws(NamedError) {
    guard job.pathInPlace != nil else { return }
    try NamedError.naming(job.input) { () throws(FerryError) in
      guard !report.losses.hasEmptySelection else {
        throw FerryError(.file(.nothingSelected))
      }
      guard report.errorCount == 0 else { throw FerryError(.file(.recordsLeftOut(report.errorCount))) }
    }
  }

  // MARK: Packages

  private func convert(
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

  private func convert(
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

/// A file whose tables are converted one by one. If it is a database, it is opened once.
private struct TableInput {
  private let path: String
  private let database: DatabaseInput?
  /// The names of the tables; empty if the file does not have several.
  let tables: [String]

  init(_ path: String, _ conversion: Conversion) throws(NamedError) {
    self.path = path
    (database, tables) = try NamedError.naming(path) { () throws(FerryError) in
      let mayBeDatabase = conversion.reading.format?.isDatabase ?? true
      let database =
        mayBeDatabase
        ? try DatabaseInput(FileInput(path: path), budget: conversion.reading.budget) : nil
      let input: any ByteInput = if let database { database } else { try FileInput(path: path) }
      return (database, try conversion.tableNames(of: input, named: path))
    }
  }

  /// Returns an input for the conversion of a table.
  func open() throws(FerryError) -> any ByteInput {
    if let database { database } else { try FileInput(path: path) }
  }
}

extension Conversion {
  /// Returns the conversion of one table.
  fileprivate func converting(table: String) -> Conversion {
    var conversion = self
    conversion.reading.table = table
    return conversion
  }

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
