/// A copier of XML documents. It checks a document, and writes it in UTF-8 without any other change: white space, quotation
/// marks, entities, comments and the document type declaration stay as they are.
///
///     <?xml version="1.0" encoding="ISO-8859-1"?>     <?xml version="1.0" encoding="UTF-8"?>
///     <!-- é in one byte -->                           <!-- é in two bytes -->
///
/// A chunk is written after it has been checked, so memory does not grow with the document.
final class XMLCopier: ChunkReader {
  private let stream: XMLStream
  private var decoder: XMLTextDecoder
  private let output: any ByteOutput
  /// True if the document was transcoded to UTF-8, which hides the encoding that it declares.
  private let isTranscoded: Bool
  /// True until the beginning of the text is written, which contains the whole XML declaration.
  private var isAtStart = true

  /// Creates a copier.
  ///
  /// - Parameter isTranscoded: True if the input has the text of a document in another encoding.
  init(
    to output: any ByteOutput, budget: Budget, entities: XMLEntities = XMLEntities(),
    isTranscoded: Bool = false
  ) throws(FerryError) {
    (self.output, self.isTranscoded) = (output, isTranscoded)
    // A delegate without handlers skips all elements.
    stream = try XMLStream(document: ElementBatchDelegate(), budget: budget, entities: entities)
    decoder = XMLTextDecoder(budget: budget)
  }

  func read(_ chunk: Span<UInt8>) throws(FerryError) {
    try stream.read(chunk)
    guard !decoder.isPassingThrough else { return try output.write(chunk) }
    try write { decoder, text throws(TextFlaw) in try decoder.append(chunk, to: &text) }
  }

  func finish() throws(FerryError) {
    try stream.finish()
    try write { decoder, text throws(TextFlaw) in try decoder.finish(to: &text) }
  }

  /// Writes the text that the decoder appends.
  private func write(
    _ decode: (inout XMLTextDecoder, inout [UInt8]) throws(TextFlaw) -> Void
  ) throws(FerryError) {
    var text: [UInt8] = []
    do throws(TextFlaw) { try decode(&decoder, &text) } catch { throw FerryError(error.reason) }
    guard !text.isEmpty else { return }
    if isAtStart, decoder.isTranscoding { text.declareUTF8() }
    if isAtStart, isTranscoded { text.declareHiddenUTF8() }
    isAtStart = false
    try output.write(text.span)
  }
}

extension [UInt8] {
  /// Replaces the encoding that an XML declaration at the beginning of a text names.
  mutating func declareUTF8() {
    guard starts(with: "<?xml".utf8), let end = span.end(ofFirst: "?>", from: 0),
      let name = try? XMLDeclarationCheck.check(span.extracting(..<(end - 2)))
    else { return }
    replaceSubrange(name, with: "UTF-8".utf8)
  }

  /// Declares UTF-8 in place of the spaces that hide an encoding (`HiddenDeclaration`).
  mutating func declareHiddenUTF8() {
    guard starts(with: "<?xml".utf8), let close = span.end(ofFirst: "?>", from: 0) else { return }
    let (shortest, end) = ("encoding='a'".utf8.count, close - 2)
    var start = 5
    while start < end {
      let stop = self[start..<end].firstIndex { $0 != UInt8(ascii: " ") } ?? end
      guard stop - start < shortest else {
        return replaceSubrange(start..<stop, with: " encoding=\"UTF-8\"\(stop < end ? " " : "")".utf8)
      }
      start = stop + 1
    }
  }
}
