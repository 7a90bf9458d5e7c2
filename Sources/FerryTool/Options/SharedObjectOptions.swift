import ArgumentParser
import Ferry

/// The option for objects with several references.
struct SharedObjectOptions: ParsableArguments {
  @Option(
    name: .customLong("shared"),
    help: ArgumentHelp(
      "Show an object with several references once, and refer to it (reference), or show it each time (in-full).",
      valueName: "style"))
  var style: SharedObjectStyle = .reference
}
