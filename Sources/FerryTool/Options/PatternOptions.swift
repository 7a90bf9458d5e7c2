import ArgumentParser

/// The options that choose files in folders by name.
struct PatternOptions: ParsableArguments {
  @Option(
    name: .customLong("include"),
    help: ArgumentHelp(
      "In folders, take only files with this name, such as '*.plist' or 'old/*.plist'. Repeatable.",
      valueName: "pattern"))
  var included: [String] = []

  @Option(
    name: .customLong("exclude"),
    help: ArgumentHelp(
      "In folders, leave out files and subfolders with this name. Repeatable.", valueName: "pattern"))
  var excluded: [String] = []

  /// The choice that the patterns make.
  var choice: FileChoice { FileChoice(included: included, excluded: excluded) }
}
