/// A decoder of XML documents to UTF-8, in chunks of any size.
///
/// The first bytes of a document show its family of encodings. In this family, the XML declaration is read,
/// which names the encoding of the rest:
///
///     3C 3F 78 6D …            <?xml version="1.0" encoding="Shift_JIS"?>   the rest is Shift_JIS
///     FF FE 3C 00 3F 00 …      <?xml version="1.0" encoding="UTF-16"?>      the rest is UTF-16
///     4C 6F A7 94 …            <?xml version="1.0" encoding="IBM500"?>      the rest is IBM500
///
/// libxml2 could decode the text itself, but after the root element it drops the bytes from a mistake on without
/// an error, and prints a message of its own.
struct XMLTextDecoder {
  private var family: XMLEncodingFamily?
  /// The decoder of the rest of the document, or nil until the declaration is complete.
  private var decoder: CharacterDecoder?
  /// The beginning of the document, until its declaration is complete: the bytes, and their text.
  private var head: [UInt8] = []
  private var headText: [UInt8] = []
  private var headDecoder = CharacterDecoder.utf8
  /// The number of bytes of `headText` in which the declaration does not end.
  private var searched = 0
  /// The name of the encoding in the XML declaration, or nil.
  private(set) var declaredName: String?
  private let budget: Budget

  init(budget: Budget) { self.budget = budget }

  /// True if the rest of the document is in UTF-8, and need not be decoded.
  var isPassingThrough: Bool {
    if case .utf8 = decoder { true } else { false }
  }

  /// True if the decoded text differs from the document's bytes.
  var isTranscoding: Bool {
    switch decoder ?? headDecoder {
    case .utf8: false
    case .utf16, .converter: true
    }
  }

  /// Appends a chunk as UTF-8. The text before a mistake is appended, so that the mistake is at the end of the
  /// text.
  mutating func append(_ chunk: Span<UInt8>, to text: inout [UInt8]) throws(TextFlaw) {
    guard decoder == nil else { return try decode(chunk, to: &text) }
    head.append(copying: chunk)
    try readHead(chunk, isLast: false, to: &text)
  }

  /// Ends the document, and appends the rest of its text.
  mutating func finish(to text: inout [UInt8]) throws(TextFlaw) {
    if decoder == nil { try readHead(Span(), isLast: true, to: &text) }
    guard decoder?.finish(to: &text) ?? true else { throw TextFlaw(notText) }
  }

  private mutating func decode(_ chunk: Span<UInt8>, to text: inout [UInt8]) throws(TextFlaw) {
    guard decoder?.append(chunk, to: &text) ?? true else { throw TextFlaw(notText) }
  }

  /// The message for bytes that are not valid text in the document's encoding.
  var notText: String {
    if let declaredName { return XMLWords.notText(in: declaredName) }
    return family?.notText ?? XMLEncodingFamily.ascii.notText
  }
}

// MARK: - The beginning of the document

extension XMLTextDecoder {
  /// Reads the document up to the end of its declaration, and decides the encoding of the rest.
  private mutating func readHead(
    _ chunk: Span<UInt8>, isLast: Bool, to text: inout [UInt8]
  ) throws(TextFlaw) {
    guard let family else {
      guard head.count >= XMLEncodingFamily.decidingBytes || isLast else { return }
      let (family, markBytes) = try XMLEncodingFamily.detect(head.span)
      self.family = family
      headDecoder = try family.decoder()
      let head = head
      return try readHead(head.span.extracting(droppingFirst: markBytes), isLast: isLast, to: &text)
    }
    let isText = headDecoder.append(chunk, to: &headText)
    switch try findDeclaration(in: family, isLast: isLast || !isText) {
    case .incomplete: return
    case .missing: text += headText
    case .found(let declaration): try readDeclaration(declaration, of: family, to: &text)
    }
    let isDecided = decoder != nil
    if !isDecided { decoder = headDecoder }
    (head, headText) = ([], [])
    guard isText || isDecided else { throw TextFlaw(notText) }
  }

  private enum Search {
    case incomplete, missing
    case found(Range<Int>)
  }

  /// Returns the range of the XML declaration in `headText`. Throws if a second byte order mark precedes it.
  private mutating func findDeclaration(
    in family: XMLEncodingFamily, isLast: Bool
  ) throws(TextFlaw) -> Search {
    let bytes = headText
    let text = bytes.span
    let start = family.keepsMark ? 3 : 0
    let document = text.extracting(droppingFirst: start)
    guard document.utf8MarkCount == 0 else { throw TextFlaw(XMLWords.secondMark) }
    guard document.count > 5 else {
      let found = [UInt8](copying: document)
      let isOpen = [Array("<?xml".utf8), ByteOrderMark.utf8.bytes].contains { $0.starts(with: found) }
      return isLast || !isOpen ? .missing : .incomplete
    }
    guard document.starts(with: "<?xml"), document[5].isSpace || document[5] == UInt8(ascii: "?") else {
      return .missing
    }
    if let end = text.end(ofFirst: "?>", from: max(searched, start + 5)) { return .found(start..<end) }
    guard text.count <= budget.tokenBytes else {
      throw TextFlaw(.overBudget(.tokenBytes(budget.tokenBytes)))
    }
    searched = text.count - 1
    return isLast ? .missing : .incomplete
  }

  /// Appends the text up to a mistake in the declaration, or else the whole text.
  private mutating func readDeclaration(
    _ declaration: Range<Int>, of family: XMLEncodingFamily, to text: inout [UInt8]
  ) throws(TextFlaw) {
    let (start, head, headText) = (declaration.lowerBound, head, headText)
    do throws(MarkupFlaw) {
      let markup = headText.span.extracting(start..<declaration.upperBound - 2)
      guard let name = try XMLDeclarationCheck.check(markup) else { return text += headText }
      try decide(markup.extracting(name).decodedString, at: name.lowerBound, declaration, of: family)
    } catch {
      text += headText[..<(start + error.offset)]
      throw TextFlaw(error.reason)
    }
    guard decoder != nil else { return text += headText }
    // A declaration has as many bytes as characters, except in UTF-16, which no declaration changes.
    text += headText[..<declaration.upperBound]
    try decode(head.span.extracting(droppingFirst: declaration.upperBound), to: &text)
  }

  /// Sets the decoder of the rest of the document if its encoding has to be declared.
  private mutating func decide(
    _ name: String, at offset: Int, _ declaration: Range<Int>, of family: XMLEncodingFamily
  ) throws(MarkupFlaw) {
    declaredName = name
    guard !family.hasName(name) else { return }
    let contradiction = MarkupFlaw(XMLWords.contradiction(family.noun, declared: name), at: offset)
    if case .unicode = family { throw contradiction }
    guard let converter = CharacterConverter(named: name) else {
      throw MarkupFlaw(XMLWords.unsupportedEncoding(name), at: offset)
    }
    var text: [UInt8] = []
    guard converter.append(head.span.extracting(declaration), to: &text), converter.isWhole,
      text.span.equals(headText.span.extracting(declaration))
    else { throw contradiction }
    decoder = .converter(converter)
  }
}

/// A mistake in the encoding of a document, at the end of the text decoded so far.
struct TextFlaw: Error {
  let reason: FerryError.Reason

  init(_ words: String) { self.init(.xml(.notWellFormed(words))) }
  init(_ reason: FerryError.Reason) { self.reason = reason }
}
