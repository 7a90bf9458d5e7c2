/// A Core Data object graph stored in a database.
///
///     Z_PRIMARYKEY    Z_ENT 1, Z_NAME Group, Z_SUPER 0 …     entities; subentities share their root's table
///     ZPERSON         Z_PK 1, Z_ENT 2, ZGROUP 1, ZFIRSTNAME Ada …
///     Z_3MESSAGES     Z_3CHAT 1, Z_5MESSAGES 7               join table of the entities 3 and 5
///     Z_METADATA      the store's UUID, and a property list with its versions
///     Z_MODELCACHE    the model, in some stores
///
/// The entities of a store are read and written like the tables of other databases.
struct CoreDataStore {
  struct Entity {
    let number: Int64
    let name: String
    let parent: Int64
  }

  /// A table that joins the objects of two entities. Each column holds keys of one entity's objects, and is
  /// named after the relationship that leads to them.
  struct Join {
    struct Side {
      let column: String
      let entity: Int64
      /// The name of the relationship, in uppercase.
      let relationship: String
    }

    let table: String
    let sides: [Side]
    /// The columns that hold the order of objects.
    let orders: [String]
  }

  /// The entities in the order of their numbers.
  let entities: [Entity]
  let joins: [Join]
  let model: CoreDataModel?
  private let tables: [SQLiteTable]
  private let indices: [Int64: Int]
  /// The index of the root entity of each entity.
  private let roots: [Int]
  private let numbersByName: [ExactString: Int64]
  /// The table of each entity, by the entity's number.
  private let tableOfEntity: [Int64: SQLiteTable]
  let entitiesOfTable: [ExactString: [Int64]]
  /// The columns of each table of entities, by table name. Empty without a model.
  private var columnNames: [ExactString: CoreDataColumnNames] = [:]
  private let budget: Budget

  /// Finds the store in a database. Fails if the database is not a Core Data store.
  init?(_ connection: SQLiteConnection, tables: [SQLiteTable], budget: Budget) throws(FerryError) {
    let names = Set(tables.filter { $0.kind == .table }.map(\.name))
    guard names.isSuperset(of: ["Z_PRIMARYKEY", "Z_METADATA"]) else { return nil }
    let rows = try connection.statement("SELECT * FROM Z_PRIMARYKEY ORDER BY 1")
    guard rows.columnNames.starts(with: ["Z_ENT", "Z_NAME", "Z_SUPER"]) else {
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
    let indices = Dictionary(
      entities.enumerated().map { ($1.number, $0) }, uniquingKeysWith: { first, _ in first })
    self.indices = indices
    numbersByName = Dictionary(
      entities.map { (ExactString($0.name), $0.number) }, uniquingKeysWith: { first, _ in first })
    roots = Self.roots(of: entities, indices)
    (tableOfEntity, entitiesOfTable) = Self.tables(of: entities, roots, among: tables)
    var joins: [Join] = []
    for table in tables {
      if let join = try Self.join(table, connection) { joins.append(join) }
    }
    self.joins = joins
    model = names.contains("Z_MODELCACHE") ? try Self.model(connection, budget) : nil
    columnNames = try findColumnNames(on: connection)
  }

  private static func model(_ connection: SQLiteConnection, _ budget: Budget) throws(FerryError)
    -> CoreDataModel?
  {
    let cache = try connection.statement("SELECT * FROM Z_MODELCACHE LIMIT 1")
    guard try cache.step(), cache.kind(0) == .blob else { return nil }
    let bytes = try cache.withBytes(0) { bytes throws(FerryError) in [UInt8](copying: bytes) }
    return CoreDataModel(cache: bytes, budget: budget)
  }

  /// Returns the table of each entity. It is named after the root entity.
  private static func tables(
    of entities: [Entity], _ roots: [Int], among tables: [SQLiteTable]
  ) -> ([Int64: SQLiteTable], [ExactString: [Int64]]) {
    let byName = Dictionary(
      tables.map { (ExactString($0.name), $0) }, uniquingKeysWith: { first, _ in first })
    var found: [Int64: SQLiteTable] = [:]
    var entitiesOfTable: [ExactString: [Int64]] = [:]
    for (entity, root) in zip(entities, roots) {
      let root = entities[root].name.uppercased()
      // The names of tables with the change history begin with another letter.
      guard let table = byName["Z" + root] ?? byName["A" + root] else { continue }
      found[entity.number] = table
      entitiesOfTable[table.name, default: []].append(entity.number)
    }
    return (found, entitiesOfTable)
  }

  private static func join(_ table: SQLiteTable, _ connection: SQLiteConnection) throws(FerryError) -> Join? {
    guard table.name.hasPrefix("Z_"), numbered(table.name) != nil else { return nil }
    let rows = try connection.statement(table.rows)
    var sides: [Join.Side] = []
    var orders: [String] = []
    for name in rows.columnNames {
      if name.hasPrefix(orderPrefix) {
        orders.append(name)
      } else if let (entity, relationship) = numbered(name) {
        sides.append(Join.Side(column: name, entity: entity, relationship: relationship))
      }
    }
    return sides.count == 2 ? Join(table: table.name, sides: sides, orders: orders) : nil
  }

  /// Parses a name such as `Z_3MESSAGES` or `Z6_FOLDER` to the number of an entity and a name. Returns nil
  /// for other names.
  static func numbered(_ name: String) -> (entity: Int64, name: String)? {
    let digits = name.drop { $0 == "Z" || $0 == "_" }
    let number = digits.prefix { $0.isASCII && $0.isNumber }
    guard name.hasPrefix("Z"), !number.isEmpty, let entity = Int64(number) else { return nil }
    let rest = digits.dropFirst(number.count).drop { $0 == "_" }
    return rest.isEmpty ? nil : (entity, String(rest))
  }

  /// The prefix of columns that hold the order of objects.
  static let orderPrefix = "Z_FOK_"

  // MARK: Entities

  func entity(_ number: Int64) -> Entity? { indices[number].map { entities[$0] } }

  /// Returns an entity and its superentities, in this order.
  func chain(of entity: Entity) -> [Entity] {
    var chain = [entity]
    var numbers: Set = [entity.number]
    while chain.count < budget.depth, let index = indices[chain[chain.count - 1].parent] {
      guard numbers.insert(entities[index].number).inserted else { break }
      chain.append(entities[index])
    }
    return chain
  }

  /// Returns the index of the root entity of each entity. Each entity is visited once.
  private static func roots(of entities: [Entity], _ indices: [Int64: Int]) -> [Int] {
    var roots = [Int?](repeating: nil, count: entities.count)
    var isOpen = [Bool](repeating: false, count: entities.count)
    for start in entities.indices {
      var path: [Int] = []
      var next: Int? = start
      while let index = next, roots[index] == nil, !isOpen[index] {
        isOpen[index] = true
        path.append(index)
        next = indices[entities[index].parent]
      }
      guard let last = path.last else { continue }
      let (known, ring) = (next.flatMap { roots[$0] }, path.firstIndex { $0 == next })
      for index in path { roots[index] = known ?? last }
      // In a ring, the chain of superentities of an entity ends with the entity before it.
      guard known == nil, let ring else { continue }
      for (before, index) in zip(path[ring...], path[ring...].dropFirst()) { roots[index] = before }
    }
    return roots.enumerated().map { $1 ?? $0 }
  }

  /// Returns the table of an entity's objects.
  func table(of entity: Entity) -> SQLiteTable? { tableOfEntity[entity.number] }

  /// Returns the root entity. All entities with the same root share one sequence of keys.
  func root(of entity: Entity) -> Entity {
    indices[entity.number].map { entities[roots[$0]] } ?? entity
  }

  /// Returns true if an entity belongs to the change history (`ATRANSACTION`).
  func isHistory(_ entity: Entity) -> Bool {
    tableOfEntity[entity.number].map { !$0.name.hasPrefix("Z") } ?? false
  }

  /// Returns the entity with a name, or else one whose name differs only in case.
  func entity(named name: String) -> Entity? {
    entities.first(named: name, \.name)
  }

  /// Returns the numbers of the entities whose objects are in a table.
  func entities(in table: SQLiteTable) -> [Int64] { entitiesOfTable[table.name] ?? [] }

  /// Returns the SQL condition for the rows of an entity. Rows with an unknown entity are assigned to the
  /// first entity of the table, so that no row is lost.
  func condition(for entity: Entity, in table: SQLiteTable) -> String {
    guard chain(of: entity).count == 1 else { return "Z_ENT = \(entity.number)" }
    let others = entities(in: table).filter { $0 != entity.number }
    guard !others.isEmpty else { return "TRUE" }
    return "Z_ENT IS NULL OR Z_ENT NOT IN (\(others.map(String.init).joined(separator: ", ")))"
  }

  /// Returns the properties of an entity, including inherited ones, or nil if there is no model or the model
  /// does not contain the entity.
  func properties(of entity: Entity) -> [CoreDataModel.Property]? {
    guard let model else { return nil }
    let own = chain(of: entity).compactMap { model.properties[$0.name] }
    guard !own.isEmpty else { return nil }
    // A property that an entity declares itself takes precedence over an inherited one.
    var names: Set<ExactString> = []
    return own.flatMap { $0 }.filter { names.insert($0.name).inserted }
  }

  /// Returns the columns of an entity's table, or nil without a model.
  func columnNames(of entity: Entity) -> CoreDataColumnNames? {
    tableOfEntity[entity.number].flatMap { columnNames[$0.name] }
  }

  /// Returns the keys of the records of an entity.
  func keys(of entity: Entity, on connection: SQLiteConnection) throws(FerryError) -> [String] {
    guard let table = table(of: entity) else { return [] }
    let rows = try connection.statement(table.unordered)
    guard let columns = CoreDataColumns(rows, of: entity, in: self, spelling: [:]) else { return [] }
    let own = columns.columns.filter { !$0.isShared }.map(\.name)
    return ["objectID"] + own + (try toMany(of: entity, besides: columns).map(\.name))
  }

  /// The tables that belong neither to an entity nor to Core Data.
  var otherTables: [SQLiteTable] {
    var known = Set<ExactString>(["Z_PRIMARYKEY", "Z_METADATA", "Z_MODELCACHE"])
    known.formUnion(entitiesOfTable.keys)
    for join in joins { known.insert(join.table) }
    return tables.filter { !known.contains($0.name) }
  }

  // MARK: Objects

  /// Returns the name by which records refer to an object: `Person/p1`, the end of its URI
  /// `x-coredata://…/Person/p1`.
  func reference(_ key: Int64, of entity: Int64, orOf name: String) -> String {
    "\(self.entity(entity)?.name ?? name)/p\(key)"
  }

  /// Returns the object with a name, or nil if the store cannot have an object with that name.
  func object(named name: String) -> CoreDataObject? {
    let parts = name.split(separator: "/", omittingEmptySubsequences: false)
    guard parts.count == 2, parts[1].first == "p", let key = Int64(parts[1].dropFirst()), key > 0,
      let number = numbersByName[String(parts[0])], let entity = entity(number)
    else { return nil }
    // Only one spelling is accepted, so that two names never refer to the same object.
    return "p\(key)" == parts[1] ? CoreDataObject(entity: entity, key: key) : nil
  }
}

/// The entity and the key of an object: `Person` and 1 for `Person/p1`.
struct CoreDataObject {
  let entity: CoreDataStore.Entity
  let key: Int64
}
