/// The layout of CSV to write.
///
///     var conversion = Conversion(to: .csv)
///     conversion.writing.csv.delimiter = UInt8(ascii: ";")
///     conversion.writing.csv.columns = ["name", "age"]
public struct CSVWritingOptions: Hashable, Sendable {
  /// The character between the cells of a row, or nil for that of the format: a comma in CSV, a tab in TSV.
  public var delimiter: UInt8?
  /// The columns to write, in this order, each once: a conversion throws `CSVProblem.columnTwice`. The values of other keys are left
  /// out. Nil means all columns: those of the schema, then the other keys in the order of their first occurrence.
  ///
  /// In JSON and YAML in plain form, these are the keys of the records. A column such as `address.city` is an entry of a nested
  /// dictionary there, and a record without a column has no key for it.
  public var columns: [String]?
  /// True to write the names of the columns as the first row.
  public var hasHeader = true
  /// True to end rows in CR LF, as RFC 4180 requires, and not in LF.
  public var endsRowsInCRLF = false
  /// True to write all cells in quotation marks, also empty ones. A null with a text, `nullText`, has none, because it would be a text in them.
  public var quotesAll = false
  /// True to write the entries of a nested dictionary to columns such as `address.city`, and not as JSON.
  public var nestsDottedColumns = false

  /// The text of a null, or nil for an empty cell. A text that is the same gets quotation marks, and the cell of a missing key is empty.
  public var nullText: String?

  /// Creates the default layout.
  public init() {}

  /// Throws if a column is given twice.
  func checkColumns() throws(FerryError) {
    var known: Set<ExactString> = []
    for name in columns ?? [] where !known.insert(ExactString(name)).inserted {
      throw FerryError(.csv(.columnTwice(name)))
    }
  }
}
