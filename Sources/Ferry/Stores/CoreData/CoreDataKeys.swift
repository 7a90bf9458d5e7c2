/// The primary keys of the objects in one table: given by the objects' names, or the next unused ones.
final class CoreDataKeys {
  private let root: CoreDataStore.Entity
  /// The highest used key.
  private var highest: Int64

  /// Creates the keys for the table of a root entity. Unless `continuing` is true, the table is empty and the
  /// first key is 1.
  init(
    of root: CoreDataStore.Entity, in table: SQLiteTable, continuing: Bool, on connection: SQLiteConnection
  ) throws(FerryError) {
    self.root = root
    highest = 0
    guard continuing else { return }
    let used = try connection.statement(
      "SELECT max(ifnull((SELECT max(Z_PK) FROM \(quotedName(table.name))), 0), "
        + "ifnull((SELECT Z_MAX FROM Z_PRIMARYKEY WHERE Z_ENT = \(root.number)), 0))")
    if try used.step() { highest = max(0, used.integer(0)) }
  }

  /// Returns the requested key, or the next unused one.
  func key(_ wanted: Int64?) throws(FerryError) -> Int64 {
    let (next, overflows) = highest.addingReportingOverflow(1)
    guard let wanted else {
      guard !overflows else { throw FerryError(.database(.noKeyLeft(root.name))) }
      highest = next
      return next
    }
    highest = max(highest, wanted)
    return wanted
  }

  /// Stores the highest used key.
  func store(on connection: SQLiteConnection) throws(FerryError) {
    try connection.execute(
      "UPDATE Z_PRIMARYKEY SET Z_MAX = max(ifnull(Z_MAX, 0), \(highest)) WHERE Z_ENT = \(root.number)")
  }
}
