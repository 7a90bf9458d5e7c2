/// The objects that those of an entity have by one relationship to many, in step with the objects themselves.
///
/// Both come in the order of the owners' keys, so that nothing is held and nothing is looked up.
final class CoreDataRelationship {
  let name: String
  private let statement: SQLiteStatement
  private let store: CoreDataStore
  /// The entity of the objects, or the one it inherits from.
  let entity: String
  private var hasRow = false
  private var hasBegun = false

  /// `statement` gives the owner's key, the object's key and the object's entity.
  init(_ name: String, _ statement: SQLiteStatement, entity: String, store: CoreDataStore) {
    self.name = name
    self.statement = statement
    self.entity = entity
    self.store = store
  }

  /// Sends the references of an owner, whose key is greater than all before it.
  func send(ofOwner key: Int64, into sink: any ValueSink) throws(Failure) {
    if !hasBegun {
      hasBegun = true
      hasRow = try statement.step()
    }
    while hasRow, statement.kind(0) != .integer || statement.integer(0) < key {
      hasRow = try statement.step()
    }
    try sink.beginArray(count: nil)
    while hasRow, statement.kind(0) == .integer, statement.integer(0) == key {
      let text = Array(store.reference(statement.integer(1), of: statement.integer(2), orOf: entity).utf8)
      try sink.string(Text(text.span))
      hasRow = try statement.step()
    }
    try sink.endArray()
  }
}

/// A relationship to many of an entity, and where the store keeps it.
struct CoreDataToMany {
  enum Storage {
    /// In the table of the objects: a column has the owner's key, and another perhaps the order.
    case column(String, order: String?)
    /// In a table that joins objects of two entities; at which of its sides the owner is.
    case join(CoreDataStore.Join, ownerSide: Int)
  }

  let name: String
  /// The entity of the objects, or the one it inherits from.
  let entity: CoreDataStore.Entity
  /// The table of the objects.
  let table: SQLiteTable
  let storage: Storage

  /// The owner's key, the object's key and the object's entity, in the order of the owners.
  fileprivate func statement(on connection: SQLiteConnection) throws(Failure) -> SQLiteStatement {
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
  /// The column that says in which order the objects of a side come.
  func order(ofSide side: Int) -> String? {
    let relationship = sides[side].relationship
    return orders.first { $0.hasSuffix(relationship) }
  }
}

extension CoreDataStore {
  /// The relationships to many of an entity's objects, ready to be sent.
  func relationships(
    of entity: Entity, behind columns: CoreDataColumns, on connection: SQLiteConnection
  ) throws(Failure) -> [CoreDataRelationship] {
    var found: [CoreDataRelationship] = []
    for relationship in try toMany(of: entity, behind: columns, on: connection) {
      found.append(
        CoreDataRelationship(
          relationship.name, try relationship.statement(on: connection), entity: relationship.entity.name,
          store: self))
    }
    return found
  }

  /// The relationships to many that the objects of an entity have: those of the model, and those that have a table. Their
  /// names are no columns'.
  func toMany(
    of entity: Entity, behind columns: CoreDataColumns, on connection: SQLiteConnection
  ) throws(Failure) -> [CoreDataToMany] {
    let properties = properties(of: entity) ?? []
    let chain = Set(chain(of: entity).map(\.number))
    var found: [CoreDataToMany] = []
    for property in properties {
      guard case .toMany(let target, let inverse?) = property.kind,
        let other = entities.first(where: { $0.name == target }), let table = table(of: other),
        let storage = try Self.column(of: inverse, in: table, on: connection)
      else { continue }
      found.append(CoreDataToMany(name: property.name, entity: other, table: table, storage: storage))
    }
    for join in joins {
      for side in 0...1 where chain.contains(join.sides[side].entity) {
        let target = join.sides[1 - side]
        guard let other = self.entity(target.entity), let table = table(of: other) else { continue }
        let name = properties.first { $0.name.uppercased() == target.relationship }?.name
        found.append(
          CoreDataToMany(
            name: name ?? target.relationship.lowercased(), entity: other, table: table,
            storage: .join(join, ownerSide: side)))
      }
    }
    let names = columns.distinct(found.map(\.name))
    return zip(found, names).map { relationship, name in
      CoreDataToMany(
        name: name, entity: relationship.entity, table: relationship.table, storage: relationship.storage)
    }
  }

  /// The column of a relationship to one that leads back; nil when the table has none.
  private static func column(
    of inverse: String, in table: SQLiteTable, on connection: SQLiteConnection
  ) throws(Failure) -> CoreDataToMany.Storage? {
    let rows = try connection.statement(table.rows)
    let names = (0..<rows.columnCount).map(rows.name)
    let column = "Z" + inverse.uppercased()
    guard names.contains(column), names.contains("Z_PK"), names.contains("Z_ENT") else { return nil }
    let order = orderPrefix + inverse.uppercased()
    return .column(column, order: names.contains(order) ? order : nil)
  }
}
