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

extension CoreDataStore {
  /// The relationships to many that the objects of an entity have: those of the model, and those that have a table.
  func relationships(
    of entity: Entity, on connection: SQLiteConnection
  ) throws(Failure) -> [CoreDataRelationship] {
    let properties = properties(of: entity) ?? []
    let chain = Set(chain(of: entity).map(\.number))
    var found: [CoreDataRelationship] = []
    for property in properties {
      guard case .toMany(let target, let inverse?) = property.kind,
        let other = entities.first(where: { $0.name == target }), let table = table(of: other),
        let statement = try Self.owned(table, by: inverse, on: connection)
      else { continue }
      found.append(CoreDataRelationship(property.name, statement, entity: target, store: self))
    }
    for join in joins {
      for (owner, target) in [(join.sides[0], join.sides[1]), (join.sides[1], join.sides[0])]
      where chain.contains(owner.entity) {
        guard let other = self.entity(target.entity), let table = table(of: other) else { continue }
        let name = properties.first { $0.name.uppercased() == target.relationship }?.name
        let statement = try Self.joined(join, owner, target, table, on: connection)
        found.append(
          CoreDataRelationship(
            name ?? target.relationship.lowercased(), statement, entity: other.name, store: self))
      }
    }
    return found
  }

  /// The objects in a table whose relationship to one leads back; nil when the table has no column for it.
  private static func owned(
    _ table: SQLiteTable, by inverse: String, on connection: SQLiteConnection
  ) throws(Failure) -> SQLiteStatement? {
    let rows = try connection.statement(table.rows)
    let names = (0..<rows.columnCount).map(rows.name)
    let column = "Z" + inverse.uppercased()
    guard names.contains(column), names.contains("Z_PK"), names.contains("Z_ENT") else { return nil }
    let order = names.first { $0 == "Z_FOK_" + inverse.uppercased() }.map { quotedName($0) + ", " } ?? ""
    let owner = quotedName(column)
    return try connection.statement(
      "SELECT \(owner), Z_PK, Z_ENT FROM \(quotedName(table.name)) WHERE \(owner) NOTNULL ORDER BY \(owner), \(order)Z_PK"
    )
  }

  private static func joined(
    _ join: Join, _ owner: Join.Side, _ target: Join.Side, _ table: SQLiteTable,
    on connection: SQLiteConnection
  ) throws(Failure) -> SQLiteStatement {
    let (from, to) = ("j." + quotedName(owner.column), "j." + quotedName(target.column))
    let order =
      join.orders.first { $0.hasSuffix(target.relationship) }.map { "j." + quotedName($0) + ", " } ?? ""
    return try connection.statement(
      "SELECT \(from), \(to), t.Z_ENT FROM \(quotedName(join.table)) j LEFT JOIN \(quotedName(table.name)) t "
        + "ON t.Z_PK = \(to) WHERE \(to) NOTNULL ORDER BY \(from), \(order)\(to)")
  }
}
