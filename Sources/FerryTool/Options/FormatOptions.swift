import ArgumentParser
import Ferry

/// The option for the format of an output.
struct FormatOptions: ParsableArguments {
  @Option(
    name: .customLong("to"),
    help: ArgumentHelp("The output format, if the output's extension does not tell.", valueName: "format"))
  var written: WrittenFormat?

  /// The requested format.
  var format: Format? { written?.format }

  func validate() throws {
    if let format { try WrittenFormat.check(format) }
  }
}
