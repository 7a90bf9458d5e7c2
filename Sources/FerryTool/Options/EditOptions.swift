import ArgumentParser

/// The options for the destination of an edited file.
struct EditOptions: ParsableArguments {
  @Option(
    name: .shortAndLong,
    help: ArgumentHelp(
      "Write to this file (-: standard output) instead of changing the input.", valueName: "file"),
    completion: .file())
  var output: String?

  @Flag(
    name: .long,
    help: """
      Overwrite an existing file of -o, and write documents that are no longer of their type, also in place.
      """)
  var force = false

  // An edited ZIP archive may be written to another one.
  func validate() throws { try OptionFile.checkOutput(output, of: "-o", mayBeZIP: true) }
}
