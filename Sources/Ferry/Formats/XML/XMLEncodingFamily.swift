/// A family of encodings, as the first bytes of an XML document show it. In a family, the XML declaration can be
/// read before its encoding is known.
enum XMLEncodingFamily {
  /// UTF-8 without a byte order mark, and encodings that contain ASCII.
  case ascii
  /// UTF-8 with a byte order mark, or UTF-16.
  case unicode(XMLTextEncoding)
  case ebcdic

  /// The number of bytes that detection needs.
  static let decidingBytes = 4

  /// Returns the family, and the length of a byte order mark that is not part of the text.
  static func detect(_ head: Span<UInt8>) throws(TextFlaw) -> (family: XMLEncodingFamily, markBytes: Int) {
    guard !head.isUTF32 else { throw TextFlaw(XMLWords.utf32) }
    switch XMLTextEncoding.detect(head) {
    case (.utf8, markBytes: 0): return (head.isEBCDIC ? .ebcdic : .ascii, 0)
    case (.utf8, _): return (.unicode(.utf8), 0)
    case (let encoding, markBytes: 0):
      // XML requires a mark. With a declaration, libxml2 and most parsers accept the document without one.
      guard encoding.beginsDeclaration(head) else { throw TextFlaw(XMLWords.noMark(of: encoding.noun)) }
      return (.unicode(encoding), 0)
    case (let encoding, let markBytes): return (.unicode(encoding), markBytes)
    }
  }

  /// True if the text begins with a byte order mark. The mark of UTF-8 is part of the text, so that its bytes are
  /// counted.
  var keepsMark: Bool {
    if case .unicode(.utf8) = self { true } else { false }
  }

  /// The name of the family in messages.
  var noun: String {
    switch self {
    case .ascii: "ASCII"
    case .unicode(.utf8): "a byte order mark of UTF-8"
    case .unicode(let encoding): encoding.noun
    case .ebcdic: "EBCDIC"
    }
  }

  /// Returns true if a name is that of the encoding that a document of the family has without a declaration.
  func hasName(_ name: String) -> Bool {
    switch self {
    case .ascii, .unicode(.utf8): XMLTextEncoding.isUTF8(name)
    case .unicode(let encoding): encoding.hasName(name)
    case .ebcdic: false
    }
  }

  /// The message for bytes that are not valid text in a document that declares no encoding.
  var notText: String {
    switch self {
    case .ascii, .unicode(.utf8):
      "these bytes are not UTF-8 (declare the encoding: <?xml version=\"1.0\" encoding=\"ISO-8859-1\"?>)"
    case .unicode(let encoding): "these bytes are not \(encoding.noun)"
    case .ebcdic: "these bytes are not EBCDIC"
    }
  }

  /// Returns the decoder of the beginning of the document.
  func decoder() throws(TextFlaw) -> CharacterDecoder {
    switch self {
    case .ascii, .unicode(.utf8): return .utf8
    case .unicode(let encoding): return .utf16(UTF16Transcoder(isBigEndian: encoding == .utf16BigEndian))
    case .ebcdic:
      guard let converter = CharacterConverter.ebcdic() else {
        throw TextFlaw(XMLWords.unsupportedEncoding("EBCDIC"))
      }
      return .converter(converter)
    }
  }
}

extension XMLTextEncoding {
  /// Returns true if the first bytes of a document in UTF-16 are `<?`.
  fileprivate func beginsDeclaration(_ head: Span<UInt8>) -> Bool {
    guard head.count >= 4 else { return false }
    let question = (head[2], head[3])
    return self == .utf16BigEndian
      ? question == (0, UInt8(ascii: "?")) : question == (UInt8(ascii: "?"), 0)
  }
}

extension Span<UInt8> {
  /// True if the first bytes of a document show that it is in UTF-32.
  var isUTF32: Bool {
    ByteOrderMark.utf32LittleEndian.begins(self) || ByteOrderMark.utf32BigEndian.begins(self)
      || firstWord == 0x3c00_0000 || firstWord == 0x0000_003c
  }

  /// True if the first bytes of a document are `<?xm` in EBCDIC.
  fileprivate var isEBCDIC: Bool { firstWord == 0x4c6f_a794 }

  /// The first four bytes as a number, or nil if there are fewer.
  private var firstWord: UInt32? {
    guard count >= 4 else { return nil }
    return (0..<4).reduce(0) { $0 << 8 | UInt32(self[$1]) }
  }
}
