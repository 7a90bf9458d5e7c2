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
    var conversion = try Self.conversion(of: command, to: target.format)
    conversion.noteCommonShape(ofFiles: names)
    work = ConversionWork(
      conversion: conversion,
      types: types, target: target, extraction: command.extract, isReplacing: command.overwriting.force,
      attachments: command.document.attachments, hasFolder: command.folder.path != nil,
      hasManyInputs: names.count > 1)
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
    (conversion.select, conversion.xml) = (
      command.reading.select, try command.xml.load(types: command.types.notation)
    )
    conversion.table = command.reading.table
    conversion.keepsGoing = command.keepsGoing
    conversion.expandsData = command.expansion.expandsData
    conversion.shared = command.shared.style
    conversion.budget = command.limits.budget
    conversion.template = try command.document.loadTemplate(command.limits.budget)
    conversion.classNames = command.classNames.rules.names
    conversion.rootElement = command.root
    conversion.writesOlderKeys = command.writesOlderKeys
    conversion.encoding = command.encoding.name
    conversion.csv = command.csv.reading
    conversion.csv.nestsDottedColumns = command.csvLayout.nestsDottedColumns
    conversion.csvLayout = command.csvLayout.layout
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
      let result = threads > 1 ? queue.result(at: index) : work.result(of: job)
      // The reader of the output has all that it wants.
      if case .failure(let error) = result, error.isClosedPipe { return queue.stop() }
      report.add(result, of: job.input)
    }
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
