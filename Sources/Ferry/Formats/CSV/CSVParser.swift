/// A parser that finds the rows of CSV, which arrives in chunks of any size, and their columns.
///
/// The text of complete rows is discarded after they have been read, so that memory is needed only for one row and one
/// chunk.
struct CSVParser: ~Copyable {
  let options: CSVReadingOptions
  /// The delimiter of the format, or nil to find it.
  private let formatDelimiter: UInt8?
  private let tokenBytes: Int
  private let depth: Int
  /// Receives the errors of rows that are left out, or nil to throw the first of them.
  private let failed: FailedRecords?

  private var decoder: TextDecoder
  private var text: [UInt8] = []
  private var lines = LineCounter()
  /// The source locations of the rows that are left out.
  private let failedLocator = SourceLocator()
  /// The scanner, or nil until the delimiter is known.
  private var scanner: CSVScanner?
  private var search: DelimiterSearch
  private var skippedLines: SkippedLines
  /// The number of bytes in the skipped lines.
  private(set) var skippedBytes = 0
  /// The delimiter, and the offset of the first row in the text, after the skipped lines; nil until the delimiter is known.
  private(set) var beginning: (delimiter: UInt8, offset: Int)?
  /// The number of rows so far, without the header.
  private(set) var rowCount = 0
  /// The error of the row that begins a conflict of a merge, and true after the row between the two versions; nil outside of a conflict.
  private var conflict: (error: FerryError, isDivided: Bool)?
  /// The columns, or nil until the first row has been read.
  private(set) var columns: CSVColumns?

  /// Creates a parser.
  ///
  /// - Parameter delimiter: The delimiter from `CSVReadingOptions.delimiter(ofFormat:)`, or nil to find it.
  init(_ context: ReaderContext, delimiter: UInt8?) {
    let options = context.csv
    formatDelimiter = delimiter
    (self.options, failed) = (options, context.failed)
    search = DelimiterSearch(quote: options.quote, skipsSpaces: options.skipsInitialSpaces)
    skippedLines = SkippedLines(options.skippedLines)
    (tokenBytes, depth) = (context.budget.tokenBytes, context.budget.depth)
    decoder = TextDecoder(encoding: context.encoding)
  }

  /// The source locations of the rows that are read.
  struct Locations {
    fileprivate let lines: LineCounter
    /// The number of bytes before the text, or nil if the text is in another encoding than the input.
    fileprivate let bytesBefore: Int?

    /// Returns the source location of an offset in the text.
    func location(of offset: Int, in text: Span<UInt8>) -> InputLocation {
      var location = lines.location(of: offset, in: text)
      location.byte = bytesBefore.map { $0 + lines.chunkStart + offset }
      return location
    }

    /// Moves a locator to an offset in the text.
    func move(_ locator: SourceLocator, to offset: Int, in text: Span<UInt8>) {
      locator.move(to: offset, in: text, after: lines)
    }
  }

  /// Adds a chunk, and sends each row that is complete.
  mutating func read<Receiver: CSVRowReceiver & ~Copyable>(
    _ chunk: Span<UInt8>, into receiver: inout Receiver
  ) throws(FerryError) {
    var flaw: FerryError?
    do throws(FerryError) { try decoder.append(chunk, to: &text) } catch { flaw = error }
    try readRows(isAtEnd: false, into: &receiver)
    if let flaw { throw flaw.placed(at: endOfText) }
  }

  /// Ends the input, and sends the last row if it has no line end.
  mutating func finish<Receiver: CSVRowReceiver & ~Copyable>(into receiver: inout Receiver)
    throws(FerryError)
  {
    var flaw: FerryError?
    do throws(FerryError) { try decoder.finish(to: &text) } catch { flaw = error }
    if flaw == nil { try checkEnd() }
    try readRows(isAtEnd: flaw == nil, into: &receiver)
    if let flaw { throw flaw.placed(at: endOfText) }
    if columns == nil, let names = options.columnNames { columns = try columns(named: names) }
  }

  /// Throws if the text ends in a run of zero bytes, which would be a cell. They are in the place of bytes that were not written.
  private func checkEnd() throws(FerryError) {
    let end = text.lastIndex { $0 != 0 }.map { $0 + 1 } ?? 0
    guard text.count - end > 1 else { return }
    throw FerryError(.file(.zeroRun), at: locations.location(of: end, in: text.span))
  }

  private var locations: Locations {
    Locations(lines: lines, bytesBefore: decoder.isPassingThrough ? decoder.markBytes : nil)
  }

  private var endOfText: InputLocation { locations.location(of: text.count, in: text.span) }

  private mutating func readRows<Receiver: CSVRowReceiver & ~Copyable>(
    isAtEnd: Bool, into receiver: inout Receiver
  ) throws(FerryError) {
    if scanner == nil {
      guard try skipLines(isAtEnd: isAtEnd) else { return }
      scanner = try makeScanner(isAtEnd: isAtEnd)
      beginning = scanner.map { ($0.delimiter, skippedBytes + $0.offset) }
    }
    guard var scanner else { return }
    self.scanner = nil
    try readRows(of: text, with: &scanner, isAtEnd: isAtEnd, into: &receiver)
    scanner.beginRow()
    let count = scanner.rowStart
    scanner.removeFirst(count)
    self.scanner = scanner
    countLines(before: count)
    text.removeFirst(count)
    guard text.count <= tokenBytes else {
      throw FerryError(.overBudget(.tokenBytes(tokenBytes)), at: lines.end)
    }
  }

  private mutating func readRows<Receiver: CSVRowReceiver & ~Copyable>(
    of text: [UInt8], with scanner: inout CSVScanner, isAtEnd: Bool, into receiver: inout Receiver
  ) throws(FerryError) {
    let (bytes, locations) = (text.span, locations)
    var offset = scanner.rowStart
    do throws(FerryError) {
      while try nextRow(of: bytes, with: &scanner, isAtEnd: isAtEnd, flawAt: &offset) {
        offset = scanner.rowStart
        let cells = scanner.cells
        // A blank line is not a row.
        if cells.count == 1, cells[0].isBlank { continue }
        if scanner.offset - scanner.rowStart > tokenBytes,
          let long = cells.first(where: { $0.range.count > tokenBytes })
        {
          offset = long.range.lowerBound
          throw FerryError(.overBudget(.tokenBytes(tokenBytes)))
        }
        let row = CSVRow(
          bytes, cells: cells.span, range: scanner.rowStart..<scanner.offset, delimiter: scanner.delimiter,
          locations)
        if try readHeader(row, &offset) { continue }
        guard let columns else { continue }
        rowCount += 1
        if cells.count == columns.count || options.allowsRaggedRows {
          if cells.count == 1 { try checkConflict(cells[0], of: row) }
          try receiver.receive(row, columns, &offset)
        } else {
          // The index of a row that is left out is that after the rows before it.
          try receiver.endChunk(bytes, &offset)
          let cause = likelyCause(of: row, columns, before: scanner, isAtEnd: isAtEnd, at: offset)
          try leaveOut(row, columns, cause, at: offset)
        }
      }
    } catch {
      // The sink may refuse an event before the mistake.
      var earlier = offset
      do throws(FerryError) { try receiver.endChunk(bytes, &earlier) } catch {
        throw error.placed(at: locations.location(of: earlier, in: bytes))
      }
      throw error.placed(at: locations.location(of: offset, in: bytes))
    }
    do throws(FerryError) { try receiver.endChunk(bytes, &offset) } catch {
      throw error.placed(at: locations.location(of: offset, in: bytes))
    }
  }

  /// Throws if a row of one cell ends a conflict of a merge. The marks of git would be read as rows.
  private mutating func checkConflict(
    _ cell: CSVScanner.Cell, of row: borrowing CSVRow
  ) throws(FerryError) {
    guard !cell.isQuoted else { return }
    switch ConflictMark(row.text.extracting(cell.range)) {
    case .start:
      let start = row.locations.location(of: cell.range.lowerBound, in: row.text)
      conflict = (FerryError(.file(OtherKind.conflict.problem), at: start, path: path), isDivided: false)
    case .divider: conflict?.isDivided = true
    case .end:
      guard let conflict, conflict.isDivided else { return }
      throw conflict.error
    case nil: break
    }
  }

  private mutating func countLines(before offset: Int) {
    let text = text
    lines.finish(text.span.extracting(first: offset))
  }

  private func nextRow(
    of text: Span<UInt8>, with scanner: inout CSVScanner, isAtEnd: Bool, flawAt offset: inout Int
  ) throws(FerryError) -> Bool {
    do throws(CSVScanner.Flaw) {
      return try scanner.nextRow(in: text, isAtEnd: isAtEnd)
    } catch {
      offset = error.offset
      throw FerryError(.csv(error.problem))
    }
  }

  /// The path of the current row.
  private var path: ValuePath { ValuePath([.index(rowCount - 1)]) }

  /// Reports a row with too few or too many cells, or throws, also if it begins a conflict of a merge: both versions would be taken.
  private func leaveOut(
    _ row: borrowing CSVRow, _ columns: CSVColumns, _ cause: CSVRowCause?, at offset: Int
  ) throws(FerryError) {
    let flaw = FerryError(.csv(.rowLength(row.count, columns: columns.count, likely: cause)))
    guard let failed, ConflictMark(row.text.extracting(droppingFirst: offset)) != .start else { throw flaw }
    row.locations.move(failedLocator, to: offset, in: row.text)
    failed.add(unread: flaw.placed(at: failedLocator.location).placed(path: path))
  }

  // MARK: The beginning

  /// Skips the lines before the first row. Returns false if they continue after the text.
  private mutating func skipLines(isAtEnd: Bool) throws(FerryError) -> Bool {
    guard !skippedLines.isOver else { return true }
    let count = skippedLines.skip(in: text)
    countLines(before: count)
    text.removeFirst(count)
    skippedBytes += count
    guard isAtEnd else { return skippedLines.isOver }
    do throws(FerryError) { try skippedLines.finish() } catch { throw error.placed(at: endOfText) }
    return true
  }

  /// Returns a scanner after the line `sep=;` that some spreadsheets write, with the delimiter of the first row. Returns nil
  /// if the first row is not complete.
  private mutating func makeScanner(isAtEnd: Bool) throws(FerryError) -> CSVScanner? {
    let text = text
    let bytes = text.span
    guard isAtEnd || bytes.count >= 6 || !"sep=".utf8.starts(with: text.prefix(4)) else { return nil }
    if bytes.starts(with: "sep="), bytes.count > 5,
      bytes[5] == UInt8(ascii: "\n") || bytes[5] == UInt8(ascii: "\r"),
      CSVReadingOptions.isDelimiter(bytes[4])
    {
      let delimiter = formatDelimiter ?? bytes[4]
      guard delimiter != options.quote else { throw FerryError(.csv(.delimiterIsQuote)) }
      return CSVScanner(
        delimiter: delimiter, quote: options.quote, skipsSpaces: options.skipsInitialSpaces, from: 5)
    }
    guard let delimiter = formatDelimiter ?? search.delimiter(in: bytes, isAtEnd: isAtEnd)
    else {
      guard bytes.count <= tokenBytes else {
        throw FerryError(.overBudget(.tokenBytes(tokenBytes)), at: lines.end)
      }
      return nil
    }
    return CSVScanner(
      delimiter: delimiter, quote: options.quote, skipsSpaces: options.skipsInitialSpaces, from: 0)
  }

  /// Sets the columns from the first row. Returns true if the row is a header.
  private mutating func readHeader(_ row: borrowing CSVRow, _ offset: inout Int) throws(FerryError) -> Bool {
    guard columns == nil else { return false }
    if let names = options.columnNames {
      columns = try columns(named: names)
      guard options.hasHeader else { return false }
      guard names.count == row.count else {
        throw FerryError(.csv(.columnNames(given: names.count, columns: row.count)))
      }
    } else if options.hasHeader {
      columns = try columns(namedBy: row, &offset)
    } else {
      columns = CSVColumns(count: row.count)
      return false
    }
    for index in 0..<row.count where !row.isBlank(index) {
      if !row.isQuoted(index) { columns?.hasUnquotedNames = true }
      if row.isNeedlesslyQuoted(index, isName: true) { columns?.hasNeedlesslyQuotedNames = true }
    }
    return true
  }

  /// Throws if the name of a column would be divided into the keys of too many dictionaries inside each other. The dictionary of
  /// the row is one level, and the list of rows another.
  private func checkDepth(_ name: Span<UInt8>) throws(FerryError) {
    guard options.nestsDottedColumns, name.count > min(depth, CSVColumns.depthLimit) else { return }
    var (levels, start) = (2, 0)
    while let dot = name.firstIndex(of: UInt8(ascii: "."), from: start), dot > start, dot + 1 < name.count {
      (levels, start) = (levels + 1, dot + 1)
    }
    guard levels <= depth else { throw FerryError(.overBudget(.depth(depth))) }
    guard levels <= CSVColumns.depthLimit else {
      throw FerryError(.overBudget(.fixedDepth(CSVColumns.depthLimit)))
    }
  }

  private func columns(named names: [String]) throws(FerryError) -> CSVColumns {
    var known: Set<ExactString> = []
    for name in names where !known.insert(name).inserted { throw FerryError(.csv(.sameColumn(name))) }
    for name in names { try checkDepth(name.utf8.span) }
    return CSVColumns(
      named: names.map { CSVColumns.Name(Array($0.utf8)) }, nestsDotted: options.nestsDottedColumns,
      depth: depth)
  }

  private func columns(namedBy row: borrowing CSVRow, _ offset: inout Int) throws(FerryError) -> CSVColumns {
    var (names, known): ([CSVColumns.Name], Set<[UInt8]>) = ([], [])
    var scratch: [UInt8] = []
    for index in 0..<row.count {
      try row.withText(of: index, &scratch, &offset) { text, _ throws(FerryError) in
        let bytes = [UInt8](copying: text.utf8)
        guard known.insert(bytes).inserted else { throw FerryError(.csv(.sameColumn(String(text)))) }
        try checkDepth(text.utf8)
        names.append(CSVColumns.Name(bytes))
      }
    }
    return CSVColumns(named: names, nestsDotted: options.nestsDottedColumns, depth: depth)
  }
}
