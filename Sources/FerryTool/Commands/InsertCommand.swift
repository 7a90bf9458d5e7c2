import ArgumentParser
import Ferry

/// `ferry insert`: adds a value in paths.
struct InsertCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "insert",
    abstract: "Add an element or a key, in paths.",
    discussion: """
        ferry insert state.archive 'people[]' '{"$class": "Person"}' --type json
        ferry insert state.archive 'tags[0]' new     before the first element
        ferry insert prefs.plist window.style plain  a new key

      A new element gets the type of the one before it, a new key a string; --type sets another type.
      """)

  @OptionGroup var change: ChangeOptions
  @OptionGroup var paths: PathOptions
  @OptionGroup var edit: EditOptions

  func run() throws { try change.perform(.insert, at: paths, edit) }
}
