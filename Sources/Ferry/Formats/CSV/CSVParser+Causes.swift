// The likely causes of rows with too few or too many cells.

extension CSVParser {
  /// The maximum number of lines before a header that are found, and of the rows that prove them.
  private static var mostRows: Int { 20 }

  /// Returns the likely cause of a row with too few or too many cells; nil if it shows none.
  ///
  /// - Parameters:
  ///   - scanner: The scanner after the row.
  ///   - offset: The offset of the row.
  func likelyCause(
    of row: borrowing CSVRow, _ columns: CSVColumns, before scanner: CSVScanner, isAtEnd: Bool, at offset: Int
  ) -> CSVRowCause? {
    if hasSpacesBeforeQuote(row, columns) { return .spacesBeforeQuote }
    guard options.columnNames == nil, row.count > columns.count, rowCount <= Self.mostRows,
      Self.haveMoreCells(than: columns.count, after: scanner, in: row.text, isAtEnd: isAtEnd),
      let line = row.locations.location(of: offset, in: row.text).line, line > 1
    else { return nil }
    return .linesBeforeHeader(line - 1)
  }

  /// Returns true if a cell of a row, or a name of a column, begins with white space and a quotation mark, which is an ordinary character
  /// there.
  private func hasSpacesBeforeQuote(_ row: borrowing CSVRow, _ columns: CSVColumns) -> Bool {
    guard let quote = options.quote, !options.skipsInitialSpaces else { return false }
    for index in 0..<row.count where !row.isQuoted(index) {
      if row.begins(index, withSpacesBefore: quote) { return true }
    }
    return columns.names?.contains { name in
      name.bytes.first?.isInitialSpace == true && name.bytes.first { !$0.isInitialSpace } == quote
    } ?? false
  }

  /// Returns true if rows follow in a text, and the next ones have more cells than a number.
  private static func haveMoreCells(
    than count: Int, after scanner: CSVScanner, in text: Span<UInt8>, isAtEnd: Bool
  ) -> Bool {
    var (scanner, found) = (scanner, 0)
    while found < mostRows, (try? scanner.nextRow(in: text, isAtEnd: isAtEnd)) == true {
      let cells = scanner.cells
      if cells.count == 1, cells[0].isBlank { continue }
      guard cells.count > count else { return false }
      found += 1
    }
    return found > 0
  }
}
