/// The rule that decides which strings and data are written once and then referred to:
///
///     {"$id": 7, "$value": "a long text …"}, {"$ref": 7}, {"$ref": 7}
///
/// A binary file stores a string once and refers to it with one or two bytes, so a text with all copies could
/// be thousands of times larger. Short strings, and few copies, are easier to read in full. Therefore only
/// strings and data whose copies would make the text much longer are referred to.
enum RepeatedScalars {
  /// The minimum size of a string or data to be referred to, in bytes.
  static let shortestLength = 128
  /// The maximum total size of the copies of one string or data, in bytes.
  static let mostCopiedBytes = 1 << 16

  /// Returns true if a string or data of this length is written once and then referred to.
  static func isWrittenOnce(length: Int, occurrences: Int) -> Bool {
    guard length >= shortestLength, occurrences > 1 else { return false }
    let (copies, overflows) = length.multipliedReportingOverflow(by: occurrences - 1)
    return overflows || copies > mostCopiedBytes
  }

  /// Returns the total number of bytes for all occurrences of a string or data.
  static func weight(length: Int, occurrences: Int) -> Int {
    guard !isWrittenOnce(length: length, occurrences: occurrences) else { return length }
    let (copies, overflows) = length.multipliedReportingOverflow(by: occurrences)
    return overflows ? .max / 4 : copies
  }
}
