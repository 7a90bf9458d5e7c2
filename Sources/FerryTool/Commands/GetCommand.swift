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
        ferry get notes.zip '["a.json"]' --bytes > a.json
        ferry get folks.xml '//person/lastName'      an XPath, for XML

      Scalars are printed as they are, dates in ISO 8601, data in Base64, collections as JSON; --to, or the extension of \
      -o, asks for a format. The exit status is 1 if there is no value at the path, and 0 \
      if a path with [*] or [1:3] selects from a list without such elements. Documentation/Paths.md describes paths.
      """)

  @Argument(
    help: "The file; - reads the standard input.",
    completion: .file())
  var file: String

  @Argument(
    help: ArgumentHelp(
      "The paths of the values, such as people[0].name (default: the whole file).", valueName: "selected"))
  var rows: [ArgumentRow] = []

  /// The paths of the values.
  var selected: [PathArgument] { rows.paths }

  @OptionGroup var input: InputOptions
  @OptionGroup var namespaces: NamespaceOptions
  @OptionGroup var encoding: EncodingOptions
  @OptionGroup var paths: PathOptions
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
  private var question: ValueQuestion? { questions.first }

  func validate() throws {
    let paths = try checkedPaths()
    guard !bytes || format.written == nil else {
      throw ValidationError("--bytes and --to cannot be used together")
    }
    guard !bytes || paths.count == 1 else { throw ValidationError("--bytes takes one path") }
    if let other = questions.first(where: { $0 != questions[0] }) {
      throw ValidationError("\(questions[0].option) and \(other.option) cannot be used together")
    }
    if let question, bytes || format.written != nil {
      throw ValidationError(
        "\(question.option) and \(bytes ? "--bytes" : "--to") cannot be used together")
    }
    guard outputEncoding.name == nil || format.written != nil || output.file.flatMap(Format.ofFile) != nil
    else {
      throw ValidationError("--to-encoding needs --to FORMAT, or -o FILE with the extension of a format")
    }
    if let other = bytes ? "--bytes" : question?.option,
      let given = layout.firstGiven ?? (raw ? "--raw" : nil)
    {
      throw ValidationError("\(given) and \(other) cannot be used together")
    }
    if replacement != nil {
      let format = format.written != nil || output.file.flatMap(Format.ofFile(named:)) != nil
      guard !bytes, !format, question == nil else {
        throw ValidationError(
          "--default prints a text, and cannot be used with "
            + (bytes ? "--bytes" : question?.option ?? "the format of an output"))
      }
    }
    if !bytes { try output.checkKind(mayBeZIP: format.written == nil) }
    if !bytes, question == nil, let target = format.format ?? output.file.flatMap(Format.ofFile(named:)) {
      try layout.check(target)
      try yaml.check(target)
    } else if yaml.hasDocuments {
      throw ValidationError("--documents needs --to yaml")
    }
  }

  /// The paths of the values; that of the whole file if none is given.
  private func selectedPaths() throws -> [ValuePath] {
    selected.isEmpty ? [ValuePath()] : try selected.map { try $0.path() }
  }

  func run() throws {
    try NamedError.naming(output: output.file ?? "-") { () throws(FerryError) in
      try output.checkReplacesNone(
        of: [file],
        types.optionFiles
          + OptionFile.given([("--classes", classes.file), ("--dtd", self.xml.entities.dtd)]))
    }
    var xml = try xml.load(types: types.notation)
    (xml.refusesOtherFormats, xml.prefixes) = (true, namespaces.prefixes)
    let document = try openForXPaths(xml)
    if let reading = document.reading { return try write(selectedBy: reading) }
    let paths = try selectedPaths()
    // The paths of other commands name contents in their order.
    if paths.contains(where: { $0.steps.contains(.key("#content")) }) { xml = xml.forContents }
    let (source, losses): (EditableFile?, Losses?) = try readingPaths { () throws(NamedError) in
      let opened = try openToRead(
        file, shared: shared.style, encoding: encoding.name, csv: csv.reading, xml: xml,
        opening: document.open)
      if let values = try stream(paths, of: opened) {
        return (nil, try withOutput { output throws(NamedError) in try write(values, to: output) })
      }
      let source = try read(paths, of: opened)
      let losses = try warning(of: source, named: file) { () throws(NamedError) in
        try withOutput { output throws(NamedError) in try write(paths, of: source, to: output) }
      }
      return (source, losses)
    }
    guard !quiet.isQuiet else { return }
    if let losses { StandardError.write(losses, of: file) }
    guard let source else { return }
    for path in paths where try replacement == nil && isEmpty(path, of: source) {
      StandardError.write("\(file): no value matches the path \(path)")
    }
  }

  /// Returns the values of a large file that are written as they are read; nil if they cannot be.
  private func stream(_ paths: [ValuePath], of opened: FileToRead) throws(NamedError) -> StreamedValues? {
    guard paths.count == 1, !bytes, question == nil else { return nil }
    return try NamedError.naming(file) { () throws(FerryError) in try opened.stream(paths[0], as: writing) }
  }

  private func read(_ paths: [ValuePath], of opened: FileToRead) throws(NamedError) -> EditableFile {
    try NamedError.naming(file) { () throws(FerryError) in
      guard paths.count == 1, replacement == nil else { return try opened.read(ValuePath()) }
      return question == nil ? try opened.read(paths[0]) : try opened.summarize(paths[0])
    }
  }

  /// The format of the output with its layout; nil for plain text.
  private var writing: WritingOptions? {
    guard let target = bytes ? nil : format.format ?? output.file.flatMap(Format.ofFile(named:)) else {
      return nil
    }
    var writing = WritingOptions(to: target)
    (writing.style, writing.encoding) = (layout.style(), outputEncoding.name)
    writing.style.hasDocuments = yaml.hasDocuments
    return writing
  }

  private func write(_ values: StreamedValues, to output: NamedOutput) throws(NamedError) -> Losses {
    try output.naming(input: file) { output throws(FerryError) in
      guard let writing else { return try values.writeText(style: layout.style(), to: output) }
      return try values.write(as: writing, to: output)
    }
  }

  private func write(_ paths: [ValuePath], of source: EditableFile, to output: NamedOutput) throws(NamedError)
    -> Losses?
  {
    try output.naming(input: file) { output throws(FerryError) in
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

  /// Returns true if the path may match several values and matches none.
  private func isEmpty(_ path: ValuePath, of source: EditableFile) throws(NamedError) -> Bool {
    guard path.namesSeveral else { return false }
    return try NamedError.naming(file) { () throws(FerryError) in try source.count(at: path) == 0 }
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
  /// - Throws: A `FerryError` with the reason `PathProblem.noStep` if the value has no keys or no parts.
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
    FerryError(.path(.noStep(parts, into: "a value of the type \(summary.typeName)")), path: summary.path)
  }
}
