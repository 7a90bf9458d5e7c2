import Dispatch
import Ferry
import Synchronization

/// The inputs of a run, each with the destination of its conversion.
struct Batch: Sendable {
  /// An input with its output.
  struct Job: Sendable {
    let input: String
    let destination: Destination

    /// The path of an output that replaces the input; nil for other outputs.
    var pathInPlace: String? {
      switch destination {
      case .file(let path, replacing: true), .package(let path, _, replacing: true):
        input != "-" && Folder.isSame(input, path) ? path : nil
      case .standardOutput, .file, .package, .database: nil
      }
    }
  }

  /// The destination of a conversion.
  enum Destination: Sendable {
    case standardOutput
    case file(String, replacing: Bool)
    case package(String, DocumentType, replacing: Bool)
    /// An existing database, to which the records are added.
    case database(String)

    var name: String? {
      switch self {
      case .standardOutput: nil
      case .file(let path, _), .package(let path, _, _), .database(let path): path
      }
    }
  }

  private let jobs: [Job]
  private let work: ConversionWork
  private let width: Int

  init(
    names: [String], of command: ConvertCommand, to target: ConversionTarget, _ types: DocumentTypes
  ) throws {
    work = ConversionWork(
      conversion: try Self.conversion(of: command, to: target.format),
      types: types, target: target, extraction: command.extract, isReplacing: command.overwriting.force,
      attachments: command.document.attachments, hasManyInputs: names.count > 1)
    let folder = command.folder.path
    // Conversions to the standard output run one after the other.
    let isApart = command.output.file != nil || folder != nil || command.inPlace
    width = isApart ? command.jobs ?? Terminal.processors : 1
    if let folder {
      try NamedError.naming(folder) { () throws(FerryError) in try Folder.make(folder) }
    }
    jobs = names.map { name in Job(input: name, destination: Self.destination(of: name, command, target)) }
  }

  /// Returns the conversion that a command describes.
  private static func conversion(of command: ConvertCommand, to format: Format) throws -> Conversion {
    var conversion = Conversion(to: format)
    conversion.source = command.input.format
    conversion.schema = try command.schema.load()
    conversion.matchesSchemas = command.schema.matches
    conversion.readsNewerVersions = command.versions.allowsNewer
    conversion.catalog = try command.classes.load()
    conversion.representation = command.reading.representation
    conversion.select = command.reading.select
    conversion.table = command.reading.table
    conversion.keepsGoing = command.keepsGoing
    conversion.expandsData = command.expansion.expandsData
    conversion.shared = command.shared.style
    conversion.budget = command.limits.budget
    conversion.template = try command.document.loadTemplate(command.limits.budget)
    conversion.classNames = command.classNames.rules.names
    conversion.rootElement = command.root
    conversion.writesOlderKeys = command.writesOlderKeys
    conversion.isPretty = command.json.isPretty
    conversion.sortsKeys = command.sortsKeys
    conversion.isStrict = command.isStrict
    return conversion
  }

  private static func destination(
    of name: String, _ command: ConvertCommand, _ target: ConversionTarget
  ) -> Destination {
    let path: String
    var replacing = command.overwriting.force
    if let output = command.output.file {
      path = output
    } else if command.inPlace {
      (path, replacing) = (name, true)
    } else if let folder = command.folder.path {
      path = "\(folder)/\(stem(of: name)).\(target.fileExtension)"
    } else {
      path = "-"
    }
    if command.append, DatabaseOutput.isFile(path) { return .database(path) }
    if let type = target.package { return .package(path, type, replacing: replacing) }
    return path == "-" ? .standardOutput : .file(path, replacing: replacing)
  }

  /// Returns the name of an input without its folder and extension.
  static func stem(of name: String) -> String {
    let last = name == "-" ? "stdin" : String(name.split(separator: "/").last ?? "")
    return last.lastIndex(of: ".").flatMap { $0 == last.startIndex ? nil : String(last[..<$0]) } ?? last
  }

  /// Returns the words for the input or output with a path; nil if the path belongs to none.
  func name(of path: String) -> String? {
    guard path != "-" else { return nil }
    for job in jobs {
      if job.input != "-", Folder.isSame(path, job.input) { return "the input \(job.input)" }
      if let name = job.destination.name, Folder.isSame(path, name) || path.equals(name) {
        return "the output \(name)"
      }
    }
    return nil
  }

  /// Converts all inputs. An input that fails does not stop the others.
  func run(_ report: RunReport) {
    var claims = OutputClaims(inputs: jobs.map(\.input))
    var runnable: [Job] = []
    for job in jobs {
      do throws(NamedError) {
        if let name = job.destination.name { try claims.claim(name, for: job.input) }
        runnable.append(job)
      } catch {
        report.add(error)
      }
    }
    let queue = JobQueue(runnable, report)
    let threads = min(width, runnable.count)
    guard threads > 1 else { return queue.work(work) }
    DispatchQueue.concurrentPerform(iterations: threads) { _ in queue.work(work) }
  }
}

/// The jobs of a run, which several threads take one by one. The report is used by one thread at a time, under the lock.
private final class JobQueue: @unchecked Sendable {
  private let jobs: [Batch.Job]
  private let report: RunReport
  private let state = Mutex(State())

  private struct State {
    /// The index of the next job.
    var next = 0
    /// The results that have arrived before that of an earlier job.
    var waiting: [Int: Result<Conversion.Report, NamedError>] = [:]
    var reported = 0
    var isStopped = false
  }

  init(_ jobs: [Batch.Job], _ report: RunReport) { (self.jobs, self.report) = (jobs, report) }

  /// Does jobs until there are none, or until the reader of the output has stopped reading.
  func work(_ work: ConversionWork) {
    while let index = take() {
      add(Result { () throws(NamedError) in try work.convert(jobs[index]) }, at: index)
    }
  }

  private func take() -> Int? {
    state.withLock { state in
      guard !state.isStopped, state.next < jobs.count else { return nil }
      defer { state.next += 1 }
      return state.next
    }
  }

  /// Adds a result. Results are reported in the order of the inputs.
  private func add(_ result: Result<Conversion.Report, NamedError>, at index: Int) {
    state.withLock { state in
      if case .failure(let error) = result, error.isClosedPipe { state.isStopped = true }
      guard !state.isStopped else { return }
      state.waiting[index] = result
      while let result = state.waiting.removeValue(forKey: state.reported) {
        report.add(result, of: jobs[state.reported].input)
        state.reported += 1
      }
    }
  }
}
