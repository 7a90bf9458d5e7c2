/// A scanner of the tags in a well-formed text of XML.
struct XMLTagScanner: ~Escapable {
  enum Tag {
    case start(XMLMarkup.Tag)
    case end(Range<Int>)
  }

  private let text: Span<UInt8>
  private var index = 0

  @_lifetime(copy text)
  init(_ text: Span<UInt8>) { self.text = text }

  mutating func next() -> Tag? {
    while index < text.count {
      guard let start = text.firstIndex(of: UInt8(ascii: "<"), from: index), start + 1 < text.count else {
        index = text.count
        return nil
      }
      index = start
      switch text[start + 1] {
      case UInt8(ascii: "!"), UInt8(ascii: "?"): index = text.endOfMarkup(from: start)
      case UInt8(ascii: "/"):
        index = (text.firstIndex(of: UInt8(ascii: ">"), from: start) ?? text.count - 1) + 1
        return .end(start..<index)
      default: return .start(startTag(from: start))
      }
    }
    return nil
  }

  /// Scans the tag of an element, which begins at an index.
  mutating func startTag(from start: Int) -> XMLMarkup.Tag {
    let nameEnd = text.endOfWrittenName(from: start + 1)
    var attributes: [XMLMarkup.Attribute] = []
    index = nameEnd
    var tagEnd = nameEnd
    while index < text.count, text[index] != UInt8(ascii: ">"), text[index] != UInt8(ascii: "/") {
      index = text.endOfSpace(from: index)
      let name = index..<text.endOfWrittenName(from: index)
      guard name.count > 0, case .quotationMark(let quote) = text.valueOpening(after: name.upperBound),
        let end = text.firstIndex(of: text[quote], from: quote + 1)
      else { break }
      attributes.append(
        XMLMarkup.Attribute(name: name, value: quote + 1..<end, range: tagEnd..<end + 1))
      (index, tagEnd) = (end + 1, end + 1)
      index = text.endOfSpace(from: index)
    }
    let isEmptyTag = index < text.count && text[index] == UInt8(ascii: "/")
    index = min((text.firstIndex(of: UInt8(ascii: ">"), from: index) ?? text.count - 1) + 1, text.count)
    return XMLMarkup.Tag(
      name: start + 1..<nameEnd, range: start..<index, end: tagEnd, isEmpty: isEmptyTag,
      attributes: attributes)
  }
}
