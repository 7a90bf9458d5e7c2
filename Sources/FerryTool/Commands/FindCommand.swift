import ArgumentParser
import Ferry

/// `ferry find`: finds values and keys in files.
struct FindCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "find",
    abstract: "Find values and keys by their text, type or class.",
    usage: "ferry find [<options>] <pattern> [<files or folders> ...]",
    discussion: """
      Prints the file, the path and the value of each match; ferry get takes the path. Searches in all formats, in the \
      files of folders that Ferry reads, in the property lists, archives and JSON inside data, and in the entries of archives \
      beside their objects. With -e, --key, --type or --class, all arguments \
      are files.

        ferry find Matt people.pplgrp folks.xml        values and keys with Matt
        ferry find -i matt .                           in all files of a folder
        ferry find -E '^[A-Z]' . --include '*.pplgrp'
        ferry find --key first people.pplgrp           the values for a key
        ferry find -i --key first people.pplgrp        also for First and FIRST
        ferry find --class Person people.pplgrp        the objects of a class
        ferry find --type string people.pplgrp         all texts
        ferry find -l0 Matt . | xargs -0 ls -l         the names of files, for xargs
        ferry find -L --key version . --include '*.json'   files without the key

      The exit status is 0 if something was found, with -L a file without a match, 1 if not, 2 if a file cannot be searched, and 64 if the command line is \
      wrong. Skips files of folders that Ferry does not read, as ferry check does. If a file cannot be searched, or with \
      --verbose, the standard error has the numbers of files that were searched, failed and skipped.
      """)

  @Argument(
    help: "The text to find, and the files and folders to search (default: -, the standard input).",
    completion: .file())
  var arguments: [FileNames] = []

  @Option(
    name: .customShort("e"), parsing: .singleValue,
    help: ArgumentHelp("The text to find. Repeatable: any of the texts.", valueName: "pattern"))
  var texts: [String] = []

  @Flag(
    name: [.customShort("E"), .customLong("regex")],
    help: "Take the pattern, or the names, as regular expressions.")
  var isRegex = false

  @Flag(name: [.customShort("i"), .customLong("ignore-case")], help: "Ignore case.")
  var ignoresCase = false

  @Flag(name: [.customShort("x"), .customLong("exact")], help: "Find only texts that are the whole pattern.")
  var isExact = false

  @Flag(name: [.customLong("keys"), .customShort("k")], help: "Find only keys.")
  var keysOnly = false

  @Flag(name: [.customLong("values"), .customShort("v")], help: "Find only values.")
  var valuesOnly = false

  @Option(
    name: .customLong("key"), parsing: .singleValue,
    help: ArgumentHelp("Find the values for this key. Repeatable: any of the keys.", valueName: "name"))
  var keyNames: [String] = []

  @Option(
    name: .customLong("type"),
    help: ArgumentHelp(
      "Find values of this type, such as date, data, integer or array. Repeatable.", valueName: "type"))
  var kinds: [ValueKind] = []

  @Option(
    name: .customLong("class"), parsing: .singleValue,
    help: ArgumentHelp(
      "Find objects of this class, or of its subclasses. Repeatable: any of the classes.", valueName: "name"))
  var classNames: [String] = []

  @Flag(
    name: [.customShort("l"), .customLong("files-with-matches")],
    help: "Print only the names of files with matches.")
  var printsNames = false

  @Flag(
    name: [.customShort("L"), .customLong("files-without-match")],
    help: "Print only the names of files without a match.")
  var printsOtherNames = false

  @Flag(
    name: [.customShort("c"), .customLong("count")], help: "Print only the number of matches in each file.")
  var printsCounts = false

  @Flag(name: .long, help: "Print JSON: one object a line, for each match.")
  var json = false

  @Flag(name: .long, help: "Print the numbers of files that were searched, failed and skipped.")
  var verbose = false

  @OptionGroup var quiet: QuietOptions
  @OptionGroup var list: FileListOptions
  @OptionGroup var patterns: PatternOptions
  @OptionGroup var habit: RecursionHabit
  @OptionGroup var input: InputOptions
  @OptionGroup var encoding: EncodingOptions
  @OptionGroup var types: TypeOptions
  @OptionGroup var color: ColorOptions
  @OptionGroup var errorOutput: ErrorOptions
  @OptionGroup(title: XMLOptions.title) var xml: XMLOptions
  @OptionGroup(title: CSVOptions.title) var csv: CSVOptions
  @OptionGroup(title: BudgetOptions.title) var limits: BudgetOptions

  /// True if the first argument is the pattern.
  private var takesPattern: Bool {
    texts.isEmpty && kinds.isEmpty && classNames.isEmpty && keyNames.isEmpty
  }

  func validate() throws {
    guard !takesPattern || !arguments.isEmpty else {
      throw ValidationError("give a text to find, or --key, --type or --class")
    }
    guard !keysOnly || !valuesOnly else {
      throw ValidationError("--keys and --values cannot be used together")
    }
    guard !keysOnly || kinds.isEmpty && classNames.isEmpty && keyNames.isEmpty else {
      throw ValidationError("--keys cannot be used with --key, --type or --class, which find values")
    }
    guard classNames.isEmpty || texts.isEmpty && kinds.isEmpty && keyNames.isEmpty else {
      throw ValidationError("--class finds objects, and cannot be used with -e, --key or --type")
    }
    let styles = [json, printsNames, printsOtherNames, printsCounts]
    guard styles.count(where: { $0 }) <= 1 else {
      throw ValidationError(
        "--json, --files-with-matches, --files-without-match and --count cannot be used together")
    }
    guard !quiet.isQuiet || !(styles + [verbose]).contains(true) else {
      throw ValidationError(
        "--quiet cannot be used with --json, --files-with-matches, --files-without-match, --count or --verbose"
      )
    }
    guard !isRegex || !isExact else { throw ValidationError("-x cannot be used with -E (write ^…$)") }
    try checkComparison()
    _ = try textPatterns(takesPattern ? Array(arguments.names.prefix(1)) : texts)
    _ = try namePatterns(keyNames + classNames)
  }

  /// Throws if an option says how to compare texts, and none is given.
  private func checkComparison() throws(ValidationError) {
    guard !takesPattern, texts.isEmpty else { return }
    let options = [("--ignore-case", ignoresCase), ("--regex", isRegex), ("--exact", isExact)]
    guard keyNames.isEmpty, classNames.isEmpty, let given = options.first(where: { $0.1 }) else { return }
    throw ValidationError("\(given.0) needs a text to find (-e), --key or --class")
  }

  func run() throws { try ExitCode.reportingTrouble(search) }

  private func search() throws {
    let names = arguments.names
    let (texts, files) =
      takesPattern ? (Array(names.prefix(1)), Array(names.dropFirst())) : (texts, names)
    var search = try search(for: texts)
    let types = try types.load()
    let report = FindReport(style, colors: color.colors)
    search.mostPathBytes = report.mostPathBytes
    let named = try list.names(
      after: files, types, report.errors, printsNames: printsNames || printsOtherNames)
    let inputs = FoundInput.all(named: named, patterns.choice, types, report.errors, isQuiet: quiet.isQuiet)
    if inputs.isEmpty, report.errors.all.isEmpty, !quiet.isQuiet {
      report.errors.writeNoInputs("no files to search")
    }
    let reading = FittedReading(search.reading, of: inputs)
    report.hasMany = inputs.count > 1 || inputs.contains(where: \.isInFolder) || !report.errors.all.isEmpty
    report.errors.collect { () throws(NamedError) in
      try ProgressLine.showing(of: inputs.map(\.path), isHidden: quiet.isQuiet) {
        progress throws(NamedError) in
        // The first match answers the question of a quiet run.
        for input in inputs where !quiet.isQuiet || !report.hasFound {
          var search = search
          search.reading = reading.options(for: input)
          try find(search, in: input, types, report, progress)
          progress?.finishFile()
        }
      }
    }
    if !quiet.isQuiet { report.summarize(isVerbose: verbose) }
    if quiet.isQuiet, report.hasFound { return }
    try report.errors.finish(.trouble)
    guard report.hasFound else { throw ExitCode.failure }
  }

  private var style: FindReport.Style {
    if quiet.isQuiet { return .nothing }
    if json { return .json }
    if printsNames || printsOtherNames {
      return .names(haveMatches: printsNames, terminator: list.endsWithZero ? "\0" : "\n")
    }
    return printsCounts ? .counts : .matches
  }

  private func search(for texts: [String]) throws -> ValueSearch {
    var search = ValueSearch()
    let patterns = try textPatterns(texts)
    if !patterns.isEmpty {
      search.text = { text in patterns.contains { $0.matches(text) } }
      // A part of a word is in the Base64 of nearly any picture.
      let whole = isRegex || kinds.contains(.data) ? patterns : try textPatterns(texts, isWhole: true)
      search.dataText = { text in whole.contains { $0.matches(text) } }
    }
    search.kinds = kinds.isEmpty ? nil : Set(kinds)
    (search.className, search.keyName) = (try test(ofNames: classNames), try test(ofNames: keyNames))
    (search.findsKeys, search.findsValues) = (!valuesOnly, !keysOnly)
    (search.reading.format, search.reading.encoding) = (input.format, encoding.name)
    (search.reading.xml, search.reading.csv) = (try xml.load(types: types.notation), csv.reading)
    search.reading.budget = limits.budget
    return search
  }

  /// Returns a test for any of the names of keys or classes; nil without names.
  private func test(ofNames names: [String]) throws -> ((String) -> Bool)? {
    let patterns = try namePatterns(names)
    return patterns.isEmpty ? nil : { name in patterns.contains { $0.matches(name) } }
  }

  /// A name is the whole key or class, unless it is a regular expression.
  private func namePatterns(_ names: [String]) throws -> [TextPattern] {
    try textPatterns(names, isWhole: true)
  }

  private func textPatterns(_ texts: [String], isWhole: Bool = false) throws -> [TextPattern] {
    try texts.map { text in
      do {
        return try TextPattern(text, isRegex: isRegex, ignoresCase: ignoresCase, isWhole: isExact || isWhole)
      } catch {
        throw ValidationError("\"\(text)\" is not a regular expression: \(error)")
      }
    }
  }

  /// Finds in an input. Only errors of writing are thrown.
  private func find(
    _ search: ValueSearch, in input: FoundInput, _ types: DocumentTypes, _ report: FindReport,
    _ progress: ProgressLine?
  ) throws(NamedError) {
    do throws(FerryError) {
      try input.checkContents(search.reading, takesSingles: true)
      let values = try types.openValues(
        of: input.path, from: search.reading.format, budget: search.reading.budget, progress.open)
      var search = search
      search.reading = search.reading.reading(values)
      report.begin(input.path)
      try search.find(in: values.file, named: values.name) { match throws(FerryError) in try report.add(match)
      }
      try report.end()
    } catch {
      if let error = report.output.error { throw error }
      guard !input.isOfOtherKind(error) else { return report.skip() }
      report.errors.add(NamedError(name: input.path, error: error))
    }
  }
}

extension ValueKind: ArgumentWord {
  /// Creates the kind with its name, or with the one that programming languages have for it.
  public init?(argument: String) {
    self.init(rawValue: Self.otherNames[argument] ?? argument)
  }

  private static let otherNames = [
    "int": "integer", "bool": "boolean", "float": "real", "double": "real", "str": "string", "text": "string",
    "list": "array", "dict": "dictionary", "map": "dictionary",
  ]
}
