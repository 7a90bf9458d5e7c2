/// An input with the text of another input in UTF-8.
///
///     input: FF FE 5B 00 31 00 5D 00     UTF-16 with a byte order mark
///     text:  [1]
///
/// Readers of XML decide the encoding by the declaration. If it differs from the encoding of the input, it would be wrong for the text
/// in UTF-8; then spaces replace it, so that columns stay.
final class TranscodedInput: SizedInput, RepeatableInput {
  private let input: any ByteInput
  private let encoding: String?
  private let isXML: Bool
  private var isRead = false
  var sizeOfFile: Int? { input.sizeOfFile }
  var canBeReadTwice: Bool { !isRead && input.canBeReadTwice }

  /// Creates an input.
  ///
  /// - Parameters:
  ///   - input: The input.
  ///   - encoding: The encoding of a text without a byte order mark; nil to find it.
  ///   - isXML: True if the text may begin with an XML declaration.
  init(_ input: any ByteInput, encoding: String?, isXML: Bool) {
    (self.input, self.encoding, self.isXML) = (input, encoding, isXML)
  }

  func peek(upTo count: Int) throws(FerryError) -> [UInt8] { try peek(upTo: count) { _ in false } }

  /// Returns the next bytes without consuming them. Returns fewer than `count` bytes at the end, or if a
  /// function returns true for the bytes so far.
  func peek(upTo count: Int, until isEnough: ([UInt8]) -> Bool) throws(FerryError) -> [UInt8] {
    guard !isRead else { return [] }
    // A character has at most four bytes in the encodings with the longest ASCII.
    let head = try input.peekHead(upTo: 4 * count) { head in
      guard let text = try? beginning(of: head, isWhole: false) else { return true }
      return text.count >= count || isEnough(text)
    }
    return Array(try beginning(of: head, isWhole: head.count < 4 * count).prefix(count))
  }

  /// Decodes the first bytes. Throws the error of wrong bytes only if no text precedes them.
  private func beginning(of head: [UInt8], isWhole: Bool) throws(FerryError) -> [UInt8] {
    var (text, decoding) = ([UInt8](), Decoding(encoding, isXML: isXML))
    do throws(FerryError) {
      try decoding.append(head.span, to: &text)
      if isWhole { try decoding.finish(to: &text) }
    } catch {
      guard !text.isEmpty else { throw error }
    }
    return text
  }

  func forEachChunk(_ body: (Span<UInt8>) throws(FerryError) -> Void) throws(FerryError) {
    guard !isRead else { return }
    isRead = true
    var (text, decoding) = ([UInt8](), Decoding(encoding, isXML: isXML))
    try input.forEachChunk { chunk throws(FerryError) in
      try decoding.append(chunk, to: &text)
      guard !text.isEmpty else { return }
      try body(text.span)
      text.removeAll(keepingCapacity: true)
    }
    try decoding.finish(to: &text)
    if !text.isEmpty { try body(text.span) }
  }

  func makeRewindable() throws(FerryError) { try input.makeRewindable() }

  func rewind() throws(FerryError) {
    try input.rewind()
    isRead = false
  }
}

extension TranscodedInput {
  /// A decoding of a text in chunks.
  fileprivate struct Decoding {
    private var decoder: TextDecoder
    private var declaration: HiddenDeclaration?
    private var lines = LineCounter()

    init(_ encoding: String?, isXML: Bool) {
      decoder = TextDecoder(encoding: encoding)
      declaration = isXML ? HiddenDeclaration() : nil
    }

    /// Appends the text of a chunk, also the text before wrong bytes.
    mutating func append(_ chunk: Span<UInt8>, to text: inout [UInt8]) throws(FerryError) {
      var decoded: [UInt8] = []
      do throws(FerryError) {
        try decoder.append(chunk, to: &decoded)
      } catch {
        add(decoded, to: &text)
        throw placed(error, after: decoded)
      }
      lines.finish(decoded.span)
      add(decoded, to: &text)
    }

    mutating func finish(to text: inout [UInt8]) throws(FerryError) {
      var decoded: [UInt8] = []
      do throws(FerryError) { try decoder.finish(to: &decoded) } catch { throw placed(error, after: decoded) }
      add(decoded, to: &text)
      text += declaration?.rest() ?? []
    }

    private mutating func add(_ decoded: [UInt8], to text: inout [UInt8]) {
      guard declaration != nil else { return text += decoded }
      text += declaration?.hidden(decoded) ?? []
    }

    /// Returns an error at the end of the text so far.
    private func placed(_ error: FerryError, after decoded: [UInt8]) -> FerryError {
      var location = lines.location(of: decoded.count, in: decoded.span)
      // The byte is that of the text in UTF-8, and not of the input.
      location.byte = nil
      return error.placed(at: location)
    }
  }
}
