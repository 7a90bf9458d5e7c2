import ArgumentParser

/// The options for the values of a file that paths name.
struct PathOptions: ParsableArguments {
  @Option(
    name: .customLong("form"),
    help: ArgumentHelp(
      "plain: readable values; raw: an archive as it is stored.", valueName: "form"))
  var representation: PathRepresentation = .plain

  @Flag(
    name: .customLong("lenient"),
    help: "Accept references to missing objects: read them as null, and keep them.")
  var isLenient = false
}
