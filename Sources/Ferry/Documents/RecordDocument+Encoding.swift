extension RecordDocument {
  /// The encoding of the document's text: UTF-16 if the first bytes show it, otherwise UTF-8.
  var encoding: XMLTextEncoding { format.encoding(of: bytes) }

  /// The document's text in UTF-8 if it is in UTF-16, otherwise its bytes.
  var text: [UInt8] { encoding.utf8(bytes) }

  /// True if the document is XML that declares another encoding than UTF-8 or UTF-16, such as ISO-8859-1.
  /// Characters that the encoding lacks can be written in it only as references.
  var declaresOtherEncoding: Bool {
    format.description.declaresEncoding && encoding == .utf8 && XMLTextEncoding.declaresOther(bytes)
  }

  /// True if the text of the document is in UTF-8, and an XML declaration does not name another encoding.
  var isUTF8: Bool {
    guard encoding == .utf8, !declaresOtherEncoding else { return false }
    var checker = UTF8Checker()
    return checker.validCount(of: bytes.span) == bytes.count && checker.isWhole
  }
}

extension Format {
  /// Returns the encoding of a text in the format: UTF-16 if the first bytes show it, otherwise UTF-8. Formats
  /// whose texts declare no encoding show it by a byte order mark.
  func encoding(of bytes: [UInt8]) -> XMLTextEncoding {
    switch description.textEncoding {
    case .declared: XMLTextEncoding(of: bytes)
    // UTF-32 is not edited as text.
    case .marked where [0xfe, 0xff].contains(bytes.first) && !bytes.dropFirst(2).starts(with: [0, 0]):
      XMLTextEncoding(of: bytes)
    default: .utf8
    }
  }
}
