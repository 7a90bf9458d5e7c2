/// A sender of rows as events.
struct CSVRowSender: CSVRowReceiver, ~Copyable {
  private let sink: any ValueSink
  private var sender: EventSender
  private let options: CSVReadingOptions
  private let budget: Budget
  /// Receives the losses in cells that are JSON.
  private let losses: LossReport?
  private let locator: SourceLocator?
  /// Receives the errors of records that are left out.
  private let failed: FailedRecords?
  private var scratch: [UInt8] = []
  private var hasOneColumn = false
  /// The number of rows.
  private(set) var count = 0

  init(to sink: any ValueSink, _ context: ReaderContext) {
    (self.sink, options, locator) = (sink, context.csv, context.locator)
    (budget, losses, failed) = (context.budget, context.losses, context.failed)
    sender = EventSender(to: sink, isPrompt: locator != nil, locatesValues: true)
  }

  mutating func begin() throws(FerryError) { try sender.beginArray(at: 0) }

  mutating func end() throws(FerryError) {
    try sender.endArray(at: 0)
    var offset = 0
    try endChunk(Span(), &offset)
  }

  mutating func endChunk(_ text: Span<UInt8>, _ offset: inout Int) throws(FerryError) {
    try sender.flush(text, failedAt: &offset)
  }

  /// Sends a row.
  mutating func receive(
    _ row: borrowing CSVRow, _ columns: CSVColumns, _ offset: inout Int
  ) throws(FerryError) {
    count += 1
    if count == 1, let losses { report(columns, to: losses) }
    hasOneColumn = columns.count == 1
    if sender.isFull { try endChunk(row.text, &offset) }
    guard let locator else {
      do throws(FerryError) { try send(row, columns, &offset) } catch {
        // The error may be that of an earlier row, whose offset is set already.
        if error.location.isEmpty, error.path.steps.first == .index(count - 1),
          let cell = columns.cell(at: error.path), cell < row.count
        {
          offset = row.offset(of: cell)
        }
        throw error
      }
      return
    }
    row.locations.move(locator, to: offset, in: row.text)
    let start = locator.location
    // The mapper of records has only the location of the row.
    failed?.hold()
    do throws(FerryError) { try send(row, columns, &offset) } catch {
      failed?.release()
      var placed = error
      if error.location.isEmpty || error.location == start {
        let atOffset = error.location.isEmpty ? row.locations.location(of: offset, in: row.text) : start
        placed.location = location(of: error, in: row, columns) ?? atOffset
      }
      throw placed
    }
    guard let failed else { return }
    for index in 0..<failed.heldCount {
      guard let error = failed.heldError(at: index), error.location == start else { continue }
      if let location = location(of: error, in: row, columns) {
        failed.move(heldErrorAt: index, to: location)
      }
    }
    failed.release()
  }

  /// Reports columns that are not divided. Only the first row is reported.
  private func report(_ columns: CSVColumns, to losses: LossReport) {
    guard !columns.undivided.isEmpty else { return }
    for index in columns.undivided {
      losses.add(.undividedColumn, path: ValuePath([.index(0)] + columns.paths[index]))
    }
  }

  /// Returns the location of the cell that has the path of an error; nil if there is none.
  private func location(
    of error: FerryError, in row: borrowing CSVRow, _ columns: CSVColumns
  ) -> InputLocation? {
    guard let cell = columns.cell(at: error.path), cell < row.count else { return nil }
    return row.locations.location(of: row.offset(of: cell), in: row.text)
  }

  private mutating func send(
    _ row: borrowing CSVRow, _ columns: CSVColumns, _ offset: inout Int
  ) throws(FerryError) {
    let start = offset
    guard let steps = columns.steps else { return try sendList(row, columns, &offset) }
    try sender.beginDictionary(at: offset)
    for step in steps {
      switch step {
      case .cell(let index, let name):
        guard index < row.count else { continue }
        try sendKey(name, at: offset)
        try sendCell(index, of: row, columns, &offset)
      case .begin(let name):
        try sendKey(name, at: offset)
        try sender.beginDictionary(at: offset)
      case .end: try sender.endDictionary(at: offset)
      }
    }
    for index in columns.count..<max(row.count, columns.count) {
      try sendKey(columns.nameOfExtraColumn(index), at: offset)
      try sendCell(index, of: row, columns, &offset)
    }
    // An error in the row without a cell of its own is located at the row.
    offset = start
    try sender.endDictionary(at: offset)
  }

  private mutating func sendList(
    _ row: borrowing CSVRow, _ columns: CSVColumns, _ offset: inout Int
  ) throws(FerryError) {
    try sender.beginArray(at: offset)
    for index in 0..<row.count { try sendCell(index, of: row, columns, &offset) }
    try sender.endArray(at: offset)
  }

  private mutating func sendKey(_ name: CSVColumns.Name, at offset: Int) throws(FerryError) {
    try sender.text(
      .key, BorrowedText(checked: name.bytes.span, isASCII: name.isASCII), from: nil, isPlain: name.isPlain,
      at: offset)
  }

  private mutating func sendCell(
    _ index: Int, of row: borrowing CSVRow, _ columns: CSVColumns, _ offset: inout Int
  ) throws(FerryError) {
    if options.readsEmptyCellsAsNull, row.isBlank(index) { return try sender.null(at: offset) }
    if row.isNull(index, options) { return try sender.null(at: offset) }
    if options.readsEmptyLinesAsNull, hasOneColumn, row.isEmpty(index) { return try sender.null(at: offset) }
    var scratch: [UInt8] = []
    swap(&scratch, &self.scratch)
    defer { swap(&scratch, &self.scratch) }
    let type = options.columnTypes.flatMap { $0.indices.contains(index) ? $0[index] : nil } ?? .text
    if type != .text, row.isEmpty(index) { return try sender.null(at: offset) }
    guard type == .json else {
      return try row.withText(of: index, &scratch, &offset) { text, start throws(FerryError) in
        try send(text, as: type, from: start, at: row.offset(of: index))
      }
    }
    try endChunk(row.text, &offset)
    let (sink, budget) = (sink, budget)
    let found = losses.map { _ in LossReport() }
    try row.withText(of: index, &scratch, &offset) { text, _ throws(FerryError) in
      try JSONReader.read(nested: text.utf8, into: sink, budget: budget, losses: found)
    }
    if let losses, let found, !found.isEmpty {
      let row = count - 1 + (failed?.unreadCount ?? 0)
      losses.add(found.all, under: [.index(row)] + columns.path(of: index))
    }
  }

  @inline(__always)
  private mutating func send(
    _ text: BorrowedText, as type: CSVColumnType, from start: Int?, at offset: Int
  ) throws(FerryError) {
    switch type {
    case .boolean: return try sender.boolean(text.equals("true"), at: offset)
    case .number:
      switch DecimalText(json: text.utf8) {
      case .integer(let value): return try sender.integer(value, at: offset)
      case .real(let value): return try sender.real(value, at: offset)
      case .text: break
      }
    default: break
    }
    try sender.text(.string, text, from: start, at: offset)
  }
}

extension CSVColumns {
  /// Returns the index of the cell that has a path in a document, or contains the value with the path; nil if there is none.
  fileprivate func cell(at path: ValuePath) -> Int? {
    let wanted = Array(path.steps.drop { if case .index = $0 { false } else { true } }.dropFirst())
    guard let steps, !wanted.isEmpty else { return nil }
    var path: [ValuePath.Step] = []
    for step in steps {
      switch step {
      case .begin(let name): path.append(name.step)
      case .end: path.removeLast()
      case .cell(let index, let name):
        if path.count < wanted.count, wanted[path.count] == name.step, wanted.starts(with: path) {
          return index
        }
      }
    }
    return nil
  }

  /// Returns the path of a cell in its row.
  fileprivate func path(of index: Int) -> [ValuePath.Step] {
    if index < count { return paths[index] }
    return steps == nil ? [.index(index)] : [nameOfExtraColumn(index).step]
  }

  /// Returns the name of a cell beyond the columns, whose number is counted from 1: `column 5`. Underscores are added until
  /// no column has the name.
  func nameOfExtraColumn(_ index: Int) -> Name {
    var name = Array("column \(index + 1)".utf8)
    while names?.contains(where: { $0.bytes == name }) == true { name.append(UInt8(ascii: "_")) }
    return Name(name)
  }
}
