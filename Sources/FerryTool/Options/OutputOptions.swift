import ArgumentParser

/// The option for the file to write, for commands that otherwise write to the standard output.
struct OutputOptions: ParsableArguments {
  @Option(
    name: [.customLong("output"), .customShort("o")],
    help: ArgumentHelp("Write to this file instead of the standard output.", valueName: "file"),
    completion: .file())
  var file: String?
}
