import ArgumentParser
import Ferry

/// `ferry diff`: compares two files by their values.
struct DiffCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "diff",
    abstract: "Compare two files by their values, also in different formats.",
    discussion: """
      Prints a line for each difference, with the path of the value: - removed, + added, ~ changed, > moved. The order of \
      keys, object numbers, layout and notation do not matter. Files of different formats are compared in the one that \
      holds less.

        ferry diff old.pplgrp new.pplgrp
        ferry diff folks.xml people.pplgrp             a file and its conversion
        ferry diff old.json new.json --key email       records with equal fields are compared

      As git's external diff, with "*.plist diff=ferry" in .gitattributes (see Documentation/Diff.md):

        git config diff.ferry.command "ferry diff --git"

      The exit status is 0 if there are no differences, 1 if there are some, and 2 if a file cannot be compared.
      """)

  @Argument(help: "The two files or packages; - reads the standard input.", completion: .file())
  var files: [String] = []

  @Flag(name: .customLong("key-order"), help: "The order of keys matters, and in XML that of elements and comments.")
  var ordersKeys = false

  @OptionGroup var recordKey: RecordKeyOptions

  @Flag(name: [.customShort("y"), .customLong("wide")], help: "Print both versions of a value side by side.")
  var isWide = false

  @Flag(name: .long, help: "Print a JSON patch (RFC 6902), which turns the first file into the second.")
  var json = false

  @Flag(name: .long, help: "Run as git's external diff, with its seven arguments.")
  var git = false

  @OptionGroup var input: InputOptions
  @OptionGroup var encoding: EncodingOptions
  @OptionGroup var schema: SchemaOptions
  @OptionGroup var types: TypeOptions
  @OptionGroup var color: ColorOptions
  @OptionGroup var quiet: QuietOptions
  @OptionGroup var errorOutput: ErrorOptions
  @OptionGroup(title: XMLOptions.title) var xml: XMLOptions
  @OptionGroup(title: CSVOptions.title) var csv: CSVOptions
  @OptionGroup(title: BudgetOptions.title) var limits: BudgetOptions

  func validate() throws {
    guard git || files.count == 2 else { throw ValidationError("give two files to compare") }
    // Git passes the path alone if the file is not merged.
    guard !git || [1, 7, 9].contains(files.count) else {
      throw ValidationError("--git is for git, which gives the path, and each version with its hash and mode")
    }
    guard git || files != ["-", "-"] else {
      throw ValidationError("only one of the files can be the standard input")
    }
    guard !json || !git else { throw ValidationError("--json and --git cannot be used together") }
    guard !isWide || !json else { throw ValidationError("--wide and --json cannot be used together") }
  }

  /// The exit status for a file that cannot be compared.
  private static let trouble = ExitCode(2)

  func run() throws {
    let (comparison, types) = (try comparison(), try types.load())
    let errors = RunErrors()
    var isSame = true
    errors.collect { () throws(NamedError) in isSame = try compare(comparison, types) }
    // Git ends its whole run at another status, so that later files are not shown.
    guard !git else { return }
    guard errors.all.isEmpty else { throw Self.trouble }
    guard isSame else { throw ExitCode.failure }
  }

  /// Compares the files, and prints the differences. Returns true if there are none.
  private func compare(_ comparison: FileComparison, _ types: DocumentTypes) throws(NamedError) -> Bool {
    guard let versions else { return true }
    let old = try read(versions.old, as: versions.name, types)
    let new = try read(versions.new, as: versions.name, types)
    let found: ValueDifferences
    do throws(FileComparison.VersionError) {
      found = try comparison.differences(from: old.file, to: new.file)
    } catch {
      switch error {
      case .old(let error): throw NamedError(name: versions.old, error: error)
      case .new(let error): throw NamedError(name: versions.new, error: error)
      }
    }
    let others = ChangedFile.all(from: old.others, to: new.others)
    let isSame = found.all.isEmpty && others.isEmpty
    guard !quiet.isQuiet, !isSame || json else { return isSame }
    if json {
      // A patch changes values only.
      StandardError.write(
        others.map { "the file \($0.name) differs, which is not in the patch" }, of: versions.new)
      try NamedError.naming(output: "-") { () throws(FerryError) in try found.writePatch(to: Terminal.output)
      }
      return isSame
    }
    let report = DifferenceReport(found.all, others, colors: color.colors)
    let header = report.header(versions.name ?? versions.old, versions.name ?? versions.new)
    try NamedOutput.print(header + (isWide ? report.columns(width: Terminal.width) : report.lines))
    return isSame
  }

  /// The two versions, and the name that git gives them. Nil if git has only one.
  private var versions: (old: String, new: String, name: String?)? {
    guard git else { return (files[0], files[1], nil) }
    return files.count >= 7 ? (files[1], files[4], files[0]) : nil
  }

  private func comparison() throws -> FileComparison {
    var comparison = FileComparison()
    (comparison.ordersKeys, comparison.key) = (ordersKeys, recordKey.field)
    comparison.settings.source = input.format
    comparison.settings.encoding = encoding.name
    comparison.settings.schema = try schema.load()
    comparison.settings.matchesSchemas = schema.matches
    (comparison.settings.xml, comparison.settings.csv) = (try xml.load(types: types.notation), csv.reading)
    comparison.settings.budget = limits.budget
    return comparison
  }

  /// A version: the file with its values, and of a package its other files.
  private struct Version {
    let file: FileComparison.File
    var others = PackagedFiles()
  }

  private func read(
    _ path: String, as name: String?, _ types: DocumentTypes
  ) throws(NamedError) -> Version {
    // Git gives the null device for a file that is added or deleted.
    guard path != "/dev/null" else { return Version(file: FileComparison.File([], name: name ?? path)) }
    return try NamedError.naming(path) { () throws(FerryError) in
      let main = try types.mainFile(of: path)
      let bytes = try FileInput(path: main).readAll()
      var version = Version(file: FileComparison.File(bytes, name: name ?? main))
      guard main != path else { return version }
      let package = try Package(reading: path, budget: limits.budget)
      for other in package.paths where !main.hasSuffix("/\(other)") {
        version.others.add(other, try package.bytes(of: other) ?? [])
      }
      return version
    }
  }
}
