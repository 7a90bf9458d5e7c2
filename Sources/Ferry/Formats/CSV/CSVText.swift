/// The text of a table, to which rows are added without another change.
///
///     id;name⏎            id;name⏎
///     1;"Ada"⏎       →    1;"Ada"⏎
///                         2;"Bo"⏎
///
/// The new rows have the delimiter and the line ends of the others, and quotation marks where the others have them.
struct CSVText {
  /// The cells of a column, counted by their notation.
  private struct Notation {
    /// The cells with quotation marks that they do not need.
    var quoted = 0
    /// The cells with quotation marks that look like a value of another type without them.
    var quotedValues = 0
    /// The cells without quotation marks, and those that look like a value of another type.
    var plain = 0
    var plainValues = 0
    /// The empty cells without quotation marks, and with them.
    var blank = 0
    var quotedEmpty = 0

    /// True if cells show where quotation marks are.
    var isKnown: Bool { quoted + quotedValues + plain > 0 }

    mutating func add(_ cell: CSVScanner.Cell, in text: Span<UInt8>, _ delimiter: UInt8) {
      let content = text.extracting(cell.range)
      if content.isEmpty {
        if cell.isQuoted { quotedEmpty += 1 } else { blank += 1 }
      } else if !cell.isQuoted {
        plain += 1
        if content.looksLikeOtherCell { plainValues += 1 }
      } else if !content.needsQuotes(betweenDelimiters: delimiter), !content.hasLikelyDelimiter {
        if content.looksLikeOtherCell { quotedValues += 1 } else { quoted += 1 }
      }
    }
  }

  /// The text in UTF-8, without a byte order mark.
  private(set) var text: [UInt8]
  let delimiter: UInt8
  /// The line end of the header.
  let lineEnd: [UInt8]
  private var names: [[UInt8]]
  /// The offset after the last cell of each row, from the header on.
  private var rowEnds: [Int]
  private var columns: [Notation]
  /// The cells of all columns and the header.
  private var all = Notation()

  /// Creates the text of a valid table with a header. Fails if there is no header.
  ///
  /// - Parameters:
  ///   - text: The text in UTF-8, without a byte order mark.
  ///   - delimiter: The delimiter.
  ///   - offset: The offset of the first row.
  init?(_ text: [UInt8], delimiter: UInt8, from offset: Int = 0) {
    var rows = Rows(of: text, delimiter: delimiter, from: offset)
    guard let header = rows.next() else { return nil }
    names = header.cells.map { $0.name(in: text) }
    columns = names.map { _ in Notation() }
    rowEnds = [header.end]
    for cell in header.cells { all.add(cell, in: text.span, delimiter) }
    // The names of columns are no values.
    (all.plainValues, all.quotedValues, all.blank, all.quotedEmpty) = (0, 0, 0, 0)
    while let row = rows.next() {
      rowEnds.append(row.end)
      for (index, cell) in row.cells.enumerated() {
        all.add(cell, in: text.span, delimiter)
        if index < columns.count { columns[index].add(cell, in: text.span, delimiter) }
      }
    }
    let end = text[header.end...].prefix(2)
    lineEnd = end.starts(with: [0x0d, 0x0a]) ? [0x0d, 0x0a] : end.first == 0x0d ? [0x0d] : [0x0a]
    (self.text, self.delimiter) = (text, delimiter)
  }

  /// The names of the columns.
  var columnNames: [String] { names.map { String(decoding: $0, as: UTF8.self) } }

  /// The rows of a valid table, without blank lines.
  private struct Rows {
    private let text: [UInt8]
    private var scanner: CSVScanner

    init(of text: [UInt8], delimiter: UInt8, from offset: Int) {
      self.text = text
      scanner = CSVScanner(delimiter: delimiter, quote: UInt8(ascii: "\""), from: offset)
    }

    /// Returns the cells of the next row, and the offset after them; nil after the last row.
    mutating func next() -> (cells: [CSVScanner.Cell], end: Int)? {
      let text = text
      while (try? scanner.nextRow(in: text.span, isAtEnd: true)) == true {
        let cells = scanner.cells
        guard let last = cells.last, cells.count > 1 || !last.isBlank else { continue }
        return (cells, last.range.upperBound + (last.isQuoted ? 1 : 0))
      }
      return nil
    }
  }

  /// Adds the last rows of another table with the same delimiter. Columns that only the other table has are added after the
  /// others, with empty cells in the rows so far.
  mutating func add(_ count: Int, lastRowsOf other: [UInt8]) {
    var rows = Rows(of: other, delimiter: delimiter, from: 0)
    guard let header = rows.next() else { return }
    let otherNames = header.cells.map { $0.name(in: other) }
    let known = Set(names)
    addColumns(header.cells.filter { !known.contains($0.name(in: other)) }, of: other)
    var cells: [[CSVScanner.Cell]] = []
    while let row = rows.next() { cells.append(row.cells) }
    var otherColumns: [[UInt8]: Int] = [:]
    for (index, name) in otherNames.enumerated() { otherColumns[name] = index }
    let order = names.map { otherColumns[$0] }
    if let last = text.last, last != 0x0a, last != 0x0d { text += lineEnd }
    for row in cells.suffix(count) {
      for (column, otherColumn) in order.enumerated() {
        if column > 0 { text.append(delimiter) }
        guard let otherColumn, otherColumn < row.count else {
          // A blank line would not be a row.
          if order.count == 1 { text += Array("\"\"".utf8) }
          continue
        }
        append(row[otherColumn], of: other, to: column)
      }
      text += lineEnd
    }
  }

  /// Adds columns with names.
  private mutating func addColumns(_ added: [CSVScanner.Cell], of other: [UInt8]) {
    guard !added.isEmpty else { return }
    let old = text
    text.removeAll(keepingCapacity: true)
    var start = 0
    for (index, end) in rowEnds.enumerated() {
      text += old[start..<end]
      for cell in added {
        text.append(delimiter)
        if index == 0 { append(cell, of: other, to: nil) }
      }
      start = end
    }
    text += old[start...]
    names += added.map { $0.name(in: other) }
    columns += added.map { _ in Notation() }
  }

  /// Appends a cell of another table, in quotation marks if it needs them or the other cells have them.
  ///
  /// - Parameter column: The column, or nil for a name in the header.
  private mutating func append(_ cell: CSVScanner.Cell, of other: [UInt8], to column: Int?) {
    let content = other.span.extracting(cell.range)
    let own = column.map { columns[$0] } ?? all
    let notation = own.isKnown ? own : all
    let isQuoted: Bool
    if content.needsQuotes(betweenDelimiters: delimiter) || column == nil && content.hasLikelyDelimiter {
      isQuoted = true
    } else if columns.count == 1, content.isEmpty || content.hasLikelyDelimiter {
      // A blank line would not be a row.
      isQuoted = true
    } else if content.isEmpty {
      let empty = own.blank + own.quotedEmpty > 0 ? own : all
      isQuoted = cell.isQuoted && (empty.quotedEmpty > 0 || empty.blank == 0)
    } else if notation.quoted > 0, notation.plain == 0 {
      isQuoted = true
    } else {
      isQuoted =
        content.looksLikeOtherCell && notation.plainValues == 0
        && (cell.isQuoted || notation.quotedValues > 0)
    }
    let quote: [UInt8] = isQuoted ? [UInt8(ascii: "\"")] : []
    text += quote + other[cell.range] + quote
  }
}

extension CSVScanner.Cell {
  /// Returns the name that the cell has in a header.
  fileprivate func name(in text: [UInt8]) -> [UInt8] {
    guard hasDoubledQuotes else { return Array(text[range]) }
    var name: [UInt8] = []
    name.append(halving: UInt8(ascii: "\""), in: text.span.extracting(range))
    return name
  }
}
