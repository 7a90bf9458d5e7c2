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
  func applied(to source: [UInt8]) -> [UInt8] {
    var text: [UInt8] = []
    var done = 0
    for edit in sorted(by: ByteEdit.precedes) where edit.range.lowerBound >= done {
      text += source[done..<edit.range.lowerBound]
      text += edit.text
      done = edit.range.upperBound
    }
    return text + source[done...]
  }
}
