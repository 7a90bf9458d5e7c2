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
    /// For each piece of `before` that the input has, too: its offset in `before`, and its location in the input.
    var origins: [(offset: Int, location: InputLocation)] = []
  }

  let frame: Frame
  /// The bytes of the input between two parts.
  let separator: [UInt8]
  private var finder: any BoundaryFinder

  init(_ finder: any BoundaryFinder, frame: Frame, separator: [UInt8] = []) {
    (self.finder, self.frame, self.separator) = (finder, frame, separator)
  }

  /// Creates a boundary whose bytes are always the same.
  ///
  /// - Parameter cut: The range in the pattern that is between the parts, and belongs to none of them.
  init(_ pattern: [UInt8], cut: Range<Int>, frame: Frame) {
    self.init(BoundaryPattern(bytes: pattern, cut: cut), frame: frame, separator: Array(pattern[cut]))
  }

  /// The end of a line. The frame has line ends, so that a byte order mark is only that at the beginning of the text, and zeros do not
  /// make the text look like one in UTF-16 or UTF-32.
  static let lineEnd = PartBoundary(
    [UInt8(ascii: "\n")], cut: 1..<1,
    frame: Frame(before: [UInt8](repeating: UInt8(ascii: "\n"), count: 4)))

  /// Returns the range of the bytes between two parts at the last boundary, or nil.
  ///
  /// - Parameters:
  ///   - bytes: The bytes of the part. It begins after the boundary that was returned last.
  ///   - start: The index before which no boundary ends.
  mutating func last(in bytes: [UInt8], from start: Int) -> Range<Int>? {
    finder.last(in: bytes.span, from: start)
  }
}

/// A finder of the boundaries between the records of a text.
protocol BoundaryFinder: Sendable {
  /// Returns the range of the bytes between two parts at the last boundary, or nil (see `PartBoundary.last`).
  mutating func last(in bytes: Span<UInt8>, from start: Int) -> Range<Int>?
}

/// The finder of boundaries with the same bytes around them.
private struct BoundaryPattern: BoundaryFinder {
  let bytes: [UInt8]
  let cut: Range<Int>

  func last(in text: Span<UInt8>, from start: Int) -> Range<Int>? {
    let (first, count) = (max(start - bytes.count, 0), bytes.count)
    var index = text.count - count
    while index >= first {
      if text[index] == bytes[0], text.extracting(index..<index + count).equals(bytes.span) {
        return index + cut.lowerBound..<index + cut.upperBound
      }
      index -= 1
    }
    return nil
  }
}
