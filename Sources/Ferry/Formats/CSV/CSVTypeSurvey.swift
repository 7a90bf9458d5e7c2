/// A reader that finds the types of the columns of CSV.
///
///     id,zip,score,done⏎
///     1,02134,2.5,true⏎          number  text  number  boolean
///     2,10001,,false⏎
///
/// A column has a type only if each of its cells is written as Ferry writes a value of that type, so that the text does not
/// change: `02134`, `2.20` and `TRUE` are text. Cells that are empty or mean null fit every type. A quoted cell is text, unless
/// all cells are quoted, also those that do not need it, or the cell is JSON.
final class CSVTypeSurvey: ChunkReader {
  private var parser: CSVParser
  private var columns: CSVColumnSurvey

  /// Creates a reader.
  ///
  /// - Parameter delimiter: The delimiter of the format, or nil to find it.
  init(_ context: ReaderContext, delimiter: UInt8?) throws(FerryError) {
    parser = CSVParser(context, delimiter: try context.csv.delimiter(ofFormat: delimiter))
    columns = CSVColumnSurvey(context.csv, budget: context.budget)
  }

  func read(_ chunk: Span<UInt8>) throws(FerryError) { try parser.read(chunk, into: &columns) }
  func finish() throws(FerryError) { try parser.finish(into: &columns) }

  /// The columns with their types.
  var foundColumns: [CSVFoundColumn] { columns.found }
}

/// A column of a table, and the type that its cells show.
struct CSVFoundColumn {
  /// The name of the column, or nil if it has none.
  let name: [UInt8]?
  /// The type, or nil if all cells are empty.
  let type: CSVColumnType?

  /// Returns the types of the columns of several tables, in which columns with the same name, or without names at the same index, have
  /// one type: text if they have different ones.
  static func types(of tables: [[CSVFoundColumn]]) -> [[CSVColumnType]] {
    struct Key: Hashable {
      let name: [UInt8]?
      let index: Int

      init(_ column: CSVFoundColumn, at index: Int) {
        (name, self.index) = (column.name, column.name == nil ? index : 0)
      }
    }
    var types: [Key: CSVColumnType] = [:]
    for table in tables {
      for (index, column) in table.enumerated() {
        guard let type = column.type else { continue }
        let key = Key(column, at: index)
        types[key] = types[key].map { $0 == type ? type : .text } ?? type
      }
    }
    return tables.map { table in
      table.enumerated().map { index, column in types[Key(column, at: index)] ?? .text }
    }
  }
}

/// The types of columns, as far as their rows show them.
private struct CSVColumnSurvey: CSVRowReceiver {
  /// The types that the cells of a column so far permit.
  struct Column {
    var isEmpty = true
    var mayBeBoolean = true
    var mayBeNumber = true
    var mayBeJSON = true
    /// True if a cell with quotation marks is not empty.
    var hasQuotedCells = false
  }

  private let options: CSVReadingOptions
  /// The limits of cells that are JSON.
  private let budget: Budget
  private var columns: [Column] = []
  private var names: [CSVColumns.Name]?
  private var hasUnquotedCells = false
  /// True if a name or a cell has quotation marks that it does not need.
  private var hasNeedlessQuotes = false
  private var scratch: [UInt8] = []

  init(_ options: CSVReadingOptions, budget: Budget) { (self.options, self.budget) = (options, budget) }

  /// The columns with their types.
  var found: [CSVFoundColumn] {
    columns.enumerated().map { index, column in
      let name = names.flatMap { $0.indices.contains(index) ? $0[index].bytes : nil }
      return CSVFoundColumn(name: name, type: type(of: column))
    }
  }

  private func type(of column: Column) -> CSVColumnType? {
    guard !column.isEmpty else { return nil }
    if column.mayBeJSON { return .json }
    if column.hasQuotedCells, hasUnquotedCells || !hasNeedlessQuotes { return .text }
    return column.mayBeBoolean ? .boolean : column.mayBeNumber ? .number : .text
  }

  mutating func receive(
    _ row: borrowing CSVRow, _ known: CSVColumns, _ offset: inout Int
  ) throws(FerryError) {
    if names == nil { names = known.names }
    if known.hasUnquotedNames { hasUnquotedCells = true }
    if known.hasNeedlesslyQuotedNames { hasNeedlessQuotes = true }
    while columns.count < row.count { columns.append(Column()) }
    // In a table with one column, null is `""`, because a blank line is not a row.
    for index in 0..<row.count where !(row.count == 1 ? row.isEmpty(index) : row.isBlank(index)) {
      if row.isNull(index, options) { continue }
      var (column, scratch): (Column, [UInt8]) = (columns[index], [])
      swap(&scratch, &self.scratch)
      defer { swap(&scratch, &self.scratch) }
      column.isEmpty = false
      if row.isQuoted(index) { column.hasQuotedCells = true } else { hasUnquotedCells = true }
      if !hasUnquotedCells, !hasNeedlessQuotes {
        hasNeedlessQuotes = row.isNeedlesslyQuoted(index, isName: false)
      }
      try row.withText(of: index, &scratch, &offset) { text, _ in column.note(text.utf8, budget) }
      columns[index] = column
    }
  }

  mutating func endChunk(_ text: Span<UInt8>, _ offset: inout Int) {}
}

extension CSVColumnSurvey.Column {
  /// Notes the types that the text of a cell excludes.
  fileprivate mutating func note(_ text: Span<UInt8>, _ budget: Budget) {
    if mayBeBoolean { mayBeBoolean = text.equals("true") || text.equals("false") }
    if mayBeNumber { mayBeNumber = text.isWrittenNumber }
    if mayBeJSON { mayBeJSON = text.isCollectionInJSON(budget) }
  }
}

extension Span<UInt8> {
  /// True if a text is a number in the notation that Ferry writes.
  var isWrittenNumber: Bool {
    guard flawInJSONNumber == nil else { return false }
    if case .text = DecimalText(json: self) { return false }
    return true
  }

  /// Returns true if a text is an array or a dictionary in JSON, within the limits of the input.
  func isCollectionInJSON(_ budget: Budget) -> Bool {
    guard !isEmpty, self[0] == UInt8(ascii: "[") || self[0] == UInt8(ascii: "{") else { return false }
    return (try? JSONReader(into: NullSink(), budget: budget).readAll(self)) != nil
  }
}
