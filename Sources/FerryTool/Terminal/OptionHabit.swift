import Ferry

/// The answers to options of other tools that no command has.
enum OptionHabit {
  /// An answer to the commands that have an option; to all commands if the option is nil.
  private typealias Answer = (option: String?, text: String)

  private static let selects: [Answer] = [
    ("--select", "--select takes an XPath for XML, and a path for other formats"),
    (nil, "\"ferry convert FILE --select XPATH --to FORMAT\" selects elements"),
  ]
  private static let lists: [Answer] = [("--list", "--list PATH makes a list of the elements with a path")]
  private static let formats: [Answer] = [
    ("--to", "--to names the format of the output, --from that of the input"),
    ("--from", "--from names the format of the file"),
  ]
  private static let replaces: [Answer] = [("--force", "--force overwrites existing files")]
  private static let compacts: [Answer] = [
    ("--compact", "--compact writes JSON on one line"),
    (nil, "\"ferry convert FILE --to json --compact\" writes JSON on one line"),
  ]
  private static let slices: [Answer] = [
    ("--select", "--select '[:10]' reads the first ten elements"),
    (nil, "the path '[:10]' selects the first ten elements: ferry get FILE '[:10]'"),
  ]
  private static let delimiters: [Answer] = [
    ("--to-delimiter", "--delimiter is for the input, --to-delimiter for the output"),
    ("--delimiter", "--delimiter names the character between cells"),
  ]
  private static let headers: [Answer] = [
    ("--omit-header", "--no-header is for the input, --omit-header for the output"),
    ("--no-header", "--no-header is for tables without names of columns"),
  ]
  private static let skippedLines: [Answer] = [
    ("--skip-rows", "--skip-rows 2 skips two lines before the header")
  ]
  private static let initialSpaces: [Answer] = [
    ("--skip-initial-space", "--skip-initial-space ignores spaces at the beginning of cells")
  ]
  private static let quotes: [Answer] = [("--quote-all", "--quote-all writes all cells in quotation marks")]
  private static let escapes: [Answer] = [
    ("--ascii", "--ascii writes an escape for each character beyond ASCII")
  ]
  private static let marks: [Answer] = [("--to-encoding", "--to-encoding utf-8-bom writes a byte order mark")]
  private static let typed: [Answer] = [
    ("--form", "--form typed keeps everything, to convert it back"),
    (nil, "\"ferry convert FILE --to FORMAT --form typed\" keeps everything"),
  ]
  private static let strips: [Answer] = [("--namespaces", "--namespaces strip leaves out the prefixes")]
  private static let schemas: [Answer] = [
    ("--schema", "--schema takes a schema of Ferry: ferry help schemas")
  ]
  private static let elements: [Answer] = [
    ("--item", "--item names the elements of a list, and a schema those of records: ferry help schemas")
  ]
  private static let entities: [Answer] = [("--table", "--table names the entity of a Core Data store")]
  private static let additions: [Answer] = [("--from-file", "\"ferry insert FILE PATH VALUE\" adds a key")]
  private static let values: [Answer] = [("--from-file", "the value is the argument after the path")]
  private static let copies: [Answer] = [
    ("--output", "-o FILE leaves the input as it is; cp keeps a copy")
  ]
  private static let inputs: [Answer] = [(nil, "a file needs no option; - is the standard input")]
  private static let briefs: [Answer] = [("--wide", "the exit status is 1 if the files differ")]
  private static let sides: [Answer] = [("--wide", "--wide prints both versions side by side")]
  private static let turned: [Answer] = [("--wide", "write the files in the other order")]
  private static let sorted: [Answer] = [
    ("--sort-keys", "--sort-keys sorts the keys"),
    (nil, "\"ferry convert FILE --to FORMAT --sort-keys\" sorts the keys"),
  ]

  private static let answers = [
    "--xpath": selects, "--jsonpath": selects, "--query": selects,
    "--force-list": lists, "--force_list": lists, "--xml-force-list": lists,
    "--format": formats, "--output-format": formats, "--input-format": formats,
    "--overwrite": replaces, "--yes": replaces,
    "--minify": compacts, "--condensed": compacts, "--compact-output": compacts, "--one-line": compacts,
    "--limit": slices, "--head": slices, "--first": slices,
    "--separator": delimiters, "--sep": delimiters, "--field-separator": delimiters,
    "--output-delimiter": delimiters,
    "--header": headers, "--headers": headers, "--no-headers": headers,
    "--skip-lines": skippedLines, "--skip": skippedLines, "--skiprows": skippedLines,
    "--skip-header-lines": skippedLines,
    "--skipinitialspace": initialSpaces, "--skip-spaces": initialSpaces, "--trim": initialSpaces,
    "--ltrim": initialSpaces, "--trim-space": initialSpaces,
    "--quoting": quotes, "--quote-always": quotes, "--always-quote": quotes, "--force-quote": quotes,
    "--ensure-ascii": escapes, "--ascii-output": escapes, "--bom": marks,
    "--typed": typed, "--lossless": typed, "--full": typed,
    "--strip-namespaces": strips, "--no-namespaces": strips,
    "--xsd": schemas, "--json-schema": schemas, "--xml-schema": schemas,
    "--row": elements, "--element": elements, "--item-name": elements,
    "--entity": entities, "--create": additions, "--value": values, "--backup": copies,
    "--input": inputs, "--file": inputs,
    "--brief": briefs, "--side-by-side": sides, "--reverse": turned,
    "--sort": sorted, "--sorted": sorted, "--sort-by": sorted,
  ]

  /// The types that `set` and `insert` take as the value of `--type`.
  private static let types = [
    "--int": "integer", "--integer": "integer", "--bool": "boolean", "--boolean": "boolean",
    "--float": "real", "--double": "real", "--real": "real", "--string": "string", "--date": "date",
    "--data": "data", "--json": "json",
  ]

  /// Returns what does the work of an option of another tool; nil for other options, and if the command cannot do the work.
  ///
  /// - Parameter known: The options of the command.
  static func answer(to typed: String, _ known: [String]) -> String? {
    let name = String(typed.prefix { $0 != "=" })
    if known.contains("--from-file"), let type = types[name] {
      return "--type \(type) gives the value this type"
    }
    return answers[name]?.first { $0.option.map(known.contains) ?? true }?.text
  }
}
