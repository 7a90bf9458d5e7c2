import ArgumentParser
import Ferry

/// The option for the file to write, for commands that otherwise write to the standard output.
struct OutputOptions: ParsableArguments {
  @Option(
    name: [.customLong("output"), .customShort("o")],
    help: ArgumentHelp("Write to this file instead of the standard output.", valueName: "file"),
    completion: .file())
  var file: String?

  func validate() throws { try OptionFile.checkName(file, of: "-o") }

  /// Throws if the file has the name of an archive or a compression that Ferry does not write. Each command with the option calls it, unless it
  /// writes bytes as they are.
  ///
  /// - Parameter mayBeZIP: True if the name determines the format, so that the command refuses a ZIP archive itself.
  func checkKind(mayBeZIP: Bool = false) throws(ValidationError) {
    try OptionFile.checkOutput(file, of: "-o", mayBeZIP: mayBeZIP)
  }

  /// Throws if the output would replace a file that the command reads, or change a package: an extract is not a new version of
  /// its input.
  ///
  /// - Parameter options: The files that options name and the command reads.
  func checkReplacesNone(of inputs: [String], _ options: [OptionFile] = []) throws(FerryError) {
    if let file { try RunOutputs.check(file, replacesNoneOf: inputs, options) }
  }
}
