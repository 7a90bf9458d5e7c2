import ArgumentParser
import Ferry

/// `ferry inspect`: describes the contents of files.
struct Inspect: ParsableCommand {
  static let configuration = CommandConfiguration(
    abstract:
      "Say what is in files: format, objects, classes and their keys, widths, nested files, warnings.",
    usage: "ferry inspect [<options>] [<files or folders> ...]",
    discussion: """
      Of a folder all files below it are inspected; those of kinds that Ferry does not read are only counted. Of a \
      package (Things.mystuff) it is the file with its records. Several \
      files end with a summary of them all. --json prints one object for a file, an object a line for several.
      """)

  @Argument(
    help: "Files and folders to inspect; - or none is the standard input.",
    completion: .file())
  var files: [String] = []

  @Flag(name: .long, help: "Print JSON instead of a table.")
  var json = false

  @Flag(name: .long, help: "Print only what all files have together.")
  var summary = false

  @Flag(
    name: .long, help: "Look into files inside data too: property lists, archives, typedstreams, JSON, XML.")
  var expand = false

  @Flag(name: .long, help: "With --json, add which object of an archive refers to which.")
  var graph = false

  @Option(
    name: .long,
    help: ArgumentHelp("The inputs' format, when their content does not tell.", valueName: "format"))
  var from: Format?

  @Option(name: .long, help: ArgumentHelp("When output is coloured.", valueName: "when"))
  var color: ColorChoice = .auto

  @OptionGroup var documents: TypeOptions

  @OptionGroup(title: "Limits for input that is not trusted")
  var budget: BudgetOptions

  func validate() throws {
    guard !graph || json else { throw ValidationError("--graph needs --json.") }
  }

  func run() throws {
    let report = InspectionReport(self, try documents.load())
    do throws(NamedFailure) {
      for name in files.isEmpty ? ["-"] : files { try report.add(name) }
      try report.finish()
    } catch {
      guard error.failure.reason != .file(.brokenPipe) else { return }
      StandardError.write(error.line)
      throw ExitCode.failure
    }
    if report.hasFailures { throw ExitCode.failure }
  }
}
