import ArgumentParser

/// The options for reading the values of several files: those in a folder, and those in a list.
struct FolderReadOptions: ParsableArguments, SeveralFiles {
  static let recursion = "--recursive"

  @Flag(
    name: .long,
    help: """
      The file is a folder: print the values of the files in it and its subfolders that have a value at the path, with the \
      names of the files.
      """)
  var recursive = false

  @OptionGroup var patterns: PatternOptions
  @OptionGroup var list: FileListOptions

  func validate() throws { try checkOptions() }
}
