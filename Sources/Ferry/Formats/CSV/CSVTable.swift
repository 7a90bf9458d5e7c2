/// The cells of a table in its text, so that single cells can be changed.
///
///     name,motto⏎             header    name   motto
///     Ada,"a, b"⏎             row 0     Ada    "a, b"
///
/// Blank lines are not rows. The ranges of cells have their quotation marks.
struct CSVTable {
  /// The text in UTF-8, without a byte order mark.
  let text: [UInt8]
  let delimiter: UInt8
  /// The quotation mark, or nil if quotation marks are ordinary characters.
  let quote: UInt8?
  /// True to leave out spaces and tabs at the beginning of cells.
  private let skipsSpaces: Bool
  /// True if the delimiter was found in the first row, so that another first row may show another one.
  let hasFoundDelimiter: Bool
  /// True if a cell has quotation marks inside and none around it, so that a text needs them only if it begins with one.
  private let hasPlainQuotes: Bool
  /// The offset of the first row, after skipped lines and a line `sep=;`.
  let start: Int
  /// The columns, or nil if the text has no rows and no names are given.
  let columns: CSVColumns?
  /// The cells of the header, or nil if the text has none.
  let header: ArraySlice<CSVScanner.Cell>?
  /// The cells of all rows, one row after the other, and those of the header before them.
  private let cells: [CSVScanner.Cell]
  /// The index after the last cell of each row, and that of the header before them.
  private let ends: [Int]

  /// Finds the cells of a text.
  ///
  /// - Parameters:
  ///   - context: The properties of the table, and the limits.
  ///   - delimiter: The delimiter of the format, or nil to find it.
  /// - Throws: A `FerryError` with the reason `CSVProblem` if the text is not a table.
  init(_ text: [UInt8], _ context: ReaderContext, delimiter: UInt8?) throws(FerryError) {
    var parser = CSVParser(context, delimiter: try context.csv.delimiter(ofFormat: delimiter))
    var rows = CheckedRows()
    try parser.read(text.span, into: &rows)
    try parser.finish(into: &rows)
    columns = parser.columns
    let beginning = parser.beginning ?? (delimiter: UInt8(ascii: ","), offset: parser.skippedBytes)
    (self.text, self.delimiter, start) = (text, beginning.delimiter, beginning.offset)
    (quote, skipsSpaces) = (context.csv.quote, context.csv.skipsInitialSpaces)
    hasFoundDelimiter = (context.csv.delimiter ?? delimiter) == nil && start == parser.skippedBytes
    let (cells, ends) = Self.cells(
      of: text,
      CSVScanner(delimiter: self.delimiter, quote: quote, skipsSpaces: skipsSpaces, from: start))
    (self.cells, self.ends) = (cells, context.csv.hasHeader ? ends : [0] + ends)
    let quote = quote
    hasPlainQuotes = cells.contains { cell in
      !cell.isQuoted && text[cell.range].contains { $0 == quote }
    }
    header = context.csv.hasHeader ? ends.first.map { cells[..<$0] } : nil
  }

  /// Returns the cells of all rows of a valid text, and the index after the last cell of each row.
  private static func cells(
    of text: [UInt8], _ scanner: CSVScanner
  ) -> (cells: [CSVScanner.Cell], ends: [Int]) {
    var scanner = scanner
    var (cells, ends): ([CSVScanner.Cell], [Int]) = ([], [])
    while (try? scanner.nextRow(in: text.span, isAtEnd: true)) == true {
      let row = scanner.cells
      if row.count == 1, row[0].isBlank { continue }
      cells += row
      ends.append(cells.count)
    }
    return (cells, ends)
  }

  /// The number of rows, without the header.
  var rowCount: Int { max(ends.count - 1, 0) }

  /// Returns the cells of a row. Their indices begin with 0.
  func row(_ index: Int) -> [CSVScanner.Cell] { Array(cells[ends[index]..<ends[index + 1]]) }

  /// Returns the number of cells of a row.
  func cellCount(ofRow index: Int) -> Int { ends[index + 1] - ends[index] }

  /// Returns the range of a row, without its line end.
  func range(ofRow index: Int) -> Range<Int> { range(of: cells[ends[index]..<ends[index + 1]]) }

  /// Returns the range of neighboring cells with their quotation marks.
  func range(of cells: ArraySlice<CSVScanner.Cell>) -> Range<Int> {
    guard let first = cells.first, let last = cells.last else { return start..<start }
    return first.writtenRange.lowerBound..<last.writtenRange.upperBound
  }

  /// Returns the offset after the line end that follows an offset; the offset itself at the end of the text.
  func endOfLine(after offset: Int) -> Int {
    let end = text[offset...].prefix(2)
    if end.starts(with: [0x0d, 0x0a]) { return offset + 2 }
    return end.first == 0x0a || end.first == 0x0d ? offset + 1 : offset
  }

  /// The line end of the first row; a line feed if it has none.
  var lineEnd: [UInt8] {
    guard !cells.isEmpty else { return [0x0a] }
    let first = header ?? cells[0..<ends[1]]
    let end = range(of: first).upperBound
    let lineEnd = text[end..<endOfLine(after: end)]
    return lineEnd.isEmpty ? [0x0a] : Array(lineEnd)
  }

  /// Returns the spaces and tabs after the delimiter that the cell does not contain.
  func spaces(before cell: CSVScanner.Cell) -> ArraySlice<UInt8> {
    let end = cell.writtenRange.lowerBound
    guard skipsSpaces else { return text[end..<end] }
    var offset = end
    while offset > start, text[offset - 1].isInitialSpace, text[offset - 1] != delimiter { offset -= 1 }
    return text[offset..<end]
  }

  /// The spaces before the second cell of the first row, which new cells get, too.
  var usualSpaces: ArraySlice<UInt8> {
    cells.count > 1 && ends.count > 1 && ends.first { $0 > 0 } ?? 0 > 1 ? spaces(before: cells[1]) : []
  }

  /// Returns the text of a cell, without quotation marks.
  func content(of cell: CSVScanner.Cell) -> [UInt8] {
    guard cell.hasDoubledQuotes, let quote else { return Array(text[cell.range]) }
    var content: [UInt8] = []
    content.append(halving: quote, in: text.span.extracting(cell.range))
    return content
  }

  /// Returns true if a cell has quotation marks without which its text would be read otherwise.
  func needsItsQuotes(_ cell: CSVScanner.Cell) -> Bool {
    cell.isQuoted && needsQuotes(Array(text[cell.range]))
  }

  /// Returns true if a text needs quotation marks in a cell that is not the first one of the table.
  func needsQuotes(_ content: [UInt8]) -> Bool {
    let span = content.span
    if skipsSpaces, let first = content.first, first.isInitialSpace { return true }
    if span.firstIndex(ofAny: delimiter, UInt8(ascii: "\n"), UInt8(ascii: "\r"), from: 0) < span.count {
      return true
    }
    guard let quote else { return false }
    return hasPlainQuotes ? content.first == quote : span.firstIndex(of: quote, from: 0) != nil
  }

  /// Returns a text as a cell with quotation marks.
  func quoted(_ content: [UInt8]) -> [UInt8] {
    guard let quote else { return content }
    var cell = [quote]
    for byte in content {
      if byte == quote { cell.append(quote) }
      cell.append(byte)
    }
    return cell + [quote]
  }
}

extension CSVScanner.Cell {
  /// The range of the cell with its quotation marks.
  var writtenRange: Range<Int> { isQuoted ? range.lowerBound - 1..<range.upperBound + 1 : range }
}

/// A receiver of rows that are only checked.
private struct CheckedRows: CSVRowReceiver {
  mutating func receive(
    _ row: borrowing CSVRow, _ columns: CSVColumns, _ offset: inout Int
  ) throws(FerryError) {
    var scratch: [UInt8] = []
    for index in 0..<row.count { try row.withText(of: index, &scratch, &offset) { _, _ in } }
  }

  mutating func endChunk(_ text: Span<UInt8>, _ offset: inout Int) {}
}
