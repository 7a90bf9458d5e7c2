/// The lines before the first row of a table, which are skipped.
///
///     Exported 2024⏎          skipped
///     ⏎                       skipped
///     a,b⏎                    the first row
///
/// A line ends in LF, CR or CR LF. Quotation marks have no meaning in it.
struct SkippedLines {
  private let wanted: Int
  /// The number of lines whose ends are not found.
  private var remaining: Int
  /// True if the text so far ends in a part of a line.
  private var hasPart = false
  /// True if a line feed at the beginning of the next text belongs to the end of the last line.
  private var isAfterReturn = false

  init(_ count: Int) { (wanted, remaining) = (max(count, 0), max(count, 0)) }

  /// True if the lines, and the end of the last one, are complete.
  var isOver: Bool { remaining == 0 && !isAfterReturn }

  /// Returns the number of bytes at the beginning of a text that belong to the lines.
  mutating func skip(in text: [UInt8]) -> Int {
    var offset = 0
    while offset < text.count, !isOver {
      if isAfterReturn {
        isAfterReturn = false
        if text[offset] == UInt8(ascii: "\n") { offset += 1 }
        continue
      }
      let (feed, end) = (UInt8(ascii: "\n"), UInt8(ascii: "\r"))
      let lineEnd = text.span.firstIndex(ofAny: feed, end, feed, from: offset)
      hasPart = lineEnd == text.count
      guard !hasPart else { return text.count }
      remaining -= 1
      isAfterReturn = text[lineEnd] == end
      offset = lineEnd + 1
    }
    return offset
  }

  /// Ends the text, whose last line needs no line end.
  ///
  /// - Throws: A `FerryError` with the reason `CSVProblem.tooFewLines`.
  mutating func finish() throws(FerryError) {
    let count = wanted - remaining + (hasPart ? 1 : 0)
    guard count >= wanted else { throw FerryError(.csv(.tooFewLines(count, skipped: wanted))) }
    (remaining, isAfterReturn) = (0, false)
  }
}
