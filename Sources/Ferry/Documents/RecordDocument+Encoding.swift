extension RecordDocument {
  /// The encoding of the document's text: UTF-16 if the first bytes show it, otherwise UTF-8.
  var encoding: XMLTextEncoding { format.isXML ? XMLTextEncoding(of: bytes) : .utf8 }

  /// The document's text in UTF-8 if it is in UTF-16, otherwise its bytes.
  var text: [UInt8] { encoding.utf8(bytes) }

  /// True if the document is XML that declares another encoding than UTF-8 or UTF-16, such as ISO-8859-1.
  /// Characters beyond ASCII can be written in it only as references.
  var declaresOtherEncoding: Bool {
    guard encoding == .utf8, let name = declaredEncoding else { return false }
    return !XMLTextEncoding.isUTF8(name)
  }

  /// True if the text of the document is in UTF-8, and an XML declaration does not name another encoding.
  var isUTF8: Bool {
    guard encoding == .utf8, !declaresOtherEncoding else { return false }
    var checker = UTF8Checker()
    return checker.validCount(of: bytes.span) == bytes.count && checker.isWhole
  }

  /// The name of the encoding in the XML declaration, or nil.
  private var declaredEncoding: String? {
    let text = bytes.span
    guard format.isXML, XMLDeclarationCheck.isDeclaration(text),
      let end = text.firstIndex(of: UInt8(ascii: "?"), from: 5),
      let name = try? XMLDeclarationCheck.check(text.extracting(0..<end))
    else { return nil }
    return String(decoding: bytes[name], as: UTF8.self)
  }
}

extension XMLTextEncoding {
  /// Returns the text of an XML document in ASCII, with references for all other characters. Names cannot
  /// contain references, so a text with other names is not well-formed afterward.
  static func ascii(_ utf8: [UInt8]) -> [UInt8] {
    guard !utf8.span.isASCII else { return utf8 }
    return String(decoding: utf8, as: UTF8.self).unicodeScalars.flatMap { scalar in
      scalar.isASCII ? [UInt8(scalar.value)] : Array("&#\(scalar.value);".utf8)
    }
  }
}
