/// The element of the layout in a text of the typed form in XML.
///
///     <map xmlns="http://www.w3.org/2005/xpath-functions">
///       <map key="$layout">…</map>
///     </map>
enum LayoutElement {
  /// Returns the range of the element, with the white space before it; nil if the text has none.
  static func range(in text: [UInt8]) -> Range<Int>? {
    var (depth, end, start) = (0, 0, Int?.none)
    var (found, range): (Int?, Range<Int>?)
    TextPieces.forEachToken(of: text[...], isXML: true) { token, isInTag in
      defer { if !TextPieces.isSpace(token) { end = token.endIndex } }
      if isInTag {
        if start != nil, depth == 2, isLayoutKey(token) { found = start }
        guard token.last == UInt8(ascii: ">") else { return }
        start = nil
        if token.count > 1 { depth -= 1 }
      } else if TextPieces.beginsTag(token) {
        start = end
        depth += 1
      } else if token.starts(with: "</".utf8) {
        depth -= 1
      }
      if depth == 1, let first = found {
        range = first..<token.endIndex
        found = nil
      }
    }
    return range
  }

  private static func isLayoutKey(_ attribute: TextPieces.Piece) -> Bool {
    attribute.elementsEqual(#"key="$layout""#.utf8) || attribute.elementsEqual("key='$layout'".utf8)
  }
}
