/// A source that sends the rows of one table of a database, or all its tables by name.
///
///     [{"name": "Ada"}, …]                                  a single table, or the requested one
///     {"people": [{"name": "Ada"}, …], "places": […]}       several tables
///
/// Tables are sent in the order of their creation. Views are sent only on request, because their contents
/// come from the tables. For a Core Data store, the entities are sent instead of the tables, unless the raw
/// form is requested.
struct StoreSource {
  private let file: SQLiteFile
  private let options: ReadingOptions
  private let losses: LossReport

  init(_ file: SQLiteFile, _ options: ReadingOptions, _ losses: LossReport) {
    self.file = file
    self.options = options
    self.losses = losses
  }

  /// A list of records in a database: the rows of a table, or the objects of an entity.
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

  func send(into sink: any ValueSink) throws(FerryError) {
    let tables = try file.tables()
    try send(tables, into: sink)
  }

  /// Checks the database if the options say so. The rows must have been sent: the error of a row names the row.
  ///
  /// - Returns: A note on the tables that were not checked, if there are any.
  func check() throws(FerryError) -> Note? {
    guard options.checksDatabases else { return nil }
    let unchecked = try file.connection.checkIntegrity(of: file.tables(), byteCount: file.byteCount)
    return unchecked.isEmpty ? nil : .uncheckedTables(unchecked)
  }

  private func send(_ tables: [SQLiteTable], into sink: any ValueSink) throws(FerryError) {
    let schema = options.schema
    let store = try store()
    let requested = try requestedTable(besides: store)
    let all = requested.map { [$0] } ?? records(of: store, tables)
    let only = if let requested { requested } else { try onlyRecords(among: all, tables) }
    let isWhole = options.table == nil || options.reportsPartsOutsideTables
    if isWhole, store != nil { losses.add(.storeMetadata) }
    if options.table == nil { try reportOtherTables(all, only) }
    if isWhole { reportVirtualTables(tables) }
    let versions = CollectionVersions(on: file.connection, tables: tables)
    try reportVersions(of: only.map { [$0] } ?? all, versions)
    if store == nil { try reportDefinitions(of: only) }
    if let only { return try send(only, of: store, schema, versions, into: sink) }
    guard !options.holdsOneTable || selectedTable(among: all) != nil else {
      throw FerryError(.database(.severalTables(all.map(\.name))))
    }
    try sink.beginDictionary(count: all.count)
    for records in all {
      let name = Array(records.name.utf8)
      try sink.key(BorrowedText(name.span))
      try send(records, of: store, nil, versions, at: [.key(records.name)], into: sink)
    }
    try sink.endDictionary()
  }

  private var budget: Budget { options.budget }

  /// Returns the requested table or entity, or the only one of the database. Returns nil if all tables are
  /// sent.
  private func onlyRecords(among all: [Records], _ tables: [SQLiteTable]) throws(FerryError) -> Records? {
    guard !options.namesTables else { return nil }
    if let name = options.table { return try records(named: name, among: all, tables) }
    guard selectedTable(among: all) == nil else { return nil }
    if all.count == 1 { return all[0] }
    guard let schema = options.schema else { return nil }
    return all[try index(of: schema, among: all)]
  }

  /// Returns the name of the table or entity with which the path that selects values begins; nil if it begins otherwise. All of them are
  /// then sent as the entries of a dictionary, and the selected values are those of this one.
  private func selectedTable(among all: [Records]) -> String? {
    guard let select = options.select, let path = try? ValuePath(parsing: select),
      case .key(let name)? = path.steps.first
    else { return nil }
    return all.first { $0.name.equals(name) }?.name
  }

  /// Returns the name of a table or entity with which paths begin; nil if only one is sent.
  func firstNameInPaths() throws(FerryError) -> String? {
    let tables = try file.tables()
    let all = try records(of: store(), tables)
    guard try onlyRecords(among: all, tables) == nil else { return nil }
    guard case .key(let name)? = options.select.flatMap({ try? ValuePath(parsing: $0) })?.steps.first else {
      return all.first?.name
    }
    return (all.first(named: name, \.name) ?? all.first)?.name
  }

  /// Returns the name of the table or entity whose records are the whole value; nil if all tables are sent.
  func nameOfOnlyRecords() throws(FerryError) -> String? {
    let tables = try file.tables()
    return try onlyRecords(among: records(of: try store(), tables), tables)?.name
  }

  /// Returns the names of all tables or entities, if they are sent by their names; an empty array if only one is sent.
  func namesOfAll() throws(FerryError) -> [String] {
    let tables = try file.tables()
    let all = try records(of: store(), tables)
    let isOne = try onlyRecords(among: all, tables) != nil || selectedTable(among: all) != nil
    return isOne ? [] : all.map(\.name)
  }

  /// Returns the Core Data store in the database. Returns nil if there is none, or if the raw form is
  /// requested.
  private func store() throws(FerryError) -> CoreDataStore? {
    options.representation == .raw ? nil : try file.store(budget: budget)
  }

  /// Returns the table with exactly the requested name, which is found without a search among all tables. Returns nil if another search is
  /// needed.
  private func requestedTable(besides store: CoreDataStore?) throws(FerryError) -> Records? {
    guard store == nil, !options.namesTables, let name = options.table,
      let table = try file.table(named: name), table.kind != .virtual
    else { return nil }
    return .table(table)
  }

  /// Throws `whichTable` if the database has several tables or entities, and the options name none.
  func checkOnlyRecords() throws(FerryError) {
    let tables = try file.tables()
    let all = records(of: try store(), tables)
    guard try onlyRecords(among: all, tables) == nil, selectedTable(among: all) == nil else { return }
    throw FerryError(.database(.whichTable(known: all.map(\.name))))
  }

  private func records(of store: CoreDataStore?, _ tables: [SQLiteTable]) -> [Records] {
    guard let store else {
      return tables.filter { $0.kind == .table && !$0.isInternal }.map { .table($0) }
    }
    return store.entities.map { .entity($0) } + store.otherTables.map { .table($0) }
  }

  /// Reports the tables with rows and the entities that are not sent.
  private func reportOtherTables(_ all: [Records], _ only: Records?) throws(FerryError) {
    guard let only else { return }
    for other in all where !other.name.equals(only.name) {
      guard try !isEmpty(other) else { continue }
      losses.add(.besideRecords, path: ValuePath([.key(other.name)]))
    }
  }

  /// Reports the versions of the records in tables, unless they are sent or kept.
  private func reportVersions(of all: [Records], _ versions: CollectionVersions) throws(FerryError) {
    guard options.reportsVersions, options.schema?.collectionVersion == nil else { return }
    for case .table(let table) in all where try versions.version(ofTable: table.name) != nil {
      losses.add(.collectionVersion, path: ValuePath([.key(table.name)]))
    }
  }

  private func reportVirtualTables(_ tables: [SQLiteTable]) {
    for table in tables where table.kind == .virtual {
      losses.add(.virtualTable, path: ValuePath([.key(table.name)]))
    }
  }

  /// Returns true for a table without rows.
  private func isEmpty(_ records: Records) throws(FerryError) -> Bool {
    guard case .table(let table) = records else { return false }
    return try !file.connection.rows(of: table, isOrdered: false).step()
  }

  /// Reports the definitions of the tables that are sent, unless a table with the same names of columns is the
  /// same table, and the application's numbers for the database. All indexes, views and triggers are reported if
  /// all tables are sent. Definitions and numbers that the database to write has, too, are not reported.
  private func reportDefinitions(of only: Records?) throws(FerryError) {
    guard let target = options.definitionsOfTarget else { return }
    let table = options.table == nil && options.schema == nil ? nil : only?.name
    for definition in try file.connection.definitions() where !target.contains(definition) {
      if let table, SQLiteName(definition.table) != SQLiteName(table) { continue }
      if definition.kind == .table, isKept(definition) { continue }
      losses.add(definition.loss, path: ValuePath([.key(definition.name)]))
    }
    for number in try file.connection.numbersOfApplication() where !target.contains(number) {
      losses.add(.databaseNumber, path: ValuePath([.key(number.name)]))
    }
  }

  /// Returns true if Ferry writes a table with the definition of a table.
  private func isKept(_ definition: SQLiteDefinition) -> Bool {
    definition.hasOnlyNames
      || options.schema?.tableDefinition(named: definition.name).equals(definition.sql) == true
  }

  private func send(
    _ records: Records, of store: CoreDataStore?, _ schema: Schema?, _ versions: CollectionVersions,
    at steps: [ValuePath.Step] = [], into sink: any ValueSink
  ) throws(FerryError) {
    switch records {
    case .table(let table): try send(table, schema, versions, at: steps, into: sink)
    case .entity(let entity):
      guard let store else { return }
      let rows = CoreDataRows(
        store, file.connection, schema: schema, at: steps,
        externalData: CoreDataExternalData(besideStoreAt: file.path, budget: budget), budget: budget,
        marksInvalidText: options.marksInvalidText, losses: losses)
      try rows.send(entity, into: sink)
    }
  }

  /// Sends the rows of a table, inside a dictionary with their version if the schema has a collection with a
  /// version.
  private func send(
    _ table: SQLiteTable, _ schema: Schema?, _ versions: CollectionVersions, at steps: [ValuePath.Step],
    into sink: any ValueSink
  ) throws(FerryError) {
    guard let schema, let key = schema.collectionKey, let versionKey = schema.collectionVersion,
      let version = try versions.version(ofTable: table.name)
    else { return try send(table, at: steps, into: sink) }
    try sink.beginDictionary(count: 2)
    try sink.key(BorrowedText(versionKey.utf8.span))
    try sink.integer(Int128(version))
    try sink.key(BorrowedText(key.utf8.span))
    try send(table, at: steps, into: sink)
    try sink.endDictionary()
  }

  private func send(_ table: SQLiteTable, at steps: [ValuePath.Step], into sink: any ValueSink)
    throws(FerryError)
  {
    let statement: SQLiteStatement
    do throws(FerryError) {
      statement = try file.connection.rows(of: table)
    } catch {
      throw error.placed(in: table)
    }
    var rows = SQLiteRows(
      statement, of: table, at: steps, budget: budget, marksInvalidText: options.marksInvalidText,
      losses: losses)
    try rows.send(into: sink)
    if rows.count == 0, options.keepsColumnNames == false, options.schema == nil {
      losses.add(.columnNames, path: ValuePath(steps))
    }
  }

  /// The tables and the entities of a database, whose store is opened once.
  struct Tables {
    private let source: StoreSource
    private let tables: [SQLiteTable]
    private let store: CoreDataStore?
    private let all: [Records]
    private let byName: [ExactString: Int]
    private let requested: Records?
    private let versions: CollectionVersions

    fileprivate init(_ source: StoreSource) throws(FerryError) {
      self.source = source
      tables = try source.file.tables()
      store = try source.store()
      requested = try source.requestedTable(besides: store)
      all = requested.map { [$0] } ?? source.records(of: store, tables)
      versions = CollectionVersions(on: source.file.connection, tables: tables)
      byName = Dictionary(
        all.enumerated().map { (ExactString($1.name), $0) }, uniquingKeysWith: { first, _ in first })
    }

    /// Returns the columns of a table or the properties of an entity. Without a name, returns those of the
    /// table, view or entity whose records are the whole value. Returns an empty array if there is no such table.
    func columns(of name: String?) throws(FerryError) -> [String] {
      let connection = source.file.connection
      switch try records(named: name) {
      case .table(let table):
        let rows = try connection.rows(of: table, isOrdered: false)
        return rows.columnNames
      case .entity(let entity): return try store?.keys(of: entity, on: connection) ?? []
      case nil: return []
      }
    }

    /// Returns the stored version of the records in a table. Without a name, returns that of the table whose records are the whole
    /// value. Returns nil if there is none.
    func version(of name: String?) throws(FerryError) -> Int? {
      guard case .table(let table)? = try records(named: name) else { return nil }
      return try versions.version(ofTable: table.name).map { Int($0) }
    }

    private func records(named name: String?) throws(FerryError) -> Records? {
      guard let name else {
        return if let requested { requested } else { try source.onlyRecords(among: all, tables) }
      }
      return byName[ExactString(name)].map { all[$0] } ?? all.first(named: name, \.name)
    }
  }

  /// Finds all tables and entities.
  func openedTables() throws(FerryError) -> Tables { try Tables(self) }

  /// Returns the entity, table or view with a name.
  private func records(
    named name: String, among all: [Records], _ tables: [SQLiteTable]
  ) throws(FerryError) -> Records {
    let everything = all + tables.map { .table($0) } + [.table(.list)]
    guard let found = everything.first(named: name, \.name) else {
      let views = tables.filter { $0.kind == .view }.map(\.name)
      throw FerryError(.database(.unknownTable(name, known: all.map(\.name) + views)))
    }
    if case .table(let table) = found, table.kind == .virtual {
      throw FerryError(.database(.virtualTable(table.name)))
    }
    return found
  }

  /// Returns the index of the table or entity with a schema's records, found by name.
  private func index(of schema: Schema, among all: [Records]) throws(FerryError) -> Int {
    let names = schema.tableNames
    guard let found = all.firstIndex(where: { names.contains(SQLiteName($0.name)) }) else {
      throw FerryError(.database(.whichTable(known: all.map(\.name))))
    }
    return found
  }
}

extension Schema {
  /// The names under which a table of such records is found.
  var tableNames: Set<SQLiteName> {
    [
      SQLiteName(collectionElement.withoutPrefix), SQLiteName(record.element.withoutPrefix),
      SQLiteName(record.className),
    ]
  }
}
