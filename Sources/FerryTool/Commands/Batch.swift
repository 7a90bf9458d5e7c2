import Ferry

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

  /// The result of a job.
  enum Outcome: Sendable {
    case done(Conversion.Report)
    case failed(NamedError)
    /// The reader of the output has closed it.
    case pipeClosed
  }

  private let jobs: [Job]
  private let work: ConversionWork
  private let width: Int

  init(
    _ command: ConvertCommand, _ target: ConversionTarget, _ types: DocumentTypes, schema: Schema?,
    catalog: ClassCatalog
  ) throws(NamedError) {
    let (input, output) = (command.input, command.output)
    var conversion = Conversion(to: target.format)
    conversion.source = input.from
    conversion.representation = output.representation
    conversion.shared = output.shared.style
    conversion.select = input.select
    conversion.table = input.table
    if let template = output.template {
      conversion.template = try NamedError.naming(template) { () throws(FerryError) in
        try StoreTemplate(path: template, budget: input.budget.budget)
      }
    }
    conversion.rootElement = output.root
    conversion.isPretty = output.pretty
    conversion.sortsKeys = output.sortKeys
    conversion.isStrict = output.strict
    conversion.expandsData = input.expand
    conversion.keepsGoing = input.keepsGoing
    conversion.readsNewerVersions = input.allowsNewer
    conversion.writesOlderKeys = output.writesOlderKeys
    conversion.budget = input.budget.budget
    conversion.classNames = output.classNames.names
    conversion.schema = schema
    conversion.catalog = catalog
    conversion.matchesSchemas = input.schema != InputOptions.noSchema
    let names = command.files.isEmpty ? ["-"] : command.files
    let goesToStandardOutput = output.output == nil && output.folder == nil && !output.inPlace
    // Conversions to the standard output run one after the other.
    width = goesToStandardOutput ? 1 : output.jobs ?? Terminal.processors
    if let folder = output.folder {
      try NamedError.naming(folder) { () throws(FerryError) in try Folder.make(folder) }
    }
    work = ConversionWork(
      conversion: conversion, types: types, target: target, extraction: output.extract,
      isReplacing: output.force,
      attachments: output.attachments, hasManyInputs: names.count > 1)
    jobs = names.map { name in Job(input: name, destination: Self.destination(of: name, output, target)) }
  }

  private static func destination(
    of name: String, _ options: OutputOptions, _ target: ConversionTarget
  ) -> Destination {
    let path: String
    var replacing = options.force
    if let output = options.output {
      path = output
    } else if options.inPlace {
      (path, replacing) = (name, true)
    } else if let folder = options.folder {
      path = "\(folder)/\(stem(of: name)).\(target.fileExtension)"
    } else {
      path = "-"
    }
    if options.append, DatabaseOutput.isFile(path) { return .database(path) }
    if let type = target.package { return .package(path, type, replacing: replacing) }
    return path == "-" ? .standardOutput : .file(path, replacing: replacing)
  }

  /// Returns the name of an input without its folder and extension.
  static func stem(of name: String) -> String {
    let last = name == "-" ? "stdin" : String(name.split(separator: "/").last ?? "")
    return last.lastIndex(of: ".").flatMap { $0 == last.startIndex ? nil : String(last[..<$0]) } ?? last
  }

  /// Returns the input or output that a path leads to, in words; nil if there is none.
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
  func run(_ report: RunReport) async {
    var taken: Set<String> = []
    var runnable: [Job] = []
    for job in jobs {
      if let name = job.destination.name, !taken.insert(name).inserted {
        report.failure(NamedError(name: job.input, failure: FerryError(.file(.outputTaken(name)))))
      } else {
        runnable.append(job)
      }
    }
    await withTaskGroup(of: (Int, Outcome).self) { group in
      var next = 0
      var waiting: [Int: Outcome] = [:]
      var reported = 0
      func start() {
        let (index, job, work) = (next, runnable[next], work)
        group.addTask { (index, await Self.run(job, work)) }
        next += 1
      }
      while next < min(width, runnable.count) { start() }
      while let (index, outcome) = await group.next() {
        if case .pipeClosed = outcome { return group.cancelAll() }
        waiting[index] = outcome
        // Results are reported in the order of the inputs, in whatever order they finish.
        while let outcome = waiting.removeValue(forKey: reported) {
          report.add(outcome, of: runnable[reported])
          reported += 1
        }
        if next < runnable.count { start() }
      }
    }
  }

  @concurrent
  private static func run(_ job: Job, _ work: ConversionWork) async -> Outcome {
    do throws(NamedError) {
      return .done(try work.convert(job))
    } catch {
      if error.failure.reason == .file(.brokenPipe) { return .pipeClosed }
      return .failed(error)
    }
  }
}
