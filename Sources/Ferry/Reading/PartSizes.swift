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
  /// The largest size of the text of some elements of a binary file, for all threads together. It bounds the memory, as the size of a part
  /// does for a text.
  var largestText = 64 << 20
  /// The number of bytes that a pipe must have at once to be converted in parts. Its size is not known.
  var smallestBeginning = 1 << 20
  /// The time for which a pipe may keep a conversion waiting, for its beginning and for each part. One thread converts a slower pipe, and writes
  /// each record before it waits for the next one. That thread is faster than such a pipe.
  var patience = (beginning: Duration.milliseconds(50), part: Duration.milliseconds(200))

  /// Returns the sizes for an input of a size. A long input has longer parts, so that less time is spent on joining their texts, names and
  /// losses.
  func fitted(to size: Int) -> PartSizes {
    var sizes = self
    sizes.part = max(part, min(size >> 10, longPart))
    return sizes
  }

  /// Returns the largest size of the text of some elements of a binary file that one of several threads may have. It has room for sixteen times the
  /// bytes of a part, because elements may share objects, and one thread converts a file with a longer text.
  func largestText(threads: Int) -> Int { max(largestText / max(threads, 1), 16 * part) }
}
