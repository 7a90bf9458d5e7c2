import ArgumentParser
import Ferry

/// `ferry remove`: removes a value from a file, in place.
struct RemoveCommand: EditingCommand {
  static let configuration = CommandConfiguration(
    commandName: "remove",
    abstract: "Remove an element or a key, in place.",
    discussion: """
        ferry remove state.archive 'people[0]'
        ferry remove prefs.plist window.title
        ferry remove state.archive 'l[0]' 'l[1]' name   the first two, and a key
        ferry remove people.csv '[*].age'            a column
        ferry remove team.json '[city=Paris]'        all elements with this value
        ferry remove hosts.xml '//host[port=80]'     all that an XPath selects
        ferry remove notes.zip '["b.txt"]'           a file of a ZIP archive

      Several paths all mean the file as it is. With them, and with [*], [1:3] or a filter, all values are removed, or none \
      if one cannot be. If the file is XML, an argument that begins with a slash is an XPath.

      A removed object stays in an archive, unused, so that the other objects keep their numbers. The last objects of the \
      archive are dropped.
      """)

  @OptionGroup var edited: EditedFileArgument

  @Argument(
    help: """
      The path of the element or key to remove, or for XML an XPath. "ferry help paths" explains paths, also in tables, YAML \
      and ZIP archives.
      """)
  var path: PathArgument

  @Argument(help: "More paths. All mean the file as it is.")
  var more: [ArgumentRow] = []

  @OptionGroup var namespaces: NamespaceOptions
  @OptionGroup var editing: EditingOptions

  var namespaceBindings: [NamespaceBinding] { namespaces.bindings }

  /// The given paths and XPaths.
  private var arguments: [PathArgument] { [path] + more.paths }

  func validate() throws {
    try namespaces.check(for: arguments, in: editing.folder)
    // Whether an argument is an XPath depends on the file.
    for argument in arguments where !argument.mayBeXPath { _ = try argument.path() }
  }

  func run() throws {
    let paths = try arguments.map { try $0.mayBeXPath ? ValuePath() : $0.path() }
    try forEachFile(edited.file) { input, _ in
      try edit(input, at: paths, "removed") { file throws(FerryError) in
        var selected: [EditableFile.SelectedValue] = []
        for argument in arguments {
          if let values = try file.values(selectedBy: argument, for: .removal) {
            selected += values
          } else {
            selected.append(EditableFile.SelectedValue(path: try argument.pathInAnyFormat()))
          }
        }
        return try file.remove(selected)
      }
    }
  }
}
