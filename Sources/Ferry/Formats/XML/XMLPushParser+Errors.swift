internal import CLibXML2

// The conversion of libxml2's errors to Ferry's messages, with the location of the wrong character.

extension XMLPushParser {
  /// Records an error of libxml2, unless the document can still be used.
  func fail(_ error: xmlError) {
    guard !hasFailed else { return }
    let code = unsafe xmlParserErrors(rawValue: UInt32(truncatingIfNeeded: error.code))
    if code == XML_WAR_UNDECLARED_ENTITY { return leaveOutReference() }
    guard unsafe !Self.isAllowed(error) else { return }
    unsafe fail(translated(code, error))
  }

  /// Returns true for errors in a document that is still well-formed: Ferry accepts any text as a namespace
  /// and any system identifier, and does not validate.
  private static func isAllowed(_ error: xmlError) -> Bool {
    let code = unsafe xmlParserErrors(rawValue: UInt32(truncatingIfNeeded: error.code))
    if code == XML_ERR_UNDECLARED_ENTITY { return false }
    return unsafe error.level.rawValue < XML_ERR_ERROR.rawValue || code == XML_WAR_NS_URI
      || code == XML_ERR_INVALID_URI
      || error.domain == XML_FROM_VALID.rawValue || error.domain == XML_FROM_DTD.rawValue
  }

  /// Returns the `FerryError` for an error of libxml2. It is not called for an undeclared entity in a
  /// document with an external document type, because that is only an error of validity (XML 1.0, section
  /// 4.1). Such a reference is dropped and reported.
  private func translated(_ code: xmlParserErrors, _ error: xmlError) -> FerryError {
    let isUnfinished = code == XML_ERR_COMMENT_NOT_FINISHED || code == XML_ERR_PI_NOT_FINISHED
    if isCutOff, isUnfinished { return notWellFormed(notText, at: documentEnd) }
    if isAtInvalidText { return notWellFormed(notText) }
    if let found = cutOff(code) { return found }
    if let problem = unsafe entityProblem(code, error) { return FerryError(problem, at: reference.location) }
    if let found = markupError(code) { return found }
    if let found = unsafe tagError(code, error) { return found }
    if let found = unsafe namespaceError(code, error) { return found }
    if let found = unsafe endError(code, error) { return found }
    switch code {
    case XML_ERR_INVALID_CHAR:
      // libxml2 does not name a character in an attribute's value.
      let named = unsafe UInt32(truncatingIfNeeded: error.int1)
      return FerryError(.xml(.forbiddenCharacter(named == 0 ? nextScalar ?? 0 : named)), at: currentLocation)
    case XML_ERR_UNKNOWN_VERSION:
      return notWellFormed(XMLWords.unsupportedVersion)
    default:
      return notWellFormed(Self.words[code.rawValue] ?? "the document is not well-formed (\(code.rawValue))")
    }
  }

  /// True if the next bytes of libxml2 are not UTF-8. In this case, libxml2 may report another error.
  private var isAtInvalidText: Bool {
    guard let input = unsafe context?.pointee.input else { return false }
    let count = unsafe min(input.pointee.end - input.pointee.cur, 4)
    guard count > 0 else { return false }
    let next = unsafe Span(_unsafeStart: input.pointee.cur, count: count)
    guard case .invalid(at: 0) = next.checkUTF8() else { return false }
    // For a surrogate, another message names the code point.
    return next[0] != 0xed && (isLastPiece || !next.isCutOffUTF8)
  }

  private func notWellFormed(_ why: String, at location: InputLocation? = nil) -> FerryError {
    FerryError(.xml(.notWellFormed(why)), at: location ?? currentLocation)
  }
}

// MARK: - References

extension XMLPushParser {
  /// The text of the reference that libxml2 has just read, beginning with `&`, and its source location.
  private var reference: (text: String, location: InputLocation) {
    let text = unsafe Span(_unsafeElements: readBytes)
    guard let start = text.lastIndex(of: UInt8(ascii: "&")) else { return ("&", currentLocation) }
    let name = text.extracting(start..<min(start + 1024, text.count)).decodedString
    return (name, location(back: text.count - start))
  }

  /// Returns true if the reference that libxml2 has just read is the one to the invalid character that libxml2
  /// reports, which is 0 for a reference without digits.
  private func refers(to scalar: Int32) -> Bool {
    let text = reference.text
    // A reference before the markup at which libxml2 is has nothing to do with the error.
    guard text.hasPrefix("&#"),
      text.utf8.dropFirst(2).allSatisfy({ $0.hexDigit != nil || "x;".utf8.contains($0) })
    else { return false }
    guard case .forbiddenCharacter(let found) = XMLWords.problem(ofReference: text.utf8.span) else {
      return scalar == 0 || scalar > 0x10_ffff
    }
    return found == UInt32(bitPattern: scalar)
  }

  /// The name of the entity whose reference libxml2 has just read as a whole, or nil.
  private var referredEntity: String? {
    let text = reference.text.utf8
    guard text.count > 2, text.last == UInt8(ascii: ";"), text.dropFirst().first != UInt8(ascii: "#"),
      !text.dropLast().contains(UInt8(ascii: ";"))
    else { return nil }
    return reference.text.utf8.span.extracting(1..<text.count - 1).decodedString
  }

  /// Returns the message for a bare `&` or `<` in the text of the entity that is referred to.
  private func entityTextFlaw(_ code: xmlParserErrors, _ error: xmlError) -> String? {
    guard let entity = referredEntity else { return nil }
    switch code {
    case XML_ERR_ENTITYREF_SEMICOL_MISSING, XML_ERR_ENTITYREF_NO_NAME, XML_ERR_ENTITYREF_AT_EOF:
      return XMLWords.bareAmpersand(inEntity: entity)
    case XML_ERR_NAME_REQUIRED:
      switch unsafe Self.lastByte(of: error) {
      case UInt8(ascii: "&"): return XMLWords.bareAmpersand(inEntity: entity)
      case UInt8(ascii: "<"): return XMLWords.bareLess(inEntity: entity)
      // In an attribute's value, libxml2 reads the text of an entity without a context of its own.
      case UInt8(ascii: ";"): return XMLWords.bareAmpersand(inEntity: entity)
      default: return nil
      }
    case XML_ERR_INVALID_CHARREF, XML_ERR_INVALID_HEX_CHARREF, XML_ERR_INVALID_DEC_CHARREF,
      XML_ERR_CHARREF_AT_EOF:
      return XMLWords.badReference(inEntity: entity)
    default: return nil
    }
  }

  /// Returns the byte before the one at which libxml2 found an error. libxml2 reads the text of an entity in a
  /// context of its own.
  private static func lastByte(of error: xmlError) -> UInt8? {
    guard let context = unsafe error.ctxt,
      let input = unsafe context.assumingMemoryBound(to: xmlParserCtxt.self).pointee.input,
      unsafe input.pointee.cur > input.pointee.base
    else { return nil }
    return unsafe input.pointee.cur[-1]
  }

  private func entityProblem(_ code: xmlParserErrors, _ error: xmlError) -> FerryError.Reason? {
    if let words = unsafe entityTextFlaw(code, error) { return .xml(.notWellFormed(words)) }
    let name = unsafe string(error.str1) ?? ""
    switch code {
    case XML_ERR_UNDECLARED_ENTITY: return .xml(.undeclaredEntity(name))
    case XML_ERR_ENTITYREF_SEMICOL_MISSING, XML_ERR_ENTITYREF_NO_NAME, XML_ERR_CHARREF_AT_EOF,
      XML_ERR_ENTITYREF_AT_EOF:
      return .xml(.notWellFormed(XMLWords.openReference(reference.text)))
    case XML_ERR_INVALID_CHAR where unsafe refers(to: error.int1),
      XML_ERR_INVALID_CHARREF, XML_ERR_INVALID_HEX_CHARREF, XML_ERR_INVALID_DEC_CHARREF:
      return .xml(XMLWords.problem(ofReference: reference.text.utf8.span))
    case XML_ERR_UNPARSED_ENTITY:
      return .xml(
        .notWellFormed("the entity \(MessageText.quoted(name)) is not text, and cannot be referred to here"))
    case XML_ERR_ENTITY_IS_EXTERNAL: return .xml(.externalEntity(name))
    case XML_ERR_LT_IN_ATTRIBUTE where !name.isEmpty:
      return .xml(
        .notWellFormed("the entity \(MessageText.quoted(name)) has a <, which no attribute can have"))
    case XML_ERR_NAME_REQUIRED where isAfter("&"): return .xml(.notWellFormed(XMLWords.bareAmpersand))
    default: return nil
    }
  }
}

// MARK: - Tags

extension XMLPushParser {
  private func tagError(_ code: xmlParserErrors, _ error: xmlError) -> FerryError? {
    switch code {
    case XML_ERR_NAME_REQUIRED where isAfter("</"):
      return notWellFormed(XMLWords.endTagWithoutName, at: location(back: 2))
    case XML_ERR_NAME_REQUIRED where isAfter("<"):
      return notWellFormed(lessWithoutName, at: location(back: 1))
    case XML_ERR_TAG_NAME_MISMATCH: return unsafe mismatch(error)
    case XML_ERR_ATTRIBUTE_REDEFINED, XML_NS_ERR_ATTRIBUTE_REDEFINED:
      return unsafe duplicate(error, isNamespaced: code == XML_NS_ERR_ATTRIBUTE_REDEFINED)
    case XML_ERR_ATTRIBUTE_WITHOUT_VALUE:
      let name = unsafe string(error.str1) ?? ""
      return notWellFormed(
        XMLWords.noValue(name), at: location(back: trailingSpaces + name.utf8.count))
    default: return nil
    }
  }

  /// The message for a `<` that begins no markup.
  private var lessWithoutName: String {
    guard locations.count == 0 else { return XMLWords.bareLess }
    // Before the root element, no text can have a bare `<`.
    return nextScalar == 0x2f ? XMLWords.endTagWithoutStart : XMLWords.nameExpectedInTag
  }

  /// Returns the error for an instruction, a declaration, hyphens or `]]>` where it cannot be.
  private func markupError(_ code: xmlParserErrors) -> FerryError? {
    switch code {
    case XML_ERR_RESERVED_XML_NAME: return reservedName
    case XML_ERR_HYPHEN_IN_COMMENT:
      // libxml2 has already read the hyphens if a character before them is not ASCII.
      let isAfterHyphens = isAfter("--") && !isAfter("<!--")
      return notWellFormed(XMLWords.hyphensInComment, at: isAfterHyphens ? location(back: 2) : nil)
    case XML_ERR_MISPLACED_CDATA_END:
      // libxml2 may still be at the beginning of the text.
      let unread = unsafe Span(_unsafeElements: unreadBytes)
      let text = [UInt8](copying: unread.extracting(first: unread.firstIndex(of: "]]>", from: 0) ?? 0))
      return notWellFormed(XMLWords.sectionEndInText, at: currentLocation.advanced(over: text))
    case XML_ERR_LITERAL_NOT_FINISHED:
      return nextScalar.map {
        isXMLCharacter($0)
          ? notWellFormed(XMLWords.notInPublicIdentifier($0))
          : FerryError(.xml(.forbiddenCharacter($0)), at: currentLocation)
      }
    case XML_ERR_NAME_REQUIRED, XML_ERR_INTERNAL_ERROR, XML_ERR_DOCUMENT_END: return misplacedDoctype
    default: return nil
    }
  }

  private var reservedName: FerryError {
    let start = location(ofLast: UInt8(ascii: "<"))
    let read = unsafe Span(_unsafeElements: readBytes)
    let name = read.extracting(((read.lastIndex(of: UInt8(ascii: "?")) ?? -1) + 1)...)
    guard !name.equals("xml") || start.line != 1 || start.column != 1 else {
      return notWellFormed(XMLWords.versionMissing)
    }
    return notWellFormed(XMLWords.reserved(name) ?? XMLWords.instructionNameExpected, at: start)
  }

  private var misplacedDoctype: FerryError? {
    let unread = unsafe Span(_unsafeElements: unreadBytes)
    if unread.starts(with: "<!DOCTYPE") { return notWellFormed(XMLWords.misplacedDoctype) }
    guard isAfter("<"), unread.starts(with: "!") else { return nil }
    let isDoctype = unread.starts(with: "!DOCTYPE")
    return notWellFormed(
      isDoctype ? XMLWords.misplacedDoctype : XMLWords.unknownMarkup, at: location(back: 1))
  }

  /// The next character of libxml2, or nil at the end of its bytes.
  private var nextScalar: UInt32? {
    let unread = unsafe Span(_unsafeElements: unreadBytes)
    return unread.isEmpty ? nil : unread.scalar(at: 0).scalar
  }

  /// The number of bytes of white space before libxml2's current byte.
  private var trailingSpaces: Int {
    let read = unsafe Span(_unsafeElements: readBytes)
    return read.count - read.startOfSpace(before: read.count)
  }

  private func mismatch(_ error: xmlError) -> FerryError {
    let (opened, found) = unsafe (string(error.str1) ?? "", string(error.str2) ?? "")
    let start = location(ofLast: UInt8(ascii: "<"))
    guard found != "unparsable" else { return notWellFormed(XMLWords.endTagWithoutName, at: start) }
    // libxml2 does not know the lines of tags that the scanner has read.
    let began = unsafe hasScanned ? elementLocation : InputLocation(line: Int(error.int1))
    let line = (movedLocations?.moved(began) ?? began).line ?? 0
    let closing = unsafe Self.endTagName(of: error) ?? found
    let why = "</\(closing)> cannot close <\(withElementPrefix(opened))>, which began on line \(line)"
    return notWellFormed(why, at: start)
  }

  /// Returns the name with its prefix in the end tag that libxml2 has just read, in the document or in an entity. libxml2
  /// reports only the local name.
  private static func endTagName(of error: xmlError) -> String? {
    guard let context = unsafe error.ctxt,
      let input = unsafe context.assumingMemoryBound(to: xmlParserCtxt.self).pointee.input
    else { return nil }
    let read = unsafe Span(_unsafeStart: input.pointee.base, count: input.pointee.cur - input.pointee.base)
    guard let start = read.lastIndex(of: UInt8(ascii: "<")) else { return nil }
    let tag = read.extracting(start...)
    guard tag.starts(with: "</") else { return nil }
    return tag.extracting(2..<tag.endOfWrittenName(from: 2)).decodedString
  }

  /// Returns the position of an element's or attribute's name in the start tag that libxml2 has just read.
  private func location(inLastTagOf name: String) -> InputLocation {
    let read = unsafe Span(_unsafeElements: readBytes)
    let tag = read.extracting((read.lastIndex(of: UInt8(ascii: "<")) ?? 0)...)
    let attribute = AttributeScan.names(in: tag).first { $0.name.elementsEqual(name.utf8) }
    return location(back: tag.count - (attribute?.offset ?? min(1, tag.count)))
  }

  /// Returns the error for a repeated attribute, located at its second occurrence.
  private func duplicate(_ error: xmlError, isNamespaced: Bool) -> FerryError {
    let (first, second) = unsafe (string(error.str1) ?? "", string(error.str2))
    let tag = unsafe Span(_unsafeElements: readBytes)
    let start = tag.lastIndex(of: UInt8(ascii: "<")) ?? 0
    let name = isNamespaced ? first : second.map { "\(first):\($0)" } ?? first
    let attributes = AttributeScan.names(in: tag.extracting(start..<tag.count))
      .filter { isNamespaced ? $0.local.elementsEqual(name.utf8) : $0.name.elementsEqual(name.utf8) }
    let offset = attributes.dropFirst().first?.offset ?? 0
    return FerryError(.xml(.duplicateAttribute(name)), at: location(back: tag.count - start - offset))
  }
}

/// A scanner of the attribute names in a start tag that the parser has rejected.
///
///     <a b="1" p:c='2'>     b at offset 3, p:c at offset 9
enum AttributeScan {
  /// Returns the attribute names with their offsets from the `<`.
  static func names(in tag: Span<UInt8>) -> [(name: [UInt8], local: ArraySlice<UInt8>, offset: Int)] {
    var names: [(name: [UInt8], local: ArraySlice<UInt8>, offset: Int)] = []
    var index = tag.endOfWrittenName(from: 1)
    while index < tag.count {
      let start = tag.endOfSpace(from: index)
      index = tag.endOfWrittenName(from: start)
      let name = [UInt8](copying: tag.extracting(start..<index))
      guard !name.isEmpty else { return names }
      let colon = name.firstIndex(of: UInt8(ascii: ":")).map { $0 + 1 } ?? 0
      names.append((name, name[colon...], start))
      guard case .quotationMark(let quote) = tag.valueOpening(after: index),
        let end = tag.firstIndex(of: tag[quote], from: quote + 1)
      else { return names }
      index = end + 1
    }
    return names
  }
}

// MARK: - Namespaces and the document's end

extension XMLPushParser {
  private func namespaceError(_ code: xmlParserErrors, _ error: xmlError) -> FerryError? {
    let name = unsafe string(error.str1) ?? ""
    switch code {
    case XML_NS_ERR_UNDEFINED_NAMESPACE:
      let local = unsafe string(error.str2) ?? ""
      return notWellFormed(
        "the prefix \(MessageText.quoted(name)) is not declared (xmlns:PREFIX=\"…\" declares one)",
        at: location(inLastTagOf: "\(name):\(local)"))
    case XML_NS_ERR_QNAME, XML_NS_ERR_COLON:
      return notWellFormed("a name has one colon at most, between its prefix and the rest")
    case XML_NS_ERR_XML_NAMESPACE, XML_NS_ERR_EMPTY, XML_ERR_NS_DECL_ERROR:
      // libxml2 gives no prefix for a declaration of `xml` or `xmlns`, or of the namespace of one of them.
      let declared =
        name.isEmpty
        ? "the prefixes xml and xmlns, and their namespaces," : "the prefix \(MessageText.quoted(name))"
      return notWellFormed(
        "\(declared) cannot be declared like this", at: location(inLastTagOf: "xmlns:\(name)"))
    default: return nil
    }
  }

  /// Returns the error for a document that ends inside markup, if this causes an error of libxml2. An error
  /// before the end of the document has its own message.
  private func cutOff(_ code: xmlParserErrors) -> FerryError? {
    guard isLastPiece, let unfinished, code != XML_ERR_ATTRIBUTE_NOT_FINISHED,
      code == XML_ERR_DOCUMENT_END || isAtEnd
    else { return nil }
    return notWellFormed(XMLWords.endsInside(unfinished), at: documentEnd)
  }

  private func endError(_ code: xmlParserErrors, _ error: xmlError) -> FerryError? {
    switch code {
    case XML_ERR_DOCUMENT_END where isLastPiece && (!hasRoot || locations.count > 0):
      let name = unsafe string(context?.pointee.name)
      let why =
        name.map { XMLWords.endsInside("<\(withElementPrefix($0))>") } ?? "the document has no root element"
      return notWellFormed(why, at: documentEnd)
    case XML_ERR_DOCUMENT_END: return notWellFormed("nothing but comments may follow the root element")
    case XML_ERR_TAG_NOT_FINISHED:
      let name = unsafe string(error.str1) ?? ""
      return notWellFormed("an entity ends inside <\(withElementPrefix(name))>")
    default: return nil
    }
  }
}

// MARK: - Words

extension XMLPushParser {
  /// The messages for errors that only need the error's code.
  private static let words: [UInt32: String] = {
    var words: [UInt32: String] = [:]
    for (code, text) in tagWords + proseWords + declarationWords { words[code.rawValue] = text }
    return words
  }()

  private static let tagWords: [(xmlParserErrors, String)] = [
    (XML_ERR_NAME_REQUIRED, XMLWords.nameExpected),
    (XML_ERR_SPACE_REQUIRED, XMLWords.spaceExpected),
    (XML_ERR_ATTRIBUTE_NOT_STARTED, XMLWords.valueExpected),
    (XML_ERR_ATTRIBUTE_NOT_FINISHED, XMLWords.endsInValue),
    (XML_ERR_LT_IN_ATTRIBUTE, XMLWords.bareLessInValue),
    (XML_ERR_LT_REQUIRED, "\"<\" is expected here"),
    (XML_ERR_GT_REQUIRED, XMLWords.tagEndExpected),
    (XML_ERR_LTSLASH_REQUIRED, "an end tag is expected here"),
    (XML_ERR_EQUAL_REQUIRED, XMLWords.equalsExpected),
    (XML_ERR_STRING_NOT_STARTED, XMLWords.quotedValueExpected),
    (XML_ERR_STRING_NOT_CLOSED, XMLWords.closingQuoteExpected),
    (XML_ERR_NAME_TOO_LONG, "the name is too long"),
  ]

  private static let proseWords: [(xmlParserErrors, String)] = [
    (XML_ERR_NO_MEMORY, "out of memory"),
    (XML_ERR_DOCUMENT_EMPTY, "a document begins with < and its root element"),
    (XML_ERR_DOCUMENT_START, "a document begins with < and its root element"),
    (XML_ERR_INTERNAL_ERROR, XMLWords.unknownMarkup),
    (XML_ERR_INVALID_ENCODING, "the document is not in the encoding that it declares"),
    (XML_I18N_CONV_FAILED, "the document is not in the encoding that it declares"),
    (XML_IO_ENCODER, "the document is not in the encoding that it declares"),
    (XML_ERR_COMMENT_NOT_FINISHED, XMLWords.endsInside("a comment")),
    (XML_ERR_CDATA_NOT_FINISHED, XMLWords.endsInside("a CDATA section")),
    (XML_ERR_PI_NOT_STARTED, XMLWords.instructionNameExpected),
    (XML_ERR_PI_NOT_FINISHED, XMLWords.endsInside("a processing instruction")),
    (XML_ERR_EXTRA_CONTENT, "nothing but comments may follow the root element"),
    (XML_ERR_NOT_WELL_BALANCED, "an entity has a start tag or an end tag alone"),
    (XML_ERR_ENTITY_LOOP, "entities contain each other without end"),
    (XML_ERR_ENTITY_BOUNDARY, "an entity has the beginning or the end of a declaration alone"),
    (XML_ERR_ENTITY_IS_PARAMETER, "a parameter entity cannot be referred to here"),
  ]

  private static let declarationWords: [(xmlParserErrors, String)] = [
    (XML_ERR_XMLDECL_NOT_STARTED, "the XML declaration is expected here"),
    (XML_ERR_XMLDECL_NOT_FINISHED, XMLWords.declarationEndExpected),
    (XML_ERR_VERSION_MISSING, XMLWords.versionMissing),
    (XML_ERR_VERSION_MISMATCH, "the version of XML differs from the document's"),
    (XML_ERR_STANDALONE_VALUE, XMLWords.badStandalone),
    (XML_ERR_ENCODING_NAME, XMLWords.badEncodingName),
    (XML_ERR_DOCTYPE_NOT_FINISHED, XMLWords.doctypeEndExpected),
    (XML_ERR_LITERAL_NOT_STARTED, XMLWords.identifierExpected),
    (XML_ERR_LITERAL_NOT_FINISHED, XMLWords.openIdentifier),
    (XML_ERR_URI_REQUIRED, "a system identifier is expected, in quotation marks"),
    (XML_ERR_PUBID_REQUIRED, "a public identifier is expected, in quotation marks"),
    (XML_ERR_URI_FRAGMENT, "a system identifier cannot have a fragment (#…)"),
    (XML_ERR_ENTITY_NOT_STARTED, "the entity's value is expected, in quotation marks"),
    (XML_ERR_ENTITY_NOT_FINISHED, "the declaration of the entity does not end"),
    (XML_ERR_ENTITY_CHAR_ERROR, "a bare & or % in an entity's value (write &#38; or &#37;)"),
    (XML_ERR_ENTITY_PE_INTERNAL, "a parameter entity cannot be referred to inside of a declaration"),
    (XML_ERR_PEREF_NO_NAME, "a reference to a parameter entity needs a name after %"),
    (XML_ERR_PEREF_SEMICOL_MISSING, "a reference to a parameter entity needs a \";\" at its end"),
    (XML_ERR_PEREF_AT_EOF, "the document ends in a reference to a parameter entity"),
    (XML_ERR_PEREF_IN_PROLOG, "a parameter entity cannot be referred to here"),
    (XML_ERR_PEREF_IN_EPILOG, "a parameter entity cannot be referred to here"),
    (XML_ERR_NOTATION_NOT_STARTED, "the declaration of a notation is expected here"),
    (XML_ERR_NOTATION_NOT_FINISHED, "the declaration of the notation has to end in > here"),
    (XML_ERR_ATTLIST_NOT_STARTED, "a list of the attribute's values is expected here"),
    (XML_ERR_ATTLIST_NOT_FINISHED, "the list of the attribute's values does not end"),
    (XML_ERR_MIXED_NOT_STARTED, "a list of elements is expected here"),
    (XML_ERR_MIXED_NOT_FINISHED, "the list of elements does not end"),
    (XML_ERR_ELEMCONTENT_NOT_STARTED, "the content of the element is expected here"),
    (XML_ERR_ELEMCONTENT_NOT_FINISHED, "the content of the element does not end"),
    (XML_ERR_PCDATA_REQUIRED, "#PCDATA is expected here"),
    (XML_ERR_NMTOKEN_REQUIRED, "a value of the attribute is expected here"),
    (XML_ERR_SEPARATOR_REQUIRED, "\"|\" or \",\" is expected here"),
    (XML_ERR_VALUE_REQUIRED, "a value is expected here"),
    (XML_ERR_CONDSEC_NOT_STARTED, "a conditional section cannot be here"),
    (XML_ERR_CONDSEC_NOT_FINISHED, "the conditional section does not end"),
    (XML_ERR_CONDSEC_INVALID, "a conditional section cannot be here"),
    (XML_ERR_CONDSEC_INVALID_KEYWORD, "a conditional section is INCLUDE or IGNORE"),
    (XML_ERR_EXT_SUBSET_NOT_FINISHED, "the document type declaration does not end"),
    (XML_ERR_EXT_ENTITY_STANDALONE, "a standalone document cannot refer to what is outside of it"),
  ]
}
