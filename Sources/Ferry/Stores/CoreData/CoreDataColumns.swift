/// The columns of an entity's table, and the properties that they store.
///
///     ZFIRSTNAME VARCHAR      firstName, or firstname if there is no model
///     ZTIMESTAMP TIMESTAMP    timestamp, a date
///     ZFOLDER, Z6_FOLDER      folder, an object; the second column holds the number of its entity
///     ZFOLDER1                folder of another entity in the same table (`CoreDataColumnNames`)
struct CoreDataColumns {
  enum Kind {
    /// An attribute, with its type or nil if neither the model nor the column declaration determines it.
    case attribute(CoreDataType?)
    /// The key of an object. Its entity is fixed, or its number is in another column.
    case reference(entity: String, column: Int?)
  }

  struct Column {
    let index: Int
    let name: String
    let kind: Kind
    /// The property in the model.
    let property: CoreDataModel.Property?
    /// True if the column belongs to another entity of the table. NULL in it is left out.
    let isShared: Bool
  }

  /// The column of the key (`Z_PK`).
  let key: Int
  let entity: Int?
  let columns: [Column]
  /// The names of all columns of the table, in order.
  let stored: [String]
  /// The names of all columns, without an order.
  private let storedNames: Set<ExactString>

  /// Finds the columns. Fails if the table has no keys.
  init?(
    _ statement: borrowing SQLiteStatement, of entity: CoreDataStore.Entity, in store: CoreDataStore,
    spelling: [ExactString: String]
  ) {
    let names = statement.columnNames
    guard let key = names.firstIndex(of: "Z_PK") else { return nil }
    self.key = key
    self.entity = names.firstIndex(of: "Z_ENT")
    stored = names
    let storedNames = Set(names.map { ExactString($0) })
    self.storedNames = storedNames
    let properties = store.properties(of: entity)
    let entityColumns = Self.entityColumns(among: names, storedNames)
    let entityIndices = Set(entityColumns.values)
    var columns: [Column] = []
    var taken = Set((properties ?? []).map { ExactString($0.name) }).union(["objectID"])
    for (index, name) in names.enumerated() {
      guard !["Z_PK", "Z_ENT", "Z_OPT"].contains(name), !entityIndices.contains(index) else {
        continue
      }
      guard !Self.isOrder(name, of: entity, in: store) else { continue }
      let property = store.property(inColumn: name, of: entity)
      let shown = property?.name ?? Self.name(of: name, spelling, &taken)
      columns.append(
        Column(
          index: index, name: shown,
          kind: Self.kind(property, declared: statement.declaredType(index), entityColumns[name]),
          property: property, isShared: properties != nil && property == nil))
    }
    self.columns = columns
  }

  /// Returns the indices of the columns of entity numbers by the columns of keys: `Z6_FOLDER` holds the numbers for the keys in `ZFOLDER`.
  private static func entityColumns(
    among names: [String], _ storedNames: Set<ExactString>
  ) -> [ExactString: Int] {
    var found: [ExactString: Int] = [:]
    for (index, name) in names.enumerated() where !name.hasPrefix("Z_") {
      guard let (_, base) = CoreDataStore.numbered(name) else { continue }
      let column = ExactString("Z" + base)
      if storedNames.contains(column) { found[column] = index }
    }
    return found
  }

  /// Returns a unique record key for a column without a property in the model.
  private static func name(
    of column: String, _ spelling: [ExactString: String], _ taken: inout Set<ExactString>
  ) -> String {
    let bare = (column.hasPrefix("Z") ? String(column.dropFirst()) : column).lowercased()
    var name = spelling[bare] ?? bare
    while !taken.insert(name).inserted { name += "_" }
    return name
  }

  /// Returns true if a column holds only the order of objects (`Z_FOK_GROUP`), which the list of the objects
  /// already has.
  private static func isOrder(
    _ name: String, of entity: CoreDataStore.Entity, in store: CoreDataStore
  ) -> Bool {
    guard name.hasPrefix(CoreDataStore.orderPrefix) else { return false }
    let column = "Z" + name.dropFirst(CoreDataStore.orderPrefix.count)
    if case .toOne(_, .some) = store.property(inColumn: column, of: entity)?.kind { return true }
    return false
  }

  private static func kind(_ property: CoreDataModel.Property?, declared: String?, _ entityColumn: Int?)
    -> Kind
  {
    switch property?.kind {
    case .toOne(let entity, _): return .reference(entity: entity, column: entityColumn)
    case .attribute(let type?): return .attribute(type)
    case .attribute(nil), .toMany, nil: break
    }
    if entityColumn != nil { return .reference(entity: "", column: entityColumn) }
    return .attribute(CoreDataType(declared: declared))
  }
}

extension CoreDataColumns {
  /// Returns true if the table has a column with a name.
  func stores(_ name: String) -> Bool { storedNames.contains(ExactString(name)) }

  /// Returns names that differ from those of all columns. Without a model, two names may differ only in case.
  func distinct(_ names: [String]) -> [String] {
    var taken = Set(columns.map { ExactString($0.name) }).union(["objectID"])
    return names.map { name in
      var name = name
      while !taken.insert(name).inserted { name += "_" }
      return name
    }
  }
}
