/// An output for the text of a list, whose elements are added to those of a list that was written before (see `JoinedList`).
final class JoinedOutput: ByteOutput {
  private let output: any ByteOutput
  private let list: JoinedList
  /// The number of bytes before the first element that are still to be left out.
  private var leftOut: Int
  /// The white space before the first element or the end of the list; nil after it.
  private var space: [UInt8]? = []
  /// True if the list has no elements, so that the rest of its text is left out.
  private var isEmpty = false

  /// Creates an output.
  ///
  /// - Parameter list: The list before.
  init(to output: any ByteOutput, after list: JoinedList) {
    (self.output, self.list, leftOut) = (output, list, list.lengthBeforeElements)
    if !list.hasElements { (space, leftOut) = (nil, 0) }
  }

  func write(_ bytes: Span<UInt8>) throws(FerryError) {
    var start = min(leftOut, bytes.count)
    leftOut -= start
    if var space {
      while start < bytes.count, bytes[start].isSpace {
        space.append(bytes[start])
        start += 1
      }
      self.space = space
      guard start < bytes.count else { return }
      try begin(with: bytes[start], after: space)
    }
    if !isEmpty, start < bytes.count { try output.write(bytes.extracting(droppingFirst: start)) }
  }

  /// Writes the text between the elements of both lists, or the end of the first list if the second one is empty.
  private func begin(with byte: UInt8, after space: [UInt8]) throws(FerryError) {
    self.space = nil
    isEmpty = byte == UInt8(ascii: "]")
    let separator = isEmpty ? Array(list.end) : [UInt8(ascii: ",")] + space
    try output.write(separator.span)
  }
}
