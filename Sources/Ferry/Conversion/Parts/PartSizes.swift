/// The sizes of the parts in which several threads convert an input, in bytes.
struct PartSizes: Sendable {
  /// The size from which an input is converted in parts. A smaller one takes less time than to start threads would save.
  var smallestInput = 8 << 20
  /// The size of a part.
  var part = 256 << 10
  /// The largest size of a part with a long record.
  var largestPart = 4 << 20

  /// Returns the largest number of parts into which an input of a size should be cut. A compressed input has more.
  func mostParts(of size: Int) -> Int { 2 + 2 * size / part }
}
