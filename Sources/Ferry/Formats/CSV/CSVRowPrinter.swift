/// A printer of rows as CSV.
///
/// Without given columns, a record may add a column at any time, so rows are kept until the end, when all columns are known.
/// Earlier rows then get empty cells at their ends. Rows that were read from a table all have the same columns, and are not kept.
final class CSVRowPrinter: RowPrinter {
  private let output: any ByteOutput
  private let spool: SpooledOutput?
  private var text: OutputBuffer
  private let delimiter: UInt8
  private let layout: CSVWritingOptions
  /// The text of a null, or nil for an empty cell.
  private let nullText: [UInt8]?
  /// True if the header need not be written any more.
  private var hasHeader = false
  /// The runs of rows with the same number of cells: the number of bytes up to the end of each run, and the number of
  /// cells.
  private var runs: [(end: Int, columns: Int)] = []
  private var columns = 0
  /// True in the first row, in which a reader looks for the delimiter. Texts with another likely delimiter get quotation
  /// marks.
  private var isFirstRow = true
  /// True if all cells of the first row so far, and the delimiters after them, are white space, which the recognition of formats skips.
  private var isAtBeginning = true
  /// The mark of a row with one cell that has no value. The row is written when the number of columns is known, because a
  /// blank line would not be a row. The byte occurs in no text in UTF-8.
  private static let blankRow: UInt8 = 0xff
  private var hasBlankRows = false

  /// Creates an output.
  ///
  /// - Parameters:
  ///   - delimiter: The delimiter of the format.
  ///   - hasColumnsOfFirstRow: True if each row has the columns of the first one.
  init(
    to output: any ByteOutput, delimiter: UInt8, _ layout: CSVWritingOptions, hasColumnsOfFirstRow: Bool
  ) throws(FerryError) {
    guard layout.delimiter.map(CSVReadingOptions.isDelimiter) ?? true else {
      throw FerryError(.csv(.badDelimiter))
    }
    if let nullText = layout.nullText {
      let bytes = nullText.utf8.span
      guard !bytes.needsQuotes(betweenDelimiters: layout.delimiter ?? delimiter), !bytes.hasLikelyDelimiter
      else { throw FerryError(.csv(.badNullText(nullText))) }
    }
    (self.output, self.layout) = (output, layout)
    self.delimiter = layout.delimiter ?? delimiter
    nullText = layout.nullText.flatMap { $0.isEmpty ? nil : Array($0.utf8) }
    spool = layout.columns == nil && !hasColumnsOfFirstRow ? SpooledOutput() : nil
    text = OutputBuffer(to: spool ?? output)
  }

  func begin(_ names: [[UInt8]]?) throws(FerryError) {
    if layout.columns == nil { try writeHeader(names) }
  }

  func write(_ row: TableRow) throws(FerryError) {
    if spool == nil, !hasHeader { try writeHeader(layout.columns.map { $0.map { Array($0.utf8) } }) }
    if row.cells.count != columns {
      if text.count > 0 { runs.append((text.count, columns)) }
      columns = row.cells.count
    }
    if isFirstRow { isFirstRow = !layout.hasHeader || !row.isRecord && layout.columns == nil }
    let bytes = row.bytes
    for (index, cell) in row.cells.enumerated() {
      if index > 0 { try appendDelimiter() }
      switch cell {
      case .null where nullText != nil: try appendNull()
      case .missing, .null:
        // A blank line would not be a row.
        guard row.cells.count == 1 || layout.quotesAll else { continue }
        if spool == nil || layout.quotesAll {
          try text.append("\"\"")
        } else {
          hasBlankRows = true
          try text.append(Self.blankRow)
        }
      case .text(let range, let isExact): try append(bytes.span.extracting(range), isExact: isExact)
      case .number(let range), .nested(let range): try append(bytes.span.extracting(range), isExact: false)
      case .boolean(let value):
        let name = value ? "true" : "false"
        guard nullText == nil, !layout.quotesAll else {
          try append(name.utf8.span, isExact: false)
          continue
        }
        isAtBeginning = false
        try text.append(name)
      }
    }
    try endRow()
    isFirstRow = false
  }

  func finish(_ names: [[UInt8]]?, _ blanks: BlankCells) throws(FerryError) {
    if let spool {
      let count = max(names?.count ?? 0, columns)
      runs.append((text.count, columns))
      try text.flush()
      text = OutputBuffer(to: output)
      try writeHeader(names)
      try copyRows(from: spool, columns: count, blanks)
    } else if !hasHeader {
      try writeHeader(names)
    }
    try text.flush()
  }

  func flushComplete() throws(FerryError) { if spool == nil { try text.flush() } }

  private func writeHeader(_ names: [[UInt8]]?) throws(FerryError) {
    hasHeader = true
    isAtBeginning = true
    guard layout.hasHeader, let names, !names.isEmpty else { return }
    for (index, name) in names.enumerated() {
      if index > 0 { try appendDelimiter() }
      if name.isEmpty, names.count > 1, !layout.quotesAll { continue }
      try append(name.span, isExact: name.isEmpty, isHeader: true)
    }
    try endRow()
  }

  private func endRow() throws(FerryError) {
    if layout.endsRowsInCRLF { try text.append("\r\n") } else { try text.append("\n") }
  }

  private func appendDelimiter() throws(FerryError) {
    if isAtBeginning { isAtBeginning = FormatHead.isSpace(delimiter) }
    try text.append(delimiter)
  }

  private func appendNull() throws(FerryError) {
    guard let nullText else { return }
    // A cell with the text would get quotation marks there, in which it would be a text.
    guard !isFirstRow || !isAtBeginning || !nullText.span.beginsOtherFormat else {
      throw FerryError(.csv(.badNullText(nullText.span.decodedString)))
    }
    if isAtBeginning { isAtBeginning = nullText.span.isBlank }
    try text.append(nullText.span)
  }

  /// Appends a cell, in quotation marks if it needs them.
  ///
  /// - Parameter isExact: True if a text that looks like a value of another type gets quotation marks.
  private func append(
    _ cell: Span<UInt8>, isExact: Bool, isHeader: Bool = false
  ) throws(FerryError) {
    let quote = UInt8(ascii: "\"")
    let isPlain =
      !layout.quotesAll && !cell.needsQuotes(betweenDelimiters: delimiter)
      && !((isHeader || isFirstRow || columns == 1) && cell.hasLikelyDelimiter)
      && !((isHeader || isFirstRow) && isAtBeginning && cell.beginsOtherFormat)
    if isAtBeginning { isAtBeginning = cell.isBlank }
    let isNull = !isHeader && nullText.map { cell.equals($0.span) } ?? false
    if isPlain, !isNull, !isExact || !cell.looksLikeOtherCell { return try text.append(cell) }
    try text.append(quote)
    var start = 0
    while let mark = cell.firstIndex(of: quote, from: start) {
      try text.append(cell.extracting(start..<mark + 1))
      try text.append(quote)
      start = mark + 1
    }
    try text.append(cell.extracting(start...))
    try text.append(quote)
  }

  // MARK: Rows with too few cells

  /// Copies the rows, and adds empty cells at the end of rows that were written before the last column was known.
  private func copyRows(
    from spool: SpooledOutput, columns: Int, _ blanks: BlankCells
  ) throws(FerryError) {
    var (offset, run) = (0, 0)
    var isQuoted = false
    var blanks = blanks
    try spool.forEachChunk { chunk throws(FerryError) in
      var start = 0
      while start < chunk.count, run < runs.count {
        let end = min(chunk.count, start + runs[run].end - offset)
        let piece = chunk.extracting(start..<end)
        if runs[run].columns == columns, columns != 1 || !hasBlankRows {
          try text.append(piece)
        } else {
          try append(piece, addingCellsTo: runs[run].columns, of: columns, &isQuoted, &blanks)
        }
        (start, offset) = (end, offset + piece.count)
        if offset == runs[run].end { run += 1 }
      }
    }
  }

  /// Appends rows with empty cells at their ends. A line end in quotation marks does not end a row.
  private func append(
    _ rows: Span<UInt8>, addingCellsTo count: Int, of columns: Int, _ isQuoted: inout Bool,
    _ blanks: inout BlankCells
  ) throws(FerryError) {
    let lineEnd = layout.endsRowsInCRLF ? UInt8(ascii: "\r") : UInt8(ascii: "\n")
    let quote = UInt8(ascii: "\"")
    var start = 0
    while true {
      let end = rows.firstIndex(ofAny: lineEnd, quote, Self.blankRow, from: start)
      try text.append(rows.extracting(start..<end))
      guard end < rows.count else { return }
      start = end + 1
      switch rows[end] {
      case Self.blankRow:
        // A blank line would not be a row.
        if columns == 1 { try text.append("\"\"") }
        continue
      case quote: isQuoted.toggle()
      default:
        if !isQuoted, count < columns { try addCells(to: count, of: columns, &blanks) }
      }
      try text.append(rows[end])
    }
  }

  private func addCells(to count: Int, of columns: Int, _ blanks: inout BlankCells) throws(FerryError) {
    if columns == 1 || count == 0 && layout.quotesAll { try text.append("\"\"") }
    let added = columns - max(count, 1)
    try blanks.add(added)
    for _ in 0..<added {
      try text.append(delimiter)
      if layout.quotesAll { try text.append("\"\"") }
    }
  }
}

extension Span<UInt8> {
  /// Returns true if a cell with this text would not be read as it is without quotation marks.
  func needsQuotes(betweenDelimiters delimiter: UInt8) -> Bool {
    firstIndex(ofAny: delimiter, UInt8(ascii: "\n"), UInt8(ascii: "\r"), from: 0) < count
      || firstIndex(of: UInt8(ascii: "\""), from: 0) != nil || starts(with: "sep=")
      || starts(with: "\u{feff}")
  }

  /// True if the text has a character that a reader may take for the delimiter in the first row.
  var hasLikelyDelimiter: Bool {
    firstIndex(ofAny: UInt8(ascii: ","), UInt8(ascii: ";"), UInt8(ascii: "\t"), from: 0) < count
      || firstIndex(of: UInt8(ascii: "|"), from: 0) != nil
  }

  /// True if a file of a table that begins with the text may be recognized as a file of another format.
  var beginsOtherFormat: Bool {
    if beginsBinaryFile { return true }
    let head = FormatHead(Array(copying: extracting(..<Swift.min(count, 64))), name: nil)
    // A list or an element may be well-formed with the cells after it.
    if let first = head.first, "[{<".utf8.contains(first) { return true }
    return !head.isNeitherMarkupNorJSON
  }

  /// True if the text is empty or white space.
  fileprivate var isBlank: Bool {
    for index in 0..<count where !FormatHead.isSpace(self[index]) { return false }
    return true
  }

  /// True if a text would be read as null, as a number or as a boolean when types are inferred.
  var looksLikeOtherCell: Bool {
    guard !isEmpty else { return true }
    switch self[0] {
    case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"): return isWrittenNumber
    case UInt8(ascii: "t"): return equals("true")
    case UInt8(ascii: "f"): return equals("false")
    default: return false
    }
  }
}
