/// The targets of one relationship to many, read in step with the objects that own them.
///
/// Both are in the order of the owners' keys, so nothing is held and nothing is looked up.
final class CoreDataRelationship {
  let name: String
  private let statement: SQLiteStatement
  private let store: CoreDataStore
  /// The entity of the targets, or its root entity.
  let entity: String
  private var hasRow = false
  private var hasBegun = false

  /// Creates a relationship. `statement` gives the owner's key, the target's key and the target's entity.
  init(_ name: String, _ statement: consuming SQLiteStatement, entity: String, store: CoreDataStore) {
    self.name = name
    self.statement = statement
    self.entity = entity
    self.store = store
  }

  /// Sends the references of an owner, whose key must be greater than all before it.
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
      let text = Array(store.reference(statement.integer(1), of: statement.integer(2), orOf: entity).utf8)
      try sink.string(BorrowedText(text.span))
      hasRow = try statement.step()
    }
    try sink.endArray()
  }
}

/// A relationship to many of an entity, with its storage.
struct CoreDataToMany {
  enum Storage {
    /// The table of the targets: one column has the owner's key, and possibly another has the order.
    case column(String, order: String?)
    /// A table that joins objects of two entities, and the owner's side in it.
    case join(CoreDataStore.Join, ownerSide: Int)
  }

  let name: String
  /// The entity of the targets, or its root entity.
  let entity: CoreDataStore.Entity
  /// The table of the targets.
  let table: SQLiteTable
  let storage: Storage

  /// Returns the statement for the owner's key, the target's key and the target's entity, in the order of the
  /// owners.
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
  /// Returns the column with the order of a side's objects.
  func order(ofSide side: Int) -> String? {
    let relationship = sides[side].relationship
    return orders.first { order in
      let name = order.dropFirst(CoreDataStore.orderPrefix.count)
      let digits = UInt8(ascii: "0")...UInt8(ascii: "9")
      return name.utf8.elementsEqual(relationship.utf8)
        || name.utf8.drop(while: digits.contains).elementsEqual(relationship.utf8)
    }
  }
}

extension CoreDataStore {
  /// Returns the relationships to many of an entity, ready to be sent.
  func relationships(
    of entity: Entity, behind columns: CoreDataColumns, on connection: SQLiteConnection
  ) throws(FerryError) -> [CoreDataRelationship] {
    var found: [CoreDataRelationship] = []
    for relationship in try toMany(of: entity, behind: columns) {
      found.append(
        CoreDataRelationship(
          relationship.name, try relationship.statement(on: connection), entity: relationship.entity.name,
          store: self))
    }
    return found
  }

  /// Returns the relationships to many of an entity: those of the model, and those with a table of their own.
  /// Their names differ from those of the columns.
  func toMany(of entity: Entity, behind columns: CoreDataColumns) throws(FerryError) -> [CoreDataToMany] {
    let properties = properties(of: entity) ?? []
    let chain = Set(chain(of: entity).map(\.number))
    var found: [CoreDataToMany] = []
    for property in properties {
      guard case .toMany(let target, let inverse?) = property.kind,
        let other = entities.first(where: { $0.name.equals(target) }), let table = table(of: other),
        let storage = storage(of: inverse, of: other)
      else { continue }
      found.append(CoreDataToMany(name: property.name, entity: other, table: table, storage: storage))
    }
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
    let names = columns.distinct(found.map(\.name))
    return zip(found, names).map { relationship, name in
      CoreDataToMany(
        name: name, entity: relationship.entity, table: relationship.table, storage: relationship.storage)
    }
  }

  /// Returns the storage of the inverse relationship to one in the table of an entity; nil if the table has
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
