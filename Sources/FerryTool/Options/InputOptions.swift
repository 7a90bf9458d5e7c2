import ArgumentParser
import Ferry

/// The option for the format of an input.
struct InputOptions: ParsableArguments {
  @Option(
    name: .customLong("from"),
    help: ArgumentHelp("The input format, if the content does not tell.", valueName: "format"))
  var format: Format?
}
