import ArgumentParser
import Ferry

/// `ferry insert`: adds one value, in place.
struct Insert: ParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Add an element or an entry, in place; everything else stays as it is.",
    discussion: """
        ferry insert state.archive 'people[]' '{"$class": "Person", "first": "Ada"}' --type json
        ferry insert state.archive 'tags[0]' new     before the first element
        ferry insert prefs.plist window.title Main   an entry that is not there yet

      A new element takes the type of the one before it, a new entry is a string; --type says otherwise.
      """)

  @Argument(help: "The file; - is the standard input, and the result goes to the standard output.")
  var file: String

  @Argument(help: "Where the value is to be: items[2] before the third, items[] behind the last, a new key.")
  var path: PathArgument

  @OptionGroup var value: ValueOptions
  @OptionGroup var edit: EditOptions

  func validate() throws {
    _ = try path.path()
    try value.validate(withInput: file)
  }

  func run() throws {
    let (path, given, type) = (try path.path(), try value.read(), value.type)
    try edit.edit(file) { file throws(Failure) in
      switch given {
      case .text(let text): try file.insert(text: text, as: type, at: path)
      case .contents(let bytes): try file.insert(contents: bytes, as: type, at: path)
      }
    }
  }
}
