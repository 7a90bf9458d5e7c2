/// Reads an XML property list in chunks of any size.
///
///     let reader = XMLPropertyListReader(into: sink)
///     try reader.readAll(bytes.span)
///
/// The grammar is the small one that CoreFoundation reads, not all of XML: a declaration, a DOCTYPE that nothing is
/// taken from, and elements whose attributes mean nothing. The five entities of XML, numeric references and CDATA are
/// known; a document that declares entities of its own is refused. `<plist>` may be missing around the value. Text is
/// given as it stands: line ends are not changed. A dictionary of the one key `CF$UID` and an integer is a reference of
/// an archive. A key that occurs twice is sent twice.
///
/// The text must be UTF-8, or UTF-16 with a mark of its byte order. Of an input in UTF-16 a failure knows the line and
/// the column, in bytes of UTF-8, and not the byte.
public final class XMLPropertyListReader: ChunkReader {
  private var scanner: XMLPropertyListScanner
  private var encoding: XMLTextEncoding?
  private var head: [UInt8] = []
  private var utf8 = UTF8Checker()
  private var utf16 = UTF16Transcoder(isBigEndian: true)
  private var transcoded: [UInt8] = []

  /// A reader that sends the value to a sink. Comments and processing instructions are reported as losses.
  public init(into sink: any ValueSink, budget: Budget = Budget(), losses: LossReport? = nil) {
    scanner = XMLPropertyListScanner(into: sink, budget: budget, losses: losses)
  }

  public func read(_ chunk: Span<UInt8>) throws(Failure) {
    var start = 0
    if encoding == nil {
      start = min(XMLTextEncoding.decidingBytes - head.count, chunk.count)
      head.append(copying: chunk.extracting(first: start))
      guard head.count == XMLTextEncoding.decidingBytes else { return }
      try decideEncoding()
    }
    try decode(chunk.extracting(droppingFirst: start))
  }

  public func finish() throws(Failure) {
    if encoding == nil { try decideEncoding() }
    guard utf8.isWhole, utf16.isWhole else { throw notDecodable }
    try scanner.finish()
  }

  private func decideEncoding() throws(Failure) {
    let head = head
    let (encoding, markBytes) = XMLTextEncoding.detect(head.span)
    self.encoding = encoding
    utf16 = UTF16Transcoder(isBigEndian: encoding == .utf16BigEndian)
    scanner.begin(isUTF8: encoding == .utf8, after: head.span.extracting(first: markBytes))
    try decode(head.span.extracting(droppingFirst: markBytes))
  }

  private func decode(_ chunk: Span<UInt8>) throws(Failure) {
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
    try scanner.scan(chunk.extracting(first: valid))
    guard valid == chunk.count else { throw notDecodable }
  }

  private var notDecodable: Failure {
    let name = encoding == .utf8 ? "UTF-8" : "UTF-16"
    return Failure(.xml(.notWellFormed("this is not \(name)")), at: scanner.end)
  }
}
