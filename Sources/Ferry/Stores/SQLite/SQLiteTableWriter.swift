/// Makes a table of a database, and its rows.
///
/// The values of a record are gathered, because the columns of its keys may still have to be made; then the row is
/// inserted.
final class SQLiteTableWriter {
  private struct Column {
    let name: String
    /// The type of the field; nil without a schema, and for a key that it does not know.
    let type: FieldType?
    /// What the column makes of other values.
    let affinity: SQLiteAffinity
  }

  private enum Cell {
    case missing, null
    case integer(Int64)
    case real(Double)
    case text(Range<Int>)
    case blob(Range<Int>)
  }

  private let name: String
  /// Where the table is in the value.
  private let steps: [ValuePath.Step]
  private let hasSchema: Bool
  private let connection: SQLiteConnection
  private let losses: LossReport
  private var columns: [Column] = []
  private var numbers: [String: Int] = [:]
  /// Names in small letters, as SQLite compares them.
  private var folded: [String: String] = [:]
  private var insertion: SQLiteStatement?
  /// The columns that the insertion has.
  private var inserted: [Int] = []
  private var exists = false
  /// Whether the table was there before: then it keeps its columns.
  private var isTakenUp = false

  /// The record that is being received.
  private var cells: [Cell] = []
  private var bytes: [UInt8] = []
  private var column = 0
  private var isInOrder = true
  private var count = 0
  /// Records of no keys that came before any column.
  private var emptyRecords = 0

  /// Whether the table is all there is, and not one of a dictionary.
  var isAlone: Bool { steps.isEmpty }

  init(
    _ name: String, schema: Schema?, at steps: [ValuePath.Step], in connection: SQLiteConnection,
    losses: LossReport
  ) throws(Failure) {
    self.name = name
    self.steps = steps
    self.connection = connection
    self.losses = losses
    hasSchema = schema != nil
    guard !name.isEmpty, !name.utf8.contains(0) else { throw Failure(.database(.badName(name))) }
    if exists(inDatabase: try connection.tables()) { try takeUp(schema) }
    for field in schema?.record.fields ?? [] where !isTakenUp {
      try addColumn(field.name, field.type)
    }
  }

  private func exists(inDatabase tables: [SQLiteTable]) -> Bool {
    tables.contains { $0.kind == .table && $0.name.lowercased() == name.lowercased() }
  }

  /// Takes up a table that is there already: its columns are those that its records have.
  private func takeUp(_ schema: Schema?) throws(Failure) {
    (exists, isTakenUp) = (true, true)
    let rows = try connection.statement("SELECT * FROM \(quotedName(name))")
    for index in 0..<rows.columnCount {
      let column = rows.name(index)
      let field = schema?.record.fields.first { $0.name.lowercased() == column.lowercased() }
      note(column, field?.type, declared: rows.declaredType(index))
      if let field { numbers[field.name] = index }
    }
  }

  // MARK: Places

  /// Where the record is.
  var place: [ValuePath.Step] { steps + [.index(count)] }

  /// Where the value is.
  var path: ValuePath {
    ValuePath(place + (columns.indices.contains(column) ? [.key(columns[column].name)] : []))
  }

  // MARK: A record

  func beginRecord() {
    for index in cells.indices { cells[index] = .missing }
    bytes.removeAll(keepingCapacity: true)
    column = -1
    isInOrder = true
  }

  /// The column of the value that comes next.
  func key(_ text: Text) throws(Failure) {
    let before = column
    // Records mostly have the same keys in the same order.
    if columns.indices.contains(column + 1), text.utf8.equals(columns[column + 1].name.utf8.span) {
      column += 1
    } else {
      let name = String(text)
      if let known = numbers[name] { column = known } else { column = try addColumn(name, nil) }
    }
    if column < before { isInOrder = false }
    if case .missing = cells[column] { return }
    losses.add(.duplicateKey, path: path)
  }

  func putNull() { cells[column] = .null }

  func put(_ value: Bool) {
    if columns[column].type != .boolean { losses.add(.booleanAsInteger, path: path) }
    cells[column] = .integer(value ? 1 : 0)
  }

  func put(_ value: Int128) throws(Failure) {
    guard columns[column].type != .decimal else { return putDigits(value.description) }
    if let small = Int64(exactly: value) {
      if columns[column].affinity.changesIntegers { losses.add(.columnType, path: path) }
      cells[column] = .integer(small)
      return
    }
    // A column that is INTEGER would make a real of the text.
    guard columns[column].affinity == .none || columns[column].affinity == .text else {
      throw Failure(.database(.integerRange(value.description, column: columns[column].name)))
    }
    losses.add(.numberAsText, path: path)
    let text = Array(value.description.utf8)
    put(text: text.span)
  }

  func put(_ value: Double) {
    guard !value.isNaN else {
      losses.add(.notANumber, path: path)
      return cells[column] = .null
    }
    guard columns[column].type != .decimal else { return putDigits(value.description) }
    if columns[column].affinity.changes(value) {
      losses.add(value == 0 ? .negativeZero : .columnType, path: path)
    }
    cells[column] = .real(value)
  }

  /// Puts a number into a column of decimals, which are text: SQLite would make a text of fifteen digits of it.
  private func putDigits(_ digits: String) {
    let text = Array(digits.utf8)
    cells[column] = .text(keep(text.span))
  }

  func put(text: Span<UInt8>) {
    if columns[column].affinity.changes(text) { losses.add(.columnType, path: path) }
    cells[column] = .text(keep(text))
  }
  func put(blob: Span<UInt8>) { cells[column] = .blob(keep(blob)) }

  private func keep(_ value: Span<UInt8>) -> Range<Int> {
    let start = bytes.count
    bytes.append(copying: value)
    return start..<bytes.count
  }

  func endRecord() throws(Failure) {
    column = -1
    if !isInOrder, !hasSchema { losses.add(.columnOrder, path: path) }
    defer { count += 1 }
    guard !columns.isEmpty else {
      emptyRecords += 1
      return
    }
    try insert()
  }

  // MARK: Columns

  private func note(_ name: String, _ type: FieldType?, declared: String?) {
    numbers[name] = columns.count
    folded[name.lowercased()] = name
    columns.append(Column(name: name, type: type, affinity: SQLiteAffinity(declared: declared)))
    cells.append(.missing)
    insertion = nil
  }

  @discardableResult
  private func addColumn(_ name: String, _ type: FieldType?) throws(Failure) -> Int {
    guard !name.utf8.contains(0) else { throw Failure(.database(.badName(name))) }
    if isTakenUp, let other = folded[name.lowercased()], let known = numbers[other] {
      numbers[name] = known
      return known
    }
    if let other = folded[name.lowercased()] {
      throw Failure(.database(.sameColumn(other, name)))
    }
    guard !isTakenUp else {
      throw Failure(.database(.noColumn(name, table: self.name)))
    }
    let definition = quotedName(name) + (type.map { " " + $0.columnType } ?? "")
    insertion = nil
    do throws(Failure) {
      if exists {
        try connection.execute("ALTER TABLE \(quotedName(self.name)) ADD COLUMN \(definition)")
      } else {
        try connection.execute("CREATE TABLE \(quotedName(self.name)) (\(definition))")
        exists = true
      }
    } catch {
      throw error.placed(inTable: self.name)
    }
    note(name, type, declared: type?.columnType)
    column = columns.count - 1
    if count > 0, type == nil, !hasSchema {
      losses.add(.missingAsNull, path: ValuePath(steps + [.index(0), .key(name)]))
    }
    try insertEmptyRecords()
    return column
  }

  private func insertEmptyRecords() throws(Failure) {
    while emptyRecords > 0 {
      try connection.execute("INSERT INTO \(quotedName(name)) DEFAULT VALUES")
      emptyRecords -= 1
    }
  }

  // MARK: Rows

  private func insert() throws(Failure) {
    let present = presentColumns()
    if insertion == nil || inserted != present {
      insertion = try makeInsertion(of: present)
      inserted = present
    }
    guard let statement = insertion else { return }
    let (cells, bytes) = (cells, bytes)
    let all = bytes.span
    for (place, index) in present.enumerated() {
      switch cells[index] {
      case .missing, .null: try statement.bindNull(place + 1)
      case .integer(let value): try statement.bind(place + 1, value)
      case .real(let value): try statement.bind(place + 1, value)
      case .text(let range): try statement.bind(place + 1, text: all.extracting(range))
      case .blob(let range): try statement.bind(place + 1, blob: all.extracting(range))
      }
    }
    do throws(Failure) {
      _ = try statement.step()
    } catch {
      // By a schema it is known which record this is.
      let failure = error.placed(inTable: name, row: count + 1)
      throw hasSchema ? failure : failure.placed(path: ValuePath(place))
    }
    statement.reset()
  }

  /// The columns that the row gives values to: in a new table all, in one that was there those of the record's keys, so
  /// that the others have the values that the table gives them.
  private func presentColumns() -> [Int] {
    var present: [Int] = []
    present.reserveCapacity(cells.count)
    for index in cells.indices {
      if case .missing = cells[index] {
        if isTakenUp { continue }
        if !hasSchema {
          column = index
          losses.add(.missingAsNull, path: path)
        }
      }
      present.append(index)
    }
    return present
  }

  private func makeInsertion(of present: [Int]) throws(Failure) -> SQLiteStatement {
    let table = quotedName(name)
    guard !present.isEmpty else { return try connection.statement("INSERT INTO \(table) DEFAULT VALUES") }
    let names = present.map { quotedName(columns[$0].name) }.joined(separator: ", ")
    let values = present.map { _ in "?" }.joined(separator: ", ")
    return try connection.statement("INSERT INTO \(table) (\(names)) VALUES (\(values))")
  }

  /// Ends the table. Without a column there is none.
  func finish() throws(Failure) {
    insertion = nil
    if !exists { losses.add(.emptyTable, path: ValuePath(steps)) }
  }
}

extension FieldType {
  /// The type that a column of such values is declared with. None of them changes a value of its field: SQLite would make
  /// a number of a decimal's text in a column that is DECIMAL.
  var columnType: String {
    switch self {
    case .integer: "INTEGER"
    case .real: "REAL"
    case .boolean: "BOOLEAN"
    case .date: "DATETIME"
    case .data: "BLOB"
    case .string, .decimal, .url, .uuid, .record, .list: "TEXT"
    }
  }
}
