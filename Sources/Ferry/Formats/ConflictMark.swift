/// A line with which git marks a conflict of a merge: its start, the line between the two versions, or its end.
///
///     <<<<<<< HEAD
///     {"a": 1}
///     =======
///     {"a": 2}
///     >>>>>>> topic
enum ConflictMark {
  case start, divider, end

  /// The number of bytes that show the mark.
  static let size = 8

  /// Returns the mark that a line is; nil for any other line.
  ///
  /// - Parameter line: The line without its line end, or its first bytes.
  init?(_ line: Span<UInt8>) {
    if line.starts(with: "<<<<<<< ") {
      self = .start
    } else if line.equals("=======") || line.equals("=======\r") {
      self = .divider
    } else if line.starts(with: ">>>>>>> ") {
      self = .end
    } else {
      return nil
    }
  }
}
