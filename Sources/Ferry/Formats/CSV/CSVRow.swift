/// A row of CSV, borrowed from the text.
struct CSVRow: ~Copyable, ~Escapable {
  /// The text that contains the row and other rows.
  let text: Span<UInt8>
  private let cells: Span<CSVScanner.Cell>
  /// True if every byte of the row is less than 0x80.
  private let isASCII: Bool
  private let delimiter: UInt8
  /// The source locations of offsets in the text.
  let locations: CSVParser.Locations

  @_lifetime(copy text, copy cells)
  init(
    _ text: Span<UInt8>, cells: Span<CSVScanner.Cell>, range: Range<Int>, delimiter: UInt8,
    _ locations: CSVParser.Locations
  ) {
    (self.text, self.cells, self.locations) = (text, cells, locations)
    self.delimiter = delimiter
    isASCII = text.extracting(range).isASCII
  }

  /// The number of cells.
  var count: Int { cells.count }

  /// Returns true if a cell is empty and has no quotation marks.
  func isBlank(_ index: Int) -> Bool { cells[index].isBlank }

  /// Returns true if a cell has no quotation marks and a text that means null.
  func isNull(_ index: Int, _ options: CSVReadingOptions) -> Bool {
    guard !options.nullTexts.isEmpty, !cells[index].isQuoted else { return false }
    return options.isNull(text.extracting(cells[index].range))
  }

  /// Returns true if a cell begins with spaces or tabs and a quotation mark after them.
  func begins(_ index: Int, withSpacesBefore quote: UInt8) -> Bool {
    let range = cells[index].range
    var offset = range.lowerBound
    while offset < range.upperBound, text[offset].isInitialSpace { offset += 1 }
    return offset > range.lowerBound && offset < range.upperBound && text[offset] == quote
  }

  /// Returns true if a cell is empty, also in quotation marks.
  func isEmpty(_ index: Int) -> Bool { cells[index].range.isEmpty }

  /// Returns true if a cell has quotation marks.
  func isQuoted(_ index: Int) -> Bool { cells[index].isQuoted }

  /// Returns true if a cell has quotation marks although it can be written without them, also if types are inferred.
  ///
  /// - Parameter isName: True for a cell of the header, which has no type.
  func isNeedlesslyQuoted(_ index: Int, isName: Bool) -> Bool {
    let cell = cells[index]
    guard cell.isQuoted, !cell.hasDoubledQuotes, !cell.range.isEmpty else { return false }
    let content = text.extracting(cell.range)
    return !content.needsQuotes(betweenDelimiters: delimiter) && !content.hasLikelyDelimiter
      && (isName || !content.looksLikeOtherCell)
  }

  /// Returns the offset of a cell in `text`, without its quotation mark.
  func offset(of index: Int) -> Int { cells[index].range.lowerBound }

  /// Calls a function with the text of a cell, and with its offset in `text`, which is nil if the text had to be decoded.
  ///
  /// - Parameters:
  ///   - scratch: Memory for decoded text, which is reused.
  ///   - offset: Receives the offset of the cell, where an error is located.
  /// - Throws: A `FerryError` with the reason `ContentProblem.notInEncoding`, or the error of the function.
  @inline(__always)
  func withText<R>(
    of index: Int, _ scratch: inout [UInt8], _ offset: inout Int,
    _ body: (BorrowedText, Int?) throws(FerryError) -> R
  ) throws(FerryError) -> R {
    let cell = cells[index]
    offset = cell.range.lowerBound
    let bytes = text.extracting(cell.range)
    let isASCII = isASCII ? true : try isASCII(bytes, &offset)
    guard cell.hasDoubledQuotes, cell.range.upperBound < text.count else {
      return try body(BorrowedText(checked: bytes, isASCII: isASCII), offset)
    }
    scratch.removeAll(keepingCapacity: true)
    // The byte after the cell is its closing quotation mark, which is written twice inside the cell.
    scratch.append(halving: text[cell.range.upperBound], in: bytes)
    let decoded = scratch
    return try body(BorrowedText(checked: decoded.span, isASCII: isASCII), nil)
  }

  /// Returns true if a text is ASCII. Throws if it is not UTF-8.
  private func isASCII(_ bytes: Span<UInt8>, _ offset: inout Int) throws(FerryError) -> Bool {
    switch bytes.checkUTF8() {
    case .ascii: return true
    case .utf8: return false
    case .invalid(let flaw):
      offset += flaw
      throw FerryError(.content(.notInEncoding("UTF-8")))
    }
  }
}

extension [UInt8] {
  /// Appends bytes, and replaces each pair of quotation marks by one.
  mutating func append(halving quote: UInt8, in bytes: Span<UInt8>) {
    var start = 0
    while let mark = bytes.firstIndex(of: quote, from: start) {
      append(copying: bytes.extracting(start..<mark + 1))
      start = Swift.min(mark + 2, bytes.count)
    }
    append(copying: bytes.extracting(start...))
  }
}
