/// A problem in CSV, or in values to write as CSV.
public enum CSVProblem: Hashable, Sendable {
  /// Text between the closing quotation mark of a cell and the next delimiter.
  case textAfterQuote
  /// A quotation mark with a backslash before it inside a cell in quotation marks. Backslashes are ordinary characters, so the cell ends there.
  case backslashBeforeQuote
  /// A quotation mark at the beginning of a cell that is not closed.
  case openQuote
  /// A row with fewer or more cells than there are columns. `CSVReadingOptions.allowsRaggedRows` accepts such rows.
  case rowLength(Int, columns: Int, likely: CSVRowCause? = nil)
  /// Fewer lines than `CSVReadingOptions.skippedLines`.
  case tooFewLines(Int, skipped: Int)
  /// Two columns with the same name. `CSVReadingOptions.columnNames` gives them other names.
  case sameColumn(String)
  /// Two keys of a record that become the same column.
  case sameKey(String)
  /// Given names for more or fewer columns than the header has.
  case columnNames(given: Int, columns: Int)
  /// A delimiter that also occurs in numbers or names, or is not an ASCII character.
  case badDelimiter
  /// The delimiter and the quotation mark are the same character.
  case delimiterIsQuote
  /// A text for nulls that would need quotation marks.
  case badNullText(String)
  /// A row of another kind than the rows before it: a list among records, or a record among lists.
  case notARow(found: String, wanted: String)
  /// A requested column that no record has, with the names of columns that records have.
  case noColumn(String, among: [String])
  /// A column that is requested twice in `CSVWritingOptions.columns`.
  case columnTwice(String)
  /// A requested column with a dot, such as `a.b`, although the first name is that of a dictionary, which becomes one cell.
  /// `CSVWritingOptions.nestsDottedColumns` writes its entries to columns.
  case columnOfEntry(String, dictionary: String)
  /// Properties of CSV were given, but the input has another format.
  case notCSV(format: String)
  /// Columns with dots were asked for, but neither the input, whose format is given, nor the output is a table.
  case noTable(format: String)
  /// A file without columns, although columns are to be renamed.
  case notATable
  /// A representation in which CSV cannot be written.
  case onlyPlain
}

/// A likely cause of a row with fewer or more cells than there are columns.
public enum CSVRowCause: Hashable, Sendable {
  /// A cell begins with white space and a quotation mark, which is an ordinary character there. `CSVReadingOptions.skipsInitialSpaces` ignores
  /// the white space.
  case spacesBeforeQuote
  /// Lines before the header, whose number is given: the first row has fewer cells than all that follow.
  /// `CSVReadingOptions.skippedLines` skips them.
  case linesBeforeHeader(Int)
}

extension CSVProblem: CustomStringConvertible {
  /// The problem in one sentence, without a period.
  public var description: String {
    switch self {
    case .textAfterQuote:
      "expected a delimiter or the end of the row after the closing quotation mark (a quotation mark in a cell is written twice)"
    case .backslashBeforeQuote:
      "a backslash before a quotation mark is not an escape (a quotation mark in a cell is written twice; tables with backslash escapes, as MySQL writes them, are not supported)"
    case .openQuote: "the quotation mark that begins this cell is not closed"
    case .rowLength(let count, let columns, _):
      "the row has \(count) \(count == 1 ? "cell" : "cells"), but the table has \(columns) \(columns == 1 ? "column" : "columns")"
    case .tooFewLines(let count, let skipped):
      "the text has \(count) \(count == 1 ? "line" : "lines"), but \(skipped) are to be skipped"
    case .sameColumn(let name):
      "two columns have the name \(MessageText.quoted(name))"
    case .sameKey(let name): "two keys of the record become the column \(MessageText.quoted(name))"
    case .columnNames(let given, let columns):
      "\(given) column \(given == 1 ? "name is" : "names are") given, but the table has \(columns) \(columns == 1 ? "column" : "columns")"
    case .badDelimiter:
      "a delimiter must be an ASCII character that is not a letter, a digit, a quotation mark, a line break, \".\", \"+\" or \"-\""
    case .delimiterIsQuote: "the delimiter and the quotation mark must be different characters"
    case .badNullText(let text):
      "\(MessageText.quoted(text)) cannot stand for null, because it needs quotation marks in the table (NA does not)"
    case .notARow(let found, let wanted): "a row of this table must be \(wanted), found \(found)"
    case .noColumn(let name, let names):
      "no record has the column \(MessageText.quoted(name))\(Self.columns(near: name, among: names))"
    case .columnTwice(let name): "the column \(MessageText.quoted(name)) is given twice"
    case .columnOfEntry(let name, let dictionary):
      "no record has the column \(MessageText.quoted(name)), but \(MessageText.quoted(dictionary)) is a dictionary"
    case .notCSV(let format):
      "the options for CSV cannot be used, because the input is \(format)"
    case .noTable(let format):
      "columns with dots are only for tables, but the input is \(format), and the output is not a table"
    case .notATable: "not a table: only CSV and TSV have columns to rename"
    case .onlyPlain: "tables are written only in the plain form"
    }
  }

  /// The maximum number of columns that a message lists.
  private static let mostListed = 10

  /// Returns the column that was probably meant, or all columns, as the end of a message.
  private static func columns(near name: String, among names: [String]) -> String {
    if let near = NearMiss.nearest(to: name, among: names) {
      return " (did you mean \(MessageText.quoted(near))?)"
    }
    guard !names.isEmpty else { return "" }
    let quoted = names.prefix(mostListed).map { MessageText.quoted($0, limit: 40) }.joined(separator: ", ")
    return "; the columns are \(quoted)" + (names.count > mostListed ? ", …" : "")
  }
}

extension CSVProblem {
  /// True if the data is at fault, false if an option is.
  var isAboutData: Bool {
    switch self {
    case .badDelimiter, .delimiterIsQuote, .badNullText, .columnTwice, .notCSV, .noTable, .notATable,
      .onlyPlain:
      false
    default: true
    }
  }

  /// The stable identifier of the problem for programs. It never changes.
  var code: String {
    switch self {
    case .textAfterQuote: "text-after-quote"
    case .backslashBeforeQuote: "backslash-before-quote"
    case .openQuote: "open-quote"
    case .rowLength: "row-length"
    case .tooFewLines: "too-few-lines"
    case .sameColumn: "same-column"
    case .sameKey: "same-key"
    case .columnNames: "column-names"
    case .badDelimiter: "bad-delimiter"
    case .delimiterIsQuote: "delimiter-is-quote"
    case .badNullText: "bad-null-text"
    case .notARow: "not-a-row"
    case .noColumn, .columnOfEntry: "no-column"
    case .columnTwice: "column-twice"
    case .notCSV: "not-csv"
    case .noTable: "no-table"
    case .notATable: "not-a-table"
    case .onlyPlain: "only-plain"
    }
  }
}
