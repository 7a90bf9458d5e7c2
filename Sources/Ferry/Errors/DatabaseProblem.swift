/// What can be wrong with an SQLite database, or with records that are to become a table of one.
public enum DatabaseProblem: Hashable, Sendable {
  /// Ferry was built without its trait `SQLite`.
  case notBuiltIn
  /// The file is no database, or an encrypted one.
  case notADatabase
  /// Another process keeps the database for itself.
  case locked
  /// Pages of the file do not fit together; where, and SQLite's own words.
  case damaged(place: String, words: String)
  /// SQLite refuses a statement; where, and its own words.
  case refused(place: String, words: String)
  /// A change to the database was interrupted, and has to be completed or taken back before it is read.
  case interrupted
  /// There is no table of this name; those there are.
  case unknownTable(String, known: [String])
  /// A schema is for the records of one table; those there are.
  case whichTable(known: [String])
  /// A table whose content a module computes.
  case virtualTable(String)
  /// A table is asked for of a file that is no database.
  case noTables(format: String)
  /// What stands where a record, which is a row of a table, should stand.
  case notARow(found: String)
  /// What stands where the records of a table should stand.
  case notATable(found: String)
  /// Two keys that SQLite takes for one, because it does not tell capitals from small letters.
  case sameColumn(String, String)
  /// Two tables that SQLite takes for one.
  case sameTable(String, String)
  /// A key that the table, which is there already, has no column for.
  case noColumn(String, table: String)
  /// A name that no table or column can have.
  case badName(String)
  /// An integer that the column's type does not hold.
  case integerRange(String, column: String)
  /// A value is asked for by its path.
  case noPaths
  /// A form in which databases are not written.
  case onlyPlain
  /// A database whose records are to be changed as those of a document: the rest of it would be lost.
  case notRewritten
  /// A file with changes of the database whose place a new one would take.
  case logBeside(String)
  /// A Core Data store that is to be made of nothing.
  case needsTemplate
  /// The template of a store is a database of another kind.
  case notAStore
  /// A store has no entity of this name whose objects could be written; those it has.
  case unknownEntity(String, known: [String])
  /// Records of which nothing says what entity they are of; those that the store has.
  case whichEntity(known: [String])
  /// What stands where objects of a store should stand.
  case notObjects
  /// A key that the objects of an entity have nothing for.
  case noAttribute(String, entity: String)
  /// Two records with the name of one object.
  case sameObject(String)
  /// An object that is twice in a list of objects.
  case sameTwice(String)
  /// The name of an object that is not there.
  case noObject(String)
  /// One object has another by a relationship, which the other denies: the two, and how the other's is called.
  case contradiction(String, String, String)
  /// An object that two others have, where there is room for one.
  case secondOwner(String)
  /// An entity all of whose keys are used up.
  case noKeyLeft(String)
}

extension DatabaseProblem: CustomStringConvertible {
  /// One sentence without a full stop.
  public var description: String {
    switch self {
    case .notBuiltIn:
      "this is an SQLite database, which this build of Ferry does not read (its package trait SQLite is off)"
    case .notADatabase: "this is not an SQLite database, or it is encrypted"
    case .locked: "the database is locked: another program is changing it"
    case .damaged(let place, let words): Self.sentence(place, "the database is damaged (\(words))")
    case .refused(let place, let words): Self.sentence(place, words)
    case .interrupted: "a change to the database was interrupted, and the files beside it do not complete it"
    case .unknownTable(let name, let known):
      "there is no table \(quotedForMessage(name)); \(Self.list(known))"
    case .whichTable(let known):
      "a schema is for the records of one table (--table names it); \(Self.list(known))"
    case .virtualTable(let name):
      "the table \(quotedForMessage(name)) is virtual: a module computes it, which Ferry does not run"
    case .noTables(let format): "--table is for databases, and this is \(format)"
    case .notARow(let found): "a row of a table is a dictionary, found \(found)"
    case .notATable(let found):
      "a database is a dictionary of tables, each an array of records, found \(found) "
        + "(--table NAME makes one table of the records)"
    case .sameColumn(let first, let second):
      Self.same(first, second, "column")
    case .sameTable(let first, let second): Self.same(first, second, "table")
    case .noColumn(let name, let table):
      "the table \(quotedForMessage(table)) has no column \(quotedForMessage(name))"
    case .badName(let name): "\(quotedForMessage(name)) cannot be the name of a table or a column"
    case .integerRange(let number, let column):
      "the column \(quotedForMessage(column)) is INTEGER, which holds 64 bits and not \(number)"
    case .noPaths:
      "paths do not lead into databases (`ferry convert --table NAME --to json` shows the rows)"
    case .onlyPlain: "SQLite is written in the plain form only (--form plain)"
    case .notRewritten:
      "a database is not merged or added to as a document is (`ferry convert --append --table NAME` adds records)"
    case .logBeside(let name):
      "\(quotedForMessage(name)) has changes of the database that was there, which would be taken for this one's; "
        + "it is removed with that database, or when a program opens and closes it"
    case .needsTemplate:
      "a Core Data store is made by an app, of its model: --template STORE makes a copy of one with these objects, "
        + "--append adds them to one that is there"
    case .notAStore: "this is no Core Data store"
    case .unknownEntity(let name, let known):
      "there is no entity \(quotedForMessage(name)); \(Self.list(known))"
    case .whichEntity(let known): "the records are of one entity (--table names it); \(Self.list(known))"
    case .notObjects: "a Core Data store is a dictionary of entities, each a list of records"
    case .noAttribute(let key, let entity):
      "the entity \(quotedForMessage(entity)) has no attribute or relationship \(quotedForMessage(key))"
    case .sameObject(let name): "there is an object \(quotedForMessage(name)) already"
    case .sameTwice(let name): "the list has \(quotedForMessage(name)) twice"
    case .noObject(let name): "there is no object \(quotedForMessage(name))"
    case .contradiction(let owner, let other, let relationship):
      "the \(relationship) of \(quotedForMessage(other)) does not have \(quotedForMessage(owner))"
    case .secondOwner(let name): "\(quotedForMessage(name)) is in the list of another object too"
    case .noKeyLeft(let entity): "the entity \(quotedForMessage(entity)) has no key left"
    }
  }

  private static func same(_ first: String, _ second: String, _ what: String) -> String {
    "the keys \(quotedForMessage(first)) and \(quotedForMessage(second)) would be one \(what): "
      + "SQLite does not tell capitals from small letters"
  }

  private static func sentence(_ place: String, _ words: String) -> String {
    place.isEmpty ? words : "\(place): \(words)"
  }

  private static func list(_ names: [String]) -> String {
    guard !names.isEmpty else { return "there are none" }
    let first = names.prefix(20).map { quotedForMessage($0) }.joined(separator: ", ")
    return "there \(names.count == 1 ? "is" : "are") \(first)" + (names.count > 20 ? ", …" : "")
  }
}
