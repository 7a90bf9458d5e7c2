/// The ranges of the records of a text: the elements of its outermost list, which has no brackets around it.
///
///     {"a":1}⏎{"a":2}⏎        the lines of JSON Lines
///     a: 1⏎---⏎a: 2⏎          the documents of YAML
protocol RecordRanges {
  /// The offset at which a text with other records begins: after a byte order mark.
  var start: Int { get }
  /// True if a text with a single record is read as the record, and not as a list.
  var areReadAlone: Bool { get }
  /// Returns the ranges of the text to remove with neighboring records: their values and what separates them from others.
  func ranges(removing run: ClosedRange<Int>) -> [Range<Int>]
  /// Returns the insertion of a record with what separates it from others.
  ///
  /// - Parameters:
  ///   - text: The text of the record.
  ///   - index: The record of the original text before the new one, or nil for the first place.
  func insertion(of text: [UInt8], after index: Int?) -> (offset: Int, text: [UInt8])
  /// Returns a text with only these records.
  func text(of records: [[UInt8]]) -> [UInt8]
}
