/// A reader of XML property lists. It accepts chunks of any size.
///
///     let reader = XMLPropertyListReader(into: sink)
///     try reader.readAll(bytes.span)
///
/// The reader accepts the same subset of XML as CoreFoundation: a declaration, a DOCTYPE whose contents are
/// ignored, and elements whose attributes are ignored. The five predefined entities, character references and
/// CDATA sections are supported. A document that declares entities throws an error. `<plist>` is optional.
///
/// The document must be well-formed, with the same messages as those of `XMLStream`. Like CoreFoundation, the
/// reader accepts control characters in text, comments and instructions, because Apple's writers write them
/// although XML does not allow them, and white space before the XML declaration.
///
/// Line ends in text stay unchanged. A dictionary whose only entry is `CF$UID` with an integer is read as a
/// reference of an archive. A repeated key is sent twice.
///
/// The text must be UTF-8, or UTF-16 with a byte order mark. A document that declares ASCII must be in ASCII:
/// beyond it, Foundation's readers disagree (one refuses the document, one reads ISO-8859-1). In UTF-16, an
/// error has a line and a column (counted in bytes of UTF-8), but no byte offset.
public final class XMLPropertyListReader: ChunkReader {
  private var scanner: XMLPropertyListScanner
  private let calls = ReaderCalls()
  private var encoding: XMLTextEncoding?
  private var head: [UInt8] = []
  private var utf8 = UTF8Checker()
  /// True if the first markup, which may be the XML declaration, has ended.
  private var isPastDeclaration = false
  private var utf16 = UTF16Transcoder(isBigEndian: true)
  private var transcoded: [UInt8] = []

  /// Creates a reader.
  ///
  /// - Parameters:
  ///   - sink: Receives the events.
  ///   - budget: The limits on the depth, and on the length of a text.
  ///   - losses: Receives a loss for each comment, processing instruction and attribute (except those of `<plist>`);
  ///     nil to ignore them.
  public init(into sink: any ValueSink, budget: Budget = Budget(), losses: LossReport? = nil) {
    scanner = XMLPropertyListScanner(into: sink, budget: budget, losses: losses)
  }

  init(into sink: any ValueSink, budget: Budget, losses: LossReport?, locator: SourceLocator?) {
    scanner = XMLPropertyListScanner(into: sink, budget: budget, losses: losses, locator: locator)
  }

  public func read(_ chunk: Span<UInt8>) throws(FerryError) {
    try calls.make { () throws(FerryError) in try decideAndDecode(chunk) }
  }

  public func finish() throws(FerryError) {
    try calls.make { () throws(FerryError) in
      if encoding == nil { try decideEncoding() }
      guard utf8.isWhole, utf16.isWhole else { throw notDecodable }
      try scanner.finish()
    }
  }

  /// Decodes a chunk, after the encoding has been decided by the first bytes.
  private func decideAndDecode(_ chunk: Span<UInt8>) throws(FerryError) {
    var start = 0
    if encoding == nil {
      start = min(XMLTextEncoding.decidingBytes - head.count, chunk.count)
      head.append(copying: chunk.extracting(first: start))
      guard head.count == XMLTextEncoding.decidingBytes else { return }
      try decideEncoding()
    }
    try decode(chunk.extracting(droppingFirst: start))
  }

  private func decideEncoding() throws(FerryError) {
    let head = head
    guard !head.span.isUTF32 else {
      throw FerryError(.xml(.notWellFormed(XMLWords.utf32)), at: InputLocation(line: 1, column: 1, byte: 0))
    }
    let (encoding, markBytes) = XMLTextEncoding.detect(head.span)
    self.encoding = encoding
    utf16 = UTF16Transcoder(isBigEndian: encoding == .utf16BigEndian)
    scanner.begin(encoding, after: head.span.extracting(first: markBytes))
    try decode(head.span.extracting(droppingFirst: markBytes))
  }

  private func decode(_ chunk: Span<UInt8>) throws(FerryError) {
    guard encoding == .utf8 else {
      var text: [UInt8] = []
      swap(&text, &transcoded)
      defer { transcoded = text }
      text.removeAll(keepingCapacity: true)
      let isWellFormed = utf16.append(chunk, to: &text)
      try scanner.scan(text.span)
      guard isWellFormed else { throw notDecodable }
      return
    }
    let valid = utf8.validCount(of: chunk)
    try scan(chunk.extracting(first: valid))
    guard valid == chunk.count else { throw notDecodable }
  }

  /// Scans text in UTF-8, after that of the declaration.
  private func scan(_ text: Span<UInt8>) throws(FerryError) {
    guard !isPastDeclaration, let end = text.firstIndex(of: UInt8(ascii: ">"), from: 0) else {
      return try scanDeclared(text)
    }
    isPastDeclaration = true
    try scanner.scan(text.extracting(first: end + 1))
    try scanDeclared(text.extracting(droppingFirst: end + 1))
  }

  /// Scans text in UTF-8. Throws if it goes beyond ASCII, and the document declares ASCII.
  private func scanDeclared(_ text: Span<UInt8>) throws(FerryError) {
    guard scanner.asciiName != nil else { return try scanner.scan(text) }
    let count = text.asciiPrefixCount
    try scanner.scan(text.extracting(first: count))
    guard count == text.count else { throw notDecodable }
  }

  private var notDecodable: FerryError {
    let name = encoding == .utf8 ? "UTF-8" : "UTF-16"
    let why = scanner.asciiName.map { XMLWords.notText(in: $0) } ?? "this is not \(name)"
    return FerryError(.xml(.notWellFormed(why)), at: scanner.end)
  }
}
