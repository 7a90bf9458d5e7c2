/// The encoding in which new text is written into an XML document.
struct XMLDocumentEncoding {
  /// UTF-8 or UTF-16. A text in another encoding, which contains ASCII, is edited in that encoding like UTF-8.
  private let unicode: XMLTextEncoding
  /// True if the document is in UTF-8 or UTF-16.
  let isUnicode: Bool
  /// The name of the encoding that the document declares; nil for UTF-8, UTF-16, ASCII and encodings that are not supported.
  let declared: String?
  /// True if the document declares XML 1.1, which demands references for some characters.
  private let isVersion11: Bool

  /// Finds the encoding that a document declares.
  ///
  /// - Parameter text: The document in UTF-8, or in the other encoding.
  init(_ unicode: XMLTextEncoding, of text: [UInt8]) {
    self.unicode = unicode
    isUnicode = unicode != .utf8 || !XMLTextEncoding.declaresOther(text)
    declared = isUnicode ? nil : XMLTextEncoding.otherDeclared(in: text)
    isVersion11 = XML11.isDeclared(in: text.span)
  }

  /// Returns the bytes of the document with an edited text.
  func bytes(of text: [UInt8]) -> [UInt8] { unicode.encoded(text) }

  /// Returns markup in UTF-8 in the encoding of the document, with references for the characters that it lacks.
  func encoded(_ utf8: [UInt8]) -> [UInt8] {
    let markup = isVersion11 ? XML11.referenced(utf8) : utf8
    return isUnicode ? markup : XMLTextEncoding.encoded(markup, in: declared)
  }

  /// Returns a text in the encoding of the document, or nil if one of its characters can only be a reference there.
  func native(_ text: [UInt8]) -> [UInt8]? {
    if isVersion11, XML11.needsReferences(text) { return nil }
    return isUnicode ? text : XMLTextEncoding.native(text, in: declared)
  }

  /// Returns a text with some characters replaced, in the encoding of the document, with references for the characters that it lacks.
  func escaped(_ text: [UInt8], _ escape: (Unicode.Scalar) -> String?) -> [UInt8] {
    var result: [UInt8] = []
    for scalar in String(decoding: text, as: UTF8.self).unicodeScalars {
      if let escape = escape(scalar) {
        result += escape.utf8
      } else {
        result.append(scalar: scalar.value)
      }
    }
    return encoded(result)
  }
}
