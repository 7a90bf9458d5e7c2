import ArgumentParser
import Ferry

/// The option for objects with several references.
struct SharedObjectOptions: ParsableArguments {
  @Option(
    name: .customLong("shared"),
    help: ArgumentHelp(
      "reference: show an object that others refer to once, and refer to it; in-full: show it each time.",
      valueName: "style"))
  var style: SharedObjectStyle = .reference
}
