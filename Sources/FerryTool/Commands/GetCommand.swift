import ArgumentParser
import Ferry

/// `ferry get`: prints a value by its path.
struct GetCommand: PathCommand {
  static let configuration = CommandConfiguration(
    commandName: "get",
    abstract: "Print the values at paths.",
    discussion: """
      A path has keys, joined by dots, and elements in brackets. It can go through objects, dictionaries, arrays, and \
      files in data. The only root of an archive needs no name.

        ferry get state.archive 'people[0].name'     a string without quotes
        ferry get state.archive 'people[-1]'         the last element, as JSON
        ferry get state.archive 'people[*].name'     every name, one a line
        ferry get state.archive 'people[name=Ada]'   the elements with this name
        ferry get state.archive 'people[name!=Ada]'  also with <, <=, > and >=
        ferry get state.archive 'people[1:3]'        the second and the third
        ferry get state.archive '["a key.with dots"]'
        ferry get state.archive '$objects[17]'       an object by its number
        ferry get state.archive saved window.frame   several values, one a line
        ferry get state.archive people --count       the number of elements or keys
        ferry get state.archive 'people[0]' --keys   its keys, one a line
        ferry get state.archive saved --type         its type, or class
        ferry get prefs.json font --default Menlo    if there is no value
        ferry get image.plist icon --bytes > icon.png
        ferry get prefs.plist window --form typed    with all types
        ferry get notes.zip '["a.json"]' --bytes > a.json
        ferry get folks.xml '//person/lastName'      an XPath, for XML
        ferry get configs window.title --recursive   in all files of a folder
        ls configs/*.json | ferry get --files-from - window.title --to csv

      Scalars are printed as they are, dates in ISO 8601, data in Base64, collections as JSON; --to, or the extension of \
      -o, asks for a format. The exit status is 1 if there is no value at the path, and 0 \
      if a path with [*] or [1:3] selects from a list without such elements. Documentation/Paths.md describes paths.

      With --recursive, the file is a folder; with --files-from, no argument is a file. Each line then begins with the name of \
      the file, and --to writes a record for each value: the file, the path and the value. Files without a value \
      at a path are left out, unless --default gives one.
      """)

  @Argument(
    help: "The file, unless --files-from is given; - reads the standard input.",
    completion: .file())
  var file: String

  @Argument(
    help: ArgumentHelp(
      "The paths of the values, such as people[0].name (default: the whole file).", valueName: "selected"))
  var rows: [ArgumentRow] = []

  /// The paths of the values.
  var selected: [PathArgument] { rows.paths }

  @OptionGroup var folder: FolderReadOptions
  @OptionGroup var input: InputOptions
  @OptionGroup var namespaces: NamespaceOptions
  @OptionGroup var encoding: EncodingOptions
  @OptionGroup var paths: ReadPathOptions
  @OptionGroup var lenient: LenientOptions
  @OptionGroup var classes: CatalogOptions
  @OptionGroup var types: TypeOptions
  @OptionGroup var shared: SharedObjectOptions
  @OptionGroup var format: FormatOptions
  @OptionGroup var output: OutputOptions
  @OptionGroup var overwriting: OverwriteOptions
  @OptionGroup var compression: CompressionOptions
  @OptionGroup var outputEncoding: OutputEncodingOptions
  @OptionGroup var layout: LayoutOptions
  @OptionGroup var yaml: YAMLOptions
  @OptionGroup var quiet: QuietOptions
  @OptionGroup(title: XMLOptions.title) var xml: XMLOptions
  @OptionGroup(title: CSVOptions.title) var csv: CSVOptions
  @OptionGroup var errorOutput: ErrorOptions
  @OptionGroup(title: BudgetOptions.title) var limits: BudgetOptions

  @Flag(name: .shortAndLong, help: "Print strings without quotes (the default, as an option of other tools).")
  var raw = false

  @Flag(
    name: .long,
    help: "Write the bytes of data, of a string or of a file in a ZIP archive, without a line end.")
  var bytes = false

  @Option(
    name: .customLong("default"),
    help: ArgumentHelp(
      "Print this text for a path without a value; once for a path with [*] that selects none.",
      valueName: "text"))
  var replacement: String?

  @Flag(help: "Print something about each value in place of the value.")
  var questions: [ValueQuestion] = []

  /// The only question, if there is one.
  var question: ValueQuestion? { questions.first }

  func validate() throws {
    let paths = try checkedPaths()
    guard !bytes || format.written == nil else {
      throw ValidationError("--bytes and --to cannot be used together")
    }
    guard !bytes || paths.count == 1 else { throw ValidationError("--bytes takes one path") }
    try checkSeveral()
    if let other = questions.first(where: { $0 != questions[0] }) {
      throw ValidationError("\(questions[0].option) and \(other.option) cannot be used together")
    }
    if let question, bytes || format.written != nil {
      throw ValidationError(
        "\(question.option) and \(bytes ? "--bytes" : "--to") cannot be used together")
    }
    guard outputEncoding.name == nil || format.written != nil || target != nil else {
      throw ValidationError("--to-encoding needs --to FORMAT, or -o FILE with the extension of a format")
    }
    if let other = bytes ? "--bytes" : question?.option,
      let given = layout.firstGiven ?? (raw ? "--raw" : nil)
    {
      throw ValidationError("\(given) and \(other) cannot be used together")
    }
    if replacement != nil {
      guard !bytes, format.written == nil, target == nil, question == nil else {
        throw ValidationError(
          "--default prints a text, and cannot be used with "
            + (bytes ? "--bytes" : question?.option ?? "the format of an output"))
      }
    }
    try checkTyped()
    if !bytes { try output.checkKind(mayBeZIP: format.written == nil) }
    if question == nil, let target {
      try layout.check(target)
      try yaml.check(target)
    } else if yaml.hasDocuments {
      throw ValidationError("--documents needs --to yaml")
    }
  }

  /// Throws if an option or several files leave no room for a document in the typed form.
  private func checkTyped() throws(ValidationError) {
    guard paths.isTyped else { return }
    guard shared.style == .reference else {
      throw ValidationError("--shared in-full needs --form plain (the other forms keep references)")
    }
    let others = [
      bytes ? "--bytes" : nil, question?.option, replacement.map { _ in "--default" }, raw ? "--raw" : nil,
      folder.areSeveral ? folder.option : nil,
    ]
    if let other = others.compactMap({ $0 }).first {
      throw ValidationError("--form typed writes a document, and cannot be used with \(other)")
    }
  }

  /// Returns the paths of the values in a file that is not read by XPaths; that of the whole file if none is given.
  func selectedPaths(in input: Input) throws -> [ValuePath] {
    guard !selected.isEmpty else { return [ValuePath()] }
    return try selected.map { argument in
      guard input.isOneOfSeveral, argument.mayBeXPath else { return try argument.path() }
      // The other files may be XML.
      return try NamedError.naming(input.name) { () throws(FerryError) in try argument.pathInAnyFormat() }
    }
  }

  /// A file that the command reads.
  struct Input {
    let name: String
    /// The options for reading the file.
    let reading: ReadingOptions
    /// True for one of several files. Then a missing value is an error of the file.
    var isOneOfSeveral = false
    /// The output for the lines of one of several files; nil for that of the options.
    var lines: NamedOutput?
  }

  func run() throws {
    guard !folder.areSeveral else { return try printSeveral() }
    try checkOutputReplacesNone(of: [file])
    var reading = try givenReading()
    reading.xml.refusesOtherFormats = true
    _ = try print(Input(name: file, reading: reading))
  }

  /// The other files that the command reads.
  var filesOfOptions: [OptionFile] {
    types.optionFiles
      + OptionFile.given([("--classes", classes.file), ("--dtd", xml.entities.dtd)])
  }

  /// Throws if the output would replace a file that the command reads.
  func checkOutputReplacesNone(of inputs: [String]) throws {
    try NamedError.naming(output: output.file ?? "-") { () throws(FerryError) in
      try output.checkReplacesNone(of: inputs, filesOfOptions + folder.list.files)
    }
  }

  /// Returns the given options for reading the contents of files.
  func givenReading() throws -> ReadingOptions {
    var options = ReadingOptions()
    (options.format, options.encoding, options.csv) = (input.format, encoding.name, csv.reading)
    (options.xml, options.budget) = (try xml.load(types: types.notation), limits.budget)
    options.xml.prefixes = namespaces.prefixes
    return options
  }

  /// Prints the values of a file. Returns false if `--default` has replaced a value, and for one of several files also if the paths select
  /// nothing from lists.
  func print(_ input: Input) throws -> Bool {
    let document = try openForXPaths(input)
    if let reading = document.reading { return try write(selectedBy: reading, of: input) }
    let paths = try selectedPaths(in: input)
    let (source, losses): (EditableFile?, Losses?) = try readingPaths { () throws(NamedError) in
      let opened = try openToRead(input, document, paths)
      if let values = try stream(paths, of: opened, in: input) {
        let losses = try withOutput(for: input) { output throws(NamedError) in
          try write(values, of: input, to: output)
        }
        return (nil, losses)
      }
      let source = try read(paths, of: opened, in: input)
      let losses = try warning(of: source, named: input.name) { () throws(NamedError) in
        return try withOutput(for: input) { output throws(NamedError) in
          try write(paths, of: source, in: input, to: output)
        }
      }
      return (source, losses)
    }
    if let losses, !quiet.isQuiet { StandardError.write(losses, of: input.name) }
    guard let source else { return true }
    guard replacement == nil else {
      return try !input.isOneOfSeveral || paths.allSatisfy { try hasValue(at: $0, source, input) }
    }
    guard !input.isOneOfSeveral else { return try !paths.allSatisfy { try isEmpty($0, of: source, input) } }
    for path in paths where try !quiet.isQuiet && isEmpty(path, of: source, input) {
      StandardError.write("\(input.name): no value matches the path \(path)")
    }
    return true
  }

  /// Opens a file to read the values at paths.
  ///
  /// - Parameter document: The file, as far as it was opened to find out whether the arguments are XPaths.
  func openToRead(
    _ input: Input, _ document: OpenedForXPaths, _ paths: [ValuePath]
  ) throws(NamedError) -> FileToRead {
    var xml = input.reading.xml
    // The paths of other commands name contents in their order.
    if paths.contains(where: { $0.steps.contains(.key("#content")) }) { xml = xml.forContents }
    return try openToRead(
      input.name, shared: shared.style, encoding: input.reading.encoding, csv: input.reading.csv, xml: xml,
      opening: document.open)
  }

  /// Returns the values of a large file that are written as they are read; nil if they cannot be.
  private func stream(
    _ paths: [ValuePath], of opened: FileToRead, in input: Input
  ) throws(NamedError) -> StreamedValues? {
    guard paths.count == 1, !bytes, question == nil else { return nil }
    return try NamedError.naming(input.name) { () throws(FerryError) in
      try opened.stream(paths[0], as: writing)
    }
  }

  /// Reads the values at paths, or what a question asks about them.
  func read(
    _ paths: [ValuePath], of opened: FileToRead, in input: Input
  ) throws(NamedError) -> EditableFile {
    try NamedError.naming(input.name) { () throws(FerryError) in
      guard paths.count == 1, replacement == nil else { return try opened.read(ValuePath()) }
      return question == nil ? try opened.read(paths[0]) : try opened.summarize(paths[0])
    }
  }

  /// The format of the output; nil for plain text, also for the lines of several files in a file of text. The typed form is JSON unless another
  /// format is given.
  var target: Format? {
    guard !bytes else { return nil }
    if let format = format.format { return format }
    let named = output.file.flatMap(Format.ofFile(named:))
    if paths.isTyped { return named.flatMap { $0.isSingle ? nil : $0 } ?? .json }
    return folder.areSeveral && named?.isSingle == true ? nil : named
  }

  /// The format of the output with its layout; nil for plain text.
  var writing: WritingOptions? {
    guard let target else { return nil }
    var writing = WritingOptions(to: target)
    (writing.style, writing.encoding) = (layout.style(), outputEncoding.name)
    writing.style.hasDocuments = yaml.hasDocuments
    if paths.isTyped { writing.representation = .typed }
    return writing
  }

  private func write(
    _ values: StreamedValues, of input: Input, to output: NamedOutput
  ) throws(NamedError) -> Losses {
    try output.naming(input: input.name) { output throws(FerryError) in
      guard let writing else { return try values.writeText(style: layout.style(), to: output) }
      return try values.write(as: writing, to: output)
    }
  }

  private func write(
    _ paths: [ValuePath], of source: EditableFile, in input: Input, to output: NamedOutput
  ) throws(NamedError) -> Losses? {
    try output.naming(input: input.name) { output throws(FerryError) in
      if bytes {
        let contents = try source.contents(at: paths[0])
        try output.write(contents.span)
        return nil
      }
      if let question {
        var lines = ""
        for summary in try source.summaries(at: paths) { lines += try question.answer(for: summary) }
        try output.write(lines.utf8.span)
        return nil
      }
      if let replacement {
        return try source.writeText(paths, or: replacement, style: layout.style(), to: output)
      }
      guard let writing else { return try source.writeText(paths, style: layout.style(), to: output) }
      return try source.write(paths, as: writing, to: output)
    }
  }

  private func hasValue(at path: ValuePath, _ source: EditableFile, _ input: Input) throws(NamedError) -> Bool
  {
    try NamedError.naming(input.name) { () throws(FerryError) in try source.hasValue(at: path) }
  }

  /// Returns true if the path may match several values and matches none.
  func isEmpty(_ path: ValuePath, of source: EditableFile, _ input: Input) throws(NamedError) -> Bool {
    guard path.namesSeveral else { return false }
    return try NamedError.naming(input.name) { () throws(FerryError) in try source.count(at: path) == 0 }
  }
}

/// A property of a value to print instead of the value.
enum ValueQuestion: String, EnumerableFlag {
  case keys, count, type

  /// The option that asks.
  var option: String { "--\(rawValue)" }

  static func help(for value: ValueQuestion) -> ArgumentHelp? {
    switch value {
    case .keys: "Print the keys of each value, one a line."
    case .count: "Print the number of elements or keys of each value."
    case .type: "Print the type of each value, or the class of an object."
    }
  }

  /// Returns the lines for a value.
  ///
  /// - Throws: A `FerryError` with the reason `PathProblem.noParts` if the value has no keys or no parts.
  fileprivate func answer(for summary: ValueSummary) throws(FerryError) -> String {
    switch self {
    case .type: return summary.typeName + "\n"
    case .count:
      guard let count = summary.count else { throw missing("elements or keys", summary) }
      return "\(count)\n"
    case .keys:
      guard let keys = summary.keys else { throw missing("keys", summary) }
      return keys.map { $0 + "\n" }.joined()
    }
  }

  private func missing(_ parts: String, _ summary: ValueSummary) -> FerryError {
    FerryError(.path(.noParts(parts, in: "a value of the type \(summary.typeName)")), path: summary.path)
  }
}
