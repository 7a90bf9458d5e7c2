import ArgumentParser

/// The option to print only errors.
struct QuietOptions: ParsableArguments {
  @Flag(
    name: [.customLong("quiet"), .customShort("q")],
    help: "Print only errors, not what the output format cannot hold.")
  var isQuiet = false
}
