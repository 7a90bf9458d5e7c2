import ArgumentParser
import Ferry

/// `ferry schema check`: reports how files differ from a schema.
struct SchemaCheckCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "check",
    abstract: "Report where files differ from a schema.",
    usage: "ferry schema check [<options>] --schema <schema> [<files> ...]",
    discussion: """
      Prints one line for each record that breaks the schema, with its place in the file, and ends with the status 1 if there \
      is one. Keys that the schema does not describe, and attributes and text outside of records, are reported, too, and are errors \
      with --strict.

        ferry schema check folks.xml --schema person
      """)

  @Argument(
    help: "The files to check (default: -, the standard input).",
    completion: .file())
  var files: [FileNames] = []

  @OptionGroup var schema: SchemaOptions

  @Flag(
    name: .customLong("strict"),
    help:
      "Fail also for keys that the schema does not describe, and for attributes and text outside of records."
  )
  var isStrict = false

  @Flag(name: .long, help: "Print JSON.")
  var json = false

  @OptionGroup var quiet: QuietOptions
  @OptionGroup var reading: RecordInputOptions

  func validate() throws {
    guard schema.name != nil else {
      throw ValidationError("--schema is missing: the schema to check against")
    }
    guard schema.matches else {
      throw ValidationError(
        "--schema none names no schema to check against (give a built-in schema or a file)")
    }
  }

  func run() throws {
    guard let schema = try schema.load() else { return }
    let errors = RunErrors()
    let types = try reading.types.load()
    let names = try reading.list.names(after: files.names, types, errors)
    try reading.selection.check(forInputs: names.count)
    let inputs = names.map { FoundInput(named: $0, among: types) }
    let fitted = try reading.load(for: inputs)
    let writer = json ? JSONWriter(to: NamedOutput.standard, style: .pretty) : nil
    var (isWrong, hasBadXPath) = (false, false)
    try Self.writing { () throws(FerryError) in try writer?.beginArray(count: nil) }
    try ProgressLine.showing(of: names, isHidden: quiet.isQuiet) { progress throws(NamedError) in
      for input in inputs {
        let options = fitted.options(for: input)
        let file = CheckedFile(input.path, by: schema, options, keepsErrors: json) { () throws(FerryError) in
          try types.openValues(
            of: input.path, from: options.format, budget: options.budget, progress.open)
        }
        progress?.finishFile()
        isWrong = isWrong || file.fails(isStrict: isStrict)
        hasBadXPath = hasBadXPath || file.hasBadXPath
        guard let writer else {
          file.printSummary(isStrict: isStrict, isQuiet: quiet.isQuiet)
          continue
        }
        try Self.writing { () throws(FerryError) in try file.value.replay(into: writer) }
      }
    }
    try Self.writing { () throws(FerryError) in
      try writer?.endArray()
      try writer?.finish()
    }
    try errors.finish()
    guard !isWrong else { throw hasBadXPath ? ExitCode.validationFailure : ExitCode.failure }
  }

  /// Runs a function that writes to the standard output, and names it in an error.
  private static func writing(_ body: () throws(FerryError) -> Void) throws(NamedError) {
    try NamedError.naming(NamedOutput.standardName, body)
  }
}
