import ArgumentParser
import Ferry

/// The options for the destination of an edited file, shared by `set`, `insert` and `remove`.
///
/// A group of options inside another takes a debug build several times as long to parse, so the commands have
/// `PathOptions` beside these.
struct EditOptions: ParsableArguments {
  @Option(
    name: .shortAndLong,
    help: ArgumentHelp(
      "Write to this file (-: standard output) instead of changing the input.", valueName: "file"),
    completion: .file())
  var output: String?

  @Flag(name: .long, help: "Overwrite existing files, and write documents that are no longer of their type.")
  var force = false

  @Flag(name: .customLong("dry-run"), help: "Check that the edit works, and write nothing.")
  var isDryRun = false

  /// Opens a file, changes it and writes it as a whole, or not at all.
  func edit(
    _ name: String, at paths: PathOptions, _ change: (EditableFile) throws(FerryError) -> Void
  ) throws {
    do throws(NamedError) {
      let main = try paths.documents.mainFile(of: name)
      let target = output ?? main
      let isReplacing = force || output == nil || output == name
      let isInPlace = isReplacing && !isDryRun && main != "-" && Folder.isSame(main, target)
      // The edit begins before the file is read.
      let types = try paths.documents.known()
      let edit =
        isInPlace
        ? try NamedError.naming(name) { () throws(FerryError) in try InPlaceEdit(of: target, among: types) }
        : nil
      let file = try paths.open(name)
      try NamedError.naming(name) { () throws(FerryError) in try change(file) }
      let bytes = try NamedError.naming(name) { () throws(FerryError) in try file.bytes() }
      if !force {
        try NamedError.naming(name) { () throws(FerryError) in
          try types.checkEdit(to: bytes, at: target, of: (main, file.originalBytes))
        }
      }
      PathOptions.warn(of: file, named: name)
      guard !isDryRun else { return }
      if let copy = PackageCopy(of: name, main: main, at: target, among: types) {
        return try copy.write(bytes, to: target, replacing: isReplacing)
      }
      try NamedOutput.put(bytes, at: target, replacing: isReplacing, in: edit)
    } catch {
      guard error.failure.reason != .file(.brokenPipe) else { return }
      StandardError.write(error.line)
      throw ExitCode.failure
    }
  }
}
