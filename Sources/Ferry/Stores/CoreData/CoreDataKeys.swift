/// Gives the objects of one table their keys: those that their names say, or the next that are free.
final class CoreDataKeys {
  private let root: CoreDataStore.Entity
  /// The highest key that has been used.
  private var highest: Int64

  /// The keys of the table of a root entity. Without `continuing` the table is empty, and its keys begin with 1.
  init(
    of root: CoreDataStore.Entity, in table: SQLiteTable, continuing: Bool, on connection: SQLiteConnection
  ) throws(Failure) {
    self.root = root
    highest = 0
    guard continuing else { return }
    let used = try connection.statement(
      "SELECT max(ifnull((SELECT max(Z_PK) FROM \(quotedName(table.name))), 0), "
        + "ifnull((SELECT Z_MAX FROM Z_PRIMARYKEY WHERE Z_ENT = \(root.number)), 0))")
    if try used.step() { highest = max(0, used.integer(0)) }
  }

  /// The next key, or the one that is asked for.
  func key(_ wanted: Int64?) throws(Failure) -> Int64 {
    let (next, overflows) = highest.addingReportingOverflow(1)
    guard let wanted else {
      guard !overflows else { throw Failure(.database(.noKeyLeft(root.name))) }
      highest = next
      return next
    }
    highest = max(highest, wanted)
    return wanted
  }

  /// Tells the store which keys have been used.
  func store(on connection: SQLiteConnection) throws(Failure) {
    try connection.execute(
      "UPDATE Z_PRIMARYKEY SET Z_MAX = max(ifnull(Z_MAX, 0), \(highest)) WHERE Z_ENT = \(root.number)")
  }
}
