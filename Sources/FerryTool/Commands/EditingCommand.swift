import ArgumentParser
import Ferry

/// A command that changes values of a file: `set`, `insert`, `remove`, `move`, `copy` and `patch`.
protocol EditingCommand: PathCommand {
  var editing: EditingOptions { get }
  /// The words after the numbers of files in a folder that the command does not change.
  static var folderWords: FolderEdit.Words { get }
  /// The namespaces of prefixes in XPaths.
  var namespaceBindings: [NamespaceBinding] { get }
}

extension EditingCommand {
  static var folderWords: FolderEdit.Words { FolderEdit.Words() }
  /// `patch` takes no XPaths.
  var namespaceBindings: [NamespaceBinding] { [] }

  var input: InputOptions { editing.input }
  var paths: PathOptions { editing.paths }
  var classes: CatalogOptions { editing.classes }
  var types: TypeOptions { editing.types }
  var limits: BudgetOptions { editing.limits }

  /// Calls a function with the name of the file; with `-r`, with the names of the files in the folder.
  ///
  /// - Parameters:
  ///   - others: The other files that the command reads, apart from those of the options for editing. They are not changed.
  ///   - edit: Edits a file, and returns true if it has changed. Its notes are written once, with the number of the other files that have
  ///     them.
  func forEachFile(
    _ name: String, reading others: [OptionFile] = [],
    _ edit: (String, inout RepeatedMessages) throws -> Bool
  ) throws {
    var messages = RepeatedMessages(limit: 1)
    guard editing.folder.recursive else {
      _ = try edit(name, &messages)
      return
    }
    guard name != "-" else {
      throw ValidationError("-r needs the name of a folder, and - is the standard input")
    }
    let types = try types.load()
    var options = ReadingOptions()
    (options.format, options.encoding, options.csv) = (
      input.format, editing.encoding.name, editing.csv.reading
    )
    (options.budget, options.declaredFormats) = (limits.budget, types.declaredFormats)
    let others = others + filesOfOptions + self.types.optionFiles
    var edits = FolderEdit(editing, Self.folderWords)
    let inputs = FoundInput.all(
      named: [name], editing.folder.patterns.choice, types, edits.errors, isQuiet: false)
    for input in inputs where !others.contains(where: { RunOutputs.isSame(input.path, $0.path) }) {
      try edits.add(input, options) { try edit(input.path, &messages) }
    }
    messages.summarize()
    try edits.finish()
  }

  /// Throws if the file is a ZIP archive of several files in a folder, because a new key would add a file to it. `--include` allows it.
  private func checkKind(of file: EditableFile) throws(FolderEdit.LeftOutFile) {
    guard editing.folder.recursive, editing.folder.patterns.included.isEmpty, file.format.isArchiveOfFiles
    else { return }
    throw FolderEdit.LeftOutFile(
      reason: "-r changes an archive of several files only if --include names it (--include '*.zip')")
  }

  /// The files of the options for editing.
  private var filesOfOptions: [OptionFile] {
    OptionFile.given([("--classes", classes.file), ("--dtd", editing.entities.dtd)])
  }

  /// Opens a file, changes the values that paths select, and writes the file as a whole, or not at all. Says how many values have
  /// changed if a path may select several. Returns true if the file has changed.
  ///
  /// - Parameters:
  ///   - selections: The steps of each path that may select several values.
  ///   - verb: The participle of the change, for the message: `set`, `moved`.
  ///   - others: The other files that the command reads.
  ///   - change: Makes the changes, and returns their number.
  func edit(
    _ name: String, at selections: [ValuePath], _ verb: String, reading others: [OptionFile] = [],
    _ change: (EditableFile) throws(FerryError) -> Int
  ) throws -> Bool {
    var count = 0
    let isChanged = try edit(name, reading: others) { file throws(FerryError) in count = try change(file) }
    // In a folder, the numbers of files are reported.
    guard !editing.folder.recursive,
      selections.contains(where: \.namesSeveral) || count > selections.count
    else { return isChanged }
    StandardError.write(
      ["\(count.counted("value")) \(editing.dryRun.isDryRun ? "would be " : "")\(verb)"], of: name)
    return isChanged
  }

  /// Opens a file, changes it and writes it as a whole, or not at all. Returns true if it has changed.
  ///
  /// - Parameter others: The other files that the command reads, apart from those of the options for editing.
  func edit(
    _ name: String, reading others: [OptionFile] = [], _ change: (EditableFile) throws(FerryError) -> Void
  ) throws -> Bool {
    let isDryRun = editing.dryRun.isDryRun
    let output = try EditOutput(
      of: name, editing.destination, types, from: input.format,
      reading: others + filesOfOptions, budget: limits.budget)
    // The edit begins before the file is read, so that it detects every conflicting write after that.
    let inPlaceEdit = isDryRun ? nil : try output.begin(.locking)
    var xml = XMLReadingOptions()
    xml.entities = try editing.entities.load()
    xml.prefixes = NamespaceOptions.prefixes(of: namespaceBindings)
    xml.refusesOtherFormats = !editing.folder.recursive
    let file = try open(
      name, encoding: editing.encoding.name, csv: editing.csv.reading, xml: xml,
      changesAliases: editing.aliases.changesAliases)
    try output.check(file.format)
    try checkKind(of: file)
    let losses = LossReport()
    let bytes = try warning(of: file, named: name) { () throws(NamedError) in
      try NamedError.naming(name) { () throws(FerryError) in
        try change(file)
        return try file.contents(losses: losses)
      }
    }
    let notes = try output.check(bytes, of: file.stored.contents)
    if isDryRun {
      try output.checkWriting()
    } else {
      try output.write(bytes, as: file.stored, in: inPlaceEdit)
    }
    let copies = file.changedCopies
    if copies > 0 {
      let verb = isDryRun ? "would change" : "changed"
      StandardError.write(
        ["\(copies.counted("other value")) \(verb), too, through aliases or merge keys"], of: name)
    }
    StandardError.write(notes, of: name)
    StandardError.write(losses.all, of: name)
    return bytes != file.stored.contents
  }
}
