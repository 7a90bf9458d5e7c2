/// The relationships between the objects of a store, collected until all objects exist.
///
/// A relationship may be given by the records of either side, and before its target exists, and the keys of
/// objects may still change. Therefore the links are collected in temporary tables of the connection, outside
/// of memory. At the end they are checked and stored:
///
///     {"objectID": "Group/p1", "people": ["Person/p2"]}     ZPERSON.ZGROUP, side 1: owner 1, target 2
///     {"objectID": "Person/p2", "group": "Group/p1"}        ZPERSON.ZGROUP, side 0: owner 2, target 1
///
/// A link may be given by one side or by both. A link that contradicts the other side is refused.
final class CoreDataLinks {
  /// The storage of a relationship: a slot shared with its inverse, and the relationship's side of the slot.
  struct SlotSide {
    let slot: Int
    let side: Int
  }

  /// The storage that a relationship shares with its inverse.
  private struct Slot {
    enum Storage {
      /// A column of keys in the table of side 0, possibly with columns for the entity and for the order.
      case column(table: String, column: String, entity: String?, order: String?)
      case join(CoreDataStore.Join)
    }

    let storage: Storage
    /// For each side, the name of the relationship in the records and the root entity of the objects.
    var names = ["", ""]
    var roots: [Int64]
  }

  private let connection: SQLiteConnection
  private let store: CoreDataStore
  /// True if objects keep the keys in their names. Then to-one relationships are stored with the rows.
  private let keepsKeys: Bool
  /// True if the input is a dictionary of lists of records rather than one list.
  var listsHaveNames = false
  private var slots: [Slot] = []
  private var numbers: [ExactString: Int] = [:]
  private let addObject: SQLiteStatement
  private let addOwner: SQLiteStatement
  private let addLink: SQLiteStatement

  init(on connection: SQLiteConnection, of store: CoreDataStore, keepsKeys: Bool) throws(FerryError) {
    (self.connection, self.store, self.keepsKeys) = (connection, store, keepsKeys)
    for definition in [
      // The objects: `key` is the key in the record's name, `pk` that of the row, `position` the index of the
      // record in its list.
      "ferry_objects (root INTEGER, pk INTEGER, key INTEGER, entity INTEGER, position INTEGER, "
        + "PRIMARY KEY (root, pk))",
      // The objects whose records give a relationship, even an empty one.
      "ferry_owners (slot INTEGER, side INTEGER, owner INTEGER, PRIMARY KEY (slot, side, owner))",
      // The links: `target` is the key of a record of `entity`, and `pk` becomes the key of its row.
      "ferry_links (slot INTEGER, side INTEGER, owner INTEGER, root INTEGER, target INTEGER, entity INTEGER, "
        + "position INTEGER, pk INTEGER, PRIMARY KEY (slot, side, owner, root, target))",
    ] {
      try connection.execute("CREATE TEMP TABLE \(definition) WITHOUT ROWID")
    }
    try connection.execute("CREATE UNIQUE INDEX temp.ferry_keys ON ferry_objects (root, key)")
    addObject = try connection.statement("INSERT INTO ferry_objects VALUES (?, ?, ?, ?, ?)")
    addOwner = try connection.statement("INSERT INTO ferry_owners VALUES (?, ?, ?)")
    addLink = try connection.statement("INSERT INTO ferry_links VALUES (?, ?, ?, ?, ?, ?, ?, NULL)")
  }

  // MARK: Slots

  /// Returns the slot of a column of keys.
  ///
  /// - Parameters:
  ///   - holders: The entity of the objects in the table.
  ///   - others: The entity of the targets, or nil if it is unknown.
  func slot(
    ofColumn column: String, entityColumn: String?, in table: String, order: String?,
    holders: CoreDataStore.Entity, others: CoreDataStore.Entity?
  ) -> Int {
    let slot = slot("\(table) \(column)") {
      Slot(
        storage: .column(table: table, column: column, entity: entityColumn, order: order),
        roots: [holders.number, 0])
    }
    // Of the entities that share the table, only those that have the relationship determine its target.
    if let others { slots[slot].roots[1] = others.number }
    return slot
  }

  /// Returns the slot of a join table.
  func slot(of join: CoreDataStore.Join) -> Int {
    slot(join.table) {
      Slot(
        storage: .join(join),
        roots: join.sides.map { side in store.entity(side.entity).map { store.root(of: $0).number } ?? 0 })
    }
  }

  private func slot(_ key: String, _ make: () -> Slot) -> Int {
    if let known = numbers[key] { return known }
    numbers[key] = slots.count
    slots.append(make())
    return slots.count - 1
  }

  /// Sets the name of the relationship in the records of one side.
  func name(_ name: String, _ slotSide: SlotSide) { slots[slotSide.slot].names[slotSide.side] = name }

  // MARK: Collecting

  /// Adds an object: the key of its row, and the key in its record's name if it has one.
  func add(row: Int64, key: Int64?, entity: CoreDataStore.Entity, index: Int) throws(FerryError) {
    let root = store.root(of: entity).number
    do throws(FerryError) {
      try addObject.insert(root, row, key, entity.number, Int64(index))
    } catch {
      throw FerryError(
        .database(.sameObject(store.reference(key ?? row, of: entity.number, orOf: entity.name))))
    }
  }

  /// Records that an object gives all its links of a relationship, so that a link that it lacks is a
  /// contradiction.
  func note(owner: Int64, _ slotSide: SlotSide) throws(FerryError) {
    do throws(FerryError) {
      try addOwner.insert(Int64(slotSide.slot), Int64(slotSide.side), owner)
    } catch {
      throw FerryError(.record(.repeatedField(slots[slotSide.slot].names[slotSide.side])))
    }
  }

  /// Adds a link from an owner to a target, with its index in the order.
  func add(
    _ target: CoreDataObject, to owner: Int64, index: Int = 0, _ slotSide: SlotSide
  ) throws(FerryError) {
    let root = store.root(of: target.entity).number
    do throws(FerryError) {
      try addLink.insert(
        Int64(slotSide.slot), Int64(slotSide.side), owner, root, target.key, target.entity.number,
        Int64(index))
    } catch {
      throw FerryError(.database(.sameTwice(name(of: target))))
    }
  }

  private func name(of object: CoreDataObject) -> String {
    store.reference(object.key, of: object.entity.number, orOf: object.entity.name)
  }

  // MARK: Checking

  /// Checks the collected links and stores them.
  func finish() throws(FerryError) {
    try connection.execute(
      "UPDATE ferry_links SET pk = (SELECT o.pk FROM ferry_objects o WHERE o.root = ferry_links.root "
        + "AND o.key = ferry_links.target AND o.entity = ferry_links.entity)")
    try connection.execute("CREATE INDEX temp.ferry_back ON ferry_links (slot, side, pk)")
    try checkTargets()
    for (number, slot) in slots.enumerated() {
      for side in 0...1 { try checkAgreement(side: side, of: number) }
      switch slot.storage {
      case .column(let table, let column, let entity, let order):
        try checkOwners(of: number)
        try put(number, in: table, column, entity, order)
      case .join(let join): try put(number, in: join)
      }
    }
  }

  private func checkTargets() throws(FerryError) {
    let missing = try connection.statement(
      "SELECT slot, side, owner, entity, target, position FROM ferry_links WHERE pk IS NULL LIMIT 1")
    guard try missing.step() else { return }
    let name = store.reference(missing.integer(4), of: missing.integer(3), orOf: "")
    throw FerryError(
      .database(.noObject(name)),
      path: try path(
        ofOwner: missing.integer(2), side: Int(missing.integer(1)), of: Int(missing.integer(0)),
        index: Int(missing.integer(5))))
  }

  /// Throws if a link of one side contradicts the other side.
  private func checkAgreement(side: Int, of slot: Int) throws(FerryError) {
    let denied = try connection.statement(
      """
      SELECT l.owner, l.pk, l.position FROM ferry_links l
      JOIN ferry_owners o ON o.slot = ?1 AND o.side = ?3 AND o.owner = l.pk
      WHERE l.slot = ?1 AND l.side = ?2 AND NOT EXISTS (
        SELECT 1 FROM ferry_links b WHERE b.slot = ?1 AND b.side = ?3 AND b.owner = l.pk AND b.pk = l.owner)
      LIMIT 1
      """)
    for (index, value) in [slot, side, 1 - side].enumerated() { try denied.bind(index + 1, Int64(value)) }
    guard try denied.step() else { return }
    let (owner, other) = (denied.integer(0), denied.integer(1))
    throw FerryError(
      .database(
        .contradiction(
          try name(ofRow: owner, root: slots[slot].roots[side]),
          try name(ofRow: other, root: slots[slot].roots[1 - side]), slots[slot].names[1 - side])),
      path: try path(ofOwner: owner, side: side, of: slot, index: Int(denied.integer(2))))
  }

  /// Throws if two objects refer to one object in a relationship whose inverse is to-one.
  private func checkOwners(of slot: Int) throws(FerryError) {
    let second = try connection.statement(
      """
      SELECT l.owner, l.pk, l.position FROM ferry_links l WHERE l.slot = ?1 AND l.side = 1 AND EXISTS (
        SELECT 1 FROM ferry_links b WHERE b.slot = ?1 AND b.side = 1 AND b.pk = l.pk AND b.owner < l.owner)
      LIMIT 1
      """)
    try second.bind(1, Int64(slot))
    guard try second.step() else { return }
    throw FerryError(
      .database(.secondOwner(try name(ofRow: second.integer(1), root: slots[slot].roots[0]))),
      path: try path(ofOwner: second.integer(0), side: 1, of: slot, index: Int(second.integer(2))))
  }

  /// Returns the name of the record from which a row was written.
  private func name(ofRow row: Int64, root: Int64) throws(FerryError) -> String {
    let object = try object(ofRow: row, root: root)
    return object.map { store.reference($0.key, of: $0.entity.number, orOf: "") } ?? "the record"
  }

  private func object(
    ofRow row: Int64, root: Int64
  ) throws(FerryError) -> (key: Int64, entity: CoreDataStore.Entity, index: Int)? {
    let found = try connection.statement(
      "SELECT ifnull(key, pk), entity, position FROM ferry_objects WHERE root = ? AND pk = ?")
    try found.bind(1, root)
    try found.bind(2, row)
    guard try found.step(), let entity = store.entity(found.integer(1)) else { return nil }
    return (found.integer(0), entity, Int(found.integer(2)))
  }

  /// Returns the path of a link in the input, for an error.
  private func path(ofOwner owner: Int64, side: Int, of slot: Int, index: Int) throws(FerryError) -> ValuePath
  {
    var steps: [ValuePath.Step] = []
    if let object = try object(ofRow: owner, root: slots[slot].roots[side]) {
      if listsHaveNames { steps.append(.key(object.entity.name)) }
      steps.append(.index(object.index))
    }
    steps.append(.key(slots[slot].names[side]))
    var isList = side == 1
    if case .join = slots[slot].storage { isList = true }
    return ValuePath(isList ? steps + [.index(index)] : steps)
  }

  // MARK: Storing

  /// The distance between the order values of two objects. As in Core Data, it leaves room for insertions.
  private static let orderStep = 1024

  private func put(
    _ slot: Int, in table: String, _ column: String, _ entity: String?, _ order: String?
  ) throws(FerryError) {
    if !keepsKeys {
      let toOne = try connection.statement(
        "SELECT owner, pk, entity, 0 FROM ferry_links WHERE slot = ? AND side = 0")
      try toOne.bind(1, Int64(slot))
      try update(table, column, entity, nil, by: toOne)
    }
    let listed = try connection.statement(
      """
      SELECT l.pk, l.owner, o.entity, (l.position + 1) * \(Self.orderStep) FROM ferry_links l
      JOIN ferry_objects o ON o.root = ?2 AND o.pk = l.owner WHERE l.slot = ?1 AND l.side = 1
      """)
    try listed.bind(1, Int64(slot))
    try listed.bind(2, slots[slot].roots[1])
    try update(table, column, entity, order, by: listed)
    guard let order else { return }
    // Objects that occur in no list are ordered by key.
    try connection.execute(
      "UPDATE \(quotedName(table)) SET \(quotedName(order)) = Z_PK * \(Self.orderStep) "
        + "WHERE \(quotedName(column)) NOTNULL AND \(quotedName(order)) IS NULL "
        + "AND Z_PK IN (SELECT pk FROM ferry_objects WHERE root = \(slots[slot].roots[0]))")
  }

  /// Stores links in rows. `rows` returns the row, the key of its target, the entity and the order of each.
  private func update(
    _ table: String, _ column: String, _ entity: String?, _ order: String?, by rows: borrowing SQLiteStatement
  ) throws(FerryError) {
    var changes = ["\(quotedName(column)) = ?2"]
    if let entity { changes.append("\(quotedName(entity)) = ?3") }
    if let order { changes.append("\(quotedName(order)) = ?4") }
    // Rows that already have the key are skipped.
    let condition = order == nil ? " AND \(quotedName(column)) IS NULL" : ""
    let update = try connection.statement(
      "UPDATE \(quotedName(table)) SET \(changes.joined(separator: ", ")) WHERE Z_PK = ?1\(condition)")
    while try rows.step() {
      for index in 0..<2 { try update.bind(index + 1, rows.integer(index)) }
      if entity != nil { try update.bind(3, rows.integer(2)) }
      if order != nil { try update.bind(4, rows.integer(3)) }
      try update.run(inTable: table)
    }
  }

  private func put(_ slot: Int, in join: CoreDataStore.Join) throws(FerryError) {
    var columns = join.sides.map(\.column)
    // The objects of a side are ordered as in the lists of the other side.
    let orders = (0...1).filter { join.order(ofSide: 1 - $0) != nil }
    columns += orders.compactMap { join.order(ofSide: 1 - $0) }
    let beginning = try connection.insertion(into: join.table)
    let positions = ["(l.position + 1) * \(Self.orderStep)", "(b.position + 1) * \(Self.orderStep)"]
    for side in 0...1 {
      let keys = side == 0 ? "l.owner, l.pk" : "l.pk, l.owner"
      let values = [keys] + orders.map { positions[$0 == side ? 0 : 1] }
      let insertion = try connection.statement(
        """
        \(beginning) (\(columns.map(quotedName).joined(separator: ", ")))
        SELECT \(values.joined(separator: ", ")) FROM ferry_links l
        LEFT JOIN ferry_links b ON b.slot = ?1 AND b.side = ?3 AND b.owner = l.pk AND b.pk = l.owner
        WHERE l.slot = ?1 AND l.side = ?2\(side == 0 ? "" : " AND b.owner IS NULL")
        """)
      for (index, value) in [slot, side, 1 - side].enumerated() {
        try insertion.bind(index + 1, Int64(value))
      }
      try insertion.run(inTable: join.table)
    }
  }
}

extension SQLiteStatement {
  /// Binds integers to the parameters in order (nil as NULL), and runs the statement.
  fileprivate func insert(_ values: Int64?...) throws(FerryError) {
    for (index, value) in values.enumerated() {
      if let value { try bind(index + 1, value) } else { try bindNull(index + 1) }
    }
    defer { reset() }
    _ = try step()
  }

  /// Runs a statement that returns no rows, and resets it.
  func run(inTable table: String) throws(FerryError) {
    defer { reset() }
    do throws(FerryError) {
      _ = try step()
    } catch {
      throw error.placed(inTable: table)
    }
  }
}
