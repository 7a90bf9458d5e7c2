import ArgumentParser
import Ferry

/// `ferry check`: checks files.
struct CheckCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "check",
    abstract: "Check that files are well-formed, fit a schema, and convert back exactly.",
    usage: "ferry check [<options>] [<files or folders> ...]",
    discussion: """
      Prints a line for each file, and its errors with their locations on the standard error. The exit status is 1 if a file \
      is wrong. In a package, also checks the records by the schema of the type, and the files that they name.

      In a folder and its subfolders, checks files with the extension of a format or of a type of documents, files whose first \
      bytes show a format for certain (a binary format, or <?xml), and texts that are well-formed lists, dictionaries or \
      elements; YAML, CSV and TSV need their extension. Skips other files, unless --include names them, and the folders .git, .hg, .svn and .build.

        ferry check people.pplgrp folks.xml
        ferry check folks.xml --schema person
        ferry check --roundtrip people.pplgrp          by the typed form
        ferry check . --include '*.plist' --quiet
      """)

  @Argument(
    help: "The files and folders to check (default: -, the standard input).",
    completion: .file())
  var files: [FileNames] = []

  @Flag(
    name: [.customLong("roundtrip"), .customLong("round-trip")],
    help: "Convert each file to the typed form and back, and compare.")
  var provesRoundTrip = false

  @Flag(name: .long, help: "Print JSON: one object a line, for each file.")
  var json = false

  @OptionGroup var list: FileListOptions
  @OptionGroup var patterns: PatternOptions
  @OptionGroup var habit: RecursionHabit
  @OptionGroup var input: InputOptions
  @OptionGroup var encoding: EncodingOptions
  @OptionGroup var schema: SchemaOptions
  @OptionGroup var versions: VersionOptions
  @OptionGroup var types: TypeOptions
  @OptionGroup var quiet: QuietOptions
  @OptionGroup var errorOutput: ErrorOptions
  @OptionGroup(title: XMLOptions.title) var xml: XMLOptions
  @OptionGroup(title: CSVOptions.title) var csv: CSVOptions
  @OptionGroup(title: BudgetOptions.title) var limits: BudgetOptions

  func run() throws {
    let report = CheckReport(isQuiet: quiet.isQuiet, writesJSON: json)
    let types = try types.load()
    let names = try list.names(after: files.names, types, report.errors)
    let inputs = FoundInput.all(named: names, patterns.choice, types, report.errors, isQuiet: quiet.isQuiet)
    if inputs.isEmpty, report.errors.all.isEmpty, !quiet.isQuiet { StandardError.write("no files to check") }
    let check = try fileCheck()
    let reading = FittedReading(check.reading, of: inputs)
    report.errors.collect { () throws(NamedError) in
      try report.didList()
      try ProgressLine.showing(of: inputs.map(\.path), isHidden: quiet.isQuiet) {
        progress throws(NamedError) in
        for input in inputs {
          var check = check
          check.reading = reading.options(for: input)
          check.whenRecordFails = report.begin(input)
          try report.add(result(of: input, check, types, progress), of: input)
          progress?.finishFile()
        }
      }
    }
    report.summarize()
    try report.errors.finish()
    guard report.isOK else { throw ExitCode.failure }
  }

  private func fileCheck() throws -> FileCheck {
    var check = FileCheck()
    check.provesRoundTrip = provesRoundTrip
    check.reading.format = input.format
    check.reading.encoding = encoding.name
    check.reading.schema = try schema.load()
    check.matchesTypes = schema.matches
    check.readsNewerVersions = versions.allowsNewer
    (check.reading.xml, check.reading.csv) = (try xml.load(types: types.notation), csv.reading)
    check.reading.budget = limits.budget
    return check
  }

  private func result(
    of input: FoundInput, _ check: FileCheck, _ types: DocumentTypes, _ progress: ProgressLine?
  ) -> Result<FileCheck.Result, NamedError> {
    Result { () throws(NamedError) in
      try NamedError.naming(input.path) { () throws(FerryError) in
        try input.checkContents(check.reading)
        let document = try types.open(
          input.path, from: check.reading.format, budget: check.reading.budget, progress.open)
        switch document {
        case .file(let file):
          let check = check.withSchema(ofInput: input.path, types)
          return try check.result(of: file, named: input.path)
        case .package(let package, let type): return try check.result(of: package, type)
        }
      }
    }
  }
}

extension FileCheck {
  /// Returns the check with the schema of the document's type if the user has described the type and given no schema. A conversion, too,
  /// reads such a document by this schema.
  fileprivate func withSchema(ofInput name: String, _ types: DocumentTypes) -> FileCheck {
    guard reading.schema == nil, matchesTypes, let type = types.declaredType(ofDocument: name) else {
      return self
    }
    var check = self
    check.reading.schema = type.schema
    return check
  }
}
