/// The first mistake in markup, with its offset from the beginning of the markup.
struct MarkupFlaw: Error {
  let reason: FerryError.Reason
  let offset: Int

  init(_ words: String, at offset: Int) { self.init(.xml(.notWellFormed(words)), at: offset) }
  init(_ reason: FerryError.Reason, at offset: Int) { (self.reason, self.offset) = (reason, offset) }
}

/// A cursor over the bytes of markup, for checks that the markup is well-formed.
struct MarkupCursor: ~Escapable {
  private let text: Span<UInt8>
  /// The offset of the next byte.
  private(set) var index: Int

  @_lifetime(copy text)
  init(_ text: Span<UInt8>, at index: Int) {
    self.text = text
    self.index = index
  }

  /// True if no byte is left.
  var isAtEnd: Bool { index == text.count }

  /// The next character, or nil at the end.
  var next: UInt32? { isAtEnd ? nil : text.scalar(at: index).scalar }

  /// Returns a mistake at the next byte.
  func flaw(_ words: String) -> MarkupFlaw { MarkupFlaw(words, at: index) }

  mutating func move(to index: Int) { self.index = index }

  /// Skips white space. Returns true if at least one character is white space.
  @discardableResult
  mutating func skipSpace() -> Bool {
    let start = index
    index = text.endOfSpace(from: start)
    return index > start
  }

  /// Skips white space. Throws if the next character is not white space.
  mutating func requireSpace() throws(MarkupFlaw) {
    guard skipSpace() else { throw flaw(XMLWords.spaceExpected) }
  }

  /// Skips the next characters if they are those of a literal. Returns true if they are.
  mutating func take(_ literal: StaticString) -> Bool {
    guard text.extracting(index...).starts(with: literal) else { return false }
    index += literal.utf8CodeUnitCount
    return true
  }

  /// Skips the next character.
  mutating func skipCharacter() { index = min(index + text.scalar(at: index).length, text.count) }

  /// Skips the next byte if it meets a condition. Returns true if it does.
  mutating func take(where condition: (UInt8) -> Bool) -> Bool {
    guard !isAtEnd, condition(text[index]) else { return false }
    index += 1
    return true
  }

  /// Skips a name, and returns its range. Throws if the next character cannot begin a name.
  mutating func name(orFlaw words: String) throws(MarkupFlaw) -> Range<Int> {
    guard let next, isXMLNameStart(next) || next == 0x3a else { throw flaw(words) }
    let start = index
    index = text.endOfName(from: start)
    return start..<index
  }

  /// Skips an opening quotation mark, and returns it.
  mutating func openingQuote(orFlaw words: String) throws(MarkupFlaw) -> UInt8 {
    guard !isAtEnd, text[index].isQuotationMark else { throw flaw(words) }
    defer { index += 1 }
    return text[index]
  }

  /// Skips the equals sign and the quotation mark before a value, and returns the quotation mark.
  mutating func valueOpening() throws(MarkupFlaw) -> UInt8 {
    switch text.valueOpening(after: index) {
    case .noSign(let end): throw MarkupFlaw(XMLWords.equalsExpected, at: end)
    case .noQuotationMark(let end): throw MarkupFlaw(XMLWords.quotedValueExpected, at: end)
    case .quotationMark(let quote):
      index = quote + 1
      return text[quote]
    }
  }
}
