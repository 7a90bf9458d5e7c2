/// An encoding from which an input is transcoded to UTF-8.
struct Transcoding {
  /// The name of the encoding; nil to find it by the first bytes.
  let name: String?
}

extension Format {
  /// Returns the encoding from which a text is transcoded to UTF-8 before it is read; nil if the reader reads it as it is.
  ///
  /// - Parameters:
  ///   - head: The first bytes of the text.
  ///   - encoding: The encoding that is given, or nil.
  func transcoding(of head: [UInt8], givenEncoding encoding: String?) -> Transcoding? {
    switch description.textEncoding {
    case nil, .marked: return nil
    case .utf8:
      let isOther = head.span.isMarkedOtherThanUTF8(hasNULs: description.hasNULs)
      guard encoding != nil || isOther else { return nil }
      // A plain text may have NULs, too.
      let hasNULs = description.hasNULs || isSingle
      return Transcoding(name: encoding ?? (hasNULs ? nil : head.span.utf16BeforeOtherScripts))
    case .declared:
      if encoding != nil || head.span.isUTF32 { return Transcoding(name: encoding) }
      // The reader of XML decodes by the declaration itself, but that of property lists does not.
      if case .elements? = description.reader { return nil }
      return XMLTextEncoding.otherDeclared(in: head).map { Transcoding(name: $0) }
    }
  }
}

extension Span<UInt8> {
  /// True if the first bytes of a text (at least two) show that it has neither a byte order mark nor the NULs of UTF-16 and UTF-32. More
  /// bytes do not change that.
  var showsUTF8WithoutMark: Bool {
    count >= 2 && self[0] != 0 && self[1] != 0 && self[0] != 0xef && self[0] < 0xfe
  }

  /// Returns true if the first bytes of a text show that it is in UTF-16 or UTF-32.
  ///
  /// - Parameter hasNULs: True if only a byte order mark shows it.
  func isMarkedOtherThanUTF8(hasNULs: Bool) -> Bool {
    if ByteOrderMark.utf16LittleEndian.begins(self) || ByteOrderMark.utf16BigEndian.begins(self) {
      return true
    }
    guard count >= 4, !hasNULs else { return false }
    return self[0] == 0 || self[1] == 0
  }

  /// The name of the UTF-16 of a text without a byte order mark that begins with a quotation mark or a brace and a character
  /// beyond Latin-1, as in `"あ`. JSON in UTF-8 does not begin so. Nil for another text.
  var utf16BeforeOtherScripts: String? {
    guard count >= 4 else { return nil }
    let beginsText = { (byte: UInt8) in "\"'{".utf8.contains(byte) }
    if beginsText(self[0]), self[1] == 0, self[3] != 0 { return "UTF-16LE" }
    if self[0] == 0, beginsText(self[1]), self[2] != 0 { return "UTF-16BE" }
    return nil
  }
}

extension XMLTextEncoding {
  /// Returns the name of the encoding in the declaration of an XML document if it is not UTF-8 or ASCII, and is supported.
  static func otherDeclared(in head: [UInt8]) -> String? {
    // A text in UTF-16 would have another beginning.
    guard let name = declaredName(in: head), !isASCII(name), !name.lowercased().hasPrefix("utf-16"),
      !name.lowercased().hasPrefix("ucs"), CharacterConverter(named: name) != nil
    else { return nil }
    return name
  }

  /// Returns true if the declaration of an XML document names ASCII.
  static func declaresASCII(_ head: [UInt8]) -> Bool { declaredName(in: head).map(isASCII) ?? false }

  /// Returns the name of the encoding in the declaration of an XML document, or nil if it is UTF-8.
  private static func declaredName(in head: [UInt8]) -> String? {
    guard declaresOther(head), let range = HiddenDeclaration.encodingRange(in: head) else { return nil }
    let quoted = String(decoding: head[range], as: UTF8.self)
    return String(
      quoted.dropFirst("encoding".count).filter { $0 != "=" && $0 != "\"" && $0 != "'" && !$0.isWhitespace })
  }
}
