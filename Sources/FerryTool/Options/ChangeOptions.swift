import ArgumentParser
import Ferry

/// A value with its destination: the arguments that `set` and `insert` share.
struct ChangeOptions: ParsableArguments {
  /// The operation with the value.
  enum Change {
    case set, insert
  }

  @Argument(
    help: "The file; - reads the standard input and writes the standard output.",
    completion: .file())
  var file: String

  @Argument(
    help:
      "The path of the value: people[0].name. To insert: items[2], before the third; items[], after the last."
  )
  var path: PathArgument

  @OptionGroup var value: ValueOptions

  func validate() throws {
    _ = try path.path()
    try value.validate(withInput: file)
  }

  func perform(_ change: Change, at paths: PathOptions, _ edit: EditOptions) throws {
    let (path, given, type) = (try path.path(), try value.read(), value.type)
    try edit.edit(file, at: paths) { file throws(FerryError) in
      switch (change, given) {
      case (.set, .text(let text)): try file.set(text: text, as: type, at: path)
      case (.set, .contents(let bytes)): try file.set(contents: bytes, as: type, at: path)
      case (.insert, .text(let text)): try file.insert(text: text, as: type, at: path)
      case (.insert, .contents(let bytes)): try file.insert(contents: bytes, as: type, at: path)
      }
    }
  }
}
