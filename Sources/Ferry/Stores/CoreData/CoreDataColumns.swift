/// What the columns of an entity's table are to its objects.
///
///     ZFIRSTNAME VARCHAR      firstName, or firstname where there is no model
///     ZTIMESTAMP TIMESTAMP    timestamp, a date
///     ZFOLDER, Z6_FOLDER      folder, an object of the entity that the second says
///     ZFOLDER1                folder, of another entity in the same table
struct CoreDataColumns {
  enum Kind {
    /// Nil for a type that neither the model nor the declaration says.
    case attribute(CoreDataType?)
    /// The key of an object of an entity, or of that which another column says.
    case reference(entity: String, column: Int?)
  }

  struct Column {
    let index: Int
    let name: String
    let kind: Kind
    /// What the model says of it.
    let property: CoreDataModel.Property?
    /// Left out where it is NULL: it belongs to another entity, or another column has the value.
    let isShared: Bool
  }

  /// Where the key and the entity's number are.
  let key: Int
  let entity: Int?
  let columns: [Column]
  /// The names of all columns of the table.
  let stored: [String]

  /// Nil when the table has no keys.
  init?(
    _ statement: SQLiteStatement, of entity: CoreDataStore.Entity, in store: CoreDataStore,
    spelling: [String: String]
  ) {
    let names = (0..<statement.columnCount).map(statement.name)
    guard let key = names.firstIndex(of: "Z_PK") else { return nil }
    self.key = key
    self.entity = names.firstIndex(of: "Z_ENT")
    stored = names
    let properties = store.properties(of: entity)
    var byName: [String: CoreDataModel.Property] = [:]
    for property in properties ?? [] {
      byName[property.name.uppercased()] = byName[property.name.uppercased()] ?? property
    }
    // Z6_FOLDER is beside ZFOLDER.
    var entityColumns: [String: Int] = [:]
    for (index, name) in names.enumerated() {
      guard !name.hasPrefix("Z_"), let (_, base) = CoreDataStore.numbered(name), names.contains("Z" + base)
      else {
        continue
      }
      entityColumns["Z" + base] = index
    }
    var columns: [Column] = []
    var taken: Set<String> = ["objectID"]
    for (index, name) in names.enumerated() {
      guard !["Z_PK", "Z_ENT", "Z_OPT"].contains(name), !entityColumns.values.contains(index) else {
        continue
      }
      guard !Self.isOrder(name, of: properties) else { continue }
      let bare = name.hasPrefix("Z") ? String(name.dropFirst()) : name
      let property = byName[bare] ?? byName[Self.withoutNumber(bare)]
      var shown = property?.name ?? spelling[bare.lowercased()] ?? bare.lowercased()
      let isShared = (properties != nil && property == nil) || taken.contains(shown)
      // Two columns of one property: the second is for another entity, and nearly always NULL.
      if taken.contains(shown) { shown = bare.lowercased() }
      while taken.contains(shown) { shown += "_" }
      taken.insert(shown)
      columns.append(
        Column(
          index: index, name: shown,
          kind: Self.kind(property, declared: statement.declaredType(index), entityColumns[name]),
          property: property, isShared: isShared))
    }
    self.columns = columns
  }

  private static func withoutNumber(_ name: String) -> String {
    guard let last = name.lastIndex(where: { !($0.isASCII && $0.isNumber) }) else { return name }
    return String(name[...last])
  }

  /// Whether a column only says in which order objects come, and the list of them is read: `Z_FOK_GROUP`.
  private static func isOrder(_ name: String, of properties: [CoreDataModel.Property]?) -> Bool {
    guard name.hasPrefix(CoreDataStore.orderPrefix) else { return false }
    return (properties ?? []).contains { property in
      guard case .toOne(_, .some) = property.kind else { return false }
      return CoreDataStore.orderPrefix + property.name.uppercased() == name
    }
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
  /// Names that no column has: without a model two may be the same in small letters.
  func distinct(_ names: [String]) -> [String] {
    var taken = Set(columns.map(\.name)).union(["objectID"])
    return names.map { name in
      var name = name
      while !taken.insert(name).inserted { name += "_" }
      return name
    }
  }
}
