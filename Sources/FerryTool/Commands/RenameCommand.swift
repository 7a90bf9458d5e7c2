import ArgumentParser
import Ferry

/// `ferry rename`: renames classes and keys in archives.
struct RenameCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "rename",
    abstract: "Rename classes and keys in archives, also in archives in their data, and columns of tables.",
    usage: "ferry rename [<options>] [<files or folders> ...]",
    discussion: """
      Changes files in place, unless --out-dir is given. Every other value keeps its bytes, and renaming back restores the \
      archive, unless a name also occurs elsewhere in it. --dry-run lists the \
      changes and writes nothing. In a package, also in a ZIP archive, changes the file with its records. In a folder, skips files that are not \
      property lists, or tables if a rule has no class. Of CSV and TSV, only the header changes; --from csv reads files without their extension, and \
      the standard input, as tables. If no file has the old name of a rule, the exit status is 1, and the other rules are carried out. Names with an \
      equals sign, a bracket or a quote are written in quotes, as in paths.

        ferry rename *.pplgrp --class Person=MyApp.Person --dry-run
        ferry rename *.archive --key Person.first=firstName
        ferry rename *.archive --key 'Person["home.city"]="home town"'
        ferry rename people.csv --key name=fullName
        ferry rename - --from csv --key name=fullName < people.csv
      """)

  @Argument(
    help:
      "The archives, packages or folders; - reads the standard input and writes the standard output.",
    completion: .file())
  var files: [FileNames] = []

  @OptionGroup var list: FileListOptions
  @OptionGroup var input: InputOptions
  @OptionGroup var classNames: ClassNameOptions

  @Option(
    name: .customLong("key"), parsing: .singleValue,
    help: ArgumentHelp(
      "Rename a key of the objects of a class and its subclasses, as in Person.first=firstName, or a column of tables, as in name=title.",
      valueName: "class.old=new"),
    transform: KeyName.init(parsing:))
  var keys: [KeyName] = []

  @Flag(name: [.customShort("n"), .customLong("dry-run")], help: "List the changes and write nothing.")
  var isDryRun = false

  @OptionGroup var folder: FolderOptions

  @Flag(
    name: .long,
    help: """
      Overwrite existing files, and write documents that are no longer of their type, and objects that do not fit their new \
      names.
      """)
  var force = false

  @OptionGroup var types: TypeOptions
  @OptionGroup var encoding: EncodingOptions
  @OptionGroup(title: CSVOptions.title) var csv: CSVTextOptions
  @OptionGroup var errorOutput: ErrorOptions
  @OptionGroup(title: BudgetOptions.title) var limits: BudgetOptions

  /// Advice about a file with two other arguments, which are probably paths.
  private var moveAdvice: String {
    let names = files.names
    guard names.count == 3, !names.dropFirst().contains(where: Folder.hasSomething) else { return "" }
    return " (to rename a key at a path: \(MissingCommand.line("move", names)))"
  }

  func validate() throws {
    try types.checkOnlyFile()
    guard !classNames.rules.isEmpty || !keys.isEmpty else {
      throw ValidationError("nothing to rename: add --class Old=New or --key Class.old=new\(moveAdvice)")
    }
    guard !files.isEmpty || !list.paths.isEmpty else {
      throw ValidationError("nothing to rename in: name the files, or - for the standard input")
    }
    try check(files.names)
    try rules.check()
    try checkFormat()
    guard hasRuleOfTable || !csv.isGiven && encoding.name == nil else {
      throw ValidationError(
        "--delimiter, --quote, --skip-initial-space, --skip-rows, --ragged and --encoding need --key OLD=NEW, which renames a "
          + "column of a table")
    }
    if let rule = rules.firstOfColumn, !mayHaveTables {
      let advice =
        input.format == nil
        ? "; --from csv reads any input as a table, and \"ferry move\" renames a key of other files" : ""
      throw ValidationError(
        "--key \(rule.text): \(KeyName.expectation) (only columns of CSV and TSV have no class\(advice))")
    }
  }

  /// Throws if the given format has no names to rename, or none that a rule renames.
  private func checkFormat() throws(ValidationError) {
    guard let format = input.format else { return }
    guard isOfTables(format) || ArchiveRenaming.takes(format) else {
      throw ValidationError(
        "--from \(format.rawValue) cannot be used with rename, which changes property lists, keyed archives, CSV and "
          + "TSV")
    }
    guard !isOfTables(format) || hasRuleOfTable else {
      throw ValidationError(
        "--from \(format.rawValue) needs --key OLD=NEW, which renames a column of a table")
    }
  }

  private func isOfTables(_ format: Format) -> Bool { ColumnRenaming.takes(format) }

  /// True if a rule may rename a column, and the given format, if there is one, is that of tables.
  private var hasRuleOfTable: Bool { !rules.columns.isEmpty && input.format.map(isOfTables) ?? true }

  /// True if an input may be a table: by the given format, or by its name.
  private var mayHaveTables: Bool {
    if let format = input.format { return isOfTables(format) }
    return !list.paths.isEmpty || files.names.contains { Folder.isFolder($0) || tableFormat(of: $0) != nil }
  }

  /// Returns the format of a table, which is given or that of the name of the file; nil for other files. The standard input has no name, and
  /// is a table if an option for tables is given.
  private func tableFormat(of file: String) -> Format? {
    let shown = file == "-" && csv.isGiven ? .csv : Format.ofFile(named: Compression.nameInside(file))
    let format = input.format ?? shown
    return format.flatMap { isOfTables($0) ? $0 : nil }
  }

  /// Returns the given encoding for a table; nil for other files.
  private func encodingOfTable(_ file: String) -> String? {
    tableFormat(of: file) == nil ? nil : encoding.name
  }

  private func check(_ names: [String]) throws {
    guard folder.path == nil || !names.contains("-") else {
      throw ValidationError("--out-dir cannot be used with the standard input, which has no name")
    }
  }

  private var rules: RenamingRules { RenamingRules(classes: classNames.rules, keys: keys) }

  func run() throws {
    let errors = RunErrors()
    let types = try types.load()
    let files = try list.names(after: files.names, types, errors)
    try check(files)
    var renaming = rules.renaming(limits.budget)
    renaming.acceptsUnfitObjects = force
    let targets = RenameTarget.all(named: files, types, errors, leavingOut: folder.path)
    guard !targets.isEmpty else {
      if errors.all.isEmpty { errors.writeNoInputs("no files to rename in") }
      return try errors.finish()
    }
    let claims = OutputClaims(
      inputs: targets.map(\.name), options: list.files + self.types.optionFiles,
      isInPlace: folder.path == nil)
    try claims.checkIsOutside(folder: folder.path)
    var count = RenamedFiles(skipsOthers: input.format == nil)
    var run = Run(renaming: renaming, types: types, claims: claims)
    for target in targets {
      errors.collect { () throws(NamedError) in
        try count.add(target) { () throws(NamedError) in
          try rename(target, in: &run)
        }
      }
    }
    if !errors.isPipeClosed { run.messages.summarize() }
    let links = errors.skippedLinks
    if count.hasSeveral || isDryRun || links != nil, !errors.isPipeClosed {
      StandardError.write(count.summary(isDryRun: isDryRun, failed: errors.all.count, links: links))
    }
    // A name without a match is reported only if all files were read, because a failed file may have the
    // name.
    try errors.finish()
    let unmatched = rules.unmatched(in: run.names)
    for sentence in unmatched { StandardError.write(sentence) }
    guard unmatched.isEmpty else { throw ExitCode.failure }
  }

  /// The renaming in all files, and what they have so far.
  private struct Run {
    let renaming: ArchiveRenaming
    let types: DocumentTypes
    let claims: OutputClaims
    var names = RenamingRules.FoundNames()
    var messages = RepeatedMessages()
  }

  /// A file with new names.
  private struct Renamed {
    let bytes: [UInt8]
    /// The changes in words, each with the number of its occurrences.
    let changes: [(words: String, count: Int)]
    /// The losses of an archive.
    var losses: Losses?
  }

  /// Returns true for a table whose columns are renamed. In a folder, a table is a file of another kind unless its format is given, or a rule is for
  /// tables alone.
  private func isTakenAsTable(_ target: RenameTarget) -> Bool {
    !target.found.isInFolder || input.format != nil || rules.firstOfColumn != nil
  }

  private func renamed(
    _ stored: EncodedFile, of target: RenameTarget, in run: inout Run
  ) throws(FerryError) -> Renamed {
    let columns = rules.columns
    if !columns.isEmpty, isTakenAsTable(target), let format = tableFormat(of: target.file) {
      let outcome = try ColumnRenaming(columns, csv: csv.reading, budget: limits.budget).apply(
        to: stored.contents, of: format)
      run.names.columns += outcome.names
      return Renamed(
        bytes: outcome.text,
        changes: outcome.changes.map { ("column \($0.old) → \($0.new)", 1) })
    }
    let outcome: ArchiveRenaming.Outcome
    do throws(FerryError) {
      outcome = try run.renaming.apply(to: stored.contents, of: input.format)
    } catch {
      guard error.reason == .archive(.notAPropertyList), rules.areOfColumns, !target.found.isInFolder else {
        throw error
      }
      throw FerryError(.csv(.notATable))
    }
    run.names.archives.formUnion(outcome.names)
    run.names.hasPropertyLists = true
    let changes = outcome.changes.map { (words: $0.key.description, count: $0.value) }
    return Renamed(
      bytes: outcome.bytes, changes: changes.sorted { $0.words < $1.words }, losses: outcome.losses)
  }

  private func rename(
    _ target: RenameTarget, in run: inout Run
  ) throws(NamedError) -> Bool {
    let file = target.file
    let name = target.name.namesInPath.last ?? ""
    let outputFolder = folder.path.map(target.found.outputFolder(in:))
    let output = outputFolder.map { "\($0)/\(name)" } ?? file
    let isInPlace = !isDryRun && file != "-" && folder.path == nil
    let (edit, zipped, stored, outcome) = try NamedError.naming(file) { () throws(FerryError) in
      let edit = isInPlace ? try InPlaceEdit(of: file, among: run.types) : nil
      let zipped = run.types.zippedPackage(at: file, from: input.format, budget: limits.budget)
      let stored = try run.types.storedValues(
        of: file, in: zipped, from: input.format, encoding: encodingOfTable(file), budget: limits.budget
      ).file
      return (edit, zipped, stored, try renamed(stored, of: target, in: &run))
    }
    guard !outcome.changes.isEmpty || file == "-" && !isDryRun else { return false }
    if file != "-" { try run.claims.claim(output, for: target.name) }
    let written = target.isPackage ? file : output
    let records =
      if let zipped {
        EditedRecords(outcome.bytes, in: zipped, of: stored.contents)
      } else {
        EditedRecords(outcome.bytes, at: written, of: (file, stored.contents), among: run.types)
      }
    // The rules say which classes the document gets.
    try records.check(named: file, isForced: force, isCopy: false)
    let notes = records.notes
    if isDryRun {
      if file != "-" { try checkWriting(output, in: outputFolder, isPackage: target.isPackage) }
      try NamedError.naming(file) { () throws(FerryError) in try stored.checkSignature(of: outcome.bytes) }
      try list(outcome.changes, of: file)
    } else {
      if let outputFolder {
        try NamedError.naming(outputFolder) { () throws(FerryError) in try Folder.make(outputFolder) }
      }
      let bytes = try NamedError.naming(file) { () throws(FerryError) in
        try stored.bytes(with: outcome.bytes)
      }
      if outputFolder != nil, target.isPackage {
        try PackageCopy(of: target.name, main: file).write(bytes, to: output, replacing: force)
      } else {
        try NamedOutput.put(stored: bytes, at: output, replacing: outputFolder == nil || force, in: edit)
      }
    }
    run.messages.write(notes, of: target.name)
    if let losses = outcome.losses { run.messages.write(losses, of: file) }
    return !outcome.changes.isEmpty
  }

  /// Throws if a file could not be written. Writes nothing.
  ///
  /// - Parameters:
  ///   - target: The file or the package.
  ///   - outputFolder: The folder of the output; nil for a file that is changed in place.
  ///   - isPackage: True if the file holds the records of a package.
  private func checkWriting(
    _ target: String, in outputFolder: String?, isPackage: Bool
  ) throws(NamedError) {
    if let outputFolder {
      try NamedError.naming(outputFolder) { () throws(FerryError) in try Folder.checkMaking(outputFolder) }
      guard Folder.isFolder(outputFolder) else { return }
    }
    try NamedError.naming(output: target) { () throws(FerryError) in
      if outputFolder != nil, isPackage {
        try DocumentPackage.check(target, replacing: force)
      } else {
        try FileOutput.check(target, replacing: outputFolder == nil || force)
      }
    }
  }

  /// Prints the changes of a file.
  private func list(_ changes: [(words: String, count: Int)], of file: String) throws(NamedError) {
    for (change, count) in changes {
      try NamedOutput.print("\(file): \(change)\(count > 1 ? " ×\(count)" : "")".withoutInvisibles + "\n")
    }
  }
}
