import ArgumentParser

/// The options for the files in folders, for a command that otherwise takes only files.
struct RecursionOptions: ParsableArguments {
  @Flag(
    name: .shortAndLong,
    help: "Take the files in folders and their subfolders, too. --out-dir keeps the subfolders.")
  var recursive = false

  @OptionGroup var patterns: PatternOptions

  func validate() throws {
    guard recursive || patterns.included.isEmpty && patterns.excluded.isEmpty else {
      throw ValidationError("--include and --exclude need -r")
    }
  }
}
