/// A replacement of bytes in a text.
struct ByteEdit {
  var range: Range<Int>
  var text: [UInt8]
  /// The number of collections around an insertion. Of insertions at the same offset, those into inner collections come
  /// first.
  var depth = 0

  /// The order in which edits are applied.
  fileprivate static func precedes(_ a: ByteEdit, _ b: ByteEdit) -> Bool {
    (a.range.lowerBound, a.range.upperBound, b.depth) < (b.range.lowerBound, b.range.upperBound, a.depth)
  }
}

extension [ByteEdit] {
  /// Returns a text with the edits. An edit inside the range of an earlier one has no effect.
  ///
  /// - Parameter joins: Returns true if the last two bytes of a text and the beginning of the next text would be read as one
  ///   token. A space separates them.
  func applied(
    to source: [UInt8],
    separating joins: ((_ end: ArraySlice<UInt8>, _ beginning: ArraySlice<UInt8>) -> Bool)? = nil
  ) -> [UInt8] {
    var text: [UInt8] = []
    text.reserveCapacity(source.count + reduce(0) { $0 + $1.text.count })
    func append(_ piece: ArraySlice<UInt8>) {
      if let joins, !text.isEmpty, !piece.isEmpty {
        // A slice of the text itself would be a second reference, for which the next addition would copy the text.
        let end = [UInt8](text.suffix(2))
        if joins(end[...], piece) { text.append(UInt8(ascii: " ")) }
      }
      text += piece
    }
    var done = 0
    for edit in sorted(by: ByteEdit.precedes) where edit.range.lowerBound >= done {
      append(source[done..<edit.range.lowerBound])
      append(edit.text[...])
      done = edit.range.upperBound
    }
    append(source[done...])
    return text
  }
}
