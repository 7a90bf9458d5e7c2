/// A row of values to write to a table.
struct TableRow {
  /// A value in a row. The text is a range of `bytes`.
  enum Cell {
    /// No value: the record does not have the key.
    case missing
    case null
    /// A text. It is exact if it must not be read as a value of another type.
    case text(Range<Int>, isExact: Bool)
    case number(Range<Int>)
    case boolean(Bool)
    /// An array or a dictionary as JSON.
    case nested(Range<Int>)

    var isMissing: Bool { if case .missing = self { true } else { false } }
  }

  /// The cells in the order of the columns so far.
  var cells: [Cell] = []
  /// The texts of the cells.
  var bytes: [UInt8] = []

  /// Adds a text, and returns its range.
  mutating func keep(_ text: Span<UInt8>) -> Range<Int> {
    let start = bytes.count
    bytes.append(copying: text)
    return start..<bytes.count
  }

  /// Removes all values, and keeps the number of cells.
  mutating func removeValues() {
    bytes.removeAll(keepingCapacity: true)
    for index in cells.indices { cells[index] = .missing }
  }
}

/// An output of the rows of a table.
protocol TableOutput: AnyObject {
  /// Writes a row. Later rows may have more cells.
  func write(_ row: TableRow) throws(FerryError)
  /// Writes the rest of the output.
  ///
  /// - Parameter names: The names of the columns, or nil if the rows are lists.
  func finish(_ names: [[UInt8]]?) throws(FerryError)
  /// Writes the complete part of the buffered output.
  func flushComplete() throws(FerryError)
}
