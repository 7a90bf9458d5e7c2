/// A search for the delimiter at the beginning of a table, which continues when there is more text.
struct DelimiterSearch {
  /// The delimiters that are recognized. Of equally frequent ones, the first is used, so the comma, which often is a part
  /// of names and numbers, is the last.
  private static var delimiters: [UInt8] {
    [UInt8(ascii: ";"), UInt8(ascii: "\t"), UInt8(ascii: "|"), UInt8(ascii: ",")]
  }

  private let quote: UInt8?
  /// True to leave out spaces and tabs at the beginning of cells.
  private let skipsSpaces: Bool
  private var index = 0
  /// The delimiters of the current row up to the index.
  private var counts: [Int]
  private var (isQuoted, isCellStart) = (false, true)
  /// The delimiters of the first row, after its end.
  private var first: [Int]?

  init(quote: UInt8?, skipsSpaces: Bool) {
    (self.quote, self.skipsSpaces) = (quote, skipsSpaces)
    counts = Self.delimiters.map { _ in 0 }
  }

  /// Returns the most frequent delimiter in the first row, outside of quotation marks: of several, the one that is as
  /// frequent in the second row; without any, a comma, or a semicolon if the comma is the quotation mark. Returns nil if the text
  /// does not contain the end of the row.
  ///
  /// - Parameter text: The text from the beginning, longer than in the last call.
  mutating func delimiter(in text: Span<UInt8>, isAtEnd: Bool) -> UInt8? {
    guard let first = first ?? countRow(in: text, isAtEnd: isAtEnd) else { return nil }
    self.first = first
    let most = first.max() ?? 0
    guard most > 0 else { return quote == UInt8(ascii: ",") ? UInt8(ascii: ";") : UInt8(ascii: ",") }
    let likely = first.indices.filter { first[$0] == most }
    guard likely.count > 1 else { return Self.delimiters[likely[0]] }
    guard let next = countRow(in: text, isAtEnd: isAtEnd) else { return nil }
    return Self.delimiters[likely.first { next[$0] == most } ?? likely[0]]
  }

  /// Counts the delimiters up to the end of the current row, and begins another. Returns nil if the end is not in the text.
  private mutating func countRow(in text: Span<UInt8>, isAtEnd: Bool) -> [Int]? {
    let delimiters = Self.delimiters
    while index < text.count {
      let byte = text[index]
      defer { index += 1 }
      if isQuoted {
        if byte == quote { isQuoted = false }
        continue
      }
      if byte == UInt8(ascii: "\n") || byte == UInt8(ascii: "\r") {
        // Blank lines before a row are not rows.
        if isCellStart, counts.allSatisfy({ $0 == 0 }) { continue }
        return takeCounts()
      }
      if byte != quote, let delimiter = delimiters.firstIndex(of: byte) {
        counts[delimiter] += 1
        isCellStart = true
      } else if !(skipsSpaces && isCellStart && byte.isInitialSpace) {
        // A doubled quotation mark ends one part of a quoted cell and begins another.
        isQuoted = byte == quote && (isCellStart || index > 0 && text[index - 1] == quote)
        isCellStart = false
      }
    }
    return isAtEnd ? takeCounts() : nil
  }

  private mutating func takeCounts() -> [Int] {
    let taken = counts
    counts = taken.map { _ in 0 }
    (isQuoted, isCellStart) = (false, true)
    return taken
  }
}
