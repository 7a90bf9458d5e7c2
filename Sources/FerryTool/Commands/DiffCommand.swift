import ArgumentParser
import Ferry

/// `ferry diff`: compares two files by their values.
struct DiffCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "diff",
    abstract: "Compare two files or folders by their values, also in different formats.",
    discussion: """
      Prints a line for each difference, with the path of the value: - removed, + added, ~ changed, > moved or renamed. The order of \
      keys, object numbers and layout do not matter. Files of different formats are compared in the one that \
      holds less.

        ferry diff old.pplgrp new.pplgrp
        ferry diff folks.xml people.pplgrp             a file and its conversion
        ferry diff old.json new.json --key email       records by a field
        ferry diff old.json new.json --ignore updated  without this key
        ferry diff old.json new.json --ignore-order    lists in any order
        ferry diff old.json new.json --html -o a.html  a page with both
        ferry diff old.json new.json --json -o p.json  a patch, for ferry patch
        ferry diff old.plist new.plist --expand        also the files in data
        ferry diff backup documents                    the files of two folders

      Files of two folders are compared if they have the same path: by their values if Ferry reads them, otherwise by their bytes. \
      With folders, --json prints an object a line for each file that differs.

      As git's external diff, with "*.plist diff=ferry" in .gitattributes (see Documentation/Diff.md):

        git config diff.ferry.command "ferry diff --git --"

      The exit status is 0 if there are no differences, 1 if there are some, 2 if a file cannot be compared, and 64 \
      if the command line is wrong.
      """)

  @Argument(help: "The two files, packages or folders; - reads the standard input.", completion: .file())
  var files: [String] = []

  @OptionGroup var recordKey: RecordKeyOptions
  @OptionGroup var ignoring: IgnoreOptions

  @Flag(name: [.customShort("y"), .customLong("wide")], help: "Print both versions of a value side by side.")
  var isWide = false

  @Flag(name: .long, help: "Print a JSON patch (RFC 6902), which turns the first file into the second.")
  var json = false

  @Flag(name: .long, help: "Run as git's external diff, with its seven arguments, of any names, after --.")
  var git = false

  @OptionGroup var page: PageOptions
  @OptionGroup var patterns: PatternOptions
  @OptionGroup var habit: RecursionHabit
  @OptionGroup var input: InputOptions
  @OptionGroup var encoding: EncodingOptions
  @OptionGroup var schema: SchemaOptions
  @OptionGroup var expansion: ExpansionOptions
  @OptionGroup var types: TypeOptions
  @OptionGroup var color: ColorOptions
  @OptionGroup var quiet: QuietOptions
  @OptionGroup var errorOutput: ErrorOptions
  @OptionGroup(title: XMLOptions.title) var xml: XMLOptions
  @OptionGroup(title: CSVOptions.title) var csv: CSVOptions
  @OptionGroup(title: BudgetOptions.title) var limits: BudgetOptions

  func validate() throws {
    try ProcessArguments.current.validate(except: files)
    guard git || files.count == 2 else { throw ValidationError("give two files to compare") }
    // Git passes the path alone if the file is not merged.
    guard !git || [1, 7, 9].contains(files.count) else {
      throw ValidationError("--git is for git, which gives the path, and each version with its hash and mode")
    }
    guard git || files != ["-", "-"] else {
      throw ValidationError("only one of the files can be the standard input")
    }
    guard !json || !git else { throw ValidationError("--json and --git cannot be used together") }
    guard !page.html || !json && !isWide && !git else {
      throw ValidationError("--html cannot be used with --json, --wide or --git")
    }
    guard !json || !quiet.isQuiet else {
      throw ValidationError("--json and --quiet cannot be used together")
    }
    guard !page.html || !quiet.isQuiet else {
      throw ValidationError("--html and --quiet cannot be used together")
    }
    guard page.output.file == nil || !quiet.isQuiet && !git else {
      throw ValidationError("--output cannot be used with --quiet or --git")
    }
    guard page.output.file != nil || !page.overwriting.force else {
      throw ValidationError("--force needs --output")
    }
    guard !isWide || !json else { throw ValidationError("--wide and --json cannot be used together") }
    guard !ignoring.order || xml.order != true else {
      throw ValidationError("--order and --ignore-order cannot be used together")
    }
    if let field = recordKey.field, try ignoring.differences().values.contains(.key(field)) {
      throw ValidationError("--ignore leaves out \(MessageText.quoted(field)), the field of --key")
    }
  }

  func run() throws { try ExitCode.reportingTrouble(compare) }

  private func compare() throws {
    let types = try types.load()
    let comparison = try comparison(types)
    guard !git else { return try runForGit(comparison, types) }
    guard !files.allSatisfy({ FoundInput.isFolder($0, types) }) else {
      return try compareFolders(files[0], files[1], comparison, types)
    }
    guard patterns.included.isEmpty, patterns.excluded.isEmpty else {
      throw ValidationError("--include and --exclude are for two folders")
    }
    let errors = RunErrors()
    var isSame = true
    errors.collect { () throws(NamedError) in
      try checkFileBesideFolder(types)
      let names = versions.map { [$0.old, $0.new] } ?? []
      let found = try ProgressLine.showing(of: names, work: "comparing", isHidden: quiet.isQuiet) {
        progress throws(NamedError) in try compare(comparison, types, progress)
      }
      guard let found else { return }
      isSame = found.isSame
      reportUnusedKey(of: found)
      if !quiet.isQuiet, !expansion.expandsData {
        IgnoreOptions.lines(aboutUnused: found.compared.unusedIgnoredValues).forEach(StandardError.write)
      }
      try print(found)
    }
    try errors.finish(.trouble)
    guard isSame else { throw ExitCode.failure }
  }

  /// Throws if the file beside a folder does not exist, which is more to the point than what the folder is not.
  private func checkFileBesideFolder(_ types: DocumentTypes) throws(NamedError) {
    guard files.contains(where: { FoundInput.isFolder($0, types) }) else { return }
    for name in files where name != "-" && !Folder.isFolder(name) {
      _ = try NamedError.naming(name) { () throws(FerryError) in try FileInput(path: name) }
    }
  }

  /// Reports a field of records that has no effect, which may have a mistake.
  private func reportUnusedKey(of found: Found) {
    guard found.differences.isKeyUnused else { return }
    reportUnusedKey()
  }

  func reportUnusedKey() {
    guard let field = recordKey.field, !quiet.isQuiet else { return }
    StandardError.write(
      "--key \(MessageText.quoted(field)) has no effect: in the lists that differ, records lack the field or have equal values"
    )
  }

  /// Prints the differences, or the error of a file among them, because git shows those in a pager, where the standard error would be
  /// missed. The exit status is 0: git ends its whole run at another one, so that later files are not shown.
  private func runForGit(_ comparison: FileComparison, _ types: DocumentTypes) throws {
    guard let versions else { return }
    do throws(NamedError) {
      if let links = try GitLinks(old: versions.old, new: versions.new, modes: (files[3], files[6])) {
        return try print(links, versions, comparison, types)
      }
      if let found = try compare(comparison, types, nil) { try print(found) }
    } catch {
      let isOld = error.name == versions.old && versions.old != versions.new
      let name = isOld ? versions.oldName : versions.newName
      let file = error.error.fileInArchive.map { "\($0):" } ?? ""
      let line =
        "\(name ?? error.name): \(isOld ? "the old version " : "")cannot be compared: \(file)\(error.error.advised)"
      try NamedOutput.print((versions.about ?? "") + line.withoutControls + "\n")
    }
  }

  /// Prints the text of each version that is a link, and the values of a version that is a file: git gives both at once only to
  /// `GIT_EXTERNAL_DIFF`.
  private func print(
    _ links: GitLinks, _ versions: Versions, _ comparison: FileComparison, _ types: DocumentTypes
  ) throws(NamedError) {
    guard !quiet.isQuiet else { return }
    let files = Versions(
      old: links.isOld ? Self.noFile : versions.old, new: links.isNew ? Self.noFile : versions.new,
      oldName: versions.oldName, newName: versions.newName)
    let found = try compare(files, comparison, types, nil)
    let values = text(found.differences.all, found.others, of: versions.shownNames, links: links)
    try write(Array(((versions.about ?? "") + values).utf8), of: versions)
  }

  /// The path that git gives for a version without a file.
  private static let noFile = "/dev/null"

  /// The differences between the two versions.
  struct Found {
    let compared: FileComparison.Outcome
    /// The differences as a JSON patch, if one is asked for.
    var patch: FileComparison.Patch?
    /// The files of packages that differ, apart from those with the values.
    let others: [ChangedFile]
    let versions: Versions

    var differences: ValueDifferences { compared.differences }
    var isSame: Bool { differences.all.isEmpty && others.isEmpty }
  }

  /// Compares the files. Returns nil if there is only one.
  private func compare(
    _ comparison: FileComparison, _ types: DocumentTypes, _ progress: ProgressLine?
  ) throws(NamedError) -> Found? {
    guard let versions else { return nil }
    return try compare(versions, comparison, types, progress)
  }

  /// Compares two files.
  func compare(
    _ versions: Versions, _ comparison: FileComparison, _ types: DocumentTypes, _ progress: ProgressLine?
  ) throws(NamedError) -> Found {
    try RunOutputs.checkReadsNone(of: [versions.old, versions.new], among: types)
    let old = try read(versions.old, as: versions.oldName, types, progress)
    let new = try read(versions.new, as: versions.newName, types, progress)
    do throws(FileComparison.VersionError) {
      let compared = try comparison.compare(old.file, with: new.file)
      reportRepeatedKeys(of: compared, versions)
      return Found(
        compared: compared,
        patch: json ? try comparison.patch(of: compared.differences, from: old.file, to: new.file) : nil,
        others: ChangedFile.all(from: old.others, to: new.others), versions: versions)
    } catch {
      switch error {
      case .old(let error): throw NamedError(name: versions.old, error: error)
      case .new(let error): throw NamedError(name: versions.new, error: error)
      }
    }
  }

  /// Reports keys of which only the last value is compared, as conversions do.
  private func reportRepeatedKeys(of compared: FileComparison.Outcome, _ versions: Versions) {
    guard !quiet.isQuiet else { return }
    let counts = [
      (versions.oldName ?? versions.old, compared.repeatedKeys.old),
      (versions.newName ?? versions.new, compared.repeatedKeys.new),
    ]
    for (name, count) in counts where count > 0 {
      StandardError.writeLosses([(.duplicateKey, count)], of: name)
    }
  }

  /// The files that options name and the command reads.
  var filesOfOptions: [OptionFile] {
    [schema.file].compactMap { $0 } + types.optionFiles + OptionFile.given([("--dtd", xml.entities.dtd)])
  }

  private func print(_ found: Found) throws(NamedError) {
    guard !page.html else { return try writePage(of: found) }
    let isWritten = !found.isSame || json || found.versions.about != nil || page.output.file != nil
    guard !quiet.isQuiet, isWritten else { return }
    if let patch = found.patch {
      // A patch changes values only.
      StandardError.write(
        found.others.map { "the file \($0.name) differs, which is not in the patch" }, of: found.versions.new)
      if let reason = patch.untested, !found.isSame {
        StandardError.write(
          ["the patch is for other programs, and is not tested: \(reason.advised)"], of: found.versions.old)
      }
      return try write(patch.bytes, of: found.versions)
    }
    let versions = found.versions
    guard !found.isSame || versions.about != nil else { return try write([], of: versions) }
    let text = text(found.differences.all, found.others, of: versions.shownNames)
    try write(Array(((versions.about ?? "") + text).utf8), of: versions)
  }

  /// Returns the lines about links, differences and files, after the names of the versions.
  func text(
    _ differences: [ValueDifferences.Difference], _ files: [ChangedFile],
    of names: (old: String, new: String),
    links: GitLinks? = nil
  ) -> String {
    let isFile = page.output.file.map { $0 != "-" } ?? false
    let colors = isFile && color.choice == .auto ? Colors(areShown: false) : color.colors
    let report = DifferenceReport(differences, files, colors: colors)
    let lines = isWide ? report.columns(width: Terminal.width) : report.lines
    return report.header(names.old, names.new) + (links?.lines(colors) ?? "") + lines
  }

  /// Writes the differences to the output.
  private func write(_ bytes: [UInt8], of versions: Versions) throws(NamedError) {
    try page.write(showing: [versions.old, versions.new], filesOfOptions) { output throws(FerryError) in
      try output.write(bytes.span)
    }
  }

  private func writePage(of found: Found) throws(NamedError) {
    let (compared, versions) = (found.compared, found.versions)
    try page.write(showing: [versions.old, versions.new], filesOfOptions) { output throws(FerryError) in
      let names = (StandardError.inputName(versions.old), StandardError.inputName(versions.new))
      var shown = try DifferencePage(compared.differences, from: compared.old, to: compared.new, names: names)
      shown.otherFiles = DifferenceReport([], found.others, colors: Colors(areShown: false)).lines
        .split(separator: "\n").map(String.init)
      try shown.write(to: output)
    }
  }

  /// The two versions to compare.
  struct Versions {
    let old: String
    let new: String
    /// The names that git gives the versions, whose files are temporary.
    var oldName: String?
    var newName: String?
    /// The lines of git about a new or removed file, its mode and its new name.
    var about: String?

    /// The names above the differences.
    var shownNames: (old: String, new: String) {
      (oldName ?? StandardError.inputName(old), newName ?? StandardError.inputName(new))
    }
  }

  /// The two versions. Nil if git has only one.
  private var versions: Versions? {
    guard git else { return Versions(old: files[0], new: files[1]) }
    guard files.count >= 7 else { return nil }
    let isRenamed = files.count == 9
    let about = Self.lines(aboutMode: files[3], files[6]) + (isRenamed ? files[8] : "")
    return Versions(
      old: Self.path(ofGit: files[1]), new: Self.path(ofGit: files[4]), oldName: files[0],
      newName: isRenamed ? files[7] : files[0], about: about.isEmpty ? nil : about)
  }

  /// Returns the path of a file that git names. None is the standard input.
  private static func path(ofGit name: String) -> String { name == "-" ? "./-" : name }

  /// Returns the lines of git for the modes of two versions. A version without a file has the mode `.`.
  private static func lines(aboutMode old: String, _ new: String) -> String {
    switch (old, new) {
    case (".", "."): ""
    case (".", _): "new file mode \(new)\n"
    case (_, "."): "deleted file mode \(old)\n"
    default: old == new ? "" : "old mode \(old)\nnew mode \(new)\n"
    }
  }

  private func comparison(_ documentTypes: DocumentTypes) throws -> FileComparison {
    var comparison = FileComparison()
    comparison.types = documentTypes
    // In XML, the order of elements is that of keys.
    (comparison.ordersKeys, comparison.key) = (xml.order == true, recordKey.field)
    comparison.ignored = try ignoring.differences()
    comparison.reading.format = input.format
    comparison.reading.encoding = encoding.name
    comparison.reading.schema = try schema.load()
    comparison.reading.matchesSchemas = schema.matches
    (comparison.reading.xml, comparison.reading.csv) = (try xml.load(types: types.notation), csv.reading)
    comparison.reading.budget = limits.budget
    comparison.reading.expandsData = expansion.expandsData
    // Git compares files of any formats with the same options.
    comparison.refusesUnusedOptions = !git
    return comparison
  }

  /// A version: the file with its values, and of a package its other files.
  private struct Version {
    var file: FileComparison.File
    var others = VersionFiles()
  }

  private func read(
    _ path: String, as name: String?, _ types: DocumentTypes, _ progress: ProgressLine?
  ) throws(NamedError) -> Version {
    // Git gives the null device for a file that is added or deleted.
    guard path != Self.noFile else { return Version(file: FileComparison.File([], name: name ?? path)) }
    return try NamedError.naming(path) { () throws(FerryError) in
      let document = try types.open(
        path, named: name, from: self.input.format, budget: limits.budget, progress.open)
      switch document {
      case .file(let file):
        let bytes = try file.readAllWithLog(budget: limits.budget)
        var version = Version(file: FileComparison.File(bytes, name: name ?? path))
        version.file.declaredSchema = types.declaredType(ofDocument: name ?? path)?.schema
        return version
      case .package(let package, let type):
        let (bytes, main) = try type.records(of: package)
        // A patch is checked with the files of a folder.
        let file = Folder.isFolder(path) ? try types.mainFile(of: path) : main
        var version = Version(file: FileComparison.File(bytes, name: file))
        version.file.declaredFormat = type.format
        if !types.isBuiltIn(type) { version.file.declaredSchema = type.schema }
        for other in package.paths where !other.equals(main) {
          version.others.add(other, try package.bytes(of: other) ?? [])
        }
        for (name, target) in package.links { version.others.add(name, LinkTarget(target)) }
        return version
      }
    }
  }
}
