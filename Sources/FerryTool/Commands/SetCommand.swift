import ArgumentParser
import Ferry

/// `ferry set`: changes a value of a file, in place.
struct SetCommand: ValueChangeCommand {
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
        ferry set team.json '[*].city' Rome --insert  or adds the key
        ferry set hosts.xml '//host[@id="a"]/port' 8080   all that an XPath selects
        ferry set notes.zip '["a.json"].title' Diary     in a file of a ZIP archive
        date | ferry set notes.json edited -
        ferry set state.archive offset -5
        ferry set state.archive name Ada offset 7    several values at once
        ferry set state.archive name -- -x           a value that begins with a dash
        ferry set configs window.title Main -r       all files in a folder
        ls configs/*.json | ferry set --files-from - window.title Main

      With several paths, all values change in this order, or none if one cannot, and each path is one of the file after the \
      changes before it. With [*], [1:3] or a filter, all values at the path change, or none. Elements without the rest of the \
      path stay as they are: set adds no key. With --insert, it adds the last key of the path to each dictionary that \
      lacks it, and an element at the end of a list, as "ferry insert" does: a new key gets a string, or a value of --type.

      For XML, an argument that begins with a slash is an XPath. An element that it selects gets the value as its text, and \
      keeps its attributes. With --insert, its last step may be the name of an element or attribute that some of the elements \
      before it lack.

      With -r, the file is a folder, and all files in it and its subfolders that have a value at the path change, each as a \
      whole or not at all; --dry-run lists them. With --files-from, no argument is a file, and the listed files change in this way.

      Nothing else changes: the other objects of an archive keep their numbers and bytes, and XML, JSON, CSV and \
      other text keep the rest of their text. The file is replaced as a whole or not at all, and keeps its permissions. \
      Documentation/Editing.md describes what stays, and what is refused.
      """)

  static let folderWords = FolderRun.Words(
    unchanged: (one: "has the value already", several: "have the value already"))

  @OptionGroup var change: ChangeOptions

  @Flag(
    name: .long,
    help: "Insert the value if the last key of the path is missing, or the path leads to the end of a list.")
  var insert = false

  @OptionGroup var namespaces: NamespaceOptions
  @OptionGroup var editing: EditingOptions

  func run() throws {
    let (changes, inserts) = (try change.given(), insert)
    // The position after the last element is that of one value.
    let selections = changes.map { change in
      inserts && change.path.steps.last == .end ? change.path.parent : change.path
    }
    try makeChanges(
      changes, at: selections, "set",
      selecting: { argument, file throws(FerryError) in
        try file.values(
          selectedBy: argument, for: change.type == .json ? .replacement : .text, inserts: inserts)
      }, asAttributes: inserts || change.type != nil, make)
  }

  /// Makes a change at a path, and returns the number of its values, and notes on it.
  private func make(
    _ given: ChangeOptions.GivenChange, _ file: EditableFile
  ) throws(FerryError) -> (count: Int, notes: [String]) {
    let (type, inserts) = (change.type, insert || given.mayBeMissing)
    let isMissing = insert && (given.path.steps.last == .end || (try? file.hasValue(at: given.path)) != true)
    let null = InsertionNote.replacedNull(by: given, type: type, in: file)
    func set() throws(FerryError) -> Int {
      switch given.given {
      case .text(let text): try file.set(text: text, as: type, at: given.path, insertsMissing: inserts)
      case .contents(let bytes):
        try file.set(contents: bytes, as: type, at: given.path, insertsMissing: inserts)
      }
    }
    let count = try insert ? ChangeAdvice.advising(on: given, of: file, set) : set()
    if isMissing { return (count, InsertionNote.all(on: given, type: type, in: file)) }
    let note = null.flatMap { InsertionNote.onNull(at: $0, replacedBy: given, in: file) }
    return (count, [note].compactMap { $0 })
  }
}
