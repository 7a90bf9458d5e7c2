import ArgumentParser
import Ferry

/// `ferry convert`: converts files.
struct ConvertCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "convert",
    abstract: "Convert files, or the standard input, to another format.",
    discussion: """
      Ferry detects the input format from the content. --to, or else the extension of -o, sets the output format. Without \
      -o, --out-dir or -i, the result goes to the standard output.

        ferry convert folks.xml --to json              XML as JSON
        ferry convert folks.xml -o people.pplgrp       an app's document, an archive
        ferry convert people.pplgrp --to json --form typed -o people.json
        ferry convert people.json -o copy.pplgrp       the same archive again
        ferry convert *.plist --to json --out-dir out  many files at once
        ferry convert -r . --include '*.plist' --to json --out-dir all
        find . -name '*.plist' | ferry convert --files-from - --to json --out-dir new
        ferry convert *.xml --join -o all.json         one list of all records
        ferry convert folks.xml --split-by lastName --to json --out-dir people
        ferry convert folks.xml -o people.db           a table of a database
        ferry convert people.csv --to json --infer     CSV, with numbers and booleans
        ferry convert people.json --to table           a table for the terminal
        ferry convert en.strings --to-entries -o en.csv      a row for each text
        ferry convert de.csv --from-entries -o de.strings    texts from such rows
        ferry convert people.xml.gz -o people.json.xz  compressed files

      One line reports data that the output format cannot hold; --report writes the paths to a file, --strict fails instead.

      A package such as Things.mystuff is converted like a file, also in a ZIP archive. Its images become data in their records. --extract writes \
      them to a folder instead, from which --attachments reads them again.

        ferry convert Things.mystuff --to json --extract images -o things.json
        ferry convert things.json --attachments images -o Copy.mystuff

      Records become rows of a database. Only an app can create a Core Data store: --template writes a copy of such a store \
      with the records as its objects, and --append adds objects to one.
      """)

  @Argument(
    help: "The files to convert (default: -, the standard input).",
    completion: .file())
  var files: [FileNames] = []

  @OptionGroup var list: FileListOptions
  @OptionGroup var folders: RecursionOptions
  @OptionGroup var input: InputOptions
  @OptionGroup var encoding: EncodingOptions
  @OptionGroup var schema: SchemaOptions
  @OptionGroup var versions: VersionOptions
  @OptionGroup var classes: CatalogOptions
  @OptionGroup var reading: ReadOptions
  @OptionGroup var expansion: ExpansionOptions
  @OptionGroup var shared: SharedObjectOptions
  @OptionGroup var types: TypeOptions

  @Option(
    name: .shortAndLong,
    help: ArgumentHelp(
      "The output format, or a document type such as people-group.", valueName: "format"))
  var to: TargetName?

  @OptionGroup var output: OutputOptions
  @OptionGroup var folder: FolderOptions

  @Flag(
    name: .customLong("keep-extension"),
    help: "With --out-dir, write a.xsd to a.xsd.json, so that a.xml may be beside it.")
  var keepsExtension = false

  @OptionGroup var compression: CompressionOptions
  @OptionGroup var outputEncoding: OutputEncodingOptions

  @Flag(
    name: [.customShort("i"), .customLong("in-place")], help: "Replace each input file with its conversion.")
  var inPlace = false

  @Flag(name: .long, help: "Write the records of all inputs to one output, as one list.")
  var join = false

  @Flag(
    name: .long,
    help: "With --out-dir, write each record to a separate file: people-1.json, people-2.json, ….")
  var split = false

  @Option(
    name: .customLong("split-by"),
    help: ArgumentHelp(
      "Write each record to a separate file, named after the value at this path: id, name.last.",
      valueName: "path"))
  var splitKey: PathArgument?

  @OptionGroup var overwriting: OverwriteOptions

  @Flag(
    name: .customLong("changed-only"),
    help: "Convert only inputs that are newer than their outputs, and replace these.")
  var changedOnly = false

  @Flag(
    name: [.customShort("n"), .customLong("dry-run")],
    help: "Print the inputs with their outputs, report what a run would, and write nothing.")
  var isDryRun = false

  @Flag(name: .long, help: "Add the records to the database of -o, if it exists.")
  var append = false

  @Option(
    name: .long,
    help: ArgumentHelp(
      "Write the files of a package to this folder, and only their names to the records.", valueName: "folder"
    ),
    completion: .directory)
  var extract: String?

  @OptionGroup var document: DocumentOptions
  @OptionGroup var classNames: ClassNameOptions

  @Option(
    name: .long,
    help: ArgumentHelp("The name of the root element of XML without a schema.", valueName: "name"))
  var root: String?

  @Option(
    name: .long,
    help: ArgumentHelp(
      "The name of the elements of a list in XML without a schema (default: item).", valueName: "name"))
  var item: String?

  @Flag(
    name: .customLong("older-keys"),
    help: "Write the older keys of a schema (alsoWrite) to all formats, not only to archives.")
  var writesOlderKeys = false

  @OptionGroup var entries: EntryOptions
  @OptionGroup var layout: LayoutOptions
  @OptionGroup var yaml: YAMLOptions

  @Flag(
    name: .customLong("sort-keys"), help: "Sort the keys of dictionaries, and the attributes of XML elements."
  )
  var sortsKeys = false

  @Flag(
    name: .customLong("keep-going"),
    help:
      "Skip records that do not fit their schema, lines that are not JSON and rows of another length, and continue. With -i, keep files that have such records."
  )
  var keepsGoing = false

  @Flag(name: .customLong("strict"), help: "Fail if the output format cannot hold everything.")
  var isStrict = false

  @OptionGroup var quiet: QuietOptions

  @Option(
    name: .customLong("report"),
    help: ArgumentHelp(
      """
      Write errors, the number of losses of each kind, and each input's first 10,000 losses with their paths to this file \
      as JSON (-: standard output).
      """,
      valueName: "file"),
    completion: .file())
  var reportFile: String?

  @Option(
    name: [.customLong("jobs"), .customShort("j", allowingJoined: true)],
    help: ArgumentHelp(
      "Convert this many inputs at the same time, or one large input with this many threads.", valueName: "n")
  )
  var jobs: Int?

  @OptionGroup(title: XMLOptions.title) var xml: XMLOptions
  @OptionGroup(title: CSVOptions.title) var csv: CSVOptions
  @OptionGroup(title: CSVOptions.title) var csvLayout: CSVLayoutOptions
  @OptionGroup var errorOutput: ErrorOptions
  @OptionGroup(title: BudgetOptions.title) var limits: BudgetOptions

  func validate() throws {
    try output.checkKind(mayBeZIP: to == nil)
    let destinations = [output.file != nil, folder.path != nil, inPlace].count { $0 }
    guard destinations <= 1 else { throw ValidationError("-o, --out-dir and -i cannot be used together") }
    guard !changedOnly || output.file != nil || folder.path != nil else {
      throw ValidationError("--changed-only needs -o FILE or --out-dir FOLDER, whose files it compares")
    }
    if keepsExtension { try checkKeptExtension() }
    if join { try checkJoin() }
    if splits { try checkSplit() }
    guard !isDryRun || destinations > 0 else {
      throw ValidationError("--dry-run needs -o, --out-dir or -i, whose files it would write")
    }
    guard !isDryRun || !append else {
      throw ValidationError("--dry-run and --append cannot be used together")
    }
    try checkReport()
    // The files of a list or of folders are not known yet.
    if list.paths.isEmpty, !folders.recursive { try check(files.isEmpty ? ["-"] : files.names) }
    try OptionFile.checkName(extract, of: "--extract", "folder")
    try OptionFile.checkOutput(reportFile, of: "--report")
    guard jobs.map({ $0 > 0 }) ?? true else { throw ValidationError(Self.noJobs) }
  }

  /// Throws if an option has no effect, or another one, on the single output of --join.
  private func checkJoin() throws {
    let others = [
      (inPlace, "-i, which replaces each input"),
      (folder.path != nil, "--out-dir, which has an output for each input"),
      (changedOnly, "--changed-only, which compares each input with its own output"),
      (append, "--append"), (extract != nil, "--extract"),
      (reading.representation == .raw, "--form raw, in which an archive has no records"),
    ]
    guard let other = others.first(where: { $0.0 }) else { return }
    throw ValidationError("--join cannot be used with \(other.1)")
  }

  /// True if each record is written to a file of its own.
  var splits: Bool { split || splitKey != nil }

  /// The option that takes the records out of their inputs; nil if none does.
  var optionForRecords: String? { splitKey != nil ? "--split-by" : split ? "--split" : join ? "--join" : nil }

  /// Throws if an option has no effect, or another one, on the outputs of --split.
  private func checkSplit() throws {
    let option = splitKey == nil ? "--split" : "--split-by"
    guard folder.path != nil else {
      throw ValidationError("\(option) needs --out-dir FOLDER, in which each record gets a file")
    }
    let others = [
      (join, "--join"), (append, "--append"),
      (changedOnly, "--changed-only, which compares each input with its own output"),
      (extract != nil, "--extract"), (document.template != nil, "--template"),
      (reading.representation == .raw, "--form raw, in which an archive has no records"),
    ]
    if let other = others.first(where: { $0.0 }) {
      throw ValidationError("\(option) cannot be used with \(other.1)")
    }
    guard let path = try splitKey?.path() else { return }
    guard !path.isEmpty, !path.namesSeveral else {
      throw ValidationError("--split-by needs the path of one value in each record, such as id or name.last")
    }
  }

  private static let noJobs = "--jobs must be greater than 0 (without it, the number of processors counts)"

  /// Throws if --keep-extension has no effect.
  private func checkKeptExtension() throws {
    guard folder.path != nil else {
      let other = output.file != nil ? "-o, which gives the whole name" : "-i, which keeps the name"
      throw ValidationError(
        output.file == nil && !inPlace
          ? "--keep-extension needs --out-dir FOLDER, whose files it names"
          : "--keep-extension cannot be used with \(other) (--out-dir FOLDER names files)")
    }
    // The files of a list or of folders are not known yet.
    guard list.paths.isEmpty, !folders.recursive else { return }
    let names = files.isEmpty ? ["-"] : files.names
    let hasExtension = names.contains { name in
      Compression.nameInside(Folder.name(of: name)).unicodeScalars.dropFirst().contains(".")
    }
    guard hasExtension || names.contains(where: Folder.isFolder) else {
      let words = names == ["-"] ? "the standard input has no name" : "no input has an extension"
      throw ValidationError("--keep-extension has nothing to keep: \(words)")
    }
  }

  /// True if the run shows its progress: the results do not go to the terminal, and messages do.
  var showsProgress: Bool {
    !quiet.isQuiet && Terminal.isErrorShown
      && (output.file != nil || folder.path != nil || inPlace || !Terminal.isOutputShown)
  }

  /// Throws if the report would go to the standard output together with the results, or with the list of --dry-run.
  private func checkReport() throws {
    guard let reportFile, FileOutput.isStandardOutput(reportFile) else { return }
    let goesToFiles = folder.path != nil || inPlace || output.file.map(FileOutput.isStandardOutput) == false
    guard goesToFiles else {
      throw ValidationError(
        "--report - needs -o FILE, --out-dir or -i: the result goes to the standard output")
    }
    guard !isDryRun else {
      throw ValidationError(
        "--report - and --dry-run, which prints its list there, cannot be used together")
    }
  }

  /// The command that writes the records of several inputs as one output, up to the options for the output.
  static let joining = "for one output of all records: ferry convert INPUTS --join"

  /// Throws if the options for the output do not fit the inputs.
  private func check(_ names: [String]) throws {
    guard output.file == nil || names.count <= 1 || join else {
      throw ValidationError("-o takes one input (use --out-dir for several); \(Self.joining) -o FILE")
    }
    let stream = splits && names.count > 1 ? names.first { $0 == "-" || !Folder.isFileOrFolder($0) } : nil
    if let stream {
      let name = stream == "-" ? "the standard input" : MessageText.quoted(stream)
      throw ValidationError(
        "--split reads several inputs twice, and cannot read \(name) twice (save it in a file)")
    }
    guard !inPlace || !names.contains("-") else {
      throw ValidationError("-i cannot replace the standard input (name the files)")
    }
  }

  /// The name of the only output in messages.
  private var outputName: String {
    output.file.flatMap { FileOutput.isStandardOutput($0) ? nil : $0 } ?? NamedOutput.standardName
  }

  /// The files that options name and the run reads.
  var filesOfOptions: [OptionFile] {
    [schema.file].compactMap { $0 } + list.files + types.optionFiles
      + OptionFile.given([
        ("--classes", classes.file), ("--template", document.template), ("--dtd", xml.entities.dtd),
      ])
  }

  /// Returns true if the entries of a dictionary can become the rows of the output.
  func canHaveEntries(_ format: Format) -> Bool {
    format.isTextTable && entries.option == nil && schema.name == nil
  }

  func run() throws {
    let types = try types.load()
    let report = RunReport(isQuiet: quiet.isQuiet, isDryRun: isDryRun, hasFile: reportFile != nil)
    let named = try list.names(after: files.names, types, report.errors)
    let inputs =
      folders.recursive
      ? FoundInput.all(
        named: named, folders.patterns.choice, types, report.errors, isQuiet: quiet.isQuiet,
        leavingOut: RunOutputs([output.file, reportFile, folder.path, extract]), in: folder.path)
      : named.map { FoundInput(named: $0, among: types) }
    let hasOneOutput = join || output.file.map(FileOutput.isStandardOutput) == false
    report.didList(inputs, hasOneOutput: hasOneOutput)
    let names = inputs.map(\.path)
    try check(names)
    try reading.selection.check(forInputs: names.count)
    let target = try target(for: names, types)
    report.hasTypedForm = { input, source in
      // The typed form of one archive has its objects, but that of the records of several inputs has none.
      !source.isDatabase && !Folder.isFolder(input) && canHaveTypedForm(target) && !(join && source.isArchive)
    }
    report.canHaveEntries = !join && canHaveEntries(target.format)
    let batch = try Batch(of: inputs, self, to: target, types, report.errors)
    try batch.makeFolder()
    if let reportFile {
      try ReportFile(path: reportFile).check(
        inputs: names, outputs: batch.outputs, records: batch.splitNames, options: filesOfOptions)
    }
    let reportOutput = try reportFile.map { path throws(NamedError) in try RunReport.output(for: path) }
    // The typed form is found with lists that have an element for each object. Streams have none, and keep their small memory.
    if reading.representation == .typed { FreedMemory.keep() }
    batch.run(report)
    report.addCommonNotes()
    if hasOneOutput { report.requireInput(for: outputName) }
    if let reportFile, let reportOutput {
      report.errors.collect { () throws(NamedError) in
        try report.write(to: reportOutput, named: reportFile)
      }
    }
    report.summarize()
    try report.errors.finish()
  }
}
