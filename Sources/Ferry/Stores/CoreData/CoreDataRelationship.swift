/// The targets of a to-many relationship, read in parallel with the objects that own them.
///
/// Owners and targets are both read in the order of the owners' keys, so that nothing needs to be stored.
final class CoreDataRelationship {
  let name: String
  private let statement: SQLiteStatement
  private let store: CoreDataStore
  /// The name of the entity of the targets, or of its root entity.
  let entity: String
  private var hasRow = false
  private var hasBegun = false

  /// Creates a relationship. The statement returns the key of the owner, the key of the target and the entity
  /// of the target.
  init(_ name: String, _ statement: consuming SQLiteStatement, entity: String, store: CoreDataStore) {
    self.name = name
    self.statement = statement
    self.entity = entity
    self.store = store
  }

  /// Sends the references of an owner. Owners must be sent in ascending order of their keys.
  func send(ofOwner key: Int64, into sink: any ValueSink) throws(FerryError) {
    if !hasBegun {
      hasBegun = true
      hasRow = try statement.step()
    }
    while hasRow, statement.kind(0) != .integer || statement.integer(0) < key {
      hasRow = try statement.step()
    }
    try sink.beginArray(count: nil)
    while hasRow, statement.kind(0) == .integer, statement.integer(0) == key {
      try sink.string(store.reference(statement.integer(1), of: statement.integer(2), orOf: entity))
      hasRow = try statement.step()
    }
    try sink.endArray()
  }
}

/// A to-many relationship of an entity, with its storage.
struct CoreDataToMany {
  enum Storage {
    /// In the table of the targets: a column holds the owner's key, and another may hold the order.
    case column(String, order: String?)
    /// In a join table. `ownerSide` is the index of the owners' column.
    case join(CoreDataStore.Join, ownerSide: Int)
  }

  let name: String
  /// The entity of the targets, or its root entity.
  let entity: CoreDataStore.Entity
  /// The table of the targets.
  let table: SQLiteTable
  let storage: Storage

  /// Returns a statement that returns the key of the owner, the key of the target and the entity of the
  /// target, in the order of the owners' keys.
  fileprivate func statement(on connection: SQLiteConnection) throws(FerryError) -> SQLiteStatement {
    switch storage {
    case .column(let column, let order):
      let owner = quotedName(column)
      let orders = order.map { quotedName($0) + ", " } ?? ""
      return try connection.statement(
        "SELECT \(owner), Z_PK, Z_ENT FROM \(quotedName(table.name)) WHERE \(owner) NOTNULL "
          + "ORDER BY \(owner), \(orders)Z_PK")
    case .join(let join, let side):
      let (from, to) = (
        "j." + quotedName(join.sides[side].column), "j." + quotedName(join.sides[1 - side].column)
      )
      let orders = join.order(ofSide: 1 - side).map { "j." + quotedName($0) + ", " } ?? ""
      return try connection.statement(
        "SELECT \(from), \(to), t.Z_ENT FROM \(quotedName(join.table)) j LEFT JOIN \(quotedName(table.name)) t "
          + "ON t.Z_PK = \(to) WHERE \(to) NOTNULL ORDER BY \(from), \(orders)\(to)")
    }
  }
}

extension CoreDataStore.Join {
  /// Returns the column that orders the objects of a side.
  func order(ofSide side: Int) -> String? {
    let relationship = sides[side].relationship
    return orders.first { order in
      let name = order.dropFirst(CoreDataStore.orderPrefix.count)
      return name.utf8.elementsEqual(relationship.utf8)
        || name.utf8.drop(while: \.isDigit).elementsEqual(relationship.utf8)
    }
  }
}

extension CoreDataStore {
  /// Returns the to-many relationships of an entity, ready to be sent.
  func relationships(
    of entity: Entity, besides columns: CoreDataColumns, on connection: SQLiteConnection
  ) throws(FerryError) -> [CoreDataRelationship] {
    var found: [CoreDataRelationship] = []
    for relationship in try toMany(of: entity, besides: columns) {
      found.append(
        CoreDataRelationship(
          relationship.name, try relationship.statement(on: connection), entity: relationship.entity.name,
          store: self))
    }
    return found
  }

  /// Returns the to-many relationships of an entity: those of the model, and those with a join table. Their
  /// names differ from those of the columns.
  func toMany(of entity: Entity, besides columns: CoreDataColumns) throws(FerryError) -> [CoreDataToMany] {
    let properties = properties(of: entity) ?? []
    let found = toManyByInverse(properties) + toManyByJoin(of: entity, properties)
    let names = columns.distinct(found.map(\.name))
    return zip(found, names).map { relationship, name in
      CoreDataToMany(
        name: name, entity: relationship.entity, table: relationship.table, storage: relationship.storage)
    }
  }

  /// Returns the to-many relationships of the model whose inverse is a column.
  private func toManyByInverse(_ properties: [CoreDataModel.Property]) -> [CoreDataToMany] {
    properties.compactMap { property in
      guard case .toMany(let target, let inverse?) = property.kind,
        let other = entities.first(where: { $0.name.equals(target) }), let table = table(of: other),
        let storage = storage(of: inverse, of: other)
      else { return nil }
      return CoreDataToMany(name: property.name, entity: other, table: table, storage: storage)
    }
  }

  /// Returns the to-many relationships of an entity that have a join table.
  private func toManyByJoin(
    of entity: Entity, _ properties: [CoreDataModel.Property]
  ) -> [CoreDataToMany] {
    let chain = Set(chain(of: entity).map(\.number))
    var found: [CoreDataToMany] = []
    for join in joins {
      for side in 0...1 where chain.contains(join.sides[side].entity) {
        let target = join.sides[1 - side]
        guard let other = self.entity(target.entity), let table = table(of: other) else { continue }
        let name = properties.first { $0.isToMany && $0.name.uppercased() == target.relationship }?.name
        found.append(
          CoreDataToMany(
            name: name ?? target.relationship.lowercased(), entity: other, table: table,
            storage: .join(join, ownerSide: side)))
      }
    }
    return found
  }

  /// Returns the storage of the inverse to-one relationship in an entity's table, or nil if the table has
  /// none.
  private func storage(of inverse: String, of entity: Entity) -> CoreDataToMany.Storage? {
    guard let names = columnNames(of: entity), names.has("Z_PK"), names.has("Z_ENT"),
      let column = column(of: inverse, of: entity)
    else { return nil }
    let order = Self.orderPrefix + column.dropFirst()
    return .column(column, order: names.has(order) ? order : nil)
  }
}

extension CoreDataModel.Property {
  fileprivate var isToMany: Bool {
    if case .toMany = kind { true } else { false }
  }
}
