import ArgumentParser
import Ferry

/// A command that changes values of a file: `set`, `insert` and `remove`.
protocol EditingCommand: PathCommand {
  var destination: EditOptions { get }
  var dryRun: DryRunOptions { get }
}

extension EditingCommand {
  /// Opens a file, changes it and writes it as a whole, or not at all.
  func edit(
    _ name: String, _ change: (EditableFile) throws(FerryError) -> Void
  ) throws(NamedError) {
    let main = try types.mainFile(of: name)
    let target = destination.output ?? main
    let isReplacing = destination.force || destination.output == nil || destination.output == name
    let isInPlace = isReplacing && !dryRun.isDryRun && main != "-" && Folder.isSame(main, target)
    // The edit begins before the file is read, so that it detects every conflicting write after that.
    let types = try types.load()
    let inPlaceEdit =
      isInPlace
      ? try NamedError.naming(name) { () throws(FerryError) in try InPlaceEdit(of: target, among: types) }
      : nil
    let file = try open(name)
    let bytes = try NamedError.naming(name) { () throws(FerryError) in
      try change(file)
      let bytes = try file.bytes()
      if !destination.force { try types.checkEdit(to: bytes, at: target, of: (main, file.originalBytes)) }
      return bytes
    }
    warn(of: file, named: name)
    guard !dryRun.isDryRun else { return }
    if let copy = PackageCopy(of: name, main: main, at: target, among: types) {
      return try copy.write(bytes, to: target, replacing: isReplacing)
    }
    try NamedOutput.put(bytes, at: target, replacing: isReplacing, in: inPlaceEdit)
  }
}
