/// The division of a text into pieces for comparison. Joined, the pieces are the whole text.
enum TextPieces {
  typealias Piece = ArraySlice<UInt8>

  /// Returns the offset after the first line of a text, with its line end.
  static func endOfLine(in text: ArraySlice<UInt8>) -> Int {
    text.firstIndex(of: UInt8(ascii: "\n")).map { $0 + 1 } ?? text.endIndex
  }

  /// Returns the tokens of JSON or XML. Tokens of XML include whole attributes, comments and character data.
  static func tokens(of text: ArraySlice<UInt8>, isXML: Bool) -> [Piece] {
    var pieces: [Piece] = []
    forEachToken(of: text, isXML: isXML) { piece, _ in pieces.append(piece) }
    return pieces
  }

  /// Calls a function with each token of JSON or XML, and with true if the token is inside a tag.
  static func forEachToken(
    of text: ArraySlice<UInt8>, isXML: Bool, _ body: (_ piece: Piece, _ isInTag: Bool) -> Void
  ) {
    var rest = text
    var isInTag = false
    while let first = rest.first {
      let count =
        if first.isSpace {
          rest.prefix(while: \.isSpace).count
        } else if !isXML {
          jsonToken(rest)
        } else if isInTag {
          tagToken(rest)
        } else {
          xmlToken(rest)
        }
      let piece = rest.prefix(count)
      body(piece, isInTag)
      rest = rest.dropFirst(count)
      guard isXML else { continue }
      if piece.last == UInt8(ascii: ">") {
        isInTag = false
      } else if !isInTag, beginsTag(piece) {
        isInTag = true
      }
    }
  }

  /// Returns true if a piece is only white space.
  static func isSpace(_ piece: Piece) -> Bool { piece.allSatisfy(\.isSpace) }

  /// Returns true if a piece of XML that is not inside a tag is the beginning of a tag, with its name.
  static func beginsTag(_ piece: Piece) -> Bool {
    piece.first == UInt8(ascii: "<") && piece.last != UInt8(ascii: ">") && !isMarkupWithoutValue(piece)
  }

  /// Returns true if a piece of XML is a comment, a processing instruction or a declaration, and not
  /// character data.
  static func isMarkupWithoutValue(_ piece: Piece) -> Bool {
    piece.starts(with: "<?".utf8) || piece.starts(with: "<!".utf8) && !piece.starts(with: "<![".utf8)
  }

  /// Returns the parts of an XML text that its values do not show: comments and processing instructions, without the
  /// XML declaration, and references to entities that the text does not declare.
  static func markup(of text: Piece) -> [Piece] {
    var found: [Piece] = []
    var rest = text
    while let start = rest.firstIndex(of: UInt8(ascii: "<")) {
      found += entityReferences(in: rest[..<start])
      rest = rest[start...]
      guard let section = XMLSection(at: 0, in: rest.span) else {
        rest = rest.dropFirst()
        continue
      }
      let piece = rest.prefix(section.end(in: rest.span, from: 0) ?? rest.count)
      if section != .cdata, !XMLDeclarationCheck.isDeclaration(piece.span) { found.append(piece) }
      rest = rest.dropFirst(piece.count)
    }
    guard found.contains(where: { $0.first == UInt8(ascii: "&") }) else { return found }
    let declared = declaredEntities(in: text)
    return found.filter { $0.first != UInt8(ascii: "&") || declared[$0.dropFirst().dropLast()] == nil }
  }

  /// Returns the references to entities in character data or tags, without those that XML itself declares.
  static func entityReferences(in text: Piece) -> [Piece] {
    var found: [Piece] = []
    var rest = text
    while let start = rest.firstIndex(of: UInt8(ascii: "&")) {
      rest = rest[start...]
      let name = rest.dropFirst().prefix { $0 != UInt8(ascii: ";") && $0 != UInt8(ascii: "&") && !$0.isSpace }
      let isWhole = name.endIndex < rest.endIndex && rest[name.endIndex] == UInt8(ascii: ";")
      if isWhole, name.first != UInt8(ascii: "#"),
        XMLCharacterReference.predefined(name.span) == nil
      {
        found.append(rest[start...name.endIndex])
      }
      rest = rest.dropFirst(name.count + 1)
    }
    return found
  }

  /// Returns the names after each `<!ENTITY`, with the text that follows the first of each.
  static func declaredEntities(in text: Piece) -> [Piece: Piece] {
    var declared: [Piece: Piece] = [:]
    var next = text.startIndex
    while let start = text.span.firstIndex(of: "<!ENTITY", from: next - text.startIndex) {
      next = text.startIndex + start + 8
      let name = text[next...].drop(while: \.isSpace).prefix { !$0.isSpace }
      let value = text[name.endIndex...].drop(while: \.isSpace)
      let quote = value.first.flatMap { $0.isQuotationMark ? $0 : nil }
      let content = value.dropFirst(quote == nil ? 0 : 1).prefix { $0 != quote ?? UInt8(ascii: ">") }
      if declared[name] == nil { declared[name] = content }
    }
    return declared
  }

  /// Returns the number of attributes in an XML text.
  static func attributeCount(in text: Piece) -> Int {
    var count = 0
    // An attribute with white space around the equals sign has several tokens.
    forEachToken(of: text, isXML: true) { piece, isInTag in
      let name = piece.prefix { !$0.isQuotationMark }
      if isInTag, name.contains(UInt8(ascii: "=")) { count += 1 }
    }
    return count
  }

  // MARK: JSON

  private static func jsonToken(_ text: Piece) -> Int {
    guard text.first != UInt8(ascii: "\"") else { return jsonString(text) }
    let marks = "{}[],:".utf8
    guard let first = text.first, !marks.contains(first) else { return 1 }
    return text.prefix { !$0.isSpace && !marks.contains($0) && $0 != UInt8(ascii: "\"") }.count
  }

  private static func jsonString(_ text: Piece) -> Int {
    var index = text.startIndex + 1
    while index < text.endIndex, text[index] != UInt8(ascii: "\"") {
      index += text[index] == UInt8(ascii: "\\") ? 2 : 1
    }
    return min(index + 1, text.endIndex) - text.startIndex
  }

  // MARK: XML

  /// Returns the length of the token at the start of the text: a comment or an end tag, the beginning of a
  /// start tag with its name, or character data up to the next tag.
  private static func xmlToken(_ text: Piece) -> Int {
    if text.first == UInt8(ascii: "<") {
      if let section = XMLSection(at: 0, in: text.span) {
        return section.end(in: text.span, from: 0) ?? text.count
      }
      if text.starts(with: "</".utf8) { return text.span.end(ofFirst: ">", from: 2) ?? text.count }
      return text.span.endOfWrittenName(from: 1)
    }
    let content = text.prefix { $0 != UInt8(ascii: "<") }
    return content.count - content.reversed().prefix(while: \.isSpace).count
  }

  /// Returns the length of an attribute, or of a tag's end.
  private static func tagToken(_ text: Piece) -> Int {
    if text.first == UInt8(ascii: ">") { return 1 }
    if text.first == UInt8(ascii: "/") { return text.dropFirst().first == UInt8(ascii: ">") ? 2 : 1 }
    var quotation = XMLQuotation()
    for index in text.indices {
      let byte = text[index]
      if quotation.take(byte) {
        if !quotation.isOpen { return index + 1 - text.startIndex }
      } else if byte.isSpace || byte == UInt8(ascii: ">") || byte == UInt8(ascii: "/") {
        return max(index - text.startIndex, 1)
      }
    }
    return text.count
  }
}
