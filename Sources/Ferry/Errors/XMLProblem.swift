/// A problem in an XML document, or in a value to write as XML.
public enum XMLProblem: Hashable, Sendable {
  /// The document is not well-formed, with the parser's message.
  case notWellFormed(String)
  /// An external entity. Ferry never loads external entities.
  case externalEntity(String)
  /// A reference to an undeclared entity. `XMLReadingOptions.entities` can declare more.
  case undeclaredEntity(String)
  /// A name that XML does not allow.
  case badName(String)
  /// A character that XML 1.0 does not allow.
  case forbiddenCharacter(UInt32)
  /// Text, a second root element or an end tag that is not allowed here.
  case misplaced(String)
  /// A dictionary with several keys, each of which would be a root element. `WritingOptions.rootElement` puts all into
  /// one.
  case severalRoots
  /// A name for the root element with a prefix that the value does not declare, or with a namespace that it cannot declare.
  case undeclaredRoot(String)
  /// An attribute after the content of its element has begun.
  case lateAttribute(String)
  /// A repeated attribute.
  case duplicateAttribute(String)
  /// A comment or processing instruction whose text contains its own end mark.
  case badMarkup(String)
  /// An XPath expression that cannot be evaluated.
  case badXPath(String, why: String)
  /// An XPath expression whose evaluation needs more nodes of the document at once than libxml2 holds, or more memory than there is.
  case tooManyNodes(String)
  /// An XPath expression with a prefix that is not declared in the document. `XMLReadingOptions.prefixes` can bind it.
  case undeclaredPrefix(String, why: String)
  /// An XPath expression with the prefix `_` for a document whose root element has no default namespace.
  case noDefaultNamespace(String)
  /// A document type definition that cannot be read.
  case badDTD(String)
  /// A value that is not JsonML.
  case notJsonML(expected: String)
  /// A convention in which XML cannot be written.
  case readOnlyConvention(String)
  /// Options for keys in another format, in a conversion from XML to XML.
  case onlyForValues
  /// Options for keys in another format, in a conversion by a schema.
  case onlyWithoutSchema
  /// Options for keys in another format, and a schema that is inferred.
  case notForInference
  /// Names for elements, and a schema that is inferred, which names them.
  case namedBySchema
  /// The elements of an input would get the names and namespaces of another one, by whose inferred schema they would be written.
  case otherInferredSchema
  /// Options for reading XML, but the input has another format.
  case notXMLInput(String)
  /// A convention, types or expanded names of XML, but neither the input, whose format is given, nor the output is XML.
  case noXML(String)
  /// A selection from an input that becomes the typed form, with its format.
  case notXML(String)
  /// An XPath expression that does not select elements.
  case notElements(String)
  /// An XPath expression that selects a node without a value, with its kind: `a comment`.
  case noValues(String, node: String)
  /// An XPath expression with a single value, such as a number, although nodes are to be changed.
  case noNodes(String)
  /// An XPath expression that selects a node whose value has no path, so that it cannot be changed, with its kind: `an attribute`.
  case noPath(String, node: String)
  /// An XPath expression that does not name one new element or attribute for each selected element, and the reason.
  case noTarget(String, why: String)
  /// An XPath expression that selects nothing, although a value is needed.
  case selectsNothing(String)
  /// An XPath expression that selects nothing and does not end with a name, although new elements go before those that it selects.
  case selectsNothingToPrecede(String)
  /// An XPath expression without prefixes that selects nothing to change, and the default namespace of the document.
  case selectsNothingInNamespace(String, namespace: String)
  /// An XPath expression of attributes, texts or a single value, although elements are needed, and the reason.
  case onlyElements(String, why: String)
}

extension XMLProblem: CustomStringConvertible {
  /// The problem in one sentence, without a period.
  public var description: String {
    switch self {
    case .notWellFormed(let why): why
    case .externalEntity(let name): "the external entity \(MessageText.quoted(name)) is not fetched"
    case .undeclaredEntity(let name):
      "the entity \(MessageText.quoted(name)) is not declared"
    case .badName(let name): "\(MessageText.quoted(name)) cannot be the name of an element or attribute"
    case .forbiddenCharacter(let scalar):
      "XML cannot hold the character U+\(Self.notation(of: scalar))"
    case .severalRoots: Self.misplaced("a second root element").description
    case .misplaced(let what): "\(what) is not allowed here in an XML document"
    case .undeclaredRoot(let name):
      "the root element cannot have the name \(MessageText.quoted(name)), because the value does not declare its "
        + "namespace"
    case .lateAttribute(let name):
      "the attribute \(MessageText.quoted(name)) comes after the element's content"
    case .duplicateAttribute(let name): "the attribute \(MessageText.quoted(name)) is given twice"
    case .badMarkup(let what): what
    case .badXPath(let expression, let why), .undeclaredPrefix(let expression, let why):
      "the XPath \(MessageText.quoted(expression)) is not valid: \(why)"
    case .tooManyNodes(let expression):
      "the XPath \(MessageText.quoted(expression)) needs more nodes of the document at once than fit into memory, or than the "
        + "10,000,000 that libxml2 holds"
    case .noDefaultNamespace(let expression):
      "the XPath \(MessageText.quoted(expression)) is not valid: the prefix _ means the root's default namespace, but the "
        + "root has none (write names without a prefix)"
    case .badDTD(let path): "\(path) is not a document type definition that can be read"
    case .notJsonML(let expected): "the value is not JsonML: expected \(expected)"
    case .readOnlyConvention(let name):
      "XML is not written in the convention \(name), which does not show attributes and the root element"
    case .onlyForValues:
      "properties for values are for other formats: from XML to XML, everything stays as it is"
    case .onlyWithoutSchema: "properties for values without a schema cannot be used with a schema"
    case .otherInferredSchema:
      "no schema can be inferred for the records of this input together with those before it, so that their elements would "
        + "lose their names or namespaces"
    case .namedBySchema: "the names of elements cannot be given, because the inferred schema names them"
    case .notForInference: "properties for values without a schema cannot be used with one that is inferred"
    case .notXMLInput(let format): "the options for XML cannot be used, because the input is \(format)"
    case .noXML(let format):
      "a convention, types and expanded names are only for XML, but the input is \(format), and the output is "
        + "not XML, either"
    case .notXML(let format):
      "values are selected by an XPath in XML, or by a path in other formats, but not for the typed form of \(format)"
    case .notElements(let expression): "the XPath \(MessageText.quoted(expression)) does not select elements"
    case .noValues(let expression, let node):
      "the XPath \(MessageText.quoted(expression)) selects \(node), but only elements, attributes and texts are values"
    case .noNodes(let expression):
      "the XPath \(MessageText.quoted(expression)) selects no nodes to change: it has a single value"
    case .noPath(let expression, let node):
      "the XPath \(MessageText.quoted(expression)) selects \(node), which cannot be changed on its own"
    case .noTarget(let expression, let why):
      "the XPath \(MessageText.quoted(expression)) does not say where a value goes: \(why)"
    case .selectsNothing(let expression) where expression.hasSuffix("@xmlns"):
      "nothing matches the XPath \(MessageText.quoted(expression)): the declaration of a namespace is not an attribute in an "
        + "XPath (write a path, as in a[\"@xmlns\"])"
    case .selectsNothing(let expression): "nothing matches the XPath \(MessageText.quoted(expression))"
    case .selectsNothingToPrecede(let expression):
      "nothing matches the XPath \(MessageText.quoted(expression)), and a new element goes before each that it selects "
        + "(write the name of a new element or attribute last, as in //book/lang, to add it inside)"
    case .selectsNothingInNamespace(let expression, let namespace):
      "nothing matches the XPath \(MessageText.quoted(expression)): the elements are in the namespace "
        + MessageText.quoted(namespace)
    case .onlyElements(let expression, let why):
      "the XPath \(MessageText.quoted(expression)) does not select elements alone, and \(why)"
    }
  }
}

extension XMLProblem {
  /// True for a problem that a reader of documents finds in their text. False for one of an output or an option.
  var isOfSyntax: Bool {
    switch self {
    case .notWellFormed, .externalEntity, .undeclaredEntity, .forbiddenCharacter, .duplicateAttribute: true
    case .badName, .misplaced, .severalRoots, .undeclaredRoot, .lateAttribute, .badMarkup, .badXPath,
      .tooManyNodes,
      .undeclaredPrefix, .noDefaultNamespace, .badDTD, .notJsonML, .readOnlyConvention, .onlyForValues,
      .onlyWithoutSchema, .notForInference, .namedBySchema, .otherInferredSchema, .notXMLInput, .noXML,
      .notXML, .notElements, .noValues, .noNodes, .noPath, .noTarget, .selectsNothing,
      .selectsNothingToPrecede,
      .selectsNothingInNamespace, .onlyElements:
      false
    }
  }

  /// Returns a code point with at least four hexadecimal digits.
  private static func notation(of scalar: UInt32) -> String {
    let digits = String(scalar, radix: 16, uppercase: true)
    return String(repeating: "0", count: max(0, 4 - digits.count)) + digits
  }

  /// The stable identifier of the problem for programs. It never changes.
  var code: String {
    switch self {
    case .notWellFormed: "not-well-formed"
    case .externalEntity: "external-entity"
    case .undeclaredEntity: "undeclared-entity"
    case .badName: "bad-name"
    case .forbiddenCharacter: "forbidden-character"
    case .misplaced, .severalRoots: "misplaced"
    case .undeclaredRoot: "undeclared-root"
    case .lateAttribute: "late-attribute"
    case .duplicateAttribute: "duplicate-attribute"
    case .badMarkup: "bad-markup"
    case .badXPath, .undeclaredPrefix, .noDefaultNamespace: "bad-xpath"
    case .tooManyNodes: "too-many-nodes"
    case .badDTD: "bad-dtd"
    case .notJsonML: "not-jsonml"
    case .readOnlyConvention: "read-only-convention"
    case .onlyForValues: "only-for-values"
    case .onlyWithoutSchema, .notForInference: "only-without-schema"
    case .namedBySchema: "named-by-schema"
    case .otherInferredSchema: "other-inferred-schema"
    case .notXMLInput: "not-xml-input"
    case .noXML: "no-xml"
    case .notXML: "not-xml"
    case .notElements, .noValues, .noNodes, .noPath, .onlyElements: "not-elements"
    case .noTarget: "no-target"
    case .selectsNothing, .selectsNothingToPrecede, .selectsNothingInNamespace: "nothing-selected"
    }
  }
}
