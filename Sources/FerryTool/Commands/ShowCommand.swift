import ArgumentParser
import Ferry

/// `ferry show`: prints any file as a readable tree, with archives decoded.
struct ShowCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "show",
    abstract: "Show a file as a readable tree.",
    usage: "ferry show [<options>] [<files> ...]",
    discussion: """
      Shows the decoded objects of an archive: arrays, dictionaries and objects with their classes. #7 marks an object that \
      others refer to, and → #7 is a reference to it.

        ferry show people.pplgrp
        ferry show state.archive --depth 2
        ferry show Theme.terminal --expand             also opens the archives in data
      """)

  @Argument(
    help: "The files to show (default: -, the standard input).",
    completion: .file())
  var files: [String] = []

  @OptionGroup var input: InputOptions
  @OptionGroup var documents: TypeOptions

  @Option(
    name: .customLong("form"),
    help: ArgumentHelp(
      "plain: readable values; typed: everything, to convert back exactly; raw: an archive as it is stored.",
      valueName: "form"))
  var representation: Representation = .plain

  @OptionGroup var shared: SharedObjectOptions

  @Option(name: .long, help: ArgumentHelp("Show this many levels.", valueName: "n"))
  var depth: Int?

  @Option(
    name: .customLong("max-items"),
    help: ArgumentHelp("Show this many elements of each collection.", valueName: "n"))
  var maxItems: Int?

  @Option(
    name: .customLong("max-text"), help: ArgumentHelp("Show this many bytes of each string.", valueName: "n")
  )
  var maxText: Int = TreePrinter.Limits().text

  @Option(
    name: .long,
    help: ArgumentHelp("Break lines at this many columns (default: the terminal's).", valueName: "n"))
  var width: Int?

  @Option(name: .long, help: ArgumentHelp("Color the output: auto, always or never.", valueName: "when"))
  var color: ColorChoice = .auto

  func validate() throws {
    guard [depth ?? 0, maxItems ?? 0, maxText, width ?? 0].allSatisfy({ $0 >= 0 }) else {
      throw ValidationError("--depth, --max-items, --max-text and --width cannot be negative")
    }
  }

  func run() throws {
    var reading = ReadingOptions()
    reading.format = input.from
    reading.representation = representation
    reading.shared = shared.style
    (reading.marksShared, reading.decodedForms) = (true, .all)
    reading.select = input.select
    reading.table = input.table
    reading.expandsData = input.expand
    reading.budget = input.budget.budget
    reading.schema = try input.loadSchema()
    reading.matchesSchemas = input.schema != InputOptions.noSchema
    reading.catalog = try input.loadCatalog()
    var hasFailed = false
    for name in files.isEmpty ? ["-"] : files {
      do throws(NamedError) {
        try show(name, reading)
      } catch {
        guard error.failure.reason != .file(.brokenPipe) else { return }
        StandardError.write(error.line)
        hasFailed = true
      }
    }
    if hasFailed { throw ExitCode.failure }
  }

  private func show(_ name: String, _ reading: ReadingOptions) throws(NamedError) {
    let path = try documents.mainFile(of: name)
    let input = try NamedError.naming(name) { () throws(FerryError) in try FileInput(path: path) }
    let output = NamedOutput(StandardOutput(), name: "standard output")
    let notes = try output.naming(input: name) { output throws(FerryError) in
      var limits = TreePrinter.Limits(text: maxText)
      limits.depth = depth ?? self.input.budget.budget.depth
      if let maxItems { limits.items = maxItems }
      let printer = TreePrinter(
        to: output, width: width ?? Terminal.width, color: Colors(areShown: color.showsColors), limits: limits
      )
      return try reading.read(input, named: name, into: printer)
    }
    StandardError.write(notes: notes, of: name)
  }
}
