/// The writer of a database, and the dialect of its records: rows of tables, or objects of a Core Data store.
struct DatabaseTarget {
  let sink: any ValueSink
  let dialect: RecordDialect
  /// The kinds of values that the writer takes. The JSON text of a list or dictionary in a column has numbers with their notation,
  /// and the writer itself stores those of columns.
  let capabilities: FormatCapabilities
  /// The form in which the writer takes the elements of an XML document without a schema.
  private let elements: ReadingOptions.ElementForm
  /// The name of the elements that are the records of a single table, if there are any.
  private let recordElement: String?
  /// The writer of tables, to which records are added; nil for a new database and for objects.
  private let addedTables: SQLiteWriter?
  /// True if the writer stores the versions of the source's records.
  private let keepsVersions: Bool
  /// The names of the tables in the database before records are added.
  private let tablesBefore: [String]
  /// The definitions in the database before records are added.
  private let definitions: DatabaseDefinitions

  /// Creates the writer. Fails if the target is not a database.
  init?(
    _ conversion: Conversion, schema: Schema?, source: SourceFacts, to output: any ByteOutput,
    losses: LossReport
  ) throws(FerryError) {
    guard conversion.writing.format.isDatabase else { return nil }
    guard conversion.writing.representation != .typed else { throw FerryError(.database(.onlyPlain)) }
    let database: any SQLiteStore
    if let path = output.database {
      database = try ChangedSQLiteStore(path: path, budget: conversion.reading.budget)
    } else {
      let template = try conversion.writing.template?.database(conversion.reading.budget)
      database = try NewSQLiteStore(to: output, copyOf: template)
    }
    try database.connection.execute("BEGIN IMMEDIATE")
    try database.connection.limitTriggers()
    definitions = try DatabaseDefinitions(in: database.connection)
    tablesBefore = try database.connection.tables().filter { $0.kind == .table && !$0.isInternal }.map(\.name)
    let isCopy = output.database == nil && conversion.writing.template != nil
    let isXML = source.isXMLByConvention(conversion, schema)
    if let sink = try Self.objects(
      conversion, schema: schema, source: source, in: database, isCopy: isCopy, losses: losses)
    {
      (self.sink, dialect, capabilities) = (sink, .coreData, RecordDialect.coreData.capabilities)
      (elements, recordElement, addedTables) = (isXML ? .objects : .values, nil, nil)
      keepsVersions = false
    } else {
      guard !isCopy else { throw FerryError(.database(.notAStore)) }
      let table = if let name = conversion.writing.table { name } else { try source.tableName() }
      let writer = try SQLiteWriter(
        to: database, table: table, schema: schema, isXML: isXML, losses: losses,
        source: SourceTables(columns: source.columns, version: source.version))
      keepsVersions = schema == nil && source.keepsVersions
      // Without a table name, each list below the root element becomes a table.
      elements = !isXML ? .values : conversion.writing.table == nil ? .tables : .records
      recordElement = conversion.writing.table
      addedTables = output.database == nil ? nil : writer
      sink = elements == .tables ? EntryValue(to: writer) : writer
      dialect = conversion.writing.format.recordDialect
      capabilities = dialect.capabilities.union(.decimals)
    }
  }

  /// Changes the options for reading, so that an XML document without a schema is sent in the form that the writer takes, and
  /// definitions that the database has are not a loss.
  func adapt(_ options: inout ReadingOptions) {
    options.definitionsOfTarget = definitions
    options.reportsVersions = !keepsVersions
    guard elements != .values else { return }
    (options.elements, options.recordElement) = (elements, recordElement)
  }

  /// Notes about tables that were created beside others, which may be names with a mistake.
  var notes: [Note] {
    guard let addedTables, !tablesBefore.isEmpty else { return [] }
    return addedTables.newTables.map { .newTable($0, beside: tablesBefore) }
  }

  /// Returns a writer of Core Data objects. Returns nil if the database is not a Core Data store, or if the
  /// records are rows of a table.
  private static func objects(
    _ conversion: Conversion, schema: Schema?, source: SourceFacts, in database: any SQLiteStore,
    isCopy: Bool, losses: LossReport
  ) throws(FerryError) -> (any ValueSink)? {
    let connection = database.connection
    let tables = try connection.tables()
    guard conversion.writing.representation == .plain,
      let store = try CoreDataStore(connection, tables: tables, budget: conversion.reading.budget)
    else { return nil }
    let entity = try entity(conversion.writing.table, of: schema, in: store)
    if let name = conversion.writing.table, entity == nil {
      // A row in a table of the store itself would be an object without an entity, with a key that the store gives again.
      let others = store.otherTables + tables.filter { $0.kind != .table || $0.isInternal }
      guard !isCopy, others.contains(where: { SQLiteName($0.name) == SQLiteName(name) }) else {
        throw FerryError(.database(.unknownEntity(name, known: store.writtenEntities)))
      }
      return nil
    }
    if isCopy { try store.removeObjects(on: connection) }
    if !isCopy, store.model == nil { losses.add(.storedKeys) }
    let isMapped = schema != nil
    let writing = try CoreDataWriting(
      store, on: connection, from: source.recordDialect, isMapped: isMapped, keepsKeys: isCopy,
      losses: losses, budget: conversion.reading.budget)
    let writer = CoreDataWriter(to: database, writing, entity: entity)
    // In XML without a schema, the records are inside the root element.
    return source.isXMLByConvention(conversion, schema) ? EntryValue(to: writer) : writer
  }

  /// Returns the entity of all records: the requested one, or else the schema's. Returns nil if each record
  /// names its entity.
  private static func entity(
    _ name: String?, of schema: Schema?, in store: CoreDataStore
  ) throws(FerryError) -> CoreDataStore.Entity? {
    if let name { return store.writtenEntity(named: name) }
    guard let schema else { return nil }
    let names = store.writtenEntities
    guard let found = names.first(where: { schema.tableNames.contains(SQLiteName($0)) }) else {
      throw FerryError(.database(.whichEntity(known: names)))
    }
    return store.writtenEntity(named: found)
  }
}

extension SourceFacts {
  /// Returns true if the source is an XML document that is read without a schema and sent with its root element, so that its
  /// records are inside that.
  fileprivate func isXMLByConvention(_ conversion: Conversion, _ schema: Schema?) -> Bool {
    format.isOfElements && schema == nil && conversion.reading.select == nil && !isWrapped
  }
}
