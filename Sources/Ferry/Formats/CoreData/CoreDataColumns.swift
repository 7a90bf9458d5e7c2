/// The columns of an entity's table with their meaning for objects.
///
///     ZFIRSTNAME VARCHAR      firstName, or firstname if there is no model
///     ZTIMESTAMP TIMESTAMP    timestamp, a date
///     ZFOLDER, Z6_FOLDER      folder, an object of the entity in the second column
///     ZFOLDER1                folder, of another entity in the same table
struct CoreDataColumns {
  enum Kind {
    /// An attribute; nil if neither the model nor the declaration gives its type.
    case attribute(CoreDataType?)
    /// The key of an object of an entity, or of the entity in another column.
    case reference(entity: String, column: Int?)
  }

  struct Column {
    let index: Int
    let name: String
    let kind: Kind
    /// The property in the model.
    let property: CoreDataModel.Property?
    /// True if the column is left out when it is NULL: it belongs to another entity, or another column has
    /// the value.
    let isShared: Bool
  }

  /// The columns of the key and of the entity's number.
  let key: Int
  let entity: Int?
  let columns: [Column]
  /// The names of all columns in the table.
  let stored: [String]

  /// Creates the columns; nil if the table has no keys.
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
      // If a property has two columns, the second belongs to another entity and is nearly always NULL.
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

  /// Returns true if a column has only the order of objects, which their list already has: `Z_FOK_GROUP`.
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
  /// Returns names that no column has. Without a model two may be equal in lower case.
  func distinct(_ names: [String]) -> [String] {
    var taken = Set(columns.map(\.name)).union(["objectID"])
    return names.map { name in
      var name = name
      while !taken.insert(name).inserted { name += "_" }
      return name
    }
  }
}
