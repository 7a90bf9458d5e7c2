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
  func run(_ report: RunReport) async {
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
    await withTaskGroup(of: (Int, Result<Conversion.Report, NamedError>).self) { group in
      var next = 0
      var waiting: [Int: Result<Conversion.Report, NamedError>] = [:]
      var reported = 0
      func start() {
        let (index, job, work) = (next, runnable[next], work)
        group.addTask { (index, await Self.run(job, work)) }
        next += 1
      }
      while next < min(width, runnable.count) { start() }
      while let (index, outcome) = await group.next() {
        if case .failure(let error) = outcome, error.isClosedPipe { return group.cancelAll() }
        waiting[index] = outcome
        // Results are reported in the order of the inputs, although they may arrive in another order.
        while let outcome = waiting.removeValue(forKey: reported) {
          report.add(outcome, of: runnable[reported].input)
          reported += 1
        }
        if next < runnable.count { start() }
      }
    }
  }

  @concurrent
  private static func run(
    _ job: Job, _ work: ConversionWork
  ) async -> Result<Conversion.Report, NamedError> {
    Result { () throws(NamedError) in try work.convert(job) }
  }
}
