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

  /// True if the row is a record, whose keys are the names of the columns.
  var isRecord = false
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

/// The number of cells of a table whose keys the records lack, and of spaces that align others. These cost output but no input, and
/// so have a budget.
struct BlankCells {
  private let budget: Budget
  private var count = 0
  /// The number of bytes of text in all rows, plus 1 for each row and for each cell that the records have.
  private var bytes = 0

  init(_ budget: Budget) { self.budget = budget }

  /// Counts the cells of a row.
  mutating func add(_ row: TableRow) throws(FerryError) {
    bytes += row.bytes.count + 1
    var added = 0
    for cell in row.cells { if cell.isMissing { added += 1 } else { bytes += 1 } }
    try add(added)
  }

  /// Counts cells whose keys the records lack, or spaces.
  mutating func add(_ added: Int) throws(FerryError) {
    count += added
    guard count <= budget.allowance(forInputBytes: bytes) else { throw budget.overAmplification }
  }
}

/// A printer of the rows of a table.
protocol RowPrinter: AnyObject {
  /// Begins a table whose rows all have the same columns. Is not called for other tables.
  ///
  /// - Parameter names: The names of the columns, or nil if the rows are lists.
  func begin(_ names: [[UInt8]]?) throws(FerryError)
  /// Writes a row. Later rows may have more cells.
  func write(_ row: TableRow) throws(FerryError)
  /// Writes the rest of the output.
  ///
  /// - Parameters:
  ///   - names: The names of the columns, or nil if the rows are lists.
  ///   - blanks: The cells whose keys the records lack, in all rows, for printers that add such cells, or spaces.
  func finish(_ names: [[UInt8]]?, _ blanks: BlankCells) throws(FerryError)
  /// Writes the complete part of the buffered output.
  func flushComplete() throws(FerryError)
}
