/// A source that sends the objects of one entity as records.
///
///     {"objectID": "Person/p1", "firstName": "Ada", "timestamp": 2014-06-01T09:30:00Z, "group": "Group/p1"}
///
/// `objectID` is the name by which other records refer to the object. It is followed by the attributes and
/// to-one relationships in the order of the table's columns, and then by to-many relationships.
struct CoreDataRows {
  private let store: CoreDataStore
  private let connection: SQLiteConnection
  private let budget: Budget
  private let marksInvalidText: Bool
  private let losses: LossReport
  /// The path of the list of records.
  private let steps: [ValuePath.Step]
  /// The spelling of names in the schema, by lowercase name.
  private let spelling: [ExactString: String]
  private let externalData: CoreDataExternalData

  init(
    _ store: CoreDataStore, _ connection: SQLiteConnection, schema: Schema?, at steps: [ValuePath.Step],
    externalData: CoreDataExternalData, budget: Budget, marksInvalidText: Bool, losses: LossReport
  ) {
    self.externalData = externalData
    self.store = store
    self.connection = connection
    (self.budget, self.marksInvalidText) = (budget, marksInvalidText)
    self.losses = losses
    self.steps = steps
    var spelling: [ExactString: String] = [:]
    for field in schema?.record.fields ?? [] { spelling[field.name.lowercased()] = field.name }
    self.spelling = spelling
  }

  /// Sends all objects of an entity in the order of their keys, excluding those of subentities.
  func send(_ entity: CoreDataStore.Entity, into sink: any ValueSink) throws(FerryError) {
    try sink.beginArray(count: nil)
    if let table = store.table(of: entity) {
      do throws(FerryError) {
        try send(entity, of: table, into: sink)
      } catch {
        throw error.placed(in: table)
      }
    }
    try sink.endArray()
  }

  private func send(_ entity: CoreDataStore.Entity, of table: SQLiteTable, into sink: any ValueSink)
    throws(FerryError)
  {
    let statement = try connection.statement(
      "\(table.unordered) WHERE \(store.condition(for: entity, in: table)) ORDER BY Z_PK")
    guard let columns = CoreDataColumns(statement, of: entity, in: store, spelling: spelling) else { return }
    let relationships = try store.relationships(of: entity, besides: columns, on: connection)
    var rows = SQLiteRows(
      statement, of: table, at: steps, budget: budget, marksInvalidText: marksInvalidText, losses: losses
    )
    while try rows.next() {
      let key = rows.statement.integer(columns.key)
      try sink.beginDictionary(count: nil)
      try sink.key("objectID")
      try sink.string(store.reference(key, of: entity.number, orOf: entity.name))
      for column in columns.columns where !column.isShared || rows.statement.kind(column.index) != .null {
        try sink.key(column.name)
        try send(column, of: rows, into: sink)
      }
      for relationship in relationships {
        try sink.key(relationship.name)
        try relationship.send(ofOwner: key, into: sink)
      }
      try sink.endDictionary()
    }
  }

  private func send(
    _ column: CoreDataColumns.Column, of rows: borrowing SQLiteRows, into sink: any ValueSink
  ) throws(FerryError) {
    let index = column.index
    switch (column.kind, rows.statement.kind(index)) {
    case (.attribute(.boolean), .integer) where (0...1).contains(rows.statement.integer(index)):
      try sink.boolean(rows.statement.integer(index) == 1)
    // Seconds since 2001, as in all of Apple's formats.
    case (.attribute(.date), .integer), (.attribute(.date), .real): try sink.date(rows.statement.real(index))
    case (.reference(let entity, let other), .integer):
      let key = rows.statement.integer(index)
      let name = other.map { store.reference(key, of: rows.statement.integer($0), orOf: entity) }
      try sink.string(name ?? "\(entity)/p\(key)")
    case (.attribute(.uuid), .blob):
      let text = try rows.statement.withBytes(index) { bytes throws(FerryError) in
        bytes.count == 16 ? UUIDText.text(bytes) : ""
      }
      guard !text.isEmpty else { return try rows.send(index, into: sink) }
      try sink.string(text)
    case (.attribute, .blob) where column.property?.isExternal ?? (store.model == nil):
      try sendData(column, of: rows, into: sink)
    default: try rows.send(index, into: sink)
    }
  }

  /// Sends data that may be stored in a separate file.
  private func sendData(
    _ column: CoreDataColumns.Column, of rows: borrowing SQLiteRows, into sink: any ValueSink
  ) throws(FerryError) {
    let isExternal = column.property?.isExternal ?? false
    try rows.statement.withBytes(column.index) { bytes throws(FerryError) in
      switch CoreDataExternalData.storage(bytes, isExternal: isExternal) {
      case .row(let offset): try rows.send(bytes.extracting(droppingFirst: offset), into: sink)
      case .file(let name):
        if let data = try externalData.contents(ofFile: name) { return try sink.data(data.span) }
        losses.add(.externalData, path: ValuePath(steps + [.index(rows.count - 1), .key(column.name)]))
        try sink.data(bytes)
      }
    }
  }
}
