import ArgumentParser
import Ferry

/// `ferry insert`: adds a value in place.
struct Insert: ParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Add an element or an entry, in place; everything else stays as it is.",
    discussion: """
        ferry insert state.archive 'people[]' '{"$class": "Person", "first": "Ada"}' --type json
        ferry insert state.archive 'tags[0]' new     before the first element
        ferry insert prefs.plist window.title Main   an entry that is not there yet

      A new element takes the type of the one before it, a new entry is a string; --type says otherwise.
      """)

  @OptionGroup var change: ChangeOptions

  func run() throws { try change.perform(.insert) }
}
