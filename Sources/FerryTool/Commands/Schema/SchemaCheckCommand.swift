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
      is one. Keys that the schema does not describe are reported, too, and are errors with --strict.

        ferry schema check folks.xml --schema person
      """)

  @Argument(
    help: "The files to check (default: -, the standard input).",
    completion: .file())
  var files: [FileNames] = []

  @OptionGroup var schema: SchemaOptions

  @Flag(
    name: .customLong("strict"), help: "Fail also if a record has a key that the schema does not describe.")
  var isStrict = false

  @Flag(name: .long, help: "Print JSON.")
  var json = false

  @OptionGroup var quiet: QuietOptions
  @OptionGroup var reading: RecordInputOptions

  func validate() throws {
    guard schema.name != nil, schema.matches else {
      throw ValidationError("--schema is missing: the schema to check against")
    }
  }

  func run() throws {
    guard let schema = try schema.load() else { return }
    let errors = RunErrors()
    let names = try reading.list.names(after: files.names, errors)
    let inputs = names.map { FoundInput(named: $0, among: .builtIn) }
    let fitted = try reading.load(for: inputs)
    let results = ProgressLine.showing(of: names, isHidden: quiet.isQuiet) { progress in
      inputs.map { input in
        let check = SchemaCheck(schema, fitted.options(for: input))
        let result = CheckedFile(input.path, by: check, progress)
        progress?.finishFile()
        if !json { result.print(isStrict: isStrict, isQuiet: quiet.isQuiet) }
        return result
      }
    }
    if json { try NamedOutput.print(try Value.array(results.map(\.value)).jsonText) }
    try errors.finish()
    guard !results.contains(where: { $0.fails(isStrict: isStrict) }) else { throw ExitCode.failure }
  }
}
