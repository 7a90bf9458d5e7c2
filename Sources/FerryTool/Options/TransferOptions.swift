import ArgumentParser

/// A value with its old and its new path: the arguments that `move` and `copy` share.
struct TransferOptions: ParsableArguments {
  @Argument(
    help: "The file; - reads the standard input and writes the standard output.",
    completion: .file())
  var file: String

  @Argument(help: "The path of the value: people[0].name. \"ferry help paths\" explains paths.")
  var path: PathArgument

  @Argument(
    help: """
      The path that the value gets: a new key; items[2], before the third element; items[], after the last.
      """)
  var newPath: PathArgument

  @Flag(name: .long, help: "Replace the value of a key, or the element at an index, that exists.")
  var replace = false

  func validate() throws {
    _ = try path.path()
    _ = try newPath.path()
  }
}
