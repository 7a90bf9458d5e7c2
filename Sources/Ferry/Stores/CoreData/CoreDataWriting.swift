/// The state shared by the writers of a store's entities.
final class CoreDataWriting {
  let store: CoreDataStore
  let connection: SQLiteConnection
  let links: CoreDataLinks
  /// A converter of values to the types of attributes.
  let translator: RecordTranslator
  let losses: LossReport
  /// True if the records come from XML, in which all values are text.
  let isText: Bool
  /// True if a record mapper precedes the writers. It adds the record to the path of an error.
  let isMapped: Bool
  /// True if objects keep the keys in their names, because the store contains no other objects.
  let keepsKeys: Bool
  /// The path of the current record.
  var steps: [ValuePath.Step] = []

  private var keysByTable: [ExactString: CoreDataKeys] = [:]
  private var columnsByEntity: [Int64: CoreDataColumns] = [:]
  /// The checks of the rows inserted into tables that have triggers.
  private var rowChecks: [ExactString: SQLiteRowCheck] = [:]

  init(
    _ store: CoreDataStore, on connection: SQLiteConnection, from source: RecordDialect, isMapped: Bool,
    keepsKeys: Bool, losses: LossReport, budget: Budget
  ) throws(FerryError) {
    (self.store, self.connection, self.losses, self.keepsKeys) = (store, connection, losses, keepsKeys)
    self.isMapped = isMapped
    let source = isMapped ? .coreData : source
    isText = source.scalarsAreText
    links = try CoreDataLinks(on: connection, of: store, keepsKeys: keepsKeys)
    translator = RecordTranslator(from: source, to: .coreData, options: RecordOptions(budget: budget))
  }

  /// Returns the columns of an entity's table, or nil if the entity has no table of objects.
  func columns(of entity: CoreDataStore.Entity) throws(FerryError) -> CoreDataColumns? {
    if let known = columnsByEntity[entity.number] { return known }
    guard let table = store.table(of: entity) else { return nil }
    let rows = try connection.statement(table.rows)
    let columns = CoreDataColumns(rows, of: entity, in: store, spelling: [:])
    columnsByEntity[entity.number] = columns
    return columns
  }

  /// Returns the primary keys of a table.
  func keys(of entity: CoreDataStore.Entity, in table: SQLiteTable) throws(FerryError) -> CoreDataKeys {
    if let known = keysByTable[table.name] { return known }
    let keys = try CoreDataKeys(
      of: store.root(of: entity), in: table, continuing: !keepsKeys, on: connection)
    keysByTable[table.name] = keys
    return keys
  }

  /// Returns the check of the rows inserted into a table, which several entities may share, or nil if the table
  /// has no triggers.
  func rowCheck(of table: SQLiteTable, columns: [String]) throws(FerryError) -> SQLiteRowCheck? {
    if let known = rowChecks[table.name] { return known }
    let check = try SQLiteRowCheck(ofTable: table.name, columns: columns, on: connection)
    rowChecks[table.name] = check
    return check
  }

  // MARK: Storage of relationships

  /// Returns the storage of a to-one relationship.
  func slotSide(
    of column: CoreDataColumns.Column, in columns: CoreDataColumns, of entity: CoreDataStore.Entity
  ) -> CoreDataLinks.SlotSide {
    let stored = columns.stored[column.index]
    var (target, entityColumn): (String, String?) = ("", nil)
    if case .reference(let name, let index) = column.kind {
      (target, entityColumn) = (name, index.map { columns.stored[$0] })
    }
    let order = CoreDataStore.orderPrefix + stored.dropFirst()
    let slot = links.slot(
      ofColumn: stored, entityColumn: entityColumn, in: store.table(of: entity)?.name ?? "",
      order: columns.stores(order) ? order : nil, holders: store.root(of: entity),
      others: store.entities.first { $0.name.equals(target) }.map(store.root))
    return CoreDataLinks.SlotSide(slot: slot, side: 0)
  }

  /// Returns the storage of a to-many relationship.
  func slotSide(
    of relationship: CoreDataToMany, ownedBy entity: CoreDataStore.Entity
  ) throws(FerryError) -> CoreDataLinks.SlotSide {
    switch relationship.storage {
    case .join(let join, let side): return CoreDataLinks.SlotSide(slot: links.slot(of: join), side: side)
    case .column(let stored, _):
      return CoreDataLinks.SlotSide(slot: try slot(ofColumn: stored, of: relationship.entity), side: 1)
    }
  }

  /// Returns the storage of a relationship's inverse if the inverse is also to-one.
  func slotSide(ofInverseOf column: CoreDataColumns.Column) throws(FerryError) -> CoreDataLinks.SlotSide? {
    guard case .toOne(let target, let inverse?)? = column.property?.kind,
      let other = store.entities.first(where: { $0.name.equals(target) }),
      let columns = try columns(of: other),
      let back = columns.columns.first(where: { $0.name.equals(inverse) }), case .reference = back.kind
    else { return nil }
    return CoreDataLinks.SlotSide(slot: slotSide(of: back, in: columns, of: other).slot, side: 1)
  }

  private func slot(ofColumn stored: String, of entity: CoreDataStore.Entity) throws(FerryError) -> Int {
    guard let columns = try columns(of: entity),
      let column = columns.columns.first(where: { columns.stored[$0.index] == stored })
    else { throw FerryError(.database(.unknownEntity(entity.name, known: store.entities.map(\.name)))) }
    return slotSide(of: column, in: columns, of: entity).slot
  }

  // MARK: The end

  /// Stores the links, which requires that all objects exist.
  func finish() throws(FerryError) {
    try links.finish()
    for keys in keysByTable.values { try keys.store(on: connection) }
    for check in rowChecks.values where try check.removedRows(on: connection) > 0 {
      throw FerryError(.database(.removedByTrigger(table: check.table)))
    }
  }
}

extension RecordDialect {
  /// The dialect of records whose values have the types of Core Data attributes.
  static let coreData = RecordDialect(
    envelope: .nothing,
    capabilities: [.nulls, .dates, .data, .decimals, .numbers, .notFinite, .nanPayloads])
}

extension CoreDataStore {
  /// Returns true if an entity equals another, or inherits from it.
  func isKind(_ entity: Entity, of other: Entity) -> Bool {
    chain(of: entity).contains { $0.number == other.number }
  }

  /// Removes all objects except the store's history.
  func removeObjects(on connection: SQLiteConnection) throws(FerryError) {
    var names: [String] = joins.map(\.table)
    for entity in entities where !isHistory(entity) {
      if let table = table(of: entity), !names.contains(table.name) { names.append(table.name) }
    }
    for name in names { try connection.execute("DELETE FROM \(quotedName(name))") }
  }
}
