import ArgumentParser

/// The options for changing several files: those in a folder, and those in a list.
struct FolderEditOptions: ParsableArguments, SeveralFiles {
  static let recursion = "-r"

  @Flag(
    name: .shortAndLong,
    help: """
      The file is a folder: change the files in it and its subfolders that have a value at the path, each as a whole or not \
      at all.
      """)
  var recursive = false

  @OptionGroup var patterns: PatternOptions
  @OptionGroup var list: FileListOptions

  func validate() throws { try checkOptions() }
}
