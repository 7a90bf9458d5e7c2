extension RecordDocument {
  /// The encoding of the document's text: UTF-16 if the first bytes show it, otherwise UTF-8.
  var encoding: XMLTextEncoding { format.encoding(of: bytes) }

  /// The document's text in UTF-8 if it is in UTF-16, otherwise its bytes.
  var text: [UInt8] { format.text(of: bytes) }

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
