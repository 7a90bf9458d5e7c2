extension Inspection {
  /// The tables of a database, or the entities of a Core Data store.
  public struct Store: Hashable, Sendable {
    /// True if the database is a Core Data store.
    public internal(set) var isCoreData = false
    /// The identifier of the store.
    public internal(set) var uuid: String?
    /// The tables in the order in which they are read: entities first, views and virtual tables last.
    public internal(set) var tables: [Table] = []

    /// A table, with the number of its rows.
    public struct Table: Hashable, Sendable {
      /// The kind of a table. The raw value is its name in `ferry inspect --json`.
      public enum Kind: String, Sendable {
        /// A table of the database.
        case table
        /// A view.
        case view
        /// A virtual table, whose rows a module makes.
        case virtual
        /// An entity of a Core Data store.
        case entity
      }

      /// The name of the table, view or entity.
      public internal(set) var name: String
      /// The kind of the table.
      public internal(set) var kind: Kind
      /// The number of rows. Nil for views and virtual tables, because counting would run code of the
      /// database.
      public internal(set) var rows: Int?
      /// For an entity, the name of the table that stores its objects.
      public internal(set) var table: String?
      /// The columns of the table, or the properties of the entity.
      public internal(set) var columns: [Column] = []
    }

    /// A column with its declared type, or a property of an entity with its type.
    public struct Column: Hashable, Sendable {
      /// The name of the column or property.
      public internal(set) var name: String
      /// The declared type of the column, or the type of the property; nil if it has none.
      public internal(set) var type: String?
    }
  }
}

extension Inspection.Store {
  /// Lists the tables of an open database.
  init(_ file: SQLiteFile, budget: Budget, warnings: inout Inspection.Warnings) throws(FerryError) {
    let connection = file.connection
    // The transaction that this begins gives the counts and the columns of one state of the database.
    let tables = try file.tables().filter { !$0.isInternal }
    let store = try file.store(budget: budget)
    isCoreData = store != nil
    if let store {
      uuid = try Self.uuid(connection)
      for entity in store.entities { self.tables.append(try Table(entity, of: store, connection)) }
    }
    for table in store?.otherTables ?? tables.filter({ $0.kind == .table }) {
      self.tables.append(try Table(table, connection))
    }
    for table in tables where table.kind != .table {
      do throws(FerryError) { self.tables.append(try Table(table, connection)) } catch {
        // A view may name columns that its tables no longer have, and functions that only its app has.
        guard table.kind == .view else { throw error }
        self.tables.append(Table(brokenView: table.name))
        warnings.add(.brokenView, "the view \(MessageText.name(table.name)): \(error.reason)")
      }
    }
  }

  private static func uuid(_ connection: SQLiteConnection) throws(FerryError) -> String? {
    let rows = try connection.statement("SELECT * FROM Z_METADATA LIMIT 1")
    guard try rows.step() else { return nil }
    for index in 0..<rows.columnCount where rows.name(index) == "Z_UUID" && rows.kind(index) == .text {
      return try rows.text(index)
    }
    return nil
  }
}

extension Inspection.Store.Table {
  fileprivate init(brokenView name: String) { (self.name, kind) = (name, .view) }

  fileprivate init(_ table: SQLiteTable, _ connection: SQLiteConnection) throws(FerryError) {
    name = table.name
    switch table.kind {
    case .table:
      kind = .table
      rows = try connection.count("SELECT count(*) FROM \(quotedName(table.name)) NOT INDEXED", of: table)
    case .view: kind = .view
    case .virtual:
      kind = .virtual
      return
    }
    do throws(FerryError) { columns = try Self.columns(of: table, connection) } catch {
      // Only the module knows the columns of a virtual table.
      guard case .database(.viewOfVirtualTable) = error.reason else { throw error }
    }
  }

  private static func columns(
    of table: SQLiteTable, _ connection: SQLiteConnection
  ) throws(FerryError) -> [Inspection.Store.Column] {
    let statement = try connection.rows(of: table)
    return (0..<statement.columnCount).map {
      Inspection.Store.Column(name: statement.name($0), type: statement.declaredType($0))
    }
  }

  fileprivate init(
    _ entity: CoreDataStore.Entity, of store: CoreDataStore, _ connection: SQLiteConnection
  ) throws(FerryError) {
    (name, kind) = (entity.name, .entity)
    guard let table = store.table(of: entity) else {
      rows = 0
      return
    }
    self.table = table.name
    let condition = store.condition(for: entity, in: table)
    rows = try connection.count(
      "SELECT count(*) FROM \(quotedName(table.name)) NOT INDEXED WHERE \(condition)", of: table)
    let statement = try connection.rows(of: table)
    guard let found = CoreDataColumns(statement, of: entity, in: store, spelling: [:]) else { return }
    columns = found.columns.map { column in
      Inspection.Store.Column(
        name: column.name, type: column.kind.target ?? statement.declaredType(column.index))
    }
    for relationship in try store.toMany(of: entity, besides: found) {
      columns.append(
        Inspection.Store.Column(name: relationship.name, type: "[\(relationship.entity.name)]"))
    }
  }
}

extension CoreDataColumns.Kind {
  /// The target entity of a relationship, or nil for an attribute.
  fileprivate var target: String? {
    if case .reference(let entity, _) = self { entity.isEmpty ? "object" : entity } else { nil }
  }
}

extension SQLiteConnection {
  fileprivate func count(_ sql: String, of table: SQLiteTable) throws(FerryError) -> Int {
    do throws(FerryError) {
      let rows = try statement(sql)
      return try rows.step() ? Int(rows.integer(0)) : 0
    } catch {
      throw error.placed(in: table)
    }
  }
}
