/// A source that sends the rows of a statement as dictionaries, from column name to value.
///
///     {"id": 1, "name": "Ada", "photo": <89 50 4E 47 …>, "age": null}
///
/// The storage class of a value determines its kind, regardless of the column's declared type: INTEGER is an
/// integer, REAL a real, TEXT a string, BLOB data and NULL null. Only the current row is in memory.
struct SQLiteRows: ~Copyable {
  /// The statement, positioned at the current row.
  let statement: SQLiteStatement
  private let columns: [Column]
  /// The size of the names of all columns in bytes, which each row has.
  private let nameBytes: Int
  private let table: SQLiteTable
  private let budget: Budget
  private let losses: LossReport
  /// The path of the array of rows.
  private let steps: [ValuePath.Step]
  /// True to mark bytes that are not UTF-8, as `ByteMarkedText` does.
  private let marksInvalidText: Bool
  /// The number of rows sent.
  private(set) var count = 0

  /// The name of a column as UTF-8.
  private struct Column {
    let name: [UInt8]
    let isASCII: Bool

    init(_ name: String) {
      let bytes = Array(name.utf8)
      isASCII = bytes.span.isASCII
      self.name = bytes
    }
  }

  init(
    _ statement: consuming SQLiteStatement, of table: SQLiteTable, at steps: [ValuePath.Step], budget: Budget,
    marksInvalidText: Bool, losses: LossReport
  ) {
    self.marksInvalidText = marksInvalidText
    self.steps = steps
    columns = statement.columnNames.map(Column.init)
    nameBytes = columns.reduce(0) { $0 + $1.name.count }
    self.statement = statement
    self.table = table
    self.budget = budget
    self.losses = losses
  }

  /// Sends all rows as an array.
  mutating func send(into sink: any ValueSink) throws(FerryError) {
    try sink.beginArray(count: nil)
    while try next() { try sendRow(into: sink) }
    try sink.endArray()
  }

  /// Advances to the next row. Errors have the location of the row.
  mutating func next() throws(FerryError) -> Bool {
    do throws(FerryError) {
      guard try statement.step() else { return false }
      count += 1
      try statement.note(readBytes: nameBytes)
      return true
    } catch {
      throw error.placed(in: table, row: count + 1)
    }
  }

  private func sendRow(into sink: any ValueSink) throws(FerryError) {
    try sink.beginDictionary(count: columns.count)
    for index in columns.indices {
      let column = columns[index]
      try sink.key(BorrowedText(checked: column.name.span, isASCII: column.isASCII))
      try send(index, into: sink)
    }
    try sink.endDictionary()
  }

  /// Sends the value of the current row in a column.
  func send(_ column: Int, into sink: any ValueSink) throws(FerryError) {
    switch statement.kind(column) {
    case .null: try sink.null()
    case .integer: try sink.integer(Int128(statement.integer(column)))
    case .real: try sink.real(statement.real(column))
    case .text:
      try statement.withBytes(column) { bytes throws(FerryError) in
        try check(bytes)
        switch bytes.checkUTF8() {
        case .ascii: try sink.string(BorrowedText(checked: bytes, isASCII: true))
        case .utf8 where !marksInvalidText || !ByteMarkedText.hasMark(bytes):
          try sink.string(BorrowedText(checked: bytes, isASCII: false))
        // A text that reads like a marked one is marked, too.
        case .utf8, .invalid:
          losses.add(
            .invalidText,
            path: ValuePath(steps + [.index(count - 1), .key(statement.name(column))]))
          let text = marksInvalidText ? ByteMarkedText.marking(bytes) : Array(bytes.decodedString.utf8)
          try sink.string(BorrowedText(text.span))
        }
      }
    case .blob:
      try statement.withBytes(column) { bytes throws(FerryError) in try send(bytes, into: sink) }
    }
  }

  /// Sends bytes as data.
  func send(_ bytes: Span<UInt8>, into sink: any ValueSink) throws(FerryError) {
    try check(bytes)
    try sink.data(bytes)
  }

  private func check(_ bytes: Span<UInt8>) throws(FerryError) {
    guard bytes.count <= budget.tokenBytes else {
      throw FerryError(.overBudget(.tokenBytes(budget.tokenBytes)))
    }
  }
}

extension FerryError {
  /// Returns the error with the table and the row (counted from 1) where it occurred.
  func placed(inTable table: String, row: Int? = nil) -> FerryError {
    placed(in: SQLiteTable(name: table, kind: .table), row: row)
  }

  /// Returns the error with the table or the view, and with the row (counted from 1), where it occurred.
  func placed(in table: SQLiteTable, row: Int? = nil) -> FerryError {
    let location = table.inWords + (row.map { ", row \($0)" } ?? "")
    var placed = self
    switch reason {
    case .database(.damaged("", let words)):
      placed.reason = .database(.damaged(location: location, words: words))
    case .database(.refused("", let words)):
      placed.reason = .database(.refused(location: location, words: words))
    case .database(.untrusted("", let name)):
      placed.reason = .database(.untrusted(location: location, name: name))
    default: break
    }
    return placed
  }
}
