import ArgumentParser
import Ferry

/// The option for colored output.
struct ColorOptions: ParsableArguments {
  @Option(
    name: .customLong("color"),
    help: ArgumentHelp("Color the output: auto, always or never.", valueName: "when"))
  var choice: ColorChoice = .auto

  /// The colors of the output.
  var colors: Colors { Colors(areShown: choice.showsColors) }
}
