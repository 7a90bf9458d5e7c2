/// The columns in which a table keeps the properties of its entities.
///
/// Entities that inherit from one share its table. Core Data gives them their columns in the order of their numbers, the
/// attributes of each entity before its relationships, by name. If the column of a property's name is taken, the property
/// gets the first number that makes another:
///
///     4 Attachment.title                ZTITLE
///     5 Note.title, Note.title1         ZTITLE1, ZTITLE11
///     6 Folder.title                    ZTITLE2
struct CoreDataColumnNames {
  /// Each entity's own properties, by their columns.
  private var properties: [Int64: [SQLiteName: CoreDataModel.Property]] = [:]
  /// The names of all columns of the table.
  private let stored: [SQLiteName: String]
  /// The columns that are a property's.
  private var taken: Set<SQLiteName> = []
  /// The last number that has been tried for a name.
  private var suffixes: [SQLiteName: Int] = [:]
  /// True if every property has a column.
  private(set) var isComplete = true

  /// The columns of a table, whose entities come in the order of their numbers.
  init(
    _ entities: [(number: Int64, own: [CoreDataModel.Property])], in stored: [String],
    keepingNames: Bool = false
  ) {
    self.stored = Dictionary(stored.map { (SQLiteName($0), $0) }, uniquingKeysWith: { first, _ in first })
    if keepingNames { takeOwnNames(entities) }
    for (number, own) in entities {
      for property in own.filter(\.hasColumn).sorted(by: Self.isBefore) { take(property, of: number) }
    }
  }

  /// Gives columns first to the properties whose names they have, in case a store was made by other rules.
  private mutating func takeOwnNames(_ entities: [(number: Int64, own: [CoreDataModel.Property])]) {
    for (number, own) in entities {
      for property in own.filter(\.hasColumn).sorted(by: Self.isBefore) {
        let name = SQLiteName(Self.column(of: property.name))
        guard stored[name] != nil, taken.insert(name).inserted else { continue }
        properties[number, default: [:]][name] = property
      }
    }
  }

  private mutating func take(_ property: CoreDataModel.Property, of number: Int64) {
    let column = Self.column(of: property.name)
    let plain = SQLiteName(column)
    if let known = properties[number]?[plain], known.name.hasSameBytes(as: property.name) { return }
    var name = plain
    while taken.contains(name) {
      let suffix = suffixes[plain, default: 0] + 1
      suffixes[plain] = suffix
      name = SQLiteName(column + String(suffix))
    }
    guard stored[name] != nil else { return isComplete = false }
    taken.insert(name)
    properties[number, default: [:]][name] = property
  }

  private static func column(of property: String) -> String { "Z" + property.uppercased() }

  private static func isBefore(_ a: CoreDataModel.Property, _ b: CoreDataModel.Property) -> Bool {
    guard a.isAttribute == b.isAttribute else { return a.isAttribute }
    return a.name.utf8.lexicographicallyPrecedes(b.name.utf8)
  }

  /// True if the table has a column.
  func has(_ column: String) -> Bool { stored[SQLiteName(column)] != nil }

  /// The entity's own property that a column has; nil if the column is another's.
  func property(inColumn column: String, ofEntity number: Int64) -> CoreDataModel.Property? {
    properties[number]?[SQLiteName(column)]
  }

  /// The column of an entity's own property.
  func column(of property: String, ofEntity number: Int64) -> String? {
    let found = properties[number]?.first { $0.value.name.hasSameBytes(as: property) }
    return found.flatMap { stored[$0.key] }
  }
}

extension CoreDataModel.Property {
  /// True if the property is an attribute and no relationship.
  fileprivate var isAttribute: Bool {
    if case .attribute = kind { true } else { false }
  }

  /// True if the objects' own table has the property. What leads to many objects is in theirs, or in one that joins both.
  fileprivate var hasColumn: Bool {
    if case .toMany = kind { false } else { true }
  }
}

extension CoreDataStore {
  /// The columns of each table of entities, as the model says them.
  func findColumnNames(on connection: SQLiteConnection) throws(Failure) -> [String: CoreDataColumnNames] {
    guard model != nil else { return [:] }
    var found: [String: CoreDataColumnNames] = [:]
    for (table, numbers) in entitiesOfTable {
      let rows = try connection.statement("SELECT * FROM \(quotedName(table))")
      let stored = (0..<rows.columnCount).map(rows.name)
      let entities = numbers.sorted().compactMap(entity).map {
        (number: $0.number, own: ownProperties(of: $0))
      }
      let names = CoreDataColumnNames(entities, in: stored)
      let others = names.isComplete ? names : CoreDataColumnNames(entities, in: stored, keepingNames: true)
      found[table] = others.isComplete ? others : names
    }
    return found
  }

  /// The properties that an entity has and those it inherits from have not.
  private func ownProperties(of entity: Entity) -> [CoreDataModel.Property] {
    guard let model, let own = model.properties[entity.name] else { return [] }
    var inherited: Set<[UInt8]> = []
    for ancestor in chain(of: entity).dropFirst() {
      for property in model.properties[ancestor.name] ?? [] { inherited.insert(Array(property.name.utf8)) }
    }
    return own.filter { !inherited.contains(Array($0.name.utf8)) }
  }

  /// The property that an entity's objects have in a column of their table; nil if the column is another entity's.
  func property(inColumn column: String, of entity: Entity) -> CoreDataModel.Property? {
    guard let names = columnNames(of: entity) else { return nil }
    return chain(of: entity).lazy.compactMap { names.property(inColumn: column, ofEntity: $0.number) }.first
  }

  /// The column in which an entity's objects have a property; nil if their table has none.
  func column(of property: String, of entity: Entity) -> String? {
    guard let names = columnNames(of: entity) else { return nil }
    return chain(of: entity).lazy.compactMap { names.column(of: property, ofEntity: $0.number) }.first
  }
}
