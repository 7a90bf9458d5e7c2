import ArgumentParser
import Ferry

/// The option for the format of an input.
struct InputOptions: ParsableArguments {
  @Option(
    name: [.customLong("from"), .customShort("f")],
    help: ArgumentHelp("The input format (default: detected from the content).", valueName: "format"))
  var format: Format?
}
