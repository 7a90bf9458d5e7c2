import ArgumentParser
import Ferry

/// `ferry convert`: converts files.
struct Convert: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Convert files, or the standard input, to another format.",
    discussion: """
      The input's format is found by its content. The output's is --to, else the extension of -o. Without -o, \
      --out-dir or -i the result goes to the standard output. What the output's format cannot hold is said in one \
      line; --report has all of it, --strict refuses.

      A package (Things.mystuff) is an input and an output as any other: its images are data in their records, or with \
      --extract files in a folder; --attachments puts them back.

      Records become tables of a database. A Core Data store is made by its app: --template STORE makes a copy of one with \
      the records as its objects, --append adds them to one.
      """)

  @Argument(
    help: "Files to convert; - or none is the standard input.",
    completion: .file())
  var files: [String] = []

  @OptionGroup var input: InputOptions
  @OptionGroup var output: OutputOptions
  @OptionGroup var documents: TypeOptions

  func validate() throws {
    let places = [output.output != nil, output.folder != nil, output.inPlace].count { $0 }
    guard places <= 1 else { throw ValidationError("-o, --out-dir and -i exclude each other.") }
    guard output.output == nil || files.count <= 1 else {
      throw ValidationError("-o takes one input; --out-dir takes any number.")
    }
    guard !output.inPlace || !files.isEmpty, !output.inPlace || !files.contains("-") else {
      throw ValidationError("-i needs files.")
    }
    guard output.jobs.map({ $0 > 0 }) ?? true else { throw ValidationError("--jobs takes a number above 0.") }
  }

  /// Returns the format or document type of the output. Several inputs need several outputs.
  private func target(_ types: DocumentTypes) throws -> ConversionTarget {
    let target = try output.target(types)
    let isLines = target.package == nil && [.json, .jsonLines].contains(target.format)
    guard files.count <= 1 || output.folder != nil || output.inPlace || isLines else {
      throw ValidationError(
        "Several inputs need --out-dir or -i; on the standard output only JSON can follow JSON.")
    }
    try validatePackages(target)
    try validateAppending(to: target)
    guard output.template == nil || target.format == .sqlite else {
      throw ValidationError("--template is the Core Data store that -o becomes a copy of.")
    }
    return target
  }

  private func validatePackages(_ target: ConversionTarget) throws {
    guard target.package != nil else { return }
    guard output.form == .plain else { throw ValidationError("A package is written in the plain form.") }
    guard output.extract == nil else {
      throw ValidationError("--extract is for a file of records; a package keeps its files itself.")
    }
  }

  private func validateAppending(to target: ConversionTarget) throws {
    guard output.append else { return }
    guard target.format == .sqlite, output.output != nil else {
      throw ValidationError("--append adds to the database of -o.")
    }
    guard !output.force else { throw ValidationError("--append and --force exclude each other.") }
    guard output.template == nil else {
      throw ValidationError("--append and --template exclude each other.")
    }
  }

  func run() async throws {
    let types = try documents.load()
    let target = try target(types)
    let schema = try input.loadSchema()
    let catalogue = try input.loadCatalogue()
    let report = RunReport(quiet: output.quiet)
    let batch: Batch
    do throws(NamedFailure) {
      batch = try Batch(self, target, types, schema: schema, catalogue: catalogue)
    } catch {
      report.failure(error)
      throw ExitCode.failure
    }
    await batch.run(report)
    if let path = output.report, !report.write(to: path) { throw ExitCode.failure }
    report.summarize()
    guard !report.hasFailures else { throw ExitCode.failure }
  }
}
