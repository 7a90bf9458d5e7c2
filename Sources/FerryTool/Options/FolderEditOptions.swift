import ArgumentParser

/// The options for changing the files in a folder.
struct FolderEditOptions: ParsableArguments {
  @Flag(
    name: .shortAndLong,
    help: """
      The file is a folder: change the files in it and its subfolders that have a value at the path, each as a whole or not \
      at all.
      """)
  var recursive = false

  @OptionGroup var patterns: PatternOptions

  func validate() throws {
    guard recursive || patterns.included.isEmpty && patterns.excluded.isEmpty else {
      throw ValidationError("--include and --exclude need -r")
    }
  }
}
