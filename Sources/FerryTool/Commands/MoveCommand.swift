import ArgumentParser
import Ferry

/// `ferry move`: moves a value of a file to another path, in place.
struct MoveCommand: TransferCommand {
  static let configuration = CommandConfiguration(
    commandName: "move",
    abstract: "Rename a key, or move a value to another path, in place.",
    discussion: """
        ferry move prefs.plist window.title window.name
        ferry move team.json '[*].city' '[*].town'   the key in all elements
        ferry move people.csv '[*].age' '[*].years'  a column in the header
        ferry move hosts.xml '//host/port' '//host/@port'   all that an XPath selects
        ferry move state.archive 'tags[1]' 'tags[0]'   to another place
        ferry move state.archive 'people[0]' 'l[]'   to the end of another list

      A key that is renamed keeps its place, and the comments and the layout around it. A value keeps its type, and an object \
      of an archive stays the same object. The new path is that of the value after the move, so that an index counts without \
      the moved element.

      A key that exists is an error without --replace. With [*], [1:3] or a filter in the same place of both paths, all values \
      at the path move, or none if one cannot. For XML, both may be XPaths: all values that the first selects move, each in the \
      element around it.
      """)

  @OptionGroup var transfer: TransferOptions
  @OptionGroup var editing: EditingOptions

  func run() throws {
    let replaces = transfer.replace
    try transferEach("moved", isMove: true) { file, path, newPath throws(FerryError) in
      try file.move(path, to: newPath, replacing: replaces)
    }
  }
}
