/// The boundary between two records of a text, at which it can be cut into parts.
///
///     [{"first":"Ada"},                 a part, which gets a bracket at its end
///      {"first":"Grace"}
///     ――――――――――――――――,                 without the comma
///      {"first":"Mary"}]                a part, which gets a bracket at its beginning
///
/// In its frame, each part is a text of the same format with some of the records. The bytes of a boundary may also occur where
/// none is, such as in a string or in a comment. The part before it then lacks the end of the string or of a collection, and is
/// not a valid text. So if all parts are valid, their records are those of the whole text.
struct PartBoundary: Sendable {
  /// The text that a part gets in place of the parts before and after it.
  struct Frame: Sendable {
    var before: [UInt8] = []
    var after: [UInt8] = []
  }

  let frame: Frame
  /// The bytes around the boundary.
  private let pattern: [UInt8]
  /// The range in the pattern that is between the parts, and belongs to none of them.
  private let cut: Range<Int>

  init(_ pattern: [UInt8], cut: Range<Int>, frame: Frame) {
    (self.pattern, self.cut, self.frame) = (pattern, cut, frame)
  }

  /// The end of a line. The frame has a line end, so that a byte order mark is only that at the beginning of the text.
  static let lineEnd = PartBoundary(
    [UInt8(ascii: "\n")], cut: 1..<1, frame: Frame(before: [UInt8(ascii: "\n")]))

  /// Returns the range of the bytes between two parts at the last boundary, or nil.
  ///
  /// - Parameter start: The index before which no boundary ends.
  func last(in bytes: Span<UInt8>, from start: Int) -> Range<Int>? {
    let (first, count) = (max(start - pattern.count, 0), pattern.count)
    var index = bytes.count - count
    while index >= first {
      if bytes[index] == pattern[0], bytes.extracting(index..<index + count).equals(pattern.span) {
        return index + cut.lowerBound..<index + cut.upperBound
      }
      index -= 1
    }
    return nil
  }
}
