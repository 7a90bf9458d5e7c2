/// The comments on lines of their own above an entry, which belong to it. A blank line ends them.
///
///     # the file
///
///     # the first entry
///     - 1
struct CommentsAbove {
  /// The offset of the first comment.
  let start: Int
  /// The beginning of its line.
  let startOfLine: Int

  /// Finds the comments above an entry. Returns nil if there are none.
  ///
  /// - Parameters:
  ///   - entry: The offset of the entry in the text.
  ///   - comments: The comments of the text or of a part of it, in ascending order.
  init?(_ entry: Int, in text: [UInt8], _ comments: [Range<Int>]) {
    var found: (start: Int, line: Int)?
    var (end, next) = (entry, comments.partitioningIndex { $0.upperBound > entry })
    while next > 0, case let comment = comments[next - 1],
      Self.isSpaceWithinLine(text[comment.upperBound..<end])
    {
      if let line = Self.startOfLine(before: comment.lowerBound, in: text) {
        found = (comment.lowerBound, line)
      }
      (end, next) = (comment.lowerBound, next - 1)
    }
    guard let found else { return nil }
    (start, startOfLine) = found
  }

  /// Returns the beginning of a line, or of the text after its byte order mark, if only blanks are between it and an offset.
  static func startOfLine(before offset: Int, in text: [UInt8]) -> Int? {
    let mark = text.utf8MarkCount
    var start = offset
    while start > mark, text[start - 1] == 0x20 || text[start - 1] == 0x09 { start -= 1 }
    return start == mark || start > mark && text[start - 1].isLineEnd ? start : nil
  }

  /// Returns true for white space with at most one line end.
  private static func isSpaceWithinLine(_ text: ArraySlice<UInt8>) -> Bool {
    var (lineEnds, last) = (0, 0 as UInt8)
    for byte in text {
      guard byte.isSpace else { return false }
      let isSecondOfPair = byte == UInt8(ascii: "\n") && last == UInt8(ascii: "\r")
      if byte.isLineEnd, !isSecondOfPair { lineEnds += 1 }
      last = byte
    }
    return lineEnds < 2
  }
}
