/// What the writers of a store's entities share.
final class CoreDataWriting {
  let store: CoreDataStore
  let connection: SQLiteConnection
  let links: CoreDataLinks
  /// Makes of a value what an attribute's type holds.
  let translator: RecordTranslator
  let losses: LossReport
  /// Whether records are XML, where all values are text.
  let isText: Bool
  /// Whether a schema's mapping is before the writers, which says itself which record it is that fails.
  let isMapped: Bool
  /// Whether objects keep the keys of their names, because the store has no others.
  let keepsKeys: Bool
  /// Where the record is that is being written.
  var steps: [ValuePath.Step] = []

  private var keysByTable: [String: CoreDataKeys] = [:]
  private var columnsByEntity: [Int64: CoreDataColumns] = [:]

  init(
    _ store: CoreDataStore, on connection: SQLiteConnection, from source: RecordDialect, isMapped: Bool,
    keepsKeys: Bool, losses: LossReport
  ) throws(Failure) {
    (self.store, self.connection, self.losses, self.keepsKeys) = (store, connection, losses, keepsKeys)
    self.isMapped = isMapped
    let source = isMapped ? .coreData : source
    isText = source.scalarsAreText
    links = try CoreDataLinks(on: connection, of: store, keepsKeys: keepsKeys)
    translator = RecordTranslator(
      from: source, to: .coreData, options: RecordOptions(), losses: losses)
  }

  /// The columns of an entity's table as its objects use them; nil when it has no table of objects.
  func columns(of entity: CoreDataStore.Entity) throws(Failure) -> CoreDataColumns? {
    if let known = columnsByEntity[entity.number] { return known }
    guard let table = store.table(of: entity) else { return nil }
    let rows = try connection.statement(table.rows)
    let columns = CoreDataColumns(rows, of: entity, in: store, spelling: [:])
    columnsByEntity[entity.number] = columns
    return columns
  }

  /// The keys of a table.
  func keys(of entity: CoreDataStore.Entity, in table: SQLiteTable) throws(Failure) -> CoreDataKeys {
    if let known = keysByTable[table.name] { return known }
    let keys = try CoreDataKeys(
      of: store.root(of: entity), in: table, continuing: !keepsKeys, on: connection)
    keysByTable[table.name] = keys
    return keys
  }

  // MARK: Places of relationships

  /// Where a column keeps the keys of other objects.
  func place(
    of column: CoreDataColumns.Column, in columns: CoreDataColumns, of entity: CoreDataStore.Entity
  ) -> CoreDataLinks.Place {
    let stored = columns.stored[column.index]
    var (target, entityColumn): (String, String?) = ("", nil)
    if case .reference(let name, let index) = column.kind {
      (target, entityColumn) = (name, index.map { columns.stored[$0] })
    }
    let order = CoreDataStore.orderPrefix + stored.dropFirst()
    let slot = links.slot(
      ofColumn: stored, entityColumn: entityColumn, in: store.table(of: entity)?.name ?? "",
      order: columns.stored.contains(order) ? order : nil, holders: store.root(of: entity),
      others: store.entities.first { $0.name == target }.map(store.root))
    return CoreDataLinks.Place(slot: slot, side: 0)
  }

  /// Where a relationship to many is kept.
  func place(
    of relationship: CoreDataToMany, ownedBy entity: CoreDataStore.Entity
  ) throws(Failure) -> CoreDataLinks.Place {
    switch relationship.storage {
    case .join(let join, let side): return CoreDataLinks.Place(slot: links.slot(of: join), side: side)
    case .column(let stored, _):
      return CoreDataLinks.Place(slot: try slot(ofColumn: stored, of: relationship.entity), side: 1)
    }
  }

  /// Where the relationship back is kept, when that is to one as well.
  func place(ofInverseOf column: CoreDataColumns.Column) throws(Failure) -> CoreDataLinks.Place? {
    guard case .toOne(let target, let inverse?)? = column.property?.kind,
      let other = store.entities.first(where: { $0.name == target }), let columns = try columns(of: other),
      let back = columns.columns.first(where: { $0.name == inverse }), case .reference = back.kind
    else { return nil }
    return CoreDataLinks.Place(slot: place(of: back, in: columns, of: other).slot, side: 1)
  }

  private func slot(ofColumn stored: String, of entity: CoreDataStore.Entity) throws(Failure) -> Int {
    guard let columns = try columns(of: entity),
      let column = columns.columns.first(where: { columns.stored[$0.index] == stored })
    else { throw Failure(.database(.unknownEntity(entity.name, known: store.entities.map(\.name)))) }
    return place(of: column, in: columns, of: entity).slot
  }

  // MARK: The end

  /// Stores what can only be stored when all objects are there.
  func finish() throws(Failure) {
    try links.finish()
    for keys in keysByTable.values { try keys.store(on: connection) }
  }
}

extension RecordDialect {
  /// What the attributes of Core Data hold.
  static let coreData = RecordDialect(holding: [.nulls, .dates, .data, .decimals, .numbers, .notFinite])
}

extension CoreDataStore {
  /// Whether an entity is another, or inherits from it.
  func isKind(_ entity: Entity, of other: Entity) -> Bool {
    chain(of: entity).contains { $0.number == other.number }
  }

  /// Takes all objects out, but not those of the store's history.
  func removeObjects(on connection: SQLiteConnection) throws(Failure) {
    var names: [String] = joins.map(\.table)
    for entity in entities where !isHistory(entity) {
      if let table = table(of: entity), !names.contains(table.name) { names.append(table.name) }
    }
    for name in names { try connection.execute("DELETE FROM \(quotedName(name))") }
  }
}
