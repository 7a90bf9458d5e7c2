import ArgumentParser
import Ferry

/// The options for CSV and TSV in the input.
struct CSVOptions: ParsableArguments {
  /// The title of the options in help.
  static let title = "CSV and TSV"

  @OptionGroup var cells: CSVCellOptions

  @Flag(
    name: .customLong("infer"),
    help: """
      Read numbers, booleans and JSON in columns that have nothing else, and empty cells as null. convert also infers a \
      schema for the records of other formats, as schema infer does.
      """)
  var infersTypes = false

  /// The properties of CSV to read.
  var reading: CSVReadingOptions {
    var options = cells.reading
    options.infersTypes = infersTypes
    return options
  }
}

/// The options for CSV and TSV in the input of a command that reads all cells as text.
struct CSVCellOptions: ParsableArguments {
  @OptionGroup var text: CSVTextOptions

  @Flag(name: .customLong("no-header"), help: "Read the first row of the input as a record too.")
  var hasNoHeader = false

  @Option(
    name: .customLong("column-names"),
    help: ArgumentHelp(
      "The names of the input's columns, separated by commas. They replace those in the header.",
      valueName: "names"),
    transform: ColumnNames.init(parsing:))
  var columnNames: ColumnNames?

  @Option(
    name: .customLong("null-value"), parsing: .singleValue,
    help: ArgumentHelp(
      "Read cells with this text, such as NA, as null, unless they have quotation marks. Repeatable.",
      valueName: "text"))
  var nullTexts: [String] = []

  /// The properties of CSV to read.
  var reading: CSVReadingOptions {
    var options = text.reading
    options.hasHeader = !hasNoHeader
    options.columnNames = columnNames?.names
    options.nullTexts = nullTexts
    return options
  }
}

/// The options for the marks and rows of CSV and TSV in the input, for all commands that read tables.
struct CSVTextOptions: ParsableArguments {
  @Option(
    name: .long,
    help: ArgumentHelp(
      "The character between the cells of the input: a character, comma, semicolon, tab, pipe or space (default: found).",
      valueName: "character"),
    transform: CSVDelimiter.init(parsing:))
  var delimiter: CSVDelimiter?

  @Option(
    name: .long,
    help: ArgumentHelp(
      "The quotation mark of the input; none: quotation marks are ordinary characters (default: \").",
      valueName: "character"),
    transform: CSVQuote.init(parsing:))
  var quote: CSVQuote?

  @Flag(
    name: .customLong("skip-initial-space"),
    help: "Ignore spaces and tabs at the beginning of the cells of the input, as in 1, \"a, b\".")
  var skipsInitialSpaces = false

  @Option(
    name: .customLong("skip-rows"), parsing: .unconditional,
    help: ArgumentHelp(
      "Skip this number of lines before the first row of the input. Blank lines count.", valueName: "number"),
    transform: LineCount.init(parsing:))
  var skippedLines: LineCount?

  @Flag(name: .customLong("ragged"), help: "Accept rows with too few or too many cells.")
  var isRagged = false

  func validate() throws {
    let reading = reading
    guard reading.delimiter == nil || reading.delimiter != reading.quote else {
      throw ValidationError(CSVProblem.delimiterIsQuote.description)
    }
  }

  /// The properties of CSV to read.
  var reading: CSVReadingOptions {
    var options = CSVReadingOptions()
    options.delimiter = delimiter?.byte
    if let quote { options.quote = quote.byte }
    options.allowsRaggedRows = isRagged
    options.skipsInitialSpaces = skipsInitialSpaces
    options.skippedLines = skippedLines?.count ?? 0
    return options
  }

  /// True if an option is given.
  var isGiven: Bool {
    delimiter != nil || quote != nil || isRagged || skipsInitialSpaces || skippedLines != nil
  }
}

/// The options for CSV, TSV and tables in the output.
struct CSVLayoutOptions: ParsableArguments {
  @Option(
    name: .customLong("to-delimiter"),
    help: ArgumentHelp("The character between the cells of the output.", valueName: "character"),
    transform: CSVDelimiter.init(parsing:))
  var delimiter: CSVDelimiter?

  @Option(
    name: .long,
    help: ArgumentHelp(
      "Write only these columns, in this order, separated by commas; in JSON and YAML, these keys of the records.",
      valueName: "names"),
    transform: ColumnNames.init(parsing:))
  var columns: ColumnNames?

  @Option(
    name: .customLong("to-null-value"),
    help: ArgumentHelp(
      "The text of nulls in the output, such as NA (default: an empty cell).", valueName: "text"))
  var nullText: String?

  @Flag(name: .customLong("omit-header"), help: "Write no row with the names of the columns.")
  var omitsHeader = false

  @Flag(name: .customLong("quote-all"), help: "Write all cells of the output in quotation marks.")
  var quotesAll = false

  @Flag(name: .customLong("crlf"), help: "End the rows of the output in CR LF.")
  var endsRowsInCRLF = false

  @OptionGroup var dotted: DottedColumnOptions

  /// Throws if the options do not fit the output.
  func check(_ target: Format) throws(ValidationError) {
    let options = target.layoutOptions
    guard !omitsHeader && nullText == nil || options.contains(.columns) else {
      throw ValidationError("--omit-header and --to-null-value need --to csv, tsv or table")
    }
    guard columns == nil || options.contains(.columns) || options.contains(.chosenKeys) else {
      throw ValidationError("--columns needs --to csv, tsv, table, yaml or a format of JSON")
    }
    guard delimiter == nil && !endsRowsInCRLF && !quotesAll || options.contains(.delimiters) else {
      throw ValidationError("--to-delimiter, --crlf and --quote-all need --to csv or tsv")
    }
  }

  /// The layout of the output.
  var layout: CSVWritingOptions {
    var options = CSVWritingOptions()
    options.delimiter = delimiter?.byte
    options.columns = columns?.names
    options.hasHeader = !omitsHeader
    options.nullText = nullText
    options.endsRowsInCRLF = endsRowsInCRLF
    options.quotesAll = quotesAll
    options.nestsDottedColumns = dotted.nestsDottedColumns
    return options
  }
}

/// `--delimiter ';'`, `--delimiter tab`
struct CSVDelimiter {
  let byte: UInt8

  private static let names = [
    "comma": ",", "semicolon": ";", "tab": "\t", "\\t": "\t", "pipe": "|", "space": " ", "colon": ":",
  ]

  init(parsing argument: String) throws(ValidationError) {
    let text = Self.names[argument.lowercased()] ?? argument
    guard text.utf8.count == 1, let byte = text.utf8.first, CSVReadingOptions.isDelimiter(byte) else {
      throw ValidationError(CSVProblem.badDelimiter.description)
    }
    self.byte = byte
  }
}

/// `--skip-rows 2`
struct LineCount {
  let count: Int

  init(parsing argument: String) throws(ValidationError) {
    guard argument.utf8.allSatisfy({ (0x30...0x39).contains($0) }), let count = Int(argument) else {
      throw ValidationError("expected a number of lines, such as 2")
    }
    self.count = count
  }
}

/// `--quote "'"`, `--quote none`
struct CSVQuote {
  /// The quotation mark, or nil for `none`.
  let byte: UInt8?

  init(parsing argument: String) throws(ValidationError) {
    guard argument.lowercased() != "none" else {
      byte = nil
      return
    }
    guard argument.utf8.count == 1, let byte = argument.utf8.first, byte > 0x20, byte < 0x7f else {
      throw ValidationError("expected one visible character of ASCII, or none")
    }
    self.byte = byte
  }
}

/// `--columns name,age`. A name with a comma, and one with a space at an end, is in quotation marks, as in CSV.
struct ColumnNames {
  let names: [String]

  init(parsing argument: String) throws(ValidationError) {
    var conversion = Conversion(to: .json)
    conversion.reading.format = .csv
    conversion.reading.csv.delimiter = UInt8(ascii: ",")
    conversion.reading.csv.hasHeader = false
    guard !argument.contains("\n"), let result = try? conversion.convert(Self.withoutSpaces(argument)),
      case .array(let rows)? = try? Value(reading: MemoryInput(result.bytes)), rows.count == 1,
      case .array(let cells) = rows[0]
    else { throw ValidationError("expected names of columns, separated by commas, as in name,age") }
    names = cells.compactMap { if case .string(let name) = $0 { name } else { nil } }
    var known: Set<[UInt8]> = []
    for name in names where !known.insert(Array(name.utf8)).inserted {
      throw ValidationError(CSVProblem.columnTwice(name).description)
    }
  }

  /// Returns the bytes of an argument without the spaces around its commas and at its ends, except for those in quotation marks.
  private static func withoutSpaces(_ argument: String) -> [UInt8] {
    let (space, comma, quote) = (UInt8(ascii: " "), UInt8(ascii: ","), UInt8(ascii: "\""))
    var cells: [[UInt8]] = [[]]
    var isQuoted = false
    for byte in argument.utf8 {
      if byte == quote { isQuoted.toggle() }
      if byte == comma, !isQuoted { cells.append([]) } else { cells[cells.count - 1].append(byte) }
    }
    return Array(
      cells.map { cell in
        cell[(cell.firstIndex { $0 != space } ?? cell.endIndex)...].reversed().drop { $0 == space }.reversed()
      }.joined(separator: [comma]))
  }
}
