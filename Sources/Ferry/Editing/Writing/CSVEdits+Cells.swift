// The text of the cells of an edited table.

extension CSVEdits {
  /// The cells of a column, counted by their notation.
  struct Habit {
    /// The cells with quotation marks that they do not need, and those without quotation marks.
    var (quoted, plain) = (0, 0)
    /// The empty cells with quotation marks, and those without.
    var (quotedEmpty, blank) = (0, 0)

    var hasEmptyCells: Bool { quotedEmpty + blank > 0 }
    /// True if the name of the column has no quotation marks. Then one cell that has them does not show that all get them.
    var hasPlainName = false

    /// True if all cells have quotation marks, so that new ones get them, too.
    var quotesAll: Bool { quoted > (hasPlainName ? 1 : 0) && plain == 0 }

    mutating func add(_ cell: CSVScanner.Cell, of table: CSVTable) {
      if cell.range.isEmpty {
        if cell.isQuoted { quotedEmpty += 1 } else { blank += 1 }
      } else if !cell.isQuoted {
        plain += 1
      } else if !table.needsItsQuotes(cell) {
        quoted += 1
      }
    }
  }

  /// The original row of an edited row, or the row that it replaces, with the values of its cells.
  struct Source {
    /// The number of the row in the original table; nil for the header.
    var row: Int?
    var cells: [CSVScanner.Cell]
    var nodes: [NodeID]
  }

  /// The row and the column of a new cell.
  struct Slot {
    /// The index of the row; nil for the header.
    var row: Int?
    var cell: Int
    /// The index of its column in the original table, or nil for a new column.
    var column: Int?
    /// True if the row has no other cells.
    var isOnly: Bool
  }

  // MARK: Rows

  /// Returns the cells of a row of the edited table.
  ///
  /// - Parameter original: The row of the original table that it was, or whose place it takes; nil for another row.
  mutating func cells(ofRow index: Int, from original: Int?) throws(FerryError) -> [NewCell] {
    let source = try original.map { row throws(FerryError) in
      Source(row: row, cells: table.row(row), nodes: try originalCells(ofRow: row))
    }
    guard hasNames else { return try cellsOfList(ofRow: index, from: source) }
    var values: [[UInt8]: NodeID] = [:]
    var more: [NodeID] = []
    let names = Set(columns.map(\.name))
    for entry in try entries(of: rows[index]) {
      if names.contains(entry.name) { values[entry.name] = entry.node } else { more.append(entry.node) }
    }
    var nodes: [NodeID?] = columns.map { values[$0.name] }
    if options.allowsRaggedRows, source != nil, more.isEmpty {
      // A shorter row stays short.
      while nodes.count > 1, let last = nodes.last, last == nil { nodes.removeLast() }
    }
    nodes += more.map(Optional.some)
    var cells: [NewCell] = []
    for (cell, node) in nodes.enumerated() {
      let column = columns.indices.contains(cell) ? columns[cell].original : cell
      let slot = Slot(row: index, cell: cell, column: column, isOnly: nodes.count == 1)
      if let node {
        cells.append(try self.cell(node, at: slot, from: source))
      } else {
        losses.add(.missingAsEmpty, path: path(of: slot))
        cells.append(try written([], at: slot, replacing: source, isMissing: true))
      }
    }
    return cells
  }

  private mutating func cellsOfList(ofRow index: Int, from source: Source?) throws(FerryError) -> [NewCell] {
    guard case .array(let count) = try list.kind(of: rows[index]) else { return [] }
    var cells: [NewCell] = []
    for cell in 0..<count {
      let slot = Slot(row: index, cell: cell, column: cell, isOnly: count == 1)
      cells.append(try self.cell(list.element(cell, of: rows[index]), at: slot, from: source))
    }
    return cells
  }

  /// Returns the cells of the header.
  mutating func headerCells() throws(FerryError) -> [NewCell] {
    let header = Array(table.header ?? [])
    let source = Source(row: nil, cells: header, nodes: [])
    var cells: [NewCell] = []
    for (cell, column) in columns.enumerated() {
      let slot = Slot(row: nil, cell: cell, column: column.original, isOnly: columns.count == 1)
      cells.append(try written(column.name, at: slot, replacing: source))
    }
    return cells
  }

  private func path(of slot: Slot) -> ValuePath {
    let step: ValuePath.Step =
      columns.indices.contains(slot.cell)
      ? .key(String(decoding: columns[slot.cell].name, as: UTF8.self)) : .index(slot.cell)
    return ValuePath([.index(slot.row ?? 0), step])
  }

  // MARK: Cells

  /// Returns the cell for a value. A value of the original table keeps its text.
  private mutating func cell(
    _ node: NodeID, at slot: Slot, from source: Source?
  ) throws(FerryError) -> NewCell {
    if node < list.firstNewNode, !list.isChanged(node),
      let cell = try originalCell(node, at: slot, from: source)
    {
      return try kept(cell, at: slot)
    }
    if case .null = try list.kind(of: node), let text = options.nullTexts.first,
      !slot.isOnly || !text.isEmpty
    {
      let content = Array(text.utf8)
      guard !needsQuotes(content, at: slot) else {
        throw FerryError(.csv(.badNullText(text)), path: path(of: slot))
      }
      return NewCell(content: content, text: content)
    }
    return try written(content(of: node, at: slot), at: slot, replacing: source)
  }

  /// Returns the cell of the original table with a value; nil if the value is not from a cell.
  private mutating func originalCell(
    _ node: NodeID, at slot: Slot, from source: Source?
  ) throws(FerryError) -> CSVScanner.Cell? {
    // Most values stay in their columns.
    if let source, let column = slot.column, source.nodes.indices.contains(column),
      source.nodes[column] == node
    {
      return source.cells[column]
    }
    if originalLocations == nil {
      var found: [NodeID: (row: Int, cell: Int)] = [:]
      for row in originalRows.indices {
        for (cell, node) in try originalCells(ofRow: row).enumerated() { found[node] = (row, cell) }
      }
      originalLocations = found
    }
    guard let location = originalLocations?[node] else { return nil }
    if let source, source.row == location.row { return source.cells[location.cell] }
    return table.row(location.row)[location.cell]
  }

  /// Returns a cell with the text of one of the original table. If it becomes the only one of its row, it may need quotation marks.
  private func kept(_ cell: CSVScanner.Cell, at slot: Slot) throws(FerryError) -> NewCell {
    let content = table.content(of: cell)
    if slot.isOnly, !cell.isQuoted, needsQuotes(content, at: slot) {
      return NewCell(content: content, text: try quoted(content))
    }
    return NewCell(content: content, text: Array(table.text[cell.writtenRange]))
  }

  /// Returns the text of a new value.
  private func content(of node: NodeID, at slot: Slot) throws(FerryError) -> [UInt8] {
    func lose(_ kind: Loss.Kind) { if !options.infersTypes { losses.add(kind, path: path(of: slot)) } }
    switch try list.kind(of: node) {
    case .string: return try text(of: node)
    case .number:
      lose(.numberAsText)
      return try text(of: node)
    case .null:
      lose(.nullAsText)
      return []
    case .boolean(let value):
      lose(.booleanAsText)
      return Array((value ? "true" : "false").utf8)
    case .integer(let value):
      lose(.numberAsText)
      return Array(value.notation.utf8)
    case .real(let value):
      lose(.numberAsText)
      return Self.text(of: value)
    case .single(let value):
      lose(.numberAsText)
      return Self.text(of: Double(value))
    case let kind:
      throw FerryError(.path(.cannotPut(kind.name, "a cell of a table is text")), path: path(of: slot))
    }
  }

  private func text(of node: NodeID) throws(FerryError) -> [UInt8] {
    try list.withText(of: node) { text throws(FerryError) in [UInt8](copying: text.utf8) }
  }

  private static func text(of real: Double) -> [UInt8] {
    Array(real.javaScriptNotation.utf8)
  }

  /// Returns a cell with a new text, or with the text that it had.
  ///
  /// - Parameter isMissing: True if the row has no value for the cell, whose text is empty then.
  private mutating func written(
    _ content: [UInt8], at slot: Slot, replacing source: Source?, isMissing: Bool = false
  ) throws(FerryError) -> NewCell {
    let old = slot.column.flatMap { column in
      source.flatMap { $0.cells.indices.contains(column) ? $0.cells[column] : nil }
    }
    // Without quotation marks, the text would mean null, as it may in the old cell.
    let looksNull = !isMissing && slot.row != nil && options.isNull(content.span)
    if let old, table.content(of: old) == content, old.isQuoted || !looksNull {
      return try kept(old, at: slot)
    }
    if looksNull || needsQuotes(content, at: slot) {
      return NewCell(content: content, text: try quoted(content, meansNull: looksNull))
    }
    let isQuoted = table.quote == nil ? false : hasQuotes(content, at: slot, replacing: old)
    return NewCell(content: content, text: isQuoted ? table.quoted(content) : content)
  }

  // MARK: Quotation marks

  /// Returns true if a text would be read otherwise without quotation marks.
  private func needsQuotes(_ content: [UInt8], at slot: Slot) -> Bool {
    let span = content.span
    // A blank line is not a row.
    if slot.isOnly, content.isEmpty || hasOtherColumns && table.quote != nil && span.hasLikelyDelimiter {
      return true
    }
    if table.needsQuotes(content) { return true }
    guard isFirstRow(slot), table.quote != nil else { return false }
    if table.hasFoundDelimiter, span.hasLikelyDelimiter { return true }
    guard slot.cell == 0 else { return false }
    return span.starts(with: "sep=") || span.starts(with: "\u{feff}") || span.beginsOtherFormat
  }

  /// Returns true if the row of a cell is the first one of the text.
  private func isFirstRow(_ slot: Slot) -> Bool {
    slot.row == nil || slot.row == 0 && !options.hasHeader
  }

  /// Returns true if a text gets quotation marks that it does not need: because the cell had such, or because the other cells of its
  /// column have them.
  private mutating func hasQuotes(
    _ content: [UInt8], at slot: Slot, replacing old: CSVScanner.Cell?
  ) -> Bool {
    if let old {
      guard old.isQuoted else { return false }
      let isNeeded = old.range.isEmpty ? slot.isOnly : table.needsItsQuotes(old)
      if !isNeeded { return true }
    }
    guard slot.row != nil else { return habitOfHeader.quotesAll }
    let (own, all) = (habit(of: slot.column), habit(of: nil))
    let empty = own.hasEmptyCells ? own : all
    if content.isEmpty, empty.hasEmptyCells { return empty.blank == 0 }
    return own.quoted + own.plain > 0 ? own.quotesAll : all.quotesAll
  }

  private var habitOfHeader: Habit {
    var habit = Habit()
    for cell in table.header ?? [] { habit.add(cell, of: table) }
    return habit
  }

  /// Returns the notation of the cells of a column; of all cells and the header if the column is nil.
  private mutating func habit(of column: Int?) -> Habit {
    if let habit = habits[column] { return habit }
    var habit = column == nil ? habitOfHeader : Habit()
    if let column, let header = table.header, header.count > column {
      habit.hasPlainName = !header[header.startIndex + column].isQuoted
    }
    for row in 0..<table.rowCount {
      for (index, cell) in table.row(row).enumerated() where column == nil || column == index {
        habit.add(cell, of: table)
      }
    }
    habits[column] = habit
    return habit
  }

  private func quoted(_ content: [UInt8], meansNull: Bool = false) throws(FerryError) -> [UInt8] {
    guard table.quote != nil else {
      let why: PathProblem.Obstacle =
        if meansNull {
          "without quotation marks, a cell with this text is null"
        } else if content.isEmpty {
          "without quotation marks, a row with an empty cell would be a blank line"
        } else {
          "without quotation marks, a cell has no delimiter and no line break"
        }
      throw FerryError(.path(.cannotPut("this text", why)))
    }
    return table.quoted(content)
  }
}
