import ArgumentParser
import Ferry

/// `ferry show`: prints any file as a readable tree, with archives decoded.
struct Show: ParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Show what is in a file, as a tree; archives by meaning.",
    usage: "ferry show [<options>] [<files> ...]")

  @Argument(
    help: "Files to show; - or none is the standard input.",
    completion: .file())
  var files: [String] = []

  @OptionGroup var input: InputOptions
  @OptionGroup var documents: TypeOptions

  @Option(
    name: .long,
    help: ArgumentHelp(
      "plain: by what it means; typed: with all that it takes to come back; raw: an archive as it is stored.",
      valueName: "form"))
  var form: Form = .plain

  @Option(name: .long, help: ArgumentHelp("How deep the tree is shown.", valueName: "n"))
  var depth: Int?

  @Option(
    name: .customLong("max-items"),
    help: ArgumentHelp("How many items of a collection are shown.", valueName: "n"))
  var maxItems: Int?

  @Option(
    name: .customLong("max-text"), help: ArgumentHelp("How many bytes of a string are shown.", valueName: "n")
  )
  var maxText: Int = TreePrinter.Limits().text

  @Option(
    name: .long,
    help: ArgumentHelp("The columns that what stands on one line may take.", valueName: "columns"))
  var width: Int?

  @Option(name: .long, help: ArgumentHelp("When output is coloured.", valueName: "when"))
  var color: ColorChoice = .auto

  func validate() throws {
    guard [depth ?? 0, maxItems ?? 0, maxText, width ?? 0].allSatisfy({ $0 >= 0 }) else {
      throw ValidationError("--depth, --max-items, --max-text and --width take numbers from 0 up.")
    }
  }

  func run() throws {
    var reading = Conversion(to: .json)
    reading.source = input.from
    reading.form = form
    reading.select = input.select
    reading.table = input.table
    reading.expandsData = input.expand
    reading.keepsGoing = input.keepsGoing
    reading.budget = input.budget.budget
    reading.schema = try input.loadSchema()
    reading.matchesSchemas = input.schema != InputOptions.noSchema
    reading.catalogue = try input.loadCatalogue()
    var hasFailed = false
    for name in files.isEmpty ? ["-"] : files {
      do throws(NamedFailure) {
        try show(name, reading)
      } catch {
        guard error.failure.reason != .file(.brokenPipe) else { return }
        StandardError.write(error.line)
        hasFailed = true
      }
    }
    if hasFailed { throw ExitCode.failure }
  }

  private func show(_ name: String, _ reading: Conversion) throws(NamedFailure) {
    let path = try documents.mainFile(of: name)
    let input = try NamedFailure.naming(name) { () throws(Failure) in try FileInput(path: path) }
    let output = NamedOutput(StandardOutput(), name: "standard output")
    try output.naming(input: name) { output throws(Failure) in
      var limits = TreePrinter.Limits(text: maxText)
      if let depth { limits.depth = depth }
      if let maxItems { limits.items = maxItems }
      let printer = TreePrinter(
        to: output, width: width ?? Terminal.width, color: Colors(areShown: color.showsColors), limits: limits
      )
      try reading.read(input, named: name, into: printer, marksShared: true, meanings: .all)
    }
  }
}
