import ArgumentParser
import Ferry

/// `ferry copy`: copies a value of a file to another path, in place.
struct CopyCommand: TransferCommand {
  static let configuration = CommandConfiguration(
    commandName: "copy",
    abstract: "Copy a value to another path of its file, in place.",
    discussion: """
        ferry copy prefs.plist window.title window.name
        ferry copy state.archive 'people[0]' 'people[]'
        ferry copy team.json '[*].city' '[*].town'   in all elements
        ferry copy hosts.xml '//host/@id' '//host/name'   all that an XPath selects
        ferry copy notes.zip '["a.json"]' '["c.json"]'   a file

      A copy has the type or the class of the value. A key that exists is an error without --replace. With [*], [1:3] or a \
      filter in the same place of both paths, all values at the path are copied, or none if one cannot be. For XML, both may be \
      XPaths: all values that the first selects are copied, each in the element around it.
      """)

  @OptionGroup var transfer: TransferOptions
  @OptionGroup var editing: EditingOptions

  func run() throws {
    let replaces = transfer.replace
    try transferEach("copied", isMove: false) { file, path, newPath throws(FerryError) in
      try file.copy(path, to: newPath, replacing: replaces)
    }
  }
}
