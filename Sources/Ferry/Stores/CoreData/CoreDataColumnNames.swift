/// The columns in which a table stores the properties of its entities.
///
/// An entity and the entities that inherit from it share a table. Core Data assigns columns in the order of
/// the entities' numbers; within an entity, attributes come before relationships, each sorted by name. If the
/// column for a property's name is taken, the lowest number that makes the name unique is appended:
///
///     4 Attachment.title                ZTITLE
///     5 Note.title, Note.title1         ZTITLE1, ZTITLE11
///     6 Folder.title                    ZTITLE2
struct CoreDataColumnNames {
  /// The properties that each entity declares itself, by column.
  private var properties: [Int64: [SQLiteName: CoreDataModel.Property]] = [:]
  /// The columns of these properties, by name.
  private var columns: [Int64: [ExactString: SQLiteName]] = [:]
  /// The names of all columns in the table.
  private let stored: [SQLiteName: String]
  /// The columns that are assigned to a property.
  private var taken: Set<SQLiteName> = []
  /// The last number that was appended to each name.
  private var suffixes: [SQLiteName: Int] = [:]
  /// True if every property has a column.
  private(set) var isComplete = true

  /// Assigns the columns of a table. The entities must be sorted by number.
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

  /// First assigns to each property the column with its own name, in case the store follows other rules.
  private mutating func takeOwnNames(_ entities: [(number: Int64, own: [CoreDataModel.Property])]) {
    for (number, own) in entities {
      for property in own.filter(\.hasColumn).sorted(by: Self.isBefore) {
        let name = SQLiteName(Self.column(of: property.name))
        guard stored[name] != nil, taken.insert(name).inserted else { continue }
        assign(name, to: property, of: number)
      }
    }
  }

  private mutating func take(_ property: CoreDataModel.Property, of number: Int64) {
    let column = Self.column(of: property.name)
    let plain = SQLiteName(column)
    if let known = properties[number]?[plain], known.name.equals(property.name) { return }
    var name = plain
    while taken.contains(name) {
      let suffix = suffixes[plain, default: 0] + 1
      suffixes[plain] = suffix
      name = SQLiteName(column + String(suffix))
    }
    guard stored[name] != nil else { return isComplete = false }
    taken.insert(name)
    assign(name, to: property, of: number)
  }

  private mutating func assign(
    _ column: SQLiteName, to property: CoreDataModel.Property, of number: Int64
  ) {
    properties[number, default: [:]][column] = property
    columns[number, default: [:]][ExactString(property.name)] = column
  }

  private static func column(of property: String) -> String { "Z" + property.uppercased() }

  private static func isBefore(_ a: CoreDataModel.Property, _ b: CoreDataModel.Property) -> Bool {
    guard a.isAttribute == b.isAttribute else { return a.isAttribute }
    return a.name.precedes(b.name)
  }

  /// Returns true if the table has a column.
  func has(_ column: String) -> Bool { stored[SQLiteName(column)] != nil }

  /// Returns the property that an entity declares itself in a column, or nil if the column belongs to another
  /// entity.
  func property(inColumn column: String, ofEntity number: Int64) -> CoreDataModel.Property? {
    properties[number]?[SQLiteName(column)]
  }

  /// Returns the column of a property that an entity declares itself.
  func column(of property: String, ofEntity number: Int64) -> String? {
    columns[number]?[ExactString(property)].flatMap { stored[$0] }
  }
}

extension CoreDataModel.Property {
  /// True if the property is an attribute rather than a relationship.
  fileprivate var isAttribute: Bool {
    if case .attribute = kind { true } else { false }
  }

  /// True if the property is a column of the objects' own table. A to-many relationship is stored in the
  /// table of its targets, or in a join table.
  fileprivate var hasColumn: Bool {
    if case .toMany = kind { false } else { true }
  }
}

extension CoreDataStore {
  /// Assigns the columns of each entity table to the properties of the model.
  func findColumnNames(
    on connection: SQLiteConnection
  ) throws(FerryError) -> [ExactString: CoreDataColumnNames] {
    guard model != nil else { return [:] }
    var found: [ExactString: CoreDataColumnNames] = [:]
    for (table, numbers) in entitiesOfTable {
      let rows = try connection.statement("SELECT * FROM \(quotedName(table.string))")
      let stored = rows.columnNames
      let entities = numbers.sorted().compactMap(entity).map {
        (number: $0.number, own: ownProperties(of: $0))
      }
      let names = CoreDataColumnNames(entities, in: stored)
      let others = names.isComplete ? names : CoreDataColumnNames(entities, in: stored, keepingNames: true)
      found[table] = others.isComplete ? others : names
    }
    return found
  }

  /// Returns the properties of an entity, excluding inherited ones.
  private func ownProperties(of entity: Entity) -> [CoreDataModel.Property] {
    guard let model, let own = model.properties[entity.name] else { return [] }
    var inherited: Set<ExactString> = []
    for ancestor in chain(of: entity).dropFirst() {
      for property in model.properties[ancestor.name] ?? [] { inherited.insert(property.name) }
    }
    return own.filter { !inherited.contains($0.name) }
  }

  /// Returns the property in a column of an entity's table, or nil if the column belongs to another entity.
  func property(inColumn column: String, of entity: Entity) -> CoreDataModel.Property? {
    guard let names = columnNames(of: entity) else { return nil }
    return chain(of: entity).lazy.compactMap { names.property(inColumn: column, ofEntity: $0.number) }.first
  }

  /// Returns the column of a property in an entity's table, or nil if there is none.
  func column(of property: String, of entity: Entity) -> String? {
    guard let names = columnNames(of: entity) else { return nil }
    return chain(of: entity).lazy.compactMap { names.column(of: property, ofEntity: $0.number) }.first
  }
}
