import ArgumentParser
import Ferry

/// `ferry show`: prints any file as a readable tree, with archives decoded.
struct ShowCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "show",
    abstract: "Show a file as a readable tree.",
    usage: "ferry show [<options>] [<files> ...]",
    discussion: """
      Shows the decoded objects of an archive: arrays, dictionaries and objects with their classes. #7 marks an object with \
      several references, and → #7 is a reference to it.

        ferry show people.pplgrp
        ferry show state.archive --depth 2
        ferry show Theme.terminal --expand             also archives in data
        ferry show people.pplgrp --html -o page.html   a page for a browser
        git config diff.ferry.textconv "ferry show --textconv --"
      """)

  @Argument(
    help: "The files to show (default: -, the standard input).",
    completion: .file())
  var files: [FileNames] = []

  @OptionGroup var list: FileListOptions
  @OptionGroup var input: InputOptions
  @OptionGroup var encoding: EncodingOptions
  @OptionGroup var schema: SchemaOptions
  @OptionGroup var classes: CatalogOptions
  @OptionGroup var reading: ReadOptions
  @OptionGroup var expansion: ExpansionOptions
  @OptionGroup var shared: SharedObjectOptions
  @OptionGroup var types: TypeOptions

  @Option(name: .long, help: ArgumentHelp("Show this many levels.", valueName: "n"))
  var depth: Int?

  @Option(
    name: .customLong("max-items"),
    help: ArgumentHelp("Show this many elements of each collection.", valueName: "n"))
  var maxItems: Int?

  @Option(
    name: .customLong("max-text"),
    help: ArgumentHelp(
      "Show this many bytes of each string (default: \(TreeWriter.Limits().text), or \(PageLimits().text) with --html).",
      valueName: "n")
  )
  var maxText: Int?

  @Option(
    name: .long,
    help: ArgumentHelp("Break lines at this many columns (default: the terminal's).", valueName: "n"))
  var width: Int?

  @Flag(
    name: .customLong("textconv"),
    help: """
      For git's diff.*.textconv: show whole texts and the checksums of long data, so that other values have other lines, and \
      the lines of a file that cannot be read. After --, a file may have any name.
      """)
  var isTextconv = false

  @OptionGroup var page: PageOptions
  @OptionGroup var color: ColorOptions
  @OptionGroup(title: XMLOptions.title) var xml: XMLOptions
  @OptionGroup(title: CSVOptions.title) var csv: CSVOptions
  @OptionGroup var errorOutput: ErrorOptions
  @OptionGroup(title: BudgetOptions.title) var limits: BudgetOptions

  func validate() throws {
    guard [depth ?? 0, maxItems ?? 0, maxText ?? 0, width ?? 0].allSatisfy({ $0 >= 0 }) else {
      throw ValidationError("--depth, --max-items, --max-text and --width cannot be negative")
    }
    guard page.html || page.output.file == nil && !page.overwriting.force else {
      throw ValidationError("--output and --force need --html")
    }
    guard !page.html || files.count <= 1 else { throw ValidationError("--html shows one file") }
    guard
      !isTextconv || !page.html && color.choice == .auto && [depth, maxItems, maxText] == [nil, nil, nil]
    else {
      throw ValidationError(
        "--depth, --max-items, --max-text, --color and --html cannot be used with --textconv")
    }
    guard !page.html || width == nil && color.choice == .auto else {
      throw ValidationError("--width and --color cannot be used with --html")
    }
  }

  func run() throws {
    let options = try options()
    let errors = RunErrors()
    let documentTypes = try types.load()
    let names = try list.names(after: files.names, documentTypes, errors, opensAnyName: true)
    guard !page.html || names.count + errors.all.count == 1 else {
      throw ValidationError("--html shows one file")
    }
    try reading.selection.check(forInputs: names.count)
    let inputs = names.map { FoundInput(named: $0, among: documentTypes) }
    // Git shows files of any formats with the same options.
    let reading = FittedReading(options, of: inputs, ignoresUnused: isTextconv)
    for input in inputs where !errors.isPipeClosed {
      let (name, options) = (input.path, reading.options(for: input))
      errors.collect { () throws(NamedError) in
        page.html ? try writePage(of: name, options) : try show(name, options)
      }
    }
    try errors.finish()
  }

  /// The files that options name and the command reads.
  private var filesOfOptions: [OptionFile] {
    [schema.file].compactMap { $0 } + list.files + types.optionFiles
      + OptionFile.given([("--classes", classes.file), ("--dtd", xml.entities.dtd)])
  }

  private func options() throws -> ReadingOptions {
    var options = ReadingOptions()
    options.format = input.format
    options.schema = try schema.load()
    options.matchesSchemas = schema.matches
    options.catalog = try classes.load()
    options.representation = reading.representation
    (options.select, options.xml) = (reading.select, try xml.load(types: types.notation))
    options.xml.prefixes = reading.selection.prefixes
    options.table = reading.table
    (options.encoding, options.csv) = (encoding.name, csv.reading)
    options.expandsData = expansion.expandsData
    options.shared = shared.style
    (options.marksShared, options.decodedForms) = (true, .all)
    options.budget = limits.budget
    return options
  }

  /// Opens the file with the values of a document.
  private func open(
    _ name: String, _ options: ReadingOptions
  ) throws(NamedError) -> OpenedValues<any ByteInput> {
    let documentTypes = try types.load()
    return try NamedError.naming(name) { () throws(FerryError) in
      try documentTypes.openValues(
        of: name, from: options.format, budget: options.budget, ProcessArguments.current.open)
    }
  }

  /// Writes the text of a file for git, which ends its log if a file has no text.
  private func writeComparableText(of name: String, _ options: ReadingOptions) throws(NamedError) {
    // Git gives no standard input, but a file may be called so.
    let isFile = name == "-" && CommandLine.arguments.contains("--")
    let values: OpenedValues<any ByteInput>
    do throws(NamedError) {
      values = try open(isFile ? "./-" : name, options)
    } catch {
      return try NamedOutput.print(ComparableText.firstLine(of: error.error))
    }
    let text = ComparableText(options.reading(values), width: width ?? Terminal.width)
    try NamedOutput.standard.naming(input: name) { output throws(FerryError) in
      try text.write(values.file, named: values.name, to: output)
    }
  }

  private func show(_ name: String, _ options: ReadingOptions) throws(NamedError) {
    guard !isTextconv else { return try writeComparableText(of: name, options) }
    let values = try open(name, options)
    let notes = try NamedOutput.standard.naming(input: name) { output throws(FerryError) in
      var limits = TreeWriter.Limits()
      if let maxText { limits.text = maxText }
      limits.depth = depth ?? self.limits.budget.depth
      if let maxItems { limits.items = maxItems }
      let (width, colors) = (width ?? Terminal.width, color.colors)
      let reading = options.reading(values)
      return try FileTree.write(values.file, named: values.name, reading, to: output) { output in
        TreeWriter(to: output, width: width, color: colors, limits: limits)
      }
    }
    StandardError.write(notes, of: name)
  }

  private func writePage(of name: String, _ options: ReadingOptions) throws(NamedError) {
    var limits = PageLimits()
    if let maxText { limits.text = maxText }
    if let depth { limits.depth = depth }
    if let maxItems { limits.items = maxItems }
    let documentTypes = try types.load()
    let shown = try NamedError.naming(name) { () throws(FerryError) in
      let values = try documentTypes.openValues(
        of: name, from: options.format, budget: options.budget, ProcessArguments.current.open)
      let bytes = try values.file.readAllWithLog(budget: options.budget)
      return try ValuePage(
        reading: bytes, named: StandardError.inputName(values.name), options: options.reading(values),
        limits: limits,
        attachments: attachments(of: name, options, documentTypes))
    }
    let main = try types.mainFile(of: name)
    try page.write(showing: [name, main], filesOfOptions) { output throws(FerryError) in
      try shown.write(to: output)
    }
    StandardError.write(shown.notes, of: name)
  }

  /// Returns the files of a package other than that with its records; nil for a file or pipe, and for a package that cannot be listed.
  private func attachments(
    of name: String, _ options: ReadingOptions, _ types: DocumentTypes
  ) -> PageAttachments? {
    guard name != "-", Folder.isFileOrFolder(name) else { return nil }
    do throws(FerryError) {
      let document = try types.open(
        name, from: options.format, budget: options.budget, ProcessArguments.current.open)
      guard case .package(let package, let type) = document else { return nil }
      return PageAttachments(of: package, type)
    } catch {
      StandardError.write(["the other files are not shown: \(error.advised)"], of: name)
      return nil
    }
  }
}
