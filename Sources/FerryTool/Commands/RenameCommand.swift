import ArgumentParser
import Ferry

/// `ferry rename`: renames classes and keys in archives.
struct RenameCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "rename",
    abstract: "Rename classes and keys in archives, also in archives in their data.",
    discussion: """
      Changes files in place, unless --out-dir is given. Everything else in a file keeps its bytes. --dry-run lists the \
      changes and writes nothing. In a package, renames in the file with its records. In a folder, skips files that are not \
      property lists. Names with an equals sign, a bracket or a quote are written in quotes, as in paths.

        ferry rename *.pplgrp --class Person=MyApp.Person --dry-run
        ferry rename *.archive --key Person.first=firstName
        ferry rename *.archive --key 'Person["home.city"]="home town"'
      """)

  @Argument(
    help:
      "The archives, packages or folders; - reads the standard input and writes the standard output.",
    completion: .file())
  var files: [String]

  @Option(
    name: .customLong("class"), parsing: .singleValue,
    help: ArgumentHelp("Rename a class, as in Person=MyApp.Person.", valueName: "old=new"),
    transform: ClassName.init(parsing:))
  var classes: [ClassName] = []

  @Option(
    name: .customLong("key"), parsing: .singleValue,
    help: ArgumentHelp(
      "Rename a key of the objects of a class, as in Person.first=firstName.", valueName: "class.old=new"),
    transform: KeyName.init(parsing:))
  var keys: [KeyName] = []

  @Flag(name: [.customShort("n"), .customLong("dry-run")], help: "List the changes and write nothing.")
  var isDryRun = false

  @Option(
    name: .customLong("out-dir"),
    help: ArgumentHelp("Write the changed files to this folder.", valueName: "folder"))
  var folder: String?

  @Flag(name: .long, help: "Overwrite existing files, and write documents that are no longer of their type.")
  var force = false

  @OptionGroup var documents: TypeOptions

  @OptionGroup(title: "Limits for untrusted input")
  var budget: BudgetOptions

  func validate() throws {
    guard !classes.isEmpty || !keys.isEmpty else {
      throw ValidationError("nothing to rename: add --class Old=New or --key Class.old=new")
    }
    guard folder == nil || !files.contains("-") else {
      throw ValidationError("--out-dir cannot be used with the standard input, which has no name")
    }
    try rules.check()
  }

  private var rules: RenamingRules { RenamingRules(classes: classes, keys: keys) }

  func run() async throws {
    let renaming = rules.renaming(budget.budget)
    var names = ArchiveRenaming.Names()
    let types = try documents.load()
    var count = RenamedFiles()
    var isPipeClosed = false
    func trying(_ body: () throws(NamedError) -> Void) {
      do throws(NamedError) {
        try body()
      } catch {
        guard error.failure.reason != .file(.brokenPipe) else {
          isPipeClosed = true
          return
        }
        StandardError.write(error.line)
        count.failed += 1
      }
    }
    for name in files {
      trying { () throws(NamedError) in
        for file in try RenameTarget.all(of: name, types) {
          trying { () throws(NamedError) in
            try count.add(file) { () throws(NamedError) in try rename(file, renaming, types, &names) }
          }
        }
      }
    }
    if count.hasSeveral || isDryRun, !isPipeClosed { StandardError.write(count.summary(isDryRun: isDryRun)) }
    // A file that could not be read may have the names.
    guard count.failed == 0 else { throw ExitCode.failure }
    for sentence in rules.unmatched(in: names) where !isPipeClosed { StandardError.write(sentence) }
  }

  private func rename(
    _ input: RenameTarget, _ renaming: ArchiveRenaming, _ types: DocumentTypes,
    _ names: inout ArchiveRenaming.Names
  ) throws(NamedError) -> Bool {
    let file = input.file
    let name = (input.package ?? file).split(separator: "/").last ?? ""
    let target = folder.map { "\($0)/\(name)" } ?? file
    let isInPlace = !isDryRun && (folder == nil || force && Folder.isSame(input.package ?? file, target))
    let (edit, original, outcome) = try NamedError.naming(file) { () throws(FerryError) in
      let edit = isInPlace ? try InPlaceEdit(of: file, among: types) : nil
      let original = try FileInput(path: file).readAll()
      return (edit, original, try renaming.apply(to: original))
    }
    names.formUnion(outcome.names)
    guard !outcome.changes.isEmpty || file == "-" && !isDryRun else { return false }
    if !force {
      let written = input.package == nil ? target : file
      try NamedError.naming(file) { () throws(FerryError) in
        try types.checkEdit(to: outcome.bytes, at: written, of: (file, original))
      }
    }
    guard !isDryRun else {
      try list(outcome.changes, of: file)
      return true
    }
    if let folder { try NamedError.naming(folder) { () throws(FerryError) in try Folder.make(folder) } }
    if !isInPlace, let package = input.package {
      try PackageCopy(of: package, main: file).write(outcome.bytes, to: target, replacing: force)
      return true
    }
    try NamedOutput.put(
      outcome.bytes, at: isInPlace ? file : target, replacing: folder == nil || force, in: edit)
    return !outcome.changes.isEmpty
  }

  /// Prints the changes of a file.
  private func list(_ changes: [ArchiveRenaming.Change: Int], of file: String) throws(NamedError) {
    for (change, count) in changes.sorted(by: { $0.key.description < $1.key.description }) {
      let line = "\(file): \(change)\(count > 1 ? " ×\(count)" : "")".withoutControls + "\n"
      try NamedOutput.put(Array(line.utf8), at: "-", replacing: true)
    }
  }
}
