/// A printer of rows as columns of equal width, for a terminal. Numbers are aligned at the right.
///
///     name     age
///     -----  -----
///     Ada       36
///     Grace  1.5e3
///
/// All rows are kept in memory until the widths of the columns are known. Control characters are escaped, so that a row is a
/// single line.
final class AlignedRowPrinter: RowPrinter {
  private struct Column {
    var width = 0
    /// The number of characters before the column in a line.
    var start = 0
    /// True if no cell is a text.
    var isNumeric = true
    /// True if a cell is a number.
    var hasNumber = false
  }

  /// A cell with text.
  private struct Cell {
    var column: Int
    var text: String
    var width: Int

    init(_ text: String, in column: Int) {
      (self.column, self.text, width) = (column, text, text.columnWidth)
    }
  }

  private var buffer: OutputBuffer
  private let hasHeader: Bool
  /// The text of a null.
  private let nullText: String
  /// The cells with text of each row.
  private var rows: [[Cell]] = []
  private var columns: [Column] = []
  private static let spaces = [UInt8](repeating: 0x20, count: 1024)

  init(to output: any ByteOutput, _ layout: CSVWritingOptions) {
    buffer = OutputBuffer(to: output)
    (hasHeader, nullText) = (layout.hasHeader, layout.nullText ?? "")
  }

  func write(_ row: TableRow) {
    while columns.count < row.cells.count { columns.append(Column()) }
    var cells: [Cell] = []
    for (index, cell) in row.cells.enumerated() {
      switch cell {
      case .missing: continue
      case .null: break
      case .text(let range, isExact: false) where row.bytes.span.extracting(range).isWrittenNumber:
        columns[index].hasNumber = true
      case .number: columns[index].hasNumber = true
      case .text, .boolean, .nested: columns[index].isNumeric = false
      }
      add(text(of: cell, in: row.bytes), to: &cells, in: index)
    }
    rows.append(cells)
  }

  /// Adds a cell to a line, and widens its column. A cell without text is left out.
  private func add(_ text: String, to cells: inout [Cell], in column: Int) {
    guard !text.isEmpty else { return }
    cells.append(Cell(text, in: column))
    columns[column].width = max(columns[column].width, cells[cells.count - 1].width)
  }

  private func text(of cell: TableRow.Cell, in bytes: [UInt8]) -> String {
    switch cell {
    case .missing: ""
    case .null: nullText.escapedForTable
    case .boolean(let value): value ? "true" : "false"
    case .text(let range, _), .number(let range), .nested(let range):
      String(decoding: bytes[range], as: UTF8.self).escapedForTable
    }
  }

  func finish(_ names: [[UInt8]]?, _ blanks: BlankCells) throws(FerryError) {
    var header: [Cell] = []
    if hasHeader, let names {
      while columns.count < names.count { columns.append(Column()) }
      for (index, name) in names.enumerated() {
        add(String(decoding: name, as: UTF8.self).escapedForTable, to: &header, in: index)
      }
    }
    for index in columns.indices.dropFirst() {
      columns[index].start = columns[index - 1].start + columns[index - 1].width + 2
    }
    // A single long cell makes all rows long.
    var blanks = blanks
    for row in rows { try blanks.add(spaces(in: row)) }
    if hasHeader, let names, !names.isEmpty {
      try append(header)
      try append(
        names.indices.filter { columns[$0].width > 0 }.map {
          Cell(String(repeating: "-", count: columns[$0].width), in: $0)
        })
    }
    for row in rows { try append(row) }
    try buffer.flush()
  }

  func begin(_ names: [[UInt8]]?) {}

  func flushComplete() {}

  /// Returns the number of characters before a cell in its line.
  private func start(of cell: Cell) -> Int {
    let column = columns[cell.column]
    return column.start + (column.isNumeric && column.hasNumber ? column.width - cell.width : 0)
  }

  /// Returns the number of spaces in a line.
  private func spaces(in cells: [Cell]) -> Int {
    guard let last = cells.last else { return 0 }
    return cells.dropLast().reduce(start(of: last)) { $0 - $1.width }
  }

  /// Appends a line without spaces at its end.
  private func append(_ cells: [Cell]) throws(FerryError) {
    var end = 0
    for cell in cells {
      let start = start(of: cell)
      try appendSpaces(start - end)
      try buffer.append(cell.text)
      end = start + cell.width
    }
    try buffer.append(UInt8(ascii: "\n"))
  }

  private func appendSpaces(_ count: Int) throws(FerryError) {
    var rest = count
    while rest > 0 {
      let next = min(rest, Self.spaces.count)
      try buffer.append(Self.spaces.span.extracting(first: next))
      rest -= next
    }
  }
}

extension String {
  /// The text with escapes for characters that break the columns of a table, such as `\n`, `\u{7f}` and `\u{202e}`.
  fileprivate var escapedForTable: String {
    guard unicodeScalars.contains(where: \.isEscapedInTable) else { return self }
    return unicodeScalars.reduce(into: "") { text, scalar in
      switch scalar {
      case "\n": text += "\\n"
      case "\r": text += "\\r"
      case "\t": text += "\\t"
      case _ where scalar.isEscapedInTable: text += "\\u{\(String(scalar.value, radix: 16))}"
      default: text.unicodeScalars.append(scalar)
      }
    }
  }
}

extension Unicode.Scalar {
  /// True for a control character, a line separator, a zero-width space, and a character that changes the direction of the text after it.
  fileprivate var isEscapedInTable: Bool {
    switch value {
    case ..<0x20, 0x7f..<0xa0, 0x200b, 0x2028...0x202e, 0x2060, 0x2066...0x2069, 0xfeff: true
    default: false
    }
  }
}
