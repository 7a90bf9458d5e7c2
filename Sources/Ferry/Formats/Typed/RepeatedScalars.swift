/// Decides which strings and data are written once and then referred to, however often they occur.
///
///     {"$id": 7, "$value": "a long text …"}, {"$ref": 7}, {"$ref": 7}
///
/// A file has a string once and refers to it with a byte or two, so a text with all copies may be thousands of times
/// larger. Short strings and a few copies are cheap and read better in full: only what would make a text longer by much is
/// referred to.
enum RepeatedScalars {
  /// The fewest bytes of a string or data that is referred to.
  static let shortestLength = 128
  /// The most bytes that the copies of one string or data may take in all.
  static let mostCopiedBytes = 1 << 16

  /// True if a string or data of this length is written once.
  static func isWrittenOnce(length: Int, occurrences: Int) -> Bool {
    guard length >= shortestLength, occurrences > 1 else { return false }
    let (copies, overflows) = length.multipliedReportingOverflow(by: occurrences - 1)
    return overflows || copies > mostCopiedBytes
  }

  /// The bytes that a string or data takes in all.
  static func weight(length: Int, occurrences: Int) -> Int {
    guard !isWrittenOnce(length: length, occurrences: occurrences) else { return length }
    let (copies, overflows) = length.multipliedReportingOverflow(by: occurrences)
    return overflows ? .max / 4 : copies
  }
}
