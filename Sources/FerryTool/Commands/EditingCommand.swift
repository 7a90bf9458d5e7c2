import ArgumentParser
import Ferry

/// A command that changes values of a file: `set`, `insert`, `remove`, `move`, `copy` and `patch`.
protocol EditingCommand: PathCommand {
  var editing: EditingOptions { get }
  /// The words after the numbers of files in a folder that the command does not change.
  static var folderWords: FolderRun.Words { get }
  /// The namespaces of prefixes in XPaths.
  var namespaceBindings: [NamespaceBinding] { get }
}

extension EditingCommand {
  static var folderWords: FolderRun.Words { FolderRun.Words() }
  /// `patch` takes no XPaths.
  var namespaceBindings: [NamespaceBinding] { [] }

  var input: InputOptions { editing.input }
  var paths: PathOptions { editing.paths }
  var lenient: LenientOptions { editing.lenient }
  var classes: CatalogOptions { editing.classes }
  var types: TypeOptions { editing.types }
  var limits: BudgetOptions { editing.limits }

  /// Calls a function with the file; with `-r` or a list, with each of the files.
  ///
  /// - Parameters:
  ///   - others: The other files that the command reads, apart from those of the options for editing. They are not changed.
  ///   - edit: Edits a file, and returns true if it has changed. Its notes are written once, with the number of the other files that have
  ///     them.
  func forEachFile(
    _ name: String, reading others: [OptionFile] = [],
    _ edit: (FoundInput, inout RepeatedMessages) throws -> Bool
  ) throws {
    var messages = RepeatedMessages(limit: 1)
    let (files, types) = (editing.folder, try types.load())
    guard files.areSeveral else {
      _ = try edit(FoundInput(named: name, among: types), &messages)
      return
    }
    var options = givenReading
    (options.budget, options.declaredFormats) = (limits.budget, types.declaredFormats)
    let others = others + filesOfOptions + self.types.optionFiles + files.list.files
    var run = FolderRun(files, Self.folderWords, isDryRun: editing.dryRun.isDryRun)
    let reading = FittedReading(ofAnyFormat: options)
    let inputs = try files.inputs(in: name, types, run.errors)
    run.didList()
    guard !inputs.contains(where: { $0.path == "-" }) else {
      throw ValidationError("a name in the list is -, the standard input, which cannot be changed in place")
    }
    // A file that is in a list twice, as git lists one with conflicts, changes once.
    var locations = Set<Folder.Location>()
    for input in inputs where !others.contains(where: { RunOutputs.isSame(input.path, $0.path) }) {
      if files.list.isGiven, let location = Folder.location(of: input.path),
        !locations.insert(location).inserted
      {
        continue
      }
      try run.add(input, reading.options(for: input)) { try edit(input, &messages) ? .done : .unchanged }
    }
    messages.summarize()
    try run.finish()
  }

  /// The given options for reading the contents of files.
  private var givenReading: ReadingOptions {
    var options = ReadingOptions()
    (options.format, options.encoding, options.csv) = (
      input.format, editing.encoding.name, editing.csv.reading
    )
    return options
  }

  /// Throws if the file is a ZIP archive of several files that is found in a folder, because a new key would add a file to it. `--include`
  /// allows it.
  private func checkKind(of file: EditableFile, _ input: FoundInput) throws(FolderRun.LeftOutFile) {
    guard input.isInFolder, editing.folder.patterns.included.isEmpty, file.format.isArchiveOfFiles
    else { return }
    throw FolderRun.LeftOutFile(
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
    _ input: FoundInput, at selections: [ValuePath], _ verb: String, reading others: [OptionFile] = [],
    _ change: (EditableFile) throws(FerryError) -> Int
  ) throws -> Bool {
    var count = 0
    let isChanged = try edit(input, reading: others) { file throws(FerryError) in count = try change(file) }
    // Of several files, their numbers are reported.
    guard !editing.folder.areSeveral,
      selections.contains(where: \.namesSeveral) || count > selections.count
    else { return isChanged }
    StandardError.write(
      ["\(count.counted("value")) \(editing.dryRun.isDryRun ? "would be " : "")\(verb)"],
      of: input.path)
    return isChanged
  }

  /// Opens a file, changes it and writes it as a whole, or not at all. Returns true if it has changed.
  ///
  /// - Parameter others: The other files that the command reads, apart from those of the options for editing.
  func edit(
    _ input: FoundInput, reading others: [OptionFile] = [],
    _ change: (EditableFile) throws(FerryError) -> Void
  ) throws -> Bool {
    let (name, isDryRun) = (input.path, editing.dryRun.isDryRun)
    let output = try EditOutput(
      of: name, editing.destination, types, from: self.input.format,
      reading: others + filesOfOptions, budget: limits.budget)
    // The edit begins before the file is read, so that it detects every conflicting write after that.
    let inPlaceEdit = isDryRun ? nil : try output.begin(.locking)
    var xml = XMLReadingOptions()
    xml.entities = try editing.entities.load()
    xml.prefixes = NamespaceOptions.prefixes(of: namespaceBindings)
    xml.refusesOtherFormats = !editing.folder.areSeveral
    var reading = givenReading
    if editing.folder.areSeveral { FittedReading(ofAnyFormat: reading).fit(&reading, to: input) }
    let file = try open(
      name, encoding: reading.encoding, csv: reading.csv, xml: xml,
      changesAliases: editing.aliases.changesAliases)
    try output.check(file.format)
    try checkKind(of: file, input)
    let losses = LossReport()
    let bytes = try warning(of: file, named: name) { () throws(NamedError) in
      try NamedError.naming(name) { () throws(FerryError) in
        try change(file)
        return try file.contents(losses: losses)
      }
    }
    let notes = try output.check(bytes, of: file.stored.contents)
    if isDryRun {
      _ = try output.encoded(bytes, as: file.stored)
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
    StandardError.write(InsertionNote.onIndexKeys(file.indexKeys), of: name)
    StandardError.write(losses.all, of: name)
    return bytes != file.stored.contents
  }
}
