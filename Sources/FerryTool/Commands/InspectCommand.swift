import ArgumentParser
import Ferry

/// `ferry inspect`: describes the contents of files.
struct InspectCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "inspect",
    abstract:
      "Report the structure of files: format, objects, classes, keys, nested files, warnings.",
    usage: "ferry inspect [<options>] [<files or folders> ...]",
    discussion: """
      Inspects all files in a folder and its subfolders, and counts those that Ferry does not read. Inspects the file with \
      the records of a package such as Things.mystuff. After several files, prints a summary. --json prints one object for \
      a file, and one object a line for several files.

        ferry inspect people.pplgrp
        ferry inspect --summary .
        ferry inspect people.pplgrp --json
      """)

  @Argument(
    help: "The files and folders to inspect (default: -, the standard input).",
    completion: .file())
  var files: [String] = []

  @Flag(name: .long, help: "Print JSON.")
  var json = false

  @Flag(name: .long, help: "Print only the summary of all files.")
  var summary = false

  @Flag(
    name: .long, help: "Also inspect files in data: property lists, archives, typedstreams, JSON, XML.")
  var expand = false

  @Flag(name: .long, help: "With --json, add the references between the objects of an archive.")
  var graph = false

  @Option(
    name: .long,
    help: ArgumentHelp("The input format, if the content does not tell.", valueName: "format"))
  var from: Format?

  @Option(name: .long, help: ArgumentHelp("Color the output: auto, always or never.", valueName: "when"))
  var color: ColorChoice = .auto

  @OptionGroup var documents: TypeOptions

  @OptionGroup(title: "Limits for untrusted input")
  var budget: BudgetOptions

  func validate() throws {
    guard !graph || json else { throw ValidationError("--graph needs --json") }
  }

  func run() throws {
    let report = InspectionReport(self, try documents.load())
    do throws(NamedError) {
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
