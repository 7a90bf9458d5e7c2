import Dispatch
import Ferry
import Synchronization

/// The inputs of a run, each with the destination of its conversion.
struct Batch: Sendable {
  /// An input with its output.
  struct Job: Sendable {
    let input: String
    let destination: Destination
    /// The input as it was found: in a folder it may be of any kind.
    let found: FoundInput
    /// Receives the errors of records.
    let recordErrors: RecordErrors
    /// The state of the input before it was read; nil until then, and if the output replaces the input.
    var inputState: Folder.ContentState?
    /// True if nothing was at the path of the output when the run began.
    var outputIsNew = false
    var isInFolder: Bool { found.isInFolder }

    /// The path of an output that replaces the input; nil for other outputs.
    var pathInPlace: String? {
      switch destination {
      case .file(let path, replacing: true), .package(let path, _, replacing: true):
        // `OutputClaims` refuses an output that is the input by another path.
        path.equals(input) && input != "-" && Folder.isSame(input, path) ? path : nil
      case .standardOutput, .file, .package, .database: nil
      }
    }
  }

  /// The destination of a conversion.
  enum Destination: Sendable {
    case standardOutput
    case file(String, replacing: Bool)
    /// Indirect to keep the other cases small: a run may have 100,000 destinations, and few of them are packages.
    indirect case package(String, DocumentType, replacing: Bool)
    /// An existing database, to which the records are added.
    case database(String)

    var name: String? {
      switch self {
      case .standardOutput: nil
      case .file(let path, _), .package(let path, _, _), .database(let path): path
      }
    }

    /// True if the output stays, and records are added to it.
    var isAppended: Bool { if case .database = self { true } else { false } }
  }

  private let jobs: [Job]
  /// True to write the records of all inputs to one output.
  private let joins: Bool
  /// The names of the files for the records of each input; empty unless each record gets a file.
  let splitNames: [SplitNames]
  /// The file of `--report`; nil if there is none, or if it is the standard output.
  private let reportFile: String?
  /// True to leave out inputs that have not changed since their outputs were written.
  private let changedOnly: Bool
  private let isDryRun: Bool
  private let work: ConversionWork
  private let width: Int
  /// The folder of the outputs, or nil.
  private let folder: String?

  /// Prepares the conversions that a command describes. The standard input is opened if all conversions depend on its contents.
  init(
    of inputs: [FoundInput], _ command: ConvertCommand, to target: ConversionTarget, _ types: DocumentTypes,
    _ errors: RunErrors
  ) throws {
    let names = inputs.map(\.path)
    let claims = OutputClaims(inputs: names, options: Self.sources(of: command), isInPlace: command.inPlace)
    var conversion = try command.conversion(to: target.format)
    conversion.reading.declaredFormats = types.declaredFormats
    // A folder may have files of several formats.
    conversion.refusesUnusedOptions = !inputs.contains(where: \.isInFolder)
    let standardInput = try NamedError.naming("-") { [conversion] () throws(FerryError) in
      try conversion.standardInput(among: names, joinsRecords: command.join)
    }
    let common = CommonConversion(
      conversion, of: inputs, command, to: target, types, claims, standardInput: standardInput)
    let folder = command.folder.path
    work = ConversionWork(
      conversion: common.conversion, reading: common.reading, types: types, target: target,
      extraction: command.extract, isReplacing: command.overwriting.force,
      attachments: command.document.attachments, compression: command.compression.choice,
      hasFolder: folder != nil, hasManyInputs: inputs.count > 1,
      isAppending: command.append, isDryRun: command.isDryRun,
      progress: command.showsProgress ? ProgressLine(of: names) : nil,
      standardInput: OpenedStandardInput(standardInput),
      claims: claims)
    (joins, changedOnly, isDryRun) = (command.join, command.changedOnly, command.isDryRun)
    reportFile = command.reportFile.flatMap { $0 == "-" ? nil : $0 }
    // Conversions to the standard output run one after the other.
    let isApart = command.output.file != nil || folder != nil || command.inPlace
    width = isApart ? command.jobs ?? Terminal.processors : 1
    try claims.checkIsOutside(folder: folder)
    try claims.checkIsOutside(folder: command.extract)
    self.folder = inputs.isEmpty ? nil : folder
    let destinations = Destinations(command, target, types)
    splitNames = try inputs.compactMap { try destinations.splitNames(of: $0, command) }
    jobs = inputs.map { input in
      Job(
        input: input.path, destination: destinations.destination(of: input),
        found: input, recordErrors: RecordErrors(of: input.path, to: errors))
    }
  }

  /// Makes the folder of the outputs, or checks that it could be made if the run writes nothing.
  func makeFolder() throws(NamedError) {
    guard let folder else { return }
    try NamedError.naming(folder) { () throws(FerryError) in
      try isDryRun ? Folder.checkMaking(folder) : Folder.make(folder)
    }
  }

  /// Returns the files that options name and that no output may replace. A store can be the template of its own next version.
  private static func sources(of command: ConvertCommand) -> [OptionFile] {
    command.filesOfOptions.filter {
      $0.option != "--template" && ($0.path == "-" || Folder.isFile($0.path))
    }
  }

  /// Returns the name of an input without its folder and extension, and without that of a compression: `Things` for `Things.mystuff`, also
  /// in a ZIP archive `Things.mystuff.zip`.
  static func stem(of name: String, among types: DocumentTypes) -> String {
    let last = self.name(of: name, among: types)
    return last.lastIndex(of: ".").flatMap { $0 == last.startIndex ? nil : String(last[..<$0]) } ?? last
  }

  /// Returns the name of an input without its folder and the extension of a compression: `Things.mystuff` for `Things.mystuff.zip`.
  fileprivate static func name(of name: String, among types: DocumentTypes) -> String {
    let last = name == "-" ? "stdin" : Compression.nameInside(Folder.name(of: name))
    guard let inside = Compression.nameInsideZIP(last), types.type(ofFile: inside)?.isPackage == true else {
      return last
    }
    return inside
  }

  /// The paths of the outputs.
  var outputs: [String] { jobs.compactMap(\.destination.name) }

  /// Converts all inputs. An input that fails does not stop the others.
  func run(_ report: RunReport) {
    guard !joins else { return join(report) }
    guard splitNames.isEmpty else { return split(report) }
    let runnable = runnableJobs(report)
    work.progress?.start()
    defer { work.progress?.stop() }
    let threads = min(width, runnable.count)
    let queue = JobQueue(runnable)
    let workers = DispatchGroup()
    if threads > 1 {
      for _ in 0..<threads { DispatchQueue.global().async(group: workers) { [work] in queue.run(work) } }
    }
    // An output that is not complete when the process ends would leave a temporary file.
    defer { workers.wait() }
    // Results are reported in the order of the inputs, although they may arrive in another order.
    for (index, job) in runnable.enumerated() {
      job.recordErrors.beginTurn()
      let result = threads > 1 ? queue.result(at: index) : work.result(of: job)
      work.progress?.finishFile()
      // The reader of the output has all that it wants.
      if case .failure(let error) = result, error.isClosedPipe {
        report.errors.add(error)
        for job in runnable { job.recordErrors.drop() }
        return queue.stop()
      }
      add(result, of: job, to: report)
    }
  }

  /// Writes the records of all inputs to one output. An input that fails stops the run, also one that could not be listed.
  private func join(_ report: RunReport) {
    guard let first = jobs.first, report.errors.all.isEmpty else { return }
    work.progress?.start()
    defer { work.progress?.stop() }
    do throws(NamedError) {
      if let output = first.destination.name { try work.claims.claim(output, forAll: jobs.map(\.input)) }
      let results = try work.join(jobs, to: first.destination)
      for (job, result) in zip(jobs, results) {
        if let result { add(.success(result), of: job, to: report) } else { report.addOtherFile() }
      }
    } catch {
      report.add(error)
    }
  }

  /// Writes each record of the inputs to a file of its own. An error ends the run, and the files before it stay. Several inputs are checked
  /// first, so that no file is written if there is an error in any of them.
  private func split(_ report: RunReport) {
    work.progress?.start()
    defer { work.progress?.stop() }
    let inputs = Array(zip(jobs, splitNames))
    guard let inputs = inputs.count == 1 ? inputs : checkedForSplit(inputs, report) else {
      return StandardError.write("no file was written")
    }
    var count = 0
    for (job, names) in inputs {
      job.recordErrors.beginTurn()
      let files = SplitFiles(of: job, names, work, report: reportFile)
      let result = files.result
      count += files.count
      work.progress?.finishFile()
      if case .failure(let error) = result, job.found.isOfOtherKind(error.error) {
        return report.addOtherFile()
      }
      report.add(result, of: job.input)
      if case .failure = result { return writeStayingFiles(count) }
    }
    if !inputs.isEmpty { report.recordFileCount = count }
  }

  /// Writes the number of files that were complete before an error.
  private func writeStayingFiles(_ count: Int) {
    guard count > 0, !isDryRun else { return }
    let words = count == 1 ? "1 record was written before, and its file stays" : nil
    StandardError.write(words ?? "\(count) records were written before, and their files stay")
  }

  /// Returns the inputs without files of other kinds in a folder, after checking their records and the names of the files for these. Returns
  /// nil after an error, also if an input could not be listed.
  private func checkedForSplit(_ inputs: [(Job, SplitNames)], _ report: RunReport) -> [(Job, SplitNames)]? {
    guard report.errors.all.isEmpty else { return nil }
    let outputs = SplitOutputs(work.claims)
    var (checked, hasFailed): ([(Job, SplitNames)], Bool) = ([], false)
    for (job, names) in inputs {
      job.recordErrors.beginTurn()
      let result = SplitFiles(of: job, names, work, report: reportFile, checking: outputs).result
      // The errors of records are known when the input is read again.
      job.recordErrors.readAgain()
      switch result {
      case .success: checked.append((job, names))
      case .failure(let error) where job.found.isOfOtherKind(error.error): report.addOtherFile()
      case .failure:
        report.add(result, of: job.input)
        hasFailed = true
      }
    }
    return hasFailed ? nil : checked
  }

  /// Returns the jobs whose outputs are free, without those that have nothing to do.
  private func runnableJobs(_ report: RunReport) -> [Job] {
    // An input that will be skipped must not take the output of another one. Few outputs have several inputs, so few inputs are opened
    // here.
    let counts = Dictionary(
      jobs.compactMap { $0.destination.name.map { (Array($0.utf8), 1) } }, uniquingKeysWith: +)
    return jobs.compactMap { job in
      guard let output = job.destination.name else { return job }
      var job = job
      if counts[Array(output.utf8), default: 1] > 1, work.skips(job) {
        report.addOtherFile()
        return nil
      }
      do throws(NamedError) {
        // Unchanged inputs claim their outputs, too, which another input would replace otherwise.
        if job.destination.isAppended {
          try NamedError.naming(output) { () throws(FerryError) in try work.claims.checkIsOutside(output) }
        } else {
          job.outputIsNew = try work.claims.claim(output, for: job.input)
        }
      } catch {
        work.skips(job) ? report.addOtherFile() : report.add(error)
        return nil
      }
      guard changedOnly, !Folder.isChanged(job.input, since: output) else { return job }
      report.addUnchanged()
      return nil
    }
  }

  /// Adds the result of a job to the report. A file in a folder may be of a kind that Ferry does not read.
  private func add(_ result: Result<Conversion.Report, NamedError>, of job: Job, to report: RunReport) {
    if case .failure(let error) = result, job.found.isOfOtherKind(error.error) {
      return report.addOtherFile()
    }
    if case .success = result, isDryRun {
      report.errors.collect { () throws(NamedError) in
        let output = job.destination.name ?? NamedOutput.standardName
        try NamedOutput.print("\(job.input) -> \(output)".withoutInvisibles + "\n")
      }
    }
    report.add(result, of: job.input)
  }
}

/// The options of a command that determine its outputs. The parser of options takes some time for each use of one.
private struct Destinations {
  private let file: String?
  private let folder: String?
  private let inPlace, keepsExtension, replaces, appends: Bool
  /// The end of the names in the folder.
  private let ending: String
  private let package: DocumentType?
  private let types: DocumentTypes

  init(_ command: ConvertCommand, _ target: ConversionTarget, _ types: DocumentTypes) {
    (file, folder) = (command.output.file, command.folder.path)
    (inPlace, keepsExtension, appends) = (command.inPlace, command.keepsExtension, command.append)
    replaces = command.overwriting.force || command.changedOnly || inPlace && file == nil
    ending = ".\(target.fileExtension)\(command.compression.choice.suffix)"
    (package, self.types) = (target.package, types)
  }

  func destination(of input: FoundInput) -> Batch.Destination {
    let path = path(of: input)
    if appends, DatabaseOutput.isFile(path) { return .database(path) }
    if let package { return .package(path, package, replacing: replaces) }
    return path == "-" ? .standardOutput : .file(path, replacing: replaces)
  }

  /// Returns the names of the files for the records of an input; nil unless each record gets a file.
  func splitNames(of input: FoundInput, _ command: ConvertCommand) throws -> SplitNames? {
    guard command.splits, let folder else { return nil }
    return SplitNames(
      folder: input.outputFolder(in: folder), stem: stem(of: input), ending: ending,
      key: try command.splitKey?.path(), isReplacing: replaces)
  }

  /// Returns the name of an output in the folder without the extension of its format.
  private func stem(of input: FoundInput) -> String {
    keepsExtension ? Batch.name(of: input.path, among: types) : Batch.stem(of: input.path, among: types)
  }

  /// Returns the path of an output, or `-` for the standard output.
  private func path(of input: FoundInput) -> String {
    if let file { return file }
    if inPlace { return input.path }
    guard let folder else { return "-" }
    return "\(input.outputFolder(in: folder))/\(stem(of: input))\(ending)"
  }
}

extension ConversionWork {
  fileprivate func result(of job: Batch.Job) -> Result<Conversion.Report, NamedError> {
    Result { () throws(NamedError) in try convert(job) }
  }
}

/// The jobs of a run, which several threads take one by one.
private final class JobQueue: Sendable {
  private let jobs: [Batch.Job]
  private let state = Mutex(State())
  /// Counts the results that have arrived.
  private let arrivals = DispatchSemaphore(value: 0)

  private struct State {
    /// The index of the next job.
    var next = 0
    var results: [Int: Result<Conversion.Report, NamedError>] = [:]
  }

  init(_ jobs: [Batch.Job]) { self.jobs = jobs }

  /// Does jobs until there are none.
  func run(_ work: ConversionWork) {
    while let index = take() {
      let result = work.result(of: jobs[index])
      state.withLock { $0.results[index] = result }
      arrivals.signal()
    }
  }

  private func take() -> Int? {
    state.withLock { state in
      guard state.next < jobs.count else { return nil }
      defer { state.next += 1 }
      return state.next
    }
  }

  /// Waits for the result of a job.
  func result(at index: Int) -> Result<Conversion.Report, NamedError> {
    while true {
      if let result = state.withLock({ $0.results.removeValue(forKey: index) }) { return result }
      arrivals.wait()
    }
  }

  /// Leaves out the jobs that have not begun.
  func stop() { state.withLock { $0.next = jobs.count } }
}
