/// A scanner that divides text into rows of cells (RFC 4180). More text can be added after the end at any time.
///
///     name,"a ""b"", c"⏎           name   "a ""b"", c" in quotation marks
///
/// A row ends in LF, CR or CR LF. A quotation mark inside a cell that does not begin with one is an ordinary character.
struct CSVScanner {
  /// The location of a cell in the text, without its quotation marks.
  struct Cell {
    var range: Range<Int>
    var isQuoted = false
    /// True if the cell contains quotation marks, each of which is doubled.
    var hasDoubledQuotes = false

    /// True for an empty cell without quotation marks.
    var isBlank: Bool { range.isEmpty && !isQuoted }
  }

  /// A mistake, and its offset in the text.
  struct Flaw: Error {
    let problem: CSVProblem
    let offset: Int
  }

  private enum State {
    case cellStart, plain, quoted, afterQuote
    case rowEnd
  }

  let delimiter: UInt8
  private let quote: UInt8?
  /// True to leave out spaces and tabs at the beginning of cells.
  private let skipsSpaces: Bool
  private var state = State.cellStart
  /// The cells of the current row so far.
  private(set) var cells: [Cell] = []
  /// The offset of the current row.
  private(set) var rowStart: Int
  /// The offset of the next byte.
  private(set) var offset: Int
  private var cellStart = 0
  private var hasDoubledQuotes = false
  /// True if a line feed at the offset belongs to the end of the last row.
  private var skipsLineFeed = false

  /// Creates a scanner.
  ///
  /// - Parameters:
  ///   - skipsSpaces: True to leave out spaces and tabs at the beginning of cells.
  ///   - offset: The offset of the first row.
  init(delimiter: UInt8, quote: UInt8?, skipsSpaces: Bool = false, from offset: Int) {
    (self.delimiter, self.quote, self.offset, rowStart) = (delimiter, quote, offset, offset)
    self.skipsSpaces = skipsSpaces
  }

  /// True if the next row, or the next cell, has not begun.
  private var isBetweenRows: Bool { cells.isEmpty && state == .cellStart }

  /// Finds the end of the next row. Returns false if the text ends before it; then the scanner continues when there is more
  /// text. At the end of the input, the last row needs no line end.
  mutating func nextRow(in text: Span<UInt8>, isAtEnd: Bool) throws(Flaw) -> Bool {
    if state == .rowEnd { beginRow() }
    if skipsLineFeed, offset < text.count {
      if text[offset] == UInt8(ascii: "\n") { offset += 1 }
      (skipsLineFeed, rowStart) = (false, offset)
    }
    while offset < text.count {
      switch state {
      case .cellStart: beginCell(in: text)
      case .plain:
        offset = text.firstIndex(
          ofAny: delimiter, UInt8(ascii: "\n"), UInt8(ascii: "\r"), from: offset)
        guard offset < text.count else { break }
        endCell(at: offset, with: text[offset])
      case .quoted: findQuote(in: text)
      case .afterQuote: try readAfterQuote(in: text)
      case .rowEnd: return true
      }
    }
    if state == .rowEnd { return true }
    return isAtEnd ? try endText(text) : false
  }

  /// Removes a number of bytes before the current row from all offsets.
  mutating func removeFirst(_ count: Int) {
    guard count > 0 else { return }
    rowStart -= count
    offset -= count
    cellStart -= count
    for index in cells.indices {
      let range = cells[index].range
      cells[index].range = range.lowerBound - count..<range.upperBound - count
    }
  }

  /// Begins a row after a complete one.
  mutating func beginRow() {
    guard state == .rowEnd else { return }
    cells.removeAll(keepingCapacity: true)
    state = .cellStart
    rowStart = offset
  }

  private mutating func beginCell(in text: Span<UInt8>) {
    if skipsSpaces {
      while offset < text.count, text[offset].isInitialSpace, text[offset] != delimiter { offset += 1 }
      // The cell may begin after more spaces.
      guard offset < text.count else { return }
    }
    cellStart = offset
    hasDoubledQuotes = false
    if text[offset] == quote {
      offset += 1
      state = .quoted
    } else {
      state = .plain
    }
  }

  private mutating func findQuote(in text: Span<UInt8>) {
    guard let quote, let end = text.firstIndex(of: quote, from: offset) else {
      offset = text.count
      return
    }
    offset = end + 1
    state = .afterQuote
  }

  private mutating func readAfterQuote(in text: Span<UInt8>) throws(Flaw) {
    let byte = text[offset]
    guard byte != quote else {
      hasDoubledQuotes = true
      offset += 1
      return state = .quoted
    }
    switch byte {
    case delimiter, UInt8(ascii: "\n"), UInt8(ascii: "\r"): endCell(at: offset, with: byte)
    default:
      let isEscaped = offset - 2 > cellStart && text[offset - 2] == UInt8(ascii: "\\")
      throw Flaw(problem: isEscaped ? .backslashBeforeQuote : .textAfterQuote, offset: offset)
    }
  }

  /// Adds the current cell, and begins the next cell or ends the row after the byte that ends the cell.
  private mutating func endCell(at end: Int, with byte: UInt8) {
    addCell(endingAt: end)
    offset = end + 1
    guard byte != delimiter else { return state = .cellStart }
    state = .rowEnd
    skipsLineFeed = byte == UInt8(ascii: "\r")
  }

  private mutating func addCell(endingAt end: Int) {
    guard state == .afterQuote else { return cells.append(Cell(range: cellStart..<end)) }
    cells.append(Cell(range: cellStart + 1..<end - 1, isQuoted: true, hasDoubledQuotes: hasDoubledQuotes))
  }

  private mutating func endText(_ text: Span<UInt8>) throws(Flaw) -> Bool {
    guard !isBetweenRows else { return false }
    if state == .quoted {
      let isEscaped = text.hasEscaped(quote, from: cellStart + 1)
      throw Flaw(problem: isEscaped ? .backslashBeforeQuote : .openQuote, offset: cellStart)
    }
    if state == .cellStart { cellStart = offset }
    addCell(endingAt: offset)
    state = .rowEnd
    return true
  }
}

extension UInt8 {
  /// True for a space and a tab.
  var isInitialSpace: Bool { self == UInt8(ascii: " ") || self == UInt8(ascii: "\t") }
}

extension Span<UInt8> {
  /// Returns true if a backslash is before a quotation mark after an offset.
  fileprivate func hasEscaped(_ quote: UInt8?, from offset: Int) -> Bool {
    guard let quote else { return false }
    var start = offset
    while start < count, let mark = firstIndex(of: quote, from: start) {
      if mark > offset, self[mark - 1] == UInt8(ascii: "\\") { return true }
      start = mark + 1
    }
    return false
  }
}
