/// A problem in an SQLite database, or in records to write to one.
public enum DatabaseProblem: Hashable, Sendable {
  /// Ferry was built without the trait `SQLite`.
  case notBuiltIn
  /// The file is not a database, or is encrypted.
  case notADatabase
  /// Another process has locked the database.
  case locked
  /// The file is damaged: the location, and SQLite's message.
  case damaged(location: String, words: String)
  /// SQLite has rejected a statement: the location, and SQLite's message.
  case refused(location: String, words: String)
  /// A view, a trigger or another definition in the file uses a function or a virtual table that SQLite does not count as innocuous: the
  /// location, and the name as in SQLite's messages, such as `load_extension()` or `virtual table "f"`. SQLite 3.38 to 3.40 count JSON functions
  /// so, which Ferry allows in a view, but not in a trigger.
  case untrusted(location: String, name: String)
  /// A change to the database was interrupted, and must be completed or rolled back before the database can
  /// be read.
  case interrupted
  /// The database has no table with this name, with the names of its tables.
  case unknownTable(String, known: [String])
  /// A schema needs a single table, but the database has several, with their names. `ReadingOptions.table` names one.
  case whichTable(known: [String])
  /// A table of cells needs a single table, but the database has several, with their names.
  case severalTables([String])
  /// A virtual table, whose contents an SQLite module computes.
  case virtualTable(String)
  /// A view that uses a virtual table, itself or through another view.
  case viewOfVirtualTable(String)
  /// Rows were to be added to a view.
  case viewForRows(String)
  /// Rows were to be added to a table that SQLite or Ferry keeps for other tables, such as `sqlite_sequence`.
  case internalTable(String)
  /// A table was requested, but the file is not a database.
  case noTables(format: String)
  /// A value that is not a record, and therefore not a row of a table.
  case notARow(found: String)
  /// A value that is not a list of records, and therefore not a table.
  case notATable(found: String)
  /// Two keys that SQLite considers the same column, because it ignores case.
  case sameColumn(String, String)
  /// Two tables that SQLite considers the same, because it ignores case.
  case sameTable(String, String)
  /// The table contains records of another version than those to add.
  case otherVersion(table: String, stored: Int, added: Int)
  /// A key without a column in an existing table.
  case noColumn(String, table: String)
  /// Records with more different keys than SQLite allows columns in a table.
  case tooManyColumns(table: String, limit: Int)
  /// A trigger of the table has left out, or removed, the row of a record.
  case droppedByTrigger(table: String)
  /// A trigger has removed objects of a Core Data store while others were added.
  case removedByTrigger(table: String)
  /// A name that is not allowed for a table or column, such as `sqlite_x` for a table.
  case badName(String)
  /// An integer that the type of the column cannot represent.
  case integerRange(String, column: String)
  /// A path was given for a database, whose values are only read as a whole or selected.
  case noPaths
  /// A representation in which databases cannot be written.
  case onlyPlain
  /// A change that would rewrite the database from its records, and lose everything else.
  case notRewritten
  /// The records of a database were to be added to the same database.
  case addedToItself
  /// A log or journal next to the path of a new database, which SQLite would apply to the database.
  case logBeside(String)
  /// The log or the journal beside a database is a pipe, a device or a folder: its path.
  case noFileBeside(String)
  /// A new Core Data store was requested, but no template was given: a store with the same objects.
  case needsTemplate
  /// The template is a database, but not a Core Data store.
  case notAStore
  /// The store has no writable entity with this name, with the names of its writable entities.
  case unknownEntity(String, known: [String])
  /// The entity of the records is unknown, with the names of the store's entities.
  case whichEntity(known: [String])
  /// A value that is not the objects of a store.
  case notObjects
  /// A key without a property in the entity.
  case noAttribute(String, entity: String)
  /// Two records that name the same object.
  case sameObject(String)
  /// An object that occurs twice in a list of objects.
  case sameTwice(String)
  /// A reference to an object that does not exist.
  case noObject(String)
  /// A relationship that contradicts its inverse: the two objects, and the name of the inverse.
  case contradiction(String, String, String)
  /// An object with two owners in a to-one relationship.
  case secondOwner(String)
  /// An entity whose primary keys are used up.
  case noKeyLeft(String)
}

extension DatabaseProblem: CustomStringConvertible {
  /// The problem in one sentence, without a period.
  public var description: String {
    switch self {
    case .notBuiltIn:
      "this is an SQLite database, which this build of Ferry does not read (its package trait SQLite is off)"
    case .notADatabase: "this is not an SQLite database, or it is encrypted"
    case .locked: "the database is locked: another program is using it"
    case .damaged(let location, let words): Self.sentence(location, "the database is damaged (\(words))")
    case .refused(let location, let words): Self.sentence(location, words)
    case .untrusted(let location, let name):
      Self.sentence(location, "a definition in the database uses \(name), which Ferry does not run")
    case .interrupted: "a change to the database was interrupted, and the files beside it do not complete it"
    case .unknownTable(let name, let known):
      "no table \(MessageText.quoted(name)); \(Self.list(known))"
    case .whichTable(let known):
      "a schema applies to the records of one table; \(Self.list(known))"
    case .severalTables(let known):
      "the output has room for one table; \(Self.list(known))"
    case .virtualTable(let name):
      "the table \(MessageText.quoted(name)) is virtual: a module computes it, which Ferry does not run"
    case .viewOfVirtualTable(let name):
      "the view \(MessageText.quoted(name)) uses a virtual table: a module computes it, which Ferry does not run"
    case .viewForRows(let name):
      "\(MessageText.quoted(name)) is a view, but rows are added only to tables"
    case .internalTable(let name):
      "SQLite or Ferry keeps the table \(MessageText.quoted(name)) for other tables, so no rows can be added to it"
    case .noTables(let format): "only a database has tables, and this is \(format)"
    case .notARow(let found): "expected a dictionary as the row of a table, found \(found)"
    case .notATable(let found):
      "expected a dictionary of tables, each an array of records, found \(found)"
    case .sameColumn(let first, let second):
      Self.same(first, second, "column")
    case .sameTable(let first, let second): Self.same(first, second, "table")
    case .otherVersion(let table, let stored, let added):
      "the table \(MessageText.quoted(table)) has records of version \(stored), and these are of version \(added) "
        + "(convert the database with the schema into a new one first)"
    case .noColumn(let name, let table):
      "the table \(MessageText.quoted(table)) has no column \(MessageText.quoted(name))"
    case .tooManyColumns(let table, let limit):
      "the table \(MessageText.quoted(table)) would have more than \(limit) columns, which SQLite does not allow"
    case .droppedByTrigger(let table):
      "a trigger of the table \(MessageText.quoted(table)) leaves out this record, removes it or renumbers its row"
    case .removedByTrigger(let table):
      "triggers of the table \(MessageText.quoted(table)) remove objects while these are added"
    case .badName(let name): "\(MessageText.quoted(name)) cannot be the name of a table or a column"
    case .integerRange(let number, let column):
      "\(number) does not fit into the column \(MessageText.quoted(column)), which holds integers of 64 bits "
        + "(a column of text holds it, which a new table has for the type decimal of a schema)"
    case .noPaths: "values of a database are not read or changed by path"
    case .onlyPlain: "SQLite is written in the plain form only"
    case .notRewritten:
      "a database is not rewritten from its records, because it holds more than them"
    case .addedToItself: "the records of a database cannot be added to the same database"
    case .noFileBeside(let name):
      "\(MessageText.quoted(name)), which SQLite uses with the database, is not a file"
    case .logBeside(let name):
      "\(MessageText.quoted(name)) has changes of the earlier database, which SQLite would apply to the new one "
        + "(remove it with that database, or open and close the database in a program)"
    case .needsTemplate:
      "a new Core Data store needs the model of an app"
    case .notAStore: "this is not a Core Data store"
    case .unknownEntity(let name, let known):
      "no entity \(MessageText.quoted(name)); \(Self.list(known))"
    case .whichEntity(let known):
      "the records belong to one entity; \(Self.list(known))"
    case .notObjects: "expected a dictionary of entities, each a list of records, for a Core Data store"
    case .noAttribute(let key, let entity):
      "the entity \(MessageText.quoted(entity)) has no attribute or relationship \(MessageText.quoted(key))"
    case .sameObject(let name): "the object \(MessageText.quoted(name)) already exists"
    case .sameTwice(let name): "the list names \(MessageText.quoted(name)) twice"
    case .noObject(let name): "no object \(MessageText.quoted(name)) exists"
    case .contradiction(let owner, let other, let relationship):
      "the \(relationship) of \(MessageText.quoted(other)) does not have \(MessageText.quoted(owner))"
    case .secondOwner(let name): "\(MessageText.quoted(name)) is also in the list of another object"
    case .noKeyLeft(let entity): "the entity \(MessageText.quoted(entity)) has no free key left"
    }
  }

  private static func same(_ first: String, _ second: String, _ what: String) -> String {
    "the keys \(MessageText.quoted(first)) and \(MessageText.quoted(second)) would be one \(what): "
      + "SQLite does not distinguish upper and lower case"
  }

  private static func sentence(_ location: String, _ words: String) -> String {
    location.isEmpty ? words : "\(location): \(words)"
  }

  /// Returns the first names in words: `there are "a", "b"`.
  package static func list(_ names: [String]) -> String {
    guard !names.isEmpty else { return "there are none" }
    let first = names.prefix(20).map { MessageText.quoted($0) }.joined(separator: ", ")
    return "there \(names.count == 1 ? "is" : "are") \(first)" + (names.count > 20 ? ", …" : "")
  }
}

extension DatabaseProblem {
  /// The stable identifier of the problem for programs. It never changes.
  var code: String {
    switch self {
    case .notBuiltIn: "not-built-in"
    case .notADatabase: "not-a-database"
    case .locked: "locked"
    case .damaged: "damaged"
    case .refused: "refused"
    case .untrusted: "untrusted"
    case .interrupted: "interrupted"
    case .unknownTable: "unknown-table"
    case .whichTable: "which-table"
    case .severalTables: "several-tables"
    case .virtualTable: "virtual-table"
    case .viewOfVirtualTable: "view-of-virtual-table"
    case .noTables: "no-tables"
    case .notARow: "not-a-row"
    case .notATable: "not-a-table"
    case .sameColumn: "same-column"
    case .sameTable: "same-table"
    case .otherVersion: "other-version"
    case .noColumn: "no-column"
    case .tooManyColumns: "too-many-columns"
    case .viewForRows: "view-for-rows"
    case .internalTable: "internal-table"
    case .droppedByTrigger: "dropped-by-trigger"
    case .removedByTrigger: "removed-by-trigger"
    case .badName: "bad-name"
    case .integerRange: "integer-range"
    case .noPaths: "no-paths"
    case .onlyPlain: "only-plain"
    case .notRewritten: "not-rewritten"
    case .addedToItself: "added-to-itself"
    case .logBeside: "log-beside"
    case .noFileBeside: "no-file-beside"
    case .needsTemplate: "needs-template"
    case .notAStore: "not-a-store"
    case .unknownEntity: "unknown-entity"
    case .whichEntity: "which-entity"
    case .notObjects: "not-objects"
    case .noAttribute: "no-attribute"
    case .sameObject: "same-object"
    case .sameTwice: "same-twice"
    case .noObject: "no-object"
    case .contradiction: "contradiction"
    case .secondOwner: "second-owner"
    case .noKeyLeft: "no-key-left"
    }
  }
}
