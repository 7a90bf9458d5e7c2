/// The values that an XPath selects from a document.
enum ElementSelection {
  /// The elements of a tree.
  case nodes([XMLTreeElement], of: XMLTree)
  /// The elements that are found while the document is read.
  case pattern(XPathPattern)
  /// The attributes and texts, possibly beside elements, that are found while the document is read.
  case texts(XPathTexts)
  /// Attributes and texts of a tree, possibly beside elements, or a single value.
  case values(XPathValues)

  /// An XPath of attributes and texts that is matched while the document is read.
  struct XPathTexts {
    let xpath: String
    let pattern: XPathTextPattern
    /// The paths to elements in the same union; nil if there are none.
    let elements: XPathPattern?
  }

  /// The result of an XPath that does not select elements alone.
  struct XPathValues {
    let xpath: String
    let tree: XMLTree
    let result: XPathResult
    /// True if the expression has a single value and names elements without a prefix, although all elements with these names are in namespaces.
    var missesNamespaces = false
  }

  /// Returns the values that an XPath selects from a document.
  ///
  /// Reads the whole document into a tree if the values cannot be found while it is read. Otherwise reads nothing.
  static func selecting(
    _ xpath: String, from document: DetectedInput, _ options: ReadingOptions
  ) throws(FerryError) -> ElementSelection {
    let prefixes = options.xml.prefixes
    func hasDefaultNamespace() -> Bool {
      RootNamespace.find(in: document.head, budget: options.budget) != nil
    }
    if let streamed = try? StreamedXPath(xpath, namespaces: prefixes),
      !streamed.usesDefaultNamespace || hasDefaultNamespace()
    {
      if let pattern = streamed.texts {
        return .texts(XPathTexts(xpath: xpath, pattern: pattern, elements: streamed.elements))
      }
      if let pattern = streamed.elements { return .pattern(pattern) }
    }
    let reader = try XMLTreeReader(budget: options.budget, entities: options.xml.entities)
    try reader.readAll(document.input)
    return try selecting(xpath, in: reader.tree(), prefixes)
  }

  private static func selecting(
    _ xpath: String, in tree: XMLTree, _ prefixes: [String: String]
  ) throws(FerryError) -> ElementSelection {
    let (result, expression) = (try tree.evaluate(xpath, namespaces: prefixes), XPathExpression(xpath))
    var values = XPathValues(xpath: xpath, tree: tree, result: result)
    guard case .nodes(let nodes) = result else {
      values.missesNamespaces = tree.hasOnlyInNamespaces(anyOf: expression.elementNamesWithoutPrefix)
      return .values(values)
    }
    for case .other(let kind) in nodes { throw FerryError(.xml(.noValues(xpath, node: kind))) }
    let elements = nodes.compactMap(\.element)
    // An expression for attributes that selects nothing must not count as one that selects elements.
    let endsWithOthers = expression.syntax?.endsWithOthersThanElements == true
    let isOfElements = nodes.isEmpty ? !endsWithOthers : elements.count == nodes.count
    return isOfElements ? .nodes(elements, of: tree) : .values(values)
  }

  /// True if the XPath has a single value and names elements without a prefix, although all elements with these names are in namespaces.
  var missesNamespaces: Bool { if case .values(let values) = self { values.missesNamespaces } else { false } }

  /// The expression, if it does not select elements alone; otherwise nil.
  private var xpathOfOthers: String? {
    switch self {
    case .nodes, .pattern: nil
    case .texts(let texts): texts.xpath
    case .values(let values): values.xpath
    }
  }

  /// True if only elements are selected.
  var hasElementsAlone: Bool { xpathOfOthers == nil }

  /// Throws if other values than elements are selected.
  ///
  /// - Parameter why: The reason why elements are needed: `a schema describes elements`.
  func requireElements(_ why: String) throws(FerryError) {
    if let xpath = xpathOfOthers { throw FerryError(.xml(.onlyElements(xpath, why: why))) }
  }

  /// The tree in which the document is held; nil if it is read as a stream.
  var tree: XMLTree? {
    switch self {
    case .nodes(_, let tree): tree
    case .values(let values): values.tree
    case .pattern, .texts: nil
    }
  }

  /// The local names of the elements; nil if only a reading of the document shows them.
  var names: [String]? {
    switch self {
    case .nodes(let nodes, _): nodes.map(\.name.local)
    case .pattern(let pattern): pattern.names
    case .texts, .values: []
    }
  }
}
