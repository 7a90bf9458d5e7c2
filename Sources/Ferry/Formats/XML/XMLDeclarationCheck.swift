/// A check that an XML declaration is well-formed.
///
///     <?xml version="1.0" encoding="UTF-8" standalone="yes"?>
enum XMLDeclarationCheck {
  /// Checks a declaration. Returns the range of the encoding's name, or nil if the declaration names none.
  ///
  /// - Parameter text: The declaration from its `<` on, without the `?>` at its end.
  static func check(_ text: Span<UInt8>) throws(MarkupFlaw) -> Range<Int>? {
    var cursor = MarkupCursor(text, at: 5)
    try cursor.version()
    let encoding = try cursor.encoding()
    try cursor.standalone()
    cursor.skipSpace()
    guard cursor.isAtEnd else { throw cursor.flaw(XMLWords.declarationEndExpected) }
    return encoding
  }

  /// Returns true if an instruction, from its `<` on, is an XML declaration, wherever it is.
  static func isDeclaration(_ text: Span<UInt8>) -> Bool {
    text.starts(with: "<?xml") && text.endOfName(from: 2) == 5
  }
}

extension MarkupCursor {
  fileprivate mutating func version() throws(MarkupFlaw) {
    skipSpace()
    guard take("version") else { throw flaw(XMLWords.versionMissing) }
    let quote = try valueOpening()
    let isFirst = next == 0x31
    let isNumber = take(where: \.isDigit) && take(".")
    while isNumber, take(where: \.isDigit) {}
    try close(quote)
    guard isNumber else { throw flaw(XMLWords.versionMissing) }
    guard isFirst else { throw flaw(XMLWords.unsupportedVersion) }
    if !isAtEnd { try requireSpace() }
  }

  fileprivate mutating func encoding() throws(MarkupFlaw) -> Range<Int>? {
    guard take("encoding") else { return nil }
    let quote = try valueOpening()
    let start = index
    guard take(where: \.isLetter) else { throw flaw(XMLWords.badEncodingName) }
    while take(where: { $0.isLetter || $0.isDigit || "._-".utf8.contains($0) }) {}
    let name = start..<index
    try close(quote)
    // libxml2 accepts a document without white space here.
    skipSpace()
    return name
  }

  fileprivate mutating func standalone() throws(MarkupFlaw) {
    guard take("standalone") else { return }
    let quote = try valueOpening()
    guard take("yes") || take("no") else { throw flaw(XMLWords.badStandalone) }
    try close(quote)
  }

  private mutating func close(_ quote: UInt8) throws(MarkupFlaw) {
    guard take(where: { $0 == quote }) else { throw flaw(XMLWords.closingQuoteExpected) }
  }
}
