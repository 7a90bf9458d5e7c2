/// An output of rows as columns of equal width, for a terminal. Numbers are aligned at the right.
///
///     name     age
///     -----  -----
///     Ada       36
///     Grace  1.5e3
///
/// All rows are kept in memory until the widths of the columns are known. Control characters are escaped, so that a row is a
/// single line.
final class AlignedRowOutput: TableOutput {
  private struct Column {
    var width = 0
    /// True if no cell is a text.
    var isNumeric = true
    /// True if a cell is a number.
    var hasNumber = false
  }

  private var buffer: OutputBuffer
  private let hasHeader: Bool
  private var rows: [[String]] = []
  private var columns: [Column] = []

  init(to output: any ByteOutput, hasHeader: Bool) {
    buffer = OutputBuffer(to: output)
    self.hasHeader = hasHeader
  }

  func write(_ row: TableRow) {
    while columns.count < row.cells.count { columns.append(Column()) }
    var cells: [String] = []
    for (index, cell) in row.cells.enumerated() {
      let text = text(of: cell, in: row.bytes)
      columns[index].width = max(columns[index].width, text.columnWidth)
      switch cell {
      case .missing, .null: break
      case .text(let range, isExact: false) where row.bytes.span.extracting(range).isWrittenNumber:
        columns[index].hasNumber = true
      case .number: columns[index].hasNumber = true
      case .text, .boolean, .nested: columns[index].isNumeric = false
      }
      cells.append(text)
    }
    rows.append(cells)
  }

  private func text(of cell: TableRow.Cell, in bytes: [UInt8]) -> String {
    switch cell {
    case .missing, .null: ""
    case .boolean(let value): value ? "true" : "false"
    case .text(let range, _), .number(let range), .nested(let range):
      String(decoding: bytes[range], as: UTF8.self).withControlsEscaped
    }
  }

  func finish(_ names: [[UInt8]]?, _ blanks: BlankCells) throws(FerryError) {
    if hasHeader, let names, !names.isEmpty {
      while columns.count < names.count { columns.append(Column()) }
      let header = names.map { String(decoding: $0, as: UTF8.self).withControlsEscaped }
      for (index, name) in header.enumerated() {
        columns[index].width = max(columns[index].width, name.columnWidth)
      }
      try append(header)
      try append(header.indices.map { String(repeating: "-", count: columns[$0].width) })
    }
    for row in rows { try append(row) }
    try buffer.flush()
  }

  func flushComplete() {}

  /// Appends a line without spaces at its end.
  private func append(_ cells: [String]) throws(FerryError) {
    let last = cells.lastIndex { !$0.isEmpty } ?? -1
    for (index, cell) in cells.enumerated() where index <= last {
      if index > 0 { try buffer.append("  ") }
      let column = columns[index]
      let space = String(repeating: " ", count: max(0, column.width - cell.columnWidth))
      if column.isNumeric, column.hasNumber {
        try buffer.append(space + cell)
      } else {
        try buffer.append(index == last ? cell : cell + space)
      }
    }
    try buffer.append(UInt8(ascii: "\n"))
  }
}

extension String {
  /// The text with control characters as escapes, such as `\n` and `\u{7f}`.
  fileprivate var withControlsEscaped: String {
    guard unicodeScalars.contains(where: \.isControlOrSeparator) else { return self }
    return unicodeScalars.reduce(into: "") { text, scalar in
      switch scalar {
      case "\n": text += "\\n"
      case "\r": text += "\\r"
      case "\t": text += "\\t"
      case _ where scalar.isControlOrSeparator: text += "\\u{\(String(scalar.value, radix: 16))}"
      default: text.unicodeScalars.append(scalar)
      }
    }
  }
}

extension Unicode.Scalar {
  fileprivate var isControlOrSeparator: Bool {
    value < 0x20 || (0x7f..<0xa0).contains(value) || properties.generalCategory == .lineSeparator
      || properties.generalCategory == .paragraphSeparator
  }
}
