import ArgumentParser
import Ferry

/// `ferry show`: any file as a readable tree; archives by meaning.
struct Show: ParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Show what is in a file, as a tree; archives by meaning.",
    usage: "ferry show [<options>] [<files> ...]")

  @Argument(help: "Files to show; - or none is the standard input.")
  var files: [String] = []

  @OptionGroup var input: InputOptions

  @Option(name: .long, help: ArgumentHelp("raw: an archive as it is stored.", valueName: "form"))
  var form: Form = .plain

  func run() throws {
    var reading = Conversion(to: .json)
    reading.source = input.from
    reading.form = form
    reading.select = input.select
    reading.expandsData = input.expand
    reading.keepsGoing = input.keepsGoing
    reading.budget = input.budget.budget
    reading.schema = try input.loadSchema()
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
    let input = try NamedFailure.naming(name) { () throws(Failure) in try FileInput(path: name) }
    let output = NamedOutput(StandardOutput(), name: "standard output")
    try output.naming(input: name) { output throws(Failure) in
      let printer = TreePrinter(to: output, showsColors: Terminal.showsColors)
      try reading.read(input, named: name, into: printer)
    }
  }
}
