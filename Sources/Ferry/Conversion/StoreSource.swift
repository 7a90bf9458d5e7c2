/// Sends a database: the rows of one table, or all its tables by name.
///
///     [{"name": "Ada"}, …]                                  one table, or the one that is asked for
///     {"people": [{"name": "Ada"}, …], "places": […]}       several
///
/// Tables come in the order in which they were made. Views are sent only when they are asked for, because what they show
/// is in the tables. A Core Data store has its entities instead of its tables, unless it is to be shown as it is stored.
struct StoreSource {
  private let file: SQLiteFile
  private let conversion: Conversion
  private let losses: LossReport

  init(_ file: SQLiteFile, _ conversion: Conversion, _ losses: LossReport) {
    self.file = file
    self.conversion = conversion
    self.losses = losses
  }

  /// One of the lists of records that a database is: a table, or an entity of a store.
  private enum Records {
    case table(SQLiteTable)
    case entity(CoreDataStore.Entity)

    var name: String {
      switch self {
      case .table(let table): table.name
      case .entity(let entity): entity.name
      }
    }
  }

  func send(into sink: any ValueSink, schema: Schema?) throws(Failure) {
    // One state of the database, whoever changes it meanwhile.
    try file.connection.execute("BEGIN")
    let tables = try file.connection.tables()
    let store =
      conversion.form == .raw ? nil : try CoreDataStore(file.connection, tables: tables, budget: budget)
    let all = records(of: store, tables)
    if let name = conversion.table {
      return try send(try records(named: name, among: all, tables), of: store, schema, into: sink)
    }
    reportWhatIsLeftOut(tables, isStore: store != nil)
    if all.count == 1 { return try send(all[0], of: store, schema, into: sink) }
    if let schema {
      return try send(try records(of: schema, among: all), of: store, schema, into: sink)
    }
    try sink.beginDictionary(count: all.count)
    for records in all {
      let name = Array(records.name.utf8)
      try sink.key(Text(name.span))
      try send(records, of: store, nil, at: [.key(records.name)], into: sink)
    }
    try sink.endDictionary()
  }

  private var budget: Budget { conversion.budget }

  private func records(of store: CoreDataStore?, _ tables: [SQLiteTable]) -> [Records] {
    guard let store else {
      return tables.filter { $0.kind == .table && !$0.isInternal }.map { .table($0) }
    }
    return store.entities.map { .entity($0) } + store.otherTables.map { .table($0) }
  }

  private func reportWhatIsLeftOut(_ tables: [SQLiteTable], isStore: Bool) {
    if isStore { losses.add(.storeMetadata) }
    for table in tables where table.kind == .virtual {
      losses.add(.virtualTable, path: ValuePath([.key(table.name)]))
    }
  }

  private func send(
    _ records: Records, of store: CoreDataStore?, _ schema: Schema?, at steps: [ValuePath.Step] = [],
    into sink: any ValueSink
  ) throws(Failure) {
    switch records {
    case .table(let table): try send(table, at: steps, into: sink)
    case .entity(let entity):
      guard let store else { return }
      let rows = CoreDataRows(
        store, file.connection, schema: schema, at: steps,
        externalData: CoreDataExternalData(besideStoreAt: file.path, budget: budget), budget: budget,
        losses: losses)
      try rows.send(entity, into: sink)
    }
  }

  private func send(_ table: SQLiteTable, at steps: [ValuePath.Step], into sink: any ValueSink)
    throws(Failure)
  {
    let statement: SQLiteStatement
    do throws(Failure) {
      statement = try file.connection.statement(table.rows)
    } catch {
      throw error.placed(inTable: table.name)
    }
    var rows = SQLiteRows(statement, of: table.name, at: steps, budget: budget, losses: losses)
    try rows.send(into: sink)
  }

  /// The entity, table or view of a name; SQLite does not tell capitals from small letters.
  private func records(
    named name: String, among all: [Records], _ tables: [SQLiteTable]
  ) throws(Failure) -> Records {
    let everything = all + tables.map { .table($0) } + [.table(.list)]
    let found =
      everything.first { $0.name == name }
      ?? everything.first { $0.name.lowercased() == name.lowercased() }
    guard let found else {
      let views = tables.filter { $0.kind == .view }.map(\.name)
      throw Failure(.database(.unknownTable(name, known: all.map(\.name) + views)))
    }
    if case .table(let table) = found, table.kind == .virtual {
      throw Failure(.database(.virtualTable(table.name)))
    }
    return found
  }

  /// The table or entity that has a schema's records, by its name.
  private func records(of schema: Schema, among all: [Records]) throws(Failure) -> Records {
    let names = schema.tableNames
    guard let found = all.first(where: { names.contains($0.name.lowercased()) }) else {
      throw Failure(.database(.whichTable(known: all.map(\.name))))
    }
    return found
  }
}

extension Schema {
  /// What the table of such records may be called, in small letters.
  var tableNames: Set<String> {
    [collectionElement.lowercased(), record.element.lowercased(), record.className.lowercased()]
  }
}
