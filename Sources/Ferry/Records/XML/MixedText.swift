/// The text of an element, in pieces before, between and after its children. A piece of white space beside a
/// child is layout and is left out, unless `xml:space` or a CDATA section marks it as content.
///
///     <box>\n  <pen/>closed\n  <pen/>\n</box>     "closed\n  "
struct MixedText {
  /// The text up to now.
  private(set) var bytes: [UInt8] = []
  /// True if the element has a child.
  private(set) var hasChildren = false
  private var pieceStart = 0
  /// True if a CDATA section marks the piece as content.
  private var isMarked = false
  /// True if the element has a CDATA section, which distinguishes an empty text from no text.
  private(set) var hasSection = false

  /// Empties the instance for another element.
  mutating func removeAll() {
    bytes.removeAll(keepingCapacity: true)
    (hasChildren, pieceStart, isMarked, hasSection) = (false, 0, false, false)
  }

  /// Adds text.
  mutating func append(_ text: BorrowedText) { bytes.append(copying: text.utf8) }

  /// Adds the text of a CDATA section.
  mutating func append(cdata text: BorrowedText) {
    hasSection = true
    if !text.utf8.isEmpty { isMarked = true }
    append(text)
  }

  /// Begins a child, which ends the piece before it.
  mutating func beginChild(keepsSpace: Bool) {
    endPiece(keepsSpace: keepsSpace)
    hasChildren = true
  }

  /// Ends a piece, and leaves it out if it is layout.
  mutating func endPiece(keepsSpace: Bool) {
    defer { (pieceStart, isMarked) = (bytes.count, false) }
    guard pieceStart < bytes.count, !keepsSpace, !isMarked else { return }
    if BorrowedText(bytes.span.extracting(pieceStart...)).isBlank { bytes.removeSubrange(pieceStart...) }
  }
}
