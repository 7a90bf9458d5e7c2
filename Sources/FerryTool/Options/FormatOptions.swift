import ArgumentParser
import Ferry

/// The option for the format of an output.
struct FormatOptions: ParsableArguments {
  @Option(
    name: [.customLong("to"), .customShort("t")],
    help: ArgumentHelp("The output format (default: by the output's extension).", valueName: "format"))
  var written: WrittenFormat?

  /// The requested format.
  var format: Format? { written?.format }

  func validate() throws {
    if let format { try WrittenFormat.check(format) }
  }
}
