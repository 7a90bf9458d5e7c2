// Changes of tables: the values that their cells can hold.

extension EditableFile {
  /// True if the file is a table.
  var isTable: Bool { format.description.editableTable != nil }

  /// Throws if a table cannot have a value, or lose one, in `depth` collections: the list of rows, a row, and those of dotted columns.
  ///
  /// - Parameter value: The new value, or nil to remove the old one.
  func checkCells(of value: Value?, in depth: Int) throws(FerryError) {
    guard isTable else { return }
    // A value that moves is checked when the table is written.
    if case .reference? = value { return }
    switch depth {
    case 0:
      guard case .array(let rows)? = value else { throw Self.cannotPut(value, "a table is a list of rows") }
      for row in rows { try checkRow(row) }
    case 1: if let value { try checkRow(value) }
    case 2: if let value { try checkCell(value) }
    default:
      guard options.csv.nestsDottedColumns else {
        throw Self.cannotPut(value, "it is a part of JSON in a cell, which has a value as a whole")
      }
      if let value { try checkCell(value) }
    }
  }

  private func checkRow(_ row: Value) throws(FerryError) {
    guard options.csv.hasHeader || options.csv.columnNames != nil else {
      guard case .array(let cells) = row, !cells.isEmpty else {
        throw Self.cannotPut(row, "a row of a table without names of columns is a list of its cells")
      }
      for cell in cells { try checkCell(cell) }
      return
    }
    guard case .dictionary(let entries) = row else {
      throw Self.cannotPut(row, "a row of this table is a dictionary with the columns as keys")
    }
    for (_, cell) in entries { try checkCell(cell) }
  }

  /// The recursion is bounded by the depth of a new value, which is checked before.
  private func checkCell(_ cell: Value) throws(FerryError) {
    switch cell {
    case .null, .boolean, .integer, .real, .single, .number, .string, .unpairedString, .reference: return
    case .dictionary(let entries) where options.csv.nestsDottedColumns && entries.count > 0:
      for (_, cell) in entries { try checkCell(cell) }
    case .data, .date, .uid, .array, .set, .dictionary, .object:
      throw Self.cannotPut(cell, "a cell of a table is text")
    }
  }

  private static func cannotPut(_ value: Value?, _ why: PathProblem.Obstacle) -> FerryError {
    guard let value else { return FerryError(.path(.cannotRemove("\(why)"))) }
    return FerryError(.path(.cannotPut(value.kindInWords, why)))
  }
}
