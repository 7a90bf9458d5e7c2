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
    while index < text.count {
      guard text[index] == UInt8(ascii: "<") else {
        index += 1
        continue
      }
      if starts("<!--") {
        skip(to: "-->")
      } else if starts("<![CDATA[") {
        skip(to: "]]>")
      } else if starts("<?") {
        skip(to: "?>")
      } else if starts("<!") {
        skipDeclaration()
      } else {
        return tag()
      }
    }
    return nil
  }

  private func starts(_ literal: StaticString) -> Bool { text.extracting(index...).starts(with: literal) }

  private mutating func skip(to end: StaticString) {
    index = text.end(ofFirst: end, from: index + 2) ?? text.count
  }

  /// Skips a DOCTYPE, including its declarations in brackets.
  private mutating func skipDeclaration() {
    var scan = PrologScan()
    index = scan.end(in: text, from: index) ?? text.count
  }

  /// Skips to the closing quote.
  private mutating func skipQuoted() {
    index = text.firstIndex(of: text[index], from: index + 1) ?? text.count
  }

  private mutating func tag() -> Tag {
    let start = index
    let isEnd = starts("</")
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
