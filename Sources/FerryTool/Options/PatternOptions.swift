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

  /// Returns true if a file in a folder is taken, given its path from the folder.
  func take(_ path: String) -> Bool {
    let names = path.split(separator: "/")
    let parts = names.indices.map { names[...$0].joined(separator: "/") }
    let isIncluded = included.isEmpty || included.contains { NamePattern($0).matches(path) }
    return isIncluded && !parts.contains { part in excluded.contains { NamePattern($0).matches(part) } }
  }
}
