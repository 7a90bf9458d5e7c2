import ArgumentParser
import Ferry

/// `ferry set`: changes a value of a file, in place.
struct SetCommand: EditingCommand {
  static let configuration = CommandConfiguration(
    commandName: "set",
    abstract: "Change the value at a path, in place.",
    discussion: """
      The new value gets the type of the current one: a date stays a date, an object keeps its class. --type sets another \
      type; with --type json the value is a whole array or dictionary, or an object: {"$class": "Person", "first": "Ada"}.

        ferry set state.archive 'people[0].name' Ada
        ferry set state.archive saved 2024-05-06T07:08:09Z
        ferry set Theme.terminal BackgroundColor '#102030FF'
        ferry set state.archive window.frame.width 640
        ferry set state.archive tags '["a", "b"]' --type json
        ferry set image.plist icon --from-file icon.png
        ferry set people.csv '[name=Ada].age' 37
        ferry set team.json '[*].age' 37             all values
        ferry set notes.zip '["a.json"].title' Diary     in a file of a ZIP archive
        date | ferry set notes.json edited -
        ferry set state.archive offset -5
        ferry set state.archive name -- -x           a value that begins with a dash

      With [*], [1:3] or a filter, all values at the path change, or none if one cannot. Elements without the rest of the \
      path stay as they are: set adds no key.

      Nothing else changes: the other objects of an archive keep their numbers and bytes, and XML, JSON, CSV and \
      other text keep the rest of their text. The file is replaced as a whole or not at all, and keeps its permissions. \
      Documentation/Editing.md describes what stays, and what is refused.
      """)

  @OptionGroup var change: ChangeOptions
  @OptionGroup var editing: EditingOptions

  func run() throws {
    let (path, given, type) = (try change.path.path(), try change.given(), change.type)
    try edit(change.file, at: path, "set", reading: change.files) { file throws(FerryError) in
      switch given {
      case .text(let text): try file.set(text: text, as: type, at: path)
      case .contents(let bytes): try file.set(contents: bytes, as: type, at: path)
      }
    }
  }
}
