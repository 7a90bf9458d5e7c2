/// A line with which git marks one end of the two versions in a conflict of a merge.
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

  /// Finds the mark of a line. Nil if it has none.
  ///
  /// - Parameter line: The line without its line end, or its first bytes.
  init?(_ line: Span<UInt8>) {
    if line.starts(with: "<<<<<<< ") {
      self = .start
    } else if line.equals("=======") {
      self = .divider
    } else if line.starts(with: ">>>>>>> ") {
      self = .end
    } else {
      return nil
    }
  }
}
