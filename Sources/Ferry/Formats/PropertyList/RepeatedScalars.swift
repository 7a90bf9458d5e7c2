/// The rule that decides which strings and data are written once and then referred to.
///
///     {"$id": 7, "$value": "a long text …"}, {"$ref": 7}, {"$ref": 7}
///
/// A file stores a string once and refers to it with a byte or two, so a text with all copies may be
/// thousands of times larger. Short strings and a few copies are cheap and easier to read in full, so only
/// those that would make a text much longer are referred to.
enum RepeatedScalars {
  /// The least number of bytes in a string or data that is referred to.
  static let shortestLength = 128
  /// The greatest total of bytes in the copies of one string or data.
  static let mostCopiedBytes = 1 << 16

  /// Returns true if a string or data of this length is written once.
  static func isWrittenOnce(length: Int, occurrences: Int) -> Bool {
    guard length >= shortestLength, occurrences > 1 else { return false }
    let (copies, overflows) = length.multipliedReportingOverflow(by: occurrences - 1)
    return overflows || copies > mostCopiedBytes
  }

  /// Returns the total of bytes that a string or data takes.
  static func weight(length: Int, occurrences: Int) -> Int {
    guard !isWrittenOnce(length: length, occurrences: occurrences) else { return length }
    let (copies, overflows) = length.multipliedReportingOverflow(by: occurrences)
    return overflows ? .max / 4 : copies
  }
}
