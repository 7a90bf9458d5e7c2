/// The sizes of the parts in which several threads convert an input, in bytes.
struct PartSizes: Sendable {
  /// The size from which an input is converted in parts. A smaller one takes less time than to start threads would save.
  var smallestInput = 8 << 20
  /// The size of a part.
  var part = 256 << 10
  /// The size of a part of an input of a gigabyte and more.
  var longPart = 1 << 20
  /// The largest size of a part with a long record.
  var largestPart = 4 << 20
  /// The largest size of the text of some elements of a binary file. It bounds the memory, as the size of a part does for a text.
  var largestText = 16 << 20
  /// The number of bytes that a pipe must have at once to be converted in parts. Its size is not known.
  var smallestBeginning = 1 << 20
  /// The time for which a pipe may keep a conversion waiting, for its beginning and for each part. One thread converts a slower pipe, and writes
  /// each record before it waits for the next one. That thread is faster than such a pipe.
  var patience = (beginning: Duration.milliseconds(50), part: Duration.milliseconds(200))

  /// Returns the sizes for an input of a size. All parts share the budget for names, so a long input has no more parts, but longer
  /// ones.
  func fitted(to size: Int) -> PartSizes {
    var sizes = self
    sizes.part = max(part, min(size >> 10, longPart))
    return sizes
  }

  /// Returns the sizes for a pipe.
  ///
  /// - Parameter limitsNames: True if all parts share the budget for names.
  func fittedToPipe(limitsNames: Bool) -> PartSizes {
    var sizes = self
    if limitsNames { sizes.part = longPart }
    return sizes
  }

  /// The largest number of parts of a pipe if they share the budget for names.
  static let mostPartsOfPipe = 2048

  /// Returns the largest number of parts into which an input of a size should be cut.
  func mostParts(of size: Int) -> Int { 2 + 2 * size / part }
}
