/// The prolog of an XML document as UTF-8: the text before the root element.
struct PrologText {
  private var decoder: XMLTextDecoder
  private var scan = PrologScan()
  private var read: [UInt8] = []
  /// The number of bytes of `read` that have been scanned.
  private var scanned = 0

  /// True if the document was transcoded to UTF-8, which hides the encoding that it declares.
  private let isTranscoded: Bool

  init(budget: Budget, isTranscoded: Bool) {
    (decoder, self.isTranscoded) = (XMLTextDecoder(budget: budget), isTranscoded)
  }

  /// Takes a chunk of the document. A mistake in its encoding ends the prolog.
  mutating func take(_ chunk: Span<UInt8>) {
    guard !scan.isOver else { return }
    guard (try? decoder.append(chunk, to: &read)) != nil else { return }
    while !scan.isOver, scanned < read.count {
      let text = read
      scanned = scan.end(in: text.span, from: scanned) ?? text.count
    }
  }

  /// The text, which declares UTF-8 or no encoding. It begins with an XML declaration only if the document does.
  var text: [UInt8] {
    var text = Array(read[..<scanned])
    if scan.endsInTag { text.removeLast() }
    if decoder.isTranscoding { text.declareUTF8() }
    if isTranscoded { text.declareHiddenUTF8() }
    return text
  }
}
