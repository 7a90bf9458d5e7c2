/// How Core Data keeps a graph of objects in a database.
///
///     Z_PRIMARYKEY    Z_ENT 1, Z_NAME Group, Z_SUPER 0 …     the entities; those that inherit share a table
///     ZPERSON         Z_PK 1, Z_ENT 2, ZGROUP 1, ZFIRSTNAME Ada …
///     Z_3MESSAGES     Z_3CHAT 1, Z_5MESSAGES 7               objects of entity 3 to many of entity 5
///     Z_METADATA      the store's UUID, and a property list of its versions
///     Z_MODELCACHE    the model, where there is one
///
/// Its entities are what its tables are to another database.
struct CoreDataStore {
  struct Entity {
    let number: Int64
    let name: String
    let parent: Int64
  }

  /// A table that joins objects of two entities. In each column are the keys of one entity's objects; its name is that of
  /// the relationship by which the other entity's objects have them.
  struct Join {
    struct Side {
      let column: String
      let entity: Int64
      /// The relationship's name, in capitals.
      let relationship: String
    }

    let table: String
    let sides: [Side]
    /// The columns that say in which order objects come.
    let orders: [String]
  }

  /// In the order of their numbers.
  let entities: [Entity]
  let joins: [Join]
  let model: CoreDataModel?
  private let tables: [SQLiteTable]
  private let places: [Int64: Int]
  private let numbersByName: [String: Int64]
  /// The table of each entity, and the entities of each table.
  private let tableOfEntity: [Int64: SQLiteTable]
  private let entitiesOfTable: [String: [Int64]]
  private let budget: Budget

  /// The store that a database is; nil when it is none.
  init?(_ connection: SQLiteConnection, tables: [SQLiteTable], budget: Budget) throws(Failure) {
    let names = Set(tables.filter { $0.kind == .table }.map(\.name))
    guard names.isSuperset(of: ["Z_PRIMARYKEY", "Z_METADATA"]) else { return nil }
    let rows = try connection.statement("SELECT * FROM Z_PRIMARYKEY ORDER BY 1")
    guard (0..<rows.columnCount).map(rows.name).starts(with: ["Z_ENT", "Z_NAME", "Z_SUPER"]) else {
      return nil
    }
    var entities: [Entity] = []
    while try rows.step() {
      entities.append(Entity(number: rows.integer(0), name: try rows.text(1), parent: rows.integer(2)))
    }
    self.entities = entities
    self.budget = budget
    let tables = tables.filter { $0.kind == .table && !$0.isInternal }
    self.tables = tables
    let places = Dictionary(
      entities.enumerated().map { ($1.number, $0) }, uniquingKeysWith: { first, _ in first })
    self.places = places
    numbersByName = Dictionary(
      entities.map { ($0.name, $0.number) }, uniquingKeysWith: { first, _ in first })
    (tableOfEntity, entitiesOfTable) = Self.tables(of: entities, places, among: tables, depth: budget.depth)
    var joins: [Join] = []
    for table in tables {
      if let join = try Self.join(table, connection) { joins.append(join) }
    }
    self.joins = joins
    model = names.contains("Z_MODELCACHE") ? try Self.model(connection, budget) : nil
  }

  private static func model(_ connection: SQLiteConnection, _ budget: Budget) throws(Failure)
    -> CoreDataModel?
  {
    let cache = try connection.statement("SELECT * FROM Z_MODELCACHE LIMIT 1")
    guard try cache.step(), cache.kind(0) == .blob else { return nil }
    let bytes = try cache.withBytes(0) { bytes throws(Failure) in [UInt8](copying: bytes) }
    return CoreDataModel(cache: bytes, budget: budget)
  }

  /// Which table each entity's objects are in: it has the name of the last that the entity inherits from.
  private static func tables(
    of entities: [Entity], _ places: [Int64: Int], among tables: [SQLiteTable], depth: Int
  ) -> ([Int64: SQLiteTable], [String: [Int64]]) {
    let byName = Dictionary(tables.map { ($0.name, $0) }, uniquingKeysWith: { first, _ in first })
    var found: [Int64: SQLiteTable] = [:]
    var entitiesOfTable: [String: [Int64]] = [:]
    for entity in entities {
      let root = chain(of: entity, entities, places, depth: depth).last?.name.uppercased() ?? ""
      // The entities of the store's own history have another letter.
      guard let table = byName["Z" + root] ?? byName["A" + root] else { continue }
      found[entity.number] = table
      entitiesOfTable[table.name, default: []].append(entity.number)
    }
    return (found, entitiesOfTable)
  }

  private static func join(_ table: SQLiteTable, _ connection: SQLiteConnection) throws(Failure) -> Join? {
    guard table.name.hasPrefix("Z_"), numbered(table.name) != nil else { return nil }
    let rows = try connection.statement(table.rows)
    var sides: [Join.Side] = []
    var orders: [String] = []
    for name in (0..<rows.columnCount).map(rows.name) {
      if name.hasPrefix(orderPrefix) {
        orders.append(name)
      } else if let (entity, relationship) = numbered(name) {
        sides.append(Join.Side(column: name, entity: entity, relationship: relationship))
      }
    }
    return sides.count == 2 ? Join(table: table.name, sides: sides, orders: orders) : nil
  }

  /// The entity and the name in `Z_3MESSAGES` or `Z6_FOLDER`; nil when a name is not of this kind.
  static func numbered(_ name: String) -> (entity: Int64, name: String)? {
    let digits = name.drop { $0 == "Z" || $0 == "_" }
    let number = digits.prefix { $0.isASCII && $0.isNumber }
    guard name.hasPrefix("Z"), !number.isEmpty, let entity = Int64(number) else { return nil }
    let rest = digits.dropFirst(number.count).drop { $0 == "_" }
    return rest.isEmpty ? nil : (entity, String(rest))
  }

  /// What the names of columns begin with that say in which order objects come.
  static let orderPrefix = "Z_FOK_"

  // MARK: Entities

  func entity(_ number: Int64) -> Entity? { places[number].map { entities[$0] } }

  /// An entity and those it inherits from, itself first.
  func chain(of entity: Entity) -> [Entity] {
    Self.chain(of: entity, entities, places, depth: budget.depth)
  }

  private static func chain(
    of entity: Entity, _ entities: [Entity], _ places: [Int64: Int], depth: Int
  ) -> [Entity] {
    var chain = [entity]
    while chain.count < depth, let last = chain.last, let place = places[last.parent] {
      guard !chain.contains(where: { $0.number == entities[place].number }) else { break }
      chain.append(entities[place])
    }
    return chain
  }

  /// The table that an entity's objects are in.
  func table(of entity: Entity) -> SQLiteTable? { tableOfEntity[entity.number] }

  /// The last entity that an entity inherits from: keys are counted for all that share it.
  func root(of entity: Entity) -> Entity { chain(of: entity).last ?? entity }

  /// Whether an entity is of the history that Core Data keeps of the store's changes (`ATRANSACTION`).
  func isHistory(_ entity: Entity) -> Bool {
    tableOfEntity[entity.number].map { !$0.name.hasPrefix("Z") } ?? false
  }

  /// The entity of a name, else the one whose name differs in capitals only.
  func entity(named name: String) -> Entity? {
    entities.first { $0.name == name } ?? entities.first { $0.name.lowercased() == name.lowercased() }
  }

  /// The numbers of the entities whose objects are in a table.
  func entities(in table: SQLiteTable) -> [Int64] { entitiesOfTable[table.name] ?? [] }

  /// Which rows are an entity's. What is of no entity that is known is the first's of the table, so that no row is lost.
  func condition(for entity: Entity, in table: SQLiteTable) -> String {
    guard chain(of: entity).count == 1 else { return "Z_ENT = \(entity.number)" }
    let others = entities(in: table).filter { $0 != entity.number }
    guard !others.isEmpty else { return "TRUE" }
    return "Z_ENT IS NULL OR Z_ENT NOT IN (\(others.map(String.init).joined(separator: ", ")))"
  }

  /// The properties of an entity, those it inherits among them; nil without a model, and for an entity that the model
  /// does not have.
  func properties(of entity: Entity) -> [CoreDataModel.Property]? {
    guard let model else { return nil }
    let own = chain(of: entity).compactMap { model.properties[$0.name] }
    return own.isEmpty ? nil : own.flatMap { $0 }
  }

  /// The tables that are neither an entity's nor Core Data's own.
  var otherTables: [SQLiteTable] {
    var known = Set(["Z_PRIMARYKEY", "Z_METADATA", "Z_MODELCACHE"])
    known.formUnion(entitiesOfTable.keys)
    for join in joins { known.insert(join.table) }
    return tables.filter { !known.contains($0.name) }
  }

  // MARK: Objects

  /// How an object is named in the records of others: as at the end of its URI, `x-coredata://…/Person/p1`.
  func reference(_ key: Int64, of entity: Int64, orOf name: String) -> String {
    "\(self.entity(entity)?.name ?? name)/p\(key)"
  }

  /// The object that a name is of; nil when no object of the store could have it.
  func object(named name: String) -> CoreDataObject? {
    let parts = name.split(separator: "/", omittingEmptySubsequences: false)
    guard parts.count == 2, parts[1].first == "p", let key = Int64(parts[1].dropFirst()), key > 0,
      let number = numbersByName[String(parts[0])], let entity = entity(number)
    else { return nil }
    // One spelling only, so that two names are never of one object.
    return "p\(key)" == parts[1] ? CoreDataObject(entity: entity, key: key) : nil
  }
}

/// What the name of an object says: `Person/p1`.
struct CoreDataObject {
  let entity: CoreDataStore.Entity
  let key: Int64
}
