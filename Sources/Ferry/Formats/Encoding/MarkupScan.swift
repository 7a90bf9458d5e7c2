/// A scan of XML that finds the kind of text at its end.
struct MarkupScan {
  /// The kind of text at a location of XML.
  enum Place { case text, value, characterData, other }

  private enum State {
    case text
    case opening([UInt8])
    case tag
    case value(quote: UInt8)
    case section(end: StaticString)
    case declaration(depth: Int)
  }

  private var state = State.text
  /// The last two bytes of a section.
  private var last: (UInt8, UInt8) = (0, 0)

  /// The kind of text after the scanned bytes.
  var place: Place {
    switch state {
    case .text: .text
    case .value: .value
    case .section(let end): end.utf8CodeUnitCount == 3 && end.hasBrackets ? .characterData : .other
    case .opening, .tag, .declaration: .other
    }
  }

  mutating func scan(_ text: Span<UInt8>) {
    for index in text.indices { scan(text[index]) }
  }

  private mutating func scan(_ byte: UInt8) {
    switch (state, byte) {
    case (.text, UInt8(ascii: "<")): state = .opening([])
    case (.text, _): break
    case (.opening(let begun), _): open(begun + [byte])
    case (.tag, UInt8(ascii: ">")): state = .text
    case (.tag, UInt8(ascii: "\"")), (.tag, UInt8(ascii: "'")): state = .value(quote: byte)
    case (.tag, _): break
    case (.value(let quote), _): if byte == quote { state = .tag }
    case (.section(let end), _):
      if end.ends(with: last, byte) { state = .text }
      last = (last.1, byte)
    case (.declaration(let depth), UInt8(ascii: "[")): state = .declaration(depth: depth + 1)
    case (.declaration(let depth), UInt8(ascii: "]")): state = .declaration(depth: depth - 1)
    case (.declaration(0), UInt8(ascii: ">")): state = .text
    case (.declaration, _): break
    }
  }

  private mutating func open(_ begun: [UInt8]) {
    let openings: [(String, StaticString)] = [("!--", "-->"), ("![CDATA[", "]]>"), ("?", "?>")]
    for (opening, end) in openings {
      guard !begun.elementsEqual(opening.utf8) else {
        last = (0, 0)
        return state = .section(end: end)
      }
      guard !opening.utf8.starts(with: begun) else { return state = .opening(begun) }
    }
    state = begun[0] == UInt8(ascii: "!") ? .declaration(depth: 0) : .tag
    // A short tag such as `<a>` ends at once.
    if case .tag = state, begun.last == UInt8(ascii: ">") { state = .text }
  }
}

extension StaticString {
  fileprivate var hasBrackets: Bool { firstByte == UInt8(ascii: "]") }

  /// Returns true if the last bytes are those of this text.
  fileprivate func ends(with last: (UInt8, UInt8), _ byte: UInt8) -> Bool {
    withUTF8Buffer { end in
      let bytes = [last.0, last.1, byte]
      return unsafe bytes.suffix(end.count).elementsEqual(end)
    }
  }
}
