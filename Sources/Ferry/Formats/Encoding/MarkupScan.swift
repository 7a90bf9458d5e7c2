/// A scan of XML that finds the kind of text at its end.
struct MarkupScan {
  /// The kind of text at a location of XML.
  enum Place { case text, value, characterData, other }

  private enum State {
    case text
    case opening([UInt8])
    case tag
    case section(XMLSection)
    case declaration
  }

  private var state = State.text
  private var quotation = XMLQuotation()
  private var sectionEnd = XMLSectionEnd(of: .comment)
  /// The scan of a document type declaration.
  private var declaration = PrologScan()

  /// The kind of text after the scanned bytes.
  var place: Place {
    switch state {
    case .text: .text
    case .tag: quotation.isOpen ? .value : .other
    case .section(.cdata): .characterData
    case .section, .opening, .declaration: .other
    }
  }

  mutating func scan(_ text: Span<UInt8>) {
    for index in text.indices { scan(text[index]) }
  }

  private mutating func scan(_ byte: UInt8) {
    switch (state, byte) {
    case (.text, UInt8(ascii: "<")): state = .opening([byte])
    case (.text, _): break
    case (.opening(let begun), _): open(begun + [byte])
    case (.tag, _): if !quotation.take(byte), byte == UInt8(ascii: ">") { state = .text }
    case (.section, _): if sectionEnd.take(byte) { state = .text }
    case (.declaration, _): if declaration.take(byte) { state = .text }
    }
  }

  private mutating func open(_ begun: [UInt8]) {
    for section in XMLSection.allCases {
      guard !begun.span.equals(section.opening) else {
        sectionEnd = XMLSectionEnd(of: section)
        return state = .section(section)
      }
      guard !section.opening.description.utf8.starts(with: begun) else { return state = .opening(begun) }
    }
    if begun[1] == UInt8(ascii: "!") {
      (state, declaration) = (.declaration, PrologScan())
      for byte in begun { _ = declaration.take(byte) }
      return
    }
    state = .tag
    // A short tag such as `<a>` ends at once.
    if case .tag = state, begun.last == UInt8(ascii: ">") { state = .text }
  }
}
