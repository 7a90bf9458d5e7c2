/// The printer of the table writer: the position in the value, and the current row.
struct TablePrinter: EventPrinter, ~Copyable {
  private enum State {
    case top
    case rows
    /// In a record, which is the only one or an element of a list.
    case record(isOnly: Bool)
    /// In a list that is a row.
    case list
    case done
  }

  /// A nested dictionary whose entries are columns.
  private struct Prefix {
    /// The length of the prefix of column names outside of the dictionary.
    let outer: Int
    var isEmpty = true
  }

  private let rows: any RowPrinter
  private let layout: CSVWritingOptions
  private let losses: LossReport
  private let reportsText: Bool
  /// The maximum number of dictionaries inside each other.
  private let depth: Int
  /// True if a reader may take a text for a number, and an empty cell for null, as in CSV.
  var isUntyped: Bool
  /// The names of the fields if a schema describes the records, so that the order of their keys does not matter.
  private let fieldNames: Set<[UInt8]>
  /// For each of the first columns, true if a reader with the schema finds out from an empty cell that the record lacks the
  /// value.
  private let restored: [Bool]
  /// For each of the first columns, true if the schema restores the types of its values.
  private var typed: [Bool]
  /// The names of the fields whose types the schema restores, if their columns are added when a record has them.
  private let typedNames: Set<[UInt8]>
  /// The names of the columns of the schema if those with dots are entries of dictionaries.
  private let dottedNames: SortedNames
  /// The columns of fields whose keys a reader divides, until a record has such a key.
  private var dividedFields: Set<[UInt8]>
  /// True if the schema has a single column, in which the empty text and a missing value have the same cell.
  private let losesEmptyText: Bool
  /// True if the columns are given, and all other values are left out.
  private let hasGivenColumns: Bool
  /// True if each row has the columns of the first one.
  private let hasColumnsOfFirstRow: Bool
  /// Returns the columns that the table has in the source, for a table without rows.
  private let columnsOfSource: () throws(FerryError) -> [String]
  /// True if the value is a dictionary, which becomes the only row.
  private var isOneRecord = false
  private var names: [[UInt8]] = []
  private var numbers: [[UInt8]: Int] = [:]
  /// The given columns that a record had.
  private var found: [Bool]

  private var state = State.top
  private var row = TableRow()
  private var blanks: BlankCells
  /// True if rows are records, false if they are lists, nil before the first row.
  private var isNamed: Bool?
  private var count = 0
  /// The column of the next value, or nil if the value is left out.
  private var column: Int?
  private var lastColumn = -1
  private var isInOrder = true
  private var nested: NestedJSONWriter?
  /// The name of the next value's column, until it is known whether the value is a dictionary.
  private var heldKey: [UInt8] = []
  private var isHoldingKey = false
  private var isHeldKeyRepaired = false
  private var prefix: [UInt8] = []
  private var prefixes: [Prefix] = []
  /// The columns that have had an entry of a nested dictionary, with the path of the first one.
  private var nestedColumns: [Int: ValuePath] = [:]

  init(to rows: any RowPrinter, _ context: RowsContext, reportsText: Bool) {
    (self.rows, layout, losses) = (rows, context.layout, context.losses)
    (blanks, depth) = (BlankCells(context.budget), context.budget.depth)
    (self.reportsText, isUntyped) = (reportsText, context.isUntyped)
    (hasGivenColumns, columnsOfSource) = (layout.columns != nil, context.columnsOfSource)
    hasColumnsOfFirstRow = context.hasColumnsOfFirstRow
    let fields = context.fields
    let fieldNames = Set(fields.map { Array($0.name.utf8) })
    self.fieldNames = fieldNames
    let columns = layout.columns ?? (context.hasColumnsOfFields ? fields.map(\.name) : [])
    for name in columns {
      let bytes = Array(name.utf8)
      guard numbers[bytes] == nil else { continue }
      numbers[bytes] = names.count
      names.append(bytes)
      row.cells.append(.missing)
    }
    let typedNames = Set(fields.filter(\.restoresTypes).map { ExactString($0.name) })
    restored = columns.map { fieldNames.contains(Array($0.utf8)) }
    dottedNames = SortedNames(
      layout.nestsDottedColumns ? columns.map { Array($0.utf8) }.filter(fieldNames.contains) : [])
    dividedFields = Set(fields.filter(\.hasDividedKey).map { Array($0.name.utf8) })
    typed = columns.map { typedNames.contains($0) }
    self.typedNames = context.hasColumnsOfFields ? [] : Set(typedNames.map { Array($0.string.utf8) })
    losesEmptyText =
      columns.count == 1 && fields.contains { $0.mayBeEmptyOrMissing && $0.name.equals(columns[0]) }
    found = [Bool](repeating: false, count: names.count)
  }

  func flushComplete() throws(FerryError) { try rows.flushComplete() }

  /// Returns true if the table has columns with all of some names so far.
  func hasColumns(_ others: [String]) -> Bool { Set(names).isSuperset(of: others.map { Array($0.utf8) }) }

  // MARK: Scalars

  mutating func null() throws(FerryError) {
    if let nested { return try nested.sink.null() }
    if isHoldingKey, hasFields(under: heldKey) { return leaveOutNull() }
    guard let column = try beginCell("null") else { return }
    loseNull(in: column)
    try put(.null, in: column)
  }

  /// Leaves out a null in place of a record whose fields are columns. Without a value in these columns, the record is missing.
  private mutating func leaveOutNull() {
    if reportsText { losses.add(.nullLeftOut, path: pathOfHeldKey) }
    (isHoldingKey, column) = (false, nil)
  }

  /// Reports a null that a reader does not find in its cell, which has no text of nulls. With a schema, an empty cell lacks the field, or is
  /// null if it is that of another key. Without one, it is an empty text, as all cells of a table are texts.
  private func loseNull(in column: Int) {
    guard reportsText, layout.nullText?.isEmpty ?? true else { return }
    if fieldNames.isEmpty {
      if !isUntyped { losses.add(.nullAsText, path: path(of: column)) }
    } else if names.indices.contains(column), fieldNames.contains(names[column]) {
      losses.add(.nullLeftOut, path: path(of: column))
    }
  }

  mutating func boolean(_ value: Bool) throws(FerryError) {
    if let nested { return try nested.sink.boolean(value) }
    guard let column = try beginCell("a boolean") else { return }
    lose(.booleanAsText, in: column)
    try put(.boolean(value), in: column)
  }

  mutating func integer(_ value: Int128) throws(FerryError) {
    if let nested { return try nested.sink.integer(value) }
    try putNumber(value.notation)
  }

  mutating func real(_ value: Double) throws(FerryError) {
    if let nested { return try nested.sink.real(value) }
    try putNumber(value.javaScriptNotation)
  }

  mutating func number(_ text: BorrowedText) throws(FerryError) {
    if let nested { return try nested.sink.number(text) }
    try putNumber(text.utf8)
  }

  mutating func string(_ text: BorrowedText, isPlain: Bool = false) throws(FerryError) {
    if let nested { return try nested.sink.string(text) }
    guard let column = try beginCell("a string") else { return }
    let isExact = !isUntyped && !isRestored(column) || text.utf8.isEmpty
    if losesEmptyText, names.count == 1, text.utf8.isEmpty, reportsText {
      losses.add(.emptyText, path: path(of: column))
    }
    guard text.hasSurrogates else {
      return try put(.text(row.keep(text.utf8), isExact: isExact), in: column)
    }
    losses.add(.surrogate, path: path(of: column))
    let repaired = String(text)
    try put(.text(row.keep(repaired.utf8.span), isExact: isExact), in: column)
  }

  private mutating func putNumber(_ text: String) throws(FerryError) { try putNumber(text.utf8.span) }

  private mutating func putNumber(_ text: Span<UInt8>) throws(FerryError) {
    guard let column = try beginCell("a number") else { return }
    lose(.numberAsText, in: column)
    try put(.number(row.keep(text)), in: column)
  }

  /// Returns the column of the next value, or nil if the value is left out.
  private mutating func beginCell(_ words: String) throws(FerryError) -> Int? {
    switch state {
    case .record: return try takeColumn()
    case .list: return addCell()
    case .top, .rows:
      try beginRow(isNamed: false, words)
      return addCell()
    case .done: throw FerryError(.cannotHold(.misplaced("a second value")))
    }
  }

  /// Adds a cell to a row that is a list.
  private mutating func addCell() -> Int {
    lastColumn += 1
    if lastColumn == row.cells.count {
      row.cells.append(.missing)
      // Only the first of the shorter rows before is reported.
      if count > 0, reportsText {
        losses.add(.missingAsEmpty, path: ValuePath([.index(0), .index(lastColumn)]))
      }
    }
    return lastColumn
  }

  /// Sets a cell. A scalar that is a row ends the row.
  private mutating func put(_ cell: TableRow.Cell, in column: Int) throws(FerryError) {
    row.cells[column] = cell
    switch state {
    case .record, .list: break
    case .top, .rows, .done: try endRow()
    }
  }

  private func lose(_ kind: Loss.Kind, in column: Int) {
    guard reportsText, !(kind == .missingAsEmpty ? restored : typed).value(at: column) else { return }
    losses.add(kind, path: kind == .missingAsEmpty ? pathOfMissing(column) : path(of: column))
  }

  /// Returns true if a schema has a column.
  private func isRestored(_ column: Int) -> Bool { restored.value(at: column) }

  /// Returns true if the schema has columns for the fields of the record with a key.
  private func hasFields(under key: [UInt8]) -> Bool {
    dottedNames.containsName(startingWith: key + [UInt8(ascii: ".")])
  }

  /// The path of the value whose key is held.
  private var pathOfHeldKey: ValuePath { path(ofColumnNamed: heldKey, inRow: count) }

  /// The path of the current value, whose column is `column`.
  private func path(of column: Int) -> ValuePath {
    guard names.indices.contains(column) else { return ValuePath([.index(count), .index(column)]) }
    return path(ofColumnNamed: names[column], inRow: count)
  }

  /// The path of a value that the current row lacks: that of the first value in its column, but in this row.
  private func pathOfMissing(_ column: Int) -> ValuePath {
    guard let first = nestedColumns[column] else { return path(of: column) }
    return isOneRecord ? first : ValuePath([.index(count)] + first.steps.dropFirst())
  }

  /// The path of a value in the current dictionary. The names of its columns begin with those of the dictionaries around it.
  private func path(ofColumnNamed name: [UInt8], inRow row: Int) -> ValuePath {
    let starts = prefixes.map(\.outer) + [prefix.count]
    var steps: [ValuePath.Step] = isOneRecord ? [] : [.index(row)]
    for (start, end) in zip(starts, starts.dropFirst()) {
      steps.append(.key(String(decoding: prefix[start..<(end - 1)], as: UTF8.self)))
    }
    steps.append(.key(String(decoding: name.dropFirst(prefix.count), as: UTF8.self)))
    return ValuePath(steps)
  }

  /// Notes that the column of the current value has an entry of a nested dictionary.
  private mutating func noteEntry(in column: Int) {
    guard !prefixes.isEmpty, nestedColumns[column] == nil else { return }
    nestedColumns[column] = path(of: column)
  }

  // MARK: Rows

  private mutating func beginRow(isNamed: Bool, _ words: String) throws(FerryError) {
    guard self.isNamed ?? isNamed == isNamed else {
      throw FerryError(.csv(.notARow(found: words, wanted: isNamed ? "a list" : "a record")))
    }
    self.isNamed = isNamed
    row.removeValues()
    row.isRecord = isNamed
    (lastColumn, isInOrder, column) = (-1, true, nil)
  }

  private mutating func endRow() throws(FerryError) {
    if isNamed == true {
      if !isInOrder, restored.isEmpty, fieldNames.isEmpty, reportsText {
        losses.add(.columnOrder, path: ValuePath([.index(count)]))
      }
      for index in names.indices where row.cells[index].isMissing { lose(.missingAsEmpty, in: index) }
    }
    if isNamed == false {
      for index in row.cells.indices.dropFirst(lastColumn + 1) { lose(.missingAsEmpty, in: index) }
    }
    try blanks.add(row)
    if count == 0, hasColumnsOfFirstRow { try rows.begin(isNamed == true ? names : nil) }
    try rows.write(row)
    count += 1
    switch state {
    case .top, .record(isOnly: true): state = .done
    default: state = .rows
    }
  }

  mutating func finish() throws(FerryError) {
    if let columns = layout.columns, count > 0, isNamed == true {
      for (index, isFound) in found.enumerated() where !isFound {
        throw FerryError(.csv(noColumn(columns[index])))
      }
    }
    if reportsText, !nestedColumns.isEmpty { reportUndivided() }
    if reportsText, count > 0, !dividedFields.isEmpty { reportDividedFields() }
    if count > 0, isNamed == true, names.isEmpty { losses.add(.emptyTable) }
    if count == 0, names.isEmpty, !hasGivenColumns { names = try columnsOfSource().map { Array($0.utf8) } }
    let hasNames = isNamed ?? !names.isEmpty || hasGivenColumns
    try rows.finish(hasNames ? names : nil, blanks)
  }

  /// Reports the columns of entries that a reader does not divide, as in the columns `a.b` and `a`.
  private func reportUndivided() {
    let columns = CSVColumns(
      named: names.map { CSVColumns.Name($0) }, nestsDotted: true, depth: depth)
    for index in columns.undivided {
      if let path = nestedColumns[index] { losses.add(.undividedColumn, path: path) }
    }
  }

  /// Reports the fields that no record has, and whose empty columns are read as dictionaries with null.
  private func reportDividedFields() {
    for name in names where dividedFields.contains(name) {
      losses.add(.dottedKey, path: ValuePath([.index(0), .key(String(decoding: name, as: UTF8.self))]))
    }
  }

  /// Returns the problem of a given column that no record has.
  private func noColumn(_ name: String) -> CSVProblem {
    let bytes = Array(name.utf8)
    for dot in bytes.indices where bytes[dot] == UInt8(ascii: ".") {
      let outer = bytes[..<dot]
      guard !layout.nestsDottedColumns, dictionaries.contains(Array(outer)) else { continue }
      return .columnOfEntry(name, dictionary: String(decoding: outer, as: UTF8.self))
    }
    let names = numbers.filter { $0.value == Self.leftOut || found[$0.value] }.keys
    return .noColumn(name, among: names.map { String(decoding: $0, as: UTF8.self) }.sorted())
  }

  // MARK: Columns

  /// The number of a key that is not one of the given columns.
  private static let leftOut = -1
  /// The number of keys that are noted for the message about a column that does not exist.
  private static let mostNoted = 1000
  /// The names of dictionaries that are not given columns, for this message.
  private var dictionaries: Set<[UInt8]> = []

  mutating func key(_ text: BorrowedText, isPlain: Bool = false) throws(FerryError) {
    if let nested { return try nested.sink.key(text) }
    guard case .record = state else { throw FerryError(.cannotHold(.misplaced("a key"))) }
    if !prefixes.isEmpty { prefixes[prefixes.count - 1].isEmpty = false }
    // Most records have the same keys in the same order, so the next column is tried first.
    let next = lastColumn + 1
    if !layout.nestsDottedColumns, names.indices.contains(next), row.cells[next].isMissing,
      isName(names[next], text)
    {
      select(next)
    } else {
      heldKey = prefix + (text.hasSurrogates ? Array(String(text).utf8) : [UInt8](copying: text.utf8))
      let name = heldKey[prefix.count...]
      if layout.nestsDottedColumns,
        name.isEmpty ? !prefix.isEmpty : name.contains(UInt8(ascii: "."))
      {
        losses.add(.dottedKey, path: pathOfHeldKey)
        if !dividedFields.isEmpty { dividedFields.remove(heldKey) }
      }
      (isHoldingKey, isHeldKeyRepaired) = (true, text.hasSurrogates)
    }
  }

  private func isName(_ name: [UInt8], _ text: borrowing BorrowedText) -> Bool {
    text.utf8.equals(name.span)
  }

  /// Returns the column of the current value of a record, or nil if the value is left out.
  private mutating func takeColumn() throws(FerryError) -> Int? {
    if isHoldingKey {
      isHoldingKey = false
      try findColumn(heldKey, isRepaired: isHeldKeyRepaired)
    }
    return column
  }

  private mutating func select(_ column: Int) {
    if column < lastColumn { isInOrder = false }
    (self.column, lastColumn) = (column, column)
    if hasGivenColumns { found[column] = true }
    noteEntry(in: column)
  }

  private mutating func findColumn(_ name: [UInt8], isRepaired: Bool) throws(FerryError) {
    if isRepaired {
      losses.add(.surrogate, path: path(ofColumnNamed: name, inRow: count))
    }
    guard let known = numbers[name] else { return addColumn(name) }
    guard known != Self.leftOut else { return column = nil }
    // A reader reports a key that occurs twice, but not keys that become equal here.
    if !row.cells[known].isMissing, isRepaired || layout.nestsDottedColumns {
      throw FerryError(.csv(.sameKey(String(decoding: name, as: UTF8.self))))
    }
    select(known)
  }

  private mutating func addColumn(_ name: [UInt8]) {
    guard !hasGivenColumns else {
      if numbers.count < Self.mostNoted { numbers[name] = Self.leftOut }
      return column = nil
    }
    if typedNames.contains(name), typed.count <= names.count {
      typed += [Bool](repeating: false, count: names.count - typed.count) + [true]
    }
    numbers[name] = names.count
    names.append(name)
    row.cells.append(.missing)
    // Only the first of the records before is reported.
    if count > 0, reportsText {
      losses.add(.missingAsEmpty, path: path(ofColumnNamed: name, inRow: 0))
    }
    lastColumn = names.count - 1
    column = lastColumn
    noteEntry(in: lastColumn)
  }

  // MARK: Collections

  mutating func beginArray() throws(FerryError) {
    if let nested { return try nested.begin(isArray: true) }
    switch state {
    case .top: state = .rows
    case .rows:
      try beginRow(isNamed: false, "a list")
      state = .list
    case .record, .list: try beginNested(isArray: true)
    case .done: throw FerryError(.cannotHold(.misplaced("an array")))
    }
  }

  mutating func endArray() throws(FerryError) {
    if nested != nil { return try endNested() }
    switch state {
    case .list: try endRow()
    default: state = .done
    }
  }

  mutating func beginDictionary() throws(FerryError) {
    if let nested { return try nested.begin(isArray: false) }
    switch state {
    case .top, .rows:
      let isOnly = if case .top = state { true } else { false }
      isOneRecord = isOnly
      try beginRow(isNamed: true, "a record")
      state = .record(isOnly: isOnly)
    // A name that begins with a dot is not divided. An empty key is that of a cell.
    case .record where layout.nestsDottedColumns && heldKey.count > prefix.count: beginPrefix()
    case .record, .list: try beginNested(isArray: false)
    case .done: throw FerryError(.cannotHold(.misplaced("a dictionary")))
    }
  }

  mutating func endDictionary() throws(FerryError) {
    if nested != nil { return try endNested() }
    guard let last = prefixes.popLast() else { return try endRow() }
    let name = Array(prefix.dropLast())
    prefix.removeLast(prefix.count - last.outer)
    guard last.isEmpty else { return }
    guard !hasFields(under: name) else {
      // The schema has columns for the fields that the record lacks.
      return losses.add(.missingAsEmpty, path: path(ofColumnNamed: name, inRow: count))
    }
    (heldKey, isHoldingKey, isHeldKeyRepaired) = (name, true, false)
    try beginNested(isArray: false)
    try endNested()
  }

  /// Begins a nested dictionary whose entries are columns.
  private mutating func beginPrefix() {
    prefixes.append(Prefix(outer: prefix.count))
    prefix = heldKey + [UInt8(ascii: ".")]
    isHoldingKey = false
  }

  // MARK: Nested values

  private mutating func beginNested(isArray: Bool) throws(FerryError) {
    if case .list = state { column = addCell() } else { column = try takeColumn() }
    if column == nil, !isArray, dictionaries.count < Self.mostNoted { dictionaries.insert(heldKey) }
    let nested = NestedJSONWriter()
    try nested.begin(isArray: isArray)
    self.nested = nested
  }

  private mutating func endNested() throws(FerryError) {
    guard let nested, try nested.end() else { return }
    self.nested = nil
    guard let column else { return }
    let (text, path) = (nested.text, path(of: column))
    lose(.nestedAsText, in: column)
    losses.add(nested.losses.all, under: path.steps)
    row.cells[column] = .nested(row.keep(text.span))
  }
}

extension [Bool] {
  /// Returns the value for a column, or false if the array has none.
  fileprivate func value(at column: Int) -> Bool { column < count && self[column] }
}
