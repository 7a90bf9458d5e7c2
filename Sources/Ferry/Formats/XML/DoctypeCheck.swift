/// A check that a document type declaration is well-formed, for a reader that ignores its contents.
///
///     <!DOCTYPE plist PUBLIC "-//Apple//DTD PLIST 1.0//EN" "http://www.apple.com/DTDs/PropertyList-1.0.dtd">
enum DoctypeCheck {
  /// Checks a declaration. Returns true if it has an internal subset (declarations in brackets).
  ///
  /// - Parameter text: The declaration from its `<` on, without the `>` at its end.
  static func check(_ text: Span<UInt8>) throws(MarkupFlaw) -> Bool {
    var cursor = MarkupCursor(text, at: try check(head: text))
    guard let end = PrologScan.endOfSubset(in: text) else { return false }
    try check(subset: text.extracting(first: end))
    cursor.move(to: end)
    cursor.skipSpace()
    guard cursor.isAtEnd else { throw cursor.flaw(XMLWords.doctypeEndExpected) }
    return true
  }

  /// Checks a declaration up to its internal subset, and returns the offset of the subset's bracket, or of the
  /// declaration's end.
  @discardableResult
  static func check(head text: Span<UInt8>) throws(MarkupFlaw) -> Int {
    var cursor = MarkupCursor(text, at: 9)
    cursor.skipSpace()
    _ = try cursor.name(orFlaw: XMLWords.nameExpected)
    cursor.skipSpace()
    try cursor.externalIdentifier()
    cursor.skipSpace()
    guard cursor.isAtEnd || cursor.next == 0x5b else { throw cursor.flaw(XMLWords.doctypeEndExpected) }
    return cursor.index
  }

  /// Checks a declaration that ends with its internal subset by reading it as XML.
  private static func check(subset text: Span<UInt8>) throws(MarkupFlaw) {
    let document = [UInt8](copying: text) + Array("><a/>".utf8)
    do throws(FerryError) {
      try XMLStream(document: ElementDelegate()).readAll(document.span)
    } catch {
      // libxml2 may miss the end of a subset whose instructions contain a quotation mark.
      guard let offset = error.location.byte, offset < text.count else { return }
      throw MarkupFlaw(error.reason, at: offset)
    }
  }
}

extension MarkupCursor {
  fileprivate mutating func externalIdentifier() throws(MarkupFlaw) {
    if take("PUBLIC") {
      try requireSpace()
      try publicIdentifier()
    } else if !take("SYSTEM") {
      return
    }
    try requireSpace()
    let quote = try openingQuote(orFlaw: XMLWords.identifierExpected)
    while let next, next != quote {
      guard isXMLCharacter(next) else { throw MarkupFlaw(.xml(.forbiddenCharacter(next)), at: index) }
      skipCharacter()
    }
    try close(quote)
  }

  private mutating func publicIdentifier() throws(MarkupFlaw) {
    let quote = try openingQuote(orFlaw: XMLWords.identifierExpected)
    while take(where: { $0 != quote && $0.isInPublicIdentifiers }) {}
    if let next, next != quote { throw flaw(XMLWords.notInPublicIdentifier(next)) }
    try close(quote)
  }

  private mutating func close(_ quote: UInt8) throws(MarkupFlaw) {
    guard take(where: { $0 == quote }) else { throw flaw(XMLWords.openIdentifier) }
  }
}

extension UInt8 {
  /// True for the characters of public identifiers (XML 1.0, production 13).
  fileprivate var isInPublicIdentifiers: Bool {
    switch self {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
      UInt8(ascii: "0")...UInt8(ascii: "9"):
      true
    default: " \r\n-'()+,./:=?;!*#@$_%".utf8.contains(self)
    }
  }
}
