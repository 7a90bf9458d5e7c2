import ArgumentParser
import Ferry

/// `ferry insert`: adds a value to a file, in place.
struct InsertCommand: EditingCommand {
  static let configuration = CommandConfiguration(
    commandName: "insert",
    abstract: "Add an element or a key, in place.",
    discussion: """
        ferry insert state.archive 'people[]' '{"$class": "Person"}' --type json
        ferry insert state.archive 'tags[0]' new     before the first element
        ferry insert prefs.plist window.style plain  a new key
        ferry insert people.csv '[*].city' London    a new column
        ferry insert team.json '[*].tags[]' new      in all lists
        ferry insert notes.zip '["a.png"]' --from-file a.png   in a ZIP archive

      A new element gets the type of the one before it, a new key a string; --type sets another type. With [*], [1:3] or a \
      filter before the last step, all dictionaries and lists there get the value, or none if one cannot.
      """)

  @OptionGroup var change: ChangeOptions
  @OptionGroup var editing: EditingOptions

  func validate() throws { for change in change.changes { _ = try change.path.path() } }

  func run() throws {
    let (changes, type) = (try change.given(), change.type)
    // The last step is the position of the new value.
    let parents = changes.map(\.path.parent)
    try forEachFile(change.file, reading: change.files) { name, messages in
      var notes: [String] = []
      let isChanged = try edit(name, at: parents, "inserted", reading: change.files) {
        file throws(FerryError) in
        try file.makeAll(changes) { change throws(FerryError) in
          let count = try ChangeAdvice.advising(on: change, of: file) { () throws(FerryError) in
            switch change.given {
            case .text(let text): try file.insert(text: text, as: type, at: change.path)
            case .contents(let bytes): try file.insert(contents: bytes, as: type, at: change.path)
            }
          }
          return (count, InsertionNote.all(on: change, type: type, in: file))
        } notes: {
          notes = $0
        }
      }
      messages.write(notes, of: name)
      return isChanged
    }
  }
}
