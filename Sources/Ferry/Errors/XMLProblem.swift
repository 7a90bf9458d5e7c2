/// What can be wrong with an XML document, or with a value that is to become one.
public enum XMLProblem: Hashable, Sendable {
  /// Not well-formed, in the parser's words.
  case notWellFormed(String)
  /// An external entity, which Ferry never fetches.
  case externalEntity(String)
  /// A reference to an entity that is not declared.
  case undeclaredEntity(String)
  /// A name that XML does not allow.
  case badName(String)
  /// A character that XML 1.0 cannot hold.
  case forbiddenCharacter(UInt32)
  /// Text, a second root or an end where the writer has no element for it.
  case misplaced(String)
  /// An attribute that comes after the element's content has begun.
  case lateAttribute(String)
  /// An attribute given twice.
  case duplicateAttribute(String)
  /// A comment or processing instruction whose text would end it early.
  case badMarkup(String)
  /// An XPath expression that cannot be evaluated.
  case badXPath(String, why: String)
  /// An XPath is given for an input that is this instead of XML.
  case notXML(String)
  /// An XPath expression that does not select elements.
  case notElements(String)
}

extension XMLProblem: CustomStringConvertible {
  /// One sentence without a full stop.
  public var description: String {
    switch self {
    case .notWellFormed(let why): why
    case .externalEntity(let name): "the external entity \(quotedForMessage(name)) is not fetched"
    case .undeclaredEntity(let name): "the entity \(quotedForMessage(name)) is not declared"
    case .badName(let name): "\(quotedForMessage(name)) cannot be the name of an element or attribute"
    case .forbiddenCharacter(let scalar):
      "XML cannot hold the character U+\(String(scalar + 0x1_0000, radix: 16, uppercase: true).dropFirst())"
    case .misplaced(let what): "\(what) has no place here in an XML document"
    case .lateAttribute(let name):
      "the attribute \(quotedForMessage(name)) comes after the element's content (--sort-keys puts attributes first)"
    case .duplicateAttribute(let name): "the attribute \(quotedForMessage(name)) is given twice"
    case .badMarkup(let what): what
    case .badXPath(let expression, let why): "the XPath \(quotedForMessage(expression)) is not valid: \(why)"
    case .notXML(let format): "--select takes XML, and this is \(format)"
    case .notElements(let expression): "the XPath \(quotedForMessage(expression)) does not select elements"
    }
  }
}
