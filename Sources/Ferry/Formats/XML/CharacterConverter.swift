internal import CLibXML2

/// A converter to UTF-8 of text in an encoding that libxml2 or the system's `iconv` knows, in chunks.
@safe final class CharacterConverter {
  private let handler: xmlCharEncodingHandlerPtr
  /// The bytes that are not decoded yet, and the decoded text.
  private let (source, target): (xmlBufferPtr, xmlBufferPtr)

  /// The number of bytes that are decoded at once.
  private static let pieceSize = 1 << 14
  /// More bytes than any encoding has in one character.
  private static let longestCharacter = 8

  /// Creates a converter for an encoding by its name. Returns nil if the encoding is not supported.
  convenience init?(named name: String) { unsafe self.init(xmlFindCharEncodingHandler(name)) }

  /// Returns a converter for EBCDIC, in which an XML declaration that names a variant can be read.
  static func ebcdic() -> CharacterConverter? {
    unsafe CharacterConverter(xmlGetCharEncodingHandler(XML_CHAR_ENCODING_EBCDIC))
  }

  private init?(_ handler: xmlCharEncodingHandlerPtr?) {
    guard let handler = unsafe handler, let source = unsafe xmlBufferCreate(),
      let target = unsafe xmlBufferCreate()
    else { return nil }
    unsafe self.handler = handler
    unsafe (self.source, self.target) = (source, target)
  }

  deinit {
    unsafe xmlBufferFree(source)
    unsafe xmlBufferFree(target)
    _ = unsafe xmlCharEncCloseFunc(handler)
  }

  /// True if the last character is complete.
  var isWhole: Bool { unsafe xmlBufferLength(source) == 0 }

  /// Appends a chunk in UTF-8. If it contains bytes that are not text in the encoding, appends the text before
  /// them and returns false. Bytes that may begin a character wait for the next chunk.
  func append(_ chunk: Span<UInt8>, to text: inout [UInt8]) -> Bool {
    var start = 0
    while start < chunk.count {
      let end = min(start + Self.pieceSize, chunk.count)
      unsafe chunk.extracting(start..<end).withUnsafeBufferPointer {
        _ = unsafe xmlBufferAdd(source, $0.baseAddress, Int32($0.count))
      }
      guard decode(to: &text) else { return false }
      start = end
    }
    return true
  }

  /// Decodes the waiting bytes. libxml2 stops if its buffer is full, so it is called until nothing moves.
  private func decode(to text: inout [UInt8]) -> Bool {
    let errors = XMLErrors()
    var isMoving = true
    while isMoving, !isWhole, errors.first == nil {
      let waiting = unsafe xmlBufferLength(source)
      _ = errors.hear { unsafe xmlCharEncInFunc(handler, target, source) }
      let decoded = unsafe Span(_unsafeStart: xmlBufferContent(target), count: Int(xmlBufferLength(target)))
      text.append(copying: decoded)
      isMoving = unsafe !decoded.isEmpty || xmlBufferLength(source) < waiting
      unsafe xmlBufferEmpty(target)
    }
    return unsafe errors.first == nil && xmlBufferLength(source) < Self.longestCharacter
  }
}
