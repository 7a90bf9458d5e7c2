import ArgumentParser
import Ferry

/// `ferry remove`: removes a value in place.
struct Remove: ParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Remove an element or an entry, in place; everything else stays as it is.",
    discussion: """
        ferry remove state.archive 'people[0]'
        ferry remove prefs.plist window.title

      Objects of an archive that nobody refers to any more stay in the file, so that the others keep their numbers; at \
      its end they go.
      """)

  @Argument(
    help: "The file; - is the standard input, and the result goes to the standard output.",
    completion: .file())
  var file: String

  @Argument(help: "The way to what is removed.")
  var path: PathArgument

  @OptionGroup var edit: EditOptions

  func validate() throws { _ = try path.path() }

  func run() throws {
    let path = try path.path()
    try edit.edit(file) { file throws(Failure) in try file.remove(at: path) }
  }
}
