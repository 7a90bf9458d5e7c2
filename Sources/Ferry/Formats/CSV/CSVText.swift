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
  /// The names of the columns that have quotation marks.
  private var quotedNames: Set<[UInt8]> = []

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
    quotedNames = Set(header.cells.filter(\.isQuoted).map { $0.name(in: text) })
    for cell in header.cells { all.add(cell, in: text.span, delimiter) }
    // The names of columns are not values.
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

  /// The header with its line end.
  var header: [UInt8] { text[..<(rowEnds.first ?? 0)] + lineEnd }

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

  /// Returns the rows of another table with the same delimiter, with the line ends and quotation marks of this one. Both tables begin with
  /// a header.
  ///
  ///     id;name⏎            "name";"id"⏎          name;id⏎
  ///     1;"Ada"⏎       +    Bo;"2"⏎          →    "Bo";2⏎
  func notating(_ other: [UInt8]) -> [UInt8] {
    var rows = Rows(of: other, delimiter: delimiter, from: 0)
    guard let header = rows.next() else { return other }
    var known: [[UInt8]: Int] = [:]
    for (index, name) in names.enumerated() { known[name] = index }
    let otherNames = header.cells.map { $0.name(in: other) }
    var result: [UInt8] = []
    result.reserveCapacity(other.count)
    for (index, cell) in header.cells.enumerated() {
      if index > 0 { result.append(delimiter) }
      let name = otherNames[index]
      let hasQuotes = known[name] == nil ? isQuoted(cell, of: other, in: nil) : quotedNames.contains(name)
      // The writer has added quotation marks only to names that need them at their position.
      result.append(cell, of: other, isQuoted: cell.isQuoted || hasQuotes)
    }
    result += lineEnd
    let columns = otherNames.map { known[$0] }
    while let row = rows.next() {
      for (index, cell) in row.cells.enumerated() {
        if index > 0 { result.append(delimiter) }
        let notation = columns.indices.contains(index) ? columns[index].map { self.columns[$0] } : nil
        let isQuoted = isQuoted(cell, of: other, as: notation ?? all, isOnly: row.cells.count == 1)
        result.append(cell, of: other, isQuoted: isQuoted)
      }
      result += lineEnd
    }
    return result
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
    text.append(cell, of: other, isQuoted: isQuoted(cell, of: other, in: column))
  }

  /// Returns true if a cell of another table gets quotation marks in a column, or in the header if the column is nil.
  private func isQuoted(_ cell: CSVScanner.Cell, of other: [UInt8], in column: Int?) -> Bool {
    guard let column else {
      return other.span.extracting(cell.range).hasLikelyDelimiter
        || isQuoted(cell, of: other, as: all, isOnly: columns.count == 1)
    }
    return isQuoted(cell, of: other, as: columns[column], isOnly: columns.count == 1)
  }

  /// Returns true if a cell of another table gets quotation marks: because it needs them, or because the other cells have them.
  ///
  /// - Parameters:
  ///   - own: The notation of the cells of the column.
  ///   - isOnly: True if the row has no other cells.
  private func isQuoted(
    _ cell: CSVScanner.Cell, of other: [UInt8], as own: Notation, isOnly: Bool
  ) -> Bool {
    let content = other.span.extracting(cell.range)
    if content.needsQuotes(betweenDelimiters: delimiter) { return true }
    // A blank line would not be a row.
    if isOnly, content.isEmpty || content.hasLikelyDelimiter { return true }
    if content.isEmpty {
      let empty = own.blank + own.quotedEmpty > 0 ? own : all
      return cell.isQuoted && (empty.quotedEmpty > 0 || empty.blank == 0)
    }
    let notation = own.isKnown ? own : all
    if notation.quoted > 0, notation.plain == 0 { return true }
    return content.looksLikeOtherCell && notation.plainValues == 0
      && (cell.isQuoted || notation.quotedValues > 0)
  }
}

extension [UInt8] {
  /// Appends a cell of a table, with quotation marks or without them.
  fileprivate mutating func append(_ cell: CSVScanner.Cell, of table: [UInt8], isQuoted: Bool) {
    let quote: [UInt8] = isQuoted ? [UInt8(ascii: "\"")] : []
    self += quote + table[cell.range] + quote
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
