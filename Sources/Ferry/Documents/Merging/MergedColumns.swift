/// The columns of a merged table: those that no side has removed, and those that a side has added.
///
///     base id,a    ours id,a,b    theirs id,a    →    id,a,b
///          1,x                           1,x          2,y,
///                                        2,y
///
/// The rows of a table show its columns, unless there are none. So a side that has no rows in common with the result adds its columns here.
struct MergedColumns {
  let names: [String]
  /// True if the merged table begins with theirs, which alone has all columns. Rows that have a cell in each column add the columns to ours,
  /// which keeps its delimiter and line ends.
  let favorsTheirs: Bool
  /// True if the rows of the merged table are those of the versions, and no schema has changed them.
  private let haveStoredRows: Bool

  /// Finds the columns. Fails if a version is not a table.
  init?(of versions: MergedVersions, budget: Budget) {
    guard versions.all.allSatisfy(\.isTable) else { return nil }
    func names(_ version: RecordDocument) -> [String] { version.table(budget)?.columnNames ?? [] }
    let (our, their) = (names(versions.ours), names(versions.theirs))
    let (inOurs, inTheirs, inBase) = (Set(our), Set(their), Set(versions.base.map(names) ?? []))
    self.names =
      our.filter { !inBase.contains($0) || inTheirs.contains($0) }
      + their.filter { !inOurs.contains($0) && !inBase.contains($0) }
    let all = Set(self.names)
    haveStoredRows = !versions.all.contains(where: \.isMapped)
    favorsTheirs = !haveStoredRows && inTheirs.isSuperset(of: all) && !inOurs.isSuperset(of: all)
  }

  /// Adds empty cells in the columns that no row of a merged table has.
  func fillCells(of merged: inout ThreeWayMerge.Result) {
    guard haveStoredRows, case .array(let rows) = merged.value, !rows.isEmpty else { return }
    var present: Set<Value> = []
    for row in rows {
      guard case .dictionary(let cells) = row else { return }
      present.formUnion(cells.keys)
    }
    let missing = names.filter { !present.contains(.string($0)) }
    guard !missing.isEmpty else { return }
    let filled = rows.map { row in
      guard case .dictionary(var cells) = row else { return row }
      for name in missing { cells[name] = .string("") }
      return Value.dictionary(cells)
    }
    merged.value = .array(filled)
    merged.sharedValue = SharedObjects(merged.value)
  }
}

extension DocumentMerge {
  /// Returns the columns of the base that a side has removed or renamed. Empty unless the result is a table.
  func removedColumns(of versions: MergedVersions) -> [MergeSide: [String]] {
    guard versions.ours.isTable, let known = versions.base?.columns(budget) else { return [:] }
    var removed: [MergeSide: [String]] = [:]
    for side in [MergeSide.ours, .theirs] {
      // A file of which the columns are not known may have all of them.
      guard let columns = versions[side]?.columns(budget).map({ Set($0) }) else { continue }
      let missing = known.filter { !columns.contains($0) }
      if !missing.isEmpty { removed[side] = missing }
    }
    return removed
  }
}

extension RecordDocument {
  /// Returns the columns of a table, or the keys of a list of records in another format; nil if it has none.
  fileprivate func columns(_ budget: Budget) -> [String]? {
    if let names = table(budget)?.columnNames, !names.isEmpty { return names }
    guard case .array(let rows) = value else { return nil }
    var (names, known): ([String], Set<Value>) = ([], [])
    for row in rows {
      guard case .dictionary(let cells) = row else { return nil }
      for key in cells.keys where known.insert(key).inserted {
        if let name = key.stringValue { names.append(name) }
      }
    }
    return names.isEmpty ? nil : names
  }
}
