import ArgumentParser
import Ferry

/// `ferry rename`: renames classes and keys in archives.
struct RenameCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "rename",
    abstract: "Rename classes and keys in archives, also in archives in their data.",
    discussion: """
      Changes files in place, unless --out-dir is given. Everything else in a file keeps its bytes. --dry-run lists the \
      changes and writes nothing. In a package, changes the file with its records.

        ferry rename *.pplgrp --class Person=MyApp.Person --dry-run
        ferry rename *.pplgrp --key Person.first=firstName
        ferry rename *.archive --key 'Person["home.city"]=city'
      """)

  @Argument(
    help:
      "The archives, packages or folders; - reads the standard input and writes the standard output.",
    completion: .file())
  var files: [String]

  @OptionGroup var classNames: ClassNameOptions

  @Option(
    name: .customLong("key"), parsing: .singleValue,
    help: ArgumentHelp(
      "Rename a key of the objects of a class, as in Person.first=firstName.", valueName: "class.old=new"))
  var keys: [KeyName] = []

  @Flag(name: [.customShort("n"), .customLong("dry-run")], help: "List the changes and write nothing.")
  var isDryRun = false

  @OptionGroup var folder: FolderOptions
  @OptionGroup var overwriting: OverwriteOptions
  @OptionGroup var types: TypeOptions
  @OptionGroup(title: BudgetOptions.title) var limits: BudgetOptions

  func validate() throws {
    guard !classNames.rules.isEmpty || !keys.isEmpty else {
      throw ValidationError("nothing to rename: add --class Old=New or --key Class.old=new")
    }
    guard folder.path == nil || !files.contains("-") else {
      throw ValidationError("--out-dir cannot be used with the standard input, which has no name")
    }
    try rules.check()
  }

  private var rules: RenamingRules { RenamingRules(classes: classNames.rules, keys: keys) }

  func run() async throws {
    let renaming = rules.renaming(limits.budget)
    var names = ArchiveRenaming.Names()
    let types = try types.load()
    let errors = RunErrors()
    var targets: [Target] = []
    for name in files {
      errors.collect { () throws(NamedError) in targets += try Self.targets(in: name, types) }
    }
    var changed = 0
    for target in targets {
      errors.collect { () throws(NamedError) in
        if try rename(target, renaming, types, &names) { changed += 1 }
      }
    }
    if targets.count > 1 || isDryRun, !errors.isPipeClosed {
      let verb = isDryRun ? "would change" : "changed"
      let failed = errors.all.isEmpty ? "" : ", \(errors.all.count) failed"
      StandardError.write("\(changed) of \(targets.count) \(verb)\(failed)")
    }
    // A name without a match is reported only if all files were read, because a failed file may have the
    // name.
    try errors.finish()
    for sentence in rules.unmatched(in: names) where !errors.isPipeClosed { StandardError.write(sentence) }
  }

  /// A file to rename in.
  private struct Target {
    let file: String
    /// The path of the package whose records are in the file; nil for other files.
    var package: String?
  }

  /// Returns the targets for an argument: the file, the file with the records of a package, or such files in
  /// a folder.
  private static func targets(in name: String, _ types: DocumentTypes) throws(NamedError) -> [Target] {
    try NamedError.naming(name) { () throws(FerryError) in
      guard Folder.isFolder(name) else { return [Target(file: name)] }
      if types.type(ofFile: name)?.isPackage == true {
        return [Target(file: try types.mainFile(of: name), package: name)]
      }
      return try Folder.files(under: name).compactMap { target($0, in: name, types) }
    }
  }

  /// Returns the target of a file in a folder; nil for a file of a package that does not hold its records.
  private static func target(_ file: String, in folder: String, _ types: DocumentTypes) -> Target? {
    let names = file.dropFirst(folder.count).split(separator: "/")
    for (index, name) in names.dropLast().enumerated() {
      guard case .package(let main, _, _)? = types.type(ofFile: String(name))?.layout else { continue }
      let inside = names.dropFirst(index + 1).joined(separator: "/")
      guard inside.equals(main) else { return nil }
      return Target(file: file, package: String(file.dropLast(inside.count + 1)))
    }
    return Target(file: file)
  }

  private func rename(
    _ input: Target, _ renaming: ArchiveRenaming, _ types: DocumentTypes,
    _ names: inout ArchiveRenaming.Names
  ) throws(NamedError) -> Bool {
    let file = input.file
    let name = (input.package ?? file).split(separator: "/").last ?? ""
    let target = folder.path.map { "\($0)/\(name)" } ?? file
    let isInPlace =
      !isDryRun && (folder.path == nil || overwriting.force && Folder.isSame(input.package ?? file, target))
    let (edit, outcome) = try NamedError.naming(file) { () throws(FerryError) in
      let edit = isInPlace ? try InPlaceEdit(of: file, among: types) : nil
      let original = try FileInput(path: file).readAll()
      return (edit, try renaming.apply(to: original))
    }
    let changes = outcome.changes
    names.formUnion(outcome.names)
    guard !changes.isEmpty || file == "-" && !isDryRun else { return false }
    if isDryRun {
      for (change, count) in changes.sorted(by: { $0.key.description < $1.key.description }) {
        try NamedOutput.print("\(file): \(change)\(count > 1 ? " ×\(count)" : "")".withoutControls + "\n")
      }
      return true
    }
    if let folder = folder.path {
      try NamedError.naming(folder) { () throws(FerryError) in try Folder.make(folder) }
    }
    if !isInPlace, let package = input.package {
      try PackageCopy(of: package, main: file).write(outcome.bytes, to: target, replacing: overwriting.force)
      return true
    }
    try NamedOutput.put(
      outcome.bytes, at: isInPlace ? file : target, replacing: folder.path == nil || overwriting.force,
      in: edit)
    return !changes.isEmpty
  }
}
