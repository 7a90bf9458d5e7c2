import ArgumentParser
import Ferry

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

  /// Returns the files of a folder that are taken, given the paths of all files from the folder.
  ///
  /// - Parameter unused: Receives the patterns, and loses those that fit a file of this folder.
  func taken(_ paths: [String], in folder: String, _ unused: inout UnusedPatterns) -> [String] {
    let includes = included.map { NamePattern($0, in: folder) }
    let excludes = excluded.map { NamePattern($0, in: folder) }
    return paths.filter { path in
      let names = path.namesInPath
      let parts = names.indices.map { names[...$0].joined(separator: "/") }
      let including = includes.indices.filter { includes[$0].matches(path) }
      let excluding = excludes.indices.filter { index in parts.contains(where: excludes[index].matches) }
      unused.included.subtract(including)
      unused.excluded.subtract(excluding)
      return (includes.isEmpty || !including.isEmpty) && excluding.isEmpty
    }
  }

  /// Patterns that no file in a folder fits, by their indices.
  struct UnusedPatterns {
    var included: Set<Int>
    var excluded: Set<Int>
  }

  /// All patterns, before any folder is read.
  var unusedPatterns: UnusedPatterns {
    UnusedPatterns(included: Set(included.indices), excluded: Set(excluded.indices))
  }

  /// Reports the patterns that no file fits, which may have a mistake. Folders that are left out anyway can be excluded.
  func report(_ unused: UnusedPatterns) {
    for index in unused.included.sorted() {
      Self.report("--include", included[index], "no file in the folder has this name")
    }
    for index in unused.excluded.sorted() {
      let pattern = NamePattern(excluded[index])
      guard !FoundInput.foldersOfTools.contains(where: pattern.matches) else { continue }
      Self.report("--exclude", excluded[index], "no file or subfolder has this name")
    }
  }

  private static func report(_ option: String, _ pattern: String, _ problem: String) {
    StandardError.write("\(option) \(MessageText.quoted(pattern)): \(problem)")
  }
}
