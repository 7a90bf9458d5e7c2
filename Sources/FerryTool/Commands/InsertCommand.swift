import ArgumentParser
import Ferry

/// `ferry insert`: adds a value to a file, in place.
struct InsertCommand: ValueChangeCommand {
  static let configuration = CommandConfiguration(
    commandName: "insert",
    abstract: "Add an element or a key, in place.",
    discussion: """
        ferry insert state.archive 'people[]' '{"$class": "Person"}' --type json
        ferry insert state.archive 'tags[0]' new     before the first element
        ferry insert prefs.plist window.style plain  a new key
        ferry insert people.csv '[*].city' London    a new column
        ferry insert team.json '[*].tags[]' new      in all lists
        ferry insert hosts.xml '//host/@os' linux    in all that an XPath selects
        ferry insert notes.zip '["a.png"]' --from-file a.png   in a ZIP archive
        ferry insert prefs.plist theme --from-file new.plist --type plist

      A new element gets the type of the one before it, a new key a string; --type sets another type. With [*], [1:3] or a \
      filter before the last step, all dictionaries and lists there get the value, or none if one cannot.

      For XML, an argument that begins with a slash is an XPath. If its last step is the name of an element or attribute, as in \
      //host/@os, all elements that the part before it selects get a new one. Otherwise a new element comes before each that \
      the XPath selects.
      """)

  @OptionGroup var change: ChangeOptions
  @OptionGroup var namespaces: NamespaceOptions
  @OptionGroup var editing: EditingOptions

  func run() throws {
    let changes = try change.given()
    // The last step is the position of the new value.
    try makeChanges(
      changes, at: changes.map(\.path.parent), "inserted",
      selecting: { argument, file throws(FerryError) in try file.values(selectedBy: argument, for: .insertion)
      },
      asAttributes: true, make)
  }

  /// Makes an insertion at a path, and returns the number of its values, and notes on it.
  private func make(
    _ given: ChangeOptions.GivenChange, _ file: EditableFile
  ) throws(FerryError) -> (count: Int, notes: [String]) {
    let type = change.type
    let count = try ChangeAdvice.advising(on: given, of: file) { () throws(FerryError) in
      switch given.given {
      case .text(let text): try file.insert(text: text, as: type, at: given.path)
      case .contents(let bytes): try file.insert(contents: bytes, as: type, at: given.path)
      }
    }
    return (count, InsertionNote.all(on: given, type: type, in: file))
  }
}
