/// Markup that ends with the first occurrence of a text after its opening, whatever is in between.
///
///     <!-- > -->      <![CDATA[ <a> ]]>      <?target data?>
enum XMLSection: CaseIterable {
  case comment, cdata, instruction

  /// The text with which the section begins.
  @inline(__always)
  var opening: StaticString {
    switch self {
    case .comment: "<!--"
    case .cdata: "<![CDATA["
    case .instruction: "<?"
    }
  }

  /// The text with which the section ends. It may not overlap the opening.
  @inline(__always)
  var closing: StaticString {
    switch self {
    case .comment: "-->"
    case .cdata: "]]>"
    case .instruction: "?>"
    }
  }

  /// Finds the section that begins at an index. Fails for other markup.
  init?(at index: Int, in text: Span<UInt8>) {
    let rest = text.extracting(index...)
    guard let section = Self.allCases.first(where: { rest.starts(with: $0.opening) }) else { return nil }
    self = section
  }

  /// Returns the index after the section that begins at an index, or nil if it does not end in the text.
  func end(in text: Span<UInt8>, from start: Int) -> Int? {
    text.end(ofFirst: closing, from: start + opening.utf8CodeUnitCount)
  }

  /// Returns a section with a content, which must not have the closing in it.
  func whole(_ content: [UInt8]) -> [UInt8] {
    var text: [UInt8] = []
    text.append(copying: opening)
    text += content
    text.append(copying: closing)
    return text
  }

  /// Returns the range between the opening and the closing of a whole section.
  func content(of range: Range<Int>) -> Range<Int> {
    let start = range.lowerBound + opening.utf8CodeUnitCount
    return start..<max(start, range.upperBound - closing.utf8CodeUnitCount)
  }
}

/// A search for the end of a section, byte by byte from its opening on.
struct XMLSectionEnd {
  /// The character that precedes the `>`.
  private let mark: UInt8
  /// The number of these characters that precede the `>`.
  private let markCount: Int
  /// The number of these characters just before the next byte, at most as many as the end has.
  private(set) var marks = 0

  init(of section: XMLSection) {
    (mark, markCount) = (section.closing.firstByte, section.closing.utf8CodeUnitCount - 1)
  }

  /// True if the section ends here if the next byte is `>`.
  var isDue: Bool { marks == markCount }

  /// Takes the next byte. Returns true if the section ends with it.
  mutating func take(_ byte: UInt8) -> Bool {
    if isDue, byte == UInt8(ascii: ">") { return true }
    marks = byte == mark ? min(marks + 1, markCount) : 0
    return false
  }
}
