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

  /// Returns the sizes for an input of a size. All parts share the budget for names, so a long input has no more parts, but longer
  /// ones.
  func fitted(to size: Int) -> PartSizes {
    var sizes = self
    sizes.part = max(part, min(size >> 10, longPart))
    return sizes
  }

  /// Returns the largest number of parts into which an input of a size should be cut.
  func mostParts(of size: Int) -> Int { 2 + 2 * size / part }
}
