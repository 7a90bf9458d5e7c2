/// Sends the objects of one entity of a store, as records.
///
///     {"objectID": "Person/p1", "firstName": "Ada", "timestamp": 2014-06-01T09:30:00Z, "group": "Group/p1"}
///
/// `objectID` is how other records name the object. Attributes come in the order of the table's columns, then relationships
/// to many.
struct CoreDataRows {
  private let store: CoreDataStore
  private let connection: SQLiteConnection
  private let budget: Budget
  private let losses: LossReport
  /// Where the records are in the value.
  private let steps: [ValuePath.Step]
  /// How a schema spells names, by the name in small letters.
  private let spelling: [String: String]
  private let externalData: CoreDataExternalData

  init(
    _ store: CoreDataStore, _ connection: SQLiteConnection, schema: Schema?, at steps: [ValuePath.Step],
    externalData: CoreDataExternalData, budget: Budget, losses: LossReport
  ) {
    self.externalData = externalData
    self.store = store
    self.connection = connection
    self.budget = budget
    self.losses = losses
    self.steps = steps
    var spelling: [String: String] = [:]
    for field in schema?.record.fields ?? [] { spelling[field.name.lowercased()] = field.name }
    self.spelling = spelling
  }

  /// Sends all objects of an entity, in the order of their keys; not those of entities that inherit from it.
  func send(_ entity: CoreDataStore.Entity, into sink: any ValueSink) throws(Failure) {
    try sink.beginArray(count: nil)
    if let table = store.table(of: entity) {
      do throws(Failure) {
        try send(entity, of: table, into: sink)
      } catch {
        throw error.placed(inTable: table.name)
      }
    }
    try sink.endArray()
  }

  private func send(_ entity: CoreDataStore.Entity, of table: SQLiteTable, into sink: any ValueSink)
    throws(Failure)
  {
    let statement = try connection.statement(
      "\(table.unordered) WHERE \(store.condition(for: entity, in: table)) ORDER BY Z_PK")
    guard let columns = CoreDataColumns(statement, of: entity, in: store, spelling: spelling) else { return }
    let relationships = try store.relationships(of: entity, behind: columns, on: connection)
    var rows = SQLiteRows(
      statement, of: table.name, at: steps, budget: budget, losses: losses)
    while try rows.next() {
      let key = statement.integer(columns.key)
      try sink.beginDictionary(count: nil)
      try send("objectID", store.reference(key, of: entity.number, orOf: entity.name), into: sink)
      for column in columns.columns where !column.isShared || statement.kind(column.index) != .null {
        try self.key(column.name, into: sink)
        try send(column, of: statement, rows, into: sink)
      }
      for relationship in relationships {
        try self.key(relationship.name, into: sink)
        try relationship.send(ofOwner: key, into: sink)
      }
      try sink.endDictionary()
    }
  }

  private func key(_ name: String, into sink: any ValueSink) throws(Failure) {
    let bytes = Array(name.utf8)
    try sink.key(Text(bytes.span))
  }

  private func send(_ name: String, _ text: String, into sink: any ValueSink) throws(Failure) {
    try key(name, into: sink)
    let bytes = Array(text.utf8)
    try sink.string(Text(bytes.span))
  }

  private func send(
    _ column: CoreDataColumns.Column, of row: SQLiteStatement, _ rows: SQLiteRows, into sink: any ValueSink
  )
    throws(Failure)
  {
    let index = column.index
    switch (column.kind, row.kind(index)) {
    case (.attribute(.boolean), .integer) where (0...1).contains(row.integer(index)):
      try sink.boolean(row.integer(index) == 1)
    // Seconds since 2001, in a store as everywhere else of Apple's.
    case (.attribute(.date), .integer), (.attribute(.date), .real): try sink.date(row.real(index))
    case (.reference(let entity, let other), .integer):
      let text =
        if let other { store.reference(row.integer(index), of: row.integer(other), orOf: entity) } else {
          "\(entity)/p\(row.integer(index))"
        }
      let bytes = Array(text.utf8)
      try sink.string(Text(bytes.span))
    case (.attribute(.uuid), .blob):
      let text = try row.withBytes(index) { bytes throws(Failure) in
        bytes.count == 16 ? UUIDText.text(bytes) : ""
      }
      guard !text.isEmpty else { return try rows.send(index, into: sink) }
      let bytes = Array(text.utf8)
      try sink.string(Text(bytes.span))
    case (.attribute, .blob) where column.property?.isExternal ?? (store.model == nil):
      try sendData(column, of: row, rows, into: sink)
    default: try rows.send(index, into: sink)
    }
  }

  /// Sends data that may be in a file of its own.
  private func sendData(
    _ column: CoreDataColumns.Column, of row: SQLiteStatement, _ rows: SQLiteRows, into sink: any ValueSink
  ) throws(Failure) {
    let isExternal = column.property?.isExternal ?? false
    try row.withBytes(column.index) { bytes throws(Failure) in
      switch CoreDataExternalData.place(bytes, isExternal: isExternal) {
      case .row(let offset): try rows.send(bytes.extracting(droppingFirst: offset), into: sink)
      case .file(let name):
        if let data = try externalData.contents(ofFile: name) { return try sink.data(data.span) }
        losses.add(.externalData, path: ValuePath(steps + [.index(rows.count - 1), .key(column.name)]))
        try sink.data(bytes)
      }
    }
  }
}
