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
        ferry insert hosts.xml '//host/@os' linux    in all that an XPath selects
        ferry insert notes.zip '["a.png"]' --from-file a.png   in a ZIP archive

      A new element gets the type of the one before it, a new key a string; --type sets another type. With [*], [1:3] or a \
      filter before the last step, all dictionaries and lists there get the value, or none if one cannot.

      For XML, an argument that begins with a slash is an XPath. If its last step is the name of an element or attribute, as in \
      //host/@os, all elements that the part before it selects get a new one. Otherwise a new element comes before each that \
      the XPath selects.
      """)

  @OptionGroup var change: ChangeOptions
  @OptionGroup var namespaces: NamespaceOptions
  @OptionGroup var editing: EditingOptions

  var namespaceBindings: [NamespaceBinding] { namespaces.bindings }

  func validate() throws {
    try namespaces.check(for: change.changes.map(\.path), in: editing.folder)
    try editing.folder.list.checkStandardInput(isNoneOf: change.files)
  }

  func run() throws {
    let changes = try change.given()
    // The last step is the position of the new value.
    let parents = changes.map(\.path.parent)
    try forEachFile(change.file, reading: change.files) { input, messages in
      var notes: [String] = []
      let isChanged = try edit(input, at: parents, "inserted", reading: change.files) {
        file throws(FerryError) in
        try file.makeAll(changes) { given throws(FerryError) in
          let selected = try file.values(selectedBy: given.change.path, for: .insertion)
          guard let selected else { return try make(given, in: file) }
          return try file.make(given, atEach: selected, asAttributes: true) { given throws(FerryError) in
            try make(given, in: file)
          }
        } notes: {
          notes = $0
        }
      }
      messages.write(notes, of: input.path)
      return isChanged
    }
  }

  /// Makes an insertion at a path, and returns the number of its values, and notes on it.
  private func make(
    _ given: ChangeOptions.GivenChange, in file: EditableFile
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
