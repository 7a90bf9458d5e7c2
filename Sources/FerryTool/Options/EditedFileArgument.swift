import ArgumentParser

/// The file that a command changes: the argument that `set`, `insert`, `remove`, `move` and `copy` share.
struct EditedFileArgument: ParsableArguments {
  @Argument(
    help:
      "The file, unless --files-from is given; - reads the standard input and writes the standard output.",
    completion: .file())
  var file: String
}
