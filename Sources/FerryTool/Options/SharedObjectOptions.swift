import ArgumentParser
import Ferry

/// The option for objects with several references.
struct SharedObjectOptions: ParsableArguments {
  @Option(
    name: .customLong("shared"),
    help: ArgumentHelp(
      """
      Show an object with several references once, and refer to it (reference), or show it each time (in-full) (default: \
      reference).
      """,
      valueName: "style"))
  var given: SharedObjectStyle?

  var style: SharedObjectStyle { given ?? .reference }
}
