/// The properties of CSV to read that the text itself does not show.
///
///     var conversion = Conversion(to: .json)
///     conversion.reading.csv.delimiter = UInt8(ascii: "|")
///     conversion.reading.csv.hasHeader = false
///     try conversion.convert(Array("Ada|36\n".utf8), named: "people.csv")      // [["Ada","36"]]
public struct CSVReadingOptions: Hashable, Sendable {
  /// The character between the cells of a row. If it is nil, it is the most frequent one of comma, semicolon, tab and
  /// vertical bar in the first row; in TSV, it is the tab.
  public var delimiter: UInt8?
  /// The quotation mark around cells, or nil if quotation marks are ordinary characters.
  public var quote: UInt8? = UInt8(ascii: "\"")
  /// True to ignore spaces and tabs at the beginning of cells, as in `1, "a, b"`. The delimiter itself is not ignored.
  public var skipsInitialSpaces = false
  /// The number of lines before the first row, such as those with a title. Blank lines count, and quotation marks have no meaning in them.
  public var skippedLines = 0
  /// True if the first row contains the names of the columns. Without names, each row becomes a list.
  public var hasHeader = true
  /// The names of the columns. They replace those in the header, if there is one.
  public var columnNames: [String]?
  /// True to accept rows with fewer or more cells than there are columns. Missing cells are left out, and others get names
  /// such as `column 5`.
  public var allowsRaggedRows = false
  /// True to infer the types of the columns. Numbers, booleans and JSON are read as such in columns where all cells have
  /// this type and would be written with the same text, and empty cells are read as null. The input is read twice.
  public var infersTypes = false
  /// The texts that mean null in a cell without quotation marks, such as `NA`. In quotation marks, they are texts.
  public var nullTexts: [String] = []
  /// True to read columns such as `address.city` as entries of a nested dictionary `address`.
  public var nestsDottedColumns = false

  /// True to read an empty cell without quotation marks as null, and not as an empty text.
  var readsEmptyCellsAsNull = false
  /// True to also read `""` as null if the table has one column. There, a missing value is written with quotation marks,
  /// because a blank line is not a row.
  var readsEmptyLinesAsNull = false
  /// The inferred types of the columns, or nil to read all cells as text.
  var columnTypes: [CSVColumnType]?

  /// True if each row has a text, or null, for each column.
  var hasEqualRows: Bool {
    !allowsRaggedRows && !infersTypes && !nestsDottedColumns && columnTypes == nil
  }

  /// True if properties are given that only a table has, so that a text that may be a table is one. Dotted columns may be those of the
  /// output.
  var areGiven: Bool {
    var usual = CSVReadingOptions()
    usual.nestsDottedColumns = nestsDottedColumns
    (usual.readsEmptyCellsAsNull, usual.readsEmptyLinesAsNull) = (
      readsEmptyCellsAsNull, readsEmptyLinesAsNull
    )
    return self != usual
  }

  /// Returns true if a text means null in a cell without quotation marks.
  func isNull(_ text: Span<UInt8>) -> Bool { nullTexts.contains { text.equals($0.utf8.span) } }

  /// Creates the default options.
  public init() {}

  /// Throws if properties are given that a format does not have. Dotted columns may be those of the output.
  public func check(for format: Format) throws(FerryError) {
    guard !areGiven || format.description.columnTypes != nil else {
      throw FerryError(.csv(.notCSV(format: format.rawValue)))
    }
  }

  /// Returns the delimiter, or else that of a format; nil if it is to be found.
  ///
  /// - Throws: A `FerryError` with the reason `CSVProblem.badDelimiter` or `CSVProblem.delimiterIsQuote`.
  func delimiter(ofFormat format: UInt8?) throws(FerryError) -> UInt8? {
    guard let delimiter = delimiter ?? format else { return nil }
    guard Self.isDelimiter(delimiter) else { throw FerryError(.csv(.badDelimiter)) }
    guard delimiter != quote else { throw FerryError(.csv(.delimiterIsQuote)) }
    return delimiter
  }

  /// Returns true if a character can be a delimiter: an ASCII character that occurs neither in numbers nor in names, and
  /// is not a quotation mark or a line end.
  public static func isDelimiter(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
      UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "\""), UInt8(ascii: "\n"), UInt8(ascii: "\r"),
      UInt8(ascii: "."), UInt8(ascii: "+"), UInt8(ascii: "-"):
      false
    default: byte < 0x80
    }
  }
}

/// The type of the cells in a column.
enum CSVColumnType {
  case text, boolean, number, json
}
