/// The options for XML to write without a schema.
///
///     var conversion = Conversion(to: .xml)
///     conversion.writing.xml.types = .attributes
public struct XMLWritingOptions: Hashable, Sendable {
  /// The convention by which values become elements.
  public var convention = XMLConvention.ferry
  /// The notation of types.
  public var types = XMLTypeNotation.none
  /// True if each key `{namespace}name` is a name in this namespace, as the keys of `XMLNamespaceStyle.expanded` are. If false, only one
  /// whose namespace is a URI is such a name, because another may be an ordinary key.
  public var hasExpandedNames = false
  /// True to report values that have another form when they are read, and a root element around the value. A decoder takes a value in each
  /// of its forms, and the content of any root element.
  var reportsForms = true
  /// True to report a root element around the value also if its name is given. The root element that joined documents have in common is not
  /// reported, because it is around the records of the documents, too.
  var reportsRoot = true
  /// True if the name of the root element is the key of a record of XML.
  var rootIsKey = false
  /// The declarations on the root element of a list that is the value.
  var declarations: [NamespaceDeclaration] = []

  /// Creates the default options.
  public init() {}

  /// Creates the options for documents that are read with other options: with their convention, notation of types and expanded
  /// names.
  public init(readWith options: XMLReadingOptions) {
    (convention, types) = (options.convention, options.types)
    hasExpandedNames = options.namespaces == .expanded
  }

  /// True if the options do not ask for another form of a document.
  var isUsual: Bool { convention == .ferry && types == .none && !hasExpandedNames }
}

extension XMLWritingOptions {
  /// Returns the reason why XML cannot have a name that is given for elements; nil if it can.
  ///
  /// - Parameters:
  ///   - name: A name such as `list`, `p:list`, or `{urn:a}list` with its namespace in braces.
  ///   - mayHavePrefix: True if the value may declare the prefix of the name.
  package func flaw(inElementName name: String, mayHavePrefix: Bool) -> String? {
    let quoted = MessageText.quoted(name)
    if let expanded = ExpandedName(key: name.utf8.span) {
      guard convention == .ferry, hasExpandedNames || expanded.isAbsolute && types == .none else {
        return
          "\(quoted) cannot be the name of an element here, because the namespace in braces is not declared"
      }
      return nil
    }
    guard !name.hasPrefix("{\(XMLNamespace.declarations)}") else {
      return
        "\(quoted) cannot be the name of an element, because \(XMLNamespace.declarations) is reserved for the "
        + "declarations of namespaces"
    }
    guard name.utf8.span.isXMLName else {
      return
        "\(quoted) cannot be the name of an element, which has letters, digits, \"-\", \".\" and \"_\", and "
        + "begins with a letter or \"_\""
    }
    guard mayHavePrefix || !XMLKeyName.hasPrefix(name.utf8.span) else {
      return "\(quoted) has a prefix that is not declared (write the namespace in braces: {URI}name)"
    }
    return nil
  }
}
