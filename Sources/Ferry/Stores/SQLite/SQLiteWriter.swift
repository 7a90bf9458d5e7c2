/// A writer of records as a table, or of a dictionary of lists of records as several tables. It is the
/// inverse of `StoreSource`.
///
///     [{"name": "Ada", "age": 36}, {"name": "Alan"}]         CREATE TABLE "records" ("name", "age")
///     {"people": [{"name": "Ada"}], "places": []}            CREATE TABLE "people" ("name")
///
/// The columns and their types come from the schema. Without a schema, the columns are the keys in the order
/// of their first occurrence, and have no type, so that every value is stored unchanged. A new key adds a
/// column. Arrays and dictionaries inside a record are stored as JSON text.
///
/// The database is built in a temporary file. Its bytes are written to the output when it is complete.
final class SQLiteWriter: ValueSink {
  private enum State {
    case top
    /// In the dictionary of the tables.
    case database
    /// After a key that names a table.
    case table
    case records
    /// In a record, which is the only one or an element of a list.
    case record(isOnly: Bool)
    case done
  }

  private let store: any SQLiteStore
  private let tableName: String?
  private let schema: Schema?
  private let losses: LossReport
  /// True if the records come from XML, in which a list with a single element is read as the element, and an
  /// empty list as an empty text.
  private let isXML: Bool
  private let source: SourceTables
  private var state = State.top
  private var table: SQLiteTableWriter?
  private var name = ""
  /// The names of the tables written so far.
  private var names: [SQLiteName: String] = [:]
  /// The tables and views in the database.
  private var existing: [SQLiteName: SQLiteTable]
  private let versions: CollectionVersions
  private var nested: NestedJSONWriter?
  /// The names of the tables that were created, in order.
  private(set) var newTables: [String] = []

  /// Creates a writer. The database must be in a transaction.
  init(
    to store: any SQLiteStore, table: String?, schema: Schema?, isXML: Bool, losses: LossReport,
    source: SourceTables
  ) throws(FerryError) {
    let tables = try store.connection.tables()
    existing = Dictionary(tables.map { (SQLiteName($0.name), $0) }, uniquingKeysWith: { first, _ in first })
    versions = CollectionVersions(on: store.connection, tables: tables)
    self.isXML = isXML
    self.source = source
    self.store = store
    self.tableName = table
    self.schema = schema
    self.losses = losses
  }

  /// The name of the table if none is given.
  static let usualTable = "records"

  func finish() throws(FerryError) {
    try finishTable()
    try store.finish()
  }

  // MARK: Scalars

  /// Returns the table in whose record a value is the value of the current key. Throws an error with the kind of the value if it is not
  /// in a record.
  private func recordTable(for words: @autoclosure () -> String) throws(FerryError) -> SQLiteTableWriter? {
    switch state {
    case .record: return table
    case .records: throw FerryError(.database(.notARow(found: words())))
    case .table, .top, .database, .done: throw FerryError(.database(.notATable(found: words())))
    }
  }

  func null() throws(FerryError) {
    if let nested { return try nested.sink.null() }
    try recordTable(for: "null")?.putNull()
  }
  func boolean(_ value: Bool) throws(FerryError) {
    if let nested { return try nested.sink.boolean(value) }
    try recordTable(for: "a boolean")?.put(value)
  }
  func integer(_ value: Int128) throws(FerryError) {
    if let nested { return try nested.sink.integer(value) }
    try recordTable(for: "an integer")?.put(value)
  }
  func real(_ value: Double) throws(FerryError) {
    if let nested { return try nested.sink.real(value) }
    try recordTable(for: "a number")?.put(value)
  }
  func single(_ value: Float) throws(FerryError) { try real(Double(value)) }
  func number(_ text: BorrowedText) throws(FerryError) {
    if let nested { return try nested.sink.number(text) }
    guard let table = try recordTable(for: "a number") else { return }
    switch FormatCapabilities.sqlite.stored(number: text) {
    case .exact: try table.put(largeInteger: text.utf8)
    case .real(let value, let loss):
      losses.add(loss, path: table.path)
      table.put(value)
    case .text:
      losses.add(.numberAsText, path: table.path)
      table.put(text: text.utf8)
    }
  }
  func string(_ text: BorrowedText) throws(FerryError) {
    if let nested { return try nested.sink.string(text) }
    if isXML, case .table = state, try putBesideTables(text) { return }
    try recordTable(for: "a string")?.put(text: text.utf8)
  }

  /// Accepts values of XML that are not tables: an attribute of the root, or the empty element of an empty
  /// table. Returns false for other values.
  private func putBesideTables(_ text: BorrowedText) throws(FerryError) -> Bool {
    if name.utf8.first == UInt8(ascii: "@") {
      losses.add(.besideRecords, path: ValuePath([.key(name)]))
      state = .database
      return true
    }
    guard text.utf8.isEmpty else { return false }
    try begin(name, at: [.key(name)])
    try endArray()
    return true
  }

  func data(_ bytes: Span<UInt8>) throws(FerryError) {
    if let nested { return try nested.sink.data(bytes) }
    try recordTable(for: "data")?.put(blob: bytes)
  }
  func date(_ secondsSince2001: Double) throws(FerryError) {
    if let nested { return try nested.sink.date(secondsSince2001) }
    try recordTable(for: "a date")?.put(secondsSince2001)
  }
  func uid(_ number: UInt64) throws(FerryError) { try integer(Int128(number)) }
  func reference(_ identity: Int) throws(FerryError) {
    throw FerryError(.cannotHold(.misplaced("a reference")))
  }
  func beginKey() throws(FerryError) {
    throw FerryError(.cannotHold(.misplaced("a key that is not a string")))
  }
  func endKey() throws(FerryError) { throw FerryError(.cannotHold(.misplaced("a key that is not a string"))) }
  func beginObject(_ type: ObjectClass, identity: Int?) throws(FerryError) {}
  func endObject() throws(FerryError) {}

  // MARK: Collections

  func beginArray(count: Int?) throws(FerryError) {
    if let nested { return try nested.begin(isArray: true) }
    switch state {
    case .top: try begin(tableName ?? schema?.collectionElement.withoutPrefix ?? Self.usualTable, at: [])
    case .table: try begin(name, at: [.key(name)])
    case .record: try beginNested(isArray: true)
    case .records: throw FerryError(.database(.notARow(found: "an array")))
    case .database, .done: throw FerryError(.cannotHold(.misplaced("an array")))
    }
  }

  private func begin(_ name: String, at steps: [ValuePath.Step]) throws(FerryError) {
    table = try SQLiteTableWriter(
      name, existing: existing[SQLiteName(name)], schema: steps.isEmpty ? schema : nil, at: steps,
      in: store.connection, versions: versions, losses: losses, source: source)
    state = .records
  }

  private func finishTable() throws(FerryError) {
    try table?.finish()
    if let table, table.isNew {
      newTables.append(table.name)
      existing[SQLiteName(table.name)] = SQLiteTable(name: table.name, kind: .table)
    }
    table = nil
  }

  func endArray() throws(FerryError) {
    if nested != nil { return try endNested() }
    let isAlone = table?.isAlone ?? true
    // The reader knows the columns of CSV without rows only at the end of the file.
    if !isAlone || table?.hasColumns == true { try finishTable() }
    state = isAlone ? .done : .database
  }

  func beginSet(count: Int?) throws(FerryError) { try beginArray(count: count) }
  func endSet() throws(FerryError) { try endArray() }

  func beginDictionary(count: Int?) throws(FerryError) {
    if let nested { return try nested.begin(isArray: false) }
    switch state {
    case .top:
      guard tableName != nil || schema != nil else { return state = .database }
      try begin(tableName ?? schema?.collectionElement.withoutPrefix ?? Self.usualTable, at: [])
      try beginRecord(isOnly: true)
    case .records: try beginRecord(isOnly: false)
    case .record: try beginNested(isArray: false)
    case .table:
      guard isXML else { throw FerryError(.database(.notATable(found: "a dictionary"))) }
      try begin(name, at: [.key(name)])
      try beginRecord(isOnly: true)
    case .database, .done: throw FerryError(.cannotHold(.misplaced("a dictionary")))
    }
  }

  private func beginRecord(isOnly: Bool) throws(FerryError) {
    table?.beginRecord()
    state = .record(isOnly: isOnly)
  }

  func key(_ text: BorrowedText) throws(FerryError) {
    if let nested { return try nested.sink.key(text) }
    switch state {
    case .database:
      name = String(text)
      let other = names.updateValue(name, forKey: SQLiteName(name)) ?? name
      guard other.equals(name) else { throw FerryError(.database(.sameTable(other, name))) }
      state = .table
    case .record: try table?.key(text)
    default: throw FerryError(.cannotHold(.misplaced("a key")))
    }
  }

  func endDictionary() throws(FerryError) {
    if nested != nil { return try endNested() }
    switch state {
    case .record(let isOnly):
      try table?.endRecord()
      state = .records
      if isOnly { try endArray() }
    default: state = .done
    }
  }

  // MARK: Nested values

  private func beginNested(isArray: Bool) throws(FerryError) {
    let nested = NestedJSONWriter()
    try nested.begin(isArray: isArray)
    self.nested = nested
  }

  private func endNested() throws(FerryError) {
    guard let nested, try nested.end() else { return }
    self.nested = nil
    let text = nested.text
    guard let table else { return }
    losses.add(.nestedAsText, path: table.path)
    losses.add(nested.losses.all, under: table.path.steps)
    table.put(text: text.span)
  }
}
