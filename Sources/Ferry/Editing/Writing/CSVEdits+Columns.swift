// The columns of an edited table: those of the original one that rows still have, and the keys that no column has.

extension CSVEdits {
  /// A value of a row with the name of its column.
  struct Entry {
    var name: [UInt8]
    /// The path of the value in the row.
    var path: [ValuePath.Step]
    var node: NodeID
  }

  /// Finds the columns of the edited table.
  mutating func findColumns() throws(FerryError) {
    let names = originalNames
    var numbers: [[UInt8]: Int] = [:]
    for (number, name) in names.enumerated() { numbers[name] = number }
    // A table keeps the columns of which it has no cells, and all of them if it has no rows any more.
    let mostCells = originalRows.indices.map(table.cellCount(ofRow:)).max() ?? 0
    var isPresent = names.indices.map { rows.isEmpty || $0 >= mostCells }
    var (added, known): ([Entry], Set<[UInt8]>) = ([], [])
    /// The first row of each added column that only new rows have, by the name of the column.
    var newRows: [[UInt8]: Int] = [:]
    for (index, row) in rows.enumerated() {
      guard try isChanged(row) else {
        for number in isPresent.indices { isPresent[number] = true }
        continue
      }
      var more = 0
      for entry in try entries(of: row) {
        if let number = numbers[entry.name] {
          isPresent[number] = true
        } else if isMore(entry.name, after: more) {
          more += 1
        } else {
          let isNew = known.insert(entry.name).inserted
          if isNew { added.append(entry) }
          if self.numbers[row] != nil {
            newRows[entry.name] = nil
          } else if isNew {
            newRows[entry.name] = index
          }
        }
      }
    }
    try setColumns(names, isPresent: isPresent, added: added)
    // If all rows are new, the user has given another table.
    guard originalRows.isEmpty ? !names.isEmpty : rows.contains(where: { self.numbers[$0] != nil }) else {
      return
    }
    for entry in added {
      guard let row = newRows[entry.name] else { continue }
      losses.add(.addedColumn, path: ValuePath([.index(row)] + entry.path))
    }
  }

  /// Returns true if a key is that of a cell after those of the columns, such as `column 5`.
  ///
  /// - Parameter count: The number of such cells before it in the row.
  func isMore(_ name: [UInt8], after count: Int) -> Bool {
    guard options.allowsRaggedRows, let columns = table.columns else { return false }
    return columns.nameOfExtraColumn(columns.count + count).bytes == name
  }

  private mutating func setColumns(
    _ names: [[UInt8]], isPresent: [Bool], added: [Entry]
  ) throws(FerryError) {
    let paths = table.columns?.paths ?? []
    let newNames = try newNames(of: names.indices.filter { !isPresent[$0] }, in: added)
    var columns: [Column] = []
    var taken: Set<Int> = []
    for (number, name) in names.enumerated() {
      if isPresent[number] {
        columns.append(Column(name: name, path: paths[number], original: number))
      } else if let new = newNames[number]?.first(where: { !taken.contains($0) }) {
        taken.insert(new)
        columns.append(Column(name: added[new].name, path: added[new].path, original: number))
      }
    }
    for (index, entry) in added.enumerated() where !taken.contains(index) {
      columns.append(Column(name: entry.name, path: entry.path, original: nil))
    }
    hasOtherColumns = columns.map(\.name) != names
    self.columns = columns
    guard hasOtherColumns else { return }
    if columns.isEmpty { throw FerryError(.path(.cannotRemove("a table has at least one column"))) }
    try checkNames()
  }

  /// Throws if the table cannot have other columns.
  private func checkNames() throws(FerryError) {
    guard options.columnNames == nil else {
      throw FerryError(.path(.cannotPut("other columns", "the names of the columns are given")))
    }
    guard options.allowsRaggedRows, let count = table.columns?.count else { return }
    for row in 0..<table.rowCount where table.cellCount(ofRow: row) > count {
      throw FerryError(.path(.cannotPut("other columns", "a row has more cells than there are columns")))
    }
  }

  /// Returns, for original columns that are renamed, the indices of the added entries under whose names each row has the values of the
  /// column: usually one. Takes time in proportion to the cells.
  private func newNames(of missing: [Int], in added: [Entry]) throws(FerryError) -> [Int: [Int]] {
    guard !missing.isEmpty, !added.isEmpty else { return [:] }
    var newNames: [Int: [Int]] = [:]
    for (index, row) in rows.enumerated() {
      guard let number = numbers[row] else { return [:] }
      let cells = try originalCells(ofRow: number)
      var values: [[UInt8]: NodeID] = [:]
      for entry in try entries(of: row) { values[entry.name] = entry.node }
      if index == 0 {
        var indices: [NodeID: [Int]] = [:]
        for (index, entry) in added.enumerated() {
          if let value = values[entry.name] { indices[value, default: []].append(index) }
        }
        for column in missing where column < cells.count { newNames[column] = indices[cells[column]] }
      } else {
        for (column, indices) in newNames {
          let same = indices.filter { column < cells.count && values[added[$0].name] == cells[column] }
          newNames[column] = same.isEmpty ? nil : same
        }
      }
      if newNames.isEmpty { break }
    }
    return newNames
  }

  // MARK: Rows

  /// Returns the values of a row of the edited table with the names of their columns: of a dictionary inside a row, those of dotted columns.
  func entries(of row: NodeID) throws(FerryError) -> [Entry] {
    let kind = try list.kind(of: row)
    guard case .dictionary = kind else {
      throw FerryError(
        .path(.cannotPut(kind.name, "a row of this table is a dictionary with the columns as keys")))
    }
    var entries: [Entry] = []
    try collect(row, into: &entries)
    var known: Set<[UInt8]> = []
    for entry in entries where !known.insert(entry.name).inserted {
      throw FerryError(.csv(.sameKey(String(decoding: entry.name, as: UTF8.self))))
    }
    return entries
  }

  /// A dictionary in a row whose entries are collected.
  private struct OpenDictionary {
    let node: NodeID
    let count: Int
    var next = 0
    /// The beginning of the names of its columns, such as `address.`.
    var prefix: [UInt8] = []
    /// The path of the dictionary in the row.
    var path: [ValuePath.Step] = []
  }

  /// Adds the values of a row, which may be deeper than the stack.
  private func collect(_ row: NodeID, into entries: inout [Entry]) throws(FerryError) {
    var open: [OpenDictionary] = []
    if case .dictionary(let count) = try list.kind(of: row) {
      open.append(OpenDictionary(node: row, count: count))
    }
    let dot = UInt8(ascii: ".")
    while let last = open.last {
      guard last.next < last.count else {
        open.removeLast()
        continue
      }
      open[open.count - 1].next += 1
      let (key, value) = try list.entry(last.next, of: last.node)
      let text = try list.withText(of: key) { text throws(FerryError) in [UInt8](copying: text.utf8) }
      let name = last.prefix + text
      let path = last.path + [.key(String(decoding: text, as: UTF8.self))]
      if options.nestsDottedColumns {
        if case .dictionary(let count) = try list.kind(of: value), count > 0 {
          open.append(OpenDictionary(node: value, count: count, prefix: name + [dot], path: path))
          continue
        }
        guard !text.contains(dot) || originalNameSet.contains(name) else {
          let key = MessageText.quoted(String(decoding: text, as: UTF8.self))
          throw FerryError(.path(.cannotPut("the key \(key)", "its dots would divide it")))
        }
      }
      entries.append(Entry(name: name, path: path, node: value))
    }
  }

  /// Returns the values of the cells of a row of the original table.
  func originalCells(ofRow row: Int) throws(FerryError) -> [NodeID] {
    let (node, count) = (originalRows[row], table.cellCount(ofRow: row))
    var cells = [NodeID](repeating: node, count: count)
    guard let columns = table.columns, let steps = columns.steps else {
      for index in 0..<count { cells[index] = try tree.element(index, of: node) }
      return cells
    }
    /// The dictionaries around the next value, and the index of the next entry in each.
    var open = [(node: node, next: 0)]
    for step in steps {
      guard let last = open.last else { break }
      switch step {
      case .end: open.removeLast()
      case .begin:
        open[open.count - 1].next += 1
        open.append((node: try tree.value(last.next, of: last.node), next: 0))
      case .cell(let index, _):
        guard index < count else { continue }
        open[open.count - 1].next += 1
        cells[index] = try tree.value(last.next, of: last.node)
      }
    }
    for index in columns.count..<max(count, columns.count) {
      cells[index] = try tree.value(open[0].next, of: node)
      open[0].next += 1
    }
    return cells
  }

  /// Throws if the rows of a table without names of columns have different numbers of cells.
  func checkLengths() throws(FerryError) {
    var first: Int?
    for (index, row) in rows.enumerated() {
      guard case .array(let count) = try list.kind(of: row), count > 0 else {
        throw FerryError(
          .path(.cannotPut("this row", "a row of a table without names of columns is a list of its cells")),
          path: ValuePath([.index(index)]))
      }
      if let first, first != count, !options.allowsRaggedRows {
        throw FerryError(.csv(.rowLength(count, columns: first)), path: ValuePath([.index(index)]))
      }
      first = first ?? count
    }
  }
}
