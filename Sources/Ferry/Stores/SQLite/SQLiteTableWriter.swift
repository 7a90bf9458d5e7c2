/// A writer of a database table and its rows.
///
/// The values of records are buffered, because new columns may have to be created before their rows are inserted. SQLite takes a
/// time for each new column, and each statement, that grows with the square of the columns, so they are for many records.
final class SQLiteTableWriter {
  private struct Column {
    let name: String
    /// The type of the field, or nil for a key that is not in the schema.
    let type: FieldType?
    /// The conversion that SQLite applies to values in the column.
    let affinity: SQLiteAffinity
  }

  private enum Cell {
    case missing, null
    case integer(Int64)
    case real(Double)
    case text(Range<Int>)
    case blob(Range<Int>)

    var isMissing: Bool { if case .missing = self { true } else { false } }
  }

  /// Records of a new table that are not inserted yet. The texts and blobs of their cells are in `bytes`.
  private struct HeldRecords {
    /// The index of the first record.
    var first = 0
    /// The cells that are not missing, in the order of the columns.
    var cells: [(column: Int, cell: Cell)] = []
    /// The index after the last cell of each record.
    var ends: [Int] = []

    /// The number of cells, or of records, beyond which they are inserted.
    static let most = 1 << 14
    /// The number of bytes beyond which they are inserted.
    static let mostBytes = 1 << 20
  }

  /// The largest number of columns that SQLite allows.
  static let mostColumns = 2000

  let name: String
  /// The path of the list of records.
  private let steps: [ValuePath.Step]
  private let schema: Schema?
  private var hasSchema: Bool { schema != nil }
  private let source: SourceTables
  private let connection: SQLiteConnection
  private let versions: CollectionVersions
  private let losses: LossReport
  private var columns: [Column] = []
  private var numbers: [SQLiteName: Int] = [:]
  private var insertion: SQLiteStatement?
  /// The columns of the prepared INSERT statement. In a new table, these are all columns.
  private var inserted: [Int] = []
  /// The check of each inserted row, if the table has triggers.
  private var rowCheck: SQLiteRowCheck?
  private var exists = false
  /// The number of columns that the table in the database has.
  private var createdColumns = 0
  private var held = HeldRecords()
  /// True if the table existed before. Then its columns do not change.
  private var isTakenUp = false
  /// False if the table contains records of an unknown version.
  private var keepsVersion = true

  /// The values of the current record.
  private var cells: [Cell] = []
  private var bytes: [UInt8] = []
  private var column = 0
  /// The keys of the current record that differ in case from the names of their columns.
  private var otherSpellings: [Int: String] = [:]
  private var isInOrder = true
  private var count = 0
  /// The number of records without keys that were written before the first column existed.
  private var emptyRecords = 0

  /// True if the database has the table only because of its records.
  var isNew: Bool { !isTakenUp && exists }

  /// True if the table exists, or its records have keys.
  var hasColumns: Bool { exists || !columns.isEmpty }

  /// True if the table is the whole value rather than an entry of a dictionary.
  var isAlone: Bool { steps.isEmpty }

  /// Creates a writer of records to a table.
  ///
  /// - Parameters:
  ///   - existing: The table or view of the database with the name; nil if it has none.
  ///   - steps: The path of the list of records.
  init(
    _ name: String, existing: SQLiteTable?, schema: Schema?, at steps: [ValuePath.Step],
    in connection: SQLiteConnection, versions: CollectionVersions, losses: LossReport, source: SourceTables
  ) throws(FerryError) {
    (self.name, self.steps, self.schema, self.source) = (name, steps, schema, source)
    (self.connection, self.versions, self.losses) = (connection, versions, losses)
    guard !name.isEmpty, !name.utf8.contains(0) else { throw FerryError(.database(.badName(name))) }
    let wanted = SQLiteName(name)
    switch existing?.kind {
    case .table where existing?.isInternal == true: throw FerryError(.database(.internalTable(name)))
    case .table: try takeUp()
    case .view: throw FerryError(.database(.viewForRows(name)))
    case .virtual: throw FerryError(.database(.virtualTable(name)))
    case nil where versions.hasTable && wanted == CollectionVersions.tableName:
      throw FerryError(.database(.internalTable(name)))
    case nil where wanted.hasPrefix("sqlite_"): throw FerryError(.database(.badName(name)))
    case nil: break
    }
    for field in schema?.record.fields ?? [] where !isTakenUp {
      try addColumn(field.name, field.type)
    }
  }

  /// Uses an existing table. Its columns determine the valid keys of records.
  private func takeUp() throws(FerryError) {
    (exists, isTakenUp) = (true, true)
    if let version = try version(), try !versions.accept(version, inTable: name) {
      keepsVersion = false
      losses.add(.collectionVersion, path: ValuePath([.key(schema?.collectionVersion ?? name)]))
    }
    let rows = try connection.statement("SELECT * FROM \(quotedName(name))")
    for index in 0..<rows.columnCount {
      let column = rows.name(index)
      let field = schema?.record.fields.first { SQLiteName($0.name) == SQLiteName(column) }
      note(column, field?.type, declared: rows.declaredType(index))
    }
    rowCheck = try SQLiteRowCheck(ofTable: name, columns: columns.map(\.name), on: connection)
  }

  /// The name of the table in the source; nil for the single table.
  private var nameInSource: String? { isAlone ? nil : name }

  /// Returns the version of the records: that of the schema, or without a schema that of the table in the source.
  private func version() throws(FerryError) -> Int? {
    guard let schema else { return try source.version(nameInSource) }
    return schema.versionOfCollection
  }

  private func storeVersion() throws(FerryError) {
    guard keepsVersion, exists, let version = try version() else { return }
    try versions.store(version, ofTable: name)
  }

  // MARK: Paths

  /// The path of the current record.
  var recordPath: [ValuePath.Step] { steps + [.index(count)] }

  /// The path of the current value.
  var path: ValuePath {
    ValuePath(recordPath + (columns.indices.contains(column) ? [.key(columns[column].name)] : []))
  }

  // MARK: A record

  func beginRecord() {
    for index in cells.indices { cells[index] = .missing }
    if held.ends.isEmpty { bytes.removeAll(keepingCapacity: true) }
    if !otherSpellings.isEmpty { otherSpellings.removeAll() }
    column = -1
    isInOrder = true
  }

  /// Selects the column of the next value.
  func key(_ text: BorrowedText) throws(FerryError) {
    let before = column
    // Most records have the same keys in the same order, so the next column is tried first.
    if columns.indices.contains(column + 1), cells[column + 1].isMissing,
      text.utf8.equals(columns[column + 1].name.utf8.span)
    {
      column += 1
    } else {
      column = try addColumn(String(text), nil)
    }
    if column < before { isInOrder = false }
  }

  func putNull() { cells[column] = .null }

  func put(_ value: Bool) {
    if columns[column].type != .boolean { losses.add(.booleanAsInteger, path: path) }
    cells[column] = .integer(value ? 1 : 0)
  }

  func put(_ value: Int128) throws(FerryError) {
    if let small = Int64(exactly: value) {
      guard columns[column].type != .decimal else { return putDigits(value.notation) }
      if columns[column].affinity.changesIntegers { losses.add(.columnType, path: path) }
      cells[column] = .integer(small)
      return
    }
    let digits = Array(value.notation.utf8)
    try put(largeInteger: digits.span)
  }

  /// Stores an integer that SQLite does not have as text.
  func put(largeInteger digits: Span<UInt8>) throws(FerryError) {
    // SQLite would convert the text to a real.
    guard columns[column].affinity == .none || columns[column].affinity == .text else {
      throw FerryError(.database(.integerRange(digits.decodedString, column: columns[column].name)))
    }
    guard columns[column].type != .decimal else { return cells[column] = .text(keep(digits)) }
    losses.add(.numberAsText, path: path)
    put(text: digits)
  }

  func put(_ value: Double) {
    guard !value.isNaN else {
      losses.add(.notANumber, path: path)
      return cells[column] = .null
    }
    guard columns[column].type != .decimal else { return putDigits(value.notation) }
    if columns[column].affinity.changes(value) {
      losses.add(value == 0 ? .negativeZero : .columnType, path: path)
    }
    cells[column] = .real(value)
  }

  /// Stores a number as text in a column for decimals. SQLite would keep only fifteen digits of a number.
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

  func endRecord() throws(FerryError) {
    column = -1
    if !isInOrder, !hasSchema { losses.add(.columnOrder, path: path) }
    defer { count += 1 }
    guard !columns.isEmpty else {
      emptyRecords += 1
      return
    }
    guard !isTakenUp else { return try insert(presentColumns(), at: count) }
    hold()
    if held.cells.count > HeldRecords.most || held.ends.count > HeldRecords.most
      || bytes.count > HeldRecords.mostBytes
    {
      try insertHeldRecords()
    }
  }

  /// Keeps the current record, and reports the columns that it lacks.
  private func hold() {
    if held.ends.isEmpty { held.first = count }
    for index in cells.indices {
      if case .missing = cells[index] {
        // With a schema, NULL is a missing value in the columns of fields, but not in those of other keys.
        guard columns[index].type == nil else { continue }
        column = index
        losses.add(.missingAsNull, path: path)
      } else {
        held.cells.append((index, cells[index]))
      }
    }
    held.ends.append(held.cells.count)
  }

  /// Creates the columns of the records so far, and inserts those that are held.
  private func insertHeldRecords() throws(FerryError) {
    try createColumns()
    while emptyRecords > 0 {
      try connection.execute("INSERT INTO \(quotedName(name)) DEFAULT VALUES")
      emptyRecords -= 1
    }
    let all = Array(columns.indices)
    var next = 0
    for (record, end) in held.ends.enumerated() {
      for index in cells.indices {
        if next < end, held.cells[next].column == index {
          cells[index] = held.cells[next].cell
          next += 1
        } else {
          cells[index] = .missing
        }
      }
      try insert(all, at: held.first + record)
    }
    held.cells.removeAll(keepingCapacity: true)
    held.ends.removeAll(keepingCapacity: true)
  }

  // MARK: Columns

  /// Gives the table in the database the columns of the records so far.
  private func createColumns() throws(FerryError) {
    guard createdColumns < columns.count else { return }
    let definitions = columns[createdColumns...].map { column in
      quotedName(column.name) + (column.type.map { " " + $0.columnType } ?? "")
    }
    insertion = nil
    do throws(FerryError) {
      if exists {
        for definition in definitions {
          try connection.execute("ALTER TABLE \(quotedName(name)) ADD COLUMN \(definition)")
        }
      } else {
        try connection.execute("CREATE TABLE \(quotedName(name)) (\(definitions.joined(separator: ", ")))")
        exists = true
      }
    } catch {
      throw error.placed(inTable: name)
    }
    createdColumns = columns.count
  }

  private func note(_ name: String, _ type: FieldType?, declared: String?) {
    numbers[SQLiteName(name)] = columns.count
    columns.append(Column(name: name, type: type, affinity: SQLiteAffinity(declared: declared)))
    cells.append(.missing)
    insertion = nil
  }

  /// Returns the index of the column with a name, or nil if there is none. In a table that existed before, the
  /// name may have another case.
  ///
  /// - Throws: A `FerryError` with the reason `DatabaseProblem.sameColumn` if another key of the record means the same column.
  private func number(of name: String) throws(FerryError) -> Int? {
    guard let known = numbers[SQLiteName(name)] else { return nil }
    let isOther = isTakenUp && cells[known].isMissing
    let first = otherSpellings[known] ?? columns[known].name
    guard isOther || first.equals(name) else { throw FerryError(.database(.sameColumn(first, name))) }
    if !columns[known].name.equals(name) { otherSpellings[known] = name }
    return known
  }

  /// Adds a column unless it exists, and returns its index.
  @discardableResult
  private func addColumn(_ name: String, _ type: FieldType?) throws(FerryError) -> Int {
    if let known = try number(of: name) { return known }
    guard !name.utf8.contains(0) else { throw FerryError(.database(.badName(name))) }
    guard !isTakenUp else {
      throw FerryError(.database(.noColumn(name, table: self.name)))
    }
    guard columns.count < Self.mostColumns else {
      throw FerryError(.database(.tooManyColumns(table: self.name, limit: Self.mostColumns)))
    }
    note(name, type, declared: type?.columnType)
    column = columns.count - 1
    if count > 0, type == nil {
      losses.add(.missingAsNull, path: ValuePath(steps + [.index(0), .key(name)]))
    }
    return column
  }

  // MARK: Rows

  /// Inserts the current cells of some columns as the row of a record.
  private func insert(_ present: [Int], at record: Int) throws(FerryError) {
    if insertion == nil || inserted != present {
      do throws(FerryError) { insertion = try makeInsertion(of: present) } catch {
        throw placed(error, inRecord: record)
      }
      inserted = present
    }
    let (cells, bytes) = (cells, bytes)
    let all = bytes.span
    for (position, index) in present.enumerated() {
      switch cells[index] {
      case .missing, .null: try insertion?.bindNull(position + 1)
      case .integer(let value): try insertion?.bind(position + 1, value)
      case .real(let value): try insertion?.bind(position + 1, value)
      case .text(let range): try insertion?.bind(position + 1, text: all.extracting(range))
      case .blob(let range): try insertion?.bind(position + 1, blob: all.extracting(range))
      }
    }
    do throws(FerryError) {
      _ = try insertion?.step()
      try rowCheck?.check()
    } catch {
      throw placed(error, inRecord: record)
    }
    insertion?.reset()
  }

  /// Returns an error of SQLite with the table and the record that cause it.
  private func placed(_ error: FerryError, inRecord record: Int) -> FerryError {
    let placed = error.placed(inTable: name, row: record + 1)
    // With a schema, the record mapper adds the record to the path.
    return hasSchema ? placed : placed.placed(path: losses.placed(ValuePath(steps + [.index(record)])))
  }

  /// The columns of the record's keys, which are set in an existing table, so that the others get the table's default values.
  private func presentColumns() -> [Int] { cells.indices.filter { !cells[$0].isMissing } }

  private func makeInsertion(of present: [Int]) throws(FerryError) -> SQLiteStatement {
    let values = present.map { _ in "?" }.joined(separator: ", ")
    // The statement does not name the columns, because SQLite searches all columns for each name.
    guard isTakenUp else {
      return try connection.statement("INSERT INTO \(quotedName(name)) VALUES (\(values))")
    }
    let beginning = try connection.insertion(into: name)
    guard !present.isEmpty else { return try connection.statement("\(beginning) DEFAULT VALUES") }
    let names = present.map { quotedName(columns[$0].name) }.joined(separator: ", ")
    return try connection.statement("\(beginning) (\(names)) VALUES (\(values))")
  }

  /// Finishes the table. An empty table gets the columns that it has in the source, and is not created if
  /// there are none.
  func finish() throws(FerryError) {
    if !hasColumns {
      for column in try source.columns(nameInSource) { try addColumn(column, nil) }
    }
    if !isTakenUp, !columns.isEmpty { try insertHeldRecords() }
    insertion = nil
    if !exists { losses.add(.emptyTable, path: ValuePath(steps)) }
    for _ in 0..<(try rowCheck?.removedRows(on: connection) ?? 0) {
      losses.add(.removedByTrigger, path: ValuePath(steps))
    }
    try storeVersion()
  }
}

extension Schema {
  /// Returns the statement that defines a table of the schema's records.
  func tableDefinition(named name: String) -> String {
    let columns = record.fields.map { "\(quotedName($0.name)) \($0.type.columnType)" }
    return "CREATE TABLE \(quotedName(name)) (\(columns.joined(separator: ", ")))"
  }
}

extension FieldType {
  /// The declared type of a column for values of this type. It never makes SQLite change a value; a DECIMAL
  /// column, for example, would convert the text of a decimal to a number.
  var columnType: String {
    switch self {
    case .integer: "INTEGER"
    case .real: "REAL"
    case .boolean: "BOOLEAN"
    case .date: "DATETIME"
    // A column of this type keeps a value of any kind.
    case .data, .any: "BLOB"
    case .string, .decimal, .url, .uuid, .record, .list, .dictionary, .enclosing: "TEXT"
    }
  }
}
