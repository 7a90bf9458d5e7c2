import ArgumentParser
import Ferry

/// `ferry convert`: converts files.
struct ConvertCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "convert",
    abstract: "Convert files, or the standard input, to another format.",
    discussion: """
      The content tells the input format. --to tells the output format, or else the extension of -o. Without -o, --out-dir \
      or -i, the result goes to the standard output.

        ferry convert folks.xml --to json              XML as JSON
        ferry convert folks.xml -o people.pplgrp       an app's document, an archive
        ferry convert people.pplgrp --to json --form typed -o people.json
        ferry convert people.json -o copy.pplgrp       the same archive again
        ferry convert *.plist --to json --out-dir out  many files at once
        ferry convert folks.xml -o people.db           a table of a database

      One line reports data that the output format cannot hold; --report writes the paths to a file, --strict fails instead.

      A package such as Things.mystuff is converted like a file. Its images become data in their records, or with --extract \
      files in a folder; --attachments reads them from there again.

        ferry convert Things.mystuff --to json --extract images -o things.json
        ferry convert things.json --attachments images -o Copy.mystuff

      Records become rows of a database. Only an app makes a new Core Data store: --template writes a copy of one with the \
      records as its objects, --append adds objects to one.
      """)

  @Argument(
    help: "The files to convert (default: -, the standard input).",
    completion: .file())
  var files: [String] = []

  @OptionGroup var input: InputOptions
  @OptionGroup var output: OutputOptions
  @OptionGroup var documents: TypeOptions

  func validate() throws {
    let places = [output.output != nil, output.folder != nil, output.inPlace].count { $0 }
    guard places <= 1 else { throw ValidationError("-o, --out-dir and -i cannot be used together") }
    guard output.output == nil || files.count <= 1 else {
      throw ValidationError("-o takes one input (use --out-dir for several)")
    }
    guard !output.inPlace || !files.isEmpty, !output.inPlace || !files.contains("-") else {
      throw ValidationError("-i cannot replace the standard input (name the files)")
    }
    guard output.jobs.map({ $0 > 0 }) ?? true else { throw ValidationError("--jobs must be greater than 0") }
    try output.classNames.checkDistinct()
  }

  /// Returns the format or document type of the output. Several inputs need several outputs.
  private func target(_ types: DocumentTypes) throws -> ConversionTarget {
    let target = try output.target(types)
    let isLines = target.package == nil && [.json, .jsonLines].contains(target.format)
    guard files.count <= 1 || output.folder != nil || output.inPlace || isLines else {
      throw ValidationError(
        "several inputs need --out-dir or -i (only JSON can be written one after the other)")
    }
    try validateShared(target)
    try validatePackages(target)
    try validateAppending(to: target)
    guard output.template == nil || target.format == .sqlite else {
      throw ValidationError("--template needs -o STORE, the copy of the Core Data store to write")
    }
    return target
  }

  private func validateShared(_ target: ConversionTarget) throws {
    guard output.shared.style == .inFull else { return }
    guard output.representation == .plain else {
      throw ValidationError("--shared in-full needs --form plain (the other forms keep references)")
    }
    guard !target.format.isArchive else {
      throw ValidationError("--shared in-full cannot be used when writing an archive, which keeps references")
    }
  }

  private func validatePackages(_ target: ConversionTarget) throws {
    guard target.package != nil else { return }
    guard output.representation == .plain else {
      throw ValidationError("a package can only be written with --form plain")
    }
    guard output.extract == nil else {
      throw ValidationError("--extract cannot be used when writing a package, which holds the files itself")
    }
  }

  private func validateAppending(to target: ConversionTarget) throws {
    guard output.append else { return }
    guard target.format == .sqlite, output.output != nil else {
      throw ValidationError("--append needs -o DATABASE, the database to add to")
    }
    guard !output.force else { throw ValidationError("--append and --force cannot be used together") }
    guard output.template == nil else {
      throw ValidationError("--append and --template cannot be used together")
    }
  }

  func run() async throws {
    let types = try documents.load()
    let target = try target(types)
    let schema = try input.loadSchema()
    let catalog = try input.loadCatalog()
    let report = RunReport(quiet: output.quiet)
    let batch: Batch
    do throws(NamedError) {
      batch = try Batch(self, target, types, schema: schema, catalog: catalog)
    } catch {
      report.failure(error)
      throw ExitCode.failure
    }
    if let path = output.report, let name = batch.name(of: path) {
      throw ValidationError("--report would replace \(name); give another file")
    }
    await batch.run(report)
    if let path = output.report, !report.write(to: path) { throw ExitCode.failure }
    report.summarize()
    guard !report.hasFailures else { throw ExitCode.failure }
  }
}
