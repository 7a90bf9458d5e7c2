/// A writer of an edited table. It keeps the text of all cells that have not changed, the delimiter, the line ends and the blank lines.
///
///     name;city⏎              [0].city becomes "a;b"        name;city⏎
///     "Ada";Rome⏎             [1] is removed                "Ada";"a;b"⏎
///     Bo;Kyiv⏎                a new row follows it          Cy;Oslo⏎
///
/// A column that no row has any more is removed, and a key that no column has becomes a column. The edited text is read again. If it does
/// not have the changed cells, an error is thrown.
struct CSVEdits {
  let list: EditedPropertyList
  let tree: PropertyListTree
  let table: CSVTable
  let options: CSVReadingOptions
  let losses: LossReport
  /// The rows of the original table and of the edited one.
  let originalRows, rows: [NodeID]
  /// The number of each row in the original table.
  let numbers: [NodeID: Int]
  /// The names of the columns of the original table.
  let originalNames: [[UInt8]]
  /// A set of these names, to look them up.
  let originalNameSet: Set<[UInt8]>
  /// The columns of the edited table. Empty if rows are lists.
  var columns: [Column] = []
  /// True if columns are added, removed or renamed.
  var hasOtherColumns = false
  /// The row and the cell of each value of the original table; nil until a value that moved needs them.
  var originalLocations: [NodeID: (row: Int, cell: Int)]?
  /// The notation of each column, as far as it was needed.
  var habits: [Int?: Habit] = [:]
  private var result: [UInt8] = []
  /// The offset in the original text up to which it is in the result, and the offset at which the next new row goes.
  private var (copied, position) = (0, 0)
  /// The rows that the result must have.
  private var expected: [ExpectedRow] = []

  /// A column of the edited table.
  struct Column {
    var name: [UInt8]
    /// The path of its values in a row: of a dotted column, one inside dictionaries.
    var path: [ValuePath.Step]
    /// The index in the original table, or nil for a new column.
    var original: Int?
  }

  /// A cell of the edited table.
  struct NewCell {
    var content: [UInt8]
    /// The content with its quotation marks.
    var text: [UInt8]
  }

  private enum ExpectedRow {
    /// A row with the text of a row of the original table.
    case original(Int)
    case cells([[UInt8]])
  }

  /// Creates a writer.
  ///
  /// - Parameters:
  ///   - list: The values with their changes.
  ///   - tree: The values of the original table.
  ///   - table: The original table.
  ///   - options: The options with which the table was read.
  ///   - losses: Receives the values that become text, and those that rows lack.
  init(
    of list: EditedPropertyList, over tree: PropertyListTree, source table: CSVTable,
    _ options: CSVReadingOptions, losses: LossReport
  ) throws(FerryError) {
    (self.list, self.tree, self.table, self.options) = (list, tree, table, options)
    self.losses = losses
    originalNames = table.columns?.names?.map(\.bytes) ?? []
    originalNameSet = Set(originalNames)
    originalRows = try Self.elements(of: tree)
    rows = try Self.elements(of: list)
    var numbers: [NodeID: Int] = [:]
    for (number, row) in originalRows.enumerated() { numbers[row] = number }
    self.numbers = numbers
  }

  private static func elements(of nodes: some PropertyListNodes) throws(FerryError) -> [NodeID] {
    guard case .array(let count) = try nodes.kind(of: nodes.root) else {
      throw FerryError(.path(.cannotPut("this value", "a table is a list of rows")))
    }
    var elements: [NodeID] = []
    elements.reserveCapacity(count)
    for index in 0..<count { elements.append(try nodes.element(index, of: nodes.root)) }
    return elements
  }

  /// True if the first row of the table has, or would have, the names of columns, or these are given.
  var hasNames: Bool { options.hasHeader || options.columnNames != nil }

  /// Returns the edited text.
  ///
  /// - Parameter read: Finds the cells of a text.
  /// - Throws: A `FerryError` with the reason `PathProblem.cannotPut` if the table cannot have the changed cells.
  func bytes(reading read: ([UInt8]) throws(FerryError) -> CSVTable) throws(FerryError) -> [UInt8] {
    guard originalRows.count == table.rowCount else { throw Self.unreadable }
    var copy = self
    try copy.write()
    let edited: CSVTable
    do throws(FerryError) { edited = try read(copy.result) } catch {
      throw FerryError(.path(.cannotPut("the values", .unreadable(error.reason))))
    }
    guard copy.isResult(edited) else { throw Self.unreadable }
    return copy.result
  }

  private static var unreadable: FerryError {
    FerryError(.path(.cannotPut("the values", "the table would be read with other cells")))
  }

  /// Returns true if a table has the columns and the rows that the result must have.
  private func isResult(_ edited: CSVTable) -> Bool {
    guard edited.rowCount == expected.count else { return false }
    let names = edited.columns?.names?.map(\.bytes) ?? []
    guard !hasNames || names == columns.map(\.name) else { return false }
    // A name is divided at other dots if a key is empty, or if another column has its beginning as its name.
    guard !hasNames || (edited.columns?.paths ?? []) == columns.map(\.path) else { return false }
    for (index, row) in expected.enumerated() {
      switch row {
      case .original(let original):
        let (old, new) = (table.range(ofRow: original), edited.range(ofRow: index))
        guard edited.cellCount(ofRow: index) == table.cellCount(ofRow: original),
          table.text[old] == edited.text[new]
        else { return false }
      case .cells(let contents):
        guard edited.row(index).map(edited.content(of:)) == contents else { return false }
      }
    }
    return true
  }

  // MARK: Writing

  private mutating func write() throws(FerryError) {
    if hasNames { try findColumns() } else { try checkLengths() }
    try writeHeader()
    for step in ListStep.steps(from: originalRows, to: rows) {
      switch step {
      case .keep(let original, let index), .replace(let original, let index):
        try rewrite(original, as: index)
      case .remove(let range): for original in range { remove(original) }
      case .insert(let range):
        for index in range {
          let cells = try cells(ofRow: index, from: numbers[rows[index]])
          insert(text(of: cells, like: []))
          expected.append(.cells(cells.map(\.content)))
        }
      }
    }
    result += table.text[copied...]
  }

  /// Writes a row in place of one of the original table.
  private mutating func rewrite(_ original: Int, as index: Int) throws(FerryError) {
    let range = table.range(ofRow: original)
    position = table.endOfLine(after: range.upperBound)
    if !hasOtherColumns, rows[index] == originalRows[original], try !isChanged(rows[index]) {
      return expected.append(.original(original))
    }
    let cells = try cells(ofRow: index, from: numbers[rows[index]] ?? original)
    replace(range, by: text(of: cells, like: table.row(original)))
    expected.append(.cells(cells.map(\.content)))
  }

  /// Returns true if a value in a row has changed, or if the row is new.
  func isChanged(_ row: NodeID) throws(FerryError) -> Bool {
    guard row < list.firstNewNode, !list.isChanged(row) else { return true }
    guard options.nestsDottedColumns || options.infersTypes else { return false }
    var waiting = [row]
    while let collection = waiting.popLast() {
      if list.isChanged(collection) { return true }
      try list.forEachChild(of: collection) { child throws(FerryError) in
        if try list.kind(of: child).isCollection { waiting.append(child) }
      }
    }
    return false
  }

  /// Returns the text of a row.
  ///
  /// - Parameter original: The cells of the row that it replaces, whose spaces after delimiters it keeps.
  private func text(of cells: [NewCell], like original: [CSVScanner.Cell]) -> [UInt8] {
    var text: [UInt8] = []
    for (index, cell) in cells.enumerated() {
      if index > 0 {
        text.append(table.delimiter)
        text += index < original.count ? table.spaces(before: original[index]) : table.usualSpaces
      }
      text += cell.text
    }
    return text
  }

  /// Writes the header: the original one, one with other columns, or a new one in an empty text.
  private mutating func writeHeader() throws(FerryError) {
    position = table.start
    if let header = table.header {
      let range = table.range(of: header)
      position = table.endOfLine(after: range.upperBound)
      if hasOtherColumns { replace(range, by: text(of: try headerCells(), like: Array(header))) }
    } else if options.hasHeader, !rows.isEmpty {
      insert(text(of: try headerCells(), like: []))
    }
  }

  private mutating func replace(_ range: Range<Int>, by text: [UInt8]) {
    result += table.text[copied..<range.lowerBound]
    result += text
    copied = range.upperBound
  }

  /// Inserts a row with a line end. After a last row without a line end, the line end comes before the new row.
  private mutating func insert(_ row: [UInt8]) {
    result += table.text[copied..<position]
    copied = position
    if let last = result.last, last != 0x0a, last != 0x0d {
      result += table.lineEnd + row
    } else {
      result += row + table.lineEnd
    }
  }

  /// Removes a row with its line end and the spaces before it. If the last row has none, the new last row loses its own.
  private mutating func remove(_ original: Int) {
    let range = table.range(ofRow: original)
    let spaces = table.row(original).first.map(table.spaces(before:)) ?? []
    result += table.text[copied..<range.lowerBound - spaces.count]
    position = table.endOfLine(after: range.upperBound)
    copied = position
    if position == range.upperBound { result.removeLastLineEnd() }
  }
}

extension [UInt8] {
  /// Removes the line end at the end of a text, if there is one.
  fileprivate mutating func removeLastLineEnd() {
    guard let end = last, end == 0x0a || end == 0x0d else { return }
    removeLast()
    if end == 0x0a, last == 0x0d { removeLast() }
  }
}
