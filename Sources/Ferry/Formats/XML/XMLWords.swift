/// The messages for mistakes in XML. The reader of XML and the reader of XML property lists share them.
enum XMLWords {
  static let nameExpected = "a name is expected here"
  static let spaceExpected = "white space is expected here"
  static let tagEndExpected = "\">\" is expected here"
  static let valueExpected = "an attribute's value is expected, in quotation marks"
  static let bareLess = "a bare < (write &lt;)"
  static let endTagWithoutStart = "an end tag has no start tag before it"
  static let nameExpectedInTag = "a tag begins with a name"
  static let bareLessInValue =
    "a bare < in an attribute's value (write &lt;), or the value's closing quotation mark is missing"
  static let bareAmpersand = "a bare & (write &amp;)"
  static let endTagWithoutName = "an end tag without a name"
  static let unknownMarkup = "this begins neither an element, a comment nor a CDATA section"
  static let misplacedDoctype = "a document has one document type declaration, before its root element"
  static let sectionEndInText = "]]> cannot be in text (write ]]&gt;)"
  static let hyphensInComment = "a comment cannot contain --"
  static let instructionNameExpected = "a processing instruction needs a name after <?"
  static let endsInValue =
    "the document ends inside an attribute's value (its closing quotation mark is missing)"
  private static let needsNumber = "a reference to a character needs its number: &#233; or &#xE9;"

  // The XML declaration
  static let equalsExpected = "\"=\" is expected here"
  static let quotedValueExpected = "a value is expected, in quotation marks"
  static let closingQuoteExpected = "a closing quotation mark is expected here"
  static let versionMissing = "the XML declaration has no version of the form 1.0 (<?xml version=\"1.0\"?>)"
  static let unsupportedVersion = "this version of XML is not supported (version=\"1.0\" is)"
  static let badEncodingName = "this cannot be the name of an encoding"
  static let badStandalone = "standalone is \"yes\" or \"no\""
  static let declarationEndExpected = "the XML declaration has to end in ?> here"

  // The document type declaration
  static let doctypeEndExpected = "the document type declaration has to end in > here"
  static let identifierExpected = "an identifier is expected, in quotation marks"
  static let openIdentifier = "an identifier has no closing quotation mark"

  static func notInPublicIdentifier(_ scalar: UInt32) -> String {
    let name = MessageText.quoted(Unicode.Scalar(scalar).map { String($0) } ?? "")
    return "a public identifier cannot contain \(name), or its closing quotation mark is missing"
  }

  /// Returns the message for the name of an instruction if it is "xml" in lowercase or uppercase letters. Only
  /// the XML declaration has this name.
  static func reserved(_ name: Span<UInt8>) -> String? {
    guard name.count == 3, name[0] | 0x20 == UInt8(ascii: "x"), name[1] | 0x20 == UInt8(ascii: "m"),
      name[2] | 0x20 == UInt8(ascii: "l")
    else { return nil }
    guard !name.equals("xml") else {
      return "the XML declaration may only be at the very beginning of the document"
    }
    let found = MessageText.quoted(name.decodedString)
    return "a processing instruction cannot have the name \(found) (the XML declaration begins with <?xml)"
  }

  static func endsInside(_ what: String) -> String { "the document ends inside \(what)" }

  static func noValue(_ attribute: String) -> String {
    "the attribute \(MessageText.quoted(attribute)) has no value (XML needs one, in quotation marks)"
  }

  static func openReference(_ text: String) -> String {
    "the reference \(MessageText.quoted(text)) has no \";\" (write &amp; for a bare &)"
  }

  /// The message for a document in UTF-32.
  static let utf32 =
    "the document is in UTF-32, which is not supported (iconv -f UTF-32 -t UTF-8 converts it)"

  /// The message for a document in UTF-16 that shows it neither by a mark nor by a declaration.
  static func noMark(of encoding: String) -> String {
    "the document is in \(encoding), and has neither a byte order mark nor a declaration "
      + "(add a byte order mark, or declare the encoding)"
  }

  /// The message for U+FEFF after a byte order mark.
  static let secondMark = "the document begins with two byte order marks (remove one)"

  static func notText(in encoding: String) -> String {
    "these bytes are not text in \(MessageText.quoted(encoding)), the encoding that the document declares"
  }

  static func unsupportedEncoding(_ name: String) -> String {
    "the encoding \(MessageText.quoted(name)) is not supported (try UTF-8)"
  }

  /// Returns the message for a declared encoding that contradicts the encoding of the first bytes.
  static func contradiction(_ found: String, declared: String) -> String {
    "the document's first bytes are \(found), and it declares the encoding \(MessageText.quoted(declared)) "
      + "(correct one of the two)"
  }

  static func bareAmpersand(inEntity name: String) -> String {
    "the text of the entity \(MessageText.quoted(name)) has a bare & (write &amp; in its declaration)"
  }

  static func bareLess(inEntity name: String) -> String {
    "the text of the entity \(MessageText.quoted(name)) has a bare < (write &lt; in its declaration)"
  }

  static func badReference(inEntity name: String) -> String {
    "the text of the entity \(MessageText.quoted(name)) has a character reference without a valid number "
      + "(&#233; is one)"
  }

  /// Returns the problem of a reference to a character that XML does not allow, such as `&#1;`.
  static func problem(ofReference text: Span<UInt8>) -> XMLProblem {
    guard let number = XMLCharacterReference.number(in: text) else { return .notWellFormed(needsNumber) }
    if XMLCharacterReference.isOpen(text) { return .notWellFormed(openReference(text.decodedString)) }
    guard number <= 0x10_ffff else {
      let name = MessageText.quoted(text.decodedString)
      return .notWellFormed("the reference \(name) is beyond the last character, &#x10FFFF;")
    }
    return .forbiddenCharacter(number)
  }

  /// Returns the name of markup whose end is missing, with an article. Returns nil if the bytes do not begin
  /// with markup.
  static func name(ofMarkup markup: Span<UInt8>) -> String? {
    guard markup.starts(with: "<") else { return nil }
    if markup.count == 1 { return "a tag" }
    if markup.starts(with: "<!-") { return "a comment" }
    if markup.starts(with: "<![") { return "a CDATA section" }
    if markup.starts(with: "<!") {
      return markup.count == 2 ? "markup that begins with <!" : "the document type declaration"
    }
    guard markup.starts(with: "<?") else { return markup.starts(with: "</") ? "an end tag" : "a start tag" }
    let isDeclaration = markup.starts(with: "<?xml") && (markup.count == 5 || markup[5].isSpace)
    return isDeclaration ? "the XML declaration" : "a processing instruction"
  }
}
