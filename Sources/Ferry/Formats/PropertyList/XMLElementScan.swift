/// A scanner of the tags in a well-formed XML text.
struct XMLElementScan: ~Escapable {
  struct Tag {
    var range: Range<Int>
    var isEnd: Bool
    var isEmpty: Bool
    var isPropertyList: Bool
  }

  private let text: Span<UInt8>
  private var index = 0

  @_lifetime(copy text)
  init(_ text: Span<UInt8>) { self.text = text }

  mutating func next() -> Tag? {
    while let start = text.firstIndex(of: UInt8(ascii: "<"), from: index) {
      index = start
      guard start + 1 < text.count, "!?".utf8.contains(text[start + 1]) else { return tag() }
      index = text.endOfMarkup(from: start)
    }
    return nil
  }

  /// Skips to the closing quote.
  private mutating func skipQuoted() {
    index = text.firstIndex(of: text[index], from: index + 1) ?? text.count
  }

  private mutating func tag() -> Tag {
    let start = index
    let isEnd = text.extracting(index...).starts(with: "</")
    let isPropertyList = text.extracting((index + (isEnd ? 2 : 1))...).starts(with: "plist")
    while index < text.count, text[index] != UInt8(ascii: ">") {
      if text[index] == UInt8(ascii: "\"") || text[index] == UInt8(ascii: "'") { skipQuoted() }
      index += 1
    }
    let isEmpty = index > start && index < text.count && text[index - 1] == UInt8(ascii: "/")
    index = min(index + 1, text.count)
    return Tag(range: start..<index, isEnd: isEnd, isEmpty: isEmpty, isPropertyList: isPropertyList)
  }
}
